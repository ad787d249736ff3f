"""What can be missing or wrong about a label, by name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

# An input that cannot be used at all, and one that lacks something or contradicts itself: exit codes as elsewhere.
UNUSABLE: Final = 3
INCOMPLETE: Final = 1
FINE: Final = 0

# Kind of problem -> the exit code that it leads to; those with 0 are worth a look and no more.
KINDS: Final = {
    "unreadable-photo": UNUSABLE,
    "invalid-state": UNUSABLE,
    "photo-without-state": INCOMPLETE,
    "state-without-photo": INCOMPLETE,
    "corners-missing": INCOMPLETE,
    "corners-invalid": INCOMPLETE,
    "corners-outside": INCOMPLETE,
    "corners-order": INCOMPLETE,
    "corners-anticlockwise": INCOMPLETE,
    "corners-not-convex": INCOMPLETE,
    "size-mismatch": INCOMPLETE,
    "contradiction": INCOMPLETE,
    "corners-turned": FINE,
    "corners-read": FINE,
    "rules-broken": FINE,
    "same-photo": FINE,
    "two-photos": FINE,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend or to look at: which file, what, and what to do about it."""

    file: Path
    kind: str
    message: str

    @property
    def exit_code(self) -> int:
        return KINDS[self.kind]

    @property
    def warning(self) -> bool:
        """Whether the label can be used all the same."""
        return self.exit_code == FINE

    def to_json(self) -> dict[str, Any]:
        return {"file": str(self.file), "kind": self.kind, "warning": self.warning, "message": self.message}
