"""Azul: what is worth knowing beyond the rules.

`paper` is the evaluation of the Charles University thesis (section 4.1.2), `paper` among the orderings its order of
moves (4.1.4), `strategy` and `strategy2` among the policies its hand-made strategy (4.3) and the improvements it names
(4.4.1). How each was read is on the game's page. `outlook` is ours: it tiles the walls with what is full, and asks of
every free cell how likely it is still to be filled, what it would score, and which columns and colours it completes.

On a grey wall the thesis's agents and ours count a line's tile at the best cell that it may go to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core import multisets
from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.hashing import blend
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.games.azul import layout
from meeple.games.azul.rules import legal_actions
from meeple.games.azul.wall import bonus, full_rows, row_colours, tile_points

# --- the thesis


class Paper(NamedTuple):
    """The thesis's numbers."""

    starter: float = 0.5  # points that the marker is worth
    scale: float = 1.0 / 250.0  # brings a lead in points into (-1, 1)


@kernel
def paper_value(state, seat, weights):
    """The thesis's points of a seat, less those of its best rival."""
    is_last = may_be_last(state)
    best = -np.inf  # below any value, whatever the weights
    for other in range(state.seats):
        if other != seat:
            best = max(best, paper_side(state, other, is_last, weights))
    lead = paper_side(state, seat, is_last, weights) - best
    return min(0.9, max(-0.9, lead * weights.scale))


@kernel
def may_be_last(state):
    """Whether some wall row has four tiles, so that this round may be the last."""
    for seat in range(state.seats):
        wall = state.wall[seat]
        for row in range(5):
            if popcount((wall >> (5 * row)) & layout.ROW) >= 4:
                return True
    return False


@kernel
def paper_side(state, seat, is_last, weights):
    """Points, lines by how full they are, bonuses of the wall, the floor, and half a point for the marker."""
    total = np.float64(state.points[seat])
    for line in range(layout.N_LINES):
        held = state.held[seat, line]
        if held == 0 or (is_last and held <= line):
            continue
        total += held / (line + 1) * line_points(state, seat, line, state.colour[seat, line])
    total += bonus(state, seat) - layout.PENALTY[state.floor[seat]]
    if not is_last and starter(state) == seat:
        total += weights.starter
    return total


@kernel
def starter(state):
    """Who holds the marker: the seat that took it, or the first player as long as nobody has moved; else -1."""
    if state.marker >= 0:
        return state.marker
    has_begun = state.mover >= 0 and state.left < layout.tiles_a_round(state)
    return -1 if has_begun else state.first


@kernel
def line_points(state, seat, line, colour):
    """What the tile of a line of this colour would score on the wall as it stands; grey: at its best cell."""
    wall = state.wall[seat]
    if state.grey == 0:
        column = (line + colour) % 5
        return tile_points(wall | (1 << (5 * line + column)), line, column)
    cells = cells_for(state, seat, wall, line, colour)
    best = 0
    while cells:
        column = lowest_bit(cells)
        cells &= cells - 1
        best = max(best, tile_points(wall | (1 << (5 * line + column)), line, column))
    return best


@kernel
def cells_for(state, seat, wall, row, colour):
    """Grey wall: the free cells of a row whose column does not have the colour, as five bits."""
    cells = layout.ROW & ~(wall >> (5 * row))
    for other in range(5):
        tints = state.tint[seat, other]
        for column in range(5):
            if (tints >> (3 * column)) & 7 == colour + 1:
                cells &= ~(1 << column)
    return cells


@kernel
def by_paper(state, action):
    """The thesis's order: what the line would score, by how full the move makes it, less what the floor costs."""
    if action >= layout.FIRST_TILING:
        return tiling_points(state, action - layout.FIRST_TILING)
    source = action // layout.A_SOURCE
    bit = action - source * layout.A_SOURCE
    colour = bit // 6
    line = bit - colour * 6
    if line == layout.FLOOR:
        return 0
    seat = state.mover
    reached = state.held[seat, line] + multisets.held(state.source[source], colour, layout.FIELDS)
    excess = max(0, reached - line - 1)
    floor = state.floor[seat]
    cost = layout.PENALTY[min(layout.FLOOR_SLOTS, floor + excess)] - layout.PENALTY[floor]
    # In sixtieths of a point, so that every fraction is a whole number.
    filled = 60 * (reached - excess) // (line + 1)
    return max(0, filled * line_points(state, seat, line, colour) - 60 * cost)


@kernel
def tiling_points(state, code):
    """Grey wall: what laying the tile there scores, in sixtieths."""
    row = code // 6
    column = code - row * 6
    if column == layout.FLOOR:
        return 0
    return 60 * tile_points(state.wall[state.mover] | (1 << (5 * row + column)), row, column)


@kernel
def strategy_policy(state, rng, out):
    """The thesis's strategy: the wall cell whose line can be filled most often over, then the best move for it."""
    if state.left == 0:
        return best_tiling(state, out)
    seat = state.mover
    lines = state.open[seat]
    chosen = -1
    best = -1
    for colour in range(5):
        offered = on_offer(state, colour)
        for line in range(layout.N_LINES):
            if offered > 0 and (lines >> (6 * colour + line)) & 1:
                portion = 60 * offered // (line + 1)
                if portion > best:
                    best = portion
                    chosen = 6 * colour + line
    return best_of_group(state, seat, chosen) if chosen >= 0 else least_floor(state)


@kernel
def strategy2_policy(state, rng, out):
    """The improved strategy: groups that can be filled come first, by wall points, then by free neighbours."""
    if state.left == 0:
        return best_tiling(state, out)
    seat = state.mover
    lines = state.open[seat]
    chosen = -1
    best = -1
    for colour in range(5):
        offered = on_offer(state, colour)
        for line in range(layout.N_LINES):
            if offered > 0 and (lines >> (6 * colour + line)) & 1:
                portion = 60 * min(line + 1, state.held[seat, line] + offered) // (line + 1)
                points = line_points(state, seat, line, colour)
                merit = (portion * points) * 8 + free_neighbours(state, seat, line, colour)
                if merit > best:
                    best = merit
                    chosen = 6 * colour + line
    return best_of_group(state, seat, chosen) if chosen >= 0 else least_floor(state)


@kernel
def on_offer(state, colour):
    """How many tiles of a colour all moves together could bring: those on displays and in the centre."""
    n = 0
    for source in range(2 * state.seats + 2):
        n += multisets.held(state.source[source], colour, layout.FIELDS)
    return n


@kernel
def free_neighbours(state, seat, row, colour):
    """The free cells beside the cell of a line's tile (coloured wall; 0 on a grey one)."""
    if state.grey == 1:
        return 0
    wall = state.wall[seat]
    column = (row + colour) % 5
    n = 0
    if row > 0:
        n += 1 - ((wall >> (5 * row + column - 5)) & 1)
    if row < 4:
        n += 1 - ((wall >> (5 * row + column + 5)) & 1)
    if column > 0:
        n += 1 - ((wall >> (5 * row + column - 1)) & 1)
    if column < 4:
        n += 1 - ((wall >> (5 * row + column + 1)) & 1)
    return n


@kernel
def best_of_group(state, seat, bit):
    """Among the sources of a group's colour, the one that fills the line most, then overflows least."""
    colour = bit // 6
    line = bit - colour * 6
    held = state.held[seat, line]
    chosen = -1
    best = -1000
    for source in range(2 * state.seats + 2):
        taken = multisets.held(state.source[source], colour, layout.FIELDS)
        if taken == 0:
            continue
        filled = min(line + 1, held + taken)
        merit = 32 * filled - (held + taken - filled)
        if merit > best:
            best = merit
            chosen = source * layout.A_SOURCE + bit
    return chosen


@kernel
def least_floor(state):
    """Where no line is open: the fewest tiles to the floor, the marker counting as one."""
    chosen = -1
    least = 1000
    for source in range(2 * state.seats + 2):
        for colour in range(5):
            taken = multisets.held(state.source[source], colour, layout.FIELDS)
            if taken == 0:
                continue
            taken += np.int64(source == layout.CENTRE and state.marker < 0)
            if taken < least:
                least = taken
                chosen = source * layout.A_SOURCE + 6 * colour + layout.FLOOR
    return chosen


@kernel
def best_tiling(state, out):
    """Grey wall: the cell where the tile scores most."""
    n = legal_actions(state, out)
    chosen = out[0]
    best = -1
    for i in range(n):
        points = tiling_points(state, out[i] - layout.FIRST_TILING)
        if points > best:
            best = points
            chosen = out[i]
    return chosen


@kernel
def ordered_policy(state, rng, out):
    """The move that is first in the thesis's order, equals by lot; one in eight is drawn from all."""
    n = legal_actions(state, out)
    if draw(rng, 8) == 0:
        return out[draw(rng, n)]
    best = -1
    equals = 0
    for i in range(n):
        worth = by_paper(state, out[i])
        if worth > best:
            best = worth
            equals = 0
        if worth == best:
            out[equals] = out[i]
            equals += 1
    return out[draw(rng, equals)]


# --- ours: what a position promises


class Outlook(NamedTuple):
    """What our evaluation expects of the rounds to come.

    The shares say what each hope counts: least squares of the final lead on 142,000 positions of 2,600 games between
    depth-2 searches with every eighth move at random; hopes are not independent, so cells count less than their chance.
    """

    rate: NDArray[np.float64] = np.array([0.88, 0.80, 0.68, 0.56, 0.46])  # how likely a row gets a tile in a round
    starting: float = 1.0  # points that starting the next round is worth
    begun: float = 0.75  # how likely a line is to be completed in time, for all but nothing on it
    cell_share: float = 0.45
    begun_share: float = 0.55
    column_share: float = 1.3
    colour_share: float = 0.8
    scale: float = 1.0 / 30.0  # points to expected returns


@kernel
def outlook_value(state, seat, weights):
    """The lead in points that the final walls promise, over the best rival, as expected returns."""
    longest = 0
    for other in range(state.seats):
        longest = max(longest, fullest_row(state, other))
    best = -np.inf  # below any value, whatever the weights
    for other in range(state.seats):
        if other != seat:
            best = max(best, outlook_side(state, other, longest, weights))
    lead = outlook_side(state, seat, longest, weights) - best
    return 0.95 * math.tanh(lead * weights.scale)


@kernel
def fullest_row(state, seat):
    """Tiles in a seat's fullest row, once its full lines are tiled."""
    wall = state.wall[seat]
    most = 0
    for row in range(5):
        is_full = np.int64(state.held[seat, row] == row + 1)
        most = max(most, popcount((wall >> (5 * row)) & layout.ROW) + is_full)
    return most


@kernel
def outlook_side(state, seat, longest, weights):
    """Points at the end that a seat may hope for: what it has, what is full, and what may still come."""
    wall = state.wall[seat]
    total = np.float64(state.points[seat])
    floor = state.floor[seat]
    for row in range(layout.N_LINES):
        if state.held[seat, row] == row + 1:
            column = line_column(state, seat, wall, row)
            if column >= 0:
                wall |= 1 << (5 * row + column)
                total += tile_points(wall, row, column)
            else:
                floor += row + 1
    total = max(0.0, total - layout.PENALTY[min(layout.FLOOR_SLOTS, floor)])
    if starter(state) == seat and longest < 5:
        total += weights.starting
    # Rounds to come: those that the fullest row needs, and what is left of this one.
    rounds = np.float64(5 - longest) + 0.5 * np.float64(state.left) / layout.tiles_a_round(state)
    return total + hopes(state, seat, wall, rounds, weights)


@kernel
def line_column(state, seat, wall, row):
    """Where the tile of a line that is not empty goes: the printed cell; grey: its best cell, or -1 without one."""
    colour = state.colour[seat, row]
    if state.grey == 0:
        return (row + colour) % 5
    cells = cells_for(state, seat, wall, row, colour)
    chosen = -1
    best = 0
    while cells:
        column = lowest_bit(cells)
        cells &= cells - 1
        points = tile_points(wall | (1 << (5 * row + column)), row, column)
        if points > best:
            best = points
            chosen = column
    return chosen


@kernel
def hopes(state, seat, wall, rounds, weights):
    """What free cells, columns and colours promise in the rounds to come."""
    chance = (
        cell_chance(state, seat, wall, rounds, 0, weights),
        cell_chance(state, seat, wall, rounds, 1, weights),
        cell_chance(state, seat, wall, rounds, 2, weights),
        cell_chance(state, seat, wall, rounds, 3, weights),
        cell_chance(state, seat, wall, rounds, 4, weights),
    )
    begun = (
        begun_chance(state, seat, rounds, 0, weights),
        begun_chance(state, seat, rounds, 1, weights),
        begun_chance(state, seat, rounds, 2, weights),
        begun_chance(state, seat, rounds, 3, weights),
        begun_chance(state, seat, rounds, 4, weights),
    )
    target = (
        begun_column(state, seat, wall, 0),
        begun_column(state, seat, wall, 1),
        begun_column(state, seat, wall, 2),
        begun_column(state, seat, wall, 3),
        begun_column(state, seat, wall, 4),
    )
    total = 0.0
    for row in range(5):
        cells = layout.ROW & ~(wall >> (5 * row))
        while cells:
            column = lowest_bit(cells)
            cells &= cells - 1
            likely = weights.begun_share * begun[row] if column == target[row] else weights.cell_share * chance[row]
            total += likely * tile_points(wall | (1 << (5 * row + column)), row, column)
    for column in range(5):
        whole = 1.0
        for row in range(5):
            if (wall >> (5 * row + column)) & 1 == 0:
                whole *= begun[row] if column == target[row] else chance[row]
        total += weights.column_share * layout.COLUMN_BONUS * whole
    for colour in range(5):
        whole = 1.0
        for row in range(5):
            if not has_colour(state, seat, wall, row, colour):
                is_begun = target[row] >= 0 and state.colour[seat, row] == colour
                whole *= begun[row] if is_begun else chance[row]
        total += weights.colour_share * layout.COLOUR_BONUS * whole
    return total + layout.ROW_BONUS * popcount(full_rows(wall))


@kernel
def begun_column(state, seat, wall, row):
    """Where the tile of a line that is begun will go; -1 where none is, or where it has no place."""
    held = state.held[seat, row]
    return line_column(state, seat, wall, row) if 0 < held <= row else -1


@kernel
def has_colour(state, seat, wall, row, colour):
    """Whether a row of the wall, its full line tiled, has the colour."""
    if state.grey == 0:
        return (wall >> (5 * row + (row + colour) % 5)) & 1 == 1
    is_full = state.held[seat, row] == row + 1 and state.colour[seat, row] == colour
    return is_full or (row_colours(state, seat, row) >> colour) & 1 == 1


@kernel
def cell_chance(state, seat, wall, rounds, row, weights):
    """How likely a free cell of the row is to be filled in time, if no tile for it is there yet."""
    free = 5 - popcount((wall >> (5 * row)) & layout.ROW)
    if free == 0:
        return 0.0
    held = state.held[seat, row]
    # A line that is begun, or full, has a cell of its own and takes a part of the time.
    busy = 0.6 if 0 < held <= row else 0.0
    return min(0.9, max(0.0, weights.rate[row] * max(0.0, rounds - busy) / free))


@kernel
def begun_chance(state, seat, rounds, row, weights):
    """How likely a line that is begun is to be completed in time; 0 where none is begun."""
    held = state.held[seat, row]
    if held == 0 or held == row + 1:
        return 0.0
    share = np.float64(held) / (row + 1)
    return min(1.0, rounds) * (weights.begun + (0.97 - weights.begun) * share) * (0.5 + 0.5 * share)


# --- positions that are one, and moves that are


@kernel
def fingerprint(state):
    """One number for all positions that differ by the order of displays alone."""
    displays = 0
    for source in range(1, layout.MOST_SOURCES):
        tiles = state.source[source]
        if tiles:
            displays = (displays + (blend(7, tiles) >> 4)) & 0x7FFFFFFFFFFFFFF
    phase = (state.lap << 20) | (state.draws << 12) | (state.mover + 2) << 8
    phase |= (state.marker + 1) << 4 | state.first
    key = blend(blend(displays, phase), (state.source[layout.CENTRE] << 30) | state.bag)
    key = blend(key, state.fate)
    for seat in range(state.seats):
        lines = 0
        for line in range(layout.N_LINES):
            lines = (lines << 6) | (state.held[seat, line] << 3) | state.colour[seat, line]
        key = blend(key, (lines << 3) | state.floor[seat])
        key = blend(key, (state.points[seat] << 25) | state.wall[seat])
        if state.grey == 1:
            for row in range(5):
                key = blend(key, state.tint[seat, row])
    return key


@kernel
def keep_distinct(state, actions, n):
    """Of displays with equal tiles only the first: nothing is lost."""
    if state.left == 0:
        return n
    kept = 0
    for i in range(n):
        source = actions[i] // layout.A_SOURCE
        is_first = True
        for other in range(1, source):
            if state.source[other] == state.source[source]:
                is_first = False
        if is_first:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def keep_useful(state, actions, n):
    """Of equal displays only the first; the floor only where a line of the colour is not open, or overflows much."""
    n = keep_distinct(state, actions, n)
    if state.left == 0:
        return n
    lines = state.open[state.mover]
    kept = 0
    for i in range(n):
        bit = actions[i] % layout.A_SOURCE
        colour = bit // 6
        is_floor = bit - colour * 6 == layout.FLOOR
        if is_floor and (lines >> (6 * colour)) & 31:
            continue
        actions[kept] = actions[i]
        kept += 1
    return kept


@kernel
def wall_tiles(state, seat):
    """Tiles on the seat's wall."""
    return popcount(np.int64(state.wall[seat]))


WITHIN = (-1_000, 1_000)  # of every weight that a file sets
EVALUATIONS = {
    "outlook": Heuristic(
        outlook_value,
        "full lines tiled, then what free cells, columns and colours promise",
        -0.95,
        0.95,
        parameters=Parameters(Outlook(), within=WITHIN),
    ),
    "paper": Heuristic(
        paper_value,
        "the thesis's: points, lines by their fraction, bonuses, floor, marker",
        -0.9,
        0.9,
        parameters=Parameters(Paper(), within=WITHIN),
    ),
}
ORDERINGS = {
    "paper": Heuristic(by_paper, "the thesis's: what the line scores, by how full it gets, less the floor"),
}
FILTERS = {
    "distinct": Heuristic(keep_distinct, "equal displays once; nothing is lost"),
    "useful": Heuristic(keep_useful, "equal displays once, and the floor only where no line is open to the colour"),
}
FINGERPRINTS = {"canonical": Heuristic(fingerprint, "the order of displays does not matter")}
PLAYOUTS = {
    "ordered": Heuristic(ordered_policy, "the first in the thesis's order of moves, one in eight by lot"),
    "strategy": Heuristic(strategy_policy, "the thesis's strategy (4.3)"),
    "strategy2": Heuristic(strategy2_policy, "the thesis's strategy with wall points and free neighbours (4.4.1)"),
}
METRICS = {"tiles": Heuristic(wall_tiles, "tiles on the wall")}
