"""The last line of a match, word for word."""

from __future__ import annotations

import math
import random

import pytest

from meeple.arena.sentence import elo_words, sentence


def pairs(*counts: int) -> list[list[float]]:
    """Pairs by the first agent's score 0, 1/4, 1/2, 3/4, 1."""
    return [[a / 4, 1 - a / 4] for a, count in enumerate(counts) for _ in range(count)]


def test_a_stronger_agent_of_two() -> None:
    assert sentence(["mcts", "greedy"], pairs(10, 6, 80, 14, 90)) == (
        "mcts is stronger than greedy: 71% of the points, 98% interval 65 to 76; 200 pairs"
    )


def test_the_second_agent_may_be_the_stronger() -> None:
    assert sentence(["greedy", "mcts"], pairs(90, 14, 80, 6, 10)) == (
        "mcts is stronger than greedy: 71% of the points, 98% interval 65 to 76; 200 pairs"
    )


def test_nobody_is_stronger() -> None:
    assert sentence(["mcts", "greedy"], pairs(20, 0, 55, 0, 25)) == (
        "nobody is shown to be stronger: mcts has 52% of the points against greedy, 98% interval 44 to 61; 100 pairs"
    )


def test_how_many_more_games_would_tell() -> None:
    # 52.5%, and the interval begins 7.8% below: (7.8 / 2.5)^2 - 1 = 8.8 times the 200 games that were played.
    text = sentence(["mcts", "greedy"], pairs(20, 0, 55, 0, 25), games_a_set=2)
    assert text.endswith("98% interval 44 to 61; 100 pairs; about 1,800 more games would tell")
    # They would: ten times the games at the same rate show it, and nine times do not.
    assert "is stronger" in sentence(["mcts", "greedy"], pairs(200, 0, 550, 0, 250))
    assert "nobody" in sentence(["mcts", "greedy"], pairs(180, 0, 495, 0, 225))
    assert "more games" not in sentence(["a", "b"], pairs(25, 0, 50, 0, 25), games_a_set=2)  # even: no number would
    assert "more games" not in sentence(["mcts", "greedy"], pairs(10, 6, 80, 14, 90), games_a_set=2)  # it is shown


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((157, 113, 205), "+157 (+113 .. +205)"),
        ((700, 230, math.inf), "at least +230"),
        ((math.inf, 230, math.inf), "at least +230"),
        ((1_400, 1_200, 1_600), "at least +1000"),
        ((-700, -1_200, -230), "at most -230"),
        ((-math.inf, -math.inf, -230), "at most -230"),
        ((0, -math.inf, math.inf), "not known yet"),
        ((math.nan, math.nan, math.nan), "not known yet"),
    ],
)
def test_elo_has_three_digits_at_most(bounds: tuple[float, float, float], words: str) -> None:
    assert elo_words(*bounds) == words


def test_a_narrow_result_is_not_rounded_to_even() -> None:
    # "51%, 50 to 52" would look as if the interval held the half.
    assert sentence(["a", "b"], pairs(0, 900, 2000, 1000, 40)) == (
        "a is stronger than b: 51.1% of the points, 98% interval 50.4 to 51.9; 3,940 pairs"
    )


def test_one_of_four() -> None:
    sets = [[0.41, 0.25, 0.2, 0.14], [0.45, 0.19, 0.2, 0.16], [0.37, 0.23, 0.2, 0.2]] * 40
    assert sentence(["mcts", "flat", "greedy", "random"], sets) == (
        "mcts is stronger than the table: it takes 41% of the wins where an even share is 25%, "
        "interval 39 to 43 (98% for all agents together); 120 sets"
    )


def test_nobody_of_three() -> None:
    assert sentence(["a", "b", "c"], [[1, 0, 0], [0, 1, 0], [0.5, 0, 0.5]] * 5) == (
        "nobody is shown to be stronger: a leads with 50% of the wins where an even share is 33%, "
        "interval 24 to 76 (98% for all agents together); 15 sets"
    )


def test_nothing_can_be_said_of_nothing() -> None:
    assert sentence(["a", "b"], []) == "nothing can be said: no pair of games was finished"
    assert sentence(["a", "b", "c"], []) == "nothing can be said: no set of games was finished"


def test_one_pair_shows_nothing_and_repeats_are_told() -> None:
    assert sentence(["a", "b"], [[1.0, 0.0]], repeats=99) == (
        "nobody is shown to be stronger: a has 100% of the points against b, 98% interval 15 to 100; "
        "1 pair, 99 more were repeats"
    )


def test_namesakes_are_told_apart() -> None:
    assert "random (1) has 50% of the points against random (2)" in sentence(["random", "random"], [[0.5, 0.5]] * 9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equals_are_seldom_called_stronger(seats: int) -> None:
    # 1,000 matches of 60 sets among equals: 2% promised, standard error 0.44%.
    rng, called = random.Random(6), 0
    for _ in range(1_000):
        sets = []
        for _ in range(60):
            wins = [0.0] * seats
            for _ in range(3):
                wins[rng.randrange(seats)] += 1 / 3
            sets.append(wins)
        called += "is stronger" in sentence([*"abcd"[:seats]], sets)
    assert called / 1_000 < 0.02 + 3 * 0.0044
