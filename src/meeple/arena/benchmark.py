"""Speed of the arena: what the engine costs beside its agents, and how many games a second are played and stored."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from meeple.agents.base import Turn
from meeple.agents.registry import load_agent
from meeple.agents.simple import First
from meeple.arena.engine import play_game
from meeple.arena.inside import insider_for
from meeple.arena.openings import random_opening
from meeple.arena.store import Store
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.core.game import Game

WORKS = ("runner-moves", "stored-games", "inside-moves")
SLICES = 5
STORED_GAMES = 6_000
WORKERS = 2


class Timed(First):
    """`first`, with its own time added up."""

    seconds = 0.0

    def choose(self, turn: Turn) -> int:
        """The first move on offer."""
        began = time.perf_counter()
        action = super().choose(turn)
        self.seconds += time.perf_counter() - began
        return action


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row.

    `runner-moves`: moves a second of the engine alone where agents are asked, their own time taken off.
    `stored-games`: random against random by two workers, every record stored. `inside-moves`: the same without
    records, in one process.
    """
    measures = {"runner-moves": _runner, "stored-games": _stored, "inside-moves": _inside}
    unit = work.partition("-")[2]
    return {"game": game.spec, "work": work, "per_second": round(measures[work](game)), "unit": unit}


def _runner(game: Game) -> float:
    starts = [random_opening(game, seed) for seed in range(100)]
    agents = [Timed() for _ in range(game.seats)]
    play_game(game, agents, seed=0, start=starts[0], steps=False)
    speeds = []
    for _ in range(SLICES):
        for agent in agents:
            agent.seconds = 0.0
        began, moves = time.perf_counter(), 0
        for seed, start in enumerate(starts):
            moves += play_game(game, agents, seed=seed, start=start, steps=False).plies
        speeds.append(moves / (time.perf_counter() - began - sum(agent.seconds for agent in agents)))
    return median(speeds)


def _stored(game: Game) -> float:
    """Games a second once the workers play: from the first games that come back to the last."""
    tournament = prepare_tournament(game, ["random"] * game.seats, games=STORED_GAMES)
    moments: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite"
        with Store.open(path, tournament.configuration()) as store:
            play_tournament(
                tournament,
                store,
                workers=WORKERS,
                on_games=lambda ledger, games: moments.append((time.perf_counter(), len(games))),
            )
    seconds = moments[-1][0] - moments[0][0]
    return sum(count for _, count in moments[1:]) / seconds


def _inside(game: Game) -> float:
    agents = [load_agent("random", game)]
    insider = insider_for(game, agents)
    assert insider is not None
    openings = 0 if game.facts.chance else game.facts.opening
    orders = [[0] * game.seats] * 10_000
    insider.play([0], orders[:1], openings=openings, keeps="results")
    speeds = []
    for number in range(SLICES):
        seeds = range(number * 10_000, (number + 1) * 10_000)
        began = time.perf_counter()
        batch = insider.play(seeds, orders, openings=openings, keeps="results")
        speeds.append(int(batch.plies.sum()) / (time.perf_counter() - began))
    return median(speeds)
