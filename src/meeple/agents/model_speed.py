"""Speed of models: whole evaluations, alpha-beta's nodes and PUCT's leaves, one core, compiled and warm.

By a network of 64 hidden numbers over the game's first sparse features, with random weights: speed does not depend on
them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from meeple.core.benchmark import SLICES, bench_state
from meeple.core.chance import Stream
from meeple.core.features import feature_sets
from meeple.core.game import Game, State
from meeple.core.heuristics import Heuristic
from meeple.models.evaluation import as_evaluation
from meeple.models.model import network
from meeple.search import alphabeta, mcts
from meeple.search.tree.settings import MctsConfig

HIDDEN = 64
ASKED = 200_000  # evaluations a slice
PLAYED = 40  # positions of random matches
ITERATIONS = 4_000


def applies(game: Game, work: str) -> bool:
    """Whether a kind of work is measured for this game: it has sparse features, and alpha-beta plays it as it is."""
    if work not in WORKS:
        return True
    has_sparse = any(found.kind == "sparse" for found in feature_sets(game).values())
    return has_sparse and (work != "model-nodes" or not (game.facts.chance or game.facts.hidden))


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row, the median over some slices."""
    unit, run = WORKS[work]
    return {"game": game.spec, "work": work, "per_second": round(median(run(game))), "unit": unit}


def random_evaluation(game: Game, hidden: int = HIDDEN) -> Heuristic:
    """A network over the game's first sparse features, its weights drawn by lot."""
    name, found = next((name, found) for name, found in feature_sets(game).items() if found.kind == "sparse")
    rng = np.random.default_rng(1)
    layers = [
        (rng.normal(0, 0.1, (found.size, hidden)), rng.normal(0, 0.1, hidden)),
        (rng.normal(0, 0.3, (hidden, 1)), np.zeros(1)),
    ]
    return as_evaluation(game, network(game, name, layers))


def _evaluations(game: Game) -> list[float]:
    """Whole evaluations a second, at positions of random matches."""
    evaluation = random_evaluation(game)
    compiled = game.specialise("meeple.models.repeat", evaluate=evaluation.function)
    states, given = game.buffer(PLAYED), evaluation.given()
    for number, state in enumerate(_positions(game)):
        states[number] = state.array[0]
    compiled.ask_many(states, 1, given)
    speeds = []
    for _ in range(SLICES):
        began = time.perf_counter()
        compiled.ask_many(states, ASKED, given)
        speeds.append(ASKED / (time.perf_counter() - began))
    return speeds


def _nodes(game: Game) -> list[float]:
    """Nodes a second of alpha-beta as it plays, from the game's bench position."""
    state, evaluation = bench_state(game).settled(), random_evaluation(game)
    config = alphabeta.AlphaBetaConfig(nodes=1_500_000, evaluation=evaluation)  # type: ignore[arg-type]
    alphabeta.search(state, config=replace(config, depth=1))
    found = [alphabeta.search(state, config=config) for _ in range(SLICES)]
    return [one.work / one.seconds for one in found]


def _leaves(game: Game) -> list[float]:
    """Leaves a second of PUCT, over positions of random matches."""
    config = MctsConfig(
        is_puct=True,
        evaluation=random_evaluation(game),  # type: ignore[arg-type]
        iterations=ITERATIONS,
        c=1.0,
        fresh_worlds=game.facts.hidden,
        solve=False,
    )
    states = _positions(game)[:: PLAYED // SLICES][:SLICES]
    mcts.search(states[0], config=replace(config, iterations=2), rng=Stream(1))
    found = [mcts.search(state, config=config, rng=Stream(1)) for state in states]
    return [one.work / one.seconds for one in found]


def _positions(game: Game) -> list[State]:
    """Decisions of random matches."""
    rng, found, seed = Stream(1), list[State](), 0
    while len(found) < PLAYED:
        seed += 1
        state = game.new(seed=seed).settled()
        while not state.is_over and len(found) < PLAYED:
            if rng.below(4) == 0:
                found.append(state)
            state = state.after(int(rng.choice(state.legal_actions()))).settled()
    return found


WORKS: dict[str, tuple[str, Callable[[Game], list[float]]]] = {
    "model-evaluations": ("evaluations", _evaluations),
    "model-nodes": ("nodes", _nodes),
    "puct-leaves": ("leaves", _leaves),
}
