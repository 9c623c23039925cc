"""Plays one match quickly, under conditions, and never raises for what an agent does.

An agent that raises, answers what is not on offer or oversteps its time forfeits: it comes last, all others share
the victory. Between two moves the runner costs a few microseconds; texts are made only when a record is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent, never, pose, streams_of
from meeple.agents.simple import Random
from meeple.arena.conditions import MARGIN, Conditions
from meeple.arena.store import Parts
from meeple.core.chance import event_fate, rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.forfeit import HEAD, Forfeit
from meeple.core.game import Game, Int64s, State
from meeple.core.record import Event, Record
from meeple.errors import AgentError

TO_THE_END = "played to the end"
USUAL_GAMES = 32  # at random, whose length tells how many moves a clock must last
LATER = 0.25  # of the usual moves are expected at least, however long the match has lasted


class Pulse(Protocol):
    """Told of every event, so that somebody else can see who is thinking and since when."""

    def asked(self, seat: int, hanging: float) -> None:
        """A seat is asked, and will not be waited for longer than `hanging` seconds."""

    def answered(self) -> None:
        """The seat came back."""

    def happened(self, code: int) -> None:
        """An event was applied."""


@dataclass
class Played:
    """A match that is over: its events as codes, and how it ended."""

    seed: int
    start: State
    start_text: str | None
    codes: list[int] = field(default_factory=list)  # of moves and outcomes
    seconds: list[float] = field(default_factory=list)  # of each move
    movers: list[int] = field(default_factory=list)  # the seat of each move
    offered: int = 0  # moves on offer, summed over all decisions
    ranks: list[int] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)  # of the victory
    scores: list[int] = field(default_factory=list)
    parts: Parts = ()  # by seat and part, where the game names parts and was played to its end
    reason: str = TO_THE_END
    at_fault: int | None = None  # the seat that forfeited
    salt: bytes = b""

    @property
    def plies(self) -> int:
        """Decisions made."""
        return len(self.seconds)

    def record(self, agents: Sequence[str]) -> Record:
        """What replays the match."""
        game, state = self.start.game, self.start.copy()
        record = Record(game.spec, game.facts.version, self.seed, salt=self.salt)
        record.folder, record.start, record.agents = game.definition.folder, self.start_text, list(agents)
        face, array, seconds = game.face, state.array, iter(self.seconds)
        for code in self.codes:
            mover = int(face.to_move_at(array, 0))
            if mover == CHANCE:
                record.events.append(Event(state.move_text(code), None))
            else:
                record.events.append(Event(state.move_text(code), mover, next(seconds)))
            face.apply_at(array, 0, code)
        returns = [2 * share - 1 for share in self.shares]
        record.result = {"ranks": self.ranks, "returns": returns, "reason": self.reason}
        if self.at_fault is not None:
            record.result["forfeit"] = self.at_fault
        return record


def play_game(
    game: Game,
    agents: Sequence[Agent],
    *,
    seed: int,
    start: State | None = None,
    salt: bytes = b"",
    conditions: Conditions | None = None,
    pulse: Pulse | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Played:
    """Play one match from its seed and salt, `agents[i]` in seat i; `clock` tells the seconds."""
    conditions = conditions or Conditions()
    first = (start or game.new(seed=seed, salt=salt)).copy()
    played = Played(seed, first, start.text() if start else None, salt=salt)
    state = played.start.copy()
    face, array = game.face, state.array
    streams = [streams_of(agent, seat, seed, salt) for seat, agent in enumerate(agents)]
    left, made = [conditions.clock] * game.seats, [0] * game.seats
    usual = usual_moves(game) if conditions.clock else 0.0
    outcomes = np.empty(game.facts.longest + 1, dtype=np.int64)
    weights = np.empty(max(1, int(game.definition.rules.OUTCOMES)), dtype=np.int64)
    while True:
        if game.facts.chance:
            if salt:
                n = _settle_salted(face, array, seed, salt, weights, outcomes)
            else:
                n = face.settle_recorded_at(array, 0, weights, outcomes)
            for code in outcomes[:n].tolist():
                played.codes.append(code)
                if pulse:
                    pulse.happened(code)
        seat = int(face.to_move_at(array, 0))
        if seat == NOBODY:
            return _ended(played, state)
        ply = len(played.seconds)
        allowed = conditions.allowed(is_first=made[seat] == 0, left=left[seat])
        to_come = max(usual - made[seat], LATER * usual)
        share = conditions.share(is_first=made[seat] == 0, left=left[seat], to_come=to_come)
        if pulse:
            pulse.asked(seat, conditions.hanging(allowed))
        began = clock()
        action = None
        if not (conditions.clock and left[seat] <= -MARGIN):  # else its time is up, and nothing is asked
            try:
                action = pose(
                    agents[seat],
                    state,
                    ply=ply,
                    streams=streams[seat],
                    seen=lambda seat=seat: _seen(played, seat),  # type: ignore[misc]
                    deterministic=conditions.deterministic,
                    should_stop=never if share is None else _alarm(clock, began + share),
                    seconds=share,
                )
            except AgentError as fault:
                if pulse:
                    pulse.answered()
                return forfeited(played, seat, str(fault))
        spent = clock() - began
        if pulse:
            pulse.answered()
        if allowed is not None and (action is None or spent > allowed + MARGIN):
            if conditions.on_timeout == "forfeit":
                where = f"seat {seat + 1} ({agents[seat].spec}) at ply {ply}"
                had = "were on its clock" if conditions.clock and allowed == left[seat] else "were allowed"
                return forfeited(played, seat, f"{where} took {spent:.2f} s where {max(0.0, allowed):.2f} s {had}")
            action = int(rng_for("timeout", seat, ply, seed=seed, salt=salt).choice(state.legal_actions()))
        assert action is not None
        # What a clock may be overstepped by is given once a match, not once a move.
        left[seat] = max(-MARGIN, left[seat] - spent) + conditions.increment
        made[seat] += 1
        played.offered += int(face.count_actions_at(array, 0))
        face.apply_at(array, 0, action)
        played.codes.append(action)
        played.seconds.append(spent)
        played.movers.append(seat)
        if pulse:
            pulse.happened(action)


def _settle_salted(face: Any, array: Any, seed: int, salt: bytes, weights: Int64s, outcomes: Int64s) -> int:
    """`settle_recorded_at` with a fate of its own for each event, made by a hash that is not compiled."""
    n = 0
    while face.to_move_at(array, 0) == CHANCE:
        array["fate"] = event_fate(int(face.chance_key_at(array, 0)), seed=seed, salt=salt)
        outcomes[n] = face.outcome_at(array, 0, weights)
        face.apply_at(array, 0, outcomes[n])
        n += 1
    return n


@lru_cache(maxsize=64)
def usual_moves(game: Game) -> float:
    """Moves that a seat makes in a match: the mean of some matches at random, the same in every process."""
    seated = [Random()] * game.seats
    return sum(play_game(game, seated, seed=seed).plies for seed in range(USUAL_GAMES)) / (USUAL_GAMES * game.seats)


def _alarm(clock: Callable[[], float], deadline: float) -> Callable[[], bool]:
    return lambda: clock() >= deadline


def _seen(played: Played, seat: int) -> list[int]:
    """The match so far as `seat` saw it, for the few agents that want to know."""
    face, array, seen = played.start.game.face, played.start.array.copy(), []
    for code in played.codes:
        seen.append(int(face.seen_at(array, 0, code, seat)))
        face.apply_at(array, 0, code)
    return seen


def _ended(played: Played, state: State) -> Played:
    played.ranks, played.shares = state.ranks(), state.win_shares()
    played.scores = [state.score(seat) for seat in range(state.game.seats)]
    if state.game.part_words:
        played.parts = tuple(tuple(state.parts(seat).values()) for seat in range(state.game.seats))
    return played


def forfeited(played: Played, seat: int, reason: str) -> Played:
    """The match ends here: `seat` comes last, all others share the victory."""
    seats, forfeit = played.start.game.seats, Forfeit(seat, reason)
    played.ranks, played.shares = forfeit.ranks(seats), forfeit.shares(seats)
    played.scores = _scores_at_the_end(played)
    played.reason, played.at_fault = f"{HEAD}{reason}", seat
    return played


def _scores_at_the_end(played: Played) -> list[int]:
    face, array = played.start.game.face, played.start.array.copy()
    for code in played.codes:
        face.apply_at(array, 0, code)
    return [int(face.score_at(array, 0, seat)) for seat in range(played.start.game.seats)]


def digest(codes: Sequence[int] | NDArray[np.int64], start: Any) -> bytes:
    """Eight bytes that name a match's course: equal where start and events are."""
    import hashlib

    body = np.asarray(codes, dtype=np.int64).tobytes()
    return hashlib.blake2b(body + str(start).encode(), digest_size=8).digest()
