"""Pairs of agents, played set by set in several processes, every set in a file the moment it is over.

A *pair* is one agent and the one that takes all other seats; a set is one seed with the first agent in each seat in
turn. An agent may be paired with itself: then a set is one game. The file has a line a set and only grows, so that a
run that is killed, stopped or out of time goes on from it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.agents.base import Agent, ask
from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.arena.openings import random_opening
from meeple.arena.statistics import Interval, score_interval
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.errors import ConfigError

LOOK_SECONDS = 0.5  # between two looks at the time that is left


class OutOfTime(Exception):
    """The time that a run was given is over; what was played is kept."""


@dataclass(frozen=True, order=True)
class Pair:
    """An agent and the one that takes all other seats; both as normalised specs."""

    one: str
    other: str


@dataclass(frozen=True)
class PlayedSet:
    """The games of one seed."""

    one: str
    other: str
    seed: int
    share: float  # of the wins, the first agent's mean
    points: float  # mean of all seats
    games: int
    seconds: float  # of CPU time in all

    @property
    def pair(self) -> Pair:
        """Who played."""
        return Pair(self.one, self.other)


def play_set(game: Game, one: Agent, other: Agent, seed: int) -> PlayedSet:
    """Play the games of one seed."""
    began = time.process_time()
    places = [0] if one.spec == other.spec else range(game.seats)
    shares, points = [], []
    for place in places:
        seated = [one if seat == place else other for seat in range(game.seats)]
        played = play_game(game, seated, seed=seed, start=random_opening(game, seed), steps=False)
        if played.fault is not None:
            raise played.fault
        shares.append(float(played.shares[place]))
        points += [float(score) for score in played.scores]
    spent = round(time.process_time() - began, 4)
    mean = sum(shares) / len(shares)
    return PlayedSet(one.spec, other.spec, seed, mean, sum(points) / len(points), len(shares), spent)


class PairLog:
    """The sets that are known, by pair and seed, and the file that keeps them; `with` closes it."""

    def __init__(self, path: Path) -> None:
        self._lock = FileLock(f"{path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ConfigError(f"another run writes '{path}'; wait for it, or name another --folder") from None
        self.path = path
        self.known: dict[Pair, dict[int, PlayedSet]] = defaultdict(dict)
        for found in _read(path):
            self._enter(found)
        self._file = path.open("a", encoding="utf-8")

    def __enter__(self) -> PairLog:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()

    def add(self, found: PlayedSet) -> None:
        """Keep a set; whatever happens next, it is there."""
        self._enter(found)
        self._file.write(json.dumps(asdict(found)) + "\n")
        self._file.flush()

    def sets(self, pair: Pair, seeds: Iterable[int]) -> list[PlayedSet]:
        """The known sets of a pair with these seeds, in their order."""
        known = self.known[pair]
        return [known[seed] for seed in seeds if seed in known]

    def _enter(self, found: PlayedSet) -> None:
        self.known[found.pair][found.seed] = found

    @property
    def n_games(self) -> int:
        """Games in all."""
        return sum(each.games for sets in self.known.values() for each in sets.values())

    @property
    def seconds(self) -> float:
        """CPU time that they took."""
        return sum(each.seconds for sets in self.known.values() for each in sets.values())


def _read(path: Path) -> Iterator[PlayedSet]:
    """The sets of a file. A last line that a kill cut short is cut off, so that the next one begins a line."""
    if not path.exists():
        return
    body = path.read_bytes()
    whole = body[: body.rfind(b"\n") + 1]
    if len(whole) < len(body):
        os.truncate(path, len(whole))
    for number, line in enumerate(whole.decode("utf-8", errors="replace").splitlines(), 1):
        try:
            yield PlayedSet(**json.loads(line))
        except (ValueError, TypeError):
            raise ConfigError(f"line {number} of '{path}' is no set of games; remove the file to begin anew") from None


class PairPlayer:
    """Plays what is not known yet of the sets that are asked for, within the time that is left."""

    def __init__(
        self,
        game: Game,
        log: PairLog,
        *,
        jobs: int = 1,
        deadline: float = float("inf"),
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.game, self.log, self.jobs, self.deadline, self.tell = game, log, jobs, deadline, tell
        self._agents: dict[str, Agent] = {}
        self._warmed: set[str] = set()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> PairPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes at once: a set that is not over is played again by the next run."""
        if self._pool is not None:
            children = list(self._pool._processes.values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for child in children:
                child.terminate()

    def pair(self, one: str, other: str) -> Pair:
        """The pair of two specs as a log names them."""
        return Pair(self._agent(one).spec, self._agent(other).spec)

    def play(self, wanted: Sequence[tuple[Pair, int]]) -> None:
        """Play these sets, each a pair and a seed, unless they are known.

        Raises:
            OutOfTime: not all of them were played by the deadline.
        """
        missing = [(pair, seed) for pair, seed in dict.fromkeys(wanted) if seed not in self.log.known[pair]]
        if not missing:
            return
        played = self._by_processes(missing) if self.jobs > 1 else self._here(missing)
        for done, found in enumerate(played, 1):
            self.log.add(found)
            self.tell(f"{self.log.n_games} games; {done} of {len(missing)} sets of this step")

    def _agent(self, spec: str) -> Agent:
        if spec not in self._agents:
            agent = load_agent(spec, self.game)
            self._agents[spec] = self._agents[agent.spec] = agent
        return self._agents[spec]

    def _here(self, missing: Sequence[tuple[Pair, int]]) -> Iterator[PlayedSet]:
        for pair, seed in missing:
            self._require_time()
            yield play_set(self.game, self._agent(pair.one), self._agent(pair.other), seed)

    def _by_processes(self, missing: Sequence[tuple[Pair, int]]) -> Iterator[PlayedSet]:
        self._require_time()
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, spawn, _begin, (self.game.spec,))
            play_set(self.game, self._agent("random"), self._agent("first"), 1)  # compiles here, once, what all need
        for spec in sorted({spec for pair, _ in missing for spec in (pair.one, pair.other)}):
            self._warm(spec)
        pool = self._pool
        running = {pool.submit(_play_set, pair.one, pair.other, seed) for pair, seed in missing}
        while running:
            done, running = wait(running, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
            if running:
                self._require_time()

    def _warm(self, spec: str) -> None:
        """Compile here what an agent needs, so that the other processes find it in the cache."""
        if spec not in self._warmed:
            self._warmed.add(spec)
            ask(self._agent(spec), Match(self.game, seed=1))

    def _require_time(self) -> None:
        if time.monotonic() >= self.deadline:
            raise OutOfTime("the time is over")


def interval_of(sets: Sequence[PlayedSet]) -> Interval:
    """The first agent's share of the wins."""
    return score_interval([each.share for each in sets])


# --- in a process of its own -------------------------------------------------------------------------

_HERE: dict[str, object] = {}


def _begin(game: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's affair
    _HERE["game"] = load_game(game)


def _play_set(one: str, other: str, seed: int) -> PlayedSet:
    game = _HERE["game"]
    assert isinstance(game, Game)
    agents = [_HERE.setdefault(spec, load_agent(spec, game)) for spec in (one, other)]
    assert isinstance(agents[0], Agent)
    assert isinstance(agents[1], Agent)
    return play_set(game, agents[0], agents[1], seed)
