"""What was learnt for own sets: ``models/SET/board-GAME.npz`` in the user's data folder, with ``cards.json`` beside it.

Nothing is unpickled, and nothing is used that is damaged, foreign or made for other networks than the installed ones.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.data_folder import write_whole
from calibration.profiles import check_own_name, profile_names
from engine.errors import CityscanError, Unreadable, Unsupported
from engine.strict_json import printable
from vision.adapt.heads import Adapter, Addition, questions_of, seen_by
from vision.boards import VIEWS
from vision.model_files import CARDS, OWN_REMEDY, Card, learnt_sets, read_cards, read_model, user_models
from vision.networks import Logits, model_cards

# An adapter has some ten thousand numbers; what is much larger is none.
MOST_BYTES: Final = 4_000_000
PARTS: Final = ("weights", "own", "bias", "shown")

_Trial = Mapping[tuple[str, str], Adapter | None]
# Adapters that are tried out before they are kept (or not), by set and game.
_on_trial: ContextVar[_Trial | None] = ContextVar("on_trial", default=None)


def adapted(
    game: str, profile: str | None, logits: Mapping[str, Logits], found: Mapping[str, Logits]
) -> dict[str, Logits]:
    """A network's answers as learnt for a set; unchanged without one, or where nothing was learnt for its game."""
    adapter = None if profile is None else adapter_for(profile, game)
    return dict(logits) if adapter is None else adapter.apply(logits, found)


def adapter_for(profile: str, game: str) -> Adapter | None:
    """What was learnt for a set, None if nothing was. Raises a sentence if it cannot be used, or for no set at all."""
    trial = _on_trial.get() or {}
    if (profile, game) in trial:
        return trial[profile, game]
    known = profile_names()
    folder = user_models() / profile
    if profile not in known:
        check_own_name(profile)
        if not folder.is_dir():
            possible = ", ".join(sorted({*known, *learnt_sets()}))
            raise Unreadable(f'there is no set "{profile}"; possible are {possible}.')
    return _loaded(folder, game, _stamps(folder, game), base_of(game))


def check_profile(profile: str) -> None:
    """Raises a sentence where there is no such set, or where what was learnt for it cannot be used."""
    for game in VIEWS:
        adapter_for(profile, game)


@contextmanager
def on_trial(profile: str, adapters: Mapping[str, Adapter | None]) -> Iterator[None]:
    """Read with these adapters (by game; None: with none) for a set, whatever is in the data folder."""
    token = _on_trial.set({(profile, game): adapter for game, adapter in adapters.items()})
    try:
        yield
    finally:
        _on_trial.reset(token)


def save(profile: str, adapter: Adapter, about: Card) -> Path:
    """Keep an adapter and its card; an earlier one is replaced. Returns its file."""
    check_own_name(profile)
    folder = user_models() / profile
    content = _packed(adapter)
    try:
        cards = read_cards(folder)
    except Unsupported:
        cards = {}  # nobody could use what it described
    name = model_name(adapter.game)
    cards[name] = {
        "file": f"{name}.npz",
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "base": base_of(adapter.game),
        **about,
    }
    write_whole(folder / f"{name}.npz", content)
    write_whole(folder / CARDS, json.dumps(cards, indent=1, sort_keys=True) + "\n")
    return folder / f"{name}.npz"


def card_in_use(profile: str, game: str) -> Card | None:
    """The card of what was learnt for a set, None where nothing was or where it cannot be used."""
    try:
        if adapter_for(profile, game) is None:
            return None
        return read_cards(user_models() / profile).get(model_name(game))
    except CityscanError:
        return None


def model_name(game: str) -> str:
    return f"board-{game}"


def base_of(game: str) -> str:
    """The checksum of the installed network that adapters of a game belong to."""
    return str(model_cards().get(model_name(game), {}).get("sha256", ""))


def _stamps(folder: Path, game: str) -> tuple[int, ...]:
    """What changes when the files do."""
    files = (folder / CARDS, folder / f"{model_name(game)}.npz")
    return tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files)


@lru_cache(maxsize=16)
def _loaded(folder: Path, game: str, stamps: tuple[int, ...], base: str) -> Adapter | None:  # noqa: ARG001
    card = read_cards(folder, OWN_REMEDY).get(model_name(game))
    if card is None:
        return None
    if card.get("base") != base:
        raise Unsupported(
            f'what was learnt for the set "{folder.name}" belongs to other networks than the installed ones; '
            f"learn it again: cityscan train --photos DIR --profile {folder.name}"
        )
    content = read_model(folder, card, OWN_REMEDY)
    try:
        return Adapter(game, _unpacked(content, game))
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        told = printable(str(error), 100).rstrip(".")
        raise Unsupported(
            f'the model file "{card["file"]}" does not hold what is learnt for a set ({told}); {OWN_REMEDY}'
        ) from None


def _packed(adapter: Adapter) -> bytes:
    arrays = {f"{name}.{part}": getattr(a, part) for name, a in adapter.additions.items() for part in PARTS}
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _unpacked(content: bytes, game: str) -> dict[str, Addition]:
    """The additions in the bytes of an .npz, every shape checked."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
            raise ValueError("it is too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        parts = {name: arrays[name] for name in arrays.files}
    view = VIEWS[game]
    questions = questions_of(view)
    found: dict[str, Addition] = {}
    channels: dict[str, int] = {}
    for question in dict.fromkeys(name.rpartition(".")[0] for name in parts):
        if question not in questions:
            raise ValueError(f'there is no question "{question}"')
        found[question] = _addition([parts[f"{question}.{part}"] for part in PARTS], questions[question], question)
        width = found[question].weights.shape[1]
        if channels.setdefault(seen_by(view, question), width) != width:
            raise ValueError("its questions do not agree on what the network sees")
    return found


def _addition(parts: list[Any], answers: int, question: str) -> Addition:
    weights, own, bias, shown = parts
    shapes = [part.shape for part in parts]
    wanted = [(answers, *weights.shape[1:2]), (answers, answers), (answers,), (answers,)]
    if weights.ndim != 2 or shapes != wanted or [p.dtype for p in parts] != [np.float32] * 3 + [np.bool_]:
        raise ValueError(f'"{question}" has the shapes {shapes}')
    if not all(np.isfinite(part).all() for part in (weights, own, bias)):
        raise ValueError(f'"{question}" holds numbers that are none')
    if not shown.any():
        raise ValueError(f'"{question}" was shown no answer')
    return Addition(weights, own, bias, shown)
