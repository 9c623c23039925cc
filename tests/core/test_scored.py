"""Moves by their scores, against lists that are sorted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from meeple.core.chance import Stream
from meeple.core.scored import keep_from, keep_most, outdoes


def best_of(scores: list[int], rng: np.ndarray) -> int:
    """The place of the best, as policies find it: by going through the scores once."""
    best, most, equal = -1, -1, 0
    for i, score in enumerate(scores):
        is_better, equal = outdoes(score, most, equal, rng)
        if is_better:
            best, most = i, score
    return best


def test_the_best_is_found_and_equals_are_drawn_fairly() -> None:
    rng = Stream(5).array
    found = [best_of([3, 7, 1, 7, 7, 2], rng) for _ in range(3_000)]
    # A third of 3,000 each: one standard deviation is 25.8, and five are passed by one seed in a million.
    assert set(found) == {1, 3, 4}
    assert all(abs(found.count(place) - 1_000) < 130 for place in (1, 3, 4))
    assert best_of([4], rng) == 0


def test_those_that_are_good_enough_are_kept_in_order() -> None:
    actions = np.array([10, 11, 12, 13])
    assert keep_from(actions, np.array([5, 2, 9, 5]), 5) == 3
    assert actions[:3].tolist() == [10, 12, 13]


@pytest.mark.parametrize("seed", range(20))
def test_the_most_promising_are_kept_in_order_and_the_first_of_equals(seed: int) -> None:
    rng = random.Random(seed)
    n, most = rng.randrange(1, 30), rng.randrange(1, 12)
    scores = [rng.choice([0.0, 1.0, 2.5, 4.0, np.inf]) for _ in range(n)]
    free = [i for i in range(n) if scores[i] == np.inf]
    ranked = sorted((i for i in range(n) if scores[i] < np.inf), key=lambda i: (-scores[i], i))
    actions = np.arange(100, 100 + n)
    kept = keep_most(actions, np.array(scores), np.int64(most))
    assert actions[:kept].tolist() == [100 + i for i in sorted(free + ranked[:most])]
