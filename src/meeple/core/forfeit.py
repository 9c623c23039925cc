"""How a match ends before the rules end it: one seat fails, oversteps its time or gives up, and loses by that.

A record's result then says so beside ranks and returns, whoever played the match, a tournament or people:

    {"ranks": [2, 1], "returns": [-1.0, 1.0], "reason": "forfeit: seat 1 resigned", "forfeit": 0}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

HEAD = "forfeit: "


@dataclass(frozen=True)
class Forfeit:
    """The seat that comes last, and why; all others share the victory."""

    seat: int
    reason: str  # a whole clause: "seat 1 resigned"

    def ranks(self, seats: int) -> list[int]:
        """Each seat's place."""
        return [seats if seat == self.seat and seats > 1 else 1 for seat in range(seats)]

    def shares(self, seats: int) -> list[float]:
        """Each seat's share of the victory."""
        return [0.0 if seat == self.seat else 1 / max(1, seats - 1) for seat in range(seats)]

    def result(self, seats: int) -> dict[str, Any]:
        """As it stands in a record."""
        returns = [2 * share - 1 for share in self.shares(seats)]
        return {"ranks": self.ranks(seats), "returns": returns, "reason": f"{HEAD}{self.reason}", "forfeit": self.seat}


def forfeit_of(result: dict[str, Any] | None, seats: int) -> Forfeit | None:
    """The forfeit that a record's result tells; None where there is none, or one that names no seat of the match."""
    seat = (result or {}).get("forfeit")
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < seats:
        return None
    reason = (result or {}).get("reason")
    return Forfeit(seat, reason.removeprefix(HEAD) if isinstance(reason, str) else f"seat {seat + 1} forfeited")
