"""The thread that draws for everybody. Who has clicked and waits for the answer comes before those who watch.

Every drawing has a time by which it is wanted, and the one that is wanted first is drawn first: whoever watches a table
may wait a little for the sake of those who play, and is never forgotten.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from queue import PriorityQueue
from typing import Any, TypeVar

T = TypeVar("T")
AT_ONCE, PLAYING, WATCHING = 0.0, 0.03, 0.15  # seconds that a drawing may wait for others: after a click, and else
MOST_SHARED = 16  # drawings of one table that are kept, the oldest going first


@dataclass(order=True)
class DrawingJob:
    """One drawing, from when it is asked for."""

    wanted: float  # when, by the clock
    number: int  # of two that are wanted at once the one that was asked for first comes first
    draw: Callable[[], Any] | None = field(compare=False)  # None: only to have the thread look whether it shall end
    drawn: asyncio.Future[Any] | None = field(compare=False)


class Painter:
    """Draws in a thread of its own. All methods are for the event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._jobs: PriorityQueue[DrawingJob] = PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._is_closing = False

    def draw(self, job: Callable[[], T], *, patience: float = AT_ONCE) -> asyncio.Future[T]:
        """What `job` draws, called in the thread; it is wanted in `patience` seconds."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="drawing", daemon=True)
            self._thread.start()
        drawn = asyncio.get_running_loop().create_future()
        self._jobs.put(DrawingJob(self._clock() + patience, next(self._numbers), job, drawn))
        return drawn

    async def shared(
        self, drawings: dict[Hashable, asyncio.Future[T]], key: Hashable, job: Callable[[], T], *, patience: float
    ) -> T:
        """What `drawings` has under `key`; drawn by `job` for the first who asks, and given to all who do.

        Only so many are kept: every target that somebody hovers over gives another one.
        """
        if key not in drawings:
            if len(drawings) >= MOST_SHARED:
                del drawings[next(iter(drawings))]
            drawings[key] = self.draw(job, patience=patience)
        return await asyncio.shield(drawings[key])  # one who leaves does not take it from the others

    def close(self) -> None:
        """Draw nothing more, not even what waits."""
        self._is_closing = True
        self._jobs.put(DrawingJob(-math.inf, next(self._numbers), None, None))

    def _work(self) -> None:
        while not self._is_closing:
            job = self._jobs.get()
            if job.draw is None or job.drawn is None or job.drawn.cancelled():
                continue
            try:
                result, fault = job.draw(), None
            except Exception as raised:  # for whoever waits
                result, fault = None, raised
            with suppress(RuntimeError):  # the server has ended meanwhile
                job.drawn.get_loop().call_soon_threadsafe(_settle, job.drawn, result, fault)


def _settle(drawn: asyncio.Future[Any], result: Any, fault: Exception | None) -> None:
    if drawn.done():  # nobody waits any more
        return
    if fault is not None:
        drawn.set_exception(fault)
    else:
        drawn.set_result(result)
