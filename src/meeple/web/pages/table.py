"""The page of a table: the board with its clicks, seats and scores, the log, and what a player may do."""

from __future__ import annotations

import json
import logging
from typing import Any
from urllib.parse import quote

from nicegui import ui

from meeple.agents.registry import load_agent
from meeple.core.svg import tag
from meeple.errors import MeepleError
from meeple.web import panels
from meeple.web.clicks import offer_of
from meeple.web.levels import opponent_of
from meeple.web.pages.frame import button, keep, owner, read_prefs, top
from meeple.web.room import Room
from meeple.web.table import Access, Refused, Seat, Table
from meeple.web.viewing import Viewing

LOG = logging.getLogger("meeple.web")
LOG_CLICK = "(event) => { const row = event.target.closest('li'); if (row) emit(Number(row.dataset.n)); }"


class TableView(Viewing):
    """One browser at a table, with the elements of its page."""

    def __init__(self, room: Room, access: Access) -> None:
        super().__init__(access)
        self.room = room
        self.is_ready = False
        self._fit: object = None
        self._client = ui.context.client
        self.table.listeners.append(self.refresh)
        self._client.on_delete(self._leave)

    def _leave(self) -> None:
        if self.refresh in self.table.listeners:
            self.table.listeners.remove(self.refresh)
        self.room.leave(self.table)

    # --- building

    def build(self) -> None:
        """Everything, once; later only contents change."""
        table = self.table
        top(table.game.facts.title)
        with ui.element("main").classes("m-table"):
            with ui.element("div").classes("m-boardside"):
                self.picture = ui.html("", sanitize=False).classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
                self._build_replay()
            with ui.element("div").classes("m-side"):
                with ui.element("section").classes("m-card m-seats").style("margin:0") as self.seats_card:
                    self.seats = ui.html("", sanitize=False)
                with ui.element("div").classes("m-card"):
                    self.status = ui.label().classes("m-status")
                    self.preview = ui.label().classes("m-preview")
                    self.lesson = ui.html("", sanitize=False)
                    self.buttons = ui.element("div").classes("m-buttons")
                with ui.element("section").classes("m-card").style("margin:0") as self.log_card:
                    self.log = ui.html("", sanitize=False).classes("m-log")
                    self.log.on("click", self._on_log, js_handler=LOG_CLICK)
                self._build_choices()
        self.announcer = ui.label().classes("m-hidden").props('role="status" aria-live="polite"')

    def _build_replay(self) -> None:
        with ui.element("div").classes("m-replay") as self.replay:
            button("", lambda: self._go(-1), icon="chevron_left", label="One step back")
            self.slider = ui.slider(min=0, max=1, value=0, on_change=self._on_slider).props(
                'aria-label="Where in the match" color="amber-8"'
            )
            button("", lambda: self._go(1), icon="chevron_right", label="One step on")

    def _build_choices(self) -> None:
        options = getattr(self.table.game.definition.picture, "SETTINGS", ())
        with ui.element("div").classes("m-row"):
            for option in options:
                ui.select(
                    list(option.values),
                    value=self.settings.get(option.name, option.default),
                    label=option.name,
                    on_change=lambda event, name=option.name: self._choose_setting(name, event.value),
                ).props("dense outlined options-dense").tooltip(option.help).style("min-width:96px")

    async def start(self) -> None:
        """Ask the browser how it looks, then draw."""
        prefs = await read_prefs()
        self.is_dark, self.is_narrow = prefs.dark, prefs.is_narrow
        self.settings = prefs.settings(self.table.game.name)
        self.build()
        self.is_ready = True
        self.refresh()
        self.room.advance(self.table)

    # --- drawing

    def refresh(self) -> None:
        """Draw again; called whenever the table changed."""
        if not self.is_ready:
            return
        self.catch_up()
        with self._client:
            self.picture.set_content(self.board())
            self.status.set_text(self.status_text())
            self.preview.set_text(self.note)
            self._draw_lesson()
            self._draw_panels()
            self._draw_buttons()
            self._draw_replay()

    def _draw_panels(self) -> None:
        """Seats and log; behind a curtain nothing of them is sent."""
        table, viewer, is_shown = self.table, self.viewer, not self.is_curtained
        self.seats_card.set_visibility(is_shown)
        self.log_card.set_visibility(is_shown)
        self.seats.set_content(panels.seats_panel(table, self.state, viewer, self.cursor) if is_shown else "")
        self.log.set_content(panels.log_panel(table, viewer, self.cursor) if is_shown else "")
        self.announcer.set_text(panels.announcement(table, viewer) if is_shown else "")

    def _draw_replay(self) -> None:
        steps = len(self.table.match.steps)
        self.replay.set_visibility(steps > 0 and not self.is_curtained)
        self.slider.props(f"max={max(1, steps)}")
        self.slider.set_value(steps if self.cursor is None else self.cursor)

    def _draw_lesson(self) -> None:
        body = [tag("div", tag("b", lesson.title), tag("div", lesson.text)) for lesson in self.lessons()]
        self.lesson.set_content(tag("div", *body, class_="m-card m-lesson") if body else "")

    # --- buttons

    def _draw_buttons(self) -> None:
        """The buttons that fit; they are made anew only when others fit, lest a click meet one that is going."""
        table, own = self.table, self.access.seats
        asked = table.request is not None and not own <= table.request.agreed
        fit = (
            table.mover if self.is_curtained else None, table.request.seat if asked and table.request else None,
            bool(self.chosen),
            table.is_over, table.can_redo, self.may_click, table.is_paused, table.is_open,
        )  # fmt: skip
        if fit == self._fit:
            return
        self._fit = fit
        self.buttons.clear()
        with self.buttons:
            if self.is_curtained:
                seat = self.own_seat
                button(f"I am {table.names[seat]}", lambda: self._unveil(seat), is_main=True)
                return
            if asked and own and table.request is not None:
                ui.label(f"{table.names[table.request.seat]} asks to take back a move.")
                button("Agree", lambda: self._do(lambda: table.agree(min(own), agrees=True)), is_main=True)
                button("Decline", lambda: self._do(lambda: table.agree(min(own), agrees=False)))
            if self.chosen:
                button("Back a step", self._step_back, icon="backspace")
            if own and not table.is_over:
                button("Undo", self._undo, icon="undo")
                if table.can_redo:
                    button("Redo", lambda: self._do(table.redo), icon="redo")
                if self.may_click:
                    button("Hint", self._ask_hint, icon="lightbulb")
                button("Resign", self._resign, icon="flag")
            if not table.people and not table.is_over and self.access.is_owner and not table.is_replay:
                self._watch_buttons()
            if table.is_open:
                button("Try from here", self._branch, icon="call_split")
                if not table.is_replay:
                    button("New game", lambda: ui.navigate.to(f"/new/{table.game.name}"), is_main=True)
            button("Save", self._save, icon="download")
            button("Link", self._show_links, icon="link")

    def _watch_buttons(self) -> None:
        table = self.table
        button("Go on" if table.is_paused else "Pause", self._pause, icon="play_arrow" if table.is_paused else "pause")
        ui.select(
            {2.0: "slow", 0.6: "normal", 0.1: "fast", 0.0: "at once"},
            value=table.pace,
            on_change=lambda event: setattr(table, "pace", float(event.value)),
        ).props("dense outlined").tooltip("Speed")

    def _pause(self) -> None:
        self.table.is_paused = not self.table.is_paused
        self.table.tell()
        self.room.advance(self.table)

    def _do(self, change: Any) -> None:
        """A change that may be refused."""
        try:
            change()
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.note = str(fault)
            self.refresh()

    def _undo(self) -> None:
        own = [step.seat for step in self.table.match.steps if step.seat in self.access.seats]
        if not own:
            self._do(lambda: _refuse("there is nothing to take back yet"))
            return
        last = own[-1]
        assert last is not None
        self._do(lambda: self.table.undo(last))

    def _resign(self) -> None:
        with self._client, ui.dialog() as dialog, ui.card():

            def give_up() -> None:
                dialog.close()
                self._do(lambda: self.table.resign(self.own_seat))

            ui.label("Give up this match?")
            with ui.row():
                button("Resign", give_up, is_main=True)
                button("Play on", dialog.close)
        dialog.open()

    def _unveil(self, seat: int) -> None:
        self.unveiled = seat
        self.refresh()

    async def _ask_hint(self) -> None:
        if not self.may_click:
            return
        table, version = self.table, self.table.version
        self.note = "thinking …"
        self.refresh()
        try:
            agent = await self.room.thinker.ask(lambda: load_agent(opponent_of(table.game), table.game))
            action = await self.room.thinker.ask(table.question(agent, lambda: bool(table.listeners)))
        except MeepleError as fault:
            self.note = str(fault)
        else:
            if table.version == version:
                self.hint = self.state.paths(action)[0]
                self.note = f"Hint: {self.state.move_text(action)}"
        self.refresh()

    def _branch(self) -> None:
        """The match up to here goes on at a table of its own, every seat at this screen."""
        if not self.table.is_open:
            return
        steps = self.table.match.steps[: len(self.table.match.steps) if self.cursor is None else self.cursor]
        plies = sum(step.seat is not None for step in steps)
        match = self.table.match.branch(plies)
        seats = [Seat("here", name) for name in self.table.names]
        table = self.room.seat_down(Table(match.game, seats, owner=owner(), match=match, is_study=True))
        ui.navigate.to(f"/table/{table.owner_token}")

    def _save(self) -> None:
        """The whole record once the match is over; before, what this seat has seen."""
        table = self.table
        if table.is_open:
            ui.download.content(table.record().text(), f"{table.game.name}.jsonl")
            return
        ui.download.content(self.seen_log(), f"{table.game.name}.txt")

    def _show_links(self) -> None:
        table, viewer = self.table, self.viewer
        position = f"/new/{table.game.name}?spec={quote(table.game.spec)}&start={quote(self.state.text(viewer))}"
        with self._client, ui.dialog() as dialog, ui.card():
            ui.html("<h2>Links</h2>", sanitize=False)
            _link("This position (as you see it)", position)
            _link("To watch (sees what everybody sees)", f"/table/{table.spectator_token}")
            if self.access.is_owner:
                for number, seat in enumerate(table.seats):
                    if seat.kind == "elsewhere":
                        _link(f"For {seat.name}: whoever has it plays that seat", f"/table/{seat.token}")
                        button(f"New link for {seat.name}", lambda n=number: self._revoke(n, dialog))
            button("Close", dialog.close)
        dialog.open()

    def _revoke(self, seat: int, dialog: ui.dialog) -> None:
        dialog.close()
        self._do(lambda: self.room.revoke(self.table, seat))
        self._show_links()

    # --- clicks

    def _on_board(self, event: Any) -> None:
        """What the page reports; anything ill-formed, stale or forged is refused and changes nothing."""
        told = event.args
        if not isinstance(told, dict) or not isinstance(told.get("kind"), str):
            LOG.warning("refused: an ill-formed click")
            return
        kind, target, version = told["kind"], told.get("target"), told.get("version")
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
            action = self.click(target)
            if action is None:
                self.refresh()
            else:
                self.table.play(seat, action)

        self._do(clicked)

    def _on_hover(self, target: str | None) -> None:
        ghost = self.hover(target)
        self.preview.set_text(self.note)
        self.picture.set_content(self.board(ghost))

    def _on_key(self, key: str) -> None:
        if key == "Escape":
            self._step_back()
        elif key == "ArrowLeft":
            self._go(-1)
        elif key == "ArrowRight":
            self._go(1)
        elif key == "Home":
            self._go(-(10**6))
        elif key == "End":
            self._go(10**6)
        elif key == "u" and self.access.seats:
            self._undo()
        elif key == "r" and self.access.seats and self.table.can_redo:
            self._do(self.table.redo)

    def _step_back(self) -> None:
        self.step_back()
        self.refresh()

    # --- looking back

    def _go(self, by: int) -> None:
        steps = len(self.table.match.steps)
        self._look_at((steps if self.cursor is None else self.cursor) + by)

    def _on_slider(self, event: Any) -> None:
        if isinstance(event.value, (int, float)):
            self._look_at(int(event.value))

    def _on_log(self, event: Any) -> None:
        if isinstance(event.args, int):
            self._look_at(event.args)

    def _look_at(self, cursor: int) -> None:
        if self.look_at(cursor):
            self.refresh()

    def _choose_setting(self, name: str, value: Any) -> None:
        self.settings = {**self.settings, name: str(value)}
        keep(f"draw-{self.table.game.name}", self.settings)
        self.refresh()


def _link(words: str, path: str) -> None:
    """A link to open or to copy; the browser knows under which address it found us."""
    ui.label(words).classes("m-quiet")
    with ui.element("div").classes("m-row").style("flex-wrap:nowrap"):
        ui.link(path if len(path) < 44 else path[:41] + "…", path, new_tab=True)
        ui.button("Copy", icon="content_copy", color=None).props("unelevated no-caps").classes("m-button").on(
            "click", js_handler=f"() => meeple.copy(location.origin + {json.dumps(path)})"
        )


def _refuse(words: str) -> None:
    raise Refused(words)
