"""Speed of the searches, one core, compiled and warm."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

from meeple.core.benchmark import SLICES, bench_state
from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.heuristics import first_evaluation
from meeple.search import alphabeta, expectimax, greedy, mcts


def applies(game: Game, work: str) -> bool:
    """Whether a kind of work is measured for this game: expectimax where the game offers beliefs."""
    return not work.startswith("expectimax") or hasattr(game.definition.rules, "suppose")


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row, the median over some slices: plain alpha-beta, UCT with uniform playouts, or expectimax."""
    unit, run = WORKS[work]
    return {"game": game.spec, "work": work, "per_second": round(median(run(game))), "unit": unit}


def _alphabeta(game: Game) -> list[float]:
    """Nodes a second from the game's bench position, with no table and no order."""
    state = bench_state(game).settled()
    config = alphabeta.AlphaBetaConfig(nodes=1_500_000, plain=True, evaluation=first_evaluation(game))
    alphabeta.search(state, config=replace(config, depth=1, nodes=0))
    found = [alphabeta.search(state, config=config) for _ in range(SLICES)]
    return [one.work / one.seconds for one in found]


def _mcts(game: Game) -> list[float]:
    """Iterations a second from the game's bench position, with uniform playouts."""
    state = bench_state(game).settled()
    config = mcts.MctsConfig(iterations=20_000, fresh_worlds=game.facts.hidden, solve=False)
    mcts.search(state, config=replace(config, iterations=1), rng=Stream(1))
    found = [mcts.search(state, config=config, rng=Stream(number)) for number in range(SLICES)]
    return [one.work / one.seconds for one in found]


def _expectimax(game: Game, depth: int) -> list[float]:
    """Moves a second over a whole match: all moves looked at, rivals that play their own best."""
    states = _decisions(game)
    config = expectimax.ExpectimaxConfig(depth=depth, rivals="own", evaluation=first_evaluation(game))
    expectimax.search(states[-1], config=config, rng=Stream(1))
    speeds = []
    for _ in range(SLICES):
        began = time.perf_counter()
        for state in states:
            expectimax.search(state, config=config, rng=Stream(1))
        speeds.append(len(states) / (time.perf_counter() - began))
    return speeds


def _decisions(game: Game) -> list[State]:
    """The states of one match in which there was something to decide, played by the game's first evaluation."""
    state, found = game.new(seed=1).settled(), []
    while not state.is_over:
        found.append(state)
        config = greedy.GreedySettings(evaluation=first_evaluation(game), ties="first")
        move = greedy.search(state, config=config, rng=Stream(1)).action
        state = state.after(move).settled()
    return found


WORKS: dict[str, tuple[str, Callable[[Game], list[float]]]] = {
    "alphabeta-nodes": ("nodes", _alphabeta),
    "mcts-iterations": ("iterations", _mcts),
    "expectimax-2-ply": ("moves", partial(_expectimax, depth=2)),
    "expectimax-3-ply": ("moves", partial(_expectimax, depth=3)),
}
