"""Words and hints in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from meeple.core.registry import load_game
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import PATIENCE, Server, click_on, new_table, open_table


def test_a_hint_is_drawn_as_numbered_clicks_and_one_click_plays_it(page: Page, server: Server) -> None:
    made = new_table("santorini", "here", "here")
    for move in ("B3,D3", "C2,C4"):
        made.match.play(move)
    table = server.seat_down(made)
    open_table(page, server, table.owner_token)
    expect(page.locator(".m-trail .m-way")).to_have_count(0)  # who places two workers goes nowhere
    expect(page.locator(".m-trail .m-count")).to_have_text("O")
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator(".m-trail")).to_have_count(0)
    expect(page.locator(".m-preview")).to_contain_text("Hint: move from")
    expect(page.locator(".m-hint .m-count")).to_have_text(["1", "2", "3"])
    expect(page.locator(".m-hint .m-way")).to_have_count(2)
    worker = page.locator(".m-stage").get_attribute("data-hint").split('"')[1]  # type: ignore[union-attr]
    click_on(page, worker)
    expect(page.locator(".m-hint .m-count")).to_have_text(["✓", "2", "3"])
    other = "D3" if worker == "B3" else "B3"
    page.locator(f'[data-t="{other}"].m-switch').dispatch_event("click")
    expect(page.locator(f'[data-t="{other}"].chosen')).to_have_count(1)
    expect(page.locator(".m-hint")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="Play hint").click()
    expect(page.locator(".m-log li")).to_have_count(3)
    expect(page.locator(".m-log li").last).to_contain_text("Ann moves from")
    expect(page.locator(".m-trail .m-way")).to_have_count(2)  # where it went, then where it built
    expect(page.locator(".m-trail .m-count")).to_have_text("X")
    expect(page.get_by_role("button", name="Play hint")).to_be_hidden()


def test_a_guest_is_asked_for_a_name_once_and_everybody_reads_it(browser: Browser, server: Server) -> None:
    def invited() -> Table:
        seats = [Seat("here", "Ann", is_named=True), Seat("elsewhere", "Player 2")]
        return server.seat_down(Table(load_game("santorini"), seats, owner="nobody"))

    first, second = invited(), invited()
    owner, guest = (browser.new_context().new_page() for _ in range(2))
    owner.set_default_timeout(PATIENCE)
    open_table(owner, server, first.owner_token)
    expect(owner.locator(".m-seats")).to_contain_text("Player 2")
    open_table(guest, server, first.seats[1].token)
    guest.get_by_label("Your name").fill("Ada")
    guest.get_by_role("button", name="Sit down").click()
    expect(owner.locator(".m-seats")).to_contain_text("Ada")
    expect(guest.locator(".m-seats")).to_contain_text("You")
    open_table(guest, server, second.seats[1].token)
    open_table(owner, server, second.owner_token)
    expect(owner.locator(".m-seats")).to_contain_text("Ada")
    expect(guest.locator(".q-dialog")).to_have_count(0)
    for page in (owner, guest):
        page.context.close()


def test_what_chance_did_unfolds_and_stays_open(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("azul", "here", "here"))
    open_table(page, server, table.owner_token)
    row = page.locator(".m-log li li").first
    expect(row).to_be_hidden()
    page.locator(".m-log summary").click()
    expect(row).to_be_visible()
    expect(row).to_contain_text("tile comes to display 1")
    for target in table.match.state.paths(int(table.match.state.legal_actions()[0]))[0]:
        click_on(page, target)
    expect(page.locator(".m-log li").last).to_contain_text("Ann takes")
    expect(row).to_be_visible()
