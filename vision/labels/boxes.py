"""A box for every piece on a labelled photo, from where it stands and how large it is.

Heights come from the pose: the box of a pyramid reaches up to its tip. Labels of rendered photos tell the boxes of
their pieces; others tell the lot of a piece but not where in the lot it stands, so a box is as good as the piece is
centred. Nothing is measured in the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.colours import COLOURS
from vision.boards import DIRECTIONS, GUILDS
from vision.labels.corners import is_number
from vision.labels.sight import Array, Sight
from vision.synth.geometry import applied, circle, rectangle, standing
from vision.synth.meshes import pyramids
from vision.training.labels import LEAST_VISIBLE_PIECE

SQUARE_COLOURS: Final = {"B": "blue", "G": "green", "R": "red", "Y": "yellow", "?": "unknown"}
SIZES: Final = (1, 2, 3)
BOARD: Final = "board"
STACK: Final = "stack"
# All names, in an order that never changes (a number once given keeps its meaning), with the game they belong to.
CATEGORIES: Final[Mapping[str, str]] = {
    BOARD: "any",
    **{f"tile-{colour}": "alien-city" for colour in (*GUILDS, "unknown")},
    **{f"dome-{colour}": "alien-city" for colour in GUILDS},
    **{f"tower-{colour}": "alien-city" for colour in GUILDS},
    **{f"cap-{colour}": "alien-city" for colour in COLOURS},
    **{f"square-{colour}": "city-blocks" for colour in SQUARE_COLOURS.values()},
    STACK: "sprawl",
    **{f"pyramid-{colour}-{size}": "sprawl" for colour in COLOURS for size in SIZES},
    **{f"lying-{colour}-{size}": "sprawl" for colour in COLOURS for size in SIZES},
}
# Boxes of which less than this many pixels are inside the photo in either direction are left out.
LEAST_SIDE_PX: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """One thing on a photo. Coordinates reach from the photo's top left edge (0, 0) to its bottom right one, so that a
    pixel's centre lies at a half; ``outline`` is the convex outline (N, 2) of the whole piece, also where something
    stands before it, within the photo."""

    category: str
    outline: Array
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        (left, top), (right, bottom) = self.outline.min(axis=0), self.outline.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    @property
    def area(self) -> float:
        """The area within the outline."""
        return float(cv2.contourArea(self.outline.astype(np.float32)))


@dataclass(frozen=True, slots=True, eq=False)
class _Thing:
    """A thing in the world; ``parts`` are the names that its pieces have in the label's visible shares and boxes."""

    category: str
    points: Array
    facts: Mapping[str, Any]
    parts: tuple[str, ...]


def boxes_of(truth: Mapping[str, Any], sight: Sight, photo_size: tuple[int, int]) -> list[Box]:
    """The boxes of everything on a labelled photo that can be seen, the board first."""
    shares, known = _told(truth, "visible", is_number), _told(truth, "boxes", _is_box)
    found = []
    for thing in (_board(sight), *_THINGS[truth["game"]](truth, sight)):
        if all(shares.get(part, 1.0) < LEAST_VISIBLE_PIECE for part in thing.parts):
            continue
        pixels = _fitted(sight.pixels(thing.points), [known[part] for part in thing.parts if part in known], sight)
        outline = _within(_hull(pixels + 0.5), photo_size)
        if outline is not None:
            found.append(Box(thing.category, outline, thing.facts))
    return found


def _told(truth: Mapping[str, Any], key: str, possible: Callable[[Any], bool]) -> dict[str, Any]:
    """What a label says about its parts under a key; labels come from anywhere, so nonsense is passed over."""
    told = truth.get(key)
    return {name: value for name, value in told.items() if possible(value)} if isinstance(told, Mapping) else {}


def _is_box(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(map(is_number, value))


def _fitted(pixels: Array, boxes: Sequence[Any], sight: Sight) -> Array:
    """A piece's points moved, and stretched a little, into the box that the label tells of its parts."""
    if not boxes:
        return pixels
    told = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    # The label speaks of the full photo.
    low, high = ((edge + 0.5) / sight.scale - 0.5 for edge in (told[:, :2].min(axis=0), told[:, 2:].max(axis=0)))
    lowest, highest = pixels.min(axis=0), pixels.max(axis=0)
    return np.asarray(low + (pixels - lowest) * (high - low) / np.maximum(highest - lowest, 1e-9))


def _hull(pixels: Array) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.convexHull(pixels.astype(np.float32)), dtype=np.float32).reshape(-1, 2)


def _within(outline: npt.NDArray[np.float32], photo_size: tuple[int, int]) -> Array | None:
    """The part of an outline that is inside the photo; None where next to nothing is."""
    width, height = photo_size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    if (outline >= 0).all() and (outline <= frame[2]).all():
        inside = outline
    else:
        _, common = cv2.intersectConvexConvex(outline, frame)
        inside = np.asarray(common if common is not None else [], dtype=np.float32).reshape(-1, 2)
    if len(inside) < 3 or (np.ptp(inside, axis=0) < LEAST_SIDE_PX).any():
        return None
    return inside.astype(np.float64)


# --- what stands where ------------------------------------------------------------------------


def _board(sight: Sight) -> _Thing:
    # The edges of a board bulge a little where the lens bends them.
    steps = np.linspace(0.0, 1.0, 9)
    across, up = sight.columns, sight.rows
    places = [(s * across, side * up) for s in steps for side in (0, 1)]
    places += [(side * across, s * up) for s in steps for side in (0, 1)]
    return _Thing(BOARD, np.array([sight.point(*place) for place in places]), {}, (BOARD,))


def _alien_city(truth: Mapping[str, Any], sight: Sight) -> Iterator[_Thing]:
    lot = sight.measures.cell_mm
    for tile in truth.get("tiles") or ():
        middle = sight.middle(tile["at"]) + np.array([lot / 2, lot / 2, 0.0])
        points = rectangle(2 * lot, 2 * lot, 0.0) + middle
        yield _Thing(f"tile-{tile.get('colour') or 'unknown'}", points, {"at": tile["at"]}, (f"tile:{tile['at']}",))
    coins, chosen = sight.measures.coins, sight.measures.pyramids
    coin = np.concatenate([circle(coins.diameter_mm / 2, z, 24) for z in (0.0, coins.thickness_mm)])
    tower, cap = pyramids.SIZES[chosen.tower_size], pyramids.SIZES[chosen.cap_size]
    _, cap_height = pyramids.stack_heights([tower, cap], [0.0, 0.0])
    for entry in truth["structures"]:
        at, facts = sight.middle(entry["at"]), {"at": entry["at"]}
        body = _upright(tower) if entry["kind"] == "tower" else coin
        yield _Thing(f"{entry['kind']}-{entry['colour']}", body + at, facts, (f"structure:{entry['at']}",))
        if entry.get("claimed_by"):
            points = _upright(cap) + at + [0.0, 0.0, cap_height]
            yield _Thing(f"cap-{entry['claimed_by']}", points, facts, (f"cap:{entry['at']}",))


def _city_blocks(truth: Mapping[str, Any], sight: Sight) -> Iterator[_Thing]:
    side, high = sight.measures.cell_mm, sight.measures.blokus.piece_thickness_mm
    slab = np.concatenate([rectangle(side, side, 0.0), rectangle(side, side, high)])
    for row, letters in enumerate(truth["grid"]):
        for column, letter in enumerate(letters):
            if letter in SQUARE_COLOURS:
                at = f"{chr(ord('A') + column)}{row + 1}"
                category = f"square-{SQUARE_COLOURS[letter]}"
                yield _Thing(category, slab + sight.middle(at), {"at": at}, (f"square:{at}",))


def _sprawl(truth: Mapping[str, Any], sight: Sight) -> Iterator[_Thing]:
    for cell in truth["cells"]:
        yield from _lying(cell, sight) if "lying" in cell else _stacked(cell, sight)


def _lying(cell: Mapping[str, Any], sight: Sight) -> Iterator[_Thing]:
    piece, (x, y, _) = cell["lying"], sight.middle(cell["at"])
    size = pyramids.SIZE_OF_PIPS[int(piece[-1])]
    # Directions run clockwise from the north, turns counter-clockwise from the east.
    turn = 90.0 - 90.0 * DIRECTIONS.index(cell["points"])
    points = applied(standing(x, y, 0.0, turn) @ pyramids.lying_pose(size), _upright(size))
    facts = {"at": cell["at"], "piece": piece, "points": cell["points"]}
    yield _Thing(f"lying-{piece[:-1]}-{piece[-1]}", points, facts, (f"piece:{cell['at']}:0",))


def _stacked(cell: Mapping[str, Any], sight: Sight) -> Iterator[_Thing]:
    """Every pyramid of a stack, and the stack as a whole."""
    pieces, at = cell["stack"], sight.middle(cell["at"])
    wall = sight.measures.pyramids.wall_mm
    sizes = [pyramids.sized(int(piece[-1]), wall) for piece in pieces]
    heights = pyramids.stack_heights(sizes, [0.0] * len(sizes))
    bodies = [_upright(size) + at + [0.0, 0.0, height] for size, height in zip(sizes, heights, strict=True)]
    parts = tuple(f"piece:{cell['at']}:{level}" for level in range(len(pieces)))
    yield _Thing(STACK, np.concatenate(bodies), {"at": cell["at"], "stack": list(pieces)}, parts)
    for level, (piece, points) in enumerate(zip(pieces, bodies, strict=True)):
        facts = {"at": cell["at"], "piece": piece, "level": level}
        yield _Thing(f"pyramid-{piece[:-1]}-{piece[-1]}", points, facts, parts[level : level + 1])


def _upright(size: pyramids.PyramidSize) -> Array:
    """The corners of a standing pyramid."""
    base = rectangle(size.base_mm, size.base_mm, 0.0)
    return np.concatenate([base, rectangle(size.tip_mm, size.tip_mm, size.height_mm)])


_THINGS: Final[Mapping[str, Callable[[Mapping[str, Any], Sight], Iterator[_Thing]]]] = {
    "alien-city": _alien_city,
    "city-blocks": _city_blocks,
    "sprawl": _sprawl,
}
