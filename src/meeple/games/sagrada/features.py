"""Sagrada as numbers for models, as a seat sees the table: its own window first, the others in the order of seats.

`table` is sparse: the dice in each window, the windows, pool, track, tools and objectives, and hand-made terms in bins
(the thesis's value of one's own window, points of each seat, cells that nothing fits). `terms` are a few dense numbers
for linear models. Of others' private colours, and of windows before all have chosen, nothing is read.
"""

from __future__ import annotations

from meeple.core.bits import lowest_bit, popcount
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel
from meeple.games.bins import binned
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.cards import OBJECTIVES, TOOLS
from meeple.games.sagrada.evaluation import THESIS, side_value
from meeple.games.sagrada.rules import to_move
from meeple.games.sagrada.scoring import private_points, public_points

N_PATTERNS, N_GOALS, N_TOOLS = len(board.PATTERNS), len(OBJECTIVES), len(TOOLS)
MOST_SEATS = 4

# A seat's window, each part where it begins.
COLOURS = 0  # cell x colour of the die
VALUES = COLOURS + board.N_CELLS * board.N_COLOURS
WINDOW = VALUES + board.N_CELLS * board.N_VALUES
TOKENS = WINDOW + N_PATTERNS
EMPTY = TOKENS + 8
POINTS = EMPTY + board.N_CELLS + 1  # of public objectives, less empty cells
POINT_BINS = 36  # of 2 points, from -20 on
DEAD = POINTS + POINT_BINS  # cells that nothing fits any more
SIDE = DEAD + board.N_CELLS + 1  # the thesis's value of the window, without its private points
VALUE_BINS = 48
A_SEAT = SIDE + VALUE_BINS
SEAT_MOST = 2 * board.N_CELLS + 6
# What all see, and what only the seat does.
POOL = MOST_SEATS * A_SEAT  # die x how many came before it, 0 to 8
TRACK = POOL + board.N_DICE * layout.MOST_POOL
LAP = TRACK + board.N_DICE
PLACE = LAP + layout.N_ROUNDS + 1  # of the turn in the round
PHASE = PLACE + 16
TURN = PHASE + len(layout.PHASES)  # how many seats on the mover sits; 4: chance
SEATS = TURN + 5
TOOL = SEATS + 4  # in play; and again where it was paid for
GOAL = TOOL + 2 * N_TOOLS
USED = GOAL + N_GOALS
DRAFTED = USED + 1
PRIVATE = DRAFTED + 1  # one's own colour, in the solo game two
SECRET = PRIVATE + board.N_COLOURS  # points of it
SECRET_BINS = 24  # of 2
OWN_VALUE = SECRET + SECRET_BINS  # the thesis's
LEAD = OWN_VALUE + VALUE_BINS  # in open points, over the best rival
LEAD_BINS = 41
AHEAD = LEAD + LEAD_BINS  # one's own value over the best rival's without its private points
AHEAD_BINS = 64
N_TABLE = AHEAD + AHEAD_BINS
MOST_TABLE = MOST_SEATS * SEAT_MOST + layout.MOST_POOL + board.N_DICE + 5 + 10 + 3 + 2 + 2 + 4


@kernel
def write_table(state, seat, out):
    """The windows, what lies in the middle, then what the seat alone knows and the terms."""
    n = 0
    for place in range(state.seats):
        n = write_seat(state, (seat + place) % state.seats, place, out, n)
    n = write_middle(state, seat, out, n)
    if state.private[seat] != layout.NONE:
        out[n] = PRIVATE + state.private[seat]
        n += 1
    if state.seats == 1 and state.private[1] != layout.NONE and state.private[1] != state.private[0]:
        out[n] = PRIVATE + state.private[1]
        n += 1
    out[n] = SECRET + binned(private_points(state, seat), 0, 2, SECRET_BINS)
    own = side_value(state, seat, THESIS[0])
    out[n + 1] = OWN_VALUE + binned(int(own), -8_000, 1_000, VALUE_BINS)
    out[n + 2] = LEAD + binned(open_lead(state, seat), -40, 2, LEAD_BINS)
    n += 3
    if state.seats > 1 and state.phase > layout.CHOOSE:
        best = open_value(state, (seat + 1) % state.seats)
        for place in range(2, state.seats):
            best = max(best, open_value(state, (seat + place) % state.seats))
        out[n] = AHEAD + binned(int(own - best), -16_000, 500, AHEAD_BINS)
        n += 1
    return n


@kernel
def open_value(state, seat):
    """The thesis's value of a window as everyone sees it: without the points of its private colour."""
    return side_value(state, seat, THESIS[0]) - THESIS[0].point * private_points(state, seat)


@kernel
def is_open(state, place):
    """Whether the window of a seat so many places on may be looked at: one's own always, others' once all chose."""
    return place == 0 or state.phase > layout.CHOOSE


@kernel
def write_seat(state, seat, place, out, n):
    """A seat's window and its dice."""
    first = place * A_SEAT
    for colour in range(board.N_COLOURS):
        cells = state.col[seat, colour]
        while cells:
            out[n] = first + COLOURS + lowest_bit(cells) * board.N_COLOURS + colour
            cells &= cells - 1
            n += 1
    for value in range(board.N_VALUES):
        cells = state.val[seat, value]
        while cells:
            out[n] = first + VALUES + lowest_bit(cells) * board.N_VALUES + value
            cells &= cells - 1
            n += 1
    if is_open(state, place) and state.window[seat] != layout.NONE:
        out[n] = first + WINDOW + state.window[seat]
        out[n + 1] = first + DEAD + popcount(board.unfillable(state, seat))
        out[n + 2] = first + TOKENS + min(state.tokens[seat], 7)
        out[n + 3] = first + SIDE + binned(int(open_value(state, seat)), -8_000, 1_000, VALUE_BINS)
        n += 4
    out[n] = first + EMPTY + board.N_CELLS - popcount(state.occ[seat])
    out[n + 1] = first + POINTS + binned(open_points(state, seat), -20, 2, POINT_BINS)
    return n + 2


@kernel
def write_middle(state, seat, out, n):
    """Pool, track, tools, objectives, and where the round stands."""
    for place in range(state.n_pool):
        before = 0
        for other in range(place):
            before += int(state.pool[other] == state.pool[place])
        out[n] = POOL + state.pool[place] * layout.MOST_POOL + before
        n += 1
    dice = state.track_kinds
    while dice:
        out[n] = TRACK + lowest_bit(dice)
        dice &= dice - 1
        n += 1
    mover = to_move(state)
    out[n] = LAP + state.lap
    out[n + 1] = PLACE + state.turn
    out[n + 2] = PHASE + state.phase
    out[n + 3] = TURN + ((mover - seat) % state.seats if mover >= 0 else 4)
    out[n + 4] = SEATS + state.seats - 1
    n += 5
    for slot in range(state.n_tools):
        if state.tools[slot] > 0:
            out[n] = TOOL + state.tools[slot] - 1 + (N_TOOLS if state.paid[slot] != 0 else 0)
            n += 1
    for slot in range(state.n_goals):
        if state.goals[slot] != layout.NONE:
            out[n] = GOAL + state.goals[slot]
            n += 1
    if state.tool_used != 0:
        out[n] = USED
        n += 1
    if state.drafted != 0:
        out[n] = DRAFTED
        n += 1
    return n


@kernel
def open_points(state, seat):
    """The points of public objectives, less those of empty cells."""
    empty = board.N_CELLS - popcount(state.occ[seat])
    return public_points(state, seat) - state.worth[layout.EMPTY] * empty


@kernel
def open_lead(state, seat):
    """A seat's open points less those of the best other."""
    best = -1_000
    for other in range(state.seats):
        if other != seat:
            best = max(best, open_points(state, other))
    return open_points(state, seat) - best if state.seats > 1 else 0


N_TERMS = 8
TERM_NAMES = ("value", "lead", "points", "private", "empty", "dead", "round", "turn")


@kernel
def write_terms(state, seat, out):
    """The thesis's value of one's own window, points, and cells that are empty or that nothing fits."""
    has_window = state.window[seat] != layout.NONE
    out[0] = side_value(state, seat, THESIS[0]) / 20_000.0
    out[1] = open_lead(state, seat) / 40.0
    out[2] = open_points(state, seat) / 40.0
    out[3] = private_points(state, seat) / 20.0
    out[4] = (board.N_CELLS - popcount(state.occ[seat])) / 20.0
    out[5] = popcount(board.unfillable(state, seat)) / 10.0 if has_window else 0.0
    out[6] = state.lap / 10.0
    out[7] = 1.0 if to_move(state) == seat else 0.0
    return N_TERMS


FEATURES = {
    "table": FeatureSet(
        "sparse",
        write_table,
        N_TABLE,
        "windows, pool, tools, objectives, and terms in bins",
        most=MOST_TABLE,
        version=2,
    ),
    "terms": FeatureSet("dense", write_terms, N_TERMS, "value of one's own window, points", names=TERM_NAMES),
}

# --- moves ---------------------------------------------------------------------------------------------

KIND = 0  # of a move: a tool by its card, a placement, a return, a pass, a window
PLACED = KIND + N_TOOLS + 5
CELL = PLACED + board.N_DICE
PATTERN = CELL + board.N_CELLS
PRINTED = PATTERN + N_PATTERNS  # the die goes where its own colour or value is printed
FAVOURED = PRINTED + 1  # it is of one's own colour
N_MOVE = FAVOURED + 1


@kernel
def write_move(state, action, out):
    """The kind of a move; of a placement its die and its cell, and whether they suit each other and the seat."""
    kind, a, b = action >> layout.KIND_BITS, (action >> 15) & 31, (action >> 10) & 31
    if kind < layout.PLACE:
        out[0] = KIND + state.tools[kind]
        return 1
    out[0] = KIND + N_TOOLS + 1 + kind - layout.PLACE
    n = 1
    seat = to_move(state)
    if kind == layout.WINDOW:
        out[n] = PATTERN + state.offer[seat, a]
        return n + 1
    if kind != layout.PLACE:
        return n
    cell, die = a, b
    out[n] = PLACED + die
    out[n + 1] = CELL + cell
    n += 2
    window, colour, value = state.window[seat], die // board.N_VALUES, die % board.N_VALUES
    printed = board.PRINTED_COLOUR[window, colour] | board.PRINTED_VALUE[window, value]
    if (printed >> cell) & 1:
        out[n] = PRINTED
        n += 1
    if state.private[seat] == colour:
        out[n] = FAVOURED
        n += 1
    return n


ACTION_FEATURES = {"drafts": FeatureSet("sparse", write_move, N_MOVE, "tool, or die and cell", most=5)}
