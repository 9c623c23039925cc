"""Speed of a game's rules, one core, compiled and warm; and a number that says whether play has changed."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

from meeple.core.chance import rng_for
from meeple.core.count import count_leaves
from meeple.core.game import Game, State
from meeple.core.heuristics import find_heuristic

# work: unit, and the function of meeple.core.playout that does it
WORKS = {
    "playout-moves": ("moves", "play_many"),
    "playout-games": ("games", "duel_many"),
    "playout-games-uniform": ("games", "play_many"),
    "contract-moves": ("moves", "contract_many"),
}
SLICES = 7
SLICE_SECONDS = 0.25


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row: the median over some slices of time.

    `playout-moves` and `contract-moves` start from the position that the game names for it; `playout-games`
    from the beginning. In a game that names a `bench_policy` every second seat plays `playout-games` by it, and
    `playout-games-uniform` has all seats at random; in others the two are the same and the latter is not measured.
    """
    unit, function = WORKS[work]
    start = game.new(seed=1) if unit == "games" else bench_state(game)
    run = _runner(start, function if game.definition.bench_policy else function.replace("duel", "play"))
    run(1)
    games = 100
    while _timed(run, games)[0] < SLICE_SECONDS / 4:
        games *= 2
    games *= 4
    speeds = []
    for _ in range(SLICES):
        seconds, moves = _timed(run, games)
        speeds.append((games if unit == "games" else moves) / seconds)
    return {"game": game.spec, "work": work, "per_second": round(median(speeds)), "unit": unit}


def applies(game: Game, work: str) -> bool:
    """Whether a kind of work is a row of its own for this game."""
    return work != "playout-games-uniform" or bool(game.definition.bench_policy)


def bench_state(game: Game) -> State:
    """Where measuring starts: the position that the game's definition names, or the first."""
    return game.read(game.definition.bench) if game.definition.bench else game.new(seed=1)


def play_signature(games: list[Game]) -> int:
    """The work of fixed counts and fixed random games: the same number as long as play is the same."""
    total = 0
    for game in games:
        total += count_leaves(bench_state(game), 3)
        for state in (game.new(seed=1), bench_state(game)):
            total += _runner(state, "play_many")(500) + _runner(state, "contract_many")(500)
    return total


def _runner(start: State, function: str) -> Any:
    game = start.game
    name = game.definition.bench_policy
    policy = find_heuristic(game, "PLAYOUTS", name) if name and function == "duel_many" else None
    bound = {"policy": policy.function} if policy else {}
    given = (policy.given(),) if policy else ()
    kernel = getattr(game.specialise("meeple.core.playout", **bound), function)
    states = game.buffer(2)
    states[0] = start.array[0]
    rng = rng_for("bench", seed=1).array
    out = np.empty(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    weights = np.empty(max(1, int(game.definition.rules.OUTCOMES)), dtype=np.int64)
    return lambda games: int(kernel(states, games, rng, out, weights, *given))


def _timed(run: Any, games: int) -> tuple[float, int]:
    began = time.perf_counter()
    moves = run(games)
    return time.perf_counter() - began, moves
