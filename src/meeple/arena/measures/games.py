"""What whole games are like: how long, how often drawn, which seat they favour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from meeple.arena.measures.figures import Figure, figure, interval_over_sets
from meeple.arena.measures.sample import Sample
from meeple.arena.measures.trace import Trace
from meeple.arena.statistics import score_interval


def over_games(sample: Sample, measure: str, value: Callable[[Trace], float]) -> list[Figure]:
    """The mean over games of a number of any scale; the trials are sets, whose games share their luck.

    Games whose value is NaN, which have none, are left out.
    """
    values = np.array([value(trace) for trace in sample.traces], dtype=np.float64)
    counts = np.isfinite(values)
    if not counts.any():
        return []
    own, sets = values[counts], sample.set_of[counts]
    found = interval_over_sets(own, sets)
    return [figure(measure, found, len(own), least=float(own.min()), most=float(own.max()))]


def set_means(sample: Sample, values: Sequence[float]) -> list[float]:
    """The mean of each set over its games of a value that every game has."""
    totals = np.bincount(sample.set_of, weights=values, minlength=sample.n_sets)
    return [float(mean) for mean in totals / np.bincount(sample.set_of, minlength=sample.n_sets)]


def length(sample: Sample) -> list[Figure]:
    """Moves a game, those of setup included; and chance events a game, where there are any."""
    found = over_games(sample, "length", lambda trace: len(trace.walk.seat))
    if sample.game.facts.chance:
        found += over_games(sample, "chance events", lambda trace: trace.walk.n_outcomes)
    if sample.has_rounds:
        found += over_games(sample, "rounds", lambda trace: int(trace.walk.round[-1]) + 1)
    return found


def draws(sample: Sample) -> list[Figure]:
    """The share of games in which nobody had the whole victory; none of a game for one."""
    if sample.game.seats == 1 or not sample.traces:
        return []
    values = [float(max(trace.shares) < 1) for trace in sample.traces]
    return [figure("draws", score_interval(set_means(sample, values)), len(values))]


def seat_shares(sample: Sample) -> list[Figure]:
    """The share of the victory that each seat had, whoever sat there.

    With all exchanges of seats every agent sits everywhere equally often, so that what is left is the seat's. The trial
    is the set: a mean over its games.
    """
    found = []
    for seat in range(sample.game.seats if sample.traces else 0):
        values = [trace.shares[seat] for trace in sample.traces]
        interval = score_interval(set_means(sample, values))
        found.append(figure("seat share", interval, len(values), seat=seat + 1))
    return found
