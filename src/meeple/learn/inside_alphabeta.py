"""Alpha-beta as the search of games inside compiled code: two seats, no chance, no secrets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel
from meeple.search.alphabeta_kernels import PROOF, Scratch
from meeple.search.control import ABORTED, LIMIT, NODES
from meeple.search.minimax_kernels import NO_MOVE

SEATS = 2


def search_root(scratch: Any, depth: Any, actions: Any, order: Any, values: Any, bounds: Any, is_exact: Any) -> int:
    """Alpha-beta's, compiled for the game and its evaluation; bound."""
    raise NotImplementedError


class AlphaBetaMemory(NamedTuple):
    """A search's memory for each seat."""

    first: Scratch  # for seat 0; the two differ in `me` and in their tables, whose values are a seat's own
    second: Scratch
    order: NDArray[np.int64]  # of the root's moves: places in their order, values, and which of these are bounds
    values: NDArray[np.float64]
    bounds: NDArray[np.bool_]
    depth: int  # at most


@kernel
def forget(searcher, rng):
    """Empty the tables, so that a game depends on nothing that was played before."""
    for i in range(len(searcher.first.table)):
        searcher.first.table[i].bound = 0
        searcher.second.table[i].bound = 0


@kernel
def think(searcher, match, actions, n, mover, nodes, rng):
    """Search the match's position by iterative deepening; returns the best move's place, and its value.

    Stopped in between, the best of the depth at hand counts: the best of the depth before was searched first.
    """
    scratch = searcher.first if mover == 0 else searcher.second
    scratch.states[0] = match[0]
    forget_search(scratch, nodes)
    for i in range(n):
        searcher.order[i] = i
    offer, order, values, bounds = actions[:n], searcher.order[:n], searcher.values[:n], searcher.bounds[:n]
    best = 0
    value = 0.0
    for depth in range(1, searcher.depth + 1):
        done = search_root(scratch, depth, offer, order, values, bounds, False)
        for k in range(done):
            if k == 0 or values[order[k]] > value:
                best, value = order[k], values[order[k]]
        if done < n or abs(value) > PROOF or n == 1:
            break
        sort_moves(order, values, best)
    return best, value


@kernel
def forget_search(scratch, nodes):
    """Begin anew, except that the table keeps what earlier moves of the game have found."""
    scratch.control[NODES] = 0
    scratch.control[ABORTED] = 0
    scratch.control[LIMIT] = nodes
    scratch.killers[:] = NO_MOVE
    scratch.history[:] = 0


@kernel
def sort_moves(order, values, best):
    """The best first, the others by their values; equals keep their order."""
    for i in range(1, len(order)):
        one = order[i]
        j = i
        while j > 0 and order[j - 1] != best and (one == best or values[order[j - 1]] < values[one]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = one
