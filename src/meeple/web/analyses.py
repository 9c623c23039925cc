"""Analyses under way: of matches that somebody looks at, a judgement at a time in the threads where agents think.

Everybody has one analysis at most: who begins another has the first one stopped. All that a viewer has analysed goes
through the thinker under the viewer's key, so that it gets no more than its fair share beside others and the agents of
tables. Two who look at the same match share its analysis, and judgements are kept on disk: an analysis goes on where
it was, whoever asks for it again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from meeple.analysis.analyse import AnalysisRun, Source
from meeple.analysis.effort import EFFORTS
from meeple.analysis.measure import StoppedError
from meeple.analysis.result import Analysis, Decision
from meeple.analysis.saved import SUFFIX, fingerprint, kept_decision
from meeple.core.folders import keep_private
from meeple.core.match import Match
from meeple.errors import MeepleError
from meeple.web.preparing import Preparer
from meeple.web.rehearsal import ANALYSIS
from meeple.web.thinker import Thinker

LOG = logging.getLogger("meeple.web")
LANES = {"deep": 1}  # judgements of an analysis that are made side by side: long ones leave a thread to agents
MOST_LANES = 2
MOST_KEPT = 500  # analyses on disk, the oldest going first


@dataclass(eq=False)
class Attempt:
    """One time that an analysis is worked on, until it is through or stopped."""

    is_stopped: bool = False


@dataclass(eq=False)
class Work:
    """The analysis of one match, as far as it is."""

    key: str  # what names the match
    source: Source
    effort: str
    viewer: str  # under whose key it is worked on
    found: Analysis | None = None
    done: int = 0  # judgements of this stage
    total: int = 0
    stage: int = 0  # 1: a sketch for the graph; 2: the judgements
    fault: str = ""
    attempt: Attempt = field(default_factory=Attempt)
    listeners: list[Callable[[], None]] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.task is not None and not self.task.done()

    @property
    def is_stopped(self) -> bool:
        """Whether it shall judge no more."""
        return self.attempt.is_stopped

    def tell(self) -> None:
        """Have everybody who looks look again."""
        for listener in list(self.listeners):
            listener()


class Analyses:
    """All analyses of one server. All methods are for the event loop."""

    def __init__(self, thinker: Thinker, preparer: Preparer, folder: Path) -> None:
        self._thinker, self._preparer, self._folder = thinker, preparer, folder
        self._works: dict[str, Work] = {}  # by match
        self._ending: dict[str, asyncio.Task[None]] = {}  # of matches that nobody looks at any more
        self._of_viewer: dict[str, Work] = {}  # what each viewer has begun last

    def look(self, source: Source, listener: Callable[[], None]) -> Work:
        """The analysis of a match, told to `listener` as it grows; nothing of it is begun."""
        key = _key_of(source.match)
        work = self._works.setdefault(key, Work(key, source, next(iter(EFFORTS)), ""))
        work.listeners.append(listener)
        return work

    def judged(self, match: Match, step: int) -> Decision | None:
        """What was found of the decision after so many events, in any analysis that is kept; None where nothing was."""
        return kept_decision(self._path(_key_of(match)), step)

    def leave(self, work: Work, listener: Callable[[], None]) -> None:
        """Nobody there looks any more: the last one to leave stops it."""
        if listener in work.listeners:
            work.listeners.remove(listener)
        if not work.listeners:
            self.stop(work)
            self._works.pop(work.key, None)
            if work.task is not None:
                self._ending[work.key] = work.task
                work.task.add_done_callback(lambda task: self._forget(work.key, task))
            for viewer in [viewer for viewer, begun in self._of_viewer.items() if begun is work]:
                del self._of_viewer[viewer]

    def _forget(self, key: str, task: asyncio.Task[None]) -> None:
        if self._ending.get(key) is task:
            del self._ending[key]

    def begin(self, work: Work, viewer: str, effort: str) -> None:
        """Analyse for a viewer, with this effort or the greater one it is analysed with; it stops what they had."""
        order = list(EFFORTS)
        is_enough = work.is_running and not work.is_stopped and order.index(work.effort) >= order.index(effort)
        before = self._of_viewer.get(viewer)
        if before is not None and before is not work and before.viewer == viewer:
            self.stop(before)
        self._of_viewer[viewer] = work
        if is_enough:
            return
        earlier = work.task or self._ending.get(work.key)  # two would write to one file
        work.attempt.is_stopped = True  # what is under way with less effort
        work.attempt = Attempt()
        work.effort = max(effort, work.effort, key=order.index) if work.stage else effort
        work.viewer, work.fault = viewer, ""
        work.task = asyncio.get_running_loop().create_task(self._analyse(work, work.attempt, earlier))
        work.tell()

    def stop(self, work: Work) -> None:
        """Judge no more; what was judged is kept."""
        if work.is_running:
            work.attempt.is_stopped = True
            work.tell()

    def close(self) -> None:
        """Stop everything."""
        for work in self._works.values():
            work.attempt.is_stopped = True
            if work.task is not None:
                work.task.cancel()

    # --- the work

    async def _analyse(self, work: Work, attempt: Attempt, earlier: asyncio.Task[None] | None) -> None:
        if earlier is not None:
            await asyncio.gather(earlier, return_exceptions=True)
        work.stage, run = 0, None
        try:
            await self._preparer.ready(work.source.match.game.definition, ANALYSIS)
            run = await self._thinker.ask(lambda: self._run(work, attempt), key=_lane(work, 0))
            for work.stage, jobs in enumerate(run.stages(), 1):
                if attempt.is_stopped:
                    break
                work.done, work.total = 0, len(jobs)
                waiting, lanes = iter(jobs), LANES.get(work.effort, MOST_LANES)
                await self._do_all([self._do(work, attempt, run, waiting, lane) for lane in range(lanes)], attempt)
            work.found = await self._thinker.ask(run.analysis, key=_lane(work, 0))
        except MeepleError as fault:
            LOG.warning("an analysis of %s failed: %s", work.source.match.game.name, fault)
            work.fault = str(fault)
        except Exception:
            LOG.exception("an analysis of %s failed", work.source.match.game.name)
            work.fault = "it failed; the server's log says why"
        finally:
            if run is not None:
                run.saved.close()
            if work.task is asyncio.current_task():
                work.task = None
            work.tell()

    async def _do_all(self, lanes: list[Coroutine[None, None, None]], attempt: Attempt) -> None:
        """Wait for all lanes; where one fails the others stop, and it is raised."""

        async def watched(lane: Coroutine[None, None, None]) -> None:
            try:
                await lane
            except BaseException:
                attempt.is_stopped = True
                raise

        ended = await asyncio.gather(*map(watched, lanes), return_exceptions=True)
        for fault in ended:
            if fault is not None:
                raise fault

    async def _do(
        self, work: Work, attempt: Attempt, run: AnalysisRun, jobs: Iterator[Callable[[], None]], lane: int
    ) -> None:
        """Do one job after the other, until there are none or the analysis is stopped."""
        for job in jobs:
            if attempt.is_stopped:
                return
            with suppress(StoppedError):
                work.found = await self._thinker.ask(partial(_done, job, run), key=_lane(work, lane))
            work.done += 1
            work.tell()

    def _run(self, work: Work, attempt: Attempt) -> AnalysisRun:
        path = self._path(work.key)
        return AnalysisRun(work.source, work.effort, save=path, should_stop=lambda: attempt.is_stopped)

    def _path(self, key: str) -> Path:
        """Where the judgements of a match are kept; what was kept longest ago makes room."""
        folder = keep_private(self._folder, is_folder=True)
        kept = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
        for path in kept[: max(0, len(kept) - MOST_KEPT)]:
            path.unlink(missing_ok=True)
        return folder / f"{key}{SUFFIX}"


def _done(job: Callable[[], None], run: AnalysisRun) -> Analysis:
    job()
    return run.analysis()


def _lane(work: Work, lane: int) -> str:
    return key_of(work.viewer, lane)


def key_of(viewer: str, lane: int = 0) -> str:
    """The key under which a viewer's questions are asked."""
    return f"analysis {viewer} {lane}"


def _key_of(match: Match) -> str:
    """What names a match with all that was dealt in it."""
    return hashlib.blake2b(match.salt + fingerprint(match).encode(), digest_size=16).hexdigest()
