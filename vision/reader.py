"""One photo in, the position out: locate, rectify, classify, decode, and say how sure it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module

import numpy as np

from engine.errors import Unsupported, UsageError
from vision.adapt.store import adapted
from vision.boards import GAMES, VIEWS, BoardView
from vision.effects import ordered_by_effect
from vision.finding import SPRAWL_SIZES, Array, Picture, apply, area, to_unit
from vision.lattice import Lattice, in_line
from vision.locate import Found, align, find_boards, first_guesses, look, turned
from vision.looks import ALL, FIRST, Look, together
from vision.networks import Logits, model_cards, network, softmax
from vision.photo import Photo
from vision.pose import view_of
from vision.quality import could_be_corners, nothing_to_see, why_no_board, why_unreadable
from vision.reading import Guess, Hints, NoBoard, Reading, SeveralBoards
from vision.rectify import rectify

# A second board is one if it is as sure as this and not much smaller than the first.
SECOND_BOARD = 0.9
SECOND_SIZE = 0.3
# Games and ways to lie that are likelier than this are read, and the one that reads best is taken.
WORTH_READING = 0.05
# Of its sides a board may lie this much outside of the photo.
MOST_OUTSIDE = 0.04
# Corners are in line when the worst of them moves by less than this share of a cell; so often they are put right.
IN_LINE = 0.03
MOST_LOOKS = 4
# A board is where it seems to be if this share of its cells agrees on it.
AGREED = 0.9
# So often a side of a board that does not agree is moved.
MOST_MOVES = 3


@dataclass(frozen=True, slots=True)
class Least:
    """How sure finding must be of a board and of its game, and reading of the cells."""

    board: float
    game: float
    sure: float


# A little less than the least of all boards on the held-out validation photos; for Sprawl still less, as the aligner
# is less sure of path-traced boards of eight by eight, which look like chess, and none of those are for validation.
LEAST = {
    "alien-city": Least(board=0.92, game=0.9, sure=0.9),
    "city-blocks": Least(board=0.95, game=0.9, sure=0.94),
    "sprawl": Least(board=0.84, game=0.835, sure=0.8),
}
# In the end its corners must be in line with the cells within this share of a cell, and have been seen this clearly.
MOST_OFF = 0.1
LEAST_CLEAR = 0.45
# A side that lies this near to the photo's edge, as a share of the photo, is where the photo ends and not the board.
AT_THE_EDGE = 0.006


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What the caller knows already; None and empty leave it to the photo."""

    game: str | None = None
    corners: Array | None = None  # NW, NE, SE, SW in pixels of the full photo; the board is then read this way up
    board: tuple[int, int] | None = None  # columns and rows of the whole visible board (Sprawl)
    colours: tuple[str, ...] = ()  # the colours in play (Sprawl)
    profile: str | None = None  # the own set on the table, for which something may have been learnt


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A board read as one game, lying one way."""

    game: str
    corners: Array
    cells: tuple[int, int]
    answers: Mapping[str, Array]
    lattice: Lattice  # where the cells say that the board is
    logits: Mapping[str, Logits]  # what the answers were before temperatures

    @property
    def sureness(self) -> float:
        """How confidently the cells read: the mean over all cells of the likeliest answer to the first question.

        Without temperatures, which are there to make confidences honest on boards; this is to tell boards from others.
        """
        question = next(iter(VIEWS[self.game].heads))
        columns, rows = self.cells
        return float(softmax(self.logits[question])[0, :, :rows, :columns].max(axis=0).mean())

    @property
    def credible(self) -> float:
        """How much speaks for a board of this game at this place; compared with other attempts on the same photo."""
        return float(20 * np.log(self.sureness) + 8 * np.log(max(self.lattice.agreeing, 0.05)))


@dataclass(slots=True)
class _Clock:
    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + 1000 * (time.perf_counter() - began)


def readable_games() -> tuple[str, ...]:
    """The games whose networks are installed."""
    installed = set(model_cards())
    return tuple(game for game in GAMES if {"locator", "aligner", f"board-{game}"} <= installed)


def read_photo(photo: Photo, request: ReadRequest | None = None) -> Reading:
    """The position on a photo. Raises NoBoard or SeveralBoards with advice for a better photo."""
    request = request or ReadRequest()
    photo = photo.straightened()
    clock = _Clock()
    with clock.stage("locate"):
        board = _the_board(photo, request)
    with clock.stage("classify"):
        attempt = _best_attempt(photo, board, request)
    if request.corners is None:
        with clock.stage("locate"):
            _be_sure(photo, board, attempt, request)
    with clock.stage("settle"):
        module = import_module(f"vision.games.{attempt.game.replace('-', '_')}")
        entries, guesses = module.decode(attempt.answers, Hints(attempt.cells, request.colours))
        state = {"game": attempt.game, **entries}
        doubtful = ordered_by_effect(attempt.game, state, guesses, _doubtful(guesses, attempt.game))
    return Reading(
        game=attempt.game,
        state=state,
        corners=photo.to_full(attempt.corners) if request.corners is None else request.corners,
        guesses=guesses,
        doubtful=doubtful,
        milliseconds=clock.spent,
    )


def _be_sure(photo: Photo, board: Found, attempt: Attempt, request: ReadRequest) -> None:
    """Look once more, now that the corners are in line with the cells. Raises NoBoard if that is no whole board."""
    sure = _is_board(look(photo.pixels, attempt.corners), attempt, request)
    quad = attempt.corners if sure else board.quad
    if _outside(quad, photo) or _along_an_edge(quad, photo):
        raise NoBoard("the board is cut off at the edge of the photo; take it with the whole board inside.")
    if not sure:
        raise NoBoard(why_unreadable(photo, attempt.corners, attempt.cells))


def _is_board(board: Found, attempt: Attempt, request: ReadRequest) -> bool:
    """Whether what was read is a board at all: cells agree about their places, and both networks are sure of it."""
    least = LEAST[attempt.game]
    game = 1.0 if request.game else board.probability(attempt.game)
    lattice = attempt.lattice
    return (
        lattice.agreeing >= AGREED
        and lattice.moved <= MOST_OFF
        and board.clear >= LEAST_CLEAR
        and board.is_board >= least.board
        and game >= least.game
        and attempt.sureness >= least.sure
    )


def _the_board(photo: Photo, request: ReadRequest) -> Found:
    """Where the board is: as the caller says, or the one that is found."""
    if request.corners is not None:
        given = photo.from_full(request.corners)
        if not could_be_corners(given, photo):
            raise UsageError(
                "the four corners do not outline a board in the photo; give its north-west, north-east, south-east and "
                "south-west corner in this order, in pixels of the photo."
            )
        found = align(photo.pixels, given)
        return Found(given, found.games, found.lying, found.sizes)
    boards = [] if nothing_to_see(photo) else find_boards(photo.pixels)
    if not boards:
        raise NoBoard(why_no_board(photo, first_guesses(photo.pixels)))
    first = max(boards, key=lambda b: b.is_board * area(b.quad))
    others = [b for b in boards if b is not first and b.is_board > SECOND_BOARD]
    if any(area(b.quad) > SECOND_SIZE * area(first.quad) for b in others):
        raise SeveralBoards("more than one board is in the photo; photograph one at a time.")
    return first


def _best_attempt(photo: Photo, board: Found, request: ReadRequest) -> Attempt:
    """The board as every game and way to lie that is likely, the most credible of them, read with care.

    Where its cells do not agree about their places, the board is not where it seemed to be: then the other outlines
    that were considered are read as well.
    """
    best = _most_credible(photo, board, request)
    for quad in board.others:
        if best.lattice.agreeing >= AGREED:
            break
        other = _most_credible(photo, replace(board, quad=quad), request)
        best = max(best, other, key=lambda attempt: attempt.credible)
    if request.corners is None:
        best = _with_sides_moved(photo, best, request.profile)
    return _careful(photo, best, request.profile)


def _with_sides_moved(photo: Photo, attempt: Attempt, profile: str | None) -> Attempt:
    """A board of which a row of tiles was missed, or too much was taken: its sides are tried some cells further."""
    best = attempt
    for _ in range(MOST_MOVES):
        if best.lattice.agreeing >= AGREED:
            break
        further = best.lattice.further
        outlines = sides_moved(best.corners, best.cells) + ([] if further is None else [further])
        tries = [read_board(photo, best.game, corners, best.cells, profile=profile) for corners in outlines]
        nearest = max(tries, key=lambda other: other.credible)
        if nearest.credible <= best.credible:
            break
        best = nearest
    return best


def sides_moved(corners: Array, cells: tuple[int, int]) -> list[Array]:
    """The corners with one side moved in or out by one or two cells, as far as the board can be seen that way."""
    outline = np.array([[0, 0], [cells[0], 0], [cells[0], cells[1]], [0, cells[1]]], dtype=np.float64)
    to_photo = np.asarray(np.linalg.inv(to_unit(corners)), dtype=np.float64) @ np.diag(
        [1 / cells[0], 1 / cells[1], 1.0]
    )
    found = []
    for side in range(4):
        out = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]])[side]
        for steps in (-2, -1, 1, 2):
            moved = outline.copy()
            moved[[side, (side + 1) % 4]] += out * steps
            if _in_front(to_photo, np.concatenate([moved, outline])):
                found.append(apply(to_photo, moved))
    return found


def _most_credible(photo: Photo, board: Found, request: ReadRequest) -> Attempt:
    games = [request.game] if request.game else [g for g in GAMES if board.probability(g) > WORTH_READING]
    games = [game for game in games if game in readable_games()]
    if not games:
        raise Unsupported("boards of this game cannot be read by this version.")
    attempts = [
        read_board(photo, game, way, cells, profile=request.profile)
        for game in games
        for way, cells in _ways(board, game, request)
    ]
    weights = {game: max(board.probability(game), 0.01) for game in games}
    return max(attempts, key=lambda attempt: np.log(weights[attempt.game]) + attempt.credible)


def _careful(photo: Photo, first: Attempt, profile: str | None) -> Attempt:
    """The same board with its corners in line with all cells, looked at in every way."""
    attempt = first
    for _ in range(MOST_LOOKS):
        if attempt.lattice.moved < IN_LINE or attempt.lattice.corners is attempt.corners:
            break
        attempt = read_board(photo, attempt.game, attempt.lattice.corners, attempt.cells, profile=profile)
    return read_board(photo, attempt.game, attempt.lattice.corners, attempt.cells, ALL, profile)


def _in_front(homography: Array, points: Array) -> bool:
    """Whether all points are on the same side of the camera: what lies behind it has a depth of the other sign."""
    depth = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ homography[2]
    return bool((depth > 0).all() or (depth < 0).all())


def _ways(board: Found, game: str, request: ReadRequest) -> list[tuple[Array, tuple[int, int]]]:
    """The corners, beginning in the north-west, and the size of every way in which a board of the game may lie here."""
    if request.corners is not None:
        return [(board.quad, cells) for cells in _sizes(board, game, request.board)]
    ways: list[tuple[Array, tuple[int, int]]] = []
    for quarters in (0, 1):
        view = turned(board, quarters)
        if game == "alien-city" and view.lying > 1 - WORTH_READING:
            continue  # its long side surely runs the other way
        sizes = _sizes(view, game, request.board)
        ways += [(_upright(view.quad, cells), cells) for cells in sizes if quarters == 0 or cells[0] != cells[1]]
    return ways


def _sizes(board: Found, game: str, known: tuple[int, int] | None) -> list[tuple[int, int]]:
    """The sizes in columns and rows that the board may have, as it lies."""
    if game != "sprawl":
        return [VIEWS[game].cells]
    if known is not None:
        return [known]
    likely = [size for size, p in zip(SPRAWL_SIZES, board.sizes.tolist(), strict=True) if p > WORTH_READING]
    return [size for size in likely if size[0] <= size[1]] or [SPRAWL_SIZES[-1]]


def _upright(quad: Array, cells: tuple[int, int]) -> Array:
    """Of the turns that the board allows, the one whose north edge has its middle highest, then furthest left."""
    turns = (0, 1, 2, 3) if cells[0] == cells[1] else (0, 2)
    rolled = [np.roll(quad, -turn, axis=0) for turn in turns]
    return min(rolled, key=lambda q: (round(float(q[0, 1] + q[1, 1]), 3), float(q[0, 0] + q[1, 0])))


def read_board(
    photo: Photo,
    game: str,
    corners: Array,
    cells: tuple[int, int],
    looks: tuple[Look, ...] = FIRST,
    profile: str | None = None,
) -> Attempt:
    """The board read in one look, or in several."""
    view = VIEWS[game]
    boards = [look.picture(_cut(photo, view, look.corners(corners), cells), view, cells) for look in looks]
    found = network(f"board-{game}")(np.stack(boards))
    logits = {name: found[name] for name in (*view.heads, *view.block_heads)}
    logits = together(view, looks, adapted(game, profile, logits, found), cells)
    warmth = model_cards()[f"board-{game}"].get("temperatures", {})
    answers = {name: softmax(values, temperature=warmth.get(name, 1.0))[0] for name, values in logits.items()}
    return Attempt(game, corners, cells, answers, in_line(corners, cells, found["shift"][0].astype(np.float64)), logits)


def _cut(photo: Photo, view: BoardView, corners: Array, cells: tuple[int, int]) -> Picture:
    height, width = photo.pixels.shape[:2]
    pose = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), photo.focal_px)
    return rectify(photo.pixels, pose, cells, view.cell_px, view.heights, view.margin_px, frame=view.cells)


def _doubtful(guesses: Mapping[str, Guess], game: str) -> list[str]:
    """The places that a person should look at."""
    least = {"tile": 0.95, "cell": 0.95, **model_cards()[f"board-{game}"].get("doubtful_below", {})}
    return [
        place
        for place, guess in guesses.items()
        if guess.confidence < least["tile" if place.startswith("tile:") else "cell"]
    ]


def _outside(quad: Array, photo: Photo) -> bool:
    height, width = photo.pixels.shape[:2]
    side = float(np.sqrt(area(quad)))
    beyond = np.maximum(-quad, quad - np.array([width - 1, height - 1])).max()
    return bool(beyond > MOST_OUTSIDE * side)


def _along_an_edge(quad: Array, photo: Photo) -> bool:
    """Whether two neighbouring corners lie on the same edge of the photo: the rest of the board is outside."""
    height, width = photo.pixels.shape[:2]
    near = AT_THE_EDGE * max(width, height)
    x, y = quad.T
    edges = (x < near, x > width - 1 - near, y < near, y > height - 1 - near)
    return any(bool((on & np.roll(on, -1)).any()) for on in edges)
