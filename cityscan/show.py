"""Answers for people: the board in colour, the broken rules, the score with its reckoning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cityscan.answers import Answer
from engine.sheet import Comparison, Drawing, Glyph, Move, Score, Verdict

if TYPE_CHECKING:
    from vision.reading import Reading

# How each colour name looks on a terminal; the letter always stands beside it, so colour is never the only sign.
INK: Mapping[str, str] = {
    "red": "#e5484d",
    "yellow": "#f5d90a",
    "green": "#30a46c",
    "blue": "#5b8def",
    "orange": "#f76b15",
    "purple": "#a855f7",
    "cyan": "#22d3ee",
    "pink": "#f472b6",
    "white": "#ffffff",
    "black": "#9ca3af",
    "grey": "#d1d5db",
    "clear": "#e0f2fe",
}
GROUND: Mapping[str, str] = {
    "red": "#3b1219",
    "yellow": "#3a3206",
    "green": "#0f2e1f",
    "blue": "#10233f",
    "black": "#1f2023",
    "white": "#3f3f46",
    "grey": "#2a2a2e",
}
MOST_MOVES_SHOWN = 60
MOST_DOUBTS_SHOWN = 12


def show(console: Console, answer: Answer, heading: bool) -> None:
    """Print one answer."""
    if heading:
        console.rule(Text(answer.name, style="bold"), align="left")
    if answer.error is not None or answer.position is None:
        message = answer.error.message if answer.error else "nothing was read."
        console.print(Text.assemble((f"{answer.name}: ", "bold"), message))
        return
    position = answer.position
    console.print(board(position.game.drawing(position.state)))
    if answer.reading is not None:
        console.print(reading_part(answer.reading))
    names = position.game.dump(position.state).get("extras", {}).get("names", {})
    if answer.verdict is not None:
        console.print(rules_part(answer.verdict, position.game.rules))
    if answer.comparison is not None:
        console.print(between_part(answer.comparison))
    if answer.moves is not None:
        console.print(moves_part(answer.moves))
    if answer.score is not None:
        console.print(score_part(answer.score, names))
    if answer.score_sureness is not None and answer.reading is not None:
        from vision.effects import sureness_words  # here, because numpy is slow to load and positions need none

        console.print(Text(sureness_words(answer.score_sureness, answer.reading.doubtful)))
    for note in answer.notes:
        console.print(Text.assemble(("Note: ", "bold"), note))


def board(drawing: Drawing) -> RenderableType:
    """The board with its labels."""
    margin = max(len(label) for label in drawing.row_labels)
    width = max(len(glyph.text) for row in drawing.rows for glyph in row)
    text = Text()
    for label, row in zip(drawing.row_labels, drawing.rows, strict=True):
        text.append(label.rjust(margin) + " ", style="dim")
        for glyph in row:
            text.append(glyph.text.center(width), style=_style(glyph))
        text.append("\n")
    text.append(" " * (margin + 1) + "".join(label.center(width) for label in drawing.column_labels), style="dim")
    return Padding(text, (0, 0, 1, 0))


def reading_part(reading: Reading) -> RenderableType:
    """What a person should look at before trusting the reading; long lists are cut, with the rest counted."""
    if not reading.doubtful:
        return Text("Read from the photo without a doubt.")
    places = "1 place" if len(reading.doubtful) == 1 else f"{len(reading.doubtful)} places"
    lines = [Text(f"Please check {places}, first where a mistake would change the score most:")]
    for place in reading.doubtful[:MOST_DOUBTS_SHOWN]:
        options = [f"{_in_words(c.value)} {c.p:.0%}" for c in reading.guesses[place].candidates[:3]]
        lines.append(Text(f"  {place}: {', '.join(options)}"))
    if len(reading.doubtful) > MOST_DOUBTS_SHOWN:
        lines.append(Text(f"  and {len(reading.doubtful) - MOST_DOUBTS_SHOWN} more (all: --json)"))
    return Group(*lines)


def _in_words(value: Mapping[str, Any] | None) -> str:
    return "empty" if not value else " ".join(str(v) for v in value.values() if v is not None)


def rules_part(verdict: Verdict, rules: Mapping[str, str]) -> RenderableType:
    """The broken rules with their texts, or that there are none."""
    if not verdict.violations:
        proof = f" One order of play that proves it: {' '.join(verdict.witness)}." if verdict.witness else ""
        return Text.assemble(("No rule is broken.", "green"), proof)
    lines: list[RenderableType] = []
    for violation in verdict.violations:
        doubt = "" if violation.certain else " (not certain)"
        lines.append(Text.assemble((f"[{violation.rule}]", "bold red"), f"{doubt} {violation.message}"))
        lines += [Text(f"  the rule: {rules[violation.rule]}", style="dim")] if violation.rule in rules else []
    return Group(*lines)


def between_part(comparison: Comparison) -> RenderableType:
    """What was played between two positions."""
    lines: list[Text] = [Text("Played in between:" if comparison.steps else "Nothing was played in between.")]
    for step in comparison.steps:
        judgement = ("legal", "green") if step.legal else (f"breaks [{step.rule}]", "bold red")
        lines.append(Text.assemble(f"  {step.move.text}: ", judgement))
    lines += [Text.assemble((f"[{v.rule}] ", "bold red"), v.message) for v in comparison.violations]
    return Group(*lines)


def moves_part(moves: tuple[Move, ...]) -> RenderableType:
    """What may be played now; long lists are cut, with the rest counted."""
    if not moves:
        return Text("Nothing can legally be played.")
    lines = [Text(f"{len(moves)} legal moves:")]
    lines += [Text(f"  {move.text}") for move in moves[:MOST_MOVES_SHOWN]]
    if len(moves) > MOST_MOVES_SHOWN:
        rest = Counter(str(move.action.get("colour") or move.action.get("action")) for move in moves[MOST_MOVES_SHOWN:])
        lines.append(Text("  and " + ", ".join(f"{n} more {kind}" for kind, n in rest.items()) + " (all: --json)"))
    return Group(*lines)


def score_part(score: Score, names: Mapping[str, str]) -> RenderableType:
    """Totals, winner, reckoning, and whether the game is over."""
    reckoning = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("for", "what", "reckoning"):
        reckoning.add_column(column, style="dim" if column == "what" else None)
    reckoning.add_column("points", justify="right")
    for item in score.items:
        owner = Text(item.owner or "nobody", style=INK.get(item.owner or "", ""))
        reckoning.add_row(owner, item.kind, Text(item.text), str(item.points))
    totals = Text("  ").join(
        Text.assemble((_named(owner, names), f"bold {INK.get(owner, '')}"), f" {points}")
        for owner, points in score.totals.items()
    )
    winner = f"Winner: {_named(score.winner, names)}." if score.winner else "A draw."
    if score.over:
        state = [Text(f"The game is over. {winner}")]
    else:
        state = [Text("The game is not over. " + winner.replace("Winner", "Ahead").replace("A draw", "Level"))]
        state += [Text(f"Could still be played: {text}") for text in score.could_play]
    return Group(reckoning, totals, *state)


def _named(owner: str, names: Mapping[str, str]) -> str:
    return f"{names[owner]} ({owner})" if owner in names else owner


def _style(glyph: Glyph) -> str:
    ink = f"bold {INK[glyph.colour]}" if glyph.colour else "dim"
    ground = GROUND.get(glyph.ground or "")
    return f"{ink} on {ground}" if ground else ink
