"""Tiles, coins and boards: sized as promised, the same from the same seed, and their ink where they say it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from calibration.profiles import load_profile, profile_names
from calibration.sets import BLOKUS_COLOURS, GUILD_COLOURS, BlokusSet, ChessBoard, CoinSet, TileSet
from vision.synth.art import boards, tiles
from vision.synth.scene import Picture

NOWHERE = Path("nowhere")
TILED = profile_names("alien-city", folder=NOWHERE)
BLOKUS = profile_names("city-blocks", folder=NOWHERE)
SPRAWL = profile_names("sprawl", folder=NOWHERE)


def rng(seed: int = 3) -> np.random.Generator:
    return np.random.default_rng(seed)


def tile_set(name: str) -> TileSet:
    found = load_profile(name, NOWHERE).tiles
    assert found is not None
    return found


def coin_set(name: str) -> CoinSet:
    found = load_profile(name, NOWHERE).coins
    assert found is not None
    return found


def blokus_set(name: str) -> BlokusSet:
    found = load_profile(name, NOWHERE).blokus
    assert found is not None
    return found


def plain(name: str) -> TileSet:
    """The set without wear, frame and lines, so that what differs is ink alone."""
    return replace(tile_set(name), wear=0.0, frame="none", lot_lines=0.0)


def changed(first: Picture, second: Picture) -> np.ndarray:
    return np.abs(first.astype(int) - second.astype(int)).max(2) > 40


def inside(mask: np.ndarray, box: tuple[float, float, float, float]) -> bool:
    """Whether all set pixels lie in the box (shares of the side, from the top-left corner)."""
    side = mask.shape[0]
    u0, v0, u1, v1 = (share * side for share in box)
    rows, columns = np.nonzero(mask)
    return bool(rows.min() >= v0 and rows.max() + 1 <= v1 and columns.min() >= u0 and columns.max() + 1 <= u1)


@pytest.mark.parametrize("name", TILED)
def test_ink_lies_in_its_boxes(name: str) -> None:
    """Between two guilds with the same random choices only icon and rank differ; a null tile shows the icon alone."""
    dressed = replace(plain(name), ground="plain", ground_colour=(1.0, 1.0, 1.0), ranks=True)
    dark = dict.fromkeys(GUILD_COLOURS, (0.0, 0.0, 0.0))
    dressed = replace(dressed, colours=dark)
    for seed in range(4):
        for colour in GUILD_COLOURS:
            null = tiles.tile_face(dressed, colour, 0, rng(seed)).min(2) < 150
            assert inside(null, tiles.icon_box(dressed)), (colour, seed)
            for rank in (1, 2, 3, 4, 5):
                face = tiles.tile_face(dressed, colour, rank, rng(seed)).min(2) < 150
                assert inside(face & ~null, tiles.rank_box(dressed)), (colour, rank, seed)


@pytest.mark.parametrize("name", TILED)
def test_the_icon_stays_in_its_lot_and_off_the_rank(name: str) -> None:
    dressed = tile_set(name)
    icon, rank = tiles.icon_box(dressed), tiles.rank_box(dressed)
    assert min(icon) > 0
    assert max(icon) <= 0.5 + 0.012
    overlap = max(0.0, icon[2] - rank[0]) * max(0.0, icon[3] - rank[1])
    assert overlap < 0.12 * (icon[2] - icon[0]) ** 2


@pytest.mark.parametrize("name", TILED)
def test_every_tile_of_a_set_can_be_told_from_the_others(name: str) -> None:
    dressed = plain(name)
    ranks = range(6) if dressed.ranks else (None,)
    faces = {(c, k): tiles.tile_face(dressed, c, k, rng())[::4, ::4] for c in GUILD_COLOURS for k in ranks}
    for (first, one), (second, other) in combinations(faces.items(), 2):
        assert changed(one, other).mean() > 0.004, (first, second)


@pytest.mark.parametrize("name", TILED)
def test_faces_are_sized_typed_and_repeatable(name: str) -> None:
    dressed, coins = tile_set(name), coin_set(name)
    makers = {
        384: [lambda r: tiles.tile_face(dressed, "blue", 4, r), lambda r: tiles.tile_back(dressed, r)],
        192: [
            lambda r: tiles.coin_face(coins, dressed, "red", "suit", None, r),
            lambda r: tiles.coin_face(coins, dressed, "red", "rank", 5, r),
        ],
    }
    for side, functions in makers.items():
        for function in functions:
            first = function(rng(1))
            assert first.shape == (side, side, 3)
            assert first.dtype == np.uint8
            assert np.array_equal(first, function(rng(1)))
            assert not np.array_equal(first, function(rng(2)))


@pytest.mark.parametrize("name", TILED)
def test_coins_show_suit_and_rank(name: str) -> None:
    dressed, coins = tile_set(name), replace(coin_set(name), wear=0.0)
    suits = [tiles.coin_face(coins, dressed, colour, "suit", None, rng()) for colour in GUILD_COLOURS]
    for one, other in combinations(suits, 2):
        assert changed(one, other).mean() > 0.02
    blank = tiles.coin_face(coins, dressed, "red", "rank", None, rng())
    for rank in range(1, 6):
        assert changed(tiles.coin_face(coins, dressed, "red", "rank", rank, rng()), blank).mean() > 0.015, rank


def test_wear_changes_a_face_and_more_wear_changes_it_more() -> None:
    dressed = plain("cream-classic")
    new, used, old = (tiles.tile_face(replace(dressed, wear=w), "red", 3, rng()) for w in (0.0, 0.3, 1.0))
    assert 0 < np.abs(used.astype(int) - new).mean() < np.abs(old.astype(int) - new).mean()


def test_inverted_faces_carry_the_suits_colour_all_over() -> None:
    face = tiles.tile_face(plain("inverted-print"), "blue", 0, rng())
    red, _, blue = face[250:].reshape(-1, 3).mean(0)
    assert blue > 2 * red


def test_materials_follow_the_profile() -> None:
    matt, shiny = (replace(tile_set("cream-classic"), gloss=g) for g in (0.0, 1.0))
    face = tiles.tile_face(matt, "red", 1, rng())
    assert tiles.tile_face_material(matt, face).roughness > tiles.tile_face_material(shiny, face).roughness
    assert tiles.tile_face_material(matt, face).texture is face
    assert tiles.tile_side_material(matt).kind == "wood"
    assert tiles.tile_side_material(matt).texture is None


def chess_boards() -> list[ChessBoard]:
    return [board for name in SPRAWL for board in load_profile(name, NOWHERE).chess]


@pytest.mark.parametrize("board", chess_boards())
def test_a_chess_boards_picture_has_the_boards_shape(board: ChessBoard) -> None:
    top = boards.chess_board(board, rng())
    wide, high = (n * board.square_mm + 2 * board.border_mm for n in (board.columns, board.rows))
    assert top.dtype == np.uint8
    assert max(top.shape[:2]) == boards.CHESS_PIXELS
    assert top.shape[1] / top.shape[0] == pytest.approx(wide / high, abs=0.003)
    assert np.array_equal(top, boards.chess_board(board, rng()))
    assert boards.chess_material(board, top).texture is top


@pytest.mark.parametrize("board", [board for board in chess_boards() if board.pattern == "checkered"])
def test_squares_lie_where_geometry_says(board: ChessBoard) -> None:
    """The middle of each square has its colour; A1, in the south-west, is dark."""
    top = boards.chess_board(board, rng()).astype(float)
    per_mm = boards.CHESS_PIXELS / (max(board.columns, board.rows) * board.square_mm + 2 * board.border_mm)
    light, dark = (np.asarray(colour) * 255 for colour in (board.light, board.dark))
    for column in range(board.columns):
        for row in range(board.rows):
            x = (board.border_mm + (column + 0.5) * board.square_mm) * per_mm
            y = top.shape[0] - (board.border_mm + (row + 0.5) * board.square_mm) * per_mm
            reach = round(0.3 * board.square_mm * per_mm)
            seen = top[round(y) - reach : round(y) + reach, round(x) - reach : round(x) + reach].mean((0, 1))
            nearer_dark = np.linalg.norm(seen - dark) < np.linalg.norm(seen - light)
            assert nearer_dark == ((column + row) % 2 == 0), (column, row)


def test_notation_and_emblem_are_printed_in_the_border_only() -> None:
    board = replace(load_profile("cream-classic", NOWHERE).chess[0], wear=0.0, notation="none")
    bare, marked = boards.chess_board(board, rng()), boards.chess_board(replace(board, notation="letters"), rng())
    difference = changed(bare, marked)
    border = round(board.border_mm * boards.CHESS_PIXELS / (8 * board.square_mm + 2 * board.border_mm))
    assert difference.any()
    assert not difference[border:-border, border:-border].any()
    assert changed(bare, boards.chess_board(replace(board, emblem=True), rng()))[-border:].any()


@pytest.mark.parametrize("name", BLOKUS)
def test_blokus_boards(name: str) -> None:
    blokus = blokus_set(name)
    top = boards.blokus_board(blokus, rng())
    assert top.shape == (boards.BLOKUS_PIXELS, boards.BLOKUS_PIXELS, 3)
    assert np.array_equal(top, boards.blokus_board(blokus, rng()))
    assert boards.blokus_material(blokus, top).texture is top


def _square(top: Picture, blokus: BlokusSet, column: int, row: int) -> np.ndarray:
    per_mm = boards.BLOKUS_PIXELS / (20 * blokus.square_mm + 2 * blokus.border_mm)
    x, y = ((blokus.border_mm + (n + 0.5) * blokus.square_mm) * per_mm for n in (column, row))
    return np.asarray(top[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].mean((0, 1)))


@pytest.mark.parametrize("name", [name for name in BLOKUS if blokus_set(name).corner_marks in ("dot", "square")])
def test_corner_marks_have_the_corners_colours(name: str) -> None:
    blokus = blokus_set(name)
    top = boards.blokus_board(blokus, rng())
    for (column, row), colour in zip(((0, 0), (19, 0), (19, 19), (0, 19)), blokus.corners, strict=True):
        assert _nearest(_square(top, blokus, column, row), blokus) == colour


@pytest.mark.parametrize("name", [name for name in BLOKUS if blokus_set(name).centre == "printed"])
def test_printed_singles_follow_the_corners(name: str) -> None:
    blokus = blokus_set(name)
    top = boards.blokus_board(blokus, rng())
    for (column, row), colour in zip(((9, 9), (10, 9), (10, 10), (9, 10)), blokus.corners, strict=True):
        assert _nearest(_square(top, blokus, column, row), blokus) == colour


def _nearest(seen: np.ndarray, blokus: BlokusSet) -> str:
    return min(BLOKUS_COLOURS, key=lambda c: float(np.linalg.norm(seen - np.asarray(blokus.piece_colours[c]) * 255)))
