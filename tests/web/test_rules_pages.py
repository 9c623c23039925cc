"""Home and rules of every game: a cover that is a drawing, and a picture for each lesson that names a position."""

from __future__ import annotations

import pytest

from meeple.core.registry import find_definition, game_names
from meeple.web.covers import FOLDER, cover_name
from meeple.web.pages.frame import Prefs
from meeple.web.pages.rules import rules_in_short

DRAWN = [name for name in game_names() if find_definition(name).picture is not None]


def test_all_games_are_drawn() -> None:
    assert game_names() == DRAWN


@pytest.mark.parametrize("name", DRAWN)
def test_a_game_has_a_cover(name: str) -> None:
    assert cover_name(find_definition(name)) == f"{name}.svg"
    assert (FOLDER / f"{name}.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("name", DRAWN)
def test_the_rules_in_short_are_drawn(name: str) -> None:
    definition = find_definition(name)
    assert definition.lessons is not None
    lessons = definition.lessons.LESSONS
    shown = rules_in_short(definition, Prefs())
    assert len(lessons) >= 6
    assert shown.count("<svg") >= sum(bool(lesson.position) for lesson in lessons) > 0
    assert all(lesson.title in shown.replace("&#x27;", "'") for lesson in lessons)
