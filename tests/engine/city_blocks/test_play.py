"""Random games follow the rules one piece at a time."""

from __future__ import annotations

import itertools
import random

import pytest

from engine.city_blocks import GAME, CityBlocks, random_blokus_game
from engine.city_blocks.board import CORNERS, areas, neighbours, square_name
from engine.city_blocks.pieces import pieces

COLOURS = ("blue", "green", "red", "yellow")


def placed_between(before: CityBlocks, after: CityBlocks) -> tuple[str, int]:
    (colour,) = [colour for colour in COLOURS if before.squares(colour) != after.squares(colour)]
    assert before.squares(colour) & ~after.squares(colour) == 0
    return colour, after.squares(colour) & ~before.squares(colour)


def name_of(mask: int) -> str:
    (name,) = [name for name, piece in pieces().items() if mask in set(piece.placements(mask))]
    return name


def test_each_position_adds_one_new_piece_and_first_pieces_cover_the_corner(games: list[list[CityBlocks]]) -> None:
    for game in games:
        used: dict[str, list[str]] = {colour: [] for colour in COLOURS}
        corners = dict(zip(game[0].corner_colours, CORNERS, strict=True))
        for before, after in itertools.pairwise(game):
            colour, mask = placed_between(before, after)
            assert used[colour] or mask >> corners[colour] & 1
            used[colour].append(name_of(mask))
        assert all(len(set(names)) == len(names) and "I1" not in names for names in used.values())


def test_games_begin_with_the_four_singles_and_vary(games: list[list[CityBlocks]]) -> None:
    assert all(sum(symbol != "." for row in game[0].grid for symbol in row) == 4 for game in games)
    assert not any(game[0].is_plain_blokus for game in games)
    assert {game[0].players for game in games} == {2, 3, 4}
    assert len({game[0].corner_colours for game in games}) > 5
    largest = [areas(game[-1].squares(colour))[0].bit_count() for game in games for colour in COLOURS]
    assert min(largest) < 15 < 40 < max(largest)  # scattered pieces and large areas, as people have them


def test_who_plays_what_is_stated(games: list[list[CityBlocks]]) -> None:
    for game in games:
        state = game[-1]
        assert (state.pairs is not None) is (state.players == 2)
        assert (state.neutral is not None) is (state.players == 3)
        if state.pairs is not None:  # opposite corners
            seats = state.corner_colours
            assert {frozenset(pair) for pair in state.pairs} == {frozenset(seats[::2]), frozenset(seats[1::2])}


def test_the_neutral_colour_is_played_by_all(games: list[list[CityBlocks]]) -> None:
    # Early in the game nobody passes, so the neutral colour twice in a row was played by two people.
    in_a_row = []
    for game in games:
        colours = [placed_between(before, after)[0] for before, after in itertools.pairwise(game[:12])]
        in_a_row += [(game[0].neutral, one) for one, other in itertools.pairwise(colours) if one == other]
    assert in_a_row
    assert all(neutral == colour for neutral, colour in in_a_row)


def test_the_same_seed_gives_the_same_game() -> None:
    assert list(GAME.random_game(random.Random(8))) == list(GAME.random_game(random.Random(8)))


@pytest.mark.parametrize("seed", range(4))
def test_plain_blokus_pieces_touch_their_colour_at_corners_only(seed: int) -> None:
    game = list(random_blokus_game(random.Random(seed)))
    assert len(game) > 40
    for before, after in itertools.pairwise(game):
        colour, mask = placed_between(before, after)
        own = before.squares(colour)
        name_of(mask)
        assert not neighbours(mask) & own
        if own:
            assert touches_at_a_corner(mask, own)
        else:
            assert square_name(CORNERS[after.corner_colours.index(colour)]) in {
                square_name(square) for square in range(400) if mask >> square & 1
            }


def touches_at_a_corner(mask: int, own: int) -> bool:
    new = [divmod(square, 20) for square in range(400) if mask >> square & 1]
    old = {divmod(square, 20) for square in range(400) if own >> square & 1}
    return any((r + down, c + right) in old for r, c in new for down in (-1, 1) for right in (-1, 1))
