"""Compiling ahead, in processes beside the server: what a table needs is in the cache before the server loads it.

Numba holds the interpreter while it compiles, so a thread would let everybody wait. A part of a game (web/rehearsal.py)
is made ready so:

    1. a thread rehearses it and loads what is in the cache; where nothing is missing, that is all
    2. a process of its own rehearses it too, and so compiles what is missing into the cache
    3. the thread rehearses it once more, now from the cache

A process that is through with a part goes on with the next that is wanted of the same game: it has loaded what they
share. Parts that somebody waits for come first, as many at once as there are cores; what is compiled ahead of any
visitor gives way to them: its process is ended, and what it has compiled so far stays in the cache. A process that
fails, or says nothing for long, is started once more; after that, or where the cache cannot be written, the part is
compiled by a thread of the server, which answers slowly meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from meeple.core.definition import Definition
from meeple.core.kernel import compiling_told_to, only_loading
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.web.estimates import Estimates
from meeple.web.rehearsal import AHEAD, BOARD, parts_of, rehearse

T = TypeVar("T")
LOG = logging.getLogger("meeple.web")
COMMAND = (sys.executable, "-m", "meeple.web.rehearsal")
TRIES = 2  # of a process, before the server compiles by itself
SILENCE = 300.0  # seconds without a word after which a process is taken to hang
LOADING = 0.4  # seconds, about, to load a part once it is compiled


@dataclass(frozen=True)
class Progress:
    """How far a part is that is being compiled."""

    title: str  # of the game
    part: str
    seconds: float  # that are left, about
    share: float  # of the whole that is done, 0 to 1


@dataclass(eq=False)
class Work:
    """One part of a game, from when somebody asks for it until it is ready."""

    definition: Definition
    part: str
    spec: str  # the game that it is rehearsed with
    loads: bool  # whether this process loads it too
    is_urgent: bool = False
    is_compiling: bool = False  # it was not in the cache
    has_given_way: bool = False  # its process was ended for another's sake
    process: asyncio.subprocess.Process | None = None
    kernels: int = 0
    began: float = 0.0
    last: float = 0.0  # when the last kernel began, in seconds since
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Spare(NamedTuple):
    """A process that is through with a part, and has the game loaded."""

    process: asyncio.subprocess.Process
    is_urgent: bool  # else it gives way to all others


class Preparer:
    """Makes parts of games ready to run. All methods are for the event loop."""

    def __init__(
        self,
        *,
        command: Sequence[str] = COMMAND,
        slots: int = 0,
        on_loaded: Callable[[], None] = lambda: None,
    ) -> None:
        self._command = tuple(command)
        self._on_loaded = on_loaded  # told whenever this process has loaded a part
        self._slots = slots or os.cpu_count() or 1
        self._works: dict[tuple[str, str], Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: list[Work] = []  # those that have a process
        self._waiting: list[Work] = []  # those that wait for one
        self._spare: dict[str, Spare] = {}  # processes that are through with a part, for the next of the same game
        self._turn = asyncio.Event()  # set, and another put in its place, whenever it may be somebody's turn
        self._is_closing = False
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="loading")
        self.is_ahead = False  # whether it compiles before anybody asks

    @cached_property
    def estimates(self) -> Estimates:
        """How long compiling takes."""
        return Estimates()

    # --- what there is to ask

    def want(
        self, definition: Definition, part: str = BOARD, *, spec: str = "", loads: bool = True, is_urgent: bool = True
    ) -> Work:
        """Begin to make a part ready, where nobody has; one that is urgent comes before all that is not.

        `spec` names the game to rehearse it with, where its defaults will not do. Without `loads` it is only
        compiled into the cache: for an agent that nobody knows, and that may take long to answer.
        """
        key = (definition.name, part)
        work = self._works.get(key)
        if work is None:
            origin = definition.folder or definition.name
            work = Work(definition, part, spec or str(Spec(origin, {})), loads, is_compiling=not loads)
            self._works[key] = work
            task = asyncio.get_running_loop().create_task(self._make_ready(work))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if is_urgent and not work.is_urgent:
            work.is_urgent = True
            self._next()
        return work

    async def ready(self, definition: Definition, part: str = BOARD) -> None:
        """Wait until a part is ready: then nothing of it is compiled by this process any more."""
        await self.want(definition, part).done.wait()

    def is_ready(self, definition: Definition, part: str = BOARD) -> bool:
        """Whether a part is known to be ready."""
        work = self._works.get((definition.name, part))
        return work is not None and work.done.is_set()

    def progress(self, definition: Definition, part: str = BOARD) -> Progress | None:
        """How far a part is that is being compiled; None where nothing of it is."""
        work = self._works.get((definition.name, part))
        if work is None or work.done.is_set() or not work.is_compiling:
            return None
        game = definition.name
        now = time.monotonic() - work.began if work.began else 0.0
        if work.began:
            left = self.estimates.left(game, part, kernels=work.kernels, at=work.last, now=now)
        else:
            left = self.estimates.whole(game, part)
        left += LOADING
        return Progress(definition.facts.title, part, left, now / (now + left))

    def ahead(self, definitions: Sequence[Definition]) -> Progress | None:
        """How far the boards of these games are, all together, while one of them is being compiled."""
        found = [self.progress(one) for one in definitions]
        now = next((one for one in found if one is not None), None)
        if now is None:
            return None
        whole = [self.estimates.whole(one.name, BOARD) + LOADING for one in definitions]
        done = [self.is_ready(one) for one in definitions]
        left = sum(
            one.seconds if one is not None else seconds
            for one, seconds, is_done in zip(found, whole, done, strict=True)
            if not is_done
        )
        return Progress(now.title, BOARD, left, max(0.0, 1 - left / max(left, sum(whole))))

    async def go_ahead(self, definitions: Sequence[Definition]) -> None:
        """Make ready whatever is not, game by game: first what is met first, the board and an agent, then the rest."""
        self.is_ahead = True
        for which in (slice(0, 2), slice(2, None)):
            for definition in definitions:
                for part in parts_of(definition)[which]:
                    if self._is_closing:
                        return
                    await self.want(definition, part, is_urgent=False).done.wait()
        self.is_ahead = False

    async def close(self) -> None:
        """End all processes."""
        self._is_closing = True
        for work in self._running:
            _end(work.process)
        for spare in self._spare.values():
            await _ended(spare.process)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    # --- one part

    async def _make_ready(self, work: Work) -> None:
        try:
            if not (work.loads and await self._loads(work)):
                work.is_compiling = True
                await self._compile(work)
                if work.loads and not await self._loads(work):
                    LOG.warning("%s of %s is compiled by the server itself", work.part, work.definition.name)
                    await self._in_thread(lambda: _rehearse(work))
        except Exception as fault:  # whoever needs it meets the same, and tells of it
            LOG.warning("%s of %s could not be made ready: %s", work.part, work.definition.name, fault)
        finally:
            if work.loads:
                self._on_loaded()
            work.done.set()

    async def _loads(self, work: Work) -> bool:
        """Load a part from the cache, in a thread; whether all of it was there."""

        def load() -> bool:
            with only_loading() as refused:
                try:
                    _rehearse(work)
                except Exception:
                    if not refused:
                        raise
                return not refused

        return await self._in_thread(load)

    async def _in_thread(self, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, job)

    async def _compile(self, work: Work) -> None:
        """Have a process compile the part into the cache; one that gave way to others starts again after them."""
        tries = 0
        while tries < TRIES:
            work.has_given_way = False
            async with self._slot(work):
                if await self._run(work):
                    return
            tries += not work.has_given_way

    async def _run(self, work: Work) -> bool:
        """Have a process rehearse the part and listen to it; whether it came to the part's end."""
        is_urgent, is_done = work.is_urgent, False
        try:
            work.process = await self._process(work)
        except OSError as fault:
            LOG.warning("no process could be started to compile %s: %s", work.definition.name, fault)
            return False
        try:
            assert work.process.stdin is not None
            work.process.stdin.write(f"{work.part}\n".encode())
            is_done = await self._listen(work, work.process)
        except (OSError, TimeoutError, ValueError, TypeError, LookupError) as fault:
            LOG.warning("the process that compiles %s is ended: %s", work.definition.name, fault or "it says nothing")
        finally:
            if is_done and not self._is_closing and any(other.spec == work.spec for other in self._waiting):
                self._spare[work.spec] = Spare(work.process, is_urgent)
            else:
                await _ended(work.process)
            work.process = None
        return is_done

    async def _process(self, work: Work) -> asyncio.subprocess.Process:
        """The process that has just compiled another part of the game, or a new one."""
        spare = self._spare.pop(work.spec, None)
        if spare is not None and spare.is_urgent == work.is_urgent and spare.process.returncode is None:
            return spare.process
        if spare is not None:
            await _ended(spare.process)
        return await asyncio.create_subprocess_exec(
            *self._command, work.spec, *([] if work.is_urgent else [AHEAD]),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def _listen(self, work: Work, process: asyncio.subprocess.Process) -> bool:
        assert process.stdout is not None
        work.kernels, work.last, work.began = 0, 0.0, time.monotonic()
        while True:
            text = await asyncio.wait_for(process.stdout.readline(), SILENCE)
            if not text:
                if not work.has_given_way and not self._is_closing:
                    LOG.warning("the process that compiles %s for %s came to no end", work.part, work.definition.name)
                return False
            line = json.loads(text)
            if "begins" in line:
                work.began = time.monotonic()
            elif "kernel" in line:
                work.kernels, work.last = int(line["kernel"]), time.monotonic() - work.began
            elif "done" in line:
                self.estimates.learn(work.definition.name, work.part, line["kernels"], line["course"])
                return True
            elif "failed" in line:
                LOG.warning("%s of %s cannot be rehearsed: %s", work.part, work.definition.name, line["why"])
                return True

    # --- whose turn it is

    @asynccontextmanager
    async def _slot(self, work: Work) -> AsyncIterator[None]:
        """Wait for a place among the processes, and hold it."""
        self._waiting.append(work)
        self._next()
        try:
            while not self._may_begin(work):
                await self._turn.wait()
            self._running.append(work)
        finally:
            self._waiting.remove(work)
        try:
            yield
        finally:
            self._running.remove(work)
            self._next()

    def _next(self) -> None:
        """Have everybody who waits look whether it is its turn; what nobody waits for gives way to what is urgent."""
        if any(work.is_urgent for work in self._waiting):
            for work in self._running:
                if not work.is_urgent:
                    work.has_given_way = True
                    _end(work.process)
        turn, self._turn = self._turn, asyncio.Event()
        turn.set()

    def _may_begin(self, work: Work) -> bool:
        if any(other.definition.name == work.definition.name for other in self._running):
            return False  # it compiles much that is needed here too
        if work.is_urgent:
            return len(self._running) < self._slots
        return not self._running and not any(other.is_urgent for other in self._waiting)


def _rehearse(work: Work) -> None:
    """As the process does, in this one."""
    rehearse(load_game(work.spec), work.part)


def _end(process: asyncio.subprocess.Process | None) -> None:
    if process is not None and process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait until the process is gone; its transport is closed with it."""
    _end(process)
    await process.wait()


def watch_event_loop() -> None:
    """Have the log tell where a kernel is compiled in the calling thread, the event loop's: all wait meanwhile."""
    loop = threading.current_thread()

    def tell(text: str) -> None:
        if text and threading.current_thread() is loop:
            LOG.warning("on the event loop: %s", text)

    compiling_told_to(tell).__enter__()
