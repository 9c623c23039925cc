"""Max-n: three or more seats, each for itself.

    value(s) = the vector of returns after the move that is best for the seat to move

No pruning (there is little to gain without bounds on the sum), so it looks less deep than paranoid
alpha-beta, which assumes that all others are against one. Among equals the first move in the list is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.heuristics import find_heuristic
from meeple.search.alphabeta import NO_ROUND, AlphaBetaConfig
from meeple.search.alphabeta_kernels import MAX_PLY
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, Clock, Stopper
from meeple.search.maxn_kernels import Scratch
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds


def search(
    state: State,
    *,
    config: AlphaBetaConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """The best move by iterative deepening; stopped early, that of the last depth that was finished.

    With `config.worlds` the mean over so many worlds dealt anew, each with its own fate.
    """
    clock = Clock(config.time, config.cpu)
    compiled, scratch = compile_for(state.game, config), new_scratch(state, config)
    worlds = [state.redealt(state.to_move, rng) for _ in range(config.worlds)] or [state]
    actions, depth = kept_actions(state, config.filter), 0
    found = np.zeros((0, len(actions)))  # a row a world
    with Stopper(scratch.control, clock, should_stop) as stopper:
        for plies in range(1, (config.depth or MAX_PLY) + 1):
            values = _search_all(compiled, scratch, worlds, actions, plies, stopper)
            if scratch.control[ABORTED]:
                break
            found, depth = values, plies
    means = found.mean(axis=0) if len(found) else np.zeros(len(actions))
    return SearchResult.of(
        int(np.argmax(means)),
        actions,
        means,
        np.full(len(actions), len(found), dtype=np.int64),
        work=int(scratch.control[NODES]),
        seconds=clock.spent(),
        errors=errors_over_worlds(found),
        depth=depth,
    )


def _search_all(
    compiled: ModuleType,
    scratch: Scratch,
    worlds: list[State],
    actions: NDArray[np.int64],
    depth: int,
    stopper: Stopper,
) -> NDArray[np.float64]:
    """The value of each root move in each world, [world, move]; to be thrown away where the search was stopped."""
    values = np.zeros((len(worlds), len(actions)))
    for world, row in zip(worlds, values, strict=True):
        scratch.states[0] = world.array[0]
        stopper.run(compiled.search_root, (scratch, depth, actions, row))
        if scratch.control[ABORTED]:
            break
    return values


def new_scratch(root: State, config: AlphaBetaConfig) -> Scratch:
    """The memory of a search from `root`."""
    game = root.game
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    return Scratch(
        states=game.buffer(MAX_PLY + 2),
        lists=np.empty((MAX_PLY + 2, int(game.definition.rules.MAX_ACTIONS)), dtype=np.int64),
        vectors=np.zeros((MAX_PLY + 2, game.seats)),
        control=control,
        last_round=root.round_index if config.horizon == "round" else NO_ROUND,
        given=find_heuristic(game, "EVALUATIONS", config.evaluation).given(),
    )


def compile_for(game: Game, config: AlphaBetaConfig) -> ModuleType:
    """The kernels compiled for a game with the chosen heuristics."""
    return game.specialise(
        "meeple.search.maxn_kernels",
        evaluate=find_heuristic(game, "EVALUATIONS", config.evaluation).function,
        keep=find_heuristic(game, "FILTERS", config.filter).function,
    )
