"""Home and rules of every game: a cover that is a drawing, and a picture for each lesson that names a position."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from meeple.core.registry import find_definition, game_names
from meeple.web.covers import FOLDER, cover_name, draw_cover, draw_outline, outline_of
from meeple.web.pages.frame import Prefs
from meeple.web.pages.rules import rules_in_short
from web.conftest import Server

# Words of the pictures that an edge cuts in two.
CUT = """all => all.flatMap((svg) => [...svg.querySelectorAll('text')].filter((node) => {
  const [at, frame] = [node.getBoundingClientRect(), svg.getBoundingClientRect()];
  const isOutside = at.right < frame.left || at.left > frame.right || at.bottom < frame.top || at.top > frame.bottom;
  const isInside = at.left >= frame.left - 2 && at.right <= frame.right + 2;
  const isBetween = at.top >= frame.top - 2 && at.bottom <= frame.bottom + 2;
  return !isOutside && !(isInside && isBetween) && getComputedStyle(node).visibility !== 'hidden';
}).map((node) => node.textContent))"""
SEEN = """all => all.map((svg) => [svg.querySelector(".lit"), svg].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return { left, top, right, bottom };
}))"""  # where the last target of the move lies, and where the picture
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
    pictures = sum(bool(lesson.position) for lesson in lessons)
    assert 3 <= pictures <= 8
    assert shown.count('aria-label="Picture: ') == pictures
    assert shown.count("inert=") == pictures  # what may be clicked at a table is only shown here
    assert all(lesson.title in shown.replace("&#x27;", "'") for lesson in lessons)


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("name", game_names())
def test_a_game_has_the_outline_of_its_board(name: str, is_narrow: bool) -> None:
    """Written by `make covers`, and as the board is drawn today; words and colours are left out of it."""
    outline = outline_of(find_definition(name), is_narrow=is_narrow)
    assert outline == draw_outline(name, is_narrow=is_narrow) + "\n"
    assert not re.search(r"<text|<title|fill=|data-|aria-", outline)


def test_pictures_are_cropped_to_what_their_move_touches_and_variants_are_told(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/rules/azul")
    page.wait_for_selector(".m-rule svg.board")
    page.wait_for_function("() => document.querySelector('.m-rule svg.board').viewBox.baseVal.width < 1000")
    found = page.eval_on_selector_all(".m-rule svg.board", SEEN)
    assert len(found) == sum(bool(lesson.position) for lesson in find_definition("azul").lessons.LESSONS)
    for lit, frame in found:
        assert frame["left"] <= lit["left"] < lit["right"] <= frame["right"]
        assert frame["top"] <= lit["top"] < lit["bottom"] <= frame["bottom"]
    assert page.eval_on_selector_all(".m-rule svg.board", CUT) == []
    expect(page.get_by_role("heading", name="Variants")).to_be_visible()
    expect(page.locator("main")).to_contain_text("The printed wall, or the grey side, where each places as it likes.")
