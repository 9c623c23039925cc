"""Hoard drawn in text."""

from __future__ import annotations

from typing import Any

from meeple.core.paint import MARKS, Paint

from .notation import PHASES, _write_seat


def board(state: Any, seat: int | None, paint: Paint) -> str:
    die = int(state.die) or "-"
    lap = min(int(state.lap) + 1, int(state.n_rounds))
    played = "".join(str(value + 1) * int(state.table[value]) for value in range(3))
    lines = [f"round {lap} of {int(state.n_rounds)}   {PHASES[state.phase]}   die {die}   played {played or '-'}"]
    for owner in range(state.seats):
        points, hand, hoard = _write_seat(state, owner, seat).split(" ")
        mark = paint(MARKS[owner], f"bold seat{owner + 1}")
        lines.append(
            f"{'>' if owner == state.mover else ' '} {mark} {points:>2} points   hand {hand:<2}   hoard {hoard}"
        )
    return "\n".join(lines)
