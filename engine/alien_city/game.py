"""Alien City behind the interface that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.alien_city import json_form, playing, ppn, text_diagram
from engine.alien_city.board import BOARD
from engine.alien_city.checking import UNKNOWN_LAST_CLAIM, check_position
from engine.alien_city.comparing import compare_positions
from engine.alien_city.history import Replay
from engine.alien_city.pieces import EDITIONS, VARIANTS
from engine.alien_city.rule_texts import RULES
from engine.alien_city.score_sheet import score_position
from engine.alien_city.scoring import Reckoning
from engine.alien_city.setup import with_setup
from engine.alien_city.state import AlienCityState, Structure, Tile
from engine.colours import LETTER_OF
from engine.errors import UsageError
from engine.fields import Field
from engine.game import Game, Options, Record, check_variants, refuse_options
from engine.sheet import Comparison, Drawing, Glyph, Move, Score, Verdict


class AlienCity(Game[AlienCityState]):
    """The rules of Alien City in all three editions."""

    name = json_form.GAME_NAME
    title = "Alien City"
    editions = EDITIONS
    variants = VARIANTS
    rules = RULES
    record_suffix = ".ppn"

    def load(self, document: Field) -> AlienCityState:
        return json_form.load_state(document)

    def dump(self, state: AlienCityState) -> dict[str, Any]:
        return json_form.dump_state(state)

    def parse_diagram(self, text: str) -> AlienCityState:
        return text_diagram.parse_diagram(text)

    def diagram(self, state: AlienCityState) -> str:
        return text_diagram.format_diagram(state)

    def empty(self) -> AlienCityState:
        return AlienCityState()

    def with_options(self, state: AlienCityState, options: Options) -> AlienCityState:
        refuse_options(options, self, "board", "colours")
        if options.players not in (None, 2):
            raise UsageError("Alien City is a game for two players.")
        if options.edition is not None and options.edition not in EDITIONS:
            raise UsageError(f'Alien City has no edition "{options.edition}"; it has {", ".join(EDITIONS)}.')
        variants = check_variants((*state.variants, *options.variants), self)
        return replace(state, edition=options.edition or state.edition, variants=variants)

    def with_setup(self, state: AlienCityState, setup: AlienCityState) -> AlienCityState:
        return with_setup(state, setup)

    def put(self, state: AlienCityState, place: str, value: Mapping[str, Any] | None) -> AlienCityState:
        facts = value or {}
        if place.startswith("tile:"):
            tile = Tile(place.removeprefix("tile:"), facts.get("colour"), facts.get("rank"), facts.get("icon"))
            return replace(state, tiles=(*(other for other in state.tiles if other.at != tile.at), tile))
        others = tuple(structure for structure in state.structures if structure.at != place)
        if value is None:
            return state.with_structures(others)
        structure = Structure(place, facts.get("kind", ""), facts.get("colour", ""), facts.get("claimed_by"))
        return state.with_structures((*others, structure))

    def turns(self, state: AlienCityState) -> tuple[AlienCityState, ...]:
        return state, state.turned()

    def drawing(self, state: AlienCityState) -> Drawing:
        rows = range(BOARD.rows, 0, -1)
        columns = text_diagram.COLUMNS
        return Drawing(
            rows=tuple(tuple(_glyph(state, f"{column}{row}") for column in columns) for row in rows),
            row_labels=tuple(str(row) for row in rows),
            column_labels=tuple(columns),
        )

    def check(self, state: AlienCityState, record: Record[AlienCityState] | None = None) -> Verdict:
        verdict = check_position(state)
        return verdict if record is None else _with_history(verdict, state, record)

    def score(self, state: AlienCityState, record: Record[AlienCityState] | None = None) -> Score:
        return score_position(state, record)

    def totals(self, state: AlienCityState) -> Mapping[str, int]:
        return Reckoning(state).totals(state.edition)

    def moves(self, state: AlienCityState) -> tuple[Move, ...]:
        return tuple(placement.to_move() for placement in playing.placements(state))

    def compare(self, before: AlienCityState, after: AlienCityState) -> Comparison:
        return compare_positions(before, after)

    def random_game(self, rng: random.Random) -> Iterator[AlienCityState]:
        return playing.random_game(rng)

    def load_record(self, text: str) -> Record[AlienCityState]:
        return ppn.load_record(text)

    def dump_record(self, state: AlienCityState) -> str:
        return ppn.dump_record(state)


def _with_history(verdict: Verdict, state: AlienCityState, record: Record[AlienCityState]) -> Verdict:
    """The verdict on the moves as they were played, beside that on the position."""
    replayed = tuple(Replay(record, state).violations())
    known = {(violation.rule, violation.at) for violation in replayed}
    violations = (*replayed, *(v for v in verdict.violations if (v.rule, v.at) not in known))
    notes = tuple(note for note in verdict.notes if note != UNKNOWN_LAST_CLAIM)
    if any(violation.certain for violation in violations):
        return Verdict(violations, None, notes)
    order = [move.action["at"] for _, moves in record.turns for move in moves if move.action["kind"] != "claim"]
    return Verdict(violations, (*(s.at for s in record.start.structures), *order), notes)


def _glyph(state: AlienCityState, lot: str) -> Glyph:
    structure = state.structure_at.get(lot)
    tile = state.tile_under(lot)
    if structure is None:
        return Glyph(" * " if tile.icon == lot else " · ", None, tile.colour)
    # Letters as in text diagrams, because a terminal may show no colours.
    letter = LETTER_OF[structure.colour]
    cap = LETTER_OF[structure.claimed_by] if structure.claimed_by else " "
    text = f"{letter}▲{cap}" if structure.is_tower else f"{letter.lower()}● "
    return Glyph(text, structure.colour, tile.colour)
