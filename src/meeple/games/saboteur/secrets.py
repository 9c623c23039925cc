"""Saboteur: what a seat knows, and all else dealt anew, each part by the weights of chance."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.core.multisets import deal, held
from meeple.games.saboteur import layout
from meeple.games.saboteur.rounds import is_saboteur

MOST_REDEALS = 1_000  # of roles, until they fit the one that is about to be dealt; one in four does at least


@kernel
def known_goals(state, seat):
    """Bits of the goals that a seat knows: those it has seen, and the third where it has seen two."""
    known = state.shown
    if seat >= 0:
        known |= state.looked[seat]
    return 7 if popcount(known) >= 2 else known


@kernel
def redeal_rest(state, seat, rng):
    """All that is hidden but the roles."""
    redeal_goals(state, seat, rng)
    redeal_cards(state, seat, rng)
    if state.phase != layout.OVER:
        redeal_gold(state, seat, rng)


@kernel
def redeal_roles(state, seat, rng):
    """The role cards that the seat has not seen, the one laid aside among them, in any order."""
    seats = state.seats
    n_dealt = state.step if state.phase == layout.ROLES else seats
    bad = layout.SABOTEURS[seats]
    n_cards = seats + 1
    saboteurs = 0
    if 0 <= seat < n_dealt:
        n_cards -= 1
        if is_saboteur(state, seat):
            bad -= 1
            saboteurs = 1 << seat
    for other in range(n_dealt):
        if other != seat:
            if draw(rng, n_cards) < bad:
                saboteurs |= 1 << other
                bad -= 1
            n_cards -= 1
    state.saboteurs = saboteurs


@kernel
def reveal_role(state, seat, role, rng):
    """Redeal the roles before that of `seat`, which is about to be dealt this one."""
    for _ in range(MOST_REDEALS):
        redeal_roles(state, seat, rng)
        left = layout.SABOTEURS[state.seats] - popcount(state.saboteurs)
        n_cards = state.seats + 1 - state.step
        if draw(rng, n_cards) < (left if role == 1 else n_cards - left):
            return


@kernel
def redeal_goals(state, seat, rng):
    """The goal cards that the seat does not know, in any order."""
    n_laid = 0
    while n_laid < 3 and state.goal[n_laid] >= 0:
        n_laid += 1
    known = known_goals(state, seat)
    counts = np.ones(3, np.int64)
    if state.crosses:
        counts[layout.STONE_NE] = 2
        counts[layout.STONE_NW] = 0
    n_cards = 3
    for k in range(n_laid):
        if (known >> k) & 1:
            counts[state.goal[k]] -= 1
            n_cards -= 1
    for k in range(n_laid):
        if not (known >> k) & 1:
            state.goal[k] = take_one(counts, n_cards, rng)
            n_cards -= 1


@kernel
def redeal_cards(state, seat, rng):
    """All cards that the seat has not seen: to the others' hands, to what they passed, and to the pile."""
    pool = state.pile
    n_pool = state.left
    for owner in range(state.seats):
        if owner != seat:
            pool += state.hand[owner] + state.passed[owner]
            n_pool += state.n_hand[owner] + state.n_passed[owner]
    for owner in range(state.seats):
        if owner != seat:
            state.hand[owner] = deal(pool, n_pool, state.n_hand[owner], rng, layout.FIELDS)
            pool -= state.hand[owner]
            n_pool -= state.n_hand[owner]
            state.passed[owner] = deal(pool, n_pool, state.n_passed[owner], rng, layout.FIELDS)
            pool -= state.passed[owner]
            n_pool -= state.n_passed[owner]
    state.pile = pool


@kernel
def redeal_gold(state, seat, rng):
    """Gold by what the seat saw pass.

    Who chooses sees the offer. So of each round the seat does not know the cards that were taken before its first
    sight of the offer; of those taken between two sights it knows which they are and not who took which. To pay
    saboteurs the bank is searched face up (RULING 13), and all know then what has left it: the unseen cards of rounds
    up to a payment are a known lot, dealt among themselves; those since the last one share a lot with the bank, and
    with an offer that the seat has not seen.
    """
    last = min(state.lap, layout.N_ROUNDS - 1)
    lot = np.zeros(3, np.int64)
    begin = 0
    for lap in range(last + 1):
        is_paid = pays_saboteurs(state, lap)
        if not is_paid and lap < last:
            continue
        lot[:] = 0
        for earlier in range(begin, lap + 1):
            for number in range(first_sight(state, earlier, seat)):
                if not is_bared(state, earlier, number):
                    lot[state.taken[earlier, number]] += 1
        hides_offer = state.n_offer > 0 and not has_seen_offer(state, seat)
        if not is_paid:
            for value in range(3):
                lot[value] += state.bank[value]
                if hides_offer:
                    lot[value] += state.offer[value]
        n = lot.sum()
        for earlier in range(begin, lap + 1):
            for number in range(first_sight(state, earlier, seat)):
                if not is_bared(state, earlier, number):
                    state.taken[earlier, number] = take_one(lot, n, rng)
                    n -= 1
        if not is_paid:
            if hides_offer:
                state.offer[:] = 0
                for _ in range(state.n_offer):
                    state.offer[take_one(lot, n, rng)] += 1
                    n -= 1
            for value in range(3):
                state.bank[value] = lot[value]
        begin = lap + 1
    for lap in range(last + 1):
        shuffle_takers(state, lap, seat, rng)


@kernel
def gather(state, seat, kind):
    """Put all cards that a seat has not seen into the pile, while the counts stay; whether one is of this kind."""
    for owner in range(state.seats):
        if owner != seat:
            state.pile += state.hand[owner] + state.passed[owner]
            state.hand[owner] = 0
            state.passed[owner] = 0
    return held(state.pile, kind, layout.FIELDS) > 0


@kernel
def first_sight(state, lap, seat):
    """How many gold cards of a round were taken before the seat saw the offer; all, if it has not."""
    for number in range(state.n_taken[lap]):
        if state.taker[lap, number] == seat:
            return number
    return state.n_taken[lap]


@kernel
def pays_saboteurs(state, lap):
    """Whether a round that is over paid saboteurs, for which the bank was searched face up."""
    return state.outcome_of[lap] == 2 and lap < state.lap


@kernel
def next_sight(state, lap, seat, begin):
    """How many gold cards of a round were taken before the seat saw the offer again, after card `begin`; else all."""
    end = begin + 1
    while end < state.n_taken[lap] and state.taker[lap, end] != seat:
        end += 1
    return end


@kernel
def hides_offer_after(state, lap, seat, end):
    """Whether the offer of now comes after these cards, and the seat does not have it before it."""
    is_now = end == state.n_taken[lap] and lap == state.lap and state.n_offer > 0
    return is_now and not (state.phase == layout.CHOOSE and state.seat == seat)


@kernel
def is_bared(state, lap, number):
    """Whether a gold card that was taken lies open, since its owner needed change."""
    return lap < state.bared[state.taker[lap, number]]


@kernel
def has_seen_offer(state, seat):
    """Whether the seat has had the offer before it in this round."""
    if state.phase == layout.CHOOSE and state.seat == seat:
        return True
    return first_sight(state, state.lap, seat) < state.n_taken[state.lap]


@kernel
def shuffle_takers(state, lap, seat, rng):
    """After the seat's first sight: the cards between two sights are known, their takers are not.

    After its last sight the rest of the offer belongs to the lot, unless the seat has it before it now.
    """
    lot = np.zeros(3, np.int64)
    n_taken = state.n_taken[lap]
    begin = first_sight(state, lap, seat)
    while begin < n_taken:
        lot[:] = 0
        end = next_sight(state, lap, seat, begin)
        for number in range(begin + 1, end):
            if not is_bared(state, lap, number):
                lot[state.taken[lap, number]] += 1
        with_offer = hides_offer_after(state, lap, seat, end)
        if with_offer:
            for value in range(3):
                lot[value] += state.offer[value]
        n = lot.sum()
        for number in range(begin + 1, end):
            if not is_bared(state, lap, number):
                state.taken[lap, number] = take_one(lot, n, rng)
                n -= 1
        if with_offer:
            for value in range(3):
                state.offer[value] = lot[value]
        begin = end


@kernel
def check_secrets(state):
    """The invariants of roles and goals."""
    seats = state.seats
    n = popcount(state.saboteurs)
    if n > layout.SABOTEURS[seats] or (state.phase > layout.ROLES and n < layout.SABOTEURS[seats] - 1):
        return 6
    counts = np.zeros(3, np.int64)
    for k in range(3):
        if state.goal[k] >= 0:
            counts[state.goal[k]] += 1
    if counts[0] > 1 or counts[1] > 1 + state.crosses or counts[2] > 1 - state.crosses:
        return 7
    return 0


@kernel
def take_one(counts, n, rng):
    """One of n things, counted by kind, taken out at random; its kind."""
    at = draw(rng, n)
    kind = 0
    while at >= counts[kind]:
        at -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind
