"""How many moves are on offer, and after a filter, by ply, round, agent, seat; setup apart; and how long it took."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from meeple.arena.measures.figures import Figure, averages, figure
from meeple.arena.measures.sample import Sample
from meeple.arena.statistics import rate_interval


def branching(sample: Sample, *, by: Sequence[str] = (), setup: bool = False) -> list[Figure]:
    """The mean number of legal moves at a decision, for every group of `by`; see `averages`.

    Decisions that set the game up (`is_setup` of its rules) are left out; with `setup` they alone are measured.
    """
    is_setup = sample.decisions.is_setup
    measure = "setup branching" if setup else "branching"
    return averages(sample, measure, sample.decisions.offered, by=by, where=is_setup if setup else ~is_setup)


def filtered(sample: Sample, *, by: Sequence[str] = ()) -> list[Figure]:
    """The same after the filter of the sample's lens, at decisions of play; none where it has no filter."""
    if not sample.lens.filter:
        return []
    return averages(sample, "branching, filtered", sample.decisions.kept, by=by, where=~sample.decisions.is_setup)


def seconds(sample: Sample, *, by: Sequence[str] = ()) -> list[Figure]:
    """Milliseconds that a decision took, where agents were asked one by one and so timed; the clock's word."""
    spent = sample.decisions.seconds
    if not np.isfinite(spent).any():
        return []
    return averages(sample, "milliseconds", 1000 * spent, by=by, where=np.isfinite(spent))


def forced(sample: Sample) -> list[Figure]:
    """The share of decisions of play at which only one move was on offer."""
    columns = sample.decisions
    in_play = ~columns.is_setup
    sets, only = columns.set[in_play], columns.offered[in_play] == 1
    if len(sets) == 0:
        return []
    counts = np.bincount(sets, minlength=sample.n_sets)
    hits = np.bincount(sets, weights=only, minlength=sample.n_sets)
    found = rate_interval(hits.tolist(), counts.tolist())
    return [figure("forced", found, len(sets))]
