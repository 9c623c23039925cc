"""Max-n: three or more seats, each for itself.

    value(s) = the vector of returns after the move that is best for the seat to move

No pruning (there is little to gain without bounds on the sum), so it looks less deep than paranoid
alpha-beta, which assumes that all others are against one. Among equals the first move in the list is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np

from meeple.core.chance import Stream
from meeple.core.contract import NOBODY, apply, legal_actions, round_index, settle, to_move, win_shares
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_evaluation, no_filter
from meeple.core.kernel import kernel
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.alphabeta_kernels import MAX_PLY
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, STOP, Clock, Stopper
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds

evaluate, keep = no_evaluation, no_filter  # bound by `search`


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
    game, seat = state.game, state.to_move
    kept = find_heuristic(game, "FILTERS", config.filter)
    evaluation = find_heuristic(game, "EVALUATIONS", config.evaluation)
    compiled: ModuleType = game.specialise("meeple.search.maxn", evaluate=evaluation.function, keep=kept.function)
    given = evaluation.given()
    dealt = [state.redealt(seat, rng) for _ in range(config.worlds)] or [state]
    states = game.buffer(MAX_PLY + 2)
    lists = np.empty((MAX_PLY + 2, int(game.definition.rules.MAX_ACTIONS)), dtype=np.int64)
    vectors = np.zeros((MAX_PLY + 2, game.seats))
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    actions, depth = kept_actions(state, config.filter), 0
    found = np.zeros((0, len(actions)))  # a row a world
    last = state.round_index if config.horizon == "round" else 2**62
    with Stopper(control, clock, should_stop) as stopper:
        for plies in range(1, (config.depth or MAX_PLY) + 1):
            values = np.zeros((len(dealt), len(actions)))
            for world, row in zip(dealt, values, strict=True):
                states[0] = world.array[0]
                rest = (plies, last, control, lists, vectors, actions, row, seat, given)
                stopper.run(compiled.search_root, (states, *rest))
                if control[ABORTED]:
                    break
            if control[ABORTED]:
                break
            found, depth = values, plies
    means = found.mean(axis=0) if len(found) else np.zeros(len(actions))
    return SearchResult.of(
        int(np.argmax(means)),
        actions,
        means,
        np.full(len(actions), len(found), dtype=np.int64),
        work=int(control[NODES]),
        seconds=clock.spent(),
        errors=errors_over_worlds(found),
        depth=depth,
    )


@kernel
def search_root(states, depth, last_round, control, lists, vectors, actions, values, me, given):
    """The value of each root move for the seat to move."""
    for i in range(len(actions)):
        states[1] = states[0]
        apply(states[1], actions[i])
        explore(states, np.int64(1), depth - 1, last_round, control, lists, vectors, given)
        values[i] = vectors[1, me]


@kernel
def explore(states, ply, depth, last_round, control, lists, vectors, given):
    """Write the returns of all seats, expected at states[ply], into vectors[ply]."""
    control[NODES] += 1
    if control[NODES] > control[LIMIT] or control[STOP] != 0:
        control[ABORTED] = 1
        return
    settle(states[ply])
    mover = to_move(states[ply])
    seats = vectors.shape[1]
    if mover == NOBODY:
        win_shares(states[ply], np.int64(seats), vectors[ply])
        for seat in range(seats):
            vectors[ply, seat] = 2.0 * vectors[ply, seat] - 1.0
        return
    if depth == 0 or ply >= MAX_PLY or round_index(states[ply]) > last_round:
        for seat in range(seats):
            vectors[ply, seat] = evaluate(states[ply], np.int64(seat), *given)
        return
    n = keep(states[ply], lists[ply], legal_actions(states[ply], lists[ply]))
    best = -1e9
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], lists[ply, i])
        explore(states, ply + 1, depth - 1, last_round, control, lists, vectors, given)
        if control[ABORTED] != 0:
            return
        if vectors[ply + 1, mover] > best:
            best = vectors[ply + 1, mover]
            vectors[ply] = vectors[ply + 1]
