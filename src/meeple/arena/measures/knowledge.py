"""What seats come to know: the number of worlds that fit, how fast it falls, and the bits gained by it.

The disambiguation factor is the third property of Long et al. (leaves.py): how quickly a player's information set
shrinks in the course of a game. Our reading: between two decisions of one seat, with N worlds that fit at the first and
M at the second, it is 1 - M / N, and 0 where the set has grown, as by cards that others drew; where N is 1 nothing is
left to learn, and the pair does not count. The information gain is log2 N - log2 M bits, below 0 where the set has
grown. Both are by what a seat may see; the future of chance (`fate`) is no part of a world.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.arena.measures.figures import Figure, averages
from meeple.arena.measures.sample import Sample
from meeple.arena.measures.trace import Walk


def knowledge(sample: Sample) -> list[Figure]:
    """Mean log2 of the worlds that fit at a decision, disambiguation, information gain; none without secrets."""
    if not sample.game.facts.hidden or not sample.traces:
        return []
    worlds = np.concatenate([trace.walk.worlds for trace in sample.traces])
    pairs = [shrinking(trace.walk) for trace in sample.traces]
    shrunk, gained = (np.concatenate(columns) for columns in zip(*pairs, strict=True))
    found: list[Figure] = []
    with np.errstate(divide="ignore"):
        measures = {"worlds, log2": np.log2(worlds), "disambiguation": shrunk, "information gain": gained}
    for name, values in measures.items():
        is_known = np.isfinite(values)
        found += averages(sample, name, values, where=is_known) if is_known.any() else []
    return found


def n_unknown(sample: Sample) -> int:
    """Decisions at which the worlds were not counted, or too many for the redeals that were drawn."""
    return sum(int((~np.isfinite(trace.walk.worlds)).sum()) for trace in sample.traces)


def shrinking(walk: Walk) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each decision 1 - M / N and log2 N - log2 M since the same seat's last one; NaN where either is unknown."""
    shrunk, gained = np.full(len(walk.seat), np.nan), np.full(len(walk.seat), np.nan)
    last: dict[int, float] = {}
    for place, (seat, now) in enumerate(zip(walk.seat.tolist(), walk.worlds.tolist(), strict=True)):
        before = last.get(seat, np.nan)
        if np.isfinite(before) and np.isfinite(now) and before > 1:
            shrunk[place], gained[place] = max(0.0, 1 - now / before), np.log2(before / now)
        last[seat] = now
    return shrunk, gained
