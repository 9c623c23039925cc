"""Multisets in one word against lists of kinds."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from meeple.core import multisets
from meeple.core.chance import Stream

WIDTHS = {"even": (6,) * 5, "full": (3,) * 21, "mixed": (2, 1, 3, 3, 1, 2, 5)}


def things(widths: tuple[int, ...], seed: int) -> list[int]:
    """Some kinds, no more of each than its field can hold."""
    rng = random.Random(seed)
    return [kind for kind, width in enumerate(widths) for _ in range(rng.randrange(1 << width))]


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize("seed", range(4))
def test_a_multiset_answers_as_a_list_of_kinds_does(name: str, seed: int) -> None:
    widths = WIDTHS[name]
    fields = multisets.fields_of(widths)
    kinds = things(widths, seed)
    count = Counter(kinds)
    word = np.int64(multisets.gathered(kinds, fields))
    assert 0 <= word == multisets.packed([count[kind] for kind in range(len(widths))], fields)
    assert multisets.kinds_of(int(word), fields) == kinds
    assert multisets.counts_of(int(word), fields) == [count[kind] for kind in range(len(widths))]
    assert [multisets.held(word, np.int64(kind), fields) for kind in range(len(widths))] == [
        count[kind] for kind in range(len(widths))
    ]
    assert multisets.size_of(word, fields) == len(kinds)
    assert [multisets.nth_kind(word, np.int64(n), fields) for n in range(len(kinds))] == kinds


@pytest.mark.parametrize("name", WIDTHS)
def test_the_kinds_of_a_multiset_are_the_lowest_bits_of_their_fields(name: str) -> None:
    fields = multisets.fields_of(WIDTHS[name])
    lows = multisets.lows_of(fields)
    for kind, width in enumerate(WIDTHS[name]):
        low = multisets.single(np.int64(kind), fields)
        for n in range(1, 1 << width):
            assert multisets.kinds_in(multisets.copies(np.int64(n), np.int64(kind), fields), lows) == low
    kinds = things(WIDTHS[name], seed=9)
    word = np.int64(multisets.gathered(kinds, fields))
    assert multisets.kinds_in(word, lows) == multisets.gathered(set(kinds), fields)


def test_what_is_dealt_comes_from_the_pool() -> None:
    fields = multisets.fields_of(WIDTHS["mixed"])
    kinds = things(WIDTHS["mixed"], seed=2)
    pool = np.int64(multisets.gathered(kinds, fields))
    rng = Stream(3)
    for n in range(len(kinds) + 1):
        hand = multisets.deal(pool, np.int64(len(kinds)), np.int64(n), rng.array, fields)
        dealt = Counter(multisets.kinds_of(int(hand), fields))
        assert dealt.total() == n
        assert dealt <= Counter(kinds)


def test_every_thing_is_as_likely_to_be_dealt() -> None:
    fields = multisets.fields_of((2, 3))
    pool = np.int64(multisets.packed([2, 4], fields))
    rng = Stream(1)
    n = 3_000
    hits = sum(int(multisets.deal(pool, np.int64(6), np.int64(1), rng.array, fields)) == 1 for _ in range(n))
    # A third of 3,000 draws: 25.8 is one standard deviation, and five are passed by one seed in a million.
    assert abs(hits - n / 3) < 5 * (n * 2 / 9) ** 0.5


def test_fields_that_fill_no_word_are_refused() -> None:
    with pytest.raises(AssertionError, match="64 bits are too many"):
        multisets.fields_of((4,) * 16)


def test_ways_to_deal_are_those_of_a_brute_force() -> None:
    fields = multisets.fields_of([3] * 5)
    rng = random.Random(4)
    for _ in range(25):
        things = sorted(rng.randrange(5) for _ in range(8))
        sizes = [rng.randrange(3), rng.randrange(3), rng.randrange(2), rng.randrange(2)]
        barred = {kind for kind in range(5) if rng.random() < 0.2}
        found = set()
        for order in permutations(range(8), sum(sizes)):
            taken, dealt = iter(order), []
            for size in sizes:
                dealt.append(tuple(sorted(things[next(taken)] for _ in range(size))))
            if not barred & set(dealt[0]):
                found.add(tuple(dealt))
        pool, out = multisets.gathered(things, fields), multisets.gathered(barred, fields)
        assert multisets.count_deals(pool, np.array(sizes), out, fields) == len(found)
