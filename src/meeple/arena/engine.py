"""The match engine: plays matches between agents, by the quicker of two ways that fits.

- *Compiled*: if all agents are compiled functions and no times are measured, whole batches of matches are played in
  one call of compiled code (inside.py).
- *Asked*: otherwise agents are asked for one move after the other, from Python, within their limits of time
  (`play_game`). The engine's own work is a few microseconds a move.

Both play the same match, move for move, with the same record and result. The engine never raises for what an
agent does: one that raises, answers what is not on offer or oversteps its time forfeits; it comes last, all others
share the victory.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent, never, pose, streams_of
from meeple.agents.simple import Random
from meeple.arena.conditions import HANGING, MARGIN, Conditions
from meeple.arena.inside import NOT_OFFERED, MatchResults, insider_for
from meeple.arena.openings import Openings
from meeple.arena.store import RoleResults
from meeple.core.chance import event_fate, rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.forfeit import HEAD, Forfeit
from meeple.core.game import Game, State
from meeple.core.info import Info
from meeple.core.match import Match, SeenEvent, Step, seen_event
from meeple.core.record import Record
from meeple.errors import AgentError, brief

# How much of a match is kept: its result; also its course, which names the codes of all events; also these codes; also
# the states, for a record.
Keeps = Literal["results", "courses", "events", "records"]
TO_THE_END = "played to the end"
USUAL_GAMES = 32  # random games, whose mean length tells how many moves a clock must last
LATER = 0.25  # however long a match has lasted, a seat's clock is shared by at least this part of the usual moves
TRAIL_BYTES = 8_000_000  # a batch of compiled matches has at most so many bytes of states


class Pulse(Protocol):
    """Who is told of everything that happens in a match, so that another process can watch over it (workers.py)."""

    def begins(self, number: int) -> None:
        """A match begins: the one of this `number` of all that the engine was given, counted from 0."""

    def asked(self, seat: int, hanging: float) -> None:
        """A seat is asked, and will not be waited for longer than `hanging` seconds."""

    def answered(self) -> None:
        """The seat came back."""

    def happened(self, code: int) -> None:
        """An event was applied."""


@dataclass(slots=True)
class Played:
    """A match that is over: its events, and how it ended. What was not kept of it is empty."""

    game: Game
    seed: int
    salt: bytes = b""
    start: State | None = None  # the first state
    start_text: str | None = None  # where that is not the beginning
    plies: int = 0  # decisions made
    offered: int = 0  # moves on offer, summed over all decisions
    codes: list[int] = field(default_factory=list)  # of moves and outcomes
    movers: list[int] = field(default_factory=list)  # the seat of each move that was asked for
    seconds: list[float] = field(default_factory=list)  # and what it thought
    steps: list[Step] | None = None  # the events with the states before them, where they are kept
    end: State | None = None  # the last state
    ranks: Sequence[int] = ()
    shares: Sequence[float] = ()  # of the victory
    scores: Sequence[int] = ()
    roles: RoleResults = ()  # by seat and role, where the game names roles and was played to its end
    forfeit: Forfeit | None = None
    fault: AgentError | None = None  # of the agent that forfeited by it

    @property
    def reason(self) -> str:
        """Why it ended, as a record has it."""
        return TO_THE_END if self.forfeit is None else f"{HEAD}{self.forfeit.reason}"

    @property
    def at_fault(self) -> int | None:
        """The seat that forfeited."""
        return None if self.forfeit is None else self.forfeit.seat

    @property
    def course(self) -> bytes:
        """Eight bytes that name the events: equal where start and events are; empty where they were not kept."""
        if not self.codes:
            return b""
        body = np.asarray(self.codes, dtype=np.int64).tobytes()
        return hashlib.blake2b(body + str(self.start_text).encode(), digest_size=8).digest()

    def match(self) -> Match:
        """The match with all its states, which must have been kept."""
        assert self.steps is not None
        assert self.end is not None
        return Match.from_steps(self.steps, self.end, seed=self.seed, salt=self.salt, start_text=self.start_text)

    def record(self, agents: Sequence[str]) -> Record:
        """What replays the match; its states must have been kept."""
        return self.match().record(list(agents), forfeit=self.forfeit)


class Engine:
    """Plays matches between some agents under fixed conditions, compiled where that is possible."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        *,
        conditions: Conditions | None = None,
        openings: Openings | None = None,
        salt: bytes = b"",
        keeps: Keeps = "records",
        pulse: Pulse | None = None,
    ) -> None:
        self.game, self.agents = game, list(agents)
        self.conditions, self.openings = conditions or Conditions(), openings or Openings()
        self.salt, self.keeps, self.pulse = salt, keeps, pulse
        # Compiled matches derive fates and streams from the seed alone, begin where the seed says, and measure no time.
        is_plain = not self.conditions.as_json() and self.openings.texts is None and not salt
        self.insider = insider_for(game, self.agents) if is_plain else None
        self.taken = 0  # matches played by earlier calls, by which a pulse counts

    def play(self, matches: Sequence[tuple[int, Sequence[int]]]) -> Iterator[Played]:
        """Play matches in order and yield each; a match is its seed and, for each seat, the number of an agent."""
        if self.insider is None:
            for place, (seed, seated) in enumerate(matches):
                yield self._asked(place, seed, seated)
        else:
            for first in range(0, len(matches), self._a_batch):
                yield from self._compiled(first, matches[first : first + self._a_batch])
        self.taken += len(matches)

    def close(self) -> None:
        """Let the agents go; they may play on, and are opened again for it."""
        for agent in self.agents:
            with suppress(Exception):  # its games are over
                agent.close()

    def start(self, seed: int) -> State | None:
        """Return the state at which the games of a seed begin; None for the game's first position."""
        return self.openings.start(self.game, seed, self.salt)

    # --- asked

    def _asked(self, place: int, seed: int, seated: Sequence[int]) -> Played:
        if self.pulse:
            self.pulse.begins(self.taken + place)
        return play_game(
            self.game,
            [self.agents[number] for number in seated],
            seed=seed,
            start=self.start(seed),
            salt=self.salt,
            conditions=self.conditions,
            steps=self.keeps == "records",
            pulse=self.pulse,
        )

    # --- compiled

    @property
    def _a_batch(self) -> int:
        """Matches a batch: those whose states fit where they are kept."""
        a_match = self.game.layout.itemsize * (self.game.facts.longest + 1)
        return max(1, TRAIL_BYTES // a_match) if self.keeps == "records" else 1_000_000

    def _compiled(self, first: int, matches: Sequence[tuple[int, Sequence[int]]]) -> Iterator[Played]:
        assert self.insider is not None
        batch = self.insider.play(
            [seed for seed, _ in matches],
            [seated for _, seated in matches],
            openings=0 if self.game.facts.chance else self.game.facts.opening,
            keeps=self.keeps,
        )
        shares, ranks, scores = batch.shares.tolist(), batch.ranks.tolist(), batch.scores.tolist()
        plies, offered, roles = batch.plies.tolist(), batch.offered.tolist(), batch.roles.tolist()
        for i, (seed, seated) in enumerate(matches):
            if plies[i] == NOT_OFFERED:  # played again by asking, which finds out who answered what, and forfeits
                yield self._asked(first + i, seed, seated)
                continue
            played = Played(self.game, seed, plies=plies[i], ranks=ranks[i], shares=shares[i], scores=scores[i])
            if self.game.role_names:
                played.roles = tuple(tuple(tuple(row) for row in seat) for seat in roles[i])
            if self.keeps != "results":
                start = self.start(seed)
                played.start_text = start.text() if start else None
                played.offered, played.codes = offered[i], batch.codes[i, : batch.events[i]].tolist()
            if self.keeps == "records":
                played.steps, played.end = _steps_of(self.game, batch, i), _state(self.game, batch, i, batch.events[i])
                played.start = played.steps[0].before if played.steps else played.end
            yield played


def _steps_of(game: Game, batch: MatchResults, i: int) -> list[Step]:
    """The events of match i with the states before them, as compiled code has left them."""
    movers, codes = batch.movers[i].tolist(), batch.codes[i].tolist()
    return [
        Step(_state(game, batch, i, event), codes[event], None if movers[event] == CHANCE else movers[event])
        for event in range(batch.events[i])
    ]


def _state(game: Game, batch: MatchResults, i: int, event: int) -> State:
    return State(game, batch.trail[i, event : event + 1])


# --- asked, one move after the other ----------------------------------------------------------------------------------


def play_game(
    game: Game,
    agents: Sequence[Agent],
    *,
    seed: int,
    start: State | None = None,
    salt: bytes = b"",
    conditions: Conditions | None = None,
    steps: bool = True,
    pulse: Pulse | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Played:
    """Play one match by asking `agents[i]` for the moves of seat i. Seed and salt determine chance and streams.

    `steps`: keep all states, for the match and its record. `clock` is what times are measured by.
    """
    course = _Course(game, seed, start, salt, keeps_steps=steps, pulse=pulse)
    forfeit = _open_match(game, agents, pulse)
    if forfeit is not None:
        course.played.fault = AgentError(forfeit.reason)
        played = forfeited(course.played, course.state, forfeit)
    else:
        played = _played_out(course, agents, conditions or Conditions(), pulse, clock)
    for agent, _seats in _with_seats(agents):
        with suppress(Exception):  # the match is decided; what is wrong with the agent shows when it is asked again
            agent.end_match(played.ranks, played.reason)
    return played


def _with_seats(agents: Sequence[Agent]) -> list[tuple[Agent, list[int]]]:
    """Each agent with its seats: one may sit in several."""
    seats: dict[int, tuple[Agent, list[int]]] = {}
    for seat, agent in enumerate(agents):
        seats.setdefault(id(agent), (agent, []))[1].append(seat)
    return list(seats.values())


def _open_match(game: Game, agents: Sequence[Agent], pulse: Pulse | None) -> Forfeit | None:
    """Tell the agents that a match begins, off the clock; the forfeit of the first that cannot begin, or None."""
    for agent, seats in _with_seats(agents):
        if pulse:
            pulse.asked(seats[0], HANGING)
        try:
            agent.open()
            agent.new_match(game, seats)
        except Exception as fault:
            said = str(fault) if isinstance(fault, AgentError) else f"raised {brief(fault)}"
            return Forfeit(seats[0], f"seat {seats[0] + 1} ({agent.spec}) before the match: {said}")
        finally:
            if pulse:
                pulse.answered()
    return None


def _played_out(
    course: _Course,
    agents: Sequence[Agent],
    conditions: Conditions,
    pulse: Pulse | None,
    clock: Callable[[], float],
) -> Played:
    """Ask one agent after the other until the match is over."""
    played, state = course.played, course.state
    game, seed, salt = played.game, played.seed, played.salt
    streams = [streams_of(agent, seat, seed, salt) for seat, agent in enumerate(agents)]
    left, made = [conditions.clock] * game.seats, [0] * game.seats
    usual = usual_moves(game) if conditions.clock else 0.0
    while True:
        course.settle()
        seat = state.to_move
        if seat == NOBODY:
            return _ended(played, state)
        ply = played.plies
        allowed = conditions.allowed(is_first=made[seat] == 0, left=left[seat])
        # A clock is divided by the moves that are probably still to come; never by none, as in an unusually long match.
        to_come = max(usual - made[seat], LATER * usual)
        share = conditions.share(is_first=made[seat] == 0, left=left[seat], to_come=to_come)
        if pulse:
            pulse.asked(seat, conditions.hanging(allowed))
        limits = conditions.limits(allowed, left)
        noted: Info = {}
        began = clock()
        action = None
        if not (conditions.clock and left[seat] <= -MARGIN):  # else its time ran out before this move
            try:
                action = pose(
                    agents[seat],
                    state,
                    ply=ply,
                    streams=streams[seat],
                    seen=lambda seat=seat: course.seen(seat),  # type: ignore[misc]
                    events=lambda seat=seat: course.seen_events(seat),  # type: ignore[misc]
                    deterministic=conditions.deterministic,
                    should_stop=never if share is None else _alarm(clock, began + share),
                    seconds=share,
                    limits=limits,
                    note=noted.update,
                )
            except AgentError as fault:
                if pulse:
                    pulse.answered()
                played.fault = fault
                return forfeited(played, state, Forfeit(seat, str(fault)))
        spent = clock() - began
        if pulse:
            pulse.answered()
        if allowed is not None and (action is None or spent > allowed + MARGIN):
            if conditions.on_timeout == "forfeit":
                where = f"seat {seat + 1} ({agents[seat].spec}) at ply {ply}"
                had = "were on its clock" if conditions.clock and allowed == left[seat] else "were allowed"
                why = f"{where} took {spent:.2f} s where {max(0.0, allowed):.2f} s {had}"
                return forfeited(played, state, Forfeit(seat, why))
            action = int(rng_for("timeout", seat, ply, seed=seed, salt=salt).choice(state.legal_actions()))
        assert action is not None
        # The margin by which a clock may be overstepped is granted once a match, so the debt is carried over.
        left[seat] = max(-MARGIN, left[seat] - spent) + conditions.increment
        made[seat] += 1
        course.move(action, seat, spent, noted or None)


class _Course:
    """A match in play: one state, changed in place, and the `Played` into which every event is entered."""

    def __init__(
        self, game: Game, seed: int, start: State | None, salt: bytes, *, keeps_steps: bool, pulse: Pulse | None
    ) -> None:
        first = (start or game.new(seed=seed, salt=salt)).copy()
        self.state = first.copy()
        self.played = Played(game, seed, salt, first, start.text() if start else None)
        self.played.steps = [] if keeps_steps else None
        self.pulse, self._face, self._array = pulse, game.face, self.state.array
        self._has_chance = game.facts.chance
        self._outcomes = np.empty(game.facts.longest + 1, dtype=np.int64)
        self._weights = np.empty(max(1, int(game.definition.rules.OUTCOMES)), dtype=np.int64)
        self._seen: dict[int, tuple[NDArray[Any], list[int]]] = {}
        self._events: dict[int, tuple[State, list[SeenEvent]]] = {}

    def settle(self) -> None:
        """Let chance act until a seat is to move or the match is over."""
        # In one compiled call where no state has to be kept in between and the fate need not be set anew.
        if not self._has_chance:
            return
        played, face, array = self.played, self._face, self._array
        if played.steps is None and not played.salt:
            n = face.settle_recorded_at(array, 0, self._weights, self._outcomes)
            codes = self._outcomes[:n].tolist()
            played.codes += codes
            if self.pulse:
                for code in codes:
                    self.pulse.happened(code)
            return
        while face.to_move_at(array, 0) == CHANCE:
            if played.salt:  # each event has its own fate, by a cryptographic hash that Python computes
                key = int(face.chance_key_at(array, 0))
                array["fate"] = event_fate(key, seed=played.seed, salt=played.salt)
            self._happen(int(face.outcome_at(array, 0, self._weights)), None, 0.0)

    def move(self, action: int, seat: int, seconds: float, info: Info | None) -> None:
        """A seat's move, which is on offer."""
        played = self.played
        played.offered += int(self._face.count_actions_at(self._array, 0))
        self._happen(action, seat, seconds, info)
        played.plies += 1
        played.seconds.append(seconds)
        played.movers.append(seat)

    def _happen(self, code: int, seat: int | None, seconds: float, info: Info | None = None) -> None:
        if self.played.steps is not None:
            self.played.steps.append(Step(self.state.copy(), code, seat, seconds, info))
        self._face.apply_at(self._array, 0, code)
        self.played.codes.append(code)
        if self.pulse:
            self.pulse.happened(code)

    def seen(self, seat: int) -> list[int]:
        """Return the match so far as `seat` saw it, for an agent that `wants_history`.

        Kept between calls, with the state up to which it goes, so that each event is looked at once.
        """
        assert self.played.start is not None
        if seat not in self._seen:
            self._seen[seat] = self.played.start.copy().array, []
        array, seen = self._seen[seat]
        for code in self.played.codes[len(seen) :]:
            seen.append(int(self._face.seen_at(array, 0, code, seat)))
            self._face.apply_at(array, 0, code)
        return seen

    def seen_events(self, seat: int) -> list[SeenEvent]:
        """The same with movers and texts, for an agent that `wants_events`."""
        assert self.played.start is not None
        if seat not in self._events:
            self._events[seat] = self.played.start.copy(), []
        state, events = self._events[seat]
        for code in self.played.codes[len(events) :]:
            events.append(seen_event(state, code, seat))
            self._face.apply_at(state.array, 0, code)
        return events


@lru_cache(maxsize=64)
def usual_moves(game: Game) -> float:
    """Return how many moves a seat makes in a random match on average; fixed seeds, so equal in every process."""
    seated = [Random()] * game.seats
    plies = sum(play_game(game, seated, seed=seed, steps=False).plies for seed in range(USUAL_GAMES))
    return plies / (USUAL_GAMES * game.seats)


def _alarm(clock: Callable[[], float], deadline: float) -> Callable[[], bool]:
    return lambda: clock() >= deadline


def _ended(played: Played, state: State) -> Played:
    played.end = state
    played.ranks, played.shares = state.ranks(), state.win_shares()
    played.scores = [state.score(seat) for seat in range(state.game.seats)]
    if state.game.role_names:
        played.roles = tuple(tuple(state.role_results(seat).values()) for seat in range(state.game.seats))
    return played


def forfeited(played: Played, state: State, forfeit: Forfeit) -> Played:
    """End a match in `state` by a forfeit: one seat comes last, all others share the victory."""
    played.end, played.forfeit = state, forfeit
    played.ranks, played.shares = forfeit.ranks(state.game.seats), forfeit.shares(state.game.seats)
    played.scores = [state.score(seat) for seat in range(state.game.seats)]
    return played
