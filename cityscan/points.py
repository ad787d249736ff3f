"""Points as the command line writes them."""

from __future__ import annotations

import argparse


def point(text: str) -> tuple[float, float]:
    """A point such as 120,80."""
    x, _, y = text.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is not a point such as 120,80') from None
