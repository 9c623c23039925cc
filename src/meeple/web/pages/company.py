"""The people at a table: an invitation for whoever has not come yet, and what they say to each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nicegui import ui

from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.pages.frame import button
from meeple.web.panels import plays_apart, seat_mark
from meeple.web.table import Table
from meeple.web.talk import PHRASES
from meeple.web.voice import Voice

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView


class Company:
    """One browser's part of it; nothing is shown at tables without people elsewhere."""

    def __init__(self, view: TableView) -> None:
        self.view, self.table = view, view.table
        self.invitation = ui.element("div").classes("m-invite")
        self.lines = ui.html("", sanitize=False).classes("m-talk").props('role="log" aria-label="Table talk"')
        self.lines.set_visibility(False)
        self._shown: object = ()

    def draw(self) -> None:
        """Bring it up to date."""
        table = self.table
        self.lines.set_content(talk_lines(table, self.view.voice))
        self.lines.set_visibility(bool(table.talk.lines))
        links = [(n, table.seats[n].token) for n in table.awaited] if not table.is_over else []
        shown = (links, self._may_invite, table.names)
        if shown != self._shown:
            self._shown = shown
            self.invitation.clear()
            if links:
                with self.invitation:
                    self._invite([n for n, _ in links])

    @property
    def _may_invite(self) -> bool:
        return self.view.access.is_owner

    def _invite(self, seats: list[int]) -> None:
        names = [self.table.names[seat] for seat in seats]
        clock = " The clock starts when everybody sits." if self.table.clock else ""
        ui.label(f"Waiting for {' and '.join(names)}.{clock}").classes("m-quiet")
        if not self._may_invite:
            return
        for seat in seats:
            path, name = json.dumps(f"/table/{self.table.seats[seat].token}"), self.table.names[seat]
            made = ui.button(f"Copy the link for {name}", icon="content_copy", color=None)
            made.props("unelevated no-caps").classes("m-button")
            made.on("click", js_handler=f"() => meeple.share(location.origin + {path})")
            made.on("click", lambda: ui.notify("Send it to them: whoever opens it plays that seat."))

    @property
    def may_speak(self) -> bool:
        """Whether somebody plays here whom somebody elsewhere can hear."""
        return bool(self.view.access.seats) and plays_apart(self.table)

    def say_button(self) -> ui.button:
        """A menu of phrases."""
        with button("Say …", lambda: None, icon="chat_bubble_outline") as made, ui.menu():
            for number, words in enumerate(PHRASES):
                ui.menu_item(words, lambda number=number: self._say(number))
        return made

    def _say(self, phrase: int) -> None:
        try:
            self.table.talk.say(self.view.own_seat, phrase)
        except MeepleError as fault:
            ui.notify(str(fault))
        else:
            self.table.tell()


def talk_lines(table: Table, voice: Voice) -> Markup:
    """The last things said, by name."""
    rows = [
        tag("div", seat_mark(line.seat), " ", tag("b", voice.name(line.seat)), f": {line.words}")
        for line in table.talk.lines
    ]
    return tag("div", *rows)
