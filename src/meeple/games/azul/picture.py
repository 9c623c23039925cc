"""Azul drawn: the displays round the centre, the viewer's board large, the others smaller.

A click path is a colour of a display or of the centre, then a pattern line or the floor: `F2-blue`, `line-4`. On a
grey wall a full line's tile is laid by a click on its cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from meeple.core.contract import NOBODY
from meeple.core.picture import EDGE, INK, SMALL, Look, Path, piece, ring_box, ring_round, ring_shape, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.azul import rules
from meeple.games.azul.cover import cover as cover
from meeple.games.azul.effects import (
    bonuses,
    count_of,
    effect,
    floor_lines,
    gain,
    is_full,
    parts_of,
    takes_marker,
    tiling_text,
)
from meeple.games.azul.layout import CENTRE, FIRST_TILING, FLOOR, PENALTY
from meeple.games.azul.notation import NAMES, counts_of, source_name
from meeple.games.azul.ornaments import faint, ornaments, small_tile, tile
from meeple.games.azul.playerboard import BOARD, Place, player_board


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The table; nothing on it is hidden, but each seat has its own board before it."""
    plan = _plan(state, look.narrow)
    viewer = seat if seat is not None and seat >= 0 else 0
    owners = [(viewer + turn) % int(state.seats) for turn in range(int(state.seats))]
    boards = [
        player_board(state, owner, place, look, is_own=owner == viewer)
        for owner, place in zip(owners, plan.boards, strict=True)
    ]
    parts = [ornaments(), _offer(state, plan, look), _supply(state, plan, look)]
    return look.svg(plan.width, plan.height, *parts, *boards, title="Azul", grounds=("#efe7da", "#262320"))


def paths(state: Any, action: int) -> list[Path]:
    """Where the tiles come from and where they go; on a grey wall, the cell."""
    if action >= FIRST_TILING:
        row, column = divmod(action - FIRST_TILING, 6)
        return [("floor",) if column == FLOOR else (f"cell-{row + 1}-{column + 1}",)]
    source, colour, line = parts_of(action)
    return [(f"{source_name(source)}-{NAMES[colour]}", "floor" if line == FLOOR else f"line-{line + 1}")]


def preview(state: Any, action: int, seat: int) -> str:
    """What the tiles bring: a line filled, points on the wall, points lost on the floor."""
    owner = int(state.mover)
    if action >= FIRST_TILING:
        return tiling_text(state, owner, action)
    source, colour, line = parts_of(action)
    count = count_of(state, source, colour)
    placed, lost = effect(state, owner, source, colour, line)
    words = [f"{count} {NAMES[colour]} to the floor"] if line == FLOOR else []
    if line != FLOOR:
        held = int(state.held[owner, line]) + placed
        bringing = f", +{gain(state, owner, line, colour)} on the wall" if not state.grey else ""
        fills = f"fills line {line + 1}{bringing}"
        words.append(fills if held == line + 1 else f"{held} of {line + 1} on line {line + 1}")
    if takes_marker(state, source):
        words.append("you begin the next round")
    if lost:
        over = count - placed if line != FLOOR else 0
        words.append(f"{over} too many, {-lost} on the floor" if over else f"{-lost} on the floor")
    return "; ".join(words)


def icon(key: str) -> Markup:
    """A tile by its colour."""
    return small_tile(key)


def remembered(steps: Iterable[Any]) -> tuple[str, ...]:
    """Which tiles fell in this round: the state counts them, a table shows their colours."""
    return floor_lines(steps)


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """Points so far, and in play what full lines and the floor will bring; after the end, what each bonus gave."""
    walls = bonuses(state, owner)
    if state.mover == NOBODY:
        return {"tiles": int(state.points[owner]) - sum(walls.values()), **walls}
    coming = sum(gain(state, owner, row) for row in range(5) if is_full(state, owner, row)) if not state.grey else 0
    return {"points": int(state.points[owner]), "full lines": coming, "floor": -int(PENALTY[state.floor[owner]])}


# --- where things lie ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where everything lies; `boards` begins with the viewer's."""

    width: float
    height: float
    ring: tuple[float, float, float, float]  # the middle of the displays and how far they lie from it, across and down
    plate: float  # radius of a display
    centre: tuple[float, float, float]  # of the table: its middle and its radius
    boards: tuple[Place, ...]
    supply: tuple[float, float]  # the lines of bag and lid
    small: float  # size of the smallest type
    is_supply_tall: bool = False  # bag and lid as columns, beside the rival's board


def _plan(state: Any, is_narrow: bool) -> Plan:
    seats = int(state.seats)
    return _narrow_plan(seats) if is_narrow else (_plan_for_two, _plan_for_three, _plan_for_four)[seats - 2]()


def _plan_for_two() -> Plan:
    """Displays left, both boards right, as large as the width allows; bag and lid beside the rival's."""
    plate, own, rival = 98.0, 1.25, 0.95
    left, y = 612.0, 20 + BOARD[1] * own + 16
    height = y + BOARD[1] * rival + 20
    x, middle = left / 2 - 2, height / 2 + 31  # the displays lie higher above it than below
    boards = Place(left, 20, own), Place(left, y, rival)
    supply = left + BOARD[0] * rival + 24, y + 30
    ring, centre = (x, middle, 200.0, 330.0), (x, middle + 38, 132.0)
    return Plan(left + BOARD[0] * own + 20, height, ring, plate, centre, boards, supply, 20, is_supply_tall=True)


def _plan_for_three() -> Plan:
    """Displays left, above bag and lid; the viewer's board right, the others side by side under it."""
    plate, reach, own = 76.0, 216.0, 1.2
    left, y = 2 * (plate + reach) + 44, 20 + BOARD[1] * own + 16
    scale = (BOARD[0] * own - 16) / 2 / BOARD[0]
    height = y + BOARD[1] * scale + 20
    others = [Place(left + i * (BOARD[0] * scale + 16), y, scale) for i in range(2)]
    ring, centre = _circle(left / 2 - 2, (height - 66) / 2 + 4, reach, plate)
    boards = Place(left, 20, own), *others
    return Plan(left + BOARD[0] * own + 20, height, ring, plate, centre, boards, (24, height - 52), 19)


def _plan_for_four() -> Plan:
    """Displays left, the viewer's board right, the others in a row under everything."""
    plate, reach = 72.0, 222.0
    left, y = 2 * (plate + reach) + 44, 2 * (plate + reach) + 48
    width = left + BOARD[0] + 20
    scale = (width - 40 - 2 * 16) / 3 / BOARD[0]
    others = [Place(20 + i * (BOARD[0] * scale + 16), y, scale) for i in range(3)]
    ring, centre = _circle(left / 2 - 2, plate + reach + 20, reach, plate)
    boards, supply = (Place(left, 70, 1), *others), (left + 8, BOARD[1] + 114)
    return Plan(width, y + BOARD[1] * scale + 20, ring, plate, centre, boards, supply, 17)


def _circle(
    x: float, y: float, reach: float, plate: float
) -> tuple[tuple[float, float, float, float], tuple[float, float, float]]:
    """Displays in a circle, and the centre that is left between them."""
    return (x, y, reach, reach), (x, y, reach - plate - 8)


def _narrow_plan(seats: int) -> Plan:
    """All under each other: displays, the viewer's board, the others in two columns."""
    plate, reach = ((58.0, 144.0), (52.0, 148.0), (49.0, 154.0))[seats - 2]
    scale = 404 / BOARD[0]
    y = 2 * (plate + reach) + 20
    own = Place(8, y, scale)
    small = 198 / BOARD[0]
    y += BOARD[1] * scale + 10
    others = [Place(8 + (i % 2) * 206, y + (i // 2) * (BOARD[1] * small + 8), small) for i in range(seats - 1)]
    ring, centre = _circle(210, plate + reach + 10, reach, plate)
    if seats == 2:  # bag and lid beside the rival's board
        rival = Place(8, y, 1.42 * small)
        return Plan(420, y + BOARD[1] * rival.scale + 8, ring, plate, centre, (own, rival), (302, y + 18), SMALL + 1,
                    is_supply_tall=True)  # fmt: skip
    bottom = others[-1].y + BOARD[1] * others[-1].scale
    return Plan(420, bottom + 66, ring, plate, centre, (own, *others), (12, bottom + 26), SMALL + 1)


# --- displays, centre, bag -----------------------------------------------------------------------------


def _offer(state: Any, plan: Plan, look: Look) -> Markup:
    """The displays in a ring, the first on top, and the centre between them."""
    x, y, across, down = plan.ring
    n = 2 * int(state.seats) + 1
    parts = [_centre(state, plan, look)]
    for number in range(1, n + 1):
        angle = 2 * pi * ((number - 1) / n - 0.25)
        parts.append(_display(state, number, x + across * cos(angle), y + down * sin(angle), plan, look))
    return tag("g", *parts)


def _display(state: Any, number: int, x: float, y: float, plan: Plan, look: Look) -> Markup:
    """A plate with its tiles, those of a colour beside each other."""
    plate, rim, thin = ("#3b3530", "#8d7550", "#6b5a40") if look.dark else ("#fbf8f1", "#b79a68", "#dcc79c")
    radius = plan.plate
    size, gap = radius * 0.54, radius * 0.07
    parts = [
        tag("circle", cx=x, cy=y + 2.5, r=radius, fill="#000", fill_opacity=".14"),
        tag("circle", cx=x, cy=y, r=radius - 2, fill=plate, stroke=rim, stroke_width=4),
        tag("circle", cx=x, cy=y, r=radius - 8, fill="none", stroke=thin),
        text(x, y + radius - 0.14 * radius, f"F{number}", size=plan.small, text_anchor="middle", fill=faint(look)),
    ]
    parts.append(look.spot(f"F{number}", f"display {number}", ring_round(x, y, radius - 4)))
    counts = counts_of(state.source[number])
    spots = [
        (x - size - gap / 2 + (i % 2) * (size + gap), y - size - gap - 3 + (i // 2) * (size + gap)) for i in range(4)
    ]
    taken = 0
    for colour in sorted(range(5), key=lambda colour: -counts[colour]):
        if counts[colour]:
            parts.append(_group(number, colour, spots[taken : taken + counts[colour]], size, look))
            taken += counts[colour]
    parts += [look.trace(f"F{number}-{name}", ring_round(x, y, radius - 4)) for name in NAMES]
    return tag("g", *parts)


def _group(number: int, colour: int, spots: list[tuple[float, float]], size: float, look: Look) -> Markup:
    """The tiles of one colour on a display, with one ring round them all."""
    tiles = [tile(NAMES[colour], x, y, size) for x, y in spots]
    (x, y), right, low = spots[0], max(spot[0] for spot in spots) + size, max(spot[1] for spot in spots) + size
    corners = [(x, y), (right, y), (right, low), (x, low)]
    if len(spots) == 3:
        corners[2:3] = [(right, y + size), (x + size, y + size), (x + size, low)]
    ring = ring_shape(corners, is_clear=True)
    return look.target(f"F{number}-{NAMES[colour]}", f"{len(spots)} {NAMES[colour]} on display {number}", *tiles,
                       ring=ring)  # fmt: skip


def _centre(state: Any, plan: Plan, look: Look) -> Markup:
    """A heap for each colour at its own place, the marker in the middle."""
    x, y, room = plan.centre
    fill, line = ("#332e29", "#6b5f4c") if look.dark else ("#e2d6bf", "#c3ae84")
    parts = [tag("circle", cx=x, cy=y, r=room, fill=fill, stroke=line, stroke_dasharray="4 4")]
    parts.append(look.spot("centre", "the centre", ring_round(x, y, room)))
    size = room * 0.37
    if int(state.marker) < 0 and state.mover != NOBODY:
        parts.append(piece("marker", tile("marker", x - size / 2, y - size / 2, size)))
    for colour, count in enumerate(counts_of(state.source[CENTRE])):
        angle = 2 * pi * (colour / 5 - 0.25)
        at = x + 0.66 * room * cos(angle), y + 0.66 * room * sin(angle)
        if count:
            parts.append(_heap(colour, count, *at, size, plan.small, look))
        else:
            parts.append(look.trace(f"centre-{NAMES[colour]}", ring_round(*at, size * 0.6)))
    return tag("g", *parts)


def _heap(colour: int, count: int, x: float, y: float, size: float, small: float, look: Look) -> Markup:
    """Tiles of a colour in the centre, their number beside them."""
    drawn, step = min(count, 4), size * 0.13
    rise = step * (drawn - 1)
    left, top = x - (size + rise) / 2, y - (size + rise) / 2
    tiles = [tile(NAMES[colour], left + step * i, top + rise - step * i, size) for i in range(drawn)]
    whole = size + rise
    ring = ring_box(left - 2, top - 2, whole + 4, whole + 4, 7, is_clear=True)
    heap = look.target(f"centre-{NAMES[colour]}", f"{count} {NAMES[colour]} in the centre", *tiles, ring=ring)
    if count == 1:
        return heap
    return joined([heap, _number(left + whole - 4, top + size - 3, count, small)])  # above the ring


def _number(x: float, y: float, count: int, size: float) -> Markup:
    """How many, in a small disc."""
    disc = tag("circle", cx=x, cy=y, r=size * 0.76, fill="#fff", stroke=EDGE)
    figure = text(x, y + size * 0.36, count, size=size, font_weight=700, fill=INK, text_anchor="middle")
    return tag("g", disc, figure, pointer_events="none")


def _supply(state: Any, plan: Plan, look: Look) -> Markup:
    """The round, and what the bag and the lid hold."""
    (left, top), size, shade = plan.supply, plan.small, look.ink
    heading = f"Round {int(rules.round_index(state)) + 1}"
    parts = [text(left, top, heading, size=size * 1.25, font_weight=600, fill=shade)]
    parts.append(look.spot("round", heading, ring_box(left - 6, top - size * 1.3, 6.2 * size, 1.8 * size)))
    if plan.is_supply_tall:
        return tag("g", *parts, *_supply_columns(state, plan, look))
    for i, (word, tiles) in enumerate((("bag", state.bag), ("lid", state.lid))):
        x, y = left + 8 * size, top + i * size * 1.7
        parts.append(text(x, y, word, size=size, fill=faint(look)))
        for colour, count in enumerate(counts_of(tiles)):
            at = x + size * (2.3 + 3 * colour)
            parts.append(tile(NAMES[colour], at, y - size * 0.95, size * 1.2))
            parts.append(text(at + size * 1.4, y, count, size=size, fill=shade))
            if word == "bag":
                ring = ring_box(at - 0.1 * size, y - 1.05 * size, 2.8 * size, 1.5 * size)
                parts.append(_in_bag(colour, count, ring, look))
    return tag("g", *parts)


def _supply_columns(state: Any, plan: Plan, look: Look) -> list[Markup]:
    """A row for each colour: its tile, how many the bag holds, and the lid."""
    (left, top), size, parts = plan.supply, plan.small, []
    columns = (("bag", state.bag, left + 3.9 * size), ("lid", state.lid, left + 7 * size))
    for word, tiles, x in columns:
        parts.append(text(x, top + 2 * size, word, size=size, text_anchor="end", fill=faint(look)))
        for colour, count in enumerate(counts_of(tiles)):
            y = top + (3.8 + 1.9 * colour) * size
            parts.append(text(x, y, count, size=size, text_anchor="end", fill=look.ink))
            if word == "bag":
                parts.append(_in_bag(colour, count, ring_box(left, y - 1.3 * size, 4.2 * size, 1.8 * size), look))
    return parts + [tile(NAMES[n], left, top + (2.72 + 1.9 * n) * size, 1.5 * size) for n in range(5)]


def _in_bag(colour: int, count: int, ring: Markup, look: Look) -> Markup:
    """Where a tile is put in the bag, or taken out of it, while a position is set up."""
    return look.spot(f"bag-{NAMES[colour]}", f"{count} {NAMES[colour]} in the bag", ring)
