"""The page of an analysis, in a real browser: a blunder is found and marked; other ways; what may not be analysed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.match import Match
from meeple.core.record import load_record, parse_record
from meeple.core.registry import load_game
from meeple.web.examining import MOST_GHOSTS, Advice, Examining
from meeple.web.pages.analysis import SEARCHES
from meeple.web.seats import Access, Seat
from meeple.web.table import Table
from web.conftest import Server, click_on, clicks_of, new_table, open_table

# X stands on C3, at level 2, beside level 3 on C4: it wins by stepping up. If it does not, O does so from A1 to A2.
CONTESTED = "his position stands in a match that still runs"
QUIET = "0000001000000000000000000/1/mortal:B3,D3/mortal:C2,C4"  # nobody is near a win
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


# Ann steps from D4 to D3 and wins at move 15, if she looks; she walks to E5, and Ben wins.
THROWN_AWAY = (
    *("A4,D3", "B5,C5", "D3>E3^D3", "B5>B4^C4", "E3>D3^E4", "C5>D5^E5", "A4>A3^A4", "D5>E5^D4"),
    *("A3>B2^C1", "B4>C4^D4", "D3>D4^E4", "C4>C3^D3", "B2>C1^D1", "E5>E4^D3", "D4>E5^D4", "E4>D4#"),
)


def play_by_clicks(page: Page, state: State, move: str) -> State:
    """Click a move as a person does; what it leads to."""
    action = state.read_move(move)
    for target in clicks_of(state, state.paths(action)[0]):
        click_on(page, target)
    return state.after(action)


@pytest.mark.long
def test_a_whole_game_is_thrown_away_and_its_blunder_found_tried_again_and_solved(page: Page, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "here"))
    open_table(page, server, table.owner_token)
    state = load_game("santorini").new(seed=1).settled()
    for number, move in enumerate(THROWN_AWAY, 1):
        state = play_by_clicks(page, state, move)
        expect(page.locator(".m-log li")).to_have_count(number)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analyse/**")
    page.get_by_label("Effort").click()
    page.get_by_role("option", name="quick").click()
    blunder = page.locator(".m-mistakes button", has_text="blunder at move 15")
    blunder.click()
    expect(page.locator(".m-status")).to_have_text("Before move 15 of 16")
    expect(page.locator(".m-verdict")).to_contain_text("blunder ??: lost")
    expect(page.locator(".m-board .m-hint.m-made .m-count")).to_have_text("??")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".m-status")).to_have_text("Here a better move was to be found. Which one?")
    asked = load_game("santorini").new(seed=1).settled()
    for move in THROWN_AWAY[:14]:
        asked = asked.after(asked.read_move(move))
    play_by_clicks(page, asked, "D4>D3#")
    expect(page.locator(".m-status")).to_have_text("The best move.")
    page.get_by_role("button", name="Back to the analysis").click()
    page.wait_for_url("**/analyse/**")
    expect(page.locator(".m-status")).to_have_text("Before move 15 of 16")


def test_the_best_line_goes_on_as_ghosts_up_to_where_it_cannot_be_read() -> None:
    made = new_table("santorini", "here", "here")
    made.match.play("B3,D3")
    made.match.play("C2,C4")
    examining = Examining(Access(made, frozenset({0, 1}), is_owner=True))
    state = made.match.state
    line = ("B3>B4^A4", "C2>C3^C2", "B4>A4^B4", "C3>B3^C3", "A4>B4^A4", "B3>A3^B3", "B4>A4^B4")
    made_too = state.read_move("D3>D4^D3")
    examining.advice = Advice(state.read_move(line[0]), line, made_too, "?")
    ways = examining.ways()
    assert [(way["kind"], way["mark"]) for way in ways[-2:]] == [("made", "?"), ("best", "★")]
    ghosts = [way for way in ways if way["kind"] == "ghost"]
    assert [way["mark"] for way in ghosts] == [str(number) for number in range(len(ghosts) + 1, 1, -1)]
    assert len(ghosts) == MOST_GHOSTS
    assert ghosts[-1]["path"][:2] == ["C2", "C3"]  # the rival's answer, at its own places
    examining.advice = Advice(state.read_move(line[0]), (line[0], line[1], "nonsense", line[3]))
    assert [way["mark"] for way in examining.ways()] == ["2", "★"]
    assert '"kind": "ghost"' in json.dumps(examining.ways())
    examining.click("B3")
    assert examining.ways() == []  # who clicks sees what may be clicked, and nothing over it


def test_what_was_known_is_shown_and_what_was() -> None:
    game = load_game("saboteur-duel")
    begun = Match(game, seed=3)
    for _ in range(3):
        begun.play(int(begun.state.legal_actions()[0]))
    state, known, whole = begun.state, [], []
    for world in (state, state.redealt(state.to_move, Stream(5))):
        seats = [Seat("here", name, is_named=True) for name in ("Ann", "Ben")]
        table = Table(game, seats, owner="nobody", match=Match(game, start=world))
        examining = Examining(Access(table, frozenset({0, 1}), is_owner=True))
        assert examining.viewer == state.to_move
        known.append(examining.board())
        examining.sees_all = True
        assert examining.viewer is None
        whole.append(examining.board())
    assert known[0] == known[1]  # what nobody could know is not drawn
    assert whole[0] != whole[1]
    assert known[0] != whole[0]


@pytest.mark.long
def test_a_hidden_game_is_turned_from_what_was_known_to_what_was(page: Page, server: Server) -> None:
    made = new_table("saboteur-duel", "here", "here", seed=3)
    made.match.play(int(made.match.state.legal_actions()[0]))
    made.resign(1)
    table = server.seat_down(made)
    page.goto(f"{server.root}/analyse/{table.owner_token}?effort=quick&move=1")
    page.wait_for_selector(".m-board > *")
    stage = page.locator(".m-board .m-stage")
    known = stage.inner_html()
    page.get_by_role("button", name="Show what was").click()
    expect(page.get_by_role("button", name="Show what was known")).to_be_visible()
    whole = stage.inner_html()
    assert whole != known
    page.get_by_role("button", name="Show what was known").click()
    expect(page.get_by_role("button", name="Show what was", exact=True)).to_be_visible()
    assert stage.inner_html() != whole


def test_a_deeper_look_is_stopped_and_gone_on_with(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/analyse?spec=santorini&start={quote(QUIET)}")
    caption = page.locator(".m-candidates caption")
    expect(caption).to_have_text("By 4 searches")  # by itself: the analysis does not know the position
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    stopped = searches(caption)
    assert 4 <= stopped < 4 + SEARCHES
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()  # it ends by itself
    assert searches(caption) > stopped + 1  # one more may have been under way


def searches(caption: Locator) -> int:
    """How many searches the candidates shown are from."""
    found = re.search(r"By (\d+) searches", caption.inner_text())
    assert found is not None
    return int(found[1])


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
