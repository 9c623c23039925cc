"""Every page for everybody: no violation that axe-core finds, in light and in dark, and targets that a finger meets.

axe-core comes with the package axe-playwright-python. It knows WCAG 2.2 A and AA as far as a program can tell, and its
own advice on headings and landmarks; everything is asked of the page in light, of the one in dark only what differs
there: the contrast of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect

from conftest import ROOT
from meeple.arena.store import Store
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.core.chance import new_salt
from meeple.core.colours import SHAPES, contrast
from meeple.core.entry import Entry
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names, load_game
from meeple.web.pages.replay import replay_table
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import PATIENCE, Server, new_table, open_table
from web.test_games_page import owner_of
from web.test_puzzles import EASY, stocked

__all__ = ["stocked"]  # a fixture of the puzzles' own tests

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
LIGHTS = ("light", "dark")
TICKS = """() => [...document.querySelectorAll(".q-checkbox__inner--truthy")].map((one) => [
  getComputedStyle(one.querySelector(".q-checkbox__svg")).color,
  getComputedStyle(one.querySelector(".q-checkbox__bg")).backgroundColor])"""
MOVING = "document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration > 1).length"  # ms
DRAWN = [name for name in game_names() if find_definition(name).picture is not None]
FOLDED = ".q-expansion-item__content :is(.q-field, .q-item):visible"  # what a form's fold holds, another fold perhaps
QUICK = ("santorini", "sagrada")  # the fewest options, and every kind of them; others have their forms in the long test
FORMS = [pytest.param(name, marks=[pytest.mark.long] * (name not in QUICK)) for name in DRAWN]


@pytest.fixture(scope="module")
def both(browser: Browser) -> Iterator[list[Page]]:
    """A page in light and one in dark. Nothing moves in them, so that no colour is caught halfway."""
    contexts = [browser.new_context(color_scheme=light, reduced_motion="reduce") for light in LIGHTS]  # type: ignore[arg-type]
    for context in contexts:
        context.set_default_timeout(PATIENCE)
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def violations(page: Page, *, rules: str | None = None) -> list[str]:
    """What axe-core finds wrong with a page: the rule, the element, the reason."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE)
    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": [rules]} if rules else {})
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}: {node['failureSummary']}" for one in found for node in one["nodes"]
    ]  # fmt: skip


def check(both: list[Page], url: str, ready: str, *, opens: str | None = None, shows: str | None = None) -> None:
    """Open an address in both lights, and what a click on `opens` shows there; nothing may be wrong with it."""
    for page, light in zip(both, LIGHTS, strict=True):
        page.goto(url)
        page.wait_for_selector(f"body.body--{light} {ready}")
        if opens is not None:
            page.locator(opens).first.click()
            page.mouse.move(0, 0)
            expect(page.locator(".q-tooltip")).to_have_count(0)
        if shows is not None:
            page.wait_for_selector(shows)
        page.wait_for_function("document.getAnimations().length === 0")  # no colour is on its way to another
        assert violations(page, rules="color-contrast" if light == "dark" else None) == []
        assert page.evaluate(MOVING) == 0  # less motion was asked for
        if light == "light":
            assert page.locator("main").count() == page.locator("h1").count() == 1
            assert page.locator("html").get_attribute("lang") == "en-GB"


def spec_of(name: str) -> tuple[str, int]:
    """The game with as few seats as two, or what it needs."""
    least, most = find_definition(name).seats
    seats = max(2, least)
    return (f"{name}:players={seats}" if most > least else name), seats


def later(name: str, other: str = "elsewhere") -> Table:
    """A table of two or more people, the others elsewhere unless that is said, some moves on."""
    spec, seats = spec_of(name)
    table = new_table(spec, "here", *[other] * (seats - 1), seed=4)
    while not table.match.is_over and (table.match.ply < 9 or table.match.to_move != 0):
        actions = table.match.state.legal_actions()
        table.match.play(int(actions[len(actions) // 2]))
    return table


@pytest.mark.parametrize("path", ["/replay", "/analyse", "/nothing", "/new/nothing", "/table/guess", "/tournaments"])
def test_pages_of_no_game(both: list[Page], server: Server, path: str) -> None:
    check(both, server.root + path, "main")


def test_home_and_ones_games_with_a_match_that_runs_and_one_that_was_rated(both: list[Page], server: Server) -> None:
    board, seats = load_game("santorini"), [Seat("here", "Ann"), Seat("agent", "Level 2", "random", level="Level 2")]
    for page in both:
        page.goto(f"{server.root}/games")
        for is_over in (False, True):
            table = Table(board, seats, owner=owner_of(page.context), match=Match(board, seed=1, salt=new_salt()))
            if is_over:
                table.resign(0)
            server.seat_down(table)
    check(both, server.root, ".m-game")
    check(both, f"{server.root}/games", ".m-lines")


def test_puzzles_asked_and_answered(both: list[Page], stocked: Server) -> None:
    check(both, f"{stocked.root}/puzzles", ".m-themes a")
    check(both, f"{stocked.root}/puzzles/santorini/{EASY.name}", ".m-board .lit")
    opener = '.m-buttons >> text="Show the answer"'
    check(both, f"{stocked.root}/puzzles/santorini/{EASY.name}", ".lit", opens=opener, shows=".m-answer p")


@pytest.mark.parametrize("name", FORMS)
def test_the_form_of_a_new_match(both: list[Page], server: Server, name: str) -> None:
    check(both, f"{server.root}/new/{name}", ".q-expansion-item", opens=".q-expansion-item", shows=FOLDED)
    # What only experiments need is folded a second time.
    apart = both[0].get_by_text("Add the faults of the thesis's program, to compare with its tables.")
    expect(apart).to_have_count(1 if name == "sagrada" else 0)
    expect(apart).to_be_hidden()
    for page in both:  # a tick is drawn on the colour of what may be done, which is bright in the dark
        ticks = page.evaluate(TICKS)
        assert ticks
        assert all(contrast(hexed(tick), hexed(ground)) >= SHAPES for tick, ground in ticks)


def hexed(colour: str) -> str:
    """A colour as the browser tells it, `rgb(255, 209, 102)`, as `#ffd166`."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize("name", FORMS)
def test_the_form_of_a_game_from_a_real_table_and_its_page(both: list[Page], server: Server, name: str) -> None:
    check(both, f"{server.root}/enter/{name}", ".q-expansion-item", opens=".q-expansion-item", shows=FOLDED)
    spec, seats = spec_of(name)
    entry = Entry(load_game(spec), view=0, seed=2)
    people = [Seat("here", f"Ann {number}", is_named=True) for number in range(seats)]
    table = server.seat_down(Table(entry.game, people, owner="nobody", match=entry))
    check(both, f"{server.root}/table/{table.owner_token}", ".m-enter .m-board svg.board")


@pytest.mark.parametrize("name", FORMS)
def test_setting_up_a_position(both: list[Page], server: Server, name: str) -> None:
    check(both, f"{server.root}/setup/{name}", ".m-board svg.board", opens=".q-expansion-item", shows=FOLDED)


def test_a_move_that_is_tried_again(both: list[Page], server: Server) -> None:
    over = later("santorini")
    over.resign(1)
    server.seat_down(over)
    url = f"{server.root}/try/{over.owner_token}/{over.match.ply - 1}"
    check(both, url, ".m-board .lit")
    check(both, url, ".m-board .lit", opens='.m-buttons >> text="Show the answer"', shows=".m-answer p")


@pytest.mark.parametrize("name", DRAWN)
def test_the_rules(both: list[Page], server: Server, name: str) -> None:
    check(both, f"{server.root}/rules/{name}", ".m-rule")


@pytest.mark.parametrize("name", DRAWN)
def test_a_table_at_its_start_and_later(both: list[Page], server: Server, name: str) -> None:
    spec, seats = spec_of(name)
    for table in (new_table(spec, "here", *["elsewhere"] * (seats - 1)), later(name)):
        server.seat_down(table)
        check(both, f"{server.root}/table/{table.owner_token}", ".m-board svg.board")


def test_a_curtain_and_the_dialogs_of_a_table(both: list[Page], server: Server) -> None:
    hidden = server.seat_down(new_table("saboteur-duel", "here", "here"))
    check(both, f"{server.root}/table/{hidden.owner_token}", ".m-curtain")
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    for name in ("Link", "Resign"):
        opener = f'.m-buttons >> text="{name}"'
        check(both, f"{server.root}/table/{table.owner_token}", ".m-buttons button", opens=opener, shows=".q-dialog h2")
    invited = new_table("santorini", "here", "elsewhere")
    invited.seats[1].is_named = False  # a guest is asked for a name
    server.seat_down(invited)
    check(both, f"{server.root}/table/{invited.seats[1].token}", ".m-dialog")


def test_settings_keys_and_a_hint_at_a_table(both: list[Page], server: Server) -> None:
    table = server.seat_down(later("santorini", "here"))
    for name, seen in (("Settings", ".q-dialog h2"), ("Keys", ".m-keys"), ("Hint", '.m-preview:has-text("Hint")')):
        opener = f"button:visible:has-text('{name}'), button:visible[aria-label='{name}']"
        check(both, f"{server.root}/table/{table.owner_token}", ".m-board .lit", opens=opener, shows=seen)


def test_a_match_that_is_over_and_its_replay(both: list[Page], server: Server) -> None:
    for name in ("saboteur", "azul"):
        table = later(name)
        table.resign(0)
        server.seat_down(table)
        check(both, f"{server.root}/table/{table.owner_token}", ".m-buttons button")
    replay = server.seat_down(replay_table(table.record(), "nobody"))
    check(both, f"{server.root}/table/{replay.owner_token}", ".m-replay button")


def test_an_analysis(both: list[Page], server: Server) -> None:
    table = new_table("sagrada", "here", "elsewhere", seed=4)
    while table.match.ply < 8:
        table.match.play(int(table.match.state.legal_actions()[0]))
    table.resign(0)
    server.seat_down(table)
    url = f"{server.root}/analyse/{table.owner_token}?move=6&effort=quick"
    check(both, url, ".m-candidates", shows="main:not(:has(.m-progress .m-bar))")  # it is through


def test_every_address_of_the_page_is_opened_here() -> None:
    """A page that is added comes into the checks above: each route's beginning is opened in this file."""
    here = Path(__file__).read_text(encoding="utf-8")
    routes = [
        route
        for path in (ROOT / "src/meeple/web").rglob("*.py")
        for route in re.findall(r'^ *@page\("(/[^"]*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(routes) >= 17
    for route in routes:
        start = route.partition("{")[0]
        assert f".root}}{start}" in here or f'"{start}"' in here, f"{route} is not checked"


# --- keys ----------------------------------------------------------------------------------------------


def test_the_first_tab_leads_past_the_head_to_the_page(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/rules/santorini")
    page.wait_for_selector(".m-rule")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the page")
    page.keyboard.press("Enter")
    expect(page.locator("main:focus")).to_have_count(1)


def test_the_log_is_read_by_keys(page: Page, server: Server) -> None:
    """Arrows scroll it while it has the focus, though targets are lit; elsewhere they walk over those."""
    table = server.seat_down(later("ingenious"))
    page.set_viewport_size({"width": 1280, "height": 500})
    open_table(page, server, table.owner_token)
    page.wait_for_selector(".m-board .lit")
    log = page.get_by_role("region", name="Moves so far")
    page.wait_for_function("() => document.querySelector('.m-log').scrollTop > 0")  # it begins at its end
    log.focus()
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.m-log').scrollTop === 0")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.querySelector('.m-log').scrollTop > 0")
    expect(page.locator(".m-log:focus")).to_have_count(1)
    expect(page.locator(".m-status")).to_have_text("Your turn")


# --- fingers -------------------------------------------------------------------------------------------

SMALL = """least => {
  const pressed = "a[href], button, input:not([type=file]), [role=button], [role=slider], [role=checkbox], .m-log li";
  const wrap = (node) => node.closest(".q-field__control, .q-checkbox, .q-slider, .q-expansion-item .q-item") || node;
  const box = (node) => wrap(node).getBoundingClientRect();
  return [...document.querySelectorAll(pressed)]
    .filter((node) => !node.closest(".m-board, [inert]") && node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => node.getAttribute("tabindex") !== "-1" && !node.classList.contains("m-skip"))
    .filter((node) => box(node).height < least - .5 || box(node).width < least - .5)
    .map((node) => `${wrap(node).outerHTML.slice(0, 160)} ${box(node).width} x ${box(node).height}`);
}"""  # what stands on a board may be smaller: it can be zoomed, and a finger may miss it by a little


def test_fingers_meet_all_that_can_be_pressed(browser: Browser, server: Server, stocked: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    table = server.seat_down(later("santorini"))
    over = later("santorini")
    over.resign(0)
    server.seat_down(over)
    paths = (
        "/new/santorini",
        "/",
        "/rules/santorini",
        "/replay",
        "/puzzles",
        "/nothing",
        f"/table/{table.owner_token}",
        "/analyse",
        f"/analyse/{over.owner_token}?effort=quick",
    )
    for path in paths:
        page.goto(server.root + path)
        page.wait_for_selector(".m-buttons button" if "table" in path else "main a, main button")
        if over.owner_token in path:
            page.wait_for_selector(".m-candidates")
        for opener in (".q-expansion-item", ".m-handle"):
            if page.locator(opener).count():
                page.locator(opener).tap()
        assert page.evaluate(SMALL, 40) == [], path
        assert violations(page) == [], path
    context.close()


def test_a_tournament_that_was_played(both: list[Page], server: Server) -> None:
    tournament = prepare_tournament("santorini", ["first", "random"], games=4, both=True)
    (server.folder / "tournaments").mkdir(exist_ok=True)
    with Store.open(server.folder / "tournaments" / "played.sqlite", tournament.configuration()) as store:
        play_tournament(tournament, store, workers=0)
    check(both, f"{server.root}/tournament/played", ".m-tournament .m-plot")
