"""Processes that play games, and the watch that is kept over them.

Each worker has a pipe for jobs and results, and a *pulse* in shared memory: which game it plays, whose move it waits
for, until when it will be waited for, and the events so far. A worker whose agent does not come back is ended; the
seat that hung forfeits that game, with the moves made so far in its record, and another worker takes the place.
Workers hold no results for longer than FLUSH_SECONDS, so nothing else is lost with one.

A worker that dies while a seat is asked died by that agent's doing where it exited or faulted (exit code, SIGSEGV):
the seat forfeits. Where a signal ended it that may have come from outside (SIGKILL by the system when memory runs
out, SIGTERM by hand), nobody forfeits: the game is played again, in a fresh worker and by itself. Only where that
happens MOST_DEATHS times at one game with the same seat to move does the seat forfeit, so that every tournament ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.arena.conditions import HANGING, Conditions
from meeple.arena.engine import Engine, Keeps, Played, forfeited, play_game
from meeple.arena.openings import Openings
from meeple.arena.schedule import GameKey
from meeple.arena.store import StoredGame
from meeple.core.forfeit import Forfeit
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import AgentError, ConfigError, brief

FLUSH_SECONDS = 0.05
WATCH_SECONDS = 0.1  # between two looks at the pulses
CHUNK_SECONDS = 0.1  # of work handed out at a time
EXIT_SECONDS = 15.0  # that a worker without its pipe has to be gone; a busy machine takes its time
MOST_JOBS = 2_000  # handed out at a time
MOST_LATE = 3  # workers in a row that may die before they played anything
MOST_DEATHS = 3  # of workers at one game and seat, by a signal that may have come from outside
# Signals that a process brings on itself.
FAULTS = {
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGSYS", "SIGTRAP")
    if hasattr(signal, name)
}
_NO_SEAT = -1


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    key: GameKey
    seed: int
    seated: tuple[int, ...]  # the agent in each seat


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What every worker must know; all of it can be pickled."""

    game: str | Spec  # with the folder of a game that is not installed
    agents: tuple[str, ...]
    conditions: Conditions = field(default_factory=Conditions)
    openings: Openings = field(default_factory=Openings)
    keeps: Keeps = "records"
    salt: bytes = b""  # of a tournament with agents that are not trusted


class Player:
    """Plays jobs in this process, and makes of each match what is stored of it."""

    def __init__(self, setup: Setup, pulse: SharedPulse | None = None) -> None:
        self.setup = setup
        self.game: Game = load_game(setup.game)
        self.engine = Engine(
            self.game,
            [load_agent(spec, self.game) for spec in setup.agents],
            conditions=setup.conditions,
            openings=setup.openings,
            salt=setup.salt,
            keeps=setup.keeps,
            pulse=pulse,
        )

    def play(self, jobs: Sequence[Job]) -> Iterator[StoredGame]:
        """The games, one after the other."""
        matches = self.engine.play([(job.seed, job.seated) for job in jobs])
        for job, played in zip(jobs, matches, strict=True):
            yield self.stored(job, played)

    def stored(self, job: Job, played: Played) -> StoredGame:
        """A match as it is stored."""
        names = [self.setup.agents[number] for number in job.seated]
        return StoredGame(
            key=job.key,
            seed=job.seed,
            ranks=tuple(played.ranks),
            shares=tuple(played.shares),
            scores=tuple(played.scores),
            plies=played.plies,
            offered=played.offered,
            reason="" if played.forfeit is None else played.reason,
            at_fault=played.at_fault,
            course=played.course,
            record=played.record(names).text() if self.setup.keeps == "records" else None,
            times=tuple(zip(played.movers, played.seconds, strict=True)),
            parts=played.parts,
            has_failed=played.fault is not None,
        )

    def forfeit(self, job: Job, codes: list[int], seat: int, why: str) -> StoredGame:
        """The game of a worker that was ended while `seat` was to move; of it these events are known, and no more."""
        start, salt = self.engine.start(job.seed), self.setup.salt
        match = Match(self.game, seed=job.seed, start=start, manual_chance=True, salt=salt)
        for code in codes:
            if code not in match.state.offer():
                break
            match.play(code)
        played = Played(self.game, job.seed, salt, start_text=match.start_text, plies=match.ply, steps=match.steps)
        played.codes = [step.code for step in match.steps]
        agent = self.setup.agents[job.seated[seat]]
        return self.stored(job, forfeited(played, match.state, Forfeit(seat, f"seat {seat + 1} ({agent}) {why}")))


class SharedPulse:
    """What a worker tells while it plays, in memory that its parent reads."""

    def __init__(self, longest: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.facts = context.RawArray("d", 4)  # job number, seat, when it was asked, how long it is waited for
        self.facts[0], self.facts[1] = -1, _NO_SEAT
        self.codes = context.RawArray("q", longest + 2)  # the number of events, then the events

    def begins(self, number: int) -> None:
        """A game begins, the job of this number: all that the worker was given are counted from 0."""
        self.answered()
        self.codes[0] = 0
        self.facts[0] = number

    def asked(self, seat: int, hanging: float) -> None:
        """A seat is to move."""
        self.facts[2] = time.monotonic()
        self.facts[3] = hanging
        self.facts[1] = seat

    def answered(self) -> None:
        """The seat came back, and the game goes on without an agent."""
        self.facts[1] = _NO_SEAT
        self.facts[2] = time.monotonic()
        self.facts[3] = HANGING

    def happened(self, code: int) -> None:
        """An event was applied."""
        n = self.codes[0] + 1
        self.codes[n] = code
        self.codes[0] = n

    @property
    def is_hanging(self) -> bool:
        """Whether the seat to move, or the game itself, has been waited for long enough."""
        return bool(time.monotonic() - self.facts[2] > self.facts[3])

    def events(self) -> list[int]:
        """The events of the game at hand."""
        return list(self.codes[1 : 1 + self.codes[0]])


def _work(pipe: Connection, setup: Setup, pulse: SharedPulse) -> None:
    """A worker's life: take jobs, play them, hand the games back; told nothing more, it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    threading.Thread(target=_leave_with_the_parent, args=(os.getppid(),), daemon=True).start()
    try:
        player = Player(setup, pulse)
        if setup.conditions.has_limits:
            _warm_up(player)  # no agent pays for the loading of compiled code
    except BaseException as fault:
        pipe.send(("broken", brief(fault)))
        return
    with suppress(EOFError, OSError):  # the parent is gone
        pipe.send(("ready", 0.0))
        while True:
            _play_all(player, pipe.recv(), pipe)


def _play_all(player: Player, jobs: list[Job], pipe: Connection) -> None:
    began = flushed = time.perf_counter()
    done: list[StoredGame] = []
    for game in player.play(jobs):
        done.append(game)
        if time.perf_counter() - flushed >= FLUSH_SECONDS:
            pipe.send(("games", done))
            done, flushed = [], time.perf_counter()
    pipe.send(("games", done))
    pipe.send(("idle", time.perf_counter() - began))


def _leave_with_the_parent(parent: int) -> None:
    """A worker whose parent was killed ends too, even while an agent does not come back."""
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS * 10)
    os._exit(1)


class JobSource(Protocol):
    """Games to be played, as a tournament hands them out."""

    @property
    def is_done(self) -> bool:
        """Whether nothing more is wanted."""

    def take(self, most: int) -> list[Job]:
        """The next games, at most about so many; none where the workers must wait or all are handed out."""

    def give_back(self, jobs: list[Job]) -> None:
        """These were handed out and not played."""


class Worker:
    """A process and what it was given to do."""

    def __init__(self, setup: Setup, longest: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pulse = SharedPulse(longest)
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, setup, self.pulse), daemon=True)
        self.process.start()
        theirs.close()
        self.jobs: list[Job] = []  # handed out and not yet returned, in order
        self.alone: list[Job] = []  # a game that it shall play first, and by itself
        self.returned = 0
        self.is_idle = False
        self.chunk = 1

    def give(self, jobs: list[Job]) -> None:
        """Hand out jobs."""
        self.jobs, self.is_idle = jobs, False
        with suppress(OSError):  # it has died: its pipe tells so
            self.pipe.send(jobs)

    def took(self, games: list[StoredGame]) -> None:
        """These came back."""
        self.jobs = self.jobs[len(games) :]
        self.returned += len(games)

    def at_hand(self) -> Job | None:
        """The job it was playing when it was last heard of by its pulse."""
        place = int(self.pulse.facts[0]) - self.returned
        return self.jobs[place] if 0 <= place < len(self.jobs) else None

    def end(self) -> None:
        """End it at once, whatever it does."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Crew:
    """So many workers; `with` ends them all. `is_current` tells whether the code is still that of the first ones."""

    def __init__(self, setup: Setup, workers: int, is_current: Callable[[], bool] = lambda: True) -> None:
        self.setup, self.wanted, self.is_current = setup, workers, is_current
        self.player = Player(setup)  # compiles everything once, before the workers start
        _warm_up(self.player)
        self.workers: list[Worker] = []
        self.died_early = 0
        self.deaths: Counter[tuple[GameKey, int]] = Counter()  # of workers, by the game and the seat they waited for
        self.killed = 0  # workers, by what may have come from outside

    def __enter__(self) -> Crew:
        self.workers = [self._hire() for _ in range(self.wanted)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.end()

    def _hire(self) -> Worker:
        return Worker(self.setup, self.player.game.facts.longest)

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """All games of a source as they come back, until it has no more to give."""
        while True:
            if source.is_done:  # games still under way would not count
                return
            for worker in self.workers:
                if worker.is_idle:
                    jobs, worker.alone = worker.alone or source.take(worker.chunk), []
                    if jobs:
                        worker.give(jobs)
            busy = {worker.pipe: worker for worker in self.workers}
            for pipe in wait(list(busy), timeout=WATCH_SECONDS):
                worker = busy[pipe]  # type: ignore[index]
                try:
                    kind, news = worker.pipe.recv()
                except (EOFError, OSError):
                    yield self._replace(worker, source, death_by(_exit_code(worker)))
                    continue
                yield self._heard(worker, kind, news)
            for worker in list(self.workers):
                if worker.pulse.is_hanging and worker.at_hand() and worker.process.is_alive():
                    late = f"did not come back within {worker.pulse.facts[3]:.1f} s"
                    yield self._replace(worker, source, Death(late, is_own=True))

    def _heard(self, worker: Worker, kind: str, news: Any) -> list[StoredGame]:
        if kind == "broken":
            raise AgentError(f"a worker could not start: {news}")
        if kind in ("ready", "idle"):
            worker.is_idle = True
            if kind == "idle" and news > 0:
                worker.chunk = max(1, min(MOST_JOBS, 4 * worker.chunk, int(worker.chunk * CHUNK_SECONDS / news)))
            return []
        worker.took(news)
        self.died_early = 0
        return list(news)

    def _replace(self, worker: Worker, source: JobSource, death: Death) -> list[StoredGame]:
        """Put another in the place of a worker; what it was given is played by others.

        The game that it was playing is forfeited by the seat to move, where that is to blame, or played again.
        """
        found = _unread(worker)
        job, seat, events = worker.at_hand(), int(worker.pulse.facts[1]), worker.pulse.events()
        worker.end()
        self.killed += not death.is_own
        if not self.is_current():  # a new worker would load it
            raise ConfigError("the code was changed while it played; start again: what is stored is safe")
        fresh = self._hire()
        self.workers[self.workers.index(worker)] = fresh
        if job is None:
            self.died_early += 1
            if self.died_early >= MOST_LATE:
                raise AgentError(f"{MOST_LATE} workers in a row died before they played a game: the last {death.why}")
            fresh.alone = worker.alone
            source.give_back(worker.jobs)
            return found
        source.give_back([other for other in worker.jobs if other is not job])
        self.deaths[job.key, seat] += 1
        if seat != _NO_SEAT and death.is_own:
            return [*found, self.player.forfeit(job, events, seat, death.why)]
        if self.deaths[job.key, seat] < MOST_DEATHS:
            fresh.alone = [job]
            return found
        times = f"{MOST_DEATHS} times, in fresh processes, at this game"
        if seat == _NO_SEAT:
            raise AgentError(f"game {job.key.text()} cannot be played: its worker {death.why} {times}, nobody to move")
        why = f"is taken to end its own process: that {death.why} {times} while this seat was to move"
        return [*found, self.player.forfeit(job, events, seat, why)]


class Alone:
    """A crew of this process alone: quick to start, and nobody watches over agents that do not come back."""

    killed = 0

    def __init__(self, setup: Setup) -> None:
        self.player = Player(setup)
        if setup.conditions.has_limits:
            _warm_up(self.player)  # no agent pays for the loading of compiled code

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """All games of a source, each as it ends; a batch of many at once where they are compiled."""
        most = MOST_JOBS if self.player.engine.insider is not None else 1
        while not source.is_done:
            jobs = source.take(most)
            assert jobs, "nobody else is playing what the source waits for"
            for game in self.player.play(jobs):
                yield [game]
                if source.is_done:  # by a rule: what is left of the batch would not count
                    return


@dataclass(frozen=True)
class Death:
    """How a worker ended."""

    why: str  # in words that follow the name of the process
    is_own: bool  # whether what ran in it must have done it; else it may have come from outside


def death_by(code: int | None) -> Death:
    """What an exit code tells; None: the process lives, without its pipe."""
    if code is None:
        return Death("closed the connection of its process", is_own=True)
    if code >= 0:
        return Death(f"ended its process (exit code {code})", is_own=True)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if -code in FAULTS:
        return Death(f"ended its process by a fault ({name})", is_own=True)
    return Death(f"was killed ({name})", is_own=False)


def _unread(worker: Worker) -> list[StoredGame]:
    """Games that a worker had sent before it was ended."""
    found: list[StoredGame] = []
    with suppress(EOFError, OSError):
        while worker.pipe.poll():
            kind, news = worker.pipe.recv()
            if kind == "games":
                worker.took(news)
                found += news
    return found


def _exit_code(worker: Worker) -> int | None:
    worker.process.join(EXIT_SECONDS)
    return worker.process.exitcode


def _warm_up(player: Player) -> None:
    """Compile what the agents need by asking each once, before the workers start."""
    engine, game = player.engine, player.game
    if engine.insider is not None:
        # A match of its own numbers: nothing of it is kept.
        orders = [[seat % len(engine.agents) for seat in range(game.seats)]]
        engine.insider.play([0], orders, openings=0, keeps=engine.keeps)
        return
    start = engine.start(engine.openings.first_seed)
    steps = engine.keeps == "records"
    played = play_game(game, [load_agent("first", game)] * game.seats, seed=0, start=start, steps=steps)
    if steps:
        played.record(["first"])
    for spec in player.setup.agents:
        agent = load_agent(spec, game)  # one of its own: what it remembers of this is not the player's
        if type(agent).__module__.startswith("meeple."):  # others may do what they like when they are asked
            ask(agent, Match(game, seed=0, start=start), should_stop=lambda: True)


def default_workers() -> int:
    """As many as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
