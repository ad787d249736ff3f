"""Puts the score sheet together: points, who wins, whether it is over, and what everybody has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine.alien_city.checking import UNKNOWN_LAST_CLAIM
from engine.alien_city.history import stock_owner, used_by_player
from engine.alien_city.pieces import (
    CAPS,
    CLAIMS_PER_PLAYER,
    MORE_BLUE,
    MORE_RED,
    PIECES,
    STOCK,
    Piece,
    piece_name,
)
from engine.alien_city.playing import Placement, pieces_left, placements
from engine.alien_city.roads import Roads
from engine.alien_city.scoring import Reckoning
from engine.alien_city.state import AlienCityState
from engine.game import Record
from engine.sheet import Score


def score_position(state: AlienCityState, record: Record[AlienCityState] | None = None) -> Score:
    """The score sheet of a position, with or without its history."""
    reckoning = Reckoning(state)
    editions = reckoning.totals_by_edition()
    totals = editions[state.edition]
    possible = placements(state)
    notes = [
        *reckoning.notes(),
        *_edition_notes(state, editions),
        *_over_notes(state, reckoning.city.roads, possible, record),
    ]
    return Score(
        totals=totals,
        winner=_winner(totals),
        items=reckoning.items(state.edition),
        over=not possible,
        could_play=tuple(_could_play(possible)),
        left=_left(state, record),
        notes=tuple(notes),
        extra={"other_editions": {name: dict(t) for name, t in editions.items() if name != state.edition}},
    )


def _winner(totals: Mapping[str, int]) -> str | None:
    best = [player for player, points in totals.items() if points == max(totals.values())]
    return best[0] if len(best) == 1 else None


def _edition_notes(state: AlienCityState, editions: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    own = editions[state.edition]
    for name, totals in editions.items():
        if totals != own:
            points = ", ".join(f"{player} {number}" for player, number in totals.items())
            yield f"Edition {name} would give {points}, because of its rule for towers that tie for nearest."


def _over_notes(
    state: AlienCityState,
    roads: Roads,
    possible: tuple[Placement, ...],
    record: Record[AlienCityState] | None,
) -> Iterator[str]:
    if not roads.sound:
        yield "The road is broken, so nothing more passes the road rule and the game counts as over."
    if possible and not any(placement.certain for placement in possible):
        yield "Whether the game is over hangs on tiles that were not fully seen."
    if not possible and not record and state.last_claim is None and state.caps_in_play:
        yield UNKNOWN_LAST_CLAIM


def _could_play(possible: tuple[Placement, ...]) -> Iterator[str]:
    for piece in PIECES:
        lots = [p.lot if p.certain else f"{p.lot}?" for p in possible if p.piece == piece]
        if lots:
            yield f"{piece_name(piece)} on {', '.join(lots)}"


def _left(state: AlienCityState, record: Record[AlienCityState] | None) -> dict[str, Any]:
    """What lies beside the board: of the whole set exactly, of a player exactly only with a record."""
    whole = pieces_left(state)
    claims = Counter(s.claimed_by for s in state.structures)
    used = used_by_player(record, state.edition) if record else None
    players: dict[str, Any] = {}
    for player in state.players:
        pieces = {piece_name(p): _range(p, player, state, whole[p], used) for p in PIECES}
        players[player] = {**pieces, "claims": max(0, CLAIMS_PER_PLAYER - claims[player])}
    return {"set": {piece_name(piece): number for piece, number in whole.items()}, "players": players}


def _range(
    piece: Piece,
    player: str,
    state: AlienCityState,
    whole: int,
    used: Mapping[str, Mapping[Piece, int]] | None,
) -> int | list[int]:
    """A number where it is known, else the least and the most that the player may have left."""
    owned = [stock[piece] for stock in _possible_stocks(player, state)]
    if used is not None and player in used:
        exact = sorted({max(0, number - used[player].get(piece, 0)) for number in owned})
        return exact[0] if len(exact) == 1 else exact
    least = max(0, min(whole - (STOCK[piece] - number) for number in owned))
    most = min(whole, max(owned))
    return least if least == most else [least, most]


def _possible_stocks(player: str, state: AlienCityState) -> tuple[Mapping[Piece, int], ...]:
    owner = stock_owner(state.edition, state.players)
    if owner is None or player not in CAPS[state.edition]:
        return MORE_RED, MORE_BLUE
    return (MORE_RED,) if player == owner else (MORE_BLUE,)
