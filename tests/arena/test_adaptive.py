"""The adaptive format: its looks, and how often it errs between equals, exactly and simulated."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from meeple.arena.adaptive import Adaptive
from meeple.arena.statistics import wilson
from meeple.errors import ConfigError

BY_GAMES = Adaptive(games_a_set=1)  # as the thesis has it


def test_looks_are_the_thesiss() -> None:
    assert BY_GAMES.looks == 6
    assert [BY_GAMES.sets_at(look) for look in range(1, 7)] == [488, 976, 1464, 1952, 2440, 2928]
    assert Adaptive().sets_at(1) == 244
    minimax = Adaptive(first=320, step=160, most=2240)  # its table 8.5
    assert minimax.looks == 13
    assert minimax.sets_at(13) == 1120


def scores(wins: int, games: int) -> list[float]:
    return [1.0] * wins + [0.0] * (games - wins)


def test_it_stops_where_the_thesis_stopped() -> None:
    # Table 8.6: MCTS against minimax took all 2,928 games, against the rules-based agent 488 (362 wins).
    rules = BY_GAMES.look(scores(362, 488))
    assert rules.is_over
    assert (rules.interval.low, rules.interval.high) == pytest.approx((0.693, 0.785), abs=5e-4)
    even = BY_GAMES.look(scores(1506, 2928))
    assert even.is_over
    assert even.number == 6
    assert even.interval.low < 0.5
    early = BY_GAMES.look(scores(250, 488))
    assert (early.is_over, early.more_sets) == (False, 488)


def test_before_the_first_look_nothing_is_decided() -> None:
    look = Adaptive().look([1.0] * 100)
    assert (look.number, look.is_over, look.more_sets) == (0, False, 144)
    assert Adaptive().look([1.0] * 244).is_over


def test_the_corrected_interval_is_bonferronis() -> None:
    look = BY_GAMES.look(scores(300, 488))
    assert (look.corrected.low, look.corrected.high) == pytest.approx(wilson(300 / 488, 488, 1 - 0.02 / 6))
    assert look.corrected.low < look.interval.low


def error_rate(format_: Adaptive, chance: float = 0.5) -> float:
    """How often a match of coin tosses is decided, exactly: the distribution of wins, cut off at every look."""
    alive, decided, played = np.array([1.0]), 0.0, 0
    for number in range(1, format_.looks + 1):
        games = format_.sets_at(number)
        alive = np.convolve(alive, binom.pmf(np.arange(games - played + 1), games - played, chance))
        bound = decisive_wins(format_, games)
        wins = np.arange(games + 1)
        is_decided = (wins >= bound) | (wins <= games - bound)
        decided += float(alive[is_decided].sum())
        alive, played = np.where(is_decided, 0.0, alive), games
    return decided


def decisive_wins(format_: Adaptive, games: int) -> int:
    """The fewest wins whose interval lies above a half."""
    low, high = games // 2, games
    while high - low > 1:
        middle = (low + high) // 2
        look = format_.look(scores(middle, games))
        judge = look.interval if format_.stop_by == "own" else look.corrected
        low, high = (low, middle) if judge.low > 0.5 else (middle, high)
    return high


def test_looking_often_errs_often() -> None:
    # Armitage, McPherson and Rowe (1969): five looks at 95% err in 14.2%, one in 5%. Theirs is the normal
    # distribution; so many coin tosses are near it.
    assert error_rate(Adaptive(5_000, 5_000, 25_000, 1, confidence=0.95)) == pytest.approx(0.142, abs=0.002)
    assert error_rate(Adaptive(25_000, 5_000, 25_000, 1, confidence=0.95)) == pytest.approx(0.05, abs=0.002)


def test_the_thesiss_own_interval_errs_more_often_than_it_says() -> None:
    # 2% are promised; one look at the end of 2,928 games would err in 2.1%.
    assert error_rate(BY_GAMES) == pytest.approx(0.069, abs=5e-4)
    assert error_rate(Adaptive(320, 160, 2240, 1)) == pytest.approx(0.090, abs=5e-4)
    assert error_rate(Adaptive(2928, 488, 2928, 1)) == pytest.approx(0.021, abs=5e-4)


def test_the_corrected_interval_errs_in_less_than_two_percent() -> None:
    # 1.3 and 0.9%: looks overlap in what they see, and Bonferroni takes them for separate.
    assert error_rate(replace(BY_GAMES, stop_by="corrected")) == pytest.approx(0.013, abs=5e-4)
    assert error_rate(Adaptive(320, 160, 2240, 1, stop_by="corrected")) == pytest.approx(0.009, abs=5e-4)


def test_the_corrected_interval_keeps_its_promise_over_pairs() -> None:
    # 400 matches of pairs of equals, which fall alike half the time. At a rate of 2% the standard error is 0.7%.
    rng, wrong = random.Random(3), 0
    format_ = Adaptive(stop_by="corrected")
    for _ in range(400):
        pairs: list[float] = []
        look = format_.look(pairs)
        while not look.is_over:
            pairs += rng.choices([0.0, 0.5, 1.0], [3, 2, 3], k=look.more_sets)
            look = format_.look(pairs)
        wrong += not look.corrected.low <= 0.5 <= look.corrected.high
    assert wrong / 400 <= 0.02 + 3 * 0.007


def test_numbers_that_make_no_format_are_refused() -> None:
    with pytest.raises(ConfigError, match="fewer than the first 488"):
        Adaptive(most=100)
    with pytest.raises(ConfigError, match="must hold a set of 24 games"):
        Adaptive(step=12, games_a_set=24)
