"""Ingenious: the rules, compiled.

One to four seats, a board of hexagonal cells, 120 tiles of two halves. A turn lays a tile of the hand on two free
cells; each half scores, in its colour, the lines of that colour that run from it. Whoever brings a colour to 18 lays
another tile. Whoever holds no tile of the lowest colours may swap the hand. The best lowest colour wins.

State   STATE in layout.py; a hand or the bag is a set of tiles (tiles.py), the board colours of cells and free places
Action  an oriented tile in a position, or the answer to the offer of a swap: ACTION TABLE in layout.py
Chance  0..20, the kind of a tile drawn from the bag
Hidden  hands and bag, draws of others, fate
Source  docs/games/ingenious.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.ingenious import geometry, layout, tiles
from meeple.games.ingenious.invariants import CHECKS, check
from meeple.games.ingenious.layout import ACTIONS, BELIEFS, MAX_ACTIONS, OPEN_MOVES, OUTCOMES, RANGES, SEATS, STATE
from meeple.games.ingenious.scoring import add_points, has_all, line_points, lowest_kinds, side_of, sorted_points

__all__ = ["ACTIONS", "BELIEFS", "CHECKS", "MAX_ACTIONS", "OPEN_MOVES", "OUTCOMES", "RANGES", "SEATS", "STATE", "check"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    for word in range(geometry.N_WORDS):
        state.open[word] = geometry.START[seats, word]
    state.hand[:] = 0
    state.bag = tiles.ALL_TILES
    state.aside = 0
    state.shown = 0
    for cell in range(geometry.N_CELLS + 1):
        state.cell[cell] = layout.EMPTY if cell < geometry.AREA[seats] else layout.WALL
    for colour in range(tiles.N_COLOURS):
        state.cell[geometry.SYMBOL_CELL[colour]] = colour
    state.points[:, :] = 0
    state.held[:] = 0
    state.seats = seats
    state.teams = options[layout.TEAMS]
    state.goal = 2 * layout.TRACK if seats == 1 or options[layout.TEAMS] == 1 else layout.TRACK
    state.most_swaps = layout.MOST_SWAPS if options[layout.SWAP_OPTION] == 1 else 1
    state.bound_turns = 1 if options[layout.FIRST_TILE_OPTION] == 1 else seats
    state.words = geometry.WORDS[seats]
    state.phase = layout.DEAL
    state.seat = 0
    state.turn = 0
    state.bonus = 0
    state.used = 0
    state.swaps = 0


@kernel
def to_move(state):
    phase = state.phase
    if phase in (layout.PLACE, layout.ASK):
        return state.seat
    return NOBODY if phase == layout.OVER else CHANCE


@kernel
def legal_actions(state, out):
    if state.phase == layout.ASK:
        out[0] = layout.KEEP
        out[1] = layout.SWAP
        return 2
    kinds = multisets.kinds_in(state.hand[state.seat], tiles.LOWS)
    first = tiles.first_oriented(lowest_bit(kinds) // 3)
    n = 0
    for word in range(state.words):
        left = allowed(state, word)
        while left:
            out[n] = first * geometry.SPAN + 64 * word + lowest_bit(left)
            left &= left - 1
            n += 1
    # The positions once; every further way to lay a tile is a shifted copy of them.
    end = n
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        oriented = tiles.first_oriented(kind)
        for way in range(oriented, oriented + (1 if kind < 6 else 2)):
            if way > first:
                shift = (way - first) * geometry.SPAN
                for i in range(n):
                    out[end + i] = out[i] + shift
                end += n
    return end


@kernel
def allowed(state, word):
    """The positions of a word where the seat to move may lay a tile."""
    free = state.open[word]
    if state.turn < state.bound_turns:
        free &= geometry.FIRST_ROUND[state.used, word]
    return free


@kernel
def chance_weights(state, out):
    bag = state.bag
    for kind in range(tiles.N_KINDS):
        out[kind] = multisets.held(bag, kind, tiles.FIELDS)


@kernel
def chance_key(state):
    holds = state.held[state.seat]
    if state.phase == layout.DEAL:
        return state.seat * 8 + holds
    return ((state.turn + 1) * 16 + state.swaps) * 8 + holds


@kernel
def apply(state, action):
    if state.phase == layout.PLACE:
        place(state, action)
    elif state.phase == layout.ASK:
        if action == layout.SWAP:
            set_aside(state)
        state.phase = layout.DRAW
    else:
        take_tile(state, action)


@kernel
def place(state, action):
    """Lay a tile, score it, and see what comes next."""
    seat = state.seat
    oriented = action // geometry.SPAN
    position = action - oriented * geometry.SPAN
    first, second = tiles.COLOUR_1[oriented], tiles.COLOUR_2[oriented]
    cell_1, cell_2 = geometry.CELL_1[position], geometry.CELL_2[position]
    # Both cells are still empty, so the line towards the other half ends at once: six directions count as five.
    gain_1, gain_2 = line_points(state, cell_1, first), line_points(state, cell_2, second)
    bonus = max(0, state.bonus - 1)
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
        left = state.open[word] & geometry.STAYS_OPEN[position, word]
        state.open[word] = left
        is_full = is_full and left == 0
    state.hand[seat] -= multisets.single(tiles.KIND_OF[oriented], tiles.FIELDS)
    state.held[seat] -= 1
    if state.turn < state.bound_turns:
        state.used |= 1 << geometry.BESIDE[position]
    state.bonus = bonus
    if is_full or has_all(state, side):
        # RULING 6: bonus placements that are still owed are lost.
        state.phase = layout.OVER
    elif bonus == 0 or state.held[seat] == 0:
        # RULING 12: on double tracks a hand can run out with a bonus owed; it is lost.
        state.bonus = 0
        may_swap = state.hand[seat] & lowest_kinds(state, side) == 0
        state.phase = layout.ASK if may_swap else layout.DRAW


@kernel
def set_aside(state):
    """Show the hand and set it aside: a new one is drawn before it goes back to the bag."""
    seat = state.seat
    state.aside = state.hand[seat]
    state.hand[seat] = 0
    state.held[seat] = 0
    state.swaps += 1


@kernel
def take_tile(state, kind):
    """Draw a tile of this kind, and see what comes next."""
    seat = state.seat
    tile = multisets.single(kind, tiles.FIELDS)
    state.bag -= tile
    state.hand[seat] += tile
    state.held[seat] += 1
    state.shown = 0
    if state.held[seat] == tiles.HAND:
        if state.phase == layout.DEAL:
            state.seat = (seat + 1) % state.seats
            if state.seat == 0:
                state.phase = layout.PLACE
        else:
            end_drawing(state)


@kernel
def end_drawing(state):
    """The hand is full: the tiles set aside go back; swap again where that is played, else end the turn."""
    seat = state.seat
    state.bag += state.aside
    state.shown = state.aside
    state.aside = 0
    if 0 < state.swaps < state.most_swaps:
        lowest = lowest_kinds(state, side_of(state, seat))
        if state.hand[seat] & lowest == 0 and state.bag & lowest != 0:
            set_aside(state)
            return
    next_turn(state)


@kernel
def next_turn(state):
    """The next seat is to place a tile."""
    state.swaps = 0
    state.turn += 1
    state.seat = (state.seat + 1) % state.seats
    state.phase = layout.PLACE
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
    unseen = state.bag
    for owner in range(state.seats):
        if owner != seat:
            unseen += state.hand[owner]
    pool = unseen - state.shown
    asked = -1
    if state.phase == layout.ASK and state.seat != seat:
        asked = state.seat
        hand = tiles.deal(pool & ~lowest_kinds(state, side_of(state, asked)), state.held[asked], rng)
        state.hand[asked] = hand
        pool -= hand
        unseen -= hand
    for owner in range(state.seats):
        if owner != seat and owner != asked:
            hand = tiles.deal(pool, state.held[owner], rng)
            state.hand[owner] = hand
            pool -= hand
            unseen -= hand
    state.bag = unseen


@kernel
def count_worlds(state, seat):
    """Other hands out of the unseen tiles; what was shown lies in the bag, and who is asked has no lowest colour."""
    pool = state.bag - state.shown
    sizes = np.zeros(4, np.int64)
    barred = 0
    place = 1  # the first is for whoever is asked
    for owner in range(state.seats):
        if owner != seat:
            pool += state.hand[owner]
            if state.phase == layout.ASK and owner == state.seat:
                sizes[0] = state.held[owner]
                barred = lowest_kinds(state, side_of(state, owner))
            elif place < 4:
                sizes[place] = state.held[owner]
                place += 1
            else:
                sizes[0] = state.held[owner]  # of four unseen hands, where nobody is asked
    return multisets.count_deals(pool, sizes, barred, tiles.FIELDS)


@kernel
def reveal(state, seat, action, rng):
    """Redeal so that a tile which is about to be seen is where it comes from: the hand that lays it, the bag.

    Each unseen tile of its kind may be the one; it is laid aside while the others are dealt.
    """
    mover = state.seat
    is_draw = state.phase == layout.DEAL or state.phase == layout.DRAW
    # Its own hand a seat knows; of others it sees the tiles they lay, and not those they draw.
    if state.phase == layout.ASK or action >= layout.KEEP or is_draw != (mover == seat):
        redeal(state, seat, rng)
        return
    gather(state, seat)
    if is_draw:
        reveal_drawn(state, seat, action, rng)
        return
    kind = tiles.KIND_OF[action // geometry.SPAN]
    if multisets.held(state.bag - state.shown, kind, tiles.FIELDS) == 0:
        redeal(state, seat, rng)
        return
    tile = multisets.single(kind, tiles.FIELDS)
    state.bag -= tile
    state.held[mover] -= 1
    redeal(state, seat, rng)
    state.hand[mover] += tile
    state.held[mover] += 1


@kernel
def gather(state, seat):
    """Put all tiles that a seat has not seen into the bag; the sizes of hands stay."""
    for owner in range(state.seats):
        if owner != seat:
            state.bag += state.hand[owner]
            state.hand[owner] = 0


@kernel
def reveal_drawn(state, seat, kind, rng):
    """Redeal a seat's unseen tiles, all gathered in the bag, so that it can draw one of this kind.

    A tile that was shown in a swap is in the bag for certain, another one where it is in no hand.
    """
    loose = state.bag - state.shown
    n_loose = tiles.size_of(loose)
    n_bag = n_loose
    for owner in range(state.seats):
        n_bag -= state.held[owner] if owner != seat else 0
    of_shown = multisets.held(state.shown, kind, tiles.FIELDS) * n_loose
    ways = of_shown + multisets.held(loose, kind, tiles.FIELDS) * n_bag
    if ways == 0:
        redeal(state, seat, rng)
        return
    tile = multisets.single(kind, tiles.FIELDS)
    was_shown = tile if draw(rng, ways) < of_shown else 0
    state.bag -= tile
    state.shown -= was_shown
    redeal(state, seat, rng)
    state.bag += tile
    state.shown += was_shown


@kernel
def seen(state, action, seat):
    """A drawn tile is seen by the seat that draws it alone."""
    is_draw = state.phase == layout.DEAL or state.phase == layout.DRAW
    return HIDDEN if is_draw and seat != state.seat else action


@kernel
def ranks(state, out):
    for seat in range(state.seats):
        out[seat] = 1
        key = sorted_points(state, side_of(state, seat))
        for other in range(state.seats):
            if sorted_points(state, side_of(state, other)) > key:
                out[seat] += 1


@kernel
def score(state, seat):
    """The lowest colour."""
    return sorted_points(state, side_of(state, seat)) >> 30


@kernel
def round_index(state):
    return state.turn // state.seats


@kernel
def team(state, seat):
    return side_of(state, seat)


@kernel
def solo_share(state):
    """Alone one plays for the lowest colour: its part of the 36 points there are."""
    return score(state, 0) / (2.0 * layout.TRACK)


@kernel
def count_actions(state):
    if state.phase == layout.ASK:
        return 2
    n = 0
    for word in range(state.words):
        n += popcount(allowed(state, word))
    return n * tiles.count_oriented(multisets.kinds_in(state.hand[state.seat], tiles.LOWS))


@kernel
def is_legal(state, action):
    if action < 0 or action >= ACTIONS:
        return False
    if state.phase == layout.ASK or action >= layout.KEEP:
        return state.phase == layout.ASK and action >= layout.KEEP
    oriented = action // geometry.SPAN
    position = action - oriented * geometry.SPAN
    if (allowed(state, position >> 6) >> (position & 63)) & 1 == 0:
        return False
    return multisets.held(state.hand[state.seat], tiles.KIND_OF[oriented], tiles.FIELDS) != 0


@kernel
def pick(state, rng):
    """The action at place draw(rng, n) of the list, without the list."""
    if state.phase == layout.ASK:
        return layout.KEEP + draw(rng, 2)
    n = 0
    for word in range(state.words):
        n += popcount(allowed(state, word))
    kinds = multisets.kinds_in(state.hand[state.seat], tiles.LOWS)
    at = draw(rng, n * tiles.count_oriented(kinds))
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
    return tiles.nth_oriented(kinds, way) * geometry.SPAN + 64 * word + nth_bit(free, at)


@kernel
def nth_bit(word, n):
    """The index of the set bit at place `n` of a word: by halves, without a branch."""
    at = 0
    width = 32
    while width > 0:
        below = popcount(word & ((1 << width) - 1))
        is_above = np.int64(n >= below)
        n -= below * is_above
        word >>= width * is_above
        at += width * is_above
        width >>= 1
    return at


@kernel
def settle(state):
    while state.phase == layout.DRAW or state.phase == layout.DEAL:
        bag = state.bag
        take_tile(state, tiles.nth_tile(bag, roll(state.fate, chance_key(state), tiles.size_of(bag))))


@kernel
def suppose_weights(state, seat, out):
    """By kind the tiles that a seat may hold: those in the bag, but for what was shown, and its own.

    This is the report's reading: the chance that one tile drawn from the unseen is of the kind.
    """
    unseen = state.bag + state.hand[seat] - state.shown
    for kind in range(tiles.N_KINDS):
        out[kind] = multisets.held(unseen, kind, tiles.FIELDS)


@kernel
def suppose(state, seat, code):
    """Let a seat hold one tile, of this kind, and nothing else."""
    tile = multisets.single(code, tiles.FIELDS)
    state.bag += state.hand[seat] - tile
    state.hand[seat] = tile
    state.held[seat] = 1


@kernel
def leave_out(state):
    """Go on to the next turn without a swap and without drawing: a tile set aside counts as kept.

    A hand that has run out goes on with a tile of the bag's commonest kind: nobody moves without one.
    """
    if state.phase != layout.ASK and state.phase != layout.DRAW:
        return False
    seat = state.seat
    if state.aside != 0:
        state.hand[seat] = state.aside
        state.held[seat] = tiles.size_of(state.aside)
        state.aside = 0
    if state.held[seat] == 0:
        tile = multisets.single(tiles.commonest(state.bag), tiles.FIELDS)
        state.bag -= tile
        state.hand[seat] = tile
        state.held[seat] = 1
    next_turn(state)
    return True
