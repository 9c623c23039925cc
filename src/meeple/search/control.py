"""Stopping a compiled search: by nodes, by time, by the CPU time of its thread, by Ctrl-C or by the caller.

A search counts its nodes in an array of int64 and looks there for the word to stop; it runs without the
GIL in a thread of its own, while the calling thread watches the clock.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.readiness import waited_until_ready
from meeple.errors import ConfigError

NODES, LIMIT, STOP, ABORTED = range(4)  # places in a control array
CONTROL_SIZE = 4
MARGIN = 0.02  # of the time allowed is kept back, and at least MARGIN_SECONDS
MARGIN_SECONDS = 0.004
LEAST_SECONDS = 0.001  # what is left of a time however short
WATCH_SECONDS = 0.02  # between two looks at the caller's wish to stop
SHORTEST_WATCH = 0.0005
_ready: set[Any] = set()  # kernels that have been called once
_idle: list[ThreadPoolExecutor] = []  # a waiting thread each: starting one takes as long as a short search
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads do not outlive a fork


def wall_time() -> float:
    """Seconds by the wall."""
    return time.perf_counter()


def own_cpu_time() -> float:
    """Seconds of CPU time that the calling thread has used."""
    return time.thread_time()


def cpu_time_of(thread: int) -> float:
    """Seconds of CPU time that another thread, which runs, has used."""
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def need_cpu_clock(cpu: float) -> None:
    """Raise ConfigError where a limit of CPU time is given and the system has no such clock for every thread."""
    if cpu > 0 and not hasattr(time, "pthread_getcpuclockid"):
        raise ConfigError("this system does not tell a thread's CPU time, so cpu= cannot be kept; give time= instead")


class Clock:
    """What a search has spent since it began, and what it may: seconds by the wall, and of CPU time; 0 is no limit.

    Time in which kernels are compiled or loaded counts for neither. With several threads side by side, the one that has
    used most CPU time counts: each may use all of it. A clock belongs to the thread that made it.
    """

    def __init__(self, seconds: float = 0.0, cpu: float = 0.0) -> None:
        need_cpu_clock(cpu)
        kept_back = max(MARGIN_SECONDS, MARGIN * seconds)
        self.seconds = max(LEAST_SECONDS, seconds - kept_back) if seconds > 0 else math.inf
        self.cpu = cpu if cpu > 0 else math.inf
        self._origin, self._cpu_origin, self._ready = wall_time(), own_cpu_time(), waited_until_ready()
        self._elsewhere = 0.0  # CPU time of other threads

    def spent(self) -> float:
        """Seconds by the wall."""
        return wall_time() - self._origin - (waited_until_ready().wall - self._ready.wall)

    def cpu_spent(self) -> float:
        """Seconds of CPU time."""
        waited = waited_until_ready().cpu - self._ready.cpu
        return own_cpu_time() - self._cpu_origin - waited + self._elsewhere

    def left(self) -> float:
        """Seconds until the nearest limit, at the earliest; infinite where there is none."""
        left = self.seconds - self.spent() if self.seconds < math.inf else math.inf
        return min(left, self.cpu - self.cpu_spent()) if self.cpu < math.inf else left

    def is_over(self) -> bool:
        """Whether a limit is reached."""
        return self.left() <= 0

    def fork(self) -> Clock:
        """A clock for a thread that goes on from here; that thread calls `enter` before anything else."""
        twin = Clock()
        twin.seconds, twin.cpu = self.seconds, self.cpu
        twin._origin = wall_time() - self.spent()
        twin._elsewhere = self.cpu_spent()
        return twin

    def enter(self) -> None:
        """The calling thread takes over: its own CPU time counts from now on."""
        self._origin += waited_until_ready().wall - self._ready.wall
        self._cpu_origin, self._ready = own_cpu_time(), waited_until_ready()

    def join(self, spent: list[float]) -> None:
        """Threads that began at a fork have ended, at this `cpu_spent` of theirs: that of the busiest counts."""
        self._elsewhere += max(0.0, max(spent) - self.cpu_spent())

    def add_cpu(self, seconds: float) -> None:
        """Another thread has used so much CPU time for this search."""
        self._elsewhere += seconds


class Stopper:
    """Runs compiled calls so that they can be stopped; `with` cleans up after it."""

    def __init__(self, control: NDArray[np.int64], clock: Clock, should_stop: Callable[[], bool]) -> None:
        self.control = control
        self.clock = clock
        self.should_stop = should_stop
        self._threads = _borrowed_thread()
        self._worker = self._threads.submit(threading.get_ident).result() if clock.cpu < math.inf else 0
        self._counted = cpu_time_of(self._worker) if self._worker else 0.0  # of the worker, known to the clock

    def __enter__(self) -> Stopper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.control[STOP] = 1
        if kind is None:
            _idle.append(self._threads)
        else:  # by Ctrl-C, say, while a call was under way: wait until it has stopped, and let its thread go
            self._threads.shutdown()

    def run(self, function: Callable[..., Any], *groups: tuple[Any, ...]) -> Any:
        """Call `function` with the arguments of all groups; at a limit it is told to stop, and returns."""
        arguments = tuple(argument for group in groups for argument in group)
        self._make_ready(function, arguments)
        left = self._look()  # before it starts: what is to stop at once must not race against a short call
        future: Future[Any] = self._threads.submit(function, *arguments)
        while True:
            try:
                return future.result(timeout=min(WATCH_SECONDS, max(SHORTEST_WATCH, left)))
            except TimeoutError:
                left = self._look()

    def _look(self) -> float:
        """Tell the search to stop if a limit is reached or the caller wants it; return the seconds left."""
        self._count_cpu()
        left = self.clock.left()
        if left <= 0 or self.should_stop():
            self.control[STOP] = 1
        return left

    def _make_ready(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Call it once, told to stop, in the thread whose clock leaves out compiling; the control stays as it was."""
        if function not in _ready:
            kept = self.control.copy()
            self.control[STOP] = 1
            function(*arguments)
            self.control[:] = kept
            _ready.add(function)

    def _count_cpu(self) -> None:
        """Tell the clock what the worker has used since the last look."""
        if self._worker:
            now = cpu_time_of(self._worker)
            self.clock.add_cpu(now - self._counted)
            self._counted = now


def _borrowed_thread() -> ThreadPoolExecutor:
    """A thread that waits for work, or a new one; whoever borrows it gives it back to `_idle`."""
    try:
        return _idle.pop()
    except IndexError:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="search")


def make_ready(function: Any, call: Callable[[], object]) -> None:
    """Let the calling thread compile or load `function` by a `call` that does nothing else, if it is not ready."""
    if function not in _ready:
        call()
        _ready.add(function)
