"""Games with their history: applying recorded moves, and finding the first illegal one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.alien_city.board import BOARD
from engine.alien_city.pieces import CAPS, CLAIMS_PER_PLAYER, KINDS, MORE_BLUE, MORE_RED, STOCK, Piece, piece_name
from engine.alien_city.placement import Plan, Site
from engine.alien_city.playing import built_lots, plan_of
from engine.alien_city.state import AlienCityState, Structure
from engine.game import Record
from engine.sheet import Move, Violation

Turn = tuple[str | None, tuple[Move, ...]]


def build_move(structure: Structure) -> Move:
    action = {"at": structure.at, "kind": structure.kind, "colour": structure.colour}
    return Move(str(structure), action)


def claim_move(lot: str, cap: str) -> Move:
    return Move(f"{cap} claims {lot}", {"at": lot, "kind": "claim", "claimed_by": cap})


def shift_move(lot: str, to: str) -> Move:
    return Move(f"{lot} moved to {to}", {"at": lot, "kind": "move", "to": to})


def removal_move(lot: str) -> Move:
    return Move(f"{lot} taken away", {"at": lot, "kind": "remove"})


def apply_move(state: AlienCityState, move: Move) -> AlienCityState:
    """The position after a recorded move; what cannot lie on a table (a second tower on a lot) changes nothing."""
    action = move.action
    standing = state.structure_at.get(action["at"])
    if action["kind"] == "claim":
        free = standing is not None and standing.is_tower and not standing.claimed_by
        return state.claimed(action["at"], action["claimed_by"]) if free else state
    if action["kind"] == "remove":
        return _without_top(state, standing)
    if action["kind"] == "move":
        if standing is None or action["to"] in state.structure_at:
            return state
        others = (s for s in state.structures if s is not standing)
        return state.with_structures((*others, replace(standing, at=action["to"])))
    return state.built(Structure(action["at"], action["kind"], action["colour"])) if standing is None else state


def _without_top(state: AlienCityState, standing: Structure | None) -> AlienCityState:
    if standing is not None and standing.claimed_by:
        uncapped = (replace(s, claimed_by=None) if s is standing else s for s in state.structures)
        return state.with_structures(uncapped)
    return state.with_structures(s for s in state.structures if s is not standing)


def play(start: AlienCityState, turns: tuple[Turn, ...]) -> AlienCityState:
    """The position that the turns lead to."""
    for _, moves in turns:
        for move in moves:
            start = apply_move(start, move)
    return start


def stock_owner(edition: str, players: tuple[str, ...]) -> str | None:
    """The cap colour of the player with the red tower more; None where nobody says who that is."""
    return players[0] if edition != "fr" and players == CAPS[edition] else None


def used_by_player(record: Record[AlienCityState], edition: str) -> Mapping[str, Mapping[Piece, int]] | None:
    """How many of each piece every player has built; None where the record does not tell who played."""
    used: dict[str, Counter[Piece]] = {player: Counter() for player in replace(record.final, edition=edition).players}
    for player, moves in record.turns:
        if player is None:
            return None
        for move in moves:
            if move.action["kind"] in KINDS:
                used.setdefault(player, Counter())[move.action["kind"], move.action["colour"]] += 1
    return used


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a recorded move breaks, and how; not ``certain`` where unseen tiles could excuse it."""

    rule: str
    problem: str
    certain: bool = True


class Replay:
    """Plays a record move by move and says what is wrong with each."""

    def __init__(self, record: Record[AlienCityState], like: AlienCityState) -> None:
        """``like`` has the edition and the variants to judge by."""
        self.record = record
        self.state = replace(record.start, edition=like.edition, variants=like.variants)
        self.best = plan_of(self.state)
        self.worst = plan_of(self.state, doubt_helps=False)
        self.used: dict[str, Counter[Piece]] = {}
        self.set_used: Counter[Piece] = Counter(s.piece for s in self.state.structures)
        self.claims: Counter[str] = Counter(s.claimed_by for s in self.state.structures if s.claimed_by)
        self.previous: str | None = None
        self.known_players = {player for player, _ in record.turns if player}
        self.stocks = self._possible_stocks(like)

    def violations(self) -> Iterator[Violation]:
        """The first illegal move, and before it the first doubtful one."""
        doubted = False
        for number, (player, moves) in enumerate(self.record.turns):
            for place, move in enumerate(moves):
                fault = self._fault(player, moves[:place], move)
                if fault is not None and (fault.certain or not doubted):
                    doubted = True
                    yield self._violation(number, player, move, fault)
                    if fault.certain:
                        return
                self._play(player, move)
            self.previous = player
        yield from self._claim_at_the_end()

    def _violation(self, number: int, player: str | None, move: Move, fault: Fault) -> Violation:
        turn = self.record.labels[number] if number < len(self.record.labels) else f"turn {number + 1}"
        by = f" by {player}" if player else ""
        message = f"{turn}{by}: {move.text} is the first illegal move: {fault.problem}."
        if not fault.certain:
            message = f"{turn}{by}: {move.text} may be illegal, depending on unseen tiles: {fault.problem}."
        return Violation(fault.rule, (move.action["at"],), message, fault.certain)

    def _fault(self, player: str | None, earlier: tuple[Move, ...], move: Move) -> Fault | None:
        kind = move.action["kind"]
        if kind in ("move", "remove"):
            return Fault("moved", "structures and caps stay where they are")
        builds = sum(earlier_move.action["kind"] in KINDS for earlier_move in earlier)
        claims = len(earlier) - builds
        if kind == "claim":
            if not builds:
                return Fault("turn", "a claim follows a build of the same turn")
            return Fault("turn", "a turn has one claim at most") if claims else self._claim_fault(player, move)
        if builds:
            return Fault("turn", "a turn has one build only")
        if player is not None and player == self.previous and self._other_could_build(player):
            return Fault("turn", f"{player} has just played, and the other player could have built")
        return self._build_fault(player, move)

    def _claim_fault(self, player: str | None, move: Move) -> Fault | None:
        cap = move.action["claimed_by"]
        tower = self.state.structure_at.get(move.action["at"])
        if tower is None or not tower.is_tower:
            return Fault("claim", f"there is no tower on {move.action['at']}")
        if tower.claimed_by:
            return Fault("claim", f"{tower.claimed_by} has claimed it before")
        if cap != player and (player is not None or cap in self.known_players):
            return Fault("stock", f"the {cap} caps are {f'not {player}' if player else 'the other player'}'s")
        if self.claims[cap] >= CLAIMS_PER_PLAYER:
            return Fault("stock", f"{cap} has no cap left")
        if cap not in self.claims and len(self.claims) >= 2:
            return Fault("stock", "only two players take part")
        return None

    def _build_fault(self, player: str | None, move: Move) -> Fault | None:
        lot = BOARD.number[move.action["at"]]
        piece = (move.action["kind"], move.action["colour"])
        if move.action["at"] in self.state.structure_at:
            return Fault("one-per-lot", f"{self.state.structure_at[move.action['at']]} stands there")
        if self.set_used[piece] >= STOCK[piece]:
            return Fault("stock", f"the set has no {piece_name(piece)} left")
        if player is not None and not self._has(player, piece):
            return Fault("stock", f"{player} has no {piece_name(piece)} left")
        site = self._site(self.best)
        if not site.roads.buildable >> lot & 1:
            return Fault("road", "it cuts the road or walls a structure in")
        for rules, certain in ((site.hindrances(lot, piece), True), (self._harsh_hindrances(lot, piece), False)):
            if rules:
                return Fault(rules[0], _WHY[rules[0]], certain)
        return None

    def _harsh_hindrances(self, lot: int, piece: Piece) -> tuple[str, ...]:
        return self._site(self.worst).hindrances(lot, piece)

    def _site(self, plan: Plan) -> Site:
        return Site(plan, built_lots(self.state))

    def _play(self, player: str | None, move: Move) -> None:
        if move.action["kind"] in KINDS:
            piece = (move.action["kind"], move.action["colour"])
            self.set_used[piece] += 1
            if player is not None:
                self.used.setdefault(player, Counter())[piece] += 1
        elif move.action["kind"] == "claim":
            self.claims[move.action["claimed_by"]] += 1
        self.state = apply_move(self.state, move)

    def _possible_stocks(self, like: AlienCityState) -> list[dict[str, Mapping[Piece, int]]]:
        """Who may own which half of the set: one way where the edition says so, else both."""
        players = list(dict.fromkeys(player for player, _ in self.record.turns if player))
        pair = (*players, *(p for p in like.players if p not in players))[:2]
        if len(pair) < 2:
            return []
        first, second = pair
        both: list[dict[str, Mapping[Piece, int]]] = [
            {first: MORE_RED, second: MORE_BLUE},
            {first: MORE_BLUE, second: MORE_RED},
        ]
        owner = stock_owner(like.edition, like.players)
        return [halves for halves in both if owner is None or halves.get(owner) is MORE_RED]

    def _has(self, player: str, piece: Piece) -> bool:
        """Whether the player may still own the piece; narrows who owns which half of the set."""
        if not self.stocks:
            return True
        used = self.used.get(player, Counter())
        fitting = [halves for halves in self.stocks if player not in halves or used[piece] < halves[player][piece]]
        self.stocks = fitting or self.stocks
        return bool(fitting)

    def _other_could_build(self, player: str) -> bool:
        """Whether the other player could certainly have built instead of being skipped."""
        site = self._site(self.worst)
        return bool(self.stocks) and all(
            any(
                site.places(piece)
                for other, stock in halves.items()
                if other != player
                for piece, number in stock.items()
                if number > self.used.get(other, Counter())[piece]
            )
            for halves in self.stocks
        )

    def _claim_at_the_end(self) -> Iterator[Violation]:
        moves = self.record.turns[-1][1] if self.record.turns else ()
        if not moves or moves[-1].action["kind"] != "claim":
            return
        site = self._site(self.best)
        if not any(site.places(piece) for piece, number in STOCK.items() if number > self.set_used[piece]):
            fault = Fault("last-claim", "it is the very last action of the game")
            yield self._violation(len(self.record.turns) - 1, self.record.turns[-1][0], moves[-1], fault)


_WHY = {
    "dome-colour": "the tiles of its colour still have lots to build on",
    "first-two": "the tile has not two structures yet and another colour",
    "icon-last": "another lot of the tile comes before its icon",
}
