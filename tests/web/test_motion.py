"""What moves on a board, and that nothing does for those who asked for stillness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from web.conftest import Server, click_on, new_table, open_table

# Remember every animation that is begun: what moves, for how long, how often.
LISTEN = """() => {
  window.begun = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.begun.push([this.dataset.r || null, options.duration, options.iterations || 1]);
    return animate.call(this, frames, options);
  };
}"""
TUMBLE = 300  # milliseconds


def tumbled(page: Page) -> list[str]:
    """The dice that have tumbled since this was asked last."""
    begun = page.evaluate("() => { const found = window.begun; window.begun = []; return found; }")
    assert all(times == 1 for _, _, times in begun)
    return sorted(key for key, duration, _ in begun if key and duration == TUMBLE)


@pytest.fixture(params=["no-preference", "reduce"])
def page_in_motion(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[Page, bool]]:
    """A page, and whether it may move."""
    motion: Literal["no-preference", "reduce"] = request.param
    context = browser.new_context(reduced_motion=motion)
    page = context.new_page()
    page.add_init_script(f"({LISTEN})()")
    yield page, motion == "no-preference"
    context.close()


def test_dice_tumble_when_they_are_rolled_and_lie_still_when_one_is_taken(
    page_in_motion: tuple[Page, bool], server: Server
) -> None:
    page, moves = page_in_motion
    table = server.seat_down(new_table("sagrada:players=2", "here", "first", seed=5))
    open_table(page, server, table.owner_token)
    click_on(page, "window-1")
    die = page.locator('.m-stage > svg [data-t^="pool-"] [data-r]')
    expect(die).to_have_count(5)
    dice = sorted(die.evaluate_all("all => all.map(one => one.dataset.r)"))
    assert tumbled(page) == (dice if moves else [])
    page.wait_for_selector('.lit[data-t^="pool-"]')
    click_on(page, str(page.locator('.lit[data-t^="pool-"]').first.get_attribute("data-t")))
    expect(page.locator(".chosen")).to_have_count(1)
    cell = page.locator(".m-board .lit.target:not([data-t^=pool]):not([data-t^=tool]):not([data-t=pass])").first
    click_on(page, str(cell.get_attribute("data-t")))
    expect(die).not_to_have_count(5)
    assert tumbled(page) == []


@pytest.mark.parametrize(("speed", "milliseconds"), [(None, 900), ("slow", 2250), ("off", None)])
def test_what_the_other_did_last_flashes_as_fast_as_was_chosen(
    browser: Browser, server: Server, speed: str | None, milliseconds: int | None
) -> None:
    table = server.seat_down(new_table("santorini", "here", "first"))
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({LISTEN})()")
    if speed is not None:
        page.add_init_script(f"localStorage.setItem('meeple', JSON.stringify({{ speed: '{speed}' }}))")
    open_table(page, server, table.owner_token)
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.locator('[data-p^="worker"]')).to_have_count(4)
    expect(page.locator(".m-stage[data-turn=mine]")).to_have_count(1)
    expect(page.locator(".m-trail .m-count")).to_have_text("O")  # and stays marked, moving or not
    flashes = page.evaluate("window.begun.filter(([key, time]) => !key && time > 800).map((one) => one[1])")
    assert set(flashes) == ({milliseconds} if milliseconds else set())
    assert milliseconds or page.evaluate("window.begun") == []
    context.close()
