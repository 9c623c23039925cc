"""Saboteur: who is a saboteur, by what each seat has done.

The belief is over role deals, which are the classes of worlds (`strata`) of the rules. It starts with the weights that
chance gives them and goes through the round as the seat saw it:

    weight(deal) = sum over places of the treasure of  product over other seats of  P(its moves | its role, place)
    P(moves | role) = sum over types of player of  share(type | role) * product over moves of  P(move | type)

A loyal miner and an open saboteur take a move with probability in proportion to exp(liking / TEMPERATURE) among all on
offer (likings.py), a random player takes any. A hand is not seen: P(move | type) is the mean over HANDS hands dealt
from the cards that the seat had not seen then, with the card that was played among them. That a seat passed tells
something, too: the probabilities of all its passes are added up. A seat that looked at a goal is taken to know it, so
whoever builds towards a place speaks for the treasure there.
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core import multisets
from meeple.core.contract import HIDDEN
from meeple.core.kernel import kernel
from meeple.games.saboteur import layout
from meeple.games.saboteur.likings import USUAL, role_liking, tunnel_gap, wanted_goals
from meeple.games.saboteur.rounds import start_round
from meeple.games.saboteur.rules import kind_of, legal_actions, pass_on, strata_weights, take_card, take_turn

LOYAL, OPEN_SABOTEUR, ANY = 0, 1, 2  # types of player; the first two have the number of their role
N_TYPES = 3
HANDS = 16
TEMPERATURE = 12.0
# Shares of the types by role: nobody is quite sure to be loyal, to be open, or to think at all.
SHARES = np.array([[0.9, 0.0, 0.1], [0.15, 0.75, 0.1]])
SCALE = 1_000_000  # weight of the likeliest deal
FLOOR = 1e-12


@kernel
def infer_roles(states, seen, seat, rng, out):
    """Write the weight of each role deal for `seat`, who saw the match as `seen`; states[0] is its world now."""
    strata_weights(states[0], seat, out)
    first = first_event(states[0], len(seen))
    if states[0].phase != layout.TURN or first < 0:
        return
    logs = np.zeros((3, layout.MOST, N_TYPES))
    offer = np.empty(layout.MAX_ACTIONS, np.int64)
    likings = np.empty(layout.MAX_ACTIONS, np.float64)
    possible = wanted_goals(states[0], seat)
    for k in range(3):
        if (possible >> k) & 1:
            suppose_treasure(states, k)
            follow_round(states[1], seen, first, seat, rng, logs[k], offer, likings)
    weigh_deals(states[0], seat, logs, possible, out)


@kernel
def first_event(state, n_seen):
    """Where in a match of `n_seen` events this round begins; negative where the match began within it.

    Events of a round before a turn: a role a seat, three goals, each card that was dealt or drawn, and each that left a
    hand.
    """
    taken = layout.N_CARDS - state.left
    held = 0
    for owner in range(state.seats):
        held += state.n_hand[owner]
    return n_seen - (state.seats + 3 + taken + (taken - held))


@kernel
def suppose_treasure(states, k):
    """states[1]: the round of states[0] before its first turn, the treasure at place k; hands are not dealt."""
    states[1] = states[0]
    state = states[1]
    seats = state.seats
    n_moves = layout.N_CARDS - state.left
    for owner in range(seats):
        n_moves -= state.n_hand[owner]
    starter = (state.seat - n_moves) % seats  # nobody is ever skipped before all hands are empty
    start_round(state)
    for place in range(3):
        state.goal[place] = states[0].goal[place]
        if states[0].goal[place] == layout.TREASURE:
            state.goal[place] = states[0].goal[k]
    state.goal[k] = layout.TREASURE
    for owner in range(seats):
        state.n_hand[owner] = layout.HAND[seats]
    state.left = layout.N_CARDS - seats * layout.HAND[seats]
    state.seat = starter
    state.phase = layout.TURN


@kernel
def follow_round(state, seen, first, seat, rng, logs, offer, likings):
    """Walk the round from its first turn and add up the logarithms of P(move | type) for each other seat."""
    seats = state.seats
    dealt = first + seats + 3
    n_dealt = seats * layout.HAND[seats]
    pool = layout.ALL_CARDS  # what `seat` has not seen so far
    n_pool = layout.N_CARDS
    for i in range(n_dealt):
        if i % seats == seat:
            state.hand[seat] += multisets.single(seen[dealt + i], layout.FIELDS)
            pool -= multisets.single(seen[dealt + i], layout.FIELDS)
            n_pool -= 1
    for i in range(dealt + n_dealt, len(seen)):
        code = np.int64(seen[i])
        mover = state.seat
        if state.phase == layout.TAKE_CARD:
            if mover == seat:
                state.pile = pool
                pool -= multisets.single(code, layout.FIELDS)
                n_pool -= 1
                take_card(state, code)
            else:
                state.left -= 1
                state.n_hand[mover] += 1
                pass_on(state)
            continue
        if mover != seat:
            kind = -1 if code == HIDDEN else kind_of(code)
            n_hand = state.n_hand[mover]
            weigh_move(state, code, kind, pool, n_pool, n_hand, rng, logs[mover], offer, likings)
            if kind >= 0:
                pool -= multisets.single(kind, layout.FIELDS)
                n_pool -= 1
            else:
                code = layout.PASS
                state.hand[mover] = multisets.single(0, layout.FIELDS)
        take_turn(state, code)
        if mover != seat:
            state.hand[mover] = 0
            state.passed[mover] = 0


@kernel
def weigh_move(state, code, kind, pool, n_pool, n_hand, rng, logs, offer, likings):
    """Add the logarithm of P(move | type) for each type; `code` is HIDDEN where the seat passed."""
    mover = state.seat
    wanted = wanted_goals(state, mover)
    gap = tunnel_gap(state, wanted)
    sums = np.zeros(N_TYPES)
    for _ in range(HANDS):
        if kind >= 0:
            card = multisets.single(kind, layout.FIELDS)
            state.hand[mover] = card + multisets.deal(pool - card, n_pool - 1, n_hand - 1, rng, layout.FIELDS)
        else:
            state.hand[mover] = multisets.deal(pool, n_pool, n_hand, rng, layout.FIELDS)
        add_chances(state, code, gap, wanted, offer, likings, sums)
    for player in range(N_TYPES):
        logs[player] += math.log(max(FLOOR, sums[player] / HANDS))


@kernel
def add_chances(state, code, gap, wanted, offer, likings, sums):
    """Add P(move | type) for each type, given the hand."""
    n = legal_actions(state, offer)
    for role in range(2):
        spread_chances(state, gap, wanted, role == OPEN_SABOTEUR, offer, n, likings)
        for i in range(n):
            if offer[i] == code or (code == HIDDEN and offer[i] >= layout.PASS):
                sums[role] += likings[i]
                sums[ANY] += 0.5 / n  # half in each of the two turns of the loop


@kernel
def spread_chances(state, gap, wanted, as_saboteur, offer, n, likings):
    """Write the chance that a player of a role takes each of the n moves on offer."""
    most = -1e9
    for i in range(n):
        likings[i] = role_liking(state, offer[i], gap, wanted, as_saboteur, USUAL[0]) / TEMPERATURE
        most = max(most, likings[i])
    total = 0.0
    for i in range(n):
        likings[i] = math.exp(likings[i] - most)
        total += likings[i]
    for i in range(n):
        likings[i] /= total


@kernel
def weigh_deals(state, seat, logs, possible, out):
    """Weights of the deals that chance allows, the likeliest SCALE, none less than 1."""
    seats = state.seats
    by_role = np.zeros((3, layout.MOST, 2))
    for k in range(3):
        for other in range(seats):
            by_role[k, other, 0] = log_mixture(SHARES[0], logs[k, other])
            by_role[k, other, 1] = log_mixture(SHARES[1], logs[k, other])
    weights = np.full((layout.STRATA, 3), -np.inf)
    most = -np.inf
    for deal in range(layout.STRATA):
        if out[deal] == 0:
            continue
        for k in range(3):
            if (possible >> k) & 1:
                total = math.log(out[deal])
                for other in range(seats):
                    if other != seat:
                        total += by_role[k, other, (deal >> other) & 1]
                weights[deal, k] = total
                most = max(most, total)
    for deal in range(layout.STRATA):
        if out[deal] > 0:
            total = 0.0
            for k in range(3):
                total += math.exp(weights[deal, k] - most)
            out[deal] = max(1, np.int64(SCALE * total))


@kernel
def log_mixture(shares, logs):
    """log(sum of shares * exp(logs))."""
    most = -np.inf
    for i in range(N_TYPES):
        if shares[i] > 0.0:
            most = max(most, logs[i])
    total = 0.0
    for i in range(N_TYPES):
        if shares[i] > 0.0:
            total += shares[i] * math.exp(logs[i] - most)
    return most + math.log(total)
