"""The links of a table: to its position, to watch it, and for the people elsewhere who play at it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from nicegui import ui

from meeple.web.pages.frame import button, dialog

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView


def show_links(view: TableView) -> None:
    """All links that this browser may give away; the owner can withdraw those of seats."""
    table = view.table
    position = f"/new/{table.game.name}?spec={quote(table.game.spec)}&start={quote(view.state.text(view.viewer))}"
    with view.client, dialog("Links") as shown:
        link_line("This position (as you see it)", position)
        link_line("To watch (sees what everybody sees)", f"/table/{table.spectator_token}")
        if view.access.is_owner:
            for number, seat in enumerate(table.seats):
                if seat.kind == "elsewhere":
                    link_line(f"For {seat.name}: whoever has it plays that seat", f"/table/{seat.token}")
                    button(f"New link for {seat.name}", lambda n=number: _revoke(view, n, shown))
        button("Close", shown.close)
    shown.open()


def show_analysis_link(path: str) -> None:
    """The link to an analysis, which anybody may have."""
    with dialog("Link") as shown:
        link_line("This analysis, at the position shown", path)
        button("Close", shown.close)
    shown.open()


def _revoke(view: TableView, seat: int, shown: ui.dialog) -> None:
    shown.close()
    view.attempt(lambda: view.room.revoke(view.table, seat))
    show_links(view)


def link_line(words: str, path: str) -> None:
    """A link to open or to copy; the browser knows under which address it found us."""
    ui.label(words).classes("m-quiet")
    with ui.element("div").classes("m-row").style("flex-wrap:nowrap"):
        ui.link(path if len(path) < 44 else path[:41] + "…", path, new_tab=True)
        ui.button("Copy", icon="content_copy", color=None).props("unelevated no-caps").classes("m-button").on(
            "click", js_handler=f"() => meeple.copy(location.origin + {json.dumps(path)})"
        )
