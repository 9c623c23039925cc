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
from meeple.core.multisets import copies, count_deals, deal, held, kinds_in, nth_kind, single, size_of
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.board import check_board, clear_board, destroy, has_cell, place, tiles_are_sound
from meeple.games.saboteur_duel.layout import ACTIONS, CHECKS, MAX_ACTIONS, OUTCOMES, RANGES, SEATS, STATE

# What the contract asks for and layout.py holds.
__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "OUTCOMES", "RANGES", "SEATS", "STATE"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.n_maps = layout.N_MAPS[options[layout.DECK]]
    state.deck = full_deck(state)
    state.left = 49 + state.n_maps
    state.hand[:] = 0
    state.dropped[:] = 0
    state.n_hand[:] = 0
    state.n_dropped[:] = 0
    state.malus[:] = 0
    state.looked[:] = 0
    state.nugget = -1
    state.shown = 0
    state.phase = layout.HIDE
    state.seat = 0
    state.winner = -1
    clear_board(state)


@kernel
def to_move(state):
    if state.phase == layout.TURN:
        return state.seat
    return NOBODY if state.phase == layout.OVER else CHANCE


@kernel
def playable_slots(state, seat):
    """Both positions of every tile that a seat may place, as bits; none under a Malus."""
    if state.malus[seat] > 0:
        return 0
    return (kinds_in(state.hand[seat], layout.LOWS) & layout.LOW_TUNNELS) * 3


@kernel
def legal_actions(state, out):
    seat = state.seat
    hand = state.hand[seat]
    n = 0
    slots = playable_slots(state, seat)
    if slots != 0:
        for word in range(4):
            cells = state.frontier[word]
            while cells:
                cell = word * 64 + lowest_bit(cells)
                cells &= cells - 1
                fitting = layout.FITTING[state.cell[cell]] & slots
                while fitting:
                    out[n] = cell * layout.SLOTS + lowest_bit(fitting)
                    n += 1
                    fitting &= fitting - 1
    if held(hand, layout.DESTROY_CARD, layout.FIELDS):
        for word in range(4):
            cells = state.tiles[word]
            while cells:
                out[n] = layout.DESTROY + word * 64 + lowest_bit(cells)
                n += 1
                cells &= cells - 1
    if held(hand, layout.MAP_CARD, layout.FIELDS):
        for k in range(layout.N_OBJECTIVES):
            if not (state.shown >> k) & 1:
                out[n] = layout.MAP + k
                n += 1
    if held(hand, layout.BONUS_CARD, layout.FIELDS) and state.malus[seat] > 0:
        out[n] = layout.BONUS
        n += 1
    if held(hand, layout.MALUS_CARD, layout.FIELDS):
        out[n] = layout.MALUS
        n += 1
    kinds = kinds_in(hand, layout.LOWS)
    while kinds:
        out[n] = layout.DROP + lowest_bit(kinds) // 3
        n += 1
        kinds &= kinds - 1
    return n


@kernel
def count_placements(state, slots):
    """How many places there are for the tiles in `slots`, all positions counted."""
    n = 0
    if slots != 0:
        for word in range(4):
            cells = state.frontier[word]
            while cells:
                n += popcount(layout.FITTING[state.cell[word * 64 + lowest_bit(cells)]] & slots)
                cells &= cells - 1
    return n


@kernel
def count_others(state, seat, hand):
    """How many of Destroys, Maps, Bonus and Malus, and drops there are: three numbers."""
    n_destroys = 0
    if held(hand, layout.DESTROY_CARD, layout.FIELDS):
        for word in range(4):
            n_destroys += popcount(state.tiles[word])
    n_actions = 0
    if held(hand, layout.MAP_CARD, layout.FIELDS):
        n_actions += layout.N_OBJECTIVES - popcount(state.shown)
    n_actions += np.int64(held(hand, layout.BONUS_CARD, layout.FIELDS) > 0 and state.malus[seat] > 0)
    n_actions += np.int64(held(hand, layout.MALUS_CARD, layout.FIELDS) > 0)
    return n_destroys, n_actions, popcount(kinds_in(hand, layout.LOWS))


@kernel
def count_actions(state):
    seat = state.seat
    n_destroys, n_actions, n_drops = count_others(state, seat, state.hand[seat])
    return count_placements(state, playable_slots(state, seat)) + n_destroys + n_actions + n_drops


@kernel
def is_legal(state, action):
    seat = state.seat
    hand = state.hand[seat]
    if action < 0 or action >= ACTIONS:
        return False
    if action < layout.DESTROY:
        cell = action >> 6
        if not has_cell(state.frontier, cell):
            return False
        return (layout.FITTING[state.cell[cell]] & playable_slots(state, seat)) >> (action & 63) & 1 != 0
    if action < layout.MAP:
        return held(hand, layout.DESTROY_CARD, layout.FIELDS) > 0 and has_cell(state.tiles, action - layout.DESTROY)
    if action < layout.BONUS:
        return held(hand, layout.MAP_CARD, layout.FIELDS) > 0 and (state.shown >> (action - layout.MAP)) & 1 == 0
    if action == layout.BONUS:
        return held(hand, layout.BONUS_CARD, layout.FIELDS) > 0 and state.malus[seat] > 0
    if action == layout.MALUS:
        return held(hand, layout.MALUS_CARD, layout.FIELDS) > 0
    return held(hand, action - layout.DROP, layout.FIELDS) > 0


@kernel
def pick(state, rng):
    seat = state.seat
    hand = state.hand[seat]
    slots = playable_slots(state, seat)
    n_placements = count_placements(state, slots)
    n_destroys, n_actions, n_drops = count_others(state, seat, hand)
    k = draw(rng, n_placements + n_destroys + n_actions + n_drops)
    if k < n_placements:
        return nth_placement(state, slots, k)
    k -= n_placements
    if k < n_destroys:
        for word in range(4):
            cells = state.tiles[word]
            n = popcount(cells)
            if k < n:
                return layout.DESTROY + word * 64 + nth_bit(cells, k)
            k -= n
    k -= n_destroys
    if k < n_actions:
        return nth_action(state, hand, k)
    return layout.DROP + nth_bit(kinds_in(hand, layout.LOWS), k - n_actions) // 3


@kernel
def nth_placement(state, slots, k):
    """Placement number k of the list."""
    for word in range(4):
        cells = state.frontier[word]
        while cells:
            cell = word * 64 + lowest_bit(cells)
            cells &= cells - 1
            fitting = layout.FITTING[state.cell[cell]] & slots
            n = popcount(fitting)
            if k < n:
                return cell * layout.SLOTS + nth_bit(fitting, k)
            k -= n
    return -1


@kernel
def nth_action(state, hand, k):
    """Number k of Maps, Bonus and Malus in the list."""
    if held(hand, layout.MAP_CARD, layout.FIELDS):
        hidden = 7 & ~state.shown
        n = popcount(hidden)
        if k < n:
            return layout.MAP + nth_bit(hidden, k)
        k -= n
    if held(hand, layout.BONUS_CARD, layout.FIELDS) and state.malus[state.seat] > 0:
        if k == 0:
            return layout.BONUS
        k -= 1
    return layout.MALUS


@kernel
def chance_weights(state, out):
    deck = state.deck
    for kind in range(layout.N_KINDS):
        if state.phase == layout.HIDE:
            out[kind] = np.int64(kind < layout.N_OBJECTIVES)
        else:
            out[kind] = held(deck, kind, layout.FIELDS)


@kernel
def chance_key(state):
    """0 for the nugget, then the number of the card drawn."""
    return 0 if state.phase == layout.HIDE else 49 + state.n_maps + 1 - state.left


@kernel
def settle(state):
    if state.phase == layout.HIDE:
        apply(state, roll(state.fate, 0, layout.N_OBJECTIVES))
    while state.phase == layout.DEAL or state.phase == layout.TAKE:
        left = state.left
        apply(state, nth_kind(state.deck, roll(state.fate, chance_key(state), left), layout.FIELDS))


@kernel
def apply(state, action):
    if state.phase == layout.TURN:
        take_turn(state, action)
    elif state.phase == layout.HIDE:
        state.nugget = action
        state.phase = layout.DEAL
    else:
        take_card(state, action)


@kernel
def take_card(state, kind):
    """The seat whose turn it is gets a card of this kind; then the other deals or moves."""
    seat = state.seat
    state.deck -= single(kind, layout.FIELDS)
    state.left -= 1
    state.hand[seat] += single(kind, layout.FIELDS)
    state.n_hand[seat] += 1
    if state.phase == layout.DEAL:
        state.seat = 1 - seat
        if state.n_hand[1] == layout.HAND:
            state.phase = layout.TURN
    else:
        pass_on(state)


@kernel
def take_turn(state, action):
    """Play or drop one card, then draw."""
    seat = state.seat
    kind = kind_of(action)
    if action < layout.DESTROY:
        place(state, action >> 6, layout.SHAPE[action & 63])
    elif action < layout.MAP:
        destroy(state, action - layout.DESTROY)
    elif action < layout.BONUS:
        state.looked[seat] |= 1 << (action - layout.MAP)
    elif action == layout.BONUS:
        state.malus[seat] -= 1
    elif action == layout.MALUS:
        state.malus[1 - seat] += 1
    else:
        state.dropped[seat] += single(kind, layout.FIELDS)
        state.n_dropped[seat] += 1
    state.hand[seat] -= single(kind, layout.FIELDS)
    state.n_hand[seat] -= 1
    if state.left > 0:
        state.phase = layout.TAKE
    else:
        pass_on(state)


@kernel
def kind_of(action):
    """The kind of card that a move plays or drops."""
    if action < layout.DESTROY:
        return (action & 63) // 3
    if action < layout.MAP:
        return layout.DESTROY_CARD
    if action < layout.BONUS:
        return layout.MAP_CARD
    if action < layout.DROP:
        return layout.BONUS_CARD if action == layout.BONUS else layout.MALUS_CARD
    return action - layout.DROP


@kernel
def pass_on(state):
    """The other seat moves, unless the game is won or all cards are gone."""
    other = 1 - state.seat
    if state.winner >= 0 or state.n_hand[other] == 0:
        state.phase = layout.OVER
    else:
        state.phase = layout.TURN
        state.seat = other


@kernel
def known_objectives(state, seat):
    """Bits of the objectives that a seat knows: those it has seen, and the third where it has seen two."""
    known = state.shown
    if seat >= 0:
        known |= state.looked[seat]
    return 7 if popcount(known) >= 2 else known


@kernel
def redeal(state, seat, rng):
    """Deal anew what `seat` has not seen.

    Every unseen card is as likely in one unseen place as in another: no move of the rival's shuts out a world,
    since the card of every move but a drop is shown, and any card may be dropped. So the unseen cards are put
    together and dealt to the rival's hand, to its drops, and to the deck. The nugget stays if it was seen; else it
    is equally likely under each objective not seen.
    """
    state.fate = fresh_fate(rng)
    if state.phase != layout.HIDE:
        hide_nugget(state, known_objectives(state, seat), rng)
    pool = state.deck
    n_pool = state.left
    for owner in range(2):
        if owner != seat:
            pool += state.hand[owner] + state.dropped[owner]
            n_pool += state.n_hand[owner] + state.n_dropped[owner]
    for owner in range(2):
        if owner != seat:
            state.hand[owner] = deal(pool, n_pool, state.n_hand[owner], rng, layout.FIELDS)
            pool -= state.hand[owner]
            n_pool -= state.n_hand[owner]
            state.dropped[owner] = deal(pool, n_pool, state.n_dropped[owner], rng, layout.FIELDS)
            pool -= state.dropped[owner]
            n_pool -= state.n_dropped[owner]
    state.deck = pool


@kernel
def count_worlds(state, seat):
    """The rival's hand and its drops out of the unseen cards, and where the nugget may lie."""
    pool = state.deck
    sizes = np.zeros(4, np.int64)
    for owner in range(2):
        if owner != seat:
            pool += state.hand[owner] + state.dropped[owner]
            sizes[2 * owner] = state.n_hand[owner]
            sizes[2 * owner + 1] = state.n_dropped[owner]
    places = 1
    if state.phase != layout.HIDE:
        known = known_objectives(state, seat)
        if not (known >> state.nugget) & 1:
            places = 3 - popcount(known)
    return places * count_deals(pool, sizes, 0, layout.FIELDS)


@kernel
def reveal(state, seat, action, rng):
    """Redeal so that a card which is about to be seen is where it comes from: the rival's hand, the deck.

    Each unseen card of its kind may be the one; it is laid aside while the others are dealt.
    """
    mover = state.seat
    is_draw = state.phase != layout.TURN
    # Its own cards a seat knows; of others it sees those they play, and not those they draw or drop.
    is_hidden = state.phase == layout.HIDE or (not is_draw and action >= layout.DROP)
    kind = action if is_draw else kind_of(action)
    if is_hidden or is_draw != (mover == seat) or not gather(state, seat, kind):
        redeal(state, seat, rng)
        return
    card = single(kind, layout.FIELDS)
    state.deck -= card
    if is_draw:
        state.left -= 1
        redeal(state, seat, rng)
        state.left += 1
        state.deck += card
    else:
        state.n_hand[mover] -= 1
        redeal(state, seat, rng)
        state.n_hand[mover] += 1
        state.hand[mover] += card


@kernel
def gather(state, seat, kind):
    """Put all cards that a seat has not seen into the deck, while the counts stay; whether one is of this kind."""
    for owner in range(2):
        if owner != seat:
            state.deck += state.hand[owner] + state.dropped[owner]
            state.hand[owner] = 0
            state.dropped[owner] = 0
    return held(state.deck, kind, layout.FIELDS) > 0


@kernel
def hide_nugget(state, known, rng):
    """Put the nugget under any objective not known, unless it is known itself."""
    if not (known >> state.nugget) & 1:
        hidden = 7 & ~known
        state.nugget = nth_bit(hidden, draw(rng, popcount(hidden)))


@kernel
def seen(state, action, seat):
    if state.phase == layout.HIDE:
        return HIDDEN
    is_secret = state.phase != layout.TURN or action >= layout.DROP
    return HIDDEN if is_secret and seat != state.seat else action


@kernel
def ranks(state, out):
    for seat in range(2):
        out[seat] = 2 if state.winner == 1 - seat else 1


@kernel
def score(state, seat):
    return np.int64(state.winner == seat)


@kernel
def round_index(state):
    return 0


@kernel
def check(state):
    if not tiles_are_sound(state):
        return 8
    if not is_whole(state):
        return 1
    n_malus = held(removed_cards(state), layout.MALUS_CARD, layout.FIELDS)
    if state.malus[0] + state.malus[1] > n_malus:
        return 12
    for owner in range(2):
        if size_of(state.hand[owner], layout.FIELDS) != state.n_hand[owner]:
            return 2
        if size_of(state.dropped[owner], layout.FIELDS) != state.n_dropped[owner]:
            return 2
        is_short = np.int64(state.phase == layout.TAKE and owner == state.seat)
        if state.phase > layout.DEAL and state.left > 0 and state.n_hand[owner] != layout.HAND - is_short:
            return 3
    if size_of(state.deck, layout.FIELDS) != state.left:
        return 2
    broken = check_board(state)
    return broken if broken else check_phase(state)


@kernel
def check_phase(state):
    """9 to 11 where nugget, hands or winner do not fit the phase, else 0."""
    phase, seat = state.phase, state.seat
    n_first, n_second = state.n_hand[0], state.n_hand[1]
    if (state.nugget < 0) != (phase == layout.HIDE):
        return 9
    if phase <= layout.DEAL and (state.left != 49 + state.n_maps - n_first - n_second or n_second == layout.HAND):
        return 9
    if phase <= layout.DEAL and (n_first - n_second != seat or (phase == layout.HIDE and n_first + seat > 0)):
        return 9
    if phase == layout.TAKE and (state.left == 0 or state.n_hand[seat] == layout.HAND):
        return 10
    if phase == layout.TURN and state.winner >= 0:
        return 11
    return 11 if phase == layout.OVER and state.winner < 0 and (state.left > 0 or state.n_hand[1 - seat] > 0) else 0


@kernel
def full_deck(state):
    """All cards of the game as a multiset."""
    cards = 0
    for kind in range(layout.N_KINDS):
        n = state.n_maps if kind == layout.MAP_CARD else layout.CARDS[kind]
        cards += copies(n, kind, layout.FIELDS)
    return cards


@kernel
def removed_cards(state):
    """The cards that have left the game face up: actions played and tiles destroyed, as a multiset. Both know them."""
    gone = full_deck(state) - state.deck
    for owner in range(2):
        gone -= state.hand[owner] + state.dropped[owner]
    for cell in range(layout.N_CELLS):
        if has_cell(state.tiles, cell):
            gone -= single(layout.TILE_OF[-1 - state.cell[cell]], layout.FIELDS)
    return gone


@kernel
def is_whole(state):
    """Whether no kind has more cards in play than the whole deck."""
    counts = np.zeros(layout.N_KINDS, np.int64)
    for kind in range(layout.N_KINDS):
        counts[kind] = held(state.deck, kind, layout.FIELDS)
        for owner in range(2):
            counts[kind] += held(state.hand[owner], kind, layout.FIELDS)
            counts[kind] += held(state.dropped[owner], kind, layout.FIELDS)
    for cell in range(layout.N_CELLS):
        if has_cell(state.tiles, cell):
            counts[layout.TILE_OF[-1 - state.cell[cell]]] += 1
    for kind in range(layout.N_KINDS):
        if counts[kind] > (state.n_maps if kind == layout.MAP_CARD else layout.CARDS[kind]):
            return False
    return True
