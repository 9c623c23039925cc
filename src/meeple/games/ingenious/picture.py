"""Ingenious drawn: the board of hexagons, the hand as tiles of two halves, and a bar for each score.

A click path is a half of a tile of the hand, the cell for that half, and the cell beside it for the other:
`tile-2-left`, `D4`, `D5`. A tile can be held by either half, and one of which the hand has several by any of them. The
offer of a swap is answered by a click on `keep` or `swap`. While a half is held, hovering over a cell shows it there
with the lines that would score. Which halves of the board belong together is not kept, so each lies in its own cell.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

from meeple.core.options import Option
from meeple.core.picture import Look, Path, rimmed, text
from meeple.core.svg import Markup, joined, points, regular, tag
from meeple.games.ingenious import geometry
from meeple.games.ingenious.cover import cover as cover
from meeple.games.ingenious.layout import EMPTY, KEEP, TRACK
from meeple.games.ingenious.notation import CELL_NAMES, NAMES, rows_of
from meeple.games.ingenious.panel import FAINT, Plan, hand_kinds, panels, plan_of
from meeple.games.ingenious.scoring import side_of
from meeple.games.ingenious.symbols import BRIGHT, STONE, STONE_EDGE, small_symbol, symbol, symbols
from meeple.games.ingenious.tiles import COLOUR_1, COLOUR_2, KIND_OF, KINDS

SHOWS = ("parts",)
HELD = ("tile-",)
SETTINGS = (Option("bars", ("fixed", "sorted"), "scores in the order of colours, or the lowest first"),)

SYMBOL_CELLS = {int(cell): colour for colour, cell in enumerate(geometry.SYMBOL_CELL)}
_CELL_1, _CELL_2, _NEXT = geometry.CELL_1.tolist(), geometry.CELL_2.tolist(), geometry.NEXT.tolist()
_COLOUR_1, _COLOUR_2, _KIND_OF = COLOUR_1.tolist(), COLOUR_2.tolist(), KIND_OF.tolist()


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The board, the viewer's hand and all scores; other hands only for who may see the whole world."""
    plan = plan_of(state, seat, look)
    parts = [symbols(), _board(state, plan, look), *panels(state, seat, plan, look)]
    return look.svg(plan.width, plan.height, *parts, title="Ingenious", grounds=("#2b3140", "#171a20"))


def paths(state: Any, action: int) -> list[Path]:
    """Either half first; a double's halves on either cell; any of equal tiles."""
    if action >= KEEP:
        return [("keep" if action == KEEP else "swap",)]
    oriented, position = divmod(int(action), geometry.SPAN)
    names = CELL_NAMES[int(state.seats)]
    left, right = names[_CELL_1[position]], names[_CELL_2[position]]
    kind = _KIND_OF[oriented]
    if _COLOUR_1[oriented] != KINDS[kind][0]:
        left, right = right, left
    found: list[Path] = []
    for slot, held in enumerate(hand_kinds(state, int(state.seat)), start=1):
        if held == kind:
            found += [(f"tile-{slot}-left", left, right), (f"tile-{slot}-right", right, left)]
            if kind < len(NAMES):
                found += [(f"tile-{slot}-left", right, left), (f"tile-{slot}-right", left, right)]
    return found


def preview(state: Any, action: int, seat: int) -> str:
    """The points of each half, and a bonus tile or a better lowest colour where that is what comes of it."""
    if action >= KEEP:
        return "keeps the hand" if action == KEEP else "shows the hand and draws six new tiles"
    before = [int(n) for n in state.points[side_of(state, int(state.seat))]]
    after = list(before)
    for colour, gain in _gains(state, int(action)).items():
        after[colour] = min(TRACK if before[colour] < TRACK else int(state.goal), before[colour] + gain)
    tile = KINDS[_KIND_OF[int(action) // geometry.SPAN]]
    parts = [", ".join(f"{NAMES[colour]} +{after[colour] - before[colour]}" for colour in sorted(set(tile)))]
    ends = [c for c in sorted(set(tile)) if before[c] < after[c] and after[c] in (TRACK, int(state.goal))]
    if ends:
        reached = ", ".join(f"{NAMES[colour]} reaches {after[colour]}" for colour in ends)
        parts.append(f"{reached}: lay {'another tile' if len(ends) == 1 else 'two more tiles'}")
    if min(after) > min(before):
        parts.append(f"your lowest colour rises from {min(before)} to {min(after)}")
    return "; ".join(parts)


def icon(key: str) -> Markup:
    """A symbol by its colour."""
    return small_symbol(NAMES.index(key))


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """The six scores of a seat or its team; the lowest counts."""
    return dict(zip(NAMES, (int(n) for n in state.points[side_of(state, owner)]), strict=True))


# --- what a tile scores --------------------------------------------------------------------------------


def _gains(state: Any, action: int) -> dict[int, int]:
    """By colour, the cells in the lines that run from the halves."""
    oriented, position = divmod(action, geometry.SPAN)
    gains: dict[int, int] = {}
    cells = state.cell.tolist()
    for cell, colour in ((_CELL_1[position], _COLOUR_1[oriented]), (_CELL_2[position], _COLOUR_2[oriented])):
        gains[colour] = gains.get(colour, 0) + sum(length for _, length in _lines(cells, cell, colour))
    return gains


def _lines(cells: list[int], cell: int, colour: int) -> list[tuple[int, int]]:
    """The last cell and the length of each line of a colour that runs from a cell."""
    lines = []
    for direction in range(6):
        length, end, along = 0, cell, _NEXT[cell][direction]
        while cells[along] == colour:
            length, end, along = length + 1, along, _NEXT[along][direction]
        if length:
            lines.append((end, length))
    return lines


# --- the board -----------------------------------------------------------------------------------------


def _board(state: Any, plan: Plan, look: Look) -> Markup:
    """Grounds and symbols first, then what may be clicked, so that ghosts and rings lie above everything."""
    seats, colours, held = int(state.seats), state.cell.tolist(), _held(state, look)
    cells = range(int(geometry.AREA[seats]))
    form = f"{geometry.RADIUS[seats]}{'n' if look.narrow else ''}"  # names shapes by their size
    layers = [_shapes(plan, form, look), _rim(seats, plan)]
    layers += [_ground(cell, colours[cell], plan, form, look) for cell in cells]
    for cell in cells:
        name = CELL_NAMES[seats][cell]
        if cell not in SYMBOL_CELLS and (colours[cell] == EMPTY or name in look.last or name in look.lit):
            layers.append(_target(cell, name, colours, held, plan, form, look))
    return look.field(plan.board, *layers, *_last_tile(seats, plan, look))


def _shapes(plan: Plan, form: str, look: Look) -> Markup:
    """What is drawn often, to be used by name: grounds of the white area and the two rings, rings, half tiles."""
    fills = ("#9c988f", "#858a92", "#787d86") if look.dark else ("#ece8df", "#d3d6da", "#c2c7ce")
    rim, shade = ("#4d5158", "d") if look.dark else ("#7b8190", "")
    cell, inner, stone = (points(regular(6, 0, 0, plan.side * part, 0.25)) for part in (0.97, 0.86, 0.84))
    grounds = [
        tag("polygon", id=f"ingenious-ground{n}{shade}-{form}", points=cell, fill=fill, stroke=rim)
        for n, fill in enumerate(fills)
    ]
    edge = {"fill": STONE, "stroke": STONE_EDGE, "stroke_linejoin": "round", "stroke_width": 2}
    halves = [
        tag("g", tag("polygon", points=stone, **edge), symbol(n, 0, 0, plan.side * 1.16), id=f"ingenious-{name}-{form}")
        for n, name in enumerate(NAMES)
    ]
    # A ring with its rim in it: with many cells lit, a second line a cell would make the picture a quarter larger.
    hexagon = tag("polygon", id=f"ingenious-hex-{form}", points=inner)
    rim = tag("g", tag("polygon", class_="ring", points=inner), class_="rim")
    ring = tag("g", rim, tag("polygon", points=inner), id=f"ingenious-ring-{form}")
    return tag("defs", *grounds, *halves, hexagon, ring)


def _use(shape: str, form: str, spot: tuple[float, float], **attributes: object) -> Markup:
    x, y = spot
    return tag("use", href=f"#ingenious-{shape}-{form}", x=round(x, 1), y=round(y, 1), **attributes)


def _spot(cell: int, plan: Plan) -> tuple[float, float]:
    q, r = geometry.CELLS[cell]
    return plan.middle[0] + plan.side * sqrt(3) * (q + r / 2), plan.middle[1] + plan.side * 1.5 * r


def _rim(seats: int, plan: Plan) -> Markup:
    """The letters of the rows and the numbers of the slanting lines, outside the board."""
    radius, labels = geometry.RADIUS[seats], []
    size = plan.small
    for row in rows_of(seats):
        x, y = _spot(row[0], plan)
        name = CELL_NAMES[seats][row[0]][0]
        labels.append(text(x - plan.side * 1.0 - 7, y + size * 0.36, name, size=size, text_anchor="middle", fill=FAINT))
    for q in range(-radius, radius + 1):
        r = min(radius, radius - q) + 1
        x = plan.middle[0] + plan.side * sqrt(3) * (q + r / 2) - plan.side * 0.3
        y = plan.middle[1] + plan.side * 1.5 * r - plan.side * 0.35
        labels.append(text(x, y + size * 0.36, q + radius + 1, size=size, text_anchor="middle", fill=FAINT))
    return joined(labels)


def _ground(cell: int, colour: int, plan: Plan, form: str, look: Look) -> Markup:
    """A cell with what lies on it: nothing, a printed symbol, or half a tile."""
    x, y = spot = _spot(cell, plan)
    ring = max(0, geometry.ring_of(*geometry.CELLS[cell]) - 5)
    parts = [_use(f"ground{ring}{'d' if look.dark else ''}", form, spot)]
    if cell in SYMBOL_CELLS:
        rim = {"fill": "#3d465c", "stroke": "#fff", "stroke_width": plan.side * 0.09}
        parts += [tag("circle", cx=x, cy=y, r=plan.side * 0.74, **rim), symbol(colour, x, y, plan.side * 1.16)]
    elif colour != EMPTY:
        parts.append(_use(NAMES[colour], form, spot))
    return joined(parts)


def _target(
    cell: int, name: str, colours: list[int], held: tuple[int, int] | None, plan: Plan, form: str, look: Look
) -> Markup:
    """A cell that may be clicked, with the ghost of the half that would lie there."""
    spot = _spot(cell, plan)
    parts = [_use("hex", form, spot, fill_opacity=0)]
    if held and name in look.chosen:
        parts.append(_use(NAMES[held[0]], form, spot))
    elif held and name in look.lit:
        parts.append(_ghost(cell, held[len(look.chosen) - 1], colours, plan, form))
    is_free = colours[cell] == EMPTY
    if name in look.lit or name in look.chosen:  # the last tile has one outline for both
        parts.append(_use("ring", form, spot, class_="ring"))
    return look.target(name, f"{name}: {'free' if is_free else NAMES[colours[cell]]}", *parts)


def _held(state: Any, look: Look) -> tuple[int, int] | None:
    """The colours of the half that is held and of the other."""
    if not look.chosen or not look.chosen[0].startswith("tile-"):
        return None
    _, slot, half = look.chosen[0].split("-")
    first, second = KINDS[hand_kinds(state, int(state.seat))[int(slot) - 1]]
    return (first, second) if half == "left" else (second, first)


def _ghost(cell: int, colour: int, colours: list[int], plan: Plan, form: str) -> Markup:
    """Shown on hovering: the half in its cell and the lines that it would score."""
    x, y = spot = _spot(cell, plan)
    ends = [_spot(end, plan) for end, _ in _lines(colours, cell, colour)]
    if not ends:
        return _use(NAMES[colour], form, spot, class_="ghost")
    lines = "".join(f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" for to_x, to_y in ends)
    line = {"stroke": BRIGHT[colour], "stroke_width": plan.side * 0.4, "stroke_opacity": ".6"}
    glow = tag("path", d=lines, stroke_linecap="round", **line)
    return tag("g", glow, _use(NAMES[colour], form, spot), class_="ghost")


def _last_tile(seats: int, plan: Plan, look: Look) -> list[Markup]:
    """One outline round both halves of the tile that was laid last."""
    cells = [cell for cell in range(int(geometry.AREA[seats])) if CELL_NAMES[seats][cell] in look.last]
    if len(cells) != 2:
        return []
    (x, y), (to_x, to_y) = (_spot(cell, plan) for cell in cells)
    reach, length = plan.side * 0.84, hypot(to_x - x, to_y - y)
    across, along = (to_y - y) / length * reach, (x - to_x) / length * reach
    outline = (
        f"M{x + across:.1f} {y + along:.1f}L{to_x + across:.1f} {to_y + along:.1f}"
        f"A{reach:.1f} {reach:.1f} 0 0 1 {to_x - across:.1f} {to_y - along:.1f}"
        f"L{x - across:.1f} {y - along:.1f}A{reach:.1f} {reach:.1f} 0 0 1 {x + across:.1f} {y + along:.1f}z"
    )
    ring, name = tag("path", d=outline, class_="ring"), CELL_NAMES[seats][cells[-1]]
    return [tag("g", rimmed(ring), class_="last", data_l=name, style="pointer-events: none")]
