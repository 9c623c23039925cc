"""Where agents think: threads beside the event loop, in the order in which they were asked.

A table asks for one thing at a time, so that first come, first served is fair between tables. Compiled
searches let go of Python's lock, and the page stays quick.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Thinker:
    """A few threads, and a line before them."""

    def __init__(self, threads: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads or max(1, (os.cpu_count() or 2)), thread_name_prefix="thinking")
        self.is_closing = False

    async def ask(self, question: Callable[[], T]) -> T:
        """The answer of `question`, which is called in a thread of its own when its turn comes."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, question)

    def close(self) -> None:
        """Start nothing new; what runs is asked to stop by `is_closing`."""
        self.is_closing = True
        self._pool.shutdown(wait=False, cancel_futures=True)
