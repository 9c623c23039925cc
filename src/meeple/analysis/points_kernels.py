"""Games played out by a policy from after a move, and their scores; compiled."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import word_of
from meeple.core.contract import NOBODY, apply, choose, redeal, score, settle, to_move
from meeple.core.kernel import kernel

policy = choose  # any move; bound where the judge has a policy


@kernel
def play_points(states, seat, action, first, games, rng, out, given, scores):
    """Play `games` games on from states[0], in worlds dealt for `seat`, each beginning with `action`.

    Game number n has a stream of its own, so that all moves are tried in the same worlds with the same fate. Writes
    scores[n, seat].
    """
    for number in range(games):
        rng[0] = word_of(first, number)
        states[1] = states[0]
        state = states[1]
        redeal(state, seat, rng)
        apply(state, action)
        while True:
            settle(state)
            if to_move(state) == NOBODY:
                break
            apply(state, policy(state, rng, out, *given))
        for owner in range(scores.shape[1]):
            scores[number, owner] = score(state, np.int64(owner))
