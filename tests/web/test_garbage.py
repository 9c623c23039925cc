"""When the garbage collector walks all objects: while nobody waits."""

from __future__ import annotations

import gc

import pytest

from meeple.web import garbage
from meeple.web.garbage import LEFT, OFTEN, PAUSE, SELDOM, Sweeper


class Collector:
    """Stands in for `gc`, and notes what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        for name in ("collect", "freeze", "unfreeze"):
            setattr(self, name, lambda name=name: self.asked.append(name))

    def taken(self) -> list[str]:
        asked, self.asked = self.asked, []
        return asked


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Collector:
    made = Collector()
    monkeypatch.setattr(garbage, "gc", made)
    return made


def test_all_is_collected_only_once_nobody_waits(collector: Collector) -> None:
    now = [0.0]
    sweeper = Sweeper(lambda: now[0])
    for now[0] in (OFTEN, OFTEN + 1):
        sweeper.busy()
        sweeper.tick()
    assert collector.taken() == []
    now[0] += PAUSE
    sweeper.tick()
    assert collector.taken() == ["collect"]
    sweeper.tick()
    assert collector.taken() == []  # not again at once


def test_a_crowd_that_never_rests_is_interrupted_seldom(collector: Collector) -> None:
    now = [0.0]
    sweeper = Sweeper(lambda: now[0])
    for second in range(1, 2 * int(SELDOM) + 1):
        now[0] = float(second)
        sweeper.busy()
        sweeper.tick()
    assert collector.taken() == ["collect"] * 2


def test_what_was_set_aside_is_walked_again_once_all_have_left(collector: Collector) -> None:
    now = [0.0]
    sweeper = Sweeper(lambda: now[0])
    sweeper.busy()
    sweeper.set_aside()
    now[0] = LEFT
    sweeper.tick()
    assert collector.taken() == ["freeze", "unfreeze", "collect", "freeze"]
    now[0] += 2 * LEFT
    sweeper.tick()
    assert collector.taken() == []  # nobody has been there since


def test_a_server_has_young_objects_collected_by_python_and_old_ones_not() -> None:
    before = gc.get_threshold()
    try:
        Sweeper().start()
        young, _, old = gc.get_threshold()
        assert 0 < young < 10_000 < old
        assert gc.get_freeze_count() > 0
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
