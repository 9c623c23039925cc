"""The duel: the board; what fits, what is joined to the entrance, what reveals an objective and what is destroyed."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.saboteur_duel import layout
from meeple.games.tunnels import CROSS, WALL


@kernel
def clear_board(state):
    """Entrance and face-down objectives, and nothing else."""
    state.frontier[:] = 0
    state.tiles[:] = 0
    state.reached[:] = 0
    state.cell[:] = 0
    state.cell[layout.ENTRANCE] = -1 - CROSS
    for k in range(layout.N_OBJECTIVES):
        state.cell[layout.OBJECTIVES[k]] = -1 - CROSS
    add_cell(state.reached, layout.ENTRANCE)
    make_demands(state, layout.ENTRANCE, CROSS)


@kernel
def has_cell(cells, cell):
    """Whether a set of cells holds this one."""
    return (np.int64(cells[cell >> 6]) >> (cell & 63)) & 1 != 0


@kernel
def add_cell(cells, cell):
    """Put a cell of the board into a set; the border is left out."""
    cells[cell >> 6] |= layout.BOARD_BIT[cell]


@kernel
def remove_cell(cells, cell):
    """Take a cell out of a set."""
    cells[cell >> 6] &= ~layout.BOARD_BIT[cell]


@kernel
def make_demands(state, cell, shape):
    """Tell the empty neighbours what a face-up card asks of them."""
    for side in range(4):
        other = cell + layout.STEP[side]
        if state.cell[other] >= 0:
            is_open = (shape >> side) & 1
            state.cell[other] += (WALL + is_open) * layout.POWER[(side + 2) & 3]
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
            other = cell + layout.STEP[side]
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
    shape = -1 - state.cell[other]
    return shape >= 0 and shape >> 4 != 0 and (shape >> ((side + 2) & 3)) & 1 != 0


@kernel
def flood(state):
    """Find all cells reached from the entrance; face-down objectives take part as open crosses."""
    state.reached[:] = 0
    add_cell(state.reached, layout.ENTRANCE)
    stack = np.empty(64, np.int64)  # at most 40 tiles, the entrance and 3 objectives, each put here once
    stack[0] = layout.ENTRANCE
    n = 1
    while n > 0:
        n -= 1
        cell = stack[n]
        shape = -1 - state.cell[cell]
        for side in range(4):
            if (shape >> side) & 1:
                other = cell + layout.STEP[side]
                if is_passage(state, other, side) and not has_cell(state.reached, other):
                    add_cell(state.reached, other)
                    stack[n] = other
                    n += 1


@kernel
def show_reached(state):
    """Reveal every objective that is reached; the nugget makes the mover win."""
    for k in range(layout.N_OBJECTIVES):
        if has_cell(state.reached, layout.OBJECTIVES[k]) and not (state.shown >> k) & 1:
            state.shown |= 1 << k
            make_demands(state, layout.OBJECTIVES[k], CROSS)
            if state.nugget == k:
                state.winner = state.seat


@kernel
def destroy(state, cell):
    """Take a tile away: its neighbours ask for nothing any more, and it asks for what they show."""
    shape = -1 - state.cell[cell]
    asks = 0
    for side in range(4):
        other = cell + layout.STEP[side]
        found = state.cell[other]
        if found >= 0:
            found -= (WALL + ((shape >> side) & 1)) * layout.POWER[(side + 2) & 3]
            state.cell[other] = found
            if not layout.IS_OPEN[found]:
                remove_cell(state.frontier, other)
        elif is_face_up(state, other):
            asks += (WALL + (((-1 - found) >> ((side + 2) & 3)) & 1)) * layout.POWER[side]
    state.cell[cell] = asks
    remove_cell(state.tiles, cell)
    if layout.IS_OPEN[asks]:
        add_cell(state.frontier, cell)
    if has_cell(state.reached, cell):
        flood(state)


@kernel
def is_face_up(state, cell):
    """Whether the card in this cell is anything but an objective that is not revealed."""
    for k in range(layout.N_OBJECTIVES):
        if cell == layout.OBJECTIVES[k]:
            return (state.shown >> k) & 1 != 0
    return True


@kernel
def rebuild(state):
    """Demands, frontier and reached cells anew from the cards that lie on the board."""
    state.frontier[:] = 0
    for cell in range(layout.N_CELLS):
        if state.cell[cell] >= 0:
            state.cell[cell] = 0
    for cell in range(layout.N_CELLS):
        if state.cell[cell] < 0 and is_face_up(state, cell):
            make_demands(state, cell, -1 - state.cell[cell])
    flood(state)


@kernel
def tiles_are_sound(state):
    """Whether the tiles on the board and nothing else lie beside entrance and objectives, which are crosses."""
    for cell in range(layout.N_CELLS):
        shape = -1 - state.cell[cell]
        is_fixed = cell == layout.ENTRANCE
        for k in range(layout.N_OBJECTIVES):
            is_fixed = is_fixed or cell == layout.OBJECTIVES[k]
        if is_fixed and shape != CROSS:
            return False
        if has_cell(state.tiles, cell) != (shape >= 0 and not is_fixed):
            return False
        if shape >= 0 and (not layout.IS_TILE[shape] or layout.BOARD_BIT[cell] == 0):
            return False
    return True


@kernel
def check_board(state):
    """The invariants of the board: demands and frontier, reached cells, revealed objectives, the winner."""
    for cell in range(layout.N_CELLS):
        if layout.BOARD_BIT[cell] == 0 and not is_border_sound(state, cell):
            return 4
        if layout.BOARD_BIT[cell] != 0:
            asks = demand_of(state, cell) if state.cell[cell] >= 0 else 0
            if state.cell[cell] >= 0 and state.cell[cell] != asks:
                return 4
            if has_cell(state.frontier, cell) != layout.IS_OPEN[asks]:
                return 4
            is_entrance = cell == layout.ENTRANCE
            if has_cell(state.reached, cell) != (is_entrance or touches_reached(state, cell)):
                return 5
    if count_reached(state) != count_joined(state):
        return 5
    for k in range(layout.N_OBJECTIVES):
        if has_cell(state.reached, layout.OBJECTIVES[k]) and not (state.shown >> k) & 1:
            return 6
    is_found = state.nugget >= 0 and (state.shown >> max(0, state.nugget)) & 1 != 0
    return 7 if is_found != (state.winner >= 0) else 0


@kernel
def is_border_sound(state, cell):
    """Whether a cell outside the board asks for what its neighbours on the board show, and is in no set."""
    asks = 0
    for side in range(4):
        other = (cell + layout.STEP[side]) & (layout.N_CELLS - 1)  # the board never wraps around: its border is empty
        shape = -1 - state.cell[other]
        if shape >= 0 and is_face_up(state, other):
            asks += (WALL + ((shape >> ((side + 2) & 3)) & 1)) * layout.POWER[side]
    is_marked = has_cell(state.frontier, cell) or has_cell(state.reached, cell)
    return state.cell[cell] == asks and not is_marked


@kernel
def demand_of(state, cell):
    """What the face-up neighbours of an empty cell ask of it."""
    asks = 0
    for side in range(4):
        other = cell + layout.STEP[side]
        shape = -1 - state.cell[other]
        if shape >= 0 and is_face_up(state, other):
            asks += (WALL + ((shape >> ((side + 2) & 3)) & 1)) * layout.POWER[side]
    return asks


@kernel
def touches_reached(state, cell):
    """Whether the card in a cell has an open centre and is joined to a cell that is reached."""
    shape = -1 - state.cell[cell]
    if shape < 0 or shape >> 4 == 0:
        return False
    for side in range(4):
        other = cell + layout.STEP[side]
        if (shape >> side) & 1 and is_passage(state, other, side) and has_cell(state.reached, other):
            return True
    return False


@kernel
def count_reached(state):
    """How many cells are marked as reached."""
    n = 0
    for word in range(4):
        n += popcount(state.reached[word])
    return n


@kernel
def count_joined(state):
    """How many cells are joined to the entrance, counted by walking out from it."""
    joined = np.zeros(layout.N_CELLS, np.bool_)
    joined[layout.ENTRANCE] = True
    n = 1
    has_grown = True
    while has_grown:
        has_grown = False
        for cell in range(layout.ROW, layout.N_CELLS - layout.ROW):
            if joined[cell]:
                shape = -1 - state.cell[cell]
                for side in range(4):
                    other = cell + layout.STEP[side]
                    if (shape >> side) & 1 and is_passage(state, other, side) and not joined[other]:
                        joined[other] = True
                        n += 1
                        has_grown = True
    return n
