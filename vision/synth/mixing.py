"""Sets that nobody sells: the looks of all training sets, mixed anew for every photo.

A reader that learns from eleven sets learns those eleven. Mixed sets draw every part of a set (icons, digits, grounds,
coins, plastics, boards) from another one and shift their colours a little, so that no combination can be learnt by
heart. Held-out looks are never drawn.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from calibration.looks import DIGITS, ENVIRONMENTS, ICONS, TABLES, motif
from calibration.profiles import BlokusSet, ChessBoard, CoinSet, Plastic, Profile, PyramidSet, TileSet
from vision.synth.art.digits import base_font, varied

NAME: Final = "mixed"

# The motifs that stand for a guild in any edition.
MOTIFS: Final = {
    "red": ("sun", "bolt"),
    "blue": ("arms", "circle"),
    "green": ("crown", "star"),
    "black": ("moon", "tool", "pyramid"),
}

T = TypeVar("T")
Rgb = tuple[float, float, float]


def mixed_profile(rng: np.random.Generator, game: str, sets: Sequence[Profile]) -> Profile:
    """A new set for a game out of the parts of others, none of them held out."""
    sets = [profile for profile in sets if not profile.held_out]
    base = _pick(rng, [profile for profile in sets if game in profile.games])
    pyramids = base.pyramids
    if game != "city-blocks":
        pyramids = _pyramids(rng, [p.pyramids for p in sets if p.pyramids and game in p.games], game)
    return replace(
        base,
        name=NAME,
        title="A mix of other sets",
        games=(game,),
        tables=TABLES.training,
        environments=ENVIRONMENTS.training,
        tiles=_tiles(rng, [p.tiles for p in sets if p.tiles]) if game == "alien-city" else None,
        coins=_coins(rng, [p.coins for p in sets if p.coins]) if game == "alien-city" else None,
        pyramids=pyramids,
        blokus=_blokus(rng, [p.blokus for p in sets if p.blokus]) if game == "city-blocks" else None,
        chess=_chess(rng, [board for p in sets for board in p.chess]) if game == "sprawl" else (),
    )


def _tiles(rng: np.random.Generator, sets: Sequence[TileSet]) -> TileSet:
    base, inks = _pick(rng, sets), _pick(rng, sets)
    icons = {
        guild: _pick(rng, [icon for icon in ICONS.training if motif(icon) in motifs])
        for guild, motifs in MOTIFS.items()
    }
    # An inverted set's inks are its fields: they fit other inverted sets only.
    inks = inks if ("inverted" in inks.ground) == ("inverted" in base.ground) else base
    size = float(np.clip(base.icon_size * rng.uniform(0.85, 1.15), 0.2, 2 * (0.5 - base.icon_margin)))
    return replace(
        base,
        ground_colour=_shifted(rng, base.ground_colour, 0.3),
        colours={guild: _shifted(rng, colour) for guild, colour in inks.colours.items()},
        icons=icons,
        digits=varied(_pick(rng, DIGITS.training), int(rng.integers(1, 2**31))),
        ace=_pick(rng, sets).ace,
        rank_colour=base.rank_colour,
        icon_size=size,
        rank_size=float(np.clip(base.rank_size * rng.uniform(0.85, 1.2), 0.15, 0.6)),
        frame=_pick(rng, sets).frame,
        lot_lines=_pick(rng, sets).lot_lines,
        wear=float(rng.uniform(0, 0.6)),
        gloss=float(rng.uniform(0, 0.8)),
    )


def _coins(rng: np.random.Generator, sets: Sequence[CoinSet]) -> CoinSet:
    base = _pick(rng, sets)
    return replace(
        base,
        ground_colour=_shifted(rng, base.ground_colour, 0.3),
        diameter_mm=float(rng.uniform(17.5, 23.5)),
        thickness_mm=float(rng.uniform(1.2, 4.5)),
        rim=_pick(rng, sets).rim,
        icon_size=float(np.clip(base.icon_size * rng.uniform(0.85, 1.15), 0.4, 0.9)),
        wear=float(rng.uniform(0, 0.6)),
        gloss=float(rng.uniform(0, 0.8)),
    )


def _pyramids(rng: np.random.Generator, sets: Sequence[PyramidSet], game: str) -> PyramidSet:
    base = _pick(rng, sets)
    plastics: dict[str, Plastic] = {}
    # Every colour that any set has, from one of the sets that have it; most of them from one maker.
    for colour in sorted({colour for pyramids in sets for colour in pyramids.plastic}):
        makers = [pyramids for pyramids in sets if colour in pyramids.plastic]
        maker = base if colour in base.plastic and rng.random() < 0.6 else _pick(rng, makers)
        plastics[colour] = _plastic(rng, maker.plastic[colour])
    caps = base.caps
    if game == "alien-city":
        caps = tuple(str(colour) for colour in rng.choice(sorted(plastics), size=2, replace=False))
    return replace(base, plastic=plastics, caps=caps, pips=_pick(rng, sets).pips)


def _plastic(rng: np.random.Generator, plastic: Plastic) -> Plastic:
    return replace(
        plastic,
        colour=_shifted(rng, plastic.colour),
        density=float(np.clip(plastic.density * rng.uniform(0.75, 1.3), 0.05, 1)),
        roughness=float(np.clip(plastic.roughness * rng.uniform(0.6, 1.6), 0.02, 0.8)),
    )


def _blokus(rng: np.random.Generator, sets: Sequence[BlokusSet]) -> BlokusSet:
    base, inks = _pick(rng, sets), _pick(rng, sets)
    return replace(
        base,
        board_colour=_shifted(rng, base.board_colour, 0.3),
        rib_colour=_shifted(rng, base.rib_colour, 0.3),
        border_colour=_shifted(rng, _pick(rng, sets).border_colour, 0.5),
        piece_colours={name: _shifted(rng, colour, 1.8) for name, colour in inks.piece_colours.items()},
        piece_density=float(np.clip(base.piece_density * rng.uniform(0.7, 1.25), 0.05, 1)),
        piece_roughness=float(np.clip(base.piece_roughness * rng.uniform(0.6, 1.8), 0.02, 0.8)),
        corners=tuple(str(colour) for colour in rng.permutation(base.corners)),
        corner_marks=_pick(rng, sets).corner_marks,
        inner_mark=float(rng.uniform(0, 0.6)) if base.piece_material in ("translucent", "opaque") else base.inner_mark,
        gloss=float(rng.uniform(0, 0.9)),
    )


def _chess(rng: np.random.Generator, boards: Sequence[ChessBoard]) -> tuple[ChessBoard, ...]:
    """One board of each size, in shifted colours of another."""
    found = []
    for size in sorted({(board.columns, board.rows) for board in boards}):
        board = _pick(rng, [b for b in boards if (b.columns, b.rows) == size])
        inks = _pick(rng, boards) if board.pattern == "checkered" else board
        found.append(
            replace(
                board,
                light=_shifted(rng, inks.light, 0.5),
                dark=_shifted(rng, inks.dark),
                border_colour=None,
                notation=_pick(rng, boards).notation if board.border_mm >= 8 else board.notation,
                gloss=float(rng.uniform(0, 0.8)),
                wear=float(rng.uniform(0, 0.5)),
            )
        )
    return tuple(found)


def _pick(rng: np.random.Generator, things: Sequence[T]) -> T:
    return things[int(rng.integers(len(things)))]


def _shifted(rng: np.random.Generator, colour: Rgb, amount: float = 1.0) -> Rgb:
    """A neighbouring colour that a person would still call the same."""
    hue, saturation, value = colorsys.rgb_to_hsv(*colour)
    hue = (hue + rng.normal(0, 0.012 * amount)) % 1.0
    saturation = float(np.clip(saturation * np.exp(rng.normal(0, 0.15 * amount)), 0, 1))
    value = float(np.clip(value * np.exp(rng.normal(0, 0.12 * amount)), 0.03, 1))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return red, green, blue


def looks_of(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """The looks that a profile uses, by kind: what must not be held out in training data."""
    tiles = profile.tiles
    return {
        "icons": tuple(tiles.icons.values()) if tiles else (),
        "digits": (base_font(tiles.digits),) if tiles else (),
        "tables": tuple(profile.tables),
        "environments": tuple(profile.environments),
    }
