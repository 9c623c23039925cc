"""Summaries: exact from sequences and counts, within half a percent from histograms, the same merged."""

from __future__ import annotations

import json
import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.arena.summaries import LogHistogram, Summary, summarize, summarize_counts

TIMES = st.lists(st.floats(1e-9, 1e4), min_size=1, max_size=60)


def test_a_sequence_by_hand() -> None:
    # 20 numbers: 95% of them is 19, so the 19th is the percentile.
    assert summarize([*range(1, 21)]) == Summary(20, 1, 10.5, 10.5, 19, 20)
    assert summarize([7.0]) == Summary(1, 7, 7, 7, 7, 7)
    assert summarize([]) == Summary()


def test_counts_stand_for_their_values() -> None:
    counts = {4: 3, 10: 1, 2: 6}
    assert summarize_counts(counts) == summarize([2] * 6 + [4] * 3 + [10])
    assert summarize_counts(counts).median == 2


@given(values=TIMES)
@settings(deadline=None)
def test_a_histogram_keeps_its_accuracy(values: list[float]) -> None:
    histogram = LogHistogram()
    histogram.extend(values)
    found, exact = histogram.summary(), summarize(values)
    assert (found.n, found.least, found.greatest) == (exact.n, exact.least, exact.greatest)
    assert found.mean == pytest.approx(exact.mean)
    assert found.median == pytest.approx(exact.median, rel=0.0055)
    assert found.percentile_95 == pytest.approx(exact.percentile_95, rel=0.0055)
    assert exact.median == pytest.approx(statistics.median(values))


@given(values=TIMES, more=TIMES)
@settings(deadline=None)
def test_merged_histograms_are_as_one(values: list[float], more: list[float]) -> None:
    one, other, whole = LogHistogram(), LogHistogram(), LogHistogram()
    one.extend(values)
    other.extend(more)
    whole.extend(values + more)
    one.merge(LogHistogram.from_json(json.loads(json.dumps(other.as_json()))))
    assert one.bins == whole.bins
    assert one.total == pytest.approx(whole.total)
    assert (one.n, one.least, one.greatest) == (whole.n, whole.least, whole.greatest)


def test_memory_stays_flat() -> None:
    rng, histogram = random.Random(1), LogHistogram()
    histogram.extend(math.exp(rng.gauss(-7, 2)) for _ in range(50_000))
    assert histogram.n == 50_000
    assert len(histogram.bins) < 2_000


def test_times_of_nothing_count() -> None:
    histogram = LogHistogram()
    histogram.extend([0.0, 0.0, 0.0, 5.0])
    found = histogram.summary()
    assert (found.least, found.mean, found.median, found.greatest) == (0, 1.25, 0, 5)
    assert found.percentile_95 == pytest.approx(5, rel=0.0055)
    histogram.merge(LogHistogram.from_json(LogHistogram().as_json()))
    assert histogram.n == 4
