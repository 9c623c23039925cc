"""A server of its own for the browser tests, and a real browser."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as FilePath
from threading import Thread
from typing import IO, Any, TypeVar

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from meeple.core.game import State
from meeple.core.match import Match
from meeple.core.picture import Path
from meeple.core.registry import load_game
from meeple.web.clicks import offer_of
from meeple.web.room import Room
from meeple.web.seats import Seat
from meeple.web.table import Table

T = TypeVar("T")
# What is waited for comes at once, but where a game is compiled first: on a new machine that takes a while.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Server:
    """`meeple web` as a process, on data of its own."""

    def __init__(self, folder: FilePath) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self, *words: str) -> None:
        """Start it and wait for its address."""
        # Told that a test runs, the page's framework would wait for a test of its own.
        environment = {name: word for name, word in os.environ.items() if not name.startswith("PYTEST")}
        environment |= {"MEEPLE_DATA_DIR": str(self.folder), "PYTHONFAULTHANDLER": "1"}
        words = words or ("web",)
        if words[0] == "web" and "--prepare" not in words:  # all games would keep a new machine busy throughout
            words = (*words, "--no-prepare")
        command = [sys.executable, "-m", "meeple", *words, "--no-open", "--port", "0"]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"Meeple is at (\S+)", line)
            if found:
                self.url = found[1]
                Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()
                return
        raise AssertionError(f"the server did not start: {''.join(said)}")

    def _listen(self, stdout: IO[str]) -> None:
        """Keep what it says from now on in `server.log` of its folder: a full pipe would hold it."""
        with open(self.folder / "server.log", "a") as log:
            for line in stdout:
                log.write(line)
                log.flush()

    @property
    def root(self) -> str:
        """The address without a path."""
        return "/".join(self.url.split("/")[:3])

    def stop(self, how: int = signal.SIGINT) -> int:
        """End it; its exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(timeout=60)

    def seat_down(self, table: Table) -> Table:
        """Put a table on the server's disk, where a token finds it, whatever other tests' running matches hold."""
        (self.folder / "web").mkdir(parents=True, exist_ok=True)
        room = Room(self.folder / "web")
        room.store.is_contested = lambda position: False  # type: ignore[method-assign]
        room.seat_down(table)
        room.close()
        return table


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a process."""
    made = Server(tmp_path_factory.mktemp("web"))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def server(shared_server: Server) -> Server:
    """The server of this process. Where it has died since the last test, one test fails, and others get a new one."""
    assert shared_server.process is not None
    code = shared_server.process.poll()
    if code is not None:
        last = (shared_server.folder / "server.log").read_text()[-3_000:]
        shared_server.start()
        pytest.fail(f"the page's server had ended with {code}:\n{last}")
    return shared_server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or any on the path."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.fail("the page's tests need Chromium: install it with `apt-get install chromium`")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window of a desktop's size; an error on the page fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    made = context.new_page()
    made.set_default_timeout(PATIENCE)
    faults: list[str] = []
    made.on("pageerror", lambda fault: faults.append(str(fault)))
    yield made
    context.close()
    assert faults == []


def new_table(game: str, *kinds: str, seed: int = 1, **options: Any) -> Table:
    """A table; a kind is here, elsewhere, or an agent's spec."""
    board = load_game(game)
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
    seats = [
        Seat(kind, names[n], is_named=True) if kind in ("here", "elsewhere") else Seat("agent", kind, kind)  # type: ignore[arg-type]
        for n, kind in enumerate(kinds)
    ]
    table = Table(board, seats, owner="nobody", match=Match(board, seed=seed), **options)
    table.pace = 0.0
    return table


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end in a thread of its own: the browser keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def open_table(page: Page, server: Server, token: str) -> None:
    """Open a table and wait until something is drawn."""
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.root}/table/{token}")
    page.wait_for_selector(".m-board > *")
    page.wait_for_selector(".m-buttons button")


def clicks_of(state: State, path: Path) -> list[str]:
    """The clicks that a person makes on a path: where it goes on in one way only, it does so by itself."""
    offer, chosen, clicks = offer_of(state), (), []
    while offer.action(chosen) is None:
        clicks.append(path[len(chosen)])
        chosen = offer.followed((*chosen, clicks[-1]))
    return clicks


def click_on(page: Page, target: str) -> None:
    """Click a target where it is lit, as a person would; the answer is a new picture."""
    page.wait_for_selector(f'.lit[data-t="{target}"]')
    page.evaluate(
        """target => { const node = document.querySelector(`.m-board [data-t="${CSS.escape(target)}"]`);
        node.dispatchEvent(new MouseEvent("click", { bubbles: true })); }""",
        target,
    )
