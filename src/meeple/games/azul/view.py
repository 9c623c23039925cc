"""Azul drawn in text: displays and centre above, a board for each seat below, two beside each other.

A tile is its letter (B blue, Y yellow, R red, K black, W white) in its colour. On the wall a tile stands in brackets,
a small letter is a free cell with its printed colour, a dot a free cell of a grey wall.
"""

from __future__ import annotations

from typing import Any

from meeple.core.contract import CHANCE, NOBODY
from meeple.core.paint import MARKS, Paint
from meeple.games.azul.layout import A_DISPLAY, CENTRE, FLOOR_SLOTS, PENALTY
from meeple.games.azul.notation import LETTERS, counts_of, wall_letter
from meeple.games.azul.wall import full_rows

TILES = ("bold paper on blue", "bold ink on yellow", "bold paper on red", "bold paper on ink", "bold ink on paper")
FREE = ("blue", "yellow", "red", "grey", "grey")  # small letters: black and white would vanish on some terminals
A_SEAT = 38  # columns of a seat's board
A_ROW = 5  # displays drawn in a row


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The table; the same for every seat."""
    lines = [_head(state), "", *_displays(state, paint), "", _centre(state, paint)]
    lines += [f"{_supply('bag', state.bag):<36}{_supply('lid', state.lid)}"]
    seats = int(state.seats)
    for left in range(0, seats, 2):
        pair = [_seat_board(state, owner, paint) for owner in range(left, min(left + 2, seats))]
        lines += ["", *("   ".join(parts) for parts in zip(*pair, strict=True))]
    return "\n".join(line.rstrip() for line in lines)


def _head(state: Any) -> str:
    """The round, or why the game is over."""
    lap = int(state.lap)
    if state.mover != NOBODY:
        return f"Round {lap + 1}"
    if any(full_rows(int(state.wall[owner])) for owner in range(int(state.seats))):
        return "The game is over: a row is full"
    return f"The game is over: round {lap} was the cap" if lap >= state.cap else "The game is over: no tiles are left"


def _supply(name: str, tiles: Any) -> str:
    """`bag 8: B3 R1 W4`."""
    counts = counts_of(tiles)
    parts = [f"{letter}{count}" for letter, count in zip(LETTERS, counts, strict=True) if count]
    return f"{name:<6} {sum(counts)}: {' '.join(parts)}" if parts else f"{name:<6} empty"


def _displays(state: Any, paint: Paint) -> list[str]:
    """The displays, five in a row: `F1 (B B Y K)`."""
    n = 2 * int(state.seats) + 1
    cells = [_display(state, number, paint) for number in range(1, n + 1)]
    return ["   ".join(cells[first : first + A_ROW]) for first in range(0, n, A_ROW)]


def _display(state: Any, number: int, paint: Paint) -> str:
    tiles = _tiles(state.source[number], paint)
    blanks = [paint("·", "grey")] * (A_DISPLAY - len(tiles))
    return f"F{number} ({' '.join(tiles + blanks)})"


def _tiles(tiles: Any, paint: Paint) -> list[str]:
    return [paint(LETTERS[k], TILES[k]) for k, count in enumerate(counts_of(tiles)) for _ in range(count)]


def _centre(state: Any, paint: Paint) -> str:
    """The centre: the marker, then the tiles by colour, with a number where there are several."""
    parts = [paint("1st", "bold amber")] if state.marker < 0 and state.mover != NOBODY else []
    for colour, count in enumerate(counts_of(state.source[CENTRE])):
        if count:
            parts.append(" ".join([paint(LETTERS[colour], TILES[colour])] * count))
    return f"centre ({'  '.join(parts)})" if parts else "centre empty"


def _seat_board(state: Any, owner: int, paint: Paint) -> list[str]:
    """Seven lines of A_SEAT columns each: name and points, five rows of lines and wall, the floor."""
    rows = [_row(state, owner, row, paint) for row in range(5)]
    return [_name(state, owner, paint), *rows, _floor(state, owner, paint)]


def _name(state: Any, owner: int, paint: Paint) -> str:
    arrow = ">" if state.mover == owner else " "
    points = int(state.points[owner])
    text = f" {points} point{'' if points == 1 else 's'}"
    starter = owner == int(state.marker) or (state.mover == CHANCE and owner == state.first)
    note = "  begins next" if owner == int(state.marker) else "  begins" if starter else ""
    return arrow + " " + paint(MARKS[owner], f"bold seat{owner + 1}") + f"{text}{note}".ljust(A_SEAT - 3)


def _row(state: Any, owner: int, row: int, paint: Paint) -> str:
    """A pattern line, filled from the right, and its row of the wall."""
    held, colour = int(state.held[owner, row]), int(state.colour[owner, row])
    slots = [paint("·", "grey")] * (row + 1 - held) + [paint(LETTERS[colour], TILES[colour])] * held
    pattern = "  " * (4 - row) + " ".join(slots)
    wall = "".join(_cell(state, owner, row, column, paint) for column in range(5))
    return f"  {row + 1}  {pattern}  →  {wall}" + " " * (A_SEAT - 34)


def _cell(state: Any, owner: int, row: int, column: int, paint: Paint) -> str:
    letter = wall_letter(state, owner, row, column)
    if letter:
        return paint(f"[{letter}]", TILES[LETTERS.index(letter)])
    if state.grey:
        return paint(" · ", "grey")
    printed = (column - row) % 5
    return paint(f" {LETTERS[printed].lower()} ", FREE[printed])


def _floor(state: Any, owner: int, paint: Paint) -> str:
    """What each slot costs, the occupied ones in brackets, and the sum."""
    taken = int(state.floor[owner])
    slots = []
    for slot in range(FLOOR_SLOTS):
        cost = f"{int(PENALTY[slot] - PENALTY[slot + 1])}"
        slots.append(paint(f"[{cost}]", "bold red") if slot < taken else paint(f" {cost} ", "grey"))
    return "floor " + "".join(slots) + f"{-int(PENALTY[taken]) if taken else '':>4}"
