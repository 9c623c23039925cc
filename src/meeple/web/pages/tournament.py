"""One tournament: its table as it grows, the games that are being played, stop and go on, every game to look at."""

from __future__ import annotations

import logging
import time

from nicegui import ui

from meeple.arena.store import stored_record
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.core.svg import Markup, joined, tag
from meeple.errors import MeepleError
from meeple.web.pages.errors import lost
from meeple.web.pages.frame import button, heading, main, owner, told, top
from meeple.web.pages.replay import replay_table
from meeple.web.pages.ticker import Ticker
from meeple.web.pages.waiting import bar
from meeple.web.panels import without_folders
from meeple.web.room import Room
from meeple.web.standings import Standings, name_of
from meeple.web.tournaments import Running

LOG = logging.getLogger("meeple.web")
EVERY = 1.0  # seconds between two looks
PATIENCE = 10  # the table is made anew after so many times as long as it took, so that it never takes all of a core
MOST_BOARDS = 4


class TournamentView:
    """A page that follows one tournament."""

    def __init__(self, room: Room, name: str) -> None:
        self.room, self.name = room, name
        self.games = -1  # that the tables shown were made of
        self.due = 0.0  # before then they are not made anew
        self.boards = ""
        self.is_busy = False
        self.standings: Standings | None = None

    async def start(self) -> None:
        """The page, filled and kept up to date."""
        top("Tournament")
        with main("m-page m-history m-tournament"):
            heading("Tournament")
            self.title = ui.label().classes("m-quiet")
            with ui.element("div").classes("m-row"):
                self.state = ui.label().props('aria-live="polite"').classes("m-state")
                self.stop = button("Stop", self._stop, icon="stop")
                self.go_on = button("Go on", self._go_on, icon="play_arrow", is_main=True)
                ui.link("All tournaments", "/tournaments")
            self.bar = ui.html("", sanitize=False)
            self.fault = ui.label().classes("m-bad").props('role="alert"')
            self.verdict = ui.label().classes("m-verdict")
            self.plots = ui.html("", sanitize=False)
            self.tables = ui.html("", sanitize=False)
            self.remarks = ui.html("", sanitize=False).classes("m-quiet")
            with ui.element("section") as self.live:
                heading("On the boards now", 2)
                self.shown = ui.html("", sanitize=False).classes("m-live")
            with ui.element("section"):
                heading("The latest games", 2)
                self.latest = ui.html("", sanitize=False).classes("m-scroll")
            with ui.element("section"):
                heading("The same at the command line", 2)
                self.command = ui.label().classes("m-code-line")
        self.ticker = Ticker(EVERY, self.look)
        await self.look()

    async def look(self) -> None:
        """Show what has changed."""
        if self.is_busy:  # the last look is not through
            return
        self.is_busy = True
        try:
            running = self.room.tournaments.running(self.name)
            self._tell(running)
            await self._read(running)
            await self._draw(running)
            self.ticker.active = running is not None
        finally:
            self.is_busy = False

    def _tell(self, running: Running | None) -> None:
        fault = self.room.tournaments.faults.get(self.name, "")
        self.fault.set_text(told(fault) if fault else "")
        self.state.set_text(running.words[:1].upper() + running.words[1:] if running else "Not running")
        share = running.counted / running.wanted if running and running.wanted else None
        self.bar.set_content("" if share is None else bar(share, "games played so far"))
        self.stop.set_visibility(running is not None and not running.is_stopping)
        self.go_on.set_visibility(running is None)
        self.live.set_visibility(bool(running and running.boards))
        if running is not None:
            self.command.set_text(running.plan.command())

    async def _read(self, running: Running | None) -> None:
        """Make the tables of what is stored, where there is more than was shown, and not too often."""
        path, is_over = self.room.tournaments.path(self.name), running is None
        if not path.exists() or (time.monotonic() < self.due and not is_over):
            return
        began = time.monotonic()
        try:
            found = await self.room.read(lambda: Standings.of(path, self.name, trust=self.room.trusts_specs))
        except MeepleError as fault:
            LOG.info("a tournament cannot be shown: %s", fault)
            self.fault.set_text(told(fault))
            self.due = time.monotonic() + 60.0
            return
        self.due = time.monotonic() + max(EVERY, PATIENCE * (time.monotonic() - began))
        self.standings = found
        if found.games != self.games or is_over:
            self.games = found.games
            self.title.set_text(without_folders(found.heading))
            self.tables.set_content(found.tables)
            self.plots.set_content(found.plots)
            self.verdict.set_text(told(found.verdict) if found.verdict else "No set of games is over yet.")
            self.remarks.set_content("" if running else joined(tag("p", line) for line in found.remarks))
            self.latest.set_content(found.latest or "None yet.")
        if running is None and not self.command.text:
            self.command.set_text(f"meeple results {self.name}.sqlite")

    async def _draw(self, running: Running | None) -> None:
        """The boards of the games that are being played."""
        boards = running.boards[:MOST_BOARDS] if running else []
        key = repr(boards)
        if not boards or key == self.boards or running is None:
            return
        self.boards, spec = key, running.plan.game
        self.shown.set_content(await self.room.draw(lambda: joined(_board(load_game(spec), each) for each in boards)))

    def _stop(self) -> None:
        self.room.tournaments.stop(self.name)
        self._tell(self.room.tournaments.running(self.name))

    async def _go_on(self) -> None:
        try:
            self.room.tournaments.resume(self.name)
        except MeepleError as fault:
            self.fault.set_text(told(fault))
            return
        await self.look()


def _board(game: Game, told_of: dict[str, object]) -> Markup:
    """A game that is being played: who plays, and its board, all open: nobody who plays looks at this page."""
    state = game.read(str(told_of["position"]))
    agents = told_of["agents"] if isinstance(told_of["agents"], list) else []
    names = " · ".join(name_of(str(agent), game) for agent in agents)
    words = tag("div", f"Game {told_of['game']}, move {told_of['ply']}: {names}", class_="m-quiet")
    return tag("figure", Markup(state.picture()), words, class_="m-card")


async def tournament_page(room: Room, name: str) -> None:
    """The page of one tournament."""
    if not room.tournaments.is_known(name):
        lost("There is no tournament of this name here.")
        return
    await TournamentView(room, name).start()


async def stored_game_page(room: Room, name: str, game: str) -> None:
    """A game of a tournament, opened as a replay of its own."""
    if not room.tournaments.is_known(name):
        lost("There is no tournament of this name here.")
        return
    who, path = owner(), room.tournaments.path(name)
    try:
        table = await room.read(lambda: replay_table(stored_record(path, game), who, trust=room.trusts_specs))
        room.seat_down(table)
    except MeepleError as fault:
        lost(told(fault))
        return
    ui.navigate.to(f"/table/{table.owner_token}")
