"""How much the last choice still decides: leaf correlation and bias.

After J. Long, N. Sturtevant, M. Buro, T. Furtak, *Understanding the Success of Perfect Information Monte Carlo Sampling
in Game Tree Search* (AAAI 2010). Leaf correlation is the probability that sibling terminal nodes all have the same
payoff. Where it is high, nothing done late matters, and searches that know each world in full lose little by it. Bias
is the probability that the game favours one player over the other. Our reading of both for games of any shape:

1. The siblings are the moves of a game's last *choice*, its last decision with more than one legal move. Each is
   played in the true world; single moves and chance, as that fate brings it, are followed to the end.
2. If one of them leads to another choice, its siblings are no leaves, and the game is no case.
3. They are correlated if the win shares of all seats are the same after each.
4. Bias is the first seat's mean win share over correlated cases; even is 1 by the number of seats.
"""

from __future__ import annotations

import numpy as np

from meeple.arena.measures.figures import Figure, figure
from meeple.arena.measures.sample import Sample
from meeple.arena.statistics import Interval, rate_interval


def leaf_correlation(sample: Sample) -> list[Figure]:
    """Leaf correlation over the games that are cases, and the bias of the correlated ones; none without a case."""
    cases = [(number, trace.leaf) for number, trace in enumerate(sample.traces) if trace.leaf.is_case]
    if not cases or sample.game.seats == 1:
        return []
    sets = sample.set_of[[number for number, _ in cases]]
    same = np.array([leaf.is_same for _, leaf in cases], dtype=np.float64)
    found = [figure("leaf correlation", _rate(sets, same), len(cases))]
    if same.any():
        alike = same == 1
        shares = np.array([leaf.first_share for _, leaf in cases])[alike]
        found.append(figure("bias", _rate(sets[alike], shares), int(alike.sum())))
    return found


def _rate(sets: np.ndarray, values: np.ndarray) -> Interval:  # type: ignore[type-arg]
    """The mean of values in 0..1, with sets as the trials."""
    _, places = np.unique(sets, return_inverse=True)
    return rate_interval(np.bincount(places, weights=values).tolist(), np.bincount(places).tolist())
