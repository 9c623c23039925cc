"""Flat Monte Carlo, compiled: what flat.py calls."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import apply, play_out, redeal, to_move, win_shares
from meeple.core.kernel import kernel

DETERMINISTIC = False  # bound by `flat.search`: the world at hand is the true one, and none is dealt


class Scratch(NamedTuple):
    """What the random games write."""

    states: NDArray[Any]  # the root, and the game at hand
    rng: NDArray[np.uint64]
    out: NDArray[np.int64]  # for a list of moves
    weights: NDArray[np.int64]  # of outcomes
    shares: NDArray[np.float64]  # [seat]: of a finished game


@kernel
def advance(scratch, actions, first, count, totals, squares):
    """Play `count` random games from states[0], the moves in turn from number `first` on.

    Adds the mover's win share, and its square, to the sums of the move that the game began with.
    """
    states, shares = scratch.states, scratch.shares
    mover = to_move(states[0])
    for number in range(first, first + count):
        i = number % len(actions)
        states[1] = states[0]
        if not DETERMINISTIC:
            redeal(states[1], mover, scratch.rng)
        apply(states[1], actions[i])
        play_out(states[1], scratch.rng, scratch.out, scratch.weights)
        win_shares(states[1], len(shares), shares)
        totals[i] += shares[mover]
        squares[i] += shares[mover] * shares[mover]
