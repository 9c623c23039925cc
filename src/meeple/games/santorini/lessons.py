"""Santorini for a newcomer."""

from __future__ import annotations

from typing import Any

from meeple.core.lessons import Lesson
from meeple.games.santorini.rules import level_of


def _is_placing(state: Any, seat: int) -> bool:
    return int(state.workers[seat]) == 0


def _is_playing(state: Any, seat: int) -> bool:
    return int(state.workers[seat]) != 0 and int(state.winner) < 0


def _stands_on(state: Any, seat: int, least: int) -> bool:
    return any((int(state.workers[seat]) >> cell) & 1 and int(level_of(state, cell)) >= least for cell in range(25))


def _has_tower(state: Any, height: int) -> bool:
    return any(int(level_of(state, cell)) >= height for cell in range(25))


LESSONS = (
    Lesson(
        key="place",
        title="Place two workers",
        text="Choose two empty cells for your workers. The middle of the island leaves the most ways open.",
        applies=_is_placing,
        position="0000000000000000000000000/2/mortal:B3,D3/mortal",
        move="C2,C4",
    ),
    Lesson(
        key="step",
        title="Step",
        text="Each turn one of your workers steps to one of the eight cells around it. The cell must be free: no "
        "worker, no dome.",
        applies=_is_playing,
        position="0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4",
        move="B3>B4^C5",
    ),
    Lesson(
        key="build",
        title="Then build",
        text="After stepping, the same worker builds one level on a free cell beside it: ground, then levels 1 to 3.",
        applies=_is_playing,
        position="0000000100000000000000000/1/mortal:B3,D3/mortal:C2,A4",
        move="B3>B4^C4",
    ),
    Lesson(
        key="climb",
        title="Climb one level at a time",
        text="A step may lead up by one level at most, down by as many as you like. A tower two levels higher is out "
        "of reach for now.",
        applies=lambda state, seat: _is_playing(state, seat) and _has_tower(state, 1),
        position="0000000120000000000000000/1/mortal:B4,D1/mortal:C1,A1",
        move="B4>C4^B4",
    ),
    Lesson(
        key="dome",
        title="Domes close a tower",
        text="On level 3 the next build is a dome. Nobody steps or builds there again: the way to stop somebody who is "
        "about to climb up.",
        applies=lambda state, seat: _is_playing(state, seat) and _has_tower(state, 3),
        position="0000000230000000000000000/2/mortal:C4,A1/mortal:E3,E1",
        move="E3>E4^D4",
    ),
    Lesson(
        key="win",
        title="Step up to level 3 and win",
        text="The first worker to step up from level 2 to level 3 wins at once. Standing on level 2 beside a level 3 "
        "is therefore a threat.",
        applies=lambda state, seat: _is_playing(state, seat) and (_stands_on(state, 0, 2) or _stands_on(state, 1, 2)),
        position="0000000230000000000000000/1/mortal:C4,A1/mortal:E1,C1",
        move="C4>D4#",
    ),
    Lesson(
        key="stuck",
        title="No turn, no hope",
        text="Who can neither step nor build on their turn loses. Keep your workers where they can move.",
        applies=lambda state, seat: _is_playing(state, seat) and _has_tower(state, 2),
    ),
)
