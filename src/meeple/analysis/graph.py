"""The graph of a match: each seat's win chance with best play at every decision, luck as steps of their own."""

from __future__ import annotations

from meeple.analysis.result import Analysis, Decision
from meeple.core.picture import FONT, INK, SEATS
from meeple.core.svg import Markup, tag

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
RADII = {"inaccuracy": 3, "mistake": 4.5, "blunder": 6}


def graph(
    analysis: Analysis, *, width: int = WIDTH, height: int = HEIGHT, at: int | None = None, is_linked: bool = True
) -> Markup:
    """The graph as SVG: a line a seat, of two seats the first alone; a dot for each mistake, in its seat's colour.

    `at` is the number of moves before the position that is looked at. Linked dots lead to `#move-N` of their page.
    """
    seats = range(1 if analysis.seats == 2 else analysis.seats)
    parts = [_frame(analysis, width, height)]
    if at is not None:
        x = _x(analysis, at, width)
        parts.append(tag("line", x1=x, x2=x, y1=TOP, y2=height - BOTTOM, stroke="#d08700", stroke_width=2))
    for seat in seats:
        parts.append(_line(analysis, seat, width, height))
    dots = ((each, _dot(analysis, each, width, height)) for each in analysis.mistakes)
    parts += [tag("a", dot, href=f"#move-{each.ply}") if is_linked else dot for each, dot in dots]
    shown = f"0 0 {width} {height}"
    title = tag("title", "Win chance at each move")
    return tag("svg", title, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=shown, width="100%", font_family=FONT)


def _x(analysis: Analysis, place: float, width: int) -> float:
    return LEFT + place / max(1, len(analysis.decisions)) * (width - LEFT - RIGHT)


def _y(chance: float, height: int) -> float:
    return TOP + (1.0 - chance) * (height - TOP - BOTTOM)


def _frame(analysis: Analysis, width: int, height: int) -> Markup:
    """Lines at 0, 50 and 100 per cent, and numbers of moves below."""
    parts = []
    for chance in (0.0, 0.5, 1.0):
        y = _y(chance, height)
        parts.append(tag("line", x1=LEFT, x2=width - RIGHT, y1=y, y2=y, stroke="#b8b8b8", stroke_width=1))
        label = f"{chance:.0%}"
        parts.append(tag("text", label, x=LEFT - 6, y=y + 4, font_size=12, text_anchor="end", fill=INK))
    moves = len(analysis.decisions)
    step = max(1, round(moves / 8 / 5) * 5) if moves > 8 else 1
    for ply in range(0, moves + 1, step):
        x = _x(analysis, ply, width)
        parts.append(tag("text", str(ply), x=x, y=height - 8, font_size=12, text_anchor="middle", fill=INK))
    return tag("g", *parts)


def _line(analysis: Analysis, seat: int, width: int, height: int) -> Markup:
    """The seat's chance: level while it moves, falling with a loss; steps of luck are dashed."""
    events = {each.ply: each for each in analysis.chances}
    parts: list[Markup] = []
    last: tuple[float, float] | None = None
    for place, each in enumerate(analysis.decisions):
        event = events.get(each.ply)
        start = _x(analysis, place, width)
        if event is not None and event.before != event.after:
            luck = [(start, _y(event.before[seat], height)), (start, _y(event.after[seat], height))]
            parts.append(_drawn(luck, seat, stroke_dasharray="2 3", stroke_width=3, opacity=0.7))
        here = [
            (start, _y(each.before[seat], height)),
            (_x(analysis, place + 0.8, width), _y(each.after[seat], height)),
        ]
        if last is not None:
            here.insert(0, last)
        parts.append(_drawn(here, seat))
        last = here[-1]
    end = (_x(analysis, len(analysis.decisions), width), _y(analysis.result[seat], height))
    if last is not None:
        parts.append(_drawn([last, end], seat))
    return tag("g", *parts)


def _drawn(points: list[tuple[float, float]], seat: int, **style: object) -> Markup:
    look = {"stroke_width": 2, "fill": "none", "stroke": SEATS[seat], "stroke_linejoin": "round"} | style
    return tag("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), **look)


def _dot(analysis: Analysis, found: Decision, width: int, height: int) -> Markup:
    """A mistake, where the line of the graph was before it; larger for worse ones."""
    seat = 0 if analysis.seats == 2 else found.seat
    place = analysis.decisions.index(found)
    x, y = _x(analysis, place, width), _y(found.before[seat], height)
    words = f"move {found.ply + 1}: {found.move}, {found.word}, best {found.best}"
    title = tag("title", words)
    return tag("circle", title, cx=x, cy=y, r=RADII[found.word], fill=SEATS[found.seat], stroke="#fff")


def moves_at(analysis: Analysis, place: float, *, width: int = WIDTH) -> int:
    """How many moves come before a place of the graph, given in 0..1 of its width."""
    moves = max(1, len(analysis.decisions))
    return min(moves, max(0, int((place * width - LEFT) / (width - LEFT - RIGHT) * moves + 0.3)))
