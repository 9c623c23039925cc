"""Ingenious: the rules, compiled.

One to four seats, a board of hexagonal cells, 120 tiles of two halves. A turn lays a tile of the hand on two free
cells; each half scores, in its colour, the lines of that colour that run from it. Whoever brings a colour to 18 lays
another tile. Whoever holds no tile of the lowest colours may swap the hand. The best lowest colour wins.

State   STATE below; a hand or the bag is a set of tiles (tiles.py), the board colours of cells and free positions
Action  an oriented tile in a position, or the answer to the offer of a swap: ACTION TABLE below
Chance  0..20, the kind of a tile drawn from the bag
Hidden  hands and bag, draws of others, fate
Source  docs/games/ingenious.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.ingenious.geometry import (
    AREA,
    BESIDE,
    CELL_1,
    CELL_2,
    FIRST_ROUND,
    N_CELLS,
    N_WORDS,
    NEXT,
    SPAN,
    START,
    STAYS_OPEN,
    SYMBOL_CELL,
    WORDS,
)
from meeple.games.ingenious.tiles import (
    ALL_TILES,
    COLOUR_1,
    COLOUR_2,
    HAND,
    KIND_OF,
    N_COLOURS,
    N_KINDS,
    N_ORIENTED,
    SHOWING,
    commonest,
    count_oriented,
    deal,
    first_oriented,
    kinds_in,
    nth_oriented,
    nth_tile,
    size_of,
)

SEATS = (1, 4)
TRACK = 18  # a colour that reaches it gives a bonus placement
MOST_SWAPS = 15  # in one turn, with swap=until-lowest: RULING 3

# Options, in the order in which game.py declares them.
TEAMS = 0  # 1: seats 0 and 2 against 1 and 3, with joint scores
SWAP_OPTION = 1  # 1: the report's, a swap goes on until a lowest colour comes
FIRST_TILE_OPTION = 2  # 1: the report's, only the first seat's first tile must touch a symbol

EMPTY, WALL = 6, 7  # of a cell, beside the colours 0..5: red, green, blue, orange, yellow, purple
DEAL, PLACE, ASK, DRAW, OVER = range(5)  # phases

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("open", np.int64, (N_WORDS,)),  # the positions with both cells empty, as bits
            ("hand", np.int64, (4,)),  # hidden: a set of tiles for each seat
            ("bag", np.int64),  # hidden: a set of tiles
            ("aside", np.int64),  # the hand that is being swapped: open, out of the bag until the new one is drawn
            ("shown", np.int64),  # tiles that went back in a swap: known to be in the bag until the next draw
            ("cell", np.int8, (N_CELLS + 1,)),  # a colour, EMPTY or WALL
            ("points", np.int8, (4, N_COLOURS)),  # by side: a seat, or a team; 0..18, on double tracks 0..36
            ("held", np.int8, (4,)),  # tiles in each hand
            ("seats", np.int8),
            ("teams", np.int8),  # 1: partners share a side
            ("goal", np.int8),  # 18, or 36 on double tracks
            ("most_swaps", np.int8),  # in a turn: 1, or MOST_SWAPS
            ("bound_turns", np.int8),  # the first turns, for which the first-tile rule holds: one a seat, or 1
            ("words", np.int8),  # of `open` that this board uses
            ("phase", np.int8),
            ("seat", np.int8),  # whose turn, or who is being dealt to
            ("turn", np.int8),  # turns finished
            ("bonus", np.int8),  # bonus placements owed
            ("used", np.int8),  # symbols that first tiles touch, as bits; 0 when no turn is bound any more
            ("swaps", np.int8),  # of this turn
        ],
    )
)

# ACTION TABLE
#   448 * oriented tile + position   lay the tile there (tiles.py, geometry.py)
#   KEEP, SWAP                       answers to the offer of a swap
KEEP = N_ORIENTED * SPAN
SWAP = KEEP + 1
ACTIONS = KEEP + 2
MAX_ACTIONS = 2 * HAND * 426  # six different tiles of two colours, each two ways in every position of the whole board
OUTCOMES = N_KINDS
OPEN_MOVES = True  # every seat sees every move; only draws are hidden
BELIEFS = N_KINDS  # codes of `suppose_weights`: a tile of each kind

CHECKS = (
    "a symbol is printed on each corner of the white area, and nothing lies outside the board",
    "the open positions must be those with two empty cells",
    "no kind may have more tiles than the box holds",
    "the halves on the board must be those of the tiles that are neither in the bag nor in a hand",
    "a hand must hold as many tiles as its count",
    "hands are full but for the seat that is dealt to, places a bonus or draws",
    "a score must lie on its track",
    "tiles placed, turns and colours that reached 18 must agree",
    "in the first round each first tile touches a symbol of its own, and a used symbol has a tile beside it",
    "a swap is offered only to a hand that shows none of the lowest colours",
    "the game must be over where no position is open or a side has filled every track, and only there",
    "tiles shown in a swap must be in the bag, and tiles are aside only while the new hand is drawn",
)


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    for word in range(N_WORDS):
        state.open[word] = START[seats, word]
    state.hand[:] = 0
    state.bag = ALL_TILES
    state.aside = 0
    state.shown = 0
    for cell in range(N_CELLS + 1):
        state.cell[cell] = EMPTY if cell < AREA[seats] else WALL
    for colour in range(N_COLOURS):
        state.cell[SYMBOL_CELL[colour]] = colour
    state.points[:, :] = 0
    state.held[:] = 0
    state.seats = seats
    state.teams = options[TEAMS]
    state.goal = 2 * TRACK if seats == 1 or options[TEAMS] == 1 else TRACK
    state.most_swaps = MOST_SWAPS if options[SWAP_OPTION] == 1 else 1
    state.bound_turns = 1 if options[FIRST_TILE_OPTION] == 1 else seats
    state.words = WORDS[seats]
    state.phase = DEAL
    state.seat = 0
    state.turn = 0
    state.bonus = 0
    state.used = 0
    state.swaps = 0


@kernel
def to_move(state):
    phase = np.int64(state.phase)
    if phase in (PLACE, ASK):
        return np.int64(state.seat)
    return np.int64(NOBODY) if phase == OVER else np.int64(CHANCE)


@kernel
def legal_actions(state, out):
    if state.phase == ASK:
        out[0] = KEEP
        out[1] = SWAP
        return 2
    kinds = kinds_in(np.int64(state.hand[state.seat]))
    first = first_oriented(lowest_bit(kinds) // 3)
    n = 0
    for word in range(state.words):
        left = allowed(state, word)
        while left:
            out[n] = first * SPAN + 64 * word + lowest_bit(left)
            left &= left - 1
            n += 1
    # The positions once; every further way to lay a tile is a shifted copy of them.
    end = n
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        oriented = first_oriented(kind)
        for way in range(oriented, oriented + (1 if kind < 6 else 2)):
            if way > first:
                shift = (way - first) * SPAN
                for i in range(n):
                    out[end + i] = out[i] + shift
                end += n
    return end


@kernel
def allowed(state, word):
    """The positions of a word where the seat to move may lay a tile."""
    free = np.int64(state.open[word])
    if state.turn < state.bound_turns:
        free &= FIRST_ROUND[state.used, word]
    return free


@kernel
def chance_weights(state, out):
    bag = np.int64(state.bag)
    for kind in range(N_KINDS):
        out[kind] = (bag >> (3 * kind)) & 7


@kernel
def chance_key(state):
    holds = np.int64(state.held[state.seat])
    if state.phase == DEAL:
        return np.int64(state.seat) * 8 + holds
    return ((np.int64(state.turn) + 1) * 16 + np.int64(state.swaps)) * 8 + holds


@kernel
def apply(state, action):
    if state.phase == PLACE:
        place(state, action)
    elif state.phase == ASK:
        if action == SWAP:
            set_aside(state)
        state.phase = DRAW
    else:
        take_tile(state, action)


@kernel
def place(state, action):
    """Lay a tile, score it, and see what comes next."""
    seat = np.int64(state.seat)
    oriented = action // SPAN
    position = action - oriented * SPAN
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    cell_1, cell_2 = CELL_1[position], CELL_2[position]
    # Both cells are still empty, so the line towards the other half ends at once: six directions count as five.
    gain_1, gain_2 = line_points(state, cell_1, first), line_points(state, cell_2, second)
    bonus = max(np.int64(0), np.int64(state.bonus) - 1)
    side = side_of(state, seat)
    if first == second:
        bonus += add_points(state, side, first, gain_1 + gain_2)
    else:
        bonus += add_points(state, side, first, gain_1)
        bonus += add_points(state, side, second, gain_2)
    state.cell[cell_1] = first
    state.cell[cell_2] = second
    is_full = True
    for word in range(state.words):
        left = np.int64(state.open[word]) & STAYS_OPEN[position, word]
        state.open[word] = left
        is_full = is_full and left == 0
    state.hand[seat] -= np.int64(1) << (3 * KIND_OF[oriented])
    state.held[seat] -= 1
    if state.turn < state.bound_turns:
        state.used |= 1 << BESIDE[position]
    state.bonus = bonus
    if is_full or has_all(state, side):
        # RULING 6: bonus placements that are still owed are lost.
        state.phase = OVER
    elif bonus == 0 or state.held[seat] == 0:
        # RULING 12: on double tracks a hand can run out with a bonus owed; it is lost.
        state.bonus = 0
        may_swap = np.int64(state.hand[seat]) & lowest_kinds(state, side) == 0
        state.phase = ASK if may_swap else DRAW


@kernel
def line_points(state, cell, colour):
    """The points of a half: the cells of its colour in straight lines from its cell."""
    points = np.int64(0)
    for direction in range(6):
        along = NEXT[cell, direction]
        while state.cell[along] == colour:
            points += 1
            along = NEXT[along, direction]
    return points


@kernel
def add_points(state, side, colour, gain):
    """Move a score up, never past the end of its track; 1 where it gets there, which is worth a bonus, else 0."""
    before = np.int64(state.points[side, colour])
    end = TRACK if before < TRACK else np.int64(state.goal)
    after = min(end, before + gain)
    state.points[side, colour] = after
    return np.int64(before < end and after == end)


@kernel
def has_all(state, side):
    """Whether a side has filled every track."""
    for colour in range(N_COLOURS):
        if state.points[side, colour] < state.goal:
            return False
    return True


@kernel
def side_of(state, seat):
    """Whose scores are a seat's: its own, or its team's."""
    return seat & 1 if state.teams == 1 else seat


@kernel
def lowest_kinds(state, side):
    """All the bits of the kinds that show one of a side's lowest colours. RULING 2: of equally low ones, all."""
    lowest = np.int64(99)
    kinds = np.int64(0)
    for colour in range(N_COLOURS):
        points = np.int64(state.points[side, colour])
        if points < lowest:
            lowest = points
            kinds = np.int64(0)
        if points == lowest:
            kinds |= SHOWING[colour]
    return kinds


@kernel
def set_aside(state):
    """Show the hand and set it aside: a new one is drawn before it goes back to the bag."""
    seat = np.int64(state.seat)
    state.aside = state.hand[seat]
    state.hand[seat] = 0
    state.held[seat] = 0
    state.swaps += 1


@kernel
def take_tile(state, kind):
    """Draw a tile of this kind, and see what comes next."""
    seat = np.int64(state.seat)
    tile = np.int64(1) << (3 * kind)
    state.bag -= tile
    state.hand[seat] += tile
    state.held[seat] += 1
    state.shown = 0
    if state.held[seat] == HAND:
        if state.phase == DEAL:
            state.seat = (seat + 1) % np.int64(state.seats)
            if state.seat == 0:
                state.phase = PLACE
        else:
            end_drawing(state)


@kernel
def end_drawing(state):
    """The hand is full: the tiles set aside go back; swap again where that is played, else end the turn."""
    seat = np.int64(state.seat)
    state.bag += state.aside
    state.shown = state.aside
    state.aside = 0
    if 0 < state.swaps < state.most_swaps:
        lowest = lowest_kinds(state, side_of(state, seat))
        if np.int64(state.hand[seat]) & lowest == 0 and np.int64(state.bag) & lowest != 0:
            set_aside(state)
            return
    next_turn(state)


@kernel
def next_turn(state):
    """The next seat is to place a tile."""
    state.swaps = 0
    state.turn += 1
    state.seat = (np.int64(state.seat) + 1) % np.int64(state.seats)
    state.phase = PLACE
    if state.turn == state.bound_turns:
        state.used = 0


@kernel
def redeal(state, seat, rng):
    """Deal the bag and the other hands anew.

    Kept: the seat's own hand; the sizes of hands; what has just been shown in a swap, which is in the bag; and that a
    seat to which a swap is offered holds none of its lowest colours. Given that, all deals of the unseen tiles are
    equally likely: the narrowest hand is dealt first, then the others in their order.
    """
    state.fate = fresh_fate(rng)
    unseen = np.int64(state.bag)
    for owner in range(state.seats):
        if owner != seat:
            unseen += np.int64(state.hand[owner])
    pool = unseen - np.int64(state.shown)
    asked = np.int64(-1)
    if state.phase == ASK and state.seat != seat:
        asked = np.int64(state.seat)
        hand = deal(pool & ~lowest_kinds(state, side_of(state, asked)), np.int64(state.held[asked]), rng)
        state.hand[asked] = hand
        pool -= hand
        unseen -= hand
    for owner in range(state.seats):
        if owner != seat and owner != asked:
            hand = deal(pool, np.int64(state.held[owner]), rng)
            state.hand[owner] = hand
            pool -= hand
            unseen -= hand
    state.bag = unseen


@kernel
def seen(state, action, seat):
    """A drawn tile is seen by the seat that draws it alone."""
    is_draw = state.phase == DEAL or state.phase == DRAW
    return np.int64(HIDDEN) if is_draw and seat != state.seat else np.int64(action)


@kernel
def ranks(state, out):
    for seat in range(state.seats):
        out[seat] = 1
        key = sorted_points(state, side_of(state, np.int64(seat)))
        for other in range(state.seats):
            if sorted_points(state, side_of(state, np.int64(other))) > key:
                out[seat] += 1


@kernel
def sorted_points(state, side):
    """A side's scores from low to high as the digits of one number, so that the better side has the larger."""
    # The six scores as counts of each score, added from the top: no sorting, no scratch.
    key = np.int64(0)
    used = np.int64(0)
    for _ in range(N_COLOURS):
        lowest = np.int64(99)
        place = np.int64(0)
        for colour in range(N_COLOURS):
            points = np.int64(state.points[side, colour])
            if (used >> colour) & 1 == 0 and points < lowest:
                lowest = points
                place = colour
        used |= np.int64(1) << place
        key = key * 64 + lowest
    return key


@kernel
def score(state, seat):
    """The lowest colour."""
    return sorted_points(state, side_of(state, np.int64(seat))) >> 30


@kernel
def round_index(state):
    return np.int64(state.turn) // np.int64(state.seats)


@kernel
def team(state, seat):
    return side_of(state, np.int64(seat))


@kernel
def solo_share(state):
    """Alone one plays for the lowest colour: its part of the 36 points there are."""
    return score(state, np.int64(0)) / (2.0 * TRACK)


@kernel
def count_actions(state):
    if state.phase == ASK:
        return np.int64(2)
    n = np.int64(0)
    for word in range(state.words):
        n += popcount(allowed(state, word))
    return n * count_oriented(kinds_in(np.int64(state.hand[state.seat])))


@kernel
def is_legal(state, action):
    if action < 0 or action >= ACTIONS:
        return False
    if state.phase == ASK or action >= KEEP:
        return state.phase == ASK and action >= KEEP
    oriented = action // SPAN
    position = action - oriented * SPAN
    if (allowed(state, position >> 6) >> (position & 63)) & 1 == 0:
        return False
    return (np.int64(state.hand[state.seat]) >> (3 * KIND_OF[oriented])) & 7 != 0


@kernel
def pick(state, rng):
    """The action at place draw(rng, n) of the list, without the list."""
    if state.phase == ASK:
        return np.int64(KEEP) + draw(rng, np.int64(2))
    n = np.int64(0)
    for word in range(state.words):
        n += popcount(allowed(state, word))
    kinds = kinds_in(np.int64(state.hand[state.seat]))
    at = draw(rng, n * count_oriented(kinds))
    way = at // n
    at -= way * n
    word = 0
    free = allowed(state, word)
    here = popcount(free)
    while at >= here:
        at -= here
        word += 1
        free = allowed(state, word)
        here = popcount(free)
    return nth_oriented(kinds, way) * SPAN + 64 * word + nth_bit(free, at)


@kernel
def nth_bit(word, n):
    """The index of the set bit at place `n` of a word: by halves, without a branch."""
    at = np.int64(0)
    width = np.int64(32)
    while width > 0:
        below = popcount(word & ((np.int64(1) << width) - 1))
        is_above = np.int64(n >= below)
        n -= below * is_above
        word >>= width * is_above
        at += width * is_above
        width >>= 1
    return at


@kernel
def settle(state):
    while state.phase == DRAW or state.phase == DEAL:
        bag = np.int64(state.bag)
        take_tile(state, nth_tile(bag, roll(state.fate, chance_key(state), size_of(bag))))


@kernel
def suppose_weights(state, seat, out):
    """By kind the tiles that a seat may hold: those in the bag, but for what was shown, and its own.

    This is the report's reading: the chance that one tile drawn from the unseen is of the kind.
    """
    unseen = np.int64(state.bag) + np.int64(state.hand[seat]) - np.int64(state.shown)
    for kind in range(N_KINDS):
        out[kind] = (unseen >> (3 * kind)) & 7


@kernel
def suppose(state, seat, code):
    """Let a seat hold one tile, of this kind, and nothing else."""
    tile = np.int64(1) << (3 * code)
    state.bag += np.int64(state.hand[seat]) - tile
    state.hand[seat] = tile
    state.held[seat] = 1


@kernel
def leave_out(state):
    """Go on to the next turn without a swap and without drawing: a tile set aside counts as kept.

    A hand that has run out goes on with a tile of the bag's commonest kind: nobody moves without one.
    """
    if state.phase != ASK and state.phase != DRAW:
        return False
    seat = np.int64(state.seat)
    if state.aside != 0:
        state.hand[seat] = state.aside
        state.held[seat] = size_of(np.int64(state.aside))
        state.aside = 0
    if state.held[seat] == 0:
        tile = np.int64(1) << (3 * commonest(np.int64(state.bag)))
        state.bag -= tile
        state.hand[seat] = tile
        state.held[seat] = 1
    next_turn(state)
    return True


@kernel
def check(state):
    if not board_is_sound(state):
        return 1
    if not open_is_sound(state):
        return 2
    fault = tiles_fault(state)
    if fault:
        return fault
    if not hands_are_sound(state):
        return 6
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    earned = np.int64(0)
    is_done = False
    for side in range(n_sides):
        for colour in range(N_COLOURS):
            points = np.int64(state.points[side, colour])
            if points < 0 or points > state.goal:
                return 7
            earned += np.int64(points >= TRACK) + np.int64(points == 2 * TRACK)
        is_done = is_done or has_all(state, np.int64(side))
    if not placements_agree(state, earned):
        return 8
    if not first_round_is_sound(state):
        return 9
    hand = np.int64(state.hand[state.seat])
    if state.phase == ASK and hand & lowest_kinds(state, side_of(state, np.int64(state.seat))):
        return 10
    is_full = True
    for word in range(state.words):
        is_full = is_full and state.open[word] == 0
    if (is_full or is_done) != (state.phase == OVER):
        return 11
    is_swapping = state.phase == DRAW and state.swaps > 0
    if state.swaps < 0 or state.swaps > state.most_swaps:
        return 12
    if (state.aside != 0 or state.swaps > 0) and not is_swapping:
        return 12
    return 0 if holds(np.int64(state.bag), np.int64(state.shown)) else 12


@kernel
def holds(tiles, part):
    """Whether a set holds all tiles of another."""
    for kind in range(N_KINDS):
        if (tiles >> (3 * kind)) & 7 < (part >> (3 * kind)) & 7:
            return False
    return True


@kernel
def board_is_sound(state):
    for cell in range(N_CELLS + 1):
        is_inside = cell < AREA[state.seats]
        if (
            state.cell[cell] < 0
            or (is_inside and state.cell[cell] > EMPTY)
            or (not is_inside and state.cell[cell] != WALL)
        ):
            return False
    for colour in range(N_COLOURS):
        if state.cell[SYMBOL_CELL[colour]] != colour:
            return False
    return True


@kernel
def open_is_sound(state):
    for word in range(N_WORDS):
        expected = np.int64(0)
        for bit in range(62):
            code = 64 * word + bit
            if (START[state.seats, word] >> bit) & 1:
                is_free = state.cell[CELL_1[code]] == EMPTY and state.cell[CELL_2[code]] == EMPTY
                expected |= np.int64(is_free) << bit
        if state.open[word] != expected:
            return False
    return True


@kernel
def tiles_fault(state):
    """3, 4 or 5 where the tiles do not add up, else 0."""
    halves = np.zeros(N_COLOURS, np.int64)
    for kind in range(N_KINDS):
        count = (np.int64(ALL_TILES) >> (3 * kind)) & 7
        count -= (np.int64(state.bag) >> (3 * kind)) & 7
        count -= (np.int64(state.aside) >> (3 * kind)) & 7
        for seat in range(4):
            count -= (np.int64(state.hand[seat]) >> (3 * kind)) & 7
        if count < 0:
            return 3
        oriented = first_oriented(kind)
        halves[COLOUR_1[oriented]] += count
        halves[COLOUR_2[oriented]] += count
    for cell in range(AREA[state.seats]):
        if state.cell[cell] < EMPTY:
            halves[state.cell[cell]] -= 1
    for colour in range(N_COLOURS):
        if halves[colour] != -1:  # the printed symbol
            return 4
    for seat in range(4):
        if size_of(np.int64(state.hand[seat])) != state.held[seat]:
            return 5
    return 0


@kernel
def hands_are_sound(state):
    for seat in range(4):
        held = np.int64(state.held[seat])
        if seat >= state.seats:
            least, most = 0, 0
        elif state.phase == DEAL:
            least, most = (6, 6) if seat < state.seat else (0, 0 if seat > state.seat else 5)
        elif seat != state.seat:
            least, most = 6, 6
        elif state.phase == PLACE:
            least, most = (6, 6) if state.bonus == 0 else (1, 5)
        else:
            least, most = 0, 5
        if held < least or held > most:
            return False
    return True


@kernel
def placements_agree(state, earned):
    """Every finished turn has laid one tile, and one more for each bonus; the turn at hand as far as it has come."""
    placed = 120 - size_of(np.int64(state.bag)) - size_of(np.int64(state.aside))
    for seat in range(4):
        placed -= np.int64(state.held[seat])
    if state.phase == DEAL:
        return placed == 0 and state.turn == 0 and earned == 0
    has_placed = state.phase != PLACE or state.bonus > 0
    expected = np.int64(state.turn) + np.int64(has_placed) + earned - np.int64(state.bonus)
    if state.goal > TRACK:  # a bonus may have been lost with an empty hand
        return state.turn + np.int64(has_placed) <= placed <= expected
    return state.turn >= 0 and state.bonus >= 0 and placed == expected


@kernel
def first_round_is_sound(state):
    if state.turn >= state.bound_turns:
        return state.used == 0
    wanted = np.int64(state.turn)
    if state.phase != DEAL and state.phase != PLACE:
        wanted += 1
    if popcount(np.int64(state.used) & 63) != wanted or state.used < 0 or state.used > 63:
        return False
    for symbol in range(N_COLOURS):
        if (np.int64(state.used) >> symbol) & 1:
            is_touched = False
            for direction in range(6):
                is_touched = is_touched or state.cell[NEXT[SYMBOL_CELL[symbol], direction]] < EMPTY
            if not is_touched:
                return False
    return True
