"""Sagrada for a newcomer."""

from __future__ import annotations

from typing import Any

from meeple.core.lessons import Lesson
from meeple.games.sagrada.board import COPIES
from meeple.games.sagrada.cards import COLOURS
from meeple.games.sagrada.layout import CHOOSE, NONE, TURN
from meeple.games.sagrada.rules import to_move
from meeple.games.sagrada.tools import COPPER, EGLOMISE, LATHEKIN, TAP_WHEEL

EMPTY = "/".join([".." * 5] * 4)


def _table(
    mine: str = EMPTY,
    *,
    window: str = "fractal-drops",
    pool: str = "R4G2B5Y4P1",
    track: str = "-",
    tools: str = "lathekin,brush,copper",
    goals: str = "row-colours,light,diagonals",
    done: int = 0,
    turn: int = 0,
    tokens: int = 3,
) -> str:
    """A position of two seats; seat 1 has the cells `mine`, seat 2 an empty window, the bag what is left."""
    on_table = mine + pool + track
    bag = ".".join(str(COPIES - on_table.count(colour)) for colour in COLOURS)
    return (
        f"done={done} phase=turn turn={turn} start=1 order=1221 tools={tools} goals={goals} bag={bag} pool={pool} "
        f"track={track} hand=- used=0 drafted=0 skips=- spent=0.0.0.0.0 | "
        f"B {window} {tokens} {mine} - | G luz-celestial 3 {EMPTY} -"
    )


CHOICE = (
    "done=0 phase=choose turn=0 start=1 order=- tools=lathekin,brush,copper goals=row-colours,light,diagonals "
    "bag=18.18.18.18.18 pool=- track=- hand=- used=0 drafted=0 skips=- spent=0.0.0.0.0 | "
    f"B - 0 {EMPTY} fractal-drops,ripples-of-light,industria,via-lux | "
    f"G - 0 {EMPTY} fulgor-del-cielo,luz-celestial,gravitas,water-of-life"
)
# Fractal Drops:  .  4  .  Y  6
#                 R  .  2  .  .
#                 .  .  R  P  1
#                 B  Y  .  .  .
BEGUN = "P1B4....../..G5....../........../.........."
GROWN = "P1B4Y3..../..G5....../........../.........."


def _is_turn(state: Any, seat: int) -> bool:
    return int(state.phase) == TURN and int(to_move(state)) == seat


def _dice(state: Any, seat: int) -> int:
    return int(state.occ[seat]).bit_count()


def _can_pay(state: Any, seat: int) -> bool:
    slots = range(int(state.n_tools))
    return int(state.seats) > 1 and any(int(state.tokens[seat]) > int(state.paid[slot]) for slot in slots)


def _has_mover(state: Any) -> bool:
    return any(int(tool) in (EGLOMISE, COPPER, LATHEKIN, TAP_WHEEL) for tool in state.tools)


LESSONS = (
    Lesson(
        key="window",
        title="Choose a window",
        text="You fill one window with dice; choose it from four. A harder window brings more glass beads, which pay "
        "for tools.",
        applies=lambda state, seat: int(state.phase) == CHOOSE and int(state.window[seat]) == NONE,
        position=CHOICE,
        move="window via-lux",
    ),
    Lesson(
        key="draft",
        title="Draft a die",
        text="On your turn take one die from the pool and put it into your window. Your first die goes on the border.",
        applies=_is_turn,
        position=_table(),
        move="place B5 a1",
    ),
    Lesson(
        key="print",
        title="Match the print",
        text="A coloured cell takes only dice of its colour, a cell with pips only dice of that value. A blank cell "
        "takes any die.",
        applies=_is_turn,
        position=_table(),
        move="place Y4 d1",
    ),
    Lesson(
        key="touch",
        title="Stay in touch",
        text="Every later die must touch one that is there, at a side or at a corner.",
        applies=lambda state, seat: _is_turn(state, seat) and _dice(state, seat) > 0,
        position=_table(BEGUN, done=1, track="R1", pool="R4G2B5Y4P1"),
        move="place R4 a3",
    ),
    Lesson(
        key="neighbours",
        title="Neighbours differ",
        text="Two dice side by side may share neither colour nor value. Corner to corner they may be alike.",
        applies=lambda state, seat: _is_turn(state, seat) and _dice(state, seat) > 0,
        position=_table(BEGUN, done=1, track="R1", pool="R4G2B5Y4P1"),
        move="place G2 c1",
    ),
    Lesson(
        key="snake",
        title="There and back again",
        text="Everyone has two turns a round: they go round the table and then back, so the last player has two in a "
        "row. If no die suits you, pass.",
        applies=lambda state, seat: _is_turn(state, seat) and int(state.seats) > 1,
    ),
    Lesson(
        key="track",
        title="Dice that are left",
        text="What nobody took lies on the round track. There it counts for nothing, but some tools use it.",
        applies=lambda state, seat: _is_turn(state, seat) and int(state.lap) > 0,
        position=_table(GROWN, done=3, track="R1Y2P6", tools="lathekin,lens,copper"),
        move="lens R4>P6 a3",
    ),
    Lesson(
        key="tools",
        title="Tools cost beads",
        text="Once in your turn you may use a tool. It costs one bead, or two when somebody has used it before; the "
        "card shows its price.",
        applies=lambda state, seat: _is_turn(state, seat) and _can_pay(state, seat),
        position=_table(GROWN, done=3, track="R1Y2P6", tools="grozing,brush!,copper"),
        move="grozing R4>R5 d2",
    ),
    Lesson(
        key="moving",
        title="Moving dice",
        text="A die that a tool moves still keeps every rule, but for the one that the card lifts. Such tools may also "
        "follow your draft.",
        applies=lambda state, seat: _is_turn(state, seat) and _dice(state, seat) > 1 and _has_mover(state),
    ),
    Lesson(
        key="objectives",
        title="Public objectives",
        text="Three cards say what every window scores at the end, each time it is there: full rows or columns, pairs, "
        "sets, diagonals.",
        applies=lambda state, seat: _is_turn(state, seat) and _dice(state, seat) > 0,
        position=_table(GROWN, done=3, track="R1Y2P6", pool="R4G2B5Y4P2"),
        move="place P2 c2",
    ),
    Lesson(
        key="colour",
        title="Your secret colour",
        text="The medal in your arch is your own colour. At the end the values of all your dice of it are points; "
        "nobody else sees it before.",
        applies=lambda state, seat: _is_turn(state, seat) and _dice(state, seat) > 1,
    ),
    Lesson(
        key="end",
        title="Ten rounds",
        text="After ten rounds add up the objectives and your colour, one point for each bead that is left, minus one "
        "for each empty cell.",
        applies=lambda state, seat: int(state.lap) >= 7,
    ),
    Lesson(
        key="solo",
        title="Playing alone",
        text="Beat the sum of all dice on the track. A tool works once and is paid with a die of its colour from the "
        "pool; an empty cell costs three points.",
        applies=lambda state, seat: int(state.seats) == 1 and _is_turn(state, seat),
    ),
)
