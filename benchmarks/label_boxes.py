"""How well boxes that come from lots and pose fit the pieces: intersection over union with the rendered meshes.

    python -m benchmarks.label_boxes [--frames N] [--seed S]

The boxes are those of a person's label: position, corners, the set's name and the side of a square, nothing else. No
photo is rendered; every scene has its true boxes.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vision.labels.boxes import Box, boxes_of
from vision.labels.measures import measures_of
from vision.labels.sight import sight_of
from vision.synth.camera import project
from vision.synth.scene import Scene
from vision.synth.studio import Order, make_shot, possible_profiles
from vision.synth.truth import piece_boxes

SIZE = (1200, 900)
# The boxes that are about one rendered part, and what the part is called.
PARTS = {"tower": "structure", "dome": "structure", "cap": "cap", "pyramid": "piece", "lying": "piece"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    for game in ("alien-city", "sprawl"):
        order = Order(game, options.seed, possible_profiles(game, None, False), SIZE)
        found: dict[str, list[float]] = defaultdict(list)
        for frame in range(options.frames):
            for kind, fit in fits(make_shot(order, frame).scene):
                found[kind].append(fit)
        for kind, values in found.items():
            low, middle = np.quantile(values, [0.1, 0.5])
            half = np.mean(np.array(values) > 0.5)
            print(
                f"{game}, {kind}: {len(values)} boxes, median {middle:.2f}, worst tenth {low:.2f}, {half:.0%} over 0.5"
            )


def fits(scene: Scene) -> list[tuple[str, float]]:
    """Kind and fit of every piece that is whole inside the photo."""
    if scene.state is None or scene.corners is None:
        return []
    truth = {**scene.state, "profile": scene.profile, "corners": project(scene.camera, scene.corners).tolist()}
    truth["square_mm"] = measures_of({**truth, "world_corners": scene.corners.tolist()}).cell_mm
    exact = piece_boxes(scene)
    found = []
    for box in boxes_of(truth, sight_of(truth, SIZE), SIZE):
        known = exact.get(part_of(box))
        if known is not None and min(known) >= 0 and known[2] < SIZE[0] and known[3] < SIZE[1]:
            found.append((box.category.split("-")[0], overlap(box.bounds, [edge + 0.5 for edge in known])))
    return found


def part_of(box: Box) -> str:
    kind = PARTS.get(box.category.split("-")[0], "")
    level = f":{box.facts.get('level', 0)}" if kind == "piece" else ""
    return f"{kind}:{box.facts.get('at')}{level}"


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes (left, top, right, bottom)."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    common = max(0.0, width) * max(0.0, height)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return common / (sum(areas) - common)


if __name__ == "__main__":
    main()
