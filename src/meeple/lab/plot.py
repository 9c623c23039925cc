"""An item as a picture: published values and ours with their intervals, as SVG that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meeple.core.svg import Markup, number, tag

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 680, 56, 20, 30, 46
ROW, NAMES = 26, 240  # of a chart with a row an entry: its height, and the room for names
LINES = 220  # height of the area of a chart with lines
PALETTE = ("#1f6fb2", "#b3541e", "#2e7d4f", "#7b3f98", "#8a6d00", "#555555")  # of the lines of one figure
OURS, THEIRS, INK, GRID = "#1f6fb2", "#b3541e", "#444444", "#cccccc"  # read on white, as the picture brings its ground


@dataclass(frozen=True)
class Point:
    """An entry: its name, our mean with its interval, and what was published."""

    name: str
    mean: float
    low: float | None
    high: float | None
    published: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval; the mean itself where there is none."""
        return (self.mean if self.low is None else self.low), (self.mean if self.high is None else self.high)


@dataclass(frozen=True)
class _Scale:
    """A range of values laid over a range of units of the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * min(1.0, max(0.0, part))

    def ticks(self) -> list[float]:
        return [self.low + (self.high - self.low) * part / 4 for part in range(5)]


def plot(points: Sequence[Point], *, title: str, axes: tuple[str, str], is_share: bool, is_curve: bool) -> Markup:
    """A curve over the entries in their order, or a row an entry."""
    low, high = (0.0, 1.0) if is_share else _range(points)
    draw = _curve if is_curve else _rows
    parts, height = draw(points, axes, low, high, is_share)
    return _page([*_legend(any(point.published is not None for point in points)), *parts], height, title)


def _page(parts: Sequence[Markup], height: int, title: str) -> Markup:
    return tag(
        "svg",
        tag("title", title),
        tag("rect", width=WIDTH, height=height, fill="#ffffff", rx=6),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        font_family="sans-serif",
        font_size=12,
        role="img",
        aria_label=title,
    )


def plot_lines(lines: Mapping[str, Sequence[Point]], *, title: str, axes: tuple[str, str]) -> Markup:
    """Several lines over the same places, each in its colour: ours with intervals, the published one dashed."""
    points = [point for line in lines.values() for point in line]
    top = TOP + 18 * ((len(lines) + 1) // 2)
    bottom = top + LINES
    low, high = _range(points)
    n_places = max(len(line) for line in lines.values())
    x, y = _Scale(1, max(2, n_places), LEFT + 10, WIDTH - RIGHT - 10), _Scale(low, high, bottom, top)
    parts = [_text(LEFT, 16, "full: ours, 99% intervals; dashed: published", anchor="start")]
    for tick in y.ticks():
        parts.append(_line(LEFT, y(tick), WIDTH - RIGHT, y(tick), GRID))
        parts.append(_text(LEFT - 6, y(tick) + 4, _label(tick, False), anchor="end"))
    for place in range(1, n_places + 1):
        parts.append(_text(x(place), bottom + 16, str(place)))
    for i, (name, line) in enumerate(lines.items()):
        colour = PALETTE[i % len(PALETTE)]
        at = LEFT + 310 * (i % 2), 34 + 18 * (i // 2)
        parts.append(_line(at[0], at[1] - 4, at[0] + 18, at[1] - 4, colour, 3))
        parts.append(_text(at[0] + 24, at[1], _short(name, 44), anchor="start"))
        theirs = [(x(place), y(p.published)) for place, p in enumerate(line, 1) if p.published is not None]
        parts.append(_polyline(theirs, colour, dashed=True))
        parts.append(_polyline([(x(place), y(point.mean)) for place, point in enumerate(line, 1)], colour))
        for place, point in enumerate(line, 1):
            ends = [y(end) for end in point.ends]
            parts.append(_line(x(place), ends[0], x(place), ends[1], colour, 2))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, bottom + 34, axes[0]))
    parts.append(_text(WIDTH - RIGHT, 16, axes[1], anchor="end"))
    return _page(parts, bottom + BOTTOM, title)


def _range(points: Sequence[Point]) -> tuple[float, float]:
    values = [value for point in points for value in (*point.ends, point.published) if value is not None]
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _legend(has_published: bool) -> list[Markup]:
    ours = [tag("circle", cx=LEFT, cy=14, r=4, fill=OURS), _text(LEFT + 10, 18, "ours, 99% interval", anchor="start")]
    if not has_published:
        return ours
    return [*ours, _diamond(LEFT + 160, 14), _text(LEFT + 170, 18, "published", anchor="start")]


def _rows(
    points: Sequence[Point], axes: tuple[str, str], low: float, high: float, is_share: bool
) -> tuple[list[Markup], int]:
    bottom = TOP + ROW * len(points)
    x = _Scale(low, high, NAMES, WIDTH - RIGHT)
    parts = []
    for tick in x.ticks():
        parts.append(_line(x(tick), TOP, x(tick), bottom, GRID))
        parts.append(_text(x(tick), bottom + 16, _label(tick, is_share)))
    for place, point in enumerate(points):
        y = TOP + ROW * (place + 0.5)
        parts.append(_text(NAMES - 12, y + 4, _short(point.name, 36), anchor="end"))
        low, high = (x(end) for end in point.ends)
        parts.append(_line(low, y, high, y, OURS, 2))
        parts.append(tag("circle", cx=number(x(point.mean)), cy=number(y), r=4, fill=OURS))
        if point.published is not None:
            parts.append(_diamond(x(point.published), y))
    parts.append(_text((NAMES + WIDTH - RIGHT) / 2, bottom + 34, axes[1] or ("share" if is_share else "value")))
    return parts, bottom + BOTTOM


def _curve(
    points: Sequence[Point], axes: tuple[str, str], low: float, high: float, is_share: bool
) -> tuple[list[Markup], int]:
    bottom = TOP + LINES
    places = _places(points)
    x = _Scale(min(places), max(places) if len(places) > 1 else min(places) + 1, LEFT + 30, WIDTH - RIGHT - 30)
    y = _Scale(low, high, bottom, TOP)
    parts = []
    for tick in y.ticks():
        parts.append(_line(LEFT, y(tick), WIDTH - RIGHT, y(tick), GRID))
        parts.append(_text(LEFT - 6, y(tick) + 4, _label(tick, is_share), anchor="end"))
    theirs = [(x(at), y(p.published)) for at, p in zip(places, points, strict=True) if p.published is not None]
    parts += [
        _polyline(theirs, THEIRS),
        _polyline([(x(at), y(point.mean)) for at, point in zip(places, points, strict=True)], OURS),
    ]
    for at, point in zip(places, points, strict=True):
        low, high = (y(end) for end in point.ends)
        parts.append(_line(x(at), low, x(at), high, OURS, 2))
        parts.append(tag("circle", cx=number(x(at)), cy=number(y(point.mean)), r=4, fill=OURS))
        parts.append(_text(x(at), bottom + 16, _short(point.name.partition("=")[2] or point.name, 14)))
    parts += [_diamond(px, py) for px, py in theirs]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, bottom + 34, axes[0]))
    parts.append(_text(WIDTH - RIGHT, 18, axes[1], anchor="end"))
    return parts, bottom + BOTTOM


def _places(points: Sequence[Point]) -> list[float]:
    """Where entries stand: at the value of their setting, where all have a number; else one after the other."""
    try:
        return [float(point.name.partition("=")[2]) for point in points]
    except ValueError:
        return [float(place) for place in range(len(points))]


def _polyline(corners: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False) -> Markup:
    text = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    dashes = {"stroke_dasharray": "5 4"} if dashed else {}
    return tag("polyline", points=text, fill="none", stroke=colour, stroke_width=1.5, **dashes)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> Markup:
    ends = {"x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2)}
    return tag("line", **ends, stroke=colour, stroke_width=width)


def _diamond(x: float, y: float) -> Markup:
    corners = [(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)]
    return tag("polygon", points=" ".join(f"{number(px)},{number(py)}" for px, py in corners), fill=THEIRS)


def _text(x: float, y: float, words: str, *, anchor: str = "middle") -> Markup:
    return tag("text", words, x=number(x), y=number(y), fill=INK, text_anchor=anchor)


def _label(value: float, is_share: bool) -> str:
    return f"{100 * value:.0f}%" if is_share else f"{value:.3g}"


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
