"""Games of a network with two heads against itself, compiled with a game: what later learning goes by.

Each seat is asked by its own view; features hold nothing that the seat may not know (a law), so neither does a move
that follows from them, nor what is learnt of a position. Specialised by `heads.compile_for`.

A game is a line of decisions. `follow` of each is the next decision that its worth is told by, or END: with two seats
the next one whoever makes it, worth the opposite where it is the rival's; otherwise the same seat's next one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, settle, to_move, win_shares
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.learn.heads_kernels import share_of, soften, think

END = -1  # in `follow`: the game is over before
FINE = 1 << 30  # steps between 0 and 1 of a number drawn

BY_POLICY = -1.0  # in the place of `stray`: moves are drawn by the policy


# Both are bound by `heads.compile_for`.
def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


def write_action(state: Any, action: Any, out: Any) -> int:
    """The features of a move; bound."""
    raise NotImplementedError


class DecisionLine(NamedTuple):
    """A game that was played: its decisions, one a row."""

    states: NDArray[Any]  # before each decision, and the finished game
    movers: NDArray[np.int64]
    actions: NDArray[np.int64]
    values: NDArray[np.float64]  # what the value head said for the mover, as expected returns
    returns: NDArray[np.float64]  # of the mover, in the end
    follow: NDArray[np.int64]
    shares: NDArray[np.float64]  # [seat], in the end


@kernel
def see(state, weights, sight):
    """Read a position as its mover sees it, with all its moves; returns (x, features, moves)."""
    n_active = write(state, to_move(state), sight.active)
    n_legal = legal_actions(state, sight.legal)
    for k in range(n_legal):
        n = write_action(state, sight.legal[k], sight.listed)
        sight.n_moves[k] = n
        for j in range(n):
            sight.moves[k, j] = sight.listed[j]
    return think(weights, sight, n_active, n_legal), n_active, n_legal


@kernel
def play_game(line, options, fate, openings, stray, weights, sight, rng):
    """Play a game from a few random plies on; returns its number of decisions, those not counted.

    `stray` is how often a move is drawn by lot where the best by the policy head would be played, or BY_POLICY.
    """
    states = line.states
    new_game(states[0], len(line.shares), options, fate)
    n = 0
    while True:
        settle(states[n])
        mover = to_move(states[n])
        if mover == NOBODY or n + 1 >= len(states):
            break
        if openings > 0:
            openings -= 1
            apply(states[n], choose(states[n], rng, sight.legal))
            continue
        x, _, n_legal = see(states[n], weights, sight)
        line.values[n] = 2.0 * share_of(x) - 1.0
        line.movers[n] = mover
        line.actions[n] = sight.legal[picked(sight, n_legal, stray, rng)]
        states[n + 1] = states[n]
        apply(states[n + 1], line.actions[n])
        n += 1
    win_shares(states[n], len(line.shares), line.shares)
    for t in range(n):
        line.returns[t] = 2.0 * line.shares[line.movers[t]] - 1.0
    link(line, n)
    return n


@kernel
def picked(sight, n, stray, rng):
    """The place of the move that is played: drawn by the policy, or the best by the policy head, or one by lot."""
    if stray >= 0.0:
        return draw(rng, n) if draw(rng, FINE) < stray * FINE else best_of(sight.logits, n, rng)
    soften(sight.logits, sight.chances, n)
    left = draw(rng, FINE) / FINE
    for k in range(n - 1):
        left -= sight.chances[k]
        if left < 0.0:
            return k
    return n - 1


@kernel
def best_of(logits, n, rng):
    """The place of the highest, equals by lot."""
    best, n_equal = 0, 1
    for k in range(1, n):
        if logits[k] > logits[best]:
            best, n_equal = k, 1
        elif logits[k] == logits[best]:
            n_equal += 1
            if draw(rng, n_equal) == 0:
                best = k
    return best


@kernel
def link(line, n):
    """Fill in `follow` of a line of n decisions."""
    is_rivals = len(line.shares) == 2
    for t in range(n):
        later = t + 1
        while not is_rivals and later < n and line.movers[later] != line.movers[t]:
            later += 1
        line.follow[t] = later if later < n else END
