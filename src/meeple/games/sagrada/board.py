"""Windows as bits: where a die may go, and what the public objectives count.

A cell is row * 5 + column, from the top left. A window of a seat is twelve words: `occ`, the cells with a die, and for
each colour and each value the cells that show it. A die is colour * 6 + value - 1, values from 0 inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada.cards import COLOURS, FAULTY_VIA_LUX, WINDOWS

N_ROWS, N_COLUMNS, N_CELLS = 4, 5, 20
N_COLOURS, N_VALUES, N_DICE = 5, 6, 30
COPIES = 18  # dice of each colour
BOARD = (1 << N_CELLS) - 1
TOP_ROW, LEFT_COLUMN = 0b11111, 0x8421


class Lines(NamedTuple):
    """How the rows, or the columns, lie in the bits of a window."""

    n: int
    length: int
    apart: int  # from the head of a line, its first cell, to the head of the next line
    step: int  # from a cell of a line to the next cell of the same line
    heads: int  # the heads of all lines
    first: int  # the cells of the first line


ROWS = Lines(N_ROWS, N_COLUMNS, N_COLUMNS, 1, LEFT_COLUMN, TOP_ROW)
COLUMNS = Lines(N_COLUMNS, N_ROWS, 1, N_COLUMNS, TOP_ROW, LEFT_COLUMN)

PATTERNS = (*WINDOWS, FAULTY_VIA_LUX)
VIA_LUX = next(i for i, window in enumerate(WINDOWS) if window.name == "Via Lux")
INDUSTRIA = next(i for i, window in enumerate(WINDOWS) if window.name == "Industria")
BLANK_VIA_LUX = len(WINDOWS)

NOT_LEFT = sum(1 << cell for cell in range(N_CELLS) if cell % 5 != 0)
NOT_RIGHT = sum(1 << cell for cell in range(N_CELLS) if cell % 5 != 4)
BORDER = sum(1 << cell for cell in range(N_CELLS) if cell // 5 in (0, 3) or cell % 5 in (0, 4))


def printed(marks: str) -> np.ndarray:  # type: ignore[type-arg]
    """For each pattern and mark, the cells on which it is printed."""
    cells = [[sum(1 << i for i, m in enumerate("".join(w.rows)) if m == mark) for mark in marks] for w in PATTERNS]
    return np.array(cells, dtype=np.int64)


PRINTED_COLOUR = printed(COLOURS)
PRINTED_VALUE = printed("123456")
PRINTED = PRINTED_COLOUR.sum(axis=1) + PRINTED_VALUE.sum(axis=1)  # cells that are not blank
# Cells whose print does not refuse a colour, or a value.
TAKES_COLOUR = BOARD & ~(PRINTED_COLOUR.sum(axis=1, keepdims=True) - PRINTED_COLOUR)
TAKES_VALUE = BOARD & ~(PRINTED_VALUE.sum(axis=1, keepdims=True) - PRINTED_VALUE)
DIFFICULTY = np.array([window.difficulty for window in PATTERNS], dtype=np.int64)
(
    ROW_COLOURS, COLUMN_COLOURS, ROW_SHADES, COLUMN_SHADES, LIGHT, MEDIUM, DEEP, SHADES, COLOUR_SETS, DIAGONALS,
) = range(10)  # fmt: skip
MOST_SHADE_SETS, MOST_COLOUR_SETS = 3, 4  # that a window has room for


@kernel
def beside(cells):
    """The cells that share a side with one of `cells`."""
    return (((cells << 1) & NOT_LEFT) | ((cells >> 1) & NOT_RIGHT) | (cells << 5) | (cells >> 5)) & BOARD


@kernel
def around(cells):
    """`cells` and all that touch them, corners included."""
    row = cells | ((cells << 1) & NOT_LEFT) | ((cells >> 1) & NOT_RIGHT)
    return (row | (row << 5) | (row >> 5)) & BOARD


@kernel
def diagonal(cells):
    """The cells that touch one of `cells` at a corner."""
    left, right = (cells >> 1) & NOT_RIGHT, (cells << 1) & NOT_LEFT
    return ((left << 5) | (left >> 5) | (right << 5) | (right >> 5)) & BOARD


@kernel
def open_cells(occupied):
    """Empty cells that the rules of the first die and of contact allow."""
    if occupied == 0:
        return BORDER
    return around(occupied) & ~occupied


@kernel
def fits(state, seat, cells, colour, value):
    """Those of `cells` that take such a die: printed restriction and side neighbours."""
    window = state.window[seat]
    alike = state.col[seat, colour] | state.val[seat, value]
    return cells & TAKES_COLOUR[window, colour] & TAKES_VALUE[window, value] & ~beside(alike)


@kernel
def opposite(die):
    """The die with its opposite face up."""
    return die // N_VALUES * N_VALUES + N_VALUES - 1 - die % N_VALUES


@kernel
def put(state, seat, die, cell):
    """Place a die."""
    bit = 1 << cell
    state.occ[seat] = state.occ[seat] | bit
    state.col[seat, die // N_VALUES] = state.col[seat, die // N_VALUES] | bit
    state.val[seat, die % N_VALUES] = state.val[seat, die % N_VALUES] | bit


@kernel
def put_or_lift(state, seat, die, cell):
    """Place a die, or take it away again."""
    bit = 1 << cell
    state.occ[seat] = state.occ[seat] ^ bit
    state.col[seat, die // N_VALUES] = state.col[seat, die // N_VALUES] ^ bit
    state.val[seat, die % N_VALUES] = state.val[seat, die % N_VALUES] ^ bit


@kernel
def shift(state, seat, origin, target):
    """Move a placed die to an empty cell."""
    die = die_at(state, seat, origin)
    flip = (1 << origin) | (1 << target)
    state.occ[seat] = state.occ[seat] ^ flip
    state.col[seat, die // N_VALUES] = state.col[seat, die // N_VALUES] ^ flip
    state.val[seat, die % N_VALUES] = state.val[seat, die % N_VALUES] ^ flip


@kernel
def die_at(state, seat, cell):
    """The die on a cell; -1 where it is empty."""
    if (state.occ[seat] >> cell) & 1 == 0:
        return -1
    colour = 0
    while (state.col[seat, colour] >> cell) & 1 == 0:
        colour += 1
    value = 0
    while (state.val[seat, value] >> cell) & 1 == 0:
        value += 1
    return colour * N_VALUES + value


# --- what objectives count


@kernel
def lines_of(objective):
    """The lines that an objective of rows or columns counts, and whether it is one of colours."""
    lines = ROWS if objective in (ROW_COLOURS, ROW_SHADES) else COLUMNS
    return lines, objective in (ROW_COLOURS, COLUMN_COLOURS)


@kernel
def head_of(cell, lines):
    """The head of the line that a cell lies in."""
    column = cell % N_COLUMNS
    return cell - column if lines.step == 1 else column


@kernel
def lines_with(cells, lines):
    """The lines that hold one of `cells`, as their heads; of a column the fifth cell is beyond the window."""
    step = lines.step
    return (cells | cells >> step | cells >> 2 * step | cells >> 3 * step | cells >> 4 * step) & lines.heads


@kernel
def lines_with_one_and_two(cells, lines):
    """The lines that hold one or more of `cells`, and those that hold two or more, as their heads."""
    once, twice = 0, 0
    for place in range(lines.length):
        here = (cells >> place * lines.step) & lines.heads
        twice |= once & here
        once |= here
    return once, twice


@kernel
def cells_of(state, seat, kind, by_colour):
    """The cells with a die of a colour, or of a value."""
    return state.col[seat, kind] if by_colour else state.val[seat, kind]


@kernel
def times_scored(state, seat, objective):
    """How often a window fulfils a public objective."""
    if objective < LIGHT:
        return popcount(varied_lines(state, seat, objective))
    if objective <= DEEP:
        low = 2 * (objective - LIGHT)
        return min(popcount(state.val[seat, low]), popcount(state.val[seat, low + 1]))
    if objective in (SHADES, COLOUR_SETS):
        by_colour = objective == COLOUR_SETS
        least = N_CELLS
        for kind in range(N_COLOURS if by_colour else N_VALUES):
            least = min(least, popcount(cells_of(state, seat, kind, by_colour)))
        return least
    twins = 0
    for colour in range(N_COLOURS):
        cells = state.col[seat, colour]
        twins += popcount(cells & diagonal(cells))
    return twins


@kernel
def varied_lines(state, seat, objective):
    """The full rows, or columns, in which no colour, or value, comes twice, as their heads."""
    lines, by_colour = lines_of(objective)
    varied = np.int64(lines.heads)
    for place in range(lines.length):
        varied &= state.occ[seat] >> place * lines.step
    for kind in range(N_COLOURS if by_colour else N_VALUES):
        _, twice = lines_with_one_and_two(cells_of(state, seat, kind, by_colour), lines)
        varied &= ~twice
    return varied


@kernel
def unfillable(state, seat):
    """Empty cells that no die fits any more: their own print stands beside them."""
    window = state.window[seat]
    dead = 0
    for colour in range(N_COLOURS):
        dead |= PRINTED_COLOUR[window, colour] & beside(state.col[seat, colour])
    for value in range(N_VALUES):
        dead |= PRINTED_VALUE[window, value] & beside(state.val[seat, value])
    return dead & ~state.occ[seat]


@kernel
def killed_lines(state, lines, dead):
    """The lines, as their heads, that these unfillable cells spoil: their own.

    With the thesis program's faults a row spoils all rows below it too: its counting of rows stops there.
    """
    killed = lines_with(dead, lines)
    if state.has_faults != 0 and lines.step == 1 and killed != 0:
        killed = lines.heads & ~((killed & -killed) - 1)
    return killed


@kernel
def colour_points(state, seat, colour):
    """The private objective of a colour: the sum of the values of its dice."""
    total = 0
    for value in range(N_VALUES):
        total += (value + 1) * popcount(state.col[seat, colour] & state.val[seat, value])
    return total
