"""The sequential test against the figures of fishtest and fastchess, and its error rates in simulation."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import brentq
from scipy.stats import betabinom

from meeple.arena.sprt import (
    PAIR_SCORES,
    Sprt,
    count_scores,
    elo_for,
    expected_share,
    games_a_set,
    normalized_elo,
    pentanomial,
)
from meeple.errors import ConfigError

Array = npt.NDArray[np.float64]
Model = Literal["logistic", "normalized"]


@pytest.mark.parametrize(
    ("pairs", "model", "llr"),
    [
        # Known answers of fishtest's formulas, bounds 0 and 2. (The first is 2.9455 with the likeliest distributions
        # and 2.9461 by Van den Bergh's closed form near them.)
        ([379, 10170, 21828, 10640, 343], "normalized", 2.946),
        ([379, 10170, 21828, 10640, 343], "logistic", 3.126),
        ([365, 16618, 36229, 16974, 390], "normalized", 2.250),
        ([365, 16618, 36229, 16974, 390], "logistic", -0.006),
    ],
)
def test_ratios_are_fishtests(pairs: list[int], model: Model, llr: float) -> None:
    assert Sprt(0, 2, model=model).llr(pairs) == pytest.approx(llr, abs=6e-4)


@pytest.mark.parametrize(
    ("pairs", "bounds", "model", "llr"),
    [
        # As fastchess printed them, from public reports of engine matches: lynx-chess/Lynx #1899,
        # brunocodutra/cinder #879 and #916, princesslana/princhess #389 and #343, xu-shawn/Serendipity #55,
        # Disservin/fastchess #697.
        ([235, 1384, 2521, 1341, 239], (-5, 0), "logistic", "1.69"),
        ([115, 1156, 2443, 1233, 141], (-3, 1), "normalized", "2.90"),
        ([339, 4640, 8717, 4594, 403], (-3, 1), "normalized", "2.89"),
        ([166, 1178, 2183, 1316, 173], (0, 10), "normalized", "2.91"),
        ([1, 22, 52, 21, 4], (-5, 0), "normalized", "0.15"),
        ([283, 1151, 2214, 1221, 281], (-5, 3), "normalized", "2.95"),
        ([0, 0, 1, 1, 0], (0, 5), "normalized", "0.02"),  # counts of zero among them
    ],
)
def test_ratios_are_as_fastchess_prints_them(
    pairs: list[int], bounds: tuple[float, float], model: Model, llr: str
) -> None:
    decimals = len(llr.partition(".")[2])
    assert f"{Sprt(*bounds, model=model).llr(pairs):.{decimals}f}" == llr


@pytest.mark.parametrize(
    ("pairs", "low", "mean", "high"),
    [
        # The first match above: 3.05 +- 2.31.
        ([379, 10170, 21828, 10640, 343], 0.74, 3.05, 5.36),
        # As the tests of another implementation of fishtest's formulas have them, in Rust.
        ([485, 1923, 2942, 1937, 594], 1.68, 7.10, 12.53),
        ([261, 739, 2683, 737, 253], -8.13, -1.09, 5.96),
        ([63, 252, 385, 250, 74], -10.31, 4.74, 19.79),
    ],
)
def test_normalized_elo_is_the_published_one(pairs: list[int], low: float, mean: float, high: float) -> None:
    found = normalized_elo(pairs, confidence=0.95)
    assert (found.low, found.mean, found.high) == pytest.approx((low, mean, high), abs=0.011)


def test_bounds_are_walds() -> None:
    test = Sprt(0, 5)
    assert (test.lower, test.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, alpha=0.05, beta=0.10).lower == pytest.approx(-2.25, abs=2e-3)
    assert Sprt(0, 5, alpha=0.05, beta=0.10).upper == pytest.approx(2.89, abs=2e-3)


def test_a_look_says_what_follows() -> None:
    test = Sprt(0, 50)
    assert test.look([0, 0, 0, 0, 0]).verdict == "go on"
    assert test.look([0, 0, 10, 10, 40]).verdict == "H1"
    assert test.look([40, 10, 10, 0, 0]).verdict == "H0"


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_equal_pairs_have_finite_ratios(model: Model) -> None:
    for pairs in ([100, 0, 0, 0, 0], [0, 0, 100, 0, 0], [0, 0, 0, 0, 100], [1, 0, 0, 0, 0], [50, 0, 0, 0, 50]):
        for bounds in ((0, 5), (0, 200), (-50, 0)):
            assert math.isfinite(Sprt(*bounds, model=model).llr(pairs))


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_a_mirrored_match_has_the_mirrored_ratio(model: Model) -> None:
    pairs = [12, 40, 90, 52, 20]
    assert Sprt(-10, 20, model=model).llr(pairs) == pytest.approx(-Sprt(-20, 10, model=model).llr(pairs[::-1]))


def test_scores_may_come_as_counts_or_five_numbers() -> None:
    scores = [0.0, 0.25, 0.25, 0.5, 1.0, 0.1 + 0.2 - 0.05]
    assert pentanomial(scores) == [1, 3, 1, 0, 1]
    assert Sprt(0, 10).llr(count_scores(scores)) == Sprt(0, 10).llr(pentanomial(scores))
    with pytest.raises(ConfigError, match="five counts"):
        Sprt(0, 10).llr([1, 2, 3])


def test_shares_are_luces() -> None:
    assert expected_share(400) == pytest.approx(10 / 11)
    assert [expected_share(0, seats) for seats in (2, 3, 4)] == pytest.approx([1 / 2, 1 / 3, 1 / 4])
    assert expected_share(400, 4) == pytest.approx(10 / 13)
    for seats in (2, 5):
        assert expected_share(elo_for(0.3, seats), seats) == pytest.approx(0.3)
    assert [games_a_set(seats) for seats in (2, 3, 4, 5, 6)] == [2, 6, 24, 5, 6]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_normalized_elo_is_elo_for_independent_games_without_draws(seats: int) -> None:
    # Sets of independent games are binomial about the share of 20 Elo; to first order in Elo it comes back.
    games, share = games_a_set(seats), expected_share(20, seats)
    counts = {
        won / games: math.comb(games, won) * share**won * (1 - share) ** (games - won) * 1e6 for won in range(games + 1)
    }
    assert normalized_elo(counts, seats).mean == pytest.approx(20, rel=0.04)


def test_wrong_tests_are_refused() -> None:
    with pytest.raises(ConfigError, match="elo0 below elo1, not 5 and 0"):
        Sprt(5, 0)
    with pytest.raises(ConfigError, match=r"between 0 and 0\.5"):
        Sprt(0, 5, alpha=0.6)


def sets_of(seats: int) -> tuple[Array, Array]:
    """Scores of a set and how likely each is among equals: games of a set fall alike more often than not."""
    if seats == 2:
        return np.array(PAIR_SCORES), np.array([0.15, 0.1, 0.5, 0.1, 0.15])
    games = games_a_set(seats)
    won = np.arange(games + 1)
    return won / games, betabinom.pmf(won, games, 1.5, 1.5 * (seats - 1))


def with_mean(values: Array, likely: Array, mean: float) -> Array:
    """The distribution tilted (p exp(x a)) to this mean."""

    def tilted(x: float) -> Array:
        weights = likely * np.exp(x * (values - mean))
        return weights / weights.sum()

    return tilted(brentq(lambda x: tilted(x) @ values - mean, -100, 100))


def share_taken_for_h1(test: Sprt, values: Array, likely: Array, runs: int) -> float:
    """Play `runs` tests to their end, with a look every four sets."""
    rng, taken = np.random.default_rng(7), 0
    counts = np.zeros((len(values), runs))
    while counts.shape[1]:
        counts = counts + rng.multinomial(4, likely, size=counts.shape[1]).T
        llrs = test.llrs(values.tolist(), counts)
        taken += int((llrs >= test.upper).sum())
        counts = counts[:, (llrs > test.lower) & (llrs < test.upper)]
    return taken / runs


# 600 tests of 60 Elo against 0: at a rate of 5% the standard error is 0.9%, so 8% are more than three of them off.
# Over 1,000 tests each, with a look after every set, the rates were 5.2, 5.4 and 5.4% (H0 true) and 4.5, 5.7 and
# 2.6% (H1 true) for 2, 3 and 4 seats; with a look every four sets all are below 5%.
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_errors_are_as_rare_as_promised(seats: int) -> None:
    test = Sprt(0, 60, seats=seats)
    values, likely = sets_of(seats)
    under = [with_mean(values, likely, expected_share(elo, seats)) for elo in (0, 60)]
    assert share_taken_for_h1(test, values, under[0], 600) < 0.08
    assert share_taken_for_h1(test, values, under[1], 600) > 0.92


def test_errors_of_the_normalized_test_are_as_rare_as_promised() -> None:
    # t = 60 / (800 / ln 10) * sqrt 2 for pairs; 300 tests, standard error 1.3%.
    test = Sprt(0, 60, model="normalized")
    values, likely = sets_of(2)
    t = 60 * math.log(10) / 800 * math.sqrt(2)

    def distance(mean: float) -> float:
        tilted = with_mean(values, likely, mean)
        return float((mean - 0.5) / math.sqrt(tilted @ (values - mean) ** 2) - t)

    stronger = with_mean(values, likely, brentq(distance, 0.5, 0.8))
    assert share_taken_for_h1(test, values, with_mean(values, likely, 0.5), 300) < 0.09
    assert share_taken_for_h1(test, values, stronger, 300) > 0.91
