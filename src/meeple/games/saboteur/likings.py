"""Saboteur: how much each kind of player likes a move.

A loyal miner drives the tunnel towards a goal that may be the treasure, mends tools and looks at maps; an open saboteur
breaks tools, blocks the tunnel and digs it up near the goals. Both read only what the seat to move may know. The
`informed` liking takes the roles of the world as known: whom to hinder and whom to help. Numbers are points, about 0
to 100 and 1000 for the treasure; docs/games/saboteur.md lists them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.bits import lowest_bit
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import beside, is_reached, shape_at
from meeple.games.saboteur.rounds import is_saboteur
from meeple.games.saboteur.secrets import known_goals
from meeple.games.tunnels import CENTRE, UPRIGHT

FAR = 99
IS_DEAD_END = np.array([not shape & CENTRE or (shape & 15).bit_count() < 2 for shape in range(32)], dtype=np.bool_)
TUNNEL_WORTH = np.array(
    [0 if IS_DEAD_END[shape] else 2 * (shape & 15).bit_count() for shape in UPRIGHT], dtype=np.int64
)


class Likings(NamedTuple):
    """What either role likes in a move, what cards are worth keeping to it (0 to 9), and tools where roles are known.

    The treasure's 1000 is none of them, since a miner who can reach it does; nor are the 0, 1 and 2 of idle moves.
    """

    miner_keeps: NDArray[np.int64] = np.array([*TUNNEL_WORTH, 1, 1, 1, 5, 5, 5, 6, 6, 6, 3, 4], dtype=np.int64)
    saboteur_keeps: NDArray[np.int64] = np.array(
        [*(6 - 6 * np.sign(TUNNEL_WORTH)), 8, 8, 8, 2, 2, 2, 2, 2, 2, 9, 3], dtype=np.int64
    )
    # A loyal miner.
    miner_build: int = 60  # a tunnel, and `miner_nearer` for each step that it brings
    miner_nearer: int = 3
    miner_clear: int = 50  # rockfall on a dead end in the way
    miner_look: int = 65  # at a goal not known, while the treasure is not
    miner_break: int = 5
    miner_mend: int = 90  # one's own tool
    miner_help: int = 40  # another's
    miner_pass: int = 35  # less `miner_thrift` for each point that the card is worth keeping
    miner_thrift: int = 3
    # An open saboteur.
    saboteur_block: int = 50  # a dead end, and a point for each step that it lies nearer a goal than `block_within`
    block_within: int = 12
    saboteur_stray: int = 20  # a tunnel that leads away, and `saboteur_away` for each step
    saboteur_away: int = 2
    saboteur_dig: int = 45  # rockfall on the tunnel, and a point for each step nearer a goal than `dig_within`
    dig_within: int = 14
    saboteur_look: int = 30
    saboteur_break: int = 55  # and `saboteur_stop` where the seat could build
    saboteur_stop: int = 5
    saboteur_mend: int = 70
    saboteur_pass: int = 35  # less `saboteur_thrift` for each point that the card is worth keeping
    saboteur_thrift: int = 3
    # Who knows the others' roles.
    against: int = -40  # to hinder a friend or help a foe
    break_saboteur: int = 72  # a miner who knows whom it hits
    break_again: int = 36  # one who cannot build anyhow
    help_miner: int = 70
    help_saboteur: int = 40


LIKINGS = Parameters(Likings(), within=(-900, 900))
USUAL = LIKINGS.constant  # for the filter and the inference, which go by them whatever a file says
assert len(Likings().miner_keeps) == len(Likings().saboteur_keeps) == layout.MAP_CARD + 1


@kernel
def signed(place):
    """A row or column of the torus, counted from the start; enough for distances near the goals."""
    return place - layout.SIDE if place >= layout.SIDE - 12 else place


@kernel
def gap_to(cell, wanted):
    """Steps from a cell to the nearest goal that is wanted; 0 where the cell is one."""
    least = FAR
    x, y = signed(cell & (layout.SIDE - 1)), signed(cell >> 5)
    for k in range(3):
        if (wanted >> k) & 1:
            least = min(least, abs(x - 8) + abs(y - (2 * k - 2)))
    return least


@kernel
def wanted_goals(state, seat):
    """Bits of the goals that may be the treasure, as far as `seat` knows."""
    known = known_goals(state, seat)
    for k in range(3):
        if (known >> k) & 1 and state.goal[k] == layout.TREASURE:
            return 1 << k
    return 7 & ~known


@kernel
def gap_after(state, cell, shape, wanted):
    """The gap that the open ends of a card leave; FAR where it leads nowhere."""
    least = FAR
    if shape & CENTRE == 0:
        return least
    for side in range(4):
        if (shape >> side) & 1:
            other = beside(cell, side)
            gap = gap_to(other, wanted)
            if gap == 0 or state.cell[other] >= 0:
                least = min(least, gap)
    return least


@kernel
def tunnel_gap(state, wanted):
    """Cards that are missing, at the least, between the tunnel and the nearest goal that is wanted."""
    least = FAR
    for y in range(layout.SIDE):
        cells = state.frontier[y]
        while cells:
            least = min(least, gap_to(y * layout.SIDE + lowest_bit(cells), wanted))
            cells &= cells - 1
    return least


@kernel
def miner_liking(state, action, gap, wanted, weights):
    """How much a loyal miner likes a move; `gap` is that of the nearest cell it could build in."""
    seat = state.seat
    if action < layout.ROCKFALL:
        left = gap_after(state, action >> 6, layout.SHAPE[action & 63], wanted)
        if left == 0:
            return 1000
        return weights.miner_build + weights.miner_nearer * (gap - left) if left < FAR else 0
    if action < layout.MAP:
        shape = shape_at(state, action - layout.ROCKFALL)
        is_in_the_way = IS_DEAD_END[shape] and gap_to(action - layout.ROCKFALL, wanted) <= gap
        return np.int64(weights.miner_clear) if is_in_the_way else 1
    if action < layout.BREAK:
        is_new = (known_goals(state, seat) >> (action - layout.MAP)) & 1 == 0
        is_sure = wanted & (wanted - 1) == 0
        return np.int64(weights.miner_look) if is_new and not is_sure else 1
    if action < layout.REPAIR:
        return weights.miner_break
    if action < layout.PASS:
        is_own = (action - layout.REPAIR) % 10 == seat
        return weights.miner_mend if is_own else weights.miner_help
    return weights.miner_pass - weights.miner_thrift * weights.miner_keeps[action - layout.PASS]


@kernel
def saboteur_liking(state, action, gap, wanted, weights):
    """How much an open saboteur likes a move."""
    seat = state.seat
    if action < layout.ROCKFALL:
        cell = action >> 6
        left = gap_after(state, cell, layout.SHAPE[action & 63], wanted)
        near = max(0, weights.block_within - gap_to(cell, wanted))
        if left == FAR:
            return weights.saboteur_block + near  # a dead end, best where the tunnel is long
        return weights.saboteur_stray + weights.saboteur_away * (left - gap) if left > gap else 0
    if action < layout.MAP:
        cell = action - layout.ROCKFALL
        is_way = is_reached(state, cell) and not IS_DEAD_END[shape_at(state, cell)]
        if not is_way:
            return 0
        return weights.saboteur_dig + max(0, weights.dig_within - gap_to(cell, wanted))
    if action < layout.BREAK:
        is_new = (known_goals(state, seat) >> (action - layout.MAP)) & 1 == 0
        return np.int64(weights.saboteur_look) if is_new else 1
    if action < layout.REPAIR:
        is_free = state.broken[(action - layout.BREAK) % 10] == 0
        return weights.saboteur_break + weights.saboteur_stop * np.int64(is_free)
    if action < layout.PASS:
        return np.int64(weights.saboteur_mend) if (action - layout.REPAIR) % 10 == seat else 0
    return weights.saboteur_pass - weights.saboteur_thrift * weights.saboteur_keeps[action - layout.PASS]


@kernel
def role_liking(state, action, gap, wanted, as_saboteur, weights):
    """How much a role likes a move."""
    if as_saboteur:
        return saboteur_liking(state, action, gap, wanted, weights)
    return miner_liking(state, action, gap, wanted, weights)


@kernel
def informed_liking(state, action, gap, wanted, weights):
    """How much the seat to move likes a move by its role, if the others' roles are those of this world."""
    seat = state.seat
    as_saboteur = is_saboteur(state, seat)
    is_aimed = layout.BREAK <= action < layout.PASS
    other = (action - layout.BREAK) % layout.MOST  # all codes of tools count seats in tens from BREAK on
    if not is_aimed or other == seat:
        return role_liking(state, action, gap, wanted, as_saboteur, weights)
    is_friend = is_saboteur(state, other) == as_saboteur
    if action < layout.REPAIR:
        if is_friend:
            return weights.against
        if as_saboteur:
            return saboteur_liking(state, action, gap, wanted, weights)
        return weights.break_saboteur if state.broken[other] == 0 else weights.break_again
    if not is_friend:
        return weights.against
    return weights.help_saboteur if as_saboteur else weights.help_miner
