"""What one visitor works on: a photo, where its board is, and the position with its undo history.

Everything lives in Streamlit's session state, so that pages that are open at the same time never mix.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from engine.documents import Position, position_from_document
from engine.game import Game, Record, game
from engine.sheet import Score, Verdict
from page.boards import board_kind
from page.boards.base import BoardKind, Value
from page.saved_game import SavedGame
from vision.effects import score_sureness
from vision.photo import Photo
from vision.pose import view_of
from vision.reading import Guess, Reading
from vision.rectify import rectify

Corners = npt.NDArray[np.float64]

MOST_STEPS = 500
CELL_PIXELS = {"alien-city": 96, "city-blocks": 44, "sprawl": 96}
MARGIN_CELLS = 0.5
PHOTO_SIDE = 1280  # the photo as the browser gets it


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, and the doubtful places that somebody has looked at."""

    state: Any
    confirmed: frozenset[str] = frozenset()


@dataclass(slots=True)
class History:
    """Positions in the order in which they were made; undo and redo walk along it."""

    moments: list[Moment]
    now: int = 0

    @classmethod
    def beginning(cls, state: Any) -> History:
        return cls([Moment(state)])

    @property
    def moment(self) -> Moment:
        return self.moments[self.now]

    def add(self, moment: Moment) -> None:
        if moment == self.moment:
            return
        # The first moment is what "reset" goes back to, so the oldest after it are forgotten first.
        kept = self.moments[: self.now + 1]
        self.moments = [kept[0], *kept[1:][-MOST_STEPS:], moment]
        self.now = len(self.moments) - 1

    def step(self, kind: str) -> None:
        """Undo, redo or reset; reset is a step of its own, so that it can be undone."""
        if kind == "undo":
            self.now = max(0, self.now - 1)
        elif kind == "redo":
            self.now = min(len(self.moments) - 1, self.now + 1)
        elif kind == "reset":
            self.add(self.moments[0])

    @property
    def can_undo(self) -> bool:
        return self.now > 0

    @property
    def can_redo(self) -> bool:
        return self.now < len(self.moments) - 1


@dataclass(slots=True)
class Case:
    """One board that is being scored. ``number`` makes the keys of its widgets its own."""

    number: str
    game_name: str
    history: History
    photo: Photo | None = None
    photo_name: str = ""
    corners: Corners | None = None  # pixels of ``photo.pixels``: north-west, north-east, south-east, south-west
    reading: Reading | None = None
    profile: str | None = None  # the own set that the photo was read with
    kept: SavedGame | None = None  # the saved game that this case was opened from
    record: Record[Any] | None = None
    notices: list[str] = field(default_factory=list)
    saved_as: str | None = None
    what_if: History | None = None
    _judged: dict[Any, tuple[Verdict, Score]] = field(default_factory=dict)
    _sure: tuple[Moment, float] | None = None
    _pictures: dict[Any, bytes] = field(default_factory=dict)
    _kept_facts: Any = None

    @classmethod
    def of_position(cls, number: str, position: Position) -> Case:
        return cls(number, position.game.name, History.beginning(position.state), record=position.record)

    @property
    def game(self) -> Game[Any]:
        return game(self.game_name)

    @property
    def kind(self) -> BoardKind[Any]:
        return board_kind(self.game_name)

    @property
    def state(self) -> Any:
        return self.history.moment.state

    def change(self, state: Any) -> None:
        """A change that is not an edit of a lot: names, edition, answers."""
        self.history.add(replace(self.history.moment, state=state))

    @property
    def doubtful(self) -> list[str]:
        """The places that the reader was not sure of and nobody has looked at since, in the reader's order: those first
        where a mistake would change the score most."""
        if self.reading is None:
            return []
        return [place for place in self.reading.doubtful if place not in self.history.moment.confirmed]

    @property
    def unsaved(self) -> bool:
        """Whether something has changed since the case was last saved."""
        return self.saved_as is None or self._kept_facts != self._facts_to_keep()

    def mark_saved(self, number: str) -> None:
        """Everything that is known now is saved under this number."""
        self.saved_as = number
        self._kept_facts = self._facts_to_keep()

    def _facts_to_keep(self) -> Any:
        return self.state, None if self.corners is None else self.corners.tobytes(), self.profile

    def judged(self, state: Any) -> tuple[Verdict, Score]:
        """Broken rules and score of a position, remembered for a few positions."""
        if state not in self._judged:
            # A record speaks about its own final position only.
            record = self.record if self.record is not None and state == self.record.final else None
            while len(self._judged) >= 20:
                del self._judged[next(iter(self._judged))]
            self._judged[state] = self.game.check(state, record), self.game.score(state, record)
        return self._judged[state]

    def sureness(self) -> float | None:
        """The probability that the totals are exact; None where no photo was read. A place that somebody has looked
        at or changed is taken as right."""
        if self.reading is None:
            return None
        moment = self.history.moment
        if self._sure is None or self._sure[0] != moment:
            places = set(self.kind.places(moment.state))
            known = moment.confirmed | {str(correction["at"]) for correction in self.corrections()}
            guesses = {
                place: _certain(guess) if place in known else guess
                for place, guess in self.reading.guesses.items()
                if place in places
            }
            self._sure = moment, score_sureness(self.game_name, self.game.dump(moment.state), guesses)
        return self._sure[1]

    def corrections(self) -> list[dict[str, Any]]:
        """Where the position differs from what was read."""
        read = self.read_state()
        if read is None:
            return []
        found: list[dict[str, Any]] = []
        for place in self.kind.places(self.state):
            before: Value = self.kind.value(read, place)
            now: Value = self.kind.value(self.state, place)
            if before != now:
                found.append({"at": place, "read": before, "now": now})
        return found

    def read_state(self) -> Any:
        """The position as it was read, before anybody changed it; None where pieces were placed by hand."""
        if self.kept is not None:
            read = self.kept.read_state
            return None if read is None else position_from_document(dict(read)).state
        return None if self.reading is None else self.history.moments[0].state

    # --- pictures -----------------------------------------------------------------------------
    def board_picture(self) -> bytes | None:
        """The board from straight above as JPEG, with a margin for towers that lean out of it."""
        if self.photo is None or self.corners is None:
            return None
        cells = self.kind.size(self.state)
        key = ("board", cells, self.corners.tobytes())
        if key not in self._pictures:
            # As the reader sees it, where the camera's lens was measured.
            photo = self.photo.straightened()
            corners = photo.from_full(self.photo.to_full(self.corners))
            height, width = photo.pixels.shape[:2]
            view = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), photo.focal_px)
            pixels = CELL_PIXELS[self.game_name]
            plane = rectify(photo.pixels, view, cells, pixels, (0.0,), round(MARGIN_CELLS * pixels))
            self._pictures = {k: v for k, v in self._pictures.items() if k[0] != "board"} | {key: jpeg_of(plane, 85)}
        return self._pictures[key]

    def photo_picture(self) -> tuple[bytes, float] | None:
        """The photo as the browser gets it, and its pixels for each pixel of ``photo``."""
        if self.photo is None:
            return None
        scale = min(1.0, PHOTO_SIDE / max(self.photo.pixels.shape[:2]))
        if ("photo",) not in self._pictures:
            self._pictures["photo",] = jpeg_of(self.photo.pixels, 82, scale)
        return self._pictures["photo",], scale

    def whole_photo(self, quality: int) -> bytes | None:
        """The photo in its full size as JPEG, without any metadata."""
        if self.photo is None:
            return None
        if ("whole", quality) not in self._pictures:
            self._pictures["whole", quality] = jpeg_of(self.photo.pixels, quality)
        return self._pictures["whole", quality]

    def picture_of(self, name: str, draw: Callable[[], bytes]) -> bytes:
        """A picture of the position as it is now, drawn again only when position or outline have changed."""
        outline = None if self.corners is None else self.corners.tobytes()
        key = (name, self.state, outline)
        if key not in self._pictures:
            self._pictures = {k: v for k, v in self._pictures.items() if k[0] != name} | {key: draw()}
        return self._pictures[key]


def _certain(guess: Guess) -> Guess:
    return Guess((replace(guess.chosen, p=1.0),))


def jpeg_of(pixels: npt.NDArray[np.uint8], quality: int, scale: float = 1.0) -> bytes:
    """A JPEG without any metadata."""
    image = Image.fromarray(pixels)
    if scale < 1:
        image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.BILINEAR)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
