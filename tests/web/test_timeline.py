"""Looking back along the time line, and the keys at a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.web.pages.keys import KEYS
from meeple.web.pages.timeline import FAR
from meeple.web.seats import Access
from meeple.web.table import Table
from meeple.web.viewing import Viewing
from web.conftest import PATIENCE, Server, new_table, open_table

WATCH = """() => {
  window.told = [];
  const status = document.querySelector(".m-status");
  const look = () => { if (status.textContent !== window.told.at(-1)) window.told.push(status.textContent); };
  new MutationObserver(look).observe(status, { childList: true, characterData: true, subtree: true });
}"""  # keeps all that the status says from now on


def played(moves: int, other: str = "elsewhere") -> Table:
    """A table of Santorini after so many moves."""
    table = new_table("santorini", "here", other)
    for _ in range(moves):
        table.match.play(int(table.match.state.legal_actions()[0]))
    return table


def test_stops_lie_before_decisions_and_at_the_end() -> None:
    """Azul fills its factories by twenty draws: nobody steps through those."""
    table = new_table("azul:players=2", "here", "here")
    for _ in range(2):
        table.match.play(int(table.match.state.legal_actions()[0]))
    view = Viewing(Access(table, frozenset({0, 1}), is_owner=True))
    assert view.stops() == [20, 21, 22]
    assert [view.stop_beside(by) for by in (-FAR, -2, -1, 1, FAR)] == [20, 20, 21, 22, 22]
    view.look_at(3)  # among the draws, as a click in the log may lead there
    assert [view.stop_beside(by) for by in (-1, 1, 2)] == [20, 20, 21]
    assert view.status_text() == "Looking back: move 0 of 2"


def test_a_match_is_played_from_its_start_and_stops_at_the_end(page: Page, server: Server) -> None:
    table = server.seat_down(played(4))
    open_table(page, server, table.owner_token)
    status, now = page.locator(".m-status"), page.get_by_role("button", name="Back to now")
    expect(now).to_be_hidden()
    for speed in ("1×", "2×"):
        page.get_by_role("button", name=f"Speed: {speed}").click()
    expect(page.get_by_role("button", name="Speed: 4×")).to_be_visible()
    page.evaluate(WATCH)
    page.get_by_role("button", name="Play the match").click()
    page.wait_for_function("() => window.told.at(-1) === 'Your turn'")  # it has come to the end
    assert page.evaluate("window.told") == [*(f"Looking back: move {n} of 4" for n in range(4)), "Your turn"]
    expect(page.get_by_role("button", name="Play the match")).to_be_visible()
    expect(now).to_be_hidden()
    page.get_by_role("button", name="To the start").click()
    expect(status).to_have_text("Looking back: move 0 of 4")
    now.click()
    expect(status).to_have_text("Your turn")
    page.reload()
    expect(page.get_by_role("button", name="Speed: 4×")).to_be_visible()  # the browser remembers


def test_playing_stops_where_somebody_looks_elsewhere(page: Page, server: Server) -> None:
    table = server.seat_down(played(30))
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".m-replay")
    page.keyboard.press("p")
    expect(page.locator(".m-status")).to_contain_text("Looking back: move")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Play the match")).to_be_visible()
    slider = page.get_by_role("slider", name="Where in the match")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".m-status")).to_have_text("Looking back: move 0 of 30")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".m-status")).to_have_text("Looking back: move 1 of 30")


def test_keys_for_a_hint_for_the_full_screen_and_for_help(page: Page, server: Server) -> None:
    table = server.seat_down(played(4, "here"))  # against people elsewhere there are no hints
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".m-board .lit")
    page.keyboard.press("h")
    expect(page.locator(".m-preview")).to_contain_text("Hint:")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    expect(listed.locator("tr")).to_have_count(len(KEYS))
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)


@pytest.mark.parametrize("width", [390, 360])
def test_the_time_line_fits_a_phone(browser: Browser, server: Server, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    table = server.seat_down(played(4))
    open_table(page, server, table.owner_token)
    page.get_by_role("button", name="To the start").dispatch_event("click")  # wherever the row has moved to meanwhile
    expect(page.locator(".m-status")).to_have_text("Looking back: move 0 of 4")
    rows = page.eval_on_selector_all(".m-under button:visible", "all => all.map(one => one.getBoundingClientRect().y)")
    assert len({round(y / 20) for y in rows}) == 2  # the slider with the speed, and the buttons
    page.get_by_role("button", name="Back to now").dispatch_event("click")
    expect(page.locator(".m-status")).to_have_text("Your turn")
    context.close()
