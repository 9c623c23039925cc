"""The twelve tool cards: which moves each of them offers.

Every list is ascending by code and stops at `limit`, so that the first move, or whether there is one, costs little.
`pool` holds the different dice of the pool as bits. What a move does stands in rules.py.
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada import board
from meeple.games.sagrada.layout import KIND_BITS, MOST_POOL, PLACE, RETURN, TURN, coded, later_turn

(
    GROZING, EGLOMISE, COPPER, LATHEKIN, LENS, BRUSH, HAMMER_CARD, RUNNING, STRAIGHTEDGE, GRINDING, REMOVER, TAP_WHEEL,
) = range(1, 13)  # fmt: skip


def longest_list() -> int:
    """A bound on the moves of one decision, all twelve cards on the table, over the number k of dice in the window.

    With e = 20 - k empty cells, a pair moves two of k dice, the first to e cells, the second to e (the cell that
    the first has left among them). At most 9 dice lie in the pool, and 30 kinds on the track.
    """
    longest = 0
    for k in range(board.N_CELLS + 1):
        e = board.N_CELLS - k
        pairs = k * (k - 1) * e * e
        singles = k * e
        swaps = MOST_POOL * board.N_DICE * e
        drafts = MOST_POOL * e  # of the plain draft, the straightedge, the stone; twice for the pliers
        longest = max(longest, 2 * pairs + 3 * singles + swaps + 5 * drafts + 2 * MOST_POOL + 2 + 1)
    return longest


LONGEST = longest_list()
MAX_ACTIONS = LONGEST + MOST_POOL  # and room for what `list_drafts` keeps behind its list


@kernel
def list_tool(state, seat, tool, slot, pool, out, n, limit):
    """Write the moves of a tool from place n on; returns the new length."""
    drafted = state.drafted != 0
    if tool in (EGLOMISE, COPPER):
        return list_single_moves(state, seat, tool, slot, out, n, limit)
    if tool in (LATHEKIN, TAP_WHEEL):
        return list_pairs(state, seat, tool, slot, out, n, limit)
    if tool == RUNNING:
        return list_running(state, seat, slot, pool, out, n)
    if drafted:  # all others act on the die that is drafted, or before it
        return n
    cells = board.open_cells(state.occ[seat])
    if tool == GROZING:
        return list_grozing(state, seat, slot, pool, cells, out, n, limit)
    if tool == GRINDING:
        return list_drafts(state, seat, slot, pool, cells, 1, out, n, limit)
    if tool == STRAIGHTEDGE:
        occupied = state.occ[seat]
        lonely = board.BORDER if occupied == 0 else board.BOARD & ~board.around(occupied)
        return list_drafts(state, seat, slot, pool, lonely, 0, out, n, limit)
    if tool == LENS:
        return list_lens(state, seat, slot, pool, cells, out, n, limit)
    if tool == HAMMER_CARD:
        if pool != 0 and later_turn(state) < 0:
            out[n] = coded(slot, 0, 0, 0, 0)
            n += 1
        return n
    return list_flux(state, tool, slot, pool, out, n, limit)


@kernel
def list_drafts(state, seat, kind, pool, cells, turned, out, n, limit):
    """Place a die of the pool on one of `cells`, cell by cell; `turned`: with its opposite face up (Grinding Stone).

    Where each die fits is kept behind the list, in the places of `out` from LONGEST on.
    """
    room = LONGEST
    reach = 0
    left, i = pool, room
    while left:
        die = lowest_bit(left)
        left &= left - 1
        if turned != 0:
            die = board.opposite(die)
        targets = board.fits(state, seat, cells, die // board.N_VALUES, die % board.N_VALUES)
        out[i] = targets
        i += 1
        reach |= targets
    while reach:
        cell = lowest_bit(reach)
        reach &= reach - 1
        left, i = pool, room
        while left:
            if (out[i] >> cell) & 1:
                if n >= limit:
                    return n
                out[n] = coded(kind, cell, lowest_bit(left), 0, 0)
                n += 1
            left &= left - 1
            i += 1
    return n


@kernel
def list_grozing(state, seat, slot, pool, cells, out, n, limit):
    """Grozing Pliers: die, then down (0) or up (1), then the cell; a 1 does not go down, a 6 not up."""
    while pool:
        die = lowest_bit(pool)
        pool &= pool - 1
        for up in range(2):
            value = die % board.N_VALUES + 2 * up - 1
            if value < 0 or value >= board.N_VALUES:
                continue
            targets = board.fits(state, seat, cells, die // board.N_VALUES, value)
            while targets:
                if n >= limit:
                    return n
                out[n] = coded(slot, die, up, lowest_bit(targets), 0)
                n += 1
                targets &= targets - 1
    return n


@kernel
def list_lens(state, seat, slot, pool, cells, out, n, limit):
    """Lens Cutter: a die of the pool, the die of the track that is placed instead of it, the cell."""
    while pool:
        die = lowest_bit(pool)
        pool &= pool - 1
        track = state.track_kinds
        while track:
            other = lowest_bit(track)
            track &= track - 1
            targets = board.fits(state, seat, cells, other // board.N_VALUES, other % board.N_VALUES)
            while targets:
                if n >= limit:
                    return n
                out[n] = coded(slot, die, other, lowest_bit(targets), 0)
                n += 1
                targets &= targets - 1
    return n


@kernel
def list_flux(state, tool, slot, pool, out, n, limit):
    """Flux Brush and Flux Remover: any die of the pool; what comes of it is seen afterwards."""
    if tool == REMOVER and state.is_thesis != 0:
        in_bag = 0
        for colour in range(5):
            in_bag += state.bag[colour]
        if in_bag == 0:
            return n
    while pool and n < limit:
        out[n] = coded(slot, lowest_bit(pool), 0, 0, 0)
        n += 1
        pool &= pool - 1
    return n


@kernel
def list_running(state, seat, slot, pool, out, n):
    """Running Pliers. Thesis: draws the second turn to this one, unless it follows anyway. Standard: see RULING 6."""
    later = later_turn(state)
    may = later > state.turn + 1 if state.is_thesis != 0 else later >= 0 and can_place(state, seat, pool)
    if may:
        out[n] = coded(slot, 0, 0, 0, 0)
        n += 1
    return n


@kernel
def can_place(state, seat, pool):
    """Whether a die of the pool can be placed."""
    cells = board.open_cells(state.occ[seat])
    while pool:
        die = lowest_bit(pool)
        pool &= pool - 1
        if board.fits(state, seat, cells, die // board.N_VALUES, die % board.N_VALUES) != 0:
            return True
    return False


@kernel
def list_single_moves(state, seat, tool, slot, out, n, limit):
    """Eglomise Brush and Copper Foil Burnisher: one die, from and to; one kind of print is ignored."""
    window = state.window[seat]
    occupied = state.occ[seat]
    left = occupied
    while left:
        bit = left & -left
        left &= left - 1
        origin = lowest_bit(bit)
        die = board.die_at(state, seat, origin)
        colour, value = die // board.N_VALUES, die % board.N_VALUES
        alike = (state.col[seat, colour] | state.val[seat, value]) & ~bit
        targets = board.open_cells(occupied ^ bit) & ~bit & ~board.beside(alike)
        targets &= board.TAKES_VALUE[window, value] if tool == EGLOMISE else board.TAKES_COLOUR[window, colour]
        while targets:
            if n >= limit:
                return n
            out[n] = coded(slot, origin, lowest_bit(targets), 0, 0)
            n += 1
            targets &= targets - 1
    return n


@kernel
def list_pairs(state, seat, tool, slot, out, n, limit):
    """Lathekin and Tap Wheel: two dice one after the other, each legal when it is moved; the wheel also one alone.

    By the thesis's rules each move must also be legal alone in the window as it was.
    """
    occupied = state.occ[seat]
    strict = state.is_thesis != 0
    track = state.track_kinds
    if popcount(occupied) < 2 and tool == LATHEKIN:
        return n
    if track == 0 and tool == TAP_WHEEL:
        return n
    alone = np.zeros(board.N_CELLS, np.int64)  # where each die could go if it moved alone
    dice = np.empty(board.N_CELLS, np.int64)
    movable = 0
    left = occupied
    while left:
        bit = left & -left
        left &= left - 1
        cell = lowest_bit(bit)
        die = board.die_at(state, seat, cell)
        dice[cell] = die
        if tool == TAP_WHEEL and (track >> (die // board.N_VALUES * board.N_VALUES)) & 63 == 0:
            continue
        alone[cell] = targets_of(state, seat, die, bit, occupied, 0, -1)
        movable |= bit
    firsts = movable
    while firsts:
        first_bit = firsts & -firsts
        firsts &= firsts - 1
        first = lowest_bit(first_bit)
        targets = alone[first]
        while targets:
            target_bit = targets & -targets
            targets &= targets - 1
            target = lowest_bit(target_bit)
            if tool == TAP_WHEEL:
                if n >= limit:
                    return n
                out[n] = coded(slot, first, target, 0, 0)
                n += 1
            flip = first_bit | target_bit
            seconds = movable & ~first_bit
            while seconds:
                second_bit = seconds & -seconds
                seconds &= seconds - 1
                second = lowest_bit(second_bit)
                if tool == TAP_WHEEL and dice[second] // board.N_VALUES != dice[first] // board.N_VALUES:
                    continue
                if strict and alone[second] & ~target_bit == 0:
                    continue
                ends = targets_of(state, seat, dice[second], second_bit, occupied ^ flip, flip, dice[first])
                if strict:
                    ends &= alone[second]
                while ends:
                    if n >= limit:
                        return n
                    out[n] = coded(slot, first, target, second, lowest_bit(ends))
                    n += 1
                    ends &= ends - 1
    return n


@kernel
def targets_of(state, seat, die, bit, occupied, flip, moved):
    """Where the die on `bit` may go in a window `occupied`; the die `moved` has changed the cells of `flip`."""
    colour, value = die // board.N_VALUES, die % board.N_VALUES
    window = state.window[seat]
    alike = state.col[seat, colour]
    if moved // board.N_VALUES == colour:
        alike ^= flip
    same = state.val[seat, value]
    if moved >= 0 and moved % board.N_VALUES == value:
        same ^= flip
    taken = board.beside((alike | same) & ~bit)
    return (
        board.open_cells(occupied ^ bit)
        & ~bit
        & ~taken
        & board.TAKES_COLOUR[window, colour]
        & board.TAKES_VALUE[window, value]
    )


# --- what a move does, for those who look at it without playing it


@kernel
def placed_die(state, action):
    """The die that a move places on a cell, and the cell; -1 where it places none from the pool."""
    kind = action >> KIND_BITS
    a, b, c = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31
    none = -1
    if kind == PLACE:
        return b, a
    if kind >= RETURN or (state.seats == 1 and state.phase == TURN):
        return none, none
    tool = state.tools[kind]
    if tool == GROZING:
        return a + 2 * b - 1, c
    if tool == GRINDING:
        return board.opposite(b), a
    if tool == LENS:
        return b, c
    if tool == STRAIGHTEDGE:
        return b, a
    return none, none


@kernel
def is_relocation(state, action):
    """Whether a move moves dice in the window."""
    kind = action >> KIND_BITS
    if kind >= PLACE or (state.seats == 1 and state.phase == TURN):
        return False
    tool = state.tools[kind]
    return tool in (EGLOMISE, COPPER, LATHEKIN, TAP_WHEEL)
