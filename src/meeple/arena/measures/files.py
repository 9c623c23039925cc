"""Measures as files: CSV and Parquet hold every figure, Markdown and HTML the tables, PNG and SVG a drawing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from meeple.arena.export import plotter, write_html, write_markdown, write_parquet, write_rows
from meeple.arena.measures.figures import Figure
from meeple.arena.measures.summary import Summary
from meeple.errors import ConfigError, SaveError

COLOURS = ("#3b6ea5", "#b0603c", "#4f8a4c", "#8a5fa0", "#7a6a3a", "#3a8a8a")


def write(summary: Summary, path: Path) -> None:
    """Write one file; its ending says what.

    Raises:
        ConfigError: no such ending, or the library for it is not installed.
        SaveError: the file cannot be written.
    """
    writers: dict[str, Callable[[], None]] = {
        ".csv": lambda: write_rows(path, rows_of(summary)),
        ".parquet": lambda: write_parquet(path, rows_of(summary)),
        ".md": lambda: write_markdown(path, summary.heading, summary.tables(), summary.remarks()),
        ".html": lambda: write_html(path, summary.heading, summary.tables(), summary.remarks()),
        ".png": lambda: draw(summary, path),
        ".svg": lambda: draw(summary, path),
    }
    require_ending(path)
    try:
        writers[path.suffix]()
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another place") from fault


def require_ending(path: Path) -> None:
    """Refuse a file whose ending names nothing that can be written."""
    endings = (".csv", ".parquet", ".md", ".html", ".png", ".svg")
    if path.suffix not in endings:
        raise ConfigError(f"'{path}' should end in {', '.join(endings)}: the ending says what is written")


def rows_of(summary: Summary) -> list[dict[str, Any]]:
    """A row a figure, all with the same columns; empty where a figure is of all plies, rounds, seats or agents."""
    return [figure.as_row() for figure in summary.figures]


def draw(summary: Summary, path: Path) -> None:
    """Branching by ply and by round, time by ply where it was measured, what seats are worth; all with intervals."""
    pyplot = plotter()
    figures = summary.figures
    several = len(summary.sample.names) > 1
    lines = [("branching", "ply"), ("branching", "round"), ("milliseconds", "ply")]
    found = [(measure, by, _lines(figures, measure, by, several=several)) for measure, by in lines]
    panels = [(measure, by, rows) for measure, by, rows in found if rows]
    figure, axes = pyplot.subplots(1, len(panels) + 1, figsize=(4.6 * (len(panels) + 1), 3.8), squeeze=False)
    for axis, (measure, by, rows) in zip(axes[0], panels, strict=False):
        _draw_lines(axis, rows, by)
        axis.set_title(f"{measure} by {by}", fontsize=10)
        axis.set_xlabel(by)
        axis.set_ylim(bottom=0)
    _draw_seats(axes[0][-1], summary.by_seat)
    figure.suptitle(f"{summary.heading}; bands and bars 98%", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _lines(figures: list[Figure], measure: str, by: str, *, several: bool) -> dict[str, list[Figure]]:
    """The figures of a measure, and of it after a filter, as lines: one an agent where there are several."""
    found: dict[str, list[Figure]] = {}
    for each in figures:
        is_wanted = each.measure in (measure, f"{measure}, filtered") and getattr(each, by) is not None
        if is_wanted and bool(each.agent) == several:
            name = each.agent or "all"
            found.setdefault(name if each.measure == measure else f"{name}, filtered", []).append(each)
    return found


def _draw_lines(axis: Any, lines: dict[str, list[Figure]], by: str) -> None:
    for number, (name, rows) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [getattr(row, by) for row in rows]
        axis.plot(places, [row.mean for row in rows], color=colour, linewidth=1.5, label=name)
        axis.fill_between(places, [row.low for row in rows], [row.high for row in rows], color=colour, alpha=0.2)
    if len(lines) > 1:
        axis.legend(fontsize=7)


def _draw_seats(axis: Any, seats: list[Figure]) -> None:
    if not seats:
        axis.axis("off")
        return
    for found in seats:
        axis.plot([found.seat, found.seat], [found.low, found.high], color=COLOURS[0], linewidth=2)
        axis.plot([found.seat], [found.mean], "o", color=COLOURS[0])
    axis.axhline(sum(found.mean for found in seats) / len(seats), color="#888888", linestyle=":")
    axis.set_xticks([found.seat for found in seats])
    axis.set_xlim(0.5, len(seats) + 0.5)
    axis.set_ylim(0, 1)
    axis.set_xlabel("seat")
    axis.set_title("share of the victory by seat (dotted: even)", fontsize=10)
