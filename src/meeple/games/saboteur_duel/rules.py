"""Saboteur as a duel: the rules, compiled.

Two seats build one tunnel system on 14 x 14 cells. A turn plays or drops one card, then draws. Who completes
a tunnel from the entrance to the hidden nugget wins; when all cards are gone without that, it is a draw.

State   STATE in layout.py. Cells lie 16 a row: cell = 16 * (row + 1) + column, so that every cell of the board has four
        neighbours without a test. A set of cells is four words of four rows (column 15 is border: the sign bit
        stays free). A multiset of cards is one word of 20 kinds, 3 bits each. An empty cell holds what its four
        sides ask of a tile, in base 3.
Action  cell * 64 + 3 * tile + turned: place a tile | DESTROY + cell | MAP + objective | BONUS | MALUS | DROP + kind
Chance  0..2: where the nugget lies; then the kind of each card that is dealt or drawn
Hidden  the deck, the rival's hand and drops, the nugget until it is seen, fate
Source  docs/games/saboteur-duel.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, nth_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.saboteur_duel.board import check_board, clear_board, destroy, has_cell, place, tiles_are_sound
from meeple.games.saboteur_duel.layout import (
    ACTIONS,
    BONUS,
    BONUS_CARD,
    CARDS,
    CHECKS,
    DEAL,
    DECK,
    DESTROY,
    DESTROY_CARD,
    DROP,
    FITTING,
    HAND,
    HIDE,
    MALUS,
    MALUS_CARD,
    MAP,
    MAP_CARD,
    MAX_ACTIONS,
    N_CELLS,
    N_KINDS,
    N_MAPS,
    N_OBJECTIVES,
    OUTCOMES,
    OVER,
    RANGES,
    SEATS,
    SHAPE,
    SLOTS,
    STATE,
    TAKE,
    TILE_OF,
    TILE_ONES,
    TURN,
)
from meeple.games.saboteur_duel.multisets import count_cards, deal_cards, full_deck, holds, kinds_in, nth_card

# What the contract asks for and layout.py holds.
__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "OUTCOMES", "RANGES", "SEATS", "STATE"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.n_maps = N_MAPS[options[DECK]]
    state.deck = full_deck(state)
    state.left = 49 + np.int64(state.n_maps)
    state.hand[:] = 0
    state.dropped[:] = 0
    state.n_hand[:] = 0
    state.n_dropped[:] = 0
    state.malus[:] = 0
    state.looked[:] = 0
    state.nugget = -1
    state.shown = 0
    state.phase = HIDE
    state.seat = 0
    state.winner = -1
    clear_board(state)


@kernel
def to_move(state):
    if state.phase == TURN:
        return np.int64(state.seat)
    return np.int64(NOBODY) if state.phase == OVER else np.int64(CHANCE)


@kernel
def playable_slots(state, seat):
    """Both positions of every tile that a seat may place, as bits; none under a Malus."""
    if state.malus[seat] > 0:
        return np.int64(0)
    return (kinds_in(np.int64(state.hand[seat])) & TILE_ONES) * 3


@kernel
def legal_actions(state, out):
    seat = np.int64(state.seat)
    hand = np.int64(state.hand[seat])
    n = np.int64(0)
    slots = playable_slots(state, seat)
    if slots != 0:
        for word in range(4):
            cells = np.int64(state.frontier[word])
            while cells:
                cell = word * 64 + lowest_bit(cells)
                cells &= cells - 1
                fitting = FITTING[state.cell[cell]] & slots
                while fitting:
                    out[n] = cell * SLOTS + lowest_bit(fitting)
                    n += 1
                    fitting &= fitting - 1
    if holds(hand, DESTROY_CARD):
        for word in range(4):
            cells = np.int64(state.tiles[word])
            while cells:
                out[n] = DESTROY + word * 64 + lowest_bit(cells)
                n += 1
                cells &= cells - 1
    if holds(hand, MAP_CARD):
        for k in range(N_OBJECTIVES):
            if not (np.int64(state.shown) >> k) & 1:
                out[n] = MAP + k
                n += 1
    if holds(hand, BONUS_CARD) and state.malus[seat] > 0:
        out[n] = BONUS
        n += 1
    if holds(hand, MALUS_CARD):
        out[n] = MALUS
        n += 1
    kinds = kinds_in(hand)
    while kinds:
        out[n] = DROP + lowest_bit(kinds) // 3
        n += 1
        kinds &= kinds - 1
    return n


@kernel
def count_placements(state, slots):
    """How many places there are for the tiles in `slots`, all positions counted."""
    n = np.int64(0)
    if slots != 0:
        for word in range(4):
            cells = np.int64(state.frontier[word])
            while cells:
                n += popcount(FITTING[state.cell[word * 64 + lowest_bit(cells)]] & slots)
                cells &= cells - 1
    return n


@kernel
def count_others(state, seat, hand):
    """How many of Destroys, Maps, Bonus and Malus, and drops there are: three numbers."""
    n_destroys = np.int64(0)
    if holds(hand, DESTROY_CARD):
        for word in range(4):
            n_destroys += popcount(np.int64(state.tiles[word]))
    n_actions = np.int64(0)
    if holds(hand, MAP_CARD):
        n_actions += N_OBJECTIVES - popcount(np.int64(state.shown))
    n_actions += np.int64(holds(hand, BONUS_CARD) > 0 and state.malus[seat] > 0)
    n_actions += np.int64(holds(hand, MALUS_CARD) > 0)
    return n_destroys, n_actions, popcount(kinds_in(hand))


@kernel
def count_actions(state):
    seat = np.int64(state.seat)
    n_destroys, n_actions, n_drops = count_others(state, seat, np.int64(state.hand[seat]))
    return count_placements(state, playable_slots(state, seat)) + n_destroys + n_actions + n_drops


@kernel
def is_legal(state, action):
    seat = np.int64(state.seat)
    hand = np.int64(state.hand[seat])
    if action < 0 or action >= ACTIONS:
        return False
    if action < DESTROY:
        cell = action >> 6
        if not has_cell(state.frontier, cell):
            return False
        return (FITTING[state.cell[cell]] & playable_slots(state, seat)) >> (action & 63) & 1 != 0
    if action < MAP:
        return holds(hand, DESTROY_CARD) > 0 and has_cell(state.tiles, action - DESTROY)
    if action < BONUS:
        return holds(hand, MAP_CARD) > 0 and (np.int64(state.shown) >> (action - MAP)) & 1 == 0
    if action == BONUS:
        return holds(hand, BONUS_CARD) > 0 and state.malus[seat] > 0
    if action == MALUS:
        return holds(hand, MALUS_CARD) > 0
    return holds(hand, action - DROP) > 0


@kernel
def pick(state, rng):
    seat = np.int64(state.seat)
    hand = np.int64(state.hand[seat])
    slots = playable_slots(state, seat)
    n_placements = count_placements(state, slots)
    n_destroys, n_actions, n_drops = count_others(state, seat, hand)
    k = draw(rng, n_placements + n_destroys + n_actions + n_drops)
    if k < n_placements:
        return nth_placement(state, slots, k)
    k -= n_placements
    if k < n_destroys:
        for word in range(4):
            cells = np.int64(state.tiles[word])
            n = popcount(cells)
            if k < n:
                return DESTROY + word * 64 + nth_bit(cells, k)
            k -= n
    k -= n_destroys
    if k < n_actions:
        return nth_action(state, hand, k)
    return DROP + nth_bit(kinds_in(hand), k - n_actions) // 3


@kernel
def nth_placement(state, slots, k):
    """Placement number k of the list."""
    for word in range(4):
        cells = np.int64(state.frontier[word])
        while cells:
            cell = word * 64 + lowest_bit(cells)
            cells &= cells - 1
            fitting = FITTING[state.cell[cell]] & slots
            n = popcount(fitting)
            if k < n:
                return cell * SLOTS + nth_bit(fitting, k)
            k -= n
    return np.int64(-1)


@kernel
def nth_action(state, hand, k):
    """Number k of Maps, Bonus and Malus in the list."""
    if holds(hand, MAP_CARD):
        hidden = 7 & ~np.int64(state.shown)
        n = popcount(hidden)
        if k < n:
            return MAP + nth_bit(hidden, k)
        k -= n
    if holds(hand, BONUS_CARD) and state.malus[state.seat] > 0:
        if k == 0:
            return np.int64(BONUS)
        k -= 1
    return np.int64(MALUS)


@kernel
def chance_weights(state, out):
    deck = np.int64(state.deck)
    for kind in range(N_KINDS):
        out[kind] = np.int64(kind < N_OBJECTIVES) if state.phase == HIDE else holds(deck, kind)


@kernel
def chance_key(state):
    """0 for the nugget, then the number of the card drawn."""
    return np.int64(0) if state.phase == HIDE else 49 + np.int64(state.n_maps) + 1 - np.int64(state.left)


@kernel
def settle(state):
    if state.phase == HIDE:
        apply(state, roll(state.fate, np.int64(0), N_OBJECTIVES))
    while state.phase == DEAL or state.phase == TAKE:
        left = np.int64(state.left)
        apply(state, nth_card(np.int64(state.deck), roll(state.fate, chance_key(state), left)))


@kernel
def apply(state, action):
    if state.phase == TURN:
        take_turn(state, action)
    elif state.phase == HIDE:
        state.nugget = action
        state.phase = DEAL
    else:
        take_card(state, action)


@kernel
def take_card(state, kind):
    """The seat whose turn it is gets a card of this kind; then the other deals or moves."""
    seat = np.int64(state.seat)
    state.deck -= 1 << (3 * kind)
    state.left -= 1
    state.hand[seat] += 1 << (3 * kind)
    state.n_hand[seat] += 1
    if state.phase == DEAL:
        state.seat = 1 - seat
        if state.n_hand[1] == HAND:
            state.phase = TURN
    else:
        pass_on(state)


@kernel
def take_turn(state, action):
    """Play or drop one card, then draw."""
    seat = np.int64(state.seat)
    if action < DESTROY:
        kind = (action & 63) // 3
        place(state, action >> 6, SHAPE[action & 63])
    elif action < MAP:
        kind = np.int64(DESTROY_CARD)
        destroy(state, action - DESTROY)
    elif action < BONUS:
        kind = np.int64(MAP_CARD)
        state.looked[seat] |= np.int64(1) << (action - MAP)
    elif action == BONUS:
        kind = np.int64(BONUS_CARD)
        state.malus[seat] -= 1
    elif action == MALUS:
        kind = np.int64(MALUS_CARD)
        state.malus[1 - seat] += 1
    else:
        kind = action - DROP
        state.dropped[seat] += np.int64(1) << (3 * kind)
        state.n_dropped[seat] += 1
    state.hand[seat] -= np.int64(1) << (3 * kind)
    state.n_hand[seat] -= 1
    if state.left > 0:
        state.phase = TAKE
    else:
        pass_on(state)


@kernel
def pass_on(state):
    """The other seat moves, unless the game is won or all cards are gone."""
    other = 1 - np.int64(state.seat)
    if state.winner >= 0 or state.n_hand[other] == 0:
        state.phase = OVER
    else:
        state.phase = TURN
        state.seat = other


@kernel
def known_objectives(state, seat):
    """Bits of the objectives that a seat knows: those it has seen, and the third where it has seen two."""
    known = np.int64(state.shown)
    if seat >= 0:
        known |= np.int64(state.looked[seat])
    return np.int64(7) if popcount(known) >= 2 else known


@kernel
def redeal(state, seat, rng):
    """Deal anew what `seat` has not seen.

    Every unseen card is as likely in one unseen place as in another: no move of the rival's shuts out a world,
    since the card of every move but a drop is shown, and any card may be dropped. So the unseen cards are put
    together and dealt to the rival's hand, to its drops, and to the deck. The nugget stays if it was seen; else it
    is equally likely under each objective not seen.
    """
    state.fate = fresh_fate(rng)
    if state.phase != HIDE:
        hide_nugget(state, known_objectives(state, seat), rng)
    pool = np.int64(state.deck)
    n_pool = np.int64(state.left)
    for owner in range(2):
        if owner != seat:
            pool += np.int64(state.hand[owner]) + np.int64(state.dropped[owner])
            n_pool += np.int64(state.n_hand[owner]) + np.int64(state.n_dropped[owner])
    for owner in range(2):
        if owner != seat:
            state.hand[owner] = deal_cards(pool, n_pool, np.int64(state.n_hand[owner]), rng)
            pool -= np.int64(state.hand[owner])
            n_pool -= np.int64(state.n_hand[owner])
            state.dropped[owner] = deal_cards(pool, n_pool, np.int64(state.n_dropped[owner]), rng)
            pool -= np.int64(state.dropped[owner])
            n_pool -= np.int64(state.n_dropped[owner])
    state.deck = pool


@kernel
def hide_nugget(state, known, rng):
    """Put the nugget under any objective not known, unless it is known itself."""
    if not (known >> np.int64(state.nugget)) & 1:
        hidden = 7 & ~known
        state.nugget = nth_bit(hidden, draw(rng, popcount(hidden)))


@kernel
def seen(state, action, seat):
    if state.phase == HIDE:
        return np.int64(HIDDEN)
    is_secret = state.phase != TURN or action >= DROP
    return np.int64(HIDDEN) if is_secret and seat != state.seat else np.int64(action)


@kernel
def ranks(state, out):
    for seat in range(2):
        out[seat] = 2 if state.winner == 1 - seat else 1


@kernel
def score(state, seat):
    return np.int64(state.winner == seat)


@kernel
def round_index(state):
    return np.int64(0)


@kernel
def check(state):
    if not tiles_are_sound(state):
        return 8
    if not is_whole(state):
        return 1
    if np.int64(state.malus[0]) + np.int64(state.malus[1]) > holds(removed_cards(state), MALUS_CARD):
        return 12
    for owner in range(2):
        if count_cards(np.int64(state.hand[owner])) != state.n_hand[owner]:
            return 2
        if count_cards(np.int64(state.dropped[owner])) != state.n_dropped[owner]:
            return 2
        is_short = np.int64(state.phase == TAKE and owner == state.seat)
        if state.phase > DEAL and state.left > 0 and state.n_hand[owner] != HAND - is_short:
            return 3
    if count_cards(np.int64(state.deck)) != state.left:
        return 2
    broken = check_board(state)
    return broken if broken else check_phase(state)


@kernel
def check_phase(state):
    """9 to 11 where nugget, hands or winner do not fit the phase, else 0."""
    phase, seat = np.int64(state.phase), np.int64(state.seat)
    n_first, n_second = np.int64(state.n_hand[0]), np.int64(state.n_hand[1])
    if (state.nugget < 0) != (phase == HIDE):
        return 9
    if phase <= DEAL and (state.left != 49 + np.int64(state.n_maps) - n_first - n_second or n_second == HAND):
        return 9
    if phase <= DEAL and (n_first - n_second != seat or (phase == HIDE and n_first + seat > 0)):
        return 9
    if phase == TAKE and (state.left == 0 or state.n_hand[seat] == HAND):
        return 10
    if phase == TURN and state.winner >= 0:
        return 11
    return 11 if phase == OVER and state.winner < 0 and (state.left > 0 or state.n_hand[1 - seat] > 0) else 0


@kernel
def removed_cards(state):
    """The cards that have left the game face up: actions played and tiles destroyed, as a multiset. Both know them."""
    gone = full_deck(state) - np.int64(state.deck)
    for owner in range(2):
        gone -= np.int64(state.hand[owner]) + np.int64(state.dropped[owner])
    for cell in range(N_CELLS):
        if has_cell(state.tiles, cell):
            gone -= np.int64(1) << (3 * TILE_OF[-1 - np.int64(state.cell[cell])])
    return gone


@kernel
def is_whole(state):
    """Whether no kind has more cards in play than the whole deck."""
    counts = np.zeros(N_KINDS, np.int64)
    for kind in range(N_KINDS):
        counts[kind] = holds(np.int64(state.deck), kind)
        for owner in range(2):
            counts[kind] += holds(np.int64(state.hand[owner]), kind) + holds(np.int64(state.dropped[owner]), kind)
    for cell in range(N_CELLS):
        if has_cell(state.tiles, cell):
            counts[TILE_OF[-1 - np.int64(state.cell[cell])]] += 1
    for kind in range(N_KINDS):
        if counts[kind] > (np.int64(state.n_maps) if kind == MAP_CARD else CARDS[kind]):
            return False
    return True
