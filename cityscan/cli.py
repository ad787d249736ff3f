"""The ``cityscan`` command: options, and which answer to which command.

Heavy modules are imported inside the commands that need them, so that scoring a state file starts fast.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from cityscan.answers import (
    Answer,
    Fill,
    answer_input,
    failed_answer,
    with_check,
    with_comparison,
    with_moves,
    with_score,
    with_state_only,
)
from cityscan.inputs import STANDARD_INPUT, Request, load_input
from cityscan.points import point
from engine.colours import COLOURS
from engine.errors import CityscanError
from engine.game import Options, game_names
from vision.jobs import INTERRUPTED, add_jobs_option, in_order, progress_bar

ILLEGAL = 1
WRONG_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except CityscanError as error:
        print(f"cityscan: {error.message}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("cityscan: stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (a pager that was closed): nothing left to say, and nobody to hear it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cityscan", description="Scores Alien City, City Blocks and Sprawl, and shows why.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"cityscan {version('cityscan')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _answering(commands, "score", "read, check and score, and print the sheet", with_score)
    _answering(commands, "read", "print the state only", with_state_only)
    check = _answering(commands, "check", "list the broken rules", with_check)
    check.add_argument(
        "--before", metavar="INPUT", help="an earlier position: what was played since, and was it legal?"
    )
    check.set_defaults(run=_run_check)
    _answering(commands, "moves", "list what may legally be played now", with_moves, several=False)
    _convert(commands)
    _commands_with_modules(commands)
    app = commands.add_parser("app", help="open the page", allow_abbrev=False)
    app.add_argument("--share", action="store_true", help="listen on the network, with a QR code for phones")
    app.add_argument("--port", type=int, choices=range(1024, 65536), metavar="N", help="the port to listen on")
    app.set_defaults(run=_run_app)
    return parser


_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _answering(
    commands: _Commands[argparse.ArgumentParser], name: str, help_text: str, fill: Fill, several: bool = True
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
    what = "a state (.json), a diagram (.txt), a game record (.ppn), a photo, or - for standard input"
    command.add_argument("inputs", nargs="+" if several else 1, metavar="INPUT", help=what)
    _add_request_options(command)
    command.add_argument("--json", action="store_true", help="one JSON object a line for each input")
    if several:
        add_jobs_option(command, default=1)
        command.add_argument("--debug", type=Path, metavar="DIR", help="write the stages of reading photos as pictures")
    command.set_defaults(run=partial(_run_answering, fill=fill), jobs=1)
    return command


def _add_request_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--game", choices=game_names(), help="refuse any other game")
    command.add_argument("--edition", help="rules edition (Alien City: 1.0, 2.2, fr)")
    command.add_argument("--players", type=int, choices=range(2, 9), help="number of players", metavar="N")
    command.add_argument("--variant", action="append", default=[], metavar="NAME", help="a variant; may be repeated")
    command.add_argument("--board", type=_board_size, metavar="CxR", help="the part in play, columns x rows (Sprawl)")
    command.add_argument("--colours", type=_colour_list, default=(), metavar="C,C", help="the colours in play (Sprawl)")
    corners = "where the board is in the photo: north-west, north-east, south-east, south-west"
    command.add_argument("--profile", metavar="NAME", help="the own set on the photo, learnt with cityscan train")
    command.add_argument("--corners", nargs=4, type=point, metavar="x,y", help=corners)
    command.add_argument("--setup", metavar="INPUT", help="the board before the game, for tiles that are hidden now")


def _convert(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "convert", help="write a position in another notation", allow_abbrev=False, description=_run_convert.__doc__
    )
    command.add_argument("inputs", nargs=1, metavar="INPUT")
    command.add_argument("--to", choices=("json", "diagram", "record"), required=True, help="record: PPN, Alien City")
    _add_request_options(command)
    command.set_defaults(run=_run_convert)


def _commands_with_modules(commands: _Commands[argparse.ArgumentParser]) -> None:
    """The commands that have a module each, which knows their options and what they run."""
    from cityscan import calibrating, evaluating, labelling, models, training
    from vision.synth import command as synth

    for name, help_text, add_arguments in (
        ("evaluate", "how well photos are read", evaluating.add_arguments),
        ("label", "check, draw and export labelled photos", labelling.add_arguments),
        ("synth", "render photos with exact truth", synth.add_arguments),
        ("calibrate", "measure your camera and your own set", calibrating.add_arguments),
        ("train", "learn your own set from labelled photos", training.add_arguments),
        ("models", "list the networks, with their cards", models.add_arguments),
    ):
        add_arguments(commands.add_parser(name, help=help_text, allow_abbrev=False))


def _request(options: argparse.Namespace) -> Request:
    stated = Options(
        edition=options.edition,
        players=options.players,
        variants=tuple(options.variant),
        board=options.board,
        colours=options.colours,
    )
    debug = getattr(options, "debug", None)
    return Request(stated, options.game, options.setup, options.corners, debug, options.profile)


def _run_answering(options: argparse.Namespace, fill: Fill, code_if_illegal: int = 0) -> int:
    request = _request(options)
    work = partial(answer_input, request=request, fill=fill)
    # Standard input can be read in this process alone.
    jobs = 1 if STANDARD_INPUT in (*options.inputs, request.setup) else options.jobs
    code = 0
    # Answers on a terminal show themselves how far it has come.
    with progress_bar("inputs", len(options.inputs), shown=jobs > 1 and not sys.stdout.isatty()) as advance:
        for answer in in_order(work, options.inputs, jobs, failed_answer):
            _print(answer, options.json, heading=len(options.inputs) > 1)
            code = max(code, answer.exit_code, code_if_illegal if answer.illegal else 0)
            advance()
    return code


def _run_check(options: argparse.Namespace) -> int:
    if options.before is None:
        return _run_answering(options, with_check, ILLEGAL)
    if len(options.inputs) > 1:
        _wrong_usage("--before goes with one INPUT.")
    return _run_answering(options, with_comparison(options.before, _request(options)), ILLEGAL)


def _run_convert(options: argparse.Namespace) -> int:
    """Write a position as JSON, as a text diagram or as a game record."""
    position = load_input(options.inputs[0], _request(options)).position
    if options.to == "json":
        print(json.dumps(position.game.dump(position.state), indent=1))
    elif options.to == "diagram":
        print(position.game.diagram(position.state), end="")
    else:
        print(position.game.dump_record(position.state), end="")
    return 0


def _run_app(options: argparse.Namespace) -> int:
    from cityscan.page import open_page

    return open_page(options.share, options.port)


def _print(answer: Answer, as_json: bool, heading: bool) -> None:
    if as_json:
        print(json.dumps(answer.to_json()), flush=True)
        return
    from rich.console import Console

    from cityscan.show import show

    show(Console(highlight=False, stderr=answer.error is not None), answer, heading)


def _board_size(text: str) -> tuple[int, int]:
    columns, _, rows = text.lower().partition("x")
    if not (columns.isdecimal() and rows.isdecimal()):
        raise argparse.ArgumentTypeError(f'"{text}" is not columns x rows, such as 6x6')
    return int(columns), int(rows)


def _colour_list(text: str) -> tuple[str, ...]:
    colours = tuple(word.strip() for word in text.split(","))
    for colour in colours:
        if colour not in COLOURS:
            raise argparse.ArgumentTypeError(f'"{colour}" is not one of {", ".join(COLOURS)}')
    return tuple(dict.fromkeys(colours))


def _wrong_usage(message: str) -> NoReturn:
    print(f"cityscan: {message}", file=sys.stderr)
    raise SystemExit(WRONG_USAGE)
