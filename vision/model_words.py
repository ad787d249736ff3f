"""What the card of a model says, in words: for ``cityscan models``, for the model card and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vision.model_files import Card, Model


def whose(model: Model) -> str:
    """Which set the model is for."""
    return "shipped" if model.profile is None else f"own set {model.profile}"


def facts(model: Model) -> Iterator[str]:
    """Sentences about a usable model: its file, what it learnt from, and its figures."""
    card = model.card
    yield ", ".join(
        [str(card.get("date", "no date")), size(card), str(card.get("licence", "no licence")), "checksum ok"]
    )
    yield f"learnt from {_learnt_from(card)}"
    told = figures(card)
    if told:
        yield f"on {count(card.get('validation_photos'))} photos that it did not learn from: {told}"


def size(card: Card) -> str:
    found = card.get("bytes")
    return f"{found / 1e6:.2f} MB" if isinstance(found, int) else "unknown size"


def sources(card: Card) -> list[Mapping[str, Any]]:
    """The folders of photos that a card names. Cards of own sets come from files that people may have changed."""
    data = card.get("data")
    return [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []


def figures(card: Card) -> str:
    """The figures of a card in a line; empty without any."""
    found = card.get("validation")
    if not isinstance(found, Mapping):
        return ""
    return ", ".join(f"{words(name)} {value:.4g}" for name, value in found.items() if isinstance(value, int | float))


def words(name: str) -> str:
    return name.replace("_", " ")


def count(number: object) -> str:
    return f"{number:,}" if isinstance(number, int) else "?"


def _learnt_from(card: Card) -> str:
    told = f"{count(card.get('photos'))} photos"
    seeds = dict.fromkeys(str(entry["seed"]) for entry in sources(card) if "seed" in entry)
    if seeds:
        told += f" (studio seeds {', '.join(seeds)})"
    if "epochs" in card:
        told += f", {card.get('epochs_run', card['epochs'])} epochs"
    return told + f", training seed {card['seed']}" if "seed" in card else told
