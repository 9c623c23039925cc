"""Hoard drawn: a row a seat, cards as boxes; a card is played by a click, dropped by a click on it and on the hoard."""

from __future__ import annotations

from typing import Any

from meeple.core.picture import EDGE, INK, PAPER, Look, Path, ring_box, seat_mark, text
from meeple.core.svg import Markup, tag

from .notation import _write_seat
from .rules import HAND


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    rows = [_row(state, owner, seat, look) for owner in range(state.seats)]
    die = text(20, 32, f"die {int(state.die) or '-'}", fill=look.ink)
    return look.svg(420, 80 * int(state.seats) + 50, die, *rows, title="Hoard", grounds=(PAPER, INK))


def paths(state: Any, action: int) -> list[Path]:
    place = f"card-{action % HAND + 1}"
    return [(place, "table") if action < HAND else (place, "hoard")]


def _row(state: Any, owner: int, seat: int | None, look: Look) -> Markup:
    _, hand, hoard = _write_seat(state, owner, seat).split(" ")
    y = 60 + 80 * owner
    parts = [seat_mark(owner, 30, y + 30, 14)]
    is_mover = owner == int(state.mover)
    for place, card in enumerate(hand.strip("-")):
        box = tag("rect", x=60 + 60 * place, y=y, width=44, height=60, rx=6, fill="#fff", stroke=EDGE)
        face = text(82 + 60 * place, y + 38, card, size=22, text_anchor="middle")
        ring = ring_box(57 + 60 * place, y - 3, 50, 66)
        key = f"card-{place + 1}"
        parts.append(look.target(key, f"card {card}", box, face, ring=ring) if is_mover else tag("g", box, face))
    for key, x, words in (("table", 200, f"{int(state.points[owner])} points"), ("hoard", 300, f"hoard {hoard}")):
        shown = text(x + 10, y + 36, words, fill=look.ink)
        ring = ring_box(x, y, 92, 60)
        parts.append(look.target(key, words, shown, ring=ring) if is_mover else shown)
    return tag("g", *parts)
