"""Pan and zoom of a board: in the browser alone, and never in the way of a click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from web.conftest import Server, click_on, new_table, open_table

FIELD = ".m-stage > svg svg.field"
Box = tuple[float, float, float, float]


def shown(page: Page, field: str = FIELD) -> Box:
    """The part of the field that is to be seen."""
    x, y, width, height = map(float, str(page.locator(field).first.get_attribute("viewBox")).split())
    return x, y, width, height


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def duel(page: Page, server: Server) -> Page:
    """A duel at its first move."""
    table = server.seat_down(new_table("saboteur-duel", "here", "elsewhere", seed=3))
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".lit")
    return page


def test_a_wheel_zooms_where_it_points_and_the_view_stays_when_the_board_is_drawn_anew(duel: Page) -> None:
    whole = shown(duel)
    duel.mouse.move(*middle(duel, FIELD))
    for _ in range(6):
        duel.mouse.wheel(0, -60)
    near = shown(duel)
    assert near[2] < whole[2] / 2
    assert near[0] > whole[0]
    assert near[1] > whole[1]
    card = str(duel.locator('.lit[data-t^="hand-"]').first.get_attribute("data-t"))
    click_on(duel, card)
    expect(duel.locator(f'.chosen[data-t="{card}"]')).to_have_count(1)
    assert shown(duel) == near
    for _ in range(20):
        duel.mouse.wheel(0, 60)
    assert shown(duel) == whole


def test_keys_and_buttons_zoom_and_bring_the_whole_board_back(duel: Page) -> None:
    whole = shown(duel)
    duel.keyboard.press("+")
    near = shown(duel)
    assert near[2] == pytest.approx(whole[2] / 1.4, rel=0.01)
    assert near[1] == whole[1]  # towards what is built: at first the entrance alone, near the top
    duel.keyboard.press("-")
    assert shown(duel) == whole
    duel.get_by_role("button", name="Zoom in").click()
    duel.get_by_role("button", name="Zoom in").click()
    assert shown(duel)[2] < near[2]
    duel.get_by_role("button", name="Zoom out").click()
    assert shown(duel) == pytest.approx(near, abs=0.05)
    duel.keyboard.press("0")
    assert shown(duel) == whole
    duel.keyboard.press("+")
    duel.get_by_role("button", name="Whole board").click()
    assert shown(duel) == whole


def test_a_drag_moves_a_field_that_is_zoomed_and_is_no_click(page: Page, server: Server) -> None:
    made = new_table("ingenious:players=2", "here", "elsewhere", seed=3)
    while made.match.ply < 4:  # from then on every free cell is on offer
        made.match.play(int(made.match.state.legal_actions()[0]))
    table = server.seat_down(made)
    open_table(page, server, table.owner_token)
    page.keyboard.press("+")
    page.keyboard.press("+")
    click_on(page, "tile-1-left")
    expect(page.locator(".chosen")).to_have_count(1)
    before, (x, y) = shown(page), middle(page, FIELD)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=5)
    page.mouse.up()
    after = shown(page)
    assert after[0] > before[0]
    assert after[1] > before[1]
    expect(page.locator(".chosen")).to_have_count(1)  # the half that is held; no cell was clicked
    key = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.lit').dataset.t", [x, y])
    page.mouse.click(x, y)
    expect(page.locator(f'.chosen[data-t="{key}"]')).to_have_count(1)
    assert shown(page) == after


def test_two_quick_clicks_beside_all_targets_go_near_and_back(duel: Page) -> None:
    whole, (x, y) = shown(duel), middle(duel, FIELD)
    duel.mouse.dblclick(x, y)
    assert shown(duel)[2] == pytest.approx(whole[2] / 2, rel=0.01)
    duel.mouse.dblclick(x, y)
    assert shown(duel) == whole


def test_a_game_without_a_field_zooms_as_a_whole(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    whole = shown(page, "svg.board")
    page.keyboard.press("+")
    assert shown(page, "svg.board")[2] < whole[2]
    click_on(page, "B3")
    expect(page.locator('.chosen[data-t="B3"]')).to_have_count(1)
    assert shown(page, "svg.board")[2] < whole[2]


def test_a_target_that_keys_come_to_is_brought_into_view(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    for _ in range(5):
        page.keyboard.press("+")
    far = page.locator('.lit[data-t="A1"]')
    far.focus()
    x, y = middle(page, '[data-t="A1"]')
    box = page.locator("svg.board").first.bounding_box()
    assert box is not None
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone's window, with fingers."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def test_two_fingers_zoom_cells_that_are_small_on_a_phone(phone: Page, server: Server) -> None:
    table = server.seat_down(new_table("ingenious:players=4", "here", *["elsewhere"] * 3, seed=3))
    open_table(phone, server, table.owner_token)
    x, y = middle(phone, FIELD)
    cdp = phone.context.new_cdp_session(phone)

    def touch(kind: str, *xs: float) -> None:
        points = [{"x": at, "y": y, "id": n} for n, at in enumerate(xs)]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x - 20)
    touch("touchStart", x - 20, x + 20)
    for reach in (30, 40, 50, 60):
        touch("touchMove", x - reach, x + reach)
    touch("touchEnd")
    assert phone.locator(".chosen").count() == 0
    phone.locator('.lit[data-t="tile-1-left"]').tap()
    lit = phone.locator(".m-board .lit.target:not([data-t^=tile])")
    expect(lit.first).to_be_attached()
    sizes = lit.evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().width)")
    assert min(sizes) >= 36
