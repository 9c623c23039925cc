"""Whole matches between compiled agents, kept as a row for each decision; see collect.py."""

from __future__ import annotations

import numpy as np

from meeple.arena.inside import NOT_OFFERED, ask, begin
from meeple.core.contract import CHANCE, NOBODY, apply, outcome, ranks, score, to_move, win_shares
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

ALL, FULL, ILLEGAL = range(3)  # why `gather` came back: all are played; there is no room for more rows; a wrong answer


@kernel
def gather(scratch, matches, first, rows, ends, used):
    """Play the matches from number `first` on and append a row to `rows` for each decision.

    Returns (why it came back, the match that is not played yet, the rows in use before it).
    """
    state = scratch.states[0]
    for i in range(first, len(matches.seeds)):
        begin(scratch, matches, i)
        end = play_one(scratch, matches, i, rows, used)
        if end < 0:
            return -end, i, used
        ends.plies[i] = end - used
        used = end
        win_shares(state, len(ends.shares[i]), ends.shares[i])
        ranks(state, ends.ranks[i])
        for seat in range(ends.scores.shape[1]):
            ends.scores[i, seat] = score(state, seat)
    return ALL, np.int64(len(matches.seeds)), used


@kernel
def play_one(scratch, matches, i, rows, used):
    """Play states[0] to its end; return the rows in use after it, or -FULL or -ILLEGAL."""
    state = scratch.states[0]
    row = used
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            return row
        if mover == CHANCE:
            apply(state, outcome(state, scratch.weights))
            continue
        if row == len(rows.actions):
            return -FULL
        action = ask(scratch, matches, i, mover, row - used)
        if action == NOT_OFFERED:
            return -ILLEGAL
        rows.states[row] = state
        rows.movers[row] = mover
        rows.actions[row] = action
        rows.games[row] = i
        row += 1
        apply(state, action)
