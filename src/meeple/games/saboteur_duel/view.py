"""The duel drawn in text: tunnels as lines, what is joined to the entrance in colour."""

from __future__ import annotations

from typing import Any

from meeple.core.paint import MARKS, Paint
from meeple.games.saboteur_duel.board import has_cell
from meeple.games.saboteur_duel.layout import ENTRANCE, OBJECTIVES, OVER, ROW, SIZE, TURN
from meeple.games.saboteur_duel.notation import cards_text, kinds_of
from meeple.games.saboteur_duel.rules import known_objectives, removed_cards
from meeple.games.tunnels import paint_tunnel
from meeple.games.tunnels_notation import PLACES, hidden_text

_OBJECTIVES = [int(cell) for cell in OBJECTIVES]


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The board with rows and columns, then the seats with what the viewer may see of their cards."""
    numbers = "".join(f"{column:^3}" for column in range(SIZE))
    lines = [f"    {numbers}", "   ┌" + "─" * (3 * SIZE) + "┐"]
    for row in range(SIZE):
        cells = "".join(_cell(state, ROW * (row + 1) + column, seat, paint) for column in range(SIZE))
        lines.append(f"{row:>2} │{cells}│ {row}")
    lines += ["   └" + "─" * (3 * SIZE) + "┘", f"    {numbers}"]
    lines += [_seat(state, owner, seat, paint) for owner in range(2)]
    lines.append(f"  deck {int(state.left)}   gone {cards_text(kinds_of(int(removed_cards(state))))}")
    return "\n".join(line.rstrip() for line in lines)


def _cell(state: Any, cell: int, seat: int | None, paint: Paint) -> str:
    if cell in _OBJECTIVES:
        return _objective(state, _OBJECTIVES.index(cell), seat, paint)
    if cell == ENTRANCE:
        return paint("┣╋┫", "bold amber")
    shape = -1 - int(state.cell[cell])
    if shape >= 0:
        return paint_tunnel(shape, bool(has_cell(state.reached, cell)), paint)
    return " · "


def _objective(state: Any, k: int, seat: int | None, paint: Paint) -> str:
    """`[?]` face down, `[$]` or `[o]` if the viewer knows it, without brackets once it is revealed."""
    known = 7 if seat is None else int(known_objectives(state, seat))
    sign = "?" if not known >> k & 1 or state.nugget < 0 else "$" if state.nugget == k else "o"
    text = f"━{sign}━" if int(state.shown) >> k & 1 else f"[{sign}]"
    return paint(text, "bold amber" if sign == "$" else "bold grey")


def _seat(state: Any, owner: int, seat: int | None, paint: Paint) -> str:
    knows = seat is None or seat == owner
    hand = cards_text(kinds_of(int(state.hand[owner]))) if knows else hidden_text(int(state.n_hand[owner]))
    drops = cards_text(kinds_of(int(state.dropped[owner]))) if knows else hidden_text(int(state.n_dropped[owner]))
    looked = ", ".join(word for k, word in enumerate(PLACES) if int(state.looked[owner]) >> k & 1)
    turn = ">" if state.phase == TURN and state.seat == owner else " "
    parts = [f"{turn} {paint(MARKS[owner], f'bold seat{owner + 1}')} hand {hand}"]
    parts += [f"malus {int(state.malus[owner])}"] if state.malus[owner] else []
    parts += [f"looked {looked}"] if looked else []
    parts += [f"dropped {drops}"] if state.n_dropped[owner] else []
    parts += ["has won"] if state.phase == OVER and state.winner == owner else []
    return "   ".join(parts)
