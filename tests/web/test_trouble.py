"""An agent that fails, as the people at its table meet it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import Server, click_on, open_table
from web.ear import Ear

# Fails as long as a file lies beside it, and says where that is.
MOODY = """
from pathlib import Path
from meeple.agents.base import Agent

class Moody(Agent):
    def choose(self, turn):
        if Path(__file__).with_name("mood").exists():
            raise ValueError(f"the secret is {turn.state.text()}, see {__file__}")
        return int(turn.state.legal_actions()[0])
"""


def table_with(agent: Path, second: str = "elsewhere") -> Table:
    """Ann at the owner's screen, another person, and an agent from a file between them."""
    game = load_game("ingenious:players=3")
    seats = [Seat("here", "Ann"), Seat("agent", "Moody", f"{agent}:Moody"), Seat(second, "Ben", is_named=True)]  # type: ignore[arg-type]
    table = Table(game, seats, owner="nobody", match=Match(game, seed=1))
    table.pace = 0.0
    return table


def play_first(page: Page, table: Table) -> None:
    """The first move on offer, by clicks."""
    for target in table.match.state.paths(int(table.match.state.legal_actions()[0]))[0]:
        click_on(page, target)


def test_people_are_told_and_may_try_again_or_replace_it(browser: Browser, server: Server, tmp_path: Path) -> None:
    agent, mood = tmp_path / "moody.py", tmp_path / "mood"
    agent.write_text(MOODY)
    mood.touch()
    table = server.seat_down(table_with(agent))
    ann, ben = (browser.new_context().new_page() for _ in range(2))
    ears = [Ear(page, table) for page in (ann, ben)]
    open_table(ann, server, table.owner_token)
    open_table(ben, server, table.seats[2].token)
    play_first(ann, table)
    for page in (ann, ben):
        expect(page.locator(".m-status")).to_have_text("Moody failed and made no move")
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(ben.get_by_role("button", name="Replace")).to_have_count(0)
    mood.unlink()
    ben.get_by_role("button", name="Try again").click()
    expect(ben.locator(".m-status")).to_have_text("Your turn")
    expect(ann.get_by_role("button", name="Try again")).to_have_count(0)
    mood.touch()
    ann.get_by_role("button", name="Undo").click()
    ben.get_by_role("button", name="Agree").click()
    expect(ann.locator(".m-status")).to_have_text("Your turn")
    play_first(ann, table)
    expect(ann.locator(".m-status")).to_have_text("Moody failed and made no move")
    ann.get_by_label("Replace by").click()
    ann.get_by_role("option", name=re.compile("^Level 1,")).click()
    ann.get_by_role("button", name="Replace", exact=True).click()
    expect(ben.locator(".m-status")).to_have_text("Your turn")
    expect(ann.locator(".m-name").nth(1)).to_have_text("Level 1")
    said = "\n".join(text for ear in ears for text in ear.heard)
    for secret in (str(tmp_path), "ValueError", "the secret is", "Traceback"):
        assert secret not in said
    assert "the secret is" in (server.folder / "web" / "server.log").read_text()
    for page in (ann, ben):
        page.context.close()


def test_an_agent_that_is_gone_since_the_last_start(page: Page, server: Server, tmp_path: Path) -> None:
    agent = tmp_path / "moody.py"
    table = server.seat_down(table_with(agent, "here"))  # the server finds it on disk, as after a start
    open_table(page, server, table.owner_token)
    page.get_by_role("button", name="I am Ann").click()
    play_first(page, table)
    expect(page.locator(".m-status")).to_have_text("Moody cannot be loaded and makes no move")
    agent.write_text(MOODY)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="I am Ben")).to_be_visible()


def test_a_match_that_cannot_be_read_any_more_says_so(page: Page, server: Server, tmp_path: Path) -> None:
    table = server.seat_down(table_with(tmp_path / "moody.py"))
    forget_the_game(server, table)
    page.goto(f"{server.root}/table/{table.owner_token}")
    expect(page.locator(".m-page")).to_contain_text("This match cannot be opened any more")


def forget_the_game(server: Server, table: Table) -> None:
    """Let the saved record name a game that is not there."""
    with sqlite3.connect(server.folder / "web" / "tables.sqlite") as database:
        database.execute(
            "UPDATE tables SET body = replace(body, 'ingenious:players=3', 'no-such-game') WHERE key = ?", (table.key,)
        )
