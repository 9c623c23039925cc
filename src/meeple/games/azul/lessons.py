"""Azul for a newcomer.

The positions are of two players and the coloured wall; a lesson on the grey wall has none.
"""

from __future__ import annotations

from typing import Any

from meeple.core.contract import NOBODY
from meeple.core.lessons import Lesson
from meeple.games.azul.layout import CENTRE, PENALTY
from meeple.games.azul.notation import counts_of
from meeple.games.azul.wall import full_rows

EMPTY = "...../...../...../...../....."
FRESH = f"0 -/-/-/-/- {EMPTY} 0"


def _is_taking(state: Any, seat: int) -> bool:
    return int(state.mover) == seat and int(state.left) > 0


def _has_centre(state: Any, seat: int) -> bool:
    return _is_taking(state, seat) and int(state.source[CENTRE]) != 0


def _marker_lies(state: Any, seat: int) -> bool:
    return _has_centre(state, seat) and int(state.marker) < 0


def _has_begun_line(state: Any, seat: int) -> bool:
    """One of the seat's lines has tiles and still has room."""
    return _is_taking(state, seat) and any(0 < int(state.held[seat, line]) <= line for line in range(5))


def _has_wall(state: Any, seat: int) -> bool:
    return _is_taking(state, seat) and int(state.wall[seat]) != 0


def _is_crowded(state: Any, seat: int) -> bool:
    """Somewhere lie three tiles of a colour or more: too many for some lines."""
    return _is_taking(state, seat) and any(max(counts_of(tiles)) >= 3 for tiles in state.source)


def _has_fallen(state: Any, seat: int) -> bool:
    return _is_taking(state, seat) and int(PENALTY[state.floor[seat]]) > 0


def _has_full_line(state: Any, seat: int) -> bool:
    return int(state.mover) == seat and any(int(state.held[seat, line]) == line + 1 for line in range(5))


def _nears_end(state: Any, seat: int) -> bool:
    """Some row of some wall has four tiles."""
    return _is_taking(state, seat) and any(
        ((int(state.wall[owner]) >> (5 * row)) & 31).bit_count() >= 4
        for owner in range(int(state.seats))
        for row in range(5)
    )


def _is_late(state: Any, seat: int) -> bool:
    return _is_taking(state, seat) and int(state.lap) >= 2


def _is_laying(state: Any, seat: int) -> bool:
    return bool(state.grey) and int(state.mover) == seat and int(state.left) == 0


def _is_over(state: Any, seat: int) -> bool:
    return int(state.mover) == NOBODY and any(full_rows(int(wall)) for wall in state.wall[: int(state.seats)])


_WALL = (0.0, 0.0, 0.16, 0.0)  # right of the lines

LESSONS = (
    Lesson(
        key="take",
        title="Take one colour",
        text="On your turn choose a display and take all its tiles of one colour. The tiles you leave there slide to "
        "the centre.",
        applies=_is_taking,
        position="round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=- F=BBYR,YRKW,BKWW,BYRK,YRKW "
        f"| {FRESH} | {FRESH}",
        move="F1 blue 2",
    ),
    Lesson(
        key="line",
        title="Lay them on one line",
        text="All the tiles you took go to one of your five pattern lines. A line holds one colour only, and as many "
        "tiles as its number says.",
        applies=_is_taking,
        position="round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=- F=BBYR,YRKW,BKWW,BYRK,YRKW "
        f"| {FRESH} | {FRESH}",
        move="F3 white 2",
    ),
    Lesson(
        key="go-on",
        title="Lines wait for more",
        text="A line that is not full stays as it is, also into the next round. Add tiles of its colour later; another "
        "colour cannot join it.",
        applies=_has_begun_line,
    ),
    Lesson(
        key="centre",
        title="Take from the centre",
        text="The centre works like a display: take all its tiles of one colour. Waiting can make a colour there "
        "plentiful.",
        applies=_has_centre,
    ),
    Lesson(
        key="marker",
        title="The tile with the 1",
        text="Whoever takes from the centre first also gets the tile with the 1. It costs a place on the floor, and "
        "its owner begins the next round.",
        applies=_marker_lies,
        position="round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=YRBK F=-,YRKW,-,BYRK,YRKW "
        f"| 0 -/-/BB/-/- {EMPTY} 0 | 0 -/WW/-/-/- {EMPTY} 0",
        move="centre red 1",
    ),
    Lesson(
        key="floor",
        title="Too many fall down",
        text="Tiles that find no room on the line fall to your floor, and you may also drop all of them there. Fallen "
        "tiles cost 1, 1, 2, 2, 2, 3 and 3 points, but your points never go below zero.",
        applies=lambda state, seat: _is_crowded(state, seat) or _has_fallen(state, seat),
        position="round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=- F=BBBR,YRYW,BKWW,WYRK,YRKK "
        f"| {FRESH} | {FRESH}",
        move="F1 blue 2",
    ),
    Lesson(
        key="tile",
        title="Full lines go up",
        text="When all tiles are taken, each full line moves one tile to the cell of its colour in the same row of the "
        "wall. The other tiles of that line leave the game board, and the line is free again.",
        applies=_has_full_line,
        position="round=1 mover=1 first=1 marker=2 bag=16,16,16,16,16 centre=RR F=-,-,-,-,- "
        f"| 0 B/-/BBB/WWW/- {EMPTY} 0 | 0 -/KK/-/YYYY/RR {EMPTY} 2",
        move="centre red 2",
        room=_WALL,
    ),
    Lesson(
        key="score",
        title="Neighbours make points",
        text="A tile that goes up alone scores 1. Beside others it scores the length of its unbroken run across, plus "
        "the length of its run up and down.",
        applies=lambda state, seat: _has_full_line(state, seat) and int(state.wall[seat]) != 0,
        position="round=4 mover=1 first=1 marker=2 bag=4,4,4,4,4 centre=YY F=-,-,-,-,- "
        "| 9 -/-/-/-/- BYR../.B.../K.B../...../..... 0 | 4 -/-/-/-/RR B..../WB.../...../...../..... 2",
        move="centre yellow 2",
        room=_WALL,
    ),
    Lesson(
        key="once",
        title="Each colour once a row",
        text="A row of the wall has each colour once. When a colour is up there, the line beside it takes that colour "
        "no more.",
        applies=_has_wall,
        position="round=2 mover=1 first=1 marker=centre bag=12,12,12,12,12 centre=- F=BBYR,YRKW,BKWW,BYRK,YRKW "
        "| 2 -/-/-/-/- B..../.B.../...../...../..... 0 | 1 -/-/-/-/- ...../W..../...../...../..... 0",
        move="F1 blue 3",
        room=_WALL,
    ),
    Lesson(
        key="bonus",
        title="Think of the bonuses",
        text="At the end each full row of the wall gives 2 points, each full column 7, and each colour with all five "
        "tiles 10. Tiles in one column score well on the way, too.",
        applies=_is_late,
    ),
    Lesson(
        key="end",
        title="A full row ends it",
        text="The game ends after the round in which somebody fills a row of the wall from left to right. The most "
        "points win; with equal points, the most full rows.",
        applies=lambda state, seat: _nears_end(state, seat) or _is_over(state, seat),
        position="round=5 mover=1 first=1 marker=2 bag=0,0,0,0,0 centre=W F=-,-,-,-,- "
        "| 30 -/-/-/-/- BYRK./WB.../KWB../...../..... 0 | 22 -/-/-/-/RR BY.../WBY../...../...../..... 1",
        move="centre white 1",
        room=_WALL,
    ),
    Lesson(
        key="grey",
        title="The grey wall",
        text="On the grey side you choose the cell in the row for each tile that goes up. No colour may come twice in "
        "a row or a column; a tile without a place drops its whole line to the floor.",
        applies=_is_laying,
    ),
)
