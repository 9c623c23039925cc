"""Saboteur: the rules, compiled.

Three to ten seats, each a gold miner or a saboteur in secret, dig from a start card towards three face-down goals,
one of which is the treasure. A turn plays one card or passes by discarding one, then draws. The miners win a round
when the treasure is reached, the saboteurs when all cards are gone without that. The winners get gold; after three
rounds most gold wins.

State   STATE below. The table has no edge: cells lie on a torus of 32 x 32, cell = 32 * (y & 31) + (x & 31) with the
        start at (0, 0), x to the east and y to the south; no round can fill more than 30 columns and 26 rows (RULING
        15), so no two cells of a round share an index. A set of cells is 32 words, one a row. A multiset of cards is
        one word, a field a kind (FIELD_AT, FIELD_MASK). An empty cell holds what its sides ask for, in base 3.
Action  cell * 64 + slot: lay a tunnel | ROCKFALL + cell | MAP + goal | BREAK + 10 * tool + seat | REPAIR + the same
        | DOUBLE + 20 * card + 10 * which + seat | PASS + kind | TAKE + value - 1, a gold card
Chance  who starts; roles by seat; goals; the kind of each card dealt or drawn; the value of gold cards drawn
Hidden  roles until the round ends, other hands and passed cards, the pile, goals not seen, gold, fate
Source  docs/games/saboteur.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.tunnels import (
    CARD_OF,
    CENTRE,
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

SEATS = (3, 10)
MOST = 10
N_ROUNDS = 3
N_TOOLS = 3  # pickaxe, lantern, cart
BREAK_CARD, REPAIR_CARD, DOUBLE_CARD, ROCKFALL_CARD, MAP_CARD = 16, 19, 22, 25, 26
N_KINDS = 27
N_CARDS = 67
OUTCOMES = N_KINDS
PAIR = np.array([[0, 1], [0, 2], [1, 2]], dtype=np.int64)  # the two tools of each double repair
# By number of players.
SABOTEURS = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4], dtype=np.int64)  # cards
MINERS = np.array([0, 0, 0, 3, 4, 4, 5, 5, 6, 7, 7], dtype=np.int64)
HAND = np.array([0, 0, 0, 6, 6, 6, 5, 5, 4, 4, 4], dtype=np.int64)
SHARE = np.array([0, 4, 3, 3, 2], dtype=np.int64)  # gold for each saboteur, by how many they are
BANK = np.array([16, 8, 4], dtype=np.int64)  # gold cards of value 1, 2, 3
MOST_OFFERED = 9
GOLD_CARDS, GOALS = 0, 1  # places in `options`
BY_PLAYERS, BY_MINERS = 0, 1
CURVES, CROSSES = 0, 1

SIDE = 32
N_CELLS = SIDE * SIDE
START = 0
GOAL_CELLS = np.array([32 * 30 + 8, 8, 32 * 2 + 8], dtype=np.int64)  # (8, -2), (8, 0), (8, 2)
TREASURE, STONE_NE, STONE_NW = 0, 1, 2
STONE_SHAPE = np.array([CROSS, 3 | CENTRE, 9 | CENTRE], dtype=np.int64)  # upright, by goal card

SLOTS = 64
ROCKFALL = N_CELLS * SLOTS
MAP = ROCKFALL + N_CELLS
BREAK = MAP + 3
REPAIR = BREAK + N_TOOLS * MOST
DOUBLE = REPAIR + N_TOOLS * MOST
PASS = DOUBLE + 2 * N_TOOLS * MOST
TAKE = PASS + N_KINDS
ACTIONS = TAKE + 3
# Cells that a tunnel leads into: 4 at the start, 2 more with each of 40 cards, 1 with each of 2 stones (3 as crosses):
# 90; 12 positions of six tunnels in each. Other cards add less than the tunnels they stand in for would.
MAX_ACTIONS = 90 * 12 + 40 + 3 + 27 + 30 + 6

FIRST, ROLES, LAY, DEAL, TURN, TAKE_CARD, GOLD, CHOOSE, OVER = range(9)  # phases

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("pile", np.int64),  # hidden: a multiset, since an unseen order is no order
            ("hand", np.int64, (MOST,)),  # hidden from others
            ("passed", np.int64, (MOST,)),  # cards discarded face down this round; hidden from others
            ("tunnels", np.int64, (SIDE,)),  # cells with a tunnel card, a word a row
            ("frontier", np.int64, (SIDE,)),  # empty cells that a tunnel from the start leads into
            ("cell", np.int8, (N_CELLS,)),  # empty: >= 0, what the sides ask; else -1 - shape, less 32 if reached
            ("saboteurs", np.int16),  # bits of seats; hidden until the round ends
            ("were", np.int16, (N_ROUNDS,)),  # saboteurs of the rounds that are over: shown
            ("n_hand", np.int8, (MOST,)),
            ("n_passed", np.int8, (MOST,)),
            ("broken", np.int8, (MOST,)),  # bits of tools
            ("looked", np.int8, (MOST,)),  # bits of goals: that one looked is open, what it saw not
            ("goal", np.int8, (3,)),  # goal card at left, middle, right, -1 before; hidden until seen
            ("shown", np.int8),  # bits of goals turned face up
            ("bank", np.int8, (3,)),  # gold cards not drawn, by value; hidden, but searched face up to pay saboteurs
            ("offer", np.int8, (3,)),  # gold cards that the miners choose from; seen by the one who chooses
            ("n_offer", np.int8),
            ("taker", np.int8, (N_ROUNDS, MOST)),  # who took the first, second ... gold card of a round, -1 nobody
            ("taken", np.int8, (N_ROUNDS, MOST)),  # its value less one, -1 none; hidden from others
            ("n_taken", np.int8, (N_ROUNDS,)),
            ("paid", np.int8, (N_ROUNDS, MOST, 3)),  # gold cards paid to saboteurs, by value: shown
            ("returned", np.int8, (MOST, 3)),  # gold cards given back for change: shown
            ("bared", np.int8, (MOST,)),  # the gold that a seat took before this round lies open
            ("outcome_of", np.int8, (N_ROUNDS,)),  # 0 not over, 1 the miners won, 2 the saboteurs
            ("seats", np.int8),
            ("by_miners", np.int8),  # 1: as many gold cards as miners
            ("crosses", np.int8),  # 1: stones are crosses
            ("lap", np.int8),  # rounds finished
            ("phase", np.int8),
            ("seat", np.int8),  # who moves, draws or takes; in setup who will start
            ("step", np.int8),  # roles dealt, goals laid, cards dealt, gold cards still to draw
            ("left", np.int8),  # cards in the pile
            ("last", np.int8),  # who played the last card
        ],
    )
)
CHECKS = (
    "every card must be in one place",
    "the sizes of hands, passed cards and pile must be those of their multisets",
    "demands of empty cells and the frontier must follow from the cards on the table",
    "the reached cells must be those joined to the start",
    "gold cards must be in one place each",
    "there must be as many saboteurs as the role cards allow",
    "the goal cards must be the treasure and two stones",
)


def _fields() -> tuple[list[int], list[int]]:
    """Where the field of each kind begins, and its mask; a tunnel has at least two bits, for its two positions."""
    at, masks, bit = [], [], 0
    for kind in range(N_KINDS):
        width = max(ALL[kind].bit_length(), 2 if kind < N_TUNNELS else 1)
        at.append(bit)
        masks.append((1 << width) - 1)
        bit += width
    assert bit <= 63
    return at, masks


ALL = (*COPIES, 3, 3, 3, 2, 2, 2, 1, 1, 1, 3, 6)  # of each kind
_AT, _MASKS = _fields()
FIELD_AT = np.array(_AT, dtype=np.int64)
FIELD_MASK = np.array(_MASKS, dtype=np.int64)
ALL_CARDS = sum(n << at for n, at in zip(ALL, _AT, strict=True))
LOW = sum(1 << at for at in _AT)
LOW_2 = sum(1 << at for at, mask in zip(_AT, _MASKS, strict=True) if mask >= 3)
LOW_3 = sum(1 << at for at, mask in zip(_AT, _MASKS, strict=True) if mask >= 7)
LOW_TUNNELS = sum(1 << at for at in _AT[:N_TUNNELS])
KIND_AT = np.array([max(kind for kind in range(N_KINDS) if _AT[kind] <= bit) for bit in range(SLOTS)], dtype=np.int64)
SHAPE = np.full(SLOTS, -1, dtype=np.int64)  # of a slot: the bit of a tunnel's field, and the next one if it is turned
for _kind, _shape in enumerate(UPRIGHT):
    SHAPE[_AT[_kind]] = _shape
    if turned(_shape) != _shape:
        SHAPE[_AT[_kind] + 1] = turned(_shape)
POWER = np.array([1, 3, 9, 27], dtype=np.int64)
FITTING = np.array([fitting_slots(code, SHAPE.tolist()) for code in range(81)], dtype=np.int64)
IS_OPEN = np.array([OPEN in demands(code) for code in range(81)], dtype=np.bool_)
KIND_OF = np.array([CARD_OF.get(shape, (0, False))[0] for shape in range(32)], dtype=np.int64)  # by shape
PARTS = ("miner", "saboteur")  # what a seat may be in a round
STRATA = 1 << MOST  # classes of worlds: the role deals, as bits of saboteurs
REACHED = 32  # mark of a card that is joined to the start and has an open centre


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
def start_round(state):
    """Collect all cards but the gold; chance deals roles, goals and hands."""
    state.pile = ALL_CARDS
    state.left = N_CARDS
    state.hand[:] = 0
    state.passed[:] = 0
    state.n_hand[:] = 0
    state.n_passed[:] = 0
    state.broken[:] = 0
    state.looked[:] = 0
    state.goal[:] = -1
    state.shown = 0
    state.saboteurs = 0
    state.phase = ROLES
    state.step = 0
    clear_table(state)


@kernel
def clear_table(state):
    """The start card and three face-down goals."""
    state.tunnels[:] = 0
    state.frontier[:] = 0
    state.cell[:] = 0
    state.cell[START] = -1 - CROSS - REACHED
    for k in range(3):
        state.cell[GOAL_CELLS[k]] = -1 - CROSS
    make_demands(state, np.int64(START), np.int64(CROSS))
    for side in range(4):
        add_cell(state.frontier, beside(np.int64(START), side))


@kernel
def to_move(state):
    if state.phase == TURN or state.phase == CHOOSE:
        return np.int64(state.seat)
    return np.int64(NOBODY) if state.phase == OVER else np.int64(CHANCE)


@kernel
def beside(cell, side):
    """The neighbour in the north, east, south or west, on the torus."""
    if side == 0:
        return (cell - SIDE) & (N_CELLS - 1)
    if side == 1:
        return (cell & ~(SIDE - 1)) | ((cell + 1) & (SIDE - 1))
    if side == 2:
        return (cell + SIDE) & (N_CELLS - 1)
    return (cell & ~(SIDE - 1)) | ((cell - 1) & (SIDE - 1))


@kernel
def has_cell(cells, cell):
    """Whether a set of cells holds this one."""
    return (np.int64(cells[cell >> 5]) >> (cell & 31)) & 1 != 0


@kernel
def add_cell(cells, cell):
    """Put a cell into a set."""
    cells[cell >> 5] |= np.int64(1) << (cell & 31)


@kernel
def remove_cell(cells, cell):
    """Take a cell out of a set."""
    cells[cell >> 5] &= ~(np.int64(1) << (cell & 31))


@kernel
def shape_at(state, cell):
    """The shape of the card in a cell; negative where there is none."""
    found = -1 - np.int64(state.cell[cell])
    return found & 31 if found >= 0 else np.int64(-1)


@kernel
def is_reached(state, cell):
    """Whether the card in a cell is joined to the start and its centre open."""
    return np.int64(state.cell[cell]) < -REACHED


@kernel
def holds(cards, kind):
    """How many cards of a kind are in a multiset."""
    return (cards >> FIELD_AT[kind]) & FIELD_MASK[kind]


@kernel
def one_card(kind):
    """A multiset of one card."""
    return np.int64(1) << FIELD_AT[kind]


@kernel
def kinds_in(cards):
    """The lowest bit of each kind that is in a multiset."""
    return (cards | (cards >> 1 & LOW_2) | (cards >> 2 & LOW_3)) & LOW


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
def nth_card(cards, k):
    """The kind of card number k of a multiset laid out by kind."""
    kind = np.int64(0)
    n = holds(cards, kind)
    while k >= n:
        k -= n
        kind += 1
        n = holds(cards, kind)
    return kind


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
def kind_of(action):
    """The kind of card that a move in a turn plays or passes."""
    if action < ROCKFALL:
        return KIND_AT[action & 63]
    if action < MAP:
        return np.int64(ROCKFALL_CARD)
    if action < BREAK:
        return np.int64(MAP_CARD)
    if action < REPAIR:
        return BREAK_CARD + (action - BREAK) // MOST
    if action < DOUBLE:
        return REPAIR_CARD + (action - REPAIR) // MOST
    if action < PASS:
        return DOUBLE_CARD + (action - DOUBLE) // (2 * MOST)
    return action - PASS


# --- the tunnel -----------------------------------------------------------------------------------------


@kernel
def make_demands(state, cell, shape):
    """Tell the empty neighbours what a face-up card asks of them."""
    for side in range(4):
        other = beside(cell, side)
        if state.cell[other] >= 0:
            state.cell[other] += (WALL + ((shape >> side) & 1)) * POWER[(side + 2) & 3]


@kernel
def lay_tunnel(state, cell, shape):
    """Lay a card, joined to the start as the offer has it; whether the treasure is reached."""
    state.cell[cell] = -1 - shape
    add_cell(state.tunnels, cell)
    remove_cell(state.frontier, cell)
    make_demands(state, cell, shape)
    if shape & CENTRE == 0:
        return False  # a dead end: nothing goes on from it
    state.cell[cell] = -1 - shape - REACHED
    goes_on = False
    for side in range(4):
        if (shape >> side) & 1:
            other = beside(cell, side)
            if state.cell[other] >= 0:
                add_cell(state.frontier, other)
            elif not is_reached(state, other):
                goes_on = goes_on or is_passage(state, other, side)
    if not goes_on:
        return False
    return explore(state, cell)


@kernel
def is_passage(state, other, side):
    """Whether a tunnel that leaves through `side` goes on in the cell `other`; a face-down goal is an open cross."""
    shape = shape_at(state, other)
    return shape >= 0 and shape & CENTRE != 0 and (shape >> ((side + 2) & 3)) & 1 != 0


@kernel
def explore(state, placed):
    """Find what is joined to the start, and turn the goals that are; whether the treasure is among them."""
    while True:
        flood(state)
        has_turned = False
        for k in range(3):
            if not (np.int64(state.shown) >> k) & 1:
                side = arriving_side(state, GOAL_CELLS[k], placed)
                if side >= 0:
                    turn_goal(state, k, side)
                    has_turned = True
        if not has_turned:
            break
    find_frontier(state)
    for k in range(3):
        if (np.int64(state.shown) >> k) & 1 and state.goal[k] == TREASURE:
            return True
    return False


@kernel
def flood(state):
    """Mark all face-up cards that are joined to the start through open centres."""
    state.cell[START] = -1 - CROSS - REACHED
    for y in range(SIDE):
        cells = np.int64(state.tunnels[y])
        while cells:
            cell = y * SIDE + lowest_bit(cells)
            cells &= cells - 1
            state.cell[cell] = -1 - shape_at(state, cell)
    for k in range(3):
        state.cell[GOAL_CELLS[k]] = -1 - shape_at(state, GOAL_CELLS[k])
    stack = np.empty(64, np.int64)  # at most 40 tunnels, the start and 3 goals, each put here once
    stack[0] = START
    n = 1
    while n > 0:
        n -= 1
        cell = stack[n]
        shape = shape_at(state, cell)
        for side in range(4):
            if (shape >> side) & 1:
                other = beside(cell, side)
                if is_passage(state, other, side) and not is_reached(state, other) and is_face_up(state, other):
                    state.cell[other] -= REACHED
                    stack[n] = other
                    n += 1


@kernel
def is_face_up(state, cell):
    """Whether the card in this cell is anything but a goal that is not turned."""
    for k in range(3):
        if cell == GOAL_CELLS[k]:
            return (np.int64(state.shown) >> k) & 1 != 0
    return True


@kernel
def arriving_side(state, goal, placed):
    """The side of a goal at which a tunnel arrives, that of the card just placed before all others; -1 if none does."""
    found = np.int64(-1)
    for side in range(4):
        other = beside(goal, side)
        if is_reached(state, other) and (shape_at(state, other) >> ((side + 2) & 3)) & 1:
            if other == placed:
                return np.int64(side)
            if found < 0:
                found = np.int64(side)
    return found


@kernel
def turn_goal(state, k, side):
    """Turn a goal face up, a curve so that it joins the side at which the tunnel arrives."""
    state.shown |= np.int64(1) << k
    shape = STONE_SHAPE[state.goal[k]] if state.crosses == 0 else np.int64(CROSS)
    if not (shape >> side) & 1:
        shape = (shape & CENTRE) | (((shape & 15) << 2 | (shape & 15) >> 2) & 15)
    state.cell[GOAL_CELLS[k]] = -1 - shape
    make_demands(state, GOAL_CELLS[k], shape)


@kernel
def find_frontier(state):
    """All empty cells that a tunnel from the start leads into."""
    state.frontier[:] = 0
    open_sides_of(state, np.int64(START))
    for k in range(3):
        open_sides_of(state, GOAL_CELLS[k])
    for y in range(SIDE):
        cells = np.int64(state.tunnels[y])
        while cells:
            open_sides_of(state, y * SIDE + lowest_bit(cells))
            cells &= cells - 1


@kernel
def open_sides_of(state, cell):
    """Add the empty cells that a reached card opens to."""
    if is_reached(state, cell):
        shape = shape_at(state, cell)
        for side in range(4):
            if (shape >> side) & 1:
                other = beside(cell, side)
                if state.cell[other] >= 0:
                    add_cell(state.frontier, other)


@kernel
def rockfall(state, cell):
    """Take a tunnel away; what is cut off stays."""
    shape = shape_at(state, cell)
    for side in range(4):
        other = beside(cell, side)
        if state.cell[other] >= 0:
            state.cell[other] -= (WALL + ((shape >> side) & 1)) * POWER[(side + 2) & 3]
    remove_cell(state.tunnels, cell)
    state.cell[cell] = demand_of(state, cell)
    flood(state)
    find_frontier(state)


@kernel
def demand_of(state, cell):
    """What the face-up neighbours of an empty cell ask of it."""
    asks = np.int64(0)
    for side in range(4):
        other = beside(cell, side)
        shape = shape_at(state, other)
        if shape >= 0 and is_face_up(state, other):
            asks += (WALL + ((shape >> ((side + 2) & 3)) & 1)) * POWER[side]
    return asks


# --- the end of a round ---------------------------------------------------------------------------------


@kernel
def is_saboteur(state, seat):
    """Whether a seat is a saboteur in this round."""
    return (np.int64(state.saboteurs) >> seat) & 1 != 0


@kernel
def offer_gold(state):
    """The miners have won: gold cards are drawn, and the one who got there chooses first, if it is a miner."""
    seats = np.int64(state.seats)
    close_round(state, np.int64(1))
    state.step = min(np.int64(MOST_OFFERED), seats)
    if state.by_miners:
        state.step = seats - popcount(np.int64(state.saboteurs))
    state.n_offer = 0
    state.phase = GOLD
    if is_saboteur(state, np.int64(state.seat)):
        state.seat = next_miner(state, np.int64(state.seat))


@kernel
def close_round(state, outcome):
    """Roles are shown."""
    state.outcome_of[state.lap] = outcome
    state.were[state.lap] = state.saboteurs


@kernel
def next_miner(state, seat):
    """The next miner against the order of turns."""
    seats = np.int64(state.seats)
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
        state.phase = CHOOSE


@kernel
def take_gold(state, value):
    """Take one gold card and hand the rest on."""
    lap = np.int64(state.lap)
    number = np.int64(state.n_taken[lap])
    state.offer[value] -= 1
    state.n_offer -= 1
    state.taker[lap, number] = state.seat
    state.taken[lap, number] = value
    state.n_taken[lap] += 1
    if state.n_offer == 0:
        end_round(state)
    else:
        state.seat = next_miner(state, np.int64(state.seat))


@kernel
def pay_saboteurs(state):
    """The saboteurs have won: each is paid by how many they are, in the order of seats."""
    close_round(state, np.int64(2))
    due = SHARE[popcount(np.int64(state.saboteurs))]
    for seat in range(state.seats):
        if is_saboteur(state, seat):
            pay(state, np.int64(seat), due)
    end_round(state)


@kernel
def pay(state, seat, due):
    """Pay a sum out of the bank: exactly, or exactly with change, or the nearest lower sum (RULING 8)."""
    for total in range(due, 0, -1):
        if pay_exactly(state, seat, np.int64(total)):
            return
        if pay_with_change(state, seat, np.int64(total)):
            return


@kernel
def pay_exactly(state, seat, total):
    """Pay from the bank with the largest cards that make the sum; whether it could be done."""
    for threes in range(min(np.int64(state.bank[2]), total // 3), -1, -1):
        for twos in range(min(np.int64(state.bank[1]), (total - 3 * threes) // 2), -1, -1):
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
                        give_back(state, seat, np.int64(0), ones)
                        give_back(state, seat, np.int64(1), twos)
                        give_back(state, seat, np.int64(2), threes)
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
    return (
        gold_of(state, seat, np.int64(0)) >= ones
        and gold_of(state, seat, np.int64(1)) >= twos
        and gold_of(state, seat, np.int64(2)) >= threes
    )


@kernel
def gold_of(state, seat, value):
    """How many gold cards of a value (less one) a seat holds."""
    n = -np.int64(state.returned[seat, value])
    for lap in range(N_ROUNDS):
        n += np.int64(state.paid[lap, seat, value])
        for number in range(state.n_taken[lap]):
            n += np.int64(state.taker[lap, number] == seat and state.taken[lap, number] == value)
    return n


@kernel
def end_round(state):
    """The next round, started by the seat after the one that played the last card; after three the game is over."""
    state.lap += 1
    if state.lap == N_ROUNDS:
        state.phase = OVER
        return
    state.seat = (np.int64(state.last) + 1) % np.int64(state.seats)
    start_round(state)


# --- what a seat knows ----------------------------------------------------------------------------------


@kernel
def known_goals(state, seat):
    """Bits of the goals that a seat knows: those it has seen, and the third where it has seen two."""
    known = np.int64(state.shown)
    if seat >= 0:
        known |= np.int64(state.looked[seat])
    return np.int64(7) if popcount(known) >= 2 else known


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
def redeal_rest(state, seat, rng):
    """All that is hidden but the roles."""
    redeal_goals(state, seat, rng)
    redeal_cards(state, seat, rng)
    if state.phase != OVER:
        redeal_gold(state, seat, rng)


@kernel
def redeal_roles(state, seat, rng):
    """The role cards that the seat has not seen, the one laid aside among them, in any order."""
    seats = np.int64(state.seats)
    n_dealt = np.int64(state.step) if state.phase == ROLES else seats
    bad = SABOTEURS[seats]
    n_cards = seats + 1
    saboteurs = np.int64(0)
    if 0 <= seat < n_dealt:
        n_cards -= 1
        if is_saboteur(state, seat):
            bad -= 1
            saboteurs = np.int64(1) << seat
    for other in range(n_dealt):
        if other != seat:
            if draw(rng, n_cards) < bad:
                saboteurs |= np.int64(1) << other
                bad -= 1
            n_cards -= 1
    state.saboteurs = saboteurs


@kernel
def redeal_goals(state, seat, rng):
    """The goal cards that the seat does not know, in any order."""
    n_laid = np.int64(0)
    while n_laid < 3 and state.goal[n_laid] >= 0:
        n_laid += 1
    known = known_goals(state, seat)
    counts = np.ones(3, np.int64)
    if state.crosses:
        counts[STONE_NE] = 2
        counts[STONE_NW] = 0
    n_cards = np.int64(3)
    for k in range(n_laid):
        if (known >> k) & 1:
            counts[state.goal[k]] -= 1
            n_cards -= 1
    for k in range(n_laid):
        if not (known >> k) & 1:
            state.goal[k] = take_one(counts, n_cards, rng)
            n_cards -= 1


@kernel
def take_one(counts, n, rng):
    """One of n things, counted by kind, taken out at random; its kind."""
    at = draw(rng, n)
    kind = np.int64(0)
    while at >= counts[kind]:
        at -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


@kernel
def redeal_cards(state, seat, rng):
    """All cards that the seat has not seen: to the others' hands, to what they passed, and to the pile."""
    pool = np.int64(state.pile)
    n_pool = np.int64(state.left)
    for owner in range(state.seats):
        if owner != seat:
            pool += np.int64(state.hand[owner]) + np.int64(state.passed[owner])
            n_pool += np.int64(state.n_hand[owner]) + np.int64(state.n_passed[owner])
    for owner in range(state.seats):
        if owner != seat:
            state.hand[owner] = deal_cards(pool, n_pool, np.int64(state.n_hand[owner]), rng)
            pool -= np.int64(state.hand[owner])
            n_pool -= np.int64(state.n_hand[owner])
            state.passed[owner] = deal_cards(pool, n_pool, np.int64(state.n_passed[owner]), rng)
            pool -= np.int64(state.passed[owner])
            n_pool -= np.int64(state.n_passed[owner])
    state.pile = pool


@kernel
def deal_cards(pool, n_pool, n, rng):
    """A random multiset of n of the n_pool cards in the pool."""
    dealt = np.int64(0)
    for i in range(n):
        dealt += one_card(nth_card(pool - dealt, draw(rng, n_pool - i)))
    return dealt


@kernel
def redeal_gold(state, seat, rng):
    """Gold by what the seat saw pass.

    Who chooses sees the offer. So of each round the seat does not know the cards that were taken before its first
    sight of the offer; of those taken between two sights it knows which they are and not who took which. To pay
    saboteurs the bank is searched face up (RULING 13), and all know then what has left it: the unseen cards of rounds
    up to a payment are a known lot, dealt among themselves; those since the last one share a lot with the bank, and
    with an offer that the seat has not seen.
    """
    last = min(np.int64(state.lap), N_ROUNDS - 1)
    lot = np.zeros(3, np.int64)
    begin = np.int64(0)
    for lap in range(last + 1):
        is_paid = state.outcome_of[lap] == 2 and lap < state.lap
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
                lot[value] += np.int64(state.bank[value])
                if hides_offer:
                    lot[value] += np.int64(state.offer[value])
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
        begin = np.int64(lap + 1)
    for lap in range(last + 1):
        shuffle_takers(state, np.int64(lap), seat, rng)


@kernel
def first_sight(state, lap, seat):
    """How many gold cards of a round were taken before the seat saw the offer; all, if it has not."""
    for number in range(state.n_taken[lap]):
        if state.taker[lap, number] == seat:
            return np.int64(number)
    return np.int64(state.n_taken[lap])


@kernel
def is_bared(state, lap, number):
    """Whether a gold card that was taken lies open, since its owner needed change."""
    return lap < state.bared[state.taker[lap, number]]


@kernel
def has_seen_offer(state, seat):
    """Whether the seat has had the offer before it in this round."""
    if state.phase == CHOOSE and state.seat == seat:
        return True
    return first_sight(state, np.int64(state.lap), seat) < state.n_taken[state.lap]


@kernel
def shuffle_takers(state, lap, seat, rng):
    """After the seat's first sight: the cards between two sights are known, their takers are not.

    After its last sight the rest of the offer belongs to the lot, unless the seat has it before it now.
    """
    lot = np.zeros(3, np.int64)
    n_taken = np.int64(state.n_taken[lap])
    begin = first_sight(state, lap, seat)
    while begin < n_taken:
        lot[:] = 0
        end = begin + 1
        while end < n_taken and state.taker[lap, end] != seat:
            if not is_bared(state, lap, end):
                lot[state.taken[lap, end]] += 1
            end += 1
        is_now = end == n_taken and lap == state.lap and state.n_offer > 0
        with_offer = is_now and not (state.phase == CHOOSE and state.seat == seat)
        if with_offer:
            for value in range(3):
                lot[value] += np.int64(state.offer[value])
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
def total_gold(state, seat):
    """All gold of a seat."""
    total = np.int64(0)
    for value in range(3):
        total += (value + 1) * gold_of(state, seat, np.int64(value))
    return total


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
def parts(state, seat, out):
    """Each round as a miner or as a saboteur: whether that side won it, and the gold that it brought."""
    for lap in range(N_ROUNDS):
        role = (np.int64(state.were[lap]) >> seat) & 1
        out[role, 0] += 1
        out[role, 1] += np.int64(state.outcome_of[lap] == 1 + role)
        out[role, 2] += gold_from(state, seat, np.int64(lap))


@kernel
def gold_from(state, seat, lap):
    """The gold that a round brought a seat, less what it gave back for change then."""
    total = np.int64(0)
    for number in range(state.n_taken[lap]):
        if state.taker[lap, number] == seat:
            total += np.int64(state.taken[lap, number]) + 1
    for value in range(3):
        total += (value + 1) * np.int64(state.paid[lap, seat, value])
        if state.bared[seat] == lap:
            total -= (value + 1) * np.int64(state.returned[seat, value])
    return total


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
    return check_secrets(state)


@kernel
def count_cards(cards):
    """The size of a multiset."""
    n = np.int64(0)
    for kind in range(N_KINDS):
        n += holds(cards, kind)
    return n


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


@kernel
def check_table(state):
    """The invariants of the table: demands, frontier, reached cards."""
    joined = np.zeros(N_CELLS, np.bool_)
    joined[START] = True
    has_grown = True
    while has_grown:
        has_grown = False
        for cell in range(N_CELLS):
            if joined[cell]:
                shape = shape_at(state, cell)
                for side in range(4):
                    other = beside(np.int64(cell), side)
                    if (shape >> side) & 1 == 0 or joined[other] or not is_passage(state, other, side):
                        continue
                    if is_face_up(state, other):
                        joined[other] = True
                        has_grown = True
    for cell in range(N_CELLS):
        is_card = state.cell[cell] < 0
        if not is_card and state.cell[cell] != demand_of(state, np.int64(cell)):
            return 3
        leads_here = False
        for side in range(4):
            other = beside(np.int64(cell), side)
            if joined[other] and (shape_at(state, other) >> ((side + 2) & 3)) & 1:
                leads_here = True
        if has_cell(state.frontier, cell) != (leads_here and not is_card):
            return 3
        if is_reached(state, cell) != joined[cell]:
            return 4
    return 0


@kernel
def is_gold_whole(state):
    """Whether each gold card is in one place."""
    for value in range(3):
        n = np.int64(state.bank[value]) + np.int64(state.offer[value])
        if n < 0:
            return False
        for seat in range(state.seats):
            n += gold_of(state, np.int64(seat), np.int64(value))
        if n != BANK[value]:
            return False
    return state.offer[0] + state.offer[1] + state.offer[2] == state.n_offer


@kernel
def check_secrets(state):
    """The invariants of roles and goals."""
    seats = np.int64(state.seats)
    n = popcount(np.int64(state.saboteurs))
    if n > SABOTEURS[seats] or (state.phase > ROLES and n < SABOTEURS[seats] - 1):
        return 6
    counts = np.zeros(3, np.int64)
    for k in range(3):
        if state.goal[k] >= 0:
            counts[state.goal[k]] += 1
    if counts[0] > 1 or counts[1] > 1 + np.int64(state.crosses) or counts[2] > 1 - np.int64(state.crosses):
        return 7
    return 0
