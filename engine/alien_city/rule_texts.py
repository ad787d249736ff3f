"""The rules in one sentence each, by the ids that violations carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {
    "tiles": "There are five tiles of each colour, and each colour and rank exists once.",
    "road": "All vacant lots form one connected road, and every structure faces a vacant lot.",
    "dome-colour": "A dome goes on a tile of its colour as long as a vacant lot on such tiles passes the road rule.",
    "first-two": "The first two structures on a tile have its colour; black tiles always take towers of any colour.",
    "icon-last": "The icon lot is built only when no other vacant lot of its tile passes the road rule.",
    "stock": "Nobody has more pieces than the set gives them, and nobody claims more than three towers.",
    "last-claim": "The very last action of the game may not be a claim.",
    "one-per-lot": "A lot holds one structure.",
    "moved": "Structures and caps are never moved, changed or taken away.",
    "claim": "Only a tower on the board that nobody has claimed can be claimed.",
    "turn": "A turn is one build and then at most one claim; players alternate unless one of them cannot build.",
}
