"""Ingenious: the 120 tiles, and sets of tiles as numbers.

There are 21 kinds: six doubles, then the fifteen pairs of two colours. No kind has more than six tiles, so a set of
tiles is 21 counts of three bits in one int64 (core/multisets.py). The size of a set and its n-th tile are found here
without a loop.

A tile of two colours can lie in a position in two ways: an *oriented* tile is 0..5 for a double,
6 + 2 * (kind - 6) for a pair whose lower colour lies on the first cell, and one more for the other way round.
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.kernel import kernel

N_COLOURS = 6
N_KINDS = 21
N_ORIENTED = 36
N_TILES = 120
HAND = 6  # tiles in a full hand
KINDS = tuple((a, a) for a in range(6)) + tuple((a, b) for a in range(6) for b in range(a + 1, 6))


FIELDS = multisets.fields_of([3] * N_KINDS)
LOWS = multisets.lows_of(FIELDS)


def set_of(counts: list[int]) -> int:
    """The set with so many tiles of each kind."""
    return multisets.packed(counts, FIELDS)


def counts_of(tiles: int) -> list[int]:
    """How many tiles of each kind a set holds."""
    return multisets.counts_of(tiles, FIELDS)


ALL_TILES = set_of([5] * 6 + [6] * 15)
ONE_EACH = set_of([1] * N_KINDS)
DOUBLES = set_of([1] * 6)
PAIRS = ONE_EACH - DOUBLES
# SHOWING[colour]: all the bits of the kinds that show a colour.
SHOWING = np.array([set_of([7 if c in kind else 0 for kind in KINDS]) for c in range(6)], dtype=np.int64)
# Of an oriented tile: its kind, and the colours on the first and the second cell of its position.
KIND_OF = np.array([*range(6), *(kind for kind in range(6, 21) for _ in range(2))], dtype=np.int64)
COLOUR_1 = np.array(
    [KINDS[k][0] if o < 6 or o % 2 == 0 else KINDS[k][1] for o, k in enumerate(KIND_OF)], dtype=np.int64
)
COLOUR_2 = np.array(
    [KINDS[k][1] if o < 6 or o % 2 == 0 else KINDS[k][0] for o, k in enumerate(KIND_OF)], dtype=np.int64
)

# Seven fields of nine bits, each for three kinds: wide enough for running totals up to 120.
_LOW_THREE = sum(7 << (9 * field) for field in range(7))
_ONE_A_FIELD = sum(1 << (9 * field) for field in range(7))
_TOP_BITS = 256 * _ONE_A_FIELD
_ALL_BITS = (1 << 63) - 1


@kernel
def size_of(tiles):
    """How many tiles a set holds."""
    return running_totals(by_three(tiles)) >> 54


@kernel
def by_three(tiles):
    """The tiles of three kinds at a time, nine bits each."""
    return (tiles & _LOW_THREE) + ((tiles >> 3) & _LOW_THREE) + ((tiles >> 6) & _LOW_THREE)


@kernel
def running_totals(fields):
    """Each of the seven fields with all before it added. By shifts: a signed product must not overflow."""
    fields += (fields << 9) & _ALL_BITS
    fields += (fields << 18) & _ALL_BITS
    return fields + ((fields << 36) & _ALL_BITS)


@kernel
def nth_tile(tiles, n):
    """The kind of the tile at place `n` of a set laid out kind by kind; without a loop."""
    fields = by_three(tiles)
    totals = running_totals(fields)
    # A field's top bit stays set where its running total does not pass n.
    group = popcount(((256 + n) * _ONE_A_FIELD - totals) & _TOP_BITS)
    n -= ((totals - fields) >> (9 * group)) & 511
    three = tiles >> (9 * group)
    first = three & 7
    return 3 * group + np.int64(n >= first) + np.int64(n >= first + ((three >> 3) & 7))


@kernel
def commonest(tiles):
    """The first of the kinds of which a set holds most."""
    best = 0
    for kind in range(1, N_KINDS):
        if multisets.held(tiles, kind, FIELDS) > multisets.held(tiles, best, FIELDS):
            best = kind
    return best


@kernel
def count_oriented(kinds):
    """In how many ways, of kind and direction, one of these kinds can be laid."""
    return popcount(kinds & DOUBLES) + 2 * popcount(kinds & PAIRS)


@kernel
def first_oriented(kind):
    """The first way in which a kind can be laid."""
    return kind if kind < 6 else 2 * kind - 6


@kernel
def nth_oriented(kinds, n):
    """The oriented tile at place `n` of all that these kinds allow."""
    doubles = popcount(kinds & DOUBLES)
    skip = n if n < doubles else doubles + (n - doubles) // 2
    for _ in range(skip):
        kinds &= kinds - 1
    kind = lowest_bit(kinds) // 3
    return kind if kind < 6 else 2 * kind - 6 + ((n - doubles) & 1)


@kernel
def deal(pool, n, rng):
    """A set of `n` tiles drawn from a pool, each tile as likely as another."""
    hand = 0
    left = size_of(pool)
    for _ in range(n):
        tile = multisets.single(nth_tile(pool, draw(rng, left)), FIELDS)
        pool -= tile
        hand += tile
        left -= 1
    return hand
