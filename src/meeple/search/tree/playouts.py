"""Simulation: the leaf's world played on to the end, or to a cut-off, once or several times."""

from __future__ import annotations

import numpy as np

from meeple.core.contract import CHANCE, HAS_SETTLE, NOBODY, apply, outcome, settle, to_move
from meeple.core.heuristics import no_evaluation as evaluate
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.crew import no_lock as lock
from meeple.search.tree.crew import no_lock as unlock
from meeple.search.tree.habits import no_credit as credit
from meeple.search.tree.habits import no_memory as remember
from meeple.search.tree.knobs import CUTOFF, ROLLOUTS, WORLD
from meeple.search.tree.policies import uniform as next_move
from meeple.search.tree.rewards import take_shares
from meeple.search.tree.rewards import win_at_end as value_end


@kernel
def simulate_once(scratch, depth, knobs, crew):
    """Play the leaf out, and write what came of it to `shares` and `worth`; return the samples, which is one."""
    n_moves = play(scratch, depth, knobs)
    lock(crew)
    credit(scratch.habits, n_moves, scratch.worth)
    unlock(crew)
    return 1


@kernel
def simulate_often(scratch, depth, knobs, crew):
    """Play the leaf out several times, and write the sums; return how many times (Santorini report, 3.4).

    All playouts have the iteration's own world: what differs is the moves.
    """
    rollouts = np.int64(knobs[ROLLOUTS])
    shares, worth, sums = scratch.shares, scratch.worth, scratch.sums
    scratch.leaf[0] = scratch.states[WORLD]
    sums[:] = 0.0
    for _ in range(rollouts):
        scratch.states[WORLD] = scratch.leaf[0]
        simulate_once(scratch, depth, knobs, crew)
        for seat in range(len(shares)):
            sums[0, seat] += shares[seat]
            sums[1, seat] += worth[seat]
    for seat in range(len(shares)):
        shares[seat] = sums[0, seat]
        worth[seat] = sums[1, seat]
    return rollouts


@kernel
def play(scratch, depth, knobs):
    """Play the world on by the policy, and write what it is worth; return the iteration's moves that are remembered."""
    state = scratch.states[WORLD]
    cutoff = np.int64(knobs[CUTOFF])
    n_moves = depth
    moves = 0
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            value_end(scratch)
            return n_moves
        if mover == CHANCE:
            if HAS_SETTLE:
                settle(state)
            else:
                apply(state, outcome(state, scratch.weights))
            continue
        if cutoff > 0 and moves >= cutoff - 1:
            for seat in range(len(scratch.shares)):
                scratch.shares[seat] = 0.5 + 0.5 * evaluate(state, seat, *scratch.of_evaluation)
            take_shares(scratch)
            return n_moves
        action = next_move(scratch, mover, knobs)
        n_moves = remember(scratch.habits, n_moves, mover, action)
        apply(state, action)
        moves += 1
