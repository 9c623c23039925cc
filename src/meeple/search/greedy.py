"""Greedy: the move after which the evaluation is best, one ply and no more.

A finished game counts its returns. Chance is not expanded and no answer is looked at; the evaluation is asked
right after the move, in the world that the agent was handed. Among equals the choice is drawn by lot, or the first.
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import Stream
from meeple.core.contract import NOBODY, apply, to_move, win_shares
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_evaluation
from meeple.core.kernel import kernel
from meeple.search.result import SearchResult

evaluate = no_evaluation  # bound by `search`


def search(state: State, *, evaluation: str, ties: str, rng: Stream) -> SearchResult:
    """The best move by the evaluation called `evaluation`; `ties` is `random` or `first`."""
    game = state.game
    compiled = game.specialise(
        "meeple.search.greedy", evaluate=find_heuristic(game, "EVALUATIONS", evaluation).function
    )
    states = game.buffer(2)
    states[0] = state.array[0]
    actions = state.legal_actions()
    values = np.empty(len(actions))
    compiled.weigh(states, actions, values, np.empty(game.seats))
    best = np.flatnonzero(values == values.max())
    chosen = int(rng.choice(best)) if ties == "random" else int(best[0])
    ones = np.ones(len(actions), dtype=np.int64)
    return SearchResult(int(actions[chosen]), actions, values, ones, len(actions), value=float(values[chosen]), depth=1)


@kernel
def weigh(states, actions, values, shares):
    """The value of each move for the seat to move."""
    me = to_move(states[0])
    for i in range(len(actions)):
        states[1] = states[0]
        apply(states[1], actions[i])
        if to_move(states[1]) == NOBODY:
            win_shares(states[1], np.int64(len(shares)), shares)
            values[i] = 2.0 * shares[me] - 1.0
        else:
            values[i] = evaluate(states[1], me)
