"""What holds in every position of Azul."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.kernel import kernel
from meeple.games.azul.layout import (
    A_DISPLAY,
    CENTRE,
    COLOURS,
    COPIES,
    FLOOR,
    FLOOR_SLOTS,
    MOST_SOURCES,
    N_LINES,
    ONE_EACH,
    ROW,
    SPREAD,
    size_of,
    tiles_a_round,
)
from meeple.games.azul.wall import bonus, full_line, full_rows, row_colours

CHECKS = (
    "each colour must have twenty tiles in all",
    "the tiles on displays and in the centre must be as many as their count, and none where chance begins a round",
    "a pattern line must not be overfull, and an empty one has no colour",
    "a line must not hold a colour that its wall row has",
    "the lines that are open to a colour must be those that the rules allow",
    "a floor line has 0 to 7 occupied slots, the marker's among them, and its tiles lie in the lid",
    "a row of the wall takes one tile a round",
    "a grey wall must not have a colour twice in a row or a column",
    "a full row ends the game",
    "a display holds four tiles at most",
    "the bag must not be empty while tiles are to be drawn",
    "whoever is to move must have something to take or to lay",
    "mover, first player and holder of the marker must be seats of this table, and nobody holds it between rounds",
    "the game is over after its last round, and not before",
    "between rounds displays are filled in turn, the centre is empty and no pattern line is full",
    "points must be no more than the tiles on the wall give",
)


@kernel
def check(state):
    for colour in range(COLOURS):
        if count_colour(state, colour) != COPIES:
            return 1
    fault = check_sources(state)
    for seat in range(state.seats):
        if fault == 0:
            fault = check_lines(state, seat)
        if fault == 0:
            fault = check_wall(state, seat)
    return fault if fault != 0 else check_phase(state)


@kernel
def count_colour(state, colour):
    """Tiles of a colour, wherever they are."""
    shift = 6 * colour
    n = ((state.bag >> shift) & 63) + ((state.lid >> shift) & 63)
    for source in range(MOST_SOURCES):
        n += (state.source[source] >> shift) & 63
    for seat in range(state.seats):
        for row in range(5):
            n += (row_colours(state, seat, row) >> colour) & 1
            if state.colour[seat, row] == colour:
                n += state.held[seat, row]
    return n


@kernel
def check_sources(state):
    """The displays and the centre."""
    n = 0
    for source in range(MOST_SOURCES):
        tiles = size_of(state.source[source])
        n += tiles
        if source != CENTRE and tiles > A_DISPLAY:
            return 10
        if source >= 2 * state.seats + 2 and tiles > 0:
            return 2
    if n != state.left or (state.mover == CHANCE and n != tiles_a_round(state) - state.draws):
        return 2
    return 0


@kernel
def check_lines(state, seat):
    """A seat's pattern lines, and which colours they are open to."""
    lines = ONE_EACH << FLOOR
    for line in range(N_LINES):
        held = state.held[seat, line]
        colour = state.colour[seat, line]
        if held < 0 or held > line + 1 or (held == 0 and colour != 0) or colour < 0 or colour >= COLOURS:
            return 3
        colours = row_colours(state, seat, line)
        if held > 0 and (colours >> colour) & 1:
            return 4
        if held == 0:
            lines |= SPREAD[31 & ~colours] << line
        elif held <= line:
            lines |= 1 << (6 * colour + line)
    return 0 if lines == state.open[seat] else 5


@kernel
def check_wall(state, seat):
    """A seat's wall: a tile a row and round; in grey no colour twice in a row or column."""
    wall = state.wall[seat]
    is_tiling = state.mover >= 0 and state.left == 0
    rounds = state.lap + np.int64(is_tiling)
    for row in range(5):
        if popcount((wall >> (5 * row)) & ROW) > rounds:
            return 7
    if state.mover != NOBODY and not is_tiling and full_rows(wall) != 0:
        return 9
    if state.grey == 1:
        return check_tints(state, seat)
    return 0


@kernel
def check_tints(state, seat):
    """Every filled cell of a grey wall has a colour, and no colour comes twice in a row or column."""
    in_column = np.zeros(5, np.int64)
    for row in range(5):
        in_row = 0
        for column in range(5):
            tint = (state.tint[seat, row] >> (3 * column)) & 7
            is_filled = (state.wall[seat] >> (5 * row + column)) & 1 == 1
            bit = 1 << tint
            if is_filled != (tint > 0) or tint > COLOURS:
                return 8
            if tint > 0 and (in_row & bit or in_column[column] & bit):
                return 8
            if tint > 0:
                in_row |= bit
                in_column[column] |= bit
    return 0


@kernel
def check_phase(state):
    """The floors, the marker, and that whoever is to move can."""
    on_floors = 0
    for seat in range(state.seats):
        floor = state.floor[seat]
        on_floors += floor - np.int64(state.marker == seat)
        if floor < np.int64(state.marker == seat) or floor > FLOOR_SLOTS:
            return 6
        if floor > 0 and state.mover < 0:
            return 6
    if on_floors > size_of(state.lid):
        return 6
    if state.mover == CHANCE and (state.bag == 0 or state.draws <= 0):
        return 11
    if max(state.mover, state.first, state.marker) >= state.seats or (state.mover < 0 and state.marker >= 0):
        return 13
    if state.lap > state.cap or (state.lap == state.cap and state.mover != NOBODY):
        return 14
    if state.mover < 0 and not is_between_rounds(state):
        return 15
    for seat in range(state.seats):
        n_filled = popcount(state.wall[seat])
        if state.points[seat] > 10 * n_filled + (bonus(state, seat) if state.mover == NOBODY else 0):
            return 16
    if state.mover >= 0 and state.left == 0 and (state.grey == 0 or full_line(state, state.mover) < 0):
        return 12
    return 0


@kernel
def is_between_rounds(state):
    """Whether displays are filled from the first on, all of it lies there, and every full line has been laid."""
    left = state.left if state.mover == CHANCE else 0
    if state.source[CENTRE] != 0 or left != state.left:
        return False
    for source in range(1, MOST_SOURCES):
        here = min(A_DISPLAY, left)
        left -= here
        if size_of(state.source[source]) != here:
            return False
    for seat in range(state.seats):
        if full_line(state, seat) >= 0:
            return False
    return True
