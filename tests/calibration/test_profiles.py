"""Profiles: the built-in ones are sound and complete, and a mistake in a file is named in one sentence."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import looks
from calibration.profiles import Profile, ProfileError, load_profile, parse_profile, profile_names
from calibration.sets import GAMES, Plastic
from calibration.toml_reader import read_table
from engine.errors import CityscanError, Unreadable

ROOT = Path(__file__).parents[2]
NAMES = profile_names(folder=Path("nowhere"))


def built_in(name: str) -> str:
    return (ROOT / "calibration" / "profiles" / f"{name}.toml").read_text(encoding="utf-8")


def profiles(held_out: bool) -> list[Profile]:
    return [load_profile(name) for name in profile_names(held_out=held_out, folder=Path("nowhere"))]


@pytest.mark.parametrize("name", NAMES)
def test_every_built_in_profile_loads(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert profile.title
    assert profile.tables


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_enough_looks(game: str) -> None:
    assert len(profile_names(game, held_out=False, folder=Path("nowhere"))) >= 6
    assert len(profile_names(game, held_out=True, folder=Path("nowhere"))) >= 3


def test_there_are_enough_sets() -> None:
    assert len(profiles(held_out=False)) >= 10
    assert len(profiles(held_out=True)) >= 5


def test_every_edition_is_dressed_on_both_sides() -> None:
    for held_out in (False, True):
        assert {edition for p in profiles(held_out) for edition in p.editions} == {"1.0", "2.2", "fr"}


def _used(held_out: bool) -> dict[str, set[str]]:
    """All looks that the profiles of one side use."""
    chosen = profiles(held_out)
    tiles = [p.tiles for p in chosen if p.tiles is not None]
    return {
        "icons": {icon for t in tiles for icon in t.icons.values()},
        "digits": {t.digits for t in tiles},
        "tables": {name for p in chosen for name in p.tables},
        "environments": {name for p in chosen for name in p.environments},
    }


@pytest.mark.parametrize("kind", ["icons", "digits", "tables", "environments"])
def test_held_out_profiles_share_no_look_with_the_others(kind: str) -> None:
    training, held_out = _used(held_out=False)[kind], _used(held_out=True)[kind]
    assert training
    assert held_out
    assert not training & held_out
    # The lists of names tell the same story, for code that asks them and not the profiles.
    listed: looks.Looks = getattr(looks, kind.upper())
    assert training <= set(listed.training)
    assert held_out <= set(listed.held_out)
    assert not set(listed.training) & set(listed.held_out)


@pytest.mark.parametrize("kind", ["icons", "digits", "tables", "environments"])
def test_no_look_is_drawn_for_nothing(kind: str) -> None:
    listed: looks.Looks = getattr(looks, kind.upper())
    used = _used(held_out=False)[kind] | _used(held_out=True)[kind]
    assert set(listed.all) == used


def test_sets_differ_in_what_players_own() -> None:
    """Yellow crowns, grey moons, medium towers, wooden and inverted tiles, opaque plastic, caps of many colours."""
    chosen = profiles(held_out=False)
    tiles = [p.tiles for p in chosen if p.tiles is not None]
    assert any(t.colours["green"][0] > 0.7 and t.colours["green"][2] < 0.3 for t in tiles)
    assert any(0.35 < t.colours["black"][0] < 0.65 for t in tiles)
    assert {t.ground for t in tiles} >= {"plain", "wood", "inverted"}
    assert {t.ace for t in tiles} >= {"A", "suit"}
    pyramids = [p.pyramids for p in chosen if p.pyramids is not None]
    assert {s.tower_size for s in pyramids} == {"large", "medium"}
    assert {cap for s in pyramids for cap in s.caps} >= {"red", "blue", "black", "white", "yellow", "clear"}
    assert {plastic.translucent for s in pyramids for plastic in s.plastic.values()} == {True, False}
    sizes = {(b.columns, b.rows) for p in chosen for b in p.chess}
    assert sizes == {(5, 6), (6, 6), (8, 8)}


def test_the_example_in_the_docs_names_every_field() -> None:
    page = (ROOT / "docs" / "profiles.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    profile = parse_profile(example, "example", "docs/profiles.md")
    parts = (profile, profile.tiles, profile.coins, profile.pyramids, profile.blokus, profile.chess[0])
    for part in (*parts, Plastic((0.0, 0.0, 0.0))):
        assert part is not None
        for field in dataclasses.fields(part):
            assert field.name == "name" or re.search(rf"\b{field.name}\b", example), field.name


GOOD = """
title = "t"
games = ["city-blocks"]
tables = ["felt"]
environments = ["overcast"]
[blokus]
make = "plastic-ribs"
board_colour = "#ffffff"
piece_colours = { blue = "#0000ff", green = "#00ff00", red = "#ff0000", yellow = "#ffff00" }
"""

MISTAKES = [
    # (what is replaced, by what, the field that the error names, a piece of the sentence)
    ('title = "t"', "title = ", "", "not valid TOML"),
    ('title = "t"\n', "", "title", "missing"),
    ('title = "t"', "title = 3", "title", "must be a text, not 3"),
    ('title = "t"', 'title = "t"\nname = "x"', "name", "named by its file"),
    ('title = "t"', 'title = "t"\ncolour = "x"', "colour", "no such field"),
    ('["city-blocks"]', '["chess"]', "games[0]", 'no game "chess"'),
    ('["city-blocks"]', "[]", "games", "must have 1 to 3 entries"),
    ('["city-blocks"]', '"city-blocks"', "games", "must be a list"),
    ('["city-blocks"]', '["sprawl"]', "pyramids", "sprawl is played with it"),
    ('["city-blocks"]', '["alien-city"]', "tiles", "alien-city is played with it"),
    ('["felt"]', '["lava"]', "tables[0]", 'no table "lava"; possible are'),
    ('["overcast"]', '["mars"]', "environments[0]", 'no environment "mars"'),
    ('"plastic-ribs"', '"lego"', "blokus.make", 'no choice "lego"; possible are plastic-ribs'),
    ('"#ffffff"', '"white"', "blokus.board_colour", 'a colour such as "#c81e28"'),
    ('"#ffffff"', '"#fffff"', "blokus.board_colour", "a colour such as"),
    ('"#ffffff"', "7", "blokus.board_colour", "must be a text, not 7"),
    ('"#ffffff"', '"#ffffff"\nsquare_mm = 5', "blokus.square_mm", "must be from 10 to 25, not 5"),
    ('"#ffffff"', '"#ffffff"\nsquare_mm = "wide"', "blokus.square_mm", 'must be a number, not the text "wide"'),
    ('"#ffffff"', '"#ffffff"\nsquare_mm = true', "blokus.square_mm", "must be a number, not true"),
    ('"#ffffff"', '"#ffffff"\nsquare_mm = nan', "blokus.square_mm", "must be a number"),
    ('"#ffffff"', '"#ffffff"\ncorners = ["red"]', "blokus.corners", "must have 4 entries, not 1"),
    ('"#ffffff"', '"#ffffff"\ncorners = ["red","red","red","red"]', "blokus.corners", "each of the four colours once"),
    (', yellow = "#ffff00"', "", "blokus.piece_colours.yellow", "missing"),
    (', yellow = "#ffff00"', ', purple = "#ffff00"', "blokus.piece_colours", 'no Blokus colour "purple"'),
]


@pytest.mark.parametrize(("old", "new", "field", "words"), MISTAKES)
def test_a_mistake_is_named_with_file_and_field(old: str, new: str, field: str, words: str) -> None:
    assert parse_profile(GOOD, "good", "good.toml").blokus is not None
    assert old in GOOD
    with pytest.raises(ProfileError) as caught:
        parse_profile(GOOD.replace(old, new, 1), "bad", "bad.toml")
    assert caught.value.file == "bad.toml"
    assert caught.value.field == field
    assert words in caught.value.message
    assert caught.value.message.startswith("bad.toml: ")
    assert "\n" not in caught.value.message


SET_MISTAKES = [
    # A built-in profile with one line changed: what only the set as a whole can get wrong.
    ('red = "sun-rays"', 'red = "sun-blob"', "tiles.icons.red", 'no icon design "sun-blob"'),
    ('digits = "roman"', 'digits = "comic"', "tiles.digits", 'no digit font "comic"'),
    ('red = "sun-rays"\n', "", "tiles.icons.red", "missing"),
    ('editions = ["1.0", "fr"]\n', "", "editions", "which editions"),
    ('caps = ["red", "blue", "white", "black"]', 'caps = ["red"]', "pyramids.caps", "at least two"),
    ('caps = ["red", "blue", "white", "black"]', 'caps = ["red", "pink"]', "pyramids.caps", "pink pyramids"),
    ("icon_size = 0.52", "icon_size = 0.9\nicon_margin = 0.1", "tiles.icon_size", "within its lot"),
]


@pytest.mark.parametrize(("old", "new", "field", "words"), SET_MISTAKES)
def test_a_set_that_does_not_fit_together_is_refused(old: str, new: str, field: str, words: str) -> None:
    text = built_in("cream-classic")
    assert old in text
    with pytest.raises(ProfileError) as caught:
        parse_profile(text.replace(old, new, 1), "bad", "bad.toml")
    assert caught.value.field == field
    assert words in caught.value.message


def test_unknown_names_are_answered_with_the_possible_ones() -> None:
    with pytest.raises(Unreadable, match=r'no profile "nosuch"; possible are .*cream-classic'):
        load_profile("nosuch")
    with pytest.raises(Unreadable, match='no game "go"'):
        profile_names("go")


def test_a_name_that_no_file_should_have_is_refused() -> None:
    with pytest.raises(ProfileError, match="small letters, digits and hyphens"):
        parse_profile(GOOD, "My Set", "My Set.toml")


def test_the_users_profiles_come_after_the_built_in_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "my-set.toml").write_text(GOOD)
    (folder / "cream-classic.toml").write_text(GOOD.replace('"t"', '"mine"'))
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path))
    assert set(profile_names()) == {*NAMES, "my-set"}
    assert load_profile("cream-classic").title != "mine"
    assert "my-set" in profile_names("city-blocks", held_out=False)
    (folder / "my-set.toml").write_text(GOOD.replace('"t"', '"changed"'))
    assert load_profile("my-set").title == "changed"


def test_a_profile_can_be_given_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "here.toml"
    path.write_text(GOOD)
    assert load_profile(str(path)).name == "here"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProfileError, match="cannot be read as text"):
        load_profile(str(path))
    with pytest.raises(ProfileError, match=r"nowhere\.toml: the file cannot be read"):
        load_profile(str(tmp_path / "nowhere.toml"))


def test_profiles_are_found_in_a_package_that_is_no_folder(tmp_path: Path) -> None:
    """Installed packages may lie in an archive: files must be found through the import system alone."""
    archive = tmp_path / "site.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for package in ("calibration", "engine"):
            for path in sorted((ROOT / package).rglob("*")):
                if path.suffix in (".py", ".toml"):
                    zipped.write(path, path.relative_to(ROOT))
    code = "import calibration, calibration.profiles as p; print(calibration.__file__, len(p.profile_names()))"
    run = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(archive)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"CITYSCAN_DATA": str(tmp_path)},
    )
    where, count = run.stdout.split()
    assert where.startswith(str(archive))
    assert int(count) == len(NAMES)


def test_motif_of_a_design() -> None:
    assert looks.motif("crown-balls") == "crown"


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["title", "games", "tables", "environments", "held_out", "tiles", "blokus", "chess", "pyramids"]
)


@given(field=FIELDS, value=JSONISH)
def test_no_value_of_any_kind_breaks_the_reader(field: str, value: object) -> None:
    """Whatever stands in a field, the answer is a profile or one of our errors."""
    good = {"name": "n", "title": "t", "games": ["sprawl"], "tables": ["felt"], "environments": ["overcast"]}
    problem = _problem_of({**good, field: value})
    assert problem is None or problem.startswith("x.toml: ")


def _problem_of(table: dict[str, object]) -> str | None:
    try:
        read_table(Profile, table, "x.toml")
    except CityscanError as error:
        return error.message
    return None
