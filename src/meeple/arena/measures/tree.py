"""How large the game tree is, from the branching factors along games."""

from __future__ import annotations

import math

import numpy as np

from meeple.arena.measures.figures import Figure, figure
from meeple.arena.measures.games import over_games, set_means
from meeple.arena.measures.sample import Sample
from meeple.arena.measures.trace import Trace
from meeple.arena.statistics import Interval, bootstrap_interval


def log_product(trace: Trace) -> float:
    """The decimal logarithm of the product of the numbers of legal moves, setup included."""
    return float(np.log10(trace.walk.offered).sum())


def tree_size(sample: Sample) -> list[Figure]:
    """The mean of `log_product`; and Knuth's estimate of the number of games, where all agents play at random.

    Chance is taken as it fell: both are of the courses that one fate allows.
    """
    found = over_games(sample, "log10 tree, mean", log_product)
    return found + (knuth(sample) if set(sample.names) == {"random"} and sample.traces else [])


def knuth(sample: Sample) -> list[Figure]:
    """The decimal logarithm of Knuth's estimate (1975): the mean product over uniformly random games.

    A random game ends at a leaf with the probability 1 / product, so the mean product is the number of leaves without
    bias. It is ruled by the few largest products: the interval, a bootstrap over sets, is too narrow where games are
    long, and the estimate mostly too low.
    """
    logs = [log_product(trace) for trace in sample.traces]
    top = max(logs)
    scaled = bootstrap_interval(set_means(sample, [10 ** (value - top) for value in logs]))
    ends = [math.log10(value) + top if value > 0 else -math.inf for value in (scaled.mean, scaled.low, scaled.high)]
    return [figure("log10 tree, Knuth", Interval(*ends), len(logs))]
