"""Games of alpha-beta against itself, whole games inside compiled code, with the positions to learn from.

A game begins with some random plies and goes on with searches of fixed nodes or depth; now and then a move is random.
Of each searched position that is recorded stay its sparse features as the mover sees it, the search's value for the
mover (proofs as alpha-beta has them, beyond PROOF), and the mover's win share in the end.

Fits games of two seats without chance and secrets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, settle, to_move, win_shares
from meeple.core.kernel import kernel
from meeple.search.alphabeta_kernels import PROOF, Scratch
from meeple.search.control import ABORTED, LIMIT, NODES
from meeple.search.minimax_kernels import NO_MOVE

SEATS = 2
OFTEN = 1 << 20  # what a chance is counted in: `stray` of so many


def search_root(scratch: Any, depth: Any, actions: Any, order: Any, values: Any, bounds: Any, is_exact: Any) -> int:
    """Alpha-beta's, compiled for the game and its evaluation; bound."""
    raise NotImplementedError


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


class Desk(NamedTuple):
    """What a thread works with: the match, a search's memory for each seat, and what is recorded of a game."""

    match: NDArray[Any]  # one state
    first: Scratch  # for seat 0; the two differ in `me` and in their tables, whose values are a seat's own
    second: Scratch
    actions: NDArray[np.int64]  # of the root: codes, places in their order, values, and which of these are bounds
    order: NDArray[np.int64]
    values: NDArray[np.float64]
    bounds: NDArray[np.bool_]
    features: NDArray[np.int64]  # of one position
    active: NDArray[Any]  # [position, most]: features that are there, then -1
    found: NDArray[np.float64]  # [position]: the search's value for the mover
    movers: NDArray[np.int64]
    shares: NDArray[np.float64]  # [seat]: of the finished game


class Manner(NamedTuple):
    """How games are played."""

    nodes: int  # of a search at most
    depth: int
    openings: int  # a game begins with fewer random plies than this
    stray: int  # of OFTEN: how often a random move is played
    every: int  # one position in so many is recorded


@kernel
def play_game(desk, options, fate, manner, rng):
    """Play a game and record of it; returns how many positions were recorded. `desk.shares` has the result."""
    forget_game(desk)
    new_game(desk.match[0], SEATS, options, fate)
    left = draw(rng, manner.openings) if manner.openings > 0 else 0
    n = 0
    while True:
        settle(desk.match[0])
        mover = to_move(desk.match[0])
        if mover == NOBODY:
            break
        if left > 0:
            left -= 1
            apply(desk.match[0], choose(desk.match[0], rng, desk.actions))
            continue
        scratch = desk.first if mover == 0 else desk.second
        n_moves, best, value = think(desk, scratch, manner)
        if n < len(desk.found) and draw(rng, manner.every) == 0:
            record(desk, n, mover, value)
            n += 1
        # A game that is proven is played out by its searches: a random move would make its result a lie.
        if abs(value) < PROOF and draw(rng, OFTEN) < manner.stray:
            best = draw(rng, n_moves)
        apply(desk.match[0], desk.actions[best])
    win_shares(desk.match[0], SEATS, desk.shares)
    return n


@kernel
def forget_game(desk):
    """Empty the tables, so that a game depends on nothing that was played before."""
    for i in range(len(desk.first.table)):
        desk.first.table[i].bound = 0
        desk.second.table[i].bound = 0


@kernel
def record(desk, n, mover, value):
    """Write the position at hand as number `n`."""
    n_there = write(desk.match[0], mover, desk.features)
    for k in range(desk.active.shape[1]):
        desk.active[n, k] = desk.features[k] if k < n_there else -1
    desk.found[n] = value
    desk.movers[n] = mover


# --- one search --------------------------------------------------------------------------------------


@kernel
def think(desk, scratch, manner):
    """Search the match's position by iterative deepening; returns the number of moves, the best one's place, its value.

    Stopped in between, the best of the depth at hand counts: the best of the depth before was searched first.
    """
    scratch.states[0] = desk.match[0]
    forget_search(scratch, manner.nodes)
    n = legal_actions(desk.match[0], desk.actions)
    for i in range(n):
        desk.order[i] = i
    actions, order, values, bounds = desk.actions[:n], desk.order[:n], desk.values[:n], desk.bounds[:n]
    best = 0
    value = 0.0
    for depth in range(1, manner.depth + 1):
        done = search_root(scratch, depth, actions, order, values, bounds, False)
        for k in range(done):
            if k == 0 or values[order[k]] > value:
                best, value = order[k], values[order[k]]
        if done < n or abs(value) > PROOF or n == 1:
            break
        sort_moves(order, values, best)
    return n, best, value


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
