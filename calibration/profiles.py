"""Profiles of physical sets: one place for what studio, reader and page know about a set's looks.

A profile is a TOML file. Built-in ones lie in ``calibration/profiles``; the user's own in the folder
``profiles`` of the data folder (``calibration/data_folder.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from calibration.data_folder import data_folder, write_whole
from calibration.sets import (
    BLOKUS_COLOURS,
    GAMES,
    GUILD_COLOURS,
    PARTS,
    TOWER_COLOURS,
    BlokusSet,
    ChessBoard,
    CoinSet,
    Plastic,
    Profile,
    PyramidSet,
    Rgb,
    TileSet,
)
from calibration.toml_reader import ProfileError, parse_toml, read_table
from calibration.toml_writer import to_toml
from engine.errors import Unreadable, UsageError
from engine.strict_json import printable

__all__ = [
    "BlokusSet",
    "ChessBoard",
    "CoinSet",
    "Plastic",
    "Profile",
    "ProfileError",
    "PyramidSet",
    "Rgb",
    "TileSet",
    "built_in_names",
    "check_own_name",
    "load_profile",
    "own_profile",
    "parse_profile",
    "profile_names",
    "save_profile",
    "user_folder",
]

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
LONGEST_NAME: Final = 60


def user_folder() -> Path:
    """Where the user's own profiles lie (the folder need not exist)."""
    return data_folder() / "profiles"


def profile_names(game: str | None = None, held_out: bool | None = None, folder: Path | None = None) -> tuple[str, ...]:
    """The names of all profiles, or of those that dress a game, or of those that are (not) held out.

    A file of the user's that cannot be read is an error as soon as a question needs its content.
    """
    if game is not None and game not in GAMES:
        raise Unreadable(f'There is no game "{game}"; possible are {", ".join(GAMES)}.')
    names = sorted(_files(folder))
    if game is None and held_out is None:
        return tuple(names)
    profiles = (load_profile(name, folder) for name in names)
    return tuple(
        profile.name
        for profile in profiles
        if (game is None or game in profile.games) and (held_out is None or profile.held_out == held_out)
    )


def load_profile(name: str, folder: Path | None = None) -> Profile:
    """The profile of that name, a built-in one before the user's own; or of a path that ends in ``.toml``."""
    if name.endswith(".toml"):
        path = Path(name)
        return _parsed(path.stem, str(path), _text(path, str(path)))
    files = _files(folder)
    if name not in files:
        raise Unreadable(f'There is no profile "{name}"; possible are {", ".join(sorted(files))}.')
    return _parsed(name, files[name].name, _text(files[name], files[name].name))


def built_in_names() -> tuple[str, ...]:
    """The names of the sets that come with Cityscan."""
    return tuple(sorted(_built_in_files()))


def own_profile(name: str) -> Profile | None:
    """The user's own set of that name, if there is one."""
    check_own_name(name)
    return load_profile(name) if name in _files(None) else None


def check_own_name(name: str) -> None:
    """Raises where no set of the user's can have that name."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        shown = printable(name)
        limits = f"use small letters, digits and hyphens, at most {LONGEST_NAME}."
        raise UsageError(f'"{shown}" cannot be the name of a set; {limits}')
    if name in _built_in_files():
        raise UsageError(f'"{name}" is a set that comes with Cityscan; choose another name for yours.')


def save_profile(profile: Profile) -> Path:
    """Keep one of the user's own sets in the user's folder; an earlier one of that name is replaced."""
    check_own_name(profile.name)
    text = to_toml(profile, without=("name",))
    parse_profile(text, profile.name, f"{profile.name}.toml")  # what is written can be read again
    path = user_folder() / f"{profile.name}.toml"
    write_whole(path, text)
    return path


@lru_cache(maxsize=256)
def _parsed(name: str, file: str, text: str) -> Profile:
    return parse_profile(text, name, file)


def parse_profile(text: str, name: str, file: str) -> Profile:
    """A profile from the text of its file; ``file`` is what errors call it."""
    if not _NAME.fullmatch(name):
        raise ProfileError(file, "", f'a profile\'s name has small letters, digits and hyphens only, not "{name}".')
    table = parse_toml(text, file)
    if "name" in table:
        raise ProfileError(file, "name", "leave this out: a profile is named by its file.")
    profile = read_table(Profile, {"name": name, **table}, file)
    for field, problem in _problems(profile):
        raise ProfileError(file, field, problem)
    return profile


def _problems(profile: Profile) -> Iterator[tuple[str, str]]:
    """What the fields cannot say one by one: a game needs its parts, and all of their colours."""
    for game in profile.games:
        for part in PARTS[game]:
            if not getattr(profile, part):
                yield part, f"this table is missing; {game} is played with it."
    if "alien-city" in profile.games:
        yield from _alien_city_problems(profile)
    if profile.tiles is not None:
        yield from _missing(profile.tiles.colours, GUILD_COLOURS, "tiles.colours")
        yield from _missing(profile.tiles.icons, GUILD_COLOURS, "tiles.icons")
        if profile.tiles.icon_margin + profile.tiles.icon_size / 2 > 0.5:
            yield (
                "tiles.icon_size",
                "the icon must stay within its lot: icon_margin + icon_size / 2 may be 0.5 at most.",
            )
    if profile.blokus is not None:
        yield from _missing(profile.blokus.piece_colours, BLOKUS_COLOURS, "blokus.piece_colours")
        if sorted(profile.blokus.corners) != sorted(BLOKUS_COLOURS):
            yield "blokus.corners", "must name each of the four colours once."


def _alien_city_problems(profile: Profile) -> Iterator[tuple[str, str]]:
    if not profile.editions:
        yield "editions", "this field is missing; say which editions of Alien City the tiles dress."
    if profile.pyramids is not None:
        yield from _missing(profile.pyramids.plastic, TOWER_COLOURS, "pyramids.plastic")
        if len(set(profile.pyramids.caps)) < 2:
            yield "pyramids.caps", "must name at least two colours, one a player."
        for cap in profile.pyramids.caps:
            if cap not in profile.pyramids.plastic:
                yield "pyramids.caps", f"{cap} pyramids are not described under pyramids.plastic."


def _missing(given: Any, wanted: tuple[str, ...], field: str) -> Iterator[tuple[str, str]]:
    for colour in wanted:
        if colour not in given:
            yield f"{field}.{colour}", "this field is missing."


def _files(folder: Path | None) -> dict[str, Path | Traversable]:
    """Profile name -> file. A built-in name always means the built-in set, whatever the user's folder holds: figures
    that were measured on it would mean something else otherwise."""
    own = user_folder() if folder is None else folder
    found: dict[str, Path | Traversable] = {}
    if own.is_dir():
        found.update({path.stem: path for path in sorted(own.glob("*.toml"))})
    found.update(_built_in_files())
    return found


def _built_in_files() -> dict[str, Traversable]:
    folder = resources.files("calibration") / "profiles"
    return {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")}


def _text(file: Path | Traversable, name: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(name, "", "the file cannot be read as text.") from error
