"""Who was invited is asked for a name once; the browser keeps it, and later tables get it without a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from meeple.web.pages.frame import Prefs, button, dialog, keep
from meeple.web.seats import LONGEST_NAME, told_name

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView


def introduce(view: TableView, prefs: Prefs) -> None:
    """Name the seat that this browser plays, if its link came without a name."""
    seat = next(iter(view.access.seats)) if len(view.access.seats) == 1 else None
    if seat is None or view.table.seats[seat].is_named or view.table.is_over:
        return
    if prefs.name:
        view.attempt(lambda: view.table.rename(seat, prefs.name))
    elif view.table.seats[seat].kind == "elsewhere":
        _ask(view, seat)


def _ask(view: TableView, seat: int) -> None:
    with view.client, dialog("What shall the others call you?") as shown:

        def answer() -> None:
            name = told_name(str(field.value or ""))
            shown.close()
            if name:
                keep({"name": name})
                view.attempt(lambda: view.table.rename(seat, name))

        field = ui.input("Your name").props(f"dense outlined autofocus maxlength={LONGEST_NAME}")
        field.on("keydown.enter", answer)
        with ui.row():
            button("Sit down", answer, is_main=True)
            button("Stay a guest", shown.close)
    shown.open()
