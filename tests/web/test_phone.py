"""A phone: the bar of scores above the board, the sheet below it, and nothing too small or too wide."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.core.registry import find_definition, game_names
from web.conftest import Server, new_table, open_table

DRAWN = [name for name in game_names() if find_definition(name).picture is not None]
LEAST = 12  # pixels of any type
# Every piece of text on the page that is drawn smaller, on the board as it is scaled.
TOO_SMALL = """least => [...document.querySelectorAll('body *')].flatMap((node) => {
  const texts = [...node.childNodes].filter((child) => child.nodeType === 3);
  const words = texts.map((child) => child.textContent.trim()).join('');
  const drawn = node.getScreenCTM && node.closest('svg.board');
  if (!words || node.closest('title, style, .q-icon, .m-hidden') || !node.getClientRects().length) return [];
  const size = parseFloat(getComputedStyle(node).fontSize) * (drawn ? node.getScreenCTM().d : 1);
  return size < least - 0.01 ? [`${words}: ${size.toFixed(1)}`] : [];
})"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A small phone."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce"
    )  # fmt: skip
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", DRAWN)
def test_no_board_is_too_wide_and_no_word_too_small(name: str, phone: Page, server: Server) -> None:
    least, most = find_definition(name).seats
    made = new_table(f"{name}:players={most}" if most > least else name, "here", *["elsewhere"] * (most - 1), seed=4)
    while made.match.ply < 3 * most or made.match.to_move != 0:
        made.match.play(int(made.match.state.legal_actions()[-1]))
    table = server.seat_down(made)
    open_table(phone, server, table.owner_token)
    expect(phone.locator(".m-title")).to_have_text(find_definition(name).facts.title)
    expect(phone.locator(".m-title")).to_be_visible()
    phone.locator(".m-handle").tap()
    for width in (360, 390):
        phone.set_viewport_size({"width": width, "height": 740})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
        assert phone.evaluate(TOO_SMALL, LEAST) == []


def test_no_word_of_a_form_stands_out_of_it(phone: Page, server: Server) -> None:
    """Sagrada's has every kind of field, and an example that is one long word."""
    phone.goto(f"{server.root}/new/sagrada")
    for fold in ("Variants, clock, seed", "For the laboratory"):
        phone.locator(".q-expansion-item .q-item", has_text=fold).first.tap()
        phone.wait_for_selector(f'.q-expansion-item--expanded .q-item:has-text("{fold}")')
    example = phone.locator(".m-field .m-quiet", has_text="For example light.5+")
    expect(example).to_be_visible()
    assert example.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def is_shown(page: Page) -> bool:
    """Whether the second part of the sheet is to be seen."""
    return page.locator(".m-log").is_visible()


def test_the_sheet_opens_by_a_tap_a_key_and_a_drag(phone: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(phone, server, table.owner_token)
    handle = phone.get_by_role("button", name="Log and more")
    sheet = phone.locator(".m-sheet")
    expect(handle).to_have_attribute("aria-expanded", "false")
    assert not is_shown(phone)
    expect(phone.get_by_role("button", name="Hint")).to_be_in_viewport()
    handle.tap()
    expect(handle).to_have_attribute("aria-expanded", "true")
    expect(phone.locator(".m-log")).to_be_in_viewport()
    phone.keyboard.press("Escape")
    expect(handle).to_have_attribute("aria-expanded", "false")
    handle.focus()
    phone.keyboard.press("Enter")
    expect(handle).to_have_attribute("aria-expanded", "true")
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 10
    for by, is_open in ((80, "false"), (-90, "true"), (20, "true")):  # the last is too short to mean anything
        phone.mouse.move(x, y)
        phone.mouse.down()
        phone.mouse.move(x, y + by, steps=4)
        phone.mouse.up()
        expect(handle).to_have_attribute("aria-expanded", is_open)
        expect(sheet).not_to_have_class("m-dragged")
        box = handle.bounding_box()
        assert box is not None
        y = box["y"] + 10


def test_lines_above_what_the_sheet_shows_fade_out_instead_of_being_cut(phone: Page, server: Server) -> None:
    table = new_table("santorini", "here", "elsewhere", seed=4)
    while not table.is_over and table.match.ply < 14:
        actions = table.match.state.legal_actions()
        table.match.play(int(actions[len(actions) // 2]))
    server.seat_down(table)
    open_table(phone, server, table.owner_token)
    phone.locator(".m-handle").tap()
    more = phone.locator(".m-more[data-above]")  # it shows the last line
    expect(more).to_have_css("mask-image", re.compile("linear-gradient"))
    more.evaluate("node => { node.scrollTop = 0; }")
    expect(phone.locator(".m-more")).to_have_css("mask-image", "none")


def test_the_sheet_is_at_the_foot_of_a_short_and_of_a_long_page(phone: Page, server: Server) -> None:
    for name in ("santorini", "sagrada:players=4"):
        seats = 2 if name == "santorini" else 4
        table = server.seat_down(new_table(name, "here", *["elsewhere"] * (seats - 1)))
        open_table(phone, server, table.owner_token)
        box = phone.locator(".m-sheet").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] == pytest.approx(740, abs=1)


def test_scores_stand_above_the_board_with_their_parts_in_the_sheet(phone: Page, server: Server) -> None:
    table = server.seat_down(new_table("azul:players=4", "here", *["elsewhere"] * 3))
    open_table(phone, server, table.owner_token)
    seats, board = phone.locator(".m-seats").bounding_box(), phone.locator(".m-board").bounding_box()
    assert seats is not None
    assert board is not None
    assert seats["y"] + seats["height"] <= board["y"]
    assert board["width"] == 360
    phone.locator(".m-handle").tap()
    expect(phone.locator(".m-tally")).to_contain_text("full lines")


def test_a_finger_that_falls_beside_a_target_means_it(phone: Page, server: Server) -> None:
    table = server.seat_down(new_table("azul:players=2", "here", "elsewhere", seed=3))
    open_table(phone, server, table.owner_token)
    lit = phone.locator('.lit[data-t^="F1-"]').first
    key, box = lit.get_attribute("data-t"), lit.bounding_box()
    assert box is not None
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 8)
    expect(phone.locator(f'.chosen[data-t="{key}"]')).to_have_count(1)
