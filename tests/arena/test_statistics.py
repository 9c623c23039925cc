"""Intervals and the Elo scale against published values, lopsided ones included."""

from __future__ import annotations

import math
import random

import pytest

from meeple.arena.statistics import elo, score_interval, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe (1998), table I, method 3: Wilson's interval without continuity correction, 95%.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_the_published_one(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(1 - wins / games, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_scores_of_zero_and_one_have_wilsons_interval() -> None:
    found = score_interval([1.0] * 15 + [0.0] * 133)
    assert (found.low, found.high) == pytest.approx((0.0624, 0.1605), abs=2e-3)


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.91, 400), (10 / 11, 400)])
def test_elo_is_the_published_table(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference, abs=3)
    assert elo(1 - share) == pytest.approx(-difference, abs=3)
    assert elo(1) == math.inf
    assert elo(0) == -math.inf


@pytest.mark.parametrize("pairs", [[0.0, 0.5, 1.0], [0.5, 0.5, 1.0], [1.0, 1.0, 0.5], [0.0, 0.25, 0.5, 0.75, 1.0]])
def test_intervals_hold_what_they_promise(pairs: list[float]) -> None:
    # 2,000 series of 50 pairs; 95% promised. Under exactly 95% the share that holds has a standard error of
    # 0.005: below 0.92 it would be six of them away.
    rng = random.Random(1)
    weights = [rng.random() for _ in pairs]
    truth = sum(w * p for w, p in zip(weights, pairs, strict=True)) / sum(weights)
    held = 0
    for _ in range(2_000):
        found = score_interval(rng.choices(pairs, weights, k=50))
        held += found.low <= truth <= found.high
    assert held / 2_000 > 0.92


def test_equal_scores_do_not_pass_for_certainty() -> None:
    few, many = score_interval([1.0] * 5), score_interval([1.0] * 500)
    assert few.low < 0.6
    assert 0.98 < many.low < 1
    assert score_interval([]).low == 0


def test_even_pairs_narrow_the_interval() -> None:
    # Ten times 1 and ten times 0 say less about the mean than twenty halves.
    spread, even = score_interval([1.0, 0.0] * 10), score_interval([0.5] * 20)
    assert even.high - even.low < spread.high - spread.low
