"""Ingenious: cells, the printed symbols, and the positions in which a tile can lie.

Cells are numbered white area first, row by row (0..90), then the two rings around it (to 126, to 168), so that a
smaller board is a prefix of a larger one; OFF stands for everything outside. A *position* is an unordered pair of
neighbouring cells without a symbol: 222, 306 or 426 for a board. Positions are bits, 62 to a word; the code of one
is 64 * word + bit, and its first cell has the lower number.
"""

from __future__ import annotations

import numpy as np

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # (q, r); direction d + 3 leads back
RADIUS = (0, 5, 5, 6, 7)  # of the board, by players
AREA = np.array([0, 91, 91, 127, 169], dtype=np.int64)  # cells of the board, by players
WORDS = np.array([0, 4, 4, 5, 7], dtype=np.int64)  # words of positions, by players
N_CELLS = 169
OFF = 169
N_WORDS = 7
BITS = 62  # positions in a word
SPAN = 448  # codes of positions: 64 a word
# Red, green, blue, orange, yellow, purple: the corners of the white area.
SYMBOLS = ((0, -5), (5, -5), (5, 0), (0, 5), (-5, 5), (-5, 0))


def ring_of(q: int, r: int) -> int:
    """Distance from the centre."""
    return max(abs(q), abs(r), abs(q + r))


CELLS = tuple(
    sorted(
        ((q, r) for q in range(-7, 8) for r in range(-7, 8) if ring_of(q, r) <= 7),
        key=lambda cell: (max(5, ring_of(*cell)), cell[1], cell[0]),
    )
)
CELL_AT = {cell: number for number, cell in enumerate(CELLS)}
SYMBOL_CELL = np.array([CELL_AT[cell] for cell in SYMBOLS], dtype=np.int64)

NEXT = np.full((N_CELLS + 1, 6), OFF, dtype=np.int64)  # NEXT[cell, direction]
for _cell, (_q, _r) in enumerate(CELLS):
    for _d, (_dq, _dr) in enumerate(DIRECTIONS):
        NEXT[_cell, _d] = CELL_AT.get((_q + _dq, _r + _dr), OFF)

_PAIRS = sorted(
    (max(5, ring_of(*CELLS[a]), ring_of(*CELLS[b])), a, b)
    for a in range(N_CELLS)
    for b in (int(cell) for cell in NEXT[a])
    if a < b < OFF and a not in SYMBOL_CELL and b not in SYMBOL_CELL
)
N_POSITIONS = (0, 222, 222, 306, 426)  # of the empty board, by players
POSITION_CODES = tuple(64 * (n // BITS) + n % BITS for n in range(len(_PAIRS)))

CELL_1 = np.full(SPAN, OFF, dtype=np.int64)  # the cells of a position
CELL_2 = np.full(SPAN, OFF, dtype=np.int64)
POSITION_OF = np.full((N_CELLS + 1, 6), -1, dtype=np.int64)  # by a cell and the direction of the other; -1: none
START = np.zeros((5, N_WORDS), dtype=np.int64)  # the positions of the empty board, by players
BESIDE = np.full(SPAN, -1, dtype=np.int64)  # the symbol that a tile in this position touches; -1: none
for _n, (_, _a, _b) in enumerate(_PAIRS):
    _code = POSITION_CODES[_n]
    CELL_1[_code], CELL_2[_code] = _a, _b
    POSITION_OF[_a, list(NEXT[_a]).index(_b)] = POSITION_OF[_b, list(NEXT[_b]).index(_a)] = _code
    for _players in range(1, 5):
        if _n < N_POSITIONS[_players]:
            START[_players, _code >> 6] |= 1 << (_code & 63)
    for _symbol, _cell in enumerate(SYMBOL_CELL):
        if _cell in NEXT[_a] or _cell in NEXT[_b]:
            BESIDE[_code] = _symbol

# STAYS_OPEN[position, word]: the positions that share no cell with this one.
STAYS_OPEN = np.full((SPAN, N_WORDS), (1 << BITS) - 1, dtype=np.int64)
for _code in POSITION_CODES:
    for _cell in (int(CELL_1[_code]), int(CELL_2[_code])):
        for _other in POSITION_OF[_cell]:
            if _other >= 0:
                STAYS_OPEN[_code, _other >> 6] &= ~(1 << (int(_other) & 63))
# FIRST_ROUND[used, word]: the positions beside a symbol that is not among `used`, six bits.
FIRST_ROUND = np.zeros((64, N_WORDS), dtype=np.int64)
for _code in POSITION_CODES:
    for _used in range(64):
        if BESIDE[_code] >= 0 and not (_used >> int(BESIDE[_code])) & 1:
            FIRST_ROUND[_used, _code >> 6] |= 1 << (_code & 63)
