"""Ingenious for a newcomer. The positions are of two players."""

from __future__ import annotations

from typing import Any

from meeple.core.lessons import Lesson
from meeple.games.ingenious.layout import ASK, EMPTY, OVER, PLACE, TRACK
from meeple.games.ingenious.scoring import side_of

START = (
    "R....G/......./......../........./........../P.........B/........../........./......../......./Y....O "
    "place 1 turn=0 bonus=0 used=- swaps=0 bag=455554566566666665665 aside=- shown=- "
    "| 0,0,0,0,0,0 RR,PP,RG,RY,BP,YP | 0,0,0,0,0,0 ?????? seat=1"
)
EARLY = (
    "R....G/RR...../......../YYY....../PP.G....../PP........B/P........./........./......../.....OO/Y....O "
    "place 1 turn=6 bonus=0 used=- swaps=0 bag=455454556566656655564 aside=- shown=- "
    "| 2,0,0,0,1,5 RG,RB,RY,BY,BP,OY | 0,0,0,2,2,2 ?????? seat=1"
)
DOUBLE = (
    "RR...G/RRR..../..RR..../YYYYG..../PPYGG...../PP.GG....BB/P......YBB/.....Y.../.....O../.....OO/Y....O "
    "place 1 turn=14 bonus=0 used=- swaps=0 bag=344453545566636655564 aside=- shown=- "
    "| 5,2,2,2,4,5 PP,RB,RB,RO,GY,BP | 6,4,2,2,4,2 ?????? seat=1"
)
OFFER = (
    "R....G/RR...../..RR..../YYYYG..../PPYGG...../PP.GG....BB/P........B/.....Y.../.....O../.....OO/Y....O "
    "ask 2 turn=11 bonus=0 used=- swaps=0 bag=444444566566546556554 aside=- shown=- "
    "| 5,2,0,2,4,5 ?????? | 0,4,2,2,4,2 YY,GO,BO,BY,OP seat=2"
)
MIDDLE = (
    "RR...G/RRR..../PRRR..../YYYYG...P/PPYGGGO..B/PPPGGGG..BB/PP.GYYYYBB/PP...Y.BB/.....OOB/...ROOO/Y..ROO "
    "place 1 turn=26 bonus=0 used=- swaps=0 bag=343452534556516554463 aside=- shown=- "
    "| 10,10,6,5,5,12 RB,RB,RB,BP,OY,YP | 7,11,11,9,10,8 ?????? seat=1"
)
LATE = (
    "RR...G/RRRR.../PRRRG.../YYYYG...P/PPYGGGO.PB/PPPGGGG.BBB/PPPGYYYYBB/PPR.YY.BB/....OOOB/...ROOO/Y..ROO "
    "place 1 turn=30 bonus=0 used=- swaps=0 bag=343452334545516554463 aside=- shown=- "
    "| 10,10,10,9,8,13 RG,RB,RB,RB,GB,YP | 11,15,11,9,10,13 ?????? seat=1"
)


def _is_laying(state: Any, seat: int) -> bool:
    return int(state.phase) == PLACE and int(state.seat) == seat


def _begins(state: Any, seat: int) -> bool:
    return _is_laying(state, seat) and int(state.turn) < int(state.seats)


def _goes_on(state: Any, seat: int) -> bool:
    """The first round is over."""
    return _is_laying(state, seat) and int(state.turn) >= int(state.seats)


def _points(state: Any, seat: int) -> list[int]:
    return [int(n) for n in state.points[side_of(state, seat)]]


def _has_scored(state: Any, seat: int) -> bool:
    return _is_laying(state, seat) and max(_points(state, seat)) > 0


def _lags(state: Any, seat: int) -> bool:
    """One colour is far behind another."""
    return _is_laying(state, seat) and max(_points(state, seat)) - min(_points(state, seat)) >= 4


def _nears_track(state: Any, seat: int) -> bool:
    points = _points(state, seat)
    return _is_laying(state, seat) and (int(state.bonus) > 0 or any(TRACK - 5 <= n < TRACK for n in points))


def _is_offered(state: Any, seat: int) -> bool:
    return int(state.phase) == ASK and int(state.seat) == seat


def _is_crowded(state: Any, seat: int) -> bool:
    """Fewer than thirty cells are free, or the game is over."""
    free = sum(int(cell) == EMPTY for cell in state.cell)
    return int(state.phase) == OVER or (_is_laying(state, seat) and free < 30)


LESSONS = (
    Lesson(
        key="lay",
        title="Lay a tile",
        text="A tile has two symbols and covers two free cells side by side. Click the half you want to lay first, its "
        "cell, then the cell beside it for the other half.",
        applies=_is_laying,
        position=START,
        move="RR A7 B6",
    ),
    Lesson(
        key="first",
        title="Begin at a symbol",
        text="Your first tile touches one of the six printed symbols, one that no other player has begun at. After "
        "that you may lay tiles anywhere.",
        applies=_begins,
    ),
    Lesson(
        key="lines",
        title="Lines make points",
        text="From each half look along the five straight lines that lead away from its tile. Every cell in a row with "
        "the same symbol, up to the first other one or a gap, gives a point in that colour.",
        applies=_goes_on,
        position=EARLY,
        move="RY C6 D6",
    ),
    Lesson(
        key="double",
        title="Both halves count",
        text="Each half scores for its own colour. A tile with the same symbol twice scores for both halves in one "
        "colour, but its halves do not count each other.",
        applies=_goes_on,
        position=DOUBLE,
        move="PP F3 G2",
    ),
    Lesson(
        key="lowest",
        title="Your lowest colour counts",
        text="At the end only your lowest colour matters: the player whose lowest is highest wins. With equal lowest "
        "colours the next lowest decide, and so on.",
        applies=_has_scored,
        position=MIDDLE,
        move="OY I5 H5",
    ),
    Lesson(
        key="care",
        title="Mind the weak colour",
        text="Points in a strong colour are worth little while another lags behind. The scores mark your lowest ones: "
        "look for a place where they score, before rivals close it.",
        applies=_lags,
    ),
    Lesson(
        key="bonus",
        title="Eighteen gives a bonus",
        text="A colour that reaches 18 goes no further. You may lay another tile of your hand at once, before you draw "
        "new ones.",
        applies=_nears_track,
        position=LATE,
        move="YP J1 I1",
    ),
    Lesson(
        key="swap",
        title="Swap a poor hand",
        text="If after your turn no tile in your hand shows one of your lowest colours, you may swap the whole hand "
        "for six new tiles. Everybody sees what you put back.",
        applies=_is_offered,
        position=OFFER,
        move="swap",
        seat=1,
    ),
    Lesson(
        key="hand",
        title="Six tiles again",
        text="After your turn you draw until you have six tiles. Other hands are hidden, but the bag held 120 tiles: "
        "five of each double, six of each other pair.",
        applies=_goes_on,
    ),
    Lesson(
        key="end",
        title="The board is full",
        text="The game ends when no two free cells lie side by side. Whoever brings all six colours to the end of "
        "their tracks wins at once.",
        applies=_is_crowded,
    ),
    Lesson(
        key="solo",
        title="Alone",
        text="Alone you play on the small board, and each track goes to 36, with a bonus tile at 18 and at 36. Bring "
        "your lowest colour as high as you can.",
        applies=lambda state, seat: int(state.seats) == 1 and _is_laying(state, seat),
    ),
    Lesson(
        key="teams",
        title="Two teams",
        text="Partners sit opposite and share one set of tracks up to 36, with a bonus at 18 and at 36. They may not "
        "show each other their tiles.",
        applies=lambda state, seat: bool(state.teams) and _is_laying(state, seat),
    ),
)
