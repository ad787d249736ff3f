"""The score sheet as a page of its own that prints well: one HTML file without scripts or anything from elsewhere."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from html import escape
from typing import Any, Final

from engine.game import Game
from engine.game import game as game_named
from engine.sheet import Score, Verdict
from page.boards import board_kind
from page.drawing import board_canvas
from page.share_overlay import draw_overlay
from page.share_words import contestants, headline, named, subtitle, unit

BOARD_WIDTH: Final = 900
_STYLE: Final = """
body { font: 11pt/1.35 "Source Sans 3", "Source Sans Pro", "Segoe UI", sans-serif; color: #23211d; background: #fff;
  max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 20pt; margin: 0 0 2mm; } h2 { font-size: 13pt; margin: 6mm 0 2mm; }
p { margin: 0 0 2mm; } .quiet { color: #555; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; }
th, td { padding: 1mm 2mm; border-bottom: 0.3mm solid #bbb; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; } tr.winner td { font-weight: bold; }
figure { margin: 4mm 0; text-align: center; } img { max-width: 100%; max-height: 150mm; }
li { margin-bottom: 1mm; } section, tr, figure { break-inside: avoid; } h2 { break-after: avoid; }
@page { size: A4; margin: 12mm; } @media print { body { margin: 0; padding: 0; max-width: none; } }
"""


def sheet_html(
    game: Game[Any] | str,
    state: Any,
    score: Score,
    verdict: Verdict | None = None,
    names: Mapping[str, str] | None = None,
    created: str = "",
) -> str:
    """The sheet as HTML. Whatever people typed is shown as they typed it, never as HTML."""
    rules = game_named(game) if isinstance(game, str) else game
    names = names or {}
    title = f"{rules.title}: {headline(score, names)}"
    parts = [
        f"<h1>{escape(headline(score, names))}</h1>",
        f'<p class="quiet">{escape(_about(rules, state, score, created))}</p>',
        _totals(rules, score, names),
        f'<figure><img src="{_board(rules, state, score)}" alt="{escape(_described(rules, state))}"></figure>',
        _reckoning(score, names),
        _violations(rules, verdict),
        _list("What could still be played", () if score.over else score.could_play),
        _list("Notes", tuple(dict.fromkeys((*(verdict.notes if verdict else ()), *score.notes)))),
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _about(rules: Game[Any], state: Any, score: Score, created: str) -> str:
    ended = "The game is over." if score.over else "The game is not over."
    return ". ".join(part for part in (subtitle(rules, rules.dump(state)), created) if part) + f". {ended}"


def _totals(rules: Game[Any], score: Score, names: Mapping[str, str]) -> str:
    rows = []
    for owner, points in contestants(score).items():
        mark = ' class="winner"' if owner == score.winner else ""
        name = named(owner, names)
        who = name if name == owner else f"{name} ({owner})"
        wins = ("wins" if score.over else "ahead") if owner == score.winner else ""
        rows.append(f'<tr{mark}><td>{escape(who)}</td><td>{wins}</td><td class="number">{points}</td></tr>')
    head = f'<tr><th>Player</th><th></th><th class="number">{escape(unit(rules).capitalize())}</th></tr>'
    return f"<table>{head}{''.join(rows)}</table>"


def _reckoning(score: Score, names: Mapping[str, str]) -> str:
    if not score.items:
        return "<h2>Reckoning</h2><p>Nothing scores.</p>"
    rows = []
    for item in score.items:
        owner = named(item.owner, names) if item.owner else "nobody"
        cells = f"<td>{escape(owner)}</td><td>{escape(item.kind)}</td><td>{escape(item.text)}</td>"
        rows.append(f'<tr>{cells}<td class="number">{item.points}</td></tr>')
    head = '<tr><th>For</th><th>What</th><th>Reckoning</th><th class="number">Points</th></tr>'
    return f"<h2>Reckoning</h2><table>{head}{''.join(rows)}</table>"


def _violations(rules: Game[Any], verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    if not verdict.violations:
        return "<h2>Rules</h2><p>No rule is broken.</p>"
    entries = []
    for violation in verdict.violations:
        doubt = "" if violation.certain else " (not certain)"
        text = rules.rules.get(violation.rule, "")
        rule = f'<br><span class="quiet">{escape(text)}</span>' if text else ""
        entries.append(f"<li><b>{escape(violation.rule)}</b>{doubt}: {escape(violation.message)}{rule}</li>")
    return f"<section><h2>Broken rules</h2><ul>{''.join(entries)}</ul></section>"


def _list(title: str, texts: tuple[str, ...]) -> str:
    if not texts:
        return ""
    entries = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<section><h2>{escape(title)}</h2><ul>{entries}</ul></section>"


def _described(rules: Game[Any], state: Any) -> str:
    """The board for those who cannot see it: what lies where, in words."""
    kind = board_kind(rules.name)
    occupied = [cell.label for cell in kind.cells(state) if cell.layers]
    return f"The board of {rules.title}. " + ("; ".join(occupied) or "It is empty") + "."


def _board(rules: Game[Any], state: Any, score: Score) -> str:
    kind = board_kind(rules.name)
    canvas = board_canvas(kind, state, BOARD_WIDTH)
    draw_overlay(canvas, kind, state, score, on_photo=False)
    buffer = io.BytesIO()
    canvas.finished().save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
