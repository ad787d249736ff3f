"""The result in words, for pictures and printed sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.sheet import Item, Score
from engine.sprawl.scoring import SET_POINTS


def contestants(score: Score) -> dict[str, int]:
    """Who competes, and with how many points: where two colours play as one, the pairs alone."""
    pairs = {owner: points for owner, points in score.totals.items() if "+" in owner}
    return pairs or dict(score.totals)


def colours_of(owner: str) -> list[str]:
    """The colours of a player or of a pair such as ``blue+red``."""
    return owner.split("+")


def named(owner: str, names: Mapping[str, str]) -> str:
    """A player's name, else the colour; a pair's names joined."""
    own = [names.get(colour, "").strip() or colour for colour in colours_of(owner)]
    return names.get(owner, "").strip() or " + ".join(dict.fromkeys(own))


def headline(score: Score, names: Mapping[str, str]) -> str:
    """Who won, in one line."""
    if score.winner is None:
        level = len(set(contestants(score).values())) == 1
        if score.over:
            return "A draw" if level or not _neutral_unknown(score) else "No winner named"
        return "Level so far" if level or not _neutral_unknown(score) else "Not over yet"
    winner = named(score.winner, names)
    # A colour begins the line like any name; what people typed stays as it is.
    winner = (
        winner[:1].upper() + winner[1:] if winner in (score.winner, " + ".join(colours_of(score.winner))) else winner
    )
    return f"{winner} {'wins' if score.over else 'is ahead'}"


def _neutral_unknown(score: Score) -> bool:
    """Three players of City Blocks without a neutral colour: a highest total exists, but nobody is named winner."""
    totals = sorted(contestants(score).values(), reverse=True)
    return len(totals) > 1 and totals[0] != totals[1]


def subtitle(game: Game[Any], document: Mapping[str, Any]) -> str:
    """Game, edition and variants."""
    parts = [game.title]
    if game.editions:
        parts.append(f"edition {document.get('edition')}")
    parts += [str(variant).replace("-", " ") for variant in document.get("variants") or ()]
    return " · ".join(parts)


def unit(game: Game[Any]) -> str:
    """What the totals count."""
    return "stash points, the fewest win" if fewest_win(game) else "points"


def fewest_win(game: Game[Any]) -> bool:
    return game.name == "sprawl"


def ranking(game: Game[Any], score: Score) -> list[tuple[str, int]]:
    """The contestants with their points, the best first."""
    return sorted(contestants(score).items(), key=lambda entry: entry[1], reverse=not fewest_win(game))


def short(item: Item) -> str:
    """A line of the score sheet in as few words as a picture has room for."""
    facts = item.details
    if item.kind == "tower":
        if facts["distance"] is None:
            return f"{facts['at']}: no competitor within reach = 0"
        return f"{facts['at']}: {len(facts['customers'])} customers × {facts['distance']} = {item.points}"
    if item.kind == "bonus":
        return f"bonus for {' and '.join(facts['nearest'])}: {item.points}"
    if item.kind == "location":
        return f"{facts['at']}: rank of the tile = {item.points}"
    if item.kind == "area":
        return f"area {item.points}"
    if item.kind == "edges":
        return f"edges {item.points}"
    cards = f" − {facts['coup']} cards" if facts["coup"] else ""
    back = f", {facts['returned_points']} went back" if facts["returned_points"] else ""
    return f"{SET_POINTS} − {facts['live_points']} live{cards}{back}"


def lines_for(owner: str, score: Score, document: Mapping[str, Any]) -> list[str]:
    """The short lines that make up somebody's total."""
    if document.get("players") == 3 and document.get("neutral") == owner:
        return ["played by all, scores for nobody"]
    own = colours_of(owner)
    if len(own) > 1:
        return [f"{colour} {score.totals[colour]}: {_joined(colour, score)}" for colour in own]
    if any(item.kind in ("area", "edges") for item in score.items):
        return [_joined(owner, score)]
    return [short(item) for item in score.items if item.owner == owner]


def _joined(owner: str, score: Score) -> str:
    return " + ".join(short(item) for item in score.items if item.owner == owner)
