"""How many moves are on offer: the branching factor by ply, round, agent, seat; setup decisions apart."""

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
