"""Stopping a compiled search at once: by nodes, by time, by Ctrl-C or by the caller.

A search counts its nodes in an array of int64 and looks there for the word to stop; it runs without the
GIL in a thread of its own, while the calling thread watches the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

NODES, LIMIT, STOP, ABORTED = range(4)  # places in a control array
CONTROL_SIZE = 4
MARGIN = 0.02  # of the time allowed is kept back, and at least MARGIN_SECONDS
MARGIN_SECONDS = 0.004
WATCH_SECONDS = 0.02  # between two looks at the caller's wish to stop


class Stopper:
    """Runs compiled calls so that they can be stopped; `with` cleans up after it."""

    def __init__(self, control: NDArray[np.int64], seconds: float, should_stop: Callable[[], bool]) -> None:
        self.control = control
        self.should_stop = should_stop
        margin = max(MARGIN_SECONDS, MARGIN * seconds)
        self.deadline = time.perf_counter() + max(0.0, seconds - margin) if seconds > 0 else float("inf")
        self._threads = ThreadPoolExecutor(max_workers=1)

    def __enter__(self) -> Stopper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.control[STOP] = 1
        self._threads.shutdown()

    def run(self, function: Callable[..., Any], *groups: tuple[Any, ...]) -> Any:
        """Call `function` with the arguments of all groups; at the deadline it is told to stop, and returns."""
        future: Future[Any] = self._threads.submit(function, *(argument for group in groups for argument in group))
        while True:
            left = self.deadline - time.perf_counter()
            if left <= 0 or self.should_stop():
                self.control[STOP] = 1
            try:
                return future.result(timeout=min(WATCH_SECONDS, max(0.0005, left)))
            except TimeoutError:
                continue
