"""Error rates of what the lab calls agreement and difference, by simulation with fixed seeds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from meeple.arena.statistics import Interval, wilson
from meeple.lab.comparison import (
    at_least,
    band,
    difference,
    ratio,
    sample_interval,
    sets_interval,
    trend,
    visible,
    visible_factor,
    visible_shift,
)
from meeple.lab.judge import Sample, Verdict, judge
from meeple.lab.paper import Published, recovered_wins
from meeple.lab.training import tenths

RUNS = 600


def pairs(rng: np.random.Generator, share: float, n: int) -> tuple[float, ...]:
    """Scores of n pairs whose two games share their luck: half of the pairs are split whatever happens."""
    luck = rng.random(n) < 0.5
    both = (rng.random((n, 2)) < share).mean(axis=1)
    # A split pair is worth 0.5; only with share 0.5 does that leave the mean alone, so it is moved there.
    return tuple(np.where(luck, 0.5, both) if share == 0.5 else both)


def published(rng: np.random.Generator, share: float, of: int) -> Published:
    return Published(float((rng.random(of) < share).mean()), of)


def verdicts(ours: float, theirs: float, n_pairs: int, of: int, entries: int = 1) -> list[list[Verdict]]:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(RUNS):
        samples = [Sample(str(i), pairs(rng, ours, n_pairs), published(rng, theirs, of)) for i in range(entries)]
        found.append([finding.verdict for finding in judge(["difference"], samples)])
    return found


@pytest.mark.parametrize("share", [0.5, 0.74, 0.95])
def test_an_equality_is_hardly_ever_called_a_difference(share: float) -> None:
    # At 99% one run in a hundred errs: 6 of 600, and more than 17 by one seed in 10,000 (binomial).
    wrong = sum(Verdict.DIFFERS in run for run in verdicts(share, share, 60, 120))
    assert wrong <= 17


def test_six_equalities_together_err_no_more_than_one() -> None:
    wrong = sum(Verdict.DIFFERS in run for run in verdicts(0.7, 0.7, 60, 120, entries=6)[:300])
    assert wrong <= 11  # of 300 at 1%: more than 11 by one seed in 10,000; without Bonferroni some 17 are expected


def test_a_known_difference_is_found() -> None:
    # 74% of 488 against 50% of 200 games: 0.24 is 5.7 standard errors, and 99% needs 2.6.
    found = verdicts(0.5, 0.74, 100, 488)
    assert sum(run == [Verdict.DIFFERS] for run in found) > 0.98 * RUNS


def test_what_could_have_been_seen_is_seen_four_times_in_five() -> None:
    rng = np.random.default_rng(2)
    n, of = 100, 200  # independent games: pairs() with a share other than 0.5 has no shared luck
    low, high = wilson(0.4, 200, 0.99)
    arm = difference(Interval(0.4, low, high, 0.99), Interval(0.4, low, high, 0.99))
    ours = 0.4 + arm.visible / 2
    theirs = 0.4 - arm.visible / 2
    seen = 0
    for _ in range(RUNS):
        sample = Sample("x", pairs(rng, ours, n), published(rng, theirs, of))
        seen += judge(["difference"], [sample])[0].verdict == Verdict.DIFFERS
    assert 0.72 < seen / RUNS < 0.88  # 80% by design, standard error 1.6%, and the normal approximation's own error


def test_pairs_count_as_pairs() -> None:
    """Pairs that are always split vary less than coins, and their interval is narrower than that of coins."""
    rng = np.random.default_rng(3)
    split = sample_interval(pairs(rng, 0.5, 100), 0.99, is_share=True)
    low, high = wilson(split.mean, 200, 0.99)
    assert split.high - split.low < 0.85 * (high - low)


def test_few_games_of_ours_are_no_agreement_but_few_of_theirs_are_told() -> None:
    ours_few = judge(["difference"], [Sample("x", (0.5, 1.0, 0.5, 0.0), Published(0.5, 500))])[0]
    assert ours_few.verdict == Verdict.TOO_FEW
    theirs_few = judge(["difference"], [Sample("x", (0.5, 1.0, 0.5, 0.0) * 100, Published(0.5, 30))])[0]
    assert theirs_few.verdict == Verdict.AGREES
    assert theirs_few.difference is not None
    assert theirs_few.difference.visible > 0.25
    assert "would have been seen four times in five" in theirs_few.sentence


def test_newcombes_interval_is_the_published_one() -> None:
    """Newcombe (1998), table II (a), method 10: 56/70 - 48/80, 95%: 0.0524 .. 0.3339."""
    a, b = Interval(0.8, *wilson(0.8, 70, 0.95), 0.95), Interval(0.6, *wilson(0.6, 80, 0.95), 0.95)
    found = difference(a, b)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_a_flat_line_hardly_ever_rises() -> None:
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(RUNS):
        samples = [Sample(str(i), pairs(rng, 0.6, 30)) for i in range(5)]
        wrong += judge(["rising"], samples)[0].verdict != Verdict.TOO_FEW
    assert wrong <= 17  # as above


def test_relations_of_made_up_data() -> None:
    rng = np.random.default_rng(5)
    rising = [Sample(name, pairs(rng, share, 200)) for name, share in (("a", 0.2), ("b", 0.45), ("c", 0.7))]
    lines = ["rising", "falling", "c > a", "a > c", "c > 50%", "a > 50%", "peak at c", "peak at a"]
    found = [finding.verdict for finding in judge(lines, rising)]
    assert found == [Verdict.HOLDS, Verdict.FAILS] * 4
    hump = [Sample(name, pairs(rng, share, 200)) for name, share in (("a", 0.2), ("b", 0.6), ("c", 0.58), ("d", 0.3))]
    assert judge(["peak at b"], hump)[0].verdict == Verdict.HOLDS
    assert judge(["peak at b", "b > c"], [*hump[:2], Sample("c", pairs(rng, 0.6, 9))])[1].verdict == Verdict.TOO_FEW


def test_two_that_differ_by_more_than_a_margin_are_hardly_ever_called_equal() -> None:
    """The other way round too: two that differ by less are hardly ever said to differ by more."""
    rng = np.random.default_rng(19)
    line, verdicts = "a = b within 10%", {Verdict.HOLDS: 0, Verdict.FAILS: 0, Verdict.TOO_FEW: 0}
    for _ in range(400):  # at the margin itself each may come out wrong once in 200
        shares = [tuple(float(won) for won in rng.random(500) < share) for share in (0.55, 0.45)]
        (found,) = judge([line], [Sample("a", shares[0]), Sample("b", shares[1])])
        verdicts[found.verdict] += 1
    assert verdicts[Verdict.HOLDS] <= 8  # 2 are expected; more than 8 come once in 4,000 such tests
    assert verdicts[Verdict.FAILS] <= 8
    fair = tuple(float(number % 2) for number in range(4000))
    assert [found.verdict for found in judge([line], [Sample("a", fair), Sample("b", fair)])] == [Verdict.HOLDS]
    ones = (1.0,) * 4000
    assert [found.verdict for found in judge([line], [Sample("a", ones), Sample("b", fair)])] == [Verdict.FAILS]


def test_ratios_of_points() -> None:
    rng = np.random.default_rng(6)
    samples = [
        Sample("greedy", tuple(rng.normal(20, 3, 200)), Published(21.0), is_share=False),
        Sample("random", tuple(rng.normal(10, 3, 200)), Published(9.7), is_share=False),
        Sample("other", tuple(rng.normal(60, 3, 200)), Published(9.7), is_share=False),
    ]
    found = judge(["greedy / random within 1.5", "other / random within 1.5", "greedy > random"], samples)
    assert [finding.verdict for finding in found] == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
    value, low, high = ratio(Interval(0.0, 0.0, 0.1), Interval(0.5, 0.4, 0.6))
    assert np.isnan(value)
    assert (low, high) == (0.0, np.inf)


def curve(rng: np.random.Generator, means: Sequence[float], told: Sequence[float], n: int = 60) -> list[Sample]:
    """Points of a line, each of `n` sets of 1 to 4 decisions whose values are skewed and go together in a set."""
    counts = tuple(float(size) for size in rng.integers(1, 5, n))
    luck = rng.gamma(8.0, 0.125, n)  # mean 1, standard deviation 0.35
    return [
        Sample(
            f"round {place}",
            tuple(size * mean * part * rng.gamma(4.0, 0.25) for size, part in zip(counts, luck, strict=True)),
            Published(value),
            is_share=False,
            counts=counts,
            line="moves",
            place=place,
        )
        for place, (mean, value) in enumerate(zip(means, told, strict=True), 1)
    ]


MEANS = (38.0, 20.0, 11.0, 5.0)


def test_a_curve_hardly_ever_leaves_its_band_by_chance() -> None:
    rng = np.random.default_rng(7)
    found = [judge(["band"], curve(rng, MEANS, MEANS))[0].verdict for _ in range(60)]
    # Of 60 at 1%: more than 4 by one seed in 3,000; skewed values cost the bootstrap some of its confidence.
    assert found.count(Verdict.DIFFERS) <= 4
    assert found.count(Verdict.AGREES) >= 45  # the others are told to be too wide


def test_a_curve_that_is_off_by_what_could_have_been_seen_is_found() -> None:
    rng = np.random.default_rng(8)
    found = 0
    samples = curve(rng, MEANS, MEANS)
    third = band([each.values for each in samples], [each.counts for each in samples], 0.99)[2]
    seen = visible((third.high - third.low) / 2, third.confidence)
    for _ in range(60):
        samples = curve(rng, MEANS, MEANS)
        samples[2] = replace(samples[2], published=Published(MEANS[2] + seen))
        finding = judge(["band"], samples)[0]
        found += finding.verdict == Verdict.DIFFERS
    assert 34 <= found <= 59  # 48 by design, standard error 3.1, and that of the band by which it was planned


def test_a_band_too_wide_to_tell_is_no_agreement() -> None:
    rng = np.random.default_rng(9)
    few = judge(["band"], curve(rng, MEANS, MEANS, n=6))[0]
    assert few.verdict == Verdict.TOO_FEW
    assert "less than half the published value would not have been seen at round 1" in few.sentence
    assert "four times in five" in few.sentence
    one = curve(rng, MEANS, MEANS, n=200)
    assert judge(["band"], one)[0].verdict == Verdict.AGREES
    lone = Sample("round 5", (60.0, 63.0, 150.0), Published(63.0), False, counts=(1.0,) * 3, line="moves", place=5)
    wide = judge(["band"], [*one, lone])[0]  # one place that cannot be told leaves the curve open
    assert (wide.verdict, "at round 5" in wide.sentence) == (Verdict.TOO_FEW, True)
    # But a place that is shown to lie outside is outside, however wide the others are.
    off = replace(one[0], published=Published(90.0))
    assert judge(["band"], [off, *one[1:], lone])[0].verdict == Verdict.DIFFERS


def test_a_curve_of_shares_is_judged_by_its_band() -> None:
    samples = [Sample(name, (0.0, 0.5, 1.0, 0.5) * 60, Published(share)) for name, share in (("1", 0.5), ("2", 0.52))]
    assert judge(["band"], samples)[0].verdict == Verdict.AGREES
    far = [*samples, Sample("3", (0.0, 0.5, 1.0, 0.5) * 60, Published(0.8))]
    finding = judge(["band"], far)[0]
    assert (finding.verdict, finding.sentence.startswith("outside our band: 3; ")) == (Verdict.DIFFERS, True)
    few = [Sample(name, (0.0, 0.5, 1.0, 0.5) * 3, Published(0.5)) for name in ("1", "2")]
    assert judge(["band"], few)[0].verdict == Verdict.TOO_FEW


def test_a_ratio_is_hardly_ever_called_nearer_than_it_is() -> None:
    """A true ratio that lies on the bound is neither called within nor without, but once in a hundred."""
    rng = np.random.default_rng(10)
    found = []
    for _ in range(RUNS):
        a = Sample("a", tuple(rng.normal(15, 3, 40)), Published(10.0), is_share=False)
        b = Sample("b", tuple(rng.normal(10, 3, 40)), Published(10.0), is_share=False)
        found += [finding.verdict for finding in judge(["a / b within 1.5"], [a, b])]
    wrong = RUNS - found.count(Verdict.TOO_FEW)
    assert wrong <= 17  # as above


def test_a_ratio_further_off_by_what_could_have_been_seen_is_found() -> None:
    rng = np.random.default_rng(11)
    b = [Sample("b", tuple(rng.normal(10, 3, 40)), Published(10.0), is_share=False) for _ in range(RUNS)]
    low, high = (math.exp(sign * 3 * math.sqrt(1 / 15**2 + 1 / 10**2) / math.sqrt(40) * 2.576) for sign in (-1, 1))
    factor = visible_factor(low, high, 0.99)
    fails = 0
    for each in b:
        a = Sample("a", tuple(rng.normal(15 * factor, 3 * factor, 40)), Published(10.0), is_share=False)
        finding = judge(["a / b within 1.5"], [a, each])[0]
        fails += finding.verdict == Verdict.FAILS
        assert re.search(r"a factor of 1\.\d\d would have been seen four times in five", finding.sentence)
    assert 0.70 < fails / RUNS < 0.90  # 80% by design, standard error 1.6%, and the logarithm's own error


def test_a_peak_that_is_none_is_hardly_ever_found() -> None:
    rng = np.random.default_rng(12)
    found = []
    for _ in range(300):
        flat = [Sample(name, pairs(rng, 0.6, 100)) for name in "abcd"]  # a and d are no neighbours
        found += [finding.verdict for finding in judge(["peak at a"], flat)]
    assert found.count(Verdict.TOO_FEW) >= 300 - 11  # of 300 at 1%, as above
    sentence = judge(["peak at a"], flat)[0].sentence
    assert re.search(r"a difference of \d+ points from any of them would have been seen four times in five", sentence)


def test_a_peak_by_what_could_have_been_seen_is_found() -> None:
    rng = np.random.default_rng(13)
    flat = [Sample(name, pairs(rng, 0.6, 200)) for name in "abc"]
    seen = max(difference(flat[0].interval(0.995), each.interval(0.995)).visible for each in flat[1:])
    holds = 0
    for _ in range(300):
        samples = [Sample(name, pairs(rng, 0.6 + seen * (name == "a"), 200)) for name in "abc"]
        holds += judge(["peak at a"], samples)[0].verdict == Verdict.HOLDS
    assert 0.72 < holds / 300 < 0.95  # 80% or, since the peak's own share varies less up there, somewhat more


def test_a_number_that_chose_a_setting_is_never_agreement() -> None:
    samples = [Sample(name, (0.5, 1.0) * 100, Published(0.75, 100), fitted=True) for name in ("a", "b")]
    assert {finding.verdict for finding in judge(["difference", "rising", "a > b"], samples)} == {Verdict.FITTED}


def test_wins_are_recovered_from_a_printed_interval() -> None:
    assert recovered_wins(21.5, 30.7, 488, 0.98) == [126]
    assert recovered_wins(46.4, 50.7, 2928, 0.98) == [1421, 1422]
    assert recovered_wins(46.4, 46.5, 2928, 0.98) == []


def test_sets_have_students_interval() -> None:
    """The Ingenious report's table 12: ten sets of 100 games, 43.7 wins of ply 2, 95% 40.244 .. 47.156."""
    wins = (38, 43, 43, 48, 44, 35, 51, 47, 41, 47)
    games = [1.0 if i < won else 0.0 for won in wins for i in range(100)]
    found = sets_interval(games, 100)
    assert found is not None
    assert (found.mean, round(found.low, 3), round(found.high, 3)) == (43.7, 40.244, 47.156)
    assert sets_interval(games[:150], 100) is None


def test_a_trend_is_the_change_along_the_line() -> None:
    means = [Interval(share, share - 0.01, share + 0.01, 0.99) for share in (0.2, 0.3, 0.4)]
    assert trend(means).value == pytest.approx(0.2)


def test_a_single_game_is_usual_or_not() -> None:
    """A thirteenth curve from where ours come is called usual; one far from them is not."""
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(300):
        curves, one = rng.normal(size=(10, 100)), rng.normal(size=10)
        samples = [
            Sample(str(i), tuple(values), Published(float(value)), is_share=False)
            for i, (values, value) in enumerate(zip(curves, one, strict=True))
        ]
        wrong += judge(["range"], samples)[0].verdict != Verdict.AGREES
    assert wrong <= 11  # of 300 at 1% or less, as above
    far = [Sample(str(i), (1.0, 2.0, 3.0) * 20, Published(9.0), is_share=False) for i in range(3)]
    assert judge(["range"], far)[0].verdict == Verdict.DIFFERS
    assert judge(["range"], [Sample("x", (1.0,), Published(9.0), is_share=False)])[0].verdict == Verdict.TOO_FEW
    # A hundred games cannot show that a single one is unusual: it lies outside by chance once in fifty.
    alone = Sample("x", (1.0, 2.0) * 50, Published(9.0), is_share=False)
    finding = judge(["range"], [alone])[0]
    assert (finding.verdict, "outside: x (9)" in finding.sentence) == (Verdict.TOO_FEW, True)
    assert judge(["range"], [replace(alone, values=(1.0, 2.0) * 150)])[0].verdict == Verdict.DIFFERS


def test_single_games_off_by_what_could_have_been_seen_are_found() -> None:
    rng = np.random.default_rng(14)
    curves = rng.normal(size=(10, 100))
    part = visible_shift([tuple(values) for values in curves], 3)  # 10 at 2%: 3 or more by one in 1,150
    widths = curves.max(axis=1) - curves.min(axis=1)
    found = 0
    for _ in range(300):
        ones = rng.normal(size=10) + part * widths
        samples = [
            Sample(str(i), tuple(values), Published(float(one)), is_share=False)
            for i, (values, one) in enumerate(zip(curves, ones, strict=True))
        ]
        finding = judge(["range"], samples)[0]
        assert "3 outside would be a difference" in finding.sentence
        assert f"off by {100 * part:.0f}% of the width" in finding.sentence
        found += finding.verdict == Verdict.DIFFERS
    assert 0.68 < found / 300 < 0.95  # at least 80% to either side, in steps of a hundredth


def test_at_least_so_many_of_unequal_chances() -> None:
    assert at_least([0.5, 0.5], 1) == pytest.approx(0.75)
    assert at_least([1.0, 0.25], 2) == pytest.approx(0.25)
    assert at_least([0.3] * 4, 2) == pytest.approx(1 - 0.7**4 - 4 * 0.3 * 0.7**3)
    assert at_least([], 0) == 1.0


def test_lines_are_judged_one_by_one() -> None:
    rng = np.random.default_rng(9)

    def line(name: str, means: tuple[float, ...], told: bool) -> list[Sample]:
        counts = tuple(float(n) for n in rng.integers(1, 5, 80))
        return [
            Sample(
                f"{name} {place}",
                tuple(n * rng.normal(mean, 1.0) for n in counts),
                Published(mean) if told else None,
                is_share=False,
                counts=counts,
                line=name,
                place=place,
            )
            for place, mean in enumerate(means, 1)
        ]

    samples = line("up", (5, 6, 9, 7), True) + line("down", (8, 6, 4, 2), False) + line("flat", (5, 5, 5, 5), False)
    judged = ["rising", "level", "band", "up > down at 3..4", "down > up at 3..4", "up > down at 7..9", "peak at up 3"]
    found = {finding.about: finding.verdict for finding in judge(judged, samples)}
    assert found["up, rising"] == Verdict.HOLDS
    assert found["down, rising"] == Verdict.FAILS
    assert found["down, level"] == Verdict.FAILS
    assert found["flat, level"] == Verdict.HOLDS
    assert found["up, band"] == Verdict.AGREES
    assert "down, band" not in found
    assert found["up > down at 3..4"] == Verdict.HOLDS
    assert found["down > up at 3..4"] == Verdict.FAILS
    assert found["up > down at 7..9"] == Verdict.TOO_FEW
    assert found["peak at up 3"] == Verdict.HOLDS


def test_training_runs_that_differ_widen_an_interval() -> None:
    values = (1.0,) * 20 + (0.5,) * 20 + (0.0,) * 20
    runs = (1,) * 20 + (2,) * 20 + (3,) * 20
    plain, grouped = Sample("x", values).interval(0.99), Sample("x", values, groups=runs).interval(0.99)
    assert (plain.mean, grouped.mean) == (0.5, 0.5)
    assert (grouped.low, grouped.high) == (0.0, 1.0)
    alike = Sample("x", (0.0, 1.0) * 30, groups=runs).interval(0.99)
    assert alike == Sample("x", (0.0, 1.0) * 30).interval(0.99)


def test_tenths_of_a_run() -> None:
    assert tenths([float(step) for step in range(100)]) == [4.5 + 10 * part for part in range(10)]
    assert tenths([3.0, 1.0]) == pytest.approx([3.0] * 2 + tenths([3.0, 1.0])[2:])
    assert len(tenths([3.0, 1.0])) == 10
