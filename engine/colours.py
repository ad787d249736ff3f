"""The colour names that every game, file and profile uses."""

from __future__ import annotations

from typing import Final

COLOURS: Final = (
    "red",
    "yellow",
    "green",
    "blue",
    "orange",
    "purple",
    "cyan",
    "pink",
    "white",
    "black",
    "grey",
    "clear",
)

# One letter each for text diagrams; black is K (as in print and PPN) because
# blue has the B, and pink is I because purple has the P.
LETTER_OF: Final = {
    "red": "R",
    "yellow": "Y",
    "green": "G",
    "blue": "B",
    "orange": "O",
    "purple": "P",
    "cyan": "C",
    "pink": "I",
    "white": "W",
    "black": "K",
    "grey": "E",
    "clear": "L",
}
COLOUR_OF: Final = {letter: colour for colour, letter in LETTER_OF.items()}
