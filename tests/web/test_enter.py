"""Entering a game from a real table: by clicks and from lists, and in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from conftest import ROOT
from core.test_entry import known, shipped
from meeple.core.contract import HIDDEN
from meeple.core.entry import Entry
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.errors import MeepleError, NotationError
from meeple.web.again import may_be_analysed
from meeple.web.entering import Entering, enter, picked, redone, taken_back, undone
from meeple.web.examining import Examining
from meeple.web.pages.replay import replay_table
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Access, Refused, Seat
from meeple.web.table import Table
from web.conftest import Server, click_on


def entering(game: str, view: int | None) -> Entering:
    """An entry that was just begun."""
    entry = Entry(game, view=view, seed=2)
    seats = [Seat("here", name) for name in ("Ann", "Bo", "Cy")[: entry.game.seats]]
    return Entering(Table(entry.game, seats, owner="nobody", match=entry))


def go_on(page: Entering, changed: Entry) -> None:
    """What the page does with a changed entry."""
    page.table.match = changed
    page.forget()


def click_through(page: Entering, code: int) -> int | str:
    """Click a move on the board, and choose it from the list where the clicks leave a choice."""
    path = next(path for path, codes in page.ways().paths.items() if code in codes)
    for n, target in enumerate(path):
        if len(page.chosen) <= n:
            assert f'data-t="{target}"' in page.drawn().board
            made = page.click(target)
            if made is not None:
                return made
    assert f'data-pick="code:{code}"' in page.drawn().tray
    return picked(page.entry, f"code:{code}")


@pytest.mark.parametrize(("name", "most"), [("saboteur-duel-1", 24), ("santorini-1", 8)])
def test_what_happens_is_clicked_or_chosen(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    truth, view = shipped(name), 0
    page = entering(truth.game.spec, view)
    for number, step in enumerate(truth.steps[:most]):
        if len(page.entry.steps) > number:
            continue  # a draw that came by itself
        if step.before.seen(step.code, view) == HIDDEN:
            assert 'data-pick="unseen"' in page.drawn().tray
            go_on(page, enter(page.entry, picked(page.entry, "unseen")))
        elif step.seat is None:
            assert f'data-pick="code:{step.code}"' in page.drawn().tray
            go_on(page, enter(page.entry, picked(page.entry, f"code:{step.code}")))
        else:
            assert click_through(page, step.code) == step.code
            go_on(page, enter(page.entry, step.code))
        if page.entry.asks:
            after = truth.steps[number + 1].before
            texts = [sight.text for sight in page.entry.asks]
            pick = f"sight:{texts.index(after.text(view))}"
            assert f'data-pick="{pick}"' in page.drawn().tray
            go_on(page, enter(page.entry, picked(page.entry, pick)))
    assert known(page.entry) == known(truth, truth.steps[len(page.entry.steps)].before, view)


def test_outcomes_of_several_seats_are_told_with_their_names() -> None:
    page = entering("saboteur:players=3", 0)
    drawn = page.drawn()
    assert drawn.status == "Who begins: what came?"
    chips = [re.sub("<[^>]*>", "", chip) for chip in re.findall(r"<button.*?</button>", str(drawn.tray))]
    assert chips[:3] == ["Ann begins", "Bo begins", "Cy begins"]


def test_the_page_shows_only_what_the_view_sees() -> None:
    page = entering("saboteur-duel", 0)
    for text in ("card 8", "card 8", "card 9", "card 5", "card map", "card map", "card malus"):
        go_on(page, enter(page.entry, text))
    entry = page.entry
    assert entry.to_move == 0
    other = copy_with_other_world(entry)
    assert other.state.to_bytes() != entry.state.to_bytes()
    drawn = page.drawn()
    page.table.match = other
    again = page.drawn()
    assert (drawn.board, drawn.tray, drawn.log, drawn.status) == (again.board, again.tray, again.log, again.status)


def copy_with_other_world(entry: Entry) -> Entry:
    """The same entry with another world behind it."""
    other = Entry(entry.game, view=entry.view, seed=entry.seed + 1)
    for step in entry.steps[:-1] if entry.steps[-1].text == "?" else entry.steps:
        if step.text != "?":
            other.play(step.text)
    return other


def test_what_is_forged_is_refused() -> None:
    page = entering("santorini", 0)
    for pick in ("code:x", "code:", "code:99999999999", "sight:0", "nonsense"):
        with pytest.raises(Refused):
            picked(page.entry, pick)
    with pytest.raises(MeepleError):
        enter(page.entry, picked(page.entry, "code:123456789"))
    with pytest.raises(NotationError):
        enter(page.entry, "A1>Z9")
    assert page.click("no-such-target") is None
    assert page.entry.steps == []


def test_anything_is_taken_back_and_kept() -> None:
    page = entering("santorini", 0)
    for number in range(3):
        go_on(page, enter(page.entry, int(page.entry.state.legal_actions()[number])))
    told = page.entry.record().text()
    go_on(page, undone(page.entry))
    assert len(page.entry.steps) == 2
    go_on(page, redone(page.entry))
    assert page.entry.record().text() == told
    page.look_at(1)
    assert page.drawn().status == "After 1 of 3 events"
    go_on(page, taken_back(page.entry, 1))
    assert len(page.entry.steps) == 1
    kept = table_of(body_of(page.table))
    assert isinstance(kept.match, Entry)
    assert known(kept.match) == known(page.entry)
    assert kept.names == ("Ann", "Bo")


def choose(page: Page, words: str | re.Pattern[str], n_events: int) -> None:
    """Choose from the list, and wait until so many events stand in the log."""
    page.locator(".m-chip", has_text=words).first.click()
    wait_for(page, n_events)


def wait_for(page: Page, n_events: int) -> None:
    expect(page.locator(".m-log li[data-n]").last).to_have_attribute("data-n", str(n_events))


def test_a_duel_at_a_real_table_is_entered_and_kept(page: Page, server: Server, tmp_path: Path) -> None:
    page.goto(f"{server.root}/new/saboteur-duel")
    page.get_by_role("link", name="Enter a game from a real table").click()
    page.get_by_label("name").first.fill("Ann")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".m-chip")
    for number in range(7):  # Ann's cards; Bo's, and where the gold lies, come by themselves
        choose(page, re.compile("left to right|crossing|fork"), 2 + 2 * number)
    expect(page.locator(".m-status")).to_contain_text("Ann is to move")
    field = page.get_by_label("or type it")
    field.fill("path nowhere")
    field.press("Enter")
    expect(page.locator(".m-preview")).not_to_be_empty()
    page.locator('.m-board .lit[data-t^="hand-"]').first.dispatch_event("click")
    page.locator('.m-board .lit[data-t="discard"]').dispatch_event("click")
    wait_for(page, 16)
    choose(page, "crossing", 17)  # the card that Ann draws
    choose(page, "not seen", 18)  # Bo lays a card face down, and draws
    expect(page.locator(".m-status")).to_contain_text("Ann is to move")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, 17)
    page.get_by_role("button", name="Redo").click()
    wait_for(page, 18)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    saved.value.save_as(tmp_path / "entry.jsonl")
    text = (tmp_path / "entry.jsonl").read_text()
    assert '"view": "1"' in text
    assert text.count('"?"') == 10  # the gold, seven cards of Bo's, his move and his draw
    page.goto(f"{server.root}/games")
    page.get_by_role("link", name=re.compile("Go on")).first.click()
    wait_for(page, 18)
    assert isinstance(Match.from_record(parse_record(text)), Entry)


WON = "0000000300002003000020000/1/mortal:C3,E5/mortal:A1,E1"  # stepping from C3 up to C4 wins


def test_advice_is_for_the_seat_that_types_in() -> None:
    page = entering("saboteur-duel", 0)
    assert not page.may_be_advised()  # cards are dealt
    for text in ("card 8", "card 8", "card 9", "card 5", "card map", "card map", "card malus"):
        go_on(page, enter(page.entry, text))
    assert page.may_be_advised()
    action = page.entry.state.read_move("drop map")
    page.advise(action)
    assert page.note.startswith("Advice: ")
    assert page.hint[-1] == "discard"
    assert re.search(r'class="target[^"]* last" data-t="discard"', page.drawn().board)
    assert page.note in page.drawn().note
    go_on(page, enter(page.entry, "drop map"))
    go_on(page, enter(page.entry, "card 8"))
    assert (page.hint, page.note) == ((), "")  # for the position it was asked at
    assert page.entry.to_move == 1
    assert not page.may_be_advised()  # it is the rival's turn, whose hand nobody here sees
    open_to_all = entering("santorini", 0)
    go_on(open_to_all, enter(open_to_all.entry, "B3,D3"))
    assert open_to_all.may_be_advised()  # nothing is hidden: advice for either


def test_the_strongest_agent_advises_in_an_entered_game(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/enter/santorini?start={WON}")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Ask for advice").click()
    expect(page.locator(".m-preview")).to_have_text("Advice: move from C3 up to C4 and win")
    expect(page.locator('.m-board .last[data-t="C4"]')).to_have_count(1)
    click_on(page, "C3")
    click_on(page, "C4")
    expect(page.locator(".m-status")).to_have_text("The game is over")
    expect(page.get_by_role("button", name="Ask for advice")).to_be_hidden()


def test_an_analysis_shows_an_entry_as_its_view_saw_it() -> None:
    page = entering("saboteur-duel", 0)
    go_on(page, enter(page.entry, "card 8"))
    assert may_be_analysed(page.table)
    examining = Examining(Access(page.table, frozenset({0, 1}), is_owner=True))
    for examining.sees_all in (False, True):
        assert examining.viewer == 0


def test_a_record_of_an_entry_is_opened_to_go_on() -> None:
    page = entering("saboteur-duel", 0)
    go_on(page, enter(page.entry, "card 8"))
    table = replay_table(page.table.record(), "somebody")
    assert not table.is_replay
    assert (table.names, table.owner) == (("Ann", "Bo"), "somebody")
    assert isinstance(table.match, Entry)
    assert known(table.match) == known(page.entry)
