"""Model files and their cards: nothing is used that is not byte for byte what its card describes, nothing is unpickled.

A folder of models has a ``cards.json``: for every model its name with ``file``, ``sha256``, ``bytes``, ``date``,
``licence``, what it learnt from and its figures. The networks that come with Cityscan lie in ``vision/models``; what
was learnt for a user's own set lies in the data folder, in ``models/PROFILE``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal

from calibration.data_folder import data_folder
from engine.errors import CityscanError, Unsupported
from engine.strict_json import decode_text, parse_object, printable

CARDS: Final = "cards.json"
Card = Mapping[str, Any]
# What to do about a damaged file.
SHIPPED_REMEDY: Final = "install Cityscan again."
OWN_REMEDY: Final = "train the profile again, or delete its folder."


def user_models() -> Path:
    """The folder with one folder of models for each own set (it need not exist)."""
    return data_folder() / "models"


def learnt_sets() -> list[str]:
    """The own sets that something was learnt for, as the folders there are named."""
    folder = user_models()
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []


def read_cards(folder: Traversable, remedy: str = SHIPPED_REMEDY) -> dict[str, Card]:
    """The cards of a folder by name; none where there is no ``cards.json``. Raises Unsupported with a sentence."""
    file = folder / CARDS
    if not file.is_file():
        return {}
    try:
        cards = parse_object(decode_text(file.read_bytes()))
    except (CityscanError, OSError) as error:
        told = error.message if isinstance(error, CityscanError) else str(error.strerror)
        raise Unsupported(f'"{file}" is damaged ({told.rstrip(".")}); {remedy}') from None
    for name, card in cards.items():
        if not (isinstance(card, dict) and _plain_name(card.get("file")) and isinstance(card.get("sha256"), str)):
            raise Unsupported(f'"{file}": the card of "{printable(name)}" names no file with its checksum; {remedy}')
    return cards


def read_model(folder: Traversable, card: Card, remedy: str = SHIPPED_REMEDY) -> bytes:
    """The content of a card's file, after its checksum was verified. Raises Unsupported with a sentence."""
    try:
        content: bytes = (folder / card["file"]).read_bytes()
    except OSError as error:
        raise Unsupported(f'the model file "{card["file"]}" cannot be read ({error.strerror}); {remedy}') from None
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise Unsupported(f'the model file "{card["file"]}" is damaged or foreign; {remedy}')
    return content


def _plain_name(name: object) -> bool:
    """A card may name a file beside it, and none elsewhere."""
    return isinstance(name, str) and name not in ("", ".", "..") and not set(name) & set("/\\\0:")


@dataclass(frozen=True, slots=True)
class Model:
    """One model that is there, or should be. ``problem`` is a sentence where it cannot be used."""

    name: str
    kind: Literal["shipped", "own"]
    profile: str | None = None  # the own set that it was learnt for
    card: Card = field(default_factory=dict)
    problem: str | None = None

    @property
    def usable(self) -> bool:
        return self.problem is None

    @property
    def in_use(self) -> str:
        """When it is used."""
        if not self.usable:
            return "never"
        return "always" if self.profile is None else f"with --profile {self.profile}"


def installed_models(shipped: Traversable) -> list[Model]:
    """The shipped networks and all that was learnt for own sets, each verified."""
    models = list(_models(shipped, "shipped", None))
    bases = {model.name: model.card.get("sha256") for model in models}
    for profile in learnt_sets():
        models += (_on_its_base(model, bases) for model in _models(user_models() / profile, "own", profile))
    return models


def _on_its_base(model: Model, bases: Mapping[str, Any]) -> Model:
    """What was learnt on top of a network is nothing without that network."""
    if not model.usable or model.card.get("base", bases.get(model.name)) == bases.get(model.name):
        return model
    return replace(model, problem="it belongs to other networks than the installed ones; train the profile again.")


def _models(folder: Traversable, kind: Literal["shipped", "own"], profile: str | None) -> Iterator[Model]:
    remedy = SHIPPED_REMEDY if profile is None else OWN_REMEDY
    try:
        cards = read_cards(folder, remedy)
    except Unsupported as problem:
        yield Model(CARDS, kind, profile, problem=problem.message)
        return
    for name, card in sorted(cards.items()):
        try:
            read_model(folder, card, remedy)
        except Unsupported as problem:
            yield Model(name, kind, profile, card, problem.message)
        else:
            yield Model(name, kind, profile, card)
    # A file without a card is nobody's: it is never used, and a person should know.
    known = {str(card["file"]) for card in cards.values()}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else ():
        if file.is_file() and file.name.endswith((".onnx", ".npz")) and file.name not in known:
            yield Model(file.name, kind, profile, problem=f'the model file "{file.name}" has no card; it is not used.')
