"""Saboteur: the rules, compiled.

Three to ten seats, each a gold miner or a saboteur in secret, dig from a start card towards three face-down goals,
one of which is the treasure. A turn plays one card or passes by discarding one, then draws. The miners win a round
when the treasure is reached, the saboteurs when all cards are gone without that. The winners get gold; after three
rounds most gold wins.

State   STATE in layout.py. The table has no edge: cells lie on a torus of 32 x 32, cell = 32 * (y & 31) + (x & 31)
        with the start at (0, 0), x to the east and y to the south; no round can fill more than 30 columns and 26 rows
        (RULING 15), so no two cells of a round share an index. A set of cells is 32 words, one a row. A multiset of
        cards is one word, a field a kind (FIELD_AT, FIELD_MASK). An empty cell holds what its sides ask for, in base 3.
Action  cell * 64 + slot: lay a tunnel | ROCKFALL + cell | MAP + goal | BREAK + 10 * tool + seat | REPAIR + the same
        | DOUBLE + 20 * card + 10 * which + seat | PASS + kind | TAKE + value - 1, a gold card
Chance  who starts; roles by seat; goals; the kind of each card dealt or drawn; the value of gold cards drawn
Hidden  roles until the round ends, other hands and passed cards, the pile, goals not seen, gold, fate
Source  docs/games/saboteur.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.saboteur.board import check_table, lay_tunnel, rockfall, shape_at
from meeple.games.saboteur.layout import (
    ACTIONS,
    ALL_CARDS,
    BANK,
    BREAK,
    BREAK_CARD,
    CHECKS,
    CHOOSE,
    DEAL,
    DOUBLE,
    DOUBLE_CARD,
    FIRST,
    FITTING,
    GOALS,
    GOLD,
    GOLD_CARDS,
    HAND,
    KIND_AT,
    KIND_OF,
    LAY,
    LOW_TUNNELS,
    MAP,
    MAP_CARD,
    MAX_ACTIONS,
    MINERS,
    MOST,
    MOST_HAND,
    N_CARDS,
    N_KINDS,
    N_ROUNDS,
    N_TOOLS,
    OUTCOMES,
    OVER,
    PAIR,
    PASS,
    RANGES,
    REPAIR,
    REPAIR_CARD,
    ROCKFALL,
    ROCKFALL_CARD,
    ROLE_NAMES,
    ROLES,
    SABOTEURS,
    SEATS,
    SHAPE,
    SIDE,
    SLOTS,
    STATE,
    STONE_NE,
    STRATA,
    TAKE,
    TAKE_CARD,
    TREASURE,
    TURN,
)
from meeple.games.saboteur.multisets import count_cards, holds, kind_of, kinds_in, nth_card, one_card
from meeple.games.saboteur.rounds import (
    check_gold,
    draw_gold,
    gold_from,
    is_gold_whole,
    is_saboteur,
    offer_gold,
    pay_saboteurs,
    start_round,
    take_gold,
    total_gold,
)
from meeple.games.saboteur.secrets import check_secrets, is_bared, redeal_rest, redeal_roles

# What the contract asks for and layout.py holds.
__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "OUTCOMES", "RANGES", "ROLE_NAMES", "SEATS", "STATE", "STRATA"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.seats = seats
    state.by_miners = options[GOLD_CARDS]
    state.crosses = options[GOALS]
    state.lap = 0
    for value in range(3):
        state.bank[value] = BANK[value]
    state.offer[:] = 0
    state.n_offer = 0
    state.taker[:, :] = -1
    state.taken[:, :] = -1
    state.n_taken[:] = 0
    state.paid[:, :, :] = 0
    state.returned[:, :] = 0
    state.bared[:] = 0
    state.outcome_of[:] = 0
    state.were[:] = 0
    state.last = -1
    state.seat = 0
    start_round(state)
    state.phase = FIRST


@kernel
def to_move(state):
    if state.phase == TURN or state.phase == CHOOSE:
        return np.int64(state.seat)
    return np.int64(NOBODY) if state.phase == OVER else np.int64(CHANCE)


@kernel
def playable_slots(state, seat):
    """Both positions of every tunnel that a seat may lay, as bits; none while a tool is broken."""
    if state.broken[seat] != 0:
        return np.int64(0)
    return (kinds_in(np.int64(state.hand[seat])) & LOW_TUNNELS) * 3


@kernel
def legal_actions(state, out):
    n = np.int64(0)
    if state.phase == CHOOSE:
        for value in range(3):
            if state.offer[value] > 0:
                out[n] = TAKE + value
                n += 1
        return n
    seat = np.int64(state.seat)
    hand = np.int64(state.hand[seat])
    slots = playable_slots(state, seat)
    if slots != 0:
        for y in range(SIDE):
            cells = np.int64(state.frontier[y])
            while cells:
                cell = y * SIDE + lowest_bit(cells)
                cells &= cells - 1
                fitting = FITTING[state.cell[cell]] & slots
                while fitting:
                    out[n] = cell * SLOTS + lowest_bit(fitting)
                    n += 1
                    fitting &= fitting - 1
    if holds(hand, ROCKFALL_CARD):
        for y in range(SIDE):
            cells = np.int64(state.tunnels[y])
            while cells:
                out[n] = ROCKFALL + y * SIDE + lowest_bit(cells)
                n += 1
                cells &= cells - 1
    return list_others(state, hand, out, n)


@kernel
def list_others(state, hand, out, n):
    """Maps, broken tools, repairs, and passes, behind the n actions that are listed already."""
    seat = np.int64(state.seat)
    seats = np.int64(state.seats)
    if holds(hand, MAP_CARD):
        for k in range(3):
            if not (np.int64(state.shown) >> k) & 1:
                out[n] = MAP + k
                n += 1
    for tool in range(N_TOOLS):
        if holds(hand, BREAK_CARD + tool):
            for other in range(seats):
                if other != seat and not (np.int64(state.broken[other]) >> tool) & 1:
                    out[n] = BREAK + MOST * tool + other
                    n += 1
    for tool in range(N_TOOLS):
        if holds(hand, REPAIR_CARD + tool):
            for other in range(seats):
                if (np.int64(state.broken[other]) >> tool) & 1:
                    out[n] = REPAIR + MOST * tool + other
                    n += 1
    for card in range(3):
        if holds(hand, DOUBLE_CARD + card):
            for which in range(2):
                for other in range(seats):
                    if (np.int64(state.broken[other]) >> PAIR[card, which]) & 1:
                        out[n] = DOUBLE + MOST * (2 * card + which) + other
                        n += 1
    kinds = kinds_in(hand)
    while kinds:
        out[n] = PASS + KIND_AT[lowest_bit(kinds)]
        n += 1
        kinds &= kinds - 1
    return n


@kernel
def chance_weights(state, out):
    for code in range(OUTCOMES):
        out[code] = 0
    seats = np.int64(state.seats)
    if state.phase == FIRST:
        for seat in range(seats):
            out[seat] = 1
    elif state.phase == ROLES:
        n = popcount(np.int64(state.saboteurs))
        out[0] = MINERS[seats] - (np.int64(state.step) - n)
        out[1] = SABOTEURS[seats] - n
    elif state.phase == LAY:
        for card in range(3):
            out[card] = 1 if state.crosses == 0 or card == TREASURE else 2 * np.int64(card == STONE_NE)
        for k in range(np.int64(state.step)):
            out[state.goal[k]] -= 1
    elif state.phase == GOLD:
        for value in range(3):
            out[value] = np.int64(state.bank[value])
    else:
        pile = np.int64(state.pile)
        for kind in range(N_KINDS):
            out[kind] = holds(pile, kind)


@kernel
def chance_key(state):
    """Round, kind of event, number within it; dealing and drawing are one row of cards."""
    phase, number = np.int64(state.phase), np.int64(state.step)
    if phase in (DEAL, TAKE_CARD):
        phase, number = np.int64(DEAL), N_CARDS - np.int64(state.left)
    return (np.int64(state.lap) * 16 + phase) * 128 + number


@kernel
def settle(state):
    weights = np.empty(OUTCOMES, np.int64)
    while state.phase < TURN or state.phase == TAKE_CARD or state.phase == GOLD:
        if state.phase == DEAL or state.phase == TAKE_CARD:
            at = roll(state.fate, chance_key(state), np.int64(state.left))
            apply(state, nth_card(np.int64(state.pile), at))
        else:
            chance_weights(state, weights)
            at = roll(state.fate, chance_key(state), weights.sum())
            code = np.int64(0)
            while at >= weights[code]:
                at -= weights[code]
                code += 1
            apply(state, code)


@kernel
def apply(state, action):
    phase = np.int64(state.phase)
    if phase == TURN:
        take_turn(state, action)
    elif phase == CHOOSE:
        take_gold(state, action - TAKE)
    elif phase in (DEAL, TAKE_CARD):
        take_card(state, action)
    elif phase == FIRST:
        state.seat = action
        state.phase = ROLES
    elif phase == ROLES:
        state.saboteurs |= action << np.int64(state.step)
        state.step += 1
        if state.step == state.seats:
            state.phase = LAY
            state.step = 0
    elif phase == LAY:
        state.goal[state.step] = action
        state.step += 1
        if state.step == 3:
            state.phase = DEAL
            state.step = 0
    else:
        draw_gold(state, action)


@kernel
def take_card(state, kind):
    """A card from the pile: to the next seat while hands are dealt, later to the one who has moved."""
    seats = np.int64(state.seats)
    owner = np.int64(state.step) % seats if state.phase == DEAL else np.int64(state.seat)
    state.pile -= one_card(kind)
    state.left -= 1
    state.hand[owner] += one_card(kind)
    state.n_hand[owner] += 1
    if state.phase == TAKE_CARD:
        pass_on(state)
        return
    state.step += 1
    if state.step == seats * HAND[seats]:
        state.phase = TURN
        state.step = 0


@kernel
def pass_on(state):
    """The next seat that has cards moves; where nobody has, the saboteurs have won the round."""
    seats = np.int64(state.seats)
    for i in range(1, seats + 1):
        other = (np.int64(state.seat) + i) % seats
        if state.n_hand[other] > 0:
            state.seat = other
            state.phase = TURN
            return
    pay_saboteurs(state)


@kernel
def take_turn(state, action):
    """Play one card or pass, then draw."""
    seat = np.int64(state.seat)
    state.last = seat
    kind = kind_of(action)
    is_found = False
    if action < ROCKFALL:
        is_found = lay_tunnel(state, action >> 6, SHAPE[action & 63])
    elif action < MAP:
        rockfall(state, action - ROCKFALL)
    elif action < BREAK:
        state.looked[seat] |= np.int64(1) << (action - MAP)
    elif action < REPAIR:
        state.broken[(action - BREAK) % MOST] |= np.int64(1) << ((action - BREAK) // MOST)
    elif action < DOUBLE:
        state.broken[(action - REPAIR) % MOST] &= ~(np.int64(1) << ((action - REPAIR) // MOST))
    elif action < PASS:
        tool = PAIR[kind - DOUBLE_CARD, (action - DOUBLE) // MOST % 2]
        state.broken[(action - DOUBLE) % MOST] &= ~(np.int64(1) << tool)
    else:
        state.passed[seat] += one_card(kind)
        state.n_passed[seat] += 1
    state.hand[seat] -= one_card(kind)
    state.n_hand[seat] -= 1
    if is_found:
        offer_gold(state)
    elif state.left > 0:
        state.phase = TAKE_CARD
    else:
        pass_on(state)


@kernel
def redeal(state, seat, rng):
    """Deal anew roles, goals, cards, gold and fate, each from a pool that depends only on what `seat` knows."""
    state.fate = fresh_fate(rng)
    if state.phase <= TAKE_CARD and state.phase >= ROLES:
        redeal_roles(state, seat, rng)
    redeal_rest(state, seat, rng)


@kernel
def strata_weights(state, seat, out):
    """Worlds by role deal.

    The places of the saboteur cards, the one laid aside among them, are all as likely: so is every deal of as many
    saboteurs as there are cards, or of one fewer, that has the seat's own role. Before all roles are dealt class 0
    holds all worlds; when they are shown the true deal is the only one.
    """
    seats = np.int64(state.seats)
    for deal in range(STRATA):
        out[deal] = 0
    if state.phase <= ROLES:
        out[0] = 1
    elif state.phase > TAKE_CARD:
        out[state.saboteurs] = 1
    else:
        for deal in range(np.int64(1) << seats):
            n = popcount(np.int64(deal))
            is_own = seat < 0 or (deal >> seat) & 1 == np.int64(is_saboteur(state, seat))
            out[deal] = np.int64(is_own and SABOTEURS[seats] - 1 <= n <= SABOTEURS[seats])


@kernel
def redeal_stratum(state, seat, stratum, rng):
    state.fate = fresh_fate(rng)
    if state.phase == ROLES:
        redeal_roles(state, seat, rng)
    elif LAY <= state.phase <= TAKE_CARD:
        state.saboteurs = stratum
    redeal_rest(state, seat, rng)


@kernel
def seen(state, action, seat):
    phase = np.int64(state.phase)
    is_secret = False
    if phase == ROLES:
        is_secret = seat != state.step
    elif phase == DEAL:
        is_secret = seat != np.int64(state.step) % np.int64(state.seats)
    elif phase in (LAY, GOLD):
        is_secret = True
    elif phase in (TAKE_CARD, CHOOSE) or (phase == TURN and action >= PASS):
        is_secret = seat != state.seat
    return np.int64(HIDDEN) if is_secret else np.int64(action)


@kernel
def ranks(state, out):
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if total_gold(state, np.int64(other)) > total_gold(state, np.int64(seat)):
                out[seat] += 1


@kernel
def score(state, seat):
    """The gold of a seat as far as it lies open: what it was paid as a saboteur; at the end all."""
    if state.phase == OVER:
        return total_gold(state, seat)
    total = np.int64(0)
    for value in range(3):
        n = -np.int64(state.returned[seat, value])
        for lap in range(N_ROUNDS):
            n += np.int64(state.paid[lap, seat, value])
            for number in range(state.n_taken[lap]):
                is_open = state.taker[lap, number] == seat and is_bared(state, lap, number)
                n += np.int64(is_open and state.taken[lap, number] == value)
        total += (value + 1) * n
    return total


@kernel
def role_results(state, seat, out):
    """Each round as a miner or as a saboteur: whether that side won it, and the gold that it brought."""
    for lap in range(N_ROUNDS):
        role = (np.int64(state.were[lap]) >> seat) & 1
        out[role, 0] += 1
        out[role, 1] += np.int64(state.outcome_of[lap] == 1 + role)
        out[role, 2] += gold_from(state, seat, np.int64(lap))


@kernel
def round_index(state):
    return min(np.int64(state.lap), N_ROUNDS - 1)


@kernel
def removed_cards(state):
    """The cards that have left the round face up, as a multiset; broken tools that lie before a seat are not gone."""
    gone = ALL_CARDS - np.int64(state.pile)
    for owner in range(state.seats):
        gone -= np.int64(state.hand[owner]) + np.int64(state.passed[owner])
        for tool in range(N_TOOLS):
            if (np.int64(state.broken[owner]) >> tool) & 1:
                gone -= one_card(BREAK_CARD + tool)
    for y in range(SIDE):
        cells = np.int64(state.tunnels[y])
        while cells:
            gone -= one_card(KIND_OF[shape_at(state, y * SIDE + lowest_bit(cells))])
            cells &= cells - 1
    return gone


@kernel
def check(state):
    if not is_whole(state):
        return 1
    for owner in range(MOST):
        if count_cards(np.int64(state.hand[owner])) != state.n_hand[owner]:
            return 2
        if count_cards(np.int64(state.passed[owner])) != state.n_passed[owner]:
            return 2
    if count_cards(np.int64(state.pile)) != state.left:
        return 2
    broken = check_table(state)
    if broken:
        return broken
    if not is_gold_whole(state):
        return 5
    broken = check_secrets(state)
    if broken:
        return broken
    if not is_place_sound(state):
        return 9
    return check_phase(state)


@kernel
def is_place_sound(state):
    """Whether the seat, the round and the step are some of this table, as the phase has them."""
    phase, seats, step = np.int64(state.phase), np.int64(state.seats), np.int64(state.step)
    if state.seat >= seats or state.last >= seats:
        return False
    if (state.lap == N_ROUNDS) != (phase == OVER) or (phase == FIRST and state.lap != 0):
        return False
    if phase == ROLES:
        return step < seats
    if phase == LAY:
        return step < 3
    if phase == DEAL:
        return step < seats * HAND[seats]
    return step > 0 if phase == GOLD else step == 0


@kernel
def check_phase(state):
    """10 to 13 where roles, goals, cards or gold do not fit the phase, else 0."""
    phase, seats, step = np.int64(state.phase), np.int64(state.seats), np.int64(state.step)
    n_roles, n_goals = seats, np.int64(3)
    if phase <= ROLES:
        n_roles = step if phase == ROLES else np.int64(0)
    if phase <= LAY:
        n_goals = step if phase == LAY else np.int64(0)
    n_miners = n_roles - popcount(np.int64(state.saboteurs))
    if np.int64(state.saboteurs) >> n_roles != 0 or n_miners > MINERS[seats]:
        return 10
    for k in range(3):
        is_shown = (np.int64(state.shown) >> k) & 1 != 0
        if (state.goal[k] >= 0) != (k < n_goals) or (is_shown and k >= n_goals):
            return 10
        if is_shown and state.goal[k] == TREASURE and phase <= TAKE_CARD:
            return 10
    if phase <= DEAL and state.left != N_CARDS - (step if phase == DEAL else 0):
        return 11
    for seat in range(MOST):
        if phase == DEAL and seat < seats and state.n_hand[seat] != (step + seats - 1 - seat) // seats:
            return 11
        if seat >= seats and state.n_hand[seat] + state.n_passed[seat] > 0:
            return 11
    if phase == TAKE_CARD and (state.left == 0 or state.n_hand[state.seat] == MOST_HAND):
        return 11
    return check_gold(state)


@kernel
def is_whole(state):
    """Whether no kind has more cards in play than the game."""
    for kind in range(N_KINDS):
        n = holds(np.int64(state.pile), kind)
        for owner in range(state.seats):
            n += holds(np.int64(state.hand[owner]), kind) + holds(np.int64(state.passed[owner]), kind)
            if BREAK_CARD <= kind < REPAIR_CARD:
                n += (np.int64(state.broken[owner]) >> (kind - BREAK_CARD)) & 1
        for y in range(SIDE):
            cells = np.int64(state.tunnels[y])
            while cells:
                n += np.int64(KIND_OF[shape_at(state, y * SIDE + lowest_bit(cells))] == kind)
                cells &= cells - 1
        if n > holds(np.int64(ALL_CARDS), kind):
            return False
    return True
