"""``cityscan models``: which networks are installed, what their cards say, whether their files are whole."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.model_files import Model

SOME_DAMAGED = 3
NOTHING = "no networks are installed: photos cannot be read, only state files."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan models``."""
    parser.description = (
        "List the networks that come with Cityscan and those that were trained for your own sets, with what their "
        "cards say. Every file's checksum is verified."
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="everything that the cards say, as one JSON object")
    shape.add_argument("--markdown", action="store_true", help="the model card of the shipped networks as a document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List all models. Returns the exit code, which tells whether a file is damaged."""
    from vision.model_files import installed_models
    from vision.networks import models_folder

    models = installed_models(models_folder())
    if options.json:
        print(json.dumps({"models": [_as_json(model) for model in models]}))
    elif options.markdown:
        print("\n".join(document([model for model in models if model.kind == "shipped"])))
    else:
        print("\n".join(line for model in models for line in _lines(model)) or f"cityscan: {NOTHING}")
    return 0 if all(model.usable for model in models) else SOME_DAMAGED


def _as_json(model: Model) -> dict[str, Any]:
    return {
        "name": model.name,
        "kind": model.kind,
        "profile": model.profile,
        "in_use": model.in_use,
        "ok": model.usable,
        "problem": model.problem,
        "card": dict(model.card),
    }


# --- for people -----------------------------------------------------------------------------


def _lines(model: Model) -> Iterator[str]:
    from vision.model_words import facts, whose

    if model.problem is not None:
        yield f"{model.name} ({whose(model)}): not used, because {model.problem}"
        return
    yield f"{model.name} ({whose(model)}), in use: {model.in_use}"
    for fact in facts(model):
        yield f"    {fact}"


# --- the model card as a document -----------------------------------------------------------

_HEAD = """\
# The networks of Cityscan

<!-- Made from cards.json: cityscan models --markdown > vision/models/README.md -->

Small networks that find a board in a photo and read what stands on it; `docs/architecture.md` tells how they work
together. They were trained from nothing by the code of `cityscan train --full` (`docs/training.md`), some in several
runs one after the other, as the notes say, on photos that Cityscan's own studio rendered (`docs/studio.md`); no photo
and no weights of others went into them. The figures below are those of each network alone, on photos whose light and
colours were varied as in training; how well whole photos are read stands in `docs/accuracy.md`.

**Meant for** reading positions of Alien City, City Blocks and Sprawl from photos, with doubt shown; for nothing else.
**Limits:** they have learnt from rendered photos only. A set that looks like none of the profiles is read worse; it can
be learnt from a few photos with `cityscan train --photos`. A person should look at what is marked as doubtful.

`cityscan models` verifies the files' checksums; a file that does not match its card is not run.
"""


def document(models: list[Model]) -> Iterator[str]:
    """The model card of the shipped networks."""
    from vision.model_words import count

    yield _HEAD
    if not models:
        yield f"At the moment {NOTHING}"
        return
    yield "| network | date | MB | photos | epochs | seed | licence |"
    yield "|---|---|---|---|---|---|---|"
    for model in models:
        card = model.card
        cells = [model.name, card.get("date", ""), f"{card.get('bytes', 0) / 1e6:.2f}", count(card.get("photos"))]
        cells += [card.get("epochs_run", card.get("epochs", "")), card.get("seed", ""), card.get("licence", "")]
        yield _row(cells)
    total = sum(model.card.get("bytes", 0) for model in models)
    yield f"\nTogether {total / 1e6:.2f} MB."
    for model in models:
        yield from _section(model)


def _section(model: Model) -> Iterator[str]:
    from vision.model_words import count, sources, words

    card = model.card
    yield f"\n## {model.name}\n"
    if model.problem is not None:
        yield f"**{model.problem}**\n"
    if card.get("note"):
        yield f"{card['note']}\n"
    if sources(card):
        yield "| photos learnt from | number | back end | seed | sets |"
        yield "|---|---|---|---|---|"
        for entry in sources(card):
            sets = "mixed" if entry.get("mixed") else "profiles"
            yield _row([entry.get(key, "") for key in ("folder", "photos", "backend", "seed")] + [sets])
        yield ""
    if card.get("profiles"):
        yield f"Training profiles: {', '.join(card['profiles'])}.\n"
    figures = card.get("validation") or {}
    if figures:
        sets = ", ".join(card.get("validation_profiles", ())) or "not named"
        yield f"On {count(card.get('validation_photos'))} photos of sets that it has never seen ({sets}):\n"
        yield "| figure | value |"
        yield "|---|---|"
        for name, value in figures.items():
            yield _row([words(name), value])
        yield ""
    yield f"SHA-256 `{card.get('sha256', '')}`"


def _row(cells: list[Any]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
