"""How many worlds fit what a seat knows: exactly where the game can tell, else estimated from redeals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from meeple.core.chance import Stream
from meeple.core.game import State, copied

SAMPLES = 1_000


@dataclass(frozen=True)
class WorldCount:
    """A number of worlds, fate aside, with its standard error; infinite where more redeals would be needed."""

    value: float
    error: float = 0.0
    is_exact: bool = True


def count_worlds(state: State, seat: int, rng: Stream, samples: int = SAMPLES) -> WorldCount:
    """Count the worlds that `seat` cannot tell from this one; by `samples` redeals where the game cannot count them.

    The estimate is that of the birthday problem: of n redeals, C of the n (n - 1) / 2 pairs are the same world, and
    n (n - 1) / 2C is without much bias the number of equally likely worlds. Of worlds that are not equally likely it is
    the effective number, 1 by the sum of the squared probabilities, and smaller than their count. The standard error is
    that of a U-statistic, whose pairs share redeals, with the sum of the cubed probabilities from triples.
    """
    exact = state.counted_worlds(seat)
    if exact is not None:
        return WorldCount(exact)
    if samples < 2:
        return WorldCount(math.inf, math.inf, is_exact=False)
    met = Counter(_fateless(state.redealt(seat, rng)) for _ in range(samples))
    same = sum(math.comb(times, 2) for times in met.values())
    if same == 0:
        return WorldCount(math.inf, math.inf, is_exact=False)
    pairs = same / math.comb(samples, 2)  # an unbiased estimate of the sum of the squared probabilities
    triples = sum(math.comb(times, 3) for times in met.values()) / math.comb(samples, 3) if samples > 2 else 0.0
    variance = 4 / samples * max(0.0, triples - pairs**2) + pairs * (1 - pairs) / math.comb(samples, 2)
    return WorldCount(1 / pairs, math.sqrt(variance) / pairs**2, is_exact=False)


def _fateless(state: State) -> bytes:
    array = copied(state.array)
    if "fate" in (array.dtype.names or ()):
        array["fate"] = 0
    return bytes(array.tobytes())
