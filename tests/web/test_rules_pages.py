"""Home and rules of every game: a cover that is a drawing, and a picture for each lesson that names a position."""

from __future__ import annotations

import re

import pytest

from meeple.core.registry import find_definition, game_names
from meeple.web.covers import FOLDER, cover_name, draw_cover, draw_outline, outline_of
from meeple.web.pages.frame import Prefs
from meeple.web.pages.rules import rules_in_short

DRAWN = [name for name in game_names() if find_definition(name).picture is not None]


def test_all_games_are_drawn() -> None:
    assert game_names() == DRAWN


@pytest.mark.parametrize("name", DRAWN)
def test_a_game_has_a_cover(name: str) -> None:
    assert cover_name(find_definition(name)) == f"{name}.svg"
    cover = (FOLDER / f"{name}.svg").read_text()
    assert cover == draw_cover(name) + "\n"  # `make covers` writes it
    assert 'viewBox="0 0 640 400"' in cover
    assert not re.search(r"data-t|<style", cover)  # a drawing of its own, no board
    assert len(cover) < 16_000


@pytest.mark.parametrize("name", DRAWN)
def test_the_rules_in_short_are_drawn(name: str) -> None:
    definition = find_definition(name)
    assert definition.lessons is not None
    lessons = definition.lessons.LESSONS
    shown = rules_in_short(definition, Prefs())
    assert len(lessons) >= 6
    assert shown.count("<svg") >= sum(bool(lesson.position) for lesson in lessons) > 0
    assert all(lesson.title in shown.replace("&#x27;", "'") for lesson in lessons)


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("name", game_names())
def test_a_game_has_the_outline_of_its_board(name: str, is_narrow: bool) -> None:
    """Written by `make covers`, and as the board is drawn today; words and colours are left out of it."""
    outline = outline_of(find_definition(name), is_narrow=is_narrow)
    assert outline == draw_outline(name, is_narrow=is_narrow) + "\n"
    assert not re.search(r"<text|<title|fill=|data-|aria-", outline)
