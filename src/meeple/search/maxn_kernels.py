"""Max-n, compiled: what maxn.py calls. Vectors hold the expected returns of every seat, a row a ply."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import NOBODY, apply, legal_actions, round_index, settle, to_move, win_shares
from meeple.core.heuristics import no_evaluation, no_filter
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.core.lending import lend, lent
from meeple.search.alphabeta_kernels import MAX_PLY
from meeple.search.control import ABORTED
from meeple.search.minimax_kernels import count_node

evaluate, keep = no_evaluation, no_filter  # bound by `maxn.compile_for`


class Scratch(NamedTuple):
    """What a search works with: memory that it writes, and what stays the same throughout."""

    states: NDArray[Any]  # [ply]: the line at hand, states[0] the root
    lists: NDArray[np.int64]  # [ply, move]
    vectors: NDArray[np.float64]  # [ply, seat]: expected returns
    control: NDArray[np.int64]  # counts nodes, tells to stop (control.py)
    last_round: int  # of the booklet's: later ones lie beyond the horizon
    given: tuple[Any, ...]  # the evaluation's parameters, if it takes any


@kernel
def search_root(scratch, depth, actions, values):
    """Write the value of each root move for the seat to move."""
    desk = lend(scratch)
    mover = to_move(scratch.states[0])
    for i in range(len(actions)):
        make(scratch.states, 0, actions[i])
        explore(desk, 1, depth - 1)
        values[i] = scratch.vectors[1, mover]


@kernel
def explore(desk, ply, depth):
    """Write the returns of all seats, expected at states[ply], into vectors[ply]; `desk` is the scratch, lent."""
    scratch = lent(desk)
    states, vectors = scratch.states, scratch.vectors
    if count_node(scratch.control):
        return
    settle(states[ply])
    mover = to_move(states[ply])
    if mover == NOBODY:
        write_returns(states[ply], vectors[ply])
        return
    if depth == 0 or ply >= MAX_PLY or round_index(states[ply]) > scratch.last_round:
        for seat in range(vectors.shape[1]):
            vectors[ply, seat] = evaluate(states[ply], seat, *scratch.given)
        return
    n = keep(states[ply], scratch.lists[ply], legal_actions(states[ply], scratch.lists[ply]))
    best = -np.inf
    for i in range(n):
        make(states, ply, scratch.lists[ply, i])
        explore(desk, ply + 1, depth - 1)
        if scratch.control[ABORTED] != 0:
            return
        if vectors[ply + 1, mover] > best:
            best = vectors[ply + 1, mover]
            for seat in range(vectors.shape[1]):
                vectors[ply, seat] = vectors[ply + 1, seat]


@kernel
def make(states, ply, action):
    """Play a move of states[ply] in states[ply + 1]."""
    states[ply + 1] = states[ply]
    apply(states[ply + 1], action)


@kernel
def write_returns(state, out):
    """The returns of all seats where the game is over."""
    win_shares(state, len(out), out)
    for seat in range(len(out)):
        out[seat] = 2.0 * out[seat] - 1.0
