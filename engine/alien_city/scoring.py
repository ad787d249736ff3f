"""The score sheet: claimed towers, bonus of unclaimed green towers, location bonus.

Distance = number of vacant lots on the shortest road between two structures, at
least 1. Every number on the sheet comes with the lots it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.alien_city.board import BOARD, bits
from engine.alien_city.pieces import EDITIONS, GUILDS, LOCATION_BONUS, TOWER_COLOURS
from engine.alien_city.playing import built_lots
from engine.alien_city.roads import Roads
from engine.alien_city.state import AlienCityState, Structure
from engine.sheet import Item

CUSTOMER_DISTANCE = 2
# In this edition towers that tie for nearest earn the bonus if one player owns all of them.
SHARED_TIES = "2.2"


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest of some structures: all that tie, their distance, and a road to the first of them."""

    lots: tuple[str, ...]
    distance: int
    road: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """Two or more towers that are equally near to an unclaimed green tower."""

    green: str
    colour: str
    nearest: Nearest
    owners: frozenset[str | None]

    @property
    def single_owner(self) -> str | None:
        return next(iter(self.owners)) if len(self.owners) == 1 else None


class City:
    """A position seen by the scorer: who owns what, and what is how far from what."""

    def __init__(self, state: AlienCityState) -> None:
        self.state = state
        self.roads = Roads(BOARD, built_lots(state))
        # A claim as the very last action does not count.
        self.owner = {s.at: s.claimed_by if s.at != state.last_claim else None for s in state.structures}
        self._of_colour = dict.fromkeys(GUILDS, 0)
        self._towers = dict.fromkeys(TOWER_COLOURS, 0)
        for structure in state.structures:
            bit = 1 << BOARD.number[structure.at]
            self._of_colour[structure.colour] |= bit
            if structure.is_tower:
                self._towers[structure.colour] |= bit

    @cached_property
    def claimed(self) -> tuple[Structure, ...]:
        return tuple(s for s in self.state.structures if self.owner[s.at])

    @cached_property
    def unclaimed_green(self) -> tuple[Structure, ...]:
        return tuple(s for s in self.state.structures if s.piece == ("tower", "green") and not self.owner[s.at])

    def towers_of(self, colour: str) -> int:
        return self._towers[colour]

    def customers(self, tower: Structure) -> tuple[str, ...]:
        """The structures of another colour at distance 1 or 2."""
        lot = BOARD.number[tower.at]
        near = 0
        for layer in self.roads.layers_from(lot)[:CUSTOMER_DISTANCE]:
            near |= BOARD.step(layer)
        return BOARD.names(near & self.roads.built & ~self._of_colour[tower.colour])

    def nearest(self, start: Structure, among: int) -> Nearest | None:
        """The nearest structures of a set by road; None where no road leads to any."""
        lot = BOARD.number[start.at]
        among &= ~(1 << lot)
        layers = self.roads.layers_from(lot)
        for distance, layer in enumerate(layers, start=1):
            found = BOARD.step(layer) & among
            if found:
                road = self.roads.road_to(next(bits(found)), layers, distance)
                return Nearest(BOARD.names(found), distance, tuple(BOARD.lots[n] for n in road))
        return None


def tower_items(city: City) -> Iterator[Item]:
    """Customers times distance to the competition, for every claimed tower."""
    for tower in city.claimed:
        customers = city.customers(tower)
        competition = city.nearest(tower, city.towers_of(tower.colour))
        details = {
            "at": tower.at,
            "colour": tower.colour,
            "customers": list(customers),
            "competitor": competition.lots[0] if competition else None,
            "distance": competition.distance if competition else None,
            "road": list(competition.road) if competition else [],
        }
        points = len(customers) * competition.distance if competition else 0
        yield Item("tower", city.owner[tower.at], points, details, _tower_text(tower, customers, competition))


def _tower_text(tower: Structure, customers: tuple[str, ...], competition: Nearest | None) -> str:
    served = f" ({', '.join(customers)})" if customers else ""
    many = f"{len(customers)} customer{'' if len(customers) == 1 else 's'}"
    way = f"{competition.distance} to {competition.lots[0]}" if competition else "no competitor within reach"
    return f"{tower.colour} tower on {tower.at}: {many}{served} × {way}"


def bonus_points(distance: int) -> int:
    return max(0, 10 - 2 * distance)


def nearest_to_green(city: City) -> Iterator[Tie]:
    """For each unclaimed green tower the nearest red and the nearest blue towers that are worth a bonus."""
    for green in city.unclaimed_green:
        for colour in ("red", "blue"):
            nearest = city.nearest(green, city.towers_of(colour))
            if nearest and bonus_points(nearest.distance):
                owners = frozenset(city.owner[lot] for lot in nearest.lots)
                yield Tie(green.at, colour, nearest, owners)


def bonus_owner(tie: Tie, edition: str) -> str | None:
    """Who is paid for the nearest tower or towers: one owner, and in a tie only where the edition allows it."""
    return tie.single_owner if len(tie.nearest.lots) == 1 or edition == SHARED_TIES else None


def bonus_items(city: City, edition: str) -> Iterator[Item]:
    """The bonus of every unclaimed green tower, paid once also where one player owns all tied towers."""
    for tie in nearest_to_green(city):
        owner = bonus_owner(tie, edition)
        if owner:
            details = {
                "at": tie.green,
                "colour": tie.colour,
                "nearest": list(tie.nearest.lots),
                "distance": tie.nearest.distance,
                "road": list(tie.nearest.road),
            }
            towers = (
                f"{tie.colour} tower{'' if len(tie.nearest.lots) == 1 else 's'} on {' and '.join(tie.nearest.lots)}"
            )
            text = f"{towers}, {tie.nearest.distance} from the unclaimed green tower on {tie.green}"
            yield Item("bonus", owner, bonus_points(tie.nearest.distance), details, text)


def location_items(city: City) -> Iterator[Item]:
    """The tile's rank for every claimed tower whose rank no other claimed tower shares."""
    if LOCATION_BONUS not in city.state.variants:
        return
    ranks = {tower.at: city.state.tile_under(tower.at).rank for tower in city.claimed}
    for lot, rank in ranks.items():
        sharing = [other for other in ranks if ranks[other] == rank]
        if rank is not None and len(sharing) == 1:
            text = f"tower on {lot}: its tile has the rank {rank}, as no other claimed tower's has"
            yield Item("location", city.owner[lot], rank, {"at": lot, "rank": rank}, text)


def items_of(city: City, edition: str) -> tuple[Item, ...]:
    """Everything that scores under an edition's rules."""
    return (*tower_items(city), *bonus_items(city, edition), *location_items(city))


def totals_of(players: tuple[str, ...], items: tuple[Item, ...]) -> dict[str, int]:
    totals = dict.fromkeys(players, 0)
    for item in items:
        if item.owner is not None:
            totals[item.owner] += item.points
    return totals


def totals_by_edition(city: City) -> Mapping[str, Mapping[str, int]]:
    """What each edition would give: they differ only in who is paid when towers tie for nearest."""
    fixed = (*tower_items(city), *location_items(city))
    players = city.state.players
    return {edition: totals_of(players, (*fixed, *bonus_items(city, edition))) for edition in EDITIONS}


def scoring_notes(city: City) -> Iterator[str]:
    """The choices that mattered and the facts that were missing."""
    for item in tower_items(city):
        if item.details["competitor"] is None:
            yield (
                f"Choice: the {item.details['colour']} tower on {item.details['at']} scores 0, "
                "because no road leads to another tower of its colour."
            )
    yield from _tie_notes(city)
    yield from _location_notes(city)
    if city.state.last_claim in city.owner and city.state.structure_at[city.state.last_claim].claimed_by:
        yield f"The tower on {city.state.last_claim} counts as unclaimed: its claim was the very last action."


def _tie_notes(city: City) -> Iterator[str]:
    edition = city.state.edition
    for tie in nearest_to_green(city):
        if len(tie.nearest.lots) == 1 or tie.owners == {None}:
            continue
        towers = f"the {tie.colour} towers on {' and '.join(tie.nearest.lots)}"
        where = f"tie at distance {tie.nearest.distance} from the unclaimed green tower on {tie.green}"
        if bonus_owner(tie, edition):
            yield f"Choice: {towers} {where} and have one owner; the bonus is paid once."
        else:
            yield f"No bonus: {towers} {where}."


def _location_notes(city: City) -> Iterator[str]:
    if LOCATION_BONUS not in city.state.variants:
        return
    ranks = {tower.at: city.state.tile_under(tower.at).rank for tower in city.claimed}
    for rank in sorted({rank for rank in ranks.values() if rank}):
        sharing = [lot for lot, other in ranks.items() if other == rank]
        if len(sharing) > 1:
            yield f"No location bonus for {' and '.join(sharing)}: their tiles have the same rank {rank}."
    unknown = [lot for lot, rank in ranks.items() if rank is None]
    if unknown:
        yield (
            f"The rank of the tile under {', '.join(unknown)} is unknown: no location bonus there, "
            "and a tower on a tile of the same rank would lose its own."
        )
