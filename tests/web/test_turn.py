"""Whose turn it is, for those who look elsewhere: the tab's title, a sound, a notice of the system, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from conftest import ROOT
from web.conftest import PATIENCE, Server, click_on, new_table, open_table

SCRIPT = (ROOT / "src/meeple/web/static/turn.js").read_text(encoding="utf-8")
ADDRESS = "http://meeple.test/"
TITLE = "Azul · Meeple"
MINE, OVER = [660, 880], [660, 523, 392]  # hertz

# What sounds is real, and written down; the system's notices are written down in their place.
RECORDER = """
window.tones = []; window.notices = []; window.isAway = true; window.permission = "granted";
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (at) { tones.push(this.frequency.value); start.call(this, at); };
window.focus = () => { window.isAway = false; };
window.Notification = class {
  static get permission() { return window.permission; }
  static async requestPermission() { return window.permission; }
  constructor(words) { this.words = words; notices.push(this); }
  close() { this.isClosed = true; }
};
Object.defineProperty(document, "hidden", { get: () => window.isAway });
"""
BODY = """<title>{title}</title><div class="m-stage" data-turn="{turn}"></div>
<script>window.meeple = {{ prefs: () => ({{ saved: window.saved }}) }};</script><script>{script}</script>"""
BECOMES = """async ([turn, look]) => {
  document.querySelector("[data-turn]").outerHTML = `<div class="${look}" data-turn="${turn}"></div>`;
  await null; }"""


def opened(page: Page, turn: str, **saved: Any) -> Page:
    """A page with nothing but a board's turn, in a browser that has chosen this."""
    body = BODY.format(title=TITLE, turn=turn, script=SCRIPT)
    page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8"))
    page.add_init_script(f"{RECORDER}; window.saved = {{}};")
    page.goto(ADDRESS)
    page.evaluate("saved => { window.saved = saved; }", saved)
    return page


def becomes(page: Page, turn: str, look: str = "m-stage") -> None:
    page.evaluate(BECOMES, [turn, look])


def heard(page: Page) -> tuple[list[float], list[str]]:
    """What has sounded, and the words of the notices."""
    tones, words = page.evaluate("[tones, notices.map((one) => one.words)]")
    return tones, words


def test_the_title_says_whose_turn_it_is(page: Page) -> None:
    opened(page, "mine")
    assert page.title() == f"● Your turn · {TITLE}"
    for turn, look, title in (
        ("theirs", "m-stage", TITLE),
        ("mine", "m-curtain", f"● Your turn · {TITLE}"),
        ("over", "m-stage", TITLE),
    ):
        becomes(page, turn, look)
        assert page.title() == title, turn


def test_a_turn_and_the_end_sound_once_and_never_at_the_first_sight(page: Page) -> None:
    opened(page, "mine", sound=True)
    becomes(page, "mine")
    assert heard(page)[0] == []
    becomes(page, "theirs")
    assert heard(page)[0] == []
    becomes(page, "mine")
    becomes(page, "mine", "m-curtain")  # drawn anew
    assert heard(page)[0] == MINE
    becomes(page, "over")
    assert heard(page)[0] == MINE + OVER
    assert heard(page)[1] == []  # notices were not chosen


def test_who_has_not_chosen_a_sound_hears_none(page: Page) -> None:
    opened(page, "theirs", notify=True)
    becomes(page, "mine")
    assert heard(page)[0] == []


def test_a_notice_comes_to_who_looks_elsewhere_and_leads_back(page: Page) -> None:
    opened(page, "theirs", notify=True)
    becomes(page, "mine")
    becomes(page, "theirs")
    becomes(page, "over")
    assert heard(page)[1] == [f"It is your turn: {TITLE}", f"The match is over: {TITLE}"]
    page.evaluate("notices[0].onclick()")
    assert page.evaluate("[notices[0].isClosed, window.isAway]") == [True, False]


@pytest.mark.parametrize(
    ("allowed", "away", "chosen"),
    [("denied", True, True), ("default", True, True), ("granted", False, True), ("granted", True, False)],
)
def test_there_is_no_notice_without_leave_or_need(page: Page, allowed: str, away: bool, chosen: bool) -> None:
    opened(page, "theirs", notify=chosen)
    page.evaluate("([allowed, away]) => { permission = allowed; isAway = away; }", [allowed, away])
    assert page.evaluate("meeple.allowNotices()") == allowed
    becomes(page, "mine")
    assert heard(page)[1] == []


def test_a_rivals_move_calls_back_who_looks_elsewhere(page: Page, browser: Browser, server: Server) -> None:
    """At a real table: the settings are the page's own, and the turn comes from the server."""
    table = server.seat_down(new_table("santorini", "here", "elsewhere"))
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.add_init_script(f"{RECORDER}; localStorage.meeple = JSON.stringify({{ sound: true, notify: true }});")
    ben = context.new_page()
    open_table(ben, server, table.seats[1].token)
    open_table(page, server, table.owner_token)
    title = ben.title()
    assert title.endswith("Meeple")
    assert not title.startswith("●")
    expect(page).to_have_title(f"● Your turn · {title}")
    for target in ("B3", "D3"):
        click_on(page, target)
    expect(ben).to_have_title(f"● Your turn · {title}")
    expect(page).to_have_title(title)
    assert heard(ben) == (MINE, [f"It is your turn: {title}"])
    context.close()
