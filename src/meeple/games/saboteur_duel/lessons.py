"""The duel for a newcomer."""

from __future__ import annotations

from typing import Any

from meeple.core.lessons import Lesson
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.notation import kinds_of
from meeple.games.tunnels import N_TUNNELS, UPRIGHT
from meeple.games.tunnels_picture import is_way

_DEAD_ENDS = [kind for kind, shape in enumerate(UPRIGHT) if not is_way(shape)]
_GOAL_ROW = int(layout.OBJECTIVES[0]) // layout.ROW - 1


def _is_playing(state: Any, seat: int) -> bool:
    return bool(state.phase == layout.TURN and state.seat == seat)


def _holds(state: Any, seat: int, *kinds: int) -> bool:
    return _is_playing(state, seat) and not set(kinds).isdisjoint(kinds_of(int(state.hand[seat])))


def _has_tiles(state: Any) -> bool:
    return any(int(word) for word in state.tiles)


def _is_near(state: Any) -> bool:
    """Whether a tunnel lies within three rows of the goals."""
    return any(int(state.tiles[(row + 1) * layout.ROW >> 6]) >> ((row + 1) * layout.ROW & 63) & 0x3FFF
               for row in range(_GOAL_ROW - 3, _GOAL_ROW + 1))  # fmt: skip


def _position(board: str = "-", hand: str = "0,7,8,9,12,map,malus", looked: str = "-") -> str:
    """A position with the first seat to move; the gold is on the left."""
    return (
        f"turn 1 board={board} nugget=left shown=- looked={looked}|- malus=0,0 hands={hand}|0,5,6,7,8,10,bonus "
        "drops=-|- gone=- win=-"
    )


LESSONS = (
    Lesson(
        key="aim",
        title="Dig to the gold",
        text="One of the three cards at the bottom hides the gold. Whoever lays the tunnel that joins it to the ladder "
        "wins, no matter who dug the rest.",
        applies=_is_playing,
        position=_position(),
    ),
    Lesson(
        key="lay",
        title="Lay a tunnel",
        text="Choose a tunnel and an empty cell beside a card. Every side that touches a card must fit it, way to way "
        "and rock to rock, and at least one way must go on.",
        applies=lambda state, seat: _holds(state, seat, *range(N_TUNNELS)) and not state.malus[seat],
        position=_position("6,5:0"),
        move="path 8 at 7,5",
    ),
    Lesson(
        key="turn",
        title="Turn a card",
        text="A tunnel may lie as it is or upside down, never sideways. The button below a card turns it.",
        applies=lambda state, seat: _holds(state, seat, 5, 6, 7, 9) and not state.malus[seat],
        position=_position("6,5:0"),
        move="path 9f at 7,5",
    ),
    Lesson(
        key="dead-end",
        title="Dead ends",
        text="Where rocks lie in the middle of a card, nobody gets through. You may build on from its openings, but "
        "such a part is not joined to the ladder: it stays dark.",
        applies=lambda state, seat: _holds(state, seat, *_DEAD_ENDS),
        position=_position("6,5:0;7,5:13", "6,7,8,9,12,map,malus"),
        move="path 6 at 8,5",
    ),
    Lesson(
        key="draw",
        title="One card a turn",
        text="Play one card or discard one face down, then draw one. When all cards are gone and nobody has found the "
        "gold, the game is a draw.",
        applies=_is_playing,
    ),
    Lesson(
        key="map",
        title="Look at a goal",
        text="A Map shows you one goal, and only you. The other sees where you looked, not what you saw. After two "
        "looks you always know where the gold is.",
        applies=lambda state, seat: _holds(state, seat, layout.MAP_CARD),
        position=_position("6,5:0", looked="middle"),
        move="map left",
    ),
    Lesson(
        key="malus",
        title="Malus and Bonus",
        text="A Malus stops the other player from laying tunnels; all else stays allowed. Two of them count twice. "
        "Each Bonus takes one away again.",
        applies=lambda state, seat: (
            _holds(state, seat, layout.MALUS_CARD, layout.BONUS_CARD) or bool(state.malus[seat])
        ),
        position=_position("6,5:0"),
        move="malus",
    ),
    Lesson(
        key="destroy",
        title="Destroy a tunnel",
        text="Destroy takes any tunnel off the board, but never the ladder or a goal. What is cut off stays and may be "
        "joined again.",
        applies=lambda state, seat: _holds(state, seat, layout.DESTROY_CARD) and _has_tiles(state),
        position=_position("6,5:0;7,5:13", "7,8,9,12,map,malus,destroy"),
        move="destroy 7,5",
    ),
    Lesson(
        key="goal",
        title="Goals turn over",
        text="A goal that the tunnel reaches is turned for all to see. A stone is a crossing: you can dig on from it. "
        "Face down it fits anything.",
        applies=lambda state, seat: _is_playing(state, seat) and (bool(state.shown) or _is_near(state)),
        position=_position("6,5:0;7,5:0;8,5:8;9,5:8;10,5:6"),
        move="path 0 at 11,5",
    ),
    Lesson(
        key="race",
        title="Do not dig for the other",
        text="Only the last tunnel counts. Leave the way so that the other cannot finish it with one card, and keep a "
        "card that can.",
        applies=lambda state, seat: _is_playing(state, seat) and _is_near(state),
    ),
)
