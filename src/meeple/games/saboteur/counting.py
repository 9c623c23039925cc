"""Saboteur: how many worlds fit what a seat knows, each part counted by itself: roles, goals, cards, gold.

The parts are those of secrets.py, which deals them anew independently of each other, so their numbers multiply.
Numbers are floats, since they pass 10 to the 30th; up to 2 to the 53rd they are exact, beyond that to 15 digits.
"""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.multisets import held
from meeple.games.saboteur import layout
from meeple.games.saboteur.rounds import is_saboteur
from meeple.games.saboteur.secrets import (
    first_sight,
    has_seen_offer,
    hides_offer_after,
    is_bared,
    known_goals,
    next_sight,
    pays_saboteurs,
)

WORD = 62  # bits of a state of a count of cards
MOST_STATES = 20_000  # of a count of cards; with more it would take longer than all else that is measured
MOST_SETS = 2 * layout.MOST
CHOOSE = np.array([[float(comb(n, k)) for k in range(MOST_SETS + 1)] for n in range(MOST_SETS + 1)])
FACTORIAL = np.array([float(factorial(n)) for n in range(layout.N_CARDS + 1)])


@kernel
def count_worlds(state, seat):
    """All that a seat cannot know; -1 where the cards would take too long to count."""
    cards = count_cards(state, seat)
    if cards < 0:
        return cards
    return cards * count_roles(state, seat) * count_goals(state, seat) * count_gold(state, seat)


# --- roles and goals ------------------------------------------------------------------------------------


@kernel
def count_roles(state, seat):
    """Deals of the role cards that a seat has not seen; cards of a role are alike, and one is laid aside."""
    if not layout.ROLES <= state.phase <= layout.TAKE_CARD:
        return 1.0
    n = state.step if state.phase == layout.ROLES else np.int64(state.seats)
    bad, good = layout.SABOTEURS[state.seats], layout.MINERS[state.seats]
    if 0 <= seat < n:
        n -= 1
        bad -= np.int64(is_saboteur(state, seat))
        good -= np.int64(not is_saboteur(state, seat))
    total = 0.0
    for saboteurs in range(max(0, n - good), min(bad, n) + 1):
        total += CHOOSE[n, saboteurs]
    return total


@kernel
def count_goals(state, seat):
    """Orders of the goal cards that a seat does not know."""
    known = known_goals(state, seat)
    lot = np.ones(3, np.int64)
    if state.crosses:
        lot[layout.STONE_NE] = 2
        lot[layout.STONE_NW] = 0
    n = 0
    for k in range(3):
        if state.goal[k] >= 0:
            if (known >> k) & 1:
                lot[state.goal[k]] -= 1
            else:
                n += 1
    return count_rows(lot, n, 0)


@kernel
def count_rows(lot, n_row, n_heap):
    """Rows of so many things out of a lot of three kinds, and besides heaps, which have no order, out of the rest."""
    total = 0.0
    for a in range(min(lot[0], n_row) + 1):
        for b in range(min(lot[1], n_row - a) + 1):
            c = n_row - a - b
            if c <= lot[2]:
                rows = FACTORIAL[n_row] / (FACTORIAL[a] * FACTORIAL[b] * FACTORIAL[c])
                total += rows * count_heaps(lot[0] - a, lot[1] - b, lot[2] - c, n_heap)
    return total


@kernel
def count_heaps(a, b, c, n):
    """Multisets of n out of so many of three kinds."""
    total = 0
    for i in range(min(a, n) + 1):
        for j in range(min(b, n - i) + 1):
            total += np.int64(n - i - j <= c)
    return total


# --- gold -----------------------------------------------------------------------------------------------


@kernel
def count_gold(state, seat):
    """Values of the gold cards that a seat has not seen, by the lots in which `redeal_gold` deals them."""
    if state.phase == layout.OVER:
        return 1.0
    lot = np.zeros(3, np.int64)
    begin, worlds = 0, 1.0
    for lap in range(state.lap + 1):
        is_paid = pays_saboteurs(state, lap)
        if not is_paid and lap < state.lap:
            continue
        lot[:] = 0
        n = 0
        for earlier in range(begin, lap + 1):
            for number in range(first_sight(state, earlier, seat)):
                if not is_bared(state, earlier, number):
                    lot[state.taken[earlier, number]] += 1
                    n += 1
        n_heap = 0
        if not is_paid:
            lot += state.bank
            if state.n_offer > 0 and not has_seen_offer(state, seat):
                lot += state.offer
                n_heap = np.int64(state.n_offer)
        worlds *= count_rows(lot, n, n_heap)
        begin = lap + 1
    for lap in range(state.lap + 1):
        worlds *= count_takers(state, lap, seat)
    return worlds


@kernel
def count_takers(state, lap, seat):
    """Who took which of the gold cards that left the offer between two sights of it, as `shuffle_takers` deals them."""
    lot = np.zeros(3, np.int64)
    n_taken = state.n_taken[lap]
    begin, worlds = first_sight(state, lap, seat), 1.0
    while begin < n_taken:
        lot[:] = 0
        n = 0
        end = next_sight(state, lap, seat, begin)
        for number in range(begin + 1, end):
            if not is_bared(state, lap, number):
                lot[state.taken[lap, number]] += 1
                n += 1
        if hides_offer_after(state, lap, seat, end):
            lot += state.offer
        worlds *= count_rows(lot, n, 0)
        begin = end
    return worlds


# --- cards ----------------------------------------------------------------------------------------------


@kernel
def count_cards(state, seat):
    """Deals of the unseen cards to the other hands and to what others passed; the pile has the rest. -1: too many."""
    pool = state.pile
    sizes = np.zeros(MOST_SETS, np.int64)
    n_sets = 0
    for owner in range(state.seats):
        if owner != seat:
            pool += state.hand[owner] + state.passed[owner]
            sizes[n_sets] = state.n_hand[owner]
            sizes[n_sets + 1] = state.n_passed[owner]
            n_sets += 2
    return count_sets(pool, sizes)


@kernel
def count_sets(pool, sizes):
    """In how many ways sets of these sizes can be taken out of a pool; -1 where that takes too long.

    Cards of a kind are alike. Sets are not, but two that lack as many cards go on alike: a state of the count is how
    many sets still lack 1, 2, 3 ... cards, in digits of a word. Kinds are dealt one after the other. Those of a single
    copy come last and all at once.
    """
    largest = sizes.max()
    digit = bits_of((sizes > 0).sum())
    if digit * largest > WORD:
        return -1.0
    keys = list_states(sizes, digit)
    n_states = len(keys)
    if n_states == 0:
        return -1.0
    after = steps_down(keys, digit, largest)
    ways, spread = np.zeros(n_states), np.zeros((n_states, layout.N_CARDS))
    ways[n_states - 1] = 1.0  # nothing is dealt
    singles = 0
    for kind in range(layout.N_KINDS):
        copies = held(pool, kind, layout.FIELDS)
        if copies == 1:
            singles += 1
        elif copies > 1:
            deal_kind(keys, digit, after, ways, spread, copies, largest)
    total = 0.0
    for i in range(n_states):
        if ways[i] > 0:
            total += ways[i] * fill_with(keys[i], digit, singles, largest)
    return total


@kernel
def bits_of(n):
    """The bits of a number."""
    bits = 0
    while n >> bits:
        bits += 1
    return bits


@kernel
def list_states(sizes, digit):
    """All states that sets of these sizes can come to, ascending: the last is that of empty sets; none if too many.

    As rows of what each set lacks they descend, and none is above its place among the sizes in descending order. The
    next row raises the last place that can be, with zeros behind it; keys ascend as the rows do.
    """
    most = -np.sort(-sizes)
    keys = np.empty(MOST_STATES, np.int64)
    n_keys = 0
    row = np.zeros(len(most), np.int64)
    place = 0
    while place >= 0:
        if n_keys == MOST_STATES:
            return keys[:0]
        key = 0
        for lacking in row:
            if lacking > 0:
                key += 1 << (digit * (lacking - 1))
        keys[n_keys] = key
        n_keys += 1
        place = len(row) - 1
        while place >= 0 and (row[place] == most[place] or (place > 0 and row[place] == row[place - 1])):
            row[place] = 0
            place -= 1
        if place >= 0:
            row[place] += 1
    return keys[:n_keys]


@kernel
def steps_down(keys, digit, largest):
    """after[i, lacking]: the state where one set that lacks so many in state i lacks one fewer."""
    after = np.full((len(keys), largest + 1), -1, np.int64)
    for i in range(len(keys)):
        for lacking in range(1, largest + 1):
            if n_lacking(keys[i], digit, lacking) > 0:
                key = keys[i] - (1 << (digit * (lacking - 1)))
                if lacking > 1:
                    key += 1 << (digit * (lacking - 2))
                after[i, lacking] = np.searchsorted(keys, key)
    return after


@kernel
def n_lacking(key, digit, lacking):
    """How many sets lack so many cards."""
    return (key >> (digit * (lacking - 1))) & ((1 << digit) - 1)


@kernel
def deal_kind(keys, digit, after, ways, spread, copies, largest):
    """Deal so many copies of a kind, in all ways; those that no set takes are left in the pile.

    spread[i, left]: ways to state i with copies left. A set takes its copies once, so those that lack few come first:
    one that has taken counts among those, and they are done. What leads to a state comes from a later one, so with
    states in ascending order nothing is moved twice.
    """
    for i in range(len(keys)):
        spread[i, :copies] = 0.0
        spread[i, copies] = ways[i]
    for lacking in range(1, largest + 1):
        for given in range(1, min(lacking, copies) + 1):
            for i in range(len(keys)):
                n = n_lacking(keys[i], digit, lacking)
                if n == 0:
                    continue
                for left in range(given, copies + 1):
                    weight = spread[i, left]
                    if weight == 0:
                        continue
                    state = i
                    for times in range(1, min(n, left // given) + 1):
                        for step in range(given):
                            state = after[state, lacking - step]
                        spread[state, left - times * given] += weight * CHOOSE[n, times]
    for i in range(len(keys)):
        ways[i] = spread[i, : copies + 1].sum()


@kernel
def fill_with(key, digit, singles, largest):
    """In how many ways single cards, all different, fill what the sets lack; the pile has the rest."""
    left, ways = singles, 1.0
    for lacking in range(1, largest + 1):
        for _ in range(n_lacking(key, digit, lacking)):
            if left < lacking:
                return 0.0
            ways *= FACTORIAL[left] / (FACTORIAL[lacking] * FACTORIAL[left - lacking])
            left -= lacking
    return ways
