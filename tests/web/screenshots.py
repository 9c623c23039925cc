"""Pictures of every page and board, wide and narrow, light and dark, for a person to look at.

python tests/web/screenshots.py FOLDER [scene ...]: scenes by patterns such as `azul-*`; without any, all of them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.agents.base import ask
from meeple.agents.levels import levels_of
from meeple.agents.registry import load_agent
from meeple.analysis.puzzles import puzzles_of
from meeple.arena.store import Store
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.core.entry import Entry
from meeple.core.registry import find_definition, game_names, load_game
from meeple.web.endings import fresh_round
from meeple.web.seats import Seat
from meeple.web.table import Table
from web.conftest import FLAGS, Server, new_table

WINDOWS = {"wide": (1440, 900), "laptop": (1280, 720), "phone": (390, 844)}
SIGHTS = (("wide", "light"), ("laptop", "dark"), ("phone", "light"), ("phone", "dark"))
PATIENCE = 120_000  # milliseconds: a hint may have to compile first
BOARD = ".m-board svg.board"


@dataclass(frozen=True)
class Scene:
    """Something to look at: its address, what must be there, and what is done before the picture is taken."""

    name: str
    path: str | Callable[[], str]  # made only for what is looked at
    ready: str
    act: Callable[[Page], None] = lambda page: None


def table_of(name: str, players: int, until: Callable[[Table], bool]) -> Table:
    """A table against the middle level, played at random until `until`, the first seat to move, or to its end."""
    least, most = find_definition(name).seats
    spec = f"{name}:players={players}" if most > least else name
    levels = list(levels_of(find_definition(name)).items())
    level, agent = levels[len(levels) // 2]
    table = new_table(spec, "here", *["random"] * (players - 1), seed=4)
    for number in range(1, players):
        title = level if players == 2 else f"{level} {'abcdefghi'[number - 1]}"
        table.seats[number] = Seat("agent", title, agent, level=level)
    chooser = load_agent("random", table.game)
    while not table.match.is_over and not (table.match.to_move == 0 and until(table)):
        table.match.play(ask(chooser, table.match))
    table.is_paused = True
    return table


def hint(page: Page) -> None:
    """Ask for a hint, and wait for it."""
    page.keyboard.press("h")
    page.wait_for_selector(".m-hint")


def settings(page: Page) -> None:
    """Open the settings."""
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector(".m-setting")


def keys(page: Page) -> None:
    """Show what keys do."""
    page.keyboard.press("?")
    page.wait_for_selector(".m-keys")


def unfold(page: Page) -> None:
    """Open what is folded in a form."""
    for fold in page.locator(".q-expansion-item").all():
        fold.locator(".q-item").first.click()
    page.wait_for_selector(".q-expansion-item__content :is(.q-field, .q-item):visible")


def sheet(page: Page) -> None:
    """Draw up a phone's sheet."""
    handle = page.locator(".m-handle")
    if handle.is_visible():
        handle.click()


def played_tournament(server: Server, name: str) -> str:
    """The address of a small tournament that was played to its end."""
    tournament = prepare_tournament(name, ["greedy", "first", "random"], games=6, both=True)
    (server.folder / "tournaments").mkdir(exist_ok=True)
    with Store.open(server.folder / "tournaments" / f"{name}.sqlite", tournament.configuration()) as store:
        play_tournament(tournament, store, workers=0)
    return f"/tournament/{name}"


def entered(name: str, players: int) -> Table:
    """A game from a real table that is about to be typed in, as seat 1 sees it."""
    least, most = find_definition(name).seats
    entry = Entry(load_game(f"{name}:players={players}" if most > least else name), view=0, seed=4)
    seats = [Seat("here", who, is_named=True) for who in ("Ann", "Ben", "Cleo")[:players]]
    return Table(entry.game, seats, owner="nobody", match=entry)


def scenes(server: Server) -> Iterator[Scene]:
    """All that is looked at."""
    yield Scene("home", "/", ".m-game")
    yield Scene("games", "/games", "main h1")
    yield Scene("replay", "/replay", ".m-drop")
    yield Scene("lost", "/nowhere", ".m-nowhere")
    yield Scene("no-table", "/table/none", ".m-nowhere")
    yield Scene("puzzles", "/puzzles", "main h1")
    yield Scene("tournaments", "/tournaments", "main button")
    yield Scene("tournaments-open", "/tournaments", "main button", unfold)
    yield Scene("tournament", partial(played_tournament, server, "santorini"), ".m-tournament .m-plot:visible")
    for name in game_names():
        if find_definition(name).picture is not None:
            yield from of_game(server, name)


def of_game(server: Server, name: str) -> Iterator[Scene]:
    """The form and the rules of a game, and its board from start to end."""
    least, most = find_definition(name).seats

    def seated(make: Callable[[], Table]) -> Callable[[], str]:
        return lambda: f"/table/{server.seat_down(make()).owner_token}"

    def at(players: int, until: Callable[[Table], bool]) -> Callable[[], str]:
        return seated(partial(table_of, name, players, until))

    yield Scene(f"{name}-new", f"/new/{name}", "main button")
    yield Scene(f"{name}-new-open", f"/new/{name}", "main button", unfold)
    yield Scene(f"{name}-rules", f"/rules/{name}", ".m-rule")
    usual = max(2, least)
    yield Scene(f"{name}-enter", f"/enter/{name}", "main button", unfold)
    yield Scene(f"{name}-entered", seated(partial(entered, name, usual)), BOARD)
    yield Scene(f"{name}-setup", f"/setup/{name}", BOARD)
    if puzzles_of(find_definition(name)):
        yield Scene(f"{name}-puzzle", f"/puzzles/{name}", ".m-board .lit")
    yield Scene(f"{name}-start", at(usual, lambda table: True), BOARD)
    for players in sorted({least, usual, most}):
        yield Scene(f"{name}-{players}", at(players, lambda table: table.match.ply >= 14), BOARD)
    middle = at(usual, lambda table: table.match.ply >= 20)
    yield Scene(f"{name}-hint", middle, BOARD, hint)
    yield Scene(f"{name}-settings", middle, BOARD, settings)
    if name == "santorini":
        yield Scene("keys", middle, BOARD, keys)
    over = partial(table_of, name, usual, lambda table: False)
    yield Scene(f"{name}-end", seated(over), BOARD, sheet)

    def analysed() -> str:
        table = server.seat_down(over())
        return f"/analyse/{table.owner_token}?move={min(12, table.match.ply - 1)}&effort=quick"

    yield Scene(f"{name}-analysis", analysed, ".m-candidates")
    if name == "saboteur":
        yield Scene(f"{name}-round", at(usual, lambda table: fresh_round(table, 0) is not None), BOARD, sheet)


def shoot(browser: Browser, root: str, scene: Scene, folder: Path) -> None:
    """One scene in every window and light."""
    path = scene.path if isinstance(scene.path, str) else scene.path()
    for window, light in SIGHTS:
        width, height = WINDOWS[window]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=light,  # type: ignore[arg-type]
            has_touch=window == "phone",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(root + path)
        page.wait_for_selector(scene.ready)
        page.wait_for_load_state("networkidle")
        page.wait_for_function(
            "light => document.body.classList.contains('body--dark') === (light === 'dark')", arg=light
        )
        scene.act(page)
        page.wait_for_timeout(700)  # for what the browser draws by itself
        is_fixed = window == "phone" and "/table/" in path  # its sheet lies at the foot of the window
        page.screenshot(path=folder / f"{scene.name}-{window}-{light}.png", full_page=not is_fixed)
        context.close()


def main() -> None:
    """All of them, or those asked for, into a folder."""
    folder, patterns = Path(sys.argv[1]), sys.argv[2:] or ["*"]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        server.start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for scene in scenes(server):
            if any(fnmatchcase(scene.name, pattern) for pattern in patterns):
                shoot(browser, server.root, scene, folder)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
