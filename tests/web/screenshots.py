"""Pictures of every page and board, wide and narrow, light and dark, for a person to look at.

python tests/web/screenshots.py FOLDER [game ...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.core.registry import find_definition, game_names
from meeple.web.table import Table
from web.conftest import FLAGS, Server, new_table

WINDOWS = {"wide": (1440, 900), "laptop": (1280, 720), "phone": (390, 844)}


def middle_of(name: str, players: int) -> Table:
    """A table in the middle of a match, the first seat to move."""
    least, most = find_definition(name).seats
    spec = f"{name}:players={players}" if most > least else name
    table = new_table(spec, "here", *["random"] * (players - 1), seed=4)
    agent = load_agent("random", table.game)
    while not table.match.is_over and (table.match.ply < 14 or table.match.to_move != 0):
        table.match.play(ask(agent, table.match))
    return table


def shoot(browser: Browser, url: str, ready: str, path: Path) -> None:
    """One address in every window and light."""
    for window, (width, height) in WINDOWS.items():
        for light in ("light", "dark"):
            size = {"width": width, "height": height}
            context = browser.new_context(viewport=size, color_scheme=light)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector(ready, timeout=120_000)
            page.wait_for_load_state("networkidle")
            is_fixed = window == "phone" and "/table/" in url  # its sheet lies at the foot of the window
            page.screenshot(path=f"{path}-{window}-{light}.png", full_page=not is_fixed)
            context.close()


def main() -> None:
    """All of them, into a folder."""
    folder, names = Path(sys.argv[1]), sys.argv[2:] or game_names()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        server.start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        shoot(browser, server.root, ".m-game", folder / "home")
        for name in names:
            least, most = find_definition(name).seats
            shoot(browser, f"{server.root}/new/{name}", "main button", folder / f"{name}-new")
            shoot(browser, f"{server.root}/rules/{name}", ".m-rule", folder / f"{name}-rules")
            for players in sorted({least, max(2, least), most}):
                table = server.seat_down(middle_of(name, players))
                url = f"{server.root}/table/{table.owner_token}"
                shoot(browser, url, ".m-board svg.board", folder / f"{name}-{players}")
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
