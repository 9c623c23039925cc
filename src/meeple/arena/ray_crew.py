"""A crew on many machines, by Ray (extra `ray`).

    RayCrew  ->  Post, an actor on each node  ->  Crew, the ordinary one of that node  ->  its workers

A `Post` holds its node's crew in a thread. So whatever may befall a worker (workers.py) is seen and settled on its own
node; what can befall a node is that it goes away. Then the games it was given go to others, and if it comes back, or
another one comes, it is used. A game that arrives twice counts once.

The node must have the same code: its Post tells its versions and the signature of all that chooses moves, and a node
that differs is refused by name. Agents from files and games in folders travel with the setup, as contents.
"""

from __future__ import annotations

import logging
import os
import platform
import queue
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numba
import numpy as np

import meeple
from meeple.agents.outside import outside_of
from meeple.arena.provenance import signature_for
from meeple.arena.schedule import GameKey
from meeple.arena.store import StoredGame
from meeple.arena.workers import Crew, Job, JobSource, Player, Setup
from meeple.core.game import Game
from meeple.core.record import parse_record
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import AgentError, ConfigError, brief

LOOK_EVERY = 2.0  # seconds between two looks for nodes that have come
WAIT = 0.5  # seconds that a node may keep the driver waiting for news
AHEAD_SECONDS = 2.0  # a node is given about so much work beyond what it plays
MOST_AHEAD = 20_000  # games
MOST_FAILURES = 3  # so often in a row may a node fail without having played a game, before it is left out
MOST_BYTES = 20_000_000  # of files that travel
LEFT_AT_HOME = ("__pycache__", ".git")


# --- what travels -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parcel:
    """What a node is sent: the setup, the files that it names by their relative paths, and what its code must be."""

    setup: Setup
    files: dict[str, bytes]
    signature: str
    home: str  # the folder on the driver's machine from which the paths count


def parcel_of(setup: Setup, game: Game) -> Parcel:
    """Everything that another machine needs to play for this setup.

    Raises:
        ConfigError: a file is named by a path that leads out of the working folder, so it means nothing elsewhere.
    """
    home = Path.cwd()
    paths: set[Path] = set()
    if game.definition.folder:
        paths.update(_files_in(Path(game.definition.folder)))
    for spec in setup.agents:
        for each in outside_of(spec, game):
            if each.kind == "command":
                raise ConfigError(f"'{spec}' starts a command, which does not travel to other machines")
            named = Path(each.text)
            if named.is_absolute():
                raise ConfigError(f"'{each.text}' cannot travel: name it relative to where you start the command")
            if named.is_dir():
                paths.update(_files_in(named.resolve()))
            elif named.is_file():  # with what it may import from beside it
                paths.add(named.resolve())
                paths.update(named.resolve().parent.glob("*.py"))
    files = {_relative(path, home): path.read_bytes() for path in sorted(paths)}
    if sum(map(len, files.values())) > MOST_BYTES:
        raise ConfigError(f"the files that agents and games name hold more than {MOST_BYTES // 1_000_000} MB")
    if game.definition.folder:
        folder = _relative(Path(game.definition.folder), home)
        setup = replace(setup, game=Spec(f"./{folder}", game.origin.settings))
    return Parcel(setup, files, signature_for(game, setup.agents), str(home))


def _files_in(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not set(LEFT_AT_HOME).intersection(path.parts):
            yield path


def _relative(path: Path, home: Path) -> str:
    try:
        return path.resolve().relative_to(home).as_posix()
    except ValueError:
        raise ConfigError(f"'{path}' cannot travel: start the command from a folder above it") from None


def versions() -> dict[str, str]:
    """What must be alike on all machines, so that they play alike."""
    return {
        "python": ".".join(map(str, sys.version_info[:2])),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "meeple": meeple.__version__,
    }


# --- on a node ----------------------------------------------------------------------------------------


class Feed:
    """The jobs of one node, between the driver and the node's crew."""

    def __init__(self) -> None:
        self.is_done = False
        self._jobs: deque[Job] = deque()

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, jobs: Sequence[Job]) -> None:
        """The driver sends more."""
        self._jobs.extend(jobs)

    def take(self, most: int) -> list[Job]:
        """The crew asks for some."""
        return [self._jobs.popleft() for _ in range(min(most, len(self._jobs)))]

    def give_back(self, jobs: list[Job]) -> None:
        """The crew could not play these."""
        self._jobs.extendleft(reversed(jobs))


class Post:
    """A node's part of a tournament; an actor of Ray's. What it is asked comes back at once, or after WAIT."""

    def __init__(self, parcel: Parcel, workers: int) -> None:
        self.parcel, self.workers = parcel, workers
        self.folder = tempfile.TemporaryDirectory(prefix="meeple-node-")
        for name, content in parcel.files.items():
            path = Path(self.folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        os.chdir(self.folder.name)
        self.feed = Feed()
        self.found: queue.SimpleQueue[list[StoredGame]] = queue.SimpleQueue()
        self.fault = ""
        self.killed = 0
        self.is_ready = False

    def about(self) -> dict[str, str]:
        """Which machine this is, and what code it has."""
        game = load_game(self.parcel.setup.game)
        signed = signature_for(game, self.parcel.setup.agents)
        return {"host": platform.node(), "signature": signed} | versions()

    def begin(self) -> None:
        """Start the crew."""
        threading.Thread(target=self._work, daemon=True).start()

    def exchange(self, jobs: Sequence[Job], wait: float) -> tuple[list[StoredGame], int, bool, int, str]:
        """Take jobs and give the games that are over: those, the jobs left, whether it is ready, deaths, a fault."""
        self.feed.add(jobs)
        games: list[StoredGame] = []
        with suppress(queue.Empty):
            games += self.found.get(timeout=wait)
            while True:
                games += self.found.get_nowait()
        return games, len(self.feed), self.is_ready, self.killed, self.fault

    def _work(self) -> None:
        try:
            with Crew(self.parcel.setup, self.workers) as crew:
                self.is_ready = True
                for games in crew.play(self.feed):
                    self.killed = crew.killed
                    if games:
                        self.found.put([self._as_at_home(game) for game in games])
        except BaseException as fault:
            self.fault = brief(fault)

    def _as_at_home(self, game: StoredGame) -> StoredGame:
        """A game whose record names the folder of its rules as the driver's machine has it."""
        if game.record is None or not isinstance(self.parcel.setup.game, Spec):
            return game
        record = parse_record(game.record, "a game")
        if not record.folder:
            return game
        record.folder = str(Path(self.parcel.home) / Path(record.folder).relative_to(self.folder.name))
        return replace(game, record=record.text())


# --- on the driver ------------------------------------------------------------------------------------


@dataclass(eq=False)
class Node:
    """A node as the driver sees it: its actor, the answer that is awaited, and the jobs it has not returned."""

    name: str
    actor: Any
    workers: int
    awaited: Any = None
    jobs: dict[GameKey, Job] = field(default_factory=dict)
    rate: float = 0.0  # games a second
    last: float = field(default_factory=time.monotonic)
    is_ready: bool = False
    killed: int = 0


class RayCrew:
    """A crew on all nodes of a Ray cluster, to be used as a `Crew` is.

    Without an `address` a Ray of its own is started on this machine. `tell` hears of nodes that come and go.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        address: str = "",
        tell: Callable[[str], None] = lambda text: None,
        is_current: Callable[[], bool] = lambda: True,
    ) -> None:
        self.setup, self.address, self.tell, self.is_current = setup, address, tell, is_current
        self.player = Player(setup)
        self.parcel = parcel_of(setup, self.player.game)
        self.nodes: dict[str, Node] = {}
        self.refused: set[str] = set()
        self.failures: dict[str, int] = {}
        self._killed_before = 0
        self._looked = 0.0
        self._was_started = False

    @property
    def killed(self) -> int:
        """Workers that something outside may have killed, on all nodes."""
        return self._killed_before + sum(node.killed for node in self.nodes.values())

    def at_play(self) -> list[tuple[Job, list[int]]]:
        """None: the events of games on other machines stay there until they are over."""
        return []

    def __enter__(self) -> RayCrew:
        ray = _ray()
        self._was_started = not ray.is_initialized()
        if self._was_started:
            try:
                # Never left to guess: a crash leaves an address behind that a later start would try to reach.
                ray.init(
                    address=self.address or "local",
                    include_dashboard=False if not self.address else None,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
            except (ConnectionError, RuntimeError, ValueError) as fault:
                where = f"no Ray answers at '{self.address}'" if self.address else "Ray could not be started"
                raise ConfigError(f"{where}: {brief(fault)}") from fault
        return self

    def __exit__(self, *_: object) -> None:
        ray = _ray()
        for node in self.nodes.values():
            with suppress(Exception):
                ray.kill(node.actor)
        self.nodes.clear()
        if self._was_started:
            ray.shutdown()

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        """Play the jobs of a source and yield games as they come back, until it wants no more."""
        ray = _ray()
        while True:
            yield []
            if source.is_done:
                return
            self._look_for_nodes()
            for node in list(self.nodes.values()):
                if node.awaited is None:
                    self._ask(node, source)
            by_answer = {node.awaited: node for node in self.nodes.values()}
            if not by_answer:
                time.sleep(WAIT)
                continue
            answered, _ = ray.wait(list(by_answer), num_returns=1, timeout=WAIT)
            for answer in answered:
                node, games = by_answer[answer], list[StoredGame]()
                try:
                    games = self._heard(node, ray.get(answer))
                except ray.exceptions.RayError as fault:
                    self._lost(node, source, fault)
                yield games

    # --- nodes

    def _look_for_nodes(self) -> None:
        """Hire the nodes that have come since the last look."""
        if time.monotonic() < self._looked + LOOK_EVERY and self.nodes:
            return
        self._looked = time.monotonic()
        for found in _ray().nodes():
            name, cores = str(found["NodeID"]), int(found["Resources"].get("CPU", 0))
            if found["Alive"] and cores and name not in self.nodes and name not in self.refused:
                self._hire(name, cores, str(found["NodeManagerAddress"]))

    def _hire(self, name: str, cores: int, host: str) -> None:
        """Put a Post on a node, unless its code is another."""
        ray = _ray()
        if not self.is_current():
            raise ConfigError("the code was changed while it played; start again: what is stored is safe")
        where = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(name, soft=False)
        actor = ray.remote(Post).options(num_cpus=cores, scheduling_strategy=where, max_restarts=0).remote(
            self.parcel, cores
        )  # fmt: skip
        try:
            about = ray.get(actor.about.remote(), timeout=120)
        except (ray.exceptions.RayError, ModuleNotFoundError) as fault:
            self._count_failure(name, f"node {host}: {brief(fault)}")
            ray.kill(actor)
            return
        wanted = versions() | {"signature": self.parcel.signature}
        differs = [f"{word} {about[word]}, not {wanted[word]}" for word in wanted if about[word] != wanted[word]]
        if differs:
            self.refused.add(name)
            self.tell(f"node {about['host']} ({host}) is not used: it has {'; '.join(differs)}")
            ray.kill(actor)
            return
        actor.begin.remote()
        self.nodes[name] = Node(about["host"], actor, cores)
        self.tell(f"node {about['host']} ({host}) gets ready with {cores} workers")

    def _count_failure(self, name: str, why: str) -> None:
        self.failures[name] = self.failures.get(name, 0) + 1
        if self.failures[name] >= MOST_FAILURES:
            self.refused.add(name)
            why += "; it is not used any more"
        self.tell(why)

    def _lost(self, node: Node, source: JobSource, fault: Exception) -> None:
        """Give the jobs of a node that is gone to others; a new actor is hired if the node is still there."""
        name = next(key for key, each in self.nodes.items() if each is node)
        del self.nodes[name]
        self._killed_before += node.killed
        source.give_back(list(node.jobs.values()))
        with suppress(Exception):  # it may only have been out of reach, and would hold the node's cores for ever
            _ray().kill(node.actor)
        self._looked = 0.0
        self._count_failure(name, f"node {node.name} is lost ({type(fault).__name__}): {len(node.jobs)} games go back")

    # --- jobs

    def _ask(self, node: Node, source: JobSource) -> None:
        """Send a node as many jobs as it will play soon, and await its answer."""
        ahead = min(MOST_AHEAD, max(2 * node.workers, int(AHEAD_SECONDS * node.rate)))
        jobs = source.take(ahead - len(node.jobs)) if ahead > len(node.jobs) else []
        node.jobs |= {job.key: job for job in jobs}
        node.awaited = node.actor.exchange.remote(jobs, WAIT)

    def _heard(self, node: Node, answer: tuple[list[StoredGame], int, bool, int, str]) -> list[StoredGame]:
        """Take in an answer; games that the node does not owe any more are dropped."""
        games, _left, is_ready, node.killed, fault = answer
        node.awaited = None
        if fault:
            raise AgentError(f"node {node.name}: {fault}")
        if is_ready and not node.is_ready:
            node.is_ready = True
            self.tell(f"node {node.name} is ready")
        fresh = [game for game in games if node.jobs.pop(game.key, None) is not None]
        now = time.monotonic()
        node.rate = 0.5 * node.rate + 0.5 * len(fresh) / max(0.05, now - node.last)
        node.last = now
        if fresh:
            self.failures.clear()
        return fresh


def _ray() -> Any:
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        raise ConfigError("--backend ray needs Ray: pip install 'meeple[ray]'") from None
    return ray
