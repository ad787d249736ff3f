"""What is written as TOML is read back as the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Lens
from calibration.profiles import (
    Profile,
    built_in_names,
    check_own_name,
    load_profile,
    own_profile,
    parse_profile,
    save_profile,
    user_folder,
)
from calibration.toml_reader import read_toml
from calibration.toml_writer import hex_colour, to_toml
from engine.errors import Unreadable, UsageError


def again(profile: Profile) -> Profile:
    return parse_profile(to_toml(profile, without=("name",)), profile.name, "again.toml")


@pytest.mark.parametrize("name", built_in_names())
def test_every_built_in_profile_survives(name: str) -> None:
    profile = load_profile(name)
    assert again(profile) == profile


@given(title=st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
def test_every_title_survives(title: str) -> None:
    profile = replace(load_profile("cream-classic"), title=title)
    assert again(profile).title == title


@given(
    k1=st.floats(-1, 1),
    focal=st.floats(0.3, 10),
    equivalent=st.none() | st.floats(1, 1000),
    camera=st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
)
def test_every_lens_survives(k1: float, focal: float, equivalent: float | None, camera: str) -> None:
    lens = Lens(camera, 1.5, focal, k1, 0.0, focal_35mm=equivalent, photos=7)
    assert read_toml(Lens, to_toml(lens), "lens.toml") == lens


def test_colours_are_written_as_people_write_them() -> None:
    assert hex_colour((1.0, 0.5, 0.0)) == "#ff8000"
    assert hex_colour((1.2, -0.1, 0.0)) == "#ff0000"
    assert 'red = "#c6242c"' in to_toml(load_profile("cream-classic"))


def test_own_profiles_are_kept_and_found(own_data_folder: Path) -> None:
    assert own_profile("my-set") is None
    profile = replace(load_profile("cream-classic"), name="my-set", title="Mine")
    path = save_profile(profile)
    assert path == own_data_folder / "profiles" / "my-set.toml"
    assert own_profile("my-set") == load_profile("my-set") == profile
    save_profile(replace(profile, title="Again"))
    assert load_profile("my-set").title == "Again"
    assert [file.name for file in user_folder().iterdir()] == ["my-set.toml"]


BAD_NAMES = [
    # Out of the folder, hidden, other letters, nothing at all, a set that exists, and far too long.
    *("../evil", "/etc/evil", "a/b", "a\\b", ".hidden", "My Set", "ä", "", "-x", "x.toml", "a\n", "cream-classic"),
    "x" * 61,
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_no_own_set_can_have(name: str) -> None:
    with pytest.raises(UsageError):
        check_own_name(name)
    with pytest.raises(UsageError):
        save_profile(replace(load_profile("cream-classic"), name=name))
    assert not user_folder().exists()


def test_a_folder_that_cannot_be_written_gets_a_sentence(own_data_folder: Path) -> None:
    own_data_folder.write_text("a file, not a folder")
    with pytest.raises(Unreadable, match=r"could not be written .*CITYSCAN_DATA"):
        save_profile(replace(load_profile("cream-classic"), name="my-set"))
