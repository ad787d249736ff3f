"""Pictures on tiles, coins and boards, drawn once for every few that lie on tables.

Drawing them takes longer than everything else about a stage. So each kind of face exists in a few variants, with other
wear and grain; a stage draws lots among them. A variant depends on nothing but the set's description and its number, so
a photo is the same whether its faces were in memory or not.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, TypeVar

import numpy as np

from calibration.profiles import BlokusSet, ChessBoard, CoinSet, TileSet
from vision.synth.art import boards as board_art
from vision.synth.art import tiles as tile_art
from vision.synth.scene import Picture

S = TypeVar("S")

TILE_VARIANTS: Final = 3
COIN_VARIANTS: Final = 6
BOARD_VARIANTS: Final = 3


@dataclass(frozen=True, slots=True)
class _Described(Generic[S]):
    """A set's description as a key: equal where all that it says is equal."""

    text: str
    described: S

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Described) and self.text == other.text


def _key(described: S) -> _Described[S]:
    return _Described(repr(described), described)


def _rng(*what: object) -> np.random.Generator:
    """A die of its own for each face; the checksum is the same on every machine, unlike Python's hashes."""
    return np.random.default_rng(zlib.crc32(repr(what).encode()))


def tile_face(tiles: TileSet, colour: str, rank: int | None, rng: np.random.Generator) -> Picture:
    return _tile_face(_key(tiles), colour, rank, int(rng.integers(TILE_VARIANTS)))


def coin_face(coins: CoinSet, tiles: TileSet, colour: str, rng: np.random.Generator) -> Picture:
    """The suit side of a coin."""
    return _coin_face(_key((coins, tiles)), colour, int(rng.integers(COIN_VARIANTS)))


def blokus_top(blokus: BlokusSet, rng: np.random.Generator) -> Picture:
    return _blokus_top(_key(blokus), int(rng.integers(BOARD_VARIANTS)))


def chess_top(board: ChessBoard, rng: np.random.Generator) -> Picture:
    return _chess_top(_key(board), int(rng.integers(BOARD_VARIANTS)))


# At most 320 MB of faces: ten sets of 24 tiles, as a data set of many profiles needs them.
@lru_cache(maxsize=720)
def _tile_face(tiles: _Described[TileSet], colour: str, rank: int | None, variant: int) -> Picture:
    return _fixed(tile_art.tile_face(tiles.described, colour, rank, _rng(tiles.text, colour, rank, variant)))


@lru_cache(maxsize=512)
def _coin_face(sets: _Described[tuple[CoinSet, TileSet]], colour: str, variant: int) -> Picture:
    coins, tiles = sets.described
    return _fixed(tile_art.coin_face(coins, tiles, colour, "suit", None, _rng(sets.text, colour, variant)))


@lru_cache(maxsize=24)
def _blokus_top(blokus: _Described[BlokusSet], variant: int) -> Picture:
    return _fixed(board_art.blokus_board(blokus.described, _rng(blokus.text, variant)))


@lru_cache(maxsize=40)
def _chess_top(board: _Described[ChessBoard], variant: int) -> Picture:
    return _fixed(board_art.chess_board(board.described, _rng(board.text, variant)))


def _fixed(picture: Picture) -> Picture:
    """Many stages share it, so nobody may paint on it."""
    picture.setflags(write=False)
    return picture
