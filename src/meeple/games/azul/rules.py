"""Azul: the rules, compiled.

Two to four seats. Each round the displays are filled with four tiles each; a move takes all tiles of one colour
from a display or from the centre and lays them on one pattern line or on the floor line. When all are taken, every
full line puts one tile on the wall, which scores by its neighbours, and the floor costs points. The round in which
a wall row is completed is the last; rows, columns and colours of the final wall give a bonus.

State   STATE in layout.py; a set of tiles is five counts of six bits, one a colour (20 at most, so sums never carry)
Action  taking tiles, or (grey wall) laying a tile: ACTION TABLE in layout.py
Chance  0..4, the colour of the tile drawn from the bag
Hidden  nothing but the fate
Source  docs/games/azul.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.kernel import kernel
from meeple.games.azul.invariants import CHECKS, check
from meeple.games.azul.layout import (
    A_SOURCE,
    ACTIONS,
    ALMOST,
    CAP,
    CAPS,
    CENTRE,
    COLOURS,
    COPIES,
    EVERYTHING,
    FIRST_TILING,
    FLOOR,
    FLOOR_SLOTS,
    GREY,
    MAX_ACTIONS,
    N_LINES,
    ONE_EACH,
    OUTCOMES,
    PENALTY,
    RANGES,
    SEATS,
    SPREAD,
    STATE,
    nth_tile,
    size_of,
    tiles_a_round,
)
from meeple.games.azul.wall import (
    bonus,
    free_cells,
    full_line,
    full_rows,
    row_colours,
    tile_points,
)

__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "OUTCOMES", "RANGES", "SEATS", "STATE", "check"]


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.source[:] = 0
    state.bag = COPIES * ONE_EACH
    state.lid = 0
    state.open[:] = 0
    for seat in range(seats):
        state.open[seat] = EVERYTHING
    state.wall[:] = 0
    state.tint[:, :] = 0
    state.points[:] = 0
    state.held[:, :] = 0
    state.colour[:, :] = 0
    state.floor[:] = 0
    state.first = 0
    state.left = 0
    state.lap = 0
    state.cap = CAPS[options[CAP]]
    state.seats = seats
    state.grey = options[GREY]
    start_round(state)


@kernel
def start_round(state):
    """The marker goes to the centre, and the displays are to be filled."""
    state.marker = -1
    state.draws = tiles_a_round(state)
    state.mover = CHANCE
    pour(state)


@kernel
def pour(state):
    """Where a tile is needed and the bag is empty, the lid goes into the bag; with no tile to draw, play begins."""
    if state.draws > 0 and state.bag == 0:
        state.bag = state.lid
        state.lid = 0
        if state.bag == 0:
            state.draws = 0
    if state.draws == 0:
        begin_offer(state)


@kernel
def begin_offer(state):
    """The first player is to move; RULING 5: without a single tile the game is over."""
    if state.left > 0:
        state.mover = state.first
    else:
        finish(state)


@kernel
def to_move(state):
    return state.mover


@kernel
def legal_actions(state, out):
    if state.left == 0:
        return legal_tilings(state, out)
    n = 0
    allowed = state.open[state.mover]
    for source in range(2 * state.seats + 2):
        moves = moves_from(state.source[source], allowed)
        base = source * A_SOURCE
        while moves:
            out[n] = base + lowest_bit(moves)
            n += 1
            moves &= moves - 1
    return n


@kernel
def moves_from(tiles, allowed):
    """The moves with a source that holds `tiles`, as bits 6 * colour + line: what is there and what is allowed."""
    colours = ((tiles + ALMOST) >> 5) & ONE_EACH
    return ((colours << 6) - colours) & allowed


@kernel
def legal_tilings(state, out):
    """Grey wall: the cells that the mover's topmost full line may go to, or the floor where there is none."""
    row = full_line(state, state.mover)
    cells = free_cells(state, state.mover, row)
    base = FIRST_TILING + row * 6
    if cells == 0:
        out[0] = base + FLOOR
        return 1
    n = 0
    while cells:
        out[n] = base + lowest_bit(cells)
        n += 1
        cells &= cells - 1
    return n


@kernel
def chance_weights(state, out):
    bag = state.bag
    for colour in range(COLOURS):
        out[colour] = (bag >> (6 * colour)) & 63


@kernel
def chance_key(state):
    """The round and the slot."""
    return state.lap * 64 + tiles_a_round(state) - state.draws


@kernel
def apply(state, action):
    if state.mover == CHANCE:
        draw_tile(state, action)
    elif action < FIRST_TILING:
        take_tiles(state, action)
    else:
        lay_tile(state, action - FIRST_TILING)


@kernel
def draw_tile(state, colour):
    """Put a tile from the bag on the next slot of the displays."""
    slot = tiles_a_round(state) - state.draws
    tile = 1 << (6 * colour)
    state.bag -= tile
    state.source[1 + (slot >> 2)] += tile
    state.left += 1
    state.draws -= 1
    pour(state)


@kernel
def take_tiles(state, action):
    """Take all tiles of a colour from a source and lay them on a line or on the floor."""
    seat = state.mover
    source = action // A_SOURCE
    bit = action - source * A_SOURCE
    colour = bit // 6
    line = bit - colour * 6
    tiles = state.source[source]
    taken = (tiles >> (6 * colour)) & 63
    rest = tiles & ~(63 << (6 * colour))
    floor = state.floor[seat]
    if source == CENTRE:
        state.source[CENTRE] = rest
        if state.marker < 0:
            # RULINGS 1, 2: the marker takes its slot first; with a full floor it is taken all the same.
            state.marker = seat
            floor += 1
    else:
        state.source[source] = 0
        state.source[CENTRE] += rest
    excess = taken
    if line != FLOOR:
        held = state.held[seat, line]
        placed = min(taken, line + 1 - held)
        excess = taken - placed
        held += placed
        state.held[seat, line] = held
        state.colour[seat, line] = colour
        # From now on the line takes this colour alone, and none once it is full.
        lines = state.open[seat] & ~(ONE_EACH << line)
        if held <= line:
            lines |= 1 << bit
        state.open[seat] = lines
    if excess > 0:
        floor += excess
        state.lid += excess << (6 * colour)
    state.floor[seat] = min(FLOOR_SLOTS, floor)
    state.left -= taken
    if state.left > 0:
        state.mover = seat + 1 if seat + 1 < state.seats else 0
    else:
        tile_walls(state)


@kernel
def tile_walls(state):
    """The wall-tiling phase: at once where the wall is coloured, by moves of its owners where it is grey."""
    if state.grey == 1:
        next_tiling(state)
        return
    for seat in range(state.seats):
        for line in range(N_LINES):
            if state.held[seat, line] == line + 1:
                column = line + state.colour[seat, line]
                fill_cell(state, seat, line, column if column < 5 else column - 5)
    end_round(state)


@kernel
def fill_cell(state, seat, row, column):
    """Put a tile of a full line on the wall and score it; the others go to the lid, and the line is empty."""
    colour = state.colour[seat, row]
    wall = state.wall[seat] | (1 << (5 * row + column))
    state.wall[seat] = wall
    if state.grey == 1:
        state.tint[seat, row] += (colour + 1) << (3 * column)
    state.points[seat] += tile_points(wall, row, column)
    state.lid += row << (6 * colour)
    clear_line(state, seat, row)


@kernel
def clear_line(state, seat, row):
    """Empty a line and open it to the colours that its wall row lacks."""
    state.held[seat, row] = 0
    state.colour[seat, row] = 0
    state.open[seat] |= SPREAD[31 & ~row_colours(state, seat, row)] << row


@kernel
def lay_tile(state, code):
    """Grey wall: lay the tile of the mover's topmost full line, or drop the line where it has no place."""
    seat = state.mover
    row = code // 6
    column = code - row * 6
    if column == FLOOR:
        state.lid += (row + 1) << (6 * state.colour[seat, row])
        state.floor[seat] = min(FLOOR_SLOTS, state.floor[seat] + row + 1)
        clear_line(state, seat, row)
    else:
        fill_cell(state, seat, row, column)
    next_tiling(state)


@kernel
def next_tiling(state):
    """RULING 8: whoever has a full line, in turn order from the round's first player, lays its tile."""
    seats = state.seats
    for turn in range(seats):
        seat = (state.first + turn) % seats
        if full_line(state, seat) >= 0:
            state.mover = seat
            return
    end_round(state)


@kernel
def end_round(state):
    """The floors cost points, once and never below zero (RULING 6); then the next round, or the end."""
    is_last = False
    for seat in range(state.seats):
        points = state.points[seat] - PENALTY[state.floor[seat]]
        state.points[seat] = max(0, points)
        state.floor[seat] = 0
        is_last = is_last or full_rows(state.wall[seat]) != 0
    state.lap += 1
    if state.marker >= 0:  # RULING 3: never taken, the same player starts again
        state.first = state.marker
    if is_last or state.lap >= state.cap:
        state.marker = -1
        finish(state)
    else:
        start_round(state)


@kernel
def finish(state):
    """The final bonuses; the game is over."""
    for seat in range(state.seats):
        state.points[seat] += bonus(state, seat)
    state.mover = NOBODY


@kernel
def redeal(state, seat, rng):
    """Only the order of the draws is unknown."""
    state.fate = fresh_fate(rng)


@kernel
def ranks(state, out):
    """By points, then by full rows; equals share a place."""
    for seat in range(state.seats):
        mine = standing(state, seat)
        out[seat] = 1
        for other in range(state.seats):
            if standing(state, other) > mine:
                out[seat] += 1


@kernel
def standing(state, seat):
    """Points and full rows in one number."""
    return state.points[seat] * 8 + popcount(full_rows(state.wall[seat]))


@kernel
def score(state, seat):
    return state.points[seat]


@kernel
def round_index(state):
    """After the end it stays at the last round."""
    return state.lap - np.int64(state.mover == NOBODY)


@kernel
def count_actions(state):
    if state.left == 0:
        seat = state.mover
        return max(1, popcount(free_cells(state, seat, full_line(state, seat))))
    n = 0
    allowed = state.open[state.mover]
    for source in range(2 * state.seats + 2):
        n += popcount(moves_from(state.source[source], allowed))
    return n


@kernel
def is_legal(state, action):
    if action < 0 or action >= ACTIONS:
        return False
    if state.left == 0:
        seat = state.mover
        row = full_line(state, seat)
        column = action - FIRST_TILING - row * 6
        cells = free_cells(state, seat, row)
        return column == FLOOR if cells == 0 else 0 <= column < 5 and (cells >> column) & 1 == 1
    source = action // A_SOURCE
    if source >= 2 * state.seats + 2:
        return False
    moves = moves_from(state.source[source], state.open[state.mover])
    return (moves >> (action - source * A_SOURCE)) & 1 == 1


@kernel
def pick(state, rng):
    """The action at place draw(rng, n) of the list, without the list."""
    k = draw(rng, count_actions(state))
    if state.left == 0:
        return pick_tiling(state, k)
    allowed = state.open[state.mover]
    source = 0
    moves = moves_from(state.source[0], allowed)
    n = popcount(moves)
    while k >= n:
        k -= n
        source += 1
        moves = moves_from(state.source[source], allowed)
        n = popcount(moves)
    while k > 0:
        moves &= moves - 1
        k -= 1
    return source * A_SOURCE + lowest_bit(moves)


@kernel
def pick_tiling(state, k):
    """Grey wall: the k-th cell on offer, or the floor where there is none."""
    seat = state.mover
    row = full_line(state, seat)
    cells = free_cells(state, seat, row)
    if cells == 0:
        return FIRST_TILING + row * 6 + FLOOR
    while k > 0:
        cells &= cells - 1
        k -= 1
    return FIRST_TILING + row * 6 + lowest_bit(cells)


@kernel
def settle(state):
    """All draws that fate brings, with the bag kept in registers."""
    if state.mover != CHANCE:
        return
    fate = state.fate
    key = chance_key(state)
    draws = state.draws
    bag = state.bag
    total = size_of(bag)
    source = 1 + ((tiles_a_round(state) - draws) >> 2)
    tiles = state.source[source]
    while draws > 0:
        if total == 0:
            bag = state.lid
            state.lid = 0
            total = size_of(bag)
            if total == 0:
                break
        tile = nth_tile(bag, roll(fate, key, total))
        key += 1
        bag -= tile
        tiles += tile
        total -= 1
        draws -= 1
        state.left += 1
        if draws & 3 == 0:  # every display has four slots, so its last leaves a multiple of four
            state.source[source] = tiles
            source += 1
            tiles = 0
    if tiles:
        state.source[source] = tiles
    state.bag = bag
    state.draws = 0
    begin_offer(state)
