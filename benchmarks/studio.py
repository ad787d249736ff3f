"""How long a photo takes: seconds a frame of each step, for every game.

    python -m benchmarks.studio [--frames N] [--seed S] [--blender N] [--samples N]

Times are of one core (processor time), at training size. The first photo in each surroundings also paints these,
once a process; that is told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import cv2
import numpy as np

from engine.game import game_names
from vision.synth import fast, light, phone, studio
from vision.synth.fast import sky, windows
from vision.synth.scene import Light
from vision.synth.truth import truth_of

Result = TypeVar("Result")
STEPS = ("scene", "render", "develop", "index", "truth", "jpeg")


class Watch:
    """Collects processor seconds by the name of the step."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}

    def time(self, name: str, step: Callable[[], Result]) -> Result:
        start = time.process_time()
        result = step()
        self.seconds.setdefault(name, []).append(time.process_time() - start)
        return result

    def mean(self, name: str) -> float:
        return float(np.mean(self.seconds.get(name, [0.0])))


def warm_up(names: tuple[str, ...]) -> float:
    """Paint all surroundings once; mean seconds for one of them."""
    start = time.process_time()
    for name in names:
        surroundings = Light(name, 1.0, 0.0)
        windows.windows(surroundings, 1)
        up = np.array([[0.0], [0.0], [1.0]], np.float32)
        sky.mirrored(surroundings, up, np.full(1, 0.3, np.float32), np.zeros((3, 1), np.float32))
        light.irradiance_coefficients(name)
    return (time.process_time() - start) / len(names)


def measure_fast(game: str, frames: int, seed: int) -> tuple[Watch, float]:
    """Times of every step, and the mean size in megapixels."""
    order = studio.Order(game, seed, studio.possible_profiles(game, None, held_out=False))
    watch, pixels = Watch(), 0
    for frame in range(frames):
        shot = watch.time("scene", partial(studio.make_shot, order, frame))
        scene, rng = shot.scene, studio.stream(order, frame, "develop")
        picture = watch.time("render", partial(fast.render, scene, with_index=True))
        photo = watch.time("develop", partial(phone.develop, picture, scene.camera, scene.phone, rng))
        assert picture.index is not None
        index = watch.time("index", partial(phone.develop_index, picture.index, scene.camera))
        watch.time("truth", partial(truth_of, scene, index, backend="fast", kind=shot.kind, frame=shot.frame))
        quality = [cv2.IMWRITE_JPEG_QUALITY, scene.phone.jpeg_quality]
        watch.time("jpeg", partial(cv2.imencode, ".jpg", photo, quality))
        pixels += photo.shape[0] * photo.shape[1]
    return watch, pixels / frames / 1e6


def measure_blender(game: str, frames: int, seed: int, samples: int) -> float:
    """Core-seconds for one path-traced frame of training size."""
    from vision.synth import blender

    order = studio.Order(game, seed, studio.possible_profiles(game, None, held_out=False))
    start = time.process_time()
    for frame in range(frames):
        blender.render(studio.make_shot(order, frame).scene, samples, threads=1)
    return (time.process_time() - start) / frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=20, help="photos of each game (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blender", type=int, default=0, metavar="N", help="path-trace N photos of each game, too")
    parser.add_argument("--samples", type=int, default=12, help="of path tracing (default 12)")
    chosen = parser.parse_args()
    if chosen.frames < 1 or chosen.blender < 0 or chosen.samples < 1:
        parser.error("--frames and --samples must be at least 1, and --blender not negative.")
    cv2.setNumThreads(1)
    names = light.environment_names(held_out=False)
    print(f"painting surroundings, once each: {warm_up(names):.2f} s")
    print("game         " + "".join(f"{step:>9}" for step in STEPS) + "      all  megapixels   slowest render")
    for game in game_names():
        watch, size = measure_fast(game, chosen.frames, chosen.seed)
        means = [watch.mean(step) for step in STEPS]
        slowest = max(watch.seconds["render"])
        cells = "".join(f"{mean:9.3f}" for mean in means)
        print(f"{game:13}{cells}{sum(means):9.3f}{size:12.2f}{slowest:17.3f}", flush=True)
    if chosen.blender:
        for game in game_names():
            seconds = measure_blender(game, chosen.blender, chosen.seed, chosen.samples)
            print(
                f"{game:13}{seconds:9.1f} core-seconds a frame, path-traced with {chosen.samples} samples", flush=True
            )


if __name__ == "__main__":
    main()
