"""Tic-tac-toe. State: the stones of each seat as nine bits. Action: the cell. No chance, nothing hidden."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.contract import NOBODY
from meeple.core.kernel import kernel

SEATS = (2, 2)
ACTIONS = MAX_ACTIONS = 9
OUTCOMES = 0
FULL = 0b111_111_111
LINES = np.array([7, 56, 448, 73, 146, 292, 273, 84], dtype=np.int64)
STATE = np.dtype((np.record, [("stones", np.int16, (2,))]))
RANGES = {"stones": (0, FULL)}
CHECKS = ("a cell holds one stone", "the first seat has as many stones as the second, or one more")


@kernel
def new_game(state, seats, options, fate):
    state.stones[:] = 0


@kernel
def has_line(stones):
    for line in LINES:
        if stones & line == line:
            return True
    return False


@kernel
def to_move(state):
    first, second = np.int64(state.stones[0]), np.int64(state.stones[1])
    if has_line(first) or has_line(second) or first | second == FULL:
        return np.int64(NOBODY)
    return np.int64(popcount(first) - popcount(second))


@kernel
def legal_actions(state, out):
    taken = np.int64(state.stones[0]) | np.int64(state.stones[1])
    n = 0
    for cell in range(9):
        if (taken >> cell) & 1 == 0:
            out[n] = cell
            n += 1
    return n


@kernel
def apply(state, action):
    state.stones[to_move(state)] |= 1 << action


@kernel
def redeal(state, seat, rng):
    pass


@kernel
def ranks(state, out):
    out[0] = 2 if has_line(np.int64(state.stones[1])) else 1
    out[1] = 2 if has_line(np.int64(state.stones[0])) else 1


@kernel
def score(state, seat):
    return np.int64(0)


@kernel
def round_index(state):
    return np.int64(popcount(np.int64(state.stones[1])))


@kernel
def check(state):
    first, second = np.int64(state.stones[0]), np.int64(state.stones[1])
    if first & second:
        return 1
    return 0 if popcount(first) - popcount(second) in (0, 1) else 2
