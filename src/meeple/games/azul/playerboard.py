"""A player's board of Azul: pattern lines, wall and floor, in any size.

While a colour is chosen, hovering over a line shows its tiles there and what falls to the floor; the points gained or
lost stand beside the line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from meeple.core.picture import GREEN, LARGE, MEDIUM, RED, SEATS, SMALL, Look, fitted, piece, ring_box, seat_mark, text
from meeple.core.svg import Markup, joined, points, tag
from meeple.games.azul import layout
from meeple.games.azul.effects import cell_gain, complete, count_of, effect, gain, is_full, takes_marker
from meeple.games.azul.notation import LETTERS, NAMES, wall_letter
from meeple.games.azul.ornaments import tile

# A player's board in its own measure; it is scaled as a whole.
PITCH, TILE = 48.0, 44.0
LEFT, TOP = 16.0, 56.0  # the corner of the pattern lines
WALL = LEFT + 5 * PITCH + 40  # where the wall begins
FLOOR_TOP = TOP + 5 * PITCH + 28
BOARD = (WALL + 5 * PITCH + 34, FLOOR_TOP + TILE + 16)  # its size


@dataclass(frozen=True)
class Place:
    """A corner and how large a board is drawn there."""

    x: float
    y: float
    scale: float


def player_board(state: Any, owner: int, place: Place, look: Look, *, is_own: bool) -> Markup:
    """Name and points, pattern lines, wall and floor; lines and floor come last, so that their ghosts lie on top."""
    here = _marks_of(state, owner, look)
    card, edge = ("#37322d", "#6b5f4c") if look.dark else ("#fbf8f1", "#d3c4a6")
    is_moving = int(state.mover) == owner
    parts = [
        tag("rect", width=BOARD[0], height=BOARD[1], rx=16, fill=card,
            stroke=SEATS[owner] if is_moving else edge, stroke_width=(3 if is_moving else 1.2) / place.scale),
        _head(state, owner, place.scale, look, is_own=is_own),
        here.spot("points", f"seat {owner + 1}: {int(state.points[owner])} points", ring_box(8, 6, BOARD[0] - 16, 44)),
        *(_cell(state, owner, row, column, here) for row in range(5) for column in range(5)),
        *_bonus_marks(state, owner, place.scale, look),
        _floor(state, owner, place.scale, here),
        *(_line(state, owner, row, place.scale, here) for row in range(5)),
    ]  # fmt: skip
    where = f"translate({place.x:.1f} {place.y:.1f}) scale({place.scale:.3f})"
    return tag("g", *parts, transform=where)


@dataclass(frozen=True)
class _Marks:
    """How one seat's board marks its targets: in a match only the mover's are lit, only the last mover's marked."""

    look: Look
    prefix: str

    def target(self, key: str, label: str, *content: Markup, ring: Markup) -> Markup:
        return self.look.target(self.prefix + key, label, *content, ring=ring)

    def spot(self, key: str, label: str, ring: Markup) -> Markup:
        return self.look.spot(self.prefix + key, label, ring)

    def is_lit(self, key: str) -> bool:
        return self.prefix + key in self.look.lit


def _marks_of(state: Any, owner: int, look: Look) -> _Marks:
    """Targets have their plain names on the board of whoever is to move, since a path means that board."""
    is_clickable = owner == int(state.mover)
    prefix = "" if is_clickable else f"seat-{owner + 1}-"
    last = frozenset(prefix + key for key in look.last) if owner == look.mover else frozenset()
    if is_clickable:
        return _Marks(replace(look, last=last), prefix)
    return _Marks(replace(look, chosen=(), last=last), prefix)


def _head(state: Any, owner: int, scale: float, look: Look, *, is_own: bool) -> Markup:
    """The seat's mark and name left, its points right."""
    size = max(LARGE if is_own or scale > 0.9 else MEDIUM, _least(look) / scale)
    size = min(size if is_own else max(size, MEDIUM / scale), 43.0)
    radius = size * 0.67
    room = BOARD[0] - LEFT - 2 * radius - 10 - 4.2 * size
    base = 28 + size * 0.36
    return joined([
        seat_mark(owner, LEFT + radius, 28, radius),
        text(LEFT + 2 * radius + 10, base, fitted(look.name(owner), room, size), size=size, font_weight=600,
             fill=look.ink),
        text(BOARD[0] - 20, base, int(state.points[owner]), size=size * 1.2, font_weight=700, fill=look.ink,
             text_anchor="end"),
    ])  # fmt: skip


def _cell(state: Any, owner: int, row: int, column: int, here: _Marks) -> Markup:
    """A place of the wall: its tile, or its ornament faint; on a grey wall, a place to click."""
    x, y = WALL + column * PITCH, TOP + row * PITCH
    letter = wall_letter(state, owner, row, column)
    key = f"cell-{row + 1}-{column + 1}"
    if letter:
        name = NAMES[LETTERS.index(letter)]
        content = [piece(f"tile-{owner}-{row}-{name}", tile(name, x, y, TILE))]
    else:
        name = "free"
        content = [_slot(x, y, here.look)]
        if not state.grey:
            name = f"free for {NAMES[(column - row) % 5]}"
            content.append(tile(NAMES[(column - row) % 5], x, y, TILE, opacity=".25" if here.look.dark else ".22"))
    if not state.grey and not here.is_lit(key):
        return joined(content)
    if here.is_lit(key) and state.grey and not letter and is_full(state, owner, row):
        content += _laying(state, owner, row, column, here.look)
    label = f"wall row {row + 1}, column {column + 1}: {name}"
    return here.target(key, label, *content, ring=ring_box(x, y, TILE, TILE))


def _laying(state: Any, owner: int, row: int, column: int, look: Look) -> list[Markup]:
    """Grey wall: what a tile would score in this cell, and its ghost."""
    x, y = WALL + column * PITCH, TOP + row * PITCH
    name = NAMES[int(state.colour[owner, row])]
    return [
        _points(x + TILE / 2, y + TILE / 2 + 6, cell_gain(state, owner, row, column), 17, look),
        tag("g", tile(name, x, y, TILE), class_="ghost"),
    ]


def _slot(x: float, y: float, look: Look) -> Markup:
    fill, edge = ("#48423b", "#5c5449") if look.dark else ("#efe6d6", "#d8c9ab")
    return tag("rect", x=x + 1, y=y + 1, width=TILE - 2, height=TILE - 2, rx=6, fill=fill, stroke=edge)


def _line(state: Any, owner: int, row: int, scale: float, here: _Marks) -> Markup:
    """A pattern line, filled from the right, what stands between it and the wall, and its ghosts."""
    y = TOP + row * PITCH
    held, colour = int(state.held[owner, row]), int(state.colour[owner, row])
    name = NAMES[colour]
    content = []
    for i in range(row + 1):
        x = LEFT + (4 - i) * PITCH
        if i >= held:
            content.append(_slot(x, y, here.look))
        else:
            laid = tile(name, x, y, TILE)
            content.append(piece(f"tile-{owner}-{row}-{name}", laid) if i == 0 else laid)
    ring = ring_box(LEFT + (4 - row) * PITCH - 2, y - 2, (row + 1) * PITCH, TILE + 4, 8)
    label = f"line {row + 1}: {held} of {row + 1}{' ' + name if held else ''}"
    picked = _picked(here) if here.is_lit(f"line-{row + 1}") else None
    between = _between(state, owner, row, scale, here.look)
    if picked:
        between = _outlook(state, owner, row, *picked, scale, here.look)
        content.append(_line_ghost(state, owner, row, *picked))
    return joined([here.target(f"line-{row + 1}", label, *content, ring=ring), between])


def _picked(here: _Marks) -> tuple[int, int] | None:
    """The source and colour that are chosen."""
    if not here.look.chosen:
        return None
    source, name = here.look.chosen[0].rsplit("-", 1)
    return (layout.CENTRE if source == "centre" else int(source[1:])), NAMES.index(name)


def _between(state: Any, owner: int, row: int, scale: float, look: Look) -> Markup:
    """An arrow to the wall; beside a full line, what its tile will score."""
    x, y = WALL - 22, TOP + row * PITCH + TILE / 2
    if is_full(state, owner, row) and not state.grey:
        return _points(x, y + 6, gain(state, owner, row), max(17, _least(look) / scale), look)
    fill = "#8d7550" if look.dark else "#b79a68"
    return tag("polygon", points=points([(x - 5, y - 7), (x + 6, y), (x - 5, y + 7)]), fill=fill)


def _outlook(state: Any, owner: int, row: int, source: int, colour: int, scale: float, look: Look) -> Markup:
    """While a colour is chosen: what this line would gain on the wall and lose on the floor."""
    placed, lost = effect(state, owner, source, colour, row)
    is_filled = int(state.held[owner, row]) + placed == row + 1 and not state.grey
    figures = ([gain(state, owner, row, colour)] if is_filled else []) + ([-lost] if lost else [])
    x, y, size = WALL - 22, TOP + row * PITCH + TILE / 2 + 6, max(17, _least(look) / scale)
    shift = size * 0.55 * (len(figures) - 1)
    return joined(_points(x, y - shift + 1.1 * size * i, figure, size, look) for i, figure in enumerate(figures))


def _points(x: float, y: float, figure: int, size: float, look: Look) -> Markup:
    """Points with their sign, outlined so that they read on any ground."""
    gain, loss, halo = ("#8fd6a0", "#ff9d92", "#26231f") if look.dark else (GREEN, RED, "#fff")
    words = f"+{figure}" if figure >= 0 else f"−{-figure}"
    return text(x, y, words, size=size, font_weight=700, text_anchor="middle", fill=gain if figure >= 0 else loss,
                stroke=halo, stroke_width=3, stroke_opacity=".85", paint_order="stroke",
                pointer_events="none")  # fmt: skip


def _line_ghost(state: Any, owner: int, row: int, source: int, colour: int) -> Markup:
    """Shown on hovering: the tiles on the line, and what falls to the floor."""
    held = int(state.held[owner, row])
    placed, _ = effect(state, owner, source, colour, row)
    y = TOP + row * PITCH
    tiles = [tile(NAMES[colour], LEFT + (4 - i) * PITCH, y, TILE) for i in range(held, held + placed)]
    return tag("g", *tiles, *_fallen(state, owner, source, colour, count_of(state, source, colour) - placed),
               class_="ghost")  # fmt: skip


def _fallen(state: Any, owner: int, source: int, colour: int, excess: int) -> list[Markup]:
    """The marker and tiles as they would lie on the floor line."""
    names = ["marker"] * takes_marker(state, source) + [NAMES[colour]] * excess
    first = int(state.floor[owner])
    slots = range(first, min(layout.FLOOR_SLOTS, first + len(names)))
    return [tile(name, LEFT + slot * PITCH, FLOOR_TOP, TILE) for slot, name in zip(slots, names, strict=False)]


def _floor(state: Any, owner: int, scale: float, here: _Marks) -> Markup:
    """Seven slots with what each costs, and the sum.

    Which tiles fell is not in the state, only how many: without a match that remembers it they are drawn as shards.
    """
    taken = int(state.floor[owner])
    names = _on_floor(state, owner, here.look)
    content = []
    for slot in range(layout.FLOOR_SLOTS):
        x = LEFT + slot * PITCH
        cost = int(layout.PENALTY[slot + 1] - layout.PENALTY[slot])
        if slot < taken:
            fallen = tile(names[slot], x, FLOOR_TOP, TILE)
            content.append(piece("marker", fallen) if names[slot] == "marker" else fallen)
        else:
            content.append(_slot(x, FLOOR_TOP, here.look))
            content += _cost(x, cost, scale, here.look)
    picked = _picked(here) if here.is_lit("floor") else None
    if picked:
        ghosts = _fallen(state, owner, *picked, count_of(state, *picked))
        content.append(tag("g", *ghosts, class_="ghost"))
    ring = ring_box(LEFT - 3, FLOOR_TOP - 3, layout.FLOOR_SLOTS * PITCH + 2, TILE + 6, 8)
    label = ", ".join([f"floor line: {taken} of {layout.FLOOR_SLOTS}", *(name for name in names if name != "shard")])
    target = here.target("floor", label, *content, ring=ring)
    return joined([target, _floor_sum(state, owner, scale, here.look, picked)])


def _on_floor(state: Any, owner: int, look: Look) -> list[str]:
    """The names of the tiles on a floor line, as far as they are remembered."""
    taken, has_marker = int(state.floor[owner]), int(state.marker) == owner
    letters = look.memory[owner][:taken] if look.memory else ""
    names = ["marker" if letter == "1" else NAMES[LETTERS.index(letter)] for letter in letters]
    if has_marker and not names:
        names = ["marker"]
    return names + ["shard"] * (taken - len(names))


def _least(look: Look) -> float:
    """The smallest type, as drawn: a phone shows it smaller."""
    return SMALL + 1 if look.narrow else SMALL


def _cost(x: float, cost: int, scale: float, look: Look) -> list[Markup]:
    """What a free floor slot costs, where the board is large enough for figures."""
    size = max(18, _least(look) / scale)
    if size > 30:
        return []
    fill = "#f3a79c" if look.dark else "#9c3f36"
    return [text(x + TILE / 2, FLOOR_TOP + TILE / 2 + size * 0.36, f"−{cost}", size=size, text_anchor="middle",
                 fill=fill)]  # fmt: skip


def _floor_sum(state: Any, owner: int, scale: float, look: Look, picked: tuple[int, int] | None) -> Markup:
    """What the floor costs so far, or what the chosen tiles would cost there."""
    lost = int(layout.PENALTY[state.floor[owner]])
    if picked:
        lost = effect(state, owner, *picked, layout.FLOOR)[1]
    x, y, size = LEFT + layout.FLOOR_SLOTS * PITCH + 36, FLOOR_TOP + TILE / 2, max(20, MEDIUM / scale)
    return _points(x, y + size * 0.36, -lost, size, look) if lost else joined([])


def _bonus_marks(state: Any, owner: int, scale: float, look: Look) -> list[Markup]:
    """Beside full rows, under full columns and at the foot for full colours: what they give at the end."""
    rows, columns, colours = complete(state, owner)
    size = max(17, _least(look) / scale)
    marks = [
        _points(WALL + 5 * PITCH + 13, TOP + row * PITCH + TILE / 2 + size * 0.36, layout.ROW_BONUS, size, look)
        for row in rows
    ]
    marks += [
        _points(WALL + column * PITCH + TILE / 2, TOP + 5 * PITCH + size * 0.85, layout.COLUMN_BONUS, size, look)
        for column in columns
    ]
    for i, colour in enumerate(colours):
        x = WALL + 4 * PITCH - i * 86 - 40
        marks.append(tile(NAMES[colour], x, FLOOR_TOP + 6, 32))
        marks.append(_points(x + 34 + size, FLOOR_TOP + 22 + size * 0.36, layout.COLOUR_BONUS, size, look))
    return marks
