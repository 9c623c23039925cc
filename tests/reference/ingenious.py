"""Ingenious (Einfach Genial), written from the rules page for clarity only.

Nothing here is meant to be fast. It is a yardstick for a faster engine.
Section and ruling numbers (section 6, ruling 4) are those of the rules as they were handed to the writer;
RULING A to RULING H below settle what they leave open.

Cells    Axial pairs (q, r), centre (0, 0), third coordinate s = -q - r. Drawn with pointed
         tops: q grows to the right along a row, r grows downwards, a row down also shifts half a
         cell to the right (x = sqrt(3) * (q + r/2), y = 1.5 * r). A cell is on the board when
         max(|q|, |r|, |s|) <= R; R = 5 for 2 players and solo, 6 for 3, 7 for 4 and teams.
Colours  One letter each, in this order: R red, G green, B blue, O orange, Y yellow, P purple.
Symbols  Printed on six cells of every board, at the corners of the radius-5 hexagon:
         R (0,-5) top left, G (5,-5) top right, B (5,0) right,
         O (0,5) bottom right, Y (-5,5) bottom left, P (-5,0) left.
Tiles    A kind is two letters in the order of the colours: "RR", "RG", ... "YP", "PP"; 21 kinds.
Moves    "RO q,r q,r"  the first letter goes on the first cell, the second on the second cell;
                       a double is written once, with the smaller cell (as a tuple) first
         "keep" "swap" only when the swap is allowed (section 8)
Chance   One tile a time; the outcome is its kind, the weight how many of them lie in the bag.

RULING A  Seat 0 begins; the random choice of the first player is left to whoever seats them.
RULING B  The opening hands are dealt seat by seat: six tiles to seat 0, then six to seat 1, ...
RULING C  Double-length tracks (solo, teams): the two sums of a double are one scoring, so together
          they stop at 18. A colour at 18 is at 0 of the second track, one score 0..36.
RULING D  Double-length tracks: "18 in all six" (section 9) is read as 36 in all six.
RULING E  Double-length tracks can earn six bonuses in a turn. A bonus owed with no tile left in
          the hand is lost, because bonuses are placed "from the remaining hand".
RULING F  An empty hand shows no lowest colour, so the swap is offered; it changes nothing.
RULING G  swap="report": the choice stays the player's, once a turn. After a "swap", hands of
          six are drawn until one shows a lowest colour, each time as in section 8 (the hand is set
          aside, six are drawn, then the aside go back). One of several lowest colours is enough.
RULING H  swap="report": if no tile in the bag shows a lowest colour, the redrawing stops.
"""

from __future__ import annotations

from collections import Counter

COLOURS = "RGBOYP"
SYMBOLS = {"R": (0, -5), "G": (5, -5), "B": (5, 0), "O": (0, 5), "Y": (-5, 5), "P": (-5, 0)}
DIRECTIONS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
RADIUS = {1: 5, 2: 5, 3: 6, 4: 7}  # by number of players
KINDS = [a + b for i, a in enumerate(COLOURS) for b in COLOURS[i:]]
HAND_SIZE = 6
N_TILES = 120
CHANCE = "chance"

Cell = tuple[int, int]


# ------------------------------------------------------------------ board and tiles (sections 1, 2)


def on_board(cell: Cell, radius: int) -> bool:
    """Tell whether a cell lies on the board of this radius (section 1)."""
    q, r = cell
    return max(abs(q), abs(r), abs(-q - r)) <= radius


def all_cells(radius: int) -> list[Cell]:
    """List the cells of a board in tuple order (section 1)."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if on_board((q, r), radius)]


def step(cell: Cell, direction: Cell) -> Cell:
    """Give the next cell in a direction; it may lie off the board."""
    return (cell[0] + direction[0], cell[1] + direction[1])


def distance(a: Cell, b: Cell) -> int:
    """Count the steps between two cells (section 1)."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(-dq - dr)) // 2


def full_bag() -> Counter:
    """Give all 120 tiles: five of each double, six of each pair (section 2)."""
    return Counter({kind: 5 if kind[0] == kind[1] else 6 for kind in KINDS})


# ------------------------------------------------------------------ one rule, one function


def symbols_touched(cells: list[Cell]) -> set[str]:
    """Name the start symbols that a tile on these two cells is adjacent to (section 5)."""
    return {colour for colour, symbol in SYMBOLS.items() if any(distance(cell, symbol) == 1 for cell in cells)}


def line_length(board: dict[Cell, str], cell: Cell, direction: Cell, colour: str) -> int:
    """Count the unbroken line of a colour that starts with the neighbour of a cell (section 6)."""
    length = 0
    cell = step(cell, direction)
    while board.get(cell) == colour:  # an empty cell and one off the board are not in the dict
        length += 1
        cell = step(cell, direction)
    return length


def half_points(board: dict[Cell, str], cell: Cell, partner: Cell, colour: str) -> int:
    """Score one half: the five directions that do not lead to the other half (section 6)."""
    return sum(
        line_length(board, cell, direction, colour) for direction in DIRECTIONS if step(cell, direction) != partner
    )


def tile_points(board: dict[Cell, str], kind: str, first: Cell, second: Cell) -> dict[str, int]:
    """Give the points a tile earns in each colour, before any stop at 18 (section 6)."""
    points = dict.fromkeys(COLOURS, 0)
    points[kind[0]] += half_points(board, first, second, kind[0])
    points[kind[1]] += half_points(board, second, first, kind[1])
    return points


def write_placement(kind: str, first: Cell, second: Cell) -> str:
    """Write a placement as text: "RO 0,-4 0,-3"."""
    return f"{kind} {first[0]},{first[1]} {second[0]},{second[1]}"


def read_placement(text: str) -> tuple[str, Cell, Cell]:
    """Take a placement apart again."""
    kind, *cells = text.split()
    (q1, r1), (q2, r2) = [[int(number) for number in cell.split(",")] for cell in cells]
    return kind, (q1, r1), (q2, r2)


# ------------------------------------------------------------------ the game


class Ingenious:
    """One game in progress; `play` changes it in place.

    `phase` is one of
        "deal"    chance: the opening hands are drawn (section 3)
        "place"   the seat on turn places a tile, the regular one or a bonus one
        "swap"    the seat on turn decides whether to swap its hand (section 8)
        "draw"    chance: the hand is filled up to six (section 4, step 5)
        "redraw"  chance: six new tiles are drawn while the old ones lie aside (section 8)
        "over"    nobody
    """

    def __init__(
        self, players: int, variant: str = "standard", swap: str = "voluntary", first_tile: str = "each"
    ) -> None:
        """Give a new game before the first tile is drawn.

        players     2, 3 or 4 for "standard"; 1 for "solo"; 4 for "teams"
        swap        "voluntary" (section 8) or "report" (section 10, there called `until_lowest`)
        first_tile  "each" (section 5) or "report" (section 10: the first player's alone touches a symbol)
        """
        allowed = {"standard": (2, 3, 4), "solo": (1,), "teams": (4,)}
        if variant not in allowed or players not in allowed[variant]:
            raise ValueError(f"no {variant!r} game for {players} players; there are: {allowed}")
        if swap not in ("voluntary", "report"):
            raise ValueError(f"swap is {swap!r}; it can be 'voluntary' or 'report'")
        self.players = players
        self.variant = variant
        self.swap_rule = swap
        self.first_tile_rule = first_tile
        self.radius = RADIUS[players]
        self.cells = all_cells(self.radius)
        self.stops = (18,) if variant == "standard" else (18, 36)  # where a score stops once

        self.board: dict[Cell, str] = {cell: colour for colour, cell in SYMBOLS.items()}
        self.bag = full_bag()
        self.hands: list[Counter] = [Counter() for _ in range(players)]
        self.aside: Counter = Counter()  # the old hand, while a swap draws the new one
        n_tracks = 2 if variant == "teams" else players
        self.tracks = [dict.fromkeys(COLOURS, 0) for _ in range(n_tracks)]
        self.first_tiles: dict[int, list[Cell]] = {}  # seat -> the cells of its first tile
        self.turn = 0  # RULING A
        self.bonuses_owed = 0  # by the seat on turn
        self.phase = "deal"
        self.ply = 0  # decisions made so far, chance not counted

    # -------------------------------------------------------------- what a caller asks

    def to_move(self) -> int | str | None:
        """Give the seat that decides, "chance", or None when the game is over."""
        if self.phase == "over":
            return None
        return self.turn if self.phase in ("place", "swap") else CHANCE

    def outcomes(self) -> dict[str, int]:
        """Give each kind of tile that can be drawn with its number in the bag; {} if not chance."""
        if self.to_move() != CHANCE:
            return {}
        return {kind: self.bag[kind] for kind in KINDS if self.bag[kind] > 0}

    def moves(self) -> list[str]:
        """List the legal moves in plain string order; [] at chance and when over."""
        if self.phase == "place":
            return sorted(self.placements())
        return ["keep", "swap"] if self.phase == "swap" else []

    def scores(self) -> list[list[int]]:
        """Give the scores of each seat in the order RGBOYP; partners have the same row."""
        return [[self.track(seat)[colour] for colour in COLOURS] for seat in range(self.players)]

    def ranks(self) -> list[int]:
        """Rank the seats of a finished game: scores sorted low to high, as words (section 9).

        18 in all six colours sorts above everything else, so that way to win needs no own rule.
        """
        if self.phase != "over":
            raise ValueError("the game is not over")
        words = [sorted(row) for row in self.scores()]
        return [1 + sum(other > word for other in words) for word in words]

    def snapshot(self) -> dict:
        """Give the whole state as plain data; kinds with none in the bag or hand are left out."""
        return {
            "board": dict(self.board),  # start symbols included
            "hands": [positive(hand) for hand in self.hands],
            "bag": positive(self.bag),
            "aside": positive(self.aside),
            "scores": self.scores(),
            "bonuses_owed": self.bonuses_owed,
            "turn": self.turn,  # whose turn it is, at chance too
            "to_move": self.to_move(),
            "phase": self.phase,
            "first_tiles": {seat: list(cells) for seat, cells in self.first_tiles.items()},
            "ply": self.ply,
        }

    def play(self, text: str) -> None:
        """Carry out a legal move, or an outcome when chance is to move."""
        if text not in (self.outcomes() if self.to_move() == CHANCE else self.moves()):
            raise ValueError(f"not possible here (phase {self.phase}): {text!r}")
        if self.to_move() == CHANCE:
            self.draw(text)
            return
        self.ply += 1
        if text == "keep":
            self.phase = "draw"
        elif text == "swap":
            self.set_hand_aside()
        else:
            self.place(*read_placement(text))

    # -------------------------------------------------------------- placing (sections 4 to 7)

    def empty(self, cell: Cell) -> bool:
        """Tell whether a cell is on the board and free; start symbols are occupied (section 1)."""
        return on_board(cell, self.radius) and cell not in self.board

    def positions(self) -> list[tuple[Cell, Cell]]:
        """List every ordered pair of adjacent empty cells (section 4, step 1)."""
        return [
            (cell, step(cell, direction))
            for cell in self.cells
            for direction in DIRECTIONS
            if self.empty(cell) and self.empty(step(cell, direction))
        ]

    def placements(self) -> list[str]:
        """List every placement of a tile in hand; two equal tiles give the same moves once."""
        kinds = [kind for kind in KINDS if self.hands[self.turn][kind] > 0]
        return [
            write_placement(kind, first, second)
            for first, second in self.positions()
            if self.first_round_allows(first, second)
            for kind in kinds
            if kind[0] != kind[1] or first < second  # a double has one way to lie in a position
        ]

    def first_round_allows(self, first: Cell, second: Cell) -> bool:
        """Check that a first tile touches a symbol no other first tile touches (section 5)."""
        if self.turn in self.first_tiles or (self.first_tile_rule == "report" and self.turn > 0):
            return True
        used = set()
        for cells in self.first_tiles.values():
            used |= symbols_touched(cells)
        return len(symbols_touched([first, second]) - used) > 0

    def place(self, kind: str, first: Cell, second: Cell) -> None:
        """Place a tile, score it, and find out what comes next in the turn (section 4)."""
        if self.bonuses_owed > 0:  # then this placement is one of them
            self.bonuses_owed -= 1
        if self.turn not in self.first_tiles:
            self.first_tiles[self.turn] = [first, second]
        points = tile_points(self.board, kind, first, second)
        self.hands[self.turn][kind] -= 1
        self.board[first], self.board[second] = kind[0], kind[1]
        for colour in COLOURS:
            self.add_points(colour, points[colour])
        self.continue_turn()

    def add_points(self, colour: str, points: int) -> None:
        """Add points up to the next stop; reaching it earns a bonus (sections 6, 7, 10).

        A score on a stop looks for the one above it, so each stop gives its bonus once.
        """
        track = self.track(self.turn)
        stops_above = [stop for stop in self.stops if stop > track[colour]]
        if not stops_above:
            return  # points above the last stop are lost
        stop = stops_above[0]
        track[colour] = min(track[colour] + points, stop)
        if track[colour] == stop:
            self.bonuses_owed += 1

    def continue_turn(self) -> None:
        """Choose the phase after a scored placement: end, bonus, swap or draw (section 4)."""
        if self.is_finished():
            self.phase = "over"
            self.bonuses_owed = 0  # ruling 6: what is owed is lost
            return
        if self.hand_size() == 0:
            self.bonuses_owed = 0  # RULING E
        if self.bonuses_owed > 0:
            self.phase = "place"
        elif self.may_swap():
            self.phase = "swap"
        else:
            self.phase = "draw"

    def is_finished(self) -> bool:
        """Tell whether no tile fits any more or a score board is full (section 9)."""
        no_room = not self.positions()
        full = all(score == self.stops[-1] for score in self.track(self.turn).values())
        return no_room or full

    # -------------------------------------------------------------- swapping (section 8)

    def lowest_colours(self) -> set[str]:
        """Name all colours in which the seat on turn has its lowest score (section 8)."""
        track = self.track(self.turn)
        return {colour for colour in COLOURS if track[colour] == min(track.values())}

    def may_swap(self) -> bool:
        """Tell whether no tile in the hand shows any of the lowest colours (section 8)."""
        return not shows_any(self.hands[self.turn], self.lowest_colours())

    def set_hand_aside(self) -> None:
        """Begin a swap: the old hand waits outside the bag until six tiles are drawn."""
        self.aside = self.hands[self.turn]
        self.hands[self.turn] = Counter()
        self.phase = "redraw"

    def end_redraw(self) -> None:
        """Return the old hand to the bag once the six new tiles are drawn (section 8)."""
        self.bag += self.aside
        self.aside = Counter()
        is_lacking = self.swap_rule == "report" and self.may_swap()  # RULING G: still no lowest colour
        if is_lacking and shows_any(self.bag, self.lowest_colours()):  # RULING H
            self.set_hand_aside()
            return
        self.next_turn()

    # -------------------------------------------------------------- drawing (sections 3 and 4)

    def draw(self, kind: str) -> None:
        """Move one tile from the bag to the hand of the seat on turn; a sixth ends the drawing."""
        self.bag[kind] -= 1
        self.hands[self.turn][kind] += 1
        if self.hand_size() < HAND_SIZE:
            return
        if self.phase == "redraw":
            self.end_redraw()
        elif self.phase == "deal":
            self.next_deal()
        else:
            self.next_turn()

    def next_deal(self) -> None:
        """Deal to the next seat, or let seat 0 begin when all have six (RULINGS A, B)."""
        if self.turn + 1 < self.players:
            self.turn += 1
        else:
            self.turn = 0
            self.phase = "place"

    def next_turn(self) -> None:
        """Pass the turn clockwise, to the next seat (section 3)."""
        self.turn = (self.turn + 1) % self.players
        self.phase = "place"

    # -------------------------------------------------------------- small helpers

    def track(self, seat: int) -> dict[str, int]:
        """Give the scores of a seat; in teams seats 0 and 2 share one, 1 and 3 another."""
        return self.tracks[seat % len(self.tracks)]

    def hand_size(self) -> int:
        """Count the tiles in the hand of the seat on turn."""
        return sum(self.hands[self.turn].values())


def positive(tiles: Counter) -> dict[str, int]:
    """Give the kinds that are there with their numbers, in the order of KINDS."""
    return {kind: tiles[kind] for kind in KINDS if tiles[kind] > 0}


def shows_any(tiles: Counter, colours: set[str]) -> bool:
    """Tell whether any of these tiles has one of these colours on a half."""
    return any(tiles[kind] > 0 and set(kind) & colours for kind in KINDS)
