"""The duel: what is worth knowing beyond the rules.

`random-course` is the course's baseline: any entry of a move list with repeats. `paper` is the bias of the
course report by Daccache and Rampurkar, which names its terms and prints no number: those are ours, and
docs/games/saboteur-duel.md lists them. `builder` is ours: a policy that drives the tunnel towards an objective
that may hold the nugget, looks at maps, hinders the rival when the last gap is small, and throws away what helps
least. `digger` is ours too, a beginner who digs on without an eye for the end: the weaker levels are builders who play
like it in a share of their moves. A policy reads only what the seat to move may know.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.bits import lowest_bit
from meeple.core.chance import draw
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.core.multisets import held
from meeple.core.parameters import Parameters
from meeple.core.scored import keep_from, outdoes
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.board import has_cell
from meeple.games.saboteur_duel.rules import known_objectives, legal_actions
from meeple.games.tunnels import CENTRE, UPRIGHT

FAR = 99


@kernel
def distance(one, other):
    """Steps between two cells, along rows and columns."""
    return abs((one >> 4) - (other >> 4)) + abs((one & 15) - (other & 15))


@kernel
def kind_of(action):
    """The card that an action plays or drops."""
    if action < layout.DESTROY:
        return (action % layout.SLOTS) // 3
    if action < layout.MAP:
        return layout.DESTROY_CARD
    if action < layout.BONUS:
        return layout.MAP_CARD
    if action < layout.DROP:
        return layout.BONUS_CARD if action == layout.BONUS else layout.MALUS_CARD
    return action - layout.DROP


# --- the course's random player -------------------------------------------------------------------------


@kernel
def course_weight(state, action):
    """How often the course's list has this move: once a card, a tile once a card and occupied neighbour."""
    times = held(state.hand[state.seat], kind_of(action), layout.FIELDS)
    if action >= layout.DESTROY:
        return times
    neighbours = 0
    for side in range(4):
        neighbours += np.int64(state.cell[(action >> 6) + layout.STEP[side]] < 0)
    return times * neighbours


@kernel
def course_policy(state, rng, out):
    """Any entry of the course's list, each as likely as another."""
    n = legal_actions(state, out)
    total = 0
    for i in range(n):
        total += course_weight(state, out[i])
    k = draw(rng, total)
    for i in range(n):
        k -= course_weight(state, out[i])
        if k < 0:
            return out[i]
    return out[0]


# --- the paper's bias -----------------------------------------------------------------------------------

VERSATILE, PLAIN, DEAD_END = 1, 2, 3  # the paper's classes of tiles, the first the best


class Paper(NamedTuple):
    """What the terms of the paper's bias count."""

    floor: float = 0.05  # of every move, so that none is worth nothing
    bonus: float = 1.0
    look: float = 0.5  # at a map, while the nugget is not known
    malus: float = 0.6  # times the share of the deck that is drawn: late is better
    destroy: float = 0.5  # of a dead end
    priority: NDArray[np.float64] = np.array([0.0, 1.0, 2.0 / 3.0, 1.0 / 3.0])  # by class of tiles


PAPER = Parameters(Paper(), within=(0.0, 1.0))
TILE_CLASS = np.array(
    [
        DEAD_END
        if not shape & CENTRE or (shape & 15).bit_count() < 2
        else VERSATILE
        if (shape & 15).bit_count() > 2
        else PLAIN
        for shape in UPRIGHT
    ],
    dtype=np.int64,
)
IS_DEAD_END = np.array(
    [not shape & CENTRE or (shape & 15).bit_count() < 2 for shape in range(32)], dtype=np.bool_
)  # by shape
NORTH_ROW, SOUTH_ROW = layout.ENTRANCE >> 4, 13  # the rectangle of entrance and objectives
WEST_COLUMN, EAST_COLUMN = 3, 7


@kernel
def paper_target(state):
    """Where the paper builds to: the nugget if the mover knows it, else the middle objective."""
    known = known_objectives(state, state.seat)
    is_known = (known >> state.nugget) & 1
    return layout.OBJECTIVES[state.nugget] if is_known else layout.OBJECTIVES[1]


@kernel
def leads_inside(cell, shape):
    """Whether an open side leads to a cell of the rectangle that entrance and objectives span."""
    for side in range(4):
        if (shape >> side) & 1:
            other = cell + layout.STEP[side]
            row, column = other >> 4, other & 15
            if NORTH_ROW <= row <= SOUTH_ROW and WEST_COLUMN <= column <= EAST_COLUMN:
                return True
    return False


@kernel
def paper_bias(state, action, weights):
    """The paper's heuristic score, between 0 and 1."""
    if action < layout.DESTROY:
        cell = action >> 6
        if not leads_inside(cell, layout.SHAPE[action & 63]):
            return weights.floor
        gap = max(1, distance(cell, paper_target(state)))
        return max(weights.floor, weights.priority[TILE_CLASS[(action & 63) // 3]] / gap)
    if action < layout.MAP:
        shape = -1 - state.cell[action - layout.DESTROY]
        return weights.destroy if IS_DEAD_END[shape] else 0.0
    if action < layout.BONUS:
        known = known_objectives(state, state.seat)
        return weights.floor if (known >> state.nugget) & 1 else weights.look
    if action == layout.BONUS:
        return weights.bonus
    if action == layout.MALUS:
        return max(weights.floor, weights.malus * (1.0 - state.left / 41.0))
    return weights.floor


@kernel
def paper_policy(state, rng, out, weights):
    """The move of the highest score, any of equals: the paper's idea of a smarter playout."""
    n = legal_actions(state, out)
    best, most, equal = out[0], -np.inf, 0
    for i in range(n):
        score = paper_bias(state, out[i], weights)
        is_better, equal = outdoes(score, most, equal, rng)
        if is_better:
            best, most = out[i], score
    return best


# --- the path builder -----------------------------------------------------------------------------------

# What a card in the hand is worth keeping, 0 to 9: a tile by how many sides it joins.
KEEP = np.array(
    [
        *(0 if IS_DEAD_END[shape] else 2 * (shape & 15).bit_count() for shape in UPRIGHT),
        3,  # Map, while the nugget is not known
        3,  # Bonus
        7,  # Destroy
        7,  # Malus
    ],
    dtype=np.int64,
)
assert len(KEEP) == layout.N_KINDS


class Builder(NamedTuple):
    """How much the builder likes each kind of move."""

    keep: NDArray[np.int64] = KEEP
    loose: int = 5  # a tile that the tunnel does not lead to
    block: int = 70  # a dead end where the rival could finish
    offer: int = 30  # to leave the last gap to a rival who can build
    build: int = 60  # to go on, and `nearer` for each step that it brings
    nearer: int = 3
    cut: int = 75  # to destroy the last tile before the rival finishes
    undercut: int = 10  # to destroy the tunnel's end where it is near, but not the last tile or the rival is stopped
    clear: int = 40  # to destroy a dead end in the way
    look: int = 65  # at an objective not known
    mend: int = 90
    hinder: int = 80  # the rival, near the end
    drop: int = 35  # less `thrift` for each point that the card is worth keeping
    thrift: int = 3
    near_end: int = 2  # cards missing, at most, where the end is near


BUILDER = Parameters(Builder(), within=(-900, 900))
USUAL = BUILDER.constant  # for the filter, which goes by it whatever a file says


@kernel
def wanted_objectives(state, seat):
    """Bits of the objectives that may hold the nugget, as far as `seat` knows."""
    known = known_objectives(state, seat)
    if (known >> state.nugget) & 1:
        return 1 << state.nugget
    return 7 & ~known


@kernel
def gap_to(cell, wanted):
    """Steps from a cell to the nearest objective that is wanted; 0 where the cell is one."""
    least = FAR
    for k in range(layout.N_OBJECTIVES):
        if (wanted >> k) & 1:
            least = min(least, distance(cell, layout.OBJECTIVES[k]))
    return least


@kernel
def is_live(state, cell):
    """Whether a tunnel from the entrance leads into this empty cell."""
    for side in range(4):
        other = cell + layout.STEP[side]
        if has_cell(state.reached, other) and ((-1 - state.cell[other]) >> ((side + 2) & 3)) & 1:
            return True
    return False


@kernel
def tunnel_gap(state, wanted):
    """Cards that are missing, at the least, between the tunnel and the nearest objective that is wanted."""
    least = FAR
    for word in range(4):
        cells = state.frontier[word]
        while cells:
            cell = word * 64 + lowest_bit(cells)
            cells &= cells - 1
            gap = gap_to(cell, wanted)
            if gap < least and is_live(state, cell):
                least = gap
    return least


@kernel
def gap_after(state, cell, shape, wanted):
    """The gap that the open ends of a tile leave; FAR where it leads nowhere, 0 where it reaches an objective."""
    least = FAR
    if shape & CENTRE == 0:
        return least
    for side in range(4):
        if (shape >> side) & 1:
            other = cell + layout.STEP[side]
            gap = gap_to(other, wanted)
            if gap == 0 or (state.cell[other] >= 0 and (other & 15) < 14 and 0 < other >> 4 < 15):
                least = min(least, gap)
    return least


@kernel
def builder_score(state, action, gap, wanted, weights):
    """How much the builder likes a move, where the tunnel is `gap` cards short of what it wants."""
    seat = state.seat
    is_rival_free = state.malus[1 - seat] == 0
    is_sure = wanted & (wanted - 1) == 0
    if action < layout.DESTROY:
        cell = action >> 6
        shape = layout.SHAPE[action & 63]
        if not is_live(state, cell):
            return weights.loose
        left = gap_after(state, cell, shape, wanted)
        if left == 0:
            return 1000
        if left == FAR:  # a dead end: worth it where the rival could finish
            return weights.block if gap == 1 and gap_to(cell, wanted) == 1 and is_rival_free else 0
        if left == 1 and is_rival_free:
            return weights.offer
        return weights.build + weights.nearer * (gap - left) - weights.keep[(action & 63) // 3] // 3
    if action < layout.MAP:
        cell = action - layout.DESTROY
        shape = -1 - state.cell[cell]
        if gap <= weights.near_end and has_cell(state.reached, cell) and gap_after(state, cell, shape, wanted) == gap:
            return weights.cut if gap == 1 and is_rival_free else weights.undercut
        is_in_the_way = IS_DEAD_END[shape] and gap > weights.near_end and gap_to(cell, wanted) <= gap
        return weights.clear if is_in_the_way else 2
    if action < layout.BONUS:
        is_new = (known_objectives(state, seat) >> (action - layout.MAP)) & 1 == 0
        return np.int64(weights.look) if is_new and not is_sure else 1
    if action == layout.BONUS:
        return weights.mend
    if action == layout.MALUS:
        return np.int64(weights.hinder) if gap <= weights.near_end and is_rival_free else 3
    kind = action - layout.DROP
    keep = 0 if kind == layout.MAP_CARD and is_sure else weights.keep[kind]
    return weights.drop - weights.thrift * keep


@kernel
def score_as_builder(state, actions, scores, weights):
    """Write how much the builder likes each of these moves."""
    wanted = wanted_objectives(state, state.seat)
    gap = tunnel_gap(state, wanted)
    for i in range(len(scores)):
        scores[i] = builder_score(state, actions[i], gap, wanted, weights)


@kernel
def builder_policy(state, rng, out, weights):
    """The move that the builder likes best, any of equals."""
    n = legal_actions(state, out)
    wanted = wanted_objectives(state, state.seat)
    gap = tunnel_gap(state, wanted)
    best, most, equal = out[0], -(1 << 40), 0
    for i in range(n):
        score = builder_score(state, out[i], gap, wanted, weights)
        is_better, equal = outdoes(score, most, equal, rng)
        if is_better:
            best, most = out[i], score
    return best


@kernel
def builder_bias(state, action, weights):
    """The builder's liking, between 0 and 1."""
    wanted = wanted_objectives(state, state.seat)
    score = builder_score(state, action, tunnel_gap(state, wanted), wanted, weights)
    return min(1.0, max(0.0, score / 100.0))


# --- the digger -----------------------------------------------------------------------------------------


@kernel
def digger_score(state, action, gap, wanted):
    """2 for mending one's tools, 1 for a tile that brings the tunnel nearer to an objective but not into it, else 0."""
    if action == layout.BONUS:
        return 2
    if action >= layout.DESTROY or not is_live(state, action >> 6):
        return 0
    return np.int64(0 < gap_after(state, action >> 6, layout.SHAPE[action & 63], wanted) < gap)


@kernel
def digger_policy(state, rng, out):
    """A beginner's: any tile that brings the tunnel nearer, whoever may finish it; where there is none, any move."""
    n = legal_actions(state, out)
    wanted = wanted_objectives(state, state.seat)
    gap = tunnel_gap(state, wanted)
    best, most, equal = out[0], -1, 0
    for i in range(n):
        score = digger_score(state, out[i], gap, wanted)
        is_better, equal = outdoes(score, most, equal, rng)
        if is_better:
            best, most = out[i], score
    return best


PROMISE = 30  # how far below the best move, in the builder's liking, a move is still worth a look


@kernel
def keep_promising(state, actions, n):
    """Keep the moves that the builder likes nearly as much as its best; only wins where there are any."""
    scores = np.empty(n, np.int64)
    score_as_builder(state, actions, scores, USUAL[0])
    return keep_from(actions, scores, scores.max() - PROMISE)


PLAYOUTS = {
    "builder": Heuristic(builder_policy, "drive the tunnel on, hinder the rival at the last gap", parameters=BUILDER),
    "digger": Heuristic(digger_policy, "any tile that brings the tunnel nearer, but not the last one; else any move"),
    "random-course": Heuristic(course_policy, "any entry of the course's move list, repeats and all"),
    "paper": Heuristic(paper_policy, "the highest of the report's heuristic scores", parameters=PAPER),
}
BIASES = {
    "paper": Heuristic(paper_bias, "the report's heuristic score", 0.0, 1.0, parameters=PAPER),
    "builder": Heuristic(builder_bias, "how much the path builder likes a move", 0.0, 1.0, parameters=BUILDER),
}
FILTERS = {"builder": Heuristic(keep_promising, "moves that the path builder likes nearly as much as its best")}
