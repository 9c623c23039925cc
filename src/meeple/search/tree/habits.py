"""MAST: what each move has been worth to each seat, wherever in the game it was made, chooses the moves of playouts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import legal_actions
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.knobs import EPSILON, WORLD

SLOTS = 4_096  # places in a table by action; actions beyond share them


class Habits(NamedTuple):
    """The table, which all threads of a tree share, and the moves of the iteration at hand."""

    table: NDArray[np.float64]  # [seat, slot of the action, (sum of worth, count)]
    moves: NDArray[np.int64]  # [move, (mover, action)]


def new_habits(seats: int, moves: int, table: NDArray[np.float64] | None = None) -> Habits:
    """Room for so many moves an iteration; 0 seats: nothing is remembered."""
    fresh = np.zeros((seats, SLOTS, 2)) if table is None else table
    return Habits(fresh, np.empty((moves, 2), dtype=np.int64))


@kernel
def no_memory(habits, n, mover, action):
    """Nothing is remembered."""
    return n


@kernel
def remember_move(habits, n, mover, action):
    """Note move number `n` of the iteration, as far as there is room; return the number of the next."""
    if n >= len(habits.moves):
        return n
    habits.moves[n, 0] = mover
    habits.moves[n, 1] = action
    return n + 1


@kernel
def no_credit(habits, n, worth):
    """Nothing is learnt."""


@kernel
def credit_moves(habits, n, worth):
    """Credit the iteration's first `n` moves with what it was worth to their seats."""
    moves = habits.moves
    for i in range(n):
        habit = habits.table[moves[i, 0], moves[i, 1] % SLOTS]
        habit[0] += worth[moves[i, 0]]
        habit[1] += 1.0


@kernel
def by_habit(scratch, mover, knobs):
    """The move that has been worth most to the mover so far; any, with probability epsilon; unknown ones first."""
    table, rng, offer = scratch.habits.table, scratch.rng, scratch.offer
    n = legal_actions(scratch.states[WORLD], offer)
    if draw(rng, 1_000_000) < knobs[EPSILON] * 1_000_000:
        return offer[draw(rng, n)]
    best = offer[0]
    most = -1.0
    equal = 0
    for i in range(n):
        habit = table[mover, offer[i] % SLOTS]
        value = habit[0] / habit[1] if habit[1] > 0.0 else 1.0
        if value > most:
            best, most, equal = offer[i], value, 1
        elif value == most:
            equal += 1
            if draw(rng, equal) == 0:
                best = offer[i]
    return best
