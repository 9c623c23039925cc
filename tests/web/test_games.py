"""Every game on the page: played to the end by clicking, and nothing of another world in what is sent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from meeple.core.chance import Stream
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names, load_game
from meeple.web.clicks import Offer, offer_of
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import Server, click_on, clicks_of, new_table, open_table
from web.ear import Ear

DRAWN = [name for name in game_names() if find_definition(name).picture is not None]
LONG = ("azul", "saboteur-duel", "santorini")  # the last is clicked to its end in test_browser.py too
HIDDEN = [name for name in DRAWN if find_definition(name).facts.hidden]
LONGEST = {"ingenious": 16, "saboteur": 24, "sagrada": 24}  # decisions clicked here; the long test goes to the end


def spec_of(name: str) -> tuple[str, int]:
    """The game with as few seats as two, or what it needs."""
    least, most = find_definition(name).seats
    seats = max(2, least)
    return (f"{name}:players={seats}" if most > least else name), seats


def draw_back_the_curtain(page: Page, table: Table, shown: int | None) -> int:
    """Where people share a screen and the game has secrets: say who one is, when asked."""
    mover = table.match.to_move
    if table.game.facts.hidden and mover != shown:
        page.get_by_role("button", name=f"I am {table.names[mover]}").click()
    return mover


def click_through(page: Page, table: Table, most: int) -> None:
    """Play by clicking, another move each time, while a twin of the match says what must come out."""
    match, rng, shown = table.match, Stream(5), None
    while not match.is_over and match.ply < most:
        shown = draw_back_the_curtain(page, table, shown)
        actions = match.state.legal_actions()
        action = int(actions[rng.below(len(actions))])
        path = match.state.paths(action)[-1]
        for target in clicks_of(match.state, path):
            expect(page.locator(f'.m-board [data-t="{target}"].lit')).to_have_count(1)
            click_on(page, target)
        match.play(action)
        if not match.is_over and (match.to_move == shown or not table.game.facts.hidden):
            page.wait_for_selector(f'.m-stage[data-flown="{len(match.steps)}"]', state="attached")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in DRAWN])
def test_a_game_is_played_by_clicking(name: str, page: Page, server: Server) -> None:
    spec, seats = spec_of(name)
    table = server.seat_down(new_table(spec, *["here"] * seats, seed=11))
    open_table(page, server, table.owner_token)
    click_through(page, table, LONGEST.get(name, 10**6))
    if table.match.is_over:
        expect(page.locator(".m-status")).to_contain_text(re.compile("win|victory|draw", re.IGNORECASE))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LONGEST))
def test_a_long_game_is_played_to_the_end_by_clicking(name: str, page: Page, server: Server) -> None:
    spec, seats = spec_of(name)
    table = server.seat_down(new_table(spec, *["here"] * seats, seed=12))
    open_table(page, server, table.owner_token)
    click_through(page, table, 10**6)
    expect(page.locator(".m-status")).to_contain_text(re.compile("win|victory|draw", re.IGNORECASE))


# --- two worlds ----------------------------------------------------------------------------------------


def middle_of(name: str) -> tuple[Match, int]:
    """A match in its middle, where the seat to move does not know everything."""
    spec, _ = spec_of(name)
    match, rng = Match(load_game(spec), seed=21), Stream(21)
    while match.ply < 12:
        actions = match.state.legal_actions()
        match.play(int(actions[rng.below(len(actions))]))
    return match, match.to_move


def after_a_rivals_move(name: str) -> tuple[list[Match], int]:
    """Two worlds that a seat cannot tell apart, in both of which a rival has just made the same open move."""
    match, rng = middle_of(name)[0], Stream(23)
    for number in range(2000):
        if match.is_over:
            break
        actions = match.state.legal_actions()
        action, seat = int(actions[rng.below(len(actions))]), (match.to_move + 1) % match.game.seats
        twin = match.state.redealt(seat, Stream(number))
        if match.state.seen(action, seat) == action and twin.allows(action) and twin.text() != match.state.text():
            worlds = [Match(match.game, seed=3, start=world.text()) for world in (match.state, twin)]
            for world in worlds:
                world.play(action)
            if worlds[0].state.text(seat) == worlds[1].state.text(seat):
                return worlds, seat
        match.play(action)
    raise AssertionError("no such moment was found")


@pytest.mark.parametrize("name", HIDDEN)
def test_a_rivals_open_move_tells_nothing_of_its_hand(name: str, browser: Browser, server: Server) -> None:
    worlds, seat = after_a_rivals_move(name)
    heard = []
    for world in (worlds[0], *worlds):  # the first visit of all meets the page that waits for the compile
        seats = [Seat("here" if n == seat else "elsewhere", f"P{n}") for n in range(world.game.seats)]
        table = server.seat_down(Table(world.game, seats, owner="nobody", match=world))
        context = browser.new_context(viewport={"width": 390, "height": 844})  # on a phone: its sheet tells more
        page = context.new_page()
        ear = Ear(page, table)
        open_table(page, server, table.owner_token)
        context.close()
        heard.append(ear.heard)
    assert {leaf[:300] for leaf in heard[1] ^ heard[2]} == set()


@pytest.mark.parametrize("name", HIDDEN)
def test_all_that_is_sent_is_the_same_in_worlds_that_a_seat_cannot_tell_apart(
    name: str, browser: Browser, server: Server
) -> None:
    match, seat = middle_of(name)
    twin = match.state.redealt(seat, Stream(22))
    assert twin.text() != match.state.text()
    heard = []
    for world in (match.state, match.state, twin):  # the first visit of all meets the page that waits for the compile
        kinds = ["here" if n == seat else "elsewhere" for n in range(match.game.seats)]
        seats = [Seat(kind, f"P{n}") for n, kind in enumerate(kinds)]  # type: ignore[arg-type]
        start = Match(match.game, seed=3, start=world.text())
        table = server.seat_down(Table(match.game, seats, owner="nobody", match=start))
        context = browser.new_context()
        page = context.new_page()
        ear = Ear(page, table)
        open_table(page, server, table.owner_token)
        look_around(page, table)
        page.get_by_role("button", name="Link", exact=True).click()
        page.wait_for_selector(".q-dialog a")
        context.close()
        heard.append(ear.heard)
    assert {leaf[:300] for leaf in heard[1] ^ heard[2]} == set()


def look_around(page: Page, table: Table) -> None:
    """Choose the first targets of some moves, hover over the next, and go back."""
    offer = offer_of(table.match.state)
    for first in sorted(target for target in offer.after(()) if _is_begun_by(offer, target))[:3]:
        click_on(page, first)
        expect(page.locator(f'.chosen[data-t="{first}"]')).to_have_count(1)
        following = sorted(offer.after((first,)))
        page.locator(f'.m-board .lit[data-t="{following[0]}"]').first.dispatch_event(
            "pointerover", {"pointerType": "mouse", "bubbles": True}
        )
        if (
            offer.action(offer.followed((first, following[0]))) is not None
        ):  # what comes meanwhile would leave its picture out
            expect(page.locator(".m-preview")).not_to_be_empty()
        page.keyboard.press("Escape")
        expect(page.locator(".chosen")).to_have_count(0)
        page.locator(".m-status").dispatch_event("pointerover", {"pointerType": "mouse", "bubbles": True})


def _is_begun_by(offer: Offer, target: str) -> bool:
    """Whether there is something to choose after a click on this target."""
    return offer.followed((target,)) == (target,) and offer.action((target,)) is None
