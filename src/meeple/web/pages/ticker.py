"""A timer that is there only while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui


class Ticker:
    """Does something every so many seconds while it is `active`.

    A timer of NiceGUI's that rests wakes up all the same, on every page that is open: with 250 browsers that was a
    quarter of what the server did while nobody clicked.
    """

    def __init__(self, interval: float, work: Callable[[], Any]) -> None:
        self._interval, self._work = interval, work
        self._slot = ui.context.slot
        self._timer: ui.timer | None = None

    @property
    def interval(self) -> float:
        """Seconds from one time to the next."""
        return self._interval

    @interval.setter
    def interval(self, seconds: float) -> None:
        self._interval = seconds
        if self._timer is not None:
            self._timer.interval = seconds

    @property
    def active(self) -> bool:
        """Whether it runs."""
        return self._timer is not None

    @active.setter
    def active(self, is_active: bool) -> None:
        if is_active and self._timer is None:
            with self._slot:
                self._timer = ui.timer(self.interval, self._work, immediate=False)
        elif not is_active and self._timer is not None:
            self._timer.cancel()
            self._timer = None
