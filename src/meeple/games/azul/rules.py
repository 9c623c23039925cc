"""Azul: the rules, compiled.

Two to four seats. Each round the displays are filled with four tiles each; a move takes all tiles of one colour
from a display or from the centre and lays them on one pattern line or on the floor line. When all are taken, every
full line puts one tile on the wall, which scores by its neighbours, and the floor costs points. The round in which
a wall row is completed is the last; rows, columns and colours of the final wall give a bonus.

State   STATE below; a set of tiles is five counts of six bits, one a colour (20 at most, so sums never carry)
Action  taking tiles, or (grey wall) laying a tile: ACTION TABLE below
Chance  0..4, the colour of the tile drawn from the bag
Hidden  nothing but the fate
Source  docs/games/azul.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.kernel import kernel

COLOURS = 5  # blue, yellow, red, black, white, in this order everywhere (RULING 10)
COPIES = 20  # tiles of a colour
N_LINES = 5  # pattern lines; line i holds i + 1 tiles
A_DISPLAY = 4  # tiles on a display
FLOOR_SLOTS = 7
PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)  # for so many occupied floor slots
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10
SEATS = (2, 4)
MOST_SEATS = 4
MOST_SOURCES = 2 * MOST_SEATS + 2  # the centre and 2n + 1 displays
CENTRE = 0  # its place among the sources

# Options, in the order in which game.py declares them.
GREY, CAP = 0, 1  # places in `options`
CAPS = np.array([1_000, 30], dtype=np.int64)  # rounds after which the game ends all the same (RULING 7)

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("source", np.int32, (MOST_SOURCES,)),  # tiles in the centre and on display 1, 2 ...
            ("bag", np.int32),
            ("lid", np.int32),  # also holds the tiles that lie on floor lines
            ("open", np.int32, (MOST_SEATS,)),  # bit 6k + i: line i takes colour k; bit 6k + 5, the floor: always
            ("wall", np.int32, (MOST_SEATS,)),  # bit 5r + c: row r, column c is filled
            ("tint", np.int16, (MOST_SEATS, 5)),  # grey wall: row r, three bits a cell: 0, or its colour + 1
            ("points", np.int16, (MOST_SEATS,)),
            ("held", np.int8, (MOST_SEATS, N_LINES)),  # tiles on the line, 0..i+1
            ("colour", np.int8, (MOST_SEATS, N_LINES)),  # of the line, 0 where it is empty
            ("floor", np.int8, (MOST_SEATS,)),  # occupied slots, the marker's too, 0..7
            ("mover", np.int8),  # a seat, CHANCE or NOBODY
            ("first", np.int8),  # who started this round
            ("marker", np.int8),  # -1: in the centre; else the seat that took it in this round
            ("draws", np.int8),  # tiles still to be drawn for this round
            ("left", np.int8),  # tiles on displays and in the centre
            ("lap", np.int16),  # rounds finished
            ("cap", np.int16),  # rounds after which the game ends
            ("seats", np.int8),
            ("grey", np.int8),  # 1: the wall has no printed colours
        ],
    )
)

# ACTION TABLE
#   source * 30 + colour * 6 + line   take the tiles of a colour from the centre (0) or a display (1..9) and lay
#                                     them on pattern line 0..4 or on the floor (5)
#   300 + row * 6 + column            grey wall: the tile of the full line goes to this cell; column 5: it has no
#                                     place, and the whole line goes to the floor
A_SOURCE = 30
FLOOR = 5
FIRST_TILING = MOST_SOURCES * A_SOURCE
ACTIONS = FIRST_TILING + 5 * 6
MAX_ACTIONS = (MOST_SOURCES - 1) * A_DISPLAY * 6 + A_SOURCE  # four colours a display, five in the centre
OUTCOMES = COLOURS

ONE_EACH = 0b000001_000001_000001_000001_000001  # a tile of each colour; or a line, in every colour
ALMOST = 31 * ONE_EACH  # added to counts of at most 20, it makes bit 5 say whether there is any
EVERYTHING = (1 << 30) - 1
ROW = 31  # a whole row of the wall
COLUMN = 0b00001_00001_00001_00001_00001  # the first column of the wall
SPREAD = np.zeros(32, dtype=np.int64)  # a set of colours as bits 6k
RUN = np.zeros((32, 5), dtype=np.int64)  # length of the unbroken run through a place in five cells
for _cells in range(32):
    for _place in range(5):
        SPREAD[_cells] |= ((_cells >> _place) & 1) << (6 * _place)
        _from = _to = _place
        while _from > 0 and (_cells >> (_from - 1)) & 1:
            _from -= 1
        while _to < 4 and (_cells >> (_to + 1)) & 1:
            _to += 1
        RUN[_cells, _place] = _to - _from + 1

CHECKS = (
    "each colour must have twenty tiles in all",
    "the tiles on displays and in the centre must be as many as their count, and none where chance begins a round",
    "a pattern line must not be overfull, and an empty one has no colour",
    "a line must not hold a colour that its wall row has",
    "the lines that are open to a colour must be those that the rules allow",
    "a floor line has 0 to 7 occupied slots, the marker's among them, and its tiles lie in the lid",
    "a row of the wall takes one tile a round",
    "a grey wall must not have a colour twice in a row or a column",
    "a full row ends the game",
    "a display holds four tiles at most",
    "the bag must not be empty while tiles are to be drawn",
    "whoever is to move must have something to take or to lay",
)


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.source[:] = 0
    state.bag = COPIES * ONE_EACH
    state.lid = 0
    state.open[:] = 0
    for seat in range(seats):
        state.open[seat] = EVERYTHING
    state.wall[:] = 0
    state.tint[:, :] = 0
    state.points[:] = 0
    state.held[:, :] = 0
    state.colour[:, :] = 0
    state.floor[:] = 0
    state.first = 0
    state.left = 0
    state.lap = 0
    state.cap = CAPS[options[CAP]]
    state.seats = seats
    state.grey = options[GREY]
    start_round(state)


@kernel
def start_round(state):
    """The marker goes to the centre, and the displays are to be filled."""
    state.marker = -1
    state.draws = tiles_a_round(state)
    state.mover = CHANCE
    pour(state)


@kernel
def tiles_a_round(state):
    """Tiles on all displays: 20, 28 or 36."""
    return A_DISPLAY * (2 * np.int64(state.seats) + 1)


@kernel
def pour(state):
    """Where a tile is needed and the bag is empty, the lid goes into the bag; with no tile to draw, play begins."""
    if state.draws > 0 and state.bag == 0:
        state.bag = state.lid
        state.lid = 0
        if state.bag == 0:
            state.draws = 0
    if state.draws == 0:
        begin_offer(state)


@kernel
def begin_offer(state):
    """The first player is to move; RULING 5: without a single tile the game is over."""
    if state.left > 0:
        state.mover = state.first
    else:
        finish(state)


@kernel
def to_move(state):
    return np.int64(state.mover)


@kernel
def legal_actions(state, out):
    if state.left == 0:
        return legal_tilings(state, out)
    n = 0
    allowed = np.int64(state.open[state.mover])
    for source in range(2 * np.int64(state.seats) + 2):
        moves = moves_from(np.int64(state.source[source]), allowed)
        base = source * A_SOURCE
        while moves:
            out[n] = base + lowest_bit(moves)
            n += 1
            moves &= moves - 1
    return n


@kernel
def moves_from(tiles, allowed):
    """The moves with a source that holds `tiles`, as bits 6 * colour + line: what is there and what is allowed."""
    colours = ((tiles + ALMOST) >> 5) & ONE_EACH
    return ((colours << 6) - colours) & allowed


@kernel
def legal_tilings(state, out):
    """Grey wall: the cells that the mover's topmost full line may go to, or the floor where there is none."""
    row = full_line(state, np.int64(state.mover))
    cells = free_cells(state, np.int64(state.mover), row)
    base = FIRST_TILING + row * 6
    if cells == 0:
        out[0] = base + FLOOR
        return 1
    n = 0
    while cells:
        out[n] = base + lowest_bit(cells)
        n += 1
        cells &= cells - 1
    return n


@kernel
def full_line(state, seat):
    """The seat's topmost full pattern line, or -1."""
    for line in range(N_LINES):
        if state.held[seat, line] == line + 1:
            return np.int64(line)
    return np.int64(-1)


@kernel
def free_cells(state, seat, row):
    """Grey wall: the cells of the row that the colour of its full line may go to, as five bits."""
    tile = np.int64(state.colour[seat, row]) + 1
    taken = (np.int64(state.wall[seat]) >> (5 * row)) & ROW
    for other in range(5):
        tints = np.int64(state.tint[seat, other])
        for column in range(5):
            if (tints >> (3 * column)) & 7 == tile:
                taken |= ROW if other == row else 1 << column
    return ROW & ~taken


@kernel
def chance_weights(state, out):
    bag = np.int64(state.bag)
    for colour in range(COLOURS):
        out[colour] = (bag >> (6 * colour)) & 63


@kernel
def chance_key(state):
    """The round and the slot."""
    return np.int64(state.lap) * 64 + tiles_a_round(state) - np.int64(state.draws)


@kernel
def apply(state, action):
    if state.mover == CHANCE:
        draw_tile(state, action)
    elif action < FIRST_TILING:
        take_tiles(state, action)
    else:
        lay_tile(state, action - FIRST_TILING)


@kernel
def draw_tile(state, colour):
    """Put a tile from the bag on the next slot of the displays."""
    slot = tiles_a_round(state) - np.int64(state.draws)
    tile = 1 << (6 * colour)
    state.bag -= tile
    state.source[1 + (slot >> 2)] += tile
    state.left += 1
    state.draws -= 1
    pour(state)


@kernel
def take_tiles(state, action):
    """Take all tiles of a colour from a source and lay them on a line or on the floor."""
    seat = np.int64(state.mover)
    source = action // A_SOURCE
    bit = action - source * A_SOURCE
    colour = bit // 6
    line = bit - colour * 6
    tiles = np.int64(state.source[source])
    taken = (tiles >> (6 * colour)) & 63
    rest = tiles & ~(63 << (6 * colour))
    floor = np.int64(state.floor[seat])
    if source == CENTRE:
        state.source[CENTRE] = rest
        if state.marker < 0:
            # RULINGS 1, 2: the marker takes its slot first; with a full floor it is taken all the same.
            state.marker = seat
            floor += 1
    else:
        state.source[source] = 0
        state.source[CENTRE] += rest
    excess = taken
    if line != FLOOR:
        held = np.int64(state.held[seat, line])
        placed = min(taken, line + 1 - held)
        excess = taken - placed
        held += placed
        state.held[seat, line] = held
        state.colour[seat, line] = colour
        # From now on the line takes this colour alone, and none once it is full.
        lines = np.int64(state.open[seat]) & ~(ONE_EACH << line)
        if held <= line:
            lines |= 1 << bit
        state.open[seat] = lines
    if excess > 0:
        floor += excess
        state.lid += excess << (6 * colour)
    state.floor[seat] = min(np.int64(FLOOR_SLOTS), floor)
    state.left -= taken
    if state.left > 0:
        state.mover = seat + 1 if seat + 1 < state.seats else 0
    else:
        tile_walls(state)


@kernel
def tile_walls(state):
    """The wall-tiling phase: at once where the wall is coloured, by moves of its owners where it is grey."""
    if state.grey == 1:
        next_tiling(state)
        return
    for seat in range(state.seats):
        for line in range(N_LINES):
            if state.held[seat, line] == line + 1:
                column = line + np.int64(state.colour[seat, line])
                fill_cell(state, np.int64(seat), np.int64(line), column if column < 5 else column - 5)
    end_round(state)


@kernel
def fill_cell(state, seat, row, column):
    """Put a tile of a full line on the wall and score it; the others go to the lid, and the line is empty."""
    colour = np.int64(state.colour[seat, row])
    wall = np.int64(state.wall[seat]) | (1 << (5 * row + column))
    state.wall[seat] = wall
    if state.grey == 1:
        state.tint[seat, row] += (colour + 1) << (3 * column)
    state.points[seat] += tile_points(wall, row, column)
    state.lid += row << (6 * colour)
    clear_line(state, seat, row)


@kernel
def clear_line(state, seat, row):
    """Empty a line and open it to the colours that its wall row lacks."""
    state.held[seat, row] = 0
    state.colour[seat, row] = 0
    state.open[seat] |= SPREAD[31 & ~row_colours(state, seat, row)] << row


@kernel
def row_colours(state, seat, row):
    """The colours on a row of the wall, as five bits."""
    if state.grey == 1:
        tints = np.int64(state.tint[seat, row])
        colours = np.int64(0)
        for column in range(5):
            colours |= (1 << ((tints >> (3 * column)) & 7)) >> 1
        return colours
    # Colour k is in column (row + k) mod 5: turn the row back.
    cells = (np.int64(state.wall[seat]) >> (5 * row)) & ROW
    return ((cells | (cells << 5)) >> row) & 31


@kernel
def tile_points(wall, row, column):
    """What a tile just placed scores: the runs through it, each if longer than itself; alone, one point."""
    across = RUN[(wall >> (5 * row)) & ROW, column]
    cells = (wall >> column) & COLUMN
    down = RUN[(cells | (cells >> 4) | (cells >> 8) | (cells >> 12) | (cells >> 16)) & 31, row]
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@kernel
def lay_tile(state, code):
    """Grey wall: lay the tile of the mover's topmost full line, or drop the line where it has no place."""
    seat = np.int64(state.mover)
    row = code // 6
    column = code - row * 6
    if column == FLOOR:
        state.lid += (row + 1) << (6 * np.int64(state.colour[seat, row]))
        state.floor[seat] = min(np.int64(FLOOR_SLOTS), np.int64(state.floor[seat]) + row + 1)
        clear_line(state, seat, row)
    else:
        fill_cell(state, seat, row, column)
    next_tiling(state)


@kernel
def next_tiling(state):
    """RULING 8: whoever has a full line, in turn order from the round's first player, lays its tile."""
    seats = np.int64(state.seats)
    for turn in range(seats):
        seat = (np.int64(state.first) + turn) % seats
        if full_line(state, seat) >= 0:
            state.mover = seat
            return
    end_round(state)


@kernel
def end_round(state):
    """The floors cost points, once and never below zero (RULING 6); then the next round, or the end."""
    is_last = False
    for seat in range(state.seats):
        points = np.int64(state.points[seat]) - PENALTY[state.floor[seat]]
        state.points[seat] = max(np.int64(0), points)
        state.floor[seat] = 0
        is_last = is_last or full_rows(np.int64(state.wall[seat])) != 0
    state.lap += 1
    if state.marker >= 0:  # RULING 3: never taken, the same player starts again
        state.first = state.marker
    if is_last or state.lap >= state.cap:
        state.marker = -1
        finish(state)
    else:
        start_round(state)


@kernel
def full_rows(wall):
    """The full rows of a wall, as bits 5r."""
    pairs = wall & (wall >> 1)
    return pairs & (pairs >> 2) & (wall >> 4) & COLUMN


@kernel
def finish(state):
    """The final bonuses; the game is over."""
    for seat in range(state.seats):
        state.points[seat] += bonus(state, np.int64(seat))
    state.mover = NOBODY


@kernel
def bonus(state, seat):
    """What the rows, columns and colours of a wall give at the end."""
    wall = np.int64(state.wall[seat])
    columns = np.int64(ROW)
    colours = np.int64(31)
    for row in range(5):
        columns &= wall >> (5 * row)
        colours &= row_colours(state, seat, np.int64(row))
    return ROW_BONUS * popcount(full_rows(wall)) + COLUMN_BONUS * popcount(columns) + COLOUR_BONUS * popcount(colours)


@kernel
def redeal(state, seat, rng):
    """Only the order of the draws is unknown."""
    state.fate = fresh_fate(rng)


@kernel
def ranks(state, out):
    """By points, then by full rows; equals share a place."""
    for seat in range(state.seats):
        mine = standing(state, np.int64(seat))
        out[seat] = 1
        for other in range(state.seats):
            if standing(state, np.int64(other)) > mine:
                out[seat] += 1


@kernel
def standing(state, seat):
    """Points and full rows in one number."""
    return np.int64(state.points[seat]) * 8 + popcount(full_rows(np.int64(state.wall[seat])))


@kernel
def score(state, seat):
    return np.int64(state.points[seat])


@kernel
def round_index(state):
    """After the end it stays at the last round."""
    return np.int64(state.lap) - np.int64(state.mover == NOBODY)


@kernel
def count_actions(state):
    if state.left == 0:
        seat = np.int64(state.mover)
        return max(np.int64(1), popcount(free_cells(state, seat, full_line(state, seat))))
    n = np.int64(0)
    allowed = np.int64(state.open[state.mover])
    for source in range(2 * np.int64(state.seats) + 2):
        n += popcount(moves_from(np.int64(state.source[source]), allowed))
    return n


@kernel
def is_legal(state, action):
    if action < 0 or action >= ACTIONS:
        return False
    if state.left == 0:
        seat = np.int64(state.mover)
        row = full_line(state, seat)
        column = action - FIRST_TILING - row * 6
        cells = free_cells(state, seat, row)
        return column == FLOOR if cells == 0 else 0 <= column < 5 and (cells >> column) & 1 == 1
    source = action // A_SOURCE
    if source >= 2 * np.int64(state.seats) + 2:
        return False
    moves = moves_from(np.int64(state.source[source]), np.int64(state.open[state.mover]))
    return (moves >> (action - source * A_SOURCE)) & 1 == 1


@kernel
def pick(state, rng):
    """The action at place draw(rng, n) of the list, without the list."""
    k = draw(rng, count_actions(state))
    if state.left == 0:
        return pick_tiling(state, k)
    allowed = np.int64(state.open[state.mover])
    source = np.int64(0)
    moves = moves_from(np.int64(state.source[0]), allowed)
    n = popcount(moves)
    while k >= n:
        k -= n
        source += 1
        moves = moves_from(np.int64(state.source[source]), allowed)
        n = popcount(moves)
    while k > 0:
        moves &= moves - 1
        k -= 1
    return source * A_SOURCE + lowest_bit(moves)


@kernel
def pick_tiling(state, k):
    """Grey wall: the k-th cell on offer, or the floor where there is none."""
    seat = np.int64(state.mover)
    row = full_line(state, seat)
    cells = free_cells(state, seat, row)
    if cells == 0:
        return FIRST_TILING + row * 6 + FLOOR
    while k > 0:
        cells &= cells - 1
        k -= 1
    return FIRST_TILING + row * 6 + lowest_bit(cells)


@kernel
def settle(state):
    """All draws that fate brings, with the bag kept in registers."""
    if state.mover != CHANCE:
        return
    fate = np.int64(state.fate)
    key = chance_key(state)
    draws = np.int64(state.draws)
    bag = np.int64(state.bag)
    total = size_of(bag)
    source = 1 + ((tiles_a_round(state) - draws) >> 2)
    tiles = np.int64(state.source[source])
    while draws > 0:
        if total == 0:
            bag = np.int64(state.lid)
            state.lid = 0
            total = size_of(bag)
            if total == 0:
                break
        tile = nth_tile(bag, roll(fate, key, total))
        key += 1
        bag -= tile
        tiles += tile
        total -= 1
        draws -= 1
        state.left += 1
        if draws & 3 == 0:  # every display has four slots, so its last leaves a multiple of four
            state.source[source] = tiles
            source += 1
            tiles = np.int64(0)
    if tiles:
        state.source[source] = tiles
    state.bag = bag
    state.draws = 0
    begin_offer(state)


@kernel
def size_of(tiles):
    """How many tiles a set holds."""
    return (tiles & 63) + ((tiles >> 6) & 63) + ((tiles >> 12) & 63) + ((tiles >> 18) & 63) + (tiles >> 24)


@kernel
def nth_tile(tiles, n):
    """The n-th tile of a set in the order of colours, as a set of one."""
    first = tiles & 63
    second = first + ((tiles >> 6) & 63)
    third = second + ((tiles >> 12) & 63)
    fourth = third + ((tiles >> 18) & 63)
    colour = np.int64(n >= first) + np.int64(n >= second) + np.int64(n >= third) + np.int64(n >= fourth)
    return np.int64(1) << (6 * colour)


@kernel
def check(state):
    for colour in range(COLOURS):
        if count_colour(state, np.int64(colour)) != COPIES:
            return 1
    fault = check_sources(state)
    for seat in range(state.seats):
        if fault == 0:
            fault = check_lines(state, np.int64(seat))
        if fault == 0:
            fault = check_wall(state, np.int64(seat))
    return fault if fault != 0 else check_phase(state)


@kernel
def count_colour(state, colour):
    """Tiles of a colour, wherever they are."""
    shift = 6 * colour
    n = ((np.int64(state.bag) >> shift) & 63) + ((np.int64(state.lid) >> shift) & 63)
    for source in range(MOST_SOURCES):
        n += (np.int64(state.source[source]) >> shift) & 63
    for seat in range(state.seats):
        for row in range(5):
            n += (row_colours(state, np.int64(seat), np.int64(row)) >> colour) & 1
            if state.colour[seat, row] == colour:
                n += np.int64(state.held[seat, row])
    return n


@kernel
def check_sources(state):
    """The displays and the centre."""
    n = np.int64(0)
    for source in range(MOST_SOURCES):
        tiles = size_of(np.int64(state.source[source]))
        n += tiles
        if source != CENTRE and tiles > A_DISPLAY:
            return 10
        if source >= 2 * np.int64(state.seats) + 2 and tiles > 0:
            return 2
    if n != state.left or (state.mover == CHANCE and n != tiles_a_round(state) - np.int64(state.draws)):
        return 2
    return 0


@kernel
def check_lines(state, seat):
    """A seat's pattern lines, and which colours they are open to."""
    lines = np.int64(ONE_EACH) << FLOOR
    for line in range(N_LINES):
        held = np.int64(state.held[seat, line])
        colour = np.int64(state.colour[seat, line])
        if held < 0 or held > line + 1 or (held == 0 and colour != 0) or colour < 0 or colour >= COLOURS:
            return 3
        colours = row_colours(state, seat, np.int64(line))
        if held > 0 and (colours >> colour) & 1:
            return 4
        if held == 0:
            lines |= SPREAD[31 & ~colours] << line
        elif held <= line:
            lines |= 1 << (6 * colour + line)
    return 0 if lines == state.open[seat] else 5


@kernel
def check_wall(state, seat):
    """A seat's wall: a tile a row and round; in grey no colour twice in a row or column."""
    wall = np.int64(state.wall[seat])
    is_tiling = state.mover >= 0 and state.left == 0
    rounds = np.int64(state.lap) + np.int64(is_tiling)
    for row in range(5):
        if popcount((wall >> (5 * row)) & ROW) > rounds:
            return 7
    if state.mover != NOBODY and not is_tiling and full_rows(wall) != 0:
        return 9
    if state.grey == 1:
        return check_tints(state, seat)
    return 0


@kernel
def check_tints(state, seat):
    """Every filled cell of a grey wall has a colour, and no colour comes twice in a row or column."""
    in_column = np.zeros(5, np.int64)
    for row in range(5):
        in_row = np.int64(0)
        for column in range(5):
            tint = (np.int64(state.tint[seat, row]) >> (3 * column)) & 7
            is_filled = (np.int64(state.wall[seat]) >> (5 * row + column)) & 1 == 1
            bit = np.int64(1) << tint
            if is_filled != (tint > 0) or tint > COLOURS:
                return 8
            if tint > 0 and (in_row & bit or in_column[column] & bit):
                return 8
            if tint > 0:
                in_row |= bit
                in_column[column] |= bit
    return 0


@kernel
def check_phase(state):
    """The floors, the marker, and that whoever is to move can."""
    on_floors = np.int64(0)
    for seat in range(state.seats):
        floor = np.int64(state.floor[seat])
        on_floors += floor - np.int64(state.marker == seat)
        if floor < np.int64(state.marker == seat) or floor > FLOOR_SLOTS:
            return 6
        if floor > 0 and state.mover < 0:
            return 6
    if on_floors > size_of(np.int64(state.lid)):
        return 6
    if state.mover == CHANCE and (state.bag == 0 or state.draws <= 0):
        return 11
    if state.mover >= 0 and state.left == 0 and (state.grey == 0 or full_line(state, np.int64(state.mover)) < 0):
        return 12
    return 0
