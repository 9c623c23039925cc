"""Flat Monte Carlo: no tree, every legal move is tried equally often by random games.

value(move) = mean returns of the mover over the random games that begin with the move; each game is
played in a world freshly redealt for the mover, so hidden cards and dice to come are sampled, not seen.
Fits every game. Does not think about the rival's answer: a move that loses to one reply among forty looks
fine. All values are those of the mover. Among equals the least code is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.settings import setting
from meeple.search.control import Clock, wall_time
from meeple.search.flat_kernels import Scratch
from meeple.search.result import SearchResult, errors_of, in_returns

DEFAULT_PLAYOUTS = 200
FIRST_SLICE = 16  # playouts before the first look at the clock; later as many as fit SLICE_SECONDS
SLICE_SECONDS = 0.002


@dataclass(kw_only=True)
class FlatSettings:
    """What a user can tell the search: the settings of the agent `flat`. A limit of 0 is none."""

    playouts: int = setting(
        DEFAULT_PLAYOUTS, "random games for each legal move; 0: as the time allows", least=0, most_on_page=5_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)


@dataclass(kw_only=True)
class FlatConfig(FlatSettings):
    """The settings, and what only a caller in Python says."""

    deterministic: bool = False  # the deterministic version: the world at hand is the true one, and none is dealt


def search(
    state: State, *, config: FlatConfig, rng: Stream, should_stop: Callable[[], bool] = lambda: False
) -> SearchResult:
    """The best move by random games; stopped early, the best of those played."""
    clock = Clock(config.time, config.cpu)
    game = state.game
    compiled = game.specialise("meeple.search.flat_kernels", DETERMINISTIC=config.deterministic)
    actions = state.legal_actions()
    totals, squares = np.zeros(len(actions)), np.zeros(len(actions))
    scratch = Scratch(
        states=game.buffer(2),
        rng=rng.array,
        out=np.empty(game.definition.rules.MAX_ACTIONS, dtype=np.int64),
        weights=np.empty(max(1, game.definition.rules.OUTCOMES), dtype=np.int64),
        shares=np.empty(game.seats),
    )
    scratch.states[0] = state.array[0]
    played, wanted, size = 0, config.playouts * len(actions) or 2**62, FIRST_SLICE
    while played < wanted and not (played and (clock.is_over() or should_stop())):
        count = min(size, wanted - played)
        began = wall_time()
        compiled.advance(scratch, actions, played, count, totals, squares)
        played += count
        seconds = max(wall_time() - began, 1e-9)
        size = max(1, min(8 * size, int(count * SLICE_SECONDS / seconds)))
    visits = np.full(len(actions), played // len(actions), dtype=np.int64)
    visits[: played % len(actions)] += 1
    shares = np.where(visits > 0, totals / np.maximum(visits, 1), -1.0)
    return SearchResult.of(
        int(np.argmax(shares)),
        actions,
        2 * shares - 1,
        visits,
        work=played,
        seconds=clock.spent(),
        errors=errors_of(visits, *in_returns(visits, totals, squares)),
    )
