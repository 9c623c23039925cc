"""A tournament's tables as files: CSV, Parquet, Markdown, HTML, and drawings.

In every CSV the columns that hold what the clock said come after the sixth: the first six are the same whoever
played, wherever and however often it was stopped.
"""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from meeple.arena.report import Cells, Meetings, Report
from meeple.arena.schedule import GameKey
from meeple.arena.store import Store
from meeple.errors import ConfigError, SaveError

AGENT_COLUMNS = ("agent", "score", "low", "high", "games", "wins")
GAME_COLUMNS = ("game", "seed", "seat", "agent", "rank", "share")


def agent_rows(report: Report) -> list[dict[str, Any]]:
    """A row an agent."""
    found = report.as_json()
    rows = []
    for agent in found["agents"]:
        clock = found["clock"].get(agent["agent"], {})
        first = {name: agent[name] for name in AGENT_COLUMNS}
        rest = {name: value for name, value in agent.items() if name not in (*AGENT_COLUMNS, "roles")}
        for word, role in agent.get("roles", {}).items():
            rest |= {f"{word}_{name}": value for name, value in role.items()}
        rows.append(first | rest | {f"seconds_{name}": value for name, value in clock.items()})
    return rows


def game_rows(report: Report, store: Store) -> Iterator[dict[str, Any]]:
    """A row for each seat of each game that counts: games of sets that were not finished are left out."""
    spent: dict[tuple[GameKey, int], float] = {}
    for key, seats, seconds in store.times():
        for seat, thought in zip(seats, seconds, strict=True):
            spent[key, seat] = spent.get((key, seat), 0.0) + thought
    for game in store.games():
        standing = report.ledger.standings.get(game.key.lineup)
        if standing is None or game.key.number >= standing.counted:
            continue
        for seat, number in enumerate(report.seated(game.key)):
            yield {
                "game": game.key.text(),
                "seed": game.seed,
                "seat": seat + 1,  # as people count them
                "agent": report.names[number],
                "rank": game.ranks[seat],
                "share": game.shares[seat],
                "score": game.scores[seat],
                "moves": game.plies,
                "forfeited": game.at_fault == seat,
                "reason": game.reason,
                "seconds": spent.get((game.key, seat), 0.0),
            }


def write_csv(report: Report, store: Store, folder: Path) -> None:
    """agents.csv and games.csv in a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_rows(folder / "agents.csv", agent_rows(report))
        write_rows(folder / "games.csv", list(game_rows(report, store)))
    except OSError as fault:
        raise SaveError(f"'{folder}' cannot be written: {fault.strerror}; choose another place") from fault


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as CSV: every name that one of them has is a column."""
    heads = list(dict.fromkeys(name for row in rows for name in row)) or list(GAME_COLUMNS)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, heads, restval="")
        writer.writeheader()
        writer.writerows(rows)


def write(report: Report, store: Store, path: Path) -> None:
    """One file by its ending: .csv and .parquet hold the games (a row a seat), .md and .html tables, else a drawing."""
    writers = {".csv": _csv, ".parquet": _parquet, ".md": _markdown, ".html": _html, ".png": _draw, ".svg": _draw}
    if path.suffix not in writers:
        raise ConfigError(f"'{path}' should end in {', '.join(writers)}: the ending says what is written")
    try:
        writers[path.suffix](report, store, path)
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another place") from fault


def _csv(report: Report, store: Store, path: Path) -> None:
    write_rows(path, list(game_rows(report, store)))


def _parquet(report: Report, store: Store, path: Path) -> None:
    write_parquet(path, list(game_rows(report, store)))


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows, which all have the same names, as Parquet."""
    try:
        import polars
    except ImportError:
        raise ConfigError("Parquet needs polars: pip install 'meeple[report]'") from None
    polars.DataFrame(rows, infer_schema_length=None).write_parquet(path)


def _markdown(report: Report, store: Store, path: Path) -> None:
    write_markdown(path, report.tournament.heading(), all_cells(report), report.remarks())


def write_markdown(path: Path, title: str, tables: Sequence[Cells], remarks: Sequence[str]) -> None:
    """Write tables and remarks as Markdown."""
    parts = [f"# {title}", *(markdown_table(cells) for cells in tables)]
    path.write_text("\n\n".join([*parts, *remarks]) + "\n", encoding="utf-8")


def all_cells(report: Report) -> list[Cells]:
    """Every table of a report, the clock's last."""
    timed = report.clock()
    return [*report.tables(), *([timed] if timed else [])]


def markdown_table(cells: Cells) -> str:
    """A table in Markdown."""
    rule = ["---:" if name in cells.right else "---" for name in cells.columns]
    rows = [cells.columns, rule, *([str(cell).replace("|", "\\|") for cell in row] for row in cells.rows)]
    return f"## {cells.title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _html(report: Report, store: Store, path: Path) -> None:
    write_html(path, report.tournament.heading(), all_cells(report), report.remarks())


def write_html(path: Path, heading: str, tables: Sequence[Cells], remarks: Sequence[str]) -> None:
    """Write tables and remarks as a page that needs no network."""
    title = html.escape(heading)
    body = "".join(_html_table(cells) for cells in tables)
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in remarks)
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
        "color-scheme:light dark}table{border-collapse:collapse}td,th{padding:.25rem .75rem;"
        "border-bottom:1px solid #8884;text-align:left}.n{text-align:right;font-variant-numeric:tabular-nums}"
    )
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
        f"<h1>{title}</h1>{body}{lines}</html>\n",
        encoding="utf-8",
    )


def _html_table(cells: Cells) -> str:
    def row(values: list[Any], tag: str) -> str:
        marks = [' class="n"' if name in cells.right else "" for name in cells.columns]
        parts = zip(marks, values, strict=True)
        return "<tr>" + "".join(f"<{tag}{mark}>{html.escape(str(value))}</{tag}>" for mark, value in parts) + "</tr>"

    rows = "".join(row(list(values), "td") for values in cells.rows)
    return f"<h2>{html.escape(cells.title)}</h2><table>{row(list(cells.columns), 'th')}{rows}</table>"


def _draw(report: Report, store: Store, path: Path) -> None:
    """Elo with bars, the scores against each, and the times a move, side by side."""
    pyplot = plotter()
    has_cross = len(report.agents) > 2 and report.tournament.game.seats == 2
    panels = [_draw_points, _draw_elo, _draw_times, *([_draw_cross] if has_cross else [])]
    figure, grid = pyplot.subplots(2, 2, figsize=(12, 2.6 + 0.9 * len(report.agents)))
    for axis, panel in zip_longest(grid.flat, panels):
        if panel is None:
            axis.axis("off")
        else:
            panel(report, axis)
    figure.suptitle(report.tournament.heading(), fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def plotter() -> Any:
    """Matplotlib's pyplot, drawing into files."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise ConfigError("drawings need matplotlib: pip install 'meeple[report]'") from None
    return pyplot


def _draw_elo(report: Report, axis: Any) -> None:
    rated = [rating for rating in report.ratings if rating.is_comparable][::-1]
    for place, rating in enumerate(rated):
        axis.plot([rating.low, rating.high], [place, place], color="#3b6ea5", linewidth=2)
        axis.plot([rating.elo], [place], "o", color="#3b6ea5")
        axis.annotate(f"{rating.elo:+.0f}", (rating.elo, place), xytext=(0, 6), textcoords="offset points", ha="center")
    _label(axis, [rating.agent for rating in rated], "Elo, 98% bars")


def _draw_points(report: Report, axis: Any) -> None:
    names = [agent.name for agent in report.agents][::-1]
    scores = [agent.interval() for agent in report.agents][::-1]
    axis.barh(range(len(names)), [score.mean for score in scores], color="#88a9cc")
    for place, score in enumerate(scores):
        axis.plot([score.low, score.high], [place, place], color="#222222")
    axis.axvline(1 / report.tournament.game.seats, color="#888888", linestyle=":")
    axis.set_xlim(0, 1)
    _label(axis, names, "score, 98% (dotted: an even share)")


def _draw_cross(report: Report, axis: Any) -> None:
    numbers = range(len(report.names))
    scores = [[report.meetings.get((i, j), Meetings()).mean for j in numbers] for i in numbers]
    axis.imshow(scores, cmap="RdYlBu", vmin=0, vmax=1, aspect="auto", alpha=0.6)
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            if score == score:
                axis.text(j, i, f"{score:.3f}", ha="center", va="center", fontsize=8)
    axis.set_xticks(numbers, [str(number + 1) for number in numbers], fontsize=8)
    axis.set_yticks(numbers, [f"{number + 1}  {name}" for number, name in enumerate(report.names)], fontsize=8)
    axis.set_title("score of the row against the column", fontsize=10)


def _draw_times(report: Report, axis: Any) -> None:
    timed = [agent for agent in report.agents if agent.moves.n][::-1]
    for place, agent in enumerate(timed):
        found = agent.moves.summary()
        axis.plot([1000 * found.least, 1000 * found.greatest], [place, place], color="#b0885c")
        axis.plot([1000 * found.median], [place], "o", color="#b0885c")
    if timed:
        axis.set_xscale("log")
    _label(axis, [agent.name for agent in timed], "milliseconds a move: least, median, longest")


def _label(axis: Any, names: list[str], title: str) -> None:
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_ylim(-0.6, max(0.6, len(names) - 0.4))
    axis.set_title(title, fontsize=10)
