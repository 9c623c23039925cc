"""Azul: the state, the numbers of its moves, what is printed, and sets of tiles."""

from __future__ import annotations

import numpy as np

from meeple.core.contract import NOBODY
from meeple.core.kernel import kernel
from meeple.core.ranges import KEPT

COLOURS = 5  # blue, yellow, red, black, white, in this order everywhere (RULING 10)
COPIES = 20  # tiles of a colour
N_LINES = 5  # pattern lines; line i holds i + 1 tiles
A_DISPLAY = 4  # tiles on a display
FLOOR_SLOTS = 7
PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)  # for so many occupied floor slots
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10
MOST_POINTS = 25 * 10 + 5 * (ROW_BONUS + COLUMN_BONUS + COLOUR_BONUS)  # a tile gives at most 10
SEATS = (2, 4)
MOST_SEATS = 4
MOST_SOURCES = 2 * MOST_SEATS + 2  # the centre and 2n + 1 displays
CENTRE = 0  # its place among the sources

# Options, in the order in which game.py declares them.
GREY, CAP = 0, 1  # places in `options`
CAPS = np.array([1_000, 30], dtype=np.int64)  # rounds after which the game ends all the same (RULING 7)

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("source", np.int32, (MOST_SOURCES,)),  # tiles in the centre and on display 1, 2 ...
            ("bag", np.int32),
            ("lid", np.int32),  # also holds the tiles that lie on floor lines
            ("open", np.int32, (MOST_SEATS,)),  # bit 6k + i: line i takes colour k; bit 6k + 5, the floor: always
            ("wall", np.int32, (MOST_SEATS,)),  # bit 5r + c: row r, column c is filled
            ("tint", np.int16, (MOST_SEATS, 5)),  # grey wall: row r, three bits a cell: 0, or its colour + 1
            ("points", np.int16, (MOST_SEATS,)),
            ("held", np.int8, (MOST_SEATS, N_LINES)),  # tiles on the line, 0..i+1
            ("colour", np.int8, (MOST_SEATS, N_LINES)),  # of the line, 0 where it is empty
            ("floor", np.int8, (MOST_SEATS,)),  # occupied slots, the marker's too, 0..7
            ("mover", np.int8),  # a seat, CHANCE or NOBODY
            ("first", np.int8),  # who started this round
            ("marker", np.int8),  # -1: in the centre; else the seat that took it in this round
            ("draws", np.int8),  # tiles still to be drawn for this round
            ("left", np.int8),  # tiles on displays and in the centre
            ("lap", np.int16),  # rounds finished
            ("cap", np.int16),  # rounds after which the game ends
            ("seats", np.int8),
            ("grey", np.int8),  # 1: the wall has no printed colours
        ],
    )
)

EVERYTHING = (1 << 30) - 1
RANGES = {
    "source": (0, EVERYTHING),
    "bag": (0, EVERYTHING),
    "lid": (0, EVERYTHING),
    "open": (0, EVERYTHING),
    "wall": (0, (1 << 25) - 1),
    "tint": (0, (1 << 15) - 1),
    "points": (0, MOST_POINTS),
    "held": (0, N_LINES),
    "colour": (0, COLOURS - 1),
    "floor": (0, FLOOR_SLOTS),
    "mover": (NOBODY, MOST_SEATS - 1),
    "first": (0, MOST_SEATS - 1),
    "marker": (-1, MOST_SEATS - 1),
    "draws": (0, A_DISPLAY * (MOST_SOURCES - 1)),
    "left": (0, A_DISPLAY * (MOST_SOURCES - 1)),
    "lap": (0, max(CAPS.tolist())),
    "cap": KEPT,
    "seats": KEPT,
    "grey": KEPT,
}

# ACTION TABLE
#   source * 30 + colour * 6 + line   take the tiles of a colour from the centre (0) or a display (1..9) and lay
#                                     them on pattern line 0..4 or on the floor (5)
#   300 + row * 6 + column            grey wall: the tile of the full line goes to this cell; column 5: it has no
#                                     place, and the whole line goes to the floor
A_SOURCE = 30
FLOOR = 5
FIRST_TILING = MOST_SOURCES * A_SOURCE
ACTIONS = FIRST_TILING + 5 * 6
MAX_ACTIONS = (MOST_SOURCES - 1) * A_DISPLAY * 6 + A_SOURCE  # four colours a display, five in the centre
OUTCOMES = COLOURS

ONE_EACH = 0b000001_000001_000001_000001_000001  # a tile of each colour; or a line, in every colour
ALMOST = 31 * ONE_EACH  # added to counts of at most 20, it makes bit 5 say whether there is any
ROW = 31  # a whole row of the wall
COLUMN = 0b00001_00001_00001_00001_00001  # the first column of the wall
SPREAD = np.zeros(32, dtype=np.int64)  # a set of colours as bits 6k
RUN = np.zeros((32, 5), dtype=np.int64)  # length of the unbroken run through a place in five cells
for _cells in range(32):
    for _place in range(5):
        SPREAD[_cells] |= ((_cells >> _place) & 1) << (6 * _place)
        _from = _to = _place
        while _from > 0 and (_cells >> (_from - 1)) & 1:
            _from -= 1
        while _to < 4 and (_cells >> (_to + 1)) & 1:
            _to += 1
        RUN[_cells, _place] = _to - _from + 1


@kernel
def size_of(tiles):
    """How many tiles a set holds."""
    return (tiles & 63) + ((tiles >> 6) & 63) + ((tiles >> 12) & 63) + ((tiles >> 18) & 63) + (tiles >> 24)


@kernel
def tiles_a_round(state):
    """Tiles on all displays: 20, 28 or 36."""
    return A_DISPLAY * (2 * state.seats + 1)


@kernel
def nth_tile(tiles, n):
    """The n-th tile of a set in the order of colours, as a set of one."""
    first = tiles & 63
    second = first + ((tiles >> 6) & 63)
    third = second + ((tiles >> 12) & 63)
    fourth = third + ((tiles >> 18) & 63)
    colour = np.int64(n >= first) + np.int64(n >= second) + np.int64(n >= third) + np.int64(n >= fourth)
    return 1 << (6 * colour)
