"""`engine`: a program in any language plays, spoken to by lines of JSON (docs/engine-protocol.md)."""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from meeple.agents.base import Agent, Turn
from meeple.agents.engines.messages import EngineFault
from meeple.agents.engines.process import MEGABYTE, words_of
from meeple.agents.engines.talk import Patience, Talk
from meeple.core.game import Game
from meeple.core.info import shown
from meeple.core.settings import setting
from meeple.errors import AgentError, ConfigError, UnsupportedGameError

Result = TypeVar("Result")


@dataclass(kw_only=True)
class External(Agent):
    """Plays as a program of its own does, in any language, asked by lines of JSON: docs/engine-protocol.md."""

    command: str = setting("", "the program with its arguments, as a shell splits them", names="command")
    nodes: int = setting(0, "told to the program: positions that it may look at for a move; 0: no limit", least=0)
    time: float = setting(0.0, "limit of a move; 0: none but the match's", is_time=True)
    memory: int = setting(4096, "MB that it may hold, with all that it has started; 0: no limit", least=0)
    patience: float = setting(0.0, "silence that counts as hanging; 0: 30s at the start, 9m for a move", is_time=True)

    wants_events: bool = field(default=True, init=False, repr=False)
    # A program for each seat that the agent has in a match: what one seat sees is not for the other.
    talks: dict[int, Talk] = field(default_factory=dict, init=False, repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Where nobody closes the agent, its programs end when it is forgotten, or with this process.
        weakref.finalize(self, _end_all, self.talks, os.getpid())

    def fit(self, game: Game) -> None:
        """There must be such a program; whether it plays the game, it says when a match begins."""
        super().fit(game)
        if not self.command:
            raise UnsupportedGameError('engine plays as a program does: name it, such as engine:command="./mine"')
        require_program(self.command)

    # --- the life of the agent

    def open(self) -> None:
        """Start a program if none runs."""
        if not self.talks:
            self._with_talk(0, lambda talk: None)

    def new_match(self, game: Game, seats: Sequence[int]) -> None:
        """Tell each seat's program, and wait until it is ready; programs stay at work, whatever their seats."""
        with self.lock:
            running = list(self.talks.values())
            self.talks.clear()
            self.talks.update(zip(seats, running, strict=False))
            for spare in running[len(seats) :]:
                spare.end(politely=True)
            for seat in seats:
                self._begin(game, seat)

    def _begin(self, game: Game, seat: int) -> None:
        """Have a seat's program begin a match; one from the last match that cannot is replaced, which loses nothing."""
        if seat in self.talks:
            with suppress(AgentError):
                self._with_talk(seat, lambda talk: talk.new_match(game, seat))
                return
        self._with_talk(seat, lambda talk: talk.new_match(game, seat))

    def choose(self, turn: Turn) -> int:
        """The program's answer; what it said of it is noted."""
        seconds = turn.within(self.time)
        try:
            action, info = self._with_talk(turn.seat, lambda talk: talk.ask(turn, seconds=seconds, nodes=self.nodes))
        except AgentError as fault:
            raise AgentError(f"seat {turn.seat + 1} ({self.spec}) at ply {turn.ply}: {fault}") from None
        turn.note(info)
        return action

    def end_match(self, ranks: Sequence[int], reason: str) -> None:
        """Tell the programs how it ended."""
        with self.lock:
            for talk in self.talks.values():
                talk.result(ranks, reason)

    def close(self) -> None:
        """Tell the programs to quit, and end those that do not."""
        with self.lock:
            while self.talks:
                self.talks.popitem()[1].end(politely=True)

    # --- programs

    def _with_talk(self, seat: int, work: Callable[[Talk], Result]) -> Result:
        """What `work` does with the program of a seat, started if none runs; a fault of it ends the program.

        Raises:
            AgentError: the program did something wrong. The next question starts another.
        """
        with self.lock:
            try:
                return work(self._talk(seat))
            except BaseException as fault:
                if seat in self.talks:
                    self.talks.pop(seat).end(politely=False)
                if isinstance(fault, EngineFault):
                    raise AgentError(f"its program {fault}") from None
                raise

    def _talk(self, seat: int) -> Talk:
        if seat not in self.talks:
            self.talks[seat] = Talk(self.command, Patience(self.patience, self.memory * MEGABYTE))
            self.talks[seat].hello()
            self.wants_events = "events" in self.talks[seat].wants
        return self.talks[seat]


def require_program(command: str) -> None:
    """Raise ConfigError unless there is a program that the command starts."""
    try:
        program = words_of(command)[0]
    except (ValueError, IndexError) as fault:
        raise ConfigError(f"the command {shown(command)} cannot be split into words: {fault}") from None
    if shutil.which(program) is None:
        raise ConfigError(f"there is no program {shown(program)} to start as an engine")


def _end_all(talks: dict[int, Talk], process: int) -> None:
    if os.getpid() == process:  # and not a copy of it, made by a fork, whose programs these are not
        for talk in talks.values():
            talk.end(politely=False)
