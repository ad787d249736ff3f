"""A profile from measured colours: what was not measured is taken from the set that looks most alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from calibration.colour_measures import Seen, distance, to_lab, to_linear, to_srgb
from calibration.profiles import built_in_names, load_profile
from calibration.set_sheet import SHEETS, Kind
from calibration.sets import PARTS, TOWER_COLOURS, BlokusSet, ChessBoard, CoinSet, Plastic, Profile, PyramidSet, TileSet
from engine.errors import UsageError

Colour = tuple[float, float, float]

# Where both colours of a piece could be the ones that all pieces share (black ranks on coins), the one that fills
# most of it is; it may differ this much more (CIELAB).
MAIN_IS_GROUND: Final = 8.0
# Light differs by at most this factor between a photo and the daylight that profiles speak of.
MOST_LIGHT: Final = 4.0
# Pyramids of these colours are opaque, all others translucent.
OPAQUE: Final = ("white", "black", "grey")


@dataclass(frozen=True, slots=True)
class SetColours:
    """What was seen of a set: for each kind of piece and colour name its colours; for boards also their size."""

    game: str
    seen: Mapping[tuple[Kind, str], Seen]
    cells: tuple[int, int] | None = None  # columns and rows of a Sprawl board
    corners: tuple[str, ...] = ()  # the colours of City Blocks' corners

    def of(self, kind: Kind) -> dict[str, Seen]:
        """Everything of one kind by its colour."""
        return {colour: seen for (found, colour), seen in self.seen.items() if found == kind}


@dataclass(frozen=True, slots=True)
class Dressed:
    """The profile, and a sentence for each thing that was not measured."""

    profile: Profile
    notes: tuple[str, ...]


def dressed(name: str, colours: Sequence[SetColours], own: Profile | None, like: Profile | None = None) -> Dressed:
    """The profile ``name`` of the measured set. ``own`` is what was measured under that name before, which stays where
    nothing newer is known; ``like`` the set to take unmeasured things from, if the user chose one."""
    profile = own
    notes: list[str] = []
    for measured in colours:
        base = _base(measured, profile, like)
        parts = _parts(measured, base, profile)
        if profile is None:
            profile = Profile(name, f"Own set: {name}", (measured.game,), base.tables, base.environments)
        games = profile.games if measured.game in profile.games else (*profile.games, measured.game)
        editions = profile.editions or (base.editions if measured.game == "alien-city" else ())
        profile = replace(profile, games=games, editions=editions, **parts)
        notes += _missing(measured, base)
    if profile is None:
        raise UsageError("no photo gave any colours.")
    return Dressed(profile, tuple(dict.fromkeys(notes)))


def _base(measured: SetColours, own: Profile | None, like: Profile | None) -> Profile:
    """The set that unmeasured things of the game come from."""
    if like is not None:
        if measured.game not in like.games:
            raise UsageError(f'"{like.name}" is no set for {measured.game}; take another one to be like.')
        return like
    if own is not None and measured.game in own.games:
        return own
    shipped = (load_profile(name) for name in built_in_names())
    # Held-out sets stay what they are for: nothing is made from them unless the user says so.
    fitting = [profile for profile in shipped if measured.game in profile.games and not profile.held_out]
    return min(fitting, key=lambda profile: _difference(measured, profile))


def _difference(measured: SetColours, base: Profile) -> float:
    """How far a set's colours are from the measured ones, on the average over all that both have, whatever the light
    of the photo was: each channel may be brighter or darker as a whole."""
    before = named_colours(base, measured.game)
    after = named_colours(replace(base, **_parts(measured, base, None)), measured.game)
    names = [name for name in before if name in after]
    wanted, seen = (to_linear(np.array([colours[name] for name in names])) for colours in (before, after))
    gain = np.clip((wanted * seen).sum(axis=0) / (seen**2).sum(axis=0), 1 / MOST_LIGHT, MOST_LIGHT)
    return float(np.linalg.norm(to_lab(to_srgb(wanted)) - to_lab(to_srgb(seen * gain)), axis=1).mean())


def named_colours(profile: Profile, game: str) -> dict[str, Colour]:
    """The colours that make the looks of a set for one game, from 0 to 1, by what has them."""
    found: dict[str, Colour] = {}
    if "tiles" in PARTS[game] and profile.tiles and profile.coins:
        found |= {f"tile {name}": colour for name, colour in profile.tiles.colours.items()}
        found |= {"tiles": profile.tiles.ground_colour, "coins": profile.coins.ground_colour}
    if "pyramids" in PARTS[game] and profile.pyramids:
        found |= {name: plastic.colour for name, plastic in profile.pyramids.plastic.items()}
    if "blokus" in PARTS[game] and profile.blokus:
        found |= {**profile.blokus.piece_colours, "board": profile.blokus.board_colour}
    if "chess" in PARTS[game]:
        found |= {"light": profile.chess[0].light, "dark": profile.chess[0].dark}
    return found


def _parts(measured: SetColours, base: Profile, own: Profile | None) -> dict[str, Any]:
    """The tables of the profile that the game needs, in the measured colours."""
    if measured.game == "city-blocks":
        assert base.blokus is not None
        return {"blokus": _blokus(measured, base.blokus)}
    assert base.pyramids is not None
    parts: dict[str, Any] = {"pyramids": _pyramids(measured, base.pyramids, own.pyramids if own else None)}
    if measured.game == "sprawl":
        return {**parts, "chess": _chess(measured, base.chess)}
    assert base.tiles is not None
    assert base.coins is not None
    return {**parts, "tiles": _tiles(measured, base.tiles), "coins": _coins(measured, base.coins)}


def _tiles(measured: SetColours, base: TileSet) -> TileSet:
    found = _print_of(measured.of("tile"), base.ground.startswith("inverted"))
    if found is None:
        return base
    wooden = base.ground.endswith("wood")
    kind: Literal["plain", "wood", "inverted", "inverted-wood", "speckled"] = base.ground
    if found.inverted != base.ground.startswith("inverted"):
        kind = ("inverted-wood" if wooden else "inverted") if found.inverted else ("wood" if wooden else "plain")
    colours = {guild: found.suits.get(guild, colour) for guild, colour in base.colours.items()}
    return replace(base, ground=kind, ground_colour=found.ground, colours=colours)


def _coins(measured: SetColours, base: CoinSet) -> CoinSet:
    found = _print_of(measured.of("dome"), base.ground == "inverted")
    if found is None:
        return base
    kind: Literal["plain", "wood", "inverted"] = base.ground
    if found.inverted != (base.ground == "inverted"):
        kind = "inverted" if found.inverted else "plain"
    return replace(base, ground=kind, ground_colour=found.ground)


def _pyramids(measured: SetColours, base: PyramidSet, own: PyramidSet | None) -> PyramidSet:
    """Towers and caps, or all pyramids. Colours that the user was not seen to have are not in the set, but for those
    that the game cannot do without."""
    caps = tuple(measured.of("cap"))
    if measured.game == "alien-city" and len(caps) < 2:
        caps = tuple(dict.fromkeys((*caps, *base.caps)))
    seen = {**measured.of("cap"), **measured.of("tower"), **measured.of("pyramid")}
    needed = (*TOWER_COLOURS, *caps) if measured.game == "alien-city" else ()
    plastic = dict(own.plastic) if own else {}
    for colour in (*needed, *seen) if seen else (*needed, *base.plastic):
        usual = base.plastic.get(colour) or Plastic((0.5, 0.5, 0.5), translucent=colour not in OPAQUE)
        plastic[colour] = replace(usual, colour=eight_bits(seen[colour].main)) if colour in seen else usual
    kept = own.caps if own and measured.game == "sprawl" else caps
    return replace(base, plastic=plastic, caps=kept)


def _blokus(measured: SetColours, base: BlokusSet) -> BlokusSet:
    pieces = {colour: eight_bits(seen.main) for colour, seen in measured.of("piece").items()}
    changes: dict[str, Any] = {"piece_colours": {**base.piece_colours, **pieces}}
    board = measured.seen.get(("board", ""))
    if board is not None:
        changes["board_colour"] = eight_bits(board.main)
        changes["rib_colour"] = eight_bits(board.second or board.main)
    if sorted(measured.corners) == sorted(base.corners):
        changes["corners"] = measured.corners
    return replace(base, **changes)


def _chess(measured: SetColours, base: Sequence[ChessBoard]) -> tuple[ChessBoard, ...]:
    """The base's boards in the colours of the one that was seen, or one board of the size that was seen."""
    board = measured.seen.get(("board", ""))
    boards = tuple(base)
    if measured.cells is not None:
        columns, rows = measured.cells
        nearest = next((b for b in base if (b.columns, b.rows) == measured.cells), base[0])
        boards = (replace(nearest, columns=columns, rows=rows),)
    if board is None:
        return boards
    if board.second is None:  # squares of one colour, divided by lines
        return tuple(replace(b, light=eight_bits(board.main), pattern="lines", border_colour=None) for b in boards)
    light, dark = sorted((board.main, board.second), key=_lightness, reverse=True)
    return tuple(
        replace(b, light=eight_bits(light), dark=eight_bits(dark), pattern="checkered", border_colour=None)
        for b in boards
    )


def _missing(measured: SetColours, base: Profile) -> list[str]:
    """What the sheet has a place for and nobody saw; caps and pyramids are the user's choice."""
    places = [place for place in SHEETS[measured.game].places if place.kind not in ("cap", "pyramid")]
    gone = [place.name for place in places if (place.kind, place.colour) not in measured.seen]
    if measured.game == "alien-city" and len(measured.of("cap")) < 2:
        gone.append("caps of two colours")
    if measured.game == "sprawl" and not measured.of("pyramid"):
        gone.append("pyramids")
    return [f'not seen, taken from "{base.name}": {", ".join(gone)}.'] if gone else []


@dataclass(frozen=True, slots=True)
class _Print:
    """How pieces of several suits are printed: the colour that they share, and the suits' own. On inverted pieces the
    suits' colours fill the piece and the symbol has the shared one."""

    ground: Colour
    suits: Mapping[str, Colour]
    inverted: bool


def _print_of(pieces: Mapping[str, Seen], usual: bool) -> _Print | None:
    """How the pieces are printed; a single piece does not tell which colour is shared, so it is as ``usual``."""
    pairs = [(seen.main, seen.second or seen.main) for seen in pieces.values()]
    if not pairs:
        return None
    if len(pairs) == 1:
        second = [usual]
    else:
        shared = min((colour for pair in pairs for colour in pair), key=lambda c: sum(_cost(c, pair) for pair in pairs))
        second = [distance(shared, pair[1]) + MAIN_IS_GROUND < distance(shared, pair[0]) for pair in pairs]
    grounds = [pair[is_second] for pair, is_second in zip(pairs, second, strict=True)]
    suits = {
        guild: eight_bits(pair[not is_second])
        for (guild, seen), pair, is_second in zip(pieces.items(), pairs, second, strict=True)
        if seen.second is not None
    }
    ground = eight_bits(tuple(float(channel) for channel in np.median(grounds, axis=0)))
    return _Print(ground, suits, 2 * sum(second) > len(second))


def _cost(shared: Colour, pair: tuple[Colour, Colour]) -> float:
    """How badly a piece of these two colours has the shared one."""
    return min(distance(shared, pair[0]), distance(shared, pair[1]) + MAIN_IS_GROUND)


def _lightness(colour: Colour) -> float:
    return float(to_lab(np.asarray(colour))[0])


def eight_bits(colour: tuple[float, ...]) -> Colour:
    """The colour as a profile can write it."""
    red, green, blue = (round(255 * min(max(channel, 0.0), 1.0)) / 255 for channel in colour)
    return red, green, blue
