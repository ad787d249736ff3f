"""Scores against a slow scorer that knows only the rule text, and everything else that is on a sheet."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.city_blocks import GAME, CityBlocks
from engine.city_blocks.board import areas, free_edges
from engine.city_blocks.scoring import score

Draw = Callable[..., CityBlocks]
LETTERS = {"B": "blue", "G": "green", "R": "red", "Y": "yellow"}
SIDES = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def slow_score(grid: tuple[str, ...], letter: str) -> tuple[int, int]:
    """Largest area and free edges, square by square with a plain flood."""
    own = {(r, c) for r in range(20) for c in range(20) if grid[r][c] == letter}
    edges = sum(
        0 <= r + dr < 20 and 0 <= c + dc < 20 and grid[r + dr][c + dc] == "."
        for r, c in own
        for dr, dc in SIDES.values()
    )
    largest = 0
    while own:
        todo, size = [own.pop()], 0
        while todo:
            r, c = todo.pop()
            size += 1
            for dr, dc in SIDES.values():
                if (r + dr, c + dc) in own:
                    own.remove((r + dr, c + dc))
                    todo.append((r + dr, c + dc))
        largest = max(largest, size)
    return largest, edges


def random_grid(rng: random.Random) -> CityBlocks:
    """Any grid, from nearly empty to full, from single squares to solid blocks."""
    weights = [rng.random() ** 2 for _ in range(6)]
    grid = ["".join(rng.choices("BGRY.?", weights, k=20)) for _ in range(20)]
    if rng.random() < 0.3:  # stripes of one colour make large areas
        for _ in range(rng.randrange(12)):
            grid[rng.randrange(20)] = rng.choice("BGRY.") * 20
    return CityBlocks(tuple(grid))


def points(state: CityBlocks) -> dict[str, tuple[int, int]]:
    """The bare numbers of the engine; the sheet around them is tested on fewer boards."""
    return {
        letter: (max((area.bit_count() for area in areas(own)), default=0), free_edges(own, state.empty_squares))
        for letter, own in ((letter, state.squares(colour)) for letter, colour in LETTERS.items())
    }


def test_thousands_of_random_grids_score_as_the_slow_scorer_says() -> None:
    rng = random.Random(20)
    for _ in range(3000):
        state = random_grid(rng)
        assert points(state) == {letter: slow_score(state.grid, letter) for letter in LETTERS}


def test_the_sheets_of_random_games_score_as_the_slow_scorer_says(games: list[list[CityBlocks]]) -> None:
    for game in games:
        for state in (game[0], game[len(game) // 2], game[-1]):
            totals = score(state).totals
            assert {
                LETTERS[letter]: sum(slow_score(state.grid, letter)) for letter in LETTERS
            }.items() <= totals.items()


def test_sheets_of_arbitrary_grids_agree_too() -> None:
    rng = random.Random(21)
    for _ in range(15):
        state = random_grid(rng)
        for letter, colour in LETTERS.items():
            area, edges = (item for item in score(state).items if item.owner == colour)
            assert (area.points, edges.points) == slow_score(state.grid, letter)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 1))
def test_turning_or_mirroring_changes_no_score(seed: int, when: float) -> None:
    game = list(GAME.random_game(random.Random(seed)))
    state = game[round(when * (len(game) - 1))]
    first = score(state)
    north_west, north_east, south_east, south_west = state.corner_colours
    mirrored = replace(
        state,
        grid=tuple(row[::-1] for row in state.grid),
        corner_colours=(north_east, north_west, south_west, south_east),
    )
    for other in (*GAME.turns(state)[1:], mirrored):
        again = score(other)
        assert (again.totals, again.winner, again.over) == (first.totals, first.winner, first.over)


def test_items_can_be_recounted(games: list[list[CityBlocks]]) -> None:
    for game in games[:4]:
        state = game[-1]
        for item in score(state).items:
            letter = next(letter for letter, colour in LETTERS.items() if colour == item.owner)
            if item.kind == "area":
                squares = [at(name) for name in item.details["squares"]]
                assert len(set(squares)) == item.points
                assert all(state.grid[r][c] == letter for r, c in squares)
            else:
                edges = {(at(name), side) for name, side in item.details["edges"]}
                assert len(edges) == item.points
                for (r, c), side in edges:
                    down, right = SIDES[side]
                    assert (state.grid[r][c], state.grid[r + down][c + right]) == (letter, ".")


def at(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def test_edges_of_the_board_of_other_pieces_and_of_unknown_squares_score_nothing(draw: Draw) -> None:
    # A1 faces the board's edge twice, green B1 and the unknown A2; only B1's two sides are free.
    state = draw("BG", "?", centre=False)
    totals = score(state).totals
    assert (totals["blue"], totals["green"]) == (1, 1 + 2)
    assert any("unknown colour" in note for note in score(state).notes)


def test_the_centre_single_joins_its_colours_area(draw: Draw) -> None:
    state = draw("BBB", at=(9, 6))
    area = next(item for item in score(state).items if (item.kind, item.owner) == ("area", "blue"))
    assert area.details["squares"] == ["G10", "H10", "I10", "J10"]


# --- players ---------------------------------------------------------------------------------
CORNERS = ("BBBB............RRRR", *["." * 20] * 18, "Y..................G")


def board(draw: Draw, **fields: object) -> CityBlocks:
    return draw(*CORNERS, **fields)


def test_four_players_the_highest_total_wins_and_equal_totals_draw(draw: Draw) -> None:
    state = board(draw)
    assert score(state).totals == {"blue": 9 + 2, "green": 1 + 4, "red": 9 + 2, "yellow": 1 + 4}
    assert score(state).winner is None
    assert score(replace(state, grid=("BBBBB" + CORNERS[0][5:], *state.grid[1:]))).winner == "blue"


@pytest.mark.parametrize(
    ("fields", "pairs", "words"),
    [
        ({"pairs": (("blue", "yellow"), ("green", "red"))}, {"blue+yellow": 16, "green+red": 16}, None),
        # The corners that the colours cover tell the diagonals: blue is opposite to green.
        ({}, {"blue+green": 16, "red+yellow": 16}, "follow from the corners"),
        ({"corner_colours": ("blue", None, "green", None)}, {"blue+green": 16, "red+yellow": 16}, "follow"),
    ],
)
def test_two_players_score_pairs(
    draw: Draw, fields: dict[str, object], pairs: dict[str, int], words: str | None
) -> None:
    sheet = score(board(draw, players=2, **fields))
    assert {name: total for name, total in sheet.totals.items() if "+" in name} == pairs
    assert sheet.winner is None
    assert words is None or any(words in note for note in sheet.notes)


def test_two_players_without_any_corner_are_paired_as_in_the_rules_with_a_note(draw: Draw) -> None:
    sheet = score(draw("BBB", at=(9, 6), players=2))
    assert sheet.totals["blue+red"] > sheet.totals["green+yellow"]
    assert sheet.winner == "blue+red"
    assert any('"pairs"' in note for note in sheet.notes)


def test_the_neutral_colour_of_three_players_scores_for_nobody(draw: Draw) -> None:
    state = replace(board(draw), players=3, neutral="blue")
    sheet = score(state)
    assert sheet.totals["blue"] == sheet.totals["red"]
    assert sheet.winner == "red"
    assert any("blue is played by all" in note for note in sheet.notes)


def test_an_unknown_neutral_colour_leaves_the_winner_open(draw: Draw) -> None:
    sheet = score(replace(board(draw), players=3))
    assert sheet.winner is None
    (note,) = [note for note in sheet.notes if '"neutral"' in note]
    assert "red if blue is neutral" in note
    assert "a draw if green is neutral" in note


# --- the end ---------------------------------------------------------------------------------
def test_the_game_goes_on_while_something_fits_unless_all_passed(draw: Draw) -> None:
    sheet = score(board(draw))
    assert not sheet.over
    assert any(line.startswith("blue: I2, ") for line in sheet.could_play)
    assert any("all_passed" in note for note in sheet.notes)
    passed = score(replace(board(draw), all_passed=True))
    assert passed.over
    assert passed.could_play == ()


def test_a_full_board_is_over() -> None:
    full = CityBlocks(("B" * 20, "G" * 20, "R" * 20, "Y" * 20) * 5)
    assert score(full).over


def test_a_board_whose_gaps_are_too_small_is_over(draw: Draw) -> None:
    # Two empty squares side by side decide: the domino is surely left, as no blue square is on the board.
    rows = ["G" * 20] * 20
    single_gap = CityBlocks(("." + "G" * 19, *rows[1:]), corner_colours=("blue", None, None, None))
    double_gap = replace(single_gap, grid=(".." + "G" * 18, *rows[1:]))
    assert [line for line in score(single_gap).could_play if line.startswith("blue")] == ["blue: I1"]
    assert [line for line in score(double_gap).could_play if line.startswith("blue")] == ["blue: I1, I2"]
    city = draw(
        *[("." if r else "..") + "G" * (19 if r else 18) for r in range(2)], corner_colours=("blue", None, None, None)
    )
    assert score(city).left["blue"] == {
        "squares": 88,
        "pieces": score(city).left["blue"]["pieces"],
        "maybe": [],
        "certain": True,
    }
    assert len(score(city).left["blue"]["pieces"]) == 20
