"""Saboteur: what is worth knowing beyond the rules.

`plain` plays its role openly: a miner drives the tunnel towards a goal that may be the treasure, mends tools and looks
at maps; a saboteur breaks tools, blocks the tunnel and digs it up near the goals. `loyal` plays as a miner whatever its
role. A policy reads only what the seat to move may know.
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.games.saboteur.rules import (
    BREAK,
    CHOOSE,
    MAP,
    MAP_CARD,
    PASS,
    REPAIR,
    ROCKFALL,
    SHAPE,
    SIDE,
    TREASURE,
    beside,
    is_reached,
    is_saboteur,
    known_goals,
    legal_actions,
    shape_at,
)
from meeple.games.tunnels import CENTRE, UPRIGHT

FAR = 99
IS_DEAD_END = np.array([not shape & CENTRE or (shape & 15).bit_count() < 2 for shape in range(32)], dtype=np.bool_)
# What a card is worth keeping, 0 to 9, to a miner and to a saboteur.
TUNNEL_WORTH = np.array(
    [0 if IS_DEAD_END[shape] else 2 * (shape & 15).bit_count() for shape in UPRIGHT], dtype=np.int64
)
MINER_KEEPS = np.array([*TUNNEL_WORTH, 1, 1, 1, 5, 5, 5, 6, 6, 6, 3, 4], dtype=np.int64)
SABOTEUR_KEEPS = np.array([*(6 - 6 * np.sign(TUNNEL_WORTH)), 8, 8, 8, 2, 2, 2, 2, 2, 2, 9, 3], dtype=np.int64)
assert len(MINER_KEEPS) == len(SABOTEUR_KEEPS) == MAP_CARD + 1


@kernel
def signed(place):
    """A row or column of the torus, counted from the start; enough for distances near the goals."""
    return place - SIDE if place >= SIDE - 12 else place


@kernel
def gap_to(cell, wanted):
    """Steps from a cell to the nearest goal that is wanted; 0 where the cell is one."""
    least = np.int64(FAR)
    x, y = signed(cell & (SIDE - 1)), signed(cell >> 5)
    for k in range(3):
        if (wanted >> k) & 1:
            least = min(least, abs(x - 8) + abs(y - (2 * k - 2)))
    return least


@kernel
def wanted_goals(state, seat):
    """Bits of the goals that may be the treasure, as far as `seat` knows."""
    known = known_goals(state, seat)
    for k in range(3):
        if (known >> k) & 1 and state.goal[k] == TREASURE:
            return np.int64(1) << k
    return 7 & ~known


@kernel
def gap_after(state, cell, shape, wanted):
    """The gap that the open ends of a card leave; FAR where it leads nowhere."""
    least = np.int64(FAR)
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
def tunnel_gap(state, actions, n, wanted):
    """The least gap that any tunnel on offer could leave."""
    least = np.int64(FAR)
    for i in range(n):
        if actions[i] < ROCKFALL:
            least = min(least, gap_to(actions[i] >> 6, wanted))
    return least


@kernel
def miner_score(state, action, gap, wanted):
    """How much a loyal miner likes a move; `gap` is that of the nearest cell it could build in."""
    seat = np.int64(state.seat)
    if action < ROCKFALL:
        left = gap_after(state, action >> 6, SHAPE[action & 63], wanted)
        if left == 0:
            return np.int64(1000)
        return np.int64(60) + 3 * (gap - left) if left < FAR else np.int64(0)
    if action < MAP:
        shape = shape_at(state, action - ROCKFALL)
        is_in_the_way = IS_DEAD_END[shape] and gap_to(action - ROCKFALL, wanted) <= gap
        return np.int64(50) if is_in_the_way else np.int64(1)
    if action < BREAK:
        is_new = (known_goals(state, seat) >> (action - MAP)) & 1 == 0
        is_sure = wanted & (wanted - 1) == 0
        return np.int64(65) if is_new and not is_sure else np.int64(1)
    if action < REPAIR:
        return np.int64(5)
    if action < PASS:
        is_own = (action - REPAIR) % 10 == seat
        return np.int64(90) if is_own else np.int64(40)
    return np.int64(35) - 3 * MINER_KEEPS[action - PASS]


@kernel
def saboteur_score(state, action, gap, wanted):
    """How much an open saboteur likes a move."""
    seat = np.int64(state.seat)
    if action < ROCKFALL:
        cell = action >> 6
        left = gap_after(state, cell, SHAPE[action & 63], wanted)
        near = max(np.int64(0), 12 - gap_to(cell, wanted))
        if left == FAR:
            return np.int64(50) + near  # a dead end, best where the tunnel is long
        return np.int64(20) + 2 * (left - gap) if left > gap else np.int64(0)
    if action < MAP:
        cell = action - ROCKFALL
        is_way = is_reached(state, cell) and not IS_DEAD_END[shape_at(state, cell)]
        return np.int64(45) + max(np.int64(0), 14 - gap_to(cell, wanted)) if is_way else np.int64(0)
    if action < BREAK:
        return np.int64(30) if (known_goals(state, seat) >> (action - MAP)) & 1 == 0 else np.int64(1)
    if action < REPAIR:
        return np.int64(55) + 5 * np.int64(state.broken[(action - BREAK) % 10] == 0)
    if action < PASS:
        return np.int64(70) if (action - REPAIR) % 10 == seat else np.int64(0)
    return np.int64(35) - 3 * SABOTEUR_KEEPS[action - PASS]


@kernel
def score_for(state, action, gap, wanted, as_saboteur):
    """How much a role likes a move."""
    if as_saboteur:
        return saboteur_score(state, action, gap, wanted)
    return miner_score(state, action, gap, wanted)


@kernel
def best_for(state, rng, out, as_saboteur):
    """The move that a role likes best, any of equals."""
    n = legal_actions(state, out)
    if state.phase == CHOOSE:
        return out[n - 1]  # the most gold
    wanted = wanted_goals(state, np.int64(state.seat))
    gap = tunnel_gap(state, out, n, wanted)
    best = out[0]
    most = np.int64(-1000)
    equal = np.int64(0)
    for i in range(n):
        value = score_for(state, out[i], gap, wanted, as_saboteur)
        if value > most:
            best, most, equal = out[i], value, np.int64(1)
        elif value == most:
            equal += 1
            if draw(rng, equal) == 0:
                best = out[i]
    return best


@kernel
def plain_policy(state, rng, out):
    """By its own role."""
    return best_for(state, rng, out, is_saboteur(state, np.int64(state.seat)))


@kernel
def loyal_policy(state, rng, out):
    """As a miner, whatever its role."""
    return best_for(state, rng, out, False)


PLAYOUTS = {
    "plain": Heuristic(plain_policy, "plays its role openly: miners build, saboteurs hinder"),
    "loyal": Heuristic(loyal_policy, "plays as a miner, whatever its role"),
}
PRESETS = {
    "plain": ("policy:name=plain", "an open miner or an open saboteur, by its role"),
    "loyal": ("policy:name=loyal", "a miner whatever its role"),
}
OPPONENT = "plain"
LEVELS = (
    "ismcts:iterations=10,playout=plain",
    "ismcts:iterations=30,playout=plain",
    "ismcts:iterations=100,playout=plain",
    "loyal",
    "plain",
)  # by name on the page, the weakest first; docs/levels.md has the measurements
