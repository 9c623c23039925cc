"""Ingenious drawn in text: a board of hexagons, a letter and a colour for each symbol, scores and hands with it."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Any

from meeple.core.paint import MARKS, Paint
from meeple.games.ingenious.geometry import CELLS, RADIUS, SYMBOL_CELL
from meeple.games.ingenious.layout import ASK, DEAL, EMPTY, OVER, PLACE
from meeple.games.ingenious.notation import COLOURS, NAMES, rows_of
from meeple.games.ingenious.scoring import side_of, sorted_points
from meeple.games.ingenious.tiles import KINDS, N_COLOURS, counts_of, size_of

INKS = ("paper", "paper", "paper", "ink", "ink", "paper")  # of the letter on each colour
GROUNDS = tuple(f"bold {ink} on {name}" for ink, name in zip(INKS, NAMES, strict=True))
LINES = "grey"
SYMBOL_CELLS = frozenset(SYMBOL_CELL.tolist())
MOST_BESIDE = 2  # players whose scores and hands stand beside the board; those of more stand below it
GAP = 2

Piece = tuple[str, str]  # a text and its style; no style: plain
Line = list[Piece]


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The board, the scores, and the hands that `seat` may see."""
    picture = _hexagons(state)
    if state.seats > MOST_BESIDE:
        return _painted([*picture, [], [_status(state)], *_wide_panel(state, seat), *_open_tiles(state)], paint)
    panel = [[_status(state)], [], *_scores(state), [], *_hands(state, seat), *_open_tiles(state)]
    width = max(_width(line) for line in picture) + GAP
    first = (len(picture) - len(panel)) // 2
    for row, line in enumerate(panel):
        left = picture[first + row]
        left += [(" " * (width - _width(left)), ""), *line]
    return _painted(picture, paint)


def _painted(lines: list[Line], paint: Paint) -> str:
    texts = ["".join(paint(text, style) if style else text for text, style in line) for line in lines]
    return "\n".join(text.rstrip() for text in texts)


def _width(line: Line) -> int:
    return sum(len(text) for text, _ in line)


# --- the board


def _hexagons(state: Any) -> list[Line]:
    """Two lines a row: a cell is three columns between walls, and the slanting edges are shared."""
    seats = int(state.seats)
    canvas = [list(line) for line in _empty_board(seats)]
    cells = state.cell.tolist()
    for row in rows_of(seats):
        for cell in row:
            if cells[cell] != EMPTY:
                x, y = _centre(cell, RADIUS[seats])
                letter = COLOURS[cells[cell]]
                _put(canvas, x - 1, y, f"({letter})" if cell in SYMBOL_CELLS else f" {letter} ", GROUNDS[cells[cell]])
    return [_joined(line) for line in canvas]


@cache
def _empty_board(seats: int) -> tuple[tuple[Piece, ...], ...]:
    """The edges, the letters of the rows and the numbers of the slanting lines, one column a piece."""
    radius = RADIUS[seats]
    canvas: list[list[Piece]] = [[(" ", LINES)] * (8 * radius + 10) for _ in range(4 * radius + 4)]
    for number, row in enumerate(rows_of(seats)):
        for cell in row:
            x, y = _centre(cell, radius)
            for left, edge in ((-1, "╱"), (1, "╲")):
                _put(canvas, x + left, y - 1, edge, LINES)
                _put(canvas, x - left, y + 1, edge, LINES)
            _put(canvas, x - 2, y, "│   │", LINES)
        x, y = _centre(row[0], radius)
        _put(canvas, x - 4, y, chr(ord("A") + number), LINES)
    # A slanting line has its number below its lower end.
    for q in range(-radius, radius + 1):
        r = min(radius, radius - q) + 1
        _put(canvas, 4 * radius + 4 + 4 * q + 2 * r, 2 * (r + radius) + 1, str(q + radius + 1), LINES)
    return tuple(tuple(line) for line in canvas)


def _put(canvas: list[list[Piece]], x: int, y: int, text: str, style: str) -> None:
    canvas[y][x : x + len(text)] = [(letter, style) for letter in text]


def _joined(line: list[Piece]) -> Line:
    """Neighbours of one style as one piece, without blanks at the end."""
    pieces = [("".join(text for text, _ in group), style) for style, group in groupby(line, key=lambda piece: piece[1])]
    text, style = pieces[-1]
    return [*pieces[:-1], (text.rstrip(), style)]


def _centre(cell: int, radius: int) -> tuple[int, int]:
    q, r = CELLS[cell]
    return 4 * radius + 4 + 4 * q + 2 * r, 2 * (r + radius) + 1


# --- scores and hands


def _status(state: Any) -> Piece:
    who = f"seat {int(state.seat) + 1} ({MARKS[state.seat]})"
    if state.phase == OVER:
        return _result(state), "bold"
    if state.phase == DEAL:
        return "the tiles are dealt", "bold"
    if state.phase == ASK:
        return f"{who} may swap the hand", "bold"
    if state.phase == PLACE and state.bonus > 0:
        return f"{who} has {int(state.bonus)} bonus to place", "bold"
    return f"{who} {'places' if state.phase == PLACE else 'draws'}, turn {int(state.turn) + 1}", "bold"


def _result(state: Any) -> str:
    if state.seats == 1:
        return f"over, the lowest colour at {int(min(state.points[0]))}"
    keys = [int(sorted_points(state, side_of(state, seat))) for seat in range(state.seats)]
    winners = [MARKS[seat] for seat, key in enumerate(keys) if key == max(keys)]
    return f"over: {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


def _mark(state: Any, seat: int) -> Line:
    is_next = state.phase != OVER and state.seat == seat
    return [(">" if is_next else " ", "bold"), (f" {MARKS[seat]} ", f"bold seat{seat + 1}"), (" ", "")]


def _heads() -> Line:
    return [piece for colour in range(N_COLOURS) for piece in ((f" {COLOURS[colour]} ", GROUNDS[colour]), (" ", ""))]


def _score_row(state: Any, seat: int) -> Line:
    """Six scores, the lowest in bold, each as wide as its head."""
    points = state.points[side_of(state, seat)].tolist()
    return [(f"{n:>2}  ", "bold" if n == min(points) else "") for n in points]


def _hand_row(state: Any, owner: int, seat: int | None) -> Line:
    if seat is not None and seat != owner:
        return [("?? " * int(state.held[owner]), LINES)]
    return _tiles(int(state.hand[owner]))


def _tiles(tiles: int) -> Line:
    line: Line = []
    for (first, second), count in zip(KINDS, counts_of(tiles), strict=True):
        for _ in range(count):
            line += [(COLOURS[first], GROUNDS[first]), (COLOURS[second], GROUNDS[second]), (" ", "")]
    return line


def _scores(state: Any) -> list[Line]:
    rows = [[*_mark(state, seat), *_score_row(state, seat)] for seat in range(state.seats)]
    return [[("     ", ""), *_heads()], *rows]


def _hands(state: Any, seat: int | None) -> list[Line]:
    return [[*_mark(state, owner), *_hand_row(state, owner, seat)] for owner in range(state.seats)]


def _wide_panel(state: Any, seat: int | None) -> list[Line]:
    """A line for each seat: scores, then the hand."""
    rows = []
    for owner in range(state.seats):
        rows.append([*_mark(state, owner), *_score_row(state, owner), ("   ", ""), *_hand_row(state, owner, seat)])
    return [[("     ", ""), *_heads()], *rows]


def _open_tiles(state: Any) -> list[Line]:
    """The tiles that a swap has shown, and how many are in the bag."""
    lines: list[Line] = []
    if state.aside:
        lines.append([(f"{'aside':<10}", LINES), *_tiles(int(state.aside))])
    if state.shown:
        lines.append([(f"{'went back':<10}", LINES), *_tiles(int(state.shown))])
    return [[], *lines, [(f"{int(size_of(int(state.bag)))} tiles in the bag", LINES)]]
