"""Saboteur drawn in text: tunnels as lines around the start, then the seats."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.paint import MARKS, Paint
from meeple.games.saboteur.board import is_reached, shape_at
from meeple.games.saboteur.layout import CHOOSE, GOAL_CELLS, N_ROUNDS, OVER, TURN
from meeple.games.saboteur.notation import (
    TOOLS,
    cards_text,
    cell_text,
    cells_of,
    known_goal,
    known_roles,
    offer_text,
    roles_text,
    took_text,
)
from meeple.games.saboteur.rules import removed_cards, score
from meeple.games.tunnels import paint_tunnel
from meeple.games.tunnels_notation import PLACES, hidden_text

ROLE_WORDS = {"m": "miner", "s": "saboteur", "?": "?"}


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The table as far as cards lie, then roles, tools, cards and gold as the viewer may see them."""
    cards = {_place(state, cell): cell for cell in _cells(state)}
    xs, ys = [x for x, _ in cards], [y for _, y in cards]
    columns = range(min(xs) - 1, max(xs) + 2)
    lines = [f"round {min(int(state.lap) + 1, N_ROUNDS)} of {N_ROUNDS}   pile {int(state.left)}"]
    lines.append("     " + "".join(f"{x:^3}" for x in columns))
    for y in range(min(ys) - 1, max(ys) + 2):
        cells = [_cell(state, cards[x, y], seat, paint) if (x, y) in cards else " · " for x in columns]
        lines.append(f"{y:>4} " + "".join(cells))
    lines += [_seat(state, owner, seat, paint) for owner in range(int(state.seats))]
    lines.append(f"  gone {cards_text(int(removed_cards(state)))}")
    if state.n_offer:
        lines.append(f"  gold on offer {offer_text(state, seat)}")
    lines += [_past(state, lap, seat) for lap in range(N_ROUNDS) if state.outcome_of[lap]]
    return "\n".join(line.rstrip() for line in lines)


def _cells(state: Any) -> list[int]:
    return [0, *(int(cell) for cell in GOAL_CELLS), *cells_of(state.tunnels)]


def _place(state: Any, cell: int) -> tuple[int, int]:
    x, y = cell_text(state, cell).split(",")
    return int(x), int(y)


def _cell(state: Any, cell: int, seat: int | None, paint: Paint) -> str:
    goals = [int(goal) for goal in GOAL_CELLS]
    if cell in goals:
        return _goal(state, goals.index(cell), seat, paint)
    if cell == 0:
        return paint("┣╋┫", "bold amber")
    return paint_tunnel(int(shape_at(state, cell)), bool(is_reached(state, cell)), paint)


def _goal(state: Any, k: int, seat: int | None, paint: Paint) -> str:
    """`[?]` face down, `[$]` or `[o]` if the viewer knows it; a stone that is turned is drawn as a tunnel."""
    text = known_goal(state, k, seat)
    sign = {"t": "$", "-": "?", "?": "?"}.get(text[0], "o")
    if "!" not in text:
        return paint(f"[{sign}]", "bold amber" if sign == "$" else "bold grey")
    cell = int(GOAL_CELLS[k])
    if sign == "$":
        return paint("━$━", "bold amber")
    return paint_tunnel(int(shape_at(state, cell)), bool(is_reached(state, cell)), paint)


def _seat(state: Any, owner: int, seat: int | None, paint: Paint) -> str:
    knows = seat is None or seat == owner
    roles = known_roles(state, seat)
    role = ROLE_WORDS.get(roles[owner], "?") if owner < len(roles) else "?"
    hand = cards_text(int(state.hand[owner])) if knows else hidden_text(int(state.n_hand[owner]))
    turn = ">" if state.phase in (TURN, CHOOSE) and state.seat == owner else " "
    parts = [f"{turn} {paint(MARKS[owner], 'bold')} {owner + 1} {role:<8} hand {hand}"]
    tools = [tool for number, tool in enumerate(TOOLS) if int(state.broken[owner]) >> number & 1]
    parts += [f"broken {', '.join(tools)}"] if tools else []
    looked = [word for k, word in enumerate(PLACES) if int(state.looked[owner]) >> k & 1]
    parts += [f"looked {', '.join(looked)}"] if looked else []
    if state.n_passed[owner]:
        passed = cards_text(int(state.passed[owner])) if knows else hidden_text(int(state.n_passed[owner]))
        parts.append(f"passed {passed}")
    gold = int(score(state, np.int64(owner)))
    parts += [f"gold {gold}"] if gold or state.phase == OVER else []
    return "   ".join(parts)


def _past(state: Any, lap: int, seat: int | None) -> str:
    """A round that is over: who won it, who was what, and the gold taken as far as the viewer knows."""
    winners = "the miners" if state.outcome_of[lap] == 1 else "the saboteurs"
    roles = roles_text(int(state.were[lap]), int(state.seats))
    took = took_text(state, lap, seat)
    return f"  round {lap + 1}: {winners} won; roles {roles}" + (f"; gold {took}" if took != "-" else "")
