"""Greedy: the move after which the evaluation is best, one ply and no more.

A finished game counts its returns. Chance is not expanded and no answer is looked at; the evaluation is asked
right after the move, in the world that the agent was handed, or in several worlds, whose mean counts. Instead of an
evaluation it may follow a bias of the game's, which weighs a move before it is made: no expected returns, so the result
has no values then, and keeps the bias apart as preferences. Among equals the choice is drawn by lot, or the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from meeple.core.chance import Stream
from meeple.core.contract import NOBODY, apply, to_move, win_shares
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_bias, no_evaluation
from meeple.core.kernel import kernel
from meeple.core.settings import setting
from meeple.search.control import Clock
from meeple.search.result import SearchResult, errors_of
from meeple.search.strata import Weights, deal_one

evaluate, bias = no_evaluation, no_bias  # bound by `search`
USES_BIAS = False


@dataclass(kw_only=True)
class GreedySettings:
    """What a user can tell the search: the settings of the agent `greedy`.

    From Python a heuristic is also given as an object, `Heuristic`, in the place of its name.
    """

    evaluation: str = setting("default", "the game's evaluation", of="EVALUATIONS")
    bias: str = setting("none", "the game's bias towards moves, in place of the evaluation", of="BIASES")
    worlds: int = setting(0, "worlds over which the mean is taken; 0: the one it is handed", least=0, most_on_page=200)
    belief: str = setting(
        "none",
        "the game's inference from the match so far, which weighs classes of worlds",
        of="INFERENCES",
        besides=("none",),
    )
    ties: str = setting("random", "which of equal moves", choices=("random", "first"))


def search(
    state: State,
    *,
    config: GreedySettings,
    rng: Stream,
    weights: Weights | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """The best move by the evaluation, or by a bias.

    With `worlds` it is the best on average over so many, dealt for the seat to move by the `weights` of their classes,
    which the caller has by `config.belief`; stopped early, over those dealt by then.
    """
    clock = Clock()
    game, worlds = state.game, config.worlds
    evaluated = find_heuristic(game, "EVALUATIONS", config.evaluation)
    favoured = find_heuristic(game, "BIASES", config.bias)
    is_biased = config.bias != "none"
    compiled = game.specialise(
        "meeple.search.greedy", evaluate=evaluated.function, bias=favoured.function, USES_BIAS=is_biased
    )
    given = (evaluated.given(), favoured.given())
    states = game.buffer(2)
    actions = state.legal_actions()
    values, shares = np.empty(len(actions)), np.empty(game.seats)
    sums, squares, n_worlds = np.zeros(len(actions)), np.zeros(len(actions)), 0
    weights = weights or state.strata(state.to_move)
    for number in range(max(1, worlds)):
        world = deal_one(state, weights, number, worlds, rng) if worlds else state
        states[0] = world.array[0]
        compiled.weigh(states, actions, values, shares, *given)
        sums += values
        squares += values * values
        n_worlds += 1
        if should_stop():
            break
    means, tried = sums / n_worlds, np.full(len(actions), n_worlds, dtype=np.int64)
    best = np.flatnonzero(means == means.max())
    return SearchResult.of(
        int(rng.choice(best)) if config.ties == "random" else int(best[0]),
        actions,
        np.full(len(actions), np.nan) if is_biased else means,
        tried,
        work=n_worlds * len(actions),
        seconds=clock.spent(),
        errors=None if is_biased else errors_of(tried, sums, squares),
        depth=1,
        preferences=means if is_biased else None,
    )


@kernel
def weigh(states, actions, values, shares, given, given_bias):
    """The value of each move for the seat to move; `given` are the parameters of the evaluation, if it takes any."""
    me = to_move(states[0])
    for i in range(len(actions)):
        if USES_BIAS:
            values[i] = bias(states[0], actions[i], *given_bias)
            continue
        states[1] = states[0]
        apply(states[1], actions[i])
        if to_move(states[1]) == NOBODY:
            win_shares(states[1], len(shares), shares)
            values[i] = 2.0 * shares[me] - 1.0
        else:
            values[i] = evaluate(states[1], me, *given)
