"""A person's rating, held to the worked example of the paper."""

from __future__ import annotations

import math

import pytest

from meeple.web.ratings import DEVIATION, Rating, Result, newcomer, updated

EXAMPLE = [
    Result(Rating(1400, 30), 1.0),
    Result(Rating(1550, 100), 0.0),
    Result(Rating(1700, 300), 0.0),
]


def test_the_worked_example_of_the_paper() -> None:
    after = updated(Rating(1500, 200, 0.06), EXAMPLE)
    assert after.elo == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_results_only_the_deviation_grows() -> None:
    after = updated(Rating(1500, 200, 0.06), [])
    # Step 6 of the paper: phi* = sqrt(phi^2 + sigma^2), here 200 / 173.7178 and 0.06.
    assert after == Rating(1500, pytest.approx(math.sqrt(200**2 + (0.06 * 173.7178) ** 2)), 0.06)
    # A year of 52 weeks adds as much as 52 steps of one.
    stepwise = Rating(1500, 200, 0.06)
    for _ in range(52):
        stepwise = updated(stepwise, [])
    assert updated(Rating(1500, 200, 0.06), [], periods=52).deviation == pytest.approx(stepwise.deviation)


def test_one_match_against_three_says_as_much_as_one_against_one() -> None:
    rival = Rating(1500, 40)
    one = updated(Rating(1500), [Result(rival, 1.0)])
    three = updated(Rating(1500), [Result(rival, 1.0, weight=1 / 3)] * 3)
    assert (three.elo, three.deviation) == (pytest.approx(one.elo), pytest.approx(one.deviation))


def test_who_wins_as_often_as_a_level_comes_to_its_elo() -> None:
    first = [Result(Rating(1200, 40), 1.0), Result(Rating(1400, 40), 1.0)]
    rating, rival = newcomer(first), Rating(1700, 40)
    assert (rating.elo, rating.deviation) == (1300, DEVIATION)
    for number in range(60):
        rating = updated(rating, [Result(rival, float(number % 2))], periods=0.1)
    low, high = rating.interval
    assert low < 1700 < high
    assert rating.deviation < 80


def test_a_surprise_raises_volatility() -> None:
    """The other branch of step 5: the change is larger than rating and results explain."""
    sure = Rating(1500, 50, 0.06)
    after = updated(sure, [Result(Rating(2600, 30), 1.0)] * 3)
    assert after.volatility > sure.volatility
    assert after.elo > sure.elo
