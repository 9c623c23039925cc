"""Clocks, people who come and go, requests and table talk."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.agents.base import Agent, Turn
from meeple.web import table as tables
from meeple.web.asking import question_for
from meeple.web.clock import Clock
from meeple.web.pages.company import talk_lines
from meeple.web.pages.new import CLOCKS, clock_of
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Refused
from meeple.web.table import Table
from meeple.web.takeback import agree, undo, withdraw
from meeple.web.talk import EVERY, PHRASES, SHOWN, SilentError, Talk
from meeple.web.viewing import Viewing
from meeple.web.voice import Voice
from web.conftest import PATIENCE, Server, click_on, new_table, open_table


class Watch:
    """A clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(tables.time, "monotonic", lambda: self.now)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def play_first(table: Table) -> None:
    table.play(table.mover, int(table.match.state.legal_actions()[0]))


class Slow(Agent):
    """Takes its time, as the test's clock has it, and keeps what it was told."""

    spec = "slow"

    def __init__(self, watch: Watch, seconds: float) -> None:
        self.watch, self.takes, self.told = watch, seconds, math.nan

    def choose(self, turn: Turn) -> int:
        self.told = turn.seconds or 0.0
        self.watch.now += self.takes
        return int(turn.state.legal_actions()[0])


# --- clocks


def test_an_increment_is_added_after_each_move(watch: Watch) -> None:
    table = new_table("santorini", "here", "here", clock=Clock(60, 5))
    watch.now += 12
    play_first(table)
    assert table.times.left == [53, 60]
    watch.now += 1
    play_first(table)
    assert table.times.left == [53, 64]


def test_the_choices_of_a_form_are_clocks() -> None:
    assert clock_of("none", for_agents=True) is None
    assert clock_of("1", for_agents=True) is None
    assert clock_of("300+5", for_agents=True) == Clock(300, 5, for_agents=True)
    assert all(clock_of(word, for_agents=False) for word in CLOCKS if word != "none")


def test_an_agents_time_counts_while_it_is_asked_and_it_is_told_its_share(watch: Watch) -> None:
    table = new_table("santorini", "random", "here", clock=Clock(80, 2, for_agents=True))
    agent = Slow(watch, 3)
    table.sit_down(0, agent)
    watch.now += 20  # nobody has asked it yet
    action = question_for(table, agent)()
    # 40 moves share 80 s and the 39 increments of 2 s that follow the first.
    assert agent.told == pytest.approx((80 + 39 * 2) / 40)
    assert table.time_left(0) == 77
    table.play(0, action)
    assert table.times.left == [79, 80]
    assert table_of(body_of(table)).clock == table.clock


def test_an_agent_that_oversteps_its_clock_loses_and_one_that_is_not_asked_does_not(watch: Watch) -> None:
    table = new_table("santorini", "random", "here", clock=Clock(10, for_agents=True))
    agent = Slow(watch, 20)
    table.sit_down(0, agent)
    question_for(table, agent)()
    table.rest()  # everybody left, or its code was compiled first
    assert not table.flag()
    question_for(table, agent)()
    assert table.flag()
    assert table.forfeit is not None
    assert (table.forfeit.seat, table.winners()) == (0, [1])


def test_agents_have_no_clock_unless_that_is_chosen(watch: Watch) -> None:
    table = new_table("santorini", "random", "here", clock=Clock(10))
    agent = Slow(watch, 20)
    table.sit_down(0, agent)
    table.play(0, question_for(table, agent)())
    assert (agent.told, table.times.left, table.flag()) == (0.0, [10, 10], False)


def test_a_hint_is_not_on_the_clock(watch: Watch) -> None:
    table = new_table("santorini", "here", "here", clock=Clock(80, for_agents=True))
    agent = Slow(watch, 0)
    question_for(table, agent)()
    assert agent.told == 0.0


def test_the_clock_starts_when_all_sit(watch: Watch) -> None:
    table = new_table("santorini", "here", "elsewhere", clock=Clock(60))
    table.enter({0})
    watch.now += 100
    assert (table.awaited, table.time_left(0), table.flag()) == ([1], 60, False)
    table.enter({1})
    watch.now += 10
    assert (table.awaited, table.time_left(0)) == ([], 50)
    table.leave({1})  # who has sat down may go and come back
    watch.now += 10
    assert table.time_left(0) == 40
    assert table_of(body_of(table)).awaited == []


# --- who is there


def away(table: Table) -> list[str]:
    """The seats that are told to be away, by the sign of each."""
    access = table.access(table.owner_token)
    assert access is not None
    return re.findall(
        r'>(\w)</span><span class="m-name"[^>]*>\w+<span class="m-away">', str(Viewing(access).drawing().seats)
    )


def test_who_does_not_look_on_is_away() -> None:
    table = new_table("santorini", "here", "elsewhere")
    told: list[int] = []
    table.listeners.append(lambda: told.append(table.version))
    table.enter({0})
    table.enter({0})  # a second window
    assert len(told) == 1
    assert away(table) == ["O"]
    table.enter({1})
    assert away(table) == []
    table.leave({0})
    assert away(table) == []
    table.leave({0})
    assert away(table) == ["X"]
    assert away(new_table("santorini", "here", "random")) == []


# --- words


def test_a_request_is_declined_in_words_or_withdrawn() -> None:
    table = new_table("santorini", "here", "elsewhere")
    play_first(table)
    undo(table, 0)
    with pytest.raises(Refused, match="nobody has asked"):
        withdraw(table, 1)
    agree(table, 1, agrees=False)
    assert "I would rather not take that back." in str(talk_lines(table, Voice(table.names)))
    undo(table, 0)
    withdraw(table, 0)
    assert (table.request, table.match.ply) == (None, 1)


def test_talk_is_a_set_of_phrases_one_after_the_other() -> None:
    now = [0.0]
    talk = Talk(lambda: now[0])
    talk.say(0, 0)
    with pytest.raises(SilentError, match="one thing after the other"):
        talk.say(0, 1)
    talk.say(1, 1)
    for wrong in (-1, len(PHRASES)):
        with pytest.raises(SilentError, match="no such phrase"):
            talk.say(0, wrong)
    for number in range(10):
        now[0] += EVERY
        talk.say(0, number % len(PHRASES))
    assert len(talk.lines) == SHOWN
    assert talk.lines[-1].words == PHRASES[9 % len(PHRASES)]


def test_a_button_that_stays_is_the_same_one(page: Page, server: Server) -> None:
    # A button that is made anew loses the click that is on its way to it.
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    open_table(page, server, table.owner_token)
    names = ["Undo", "Resign", "Save"]
    before = [page.get_by_role("button", name=name).element_handle() for name in names]
    click_on(page, "B3")
    click_on(page, "D3")
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)  # it is the other's turn
    assert [button is not None and button.evaluate("button => button.isConnected") for button in before] == [True] * 3


def test_a_guest_is_invited_comes_and_speaks(page: Page, browser: Browser, server: Server) -> None:
    table = server.seat_down(new_table("santorini", "here", "elsewhere", clock=Clock(300, 5)))
    open_table(page, server, table.owner_token)
    expect(page.locator(".m-invite")).to_contain_text("Waiting for Ben. The clock starts when everybody sits.")
    expect(page.get_by_role("button", name="Copy the link for Ben")).to_be_visible()
    guest = browser.new_context().new_page()
    guest.set_default_timeout(PATIENCE)
    open_table(guest, server, table.seats[1].token)
    expect(page.locator(".m-invite")).to_have_text("")
    assert table.owner_token not in guest.content()
    guest.get_by_role("button", name="Say").click()
    guest.get_by_text("Good luck!").click()
    expect(page.locator(".m-talk")).to_contain_text("Ben: Good luck!")
    click_on(page, "B3")
    click_on(page, "D3")
    page.get_by_role("button", name="Undo").click()
    expect(guest.locator(".m-buttons")).to_contain_text("Ann asks to take back their last move.")
    guest.get_by_role("button", name="Decline").click()
    expect(page.locator(".m-talk")).to_contain_text("Ben: I would rather not take that back.")
    guest.context.close()
    expect(page.locator(".m-seats")).to_contain_text("away")
