"""Saboteur: how a round begins and ends, and who gets gold."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import clear_table


@kernel
def start_round(state):
    """Collect all cards but the gold; chance deals roles, goals and hands."""
    state.pile = layout.ALL_CARDS
    state.left = layout.N_CARDS
    state.hand[:] = 0
    state.passed[:] = 0
    state.n_hand[:] = 0
    state.n_passed[:] = 0
    state.broken[:] = 0
    state.looked[:] = 0
    state.goal[:] = -1
    state.shown = 0
    state.saboteurs = 0
    state.phase = layout.ROLES
    state.step = 0
    clear_table(state)


@kernel
def is_saboteur(state, seat):
    """Whether a seat is a saboteur in this round."""
    return (state.saboteurs >> seat) & 1 != 0


@kernel
def offer_gold(state):
    """The miners have won: gold cards are drawn, and the one who got there chooses first, if it is a miner."""
    seats = state.seats
    close_round(state, 1)
    state.step = min(layout.MOST_OFFERED, seats)
    if state.by_miners:
        state.step = seats - popcount(state.saboteurs)
    state.n_offer = 0
    state.phase = layout.GOLD
    if is_saboteur(state, state.seat):
        state.seat = next_miner(state, state.seat)


@kernel
def close_round(state, outcome):
    """Roles are shown."""
    state.outcome_of[state.lap] = outcome
    state.were[state.lap] = state.saboteurs


@kernel
def next_miner(state, seat):
    """The next miner against the order of turns."""
    seats = state.seats
    other = (seat + seats - 1) % seats
    while is_saboteur(state, other):
        other = (other + seats - 1) % seats
    return other


@kernel
def draw_gold(state, value):
    """One more gold card for the miners to choose from."""
    state.bank[value] -= 1
    state.offer[value] += 1
    state.n_offer += 1
    state.step -= 1
    if state.step == 0:
        state.phase = layout.CHOOSE


@kernel
def take_gold(state, value):
    """Take one gold card and hand the rest on."""
    lap = state.lap
    number = state.n_taken[lap]
    state.offer[value] -= 1
    state.n_offer -= 1
    state.taker[lap, number] = state.seat
    state.taken[lap, number] = value
    state.n_taken[lap] += 1
    if state.n_offer == 0:
        end_round(state)
    else:
        state.seat = next_miner(state, state.seat)


@kernel
def pay_saboteurs(state):
    """The saboteurs have won: each is paid by how many they are, in the order of seats."""
    close_round(state, 2)
    due = layout.SHARE[popcount(state.saboteurs)]
    for seat in range(state.seats):
        if is_saboteur(state, seat):
            pay(state, seat, due)
    end_round(state)


@kernel
def pay(state, seat, due):
    """Pay a sum out of the bank: exactly, or exactly with change, or the nearest lower sum (RULING 8)."""
    for total in range(due, 0, -1):
        if pay_exactly(state, seat, total):
            return
        if pay_with_change(state, seat, total):
            return


@kernel
def pay_exactly(state, seat, total):
    """Pay from the bank with the largest cards that make the sum; whether it could be done."""
    for threes in range(min(state.bank[2], total // 3), -1, -1):
        for twos in range(min(state.bank[1], (total - 3 * threes) // 2), -1, -1):
            ones = total - 3 * threes - 2 * twos
            if ones <= state.bank[0]:
                state.bank[0] -= ones
                state.bank[1] -= twos
                state.bank[2] -= threes
                state.paid[state.lap, seat, 0] += ones
                state.paid[state.lap, seat, 1] += twos
                state.paid[state.lap, seat, 2] += threes
                return True
    return False


@kernel
def pay_with_change(state, seat, total):
    """Pay a larger sum against gold that the seat lays open and gives back: fewest cards, then the least value."""
    for size in range(1, 4):
        for value in range(size, 3 * size + 1):
            for threes in range(size + 1):
                for twos in range(size - threes + 1):
                    ones = size - threes - twos
                    if ones + 2 * twos + 3 * threes != value or not has_gold(state, seat, ones, twos, threes):
                        continue
                    if pay_exactly(state, seat, total + value):
                        give_back(state, seat, 0, ones)
                        give_back(state, seat, 1, twos)
                        give_back(state, seat, 2, threes)
                        state.bared[seat] = state.lap
                        return True
    return False


@kernel
def give_back(state, seat, value, n):
    """Return gold cards to the bank."""
    state.bank[value] += n
    state.returned[seat, value] += n


@kernel
def has_gold(state, seat, ones, twos, threes):
    """Whether a seat holds these gold cards."""
    return gold_of(state, seat, 0) >= ones and gold_of(state, seat, 1) >= twos and gold_of(state, seat, 2) >= threes


@kernel
def gold_of(state, seat, value):
    """How many gold cards of a value (less one) a seat holds."""
    n = -state.returned[seat, value]
    for lap in range(layout.N_ROUNDS):
        n += state.paid[lap, seat, value]
        for number in range(state.n_taken[lap]):
            n += np.int64(state.taker[lap, number] == seat and state.taken[lap, number] == value)
    return n


@kernel
def end_round(state):
    """The next round, started by the seat after the one that played the last card; after three the game is over."""
    state.lap += 1
    if state.lap == layout.N_ROUNDS:
        state.phase = layout.OVER
        return
    state.seat = (state.last + 1) % state.seats
    start_round(state)


@kernel
def total_gold(state, seat):
    """All gold of a seat."""
    total = 0
    for value in range(3):
        total += (value + 1) * gold_of(state, seat, value)
    return total


@kernel
def gold_from(state, seat, lap):
    """The gold that a round brought a seat, less what it gave back for change then."""
    total = 0
    for number in range(state.n_taken[lap]):
        if state.taker[lap, number] == seat:
            total += state.taken[lap, number] + 1
    for value in range(3):
        total += (value + 1) * state.paid[lap, seat, value]
        if state.bared[seat] == lap:
            total -= (value + 1) * state.returned[seat, value]
    return total


@kernel
def is_gold_whole(state):
    """Whether each gold card is in one place."""
    for value in range(3):
        n = state.bank[value] + state.offer[value]
        if n < 0:
            return False
        for seat in range(state.seats):
            held = gold_of(state, seat, value)
            if held < 0:
                return False
            n += held
        if n != layout.BANK[value]:
            return False
    return state.offer[0] + state.offer[1] + state.offer[2] == state.n_offer


@kernel
def check_gold(state):
    """12 or 13 where the gold does not fit the phase and the round, else 0."""
    phase, lap, seats = state.phase, state.lap, state.seats
    is_won = phase in (layout.GOLD, layout.CHOOSE)
    if (state.n_offer > 0 and not is_won) or (phase == layout.CHOOSE and state.n_offer == 0):
        return 12
    a_round = min(layout.MOST_OFFERED, seats)
    to_draw = a_round * (layout.N_ROUNDS - lap - np.int64(is_won)) + (state.step if phase == layout.GOLD else 0)
    in_bank = 0
    for value in range(3):
        in_bank += state.bank[value]
    if in_bank < to_draw:
        return 12
    if is_won and state.step + state.n_offer + state.n_taken[lap] > a_round:
        return 12
    for earlier in range(layout.N_ROUNDS):
        n_taken = state.n_taken[earlier]
        if earlier >= lap + np.int64(is_won) and (n_taken > 0 or state.outcome_of[earlier] != 0):
            return 13
        for number in range(layout.MOST):
            is_taken = number < n_taken
            taker = state.taker[earlier, number]
            if (taker >= 0) != is_taken or taker >= seats or (state.taken[earlier, number] >= 0) != is_taken:
                return 13
    return 0
