"""The tournaments of a server: each in a process of its own, as many at once as there are cores for their workers.

What is stored lies where `meeple tournament` keeps it, so a tournament that was begun on the page can go on at the
command line, and the other way round.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.errors import ConfigError
from meeple.web.seats import Refused
from meeple.web.tournament_plan import Plan, saved_plan

LOG = logging.getLogger("meeple.web")
COMMAND = (sys.executable, "-m", "meeple.web.tournament_process")
LONGEST_LINE = 4_000_000  # bytes: the positions of all games that are being played
PATIENCE = 10.0  # seconds that a process has to come to its end, once it is told to
MOST_WAITING = 20


@dataclass(eq=False)
class Running:
    """A tournament that is being played, or waits for its cores."""

    store: Path
    plan: Plan
    has_cores: bool = False
    process: asyncio.subprocess.Process | None = None  # it comes a moment after the cores
    counted: int = 0
    wanted: int = 0
    boards: list[dict[str, Any]] = field(default_factory=list)
    is_stopping: bool = False

    @property
    def words(self) -> str:
        """How it stands."""
        if self.is_stopping:
            return "stopping"
        if not self.has_cores:
            return "waits for a core"
        return f"playing, {self.counted} of {self.wanted} games" if self.wanted else "getting ready"


class Tournaments:
    """Those in a folder, and those that are being played. All methods are for the event loop."""

    def __init__(self, folder: Path, *, cores: int = 0) -> None:
        self.folder = folder
        self.cores = cores or os.cpu_count() or 1
        self.faults: dict[str, str] = {}  # why one ended, by its name
        self._running: dict[str, Running] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    # --- what there is

    def names(self) -> list[str]:
        """All that are stored, the ones that changed last first."""
        paths = sorted(self.folder.glob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True)
        waiting = [name for name in self._running if not self.path(name).exists()]
        return [*waiting, *(path.stem for path in paths)]

    def path(self, name: str) -> Path:
        """The store of a tournament; its name is that of the file."""
        return self.folder / f"{name}.sqlite"

    def is_known(self, name: str) -> bool:
        """Whether there is such a tournament; a name that leads anywhere else is none."""
        return name in self._running or any(path.stem == name for path in self.folder.glob("*.sqlite"))

    def running(self, name: str) -> Running | None:
        """The tournament of this name, if it is being played or waits."""
        return self._running.get(name)

    @property
    def busy(self) -> int:
        """Cores that tournaments use now."""
        return sum(each.plan.workers for each in self._running.values() if each.has_cores)

    # --- what may be done

    def start(self, plan: Plan, path: Path) -> str:
        """Have a tournament played, at once or when there are cores for it; returns its name.

        Raises:
            Refused: it is being played already, or too many wait.
        """
        name = path.stem
        if name in self._running:
            raise Refused("this tournament is being played already")
        if len(self._running) >= MOST_WAITING:
            raise Refused(f"{MOST_WAITING} tournaments run or wait here, as many as this server takes")
        plan = replace(plan, workers=max(1, min(plan.workers, self.cores)))
        plan.save(path)
        self.faults.pop(name, None)
        self._running[name] = Running(path, plan)
        self._next()
        return name

    def resume(self, name: str) -> None:
        """Go on with one that was stopped.

        Raises:
            ConfigError: it was not begun on the page, so nobody knows how many games were wanted.
        """
        plan = saved_plan(self.path(name))
        if plan is None:
            raise ConfigError("this tournament was begun at the command line: the same command goes on with it")
        self.start(plan, self.path(name))

    def stop(self, name: str) -> None:
        """Have it end after what is stored; games that are being played are begun anew when it goes on."""
        found = self._running.get(name)
        if found is None:
            return
        found.is_stopping = True
        if not found.has_cores:
            del self._running[name]
        elif found.process is not None and found.process.stdin is not None:
            found.process.stdin.close()

    async def close(self) -> None:
        """Stop all, and wait until they have."""
        self._is_closing = True
        for name in list(self._running):
            self.stop(name)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE)

    # --- processes

    def _next(self) -> None:
        """Begin those that wait and have cores now, in their order."""
        for name, each in list(self._running.items()):
            if self._is_closing or each.has_cores or each.is_stopping:
                continue
            if self.busy + each.plan.workers > self.cores:
                return
            each.has_cores = True
            task = asyncio.create_task(self._play(name, each))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _play(self, name: str, each: Running) -> None:
        each.process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C at the server's terminal ends the server, which then stops this
        )
        try:
            assert each.process.stdin is not None
            each.process.stdin.write(json.dumps({"plan": vars(each.plan), "store": str(each.store)}).encode() + b"\n")
            if each.is_stopping:
                each.process.stdin.close()
            if not await self._listen(name, each):
                self.faults[name] = "Its process came to no end; what is stored is safe."
        except Exception as fault:
            LOG.exception("a tournament cannot be followed")
            self.faults[name] = f"It cannot be followed any more: {fault}"
        finally:
            await _ended(each.process)
            self._running.pop(name, None)
            self._next()

    async def _listen(self, name: str, each: Running) -> bool:
        """Take in what the process tells; whether it came to an end of its own."""
        assert each.process is not None
        assert each.process.stdout is not None
        while text := await each.process.stdout.readline():
            line = json.loads(text)
            if "fault" in line:
                self.faults[name] = str(line["fault"])
            if "fault" in line or "end" in line:
                return True
            each.counted, each.wanted, each.boards = line["counted"], line["wanted"], line["boards"]
        return False


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait until it is gone, and end it where that takes too long."""
    if process.stdin is not None:
        process.stdin.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), PATIENCE)
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
