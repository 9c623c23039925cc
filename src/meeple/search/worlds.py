"""Alpha-beta over worlds: the papers' way to think about dice and hidden cards with a search that knows neither.

    value(move) = mean over N worlds of alpha-beta's value of the move in that world

A world is dealt anew for the searching seat, fate included, so that chance in it follows that fate. Every
root move gets an exact value in every world, since bounds do not add up; with `exact=False` they are added up all the
same, as the Sagrada thesis does, which is many times faster. A single world is searched plainly. Known weakness
(strategy fusion): in each world the search believes that it knows the world.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.hashing import words_of
from meeple.search import alphabeta
from meeple.search.alphabeta import MAX_PLY, PROOF, QUIET_PLIES, AlphaBetaConfig, Run
from meeple.search.control import ABORTED, NODES, Stopper
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult


def search(
    state: State,
    *,
    worlds: int,
    config: AlphaBetaConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """The best move on average over `worlds` worlds; deepened as long as all worlds are finished within the limits."""
    began = time.perf_counter()
    if worlds == 1:
        # Nothing is added up, so bounds will do: the plain search, which needs far fewer nodes.
        tell = None if on_progress is None else lambda found: on_progress(_in_one_world(found))
        world = state.redealt(state.to_move, rng)
        return _in_one_world(alphabeta.search(world, config=config, should_stop=should_stop, on_progress=tell))
    actions = kept_actions(state, config.filter)
    if len(actions) == 1:
        worlds, config = 1, replace(config, depth=1)  # nothing to think about
    seat, run = state.to_move, Run(state, config)
    dealt = state.game.buffer(worlds)
    for number in range(worlds):
        dealt[number] = state.redealt(seat, rng).array[0]
    control = run.control
    means = np.zeros(len(actions))
    reached = 0
    with Stopper(control, config.seconds, should_stop) as stopper:
        # A fixed depth is searched at once; under a limit of time, or without a depth, the depth grows.
        deepest = config.depth or MAX_PLY - QUIET_PLIES - 1
        for depth in range(1 if config.seconds or not config.depth else deepest, deepest + 1):
            values = _values(run, dealt, actions, depth, stopper)
            if len(values) and (len(values) == worlds or reached == 0):
                means, reached = np.mean(values, axis=0), depth
                if on_progress:
                    on_progress(_result(actions, means, worlds, control, reached, began))
            if control[ABORTED]:
                break
    return _result(actions, means, worlds, control, reached, began)


def _result(
    actions: NDArray[np.int64],
    means: NDArray[np.float64],
    worlds: int,
    control: NDArray[np.int64],
    depth: int,
    began: float,
) -> SearchResult:
    best = int(np.argmax(means))
    return SearchResult(
        int(actions[best]),
        actions,
        means,
        np.full(len(actions), worlds, dtype=np.int64),
        int(control[NODES]),
        value=float(means[best]),
        depth=depth,
        seconds=time.perf_counter() - began,
    )


def _values(
    run: Run, dealt: NDArray[Any], actions: NDArray[np.int64], depth: int, stopper: Stopper
) -> NDArray[np.float64]:
    """The value of each root move, a row for each world that was finished."""
    ranked = np.zeros(len(actions), dtype=np.int64)
    run.compiled.rank_moves(run.states, actions, ranked)
    order = np.argsort(-ranked, kind="stable")
    values = np.zeros((len(dealt), len(actions)))
    last = run.root.round_index if run.config.horizon == "round" else 2**62
    arrays = (run.table, run.lists, run.scores, run.killers, run.history)
    done = stopper.run(
        run.compiled.search_worlds,
        (dealt, run.states, words_of(run.states), depth, run.root.to_move, last, run.control, *arrays),
        (actions, order, values, run.game.seats, run.config.exact),
    )
    return _tempered(values[:done])


def _in_one_world(found: SearchResult) -> SearchResult:
    """A result of the plain search, without its proofs."""
    return replace(found, values=_tempered(found.values), value=float(_tempered(np.array([found.value]))[0]))


def _tempered(values: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """What is proven in one world is not proven: a win there counts 1 and a loss -1, nearer ones a little more."""
    proven = np.abs(values) > PROOF
    return np.where(proven, np.sign(values) * (1 + (np.abs(values) - 10) * 0.01), values)
