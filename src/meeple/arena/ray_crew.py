"""A crew on many machines, by Ray (extra `ray`).

    RayCrew  ->  Post, an actor on each node  ->  Crew, the ordinary one of that node  ->  its workers

    RayBackend  ->  one RayCrew for all that a command plays

A `Post` holds its node's crew in a thread. So whatever may befall a worker (workers.py) is seen and settled on its own
node; what can befall a node is that it goes away. Then the games it was given go to others, and if it comes back, or
another one comes, it is used. A game that arrives twice counts once.

The node must have the same code: its Post tells its versions and the signature of all that chooses moves, and a node
that differs is refused by name. Agents from files, models and games in folders travel with the setup, as contents.

A crew may be given another setup, such as the next candidate of a tuning: nodes keep their actors, and their workers
where the game is the same.
"""

from __future__ import annotations

import logging
import os
import platform
import queue
import re
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
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
from meeple.arena.workers import AnyCrew, Crew, Job, JobSource, Player, Setup
from meeple.core.game import Game
from meeple.core.heuristics import MODEL
from meeple.core.record import parse_record
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import AgentError, ConfigError, brief
from meeple.models.found import NAME, models_of

LOOK_EVERY = 2.0  # seconds between two looks for nodes that have come
WAIT = 0.5  # seconds that a node may keep the driver waiting for news
AHEAD_SECONDS = 2.0  # a node is given about so much work beyond what it plays
MOST_AHEAD = 20_000  # games
MOST_FAILURES = 3  # so often in a row may a node fail without having played a game, before it is left out
MOST_BYTES = 20_000_000  # of files that travel
LEFT_AT_HOME = ("__pycache__", ".git")
DATA = ".meeple"  # the data folder of a node, below the folder where its files are
AT_ONCE = 120.0  # seconds after which a node that does not answer what it can answer at once is lost
_NAMED_MODEL = re.compile(rf"\b{MODEL}@({NAME.pattern})")


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
    models = {name for spec in setup.agents for name in _NAMED_MODEL.findall(spec)}
    for own in models_of(game.definition):
        if own.name in models and not own.is_shipped:
            files[f"{DATA}/models/{game.definition.name}/{own.file.name}"] = own.file.read_bytes()
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
    """The jobs of one node for one setup, between the driver and the node's crew, and the games that come of them."""

    def __init__(self, parcel: Parcel) -> None:
        self.parcel = parcel
        self.is_done = False
        self.is_ready = False  # whether the crew plays for this setup
        self.found: queue.SimpleQueue[list[StoredGame]] = queue.SimpleQueue()
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
    """A node's part of what is played; an actor of Ray's. What it is asked comes back at once, or after WAIT."""

    def __init__(self, parcel: Parcel, workers: int) -> None:
        self.workers = workers
        self.folder = tempfile.TemporaryDirectory(prefix="meeple-node-")
        os.chdir(self.folder.name)
        os.environ["MEEPLE_DATA_DIR"] = str(Path(self.folder.name) / DATA)
        self.fault = ""
        self.killed = 0
        self.feeds: queue.SimpleQueue[Feed] = queue.SimpleQueue()  # for the thread, one after the other
        self.feed = self._unpacked(parcel)

    def _unpacked(self, parcel: Parcel) -> Feed:
        """Lay out the files of a parcel, and have a feed for it."""
        for name, content in parcel.files.items():
            path = Path(self.folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return Feed(parcel)

    def about(self) -> dict[str, str]:
        """Which machine this is, and what code it has."""
        setup = self.feed.parcel.setup
        signed = signature_for(load_game(setup.game), setup.agents)
        return {"host": platform.node(), "signature": signed} | versions()

    def begin(self) -> None:
        """Start the crew."""
        self.feeds.put(self.feed)
        threading.Thread(target=self._work, daemon=True).start()

    def change(self, parcel: Parcel) -> dict[str, str]:
        """Play for another setup from now on; jobs for the last are dropped. Tells what `about` tells."""
        last, self.feed = self.feed, self._unpacked(parcel)
        self.feeds.put(self.feed)
        last.is_done = True
        return self.about()

    def exchange(self, jobs: Sequence[Job], wait: float) -> tuple[list[StoredGame], int, bool, int, str]:
        """Take jobs and give the games that are over: those, the jobs left, whether it is ready, deaths, a fault."""
        self.feed.add(jobs)
        games: list[StoredGame] = []
        with suppress(queue.Empty):
            games += self.feed.found.get(timeout=wait)
            while True:
                games += self.feed.found.get_nowait()
        return games, len(self.feed), self.feed.is_ready, self.killed, self.fault

    def _work(self) -> None:
        """Play what the feeds hand out, by one crew as long as the game stays the same."""
        try:
            feed = self.feeds.get()
            while True:
                game, before = feed.parcel.setup.game, self.killed
                with Crew(feed.parcel.setup, self.workers) as crew:
                    while True:
                        feed.is_ready = True
                        for games in crew.play(feed):
                            self.killed = before + crew.killed
                            if games:
                                feed.found.put([self._as_at_home(found, feed.parcel) for found in games])
                        feed = self.feeds.get()
                        if feed.parcel.setup.game != game:
                            break
                        crew.change(feed.parcel.setup)  # files may be others where the setup is the same
        except BaseException as fault:
            self.fault = brief(fault)

    def _as_at_home(self, game: StoredGame, parcel: Parcel) -> StoredGame:
        """A game whose record names the folder of its rules as the driver's machine has it."""
        if game.record is None or not isinstance(parcel.setup.game, Spec):
            return game
        record = parse_record(game.record, "a game")
        if not record.folder:
            return game
        record.folder = str(Path(parcel.home) / Path(record.folder).relative_to(self.folder.name))
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
        self.refused: dict[str, str] = {}  # nodes, by the signature that they lack; "": whatever is played
        self.failures: dict[str, int] = {}
        self._killed_before = 0
        self._looked = 0.0
        self._held = ExitStack()

    @property
    def killed(self) -> int:
        """Workers that something outside may have killed, on all nodes."""
        return self._killed_before + sum(node.killed for node in self.nodes.values())

    def at_play(self) -> list[tuple[Job, list[int]]]:
        """None: the events of games on other machines stay there until they are over."""
        return []

    def __enter__(self) -> RayCrew:
        ray = _ray()
        if not ray.is_initialized():
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
            self._held.callback(ray.shutdown)
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self.nodes):
            self._let_go(name)
        self._held.close()

    def change(self, setup: Setup) -> None:
        """Play for another setup from now on, of another game too; games that are still owed for the last are lost."""
        ray, is_other_game = _ray(), setup.game != self.setup.game
        self.setup, self.player = setup, Player(setup)
        self.parcel = parcel_of(setup, self.player.game)
        asked = {name: node.actor.change.remote(self.parcel) for name, node in self.nodes.items()}
        for name, answer in asked.items():
            node = self.nodes[name]
            # Its answers come in their order, so what it was asked before has been answered too, and does not count.
            node.awaited, node.jobs, node.last = None, {}, time.monotonic()
            try:
                about = ray.get(answer, timeout=AT_ONCE)
            except ray.exceptions.RayError as fault:
                self._count_failure(name, f"node {node.name} is lost ({type(fault).__name__})")
                self._let_go(name)
                continue
            if not self._fits(name, node.name, about):
                self._let_go(name)
            elif is_other_game:
                node.is_ready, node.rate = False, 0.0
                self.tell(f"node {node.name} gets ready for {self.player.game.spec}")

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
            is_refused = self.refused.get(name) in ("", self.parcel.signature)
            if found["Alive"] and cores and name not in self.nodes and not is_refused:
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
            about = ray.get(actor.about.remote(), timeout=AT_ONCE)
        except (ray.exceptions.RayError, ModuleNotFoundError) as fault:
            self._count_failure(name, f"node {host}: {brief(fault)}")
            ray.kill(actor)
            return
        told = f"{about['host']} ({host})"
        if not self._fits(name, told, about):
            ray.kill(actor)
            return
        actor.begin.remote()
        self.nodes[name] = Node(told, actor, cores)
        self.tell(f"node {told} gets ready with {cores} workers")

    def _fits(self, name: str, told: str, about: dict[str, str]) -> bool:
        """Whether a node has the versions and the code that are wanted; if not it is refused, by name."""
        wanted = versions() | {"signature": self.parcel.signature}
        differs = [word for word in wanted if about[word] != wanted[word]]
        if differs:
            self.refused[name] = self.parcel.signature if differs == ["signature"] else ""
            has = "; ".join(f"{word} {about[word]}, not {wanted[word]}" for word in differs)
            self.tell(f"node {told} is not used: it has {has}")
        return not differs

    def _let_go(self, name: str) -> None:
        """End a node's actor; it may only have been out of reach, and would hold the node's cores for ever."""
        node = self.nodes.pop(name)
        self._killed_before += node.killed
        with suppress(Exception):
            _ray().kill(node.actor)
        self._looked = 0.0

    def _count_failure(self, name: str, why: str) -> None:
        self.failures[name] = self.failures.get(name, 0) + 1
        if self.failures[name] >= MOST_FAILURES:
            self.refused[name] = ""
            why += "; it is not used any more"
        self.tell(why)

    def _lost(self, node: Node, source: JobSource, fault: Exception) -> None:
        """Give the jobs of a node that is gone to others; a new actor is hired if the node is still there."""
        name = next(key for key, each in self.nodes.items() if each is node)
        source.give_back(list(node.jobs.values()))
        self._let_go(name)
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


class RayBackend:
    """What makes crews on a cluster for a command (`MakesCrew`): one crew, which is given one setup after the other.

    So Ray is started, or reached, once, and nodes keep their actors between two tournaments of the command.
    """

    def __init__(self, address: str = "", tell: Callable[[str], None] = lambda text: None) -> None:
        self.address, self.tell = address, tell
        self._crew: RayCrew | None = None
        self._held = ExitStack()

    def __enter__(self) -> RayBackend:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def __call__(self, setup: Setup, is_current: Callable[[], bool]) -> AbstractContextManager[AnyCrew]:
        """The crew, for this setup; it stays when what was asked for here ends."""
        if self._crew is None:
            made = RayCrew(setup, address=self.address, tell=self.tell, is_current=is_current)
            self._crew = self._held.enter_context(made)
        else:
            self._crew.is_current = is_current
            self._crew.change(setup)
        return nullcontext(self._crew)


def _ray() -> Any:
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        raise ConfigError("--backend ray needs Ray: pip install 'meeple[ray]'") from None
    return ray
