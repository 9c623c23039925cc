"""A game from a real table, typed in: the form that begins it, and the page where it is entered."""

from __future__ import annotations

import logging
from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from meeple.core.contract import NOBODY
from meeple.core.definition import Definition
from meeple.core.entry import Entry
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import MeepleError
from meeple.web.entering import Entering, enter, picked, redone, taken_back, undone
from meeple.web.pages.frame import alert, button, heading, main, owner, read_prefs, told, top
from meeple.web.pages.new import NewMatch
from meeple.web.pages.patched import Patched, show_all
from meeple.web.pages.waiting import Bar
from meeple.web.rehearsal import BOARD
from meeple.web.room import Room
from meeple.web.seats import Seat, told_name
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
ALL_OPEN, WATCHING = "All hands lie open", "Only what everybody sees"
LONGEST_TYPED = 4_000  # letters
LOG_REGION = 'tabindex="0" role="region" aria-label="What was entered"'
LOG_CLICK = """(event) => { const row = event.target.closest('li');
if (row && !event.target.closest('summary') && !row.matches('.m-fold')) emit(Number(row.dataset.n)); }"""
TRAY_CLICK = """(event) => { const chip = event.target.closest('[data-pick]'); if (chip) emit(chip.dataset.pick); }"""


class NewEntry(NewMatch):
    """The form: who sits where, and whose eyes see the game."""

    view = "0"

    def build(self, *, is_new: bool = False) -> None:
        """The form, and the button that begins."""
        definition = self.definition
        top(definition.facts.title)
        with main():
            heading(f"{definition.facts.title} from a real table")
            ui.label(
                "Play with your friends, and enter here what happens: moves by clicks on the board, dice, draws and "
                "cards from a list, and ? for what you do not see. Ask for advice, take back anything, and "
                "analyse the game at any time."
            ).classes("m-quiet")
            with ui.element("div").classes("m-row").style("margin:14px 0"):
                button("Begin", self._start, is_main=True, icon="play_arrow")
            self.error = alert()
            self.room.preparer.want(definition)
            Bar(self.room.preparer).follow((definition, BOARD))
            with ui.element("section").classes("m-card").style("margin-top:8px"):
                self._build_players()
                self.rows = ui.element("div")
                self._build_seats()
            with ui.expansion("Variants").classes("m-card").style("margin-top:14px"):
                self._build_variants()
                self._build_laboratory()

    def _build_seats(self) -> None:
        self.rows.clear()
        while len(self.names) < self.players:
            self.names.append(self.known_names[len(self.names)] if len(self.names) < len(self.known_names) else "")
        with self.rows:
            for seat in range(self.players):
                with ui.element("div").classes("m-row").style("margin-top:10px"):
                    ui.label(f"Seat {seat + 1}").style("width:56px")
                    ui.input(
                        "name",
                        value=self.names[seat],
                        on_change=lambda event, n=seat: self._set(self.names, n, event.value),
                    ).props("dense outlined maxlength=24")
            if self.definition.facts.hidden and self.players > 1:
                self.view = self.view if self.view in self._views() else "0"
                ui.select(self._views(), value=self.view, label="Whose eyes see the game").props(
                    "dense outlined"
                ).style("min-width:260px;margin-top:14px").bind_value(self, "view")

    def _views(self) -> dict[str, str]:
        seats = {str(seat): f"Seat {seat + 1}'s" for seat in range(self.players)}
        return seats | {"spectator": WATCHING, "open": ALL_OPEN}

    def plan(self, who: str) -> Callable[[], Table]:
        """What makes the table of the entry, once the game is ready; refuses what does not fit."""
        least, most = self.definition.seats
        settings = dict(self.options) | ({"players": str(self.players)} if most > least else {})
        game = load_game(self.room.game_spec(str(Spec(self.definition.name, settings))))
        names = [told_name(name) or f"Player {seat + 1}" for seat, name in enumerate(self.names[: game.seats])]
        seats = [Seat("here", name, is_named=True) for name in names]
        is_hidden = game.facts.hidden and game.seats > 1
        view = int(self.view) if self.view.isdigit() else {"spectator": NOBODY}.get(self.view)
        start = self.start or None

        def make() -> Table:
            entry = Entry(game, view=view if is_hidden else None, start=start, names=names)
            return Table(game, seats, owner=who, match=entry)

        return make

    async def _start(self) -> None:
        who = owner()
        try:
            make = await self.room.thinker.ask(lambda: self.plan(who), key=who)
            if self.room.preparer.is_ready(self.definition):
                table = await self.room.made(self.definition, make, key=who)
                token = self.room.seat_down(table).owner_token
            else:
                token = self.room.expect(self.definition, make)
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.error.set_text(told(fault))
            return
        ui.navigate.to(f"/table/{token}")


async def enter_page(room: Room, definition: Definition, spec: str, start: str) -> None:
    """The form."""
    form = NewEntry(room, definition, spec, start)
    prefs = await read_prefs()
    form.known_names = prefs.names or [prefs.name]
    form.build()


class EnterView(Entering):
    """One browser that types in a game, with the elements of its page."""

    def __init__(self, room: Room, table: Table) -> None:
        super().__init__(table)
        self.room = room
        self.client = ui.context.client
        self.is_ready, self._is_busy, self._is_stale, self._is_drawing = False, False, False, False
        self.table.listeners.append(self.refresh)
        self.client.on_delete(self._leave)

    def _leave(self) -> None:
        if self.refresh in self.table.listeners:
            self.table.listeners.remove(self.refresh)
        self.room.leave(self.table)

    async def start(self) -> None:
        """Ask the browser how it looks, then draw."""
        prefs = await read_prefs()
        self.is_dark, self.is_narrow = prefs.dark, prefs.is_narrow
        self.settings = prefs.settings(self.table.game.name)
        self._build()
        self.is_ready = True
        self.refresh()

    # --- building

    def _build(self) -> None:
        title = self.table.game.facts.title
        top(f"{title}, from a real table", game=self.table.game.name)
        with main("m-table m-enter"):
            heading(f"{title}, from a real table", classes="m-hidden")
            with ui.element("section").classes("m-card m-seats"):
                heading("Players", 2, "m-hidden")
                self.seats = Patched()
            with ui.element("div").classes("m-boardside"):
                self.picture = Patched().classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
            with ui.element("div").classes("m-sheet"):
                with ui.element("div").classes("m-card m-now"):
                    self._build_now()
                with ui.element("section").classes("m-card m-more"):
                    heading("What was entered", 2, "m-hidden")
                    self.log = (
                        Patched().classes("m-log").props('tabindex="0" role="region" aria-label="What was entered"')
                    )
                    self.log.on("click", self._on_log, js_handler=LOG_CLICK)

    def _build_now(self) -> None:
        """What comes next, the list to choose it from, the line to type it in, and the buttons."""
        self.status_line = Patched().classes("m-status").props('role="status" aria-live="polite"')
        self.note_line = Patched().classes("m-preview").props('role="alert"')
        self.tray = Patched().classes("m-tray")
        self.tray.on("click", self._on_tray, js_handler=TRAY_CLICK)
        self.typed = ui.input("or type it").props(f"dense outlined maxlength={LONGEST_TYPED}").classes("m-typed")
        self.typed.on("keydown.enter", self._on_typed)
        with ui.element("div").classes("m-buttons"):
            self.here = button("Take back to here", self._back_to, icon="history", is_main=True)
            button("Undo", self._undo, icon="undo")
            self.redo = button("Redo", self._redo, icon="redo")
            self.advice = button("Ask for advice", self._ask, icon="lightbulb")
            button("Analyse", lambda: ui.navigate.to(f"/analyse/{self.table.owner_token}"), icon="insights")
            button("Save", self._save, icon="download")

    # --- drawing

    def refresh(self) -> None:
        """Draw again."""
        self._is_stale = True
        if self.is_ready and not self._is_drawing:
            self._is_drawing = True
            background_tasks.create(self._draw_on(), name="drawing")

    async def _draw_on(self) -> None:
        try:
            while self._is_stale and not self.client.is_deleted:
                self._is_stale = False
                drawn = await self.room.read(self.drawn)
                if not self.client.is_deleted:
                    with self.client:
                        show_all(
                            {
                                self.picture: str(drawn.board),
                                self.status_line: escape(drawn.status, quote=False),
                                self.note_line: escape(drawn.note, quote=False),
                                self.tray: str(drawn.tray),
                                self.seats: str(drawn.seats),
                                self.log: str(drawn.log),
                            }
                        )
                        self.here.set_visibility(self.cursor is not None)
                        self.redo.set_visibility(self.entry.can_redo)
                        self.advice.set_visibility(self.cursor is None and self.may_be_advised())
        finally:
            self._is_drawing = False

    # --- what comes in

    async def _change(self, change: Callable[[Entry], Entry]) -> None:
        """Change the entry, in a thread; while one change is under way others are left out."""
        if self._is_busy:
            return
        self._is_busy, entry = True, self.entry
        try:
            changed = await self.room.read(lambda: change(entry))
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.note = told(fault)
            self.refresh()
        else:
            if self.table.match is entry:
                self.table.match, self.cursor = changed, None
                self.forget()
                self.typed.set_value("")
                self.table.changed()
        finally:
            self._is_busy = False

    async def _on_board(self, event: Any) -> None:
        said = event.args
        if not isinstance(said, dict) or said.get("kind") not in ("click", "drag"):
            return
        targets = [said.get("target"), said.get("to")] if said["kind"] == "drag" else [said.get("target")]
        if said.get("version") != self.table.version or not all(isinstance(target, str) for target in targets):
            return
        code = None
        try:
            for target in targets:
                code = self.click(str(target))
        except MeepleError as fault:
            self.note = told(fault)
        if code is None:
            self.refresh()
        else:
            await self._change(lambda entry: enter(entry, code))

    async def _on_tray(self, event: Any) -> None:
        if isinstance(event.args, str):
            await self._change(lambda entry: enter(entry, picked(entry, event.args)))

    async def _on_typed(self) -> None:
        text = str(self.typed.value or "").strip()[:LONGEST_TYPED]
        if text:
            await self._change(lambda entry: enter(entry, text))

    def _on_log(self, event: Any) -> None:
        if isinstance(event.args, int):
            self.look_at(event.args)
            self.refresh()

    # --- the buttons

    async def _undo(self) -> None:
        await self._change(undone)

    async def _redo(self) -> None:
        await self._change(redone)

    async def _back_to(self) -> None:
        at = len(self.entry.steps) if self.cursor is None else self.cursor
        await self._change(lambda entry: taken_back(entry, at))

    async def _ask(self) -> None:
        """The strongest agent's move, as the seat that types in."""
        if self._is_busy or not self.may_be_advised():
            return
        self._is_busy, version = True, self.table.version
        self.note = "thinking …"
        self.refresh()
        try:
            action = await self.room.hint(self.table)
        except Exception as fault:  # whatever it was, it is for the log and not for the page
            LOG.warning("no advice at a table of %s: %s", self.table.game.name, fault)
            self.note = "There is no advice now"
        else:
            if self.table.version == version:
                self.advise(action)
        finally:
            self._is_busy = False
        self.refresh()

    async def _save(self) -> None:
        text = await self.room.read(lambda: self.table.record().text())
        ui.download.content(text, f"{self.table.game.name}.jsonl")
