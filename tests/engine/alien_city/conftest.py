"""Positions and strategies that the Alien City tests share."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import strategies as st

from engine.alien_city import GAME, AlienCityState, Structure, Tile
from engine.alien_city.board import BOARD
from engine.alien_city.pieces import EDITIONS, GUILDS, RANKS, TOWER_COLOURS, VARIANTS
from engine.alien_city.state import lots_of_tile
from engine.colours import COLOUR_OF, COLOURS
from engine.documents import load_position

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def plain() -> ModuleType:
    """The slow rules that share nothing with the engine."""
    spec = importlib.util.spec_from_file_location("plain_alien_city_rules", HERE / "plain_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def final() -> AlienCityState:
    """The finished game that all three documents score."""
    return load_position(HERE / "worked-final.json").state


@pytest.fixture(scope="session")
def midgame() -> AlienCityState:
    """An earlier position of the same game."""
    return load_position(HERE / "worked-midgame.json").state


def _tile(at: str, code: str, icon: str | None) -> Tile:
    colour = None if code[0] == "?" else COLOUR_OF[code[0]]
    return Tile(at, colour, None if code[1] == "?" else int(code[1]), icon)


def position(structures: str = "", tiles: dict[str, str] | None = None, **fields: object) -> AlienCityState:
    """A position from words such as ``"A1:r E5:RW"`` (lot, then the code of text diagrams).

    Columns A-B are red tiles, C-D blue, E-F green and G-H black; ranks grow from 0
    in the south, and every icon is on the north-east lot. ``tiles`` overrides
    a tile: ``{"A1": "K4 A1"}`` (colour, rank, icon), ``"?? ?"`` for an unseen one.
    """
    faces = {at: f"{'RBGK'['ACEG'.index(at[0])]}{int(at[1:]) // 2} {lots_of_tile(at)[3]}" for at in BOARD.tile_names}
    laid = []
    for at, face in {**faces, **(tiles or {})}.items():
        code, icon = face.split()
        laid.append(_tile(at, code, None if icon == "?" else icon))
    built = []
    for word in structures.split():
        lot, code = word.split(":")
        cap = COLOUR_OF[code[1]] if len(code) > 1 else None
        built.append(Structure(lot, "tower" if code[0].isupper() else "dome", COLOUR_OF[code[0].upper()], cap))
    return AlienCityState(tuple(laid), tuple(built), **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="session", name="position")
def _position():
    return position


def _tiles() -> st.SearchStrategy[tuple[Tile, ...]]:
    def tile(at: str) -> st.SearchStrategy[Tile]:
        icons = st.none() | st.sampled_from(lots_of_tile(at))
        return st.builds(
            Tile, st.just(at), st.none() | st.sampled_from(GUILDS), st.none() | st.sampled_from(RANKS), icons
        )

    some = st.sets(st.sampled_from(BOARD.tile_names))
    return some.flatmap(lambda names: st.tuples(*(tile(name) for name in sorted(names))))


def _structures(most: int) -> st.SearchStrategy[tuple[Structure, ...]]:
    towers = st.tuples(st.just("tower"), st.sampled_from(TOWER_COLOURS), st.none() | st.sampled_from(COLOURS))
    domes = st.tuples(st.just("dome"), st.sampled_from(GUILDS), st.none())
    boards = st.dictionaries(st.sampled_from(BOARD.lots), towers | domes, max_size=most)
    return boards.map(lambda board: tuple(Structure(lot, *rest) for lot, rest in board.items()))


def _states(most: int = 40) -> st.SearchStrategy[AlienCityState]:
    return st.builds(
        AlienCityState,
        tiles=_tiles(),
        structures=_structures(most),
        edition=st.sampled_from(EDITIONS),
        variants=st.sets(st.sampled_from(VARIANTS)).map(tuple),
        last_claim=st.none() | st.sampled_from(BOARD.lots),
        names=st.dictionaries(st.sampled_from(COLOURS), st.text(max_size=12), max_size=3),
    )


def random_position(seed: int, plies: int | None = None) -> AlienCityState:
    """A position of a random legal game: the last, or that after so many turns."""
    positions = list(GAME.random_game(random.Random(seed)))
    return positions[-1 if plies is None else min(plies, len(positions) - 1)]


def scrambled(seed: int) -> AlienCityState:
    """A board without any rule: pieces and caps anywhere, as a photo of a mess might show it."""
    rng = random.Random(seed)
    caps = rng.sample(COLOURS, 2)
    structures = []
    for lot in rng.sample(BOARD.lots, rng.randint(0, 60)):
        kind = rng.choice(("tower", "dome"))
        cap = rng.choice((None, *caps)) if kind == "tower" else None
        structures.append(Structure(lot, kind, rng.choice(TOWER_COLOURS if kind == "tower" else GUILDS), cap))
    start = next(iter(GAME.random_game(rng)))
    variants = tuple(name for name in VARIANTS if rng.random() < 0.5)
    return AlienCityState(start.tiles, tuple(structures), rng.choice(EDITIONS), variants)


@pytest.fixture(scope="session")
def arbitrary() -> SimpleNamespace:
    """Strategies and generators for positions of every kind."""
    return SimpleNamespace(states=_states, random_position=random_position, scrambled=scrambled)
