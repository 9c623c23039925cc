"""Tournaments that are started in the page: the command line's games, watched, stopped, gone on with, and guarded."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from conftest import Run
from meeple.arena.store import Store, stored_record
from meeple.errors import ConfigError, RecordError
from meeple.web.operator import Operator
from meeple.web.seats import Refused
from meeple.web.standings import Standings
from meeple.web.tournament_plan import Plan, plan_of, saved_plan
from meeple.web.tournaments import Tournaments
from web.conftest import Server, finish

PLAN = Plan(game="santorini", agents=("greedy:evaluation=climb", "random"), games=6)


GAMES_ABOVE = """before => {
    const told = document.querySelector(".m-state").innerText.match(/^Playing, ([0-9,]+) of/)
    return told !== null && Number(told[1].replace(",", "")) > before
}"""


def start(page: Page, server: Server, agents: tuple[str, ...], games: int) -> None:
    """Fill in the form, and go to the tournament's page."""
    page.goto(f"{server.root}/tournaments")
    page.get_by_role("combobox", name="Game").first.click()
    page.get_by_role("option", name="Santorini").click()
    for place, spec in enumerate(agents, 1):
        page.get_by_role("combobox", name=f"Agent {place}").click()
        page.get_by_role("option", name="Another agent …").click()
        page.get_by_label("spec, such as").nth(place - 1).fill(spec)
    page.get_by_role("spinbutton", name="Games").fill(str(games))
    page.get_by_role("button", name="Start the tournament").click()
    page.wait_for_url("**/tournament/santorini-*")


def test_a_tournament_of_the_page_is_the_command_lines(page: Page, server: Server, meeple: Run, tmp_path: Path) -> None:
    start(page, server, ("mcts:iterations=20", "random"), 6)
    expect(page.locator(".m-state")).to_have_text("Not running")
    expect(page.locator(".m-code-line")).to_have_text(
        "meeple tournament santorini -p mcts:iterations=20 random -n 6 -s 779 -b"
    )
    name = page.url.rpartition("/")[2]
    on_page = server.folder / "tournaments" / f"{name}.sqlite"
    words = page.locator(".m-code-line").inner_text().split()[1:]
    ran = meeple(*words, "--store", "own.sqlite", "--json")
    assert ran.returncode == 0, ran.stderr
    shown = meeple("results", str(on_page), "--json")
    told, mine = (json.loads(each.stdout) for each in (shown, ran))
    assert [told[key] for key in ("agents", "games")] == [mine[key] for key in ("agents", "games")]
    expect(page.locator("main")).to_contain_text(f"{mine['agents'][0]['score']:.3f}")

    page.get_by_role("link", name="Look at game 1+2/1.1").click()
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".m-board > *")
    paths = (on_page, tmp_path / "own.sqlite")
    ours, theirs = ([event.text for event in stored_record(path, "1+2/1.1").events] for path in paths)
    assert ours == theirs != []

    page.goto(f"{server.root}/tournament/%2e%2e%2fweb%2ftables")
    expect(page.locator("h1")).to_have_text("Nothing here")


@pytest.mark.long
def test_running_games_are_watched_stopped_and_gone_on_with(page: Page, server: Server) -> None:
    start(page, server, ("mcts:iterations=100", "first"), 20_000)  # which it comes to the end of on no machine
    store = server.folder / "tournaments" / f"{page.url.rpartition('/')[2]}.sqlite"
    state, board = page.locator(".m-state"), page.locator(".m-live figure").first
    stop, go_on = (page.get_by_role("button", name=name) for name in ("Stop", "Go on"))
    expect(board.locator("svg.board")).to_be_visible()
    expect(board).to_contain_text(re.compile(r"Game \S+, move \d+: "))
    expect(board).not_to_have_text(board.inner_text())  # it goes on under the eyes of who watches
    expect(state).to_have_text(re.compile("Playing, [1-9]"))
    expect(go_on).to_be_hidden()
    stop.click()
    expect(state).to_have_text("Not running")
    expect(board).to_be_hidden()
    expect(stop).to_be_hidden()
    before = counted(store)
    assert 0 < before < 20_000
    go_on.click()
    expect(board.locator("svg.board")).to_be_visible()
    page.wait_for_function(GAMES_ABOVE, arg=before)
    stop.click()
    expect(state).to_have_text("Not running")
    assert counted(store) > before


def counted(path: Path) -> int:
    """The games in a store."""
    with Store.read(path) as store:
        return store.count()


def test_a_stopped_tournament_goes_on_to_the_same_games(tmp_path: Path) -> None:
    async def stopped_and_resumed() -> list[str]:
        ours, words = Tournaments(tmp_path, cores=2), []
        name = ours.start(PLAN, tmp_path / "one.sqlite")
        with pytest.raises(Refused, match="already"):
            ours.start(PLAN, tmp_path / "one.sqlite")
        ours.stop(name)
        await asyncio.gather(*ours._tasks)
        words.append(ours.faults.get(name, ""))
        ours.resume(name)
        await asyncio.gather(*ours._tasks)
        words.append(ours.faults.get(name, ""))
        with pytest.raises(ConfigError, match="command line"):
            ours.resume("other")
        return words

    assert finish(stopped_and_resumed()) == ["", ""]
    with Store.read(tmp_path / "one.sqlite") as store:
        assert store.count() == 6
    assert Standings.of(tmp_path / "one.sqlite", "one").games == 6


def test_tournaments_wait_for_their_cores(tmp_path: Path) -> None:
    async def begun() -> list[str]:
        ours = Tournaments(tmp_path, cores=2)
        for name in ("one", "two", "three"):
            ours.start(PLAN, tmp_path / f"{name}.sqlite")
        words = [ours.running(name).words for name in ("one", "two", "three")]  # type: ignore[union-attr]
        ours.stop("three")
        await ours.close()
        return words

    assert finish(begun()) == ["getting ready", "getting ready", "waits for a core"]


def test_the_process_ends_with_its_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "meeple.web.tournament_process"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    plan = vars(Plan(game="santorini", agents=("random", "first"), games=100_000))
    assert process.stdin is not None
    process.stdin.write(json.dumps({"plan": plan, "store": str(tmp_path / "one.sqlite")}) + "\n")
    process.stdin.flush()
    assert process.stdout is not None
    assert "counted" in process.stdout.readline()
    process.stdin.close()  # as the system does when the server is killed
    last = process.stdout.read().splitlines()[-1]
    assert json.loads(last) == {"end": "stopped"}
    assert process.wait() == 0


def test_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    async def told() -> str:
        ours = Tournaments(tmp_path, cores=1)
        name = ours.start(Plan(game="santorini", agents=("mcts:iters=3", "random")), tmp_path / "one.sqlite")
        await asyncio.gather(*ours._tasks)
        return ours.faults[name]

    assert "did you mean 'iterations'" in finish(told())


BROKEN = [None, 3, {}, {"game": "santorini"}, vars(PLAN) | {"games": "6"}, vars(PLAN) | {"x": 1}]


@pytest.mark.parametrize("told", BROKEN)
def test_a_damaged_plan_is_none(told: object, tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        plan_of(told)
    (tmp_path / "one.plan.json").write_text(json.dumps(told))
    assert saved_plan(tmp_path / "one.sqlite") is None
    PLAN.save(tmp_path / "one.sqlite")
    assert saved_plan(tmp_path / "one.sqlite") == PLAN


def test_only_the_operator_may(tmp_path: Path) -> None:
    alone = Operator(tmp_path)
    assert alone.is_trusted("127.0.0.1", {})
    assert alone.is_trusted("::1", {})
    assert not alone.is_trusted("192.168.0.7", {})
    assert not alone.is_trusted("", {})
    behind_a_proxy = Operator(tmp_path, hosts=["games.example.org"])
    session: dict[str, str] = {}
    assert not behind_a_proxy.is_trusted("127.0.0.1", session)
    assert not behind_a_proxy.is_let_in("a guess", session)
    assert not behind_a_proxy.is_let_in("ö", session)
    assert not session
    assert behind_a_proxy.is_let_in(f" {behind_a_proxy.secret}\n", session)
    assert behind_a_proxy.is_trusted("10.0.0.1", session)
    assert behind_a_proxy.secret not in str(session)
    assert behind_a_proxy.path.stat().st_mode & 0o077 == 0
    behind_a_proxy.path.unlink()
    assert not Operator(tmp_path).is_trusted("10.0.0.1", session)  # another secret


def test_whoever_is_not_known_is_asked_for_the_secret(page: Page, server: Server, tmp_path: Path) -> None:
    own = Server(tmp_path)
    own.start("web", "--allow-host", "games.example.org")
    try:
        page.goto(f"{own.root}/tournaments")
        page.get_by_label("Secret").fill("a guess")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_have_text("That is not the secret of this server.")
        page.get_by_label("Secret").fill((tmp_path / "web" / "operator").read_text())
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("button", name="Start the tournament")).to_be_visible()
    finally:
        own.stop()
