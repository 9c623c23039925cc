"""The report's breadth-first variant of Monte Carlo tree search (section 3.4), compiled: positions with their values.

From a root, every move is made and so many games are played out after it; the mean result is the value of the position
it led to. Then the child with the highest UCB1 becomes the root, and so on to the end of the game, where another game
begins. All children of a root have the same number of visits, so UCB1 is highest where the value is.

Playouts are uniformly random, or follow an evaluation: the move after which it is best for the mover, now and then a
random one. Values are of the seat that made the move; before each playout the world is redealt for that seat, so they
are expectations over all that it cannot know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw, fresh_fate
from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, redeal, settle, to_move, win_shares
from meeple.core.heuristics import no_evaluation
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.learn.episode_kernels import FINE

ROOT, WORLD, AFTER = range(3)  # places in `states`

# Bound by `trees`.
IS_SPARSE = True
FOLLOWS = False  # playouts follow `evaluate`
evaluate = no_evaluation


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


class Tree(NamedTuple):
    """What a tree works with, and what it leaves: its nodes, each seen by the seat that moved there."""

    states: NDArray[Any]  # the root, a playout, and what a playout tries
    children: NDArray[np.int64]  # moves of the root
    moves: NDArray[np.int64]  # those of a playout
    shares: NDArray[np.float64]  # [seat]
    written: NDArray[Any]  # a buffer for features
    rows: NDArray[Any]  # [node]: features
    values: NDArray[np.float64]  # [node]: mean returns


@kernel
def grow(tree, options, openings, simulations, stray, rng, given):
    """Fill all rows and values; returns the number of games that the tree's line was begun anew with."""
    n, games, is_over = 0, 0, True
    root = tree.states[ROOT]
    while n < len(tree.values):
        if is_over:
            begin(root, len(tree.shares), options, openings, tree.moves, rng)
            games += 1
        settle(root)
        me = to_move(root)
        is_over = me == NOBODY
        if not is_over:
            n, action = expand(tree, n, me, simulations, stray, rng, given)
            apply(root, action)
    return games


@kernel
def begin(state, seats, options, openings, moves, rng):
    """A new game after a few random plies."""
    new_game(state, seats, options, fresh_fate(rng))
    for _ in range(openings):
        settle(state)
        if to_move(state) == NOBODY:
            break
        apply(state, choose(state, rng, moves))


@kernel
def expand(tree, n, me, simulations, stray, rng, given):
    """Value all children of the root, noting them while there is room; returns the new n, and the best move."""
    count = legal_actions(tree.states[ROOT], tree.children)
    best, chosen, equals = -2.0, tree.children[0], 0
    for i in range(count):
        value = 0.0
        for _ in range(simulations):
            value += simulate(tree, me, tree.children[i], stray, rng, given)
        value /= simulations
        if n < len(tree.values):
            note(tree, n, me, tree.children[i], value)
            n += 1
        equals = 1 if value > best else equals + 1
        if value > best or (value == best and draw(rng, equals) == 0):
            best, chosen = value, tree.children[i]
    return n, chosen


@kernel
def note(tree, n, me, action, value):
    """The position after a move of the root as the n-th node."""
    tree.states[WORLD] = tree.states[ROOT]
    apply(tree.states[WORLD], action)
    found = write(tree.states[WORLD], me, tree.written)
    for i in range(tree.rows.shape[1]):
        tree.rows[n, i] = tree.written[i] if i < found else -1
    tree.values[n] = value


@kernel
def simulate(tree, me, action, stray, rng, given):
    """The returns of `me` in a game played on from a move of the root, in a world that it may take for true."""
    world = tree.states[WORLD]
    tree.states[WORLD] = tree.states[ROOT]
    redeal(world, me, rng)
    apply(world, action)
    while True:
        settle(world)
        mover = to_move(world)
        if mover == NOBODY:
            break
        if FOLLOWS and draw(rng, FINE) >= stray * FINE:
            apply(world, favourite(tree, mover, rng, given))
        else:
            apply(world, choose(world, rng, tree.moves))
    win_shares(world, len(tree.shares), tree.shares)
    return 2.0 * tree.shares[me] - 1.0


@kernel
def favourite(tree, mover, rng, given):
    """A move of the playout after which the evaluation is best for the mover, one of equals by lot."""
    n = legal_actions(tree.states[WORLD], tree.moves)
    best, chosen, equals = -1e300, tree.moves[0], 0
    for i in range(n):
        tree.states[AFTER] = tree.states[WORLD]
        apply(tree.states[AFTER], tree.moves[i])
        if to_move(tree.states[AFTER]) == NOBODY:
            win_shares(tree.states[AFTER], len(tree.shares), tree.shares)
            value = 2.0 * tree.shares[mover] - 1.0
        else:
            value = evaluate(tree.states[AFTER], mover, *given)
        equals = 1 if value > best else equals + 1
        if value > best or (value == best and draw(rng, equals) == 0):
            best, chosen = value, tree.moves[i]
    return chosen
