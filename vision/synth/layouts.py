"""What lies on the table: half of the boards come from legal games, half are arbitrary, a few are no board at all.

| kind | share | what |
|---|---|---|
| `legal` | 49 % | a position of a random legal game: a quarter of them at its end, the others at any stage |
| `blokus` | (a sixth of City Blocks' legal ones) | a position of plain Blokus, by Blokus' own rules |
| `arbitrary` | 37 % | see ``disorder.py`` |
| `empty` | 6 % | the bare board |
| `full` | 6 % | a board with (nearly) every lot taken |
| `no-board`, `part`, `other-game` | 2 % together | negatives: a table, some of a board, something else |
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from calibration.profiles import Profile
from engine.city_blocks.play import random_blokus_game
from engine.game import game as rules_of
from engine.sprawl.play import board_for
from engine.sprawl.play import random_game as random_sprawl_game
from vision.synth import disorder
from vision.synth.disorder import pick

NEGATIVES: Final = ("no-board", "part", "other-game")
NEGATIVE_SHARE: Final = 0.02

# Upper limits for the number of moves of a game; a game that ends earlier gives its last position.
_LONGEST: Final = {"alien-city": 44, "city-blocks": 80, "sprawl": 70}
_TO_THE_END: Final = 0.25

_ARBITRARY: Final[Mapping[str, Callable[[np.random.Generator, Profile, str], dict[str, Any]]]] = {
    "alien-city": disorder.alien_city,
    "city-blocks": disorder.city_blocks,
    "sprawl": disorder.sprawl,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """A position to photograph. A negative of the kind ``part`` carries the board that only a part is shown of."""

    state: dict[str, Any] | None
    kind: str

    @property
    def is_negative(self) -> bool:
        return self.kind in NEGATIVES


def sample_layout(rng: np.random.Generator, game: str, profile: Profile) -> Layout:
    """A random layout of the game with the pieces and colours of the profile."""
    draw = rng.random()
    if draw < NEGATIVE_SHARE:
        return negative_layout(rng, game, profile, pick(rng, NEGATIVES))
    if draw < NEGATIVE_SHARE + 0.49:
        return legal_layout(rng, game, profile)
    kind = str(rng.choice(["arbitrary", "empty", "full"], p=[0.76, 0.12, 0.12]))
    fill = "some" if kind == "arbitrary" else kind
    return Layout(_ARBITRARY[game](rng, profile, fill), kind)


def negative_layout(rng: np.random.Generator, game: str, profile: Profile, kind: str) -> Layout:
    """A photo that has no (whole) board in it."""
    if kind != "part":
        return Layout(None, kind)
    state = legal_layout(rng, game, profile).state if rng.random() < 0.5 else _ARBITRARY[game](rng, profile, "some")
    return Layout(state, kind)


def legal_layout(rng: np.random.Generator, game: str, profile: Profile) -> Layout:
    """A position that legal play leads to."""
    if game == "alien-city":
        return Layout(_legal_alien_city(rng, profile), "legal")
    if game == "city-blocks":
        return _legal_city_blocks(rng, profile)
    return Layout(_legal_sprawl(rng, profile), "legal")


def _legal_alien_city(rng: np.random.Generator, profile: Profile) -> dict[str, Any]:
    assert profile.pyramids is not None
    rules = rules_of("alien-city")
    state = rules.dump(_some_position(rng, "alien-city", rules.random_game(_chance(rng))))
    state["edition"] = pick(rng, profile.editions)
    state.pop("extras", None)  # who is called what is not on the photo
    caps = list(profile.pyramids.caps)
    first, second = rng.permutation(len(caps))[:2]
    recoloured: dict[str, str] = {}
    for structure in state["structures"]:
        cap = structure.get("claimed_by")
        if cap is not None:
            recoloured.setdefault(cap, caps[int(second if recoloured else first)])
            structure["claimed_by"] = recoloured[cap]
    if profile.tiles is not None and not profile.tiles.ranks:
        for tile in state["tiles"]:
            tile["rank"] = None
    return dict(state)


def _legal_city_blocks(rng: np.random.Generator, profile: Profile) -> Layout:
    assert profile.blokus is not None
    rules = rules_of("city-blocks")
    plain = profile.blokus.centre == "placed" and rng.random() < 1 / 6
    positions = random_blokus_game(_chance(rng)) if plain else rules.random_game(_chance(rng))
    state = rules.dump(_some_position(rng, "city-blocks", positions))
    corners = state.pop("corner_colours")
    if profile.blokus.corner_marks != "none":
        _recolour_blocks(state, dict(zip(corners, profile.blokus.corners, strict=True)))
        state["corner_colours"] = list(profile.blokus.corners)
    return Layout(dict(state), "blokus" if plain else "legal")


def _recolour_blocks(state: dict[str, Any], new: Mapping[str, str]) -> None:
    """Every colour becomes another, so that the players sit where the board's corners say."""
    table = str.maketrans({old[0].upper(): colour[0].upper() for old, colour in new.items()})
    state["grid"] = [row.translate(table) for row in state["grid"]]
    if state.get("pairs"):
        state["pairs"] = [[new[colour] for colour in pair] for pair in state["pairs"]]
    if state.get("neutral"):
        state["neutral"] = new[state["neutral"]]


def _legal_sprawl(rng: np.random.Generator, profile: Profile) -> dict[str, Any]:
    assert profile.pyramids is not None
    board = pick(rng, profile.chess)
    plastics = sorted(profile.pyramids.plastic)
    chance = _chance(rng)
    possible = [n for n in range(3, 9) if n <= len(plastics) and _fits(board_for(n), (board.columns, board.rows))]
    players = pick(rng, possible or [3])
    game = random_sprawl_game(chance, players=min(players, len(plastics)), on_chess_board=False)
    state: dict[str, Any] = rules_of("sprawl").dump(_some_position(rng, "sprawl", game))
    order = rng.permutation(len(plastics))
    new = {old: plastics[int(i)] for old, i in zip(state["colours"], order, strict=False)}
    return _moved_onto(rng, _recoloured_sprawl(state, new), board.columns, board.rows)


def _fits(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return inner[0] <= outer[0] and inner[1] <= outer[1]


def _recoloured_sprawl(state: dict[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    def piece(name: str) -> str:
        return new[name[:-1]] + name[-1]

    for cell in state["cells"]:
        if "stack" in cell:
            cell["stack"] = [piece(name) for name in cell["stack"]]
        else:
            cell["lying"] = piece(cell["lying"])
    state["colours"] = [new[colour] for colour in state["colours"]]
    state.pop("extras", None)
    return state


def _moved_onto(rng: np.random.Generator, state: dict[str, Any], columns: int, rows: int) -> dict[str, Any]:
    """The position somewhere on a board that is at least as large."""
    east = int(rng.integers(columns - state["columns"] + 1))
    north = int(rng.integers(rows - state["rows"] + 1))
    for cell in state["cells"]:
        cell["at"] = f"{chr(ord(cell['at'][0]) + east)}{int(cell['at'][1:]) + north}"
    state["columns"], state["rows"] = columns, rows
    return state


def _chance(rng: np.random.Generator) -> random.Random:
    return random.Random(int(rng.integers(2**63)))


def _some_position(rng: np.random.Generator, game: str, positions: Iterable[Any]) -> Any:
    """The last position of the game, or the one after a random number of moves (or the last, if it is shorter)."""
    if rng.random() >= _TO_THE_END:
        positions = islice(positions, int(rng.integers(1, _LONGEST[game] + 1)))
    return _last(iter(positions))


def _last(positions: Iterator[Any]) -> Any:
    return deque(positions, maxlen=1).pop()
