"""Alpha-beta over worlds: perfect information Monte Carlo (PIMC), or determinisation, for games with chance or secrets.

    value(move) = mean over N worlds of alpha-beta's value of the move in that world

A world is dealt anew for the searching seat, its fate too, which chance in that world follows. Every root move gets an
exact value in every world, since bounds do not add up; with `exact=False` bounds are added up all the same, as the
Sagrada thesis does, which is many times faster, and the means are marked as bounds. A single world is searched as a
game without chance is. The known weakness is strategy fusion: in each world the search believes that it knows the
world. What is proven in one world is not proven: to choose by, a win there counts 1 and a loss -1, nearer ones a little
more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.search import alphabeta
from meeple.search.alphabeta import DEEPEST, AlphaBetaConfig, Run
from meeple.search.alphabeta_kernels import PROOF, WIN
from meeple.search.control import ABORTED, NODES, Clock, Stopper
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds


def search(
    state: State,
    *,
    config: AlphaBetaConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """The best move on average over `config.worlds` worlds, at least one.

    It is deepened as long as all worlds are finished within the limits.
    """
    worlds = config.worlds
    if worlds == 1:
        # Nothing is added up, so bounds will do: the plain search, which needs far fewer nodes.
        tell = None if on_progress is None else lambda found: on_progress(_in_one_world(found))
        world = state.redealt(state.to_move, rng)
        return _in_one_world(alphabeta.search(world, config=config, should_stop=should_stop, on_progress=tell))
    clock = Clock(config.time, config.cpu)
    actions = kept_actions(state, config.filter)
    if len(actions) == 1:
        worlds, config = 1, replace(config, depth=1)  # nothing to think about
    seat, run = state.to_move, Run(state, config)
    dealt = state.game.buffer(worlds)
    for number in range(worlds):
        dealt[number] = state.redealt(seat, rng).array[0]
    found = Found(np.zeros((0, len(actions))), np.zeros((0, len(actions)), dtype=np.bool_))
    reached = 0
    with Stopper(run.control, clock, should_stop) as stopper:
        # A fixed depth is searched at once; under a limit of time, or without a depth, the depth grows.
        deepest = config.depth or DEEPEST
        is_timed = bool(config.time or config.cpu)
        for depth in range(1 if is_timed or not config.depth else deepest, deepest + 1):
            deeper = _search_all(run, dealt, actions, depth, stopper)
            if len(deeper.values) and (len(deeper.values) == worlds or reached == 0):
                found, reached = deeper, depth
                if on_progress:
                    on_progress(_result(run, actions, found, reached, clock))
            if run.control[ABORTED]:
                break
    run.close()
    return _result(run, actions, found, reached, clock)


@dataclass(frozen=True)
class Found:
    """What alpha-beta found of each root move, a row for each world that was finished."""

    values: NDArray[np.float64]  # with proofs, as alpha-beta has them
    bounds: NDArray[np.bool_]


def _result(run: Run, actions: NDArray[np.int64], found: Found, depth: int, clock: Clock) -> SearchResult:
    worlds = len(found.values)
    shown = np.clip(found.values, -1.0, 1.0)
    return SearchResult.of(
        int(np.argmax(np.mean(_tempered(found.values), axis=0))) if worlds else 0,
        actions,
        np.mean(shown, axis=0) if worlds else np.zeros(len(actions)),
        np.full(len(actions), worlds, dtype=np.int64),
        work=int(run.control[NODES]),
        seconds=clock.spent(),
        bounds=np.logical_or.reduce(found.bounds, axis=0),
        errors=errors_over_worlds(shown),
        depth=depth,
    )


def _search_all(run: Run, dealt: NDArray[Any], actions: NDArray[np.int64], depth: int, stopper: Stopper) -> Found:
    """Search each root move in each world, as far as the limits allow."""
    order = np.arange(len(actions))
    if not run.config.exact:
        # Only where a move may be cut off by those before it does their order matter.
        ranked = np.zeros(len(actions), dtype=np.int64)
        run.compiled.rank_root(run.scratch.states, actions, ranked)
        order = np.argsort(-ranked, kind="stable")
    values = np.zeros((len(dealt), len(actions)))
    bounds = np.zeros((len(dealt), len(actions)), dtype=np.bool_)
    done = stopper.run(
        run.compiled.search_worlds, (run.scratch, dealt, depth, actions, order, values, bounds, run.config.exact)
    )
    return Found(values[:done], bounds[:done])


def _in_one_world(found: SearchResult) -> SearchResult:
    """A result of the plain search, without its proofs: they hold in that world alone."""
    return replace(found, proofs=np.zeros_like(found.proofs), errors=np.full(len(found.errors), np.nan))


def _tempered(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What decides between moves: a win in one world counts 1 and a loss -1, nearer ones a little more."""
    proven = np.abs(values) > PROOF
    return np.where(proven, np.sign(values) * (1 + (np.abs(values) - WIN) * 0.01), values)
