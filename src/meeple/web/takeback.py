"""Taking back moves at a table, once everybody agrees, and playing them again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from meeple.web.seats import Refused

if TYPE_CHECKING:
    from meeple.web.table import Table


@dataclass
class Request:
    """Somebody asks to take back a move; all other people must agree."""

    seat: int
    plies: int
    agreed: set[int] = field(default_factory=set)


def undo_last(table: Table, seats: Collection[int]) -> None:
    """Back to the last decision of one of these seats, which share a screen, once every other person agrees."""
    own = [step.seat for step in table.match.steps if step.seat in seats]
    if not own or own[-1] is None:
        raise Refused("there is nothing to take back yet")
    undo(table, own[-1])


def undo(table: Table, seat: int) -> None:
    """Back to this seat's last decision, once every other person agrees."""
    if table.is_over:
        raise Refused("the match is over")
    plies = _plies_back(table, seat)
    if plies == 0:
        raise Refused("there is nothing to take back yet")
    table.request = Request(seat, plies, _together(table, seat))
    _undo_if_agreed(table)
    table.changed()


def agree(table: Table, seat: int, *, agrees: bool) -> None:
    """Another person's answer to the request."""
    if table.request is None or seat not in table.people:
        raise Refused("nobody has asked")
    if agrees:
        table.request.agreed |= _together(table, seat)
        _undo_if_agreed(table)
    else:
        table.request = None
        table.talk.answer(seat, "I would rather not take that back.")
    table.changed()


def withdraw(table: Table, seat: int) -> None:
    """Whoever asked to take back a move does so no more."""
    if table.request is None or table.request.seat != seat:
        raise Refused("nobody has asked")
    table.request = None
    table.changed()


def can_redo(table: Table) -> bool:
    """Whether something was taken back that nobody elsewhere would be surprised to see again."""
    return table.match.can_redo and all(seat.kind != "elsewhere" for seat in table.seats)


def redo(table: Table) -> None:
    """Play again what was taken back, up to the next decision of a person."""
    if not can_redo(table):
        raise Refused("there is nothing to redo")
    table.match.redo()
    while table.match.can_redo and table.match.to_move not in table.people:
        table.match.redo()
    table.changed()


def _undo_if_agreed(table: Table) -> None:
    if table.request is not None and set(table.people) <= table.request.agreed:
        table.match.undo(table.request.plies)
        table.request = None
        table.helped = table.helped or "a move was taken back"


def _together(table: Table, seat: int) -> set[int]:
    """The seat and, where it is at the owner's screen, all others there: they can speak with each other."""
    kind = table.seats[seat].kind
    return {seat} if kind == "elsewhere" else {n for n, who in enumerate(table.seats) if who.kind == "here"}


def _plies_back(table: Table, seat: int) -> int:
    plies = 0
    for step in reversed(table.match.steps):
        plies += step.seat is not None
        if step.seat == seat:
            return plies
    return 0
