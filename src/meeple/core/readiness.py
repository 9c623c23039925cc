"""How long a thread has waited for kernels to be compiled, or loaded from the cache.

That happens once a process. It is subtracted where the time of a search is measured or limited.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Wait(NamedTuple):
    """Seconds by the wall, and of the thread's own CPU time."""

    wall: float
    cpu: float


class _Waited(threading.local):
    """What this thread has waited so far."""

    wall = 0.0
    cpu = 0.0
    depth = 0  # a kernel may make others ready while it is made so itself


_waited = _Waited()


@contextmanager
def making_ready() -> Iterator[None]:
    """A context around the compiling or loading of a kernel: the time within is added to this thread's."""
    wall, cpu = time.perf_counter(), time.thread_time()
    _waited.depth += 1
    try:
        yield
    finally:
        _waited.depth -= 1
        if _waited.depth == 0:
            _waited.wall += time.perf_counter() - wall
            _waited.cpu += time.thread_time() - cpu


def waited_until_ready() -> Wait:
    """What the calling thread has waited for kernels since it began."""
    return Wait(_waited.wall, _waited.cpu)
