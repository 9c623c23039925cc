"""The dialog of settings: all that a person may choose about the page; the browser keeps it."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from meeple.core.registry import find_definition
from meeple.web.pages.frame import Prefs, button, dialog, heading, keep, read_prefs
from meeple.web.preferences import PREFERENCES, Preference

IN_THE_BROWSER = ("speed", "sound", "notify")  # what it does by itself; for the rest the page is made anew


class Settings:
    """The open dialog; what was changed is carried out when it closes."""

    def __init__(self, prefs: Prefs, game: str) -> None:
        self.prefs, self.game = prefs, game
        self.is_changed = False
        with dialog("Settings") as self.box:
            with ui.element("div").classes("m-settings"):
                group = ""
                for each in PREFERENCES.values():
                    if each.group != group:
                        group = each.group
                        heading(group, 3)
                    self._row(each)
                self._board()
            self.told = ui.label().classes("m-bad").props('role="alert"')
            with ui.element("div").classes("m-row"):
                button("Done", self.box.close, is_main=True)
        self.box.on("hide", self._closed)
        self.box.open()

    def _row(self, each: Preference) -> None:
        value = self.prefs.choice(each.name)
        with ui.element("div").classes("m-setting"):
            if each.is_switch:
                ui.switch(each.title, value=bool(value), on_change=lambda event: self._change(each, event.value))
            else:
                ui.select(
                    dict(each.values),
                    value=value,
                    label=each.title,
                    on_change=lambda event: self._change(each, event.value),
                ).props("dense outlined options-dense")
            if each.help:
                ui.label(each.help).classes("m-quiet")

    def _board(self) -> None:
        """How the game of this page is drawn."""
        picture = find_definition(self.game).picture if self.game else None
        options = getattr(picture, "SETTINGS", ())
        if options:
            heading("Board", 3)
        drawn = self.prefs.settings(self.game)
        for option in options:

            def change(event: Any, name: str = option.name) -> None:
                drawn[name] = str(event.value)
                keep({f"draw-{self.game}": drawn})
                self.is_changed = True

            with ui.element("div").classes("m-setting"):
                ui.select(
                    list(option.values),
                    value=drawn.get(option.name, option.default),
                    label=option.name.capitalize(),
                    on_change=change,
                ).props("dense outlined options-dense")
                ui.label(f"{option.help[:1].upper()}{option.help[1:]}.").classes("m-quiet")

    async def _change(self, each: Preference, value: Any) -> None:
        keep({each.name: value})
        self.is_changed |= each.name not in IN_THE_BROWSER and (bool(self.game) or each.name == "light")
        if each.name == "notify" and value:
            allowed = await ui.run_javascript("meeple.allowNotices()", timeout=60)
            self.told.set_text("" if allowed == "granted" else "This browser does not allow notices from here.")

    def _closed(self) -> None:
        if self.is_changed:
            ui.navigate.reload()


async def open_settings(game: str = "") -> None:
    """Show what this browser has chosen; on a page of a game also how its board is drawn."""
    Settings(await read_prefs(), game)
