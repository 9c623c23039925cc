"""Games in which a network learns by their result, compiled: epsilon-greedy over the positions after each move."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, redeal, settle, to_move, win_shares
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

MATCH, WORLD, AFTER = range(3)  # places in `states`
FINE = 1 << 30  # a chance is drawn as a whole number below this
EVERYBODY = -1  # in the place of a seat that learns

# Bound by `episodes`.
IS_SPARSE = True


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


def value_of(state: Any, seat: Any, net: Any) -> float:
    """`forward_kernels.value_of` for the game; bound."""
    raise NotImplementedError


class Episode(NamedTuple):
    """What a game works with, and what it leaves."""

    states: NDArray[Any]  # the match, a world of its for the seat to move, and that after a move
    moves: NDArray[np.int64]
    shares: NDArray[np.float64]  # [seat]: of the victory, in the end
    rows: NDArray[Any]  # [position]: features of the positions that were chosen, as the seat that chose sees them
    seats: NDArray[np.int64]  # [position]: who chose
    chosen: NDArray[Any]  # [position]: the positions themselves


@kernel
def play_game(episode, net, options, fate, openings, learner, epsilon, rng):
    """Play a game; `learner` (or everybody) plays by the network, others at random. Returns the number of positions."""
    states = episode.states
    new_game(states[MATCH], len(episode.shares), options, fate)
    n = 0
    while True:
        settle(states[MATCH])
        me = to_move(states[MATCH])
        if me == NOBODY:
            break
        is_learning = openings <= 0 and (learner in (EVERYBODY, me))
        openings -= 1
        if not is_learning or draw(rng, FINE) < epsilon * FINE:
            action = choose(states[MATCH], rng, episode.moves)
        else:
            # What the seat cannot know is dealt anew, so that it does not show in a value.
            states[WORLD] = states[MATCH]
            redeal(states[WORLD], me, rng)
            action = best_move(episode, me, net)
        apply(states[MATCH], action)
        if is_learning and n < len(episode.rows):
            keep(episode, n, me, net)
            n += 1
    win_shares(states[MATCH], len(episode.shares), episode.shares)
    return n


@kernel
def best_move(episode, me, net):
    """The first of the moves of the world at hand after which the network likes the position best."""
    states = episode.states
    n = legal_actions(states[WORLD], episode.moves)
    best, chosen = -2.0, episode.moves[0]
    for i in range(n):
        states[AFTER] = states[WORLD]
        apply(states[AFTER], episode.moves[i])
        if to_move(states[AFTER]) == NOBODY:
            win_shares(states[AFTER], len(episode.shares), episode.shares)
            value = 2.0 * episode.shares[me] - 1.0
        else:
            value = value_of(states[AFTER], me, net)
        if value > best:
            best, chosen = value, episode.moves[i]
    return chosen


@kernel
def keep(episode, n, me, net):
    """Note the position after a move as the n-th."""
    episode.seats[n] = me
    episode.chosen[n] = episode.states[MATCH]
    if IS_SPARSE:
        found = write(episode.states[MATCH], me, net.active)
        for i in range(episode.rows.shape[1]):
            episode.rows[n, i] = net.active[i] if i < found else -1
    else:
        found = write(episode.states[MATCH], me, net.numbers)
        for i in range(found):
            episode.rows[n, i] = net.numbers[i]
