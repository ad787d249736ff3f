"""Photos that are handed in together: what each of them gave, or why it was refused, told until the next try."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine.errors import CityscanError, UsageError
from page.text import plain, sentence
from vision.photo import Photo, load_photo

T = TypeVar("T")

MOST_PHOTOS = 40


@dataclass(slots=True)
class Outcome:
    """Sentences about the last try: what was done, what to know about it, and what was refused."""

    done: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def keep(self, part: str) -> None:
        """Show this under a part of the page from now on."""
        st.session_state[f"outcome:{part}"] = self


def show_outcome(part: str) -> None:
    """The last outcome of a part of the page, if there is one."""
    found = st.session_state.get(f"outcome:{part}")
    if not isinstance(found, Outcome):
        return
    for words in found.refused:
        st.error(plain(words), icon=":material/error:")
    for words in found.done:
        st.success(plain(words), icon=":material/check:")
    for words in found.notes:
        st.caption(plain(words))


def attempt(part: str, work: Callable[[Outcome], None]) -> None:
    """Do something with photos; whatever it refuses becomes part of the outcome."""
    outcome = Outcome()
    try:
        work(outcome)
    except (CityscanError, OSError) as error:
        outcome.refused.append(sentence(error.message if isinstance(error, CityscanError) else str(error)))
    outcome.keep(part)


def each_photo(
    uploads: Sequence[UploadedFile], outcome: Outcome, words: str, work: Callable[[Photo, str], T]
) -> list[T]:
    """What the work gives for each photo. One that is refused is named and never stops the rest."""
    if len(uploads) > MOST_PHOTOS:
        raise UsageError(f"these are {len(uploads)} photos; at most {MOST_PHOTOS} can be looked at together.")
    results = []
    for upload in with_progress(uploads, words):
        try:
            results.append(work(load_photo(upload.getvalue()), upload.name))
        except CityscanError as error:
            outcome.refused.append(f"{upload.name}: {error.message}")
    return results


def with_progress(uploads: Sequence[UploadedFile], words: str) -> Iterable[UploadedFile]:
    """The uploads, with a bar that tells which of them is looked at."""
    bar = st.progress(0.0, words)
    for number, upload in enumerate(uploads):
        bar.progress(number / len(uploads), plain(f"{words}: {upload.name}"))
        yield upload
    bar.empty()
