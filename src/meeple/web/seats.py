"""Who sits at a table, by what name, and what the holder of a link may do there."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from meeple.errors import MeepleError

if TYPE_CHECKING:
    from meeple.web.table import Table

Kind = Literal["here", "elsewhere", "agent"]
LONGEST_NAME = 24


class Refused(MeepleError):
    """A click, link or request that changes nothing, with the reason."""


@dataclass
class Seat:
    """Who sits there."""

    kind: Kind
    name: str
    spec: str = ""  # of an agent
    level: str = ""  # the agent's name among the game's levels
    elo: float | None = None  # of the level when the match began: it may be measured anew
    deviation: float | None = None  # of that Elo, by the intervals it was measured with
    token: str = ""  # of a person elsewhere
    is_stand_in: bool = False  # an agent that took the place of one that failed
    is_named: bool = False  # whether a person gave the name

    @property
    def is_person(self) -> bool:
        """Whether clicks decide."""
        return self.kind != "agent"


def told_name(name: str) -> str:
    """A name that a person gave, as it is kept; nothing where it is none, as `You`, which the page calls everybody."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 1].rstrip()}…"
    return "" if name.casefold() == "you" else name


@dataclass(frozen=True)
class Access:
    """What the holder of a link may do."""

    table: Table
    seats: frozenset[int] = frozenset()
    is_owner: bool = False


def access_by(table: Table, token: str) -> Access | None:
    """What this token opens at a table; None where it opens nothing."""
    if secrets.compare_digest(token, table.owner_token):
        seats = frozenset(seat for seat, who in enumerate(table.seats) if who.kind == "here")
        return Access(table, seats, is_owner=True)
    if secrets.compare_digest(token, table.spectator_token):
        return Access(table)
    for number, seat in enumerate(table.seats):
        if seat.token and secrets.compare_digest(token, seat.token):
            return Access(table, frozenset({number}))
    return None
