"""A table: a match with people and agents at it, its clocks, requests and links; nothing here draws.

The page and `meeple play` in the terminal both play at one.

All changes happen on the event loop, each raises `version`, is saved, and is told to those who look. A seat
is held by a secret token: the owner's for all seats at the owner's screen, one for each seat elsewhere, and
one for spectators, who see what everybody sees.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection
from copy import copy
from dataclasses import replace
from typing import Any

from meeple.agents.base import Agent
from meeple.agents.levels import deviations_of, elos_of
from meeple.agents.registry import load_agent
from meeple.core.chance import new_salt
from meeple.core.contract import NOBODY
from meeple.core.entry import Entry
from meeple.core.forfeit import Forfeit
from meeple.core.game import Game, State
from meeple.core.info import Info
from meeple.core.match import Match
from meeple.core.record import LONGEST_COMMENT, MOST_COMMENTS, Record
from meeple.errors import MeepleError
from meeple.web.asking import Trouble
from meeple.web.clock import Clock, Times
from meeple.web.seats import Access, Refused, Seat, access_by, told_name
from meeple.web.takeback import Request
from meeple.web.talk import Talk


class Table:
    """One match and all around it.

    A match that is not given is made here: with a `seed` that somebody chose it is dealt by that seed alone, and can
    be dealt again by whoever knows it; without one it is salted, so that nobody can foretell it. Neither seed nor
    salt leaves the server before the match is over.
    """

    def __init__(
        self,
        game: Game,
        seats: list[Seat],
        *,
        owner: str,
        seed: int | None = None,
        start: str | None = None,
        clock: Clock | None = None,
        match: Match | None = None,
        is_replay: bool = False,
        is_guided: bool = False,
        is_study: bool = False,
        is_unhurried: bool = False,
    ) -> None:
        assert len(seats) == game.seats
        self.key = secrets.token_urlsafe(9)
        self.owner = owner
        self.seats = seats
        self.owner_token, self.spectator_token = secrets.token_urlsafe(18), secrets.token_urlsafe(18)
        for seat in seats:
            seat.name = told_name(seat.name) or "Guest"
            seat.token = secrets.token_urlsafe(18) if seat.kind == "elsewhere" else ""
            if seat.level and seat.elo is None:
                seat.elo = elos_of(game.definition).get(seat.level)
                seat.deviation = deviations_of(game.definition).get(seat.level)
        if match is None and seed is None:
            match = Match(game, seed=secrets.randbelow(2**53), start=start, salt=new_salt())
        self.match = match or Match(game, seed=seed or 0, start=start)
        self.clock = clock
        self.times = Times(clock, seats)
        self.is_replay, self.is_guided = is_replay, is_guided
        self.is_study = is_study  # a branch of a match that is over: one person tries moves, and nothing is secret
        self.is_unhurried = is_unhurried  # chosen on the command line: its agents think as long as they like
        self.forfeit: Forfeit | None = None  # where somebody gave up or ran out of time
        self.request: Request | None = None
        self.arrived: set[int] = set()  # people elsewhere who have come to the table at least once
        self.present: Counter[int] = Counter()  # browsers of each seat that look on now; never saved
        self.talk = Talk()
        self.is_paused = False
        self.is_stepping = False  # one move is asked for while it is paused
        self.trouble: Trouble | None = None  # an agent failed; never saved: it is asked again when somebody comes back
        self.pace = 0.6  # seconds between moves of agents, for people to follow
        self.rematch: dict[str, str] = {}  # by each link of this table, the link to the rematch
        self.comments: dict[int, str] = {}  # on positions of a match that is analysed, by the number of events before
        self.helped = ""  # why the match measures nobody's strength, if a person had help
        self.began, self.ended = time.time(), 0.0  # seconds since 1970; 0 while it runs
        self.version = 0
        self.said: tuple[int, Info] = (
            -1,
            {},
        )  # the version an agent was asked at, and what it says of its move
        self.listeners: list[Callable[[], None]] = []
        self.on_change: Callable[[Table], None] = lambda table: None
        self.drawings: dict[object, Any] = {}  # of a still table: what was drawn of it, by how it was looked at
        self.logs: dict[Any, Any] = {}  # what each viewer's log has told so far (web/logbook.py)
        self._moment: Table | None = None  # the table as it is now, once somebody has asked for it
        self._agents: dict[int, Agent] = {}

    # --- what it is

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen."""
        return self.match.is_over or self.forfeit is not None

    @property
    def shows_all(self) -> bool:
        """Whether everything may be shown: the match is over, no person plays in it, or it is typed in."""
        return self.is_over or self.is_replay or isinstance(self.match, Entry)

    @property
    def is_contested(self) -> bool:
        """Whether people play each other in it now: nobody may have its positions judged before it is over."""
        return len(self.people) > 1 and not self.shows_all and not self.is_study

    @property
    def is_advised(self) -> bool:
        """Whether who plays may ask an agent for a move: not against people who do not see that."""
        return not (self.is_contested and any(seat.kind == "elsewhere" for seat in self.seats))

    @property
    def people(self) -> list[int]:
        """Seats of people."""
        return [seat for seat, who in enumerate(self.seats) if who.is_person]

    @property
    def mover(self) -> int:
        """The seat to move; NOBODY once the match is over."""
        return NOBODY if self.is_over else self.match.to_move

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return tuple(seat.name for seat in self.seats)

    def winners(self) -> list[int]:
        """The seats that won, of a match that is over."""
        shares = self.forfeit.shares(len(self.seats)) if self.forfeit else self.match.state.win_shares()
        return [seat for seat, share in enumerate(shares) if share > 0]

    def record(self, *, events: bool = True) -> Record:
        """What replays the match, and how it ended; secrets included. Without `events` only what stands around them."""
        agents = [seat.spec or "human" for seat in self.seats]
        record = self.match.record(agents, forfeit=self.forfeit, events=events)
        record.comments = dict(self.comments)
        record.names, record.levels = list(self.names), [seat.level for seat in self.seats]
        return record

    def comment(self, at: int, text: str) -> None:
        """Keep a comment on the position after so many events, in the record too; an empty one is taken out."""
        text = text.strip()[:LONGEST_COMMENT]
        if text and at not in self.comments and len(self.comments) >= MOST_COMMENTS:
            raise Refused(f"a record holds {MOST_COMMENTS} comments at most")
        self.comments = {**self.comments, at: text}
        if not text:
            del self.comments[at]
        self.changed()

    def access(self, token: str) -> Access | None:
        """What this token opens at this table."""
        return access_by(self, token)

    def tokens(self) -> list[str]:
        """All tokens that open something here."""
        return [self.owner_token, self.spectator_token, *(seat.token for seat in self.seats if seat.token)]

    # --- play

    def play(self, seat: int, action: int) -> None:
        """A person's or an agent's move; refused where it is not on offer to that seat now."""
        if self.mover != seat:
            raise Refused("it is not this seat's turn")
        seconds, spent = time.monotonic() - self.times.since, self.times.spent(seat)
        try:
            self.match.play(int(action), seconds=seconds)
        except MeepleError as fault:
            raise Refused(str(fault)) from fault
        version, info = self.said
        if version == self.version and info:
            self.match.note(info)
        if not self.awaited:
            self.times.charge(seat, spent)
        self.request = None
        self.changed()

    def resign(self, seat: int) -> None:
        """A person gives up: the others share the victory."""
        self._end(seat, "resigned")

    def flag(self) -> bool:
        """End the match if the mover's time is up; whether it was."""
        mover = self.mover
        if mover < 0 or self.awaited or not self.times.counts(mover) or not self.times.is_up(mover):
            return False
        self.forfeit = Forfeit(mover, f"seat {mover + 1} ran out of time")
        self.changed()
        return True

    def _end(self, seat: int, reason: str) -> None:
        if self.is_over:
            raise Refused("the match is over")
        if not self.seats[seat].is_person:
            raise Refused("nobody sits there to give up")
        self.forfeit = Forfeit(seat, f"seat {seat + 1} {reason}")
        self.changed()

    def time_left(self, seat: int) -> float:
        """What is left of a seat's time, now."""
        runs = seat == self.mover and not self.awaited
        return self.times.left[seat] - (self.times.spent(seat) if runs else 0.0)

    # --- who is there

    @property
    def awaited(self) -> list[int]:
        """Seats of people elsewhere who have not come yet: until then no clock runs."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == "elsewhere" and n not in self.arrived]

    def enter(self, seats: Collection[int]) -> None:
        """A browser that plays these seats looks at the table."""
        is_new = any(not self.present[seat] for seat in seats)
        awaited = self.awaited
        self.present.update(seats)
        self.arrived.update(seat for seat in seats if self.seats[seat].kind == "elsewhere")
        if awaited and not self.awaited:
            self.times.since = time.monotonic()
        if is_new:
            self.tell()

    def leave(self, seats: Collection[int]) -> None:
        """It looks no more."""
        self.present.subtract(seats)
        if any(self.present[seat] <= 0 for seat in seats):
            self.tell()

    def rename(self, seat: int, name: str) -> None:
        """Call a person by the name that it gave."""
        given = told_name(name)
        if not given or not self.seats[seat].is_person:
            raise Refused("that is no name for this seat")
        self.seats[seat].name, self.seats[seat].is_named = given, True
        self.changed()

    # --- agents

    def agent(self, seat: int) -> Agent:
        """The agent of a seat."""
        if seat not in self._agents:
            self._agents[seat] = load_agent(self.seats[seat].spec, self.game)
        return self._agents[seat]

    def sit_down(self, seat: int, agent: Agent) -> None:
        """Have this agent, which is loaded already, play for its seat."""
        self._agents[seat] = agent

    def is_seated(self, seat: int, agent: Agent) -> bool:
        """Whether it is this agent that plays for the seat."""
        return self._agents.get(seat) is agent

    def fail(self, seat: int, *, loads: bool) -> None:
        """The agent of a seat did not answer: everybody is told, nothing else changes."""
        self.trouble = Trouble(seat, loads)
        self.rest()
        self.tell()

    def try_again(self) -> None:
        """The agent that failed is loaded anew, and asked again."""
        if self.trouble is None:
            raise Refused("no agent has failed")
        self._agents.pop(self.trouble.seat, None)
        self.changed()

    def replace(self, name: str, agent: Agent) -> None:
        """Another agent, known by `name`, takes the place of the one that failed."""
        if self.trouble is None:
            raise Refused("no agent has failed")
        seat = self.seats[self.trouble.seat]
        taken = sum(other.name.startswith(name) for other in self.seats if other is not seat)
        seat.name, seat.spec, seat.level = f"{name} {taken + 1}" if taken else name, agent.spec, name
        seat.is_stand_in = True
        self._agents[self.trouble.seat] = agent
        self.changed()

    def rest(self) -> None:
        """The agent that was asked is asked no more, for now: its clock stands."""
        self.times.asked = 0.0

    # --- what was and is

    def state_at(self, cursor: int | None) -> State:
        """The state after so many events; where the match stands for None."""
        if cursor is None or cursor >= len(self.match.steps):
            return self.match.state
        return self.match.steps[max(0, cursor)].before

    def still(self) -> Table:
        """The table as it is now, for another thread to look at; nobody listens to it.

        All who ask between two changes get the same one, unless a clock runs.
        """
        if self._moment is None or self.clock is not None:
            self._moment = self._copied()
        return self._moment

    def _copied(self) -> Table:
        twin = copy(self)
        twin.drawings, twin._moment = {}, None
        twin.match, twin.seats = copy(self.match), [replace(seat) for seat in self.seats]
        twin.times = self.times.copied(twin.seats)
        twin.listeners, twin.on_change, twin._agents = [], lambda table: None, {}
        return twin

    # --- change

    def changed(self) -> None:
        """Something happened: save and tell."""
        self._moment = None
        self.version += 1
        self.trouble = None
        self.ended = self.ended or (time.time() if self.is_over else 0.0)
        self.times.start()
        self.on_change(self)
        self.tell()

    def tell(self) -> None:
        """Have everybody who looks look again."""
        self._moment = None
        for listener in list(self.listeners):
            listener()
