"""Alien City: from the network's answers for lots and tiles to a position.

Everything is decided together: a set has two cap colours, so many towers and domes, five tiles of each colour and
each face once. These facts settle doubt; they never overrule what was clearly seen (``EXCESS`` says how clearly),
so a board that breaks the rules comes out as it lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.alien_city.pieces import CLAIMS_PER_PLAYER, STOCK, TILES_PER_GUILD
from vision.boards import ALIEN_CITY, CAPS, GUILDS, ICON_CORNERS, RANKS
from vision.games.choose import Limit, choose
from vision.reading import Candidate, Guess, Hints

Probabilities = npt.NDArray[np.float64]

# A piece too many is believed if what was seen is this much more likely than the best way to do without it: doubt is
# settled, but a table with too many pieces comes out as it lies.
EXCESS: Final = 5.0
# A piecepack cannot have a tile twice, and two players have two cap colours; another is believed if it is this much
# more likely.
TILE_TWICE: Final = 50.0
FOREIGN_CAP: Final = 50.0
# The editions' caps, and what else is seen on tables.
USUAL_PAIRS: Final = ({"red", "blue"}, {"white", "black"})
USUAL_CAPS: Final = {"red", "blue", "black", "white", "yellow", "clear"}
# All caps lie in the same light: what one of them seems to be is only half a witness for the others.
ONE_LIGHT: Final = 0.5
# Candidates less likely than this are not worth telling.
LEAST_TOLD: Final = 0.001

_COLUMNS, _ROWS = ALIEN_CITY.cells


def lot_name(row: int, column: int) -> str:
    """The name of a lot by its row from the north and column from the west."""
    return f"{'ABCDEFGH'[column]}{_ROWS - row}"


def tile_name(row: int, column: int) -> str:
    """The name of a tile, its south-west lot, by its row and column among the tiles."""
    return lot_name(2 * row + 1, 2 * column)


def decode(answers: Mapping[str, Probabilities], _hints: Hints) -> tuple[dict[str, Any], dict[str, Guess]]:
    """The state's tiles and structures, and a guess for every lot and tile.

    ``answers`` are probabilities (answers, rows, columns) for each question.
    """
    lots = _decide_lots(answers)
    tiles = _decide_tiles(answers, lots)
    structures = [{"at": lot, **guess.chosen.value} for lot, guess in lots.items() if guess.chosen.value]
    state = {
        "tiles": [{"at": name, **(guess.chosen.value or {})} for name, guess in tiles.items()],
        "structures": structures,
    }
    return state, {**lots, **{f"tile:{name}": guess for name, guess in tiles.items()}}


# --- lots -----------------------------------------------------------------------------------


def _decide_lots(answers: Mapping[str, Probabilities]) -> dict[str, Guess]:
    caps = _two_colours(answers["cap"], answers["kind"][2])
    options: dict[str, list[Candidate]] = {}
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            options[lot_name(row, column)] = _lot_options(
                answers["kind"][:, row, column], answers["colour"][:, row, column], caps[:, row, column]
            )
    limits = [
        Limit(lambda value, piece=piece: _is_piece(value, piece), most, EXCESS)  # type: ignore[misc]
        for piece, most in STOCK.items()
    ]
    limits += [
        Limit(lambda value, cap=cap: bool(value) and value.get("claimed_by") == cap, CLAIMS_PER_PLAYER, EXCESS)  # type: ignore[misc]
        for cap in CAPS[1:]
    ]
    return choose(options, limits)


def _lot_options(kind: Probabilities, colour: Probabilities, cap: Probabilities) -> list[Candidate]:
    options = [Candidate(None, float(kind[0]))]
    for guild, p in zip(GUILDS, colour, strict=True):
        options.append(Candidate({"kind": "dome", "colour": guild}, float(kind[1] * p)))
    towers = colour[:3] / max(float(colour[:3].sum()), 1e-9)  # there are no black towers
    for guild, p in zip(GUILDS[:3], towers, strict=True):
        for owner, q in zip(CAPS, cap, strict=True):
            value = {"kind": "tower", "colour": guild}
            if owner != "none":
                value["claimed_by"] = owner
            options.append(Candidate(value, float(kind[2] * p * q)))
    return options


def _two_colours(cap: Probabilities, tower: Probabilities) -> Probabilities:
    """Cap probabilities given that there are two cap colours: every pair counts as well as it explains all towers."""
    pairs = list(combinations(CAPS[1:], 2))
    likely = np.array([np.log(_usual(pair)) for pair in pairs])
    given = []
    for number, pair in enumerate(pairs):
        weights = np.full(len(CAPS), 1 / FOREIGN_CAP)
        weights[[0, *(CAPS.index(colour) for colour in pair)]] = 1.0
        weighted = cap * weights[:, None, None]
        explained = weighted.sum(axis=0)
        likely[number] += ONE_LIGHT * float((tower * np.log(np.maximum(explained, 1e-9))).sum())
        given.append(weighted / explained)
    share = np.exp(likely - likely.max())
    return np.asarray(np.tensordot(share / share.sum(), np.array(given), axes=1))


def _usual(pair: tuple[str, str]) -> float:
    """How often people play with these caps, about."""
    if set(pair) in USUAL_PAIRS:
        return 0.35
    return 0.02 if set(pair) <= USUAL_CAPS else 0.001


def _is_piece(value: Mapping[str, Any] | None, piece: tuple[str, str]) -> bool:
    return value is not None and (value["kind"], value["colour"]) == piece


# --- tiles ----------------------------------------------------------------------------------


def _decide_tiles(answers: Mapping[str, Probabilities], lots: Mapping[str, Guess]) -> dict[str, Guess]:
    options: dict[str, list[Candidate]] = {}
    for row in range(_ROWS // 2):
        for column in range(_COLUMNS // 2):
            options[tile_name(row, column)] = _tile_options(
                answers["tile_colour"][:, row, column],
                answers["tile_rank"][:, row, column],
            )
    limits = [
        Limit(lambda value, guild=guild: value["colour"] == guild, TILES_PER_GUILD, TILE_TWICE)  # type: ignore[misc]
        for guild in GUILDS
    ]
    limits += [
        Limit(lambda value, face=(guild, rank): (value["colour"], value["rank"]) == face, 1, TILE_TWICE)  # type: ignore[misc]
        for guild in GUILDS
        for rank in RANKS
    ]
    faces = choose(options, limits)
    return {name: _with_icon(guess, _icon_options(answers["tile_icon"], name, lots)) for name, guess in faces.items()}


def _tile_options(colour: Probabilities, rank: Probabilities) -> list[Candidate]:
    """Colour and rank together; a value that cannot be seen is None."""
    colours = [*GUILDS, None]
    ranks = [*RANKS, None]
    return [
        Candidate({"colour": c, "rank": r}, float(p * q))
        for c, p in zip(colours, colour, strict=True)
        for r, q in zip(ranks, rank, strict=True)
    ]


def _icon_options(icon: Probabilities, tile: str, lots: Mapping[str, Guess]) -> list[tuple[str | None, float]]:
    """Where the icon is. One that cannot be seen lies under a structure, so vacant lots are no candidates for it."""
    row, column = (_ROWS - int(tile[1:])) // 2, "ABCDEFGH".index(tile[0]) // 2
    seen = icon[:, row, column]
    places = [_corner_lot(row, column, corner) for corner in range(len(ICON_CORNERS))]
    options: list[tuple[str | None, float]] = [(lot, float(p)) for lot, p in zip(places, seen, strict=False)]
    options.append((None, float(seen[-1])))
    covered = [lot for lot in places if lots[lot].chosen.value is not None]
    if len(covered) == 1:  # hidden, and only one lot can hide it: the counts settle it
        options = [(lot, p + (float(seen[-1]) if lot == covered[0] else 0.0)) for lot, p in options[:-1]]
    return sorted(options, key=lambda option: -option[1])


def _with_icon(face: Guess, icons: list[tuple[str | None, float]]) -> Guess:
    """Face and icon as one guess; the most likely combinations first."""
    combined = [
        Candidate({**(candidate.value or {}), "icon": icon}, candidate.p * p)
        for candidate in face.candidates
        for icon, p in icons
        if candidate.p * p >= LEAST_TOLD
    ]
    first = Candidate({**(face.chosen.value or {}), "icon": icons[0][0]}, face.chosen.p * icons[0][1])
    others = sorted((c for c in combined if c.value != first.value), key=lambda c: -c.p)
    return Guess((first, *others))


def _corner_lot(row: int, column: int, corner: int) -> str:
    """The lot of a tile's corner, in the order of ICON_CORNERS."""
    north, east = divmod(corner, 2)
    return lot_name(2 * row + 1 - north, 2 * column + east)
