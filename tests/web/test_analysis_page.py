"""The page of an analysis, in a real browser: a blunder is found and marked; other ways; what may not be analysed."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.core.match import Match
from meeple.core.record import load_record, parse_record
from meeple.core.registry import load_game
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import Server, click_on, new_table, open_table

# X stands on C3, at level 2, beside level 3 on C4: it wins by stepping up. If it does not, O does so from A1 to A2.
CONTESTED = "his position stands in a match that still runs"
NEARLY_WON = "0000000300002003000020000/1/mortal:C3,E5/mortal:A1,E1"


def nearly_won() -> Table:
    """A match in which the seat to move wins at once, if it looks."""
    board = load_game("santorini")
    seats = [Seat("here", name, is_named=True) for name in ("Ann", "Ben")]
    return Table(board, seats, owner="nobody", match=Match(board, start=NEARLY_WON))


def test_a_blunder_is_made_found_marked_and_shown(page: Page, server: Server) -> None:
    table = server.seat_down(nearly_won())
    open_table(page, server, table.owner_token)
    for target in ("E5", "D5", "E5"):  # Ann walks about with the wrong worker
        click_on(page, target)
    expect(page.locator(".m-log li")).to_have_count(1)
    assert page.get_by_role("button", name="Analyse").count() == 0  # while it runs
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analyse/**")
    mistake = page.locator(".m-mistakes button").first
    expect(mistake).to_contain_text("?? blunder at move 1")
    mistake.click()
    expect(page.locator(".m-status")).to_have_text("Before move 1 of 1")
    expect(page.locator(".m-verdict")).to_contain_text("blunder ??: lost")
    expect(page.locator(".m-verdict")).to_contain_text("move from C3 up to C4 and win")
    expect(page.locator(".m-candidates tr").nth(1)).to_contain_text("won in 1 ply")
    expect(page.locator(".m-board .m-hint.m-best .m-count")).to_have_text("★")
    expect(page.locator(".m-board .m-hint.m-made .m-count")).to_have_text("??")
    expect(page.locator(".m-graph svg")).to_have_count(1)
    expect(page.locator(".m-sum")).to_have_count(2)
    # It is tried again, badly, then well, and the way leads back.
    expect(page.locator(".m-verdict")).to_contain_text("It wins at once.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".m-status")).to_have_text("Here a better move was to be found. Which one?")
    expect(page.locator(".m-board .m-hint")).to_have_count(0)  # nothing tells it
    for target in ("E5", "D5", "E5"):
        click_on(page, target)
    expect(page.locator(".m-status")).to_contain_text("A blunder: it loses")
    expect(page.locator(".m-answer")).to_contain_text("Best: move from C3 up to C4 and win")
    expect(page.locator(".m-board .m-hint.m-best .m-count")).to_have_text("★")
    page.get_by_role("button", name="Try again").click()
    for target in ("C3", "C4"):
        click_on(page, target)
    expect(page.locator(".m-status")).to_have_text("The best move.")
    page.get_by_role("button", name="Back to the analysis").click()
    page.wait_for_url("**/analyse/**")
    expect(page.locator(".m-status")).to_have_text("Before move 1 of 1")


def test_another_way_is_played_on_the_board_and_looked_at_deeper(page: Page, server: Server) -> None:
    made = nearly_won()
    made.match.play("E5>D5^E5")
    made.resign(1)
    table = server.seat_down(made)
    page.goto(f"{server.root}/analyse/{table.owner_token}?effort=quick")
    page.wait_for_selector(".m-board .lit")
    for target in ("C3", "D3", "C3"):
        click_on(page, target)
    expect(page.locator(".m-status")).to_have_text("Another way, 1 move after move 0")
    expect(page.locator(".m-candidates caption")).to_have_text(re.compile(r"By \d+ searches"))
    expect(page.locator(".m-log li")).to_have_count(1)
    page.get_by_role("button", name="Back to the match").click()
    expect(page.locator(".m-status")).to_have_text("Before move 1 of 1")
    page.get_by_role("button", name="Look deeper").click()
    expect(page.locator(".m-candidates tr").nth(1)).to_contain_text("move from C3 up to C4 and win")
    click_on(page, "E5")  # the move that was made is no other way
    click_on(page, "D5")
    click_on(page, "E5")
    expect(page.locator(".m-status")).to_have_text("The end of the match")
    assert [step.text for step in table.match.steps] == ["E5>D5^E5"]  # the match itself stays as it was


def test_positions_links_and_records_are_taken_and_what_is_none_is_one_message(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    page.goto(f"{server.root}/analyse")
    field, send = page.get_by_label("Paste it here"), page.get_by_role("button", name="Analyse")
    page.get_by_label("A position of").click()
    page.get_by_role("option", name="Santorini").click()
    record = nearly_won().record().text()
    for text, words in (
        ("", "Paste a link, a record, or a position."),
        ("hello", "'hello' is no position of santorini"),
        ("https://example.org/nothing", "leads to no table and no position"),
        ("{", "Line 1 of 'the text' is damaged"),
        (
            record.replace('"meeple": 1', '"meeple": 99'),
            "this Meeple reads up to 2: update it",
        ),
        (record.replace("santorini", "./evil/folder"), "There is no game './evil/folder' here"),
        (f"/new/santorini?start={NEARLY_WON[:-2]}", "is no seat of santorini"),
    ):
        field.fill(text)
        send.click()
        expect(page.get_by_role("alert").last).to_contain_text(words)
    field.fill(NEARLY_WON)
    send.click()
    page.wait_for_url("**/analyse/*")
    expect(page.locator(".m-status")).to_have_text("Where it stands")
    expect(page.locator(".m-candidates tr").nth(1)).to_contain_text("move from C3 up to C4 and win")
    page.goto(f"{server.root}/analyse")
    field.fill(f"{server.root}/table/{table.owner_token}")
    send.click()
    expect(page.locator("h1")).to_have_text("Not yet")


@pytest.mark.parametrize("game", ["saboteur-duel", "santorini"])
def test_a_running_match_is_analysed_by_none_of_its_links(browser: Browser, server: Server, game: str) -> None:
    """All that the server sends to who asks is read: no seat's hand, no chance of anybody, no record."""
    made = new_table(game, "here", "elsewhere")
    made.match.play(int(made.match.state.legal_actions()[0]))
    table = server.seat_down(made)
    secret = [table.match.state.text(), str(table.match.seed), *(step.before.text() for step in table.match.steps)]
    for token in (table.owner_token, table.seats[1].token, table.spectator_token):
        page = browser.new_context().new_page()
        addresses = [f"analyse/{token}", f"analyse/{token}?move=1&effort=deep", f"try/{token}/0"]
        told = _told(page, [f"{server.root}/{address}" for address in addresses], "when it is over.")
        assert page.locator("h1").inner_text() == "Not yet"
        _assert_nothing_judged(told, secret)
        page.context.close()


@pytest.mark.parametrize("game", ["saboteur-duel", "santorini"])
def test_nor_is_a_position_of_it(browser: Browser, server: Server, game: str, tmp_path: Path) -> None:
    """Nobody looks at the table now. Its position comes as its players' links give it, at every door there is."""
    made = new_table(game, "here", "elsewhere", seed=9)
    for _ in range(2):
        made.match.play(int(made.match.state.legal_actions()[-1]))
        state = made.match.state
        server.seat_down(made)
    secret = [state.text(), str(made.match.seed)]
    page = browser.new_context().new_page()
    for seat in (0, 1):
        given = f"?spec={quote(game)}&start={quote(state.text(seat))}"
        told = _told(page, [f"{server.root}/analyse{given}"], CONTESTED)
        for door, name in (("new", "Start"), ("enter", "Begin")):
            told += _told(page, [f"{server.root}/{door}/{game}{given}"], CONTESTED, press=name)
        _assert_nothing_judged(told, secret)
    record = tmp_path / "so-far.jsonl"
    record.write_text(Match(load_game(game), start=state.text(0)).record().text(), encoding="utf-8")
    for path in ("/replay", "/analyse"):
        page.goto(server.root + path)
        page.set_input_files("input[type=file]", str(record))
        expect(page.get_by_role("alert").first).to_contain_text(CONTESTED)
    page.goto(f"{server.root}/setup/{game}{given}")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("main")).to_contain_text(CONTESTED)
    page.context.close()


def test_against_people_elsewhere_no_agent_is_asked(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere", seed=12))
    open_table(page, server, table.owner_token)
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    assert page.get_by_role("button", name="Hint").count() == 0
    page.keyboard.press("h")
    page.keyboard.press("?")
    expect(page.locator(".m-keys")).to_be_visible()  # what was pressed before has come to the server
    assert page.locator(".m-hint").count() == 0
    expect(page.locator(".m-preview")).to_be_empty()


def _told(page: Page, urls: list[str], refusal: str, *, press: str = "") -> str:
    """All that the server sends to a browser that is refused at these addresses, or by the button there."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    for url in urls:
        answer = page.goto(url)
        assert answer is not None
        frames.append(answer.text())
        if press:
            page.get_by_role("button", name=press, exact=True).click()
        expect(page.locator("main")).to_contain_text(refusal)
    page.wait_for_load_state("networkidle")
    assert len(frames) > len(urls)  # more than the pages themselves
    return "".join(frames)


def _assert_nothing_judged(told: str, secret: list[str]) -> None:
    """No board, no move, no chance, and nothing that only one seat knows."""
    assert not re.search(r"svg class=\\?.board|m-candidates|m-graph|m-verdict|data-ways|data-hint", told)
    assert not any(text in told for text in secret if len(text) > 8)


def test_a_record_that_ends_early_and_names_a_file_agent_is_analysed_without_it(page: Page, server: Server) -> None:
    table = new_table("santorini", "here", "here", seed=2)
    for move in ("B3,D3", "C2,C4", "B3>B4^A4"):
        table.match.play(move)
    record = parse_record(table.match.record(["./gone.py:Ada", "human"]).text())
    page.goto(f"{server.root}/analyse")
    file = {"name": "early.jsonl", "mimeType": "text/plain", "buffer": record.text().encode()}
    page.set_input_files("input[type=file]", file)
    page.wait_for_url("**/analyse/*")
    expect(page.locator(".m-sum")).to_have_count(2)
    expect(page.locator(".m-sum").first).to_contain_text("accuracy")
    page.keyboard.press("End")
    expect(page.locator(".m-status")).to_have_text("Where it stands")


def test_comments_are_kept_in_the_record(page: Page, server: Server, tmp_path: Path) -> None:
    made = nearly_won()
    made.match.play("E5>D5^E5")
    made.resign(1)
    table = server.seat_down(made)
    page.goto(f"{server.root}/analyse/{table.owner_token}?effort=quick")
    page.get_by_role("button", name="Comment").click()
    page.get_by_label("It is kept in the record").fill("Why not <b>C4</b>?")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".m-comment")).to_have_text("Why not <b>C4</b>?")
    page.reload()
    expect(page.locator(".m-comment")).to_have_text("Why not <b>C4</b>?")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save").click()
    saved = tmp_path / "saved.jsonl"
    waiting.value.save_as(saved)
    assert load_record(saved).comments == {0: "Why not <b>C4</b>?"}
    page.goto(f"{server.root}/analyse")
    page.set_input_files("input[type=file]", str(saved))
    expect(page.locator(".m-comment")).to_have_text("Why not <b>C4</b>?")
    page.get_by_role("button", name="Link").click()
    expect(page.get_by_role("dialog").get_by_role("link")).to_have_attribute("href", re.compile(r"^/analyse/.*move=1$"))
    page.goto(f"{server.root}/analyse/{table.spectator_token}?effort=quick&move=nonsense")
    expect(page.locator(".m-comment")).to_have_text("Why not <b>C4</b>?")
    expect(page.get_by_role("button", name="Comment")).to_be_hidden()
