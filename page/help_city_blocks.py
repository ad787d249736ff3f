"""City Blocks explained: small positions, each scored or judged by the engine itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.city_blocks import GAME, CityBlocks
from engine.city_blocks.board import SIZE
from page.boards import board_kind
from page.boards.base import Mark
from page.help_pictures import Example, Window, example

NAME: Final = GAME.name
CORNER: Final[Window] = (0, 0, 9, 6)
# The singles of the four colours lie in the centre of every board.
_CENTRE: Final = {9: (".........", "BG"), 10: (".........", "YR")}

AREA: Final = ("RR.BB....", "RRRB.B...", "..RBBB...", "...RR....", "....R....")
TWICE: Final = ("BBB......", "...BBB...")
CORNERLESS: Final = (".........", "..YY.....", "...YY....")


def board(rows: tuple[str, ...], corners: tuple[str | None, str | None, str | None, str | None]) -> CityBlocks:
    """A board with these rows in its north-west corner and the singles in its centre."""
    grid = [row.ljust(SIZE, ".") for row in rows] + ["." * SIZE] * (SIZE - len(rows))
    for number, (before, singles) in _CENTRE.items():
        grid[number] = (before + singles).ljust(SIZE, ".")
    return CityBlocks(tuple(grid), corner_colours=corners)


def examples() -> Iterator[Example]:
    """All examples, in the order in which a newcomer needs them."""
    yield area()
    yield edges()
    yield inventory()
    yield corner()


def area() -> Example:
    state = board(AREA, ("red", "blue", None, None))
    item = next(item for item in GAME.score(state).items if (item.kind, item.owner) == ("area", "red"))
    text = (
        "A colour scores the squares of its largest area, connected along sides. Red's squares in this corner touch "
        f"only at a corner, so they are two areas; the larger one has {item.points} squares."
    )
    return example(NAME, "The largest area", text, state, board_kind(NAME).marks(item), CORNER)


def edges() -> Example:
    state = board(AREA, ("red", "blue", None, None))
    score = GAME.score(state)
    item = next(item for item in score.items if (item.kind, item.owner) == ("edges", "red"))
    marks = board_kind(NAME).marks(item)
    here = {cell.at for cell in board_kind(NAME).cells(state) if cell.x < CORNER[2] and cell.y < CORNER[3]}
    shown = [mark for mark in marks if mark.at in here]
    text = (
        "To that it adds every edge of its squares that faces an EMPTY square, of all its areas; edges at other pieces "
        f"and at the rim of the board count nothing. Here red has {len(shown)} such edges, and its single in the "
        f"centre of the board has {item.points - len(shown)}: {item.points} together. Red's score is "
        f"{score.totals['red'] - item.points} + {item.points} = {score.totals['red']}."
    )
    return example(NAME, "Free edges", text, state, shown, CORNER)


def inventory() -> Example:
    state = board(TWICE, ("blue", None, None, None))
    (found,) = (v for v in GAME.check(state).violations if v.rule == "inventory")
    marks = [Mark(at, "problem", "!", "breaks a rule") for at in found.at]
    text = (
        f"{GAME.rules['inventory']} Here two straight pieces of three touch at a corner. "
        f"The checker says: {found.message}"
    )
    return example(NAME, "Every piece once", text, state, marks, CORNER)


def corner() -> Example:
    state = board(CORNERLESS, ("yellow", None, None, None))
    (found,) = (v for v in GAME.check(state).violations if v.rule == "corner-first" and v.at)
    marks = [Mark(at, "problem", "!", "breaks a rule") for at in found.at]
    text = f"{GAME.rules['corner-first']} The checker says: {found.message}"
    return example(NAME, "Begin in your corner", text, state, marks, CORNER)
