"""A rating over time as a picture: a line, a band for how sure it is, and the levels it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from meeple.core.svg import Markup, number, tag
from meeple.web.history import Rated

WIDE, NARROW, HEIGHT = 680, 340, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 84, 14, 30  # room for words around the lines
CLOSEST = 15  # units between two levels' names


def rating_plot(rows: Sequence[Rated], elos: Mapping[str, float], title: str, *, width: int = WIDE) -> Markup:
    """The rating before the first match and after each; the band is its interval at 95%."""
    end = width - RIGHT
    ratings = [rows[0].before, *(row.after for row in rows)]
    low = min(rating.interval[0] for rating in ratings[1:])
    high = max(rating.interval[1] for rating in ratings[1:])
    low, high = min(low, ratings[0].elo), max(high, ratings[0].elo)
    margin = max(40.0, 0.06 * (high - low))
    low, high = low - margin, high + margin

    def x(at: int) -> float:
        return LEFT + (end - LEFT) * at / len(rows)

    def y(elo: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - max(low, min(high, elo))) / (high - low)

    def line(points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{number(px)},{number(py)}" for px, py in points)

    upper = [(x(at), y(rating.interval[1])) for at, rating in enumerate(ratings)]
    lower = [(x(at), y(rating.interval[0])) for at, rating in enumerate(ratings)]
    middle = [(x(at), y(rating.elo)) for at, rating in enumerate(ratings)]
    return tag(
        "svg",
        *_levels({name: y(elo) for name, elo in elos.items() if low < elo < high}, end),
        tag("polygon", points=line([*upper, *reversed(lower)]), class_="p-band"),
        tag("polyline", points=line(middle), class_="p-line"),
        *(_dot(px, py, row) for (px, py), row in zip(middle[1:], rows, strict=True)),
        *_axes(rows, [(elo, y(elo)) for elo in _ticks(low, high)], end),
        viewBox=f"0 0 {width} {HEIGHT}",
        class_="m-plot",
        role="img",
        aria_label=f"Rating in {title}: {ratings[-1]} after {len(rows)} {'match' if len(rows) == 1 else 'matches'}",
    )


def _dot(x: float, y: float, row: Rated) -> Markup:
    words = f"{day(row.played.when)}: {row.played.outcome} against {row.played.against}, {row.after}"
    return tag("circle", tag("title", words), cx=number(x), cy=number(y), r=4, class_=f"p-{row.played.outcome}")


def _levels(places: Mapping[str, float], end: float) -> list[Markup]:
    """Each level's strength as a line, with its name where there is room for it."""
    parts: list[Markup] = []
    free = float(HEIGHT)
    for name, y in sorted(places.items(), key=lambda place: -place[1]):
        parts.append(tag("line", x1=LEFT, x2=end, y1=number(y), y2=number(y), class_="p-level"))
        if free - y >= CLOSEST:
            parts.append(tag("text", name, x=end + 8, y=number(y + 4)))
            free = y
    return parts


def _axes(rows: Sequence[Rated], ticks: Sequence[tuple[float, float]], end: float) -> list[Markup]:
    parts = [tag("text", f"{elo:.0f}", x=LEFT - 8, y=number(y + 4), text_anchor="end") for elo, y in ticks]
    first, last = day(rows[0].played.when), day(rows[-1].played.when)
    parts.append(tag("text", first, x=LEFT, y=HEIGHT - 8))
    if last != first:
        parts.append(tag("text", last, x=end, y=HEIGHT - 8, text_anchor="end"))
    return parts


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between the two, three to six of them."""
    step = next(step for step in (50, 100, 200, 250, 500, 1000, 2000, 10**9) if (high - low) / step <= 6)
    first = int(low // step) + 1
    return [float(step * at) for at in range(first, int(high // step) + 1)]


def day(seconds: float) -> str:
    """A date that sorts, in universal time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
