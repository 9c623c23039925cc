"""An analysis as tables of plain text, the same rows for the terminal and for a page."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.analysis.calibration import trust_words
from meeple.analysis.result import Analysis, Decision
from meeple.core.paint import MARKS as SEAT_MARKS


@dataclass(frozen=True)
class TextTable:
    """Rows of texts under their heads; `right` names the columns of numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()

    def text(self) -> str:
        """Aligned by blanks."""
        every = [self.columns, *self.rows]
        widths = [max(len(row[i]) for row in every) for i in range(len(self.columns))]
        lines = []
        for row in every:
            cells = [
                cell.rjust(width) if name in self.right else cell.ljust(width)
                for name, cell, width in zip(self.columns, row, widths, strict=True)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)


def players_table(analysis: Analysis) -> TextTable:
    """A row a player: how well it chose, and the sum from the start to the result."""
    heads = ["player", "accuracy", "mean loss", "?!", "?", "??", "start", "play", "given", "luck"]
    heads += ["net luck"] if analysis.seats > 2 else []
    heads += ["blind"] if analysis.is_hidden else []
    heads += ["unexplained", "result", "even luck"]
    heads += ["points lost"] if analysis.points else []
    rows = []
    for each in analysis.summaries:
        row = [f"{SEAT_MARKS[each.seat]} {each.name}", f"{each.accuracy:.0f}", points(each.mean_loss)]
        row += [str(each.inaccuracies), str(each.mistakes), str(each.blunders)]
        row += [points(each.start), signed(each.play), signed(each.given), signed(each.luck)]
        row += [signed(each.net_luck)] if analysis.seats > 2 else []
        row += [signed(each.blind)] if analysis.is_hidden else []
        row += [signed(each.unexplained), points(each.result), points(each.even_luck)]
        row += [f"{each.points_lost:.1f}"] if analysis.points and each.points_lost is not None else []
        rows.append(tuple(row))
    return TextTable(tuple(heads), tuple(rows), tuple(heads[1:]))


def mistakes_table(analysis: Analysis) -> TextTable:
    """A row a mistake, the largest loss first."""
    heads = ("move", "player", "played", "best", "lost", "+-", *(("points",) if analysis.points else ()), "")
    rows = tuple(_mistake(analysis, each) for each in analysis.mistakes)
    return TextTable(heads, rows, ("move", "lost", "+-", "points"))


def _mistake(analysis: Analysis, each: Decision) -> tuple[str, ...]:
    lead = "-" if each.points_lost is None else f"{each.points_lost:+.1f}"
    words = ", ".join(part for part in (each.word, each.proof) if part)
    return (
        str(each.ply + 1),
        SEAT_MARKS[each.seat],
        each.move,
        each.best,
        points(each.loss),
        points(each.error),
        *((lead,) if analysis.points else ()),
        words,
    )


def luck_table(analysis: Analysis, most: int = 5) -> TextTable:
    """The chance events that changed most, for the seat that they served."""
    rows = []
    for event in analysis.chances:
        seat = max(range(analysis.seats), key=lambda place: event.luck[place])
        word = event.word(seat)
        if word:
            texts = " ".join(event.texts)
            shown = texts if len(texts) <= 40 else f"{texts[:39]}…"
            row = (str(event.ply + 1), SEAT_MARKS[seat], signed(event.luck[seat]), points(event.error), word, shown)
            rows.append((-event.luck[seat], row))
    found = tuple(row for _, row in sorted(rows)[:most])
    return TextTable(("before move", "for", "luck", "+-", "", "what came"), found, ("before move", "luck", "+-"))


def heading(analysis: Analysis) -> str:
    """What was judged, and by whom."""
    trust = "" if analysis.is_calibrated else f"; {trust_words(False)}"
    part = "" if analysis.is_complete else "; stopped before the end: what is not judged yet has no loss"
    return f"{analysis.game}, {analysis.ending}; {analysis.effort} effort by {analysis.judge}{trust}{part}"


def sum_line(analysis: Analysis) -> str:
    """What a row of the players' table adds up to."""
    blind = " + blind" if analysis.is_hidden else ""
    return f"in points of win chance: start + play + given + luck{blind} + unexplained = result"


def analysis_text(analysis: Analysis) -> str:
    """All tables, with a line on what the numbers are."""
    parts = [heading(analysis), players_table(analysis).text()]
    parts.append(sum_line(analysis))
    mistakes = mistakes_table(analysis)
    parts.append(mistakes.text() if mistakes.rows else "no move lost 5 points of win chance for certain")
    luck = luck_table(analysis)
    if luck.rows:
        parts.append(luck.text())
    return "\n\n".join(parts)


def points(chance: float) -> str:
    """A win chance in points."""
    return f"{100 * chance:.1f}"


def signed(chance: float) -> str:
    """A change of it; nothing is 0.0, with no sign."""
    text = f"{100 * chance:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text
