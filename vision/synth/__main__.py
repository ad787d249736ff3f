"""``python -m vision.synth``: the studio without the rest of the program."""

from __future__ import annotations

import argparse
import sys

from engine.errors import CityscanError
from vision.synth import command


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.synth", allow_abbrev=False)
    command.add_arguments(parser)
    try:
        return command.run(parser.parse_args())
    except CityscanError as error:
        print(f"synth: {error.message}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
