"""Multisets in one word: how many there are of each of a few kinds, side by side in an int64.

Every kind has a field of bits, wide enough for all that there are of it; kind 0 is lowest, and 63 bits are used at
most. Multisets with the same fields are joined by + and parted by -. A game makes the table of its fields once, by
`fields_of`, and hands it to the functions here; it is compiled into kernels as a constant.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.kernel import kernel

Fields = NDArray[np.int64]
MOST_BITS = 63

# --- tables and texts --------------------------------------------------------------------------------


def fields_of(widths: Iterable[int]) -> Fields:
    """For fields of so many bits, kind by kind: the lowest bit of each, and the mask of its width."""
    rows, bit = [], 0
    for width in widths:
        rows.append((bit, (1 << width) - 1))
        bit += width
    assert bit <= MOST_BITS, f"{bit} bits are too many for one word"
    fields = np.array(rows, dtype=np.int64)
    fields.flags.writeable = False  # by name or through a module, it is compiled by the same type
    return fields


def lows_of(fields: Fields) -> NDArray[np.int64]:
    """Row i: the lowest bit of each field that is wider than i bits; `kinds_in` asks for it."""
    widest = int(fields[:, 1].max()).bit_length()
    lows = np.array(
        [sum(1 << bit for bit, mask in fields.tolist() if mask >> i) for i in range(widest)], dtype=np.int64
    )
    lows.flags.writeable = False
    return lows


def packed(counts: Iterable[int], fields: Fields) -> int:
    """The multiset with so many of each kind, from kind 0 on."""
    return sum(int(count) << bit for count, (bit, _mask) in zip(counts, fields.tolist(), strict=False))


def gathered(kinds: Iterable[int], fields: Fields) -> int:
    """The multiset of these things, told by their kinds."""
    return sum(1 << int(fields[kind, 0]) for kind in kinds)


def counts_of(things: int, fields: Fields) -> list[int]:
    """How many of each kind a multiset holds."""
    return [int(things) >> bit & mask for bit, mask in fields.tolist()]


def kinds_of(things: int, fields: Fields) -> list[int]:
    """The kind of each thing in a multiset, ascending."""
    return [kind for kind, count in enumerate(counts_of(things, fields)) for _ in range(count)]


# --- compiled ----------------------------------------------------------------------------------------


@kernel
def copies(n, kind, fields):
    """The multiset of n of a kind."""
    return n << fields[kind, 0]


@kernel
def single(kind, fields):
    """The multiset of one of a kind."""
    return 1 << fields[kind, 0]


@kernel
def held(things, kind, fields):
    """How many of a kind are in a multiset."""
    return (things >> fields[kind, 0]) & fields[kind, 1]


@kernel
def kinds_in(things, lows):
    """The kinds that are in a multiset, each as the lowest bit of its field."""
    kinds = things & lows[0]
    for i in range(1, len(lows)):
        kinds |= (things >> i) & lows[i]
    return kinds


@kernel
def size_of(things, fields):
    """How many things are in a multiset."""
    n = 0
    for kind in range(len(fields)):
        n += held(things, kind, fields)
    return n


@kernel
def nth_kind(things, n, fields):
    """The kind of thing number n, from 0, of a multiset laid out by kind; it has more than n."""
    kind = 0
    before = 0
    # Without an early way out, so that there is no branch to mispredict.
    for k in range(len(fields) - 1):
        before += held(things, k, fields)
        kind += np.int64(n >= before)
    return kind


@kernel
def deal(pool, n_pool, n, rng, fields):
    """A random multiset of n of the n_pool things in the pool."""
    dealt = 0
    for i in range(n):
        dealt += single(nth_kind(pool - dealt, draw(rng, n_pool - i), fields), fields)
    return dealt


@kernel
def count_deals(pool, sizes, barred, fields):
    """In how many ways sets of these sizes can be taken out of a pool; four sizes, the order within a set is none.

    `barred`: kinds, as a multiset that holds some of each, of which the first set takes none. By the kinds one after
    the other: how many ways lead to each number of things in each set so far. A float: numbers may be large.
    """
    a, b, c, d = sizes[0], sizes[1], sizes[2], sizes[3]
    ways = np.zeros((a + 1, b + 1, c + 1, d + 1), np.float64)
    ways[0, 0, 0, 0] = 1.0
    for kind in range(len(fields)):
        n = held(pool, kind, fields)
        most = 0 if held(barred, kind, fields) else n
        # From full sets down, so that what is read is still without this kind.
        for i in range(a, -1, -1):
            for j in range(b, -1, -1):
                for k in range(c, -1, -1):
                    for m in range(d, -1, -1):
                        total = 0.0
                        for ti in range(min(i, most) + 1):
                            for tj in range(min(j, n - ti) + 1):
                                for tk in range(min(k, n - ti - tj) + 1):
                                    for tm in range(min(m, n - ti - tj - tk) + 1):
                                        total += ways[i - ti, j - tj, k - tk, m - tm]
                        ways[i, j, k, m] = total
    return ways[a, b, c, d]
