"""What is in the box: guilds, editions, pieces and who owns how many of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GUILDS: Final = ("red", "blue", "green", "black")
TOWER_COLOURS: Final = ("red", "blue", "green")
KINDS: Final = ("tower", "dome")
RANKS: Final = (0, 1, 2, 3, 4, 5)

TILES_PER_GUILD: Final = 5
CLAIMS_PER_PLAYER: Final = 3

# A piece is a (kind, colour).
Piece = tuple[str, str]

# The player with the red tower more, and the one with the blue tower more (1.0's players A and B).
MORE_RED: Final[Mapping[Piece, int]] = {
    ("tower", "red"): 3,
    ("tower", "blue"): 2,
    ("tower", "green"): 2,
    **{("dome", guild): 3 for guild in GUILDS},
}
MORE_BLUE: Final[Mapping[Piece, int]] = {**MORE_RED, ("tower", "red"): 2, ("tower", "blue"): 3}
STOCK: Final[Mapping[Piece, int]] = {piece: MORE_RED[piece] + MORE_BLUE[piece] for piece in MORE_RED}
PIECES: Final = tuple(STOCK)

EDITIONS: Final = ("1.0", "2.2", "fr")
DEFAULT_EDITION: Final = "2.2"

# The cap colours of an edition; the first is the player with the red tower more.
# The French document does not say who that is, so nobody may rely on it there.
CAPS: Final[Mapping[str, tuple[str, str]]] = {
    "1.0": ("red", "blue"),
    "2.2": ("white", "black"),
    "fr": ("white", "black"),
}
# 1.0 throws dice and the French document is silent.
FIRST_PLAYER: Final[Mapping[str, str | None]] = {"1.0": None, "2.2": "black", "fr": None}

LOCATION_BONUS: Final = "location-bonus"
STRICT_DISPLACED: Final = "strict-displaced"
VARIANTS: Final = (LOCATION_BONUS, STRICT_DISPLACED)


def piece_name(piece: Piece) -> str:
    """A piece in words: ``red tower``."""
    kind, colour = piece
    return f"{colour} {kind}"
