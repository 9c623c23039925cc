"""The first visit of all: from an empty cache to a board, and to an agent's first move, as a browser would see it.

    python tests/web/cold.py [game ...]

prints a row for each game, each with a server and a cache of its own: the seconds from the start of the server until
it answers, and until the outline, the board and the agent's first move are there; the longest time that nothing moved
on the page; how long another visitor's pages took meanwhile; and the CPU seconds of the server with the processes that
compiled for it (on Linux).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.core.registry import game_names
from web.conftest import FLAGS, PATIENCE, Server, click_on
from web.load import cpu_seconds

# Notes the longest time in which nothing on the page changed, from page to page.
WATCH = """
new MutationObserver(() => {
  const now = Date.now(), quiet = now - Number(sessionStorage.moved || now);
  sessionStorage.quiet = Math.max(Number(sessionStorage.quiet || 0), quiet);
  sessionStorage.moved = now;
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
# How many seats the log tells a move of, by their signs.
MOVERS = "new Set([...document.querySelectorAll('.m-log .m-dot')].map((sign) => sign.textContent)).size"
HEADS = ("game", "answers", "outline", "board", "agent", "stood still", "others p95", "others most", "CPU")
UNITS = ("", "s", "s", "s", "s", "s", "ms", "ms", "s")


class Other:
    """Another visitor, who opens the home page again and again."""

    def __init__(self, url: str) -> None:
        self.url, self.times, self._is_over = url, list[float](), False
        self._thread = threading.Thread(target=self._visit, daemon=True)
        self._thread.start()

    def _visit(self) -> None:
        while not self._is_over:
            began = time.perf_counter()
            urllib.request.urlopen(self.url, timeout=600).read()
            self.times.append(time.perf_counter() - began)
            time.sleep(0.05)

    def leave(self) -> list[float]:
        """What its visits took, in seconds, the longest last."""
        self._is_over = True
        self._thread.join()
        return sorted(self.times)


def first_game(browser: Browser, game: str, folder: Path) -> list[str | float]:
    """Start the server with nothing compiled, start a match, play until the agent has moved; a row of findings."""
    os.environ["MEEPLE_CACHE_DIR"] = str(folder / "cache")
    (folder / "cache").mkdir(mode=0o700)
    began = time.perf_counter()
    server = Server(folder)
    server.start("web", "--prepare")  # as `make play` does: other games are compiled ahead
    row: list[str | float] = [game, time.perf_counter() - began]
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 4)
    page.goto(server.root)
    other = Other(server.root)
    page.goto(f"{server.root}/new/{game}")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".m-outline svg, .m-board svg.board")
    row.append(time.perf_counter() - began)
    page.wait_for_selector(".m-board svg.board")
    row.append(time.perf_counter() - began)
    play_until_answered(page)
    row.append(time.perf_counter() - began)
    row.append(float(page.evaluate("Number(sessionStorage.quiet)")) / 1000)
    times = [1000 * seconds for seconds in other.leave()]
    assert server.process is not None
    cpu = cpu_seconds(server.process.pid, with_children=True)
    context.close()
    server.stop()
    return [*row, times[int(0.95 * len(times))], times[-1], cpu if cpu is not None else float("nan")]


def play_until_answered(page: Page) -> None:
    """Click on what is lit until another seat has moved and it is this person's turn again."""
    while page.evaluate(MOVERS) < 2 or not page.locator('.m-stage[data-turn="mine"]').count():
        lit = page.locator(".m-stage .lit").first
        if lit.count():
            click_on(page, str(lit.get_attribute("data-t")))
        page.wait_for_timeout(100)


def main() -> None:
    """Run it by hand, on a quiet machine."""
    print("".join(f"{head:>14}" for head in HEADS))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for game in sys.argv[1:] or game_names():
            with tempfile.TemporaryDirectory() as folder:
                row = zip(first_game(browser, game, Path(folder)), UNITS, strict=True)
            cells = (f"{one:.1f} {unit}" if isinstance(one, float) else one for one, unit in row)
            print("".join(f"{cell:>14}" for cell in cells), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
