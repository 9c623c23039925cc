"""Saboteur: the rules, compiled.

Three to ten seats, each a gold miner or a saboteur in secret, dig from a start card towards three face-down goals,
one of which is the treasure. A turn plays one card or passes by discarding one, then draws. The miners win a round
when the treasure is reached, the saboteurs when all cards are gone without that. The winners get gold; after three
rounds most gold wins.

State   STATE in layout.py. The table has no edge: cells lie on a torus of 32 x 32, cell = 32 * (y & 31) + (x & 31)
        with the start at (0, 0), x to the east and y to the south; no round can fill more than 30 columns and 26 rows
        (RULING 15), so no two cells of a round share an index. A set of cells is 32 words, one a row. A multiset of
        cards is one word, a field a kind (core/multisets.py). An empty cell holds what its sides ask for, in base 3.
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
from meeple.core.multisets import held, kinds_in, nth_kind, single, size_of
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import check_table, lay_tunnel, rockfall, shape_at
from meeple.games.saboteur.counting import count_worlds
from meeple.games.saboteur.layout import (
    ACTIONS,
    CHECKS,
    MAX_ACTIONS,
    OUTCOMES,
    RANGES,
    ROLE_NAMES,
    SEATS,
    STATE,
    STRATA,
)
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
from meeple.games.saboteur.secrets import check_secrets, gather, is_bared, redeal_rest, redeal_roles, reveal_role

# What the contract asks for and other modules hold.
__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "OUTCOMES", "RANGES", "ROLE_NAMES", "SEATS", "STATE", "STRATA"]
__all__ += ["count_worlds"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.seats = seats
    state.by_miners = options[layout.GOLD_CARDS]
    state.crosses = options[layout.GOALS]
    state.lap = 0
    for value in range(3):
        state.bank[value] = layout.BANK[value]
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
    state.phase = layout.FIRST


@kernel
def to_move(state):
    if state.phase == layout.TURN or state.phase == layout.CHOOSE:
        return state.seat
    return NOBODY if state.phase == layout.OVER else CHANCE


@kernel
def playable_slots(state, seat):
    """Both positions of every tunnel that a seat may lay, as bits; none while a tool is broken."""
    if state.broken[seat] != 0:
        return 0
    return (kinds_in(state.hand[seat], layout.LOWS) & layout.LOW_TUNNELS) * 3


@kernel
def legal_actions(state, out):
    n = 0
    if state.phase == layout.CHOOSE:
        for value in range(3):
            if state.offer[value] > 0:
                out[n] = layout.TAKE + value
                n += 1
        return n
    seat = state.seat
    hand = state.hand[seat]
    slots = playable_slots(state, seat)
    if slots != 0:
        for y in range(layout.SIDE):
            cells = state.frontier[y]
            while cells:
                cell = y * layout.SIDE + lowest_bit(cells)
                cells &= cells - 1
                fitting = layout.FITTING[state.cell[cell]] & slots
                while fitting:
                    out[n] = cell * layout.SLOTS + lowest_bit(fitting)
                    n += 1
                    fitting &= fitting - 1
    if held(hand, layout.ROCKFALL_CARD, layout.FIELDS):
        for y in range(layout.SIDE):
            cells = state.tunnels[y]
            while cells:
                out[n] = layout.ROCKFALL + y * layout.SIDE + lowest_bit(cells)
                n += 1
                cells &= cells - 1
    return list_others(state, hand, out, n)


@kernel
def list_others(state, hand, out, n):
    """Maps, broken tools, repairs, and passes, behind the n actions that are listed already."""
    seat = state.seat
    seats = state.seats
    if held(hand, layout.MAP_CARD, layout.FIELDS):
        for k in range(3):
            if not (state.shown >> k) & 1:
                out[n] = layout.MAP + k
                n += 1
    for tool in range(layout.N_TOOLS):
        if held(hand, layout.BREAK_CARD + tool, layout.FIELDS):
            for other in range(seats):
                if other != seat and not (state.broken[other] >> tool) & 1:
                    out[n] = layout.BREAK + layout.MOST * tool + other
                    n += 1
    for tool in range(layout.N_TOOLS):
        if held(hand, layout.REPAIR_CARD + tool, layout.FIELDS):
            for other in range(seats):
                if (state.broken[other] >> tool) & 1:
                    out[n] = layout.REPAIR + layout.MOST * tool + other
                    n += 1
    for card in range(3):
        if held(hand, layout.DOUBLE_CARD + card, layout.FIELDS):
            for which in range(2):
                for other in range(seats):
                    if (state.broken[other] >> layout.PAIR[card, which]) & 1:
                        out[n] = layout.DOUBLE + layout.MOST * (2 * card + which) + other
                        n += 1
    kinds = kinds_in(hand, layout.LOWS)
    while kinds:
        out[n] = layout.PASS + layout.KIND_AT[lowest_bit(kinds)]
        n += 1
        kinds &= kinds - 1
    return n


@kernel
def chance_weights(state, out):
    for code in range(OUTCOMES):
        out[code] = 0
    seats = state.seats
    if state.phase == layout.FIRST:
        for seat in range(seats):
            out[seat] = 1
    elif state.phase == layout.ROLES:
        n = popcount(state.saboteurs)
        out[0] = layout.MINERS[seats] - (state.step - n)
        out[1] = layout.SABOTEURS[seats] - n
    elif state.phase == layout.LAY:
        for card in range(3):
            out[card] = 1 if state.crosses == 0 or card == layout.TREASURE else 2 * np.int64(card == layout.STONE_NE)
        for k in range(state.step):
            out[state.goal[k]] -= 1
    elif state.phase == layout.GOLD:
        for value in range(3):
            out[value] = state.bank[value]
    else:
        pile = state.pile
        for kind in range(layout.N_KINDS):
            out[kind] = held(pile, kind, layout.FIELDS)


@kernel
def chance_key(state):
    """Round, kind of event, number within it; dealing and drawing are one row of cards."""
    phase, number = state.phase, state.step
    if phase in (layout.DEAL, layout.TAKE_CARD):
        phase, number = layout.DEAL, layout.N_CARDS - state.left
    return (state.lap * 16 + phase) * 128 + number


@kernel
def settle(state):
    weights = np.empty(OUTCOMES, np.int64)
    while state.phase < layout.TURN or state.phase == layout.TAKE_CARD or state.phase == layout.GOLD:
        if state.phase == layout.DEAL or state.phase == layout.TAKE_CARD:
            at = roll(state.fate, chance_key(state), state.left)
            apply(state, nth_kind(state.pile, at, layout.FIELDS))
        else:
            chance_weights(state, weights)
            at = roll(state.fate, chance_key(state), weights.sum())
            code = 0
            while at >= weights[code]:
                at -= weights[code]
                code += 1
            apply(state, code)


@kernel
def apply(state, action):
    phase = state.phase
    if phase == layout.TURN:
        take_turn(state, action)
    elif phase == layout.CHOOSE:
        take_gold(state, action - layout.TAKE)
    elif phase in (layout.DEAL, layout.TAKE_CARD):
        take_card(state, action)
    elif phase == layout.FIRST:
        state.seat = action
        state.phase = layout.ROLES
    elif phase == layout.ROLES:
        state.saboteurs |= action << state.step
        state.step += 1
        if state.step == state.seats:
            state.phase = layout.LAY
            state.step = 0
    elif phase == layout.LAY:
        state.goal[state.step] = action
        state.step += 1
        if state.step == 3:
            state.phase = layout.DEAL
            state.step = 0
    else:
        draw_gold(state, action)


@kernel
def take_card(state, kind):
    """A card from the pile: to the next seat while hands are dealt, later to the one who has moved."""
    seats = state.seats
    owner = state.step % seats if state.phase == layout.DEAL else state.seat
    state.pile -= single(kind, layout.FIELDS)
    state.left -= 1
    state.hand[owner] += single(kind, layout.FIELDS)
    state.n_hand[owner] += 1
    if state.phase == layout.TAKE_CARD:
        pass_on(state)
        return
    state.step += 1
    if state.step == seats * layout.HAND[seats]:
        state.phase = layout.TURN
        state.step = 0


@kernel
def pass_on(state):
    """The next seat that has cards moves; where nobody has, the saboteurs have won the round."""
    seats = state.seats
    for i in range(1, seats + 1):
        other = (state.seat + i) % seats
        if state.n_hand[other] > 0:
            state.seat = other
            state.phase = layout.TURN
            return
    pay_saboteurs(state)


@kernel
def take_turn(state, action):
    """Play one card or pass, then draw."""
    seat = state.seat
    state.last = seat
    kind = kind_of(action)
    is_found = False
    if action < layout.ROCKFALL:
        is_found = lay_tunnel(state, action >> 6, layout.SHAPE[action & 63])
    elif action < layout.MAP:
        rockfall(state, action - layout.ROCKFALL)
    elif action < layout.BREAK:
        state.looked[seat] |= 1 << (action - layout.MAP)
    elif action < layout.REPAIR:
        state.broken[(action - layout.BREAK) % layout.MOST] |= 1 << ((action - layout.BREAK) // layout.MOST)
    elif action < layout.DOUBLE:
        state.broken[(action - layout.REPAIR) % layout.MOST] &= ~(1 << ((action - layout.REPAIR) // layout.MOST))
    elif action < layout.PASS:
        tool = layout.PAIR[kind - layout.DOUBLE_CARD, (action - layout.DOUBLE) // layout.MOST % 2]
        state.broken[(action - layout.DOUBLE) % layout.MOST] &= ~(1 << tool)
    else:
        state.passed[seat] += single(kind, layout.FIELDS)
        state.n_passed[seat] += 1
    state.hand[seat] -= single(kind, layout.FIELDS)
    state.n_hand[seat] -= 1
    if is_found:
        offer_gold(state)
    elif state.left > 0:
        state.phase = layout.TAKE_CARD
    else:
        pass_on(state)


@kernel
def kind_of(action):
    """The kind of card that a move in a turn plays or passes."""
    if action < layout.ROCKFALL:
        return layout.KIND_AT[action & 63]
    if action < layout.MAP:
        return layout.ROCKFALL_CARD
    if action < layout.BREAK:
        return layout.MAP_CARD
    if action < layout.REPAIR:
        return layout.BREAK_CARD + (action - layout.BREAK) // layout.MOST
    if action < layout.DOUBLE:
        return layout.REPAIR_CARD + (action - layout.REPAIR) // layout.MOST
    if action < layout.PASS:
        return layout.DOUBLE_CARD + (action - layout.DOUBLE) // (2 * layout.MOST)
    return action - layout.PASS


@kernel
def redeal(state, seat, rng):
    """Deal anew roles, goals, cards, gold and fate, each from a pool that depends only on what `seat` knows."""
    state.fate = fresh_fate(rng)
    if state.phase <= layout.TAKE_CARD and state.phase >= layout.ROLES:
        redeal_roles(state, seat, rng)
    redeal_rest(state, seat, rng)


@kernel
def reveal(state, seat, action, rng):
    """Redeal so that a card which is about to be seen is where it comes from: a hand, the pile, the role cards."""
    phase, mover = state.phase, state.seat
    state.fate = fresh_fate(rng)
    if phase == layout.ROLES and state.step == seat:
        reveal_role(state, seat, action, rng)
        redeal_rest(state, seat, rng)
        return
    if layout.ROLES <= phase <= layout.TAKE_CARD:
        redeal_roles(state, seat, rng)
    is_draw = phase in (layout.DEAL, layout.TAKE_CARD)
    drawer = state.step % state.seats if phase == layout.DEAL else mover
    # Its own cards a seat knows; of others it sees those they play, and not those they draw or pass.
    is_shown = drawer == seat if is_draw else phase == layout.TURN and mover != seat and action < layout.PASS
    kind = (action if is_draw else kind_of(action)) if is_shown else -1
    if kind < 0 or not gather(state, seat, kind):
        redeal_rest(state, seat, rng)
        return
    # Each unseen card of its kind may be the one; it is laid aside while the others are dealt.
    card = single(kind, layout.FIELDS)
    state.pile -= card
    if is_draw:
        state.left -= 1
        redeal_rest(state, seat, rng)
        state.left += 1
        state.pile += card
    else:
        state.n_hand[mover] -= 1
        redeal_rest(state, seat, rng)
        state.n_hand[mover] += 1
        state.hand[mover] += card


@kernel
def strata_weights(state, seat, out):
    """Worlds by role deal.

    The places of the saboteur cards, the one laid aside among them, are all as likely: so is every deal of as many
    saboteurs as there are cards, or of one fewer, that has the seat's own role. Before all roles are dealt class 0
    holds all worlds; when they are shown the true deal is the only one.
    """
    seats = state.seats
    for deal in range(STRATA):
        out[deal] = 0
    if state.phase <= layout.ROLES:
        out[0] = 1
    elif state.phase > layout.TAKE_CARD:
        out[state.saboteurs] = 1
    else:
        for deal in range(1 << seats):
            n = popcount(deal)
            is_own = seat < 0 or (deal >> seat) & 1 == np.int64(is_saboteur(state, seat))
            out[deal] = np.int64(is_own and layout.SABOTEURS[seats] - 1 <= n <= layout.SABOTEURS[seats])


@kernel
def redeal_stratum(state, seat, stratum, rng):
    state.fate = fresh_fate(rng)
    if state.phase == layout.ROLES:
        redeal_roles(state, seat, rng)
    elif layout.LAY <= state.phase <= layout.TAKE_CARD:
        state.saboteurs = stratum
    redeal_rest(state, seat, rng)


@kernel
def seen(state, action, seat):
    phase = state.phase
    is_secret = False
    if phase == layout.ROLES:
        is_secret = seat != state.step
    elif phase == layout.DEAL:
        is_secret = seat != state.step % state.seats
    elif phase in (layout.LAY, layout.GOLD):
        is_secret = True
    elif phase in (layout.TAKE_CARD, layout.CHOOSE) or (phase == layout.TURN and action >= layout.PASS):
        is_secret = seat != state.seat
    return HIDDEN if is_secret else action


@kernel
def ranks(state, out):
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if total_gold(state, other) > total_gold(state, seat):
                out[seat] += 1


@kernel
def score(state, seat):
    """The gold of a seat as far as it lies open: what it was paid as a saboteur; at the end all."""
    if state.phase == layout.OVER:
        return total_gold(state, seat)
    total = 0
    for value in range(3):
        n = -state.returned[seat, value]
        for lap in range(layout.N_ROUNDS):
            n += state.paid[lap, seat, value]
            for number in range(state.n_taken[lap]):
                is_open = state.taker[lap, number] == seat and is_bared(state, lap, number)
                n += np.int64(is_open and state.taken[lap, number] == value)
        total += (value + 1) * n
    return total


@kernel
def role_results(state, seat, out):
    """Each round as a miner or as a saboteur: whether that side won it, and the gold that it brought."""
    for lap in range(layout.N_ROUNDS):
        role = (state.were[lap] >> seat) & 1
        out[role, 0] += 1
        out[role, 1] += np.int64(state.outcome_of[lap] == 1 + role)
        out[role, 2] += gold_from(state, seat, lap)


@kernel
def round_index(state):
    return min(state.lap, layout.N_ROUNDS - 1)


@kernel
def removed_cards(state):
    """The cards that have left the round face up, as a multiset; broken tools that lie before a seat are not gone."""
    gone = layout.ALL_CARDS - state.pile
    for owner in range(state.seats):
        gone -= state.hand[owner] + state.passed[owner]
        for tool in range(layout.N_TOOLS):
            if (state.broken[owner] >> tool) & 1:
                gone -= single(layout.BREAK_CARD + tool, layout.FIELDS)
    for y in range(layout.SIDE):
        cells = state.tunnels[y]
        while cells:
            gone -= single(layout.KIND_OF[shape_at(state, y * layout.SIDE + lowest_bit(cells))], layout.FIELDS)
            cells &= cells - 1
    return gone


@kernel
def check(state):
    if not is_whole(state):
        return 1
    for owner in range(layout.MOST):
        if size_of(state.hand[owner], layout.FIELDS) != state.n_hand[owner]:
            return 2
        if size_of(state.passed[owner], layout.FIELDS) != state.n_passed[owner]:
            return 2
    if size_of(state.pile, layout.FIELDS) != state.left:
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
    phase, seats, step = state.phase, state.seats, state.step
    if state.seat >= seats or state.last >= seats:
        return False
    if (state.lap == layout.N_ROUNDS) != (phase == layout.OVER) or (phase == layout.FIRST and state.lap != 0):
        return False
    if phase == layout.ROLES:
        return step < seats
    if phase == layout.LAY:
        return step < 3
    if phase == layout.DEAL:
        return step < seats * layout.HAND[seats]
    return step > 0 if phase == layout.GOLD else step == 0


@kernel
def check_phase(state):
    """10 to 13 where roles, goals, cards or gold do not fit the phase, else 0."""
    phase, seats, step = state.phase, state.seats, state.step
    n_roles, n_goals = seats, 3
    if phase <= layout.ROLES:
        n_roles = step if phase == layout.ROLES else 0
    if phase <= layout.LAY:
        n_goals = step if phase == layout.LAY else 0
    n_miners = n_roles - popcount(state.saboteurs)
    if state.saboteurs >> n_roles != 0 or n_miners > layout.MINERS[seats]:
        return 10
    for k in range(3):
        is_shown = (state.shown >> k) & 1 != 0
        if (state.goal[k] >= 0) != (k < n_goals) or (is_shown and k >= n_goals):
            return 10
        if is_shown and state.goal[k] == layout.TREASURE and phase <= layout.TAKE_CARD:
            return 10
    if phase <= layout.DEAL and state.left != layout.N_CARDS - (step if phase == layout.DEAL else 0):
        return 11
    for seat in range(layout.MOST):
        if phase == layout.DEAL and seat < seats and state.n_hand[seat] != (step + seats - 1 - seat) // seats:
            return 11
        if seat >= seats and state.n_hand[seat] + state.n_passed[seat] > 0:
            return 11
    if phase == layout.TAKE_CARD and (state.left == 0 or state.n_hand[state.seat] == layout.MOST_HAND):
        return 11
    return check_gold(state)


@kernel
def is_whole(state):
    """Whether no kind has more cards in play than the game."""
    for kind in range(layout.N_KINDS):
        n = held(state.pile, kind, layout.FIELDS)
        for owner in range(state.seats):
            n += held(state.hand[owner], kind, layout.FIELDS)
            n += held(state.passed[owner], kind, layout.FIELDS)
            if layout.BREAK_CARD <= kind < layout.REPAIR_CARD:
                n += (state.broken[owner] >> (kind - layout.BREAK_CARD)) & 1
        for y in range(layout.SIDE):
            cells = state.tunnels[y]
            while cells:
                n += np.int64(layout.KIND_OF[shape_at(state, y * layout.SIDE + lowest_bit(cells))] == kind)
                cells &= cells - 1
        if n > held(layout.ALL_CARDS, kind, layout.FIELDS):
            return False
    return True
