"""An analysis as one HTML file that needs no network: the graph, the sums, each mistake with its board, all moves."""

from __future__ import annotations

import base64
from html import escape

from meeple.analysis.graph import graph
from meeple.analysis.result import Analysis, Decision
from meeple.analysis.tables import TextTable, heading, luck_table, players_table, points, sum_line
from meeple.analysis.why import why
from meeple.core.match import Match
from meeple.core.paint import MARKS
from meeple.core.picture import SEATS, Look
from meeple.core.speech import Hearer, ordered, plain

MOST_BOARDS = 30  # mistakes that are shown with a board: the largest
STYLE = """
:root{color-scheme:light dark;--ground:#fdfcfa;--ink:#22262e;--line:#d8d4cc;--soft:#6a6f78;--card:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#16181d;--ink:#ece9e3;--line:#3a3e47;--soft:#a2a7b0;--card:#1e2128}}
body{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;background:var(--ground);color:var(--ink);
overflow-wrap:anywhere;max-width:62rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:0 0 .5rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
td,th{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left}.n{text-align:right}
svg text{fill:var(--ink)}.soft{color:var(--soft)}section{background:var(--card);border:1px solid var(--line);
border-radius:.6rem;padding:1rem;margin:1rem 0}
section img{display:block;max-width:100%;max-height:80vh;margin:.5rem auto}
.seat{display:inline-block;min-width:1.3em;border-radius:.7em;color:#fff;text-align:center;font-weight:700}
.blunder,.mistake,.inaccuracy{font-weight:700}a{color:inherit}
"""


def page(analysis: Analysis, match: Match) -> str:
    """The whole file. `match` is the one that was analysed: boards are drawn from it, as their mover saw them."""
    title = f"{match.game.definition.facts.title}: {', '.join(analysis.names)}"
    shown = analysis.mistakes[:MOST_BOARDS]
    key = "Win chance with best play at each decision"
    if analysis.seats == 2:
        key += f", of {analysis.names[0]}"
    luck = luck_table(analysis)
    parts = [
        f"<h1>{escape(title)}</h1><p class=soft>{escape(heading(analysis))}</p>",
        f"<h2>How the match went</h2><p>{escape(key)}; dotted steps are luck, dots are mistakes.</p>{graph(analysis)}",
        f"<h2>Players</h2>{_table(players_table(analysis))}<p class=soft>{escape(sum_line(analysis))}</p>",
        "<h2>Mistakes, the largest first</h2>",
        *(_mistake(analysis, match, each) for each in shown),
        "" if shown else "<p>No move lost 5 points of win chance for certain.</p>",
        f"<h2>Luck</h2>{_table(luck)}" if luck.rows else "",
        f"<h2>All moves</h2>{_moves(analysis, match)}",
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(parts)}</html>\n"
    )


def _mistake(analysis: Analysis, match: Match, each: Decision) -> str:
    error = f" ± {points(each.error)}" if each.error else ""
    lost = f"{points(each.loss)}{error} points of win chance"
    if each.points_lost is not None and analysis.points:
        lost += f", {each.points_lost:.1f} points of the game"
    proof = f" ({escape(each.proof)})" if each.proof else ""
    explained = why(match.steps[each.step].before, each.best_action, each.action)
    reason = f"<p>{escape(explained.sentence)}</p>" if explained is not None and explained.sentence else ""
    line = f"<p class=soft>The judge would go on: {escape(', '.join(each.line))}</p>" if len(each.line) > 1 else ""
    made, best = (escape(words(match, each, action)) for action in (each.action, each.best_action))
    name = escape(analysis.names[each.seat])
    return (
        f'<section id="move-{each.ply}"><h3>Move {each.ply + 1}: {_seat(each.seat)} {name}, '
        f"<span class={each.word}>{each.word}</span></h3>"
        f"<p>Played: <b>{made}</b> <span class=soft>{escape(each.move)}</span><br>"
        f"Best: <b>{best}</b> <span class=soft>{escape(each.best)}</span>{proof}"
        f"<br>Lost: {escape(lost)}</p>{reason}{_board(analysis, match, each)}{line}</section>"
    )


def words(match: Match, each: Decision, action: int) -> str:
    """A move that could be made at a decision, in words."""
    return plain(ordered(match.steps[each.step].before.spoken(action), Hearer()))


def _board(analysis: Analysis, match: Match, each: Decision) -> str:
    """The position as its mover saw it; each drawing a picture of its own, so that their styles do not mix."""
    state = match.steps[each.step].before
    if match.game.definition.picture is None:
        return f"<pre>{escape(state.board(each.seat))}</pre>"
    memory = match.memory(each.step)
    best, made = (frozenset(next(iter(state.paths(action)), ())) for action in (each.best_action, each.action))

    def drawn(*, dark: bool, narrow: bool) -> str:
        look = Look(dark=dark, narrow=narrow, lit=best, last=made, mover=each.seat, names=analysis.names, memory=memory)
        data = base64.b64encode(state.picture(each.seat, look).encode()).decode()
        return f"data:image/svg+xml;base64,{data}"

    dark, phone = "(prefers-color-scheme:dark)", "(max-width:600px)"
    return (
        f'<picture><source media="{dark} and {phone}" srcset="{drawn(dark=True, narrow=True)}">'
        f'<source media="{phone}" srcset="{drawn(dark=False, narrow=True)}">'
        f'<source media="{dark}" srcset="{drawn(dark=True, narrow=False)}">'
        f'<img alt="The board before move {each.ply + 1}" src="{drawn(dark=False, narrow=False)}"></picture>'
        f"<p class=soft>Dashed rings: the best move. Whole rings: the move made.</p>"
    )


def _moves(analysis: Analysis, match: Match) -> str:
    heads = ("move", "", "played", "chance before", "lost", "+-", "")
    rows = []
    for each in analysis.decisions:
        told_best = f"{each.word}, best {each.best}" if each.word else "forced" if each.is_forced else ""
        lost = (points(each.loss), points(each.error)) if each.is_judged else ("-", "-")
        before = points(each.before[each.seat])
        rows.append((str(each.ply + 1), MARKS[each.seat], words(match, each, each.action), before, *lost, told_best))
    return _table(TextTable(heads, tuple(rows), ("move", "chance before", "lost", "+-")))


def _table(table: TextTable) -> str:
    numbers = [" class=n" if name in table.right else "" for name in table.columns]
    head = "".join(f"<th{side}>{escape(name)}</th>" for name, side in zip(table.columns, numbers, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, numbers, strict=True)) + "</tr>"
        for row in table.rows
    )
    return f"<div class=wide tabindex=0><table><tr>{head}</tr>{body}</table></div>"


def _seat(seat: int) -> str:
    return f'<span class=seat style="background:{SEATS[seat]}">{escape(MARKS[seat])}</span>'
