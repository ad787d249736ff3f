"""What can go wrong with an input, as sentences for the person who gave it."""

from __future__ import annotations

import copyreg
from typing import Any


class CityscanError(Exception):
    """A problem that the user can understand and mend.

    ``kind`` is the machine-readable name and ``exit_code`` what the command
    returns; command line and page differ only in how they show ``message``.
    """

    kind = "unreadable"
    exit_code = 3

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors travel between processes; Python would call subclasses with the message alone to make them anew.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class Unreadable(CityscanError):
    """The input could not be opened or is not what its name says."""

    kind = "unreadable"


class Unsupported(CityscanError):
    """The input is fine, but this program cannot do that with it."""

    kind = "unsupported"


class InvalidState(CityscanError):
    """The input is not a possible position. ``path`` names the offending field."""

    kind = "invalid-state"

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.problem = message


class UsageError(CityscanError):
    """The command was called in a way that makes no sense."""

    kind = "usage"
    exit_code = 2
