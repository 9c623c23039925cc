"""The page in a real browser."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.core.match import Match
from meeple.web.clicks import offer_of
from web.conftest import Server, click_on, clicks_of, new_table, open_table


def play_by_clicks(page: Page, match: Match, *, most: int = 1000) -> None:
    """Play the first move on offer by clicking, on a page whose table stands where `match` does, until the end."""
    while not match.is_over and most > 0:
        action = int(match.state.legal_actions()[0])
        for target in clicks_of(match.state, match.state.paths(action)[0]):
            click_on(page, target)
        match.play(action)
        expect(page.locator(".m-log li").last).to_have_attribute("data-n", str(len(match.steps)))
        most -= 1


def test_two_clicks_from_home_begin_a_match(page: Page, server: Server) -> None:
    page.goto(server.root)
    page.get_by_role("button", name="Play").first.click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".m-board svg.board .lit", timeout=120_000)
    expect(page.locator(".m-status")).to_have_text("Your turn")
    page.goto(server.root)
    expect(page.get_by_role("link", name="Go on")).to_have_count(1)


def test_santorini_is_played_to_the_end_by_clicking_and_looked_back_at(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    play_by_clicks(page, table.match)
    winner = table.names[table.winners()[0]]
    expect(page.locator(".m-status")).to_have_text(f"{winner} wins")
    page.keyboard.press("Home")
    expect(page.locator(".m-status")).to_contain_text("Looking back: move 0")
    assert page.locator('[data-p^="worker"]').count() == 0
    page.keyboard.press("End")
    expect(page.locator(".m-status")).to_have_text(f"{winner} wins")
    page.get_by_role("button", name="Try from here").click()
    page.wait_for_url(lambda url: not url.endswith(table.owner_token))


def test_a_match_given_up_says_so_when_saved_and_replayed(page: Page, server: Server, tmp_path: Path) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.locator(".m-log li")).to_have_count(1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".m-status")).to_have_text("Ben resigned: Ann wins")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save").click()
    saved = tmp_path / "saved.jsonl"
    waiting.value.save_as(saved)
    page.goto(f"{server.root}/replay")
    page.set_input_files('input[type="file"]', str(saved))
    page.wait_for_selector(".m-board svg")
    expect(page.locator(".m-status")).to_have_text("Ben resigned: Ann wins")


def test_a_branch_of_a_finished_match_keeps_no_secrets(page: Page, server: Server) -> None:
    made = new_table("saboteur-duel", "here", "here")
    made.match.play(int(made.match.state.legal_actions()[0]))
    made.resign(0)
    table = server.seat_down(made)
    open_table(page, server, table.owner_token)
    page.get_by_role("button", name="Try from here").click()
    page.wait_for_url(lambda url: not url.endswith(table.owner_token))
    page.wait_for_selector(".m-board .lit")
    expect(page.locator(".m-curtain")).to_have_count(0)


def test_a_step_back_undo_and_redo(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    click_on(page, "B3")
    expect(page.locator('[data-t="B3"].chosen')).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".chosen")).to_have_count(0)
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.locator(".m-log li")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".m-log li")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".m-log li")).to_have_count(1)


def test_a_move_by_keyboard_alone(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".m-log li")).to_have_count(1)
    expect(page.locator('[role="status"]')).to_contain_text("Ann places the workers on")


def test_looking_back_in_a_running_match_by_keys_and_buttons(page: Page, server: Server) -> None:
    made = new_table("santorini", "here", "here")
    for move in ("B3,D3", "C2,C4"):
        made.match.play(move)
    table = server.seat_down(made)
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".lit")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".m-status")).to_have_text("Looking back: move 1 of 2")
    page.keyboard.press("ArrowLeft")  # nothing is lit: Shift is not needed
    expect(page.locator(".m-status")).to_have_text("Looking back: move 0 of 2")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".m-status")).to_have_text("Looking back: move 1 of 2")
    page.keyboard.press("Escape")
    expect(page.locator(".m-status")).to_have_text("Ann to move")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(".m-status")).to_have_text("Looking back: move 1 of 2")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".m-status")).to_have_text("Ann to move")


def test_a_drag_is_two_clicks(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    centres = []
    for target in ("B3", "D3"):
        box = page.locator(f'[data-t="{target}"]').bounding_box()
        assert box is not None
        centres.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    page.mouse.move(*centres[0])
    page.mouse.down()
    page.mouse.move(*centres[1], steps=4)
    page.mouse.up()
    expect(page.locator(".m-log li")).to_have_count(1)


def test_a_hover_shows_what_a_move_would_bring(page: Page, server: Server) -> None:
    made = new_table("santorini", "here", "here")
    for move in ("B3,D3", "C2,C4"):
        made.match.play(move)
    table = server.seat_down(made)
    open_table(page, server, table.owner_token)
    click_on(page, "B3")
    click_on(page, "B4")
    expect(page.locator('.m-board .chosen[data-t="B4"]')).to_have_count(1)  # drawn anew: what was there is gone
    page.locator('[data-t="A4"]').hover(force=True)
    expect(page.locator(".m-preview")).to_have_text(
        "Move from B3 to B4 and build level 1 on A4: to level 0, builds level 1"
    )
    expect(page.locator(".m-ghost svg")).to_have_count(1)


def test_forged_clicks_change_nothing(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    open_table(page, server, table.seats[1].token)
    forged: list[object] = [
        {"kind": "click", "target": "B3", "version": 0},
        {"kind": "click", "target": 7, "version": 0},
        {"kind": "drag", "target": "B3", "to": "D3", "version": 0},
        {"kind": "key", "target": "u", "version": 0},
        ["click"],
        None,
    ]
    for detail in forged:
        page.evaluate(
            "detail => document.querySelector('.m-board').dispatchEvent(new CustomEvent('meeple', {detail}))", detail
        )
    page.reload()
    page.wait_for_selector(".m-board svg")
    expect(page.locator(".m-log li")).to_have_count(0)
    expect(page.locator(".m-status")).to_have_text("Waiting for Ann")
    log = (server.folder / "web" / "server.log").read_text()
    for words in ("a click out of turn", "an ill-formed target", "an ill-formed click"):
        assert f"refused: {words}" in log


def test_two_browsers_at_one_table(browser: Browser, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    pages = [browser.new_context().new_page() for _ in range(3)]
    for page, token in zip(pages, (table.owner_token, table.seats[1].token, table.spectator_token), strict=True):
        open_table(page, server, token)
    ann, ben, guest = pages
    click_on(ann, "B3")
    click_on(ann, "D3")
    expect(ben.locator(".m-status")).to_have_text("Your turn")
    expect(guest.locator(".m-log li")).to_have_count(1)
    assert guest.locator(".lit").count() == 0
    click_on(ben, "C2")
    click_on(ben, "C4")
    expect(ann.locator(".m-status")).to_have_text("Your turn")
    ann.get_by_role("button", name="Undo").click()
    expect(ben.get_by_text("Ann asks to take back their last move, and the one after it.")).to_be_visible()
    ben.get_by_role("button", name="Agree").click()
    expect(ann.locator(".m-log li")).to_have_count(0)
    for page in pages:
        page.context.close()


def test_a_killed_server_comes_back_to_the_same_table(page: Page, tmp_path: Path) -> None:
    own = Server(tmp_path)
    table = own.seat_down(new_table("santorini", "here", "here"))
    own.start()
    open_table(page, own, table.owner_token)
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.locator(".m-log li")).to_have_count(1)
    own.stop(signal.SIGKILL)
    own.start()
    open_table(page, own, table.owner_token)
    expect(page.locator(".m-log li")).to_have_count(1)
    assert own.stop() == 0


def test_watching_agents(page: Page, tmp_path: Path) -> None:
    own = Server(tmp_path)
    own.start("watch", "santorini", "-p", "first", "first", "-s", "5")
    page.goto(own.url)
    expect(page.locator(".m-log li").nth(3)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".m-status")).to_contain_text("paused")
    rows = page.locator(".m-log li")
    count = rows.count()
    page.get_by_role("button", name="One step on").click()
    expect(rows).to_have_count(count + 1)
    page.keyboard.press("ArrowRight")
    expect(rows).to_have_count(count + 2)
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(".m-here")).to_have_attribute("data-n", str(count + 1))
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".m-here")).to_have_attribute("data-n", str(count + 2))
    expect(rows).to_have_count(count + 2)
    expect(page.locator(".m-status")).to_contain_text("paused")
    assert own.stop() == 0


def test_a_record_is_opened_and_a_bad_one_refused(page: Page, server: Server, tmp_path: Path) -> None:
    match = new_table("santorini", "here", "here").match
    for move in ("B3,D3", "C2,C4", "B3>B4^A4"):
        match.play(move)
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(match.record(["human", "human"]).text())
    bad.write_text(json.dumps({"hello": "world"}) + "\n")
    page.goto(f"{server.root}/replay")
    page.set_input_files('input[type="file"]', str(bad))
    expect(page.locator(".m-bad")).to_contain_text("is not a record of a match")
    page.set_input_files('input[type="file"]', str(good))
    page.wait_for_selector(".m-board svg")
    expect(page.locator(".m-log li")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".m-here")).to_have_attribute("data-n", "2")


@pytest.mark.parametrize(
    ("path", "title", "words"),
    [
        ("/nothing/at/all", "Nothing here", "There is no page at this address"),
        ("/table/guess", "Nothing here", "This link opens no table: it was mistyped, withdrawn, or its match is gone."),
        ("/new/nothing", "Nothing here", "There is no such game here."),
        ("/rules/nothing", "Nothing here", "There is no such game here."),
        ("/new/santorini?spec=azul", "This link does not work", "'azul' is not a game of Santorini."),
        (f"/new/santorini?spec=santorini:{'x' * 900}=1", "This link does not work", "Santorini has no option 'xxx"),
    ],
)
def test_links_to_nothing_say_so_and_lead_home(page: Page, server: Server, path: str, title: str, words: str) -> None:
    page.goto(server.root + path)
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator(".m-why")).to_contain_text(words)
    assert len(page.locator(".m-why").inner_text()) < 420
    page.get_by_role("link", name="All games", exact=True).click()
    page.wait_for_selector(".m-game")


def test_wrong_things_in_the_form_and_in_a_file_are_told_in_words(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/new/santorini")
    page.locator(".q-expansion-item").click()
    page.get_by_placeholder("drawn").fill("abc")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_have_text("A seed is a whole number, not 'abc'.")
    page.goto(f"{server.root}/replay")
    for name, content, words in (
        ("a.bin", b"\xff\xfe", "That file is not text."),
        ("b.jsonl", b"", "'b.jsonl' is empty"),
        ("c.jsonl", b"hello", "Line 1 of 'c.jsonl' is damaged"),
        ("d.jsonl", b"x" * 2_100_000, "That file is too large to be a record: at most 2 MB are read."),
    ):
        page.set_input_files("input[type=file]", {"name": name, "mimeType": "text/plain", "buffer": content})
        expect(page.get_by_role("alert")).to_contain_text(words)


def test_a_form_offers_the_variants_of_so_many_players(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/new/ingenious")
    page.get_by_text("Variants, clock, seed").click()
    expect(page.get_by_label("Clock, each")).to_be_visible()
    expect(page.get_by_label("Teams")).to_be_hidden()
    for players, is_shown in ((4, True), (3, False), (4, True)):
        page.get_by_label("Players").click()
        page.get_by_role("option", name=f"{players} players").click()
        teams = page.get_by_label("Teams")
        (expect(teams).to_be_visible if is_shown else expect(teams).to_be_hidden)()
        if players == 4:
            expect(teams).to_have_value("off")
            teams.click()
            page.get_by_role("option", name="on", exact=True).click()
            expect(teams).to_have_value("on")


def test_no_page_scrolls_sideways_on_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    table = server.seat_down(new_table("santorini", "here", "here"))
    for path in ("/", "/games", "/new/santorini", "/rules/santorini", "/replay", f"/table/{table.owner_token}"):
        page.goto(server.root + path)
        page.wait_for_selector("main button:visible")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.wait_for_selector(".lit")
    page.locator('[data-t="B3"]').tap(force=True)
    expect(page.locator(".chosen")).to_have_count(1)
    context.close()


def test_a_long_match_opens_at_the_top_of_its_page(browser: Browser, server: Server) -> None:
    made = new_table("ingenious:players=4", "here", *["elsewhere"] * 3, seed=4)
    while made.match.ply < 20:
        made.match.play(int(made.match.state.legal_actions()[0]))
    table = server.seat_down(made)
    context = browser.new_context(viewport={"width": 1280, "height": 600})
    page = context.new_page()
    open_table(page, server, table.owner_token)
    page.wait_for_function(
        "() => document.querySelector('.m-log').scrollTop > 0"
    )  # the last move is in sight of the log
    assert page.evaluate("scrollY") == 0
    context.close()


def test_a_table_fits_its_window_and_the_log_takes_what_is_left(browser: Browser, server: Server) -> None:
    made = new_table("santorini", "here", "here")
    while made.match.ply < 24:
        made.match.play(int(made.match.state.legal_actions()[0]))
    table = server.seat_down(made)
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    open_table(page, server, table.owner_token)
    page.wait_for_function("() => document.querySelector('.m-log').scrollTop > 0")
    assert page.evaluate("document.documentElement.scrollHeight") <= 720
    foot = page.evaluate("document.querySelector('.m-log').getBoundingClientRect().bottom")
    assert 660 < foot <= 720, "a card's edge below it, and the margin of the page"
    context.close()


def test_the_offer_of_the_page_is_the_offer_of_the_rules(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".lit")
    shown = page.eval_on_selector_all(".lit", "nodes => nodes.map(node => node.dataset.t)")
    assert frozenset(shown) == offer_of(table.match.state).after(())
