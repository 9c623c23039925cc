"""Windows as bits: where a die may go, and what the public objectives count.

A cell is row * 5 + column, from the top left. A window of a seat is twelve words: `occ`, the cells with a die, and for
each colour and each value the cells that show it. A die is colour * 6 + value - 1, values from 0 inside.
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada.cards import COLOURS, FAULTY_VIA_LUX, WINDOWS

N_ROWS, N_COLUMNS, N_CELLS = 4, 5, 20
N_COLOURS, N_VALUES, N_DICE = 5, 6, 30
COPIES = 18  # dice of each colour
BOARD = (1 << N_CELLS) - 1
TOP_ROW, LEFT_COLUMN = 0b11111, 0x8421

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
        return np.int64(BORDER)
    return around(occupied) & ~occupied


@kernel
def fits(state, seat, cells, colour, value):
    """Those of `cells` that take such a die: printed restriction and side neighbours."""
    window = np.int64(state.window[seat])
    alike = np.int64(state.col[seat, colour]) | np.int64(state.val[seat, value])
    return cells & TAKES_COLOUR[window, colour] & TAKES_VALUE[window, value] & ~beside(alike)


@kernel
def opposite(die):
    """The die with its opposite face up."""
    return die // N_VALUES * N_VALUES + N_VALUES - 1 - die % N_VALUES


@kernel
def put(state, seat, die, cell):
    """Place a die."""
    bit = np.int64(1) << cell
    state.occ[seat] = np.int64(state.occ[seat]) | bit
    state.col[seat, die // N_VALUES] = np.int64(state.col[seat, die // N_VALUES]) | bit
    state.val[seat, die % N_VALUES] = np.int64(state.val[seat, die % N_VALUES]) | bit


@kernel
def put_or_lift(state, seat, die, cell):
    """Place a die, or take it away again."""
    bit = np.int64(1) << cell
    state.occ[seat] = np.int64(state.occ[seat]) ^ bit
    state.col[seat, die // N_VALUES] = np.int64(state.col[seat, die // N_VALUES]) ^ bit
    state.val[seat, die % N_VALUES] = np.int64(state.val[seat, die % N_VALUES]) ^ bit


@kernel
def shift(state, seat, origin, target):
    """Move a placed die to an empty cell."""
    die = die_at(state, seat, origin)
    flip = (np.int64(1) << origin) | (np.int64(1) << target)
    state.occ[seat] = np.int64(state.occ[seat]) ^ flip
    state.col[seat, die // N_VALUES] = np.int64(state.col[seat, die // N_VALUES]) ^ flip
    state.val[seat, die % N_VALUES] = np.int64(state.val[seat, die % N_VALUES]) ^ flip


@kernel
def die_at(state, seat, cell):
    """The die on a cell; -1 where it is empty."""
    if (np.int64(state.occ[seat]) >> cell) & 1 == 0:
        return np.int64(-1)
    colour = np.int64(0)
    while (np.int64(state.col[seat, colour]) >> cell) & 1 == 0:
        colour += 1
    value = np.int64(0)
    while (np.int64(state.val[seat, value]) >> cell) & 1 == 0:
        value += 1
    return colour * N_VALUES + value


# --- what objectives count


@kernel
def rows_with(cells):
    """The rows that hold one of `cells`, each as its left cell."""
    return (cells | cells >> 1 | cells >> 2 | cells >> 3 | cells >> 4) & LEFT_COLUMN


@kernel
def columns_with(cells):
    """The columns that hold one of `cells`, each as its top cell."""
    return (cells | cells >> 5 | cells >> 10 | cells >> 15) & TOP_ROW


@kernel
def columns_with_two(cells):
    """The columns that hold two or more of `cells`."""
    one, two, three, four = cells & TOP_ROW, (cells >> 5) & TOP_ROW, (cells >> 10) & TOP_ROW, cells >> 15
    return (one & two) | (three & four) | ((one | two) & (three | four))


@kernel
def times_scored(state, seat, objective):
    """How often a window fulfils a public objective."""
    if objective == ROW_COLOURS:
        rows = np.int64(LEFT_COLUMN)
        for colour in range(N_COLOURS):
            rows &= rows_with(np.int64(state.col[seat, colour]))
        return popcount(rows)
    if objective == ROW_SHADES:
        return full_rows_of_shades(state, seat)
    if objective in (COLUMN_COLOURS, COLUMN_SHADES):
        return full_varied_columns(state, seat, objective == COLUMN_COLOURS)
    if objective <= DEEP:
        low = 2 * (objective - LIGHT)
        return min(popcount(np.int64(state.val[seat, low])), popcount(np.int64(state.val[seat, low + 1])))
    if objective == SHADES:
        least = popcount(np.int64(state.val[seat, 0]))
        for value in range(1, N_VALUES):
            least = min(least, popcount(np.int64(state.val[seat, value])))
        return least
    if objective == COLOUR_SETS:
        least = popcount(np.int64(state.col[seat, 0]))
        for colour in range(1, N_COLOURS):
            least = min(least, popcount(np.int64(state.col[seat, colour])))
        return least
    twins = np.int64(0)
    for colour in range(N_COLOURS):
        cells = np.int64(state.col[seat, colour])
        twins += popcount(cells & diagonal(cells))
    return twins


@kernel
def full_rows_of_shades(state, seat):
    """Full rows whose five values differ: five values are met in the row, and it is full."""
    met = np.int64(0)  # one field of five bits for each row, counting the values in it
    for value in range(N_VALUES):
        met += rows_with(np.int64(state.val[seat, value]))
    count = np.int64(0)
    for row in range(N_ROWS):
        is_full = (np.int64(state.occ[seat]) >> (5 * row)) & TOP_ROW == TOP_ROW
        count += np.int64(is_full and (met >> (5 * row)) & TOP_ROW == 5)
    return count


@kernel
def full_varied_columns(state, seat, by_colour):
    """Full columns whose four colours, or values, differ."""
    occupied = np.int64(state.occ[seat])
    columns = occupied & (occupied >> 5) & (occupied >> 10) & (occupied >> 15)
    if by_colour:
        for colour in range(N_COLOURS):
            columns &= ~columns_with_two(np.int64(state.col[seat, colour]))
    else:
        for value in range(N_VALUES):
            columns &= ~columns_with_two(np.int64(state.val[seat, value]))
    return popcount(columns)


@kernel
def colour_points(state, seat, colour):
    """The private objective of a colour: the sum of the values of its dice."""
    total = np.int64(0)
    for value in range(N_VALUES):
        total += (value + 1) * popcount(np.int64(state.col[seat, colour]) & np.int64(state.val[seat, value]))
    return total
