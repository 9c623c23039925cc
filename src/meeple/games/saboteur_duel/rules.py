"""Saboteur as a duel: the rules, compiled.

Two seats build one tunnel system on 14 x 14 cells. A turn plays or drops one card, then draws. Who completes
a tunnel from the entrance to the hidden nugget wins; when all cards are gone without that, it is a draw.

State   STATE below. Cells lie 16 a row: cell = 16 * (row + 1) + column, so that every cell of the board has four
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

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.tunnels import (
    CARD_OF,
    COPIES,
    CROSS,
    N_TUNNELS,
    OPEN,
    UPRIGHT,
    WALL,
    demands,
    fitting_slots,
    turned,
)

SEATS = (2, 2)
SIZE = 14
HAND = 7
MAP_CARD, BONUS_CARD, DESTROY_CARD, MALUS_CARD = 16, 17, 18, 19
N_KINDS = 20
N_MAPS = (6, 4)  # by option: the deck of 55 cards, and the earlier one of 53
N_OBJECTIVES = 3
OUTCOMES = N_KINDS
DECK = 0  # place in `options`

ROW = 16
N_CELLS = 256
STEP = np.array([-ROW, 1, ROW, -1], dtype=np.int64)  # to the neighbour in the north, east, south, west
ENTRANCE = 6 * ROW + 5
OBJECTIVES = np.array([13 * ROW + 3, 13 * ROW + 5, 13 * ROW + 7], dtype=np.int64)
FIELD = 7  # mask of one kind in a multiset

SLOTS = 64  # of a cell in the action code; bit 3 * tile + turned
DESTROY = N_CELLS * SLOTS
MAP = DESTROY + N_CELLS
BONUS = MAP + N_OBJECTIVES
MALUS = BONUS + 1
DROP = MALUS + 1
ACTIONS = DROP + N_KINDS
# Empty cells that an open side faces: 4 at the entrance, and at most 2 more with each of 40 tiles and 3 more with
# each of 3 objectives: 93; 14 positions of 7 tiles in each, or fewer tiles and 40 Destroys, 3 Maps, 2 others; 7 drops.
MAX_ACTIONS = 93 * 14 + 40 + 3 + 2 + 7

HIDE, DEAL, TURN, TAKE, OVER = range(5)  # phases: the nugget is hidden, cards are dealt, a seat moves, it draws

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("deck", np.int64),  # hidden: a multiset, since an unseen order is no order
            ("hand", np.int64, (2,)),  # hidden from the rival
            ("dropped", np.int64, (2,)),  # hidden from the rival
            ("frontier", np.int64, (4,)),  # empty cells that an open side faces
            ("tiles", np.int64, (4,)),  # tiles on the board, without entrance and objectives
            ("reached", np.int64, (4,)),  # cells joined to the entrance through open centres
            ("cell", np.int8, (N_CELLS,)),  # empty: >= 0, what the sides ask; else -1 - shape
            ("left", np.int8),  # cards in the deck
            ("n_hand", np.int8, (2,)),
            ("n_dropped", np.int8, (2,)),
            ("malus", np.int8, (2,)),
            (
                "looked",
                np.int8,
                (2,),
            ),  # bits of objectives that a seat has looked at: that it did is open, what it saw not
            ("nugget", np.int8),  # 0..2, -1 before it is hidden; hidden until seen
            ("shown", np.int8),  # bits of objectives revealed to both
            ("n_maps", np.int8),  # in the whole deck: 6 or 4
            ("phase", np.int8),
            ("seat", np.int8),  # who moves or draws
            ("winner", np.int8),  # -1: nobody
        ],
    )
)
CHECKS = (
    "every card must be in one place, no more of a kind than the deck has",
    "the sizes of hands, drops and deck must be those of their multisets",
    "a hand must hold seven cards as long as the deck has any",
    "demands of empty cells and the frontier must follow from the tiles",
    "the reached cells must be those joined to the entrance",
    "the objectives reached must be revealed",
    "a revealed nugget must have made somebody win, and nobody wins without",
)


def _slots() -> np.ndarray:
    shapes = np.full(SLOTS, -1, dtype=np.int64)
    for tile, shape in enumerate(UPRIGHT):
        shapes[3 * tile] = shape
        if turned(shape) != shape:
            shapes[3 * tile + 1] = turned(shape)
    return shapes


SHAPE = _slots()  # of a slot, -1 where there is none
TILE_OF = np.array([CARD_OF.get(shape, (0, False))[0] for shape in range(32)], dtype=np.int64)  # by shape
POWER = np.array([1, 3, 9, 27], dtype=np.int64)  # of each side's demand in a cell's code
FITTING = np.array([fitting_slots(code, SHAPE.tolist()) for code in range(81)], dtype=np.int64)
IS_OPEN = np.array([OPEN in demands(code) for code in range(81)], dtype=np.bool_)
ONES = sum(1 << 3 * kind for kind in range(N_KINDS))
TILE_ONES = sum(1 << 3 * tile for tile in range(N_TUNNELS))
CARDS = np.array([*COPIES, 6, 4, 3, 2], dtype=np.int64)  # of each kind, in the deck of 55
BOARD_BIT = np.zeros(N_CELLS, dtype=np.int64)  # of a cell of the board in its word, 0 on the border
for _row in range(SIZE):
    for _column in range(SIZE):
        _cell = ROW * (_row + 1) + _column
        BOARD_BIT[_cell] = 1 << (_cell & 63)


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
def full_deck(state):
    """All cards of the game as a multiset."""
    cards = np.int64(0)
    for kind in range(N_KINDS):
        n = np.int64(state.n_maps) if kind == MAP_CARD else CARDS[kind]
        cards += n << (3 * kind)
    return cards


@kernel
def clear_board(state):
    """Entrance and face-down objectives, and nothing else."""
    state.frontier[:] = 0
    state.tiles[:] = 0
    state.reached[:] = 0
    state.cell[:] = 0
    state.cell[ENTRANCE] = -1 - CROSS
    for k in range(N_OBJECTIVES):
        state.cell[OBJECTIVES[k]] = -1 - CROSS
    add_cell(state.reached, np.int64(ENTRANCE))
    make_demands(state, np.int64(ENTRANCE), np.int64(CROSS))


@kernel
def to_move(state):
    if state.phase == TURN:
        return np.int64(state.seat)
    return np.int64(NOBODY) if state.phase == OVER else np.int64(CHANCE)


@kernel
def has_cell(cells, cell):
    """Whether a set of cells holds this one."""
    return (np.int64(cells[cell >> 6]) >> (cell & 63)) & 1 != 0


@kernel
def add_cell(cells, cell):
    """Put a cell of the board into a set; the border is left out."""
    cells[cell >> 6] |= BOARD_BIT[cell]


@kernel
def remove_cell(cells, cell):
    """Take a cell out of a set."""
    cells[cell >> 6] &= ~BOARD_BIT[cell]


@kernel
def holds(cards, kind):
    """How many cards of a kind are in a multiset."""
    return (cards >> (3 * kind)) & FIELD


@kernel
def kinds_in(cards):
    """The lowest bit of each kind that is in a multiset."""
    return (cards | cards >> 1 | cards >> 2) & ONES


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
def nth_bit(word, k):
    """The index of set bit number k, counted from 0."""
    while k > 0:
        word &= word - 1
        k -= 1
    return lowest_bit(word)


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
def nth_card(cards, k):
    """The kind of card number k of a multiset laid out by kind."""
    kind = np.int64(0)
    while k >= cards & FIELD:
        k -= cards & FIELD
        cards >>= 3
        kind += 1
    return kind


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
def make_demands(state, cell, shape):
    """Tell the empty neighbours what a face-up card asks of them."""
    for side in range(4):
        other = cell + STEP[side]
        if state.cell[other] >= 0:
            is_open = (shape >> side) & 1
            state.cell[other] += (WALL + is_open) * POWER[(side + 2) & 3]
            if is_open:
                add_cell(state.frontier, other)


@kernel
def place(state, cell, shape):
    """Lay a tile, and see what is reached by it."""
    state.cell[cell] = -1 - shape
    add_cell(state.tiles, cell)
    remove_cell(state.frontier, cell)
    make_demands(state, cell, shape)
    is_joined = False
    goes_on = False
    for side in range(4):
        if (shape >> side) & 1:
            other = cell + STEP[side]
            if is_passage(state, other, side):
                if has_cell(state.reached, other):
                    is_joined = True
                else:
                    goes_on = True
    if is_joined and shape >> 4:
        add_cell(state.reached, cell)
        if goes_on:
            flood(state)
            show_reached(state)


@kernel
def is_passage(state, other, side):
    """Whether a tunnel that leaves through `side` goes on in the cell `other`."""
    shape = -1 - np.int64(state.cell[other])
    return shape >= 0 and shape >> 4 != 0 and (shape >> ((side + 2) & 3)) & 1 != 0


@kernel
def flood(state):
    """Find all cells reached from the entrance; face-down objectives take part as open crosses."""
    state.reached[:] = 0
    add_cell(state.reached, np.int64(ENTRANCE))
    stack = np.empty(64, np.int64)  # at most 40 tiles, the entrance and 3 objectives, each put here once
    stack[0] = ENTRANCE
    n = 1
    while n > 0:
        n -= 1
        cell = stack[n]
        shape = -1 - np.int64(state.cell[cell])
        for side in range(4):
            if (shape >> side) & 1:
                other = cell + STEP[side]
                if is_passage(state, other, side) and not has_cell(state.reached, other):
                    add_cell(state.reached, other)
                    stack[n] = other
                    n += 1


@kernel
def show_reached(state):
    """Reveal every objective that is reached; the nugget makes the mover win."""
    for k in range(N_OBJECTIVES):
        if has_cell(state.reached, OBJECTIVES[k]) and not (np.int64(state.shown) >> k) & 1:
            state.shown |= np.int64(1) << k
            make_demands(state, OBJECTIVES[k], np.int64(CROSS))
            if state.nugget == k:
                state.winner = state.seat


@kernel
def destroy(state, cell):
    """Take a tile away: its neighbours ask for nothing any more, and it asks for what they show."""
    shape = -1 - np.int64(state.cell[cell])
    asks = np.int64(0)
    for side in range(4):
        other = cell + STEP[side]
        found = np.int64(state.cell[other])
        if found >= 0:
            found -= (WALL + ((shape >> side) & 1)) * POWER[(side + 2) & 3]
            state.cell[other] = found
            if not IS_OPEN[found]:
                remove_cell(state.frontier, other)
        elif is_face_up(state, other):
            asks += (WALL + (((-1 - found) >> ((side + 2) & 3)) & 1)) * POWER[side]
    state.cell[cell] = asks
    remove_cell(state.tiles, cell)
    if IS_OPEN[asks]:
        add_cell(state.frontier, cell)
    if has_cell(state.reached, cell):
        flood(state)


@kernel
def is_face_up(state, cell):
    """Whether the card in this cell is anything but an objective that is not revealed."""
    for k in range(N_OBJECTIVES):
        if cell == OBJECTIVES[k]:
            return (np.int64(state.shown) >> k) & 1 != 0
    return True


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
def deal_cards(pool, n_pool, n, rng):
    """A random multiset of n of the n_pool cards in the pool."""
    dealt = np.int64(0)
    for i in range(n):
        dealt += np.int64(1) << (3 * nth_card(pool - dealt, draw(rng, n_pool - i)))
    return dealt


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
    if not is_whole(state):
        return 1
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
    return check_board(state)


@kernel
def count_cards(cards):
    """The size of a multiset."""
    n = np.int64(0)
    for kind in range(N_KINDS):
        n += holds(cards, kind)
    return n


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


@kernel
def rebuild(state):
    """Demands, frontier and reached cells anew from the cards that lie on the board."""
    state.frontier[:] = 0
    for cell in range(N_CELLS):
        if state.cell[cell] >= 0:
            state.cell[cell] = 0
    for cell in range(N_CELLS):
        if state.cell[cell] < 0 and is_face_up(state, cell):
            make_demands(state, np.int64(cell), -1 - np.int64(state.cell[cell]))
    flood(state)


@kernel
def check_board(state):
    """The invariants of the board: demands and frontier, reached cells, revealed objectives, the winner."""
    for cell in range(N_CELLS):
        if BOARD_BIT[cell] != 0:
            asks = demand_of(state, np.int64(cell)) if state.cell[cell] >= 0 else np.int64(0)
            if state.cell[cell] >= 0 and state.cell[cell] != asks:
                return 4
            if has_cell(state.frontier, cell) != IS_OPEN[asks]:
                return 4
            is_entrance = cell == ENTRANCE
            if has_cell(state.reached, cell) != (is_entrance or touches_reached(state, np.int64(cell))):
                return 5
    if count_reached(state) != count_joined(state):
        return 5
    for k in range(N_OBJECTIVES):
        if has_cell(state.reached, OBJECTIVES[k]) and not (np.int64(state.shown) >> k) & 1:
            return 6
    is_found = state.nugget >= 0 and (np.int64(state.shown) >> max(np.int64(0), np.int64(state.nugget))) & 1 != 0
    return 7 if is_found != (state.winner >= 0) else 0


@kernel
def demand_of(state, cell):
    """What the face-up neighbours of an empty cell ask of it."""
    asks = np.int64(0)
    for side in range(4):
        other = cell + STEP[side]
        shape = -1 - np.int64(state.cell[other])
        if shape >= 0 and is_face_up(state, other):
            asks += (WALL + ((shape >> ((side + 2) & 3)) & 1)) * POWER[side]
    return asks


@kernel
def touches_reached(state, cell):
    """Whether the card in a cell has an open centre and is joined to a cell that is reached."""
    shape = -1 - np.int64(state.cell[cell])
    if shape < 0 or shape >> 4 == 0:
        return False
    for side in range(4):
        other = cell + STEP[side]
        if (shape >> side) & 1 and is_passage(state, other, side) and has_cell(state.reached, other):
            return True
    return False


@kernel
def count_reached(state):
    """How many cells are marked as reached."""
    n = np.int64(0)
    for word in range(4):
        n += popcount(np.int64(state.reached[word]))
    return n


@kernel
def count_joined(state):
    """How many cells are joined to the entrance, counted by walking out from it."""
    joined = np.zeros(N_CELLS, np.bool_)
    joined[ENTRANCE] = True
    n = np.int64(1)
    has_grown = True
    while has_grown:
        has_grown = False
        for cell in range(ROW, N_CELLS - ROW):
            if joined[cell]:
                shape = -1 - np.int64(state.cell[cell])
                for side in range(4):
                    other = cell + STEP[side]
                    if (shape >> side) & 1 and is_passage(state, other, side) and not joined[other]:
                        joined[other] = True
                        n += 1
                        has_grown = True
    return n
