"""Analyses beside tables: in the thinking threads, one a viewer, shared by who looks at the same, kept on disk."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path
from typing import Any

import pytest

import meeple
from conftest import HOARD
from meeple.analysis.analyse import AnalysisRun, Source
from meeple.core.match import Match
from meeple.web.analyses import Analyses, Work
from meeple.web.room import Room
from web.conftest import finish


class Ready:
    """What makes games ready has nothing to do."""

    async def ready(self, *what: object) -> None:
        """It is."""


def analyses_in(folder: Path) -> tuple[Room, Analyses]:
    """A room's analyses."""
    room = Room(folder)
    return room, Analyses(room.thinker, Ready(), folder / "analyses")  # type: ignore[arg-type]


def played(seed: int = 2) -> Match:
    return meeple.play_match(HOARD, ["random", "random"], seed=seed)


def source_of(match: Match) -> Source:
    return Source(match, ("Ann", "Ben"))


async def ended(work: Work) -> None:
    """Wait until it is through, or stopped."""
    while work.is_running:
        assert work.task is not None
        await asyncio.gather(work.task, return_exceptions=True)


def test_a_match_is_judged_in_the_thinking_threads_and_as_the_command_judges_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()
    judge = AnalysisRun._judge_decision

    def watched(run: AnalysisRun, place: Any) -> Any:
        threads.add(threading.current_thread().name)
        return judge(run, place)

    monkeypatch.setattr(AnalysisRun, "_judge_decision", watched)
    match, told = played(), list[int]()

    async def look() -> Work:
        room, analyses = analyses_in(tmp_path)
        work = analyses.look(source_of(match), lambda: told.append(work.done))
        analyses.begin(work, "ann", "quick")
        await ended(work)
        room.close()
        return work

    work = finish(look())
    assert work.fault == ""
    assert threads == {"thinking"}
    assert len(told) > match.ply
    found = meeple.analyse(match, effort="quick", save=False)
    assert work.found is not None
    assert work.found.decisions == found.decisions
    assert work.found.chances == found.chances


def test_who_begins_another_has_the_first_one_stopped_and_what_was_judged_is_kept(tmp_path: Path) -> None:
    async def look() -> None:
        room, analyses = analyses_in(tmp_path)
        first, second = (analyses.look(source_of(played(seed)), lambda: None) for seed in (2, 3))
        analyses.begin(first, "ann", "quick")
        while first.stage < 2 or not first.done:
            await asyncio.sleep(0)
        analyses.begin(second, "ann", "quick")
        await ended(first)
        assert first.found is not None
        assert not first.found.is_complete
        judged = sum(each.is_judged for each in first.found.decisions)
        analyses.begin(first, "ben", "quick")  # another viewer: the second goes on
        await asyncio.gather(ended(first), ended(second))
        assert first.total <= len(first.found.decisions) + len(first.found.chances) - judged + 2
        assert first.found.is_complete
        assert second.found is not None
        assert second.found.is_complete
        room.close()

    finish(look())


def test_two_who_look_at_one_match_share_its_analysis_and_the_last_to_leave_stops_it(tmp_path: Path) -> None:
    async def look() -> None:
        room, analyses = analyses_in(tmp_path)
        listeners = [lambda: None, lambda: None]
        one, two = (analyses.look(source_of(played()), listener) for listener in listeners)
        assert one is two
        analyses.begin(one, "ann", "quick")
        analyses.begin(two, "ben", "quick")
        assert one.viewer == "ann"
        analyses.leave(one, listeners[0])
        assert not one.is_stopped
        analyses.leave(two, listeners[1])
        assert one.is_stopped
        await ended(one)
        assert analyses.look(source_of(played()), listeners[0]) is not one
        room.close()

    finish(look())


def test_one_that_fails_says_so_and_can_be_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(run: AnalysisRun, place: Any) -> Any:
        raise OSError("the disk is full")

    async def look() -> None:
        room, analyses = analyses_in(tmp_path)
        work = analyses.look(source_of(played()), lambda: None)
        with monkeypatch.context() as patch:
            patch.setattr(AnalysisRun, "_judge_decision", fail)
            analyses.begin(work, "ann", "quick")
            await ended(work)
        assert work.fault == "it failed; the server's log says why"
        assert not list(room.thinker._waiting)
        analyses.begin(work, "ann", "quick")
        await ended(work)
        assert work.fault == ""
        assert work.found is not None
        assert work.found.is_complete
        room.close()

    finish(look())


def test_only_the_latest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.web.analyses.MOST_KEPT", 2)

    async def look() -> None:
        room, analyses = analyses_in(tmp_path)
        folder = tmp_path / "analyses"
        folder.mkdir()
        for age, name in enumerate(("new", "old", "older", "oldest")):
            path = folder / f"{name}.analysis.jsonl"
            path.touch()
            os.utime(path, (1_000 - age, 1_000 - age))
        work = analyses.look(source_of(played()), lambda: None)
        analyses.begin(work, "ann", "quick")
        await ended(work)
        assert {path.name for path in folder.iterdir()} == {
            "new.analysis.jsonl", "old.analysis.jsonl", f"{work.key}.analysis.jsonl"
        }  # fmt: skip
        room.close()

    finish(look())
