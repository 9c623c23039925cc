"""Speed of the adapters: decisions of random games a second of processor time, as a learner's loop asks for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from meeple.core.game import Game

SLICES = 5
SLICE_SECONDS = 0.5


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row, the median over some slices: `zoo-steps`, `gym-steps` (against random) and `spiel-steps`."""
    once = WORKS[work](game)
    once(0)
    speeds, number = [], 0
    for _ in range(SLICES):
        began, steps = time.process_time(), 0
        while time.process_time() - began < SLICE_SECONDS:
            number += 1
            steps += once(number)
        speeds.append(steps / (time.process_time() - began))
    return {"game": game.spec, "work": work, "per_second": round(median(speeds)), "unit": "steps"}


def _zoo(game: Game) -> Callable[[int], int]:
    from meeple.adapters.pettingzoo import env

    table = env(game)

    def once(seed: int) -> int:
        table.reset(seed=seed)
        steps = 0
        for agent in table.agent_iter():
            seen, _, is_over, _, _ = table.last()
            table.step(None if is_over else table.action_space(agent).sample(seen["action_mask"]))
            steps += not is_over
        return steps

    return once


def _gym(game: Game) -> Callable[[int], int]:
    from meeple.adapters.gymnasium import SeatEnv

    table = SeatEnv(game)

    def once(seed: int) -> int:
        seen, _ = table.reset(seed=seed)
        steps, is_over = 0, False
        while not is_over:
            seen, _, is_over, _, _ = table.step(table.action_space.sample(seen["action_mask"]))
            steps += 1
        return steps

    return once


def _spiel(game: Game) -> Callable[[int], int]:
    from meeple.adapters.openspiel import load_game

    found = load_game(str(game.origin))

    def once(seed: int) -> int:
        rng, state, steps = np.random.default_rng(seed), found.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                codes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(codes, p=chances)))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
                steps += 1
        return steps

    return once


WORKS: dict[str, Callable[[Game], Callable[[int], int]]] = {"zoo-steps": _zoo, "gym-steps": _gym, "spiel-steps": _spiel}
