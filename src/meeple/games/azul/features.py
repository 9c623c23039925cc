"""Azul as numbers for models, as a seat sees the table: its own board first, the others in the order of play.

`table` is sparse: walls, pattern lines, floors, what lies on displays and in the centre, and hand-made terms in bins
(the evaluations `outlook` and `paper`, leads in points). `terms` are a few dense numbers for linear models. Nothing in
Azul is hidden but what will be drawn.
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import popcount
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel
from meeple.games.azul import heuristics, layout
from meeple.games.azul.heuristics import outlook_value, paper_value, starter
from meeple.games.azul.rules import to_move
from meeple.games.azul.wall import bonus
from meeple.games.bins import VALUE_BINS, binned, value_bin

OUTLOOK = heuristics.EVALUATIONS["outlook"].parameters.constant  # type: ignore[union-attr]
PAPER = heuristics.EVALUATIONS["paper"].parameters.constant  # type: ignore[union-attr]

# A seat's board, each part where it begins.
WALL = 0  # 25 cells
TINT = WALL + 25  # grey wall: cell x colour
LINE = TINT + 25 * layout.COLOURS  # line x colour x tiles on it, 1 to 5
FLOOR = LINE + layout.N_LINES * layout.COLOURS * 5
POINTS = FLOOR + layout.FLOOR_SLOTS + 1
POINT_BINS = 25  # of 4 points
STARTS = POINTS + POINT_BINS  # has the marker
ROWS = STARTS + 1  # row x its tiles, 0 to 5
COLUMNS = ROWS + 5 * 6
KINDS = COLUMNS + 5 * 6  # coloured wall: colour x its tiles
A_SEAT = KINDS + layout.COLOURS * 6
SEAT_MOST = 25 + 25 + 5 + 1 + 1 + 1 + 5 + 5 + 5
# What all see.
LAP = layout.MOST_SEATS * A_SEAT  # 0 to 9 rounds finished
CENTRE = LAP + 10  # colour x tiles in the centre, 1 to 12
DISPLAYS = CENTRE + layout.COLOURS * 12  # colour x tiles on a display, 1 to 4 x how many such displays, 1 to 9
BAG = DISPLAYS + layout.COLOURS * 4 * 9  # colour x tiles in the bag, 0 to 20
FREE_MARKER = BAG + layout.COLOURS * 21
TURN = FREE_MARKER + 1  # how many seats on the mover sits; 4: chance
SEATS = TURN + 5
GREY = SEATS + 3
LEAD = GREY + 1  # in points, over the best rival
LEAD_BINS = 33
OUTLOOKS = LEAD + LEAD_BINS
PAPERS = OUTLOOKS + VALUE_BINS
N_TABLE = PAPERS + VALUE_BINS
MOST_TABLE = layout.MOST_SEATS * SEAT_MOST + 1 + 5 + 20 + 5 + 1 + 1 + 1 + 1 + 3


@kernel
def write_table(state, seat, out):
    """The boards, then what lies in the middle, then the terms."""
    n = 0
    for place in range(state.seats):
        n = write_seat(state, (seat + place) % state.seats, place * A_SEAT, out, n)
    n = write_middle(state, out, n)
    mover = to_move(state)
    out[n] = TURN + ((mover - seat) % state.seats if mover >= 0 else 4)
    out[n + 1] = SEATS + state.seats - 2
    out[n + 2] = LEAD + binned(points_lead(state, seat), -32, 2, LEAD_BINS)
    out[n + 3] = OUTLOOKS + value_bin(outlook_value(state, seat, OUTLOOK[0]))
    out[n + 4] = PAPERS + value_bin(paper_value(state, seat, PAPER[0]) * 4.0)
    n += 5
    if state.grey == 1:
        out[n] = GREY
        n += 1
    return n


@kernel
def write_seat(state, seat, first, out, n):
    """A seat's board, its features from `first` on."""
    wall = state.wall[seat]
    for row in range(5):
        in_row = 0
        for column in range(5):
            if (wall >> (5 * row + column)) & 1:
                in_row += 1
                out[n] = first + WALL + 5 * row + column
                n += 1
                if state.grey == 1:
                    tint = (state.tint[seat, row] >> (3 * column)) & 7
                    out[n] = first + TINT + (5 * row + column) * layout.COLOURS + tint - 1
                    n += 1
        out[n] = first + ROWS + 6 * row + in_row
        out[n + 1] = first + COLUMNS + 6 * row + popcount(wall & (layout.COLUMN << row))
        n += 2
        held = state.held[seat, row]
        if held > 0:
            out[n] = first + LINE + (row * layout.COLOURS + state.colour[seat, row]) * 5 + held - 1
            n += 1
    if state.grey == 0:
        for colour in range(layout.COLOURS):
            tiles = 0
            for row in range(5):
                tiles += (wall >> (5 * row + (row + colour) % 5)) & 1
            out[n] = first + KINDS + 6 * colour + tiles
            n += 1
    out[n] = first + FLOOR + state.floor[seat]
    out[n + 1] = first + POINTS + binned(state.points[seat], 0, 4, POINT_BINS)
    n += 2
    if starter(state) == seat:
        out[n] = first + STARTS
        n += 1
    return n


@kernel
def write_middle(state, out, n):
    """Rounds, centre, displays, bag and marker."""
    out[n] = LAP + min(state.lap, 9)
    n += 1
    for colour in range(layout.COLOURS):
        tiles = multisets.held(state.source[layout.CENTRE], colour, layout.FIELDS)
        if tiles > 0:
            out[n] = CENTRE + 12 * colour + min(tiles, 12) - 1
            n += 1
        for wanted in range(1, 5):
            displays = 0
            for source in range(1, 2 * state.seats + 2):
                tiles = multisets.held(state.source[source], colour, layout.FIELDS)
                displays += np.int64(tiles == wanted)
            if displays > 0:
                out[n] = DISPLAYS + (colour * 4 + wanted - 1) * 9 + displays - 1
                n += 1
        out[n] = BAG + 21 * colour + min(multisets.held(state.bag, colour, layout.FIELDS), 20)
        n += 1
    if state.marker < 0:
        out[n] = FREE_MARKER
        n += 1
    return n


@kernel
def points_lead(state, seat):
    """A seat's points less those of the best other."""
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, state.points[other])
    return state.points[seat] - best


N_TERMS = 9
TERM_NAMES = ("outlook", "paper", "lead", "points", "bonus", "floor", "lines", "marker", "turn")


@kernel
def write_terms(state, seat, out):
    """What the evaluations say, and the seat's own points, bonuses, floor and lines."""
    lines = 0.0
    for line in range(layout.N_LINES):
        lines += state.held[seat, line] / (line + 1.0)
    out[0] = outlook_value(state, seat, OUTLOOK[0])
    out[1] = paper_value(state, seat, PAPER[0])
    out[2] = points_lead(state, seat) / 50.0
    out[3] = state.points[seat] / 100.0
    out[4] = bonus(state, seat) / 50.0
    out[5] = layout.PENALTY[state.floor[seat]] / 14.0
    out[6] = lines / 5.0
    out[7] = 1.0 if starter(state) == seat else 0.0
    out[8] = 1.0 if to_move(state) == seat else 0.0
    return N_TERMS


FEATURES = {
    "table": FeatureSet(
        "sparse",
        write_table,
        N_TABLE,
        "boards, displays, centre, bag, and evaluations in bins",
        most=MOST_TABLE,
        version=2,
    ),
    "terms": FeatureSet("dense", write_terms, N_TERMS, "evaluations, points, lines and floor", names=TERM_NAMES),
}

# --- moves ---------------------------------------------------------------------------------------------

TAKEN = 0  # colour x line (the floor is the sixth) x tiles taken, 1 to 12
LEFT_OVER = TAKEN + layout.COLOURS * 6 * 12  # line x tiles that go to the floor, 0 to 12
FILLS = LEFT_OVER + 6 * 13  # the line, where the move completes it
FROM_CENTRE = FILLS + layout.N_LINES
WITH_MARKER = FROM_CENTRE + 1
TILED = WITH_MARKER + 1  # grey wall: row x column, or no place
N_MOVE = TILED + 30


@kernel
def write_move(state, action, out):
    """What a move takes, where it goes, and what falls on the floor."""
    if action >= layout.FIRST_TILING:
        out[0] = TILED + action - layout.FIRST_TILING
        return 1
    source = action // layout.A_SOURCE
    rest = action - source * layout.A_SOURCE
    colour = rest // 6
    line = rest - 6 * colour
    tiles = multisets.held(state.source[source], colour, layout.FIELDS)
    room = line + 1 - state.held[state.mover, line] if line < layout.FLOOR else 0
    out[0] = TAKEN + (colour * 6 + line) * 12 + min(tiles, 12) - 1
    out[1] = LEFT_OVER + 13 * line + min(max(tiles - room, 0), 12)
    n = 2
    if line < layout.FLOOR and tiles >= room:
        out[n] = FILLS + line
        n += 1
    if source == layout.CENTRE:
        out[n] = FROM_CENTRE
        n += 1
        if state.marker < 0:
            out[n] = WITH_MARKER
            n += 1
    return n


ACTION_FEATURES = {"takes": FeatureSet("sparse", write_move, N_MOVE, "tiles taken, line, floor", most=5)}
