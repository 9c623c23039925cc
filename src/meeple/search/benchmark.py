"""Speed of the searches, one core, compiled and warm."""

from __future__ import annotations

from statistics import median
from typing import Any

from meeple.core.benchmark import SLICES, bench_state
from meeple.core.chance import Stream
from meeple.core.game import Game
from meeple.search import alphabeta, mcts

WORKS = ("alphabeta-nodes", "mcts-iterations")


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row: plain alpha-beta (no table, no order), or UCT with uniform playouts, from the game's bench position."""
    state = bench_state(game).settled()
    speeds = []
    if work == "alphabeta-nodes":
        config = alphabeta.AlphaBetaConfig(nodes=1_500_000, plain=True)
        alphabeta.search(state, config=alphabeta.AlphaBetaConfig(depth=1, plain=True))
        for _ in range(SLICES):
            plain = alphabeta.search(state, config=config)
            speeds.append(plain.work / plain.seconds)
        return {"game": game.spec, "work": work, "per_second": round(median(speeds)), "unit": "nodes"}
    settings = mcts.MctsConfig(iterations=20_000, fresh_worlds=game.facts.hidden, solve=False)
    mcts.search(state, config=mcts.MctsConfig(iterations=1, fresh_worlds=game.facts.hidden, solve=False), rng=Stream(1))
    for number in range(SLICES):
        found = mcts.search(state, config=settings, rng=Stream(number))
        speeds.append(found.work / found.seconds)
    return {"game": game.spec, "work": work, "per_second": round(median(speeds)), "unit": "iterations"}
