"""Santorini: the rules, compiled.

Two seats, a board of 5 x 5, two workers each. A turn moves one worker to a neighbouring cell at most one
level higher and then builds next to where it stands. Whoever steps up to level 3 wins; whoever cannot
move and build loses.

State   STATE below: sets of cells as bits, bit 0 is A5, bit 4 is E5, bit 24 is E1
Action  a placement of both workers, or a step and a build: ACTION TABLE below
Chance  none; hidden information none
Source  docs/games/santorini.md, where every RULING is argued
Left out  god powers, and with them the games for three and four
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.contract import NOBODY
from meeple.core.kernel import kernel
from meeple.core.ranges import KEPT

SIDE = 5
N_CELLS = SIDE * SIDE
DOME = 4  # the level of a closed cell
SEATS = (2, 2)
SUPPLY = np.array([0, 22, 18, 14, 18], dtype=np.int64)  # blocks of level 1, 2, 3, and domes, in the box

# Options, in the order in which game.py declares them.
FINITE_SUPPLY = 0  # index in `options`; 1: a build whose piece is used up is not allowed

STATE = np.dtype(
    (
        np.record,
        [
            ("at_least", np.int32, (5,)),  # at_least[k]: the cells of level k or more; [0] is not used
            ("workers", np.int32, (2,)),  # the cells of a seat's workers: 0 before placement, then two bits
            ("seat", np.int8),  # 0 or 1, to move; after the end the loser, who would have been next
            ("winner", np.int8),  # -1 while the game goes on
            ("finite", np.int8),  # 1: the supply of pieces is the box's
            ("turn", np.int8),  # turns finished, 0..102; placements count
        ],
    )
)
BOARD = (1 << N_CELLS) - 1
RANGES = {
    "at_least": (0, BOARD),
    "workers": (0, BOARD),
    "seat": (0, 1),
    "winner": (-1, 1),
    "finite": KEPT,
    "turn": (0, 2 + 4 * N_CELLS),
}

# ACTION TABLE
#   from * 128 + step * 16 + build   the worker on `from` takes the step, then builds in direction `build`;
#                                    build = 8: the step wins and nothing is built
#   3200 + pair                      place both workers: the pairs of cells a < b, in the order (0,1), (0,2) ...
# Directions 0..7 are the neighbours from north-west to south-east, in the order of their cells.
NO_BUILD = 8
FIRST_PLACEMENT = N_CELLS * 128
N_PAIRS = N_CELLS * (N_CELLS - 1) // 2
ACTIONS = FIRST_PLACEMENT + N_PAIRS
MAX_ACTIONS = N_PAIRS  # the first placement; a turn has at most 2 workers x 8 steps x 8 builds = 128
OUTCOMES = 0

OFFSET = np.array([-6, -5, -4, -1, 1, 4, 5, 6], dtype=np.int64)  # of the direction, in cells
DIRECTION = np.full(13, -1, dtype=np.int64)  # DIRECTION[to - from + 6]
DIRECTION[OFFSET + 6] = np.arange(8)
NEIGHBOURS = np.zeros(N_CELLS, dtype=np.int64)  # the up to 8 cells around a cell, as bits
for _cell in range(N_CELLS):
    for _other in range(N_CELLS):
        if _cell != _other and abs(_cell // 5 - _other // 5) <= 1 and abs(_cell % 5 - _other % 5) <= 1:
            NEIGHBOURS[_cell] |= 1 << _other
PAIR_BITS = np.array([(1 << a) | (1 << b) for a in range(N_CELLS) for b in range(a + 1, N_CELLS)], dtype=np.int64)

CHECKS = (
    "a cell that has a level must have every level below it",
    "a worker must stand on the board, alone on its cell and on no dome",
    "a seat has no worker or two",
    "the seat to move must have a turn, or the game must be over",
    "a winner must stand on level 3 or the loser must have no turn",
    "the supply of pieces must not be overdrawn",
    "workers are placed before anything is built, the first seat's first",
    "the turns must be the placements, the levels built, and a winning step",
)


@kernel
def new_game(state, seats, options, fate):
    state.at_least[:] = 0
    state.workers[:] = 0
    state.seat = 0
    state.winner = -1
    state.finite = options[FINITE_SUPPLY]
    state.turn = 0


@kernel
def to_move(state):
    return NOBODY if state.winner >= 0 else state.seat


@kernel
def legal_actions(state, out):
    mine = state.workers[state.seat]
    if mine == 0:
        return legal_placements(state, out)
    occupied = mine | state.workers[1 - state.seat]
    domes = state.at_least[DOME]
    top = state.at_least[3]
    unbuildable = missing_pieces(state)
    n = 0
    left = mine
    while left:
        origin = lowest_bit(left)
        left &= left - 1
        closed = (occupied ^ (1 << origin)) | domes | unbuildable
        steps = steps_from(state, origin, occupied)
        while steps:
            to = lowest_bit(steps)
            steps &= steps - 1
            step = origin * 128 + DIRECTION[to - origin + 6] * 16
            if (top >> to) & 1:
                out[n] = step + NO_BUILD
                n += 1
                continue
            builds = NEIGHBOURS[to] & ~closed
            while builds:
                cell = lowest_bit(builds)
                builds &= builds - 1
                out[n] = step + DIRECTION[cell - to + 6]
                n += 1
    return n


@kernel
def legal_placements(state, out):
    occupied = state.workers[1 - state.seat]
    n = 0
    for pair in range(N_PAIRS):
        if PAIR_BITS[pair] & occupied == 0:
            out[n] = FIRST_PLACEMENT + pair
            n += 1
    return n


@kernel
def steps_from(state, origin, occupied):
    """The cells that a worker on `origin` may step to, as bits: a neighbour, free, at most one level up."""
    level = level_of(state, origin)
    too_high = state.at_least[DOME] if level >= 2 else state.at_least[level + 2]
    return NEIGHBOURS[origin] & ~(occupied | too_high)


@kernel
def level_of(state, cell):
    """The level of a cell, 0 to 4, where 4 is a dome."""
    level = 0
    for k in range(1, 5):
        level += (state.at_least[k] >> cell) & 1
    return level


@kernel
def missing_pieces(state):
    """The cells whose next piece is used up, as bits; none where the supply is unlimited.

    RULING 2: with a finite supply a build whose piece is gone is not allowed.
    """
    if state.finite == 0:
        return 0
    cells = 0
    for level in range(1, 5):
        if popcount(state.at_least[level]) >= SUPPLY[level]:
            below = BOARD if level == 1 else state.at_least[level - 1]
            cells |= below & ~state.at_least[level]
    return cells


@kernel
def apply(state, action):
    seat = state.seat
    if action >= FIRST_PLACEMENT:
        state.workers[seat] = PAIR_BITS[action - FIRST_PLACEMENT]
    else:
        origin = action >> 7
        to = origin + OFFSET[(action >> 4) & 7]
        state.workers[seat] ^= (1 << origin) | (1 << to)
        build = action & 15
        if build == NO_BUILD:
            state.winner = seat
        else:
            raise_cell(state, 1 << (to + OFFSET[build]))
    state.seat = 1 - seat
    state.turn += 1
    if state.winner < 0 and not has_turn(state):
        state.winner = seat


@kernel
def raise_cell(state, cell_bit):
    """Build the next piece of a cell: a block on level 0, 1 or 2, a dome on level 3."""
    level = 1
    while state.at_least[level] & cell_bit:
        level += 1
    state.at_least[level] |= cell_bit


@kernel
def has_turn(state):
    """Whether the seat to move can move and then build. A seat that has yet to place its workers can."""
    mine = state.workers[state.seat]
    if mine == 0:
        return True
    if state.finite == 1:
        return count_actions(state) > 0
    # A worker that can step can build: the cell it left is free. And nearly always some neighbour is
    # of level 0 or 1, open to a worker of any height, so that is tried first.
    occupied = mine | state.workers[1 - state.seat]
    first = lowest_bit(mine)
    second = lowest_bit(mine & (mine - 1))
    if (NEIGHBOURS[first] | NEIGHBOURS[second]) & ~(occupied | state.at_least[2]):
        return True
    return (steps_from(state, first, occupied) | steps_from(state, second, occupied)) != 0


@kernel
def redeal(state, seat, rng):
    """Nothing is hidden, and there is no fate."""


@kernel
def ranks(state, out):
    for seat in range(2):
        out[seat] = 1 if state.winner < 0 or state.winner == seat else 2


@kernel
def score(state, seat):
    """Santorini has no points."""
    return 0


@kernel
def round_index(state):
    """A round is a turn of each seat; the placements are round 0."""
    return state.turn // 2


@kernel
def is_setup(state):
    """The placement of the workers."""
    return state.workers[state.seat] == 0


@kernel
def count_actions(state):
    mine = state.workers[state.seat]
    if mine == 0:
        free = N_CELLS - popcount(state.workers[1 - state.seat])
        return free * (free - 1) // 2
    occupied = mine | state.workers[1 - state.seat]
    top = state.at_least[3]
    unbuildable = state.at_least[DOME] | missing_pieces(state)
    n = 0
    while mine:
        origin = lowest_bit(mine)
        mine &= mine - 1
        steps = steps_from(state, origin, occupied)
        n += counts_after(steps, (occupied ^ (1 << origin)) | unbuildable, top)[1]
    return n


@kernel
def is_legal(state, action):
    mine = state.workers[state.seat]
    others = state.workers[1 - state.seat]
    if action < 0 or action >= ACTIONS:
        return False
    if action >= FIRST_PLACEMENT:
        return mine == 0 and PAIR_BITS[action - FIRST_PLACEMENT] & others == 0
    origin = action >> 7
    if (mine >> origin) & 1 == 0:
        return False
    to = origin + OFFSET[(action >> 4) & 7]
    if to < 0 or to >= N_CELLS or (steps_from(state, origin, mine | others) >> to) & 1 == 0:
        return False
    build = action & 15
    if (state.at_least[3] >> to) & 1:
        return build == NO_BUILD
    if build >= NO_BUILD:
        return False
    cell = to + OFFSET[build]
    if cell < 0 or cell >= N_CELLS:
        return False
    closed = ((mine | others) ^ (1 << origin)) | state.at_least[DOME] | missing_pieces(state)
    return ((NEIGHBOURS[to] & ~closed) >> cell) & 1 == 1


@kernel
def pick(state, rng):
    """The action at place draw(rng, n) of the list, without the list.

    Of each worker the number of builds after each step is kept, four bits a step.
    """
    mine = state.workers[state.seat]
    if mine == 0:
        return pick_placement(state, draw(rng, count_actions(state)))
    occupied = mine | state.workers[1 - state.seat]
    top = state.at_least[3]
    unbuildable = state.at_least[DOME] | missing_pieces(state)
    origin = lowest_bit(mine)
    other = lowest_bit(mine & (mine - 1))
    steps = steps_from(state, origin, occupied)
    counts, n = counts_after(steps, (occupied ^ (1 << origin)) | unbuildable, top)
    other_steps = steps_from(state, other, occupied)
    other_counts, other_n = counts_after(other_steps, (occupied ^ (1 << other)) | unbuildable, top)
    k = draw(rng, n + other_n)
    if k >= n:
        k -= n
        origin, steps, counts = other, other_steps, other_counts
    while k >= counts & 15:
        k -= counts & 15
        counts >>= 4
        steps &= steps - 1
    to = lowest_bit(steps)
    step = origin * 128 + DIRECTION[to - origin + 6] * 16
    if (top >> to) & 1:
        return step + NO_BUILD
    builds = NEIGHBOURS[to] & ~((occupied ^ (1 << origin)) | unbuildable)
    for _ in range(k):
        builds &= builds - 1
    return step + DIRECTION[lowest_bit(builds) - to + 6]


@kernel
def counts_after(steps, closed, top):
    """For each of `steps`, lowest first, the number of builds after it in four bits; and their sum."""
    counts = 0
    shift = 0
    total = 0
    while steps:
        to = lowest_bit(steps)
        steps &= steps - 1
        here = 1 if (top >> to) & 1 else popcount(NEIGHBOURS[to] & ~closed)
        counts |= here << shift
        shift += 4
        total += here
    return counts, total


@kernel
def pick_placement(state, k):
    occupied = state.workers[1 - state.seat]
    for pair in range(N_PAIRS):
        if PAIR_BITS[pair] & occupied == 0:
            if k == 0:
                return FIRST_PLACEMENT + pair
            k -= 1
    return -1


@kernel
def check(state):
    for level in range(2, 5):
        if state.at_least[level] & ~state.at_least[level - 1]:
            return 1
    first = state.workers[0]
    second = state.workers[1]
    if (first | second) & ~BOARD or first & second or (first | second) & state.at_least[DOME]:
        return 2
    for seat in range(2):
        if popcount(state.workers[seat]) not in (0, 2):
            return 3
    can = has_turn(state)
    if state.winner < 0 and not can:
        return 4
    if state.winner >= 0:
        on_top = state.workers[state.winner] & state.at_least[3] != 0
        if not on_top and (state.winner == state.seat or can):
            return 5
    if state.finite == 1:
        for level in range(1, 5):
            if popcount(state.at_least[level]) > SUPPLY[level]:
                return 6
    n_placed = np.int64(first != 0) + np.int64(second != 0)
    if n_placed < 2 and (state.seat != n_placed or second != 0 or state.at_least[1] != 0):
        return 7
    turns = n_placed
    for level in range(1, 5):
        turns += popcount(state.at_least[level])
    if state.winner >= 0:
        turns += np.int64(state.workers[state.winner] & state.at_least[3] != 0)
    return 0 if turns == state.turn else 8
