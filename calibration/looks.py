"""The names of everything that a profile can choose from, and which of it is kept away from training.

A look that is held out belongs to held-out profiles alone: a reader that does well on those has never seen
their icons, digits, tables or light. The studio draws each of these names (``vision/synth``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Looks:
    """Names of one kind of look; ``held_out`` ones are never trained on."""

    training: tuple[str, ...]
    held_out: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.training + self.held_out

    def names(self, held_out: bool | None = None) -> tuple[str, ...]:
        """All names, or only those that are (or are not) held out."""
        if held_out is None:
            return self.all
        return self.held_out if held_out else self.training


# The first word of a design is its motif: what a person would call the symbol.
ICONS: Final = Looks(
    training=(
        *("sun-rays", "sun-wedges", "sun-wavy", "sun-disc", "sun-face", "sun-twelve"),
        *("arms-lily", "arms-lily-bold", "arms-fountain", "arms-shield", "arms-jet", "arms-anchor"),
        *("crown-three", "crown-four", "crown-five", "crown-balls", "crown-flat", "crown-outline"),
        *("moon-crescent", "moon-thick", "moon-star", "tool-hammer", "tool-crossed", "tool-gear"),
        *("bolt-plain", "bolt-slim", "bolt-double", "bolt-outline", "bolt-wide"),
        *("circle-disc", "circle-ring", "circle-double", "circle-dot", "circle-shaded"),
        *("star-five", "star-six", "star-outline", "star-eight", "star-round"),
        *("pyramid-plain", "pyramid-stepped", "pyramid-shaded", "pyramid-outline", "pyramid-split"),
    ),
    held_out=(
        *("sun-spiral", "sun-half", "sun-cut"),
        *("arms-fleur-thin", "arms-spring", "arms-cross"),
        *("crown-arched", "crown-spiked", "crown-coronet"),
        *("moon-phase", "tool-spade", "moon-rimmed"),
        *("bolt-ring", "bolt-jagged"),
        *("circle-target", "circle-split"),
        *("star-four", "star-inlaid"),
        *("pyramid-eye", "pyramid-bricks"),
    ),
)

DIGITS: Final = Looks(
    training=("grotesk", "condensed", "rounded", "roman", "didone", "slab", "octagon", "stencil", "script"),
    held_out=("deco", "hollow", "typewriter", "segment"),
)

TABLES: Final = Looks(
    training=(
        "oak-planks",
        "pine-boards",
        "walnut-veneer",
        "beech-veneer",
        "parquet",
        "bamboo",
        "white-laminate",
        "marble",
        "granite",
        "concrete",
        "cork",
        "checked-cloth",
        "linen-cloth",
        "felt",
        "playmat",
        "black-gloss",
        "carpet",
        "newspaper",
    ),
    held_out=("herringbone", "terrazzo", "striped-cloth", "painted-wood", "teak-slats", "leatherette", "straw-mat"),
)

ENVIRONMENTS: Final = Looks(
    training=(
        "room-window",
        "room-lamps",
        "overcast",
        "office-panels",
        "evening-lamp",
        "shop-strip",
        "garden-shade",
        "kitchen-spots",
    ),
    held_out=("studio-softbox", "cafe-windows", "attic-skylight"),
)


def motif(icon: str) -> str:
    """What the design shows, without its variant: ``crown-balls`` is a crown."""
    return icon.split("-", 1)[0]
