"""RootStrap and TreeStrap, compiled: games of self-play in which a linear evaluation learns from its own searches.

    H(s)     = weights . features(s)                  as the searching seat has it
    V(s)     = minimax value of s, H at the horizon, finished games worth +win, -win or between
    weights += rate * sum over learning nodes of (V(s) - H(s)) * features(s)      after each search

RootStrap learns at the root alone, TreeStrap at every node of the tree; with pruning, V is a bound at most nodes, and
one that H already keeps teaches nothing (Veness et al. 2009, algorithms 1 to 3). At the horizon V is H, so nothing is
learnt there; finished games have their value by the rules, and nothing is learnt there either.

All values are the searching seat's, which maximises; who is to move decides between max and min (search/alphabeta.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, redeal, settle, to_move, win_shares
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.minimax_kernels import narrowed

INFINITE = 1e300
SQUARES, UPDATES, NODES = range(3)  # places in `tally`

# Bound by `strap`.
SEES_MOVER = True  # features are those of the seat to move, and the other's value is the opposite
PRUNES = True  # alpha-beta in the place of minimax
LEARNS_EVERYWHERE = False  # at every node of the tree, not at its root alone


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


class Scratch(NamedTuple):
    """What a run works with."""

    states: NDArray[Any]  # [ply]: the line at hand, from the root on; the last one is the match
    lists: NDArray[np.int64]  # [ply, move]
    numbers: NDArray[np.float64]  # [ply, feature]
    weights: NDArray[np.float64]  # [feature], learnt
    change: NDArray[np.float64]  # [feature]: the sum over the tree at hand, not yet times the rate
    tally: NDArray[np.float64]  # squared errors, learning nodes, nodes
    shares: NDArray[np.float64]  # [seat]


@kernel
def play_game(scratch, options, fate, openings, depth, rate, win, rng):
    """Play a game from a few random plies on, learning at each move; returns the number of moves searched."""
    match = len(scratch.states) - 1
    new_game(scratch.states[match], len(scratch.shares), options, fate)
    moves = 0
    while True:
        settle(scratch.states[match])
        me = to_move(scratch.states[match])
        if me == NOBODY:
            return moves
        if openings > 0:
            openings -= 1
            apply(scratch.states[match], choose(scratch.states[match], rng, scratch.lists[0]))
            continue
        action = take_lesson(scratch, depth, me, win, rng)
        for i in range(len(scratch.weights)):
            scratch.weights[i] += rate * scratch.change[i]
            scratch.change[i] = 0.0
        apply(scratch.states[match], action)
        moves += 1


@kernel
def take_lesson(scratch, depth, me, win, rng):
    """Search the match as the seat to move knows it: its move; what is learnt from the search is added to `change`."""
    scratch.states[0] = scratch.states[len(scratch.states) - 1]
    redeal(scratch.states[0], me, rng)  # so that nothing is learnt from what the seat cannot know
    return search_root(scratch, depth, me, win)


@kernel
def search_root(scratch, depth, me, win):
    """The first of the best moves of states[0]; what is learnt from the search is added to `change`."""
    n = legal_actions(scratch.states[0], scratch.lists[0])
    best, best_action = -INFINITE, scratch.lists[0, 0]
    for i in range(n):
        action = scratch.lists[0, i]
        make(scratch.states, 0, action)
        value = explore(scratch, 1, depth - 1, best if PRUNES else -INFINITE, INFINITE, me, win)
        if value > best:
            best, best_action = value, action
    learn(scratch, 0, best, -INFINITE, INFINITE, me)
    return best_action


@kernel
def explore(scratch, ply, depth, alpha, beta, me, win):
    """The value of states[ply] for the searching seat: with pruning exact within (alpha, beta), else a bound."""
    settle(scratch.states[ply])
    scratch.tally[NODES] += 1.0
    mover = to_move(scratch.states[ply])
    if mover == NOBODY:
        win_shares(scratch.states[ply], len(scratch.shares), scratch.shares)
        return win * (2.0 * scratch.shares[me] - 1.0)
    if depth <= 0:
        return judge(scratch, ply, me)
    is_maximising = mover == me
    best = -INFINITE if is_maximising else INFINITE
    low, high = alpha, beta
    n = legal_actions(scratch.states[ply], scratch.lists[ply])
    for i in range(n):
        make(scratch.states, ply, scratch.lists[ply, i])
        value = explore(scratch, ply + 1, depth - 1, alpha, beta, me, win)
        if value > best if is_maximising else value < best:
            best = value
            if PRUNES:
                alpha, beta = narrowed(alpha, beta, best, is_maximising)
                if alpha >= beta:
                    break
    if LEARNS_EVERYWHERE:
        learn(scratch, ply, best, low, high, me)
    return best


@kernel
def make(states, ply, action):
    """Play a move of states[ply] in states[ply + 1]."""
    states[ply + 1] = states[ply]
    apply(states[ply + 1], action)


@kernel
def judge(scratch, ply, me):
    """H of states[ply] for the searching seat; its features stay in `numbers`."""
    mover = to_move(scratch.states[ply])
    viewer = mover if SEES_MOVER else me
    n = write(scratch.states[ply], viewer, scratch.numbers[ply])
    total = 0.0
    for i in range(n):
        total += scratch.weights[i] * scratch.numbers[ply, i]
    return total if viewer == me else -total


@kernel
def learn(scratch, ply, value, low, high, me):
    """Add what the value of states[ply], found with the window (low, high), teaches."""
    error = value - judge(scratch, ply, me)
    if (value <= low and error >= 0.0) or (value >= high and error <= 0.0):
        return  # a bound that holds already
    mover = to_move(scratch.states[ply])
    sign = 1.0 if not SEES_MOVER or mover == me else -1.0
    for i in range(len(scratch.change)):
        scratch.change[i] += sign * error * scratch.numbers[ply, i]
    scratch.tally[SQUARES] += error * error
    scratch.tally[UPDATES] += 1.0
