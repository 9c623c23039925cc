"""The duel: multisets of cards in one word of 20 kinds, 3 bits each."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.saboteur_duel.layout import CARDS, FIELD, MAP_CARD, N_KINDS, ONES


@kernel
def full_deck(state):
    """All cards of the game as a multiset."""
    cards = np.int64(0)
    for kind in range(N_KINDS):
        n = np.int64(state.n_maps) if kind == MAP_CARD else CARDS[kind]
        cards += n << (3 * kind)
    return cards


@kernel
def holds(cards, kind):
    """How many cards of a kind are in a multiset."""
    return (cards >> (3 * kind)) & FIELD


@kernel
def kinds_in(cards):
    """The lowest bit of each kind that is in a multiset."""
    return (cards | cards >> 1 | cards >> 2) & ONES


@kernel
def nth_card(cards, k):
    """The kind of card number k of a multiset laid out by kind."""
    kind = np.int64(0)
    while k >= cards & FIELD:
        k -= cards & FIELD
        cards >>= 3
        kind += 1
    return kind


@kernel
def deal_cards(pool, n_pool, n, rng):
    """A random multiset of n of the n_pool cards in the pool."""
    dealt = np.int64(0)
    for i in range(n):
        dealt += np.int64(1) << (3 * nth_card(pool - dealt, draw(rng, n_pool - i)))
    return dealt


@kernel
def count_cards(cards):
    """The size of a multiset."""
    n = np.int64(0)
    for kind in range(N_KINDS):
        n += holds(cards, kind)
    return n
