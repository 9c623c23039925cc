"""Compiling ahead: nobody waits for another's compile, and no process that fails keeps a table closed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent

import pytest
from filelock import FileLock
from playwright.sync_api import Page, expect

from meeple.core.cache import cache_root
from meeple.core.kernel import preparing_lock
from meeple.core.registry import find_definition, game_names
from meeple.web import preparing
from meeple.web.preparing import Preparer, Work
from meeple.web.rehearsal import BOARD, parts_of
from web.conftest import Server, finish, new_table
from web.test_everybody import violations

AZUL, SANTORINI = find_definition("azul"), find_definition("santorini")

# --- a server with an empty cache


@contextmanager
def held(cache: Path, game: str) -> Iterator[FileLock]:
    """While this lasts, no process compiles for the game into this cache."""
    path = cache / preparing_lock(game).relative_to(cache_root())
    path.parent.mkdir(mode=0o700, parents=True)
    with FileLock(path) as lock:
        yield lock


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, Path]]:
    """A server that has compiled nothing yet, and its cache."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    made = Server(tmp_path / "data")
    made.table = made.seat_down(new_table("santorini", "here", "here"))  # type: ignore[attr-defined]
    monkeypatch.setenv("MEEPLE_CACHE_DIR", str(cache))
    yield made, cache
    if made.process is not None and made.process.poll() is None:
        made.stop()


def test_other_pages_answer_before_a_cold_table_is_compiled(cold: tuple[Server, Path], page: Page) -> None:
    server, cache = cold
    with held(cache, "santorini"):
        server.start()
        page.goto(f"{server.root}/table/{server.table.owner_token}")  # type: ignore[attr-defined]
        expect(page.locator(".m-outline svg")).to_be_visible()
        expect(page.locator(".m-preparing")).to_contain_text("Preparing Santorini, once for this version: ")
        expect(page.get_by_role("progressbar")).to_be_visible()
        assert violations(page) == []
        other = page.context.new_page()
        other.goto(server.root)
        expect(other.get_by_role("heading", name="Play", exact=True)).to_be_visible()
        other.goto(f"{server.root}/new/santorini")
        other.get_by_role("button", name="Start").click()
        expect(other.locator(".m-outline svg")).to_be_visible()
        expect(page.locator(".m-outline svg")).to_be_visible()
    for window in (page, other):
        expect(window.locator(".m-board svg.board")).to_be_visible()
        expect(window.locator(".m-outline")).to_have_count(0)
        expect(window.locator(".m-preparing")).to_be_hidden()
    page.locator(".lit").first.dispatch_event("click")
    expect(page.locator(".chosen")).to_have_count(1)
    log = (server.folder / "web" / "server.log").read_text()
    assert "on the event loop" not in log
    assert "compiled by the server itself" not in log


def test_who_leaves_while_it_is_compiled_leaves_nothing_behind(cold: tuple[Server, Path], page: Page) -> None:
    server, cache = cold
    with held(cache, "santorini"):
        server.start()
        page.goto(f"{server.root}/table/{server.table.owner_token}")  # type: ignore[attr-defined]
        expect(page.locator(".m-outline svg")).to_be_visible()
        page.goto("about:blank")
        assert server.stop() == 0  # and its process ends with it
    assert "Traceback" not in (server.folder / "web" / "server.log").read_text()


def test_the_process_ends_with_its_server(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    command = [sys.executable, "-m", "meeple.web.rehearsal", "santorini"]
    environment = os.environ | {"MEEPLE_CACHE_DIR": str(cache)}
    with (
        held(cache, "santorini"),
        subprocess.Popen(command, env=environment, stdin=-1, stdout=-1, text=True) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{BOARD}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"waits": True}  # for who else compiles the same
        process.stdin.close()
        assert process.wait() == 0


# --- what is loaded once is all that a table needs

SCRIPT = """
import sys
from meeple.core.cache import KernelCache
from meeple.core.chance import Stream
from meeple.core.registry import load_game
from meeple.web.rehearsal import BOARD, rehearse
from meeple.web.seats import Access, Seat
from meeple.web.table import Table
from meeple.web.takeback import redo, undo_last
from meeple.web.viewing import Viewing
from meeple.web.saved import body_of, table_of
load, missed, is_counted = KernelCache.load_overload, [], False
def told(self, sig, context):
    if is_counted:
        missed.append(self.function.__qualname__)
    return load(self, sig, context)
KernelCache.load_overload = told
for name in sys.argv[1:]:
    game = load_game(name)
    rehearse(game, BOARD)
    for seats in range(game.definition.seats[0], game.definition.seats[1] + 1):
        is_counted = True
        players = f":players={seats}" if game.definition.seats[1] > game.definition.seats[0] else ""
        board = load_game(name + players)
        table = Table(board, [Seat("here", "A") for _ in range(seats)], owner="", seed=seats, is_guided=True)
        views = [Viewing(Access(table, frozenset({0}))), Viewing(Access(table))]
        rng = Stream(seats)
        for number in range(60):
            if table.is_over:
                break
            actions = table.match.state.legal_actions()
            action = int(actions[rng.below(len(actions))])
            if number % 6 == 0:
                mover = Viewing(Access(table, frozenset({table.mover})))
                path = mover.state.paths(action)[0]
                mover.chosen = path[:-1]
                mover.drawing(hovered=path[-1])
                [view.drawing() for view in views]
            table.play(table.mover, action)
        if not table.is_over:
            undo_last(table, range(seats))
            redo(table)
        table_of(body_of(table))
        is_counted = False
    print(name, sorted(set(missed)))
    missed.clear()
"""


@pytest.mark.long
def test_a_rehearsal_loads_all_that_a_table_needs() -> None:
    names = game_names()
    found = subprocess.run([sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=False)
    assert found.stdout.splitlines() == [f"{name} []" for name in names], found.stderr


@pytest.mark.parametrize("name", game_names())
def test_the_board_and_an_agent_are_met_first(name: str) -> None:
    parts = parts_of(find_definition(name))
    assert parts[0] == BOARD
    assert len(set(parts)) == len(parts) > 2


# --- processes that fail

GOOD = """
import json, pathlib, sys
here = pathlib.Path(sys.argv[1])
with open(here / "starts", "a") as file: file.write(sys.argv[2] + "\\n")
def tell(**line): print(json.dumps(line), flush=True)
while part := sys.stdin.readline().strip():
    with open(here / "parts", "a") as file: file.write(part + "\\n")
    tell(begins=part)
    tell(kernel=1)
{body}
    (here / (sys.argv[2] + "-cached")).touch()
    tell(done=part, kernels=1, seconds=1.0, course=[1.0] * 11)
"""
# A process that does not end before a file lies there, or its server does.
HELD = """
import os, time
while not (here / "go").exists() and sys.argv[2] == "azul" and os.getppid() == {server}: time.sleep(0.01)
""".replace("{server}", str(os.getpid()))
FAULTS = {
    "crash": "raise SystemExit(1)",
    "signal": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "babble": "print('what is this?', flush=True); sys.stdin.read(); raise SystemExit",
    "number": "print('7', flush=True); sys.stdin.read(); raise SystemExit",
    "silence": "sys.stdin.read(); raise SystemExit",
}


class Rehearsed(Preparer):
    """One whose parts are in the cache once a file lies there."""

    def __init__(self, folder: Path, body: str = "") -> None:
        script = folder / "child.py"
        script.write_text(GOOD.replace("{body}", indent(body, "    ")))
        super().__init__(command=(sys.executable, str(script), str(folder)))
        self.folder = folder
        self.own: list[str] = []  # compiled by the server itself

    async def _loads(self, work: Work) -> bool:
        return (self.folder / f"{work.definition.name}-cached").exists()

    async def _in_thread(self, job: object) -> None:  # type: ignore[override]
        self.own.append("compiled")

    @property
    def starts(self) -> list[str]:
        path = self.folder / "starts"
        return path.read_text().split() if path.exists() else []


def test_a_part_is_compiled_by_a_process_and_then_loaded(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path)
        await preparer.ready(AZUL)
        assert preparer.is_ready(AZUL)
        assert preparer.progress(AZUL) is None
        await preparer.ready(AZUL)
        assert (preparer.starts, preparer.own) == (["azul"], [])
        await preparer.close()

    finish(work())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_process_that_fails_is_started_again_and_then_done_without(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "SILENCE", 3.0 if fault == "silence" else 300.0)

    async def work() -> None:
        preparer = Rehearsed(tmp_path, FAULTS[fault])
        await preparer.ready(SANTORINI)
        assert (preparer.starts, preparer.own) == (["santorini"] * 2, ["compiled"])
        await preparer.close()

    finish(work())


def test_without_any_process_the_server_compiles(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path)
        preparer._command = (str(tmp_path / "nothing"),)
        await preparer.ready(SANTORINI)
        assert preparer.own == ["compiled"]

    finish(work())


def test_what_is_compiled_ahead_gives_way_to_what_somebody_waits_for(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path, HELD)
        ahead = preparer.want(AZUL, is_urgent=False)
        while preparer.progress(AZUL) is None or ahead.kernels == 0:  # until its process has begun
            await asyncio.sleep(0.01)
        await preparer.ready(SANTORINI)
        assert not ahead.done.is_set()
        (tmp_path / "go").touch()
        await ahead.done.wait()
        assert (preparer.starts, preparer.own) == (["azul", "santorini", "azul"], [])
        await preparer.close()

    finish(work())


def test_what_somebody_waits_for_gives_way_to_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path, HELD)
        preparer._slots = 1
        first = preparer.want(AZUL)
        while first.kernels == 0:
            await asyncio.sleep(0.01)
        second = preparer.want(SANTORINI)
        (tmp_path / "go").touch()
        await second.done.wait()
        assert preparer.starts == ["azul", "santorini"]
        await preparer.close()

    finish(work())


def test_one_process_compiles_all_that_is_wanted_of_a_game(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path, HELD)
        wanted = [preparer.want(AZUL, part) for part in (BOARD, "random")]
        while wanted[0].kernels == 0:
            await asyncio.sleep(0.01)
        process = wanted[0].process
        assert process is not None
        (tmp_path / "go").touch()
        for one in wanted:
            await one.done.wait()
        assert preparer.starts == ["azul"]
        assert (tmp_path / "parts").read_text().split() == [BOARD, "random"]
        assert process.returncode is not None  # it has nothing left to do
        await preparer.close()

    finish(work())


def test_closing_ends_the_processes(tmp_path: Path) -> None:
    async def work() -> None:
        preparer = Rehearsed(tmp_path, HELD)
        held = preparer.want(AZUL)
        while held.kernels == 0:
            await asyncio.sleep(0.01)
        process = held.process
        assert process is not None
        await preparer.close()
        assert process.returncode is not None

    finish(work())


# --- how it is told


def test_words_tell_seconds_by_fives() -> None:
    from meeple.web.pages.waiting import about, bar

    words = [about(seconds) for seconds in (0.1, 3.0, 17.2, 20.0, 89.0, 91.0)]
    assert words == ["almost done", "about 5 s", "about 20 s", "about 20 s", "about 90 s", "about 2 min"]
    assert re.search(r'aria-valuenow="25"', bar(0.25))
