"""Whole games by keys alone, and by a finger alone, from the form to the end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.core.registry import load_game
from web.conftest import PATIENCE, Server, new_table, open_table

WAYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
MOST_CLICKS = 400
LIT = ".m-stage > svg .lit"
# What a click changes: the match, or what is chosen and may be chosen next.
SEEN = """() => { const stage = document.querySelector(".m-stage");
  const marked = [...stage.querySelectorAll(".lit, .chosen")];
  return stage.dataset.version + marked.map((one) => one.dataset.t + one.classList); }"""
AWAITED = "() => /mine|over/.test(document.querySelector('.m-stage')?.dataset.turn)"


def by_keys(page: Page, lots: Random) -> None:
    """Walk some steps over what is lit, and choose."""
    for _ in range(lots.randrange(6) + 1):
        page.keyboard.press(lots.choice(WAYS))
    page.keyboard.press("Enter")


def by_finger(page: Page, lots: Random) -> None:
    """Scroll until something that is lit stands clear of the sheet, and tap it."""
    lit = page.locator(LIT)
    chosen = lit.nth(lots.randrange(lit.count()))
    chosen.evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = chosen.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.long
@pytest.mark.parametrize("game", ["santorini", "azul", "ingenious", "sagrada", "saboteur:players=3", "saboteur-duel"])
@pytest.mark.parametrize("how", [by_keys, by_finger])
def test_a_whole_game_is_played_to_its_end(
    how: Callable[[Page, Random], None], game: str, browser: Browser, server: Server
) -> None:
    size = {"width": 390, "height": 844} if how is by_finger else {"width": 1280, "height": 720}
    context = browser.new_context(viewport=size, has_touch=how is by_finger, reduced_motion="reduce")  # type: ignore[arg-type]
    page, faults, lots = context.new_page(), list[str](), Random(1)
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    rivals = ["random"] * (load_game(game).seats - 1)
    table = server.seat_down(new_table(game, "here", *rivals))
    open_table(page, server, table.owner_token)
    for _ in range(MOST_CLICKS):
        page.wait_for_function(AWAITED)
        if page.locator('.m-stage[data-turn="over"]').count():
            break
        before = page.evaluate(SEEN)
        how(page, lots)
        page.wait_for_function(f"before => ({SEEN})() !== before", arg=before)
    expect(page.locator(".m-stage")).to_have_attribute("data-turn", "over")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    context.close()
    assert faults == []
