"""Saboteur: multisets of cards in one word, a field a kind."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.saboteur import layout


@kernel
def holds(cards, kind):
    """How many cards of a kind are in a multiset."""
    return (cards >> layout.FIELD_AT[kind]) & layout.FIELD_MASK[kind]


@kernel
def one_card(kind):
    """A multiset of one card."""
    return np.int64(1) << layout.FIELD_AT[kind]


@kernel
def kinds_in(cards):
    """The lowest bit of each kind that is in a multiset."""
    return (cards | (cards >> 1 & layout.LOW_2) | (cards >> 2 & layout.LOW_3)) & layout.LOW


@kernel
def nth_card(cards, k):
    """The kind of card number k of a multiset laid out by kind."""
    kind = np.int64(0)
    n = holds(cards, kind)
    while k >= n:
        k -= n
        kind += 1
        n = holds(cards, kind)
    return kind


@kernel
def kind_of(action):
    """The kind of card that a move in a turn plays or passes."""
    if action < layout.ROCKFALL:
        return layout.KIND_AT[action & 63]
    if action < layout.MAP:
        return np.int64(layout.ROCKFALL_CARD)
    if action < layout.BREAK:
        return np.int64(layout.MAP_CARD)
    if action < layout.REPAIR:
        return layout.BREAK_CARD + (action - layout.BREAK) // layout.MOST
    if action < layout.DOUBLE:
        return layout.REPAIR_CARD + (action - layout.REPAIR) // layout.MOST
    if action < layout.PASS:
        return layout.DOUBLE_CARD + (action - layout.DOUBLE) // (2 * layout.MOST)
    return action - layout.PASS


@kernel
def take_one(counts, n, rng):
    """One of n things, counted by kind, taken out at random; its kind."""
    at = draw(rng, n)
    kind = np.int64(0)
    while at >= counts[kind]:
        at -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


@kernel
def deal_cards(pool, n_pool, n, rng):
    """A random multiset of n of the n_pool cards in the pool."""
    dealt = np.int64(0)
    for i in range(n):
        dealt += one_card(nth_card(pool - dealt, draw(rng, n_pool - i)))
    return dealt


@kernel
def count_cards(cards):
    """The size of a multiset."""
    n = np.int64(0)
    for kind in range(layout.N_KINDS):
        n += holds(cards, kind)
    return n
