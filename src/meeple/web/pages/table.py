"""The page of a table: the board with its clicks, seats and scores, the log; what else may be done is in `actions`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from meeple.errors import MeepleError
from meeple.web.clicks import offer_of
from meeple.web.pages.actions import Actions
from meeple.web.pages.company import Company
from meeple.web.pages.frame import Prefs, button, heading, main, owner, read_prefs, top
from meeple.web.pages.keys import show_keys
from meeple.web.pages.naming import introduce
from meeple.web.pages.news import News
from meeple.web.pages.patched import Patched, show_all
from meeple.web.pages.timeline import FAR, TimeLine
from meeple.web.pages.waiting import Bar
from meeple.web.painter import AT_ONCE, PLAYING, WATCHING
from meeple.web.patches import patch_of
from meeple.web.preferences import PACES
from meeple.web.room import Room
from meeple.web.seats import Access
from meeple.web.takeback import can_redo, redo
from meeple.web.viewing import Drawing, Viewing

LOG = logging.getLogger("meeple.web")
LOG_CLICK = """(event) => { const row = event.target.closest('li');
if (row && !event.target.closest('summary') && !row.matches('.m-fold')) emit(Number(row.dataset.n)); }"""
# One stop for Tab, however long it is; then arrow and page keys scroll it.
LOG_REGION = 'tabindex="0" role="region" aria-label="Moves so far"'
STEPS = {"ArrowLeft": -1, "ArrowRight": 1, "Home": -FAR, "End": FAR}  # by key
ZOOMS = (("Zoom out", "remove", 1 / 1.4), ("Whole board", "fit_screen", 0), ("Zoom in", "add", 1.4))


class TableView(Viewing):
    """One browser at a table, with the elements of its page."""

    def __init__(self, room: Room, access: Access) -> None:
        super().__init__(access)
        self.room = room
        self.is_ready = False
        self.hovered: str | None = None
        self.confirms = False  # whether moves are played after a second click
        self._is_stale, self.is_drawing = False, False
        self._is_awaited = False  # somebody here has clicked and waits for the answer
        self.client = ui.context.client
        self.table.listeners.append(self.refresh)
        self.client.on_delete(self._leave)

    def _leave(self) -> None:
        if self.refresh in self.table.listeners:
            self.table.listeners.remove(self.refresh)
            if self.is_ready:
                self.table.leave(self.access.seats)
        self.room.leave(self.table)

    # --- building

    def build(self) -> None:
        """Everything, once; later only contents change."""
        table = self.table
        top(table.game.facts.title, game=table.game.name)
        with main("m-table"):
            heading(f"{table.game.facts.title}, a table", classes="m-hidden")
            with ui.element("section").classes("m-card m-seats") as self.seats_card:
                heading("Players", 2, "m-hidden")
                self.seats = Patched()
            with ui.element("div").classes("m-boardside"):
                self.picture = Patched().classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
                with ui.element("div").classes("m-under") as self.under:
                    self.time_line = TimeLine(self)
                    zoom_buttons()
            self._build_sheet()
        self.announcer = Patched().classes("m-hidden").props('role="status" aria-live="polite"')

    def _build_sheet(self) -> None:
        """Beside the board; on a phone a sheet from below, of which the handle opens the second part."""
        with ui.element("div").classes("m-sheet"):
            ui.element("button").classes("m-handle").props(
                'type="button" aria-expanded="false" aria-controls="m-more" aria-label="Log and more"'
            )
            with ui.element("div").classes("m-card m-now"):
                self.status = Patched().classes("m-status")
                self.now = button("Back to now", self._return, icon="last_page", is_main=True).classes("m-back")
                self.preview = Patched().classes("m-preview")
                self.preparing = Bar(self.room.preparer)
                self.lesson = Patched()
                self.news = News(self)
                self.company = Company(self)
                self.actions = Actions(self)
            with ui.element("div").classes("m-more").props('id="m-more"'):
                self.parts = Patched()
                with ui.element("section").classes("m-card") as self.log_card:
                    heading("Moves", 2, "m-hidden")
                    self.log = Patched().classes("m-log").props(LOG_REGION)
                    self.log.on("click", self._on_log, js_handler=LOG_CLICK)

    async def start(self) -> None:
        """Ask the browser how it looks, then draw."""
        self._remember_seat()
        prefs = await self._ask_prefs()
        if self.access.is_owner and self.access.seats and "pace" in prefs.saved:
            self.table.pace = PACES[prefs.choice("pace")]
        self.build()
        self.time_line.set_speed(prefs.saved.get("replay-speed"))
        self.is_ready = True
        introduce(self, prefs)
        self.table.enter(self.access.seats)
        self.refresh()
        self.room.advance(self.table)

    async def _ask_prefs(self) -> Prefs:
        """How this browser likes to see boards and moves, from now on."""
        prefs = await read_prefs()
        self.is_dark, self.is_narrow = prefs.dark, prefs.is_narrow
        self.settings = prefs.settings(self.table.game.name)
        self.is_notation, self.continues = prefs.choice("moves") == "notation", prefs.choice("auto_continue") is True
        self.confirms = prefs.choice("confirm") is True
        return prefs

    def _remember_seat(self) -> None:
        """Whoever plays by a link finds the match among their games."""
        access = self.access
        if access.is_owner or self.table.is_replay:
            return
        for seat in access.seats:
            self.room.store.sit(owner(), self.table.key, seat, self.table.seats[seat].token)

    # --- drawing

    def refresh(self) -> None:
        """Draw again; called whenever the table changed. What was hovered over is forgotten."""
        self.hovered = None
        self._redraw()

    def _redraw(self) -> None:
        self._is_stale = True
        if self.is_ready and not self.is_drawing:
            self.is_drawing = True
            background_tasks.create(self._draw_on(), name="drawing")

    async def _draw_on(self) -> None:
        """Draw in another thread, and again as long as something has changed meanwhile."""
        try:
            while self._is_stale and not self.client.is_deleted:
                self._is_stale = False
                self.catch_up()
                still = self.still()
                drawing = await self._drawn(still)
                if not self.client.is_deleted:
                    self._show(drawing, still)
        finally:
            self.is_drawing = False

    async def _drawn(self, still: Viewing) -> Drawing:
        """The drawing of this moment, at once where somebody here waits for it."""
        patience = AT_ONCE if self._is_awaited else PLAYING if self.access.seats else WATCHING
        self._is_awaited = False
        job = partial(_draw, still, self.hovered, self.picture.content, self.log.content)
        return await self.room.drawing(still.table, (self.hovered, still.sight()), job, patience=patience)

    def _show(self, drawing: Drawing, still: Viewing) -> None:
        """Send what was drawn; where the table has moved on meanwhile, clicks on it are refused, and more follows."""
        self.told = drawing.told
        with self.client:
            show_all(self._contents(drawing))
            self.seats_card.set_visibility(not still.is_curtained)
            self.log_card.set_visibility(not still.is_curtained)
            self.news.draw(drawing.news)
            self.company.draw()
            self.actions.draw()
            self.under.set_visibility(not still.is_curtained)
            self.now.set_visibility(self.cursor is not None and not self.table.is_replay)
            self.time_line.draw()
            self.preparing.follow(self.room.awaited(self.table))

    def _contents(self, drawing: Drawing) -> dict[Patched, str]:
        """What each element shows; together, so that no line tells of a move before the board shows it."""
        return {
            self.picture: drawing.board,
            self.lesson: drawing.lesson,
            self.seats: drawing.seats,
            self.log: drawing.log,
            self.status: escape(drawing.status, quote=False),
            self.preview: escape(drawing.note, quote=False),
            self.announcer: escape(drawing.announcement, quote=False),
            self.parts: drawing.parts,
        }

    def attempt(self, change: Callable[[], None]) -> None:
        """A change that may be refused."""
        try:
            change()
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.note = str(fault)
            self.refresh()

    # --- clicks

    def _on_board(self, event: Any) -> None:
        """What the page reports; anything ill-formed, stale or forged is refused and changes nothing."""
        told = event.args
        if not isinstance(told, dict) or not isinstance(told.get("kind"), str):
            LOG.warning("refused: an ill-formed click")
            return
        kind, target, version = told["kind"], told.get("target"), told.get("version")
        self._is_awaited = kind != "hover"
        if target is not None and not isinstance(target, str):
            LOG.warning("refused: an ill-formed target")
            return
        if kind == "key" and target is not None:
            self._on_key(target)
        elif version != self.table.version:
            LOG.info("refused: a click on a board that is gone")
        elif kind == "hover":
            self._on_hover(target)
        elif kind == "click" and target is not None:
            self._on_click(target)
        elif kind == "drag" and target is not None and isinstance(told.get("to"), str):
            self._on_click(target)
            if self.chosen and told["to"] in offer_of(self.state).after(self.chosen):
                self._on_click(told["to"])

    def _on_click(self, target: str) -> None:
        seat = self.table.mover

        def clicked() -> None:
            self.held = -1
            action = self.click(target)
            if action is None:
                self.refresh()
            elif self.confirms:
                self._hold(action)
            else:
                self.table.play(seat, action)

        self.attempt(clicked)

    def _hold(self, action: int) -> None:
        """Show a move as it was clicked, and wait for a second word."""
        self.held, self.chosen = action, self.state.paths(action)[0]
        self.note = self.worth(action)
        self.refresh()

    def play_held(self) -> None:
        """Play the move that was clicked and waits."""
        self.catch_up()  # nothing waits on a board that is gone
        action, self.held = self.held, -1
        if action >= 0:
            self.chosen = ()
            self.attempt(lambda: self.table.play(self.table.mover, action))

    def _on_hover(self, target: str | None) -> None:
        if self.held >= 0:
            return
        self.note, self.hovered = self.hint_words(), target
        self._redraw()

    def _on_key(self, key: str) -> None:
        if key == "Escape":
            self.time_line.stop()
            self.go_back_a_step()
        elif key in STEPS:
            self.time_line.go(STEPS[key])
        elif key == "p":
            self.time_line.toggle()
        elif key == "h":
            self.actions.hint()
        elif key == "?":
            with self.client:
                show_keys()
        elif key == "u" and self.access.seats:
            self.actions.undo()
        elif key == "r" and self.access.seats and can_redo(self.table):
            self.attempt(lambda: redo(self.table))

    def go_back_a_step(self) -> None:
        """One target less, drawn."""
        self.step_back()
        self.refresh()

    # --- looking back

    def play_from_start(self) -> None:
        """Show the match again, move by move."""
        self.time_line.go(-FAR)
        self.time_line.toggle()

    def _on_log(self, event: Any) -> None:
        if isinstance(event.args, int):
            self.time_line.stop()
            self.show(event.args)

    def show(self, cursor: int) -> None:
        """Look at the match after so many events."""
        if self.look_at(cursor):
            self.refresh()

    def _return(self) -> None:
        """Back to where the match stands."""
        self.time_line.stop()
        self.show(len(self.table.match.steps))


def _draw(still: Viewing, hovered: str | None, board: str, log: str) -> Drawing:
    """Draw, and find what changed since `board` and `log`, while it does not hold up the event loop."""
    drawing = still.drawing(hovered=hovered)
    patch_of(board, drawing.board)
    patch_of(log, drawing.log)
    return drawing


def zoom_buttons() -> None:
    """For those who have neither wheel nor fingers on the board; the browser does it alone."""
    with ui.element("div").classes("m-zoom m-joined").props('role="group" aria-label="Zoom"'):
        for label, icon, factor in ZOOMS:
            made = ui.button(icon=icon, color=None).props(f'unelevated aria-label="{label}"').tooltip(label)
            made.classes("m-button").on("click", js_handler=f"() => meepleZoom.by({factor})")
    with ui.element("div").classes("m-joined m-wide").props('role="group" aria-label="More"'):
        made = ui.button(icon="fullscreen", color=None).props('unelevated aria-label="Full screen"')
        made.tooltip("Full screen").classes("m-button").on("click", js_handler="() => meeple.fill()")
        button("", show_keys, icon="keyboard", label="Keys")
