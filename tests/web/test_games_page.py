"""The page of one's games in a real browser: the code that takes them to another one."""

from __future__ import annotations

import base64
import json
import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import PATIENCE, Server


def owner_of(context: BrowserContext) -> str:
    """Who the server takes a browser for."""
    (cookie,) = [each for each in context.cookies() if "session" in each["name"]]  # type: ignore[typeddict-item]
    data = cookie["value"].split(".")[0]  # type: ignore[typeddict-item]
    return str(json.loads(base64.b64decode(data + "=" * (-len(data) % 4)))["id"])


def test_a_code_takes_the_games_to_another_browser_and_a_wrong_one_is_told(
    page: Page, browser: Browser, server: Server
) -> None:
    page.goto(f"{server.root}/games")
    expect(page.locator("main.m-page")).to_contain_text("Nothing was played in this browser yet")
    board = load_game("santorini")
    seats = [Seat("here", "Ann"), Seat("agent", "Rival", "random")]
    table = Table(board, seats, owner=owner_of(page.context), match=Match(board, seed=1))
    table.resign(0)
    server.seat_down(table)
    page.reload()
    expect(page.locator("main.m-page")).to_contain_text("Rival")
    page.get_by_role("button", name="Show the code").click()
    code = page.locator(".m-code").inner_text()

    other = browser.new_context().new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(f"{server.root}/games")
    field, take = other.get_by_label("Code from another browser"), other.get_by_role("button", name="Take over")
    field.fill(code[:-1])
    take.click()
    expect(other.locator(".m-bad")).to_have_text("This code is not whole: it has 31 letters and digits of 32.")
    field.fill(code.lower())
    take.click()
    other.get_by_role("link", name="Replay Santorini").click()
    other.wait_for_url(f"**/table/{table.owner_token}")
    expect(other.locator(".m-status")).to_have_text("You resigned: Rival wins")

    other.goto(f"{server.root}/games")
    other.get_by_role("button", name="Forget me here").click()
    other.get_by_role("button", name="Forget", exact=True).click()
    expect(other.locator("main.m-page")).to_contain_text("Nothing was played in this browser yet")
    page.reload()
    expect(page.locator("main.m-page")).to_contain_text("Rival")
    other.context.close()


def test_from_the_form_to_a_rated_end_a_rematch_and_the_form_again(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/new/santorini")
    page.get_by_label("name").fill("Ann")
    page.get_by_role("combobox", name="Who plays seat 2").click()
    page.get_by_role("option").filter(has_text="Level 1").first.click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".m-board .lit")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".m-news")).to_contain_text("Your rating in Santorini:")
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/table/" in url and url != first)
    expect(page.locator(".m-seat").nth(1)).to_contain_text("You")
    page.goto(first)
    page.get_by_role("button", name="To the rematch").click()
    page.wait_for_url(lambda url: "/table/" in url and url != first)
    page.goto(f"{server.root}/new/santorini")
    expect(page.get_by_role("combobox", name="Who plays seat 2")).to_have_value(re.compile("Level 1"))
    page.goto(f"{server.root}/games")
    expect(page.locator(".m-plot").first).to_be_visible()
