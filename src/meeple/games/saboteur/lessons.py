"""Saboteur for a newcomer; the positions are of the game for three."""

from __future__ import annotations

from typing import Any

from meeple.core.lessons import Lesson
from meeple.games.saboteur.layout import BREAK_CARD, CHOOSE, MAP_CARD, REPAIR_CARD, ROCKFALL_CARD, TURN
from meeple.games.saboteur.notation import kinds_of
from meeple.games.tunnels import N_TUNNELS, UPRIGHT, turned
from meeple.games.tunnels_picture import is_way

_DEAD_ENDS = {kind for kind, shape in enumerate(UPRIGHT) if not is_way(shape)}
_TURNABLE = {kind for kind, shape in enumerate(UPRIGHT) if turned(shape) != shape}


def _is_playing(state: Any, seat: int) -> bool:
    return bool(state.phase == TURN and state.seat == seat)


def _holds(state: Any, seat: int, kinds: set[int]) -> bool:
    return _is_playing(state, seat) and not kinds.isdisjoint(kinds_of(int(state.hand[seat])))


def _can_dig(state: Any, seat: int, kinds: set[int]) -> bool:
    return _holds(state, seat, kinds) and not state.broken[seat]


def _is_broken_somewhere(state: Any) -> bool:
    return any(int(bits) for bits in state.broken)


def _has_tunnels(state: Any) -> bool:
    return any(int(row) for row in state.tunnels)


def _position(
    table: str = "1,0:10;2,0:10",
    hand: str = "7,8,9,13,bl,map",
    *,
    phase: str = "turn",
    goals: str = "w,t,e",
    broken: str = "0,0,0",
    offer: str = "-",
) -> str:
    """A position of the first round with the first seat, a miner, to move; the third is the saboteur."""
    won, were = ("m--", "4/0/0") if phase == "choose" else ("---", "0/0/0")
    return (
        f"{phase} 1 round=1 step=0 last=1 roles=mms goals={goals} table={table} looked=0,0,0 broken={broken} "
        f"hands={hand}|0,5,6,7,8,map|0,1,6,9,bc,rock passed=-|-|- gone=- won={won} were={were} took=-/-/- "
        f"offer={offer} paid=-/-/- back=- bared=0,0,0"
    )


_TO_THE_GOAL = "1,0:10;2,0:8;3,0:8;4,0:9;5,0:9f;6,0:9"

LESSONS = (
    Lesson(
        key="roles",
        title="Miner or saboteur",
        text="Miners dig a tunnel from the ladder to the gold. Saboteurs want the cards to run out first. Only you see "
        "your own role; the round's end shows them all.",
        applies=_is_playing,
    ),
    Lesson(
        key="lay",
        title="Lay a tunnel",
        text="Choose a tunnel and an empty cell that a lit way leads into. Every side that touches a card must fit it: "
        "way to way, rock to rock.",
        applies=lambda state, seat: _can_dig(state, seat, set(range(N_TUNNELS))),
        position=_position(),
        move="path 8 at 3,0",
    ),
    Lesson(
        key="turn",
        title="Turn a card",
        text="A tunnel may lie as it is or upside down, never sideways. The button below a card turns it.",
        applies=lambda state, seat: _can_dig(state, seat, _TURNABLE),
    ),
    Lesson(
        key="dead-end",
        title="Dead ends",
        text="Where rocks lie on a card, the way is closed and nothing goes on from there. A saboteur's friend, but it "
        "tells on you.",
        applies=lambda state, seat: _holds(state, seat, _DEAD_ENDS),
        position=_position(),
        move="path 13 at 3,0",
    ),
    Lesson(
        key="goals",
        title="Gold or stone",
        text="One of the three goals is gold, two are stones. A goal that the tunnel reaches is turned: gold ends the "
        "round, from a stone you dig on.",
        applies=lambda state, seat: _is_playing(state, seat) and _has_tunnels(state),
        position=_position(_TO_THE_GOAL, "8,10,13,bl,map,rp"),
        move="path 10 at 7,0",
    ),
    Lesson(
        key="map",
        title="Look at a goal",
        text="A map shows you one goal in secret. All see where you looked, and nobody has to believe what you say.",
        applies=lambda state, seat: _holds(state, seat, {MAP_CARD}),
        position=_position(),
        move="map middle",
    ),
    Lesson(
        key="break",
        title="Break a tool",
        text="Put a broken pickaxe, lantern or cart before another player. With a broken tool nobody lays tunnels; "
        "other cards may still be played.",
        applies=lambda state, seat: _holds(state, seat, {BREAK_CARD + i for i in range(3)}),
        position=_position(),
        move="break 3 lantern",
    ),
    Lesson(
        key="repair",
        title="Mend a tool",
        text="A repair takes away a broken tool of its kind, your own or a friend's: click on the broken tool. A card "
        "with two tools mends one of them.",
        applies=lambda state, seat: (
            _is_playing(state, seat)
            and (_is_broken_somewhere(state) or _holds(state, seat, set(range(REPAIR_CARD, ROCKFALL_CARD))))
        ),
        position=_position(hand="7,8,9,13,rpl,map", broken="2,0,0"),
        move="repair 1 lantern with pickaxe/lantern",
    ),
    Lesson(
        key="rockfall",
        title="Rockfall",
        text="A rockfall removes any one tunnel, but not the ladder or a goal. What is cut off goes dark until it is "
        "joined again.",
        applies=lambda state, seat: _holds(state, seat, {ROCKFALL_CARD}) and _has_tunnels(state),
        position=_position("1,0:10;2,0:15", "7,8,9,bl,map,rock"),
        move="rockfall at 2,0",
    ),
    Lesson(
        key="pass",
        title="One card a turn",
        text="Play one card, or pass by discarding one face down; then draw one. When the pile and all hands are "
        "empty, the saboteurs have won.",
        applies=_is_playing,
    ),
    Lesson(
        key="gold",
        title="Share the gold",
        text="Who reached the gold takes the first gold card, then the other miners in turn against the order of play. "
        "If the saboteurs win, each of them is paid instead: 4 alone, 3 for two or three, 2 for four.",
        applies=lambda state, seat: bool(state.phase == CHOOSE and state.seat == seat),
        position=_position(f"{_TO_THE_GOAL};7,0:10", "8,13,bl,map,rp", phase="choose", goals="w,t!,e", offer="112"),
        move="take 2",
    ),
    Lesson(
        key="rounds",
        title="Three rounds",
        text="There are three rounds with new roles each. Gold is kept face down; who has most at the end wins.",
        applies=lambda state, seat: _is_playing(state, seat) and bool(state.lap > 0 or state.left == 0),
    ),
)
