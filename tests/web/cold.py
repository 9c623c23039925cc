"""The first visit of all: from an empty cache to a board, and to an agent's first move, as a browser would see it.

    python tests/web/cold.py [game ...]

prints for each game, each with a server and a cache of its own: the seconds from the click on Start until the outline,
the board, and the agent's move are there, and how long another visitor's pages took meanwhile, at most.
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

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.core.registry import game_names
from web.conftest import FLAGS, PATIENCE, Server, click_on


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


def first_game(browser: Browser, game: str, folder: Path) -> dict[str, float | str]:
    """Open the page with nothing compiled, start a match, play until the agent has moved."""
    os.environ["MEEPLE_CACHE_DIR"] = str(folder / "cache")
    (folder / "cache").mkdir(mode=0o700)
    server = Server(folder)
    server.start("web", "--prepare")  # as `make play` does: other games are compiled ahead
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.set_default_timeout(PATIENCE * 4)
    page.goto(server.root)
    page.goto(f"{server.root}/new/{game}")
    other = Other(server.root)
    began = time.perf_counter()
    found: dict[str, float | str] = {"game": game}
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".m-outline svg, .m-board svg.board")
    found["outline_s"] = round(time.perf_counter() - began, 1)
    page.wait_for_selector(".m-board svg.board")
    found["board_s"] = round(time.perf_counter() - began, 1)
    while page.locator(".m-log li:not(.m-chance)").count() < 2 or not page.locator(".m-status").inner_text():
        lit = page.locator(".m-stage .lit").first
        if lit.count():
            click_on(page, str(lit.get_attribute("data-t")))
        page.wait_for_timeout(100)
    found["agent_s"] = round(time.perf_counter() - began, 1)
    times = other.leave()
    found["other_p95_ms"] = round(1000 * times[int(0.95 * len(times))], 1)
    found["other_most_ms"] = round(1000 * times[-1], 1)
    server.stop()
    return found


def main() -> None:
    """Run it by hand, on a quiet machine."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for game in sys.argv[1:] or game_names():
            with tempfile.TemporaryDirectory() as folder:
                print(first_game(browser, game, Path(folder)), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
