"""Max-n: three or more seats, each for itself.

    value(s) = the vector of returns after the move that is best for the seat to move

No pruning (there is little to gain without bounds on the sum), so it looks less deep than paranoid
alpha-beta, which assumes that all others are against one. Among equals the first move in the list is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.contract import NOBODY, apply, legal_actions, round_index, settle, to_move, win_shares
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_evaluation, no_filter
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.alphabeta import NO_ROUND, AlphaBetaConfig
from meeple.search.alphabeta_kernels import MAX_PLY
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, Clock, Stopper
from meeple.search.minimax_kernels import count_node
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds

evaluate, keep = no_evaluation, no_filter  # bound by `search`


class Scratch(NamedTuple):
    """What a search works with: memory that it writes, and what stays the same throughout."""

    states: NDArray[Any]  # [ply]: the line at hand, states[0] the root
    lists: NDArray[np.int64]  # [ply, move]
    vectors: NDArray[np.float64]  # [ply, seat]: expected returns
    control: NDArray[np.int64]  # counts nodes, tells to stop (control.py)
    last_round: int  # of the booklet's: later ones lie beyond the horizon
    given: tuple[Any, ...]  # the evaluation's parameters, if it takes any


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
    dealt = [state.redealt(seat, rng) for _ in range(config.worlds)] or [state]
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    scratch = Scratch(
        states=game.buffer(MAX_PLY + 2),
        lists=np.empty((MAX_PLY + 2, int(game.definition.rules.MAX_ACTIONS)), dtype=np.int64),
        vectors=np.zeros((MAX_PLY + 2, game.seats)),
        control=control,
        last_round=state.round_index if config.horizon == "round" else NO_ROUND,
        given=evaluation.given(),
    )
    actions, depth = kept_actions(state, config.filter), 0
    found = np.zeros((0, len(actions)))  # a row a world
    with Stopper(control, clock, should_stop) as stopper:
        for plies in range(1, (config.depth or MAX_PLY) + 1):
            values = np.zeros((len(dealt), len(actions)))
            for world, row in zip(dealt, values, strict=True):
                scratch.states[0] = world.array[0]
                stopper.run(compiled.search_root, (scratch, plies, actions, row))
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
def search_root(scratch, depth, actions, values):
    """Write the value of each root move for the seat to move."""
    mover = to_move(scratch.states[0])
    for i in range(len(actions)):
        make(scratch.states, 0, actions[i])
        explore(scratch, 1, depth - 1)
        values[i] = scratch.vectors[1, mover]


@kernel
def explore(scratch, ply, depth):
    """Write the returns of all seats, expected at states[ply], into vectors[ply]."""
    states, vectors = scratch.states, scratch.vectors
    if count_node(scratch.control):
        return
    settle(states[ply])
    mover = to_move(states[ply])
    if mover == NOBODY:
        write_returns(states[ply], vectors[ply])
        return
    if depth == 0 or ply >= MAX_PLY or round_index(states[ply]) > scratch.last_round:
        for seat in range(vectors.shape[1]):
            vectors[ply, seat] = evaluate(states[ply], seat, *scratch.given)
        return
    n = keep(states[ply], scratch.lists[ply], legal_actions(states[ply], scratch.lists[ply]))
    best = -np.inf
    for i in range(n):
        make(states, ply, scratch.lists[ply, i])
        explore(scratch, ply + 1, depth - 1)
        if scratch.control[ABORTED] != 0:
            return
        if vectors[ply + 1, mover] > best:
            best = vectors[ply + 1, mover]
            for seat in range(vectors.shape[1]):
                vectors[ply, seat] = vectors[ply + 1, seat]


@kernel
def make(states, ply, action):
    """Play a move of states[ply] in states[ply + 1]."""
    states[ply + 1] = states[ply]
    apply(states[ply + 1], action)


@kernel
def write_returns(state, out):
    """The returns of all seats where the game is over."""
    win_shares(state, len(out), out)
    for seat in range(len(out)):
        out[seat] = 2.0 * out[seat] - 1.0
