"""What a move of Azul brings, for the picture: tiles that fit, points on the wall, points lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meeple.games.azul import layout
from meeple.games.azul.notation import LETTERS, counts_of, wall_letter
from meeple.games.azul.wall import tile_points


def parts_of(action: int) -> tuple[int, int, int]:
    """Source, colour and line of a move that takes tiles."""
    source, bit = divmod(action, layout.A_SOURCE)
    return (source, *divmod(bit, 6))


def count_of(state: Any, source: int, colour: int) -> int:
    return counts_of(state.source[source])[colour]


def takes_marker(state: Any, source: int) -> bool:
    return source == layout.CENTRE and int(state.marker) < 0


def effect(state: Any, owner: int, source: int, colour: int, line: int) -> tuple[int, int]:
    """How many tiles stay on the line, and the points that the floor costs in addition."""
    count = count_of(state, source, colour)
    placed = 0 if line == layout.FLOOR else min(count, line + 1 - int(state.held[owner, line]))
    before = int(state.floor[owner])
    after = min(layout.FLOOR_SLOTS, before + count - placed + takes_marker(state, source))
    return placed, int(layout.PENALTY[after] - layout.PENALTY[before])


def floor_lines(steps: Iterable[Any]) -> tuple[str, ...]:
    """What lies on each floor line, as letters in the order in which it fell, the marker as `1`.

    `steps` are those of a match, the last first; they are read back to where the round began.
    """
    taken: list[tuple[int, str]] = []
    lap = seats = -1
    for step in steps:
        state = step.before.record
        lap, seats = (int(state.lap), int(state.seats)) if seats < 0 else (lap, seats)
        if step.seat is None or int(state.lap) != lap:
            break
        taken.append((step.seat, _falling(state, step.seat, step.code)))
    floors = [""] * max(0, seats)
    for seat, fallen in reversed(taken):
        floors[seat] = (floors[seat] + fallen)[: layout.FLOOR_SLOTS]
    return tuple(floors)


def _falling(state: Any, owner: int, action: int) -> str:
    """The letters of what a move drops."""
    if action >= layout.FIRST_TILING:
        row, column = divmod(action - layout.FIRST_TILING, 6)
        return LETTERS[int(state.colour[owner, row])] * (row + 1) if column == layout.FLOOR else ""
    source, colour, line = parts_of(action)
    placed, _ = effect(state, owner, source, colour, line)
    return "1" * takes_marker(state, source) + LETTERS[colour] * (count_of(state, source, colour) - placed)


def is_full(state: Any, owner: int, row: int) -> bool:
    return int(state.held[owner, row]) == row + 1


def _column(row: int, colour: int) -> int:
    """Where the coloured wall has a colour."""
    return (row + colour) % 5


def gain(state: Any, owner: int, row: int, colour: int | None = None) -> int:
    """Coloured wall: what the tile of a line will score when the lines above it have been tiled."""
    wall = int(state.wall[owner])
    for above in range(row):
        if is_full(state, owner, above):
            wall |= 1 << (5 * above + _column(above, int(state.colour[owner, above])))
    column = _column(row, int(state.colour[owner, row]) if colour is None else colour)
    return int(tile_points(wall | (1 << (5 * row + column)), row, column))


def tiling_text(state: Any, owner: int, action: int) -> str:
    row, column = divmod(action - layout.FIRST_TILING, 6)
    if column == layout.FLOOR:
        after = min(layout.FLOOR_SLOTS, int(state.floor[owner]) + row + 1)
        return f"no place on the wall: {int(layout.PENALTY[state.floor[owner]] - layout.PENALTY[after])} on the floor"
    return f"+{cell_gain(state, owner, row, column)} on the wall"


def cell_gain(state: Any, owner: int, row: int, column: int) -> int:
    wall = int(state.wall[owner]) | (1 << (5 * row + column))
    return int(tile_points(wall, row, column))


def bonuses(state: Any, owner: int) -> dict[str, int]:
    """What the full rows, columns and colours of a wall give at the end."""
    rows, columns, colours = complete(state, owner)
    return {
        "rows": layout.ROW_BONUS * len(rows),
        "columns": layout.COLUMN_BONUS * len(columns),
        "colours": layout.COLOUR_BONUS * len(colours),
    }


def complete(state: Any, owner: int) -> tuple[list[int], list[int], list[int]]:
    """The full rows, columns and colours of a wall."""
    wall = [[wall_letter(state, owner, row, column) for column in range(5)] for row in range(5)]
    rows = [row for row in range(5) if all(wall[row])]
    columns = [column for column in range(5) if all(wall[row][column] for row in range(5))]
    colours = [colour for colour in range(5) if sum(row.count(LETTERS[colour]) for row in wall) == 5]
    return rows, columns, colours
