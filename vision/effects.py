"""What a mistake of the reader would change: which doubt matters most, and how sure the score is.

Both answers come from trying: another candidate is put in a place, and the position is scored again. Places are taken
one at a time and as independent of each other. Two mistakes whose effects cancel, or that only together change the
totals, are therefore not seen; with the few doubtful places of a usable photo that hardly matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, Final

from engine.alien_city.pieces import LOCATION_BONUS
from engine.errors import CityscanError
from engine.fields import Field
from engine.game import Game, game
from vision.reading import Candidate, Guess

# Candidates less likely than these are not tried: for the order of the doubtful places, and for the score's sureness.
LEAST_TO_ORDER: Final = 0.02
LEAST_TO_COUNT: Final = 0.001
# A hopeless photo may have hundreds of candidates; trying the likeliest of them bounds the time.
MOST_TO_ORDER: Final = 120
MOST_TO_COUNT: Final = 250
MOST_PLACES_NAMED: Final = 5
# From here on rounding would promise certainty.
ALMOST_SURE: Final = 0.995

# From the position as it lies to the position as it is scored: what options and a photo of the set-up add to it.
Finish = Callable[[Any], Any]


def ordered_by_effect(
    name: str, document: Mapping[str, Any], guesses: Mapping[str, Guess], doubtful: Iterable[str]
) -> tuple[str, ...]:
    """The doubtful places, those first where a mistake is expected to change the totals most, then the least sure.

    ``document`` is the state's JSON object as it was read.
    """
    places = sorted(doubtful, key=lambda place: guesses[place].confidence)
    try:
        trial = _Trial(game(name), game(name).load(Field(dict(document))))
    except CityscanError:
        return tuple(places)  # what was read is no position: nothing to compare with
    expected = dict.fromkeys(places, 0.0)
    for place, candidate in _likeliest(places, guesses, LEAST_TO_ORDER, MOST_TO_ORDER):
        expected[place] += candidate.p * (trial.change(place, candidate) or 0)
    return tuple(sorted(places, key=lambda place: -expected[place]))  # sorting is stable


def score_sureness(
    name: str, document: Mapping[str, Any], guesses: Mapping[str, Guess], finish: Finish | None = None
) -> float:
    """The probability that the totals are exact.

    It is the product, over all places, of the probabilities of everything that gives the same totals. What is too
    unlikely to be tried counts as if it changed them, so this errs on the side of doubt. A candidate that makes no
    position cannot lie there; its share goes to the others. Raises CityscanError where the reading is no position.
    """
    trial = _Trial(game(name), game(name).load(Field(dict(document))), finish)
    same = {place: guess.confidence for place, guess in guesses.items() if trial.counts(place)}
    possible = dict.fromkeys(same, 1.0)
    for place, candidate in _likeliest(list(same), guesses, LEAST_TO_COUNT, MOST_TO_COUNT):
        change = trial.change(place, candidate)
        if change is None:
            possible[place] -= candidate.p
        elif change == 0:
            same[place] += candidate.p
    return prod(min(1.0, same[place] / max(possible[place], same[place], 1e-9)) for place in same)


def sureness_words(sureness: float, doubtful: Sequence[str]) -> str:
    """How far the score of a photo can be trusted, and where to look, as a sentence."""
    if sureness >= ALMOST_SURE:
        chance = "more than 99 %"
    else:
        chance = f"about {100 * sureness:.0f} %" if sureness >= 0.01 else "less than 1 %"
    if not doubtful:
        return f"The score is right with {chance}."
    named = ", ".join(doubtful[:MOST_PLACES_NAMED])
    rest = len(doubtful) - MOST_PLACES_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    places = "1 place" if len(doubtful) == 1 else f"{len(doubtful)} places"
    return f"The score is right with {chance} ({places} to look at: {named}{more})."


class _Trial:
    """A position whose places are tried with other values."""

    def __init__(self, rules: Game[Any], state: Any, finish: Finish | None = None) -> None:
        self._rules = rules
        self._state = state
        self._finish = finish
        scored = finish(state) if finish else state
        self._totals = rules.totals(scored)
        # Tiles give points only where the location bonus is played.
        self._tiles_count = LOCATION_BONUS in getattr(scored, "variants", ())

    def counts(self, place: str) -> bool:
        """Whether what lies there can have to do with the totals."""
        return self._tiles_count or not place.startswith("tile:")

    def change(self, place: str, candidate: Candidate) -> int | None:
        """By how many points the totals differ with this candidate, added up; None where it makes no position.

        Somebody who appears or vanishes counts with all his points.
        """
        if not self.counts(place):
            return 0
        try:
            state = self._rules.put(self._state, place, candidate.value)
            totals = self._rules.totals(self._finish(state) if self._finish else state)
        except CityscanError:
            return None
        before, after = dict(self._totals), dict(totals)
        points = sum(abs(after.get(owner, 0) - before.get(owner, 0)) for owner in {*before, *after})
        return points or int(before != after)


def _likeliest(
    places: Sequence[str], guesses: Mapping[str, Guess], least: float, most: int
) -> list[tuple[str, Candidate]]:
    """What else the places may hold, the likeliest first."""
    others = [
        (place, candidate)
        for place in places
        for candidate in guesses[place].candidates[1:]
        if candidate.p >= least and candidate.value != guesses[place].chosen.value
    ]
    return sorted(others, key=lambda other: -other[1].p)[:most]
