"""Where agents think: threads beside the event loop, shared fairly between those who ask.

Each question has the key of who asks: a table, or a visitor who has no table yet. One question of a key is answered at
a time, and when a thread is free it takes the key that has had the least of the threads' time so far; one that comes
anew starts level with the others. So a table of quick agents never waits for a second turn of slow ones, however many
tables those sit at.

A question is told to stop after a while by whoever asks it. One that does not stop loses its thread's place: another
thread is started, so that the others go on, and whoever asked is told that no answer came.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from meeple.errors import AgentError, UsageError

T = TypeVar("T")
GRACE = 10.0  # seconds beyond the limit after which a thread's place is given to another
GIVEN_UP = 300.0  # seconds beyond the limit after which no answer is waited for: the first time it is compiled, too
MOST_WAITING = 8  # questions of one key
MOST_WAITING_IN_ALL = 1_000
MOST_STUCK = 2  # questions to one agent that do not end; no more are put to it
MOST_STUCK_A_THREAD = 4  # questions that do not end and had their place given away, for each thread that there is


class BusyError(UsageError):
    """More was asked than the server has room for; nothing was begun."""


@dataclass(eq=False)
class Job:
    """One question, from when it is asked until it is answered."""

    key: str
    agent: str  # the spec of the agent that is asked, if one is
    number: int  # in the order in which they came
    question: Callable[[], Any]
    limit: float  # seconds after which it is told to stop
    answer: Future[Any] = field(default_factory=Future)
    began: float = 0.0
    is_stuck: bool = False  # its place was given to another thread


class Thinker:
    """A few threads, and a fair line before them. `tick` is for a timer: it looks after questions that do not end."""

    def __init__(
        self, threads: int | None = None, *, limit: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.threads, self.limit = threads or max(2, os.cpu_count() or 2), limit
        self.is_closing = False
        self._clock = clock
        self._turn = threading.Condition()  # guards all below
        self._waiting: dict[str, deque[Job]] = {}
        self._running: list[Job] = []
        self._spent: dict[str, float] = {}  # seconds of thinking by key; see `_floor`
        self._floor = 0.0  # what the key that was served last had spent: who comes anew starts here
        self._count = 0
        self._crew: list[threading.Thread] = []

    async def ask(self, question: Callable[[], T], *, key: str = "", agent: str = "", limit: float | None = None) -> T:
        """The answer of `question`, which is called in another thread when its turn comes.

        `limit`: seconds after which it has been told to stop, where they are not as usual.

        Raises:
            BusyError: too much is asked at once.
            AgentError: no answer came in time, or the agent has left too many questions without one.
        """
        job = self._enqueue(key, agent, question, self.limit if limit is None else limit)
        return await asyncio.wrap_future(job.answer)

    def tick(self) -> None:
        """Give the places of stuck questions to other threads, and give up on those that have long been stuck."""
        now = self._clock()
        with self._turn:
            for job in self._running:
                late = now - job.began - job.limit
                if late > GRACE and not job.is_stuck and self._stuck() < MOST_STUCK_A_THREAD * self.threads:
                    job.is_stuck = True
                    self._hire()
                if late > GIVEN_UP and not job.answer.done():
                    job.answer.set_exception(AgentError(f"no answer came within {job.limit + GIVEN_UP:g} s"))
            busy = {job.key for job in self._running} | set(self._waiting)
            self._spent = {key: spent for key, spent in self._spent.items() if key in busy or spent > self._floor}
            self._turn.notify_all()

    def close(self) -> None:
        """Start nothing new; what runs is asked to stop by `is_closing`, and what does not is left alone."""
        with self._turn:
            self.is_closing = True
            for jobs in self._waiting.values():
                for job in jobs:
                    job.answer.cancel()
            self._waiting.clear()
            self._turn.notify_all()
        deadline = time.monotonic() + 2.0
        for thread in list(self._crew):
            thread.join(max(0.0, deadline - time.monotonic()))

    # --- the line

    def _enqueue(self, key: str, agent: str, question: Callable[[], Any], limit: float) -> Job:
        with self._turn:
            waiting = self._waiting.get(key, ())
            if len(waiting) >= MOST_WAITING or sum(map(len, self._waiting.values())) >= MOST_WAITING_IN_ALL:
                raise BusyError("too much is asked of this server at once; try again in a moment")
            if agent and sum(job.is_stuck and job.agent == agent for job in self._running) >= MOST_STUCK:
                raise AgentError(f"'{agent}' has left {MOST_STUCK} questions without an answer; it is asked no more")
            while len(self._crew) < self.threads:
                self._hire()
            if not waiting and not any(job.key == key for job in self._running):
                self._spent[key] = max(self._spent.get(key, 0.0), self._floor)
            self._count += 1
            job = Job(key, agent, self._count, question, limit)
            self._waiting.setdefault(key, deque()).append(job)
            self._turn.notify()
            return job

    def _next(self) -> Job | None:
        """The next question to answer, taken from the line; None where all keys in it are being served."""
        served = {job.key for job in self._running if not job.is_stuck}
        free = [key for key in self._waiting if key not in served]
        if not free:
            return None
        key = min(free, key=lambda key: (self._spent[key], self._waiting[key][0].number))
        job = self._waiting[key].popleft()
        if not self._waiting[key]:
            del self._waiting[key]
        self._floor = max(self._floor, self._spent[key])
        return job

    def _stuck(self) -> int:
        return sum(job.is_stuck for job in self._running)

    # --- the threads

    def _hire(self) -> None:
        # A daemon: a question that never ends does not keep the program from ending.
        thread = threading.Thread(target=self._work, name="thinking", daemon=True)
        self._crew.append(thread)
        thread.start()

    def _work(self) -> None:
        while True:
            with self._turn:
                job = self._next()
                while job is None and not self.is_closing:
                    self._turn.wait()
                    job = self._next()
                if job is None:
                    return
                if not job.answer.set_running_or_notify_cancel():  # who asked has left
                    continue
                job.began = self._clock()
                self._running.append(job)
            result, fault = _answered(job.question)
            with self._turn:
                self._running.remove(job)
                self._spent[job.key] = self._spent.get(job.key, self._floor) + self._clock() - job.began
                if job.answer.done():  # given up: nobody waits for it
                    pass
                elif fault is not None:
                    job.answer.set_exception(fault)
                else:
                    job.answer.set_result(result)
                self._turn.notify_all()
                if job.is_stuck:  # another thread has its place
                    self._crew.remove(threading.current_thread())
                    return


def _answered(question: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return question(), None
    except BaseException as fault:  # an agent is anybody's code; whoever asked hears of it
        return None, fault
