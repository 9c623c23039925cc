"""The walls of Azul: where a tile may go, what it scores, and the bonus."""

from __future__ import annotations

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.azul.layout import COLOUR_BONUS, COLUMN, COLUMN_BONUS, N_LINES, ROW, ROW_BONUS, RUN


@kernel
def free_cells(state, seat, row):
    """Grey wall: the cells of the row that the colour of its full line may go to, as five bits."""
    tile = state.colour[seat, row] + 1
    taken = (state.wall[seat] >> (5 * row)) & ROW
    for other in range(5):
        tints = state.tint[seat, other]
        for column in range(5):
            if (tints >> (3 * column)) & 7 == tile:
                taken |= ROW if other == row else 1 << column
    return ROW & ~taken


@kernel
def row_colours(state, seat, row):
    """The colours on a row of the wall, as five bits."""
    if state.grey == 1:
        tints = state.tint[seat, row]
        colours = 0
        for column in range(5):
            colours |= (1 << ((tints >> (3 * column)) & 7)) >> 1
        return colours
    # Colour k is in column (row + k) mod 5: turn the row back.
    cells = (state.wall[seat] >> (5 * row)) & ROW
    return ((cells | (cells << 5)) >> row) & 31


@kernel
def tile_points(wall, row, column):
    """What a tile just placed scores: the runs through it, each if longer than itself; alone, one point."""
    across = RUN[(wall >> (5 * row)) & ROW, column]
    cells = (wall >> column) & COLUMN
    down = RUN[(cells | (cells >> 4) | (cells >> 8) | (cells >> 12) | (cells >> 16)) & 31, row]
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@kernel
def full_rows(wall):
    """The full rows of a wall, as bits 5r."""
    pairs = wall & (wall >> 1)
    return pairs & (pairs >> 2) & (wall >> 4) & COLUMN


@kernel
def bonus(state, seat):
    """What the rows, columns and colours of a wall give at the end."""
    wall = state.wall[seat]
    columns = ROW
    colours = 31
    for row in range(5):
        columns &= wall >> (5 * row)
        colours &= row_colours(state, seat, row)
    return ROW_BONUS * popcount(full_rows(wall)) + COLUMN_BONUS * popcount(columns) + COLOUR_BONUS * popcount(colours)


@kernel
def full_line(state, seat):
    """The seat's topmost full pattern line, or -1."""
    for line in range(N_LINES):
        if state.held[seat, line] == line + 1:
            return line
    return -1
