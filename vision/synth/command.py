"""``cityscan synth``: options, progress and the sentences at the end. Heavy modules are loaded when it runs."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.errors import UsageError
from engine.game import game_names
from vision.jobs import INTERRUPTED, progress_bar

if TYPE_CHECKING:
    from vision.synth.studio import Order

SOME_FAILED: Final = 3
LEAST_SIDE: Final = 96
MOST_SIDE: Final = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan synth``."""
    parser.description = "Render photos with exact truth beside them. Run it again to go on where it stopped."
    parser.add_argument("--game", required=True, choices=game_names(), help="the game on the table")
    parser.add_argument("--count", required=True, type=int, metavar="N", help="how many photos the folder shall hold")
    parser.add_argument("--seed", required=True, type=int, metavar="S", help="same seed, same photos")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder for photos and truth")
    parser.add_argument("--profile", metavar="NAME", help="dress all photos with this set (default: all of the game)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="photograph this position (default: random ones)")
    parser.add_argument("--size", type=size_of, metavar="WxH", help="pixels (default: 0.8 megapixels, various shapes)")
    parser.add_argument("--backend", choices=("fast", "blender"), default="fast", help="how to draw (default: fast)")
    parser.add_argument("--samples", type=int, default=12, metavar="N", help="light paths a pixel, for blender (12)")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one a core; blender: one)")
    parser.add_argument("--overlay", action="store_true", help="also write NAME.overlay.jpg with the truth drawn in")
    parser.add_argument("--mix", action="store_true", help="a new set for every photo, mixed from the training sets")
    negatives = "photos without a whole board: some (2 %%), none, or only such photos (default: some)"
    parser.add_argument("--negatives", choices=("some", "none", "only"), default="some", help=negatives)
    parser.add_argument("--held-out", action="store_true", help="held-out sets only: never train on these")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the photos that are not there yet. Returns the exit code."""
    _check(args)
    return fill_folder(args.out, _order(args), args.count, args.jobs, args.overlay)


def fill_folder(folder: Path, order: Order, count: int, jobs: int | None = None, overlay: bool = False) -> int:
    """Make those of the first ``count`` photos of the order that are not in the folder yet. Returns the exit code."""
    from vision.synth.dataset import missing_frames, open_folder

    open_folder(folder, order, count)
    frames = missing_frames(folder, order, count, overlay)
    present = count - len(frames)
    if not frames:
        print(f"All {count} photos are in {folder} already.", flush=True)
        return 0
    if present:
        print(f"{present} of {count} photos are there; going on with the others.", flush=True)
    return _make(folder, order, frames, jobs, overlay)


def _make(folder: Path, order: Order, frames: list[int], jobs: int | None, overlay: bool) -> int:
    from vision.synth.dataset import frame_name, make_frames

    cores = os.cpu_count() or 1
    jobs = jobs or (1 if order.backend == "blender" else cores)
    # Blender takes all cores for each process unless told otherwise.
    os.environ.setdefault("CITYSCAN_BLENDER_THREADS", str(max(1, cores // jobs)))
    made, failed = 0, 0
    try:
        with progress_bar(folder.name, len(frames)) as advance:
            for done in make_frames(folder, order, frames, jobs, overlay):
                if done.problem is None:
                    made += 1
                else:
                    failed += 1
                    print(f"{frame_name(order.game, done.frame)}: {done.problem}", file=sys.stderr)
                advance()
    except KeyboardInterrupt:
        print(f"Stopped after {made} new photos; run the same command again to go on.", file=sys.stderr)
        return INTERRUPTED
    if failed:
        print(f"{failed} of {len(frames)} photos failed; the other {made} are in {folder}.", file=sys.stderr)
        return SOME_FAILED
    print(f"{made} photos are in {folder}.")
    return 0


def _check(args: argparse.Namespace) -> None:
    for name, value in (("--count", args.count), ("--samples", args.samples), ("--jobs", args.jobs)):
        if value is not None and value < 1:
            raise UsageError(f"{name} must be at least 1, not {value}.")
    if args.count > 100_000:
        raise UsageError("--count may be at most 100000; make several folders with different seeds.")
    if args.seed < 0:
        raise UsageError(f"--seed must not be negative ({args.seed}).")
    if args.out.exists() and not args.out.is_dir():
        raise UsageError(f'"{args.out}" is a file; --out names a folder.')
    if args.mix and (args.held_out or args.profile is not None):
        raise UsageError("--mix draws from all training sets; leave out --profile and --held-out.")
    if args.profile is not None and args.held_out:
        raise UsageError("--held-out chooses among the held-out sets; leave it out when --profile names one.")
    if args.state is not None and args.negatives == "only":
        raise UsageError("--negatives only makes photos without a board; leave out --state.")


def _order(args: argparse.Namespace) -> Order:
    from vision.synth.studio import Order, possible_profiles

    if args.backend == "blender":
        from vision.synth.blender import module

        module.load()  # says in a sentence what is missing, before anything is written
    profiles = possible_profiles(args.game, args.profile, args.held_out)
    if not profiles:
        raise UsageError(f"there is no {'held-out ' if args.held_out else ''}profile for {args.game}.")
    return Order(
        game=args.game,
        seed=args.seed,
        profiles=profiles,
        size=args.size,
        backend=args.backend,
        samples=args.samples,
        position=_position(args),
        mixed=args.mix,
        negatives=args.negatives,
    )


def _position(args: argparse.Namespace) -> str | None:
    if args.state is None:
        return None
    from engine.documents import load_position
    from vision.synth.studio import position_text

    position = load_position(args.state)
    if position.game.name != args.game:
        raise UsageError(f"{args.state} is a position of {position.game.title}; name that game with --game.")
    return position_text(position)


def size_of(text: str) -> tuple[int, int]:
    """Width and height in a text such as 1024x768."""
    match = re.fullmatch(r"(\d{1,5})[xX×](\d{1,5})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not a size such as 1024x768')
    width, height = int(match[1]), int(match[2])
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in (width, height)) or max(width, height) > 3 * min(
        width, height
    ):
        raise argparse.ArgumentTypeError(
            f"{text}: sides must be from {LEAST_SIDE} to {MOST_SIDE} pixels, one at most three times the other"
        )
    return width, height
