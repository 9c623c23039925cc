"""Speed of many games at once, as Python sees them (`Game.batch`, `Game.collect`), on all cores, compiled and warm."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from meeple.core.game import Game

SLICES = 5
SLICE_SECONDS = 0.25
PLACES = 16_384
STEPS = 64  # that each place makes at random in one call


def measure(game: Game, work: str) -> dict[str, Any]:
    """One row, the median over some slices of time.

    `batch-random`: moves drawn inside. `batch-given`: moves chosen outside by NumPy from the lists that come out before
    each step. `collect-rows`: decisions of whole random games, kept with their states.
    """
    unit, run = WORKS[work]
    once = run(game)
    once()
    speeds = []
    for _ in range(SLICES):
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < SLICE_SECONDS:
            done += once()
        speeds.append(done / (time.perf_counter() - began))
    return {"game": game.spec, "work": work, "per_second": round(median(speeds)), "unit": unit}


def _random(game: Game) -> Callable[[], int]:
    batch = game.batch(PLACES)

    def once() -> int:
        batch.step_randomly(STEPS)
        return PLACES * STEPS

    return once


def _given(game: Game) -> Callable[[], int]:
    batch, rng = game.batch(PLACES), np.random.default_rng(1)
    batch.step_randomly(STEPS)  # so that the places are not all at the beginning

    def once() -> int:
        batch.step(batch.legal_actions().sample(rng))
        return PLACES

    return once


def _collected(game: Game) -> Callable[[], int]:
    return lambda: len(game.collect(2_000))


WORKS: dict[str, tuple[str, Callable[[Game], Callable[[], int]]]] = {
    "batch-random": ("moves", _random),
    "batch-given": ("moves", _given),
    "collect-rows": ("rows", _collected),
}
