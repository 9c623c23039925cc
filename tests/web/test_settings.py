"""What a browser may choose, what comes of it, and whose turn the tab says it is."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from meeple.web.pages.frame import Prefs
from meeple.web.preferences import PACES, PREFERENCES
from meeple.web.store import TableStore
from meeple.web.viewing import Viewing
from web.conftest import Server, click_on, new_table, open_table


def test_a_preference_is_what_was_chosen_if_it_is_one_of_the_values() -> None:
    assert Prefs(saved={"light": "dark", "confirm": True}).choice("light") == "dark"
    assert Prefs(saved={"confirm": True}).choice("confirm") is True
    for name, each in PREFERENCES.items():
        assert Prefs().choice(name) == each.default
        for wrong in ("no such", 1, 0, None, [], {}):
            assert Prefs(saved={name: wrong}).choice(name) is each.default
    assert set(PACES) == set(PREFERENCES["pace"].values)


def test_whose_turn_it_is_for_each_browser() -> None:
    table = new_table("santorini", "here", "elsewhere")
    tokens = (table.owner_token, table.seats[1].token, table.spectator_token)
    views = [Viewing(access) for access in map(table.access, tokens) if access is not None]
    assert [view.turn for view in views] == ["mine", "theirs", None]
    table.resign(0)
    assert [view.turn for view in views] == ["over", "over", None]


def test_settings_are_kept_and_a_move_waits_for_a_second_word(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    open_table(page, server, table.owner_token)
    expect(page).to_have_title("● Your turn · Table · Meeple")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name="Ask before a move").click()
    page.get_by_role("switch", name="Sounds").click()
    page.get_by_label("Colours").click()
    page.get_by_role("option", name="dark").click()
    page.get_by_label("Agents answer").click()
    page.get_by_role("option", name="at a person's pace").click()
    page.get_by_role("button", name="Done").click()
    page.wait_for_selector("body.body--dark .m-board .lit")
    assert page.evaluate("meeple.prefs().saved.sound") is True
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    expect(page.locator(".m-log li")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Play it")).to_have_count(0)
    click_on(page, "D3")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".m-log li")).to_have_count(1)
    expect(page).to_have_title("Table · Meeple")
    store = TableStore(server.folder / "web" / "tables.sqlite")
    assert (store.by_token(table.owner_token) or {})["pace"] == PACES["person"]
    store.close()
