"""Hoard: a tiny game of dice, hidden cards and face-down discards, for 2 to 4 seats.

Fifteen cards, five each of 1, 2 and 3; two in hand. A turn: a die of three faces is rolled, then the seat
plays a card face up and scores its value, or drops one face down on its hoard. A played card that equals
the die gives the seat another move. Then it draws back to two cards. After the last round the hoards are
turned up and score; most points win, and equals share.

State   STATE below
Action  0, 1: play the card in that place of the hand; 2, 3: drop it
Chance  0..2: the face of the die, or the value of a card drawn, less one
Hidden  hands; hoards until the end; others see that a card was dropped, not from which place
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.core.ranges import KEPT

N_VALUES = 3
COPIES = 5
HAND = 2
SEATS = (2, 4)
DEAL, ROLL, ACT, DRAW, OVER = range(5)  # phases
ROUNDS, DOUBLE = 0, 1  # places in `options`

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("seats", np.int8),
            ("n_rounds", np.int8),  # 2 or 3
            ("double", np.int8),  # 1: a hoarded card scores twice its value
            ("lap", np.int8),  # rounds finished
            ("phase", np.int8),
            ("mover", np.int8),
            ("die", np.int8),  # 1..3, 0 before the roll
            ("table", np.int8, (3,)),  # cards played, by value
            ("points", np.int8, (4,)),
            ("n_hand", np.int8, (4,)),
            ("hand", np.int8, (4, 2)),  # hidden: value 1..3 in each place, 0 where empty
            ("n_hoard", np.int8, (4,)),
            ("hoard", np.int8, (4, 3)),  # hidden until the end: cards dropped, by value
        ],
    )
)
RANGES = {
    "seats": KEPT,
    "n_rounds": KEPT,
    "double": KEPT,
    "lap": (0, 3),
    "phase": (DEAL, OVER),
    "mover": (0, SEATS[1] - 1),
    "die": (0, N_VALUES),
    "table": (0, COPIES),
    "points": (0, N_VALUES * COPIES),
    "n_hand": (0, HAND),
    "hand": (0, N_VALUES),
    "n_hoard": (0, 15),
    "hoard": (0, COPIES),
}
ACTIONS = 4
MAX_ACTIONS = 4
OUTCOMES = 3
CHECKS = (
    "no value may have more than five cards in play",
    "a hand must be as full as its count, from the left",
    "a hoard must hold as many cards as its count",
    "the game is over when its rounds are, and not before",
    "whoever is to draw must have room for a card, whoever is to act a card",
)


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.seats = seats
    state.n_rounds = options[ROUNDS] + 2
    state.double = options[DOUBLE]
    state.lap = 0
    state.phase = DEAL
    state.mover = 0
    state.die = 0
    state.table[:] = 0
    state.points[:] = 0
    state.n_hand[:] = 0
    state.hand[:, :] = 0
    state.n_hoard[:] = 0
    state.hoard[:, :] = 0


@kernel
def to_move(state):
    if state.phase == OVER:
        return np.int64(NOBODY)
    if state.phase == ACT:
        return np.int64(state.mover)
    return np.int64(CHANCE)


@kernel
def legal_actions(state, out):
    n = np.int64(state.n_hand[state.mover])
    for place in range(n):
        out[place] = place
        out[n + place] = HAND + place
    return 2 * n


@kernel
def chance_weights(state, out):
    for value in range(N_VALUES):
        out[value] = 1 if state.phase == ROLL else in_deck(state, value)


@kernel
def in_deck(state, value):
    """How many cards of this value (counted from 0) are in the deck."""
    count = COPIES - np.int64(state.table[value])
    for seat in range(state.seats):
        count -= np.int64(state.hoard[seat, value])
        for place in range(HAND):
            if state.hand[seat, place] == value + 1:
                count -= 1
    return count


@kernel
def chance_key(state):
    turn = np.int64(state.lap) * 4 + np.int64(state.mover)
    holds = np.int64(state.n_hand[state.mover])
    if state.phase == ROLL:
        event = np.int64(0)
    elif state.phase == DRAW:
        event = 1 + holds
    else:
        event = 4 + holds
    return turn * 8 + event


@kernel
def apply(state, action):
    if state.phase == ROLL:
        state.die = action + 1
        state.phase = ACT
    elif state.phase == ACT:
        act(state, action)
    else:
        take_card(state, action)


@kernel
def take_card(state, value):
    """Put a drawn card into the mover's hand, and see what comes next."""
    mover = np.int64(state.mover)
    state.hand[mover, state.n_hand[mover]] = value + 1
    state.n_hand[mover] += 1
    if state.phase == DRAW:
        fill_hand(state)
    elif state.n_hand[mover] == HAND:
        state.mover = (mover + 1) % np.int64(state.seats)
        if state.mover == 0:
            state.phase = ROLL


@kernel
def act(state, action):
    """Play or drop a card."""
    mover = np.int64(state.mover)
    place = action % HAND
    value = np.int64(state.hand[mover, place])
    if place == 0:
        state.hand[mover, 0] = state.hand[mover, 1]
    state.hand[mover, 1] = 0
    state.n_hand[mover] -= 1
    moves_again = False
    if action < HAND:
        state.table[value - 1] += 1
        state.points[mover] += value
        moves_again = value == state.die and state.n_hand[mover] > 0
    else:
        state.hoard[mover, value - 1] += 1
        state.n_hoard[mover] += 1
    if not moves_again:
        state.phase = DRAW
        fill_hand(state)


@kernel
def fill_hand(state):
    """Go on drawing, or pass the turn on where the hand is full or the deck empty."""
    left = np.int64(0)
    for value in range(N_VALUES):
        left += in_deck(state, value)
    if state.n_hand[state.mover] == HAND or left == 0:
        next_turn(state)


@kernel
def next_turn(state):
    """The next seat that holds a card is to roll; after the last round the game is over."""
    state.die = 0
    state.phase = ROLL
    while True:
        state.mover = (np.int64(state.mover) + 1) % np.int64(state.seats)
        if state.mover == 0:
            state.lap += 1
        if state.lap == state.n_rounds:
            state.phase = OVER
            return
        if state.n_hand[state.mover] > 0:
            return


@kernel
def redeal(state, seat, rng):
    state.fate = fresh_fate(rng)
    pool = np.zeros(N_VALUES, np.int64)
    for value in range(N_VALUES):
        pool[value] = COPIES - np.int64(state.table[value])
    for owner in range(state.seats):
        for value in range(N_VALUES):
            if owner == seat or state.phase == OVER:
                pool[value] -= np.int64(state.hoard[owner, value])
        for place in range(HAND):
            if owner == seat and state.hand[owner, place] > 0:
                pool[state.hand[owner, place] - 1] -= 1
    for owner in range(state.seats):
        if owner == seat:
            continue
        for place in range(state.n_hand[owner]):
            state.hand[owner, place] = take(pool, rng) + 1
        if state.phase != OVER:
            state.hoard[owner, :] = 0
            for _ in range(state.n_hoard[owner]):
                state.hoard[owner, take(pool, rng)] += 1


@kernel
def take(pool, rng):
    """Draw a card out of the pool and return its value, counted from 0."""
    at = draw(rng, pool.sum())
    value = np.int64(0)
    while at >= pool[value]:
        at -= pool[value]
        value += 1
    pool[value] -= 1
    return value


@kernel
def seen(state, action, seat):
    is_secret = state.phase == DEAL or state.phase == DRAW or (state.phase == ACT and action >= HAND)
    return np.int64(HIDDEN) if is_secret and seat != state.mover else np.int64(action)


@kernel
def ranks(state, out):
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if score(state, other) > score(state, seat):
                out[seat] += 1


@kernel
def score(state, seat):
    points = np.int64(state.points[seat])
    if state.phase == OVER:
        for value in range(N_VALUES):
            points += np.int64(state.hoard[seat, value]) * (value + 1) * (np.int64(state.double) + 1)
    return points


@kernel
def round_index(state):
    return np.int64(state.lap)


@kernel
def count_worlds(state, seat):
    pool = np.zeros(N_VALUES, np.int64)
    for value in range(N_VALUES):
        pool[value] = COPIES - np.int64(state.table[value])
        for owner in range(state.seats):
            if owner == seat or state.phase == OVER:
                pool[value] -= np.int64(state.hoard[owner, value])
    if seat >= 0:
        for place in range(state.n_hand[seat]):
            pool[state.hand[seat, place] - 1] -= 1
    return float(ways(state, seat, np.int64(0), np.int64(0), np.int64(0), pool))


@kernel
def ways(state, seat, owner, slot, least, pool):
    """How many ways there are to fill the hands, place by place, and the hoards from this slot of this owner on."""
    if owner == state.seats:
        return 1
    in_hand = np.int64(state.n_hand[owner])
    slots = in_hand + (np.int64(state.n_hoard[owner]) if state.phase != OVER else np.int64(0))
    if owner == seat or slot == slots:
        return ways(state, seat, owner + 1, np.int64(0), np.int64(0), pool)
    total = 0
    for value in range(least, N_VALUES):  # a hoard is a multiset: its values never fall
        if pool[value] > 0:
            pool[value] -= 1
            bound = value if slot >= in_hand else np.int64(0)
            total += ways(state, seat, owner, slot + 1, bound, pool)
            pool[value] += 1
    return total


@kernel
def count_actions(state):
    return 2 * np.int64(state.n_hand[state.mover])


@kernel
def is_legal(state, action):
    return 0 <= action < ACTIONS and action % HAND < state.n_hand[state.mover]


@kernel
def pick(state, rng):
    n = np.int64(state.n_hand[state.mover])
    k = draw(rng, 2 * n)
    return k if k < n else k - n + HAND


@kernel
def settle(state):
    weights = np.zeros(N_VALUES, np.int64)
    while to_move(state) == CHANCE:
        chance_weights(state, weights)
        at = roll(state.fate, chance_key(state), weights.sum())
        value = np.int64(0)
        while at >= weights[value]:
            at -= weights[value]
            value += 1
        apply(state, value)


@kernel
def check(state):
    for value in range(N_VALUES):
        if in_deck(state, value) < 0:
            return 1
    for seat in range(state.seats):
        for place in range(HAND):
            if (state.hand[seat, place] > 0) != (place < state.n_hand[seat]):
                return 2
        if state.hoard[seat].sum() != state.n_hoard[seat]:
            return 3
    if (state.lap >= state.n_rounds) != (state.phase == OVER) or state.mover >= state.seats:
        return 4
    n = np.int64(state.n_hand[state.mover])
    if (state.phase == DEAL or state.phase == DRAW) and n == HAND:
        return 5
    return 5 if state.phase == ACT and n == 0 else 0
