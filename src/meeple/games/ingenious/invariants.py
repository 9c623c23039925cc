"""What holds in every position of Ingenious."""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.ingenious import geometry, layout
from meeple.games.ingenious.scoring import has_all, lowest_kinds, side_of
from meeple.games.ingenious.tiles import (
    ALL_TILES,
    COLOUR_1,
    COLOUR_2,
    FIELDS,
    N_COLOURS,
    N_KINDS,
    N_TILES,
    first_oriented,
    size_of,
)

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
    "whoever is to place, asked or dealt to must be a seat of this table",
)


@kernel
def check(state):
    if state.seat >= state.seats:
        return 13
    if not board_is_sound(state):
        return 1
    if not open_is_sound(state):
        return 2
    fault = tiles_fault(state)
    if fault:
        return fault
    if not hands_are_sound(state):
        return 6
    n_sides = 2 if state.teams == 1 else state.seats
    earned = 0
    is_done = False
    for side in range(n_sides):
        for colour in range(N_COLOURS):
            points = state.points[side, colour]
            if points < 0 or points > state.goal:
                return 7
            earned += np.int64(points >= layout.TRACK) + np.int64(points == 2 * layout.TRACK)
        is_done = is_done or has_all(state, side)
    if not placements_agree(state, earned):
        return 8
    if not first_round_is_sound(state):
        return 9
    hand = state.hand[state.seat]
    if state.phase == layout.ASK and hand & lowest_kinds(state, side_of(state, state.seat)):
        return 10
    is_full = True
    for word in range(state.words):
        is_full = is_full and state.open[word] == 0
    if (is_full or is_done) != (state.phase == layout.OVER):
        return 11
    is_swapping = state.phase == layout.DRAW and state.swaps > 0
    if state.swaps < 0 or state.swaps > state.most_swaps:
        return 12
    if (state.aside != 0 or state.swaps > 0) and not is_swapping:
        return 12
    return 0 if holds(state.bag, state.shown) else 12


@kernel
def holds(tiles, part):
    """Whether a set holds all tiles of another."""
    for kind in range(N_KINDS):
        if multisets.held(tiles, kind, FIELDS) < multisets.held(part, kind, FIELDS):
            return False
    return True


@kernel
def board_is_sound(state):
    for cell in range(geometry.N_CELLS + 1):
        is_inside = cell < geometry.AREA[state.seats]
        if (
            state.cell[cell] < 0
            or (is_inside and state.cell[cell] > layout.EMPTY)
            or (not is_inside and state.cell[cell] != layout.WALL)
        ):
            return False
    for colour in range(N_COLOURS):
        if state.cell[geometry.SYMBOL_CELL[colour]] != colour:
            return False
    return True


@kernel
def open_is_sound(state):
    for word in range(geometry.N_WORDS):
        expected = 0
        for bit in range(62):
            code = 64 * word + bit
            if (geometry.START[state.seats, word] >> bit) & 1:
                is_free = (
                    state.cell[geometry.CELL_1[code]] == layout.EMPTY
                    and state.cell[geometry.CELL_2[code]] == layout.EMPTY
                )
                expected |= np.int64(is_free) << bit
        if state.open[word] != expected:
            return False
    return True


@kernel
def tiles_fault(state):
    """3, 4 or 5 where the tiles do not add up, else 0."""
    halves = np.zeros(N_COLOURS, np.int64)
    for kind in range(N_KINDS):
        count = multisets.held(ALL_TILES, kind, FIELDS)
        count -= multisets.held(state.bag, kind, FIELDS)
        count -= multisets.held(state.aside, kind, FIELDS)
        for seat in range(4):
            count -= multisets.held(state.hand[seat], kind, FIELDS)
        if count < 0:
            return 3
        oriented = first_oriented(kind)
        halves[COLOUR_1[oriented]] += count
        halves[COLOUR_2[oriented]] += count
    for cell in range(geometry.AREA[state.seats]):
        if state.cell[cell] < layout.EMPTY:
            halves[state.cell[cell]] -= 1
    for colour in range(N_COLOURS):
        if halves[colour] != -1:  # the printed symbol
            return 4
    for seat in range(4):
        if size_of(state.hand[seat]) != state.held[seat]:
            return 5
    return 0


@kernel
def hands_are_sound(state):
    for seat in range(4):
        held = state.held[seat]
        if seat >= state.seats:
            least, most = 0, 0
        elif state.phase == layout.DEAL:
            least, most = (6, 6) if seat < state.seat else (0, 0 if seat > state.seat else 5)
        elif seat != state.seat:
            least, most = 6, 6
        elif state.phase == layout.PLACE:
            least, most = (6, 6) if state.bonus == 0 else (1, 5)
        else:
            least, most = 0, 5
        if held < least or held > most:
            return False
    return True


@kernel
def placements_agree(state, earned):
    """Every finished turn has laid one tile, and one more for each bonus; the turn at hand as far as it has come."""
    is_owed = state.phase == layout.PLACE or state.phase == layout.OVER  # only then may a bonus be
    if state.turn < 0 or state.bonus < 0 or (state.bonus > 0 and not is_owed):
        return False
    placed = N_TILES - size_of(state.bag) - size_of(state.aside)
    for seat in range(4):
        placed -= state.held[seat]
    if state.phase == layout.DEAL:
        return placed == 0 and state.turn == 0 and earned == 0
    has_placed = state.phase != layout.PLACE or state.bonus > 0
    expected = state.turn + np.int64(has_placed) + earned - state.bonus
    if state.goal > layout.TRACK:  # a bonus may have been lost with an empty hand
        return state.turn + np.int64(has_placed) <= placed <= expected
    return placed == expected


@kernel
def first_round_is_sound(state):
    if state.turn >= state.bound_turns:
        return state.used == 0
    wanted = state.turn
    if state.phase != layout.DEAL and state.phase != layout.PLACE:
        wanted += 1
    if popcount(state.used & 63) != wanted or state.used < 0 or state.used > 63:
        return False
    for symbol in range(N_COLOURS):
        if (state.used >> symbol) & 1:
            is_touched = False
            for direction in range(6):
                is_touched = (
                    is_touched or state.cell[geometry.NEXT[geometry.SYMBOL_CELL[symbol], direction]] < layout.EMPTY
                )
            if not is_touched:
                return False
    return True
