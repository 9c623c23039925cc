"""Playing on after a match: a rematch with seats exchanged, or another way from any of its positions."""

from __future__ import annotations

from dataclasses import replace

from meeple.web.seats import Access, Refused, Seat
from meeple.web.table import Table


def rematch_of(table: Table) -> tuple[Table, dict[str, str]]:
    """The same people and agents at a new table, everybody one seat on, and the new link for each link of the old.

    Cards and dice are new.

    Raises:
        Refused: the match is not over, or nobody played in it.
    """
    if not table.is_over or table.is_replay or table.is_study or not table.people:
        raise Refused("a rematch follows a match of people that is over")
    order = [(number + 1) % len(table.seats) for number in range(len(table.seats))]
    seats = [replace(table.seats[number], is_stand_in=False, elo=None, deviation=None) for number in order]
    again = Table(table.game, seats, owner=table.owner, start=table.match.start_text, clock=table.clock)
    again.pace = table.pace
    links = {
        table.owner_token: again.owner_token,
        table.spectator_token: again.spectator_token,
        **{table.seats[old].token: again.seats[new].token for new, old in enumerate(order) if table.seats[old].token},
    }
    return again, links


def way_on(access: Access) -> str:
    """The token by which the holder of a link finds the rematch; empty while there is none."""
    table = access.table
    own = [table.seats[seat].token for seat in access.seats]
    token = table.owner_token if access.is_owner else own[0] if own else table.spectator_token
    return table.rematch.get(token, "")


def may_be_analysed(table: Table) -> bool:
    """Whether nothing of it is secret any more, from anybody: it is over, a record, or one person's try."""
    return table.shows_all or table.is_study


def try_from(table: Table, cursor: int | None, owner: str) -> Table:
    """A table of its own where the match goes another way after so many events; None is where it stands.

    Against agents the person goes on against the same ones, with seats and names kept; of matches that only agents
    played, and of records, one person plays all seats.

    Raises:
        Refused: the match still has secrets.
    """
    if not table.shows_all:
        raise Refused("moves can be tried when the match is over")
    match = table.match
    steps = match.steps[: len(match.steps) if cursor is None else cursor]
    branch = match.branch(sum(step.seat is not None for step in steps))
    keeps = bool(table.people) and not table.is_replay
    seats = [_kept(seat) if keeps else Seat("here", seat.name, is_named=True) for seat in table.seats]
    study = Table(branch.game, seats, owner=owner, match=branch, is_study=True)
    study.pace = table.pace
    return study


def _kept(seat: Seat) -> Seat:
    return replace(seat) if seat.kind == "agent" else Seat("here", seat.name, is_named=True)
