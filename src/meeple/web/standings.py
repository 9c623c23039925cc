"""What a tournament's page shows of its store: tables, plots, remarks and the latest games, made in a thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from meeple.agents.levels import level_played
from meeple.arena.report import Cells, Report
from meeple.arena.statistics import Interval
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import stored_ledger, stored_tournament
from meeple.core.game import Game
from meeple.core.svg import Markup, joined, number, tag
from meeple.web.panels import without_folders

LATEST = 40  # games that are listed
FAR = 2000  # Elo: an interval that is wider says nothing, and shares are drawn instead
ROW, TOP, BOTTOM, LEFT, RIGHT, WIDE, NARROW = 34, 8, 30, 12, 12, 680, 340  # of a plot, in its units


@dataclass(frozen=True)
class Standings:
    """A tournament as far as it is stored."""

    game: Game
    agents: tuple[str, ...]
    heading: str
    games: int
    tables: Markup
    plots: Markup
    remarks: tuple[str, ...]  # what a reader must know, once it is over
    verdict: str
    latest: Markup

    @classmethod
    def of(cls, path: Path, name: str, *, trust: bool = False) -> Standings:
        """Read a store.

        Raises:
            MeepleError: it is damaged, or names agents of files, which `trust` allows.
        """
        with Store.read(path) as store:
            plan = stored_tournament(store, trust=trust)
            names = [name_of(agent, plan.game) for agent in plan.agents]
            report = Report(plan, stored_ledger(plan, store), store, names=names)
            latest: deque[StoredGame] = deque(store.games(), LATEST)
            return cls(
                plan.game,
                plan.agents,
                plan.heading(),
                store.count(),
                joined(table(cells) for cells in report.tables()) if report.games else Markup(""),
                plots(report) if report.games else Markup(""),
                tuple(report.remarks()[:-1]) if report.games else (),
                report.verdict() if report.games else "",
                games_table(report, name, list(latest)[::-1]),
            )


def name_of(spec: str, game: Game) -> str:
    """A level by its name, any other agent by its spec."""
    level = level_played(game.definition, spec)
    return level.name if level else without_folders(spec)


def table(cells: Cells) -> Markup:
    """A table under its title; columns of numbers are set right."""
    looks = ["m-number" if name in cells.right else None for name in cells.columns]
    heads = [tag("th", head, scope="col", class_=look) for head, look in zip(cells.columns, looks, strict=True)]
    rows = [
        tag("tr", *(tag("td", str(cell), class_=look) for cell, look in zip(row, looks, strict=True)))
        for row in cells.rows
    ]
    whole = tag("table", tag("tr", *heads), *rows, class_="m-lines")
    return joined([tag("h2", cells.title[:1].upper() + cells.title[1:]), tag("div", whole, class_="m-scroll")])


def games_table(report: Report, name: str, games: Sequence[StoredGame]) -> Markup:
    """The latest games, each with a link to look at it."""
    rows = []
    for game in games:
        seated = [report.names[number] for number in report.seated(game.key)]
        places = ", ".join(f"{who} {rank}." for who, rank in zip(seated, game.ranks, strict=True))
        number_of = game.key.text()
        path = f"/tournament/{name}/game?{urlencode({'number': number_of})}"
        link = tag("a", "Look", href=path, aria_label=f"Look at game {number_of}")
        cells = (number_of, places, str(game.plies), game.reason, link)
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
    heads = [
        tag("th", head, scope="col") if head else tag("td") for head in ("game", "places by seat", "moves", "ended", "")
    ]
    return tag("table", tag("tr", *heads), *rows, class_="m-lines") if rows else Markup("")


# --- plots


def plots(report: Report) -> Markup:
    """Every agent's strength with its interval: Elo where games connect them all, else the share of victories."""
    rated = [rating for rating in report.ratings if rating.is_comparable and rating.high - rating.low < FAR]
    if len(rated) == len(report.agents) > 1:
        title, even = "Elo, 98% intervals", 0.0
        rows = [(rating.agent, Interval(rating.elo, rating.low, rating.high)) for rating in rated]
    else:
        title, even = "Score, 98% intervals", 1 / report.tournament.game.seats
        rows = [(agent.name, agent.interval()) for agent in report.agents]
    rows.sort(key=lambda row: -row[1].mean)
    drawn = [
        tag("div", interval_plot(rows, title, even, width=width), class_=look)
        for width, look in ((WIDE, "m-wide"), (NARROW, "m-narrow"))
    ]
    return tag("div", tag("h2", title), *drawn, class_="m-card")


def interval_plot(rows: Sequence[tuple[str, Interval]], title: str, even: float, *, width: int) -> Markup:
    """A dot with a bar for each name, best first; a dashed line where all would be alike."""
    low = min(even, *(found.low for _, found in rows))
    high = max(even, *(found.high for _, found in rows))
    room = 0.04 * (high - low) or 1.0
    low, high, height = low - room, high + room, TOP + BOTTOM + ROW * len(rows)

    def x(value: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * (value - low) / (high - low)

    parts = [tag("line", x1=x(even), x2=x(even), y1=TOP, y2=height - BOTTOM, class_="p-level")]
    for place, (name, found) in enumerate(rows):
        y = TOP + ROW * place + 26
        anchor, at = ("start", LEFT) if x(found.mean) < width / 2 else ("end", width - RIGHT)
        parts.append(tag("text", shorter(name, width), x=at, y=y - 11, text_anchor=anchor, class_="p-name"))
        parts.append(tag("line", x1=x(found.low), x2=x(found.high), y1=y, y2=y, class_="p-bar"))
        title_of = tag("title", f"{name}: {said(found)}")
        parts.append(tag("circle", title_of, cx=x(found.mean), cy=y, r=5, class_="p-dot"))
    for value in (low + room, even, high - room):
        if value == even or abs(x(value) - x(even)) > 60:
            parts.append(tag("text", shown(value, title), x=x(value), y=height - 8, text_anchor="middle"))
    told = "; ".join(f"{name} {said(found)}" for name, found in rows)
    view = f"0 0 {width} {height}"
    return tag("svg", *parts, viewBox=view, class_="m-plot", role="img", aria_label=f"{title}: {told}")


def shorter(words: str, width: int) -> str:
    """As much of a name as a line of the plot holds."""
    most = width // 9
    return words if len(words) <= most else words[: most - 1] + "…"


def shown(value: float, title: str) -> str:
    """A number of the axis."""
    return f"{value:+.0f}" if title.startswith("Elo") else f"{value:.2f}"


def said(found: Interval) -> str:
    """A mean with its interval."""
    return f"{number(found.mean)} ({number(found.low)} to {number(found.high)})"
