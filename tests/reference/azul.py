"""Azul for two to four players, written for clarity only.

Nothing here is meant to be fast. It is a yardstick for a faster engine, made from
the rules page alone; "section" and "ruling" below are the numbers of that page.

A tile is its colour name. Rows, columns and lines are counted from 0 inside and
from 1 in the text of a move. Filling the displays is chance, one tile an event.

Moves     "F2 blue 4", "F2 blue floor", "centre red 1", "centre red floor"
          "row 3 column 2" (grey side only: where the tile of a full line goes)
Outcomes  "blue", "yellow", "red", "black", "white"
"""

from __future__ import annotations

from dataclasses import dataclass, field

COLOURS = ["blue", "yellow", "red", "black", "white"]  # ruling 10: B, Y, R, K, W
TILES_OF_A_COLOUR = 20
DISPLAY_SIZE = 4
FLOOR_WORTH = [1, 1, 2, 2, 2, 3, 3]  # points lost for each slot, left to right
MARKER = "marker"
CHANCE = "chance"
PRINTED_WALL = [
    ["blue", "yellow", "red", "black", "white"],
    ["white", "blue", "yellow", "red", "black"],
    ["black", "white", "blue", "yellow", "red"],
    ["red", "black", "white", "blue", "yellow"],
    ["yellow", "red", "black", "white", "blue"],
]


@dataclass
class Board:
    """What lies in front of one seat."""

    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in range(5)])
    wall: list[list[str | None]] = field(default_factory=lambda: [[None] * 5 for _ in range(5)])
    floor: list[str] = field(default_factory=list)  # colours and perhaps the marker, at most 7
    score: int = 0


class Azul:
    """One game in progress; `play` changes it in place."""

    def __init__(self, players: int, wall: str = "coloured", round_cap: int | None = None):
        """Set up (section 2), with seat 0 as first player and no display filled yet."""
        if players not in (2, 3, 4) or wall not in ("coloured", "grey"):
            raise ValueError(f"no such game: {players} players, {wall!r} wall")
        if round_cap is not None and round_cap < 1:
            raise ValueError(f"a game has at least one round, not {round_cap}")
        self.players, self.wall_side, self.round_cap = players, wall, round_cap
        self.bag = dict.fromkeys(COLOURS, TILES_OF_A_COLOUR)
        self.lid = dict.fromkeys(COLOURS, 0)
        self.displays: list[list[str]] = [[] for _ in range(2 * players + 1)]
        self.centre: list[str] = []
        self.boards = [Board() for _ in range(players)]
        self.first_player = 0  # who starts the round being filled, played or tiled
        self.marker_holder: int | None = 0  # None while the marker lies in the centre
        self.round_number = 0
        self.phase = "fill"  # then "offer", "tiling" and "fill" again; at last "over"
        self.mover = 0  # the seat that takes or tiles
        self.seats_to_tile: list[int] = []  # in "tiling": the seat at work, then those after it
        self.row_to_tile = 0  # in "tiling": rows above this one are done
        self.cap_hit = False
        self._go_on_filling()

    # What a caller may ask.

    def to_move(self) -> int | str | None:
        """Give the seat to move, "chance" while displays are filled, None when over."""
        if self.phase == "over":
            return None
        return CHANCE if self.phase == "fill" else self.mover

    def outcomes(self) -> dict[str, int]:
        """Give how many tiles of each colour the bag holds, for the next tile drawn."""
        if self.phase != "fill":
            return {}
        return {colour: n for colour, n in self.bag.items() if n > 0}

    def moves(self) -> list[str]:
        """List the legal moves of the seat to move, sorted as text."""
        if self.phase == "offer":
            return sorted(self._offer_moves())
        if self.phase == "tiling":
            columns = self._allowed_columns(self.mover, self.row_to_tile)
            return sorted(f"row {self.row_to_tile + 1} column {c + 1}" for c in columns)
        return []

    def play(self, text: str) -> None:
        """Carry out a move or an outcome, then all that follows without a choice."""
        if text not in self.moves() and text not in self.outcomes():
            raise ValueError(f"not possible here: {text!r}")
        if self.phase == "fill":
            self._draw(text)
        elif self.phase == "offer":
            self._take(text)
        else:
            self._place(self.mover, self.row_to_tile, int(text.split()[3]) - 1)
            self._go_on_tiling()

    def scores(self) -> list[int]:
        """Give the points of each seat; the bonuses are in once the game is over."""
        return [board.score for board in self.boards]

    def ranks(self) -> list[int]:
        """Rank by score, then by full rows (section 6); those still tied share a rank."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        keys = [(board.score, len(full_rows(board.wall))) for board in self.boards]
        return [1 + len([other for other in keys if other > key]) for key in keys]

    def round_index(self) -> int:
        """Count the rounds before this one; it stays at the last round when over."""
        return self.round_number

    def next_start(self) -> int:
        """Give who starts the next round as things stand: the holder of the marker.

        Ruling 3: while nobody has taken it, the first player of this round.
        """
        return self.first_player if self.marker_holder is None else self.marker_holder

    def snapshot(self) -> dict:
        """Show everything there is, in plain values that share nothing with the game."""
        return {
            "phase": self.phase,
            "to_move": self.to_move(),
            "round_index": self.round_number,
            "factories": [sorted(display) for display in self.displays],
            "centre": {
                "counts": {colour: self.centre.count(colour) for colour in COLOURS},
                "marker": self.marker_holder is None,
            },
            "seats": [show_board(board) for board in self.boards],
            "bag": dict(self.bag),
            "lid": dict(self.lid),
            "first_player": self.first_player,
            "next_start": self.next_start(),
            "cap_hit": self.cap_hit,
        }

    # Section 5: filling the displays.

    def _go_on_filling(self) -> None:
        """Get ready to draw the next tile, or open the offer when no more can be drawn."""
        all_full = all(len(display) == DISPLAY_SIZE for display in self.displays)
        if not all_full and sum(self.bag.values()) == 0:
            self._pour_lid_into_bag()
        if all_full or sum(self.bag.values()) == 0:
            self._open_offer()

    def _pour_lid_into_bag(self) -> None:
        """Move everything in the lid into the bag: a tile is needed and the bag is empty."""
        for colour in COLOURS:
            self.bag[colour] += self.lid[colour]
            self.lid[colour] = 0

    def _draw(self, colour: str) -> None:
        """Put one tile from the bag on the first display that has room."""
        self.bag[colour] -= 1
        for display in self.displays:
            if len(display) < DISPLAY_SIZE:
                display.append(colour)
                break
        self._go_on_filling()

    # Section 3: phase A, the factory offer.

    def _open_offer(self) -> None:
        """Let the first player put the marker in the centre and move first."""
        self.phase = "offer"
        self.marker_holder = None
        self.mover = self.first_player

    def _offer_moves(self) -> list[str]:
        """List every (source, colour, destination); ruling 4: the marker alone is no source."""
        sources = {f"F{i + 1}": display for i, display in enumerate(self.displays)}
        sources["centre"] = self.centre
        moves = []
        for source, tiles in sources.items():
            for colour in COLOURS:
                if colour in tiles:
                    moves.append(f"{source} {colour} floor")
                    for row in range(5):
                        if self._line_accepts(self.boards[self.mover], row, colour):
                            moves.append(f"{source} {colour} {row + 1}")
        return moves

    def _line_accepts(self, board: Board, row: int, colour: str) -> bool:
        """Tell whether the line is not full, not of another colour, and its wall row lacks this."""
        line = board.lines[row]
        is_full = len(line) == row + 1
        is_other = any(tile != colour for tile in line)
        return not is_full and not is_other and colour not in board.wall[row]

    def _take(self, move: str) -> None:
        """Take all tiles of one colour from one source to one destination."""
        source, colour, destination = move.split()
        if source == "centre":
            n_taken = self._take_from_centre(colour)
        else:
            n_taken = self._take_from_display(int(source[1:]) - 1, colour)
        for _ in range(n_taken):
            self._set_down(colour, destination)
        self.mover = (self.mover + 1) % self.players
        if not self.centre and not any(self.displays):
            self._open_tiling()

    def _take_from_display(self, index: int, colour: str) -> int:
        """Empty the display: its other tiles go to the centre. Give the number taken."""
        tiles = self.displays[index]
        self.displays[index] = []
        self.centre += [tile for tile in tiles if tile != colour]
        return tiles.count(colour)

    def _take_from_centre(self, colour: str) -> int:
        """Take the colour, and first the marker if it is there. Give the number taken."""
        if self.marker_holder is None:
            self.marker_holder = self.mover
            # Ruling 1: with a full floor the marker is taken all the same, without a slot.
            # Ruling 2: the marker gets its slot before the excess tiles.
            if len(self.boards[self.mover].floor) < len(FLOOR_WORTH):
                self.boards[self.mover].floor.append(MARKER)
        n_taken = self.centre.count(colour)
        self.centre = [tile for tile in self.centre if tile != colour]
        return n_taken

    def _set_down(self, colour: str, destination: str) -> None:
        """Put one tile on the chosen line while that has room, else on the floor."""
        board = self.boards[self.mover]
        if destination != "floor" and len(board.lines[int(destination) - 1]) < int(destination):
            board.lines[int(destination) - 1].append(colour)
        else:
            self._drop(board, colour)

    def _drop(self, board: Board, colour: str) -> None:
        """Put one tile in the leftmost free floor slot, or in the lid if there is none."""
        if len(board.floor) < len(FLOOR_WORTH):
            board.floor.append(colour)
        else:
            self.lid[colour] += 1

    # Section 4 and section 7: phase B, wall tiling.

    def _open_tiling(self) -> None:
        """Start with the round's first player (ruling 8) and everybody's top row."""
        self.phase = "tiling"
        self.seats_to_tile = [(self.first_player + i) % self.players for i in range(self.players)]
        self.row_to_tile = 0
        self._go_on_tiling()

    def _go_on_tiling(self) -> None:
        """Resolve lines seat by seat, top to bottom, until a choice is due or all is done.

        On the grey side a full line with an allowed cell is a choice, even of one cell.
        """
        while self.seats_to_tile:
            self.mover = self.seats_to_tile[0]
            while self.row_to_tile < 5:
                if len(self.boards[self.mover].lines[self.row_to_tile]) == self.row_to_tile + 1:
                    columns = self._allowed_columns(self.mover, self.row_to_tile)
                    if self.wall_side == "grey" and columns:
                        return
                    if columns:
                        self._place(self.mover, self.row_to_tile, columns[0])
                    else:
                        self._drop_line(self.mover, self.row_to_tile)
                self.row_to_tile += 1
            self._settle_floor(self.boards[self.mover])
            self.seats_to_tile.pop(0)
            self.row_to_tile = 0
        self._close_round()

    def _allowed_columns(self, seat: int, row: int) -> list[int]:
        """List the columns where the tile of this full line may go."""
        wall, colour = self.boards[seat].wall, self.boards[seat].lines[row][0]
        if self.wall_side == "coloured":
            return [PRINTED_WALL[row].index(colour)]
        if colour in wall[row]:
            return []
        return [
            column
            for column in range(5)
            if wall[row][column] is None and colour not in [wall[r][column] for r in range(5)]
        ]

    def _place(self, seat: int, row: int, column: int) -> None:
        """Put one tile of the line on the wall and score it; the others go to the lid."""
        board = self.boards[seat]
        colour = board.lines[row][0]
        assert board.wall[row][column] is None
        board.wall[row][column] = colour
        board.score += tile_score(board.wall, row, column)
        self.lid[colour] += row  # line i holds i tiles, row is i - 1
        board.lines[row] = []

    def _drop_line(self, seat: int, row: int) -> None:
        """Grey side: no cell is allowed, so the whole line goes to the floor."""
        board = self.boards[seat]
        for colour in board.lines[row]:
            self._drop(board, colour)
        board.lines[row] = []

    def _settle_floor(self, board: Board) -> None:
        """Subtract the penalty, not below 0 (ruling 6), and clear the floor into the lid."""
        penalty = sum(FLOOR_WORTH[: len(board.floor)])
        board.score = max(0, board.score - penalty)
        for tile in board.floor:
            if tile != MARKER:
                self.lid[tile] += 1
        board.floor = []

    # Sections 5 and 6: the next round, or the end.

    def _close_round(self) -> None:
        """End the game if it is time to, else hand the start over and fill the displays."""
        tiles_left = sum(self.bag.values()) + sum(self.lid.values())
        if any(full_rows(board.wall) for board in self.boards) or tiles_left == 0:
            self._finish()
        elif self.round_number + 1 == self.round_cap:  # ruling 7
            self.cap_hit = True
            self._finish()
        else:
            self.first_player = self.marker_holder = self.next_start()
            self.round_number += 1
            self.phase = "fill"
            self._go_on_filling()

    def _finish(self) -> None:
        """Add the bonuses of section 6 to every score."""
        for board in self.boards:
            board.score += bonus(board.wall)
        self.phase = "over"


def run_length(cells: list[str | None], index: int) -> int:
    """Measure the unbroken run of tiles through cells[index], which holds one."""
    first = last = index
    while first > 0 and cells[first - 1] is not None:
        first -= 1
    while last < 4 and cells[last + 1] is not None:
        last += 1
    return last - first + 1


def tile_score(wall: list[list[str | None]], row: int, column: int) -> int:
    """Score the tile just placed here (section 4)."""
    across = run_length(wall[row], column)
    down = run_length([wall[r][column] for r in range(5)], row)
    if across == 1 and down == 1:
        return 1
    return (across if across > 1 else 0) + (down if down > 1 else 0)


def full_rows(wall: list[list[str | None]]) -> list[int]:
    """List the complete horizontal rows."""
    return [row for row in range(5) if None not in wall[row]]


def bonus(wall: list[list[str | None]]) -> int:
    """Count 2 for a full row, 7 for a full column, 10 for all five tiles of a colour."""
    columns = [[wall[row][column] for row in range(5)] for column in range(5)]
    n_columns = len([column for column in columns if None not in column])
    placed = [tile for row in wall for tile in row]
    n_colours = len([colour for colour in COLOURS if placed.count(colour) == 5])
    return 2 * len(full_rows(wall)) + 7 * n_columns + 10 * n_colours


def show_board(board: Board) -> dict:
    """Copy one seat's board into plain values; the marker stands in the floor as "marker"."""
    return {
        "lines": [(line[0] if line else None, len(line)) for line in board.lines],
        "wall": [list(row) for row in board.wall],
        "floor": list(board.floor),
        "score": board.score,
    }
