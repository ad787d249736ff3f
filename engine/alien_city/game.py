"""Alien City behind the interface that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.alien_city import json_form, playing
from engine.alien_city.pieces import EDITIONS, VARIANTS
from engine.alien_city.state import AlienCityState
from engine.errors import UsageError
from engine.fields import Field
from engine.game import Game, Options, Record, check_variants
from engine.sheet import Comparison, Drawing, Move, Score, Verdict


class AlienCity(Game[AlienCityState]):
    """The rules of Alien City in all three editions."""

    name = json_form.GAME_NAME
    title = "Alien City"
    editions = EDITIONS
    variants = VARIANTS
    record_suffix = ".ppn"

    def load(self, document: Field) -> AlienCityState:
        return json_form.load_state(document)

    def dump(self, state: AlienCityState) -> dict[str, Any]:
        return json_form.dump_state(state)

    def parse_diagram(self, text: str) -> AlienCityState:
        raise NotImplementedError

    def diagram(self, state: AlienCityState) -> str:
        raise NotImplementedError

    def empty(self) -> AlienCityState:
        return AlienCityState()

    def with_options(self, state: AlienCityState, options: Options) -> AlienCityState:
        if options.players not in (None, 2):
            raise UsageError("Alien City is a game for two players.")
        if options.edition is not None and options.edition not in EDITIONS:
            raise UsageError(f'Alien City has no edition "{options.edition}"; it has {", ".join(EDITIONS)}.')
        variants = check_variants((*state.variants, *options.variants), self)
        return replace(state, edition=options.edition or state.edition, variants=variants)

    def turns(self, state: AlienCityState) -> tuple[AlienCityState, ...]:
        return state, state.turned()

    def drawing(self, state: AlienCityState) -> Drawing:
        raise NotImplementedError

    def check(self, state: AlienCityState, record: Record[AlienCityState] | None = None) -> Verdict:
        raise NotImplementedError

    def score(self, state: AlienCityState, record: Record[AlienCityState] | None = None) -> Score:
        raise NotImplementedError

    def moves(self, state: AlienCityState) -> tuple[Move, ...]:
        return tuple(placement.to_move() for placement in playing.placements(state))

    def compare(self, before: AlienCityState, after: AlienCityState) -> Comparison:
        raise NotImplementedError

    def random_game(self, rng: random.Random) -> Iterator[AlienCityState]:
        return playing.random_game(rng)
