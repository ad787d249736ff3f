"""The points: claimed towers, the bonus of unclaimed green towers, the location bonus.

Every number comes with the lots it rests on, so that a person can recount it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.alien_city.city import City, Nearest
from engine.alien_city.pieces import EDITIONS, LOCATION_BONUS
from engine.alien_city.state import AlienCityState, Structure
from engine.sheet import Item

# In this edition towers that tie for nearest earn the bonus if one player owns all of them.
EDITION_OF_SHARED_TIES = "2.2"
BONUS_COLOURS = ("red", "blue")


def bonus_points(distance: int) -> int:
    return max(0, 10 - 2 * distance)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest towers of one colour to an unclaimed green tower; several where they tie."""

    green: str
    colour: str
    nearest: Nearest
    owners: frozenset[str | None]

    @property
    def tie(self) -> bool:
        return len(self.nearest.lots) > 1

    def paid_to(self, edition: str) -> str | None:
        """Who gets the bonus: the only owner, and in a tie only where the edition allows it."""
        if len(self.owners) > 1 or (self.tie and edition != EDITION_OF_SHARED_TIES):
            return None
        return next(iter(self.owners))

    def __str__(self) -> str:
        towers = f"{self.colour} tower{'s' if self.tie else ''} on {' and '.join(self.nearest.lots)}"
        return f"{towers}, {self.nearest.distance} from the unclaimed green tower on {self.green}"


class Reckoning:
    """All points of a position, under any edition's rules."""

    def __init__(self, state: AlienCityState) -> None:
        self.state = state
        self.city = City(state)

    def items(self, edition: str) -> tuple[Item, ...]:
        return (*self.towers, *self.bonuses(edition), *self.locations)

    def totals(self, edition: str) -> dict[str, int]:
        totals = dict.fromkeys(self.state.players, 0)
        for item in self.items(edition):
            if item.owner is not None:
                totals[item.owner] += item.points
        return totals

    def totals_by_edition(self) -> Mapping[str, Mapping[str, int]]:
        """What each edition gives: they differ only in who is paid when towers tie for nearest."""
        return {edition: self.totals(edition) for edition in EDITIONS}

    @cached_property
    def towers(self) -> tuple[Item, ...]:
        """Customers times distance to the competition, for every claimed tower."""
        return tuple(self._tower(tower) for tower in self.city.claimed)

    @cached_property
    def neighbours(self) -> tuple[Neighbours, ...]:
        """For each unclaimed green tower the nearest red and blue towers that are near enough for a bonus."""
        found = []
        for green in self.city.unclaimed_green:
            for colour in BONUS_COLOURS:
                nearest = self.city.nearest(green, self.city.towers[colour])
                if nearest and bonus_points(nearest.distance):
                    owners = frozenset(self.city.owner[lot] for lot in nearest.lots)
                    found.append(Neighbours(green.at, colour, nearest, owners))
        return tuple(found)

    def bonuses(self, edition: str) -> Iterator[Item]:
        """The bonus of every unclaimed green tower; a tie is paid once."""
        for near in self.neighbours:
            owner = near.paid_to(edition)
            if owner:
                details = {
                    "at": near.green,
                    "colour": near.colour,
                    "nearest": list(near.nearest.lots),
                    "distance": near.nearest.distance,
                    "road": list(near.nearest.road),
                }
                yield Item("bonus", owner, bonus_points(near.nearest.distance), details, str(near))

    @cached_property
    def locations(self) -> tuple[Item, ...]:
        """The tile's rank for every claimed tower whose rank no other claimed tower shares."""
        found = []
        for rank, lots in self._lots_by_rank().items():
            if rank is not None and len(lots) == 1:
                text = f"tower on {lots[0]}: the rank {rank} of its tile"
                details = {"at": lots[0], "rank": rank}
                found.append(Item("location", self.city.owner[lots[0]], rank, details, text))
        return tuple(found)

    def notes(self) -> Iterator[str]:
        """The choices that mattered and the facts that were missing."""
        for item in self.towers:
            if item.details["competitor"] is None:
                tower = f"{item.details['colour']} tower on {item.details['at']}"
                yield f"Choice: the {tower} scores 0, because no road leads to another tower of its colour."
        yield from self._tie_notes()
        yield from self._location_notes()
        for structure in self.state.structures:
            if structure.claimed_by and structure.at == self.state.last_claim:
                yield f"The tower on {structure.at} counts as unclaimed: its claim was the very last action."

    def _tower(self, tower: Structure) -> Item:
        customers = self.city.customers(tower)
        competition = self.city.competition(tower)
        details = {
            "at": tower.at,
            "colour": tower.colour,
            "customers": list(customers),
            "competitor": competition.lots[0] if competition else None,
            "distance": competition.distance if competition else None,
            "road": list(competition.road) if competition else [],
        }
        points = len(customers) * competition.distance if competition else 0
        return Item("tower", self.city.owner[tower.at], points, details, _tower_text(tower, customers, competition))

    def _lots_by_rank(self) -> dict[int | None, list[str]]:
        """The lots of claimed towers by the rank of their tile; empty where the variant is not played."""
        lots: dict[int | None, list[str]] = {}
        if LOCATION_BONUS in self.state.variants:
            for tower in self.city.claimed:
                lots.setdefault(self.state.tile_under(tower.at).rank, []).append(tower.at)
        return lots

    def _tie_notes(self) -> Iterator[str]:
        for near in self.neighbours:
            if near.tie and near.owners != {None}:
                if near.paid_to(self.state.edition):
                    yield f"Choice: the {near}, tie and have one owner; the bonus is paid once."
                else:
                    yield f"No bonus: the {near}, tie."

    def _location_notes(self) -> Iterator[str]:
        for rank, lots in self._lots_by_rank().items():
            if rank is None:
                yield (
                    f"The rank of the tile under {', '.join(lots)} is unknown: no location bonus there, "
                    "and a tower on a tile of the same rank would lose its own."
                )
            elif rank and len(lots) > 1:
                yield f"No location bonus for {' and '.join(lots)}: their tiles have the same rank {rank}."


def _tower_text(tower: Structure, customers: tuple[str, ...], competition: Nearest | None) -> str:
    served = f" ({', '.join(customers)})" if customers else ""
    many = f"{len(customers)} customer{'' if len(customers) == 1 else 's'}"
    way = f"{competition.distance} to {competition.lots[0]}" if competition else "no competitor within reach"
    return f"{tower.colour} tower on {tower.at}: {many}{served} × {way}"
