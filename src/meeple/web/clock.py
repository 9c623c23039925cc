"""The clocks of a table: how much time there is, and what each seat has left of it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from meeple.agents.base import Limits
from meeple.arena.conditions import Conditions
from meeple.web.seats import Seat

USUAL_MOVES, LEAST_TO_COME = 40.0, 10.0  # moves of a seat that a clock is shared out over
GRACE = 1.0  # seconds that an agent may be late: it was told in time, and machines are busy


@dataclass
class Clock:
    """Time for a whole match and for each move, in seconds."""

    whole: float
    a_move: float = 0.0  # added after each move
    for_agents: bool = False  # whether agents have it too; else they take what the server gives them

    def share(self, left: float, made: int) -> float:
        """Seconds for the next move of an agent that has made so many: an even share of what is left and will come."""
        conditions = Conditions(clock=self.whole, increment=self.a_move)
        share = conditions.share(is_first=False, left=left, to_come=max(LEAST_TO_COME, USUAL_MOVES - made))
        assert share is not None
        return share


class Times:
    """What is left to each seat. A person's time runs from the last change, an agent's from when it was asked.

    At a table without a clock nothing is counted, but `since` tells how long a move took.
    """

    def __init__(self, clock: Clock | None, seats: list[Seat]) -> None:
        self.clock, self.seats = clock, seats
        self.left = [clock.whole if clock else 0.0] * len(seats)
        self.since = time.monotonic()  # the last change
        self.asked = 0.0  # when the agent that is to move was asked; 0: not yet

    def counts(self, seat: int) -> bool:
        """Whether the time of this seat is counted."""
        return self.clock is not None and (self.clock.for_agents or self.seats[seat].is_person)

    def spent(self, seat: int) -> float:
        """Seconds of the time of `seat`, which is to move, since the last change."""
        since = self.since if self.seats[seat].is_person else self.asked
        return time.monotonic() - since if since else 0.0

    def charge(self, seat: int, spent: float) -> None:
        """Take what a move took, and give what a move brings."""
        if self.clock and self.counts(seat):
            self.left[seat] += self.clock.a_move - spent

    def is_up(self, seat: int) -> bool:
        """Whether the mover, whose clock runs, has no time left; an agent may be a little late."""
        return self.left[seat] - self.spent(seat) <= (0.0 if self.seats[seat].is_person else -GRACE)

    def share(self, seat: int, made: int) -> float | None:
        """Seconds that an agent which has made so many moves is told to take for its next; None without a clock."""
        return self.clock.share(self.left[seat], made) if self.clock and self.counts(seat) else None

    def limits(self, seat: int) -> Limits:
        """What an agent in this seat is told of its clock."""
        assert self.clock is not None
        left = tuple(max(0.0, seconds) for seconds in self.left)
        return Limits(left[seat], left, self.clock.a_move)

    def start(self) -> None:
        """From now on the mover's time runs; an agent's once it is asked."""
        self.since, self.asked = time.monotonic(), 0.0

    def copied(self, seats: list[Seat]) -> Times:
        """The same times for the seats of a copied table."""
        twin = Times(self.clock, seats)
        twin.left, twin.since, twin.asked = list(self.left), self.since, self.asked
        return twin
