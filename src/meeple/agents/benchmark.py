"""Speed of the papers' agents: moves a second over whole games against themselves, one core, compiled and warm."""

from __future__ import annotations

import time
from typing import Any

from meeple.agents.base import ask
from meeple.agents.registry import load_agent, presets_of
from meeple.core.game import Game
from meeple.core.match import Match

WORKS = ("paper-mcts", "paper-minimax", "brief-minimax")
SECONDS = 3.0  # whole games are played until so much CPU time is spent
FEWEST_GAMES = 3


def applies(game: Game, work: str) -> bool:
    """Whether a kind of work is a row of this game: it has a preset of that name."""
    return work not in WORKS or work in presets_of(game)


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row, by CPU time: moves a second, and the milliseconds of a move, in all and in the first round.

    Moves without a choice count too: over a game they are asked for like all others.
    """
    agent = load_agent(work, game)
    ask(agent, Match(game, seed=0))
    spent: list[float] = []
    in_first: list[float] = []
    seed = 0
    while seed < FEWEST_GAMES or sum(spent) < SECONDS:
        match = Match(game, seed=seed)
        while not match.is_over:
            is_first = match.state.round_index == 0
            began = time.process_time()
            action = ask(agent, match)
            spent.append(time.process_time() - began)
            if is_first:
                in_first.append(spent[-1])
            match.play(action)
        seed += 1
    return {
        "game": game.spec,
        "work": work,
        "per_second": round(len(spent) / sum(spent)),
        "unit": "moves",
        "ms": round(1000 * sum(spent) / len(spent), 2),
        "ms_first_round": round(1000 * sum(in_first) / len(in_first), 2),
    }
