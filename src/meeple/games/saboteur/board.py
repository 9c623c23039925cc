"""Saboteur: the table; what fits, what is joined to the start, what turns a goal and what falls in."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit
from meeple.core.kernel import kernel
from meeple.games.saboteur import layout
from meeple.games.tunnels import CENTRE, CROSS, WALL


@kernel
def clear_table(state):
    """The start card and three face-down goals."""
    state.tunnels[:] = 0
    state.frontier[:] = 0
    state.cell[:] = 0
    state.cell[layout.START] = -1 - CROSS - layout.REACHED
    for k in range(3):
        state.cell[layout.GOAL_CELLS[k]] = -1 - CROSS
    make_demands(state, layout.START, CROSS)
    for side in range(4):
        add_cell(state.frontier, beside(layout.START, side))


@kernel
def beside(cell, side):
    """The neighbour in the north, east, south or west, on the torus."""
    if side == 0:
        return (cell - layout.SIDE) & (layout.N_CELLS - 1)
    if side == 1:
        return (cell & ~(layout.SIDE - 1)) | ((cell + 1) & (layout.SIDE - 1))
    if side == 2:
        return (cell + layout.SIDE) & (layout.N_CELLS - 1)
    return (cell & ~(layout.SIDE - 1)) | ((cell - 1) & (layout.SIDE - 1))


@kernel
def has_cell(cells, cell):
    """Whether a set of cells holds this one."""
    return (np.int64(cells[cell >> 5]) >> (cell & 31)) & 1 != 0


@kernel
def add_cell(cells, cell):
    """Put a cell into a set."""
    cells[cell >> 5] |= 1 << (cell & 31)


@kernel
def remove_cell(cells, cell):
    """Take a cell out of a set."""
    cells[cell >> 5] &= ~(1 << (cell & 31))


@kernel
def shape_at(state, cell):
    """The shape of the card in a cell; negative where there is none."""
    found = -1 - state.cell[cell]
    return found & 31 if found >= 0 else -1


@kernel
def is_reached(state, cell):
    """Whether the card in a cell is joined to the start and its centre open."""
    return state.cell[cell] < -layout.REACHED


@kernel
def make_demands(state, cell, shape):
    """Tell the empty neighbours what a face-up card asks of them."""
    for side in range(4):
        other = beside(cell, side)
        if state.cell[other] >= 0:
            state.cell[other] += (WALL + ((shape >> side) & 1)) * layout.POWER[(side + 2) & 3]


@kernel
def lay_tunnel(state, cell, shape):
    """Lay a card, joined to the start as the offer has it; whether the treasure is reached."""
    state.cell[cell] = -1 - shape
    add_cell(state.tunnels, cell)
    remove_cell(state.frontier, cell)
    make_demands(state, cell, shape)
    if shape & CENTRE == 0:
        return False  # a dead end: nothing goes on from it
    state.cell[cell] = -1 - shape - layout.REACHED
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
            if not (state.shown >> k) & 1:
                side = arriving_side(state, layout.GOAL_CELLS[k], placed)
                if side >= 0:
                    turn_goal(state, k, side)
                    has_turned = True
        if not has_turned:
            break
    find_frontier(state)
    for k in range(3):
        if (state.shown >> k) & 1 and state.goal[k] == layout.TREASURE:
            return True
    return False


@kernel
def flood(state):
    """Mark all face-up cards that are joined to the start through open centres."""
    state.cell[layout.START] = -1 - CROSS - layout.REACHED
    for y in range(layout.SIDE):
        cells = state.tunnels[y]
        while cells:
            cell = y * layout.SIDE + lowest_bit(cells)
            cells &= cells - 1
            state.cell[cell] = -1 - shape_at(state, cell)
    for k in range(3):
        state.cell[layout.GOAL_CELLS[k]] = -1 - shape_at(state, layout.GOAL_CELLS[k])
    stack = np.empty(64, np.int64)  # at most 40 tunnels, the start and 3 goals, each put here once
    stack[0] = layout.START
    n = 1
    while n > 0:
        n -= 1
        cell = stack[n]
        shape = shape_at(state, cell)
        for side in range(4):
            if (shape >> side) & 1:
                other = beside(cell, side)
                if is_passage(state, other, side) and not is_reached(state, other) and is_face_up(state, other):
                    state.cell[other] -= layout.REACHED
                    stack[n] = other
                    n += 1


@kernel
def is_face_up(state, cell):
    """Whether the card in this cell is anything but a goal that is not turned."""
    for k in range(3):
        if cell == layout.GOAL_CELLS[k]:
            return (state.shown >> k) & 1 != 0
    return True


@kernel
def arriving_side(state, goal, placed):
    """The side of a goal at which a tunnel arrives, that of the card just placed before all others; -1 if none does."""
    found = -1
    for side in range(4):
        other = beside(goal, side)
        if is_reached(state, other) and (shape_at(state, other) >> ((side + 2) & 3)) & 1:
            if other == placed:
                return side
            if found < 0:
                found = side
    return found


@kernel
def turn_goal(state, k, side):
    """Turn a goal face up, a curve so that it joins the side at which the tunnel arrives."""
    state.shown |= 1 << k
    shape = layout.STONE_SHAPE[state.goal[k]] if state.crosses == 0 else CROSS
    if not (shape >> side) & 1:
        shape = (shape & CENTRE) | (((shape & 15) << 2 | (shape & 15) >> 2) & 15)
    state.cell[layout.GOAL_CELLS[k]] = -1 - shape
    make_demands(state, layout.GOAL_CELLS[k], shape)


@kernel
def find_frontier(state):
    """All empty cells that a tunnel from the start leads into."""
    state.frontier[:] = 0
    open_sides_of(state, layout.START)
    for k in range(3):
        open_sides_of(state, layout.GOAL_CELLS[k])
    for y in range(layout.SIDE):
        cells = state.tunnels[y]
        while cells:
            open_sides_of(state, y * layout.SIDE + lowest_bit(cells))
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
            state.cell[other] -= (WALL + ((shape >> side) & 1)) * layout.POWER[(side + 2) & 3]
    remove_cell(state.tunnels, cell)
    state.cell[cell] = demand_of(state, cell)
    flood(state)
    find_frontier(state)


@kernel
def demand_of(state, cell):
    """What the face-up neighbours of an empty cell ask of it."""
    asks = 0
    for side in range(4):
        other = beside(cell, side)
        shape = shape_at(state, other)
        if shape >= 0 and is_face_up(state, other):
            asks += (WALL + ((shape >> ((side + 2) & 3)) & 1)) * layout.POWER[side]
    return asks


@kernel
def check_table(state):
    """The invariants of the table: which card lies where, demands, frontier, reached cards."""
    if not cards_are_sound(state):
        return 8
    joined = np.zeros(layout.N_CELLS, np.bool_)
    joined[layout.START] = True
    has_grown = True
    while has_grown:
        has_grown = False
        for cell in range(layout.N_CELLS):
            if joined[cell]:
                shape = shape_at(state, cell)
                for side in range(4):
                    other = beside(cell, side)
                    if (shape >> side) & 1 == 0 or joined[other] or not is_passage(state, other, side):
                        continue
                    if is_face_up(state, other):
                        joined[other] = True
                        has_grown = True
    for cell in range(layout.N_CELLS):
        is_card = state.cell[cell] < 0
        if not is_card and state.cell[cell] != demand_of(state, cell):
            return 3
        leads_here = False
        for side in range(4):
            other = beside(cell, side)
            if joined[other] and (shape_at(state, other) >> ((side + 2) & 3)) & 1:
                leads_here = True
        if has_cell(state.frontier, cell) != (leads_here and not is_card):
            return 3
        if is_reached(state, cell) != joined[cell]:
            return 4
    return 0


@kernel
def cards_are_sound(state):
    """Whether tunnels and nothing else lie beside the start and the goals, and these show what they can."""
    for cell in range(layout.N_CELLS):
        shape = shape_at(state, cell)
        is_tunnel = has_cell(state.tunnels, cell)
        if cell == layout.START:
            is_sound = shape == CROSS and not is_tunnel
        elif goal_at(cell) >= 0:
            is_sound = not is_tunnel and is_goal_sound(state, goal_at(cell), shape)
        else:
            is_sound = is_tunnel == (shape >= 0) and (not is_tunnel or layout.IS_CARD[shape])
        if not is_sound:
            return False
    return True


@kernel
def goal_at(cell):
    """Which goal lies on a cell; -1: none."""
    for k in range(3):
        if cell == layout.GOAL_CELLS[k]:
            return k
    return -1


@kernel
def is_goal_sound(state, k, shape):
    """Whether a goal shows its own card, upright or turned; face down, and in a game with crosses, it is a cross."""
    if not (state.shown >> k) & 1 or state.crosses != 0:
        return shape == CROSS
    upright = layout.STONE_SHAPE[state.goal[k]]
    return shape == upright or shape == (upright & CENTRE) | (((upright & 15) << 2 | (upright & 15) >> 2) & 15)
