"""Setting up a position: by clicks and by text, with its picture, and what is wrong with it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from nicegui import background_tasks, ui

from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import MeepleError
from meeple.web.pages.frame import alert, button, heading, main, read_prefs, told, top
from meeple.web.pages.new import NewMatch
from meeple.web.pages.patched import Patched, show_all
from meeple.web.pages.trays import Trays
from meeple.web.pages.waiting import Bar
from meeple.web.rehearsal import BOARD
from meeple.web.room import Room
from meeple.web.setting_up import LONGEST_POSITION, SettingUp

LOG = logging.getLogger("meeple.web")


class SetupView(NewMatch):
    """One browser that sets up a position."""

    def __init__(self, room: Room, definition: Definition, spec: str, start: str) -> None:
        super().__init__(room, definition, spec, start[:LONGEST_POSITION])
        self.client = ui.context.client
        self.made: SettingUp | None = None
        self.refused = ""  # why the last click changed nothing
        self._is_drawing, self._is_stale = False, False

    async def begin(self) -> None:
        """Wait for the game, then draw."""
        prefs = await read_prefs()
        self.build()
        await self.room.made(self.definition, lambda: None, key="setup")
        self.made = await self.room.read(lambda: SettingUp(self._game(), self.start))
        self.made.is_dark, self.made.is_narrow = prefs.dark, prefs.is_narrow
        self.made.settings = prefs.settings(self.definition.name)
        self._show_pieces()
        self.field.set_value(self.made.text)
        self._refresh()

    def _game(self) -> Game:
        least, most = self.definition.seats
        settings = dict(self.options) | ({"players": str(self.players)} if most > least else {})
        return load_game(self.room.game_spec(str(Spec(self.definition.name, settings))))

    # --- building

    def build(self, *, is_new: bool = False) -> None:
        """The page; the board comes when the game is there."""
        title = self.definition.facts.title
        top(f"{title}, a position", game=self.definition.name)
        with main("m-table m-setup"):
            heading(f"{title}: set up a position", classes="m-hidden")
            with ui.element("div").classes("m-boardside"):
                self.picture = Patched().classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
            with ui.element("div").classes("m-sheet"):
                ui.element("button").classes("m-handle").props(
                    'type="button" aria-expanded="false" aria-controls="m-more" aria-label="Text and variants"'
                )
                with ui.element("div").classes("m-card m-now"):
                    self._build_now()
                with ui.element("div").classes("m-more").props('id="m-more"'):
                    self._build_more()

    def _build_now(self) -> None:
        ui.label("Set up a position").classes("m-status m-wide")
        shown = Bar(self.room.preparer)
        self.room.preparer.want(self.definition)
        shown.follow((self.definition, BOARD))
        self.pieces = ui.element("div")
        self.error = alert()
        with ui.element("div").classes("m-buttons"):
            self.ways = [
                button("Play from here", self._to("new"), icon="play_arrow", is_main=True),
                button("Analyse", self._to("analyse"), icon="insights"),
                button("A real table from here", self._to("enter"), icon="edit_note"),
                button("Copy the link", self._copy, icon="link"),
            ]

    def _build_more(self) -> None:
        """The text, and what else can be chosen; on a phone the handle opens it."""
        with ui.element("div").classes("m-card"):
            self.field = ui.textarea("The position as text", on_change=self._on_text)
            self.field.props(
                f'outlined autogrow debounce=300 maxlength={LONGEST_POSITION} input-style="font-size:13px"'
            )
            self.field.classes("m-typed")
        with ui.expansion("Players and variants").classes("m-card"):
            self._build_players()
            for option in self.definition.options:
                self._build_option(option)
            button("Begin anew with these", self._anew, icon="restart_alt")

    def _show_pieces(self) -> None:
        """What a click puts on the board."""
        assert self.made is not None
        self.pieces.clear()
        if self.made.pieces:
            with self.pieces:
                Trays(self.made.trays, self.made.piece, self.definition.picture, self._choose)

    def _build_seats(self) -> None:
        """Nobody sits at a position."""

    # --- drawing

    def _refresh(self) -> None:
        self._is_stale = True
        if not self._is_drawing:
            self._is_drawing = True
            background_tasks.create(self._draw_on(), name="drawing")

    async def _draw_on(self) -> None:
        try:
            while self._is_stale and not self.client.is_deleted and self.made is not None:
                self._is_stale = False
                board = await self.room.read(self.made.board)
                with self.client:
                    show_all({self.picture: str(board)})
                    self.error.set_text(self.refused or (told(self.made.fault) if self.made.fault else ""))
                    for way in self.ways:
                        way.set_enabled(not self.made.fault)
        finally:
            self._is_drawing = False

    # --- what comes in

    async def _on_text(self, event: Any) -> None:
        made, text = self.made, str(event.value or "")
        if made is not None and " ".join(text.split()) != made.text:
            await self.room.read(lambda: made.change(text))
            self.refused = ""
            self._refresh()

    async def _on_board(self, event: Any) -> None:
        said, made = event.args, self.made
        if made is None or not isinstance(said, dict) or said.get("kind") != "click":
            return
        target = said.get("target")
        if isinstance(target, str) and said.get("version") == made.version:
            try:
                await self.room.read(lambda: made.click(target))
            except MeepleError as fault:
                self.refused = told(fault)
            else:
                self.refused = ""
                self.field.set_value(made.text)
            self._refresh()

    def _choose(self, piece: str) -> None:
        if self.made is not None:
            self.made.choose(piece)
            self._refresh()

    async def _anew(self) -> None:
        if self.made is None:
            return
        try:
            made = await self.room.read(lambda: SettingUp(self._game()))
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.error.set_text(told(fault))
            return
        made.is_dark, made.is_narrow, made.settings = self.made.is_dark, self.made.is_narrow, self.made.settings
        made.version = self.made.version + 1
        self.made, self.refused = made, ""
        self._show_pieces()
        self.field.set_value(made.text)
        self._refresh()

    def _to(self, page: str) -> Callable[[], None]:
        def go() -> None:
            if self.made is not None and not self.made.fault:
                ui.navigate.to(self.made.link(page))

        return go

    def _copy(self) -> None:
        if self.made is not None and not self.made.fault:
            ui.run_javascript(f"meeple.copy(location.origin + {self.made.link('setup')!r})")


async def setup_page(room: Room, definition: Definition, spec: str, start: str) -> None:
    """The page."""
    await SetupView(room, definition, spec, start).begin()
