"""Ingenious as numbers for models, as a seat sees the table: its own scores first, the others in the order of play.

`table` is sparse: scores by colour and by rank, the colours on the board, the seat's own hand, and hand-made terms in
bins (the evaluations `sorted` and `points`, the lead of the lowest colour). `terms` are a few dense numbers for linear
models. Of other hands nothing is read but how many tiles they hold.
"""

from __future__ import annotations

from meeple.core import multisets
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel
from meeple.games.bins import VALUE_BINS, binned, value_bin
from meeple.games.ingenious import heuristics
from meeple.games.ingenious.geometry import CELL_1, CELL_2, N_CELLS, SPAN
from meeple.games.ingenious.heuristics import N_OPEN, sorted_value
from meeple.games.ingenious.layout import EMPTY, KEEP, TRACK
from meeple.games.ingenious.rules import to_move
from meeple.games.ingenious.scoring import line_points, side_of, sorted_points
from meeple.games.ingenious.tiles import COLOUR_1, COLOUR_2, FIELDS, HAND, KIND_OF, N_COLOURS, N_KINDS
from meeple.games.ingenious.worths import count_open, points_value

SORTED = heuristics.EVALUATIONS["sorted"].parameters.constant  # type: ignore[union-attr]
TRACK_PLACES = 2 * TRACK + 1

# A side's scores, each part where it begins.
BY_COLOUR = 0
BY_RANK = N_COLOURS * TRACK_PLACES
A_SIDE = 2 * N_COLOURS * TRACK_PLACES
MOST_SIDES = 4
# The board, the hand, the rest.
CELLS = MOST_SIDES * A_SIDE  # cell x colour, where a tile lies
OWN_HAND = CELLS + N_CELLS * N_COLOURS  # kind x tiles of it, 1 to 6
HELD = OWN_HAND + N_KINDS * HAND  # tiles in each hand, 0 to 6
OPEN = HELD + MOST_SIDES * (HAND + 1)  # positions still open, in 16 bins
OPEN_BINS = 16
TURN = OPEN + OPEN_BINS  # how many seats on the mover sits; 4: chance
PHASE = TURN + 5
BONUS = PHASE + 5  # placements owed, 0 to 6
SEATS = BONUS + HAND + 1
TEAMS = SEATS + 4
LOWEST = TEAMS + 1  # the lowest colour's lead over the best rival's
LOWEST_BINS = 37
VALUES = LOWEST + LOWEST_BINS  # `sorted`, then `points`
N_TABLE = VALUES + 2 * VALUE_BINS
MOST_TABLE = MOST_SIDES * 2 * N_COLOURS + N_CELLS + HAND + MOST_SIDES + 9


@kernel
def write_table(state, seat, out):
    """The scores, the board, the hand, then the terms."""
    n = 0
    sides = 2 if state.teams == 1 else state.seats
    for place in range(sides):
        n = write_side(state, (side_of(state, seat) + place) % sides, place * A_SIDE, out, n)
    for cell in range(N_CELLS):
        if state.cell[cell] < EMPTY:
            out[n] = CELLS + cell * N_COLOURS + state.cell[cell]
            n += 1
    for kind in range(N_KINDS):
        tiles = multisets.held(state.hand[seat], kind, FIELDS)
        if tiles > 0:
            out[n] = OWN_HAND + kind * HAND + tiles - 1
            n += 1
    for place in range(state.seats):
        out[n] = HELD + place * (HAND + 1) + state.held[(seat + place) % state.seats]
        n += 1
    mover = to_move(state)
    out[n] = OPEN + binned(count_open(state) * OPEN_BINS, 0, N_OPEN[state.seats] + 1, OPEN_BINS)
    out[n + 1] = TURN + ((mover - seat) % state.seats if mover >= 0 else 4)
    out[n + 2] = PHASE + state.phase
    out[n + 3] = BONUS + state.bonus
    out[n + 4] = SEATS + state.seats - 1
    out[n + 5] = LOWEST + binned(lowest_lead(state, seat), -18, 1, LOWEST_BINS)
    out[n + 6] = VALUES + value_bin(sorted_value(state, seat, SORTED[0]))
    out[n + 7] = VALUES + VALUE_BINS + value_bin(points_value(state, seat))
    n += 8
    if state.teams == 1:
        out[n] = TEAMS
        n += 1
    return n


@kernel
def write_side(state, side, first, out, n):
    """A side's score of each colour, and from the lowest up."""
    digits = sorted_points(state, side)
    for colour in range(N_COLOURS):
        out[n] = first + BY_COLOUR + colour * TRACK_PLACES + state.points[side, colour]
        points = (digits >> (6 * (N_COLOURS - 1 - colour))) & 63
        out[n + 1] = first + BY_RANK + colour * TRACK_PLACES + points
        n += 2
    return n


@kernel
def lowest_of(state, side):
    """A side's lowest score."""
    return (sorted_points(state, side) >> (6 * (N_COLOURS - 1))) & 63


@kernel
def lowest_lead(state, seat):
    """The lowest score of the seat's side less that of the best other; alone, the lowest itself."""
    own, sides = side_of(state, seat), 2 if state.teams == 1 else state.seats
    best = 0
    for side in range(sides):
        if side != own:
            best = max(best, lowest_of(state, side))
    return lowest_of(state, own) - best


N_TERMS = 12
TERM_NAMES = ("sorted", "points", "lowest lead", *(f"rank {rank}" for rank in range(1, 7)), "open", "bonus", "turn")


@kernel
def write_terms(state, seat, out):
    """What the evaluations say, and the side's scores from the lowest up."""
    digits = sorted_points(state, side_of(state, seat))
    out[0] = sorted_value(state, seat, SORTED[0])
    out[1] = points_value(state, seat)
    out[2] = lowest_lead(state, seat) / 18.0
    for rank in range(N_COLOURS):
        out[3 + rank] = ((digits >> (6 * (N_COLOURS - 1 - rank))) & 63) / 18.0
    out[9] = count_open(state) / N_OPEN[state.seats]
    out[10] = state.bonus / 6.0 if state.seat == seat else 0.0
    out[11] = 1.0 if to_move(state) == seat else 0.0
    return N_TERMS


FEATURES = {
    "table": FeatureSet(
        "sparse", write_table, N_TABLE, "scores, board, own hand, and evaluations in bins", most=MOST_TABLE, version=2
    ),
    "terms": FeatureSet("dense", write_terms, N_TERMS, "evaluations and scores by rank", names=TERM_NAMES),
}

# --- moves ---------------------------------------------------------------------------------------------

MOST_GAIN = 16
LAID = 0  # kind of the tile
GAINS = LAID + N_KINDS  # rank of a half's colour among one's own, from the lowest x points it brings, 0 to 15
ENDS = GAINS + N_COLOURS * MOST_GAIN  # rank of a colour that reaches the end of its track
ANSWER = ENDS + N_COLOURS  # keep, swap
N_MOVE = ANSWER + 2


@kernel
def write_move(state, action, out):
    """The tile, and what its colours gain by how low they stand."""
    if action >= KEEP:
        out[0] = ANSWER + action - KEEP
        return 1
    oriented = action // SPAN
    code = action - oriented * SPAN
    side = side_of(state, state.seat)
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    out[0] = LAID + KIND_OF[oriented]
    n = 1
    gain = line_points(state, CELL_1[code], first)
    other = line_points(state, CELL_2[code], second)
    if first == second:
        return write_gain(state, side, first, gain + other, out, n)
    n = write_gain(state, side, first, gain, out, n)
    return write_gain(state, side, second, other, out, n)


@kernel
def write_gain(state, side, colour, gain, out, n):
    """What a colour gains, and whether it comes to the end of its track."""
    points = state.points[side, colour]
    rank = 0
    for other in range(N_COLOURS):
        lower = state.points[side, other] < points or (state.points[side, other] == points and other < colour)
        rank += int(lower)
    out[n] = GAINS + rank * MOST_GAIN + min(gain, MOST_GAIN - 1)
    n += 1
    if points < TRACK <= points + gain:
        out[n] = ENDS + rank
        n += 1
    return n


ACTION_FEATURES = {"gains": FeatureSet("sparse", write_move, N_MOVE, "the tile, and what its colours gain", most=5)}
