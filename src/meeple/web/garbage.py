"""When Python's garbage collector may run: all of its objects it walks only while nobody waits for an answer.

A full collection holds the interpreter until it has walked every object. With six games loaded and 250 browsers these
are a million, and everybody's click waited for half a second meanwhile, whoever had clicked. So

    - the young objects are collected as ever, which takes a millisecond
    - all others are collected once nothing has been drawn for a while; in a crowd that never rests, seldom
    - what lasts as long as the server (modules, compiled games) is set aside and walked no more (`gc.freeze`). Pages
      that are open at that moment are set aside with it, so once nobody has been there for long all are walked again.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

YOUNG = (2_000, 10, 1_000_000)  # thresholds of the three generations: the oldest is ours
PAUSE = 2.0  # seconds without a drawing after which nobody waits
OFTEN, SELDOM = 60.0, 600.0  # seconds between two full collections: while nobody waits, and in a crowd
LEFT = 600.0  # seconds without a drawing after which everybody has left


class Sweeper:
    """Decides when all objects are walked. `busy_at` is when somebody was last waiting for an answer."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.busy_at = self._swept_at = clock()
        self._is_swept_whole = True

    def start(self) -> None:
        """Take over from Python's own timing."""
        gc.set_threshold(*YOUNG)
        self.set_aside()

    def set_aside(self) -> None:
        """Something that lasts was loaded: what is there now is not walked any more."""
        gc.freeze()

    def busy(self) -> None:
        """Somebody waits for an answer."""
        self.busy_at, self._is_swept_whole = self._clock(), False

    def tick(self) -> None:
        """Once a second: collect, if this is the time for it."""
        now = self._clock()
        rest, since = now - self.busy_at, now - self._swept_at
        if rest >= LEFT and not self._is_swept_whole:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._swept_at, self._is_swept_whole = now, True
        elif not self._is_swept_whole and since >= (OFTEN if rest >= PAUSE else SELDOM):
            gc.collect()
            self._swept_at = now
