"""Who is drawn for first, and who shares a drawing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from meeple.web.painter import AT_ONCE, MOST_SHARED, PLAYING, WATCHING, Painter
from web.conftest import finish


def order_of(asked: list[tuple[str, float, float]]) -> list[str]:
    """In which order drawings are made that are asked for while another is under way: name, when, patience."""
    now, drawn, may_go = [0.0], list[str](), threading.Event()

    async def ask() -> None:
        painter = Painter(lambda: now[0])
        first = painter.draw(may_go.wait)
        waiting = []
        for name, when, patience in asked:
            now[0] = when
            waiting.append(painter.draw(lambda name=name: drawn.append(name), patience=patience))  # type: ignore[misc]
        may_go.set()
        await asyncio.gather(first, *waiting)
        painter.close()

    finish(ask())
    return drawn


def test_who_has_clicked_is_served_before_those_who_watch() -> None:
    asked = [("watcher", 0.0, WATCHING), ("opponent", 0.0, PLAYING), ("player", 0.0, AT_ONCE)]
    assert order_of(asked) == ["player", "opponent", "watcher"]


def test_who_watches_is_not_forgotten_however_many_click() -> None:
    clicks = [(f"click {n}", n / 100, AT_ONCE) for n in range(1, 30)]
    drawn = order_of([("watcher", 0.0, WATCHING), *clicks])
    assert drawn.index("watcher") == 14  # after the clicks of the 0.15 s that it may wait
    assert len(drawn) == 30


def test_one_drawing_serves_all_who_look_in_the_same_way() -> None:
    calls = list[str]()

    async def look() -> list[str]:
        painter, drawings = Painter(), {}  # type: ignore[var-annotated]

        def draw(sight: str) -> str:
            calls.append(sight)
            return f"as {sight} sees it"

        sights = ["a watcher"] * 4 + ["a seat"]
        seen = (painter.shared(drawings, one, lambda one=one: draw(one), patience=0.0) for one in sights)  # type: ignore[misc]
        found = await asyncio.gather(*seen)
        painter.close()
        return found

    assert finish(look()) == ["as a watcher sees it"] * 4 + ["as a seat sees it"]
    assert sorted(calls) == ["a seat", "a watcher"]


def test_only_so_many_drawings_are_kept() -> None:
    async def look() -> list[int]:
        painter, drawings = Painter(), {}  # type: ignore[var-annotated]
        for number in range(3 * MOST_SHARED):
            await painter.shared(drawings, number, lambda: None, patience=0.0)
        painter.close()
        return list(drawings)

    assert finish(look()) == list(range(2 * MOST_SHARED, 3 * MOST_SHARED))


def test_one_who_leaves_takes_the_drawing_from_nobody() -> None:
    may_go = threading.Event()

    async def look() -> bool:
        painter, drawings = Painter(), {}  # type: ignore[var-annotated]
        both = [asyncio.create_task(painter.shared(drawings, 1, may_go.wait, patience=0.0)) for _ in range(2)]
        await asyncio.sleep(0)
        both[0].cancel()
        await asyncio.wait([both[0]])
        may_go.set()
        return await both[1]

    assert finish(look())


def test_a_drawing_that_fails_is_told_and_the_next_is_drawn() -> None:
    async def look() -> int:
        painter = Painter()
        with pytest.raises(ZeroDivisionError):
            await painter.draw(lambda: 1 // 0)
        return await painter.draw(lambda: 7)

    assert finish(look()) == 7
