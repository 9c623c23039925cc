"""The log of a table as HTML: a line for each move in words, and what chance did at once folded into one line."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from types import ModuleType

from meeple.core.match import Step
from meeple.core.speech import Icon, Piece
from meeple.core.svg import Markup, joined, tag
from meeple.web.table import Table
from meeple.web.voice import Voice, mark, words_html

MOST_ICONS = 12  # in a line that is folded
MOST_VOICES = 16  # whose logs a table keeps: each seat's, the watchers', all of it open


@dataclass(frozen=True)
class LogEntry:
    """An event of the log: how many events there are with it, who did it, and what is said of it."""

    number: int
    seat: int | None
    heading: str  # of an outcome
    pieces: list[Piece] = field(default_factory=list)
    rows: dict[bool, Markup] = field(default_factory=dict, compare=False)  # as it is drawn, the last one and else


def entries(table: Table, voice: Voice) -> list[LogEntry]:
    """All events that the viewer is told of; those that were told before are kept with the table."""
    if voice not in table.logs and len(table.logs) >= MOST_VOICES:
        table.logs.clear()
    kept: list[tuple[Step, LogEntry]] = table.logs.setdefault(voice, [])
    steps = table.match.steps
    del kept[len(steps) :]
    while kept and kept[-1][0] is not steps[len(kept) - 1]:  # events before a shared one are shared too
        kept.pop()
    for number, step in enumerate(steps[len(kept) :], len(kept) + 1):
        kept.append((step, LogEntry(number, step.seat, _heading(step), voice.event(step))))
    return [entry for _, entry in kept if entry.pieces]


def _heading(step: Step) -> str:
    return step.before.heading() if step.seat is None else ""


def log_panel(table: Table, voice: Voice, cursor: int | None, ending: str = "") -> Markup:
    """All events as the viewer saw them; `ending` says how a match ended that was not played to its end."""
    at = len(table.match.steps) if cursor is None else cursor
    found, picture = entries(table, voice), table.game.definition.picture
    here = max((entry.number for entry in found if entry.number <= at), default=0)
    rows = []
    for (seat, heading), group in groupby(found, key=lambda entry: (entry.seat, entry.heading)):
        run = list(group)
        if seat is None and len(run) > 1:
            rows.append(_folded(heading, run, picture, here))
        else:
            rows += [_row(entry, picture, is_here=entry.number == here) for entry in run]
    if table.forfeit is not None:
        rows.append(_line(len(table.match.steps), mark(table.forfeit.seat), tag("span", ending)))
    return tag("ol", *rows, aria_label="Moves so far") if rows else tag("div", "No moves yet.", class_="m-quiet")


def _row(entry: LogEntry, picture: ModuleType | None, *, is_here: bool) -> Markup:
    if is_here not in entry.rows:
        dot = mark(entry.seat) if entry.seat is not None else tag("span", "")
        classes = ["m-here"] * is_here + ["m-chance"] * (entry.seat is None)
        entry.rows[is_here] = _line(entry.number, dot, tag("span", words_html(entry.pieces, picture)), classes)
    return entry.rows[is_here]


def _folded(heading: str, run: list[LogEntry], picture: ModuleType | None, here: int) -> Markup:
    """What chance did at once: its small pictures in one line, which unfolds to a line for each."""
    icons: list[Piece] = [piece for entry in run for piece in entry.pieces if isinstance(piece, Icon)]
    more = f" +{len(icons) - MOST_ICONS}" if len(icons) > MOST_ICONS else "" if icons else f" ({len(run)})"
    summary = tag("summary", tag("span", f"{heading} "), words_html(icons[:MOST_ICONS], picture), tag("span", more))
    inside = [_row(entry, picture, is_here=entry.number == here) for entry in run]
    is_here = run[0].number <= here <= run[-1].number
    fold = tag("details", summary, tag("ol", *inside), data_fold=run[0].number)
    return _line(run[-1].number, tag("span", ""), fold, ["m-chance", "m-fold", *["m-here"] * is_here])


def _line(number: int, dot: Markup, words: Markup, classes: list[str] | None = None) -> Markup:
    return tag("li", joined([dot, words]), class_=" ".join(classes or []) or None, data_n=number)
