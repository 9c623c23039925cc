"""Worker processes that play games, and the `Crew` that gives them jobs and watches over them.

    Crew  ->  Worker  ->  (pipe)  ->  _work, in a process of its own  ->  Player  ->  Engine
      |                                                                      |
      +------------------  SharedPulse, in shared memory  <------------------+

A worker takes jobs from its pipe and sends finished games back. While it plays it keeps its *pulse* up to date: which
game it plays, which seat it waits for and since when, how long that seat may take, and the events of the game so far.

A worker may fail in three ways:

- An agent hangs: it does not answer in the time that the pulse allows. The worker is killed and the seat forfeits.
- The process exits or crashes (exit code, SIGSEGV) while a seat is asked. That agent has done it: the seat forfeits.
- A signal from outside may have ended it (SIGKILL when memory runs out, SIGTERM). The game is played again, alone in
  a fresh worker. Only after MOST_DEATHS such deaths at one game with the same seat to move does that seat forfeit, so
  that every tournament ends.

In all three a new worker takes its place, the moves made before a forfeit are in the game's record, and the other jobs
go back to the ledger. Games are sent back every FLUSH_SECONDS, so at most the last few are played again.

A worker leads a process group of its own, which is killed with it: what an agent has started there does not outlive it.
Engines in other languages are in groups of their own, which a keeper ends (agents/engines/process.py).
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

import numpy as np

from meeple.agents.base import ask
from meeple.agents.outside import outside_of
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

FLUSH_SECONDS = 0.05  # a worker sends its finished games back at least so often
WATCH_SECONDS = 0.1  # the crew looks at all pulses at least so often
CHUNK_SECONDS = 0.1  # a worker is given about so much work at a time: less talk than by single games, little to lose
EXIT_SECONDS = 15.0  # after a worker closed its pipe, its exit code is waited for so long: the machine may be busy
MOST_JOBS = 2_000  # given to a worker at a time
MOST_LATE = 3  # so many workers in a row may die before they played a game; then something else is wrong
MOST_DEATHS = 3  # so often may a signal from outside end a worker at one game and seat, before the seat forfeits
# Signals that a process gets for what it does itself; all others may have come from outside.
FAULTS = {
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGSYS", "SIGTRAP")
    if hasattr(signal, name)
}
# The facts of a pulse: which job, counted over all that the worker was given; which seat is asked; when it was asked,
# by the monotonic clock; and how many seconds it may take.
_JOB, _SEAT, _SINCE, _MAY_TAKE = range(4)
_NO_SEAT = -1  # in a pulse: no agent is asked


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    key: GameKey
    seed: int
    seated: tuple[int, ...]  # the agent in each seat


@dataclass(frozen=True, kw_only=True)
class Setup:
    """All that a worker needs to play a tournament's games; it is pickled and sent to each."""

    game: str | Spec  # with the folder of a game that is not installed
    agents: tuple[str, ...]  # specs, by the numbers that jobs have in `seated`
    conditions: Conditions = field(default_factory=Conditions)
    openings: Openings = field(default_factory=Openings)
    keeps: Keeps = "records"
    salt: bytes = b""  # secret from which deals and streams are derived, where agents are not trusted


class Player:
    """Plays jobs in this process, one after the other, and turns each match into a `StoredGame`."""

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

    def close(self) -> None:
        """Let the agents go."""
        self.engine.close()

    def play(self, jobs: Sequence[Job]) -> Iterator[StoredGame]:
        """Play the jobs in order and yield each game as it ends."""
        matches = self.engine.play([(job.seed, job.seated) for job in jobs])
        for job, played in zip(jobs, matches, strict=True):
            yield self.stored(job, played)

    def stored(self, job: Job, played: Played) -> StoredGame:
        """Return what the store keeps of a match."""
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
            roles=played.roles,
            events=np.asarray(played.codes, dtype=np.int64).tobytes() if self.setup.keeps == "events" else b"",
            has_failed=played.fault is not None,
        )

    def replayed(self, job: Job, codes: Sequence[int]) -> Match:
        """Return the match of a job after these events, which a pulse has told."""
        start, salt = self.engine.start(job.seed), self.setup.salt
        match = Match(self.game, seed=job.seed, start=start, manual_chance=True, salt=salt)
        for code in codes:
            if code not in match.state.offer():  # the worker died while it wrote its pulse, or wrote over it
                break
            match.play(code)
        return match

    def forfeit(self, job: Job, codes: list[int], seat: int, why: str) -> StoredGame:
        """Return the game that `seat` forfeits because its worker died; `codes` are the events known from the pulse."""
        match, salt = self.replayed(job, codes), self.setup.salt
        played = Played(self.game, job.seed, salt, start_text=match.start_text, plies=match.ply, steps=match.steps)
        played.codes = [step.code for step in match.steps]
        agent = self.setup.agents[job.seated[seat]]
        return self.stored(job, forfeited(played, match.state, Forfeit(seat, f"seat {seat + 1} ({agent}) {why}")))


class SharedPulse:
    """What a worker is doing, in memory that it shares with the crew's process.

    There are no locks: a lock held by a worker that is killed would never be free again. Each number is written whole,
    and in an order in which a reader between two writes sees nothing wrong.
    """

    def __init__(self, longest: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.facts = context.RawArray("d", 4)  # _JOB, _SEAT, _SINCE, _MAY_TAKE
        self.facts[_JOB], self.facts[_SEAT] = -1, _NO_SEAT
        self.codes = context.RawArray("q", longest + 2)  # the number of events, then the events

    def begins(self, number: int) -> None:
        """Note that a game begins: the job of this `number`, counted from 0 over all jobs the worker was given."""
        self.answered()
        self.codes[0] = 0
        self.facts[_JOB] = number

    def asked(self, seat: int, hanging: float) -> None:
        """Note that a seat is asked and may take `hanging` seconds."""
        self.facts[_SINCE] = time.monotonic()
        self.facts[_MAY_TAKE] = hanging
        self.facts[_SEAT] = seat  # last: whoever is to blame must have been asked at the time that stands there

    def answered(self) -> None:
        """Note that the seat has answered. The rules' own work has a limit too, HANGING, in case they never end."""
        self.facts[_SEAT] = _NO_SEAT
        self.facts[_SINCE] = time.monotonic()
        self.facts[_MAY_TAKE] = HANGING

    def happened(self, code: int) -> None:
        """Note an event of the game: a move or an outcome."""
        n = self.codes[0] + 1
        self.codes[n] = code
        self.codes[0] = n  # after the event itself, so that no reader counts one that is not there yet

    @property
    def is_hanging(self) -> bool:
        """Whether the agent that is asked, or the game's own code, has taken longer than it may."""
        return bool(time.monotonic() - self.facts[_SINCE] > self.facts[_MAY_TAKE])

    def events(self) -> list[int]:
        """The events of the game that is being played."""
        return list(self.codes[1 : 1 + self.codes[0]])


def _work(pipe: Connection, setup: Setup, pulse: SharedPulse) -> None:
    """The main function of a worker process: play lists of jobs from the pipe until the parent closes it.

    It sends ("ready", 0.0) or ("broken", why) first, and again where another setup comes from the pipe; then for each
    list ("games", some) as they end and ("idle", seconds that the list took).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides what it means
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    threading.Thread(target=_leave_with_the_parent, args=(os.getppid(),), daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            try:
                pulse.facts[_JOB] = -1
                player = Player(setup, pulse)
                if setup.conditions.has_limits:
                    _warm_up(player)  # else the first move would pay for loading compiled code
            except BaseException as fault:
                pipe.send(("broken", brief(fault)))
                return
            pipe.send(("ready", 0.0))
            try:
                while not isinstance(news := pipe.recv(), Setup):
                    _play_all(player, news, pipe)
            finally:
                player.close()
            setup = news


def _play_all(player: Player, jobs: list[Job], pipe: Connection) -> None:
    """Play a list of jobs, sending games back every FLUSH_SECONDS; then say how long the list took."""
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
    """End this worker, and its process group, when its parent is gone, even while an agent hangs; run in a thread."""
    if os.name == "nt":  # where a process keeps the number of a parent that has died
        handle = multiprocessing.parent_process()
        assert handle is not None
        handle.join()
    else:  # where it is given another parent
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS * 10)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


class JobSource(Protocol):
    """Where a crew gets its jobs: the `Ledger` of a tournament, or a list of games to play again."""

    @property
    def is_done(self) -> bool:
        """Whether no more games are wanted."""

    def take(self, most: int) -> list[Job]:
        """Return about `most` jobs; none where all are handed out, or where a result must come in first."""

    def give_back(self, jobs: list[Job]) -> None:
        """Take back jobs that were handed out and not played."""


class AnyCrew(Protocol):
    """What plays jobs: the `Crew` of this machine, `Alone` in this process, or a `RayCrew` on many machines."""

    player: Player
    setup: Setup

    @property
    def killed(self) -> int:
        """Workers that something outside may have killed, whose games were played again."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *found: object) -> None: ...

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """Play the jobs of a source and yield games as they come back, until it wants no more."""

    def at_play(self) -> list[tuple[Job, list[int]]]:
        """The games that are being played now, with their events so far, as far as that can be told."""


class Worker:
    """A worker process as the crew sees it: its pipe, its pulse, and the jobs that it has not returned."""

    def __init__(self, setup: Setup, longest: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pulse = SharedPulse(longest)
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, setup, self.pulse), daemon=True)
        self.process.start()
        theirs.close()  # the child has its own copy; with this one open, its death would not close the pipe
        self.jobs: list[Job] = []  # handed out and not yet returned, in order
        self.alone: list[Job] = []  # a game at which workers died: played first, and with no other beside it
        self.returned = 0  # games that have come back; the pulse counts from the first job ever given
        self.is_idle = False
        self.chunk = 1  # jobs to give it at a time, adapted so that they take CHUNK_SECONDS

    def give(self, jobs: list[Job]) -> None:
        """Send it jobs."""
        self.jobs, self.is_idle = jobs, False
        with suppress(OSError):  # it has died, which the crew notices when it reads the pipe
            self.pipe.send(jobs)

    def change(self, setup: Setup) -> None:
        """Send it another setup; it has no jobs, is idle, and will say that it is ready again."""
        self.is_idle, self.returned, self.chunk = False, 0, 1
        self.pipe.send(setup)

    def took(self, games: list[StoredGame]) -> None:
        """Note that these games came back."""
        self.jobs = self.jobs[len(games) :]
        self.returned += len(games)

    def at_hand(self) -> Job | None:
        """Return the job that it is playing by its pulse; None before the first, and between two lists."""
        place = int(self.pulse.facts[_JOB]) - self.returned
        return self.jobs[place] if 0 <= place < len(self.jobs) else None

    def end(self) -> None:
        """Kill the process, whatever it is doing, and its process group, which may outlive it."""
        assert self.process.pid is not None
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):  # it leads none yet, or nobody is left in it
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Crew:
    """Some workers, started and killed by a `with` statement, that play what a source of jobs hands out.

    `is_current` tells whether the source code is still what the first workers loaded: a worker that replaces another
    would load the new code, and one tournament would be played by two programs.
    """

    def __init__(self, setup: Setup, workers: int, is_current: Callable[[], bool] = lambda: True) -> None:
        self.setup, self.wanted, self.is_current = setup, workers, is_current
        # Compile everything here, once: workers then load it from the cache instead of compiling all at the same time.
        self.player = Player(setup)
        _warm_up(self.player)
        self.workers: list[Worker] = []
        self.died_early = 0  # workers in a row that died without playing a game
        self.deaths: Counter[tuple[GameKey, int]] = Counter()  # of workers, by the game and the seat that was asked
        self.killed = 0  # workers that something outside may have killed

    def __enter__(self) -> Crew:
        self.workers = [self._hire() for _ in range(self.wanted)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.end()

    def _hire(self) -> Worker:
        return Worker(self.setup, self.player.game.facts.longest)

    def change(self, setup: Setup) -> None:
        """Play for another setup of the same game from now on, with the same processes: only its agents are loaded."""
        self.setup, self.player = setup, Player(setup)
        _warm_up(self.player)
        self.deaths.clear()
        self.workers = [self._changed(worker) for worker in self.workers]

    def _changed(self, worker: Worker) -> Worker:
        """A worker that has the crew's setup: this one, or a new one if it still plays for the last setup or died."""
        if not worker.jobs:
            with suppress(EOFError, OSError):
                while not worker.is_idle:  # its last message is on the way
                    self._heard(worker, *worker.pipe.recv())
                worker.change(self.setup)
                return worker
        worker.end()
        return self._hire()

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """Play the jobs of a source and yield games as they come back, until it wants no more.

        An empty list comes every WATCH_SECONDS or sooner, so that the caller may look around, or stop.
        """
        while True:
            yield []
            if source.is_done:  # a rule has ended it: games that are still being played would not count
                return
            for worker in self.workers:
                if worker.is_idle:
                    jobs, worker.alone = worker.alone or source.take(worker.chunk), []
                    if jobs:
                        worker.give(jobs)
            by_pipe = {worker.pipe: worker for worker in self.workers}
            for pipe in wait(list(by_pipe), timeout=WATCH_SECONDS):
                worker = by_pipe[pipe]  # type: ignore[index]
                try:
                    kind, news = worker.pipe.recv()
                except (EOFError, OSError):
                    yield self._replace(worker, source, death_by(_exit_code(worker)))
                    continue
                yield self._heard(worker, kind, news)
            for worker in list(self.workers):
                if worker.pulse.is_hanging and worker.at_hand() and worker.process.is_alive():
                    late = f"did not come back within {worker.pulse.facts[_MAY_TAKE]:.1f} s"
                    yield self._replace(worker, source, Death(late, is_own=True))

    def at_play(self) -> list[tuple[Job, list[int]]]:
        """The games that are being played now, with their events so far; none where games end within one call."""
        found = [(worker.at_hand(), worker.pulse.events()) for worker in self.workers]
        return [(job, events) for job, events in found if job is not None and events]

    def _heard(self, worker: Worker, kind: str, news: Any) -> list[StoredGame]:
        """Take in a message of a worker (see `_work`); return the games in it."""
        if kind == "broken":
            raise AgentError(f"a worker could not start: {news}")
        if kind in ("ready", "idle"):
            worker.is_idle = True
            if kind == "idle" and news > 0:  # at most four times as many as before: one short list tells little
                worker.chunk = max(1, min(MOST_JOBS, 4 * worker.chunk, int(worker.chunk * CHUNK_SECONDS / news)))
            return []
        worker.took(news)
        self.died_early = 0
        return list(news)

    def _replace(self, worker: Worker, source: JobSource, death: Death) -> list[StoredGame]:
        """Start a new worker in place of one that died or hangs; return the games that this makes known.

        The game it was playing is forfeited by the seat that was asked, if that is to blame, or else played again. Its
        other jobs go back to the source.
        """
        found = _unread(worker)  # before it is killed: the pipe may hold finished games
        job, seat, events = worker.at_hand(), int(worker.pulse.facts[_SEAT]), worker.pulse.events()
        worker.end()
        self.killed += not death.is_own
        if not self.is_current():
            raise ConfigError("the code was changed while it played; start again: what is stored is safe")
        fresh = self._hire()
        self.workers[self.workers.index(worker)] = fresh
        if job is None:  # it died while it started, or between two lists: no game is to blame
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
    """Plays in this process instead of workers: quick to start, but an agent that hangs or crashes ends everything."""

    killed = 0  # as of a `Crew`

    def __init__(self, setup: Setup) -> None:
        self.setup, self.player = setup, Player(setup)
        if setup.conditions.has_limits:
            _warm_up(self.player)  # else the first move would pay for loading compiled code

    def change(self, setup: Setup) -> None:
        """Play for another setup from now on."""
        self.player.close()
        self.player = Player(setup)

    def at_play(self) -> list[tuple[Job, list[int]]]:
        """None: whoever could ask waits until a game is over."""
        return []

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *_: object) -> None:
        self.player.close()

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """Play the jobs of a source and yield each game; compiled agents play many in one call."""
        most = MOST_JOBS if self.player.engine.insider is not None else 1
        while not source.is_done:
            jobs = source.take(most)
            assert jobs, "the source waits for a game that nobody plays"
            for game in self.player.play(jobs):
                yield [game]
                if source.is_done:  # a rule has ended it: the rest of the batch would not count
                    return


@dataclass(frozen=True)
class Death:
    """How a worker ended."""

    why: str  # as a clause without its subject: "was killed (SIGKILL)"
    is_own: bool  # True: what ran in the process did it; False: it may have come from outside


def death_by(code: int | None) -> Death:
    """Say how a worker ended by its exit code: negative for a signal, None where it still runs without its pipe."""
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
    """Return the games that a worker had sent and that nobody has read yet."""
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
    """Compile, or load from the cache, all that the games will need, by playing a little.

    Then neither the limits of time nor several workers at once meet a compile.
    """
    engine, game = player.engine, player.game
    if engine.insider is not None:
        # One match with a seed of its own; its result is thrown away.
        orders = [[seat % len(engine.agents) for seat in range(game.seats)]]
        engine.insider.play([0], orders, openings=0, keeps=engine.keeps)
        return
    start = engine.start(engine.openings.first_seed)
    steps = engine.keeps == "records"
    played = play_game(game, [load_agent("first", game)] * game.seats, seed=0, start=start, steps=steps)
    if steps:
        played.record(["first"])
    for spec in player.setup.agents:
        agent = load_agent(spec, game)  # not the player's own, which would remember this match
        # Only Meeple's own agents: another may write files or start a program when it is asked.
        starts = any(found.kind == "command" for found in outside_of(spec, game))
        if type(agent).__module__.startswith("meeple.") and not starts:
            ask(agent, Match(game, seed=0, start=start), should_stop=lambda: True)


def default_workers() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
