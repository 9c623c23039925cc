"""What a person may do at a table besides clicking on the board: the buttons, and what they lead to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from nicegui import background_tasks, ui

from meeple.agents.levels import DEFAULT, titles_of
from meeple.errors import MeepleError
from meeple.web.again import may_be_analysed, rematch_of, try_from, way_on
from meeple.web.pages.frame import button, dialog, owner
from meeple.web.pages.links import show_links
from meeple.web.table import Table
from meeple.web.takeback import Request, agree, can_redo, redo, undo_last, withdraw

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView

LOG = logging.getLogger("meeple.web")
PACES = {2.0: "slow", 0.6: "normal", 0.1: "fast", 0.0: "at once"}  # seconds between two moves of agents


class Actions:
    """The buttons of one browser's page."""

    def __init__(self, view: TableView) -> None:
        self.view, self.table, self.room = view, view.table, view.room
        self.bar = ui.element("div").classes("m-buttons")
        self._fit: object = None
        self._back: ui.button | None = None  # these three come and go with every click, so they are hidden and shown
        self._hint: ui.button | None = None
        self._play: ui.button | None = None
        self._is_hinting = False

    def draw(self) -> None:
        """The buttons that fit; they are made anew only when others fit, lest a click meet one that is going."""
        fit = self._fitting()
        if fit != self._fit:
            self._fit = fit
            self._make()
        if self._back is not None:
            self._back.set_visibility(bool(self.view.chosen))
        if self._play is not None:
            self._play.set_visibility(bool(self.view.hint) and self.view.may_click)
        if self._hint is not None:
            self._hint.set_visibility(self.view.may_click)

    def _make(self) -> None:
        """All buttons anew."""
        self.bar.clear()
        self._back = self._hint = self._play = None
        with self.bar:
            if self.view.is_curtained:
                seat = self.view.own_seat
                button(f"I am {self.table.names[seat]}", lambda: self._unveil(seat), is_main=True)
                return
            self._request_buttons()
            self._trouble_buttons()
            self._player_buttons()
            self._watch_buttons()
            self._open_buttons()
            self.view.company.say_button()
            button("Save", self._save, icon="download")
            button("Link", lambda: show_links(self.view), icon="link")

    def _fitting(self) -> object:
        """All that decides which buttons there are."""
        view, table = self.view, self.table
        asked = table.request and (table.request.seat, self._asked_by())
        return (
            table.mover if view.is_curtained else None, asked, table.trouble,
            table.is_over, bool(table.match.steps), can_redo(table), table.is_paused, table.shows_all,
            bool(table.rematch), view.held,
        )  # fmt: skip

    def _asked_by(self) -> int | None:
        """Who asks this browser's people to take back a move."""
        request, own = self.table.request, self.view.access.seats
        return request.seat if request is not None and own and not own <= request.agreed else None

    def _request_buttons(self) -> None:
        table, request, own_seats = self.table, self.table.request, self.view.access.seats
        if request is None or not own_seats:
            return
        if request.seat in own_seats:
            ui.label(f"You asked to take back your last move{after_words(request)}; the others have to agree.")
            button("Never mind", lambda: self._do(lambda: withdraw(table, request.seat)))
        if self._asked_by() is None:
            return
        own = min(own_seats)
        ui.label(f"{table.names[request.seat]} asks to take back their last move{after_words(request)}.")
        button("Agree", lambda: self._do(lambda: agree(table, own, agrees=True)), is_main=True)
        button("Decline", lambda: self._do(lambda: agree(table, own, agrees=False)))

    def _player_buttons(self) -> None:
        view, table = self.view, self.table
        if view.held >= 0:
            button("Play it", view.play_held, icon="check", is_main=True)
        if view.access.seats and not table.is_over:
            button("Undo", self.undo, icon="undo")
            self._play = button("Play hint", self._play_hint, icon="play_arrow", is_main=True).style("order: -1")
            self._back = button("Back a step", view.go_back_a_step, icon="backspace")
            if can_redo(table):
                button("Redo", lambda: self._do(lambda: redo(table)), icon="redo")
            self._hint = button("Hint", self._ask_hint, icon="lightbulb")
            button("Resign", self._resign, icon="flag")

    def _watch_buttons(self) -> None:
        table, access = self.table, self.view.access
        if table.people or table.is_over or table.is_replay or table.trouble or not access.is_owner:
            return
        button("Go on" if table.is_paused else "Pause", self._pause, icon="play_arrow" if table.is_paused else "pause")
        ui.select(
            PACES, value=table.pace, on_change=lambda event: setattr(table, "pace", float(event.value))
        ).props("dense outlined").tooltip("Speed")  # fmt: skip

    def _open_buttons(self) -> None:
        """For a match that keeps no secrets any more."""
        table, way = self.table, way_on(self.view.access)
        if way:
            button("To the rematch", lambda: ui.navigate.to(f"/table/{way}"), icon="replay", is_main=True)
        elif (
            table.is_over and not table.is_replay and not table.is_study and table.people and self.view.access.is_owner
        ):
            button("Rematch", self._rematch, icon="replay", is_main=True)
        if table.is_over and not table.is_replay:
            button("Replay", self.view.play_from_start, icon="smart_display")
        if may_be_analysed(table) and table.match.steps:
            button("Analyse", self._analyse, icon="query_stats")
        if table.shows_all:
            button("Try from here", self._branch, icon="call_split")
            if not table.is_replay:
                button("New game", lambda: ui.navigate.to(f"/new/{table.game.name}"), icon="add")

    def _do(self, change: Callable[[], None]) -> None:
        self.view.attempt(change)

    # --- an agent that failed

    def _trouble_buttons(self) -> None:
        """Ask it again, or have the owner seat another; who plays may also resign."""
        table, access = self.table, self.view.access
        if table.trouble is None or not (access.seats or access.is_owner):
            return
        button("Try again", lambda: self._do(table.try_again), icon="refresh", is_main=True)
        if access.is_owner:
            choice = ui.select(titles_of(table.game.definition), value=DEFAULT, label="Replace by")
            choice.props("dense outlined options-dense").style("min-width:150px")
            button("Replace", lambda: self._replace(str(choice.value)), icon="swap_horiz")

    async def _replace(self, name: str) -> None:
        with self.bar:
            ui.spinner(size="1.6em").props('aria-label="loading"')
        try:
            await self.room.replace(self.table, name)
        except MeepleError as fault:
            LOG.warning("no agent could be replaced: %s", fault)
            self.view.note = f"{name} cannot be seated here"
            self._fit = None
            self.view.refresh()

    # --- what the buttons do

    def undo(self) -> None:
        """Back to the last decision of a seat at this browser."""
        self._do(lambda: undo_last(self.table, self.view.access.seats))

    def _pause(self) -> None:
        self.table.is_paused = not self.table.is_paused
        self.table.tell()
        self.room.advance(self.table)

    def _resign(self) -> None:
        with self.view.client, dialog("Give up this match?") as shown:

            def give_up() -> None:
                shown.close()
                self._do(lambda: self.table.resign(self.view.own_seat))

            with ui.row():
                button("Resign", give_up, is_main=True)
                button("Play on", shown.close)
        shown.open()

    def _unveil(self, seat: int) -> None:
        self.view.unveiled = seat
        self.view.refresh()

    def hint(self) -> None:
        """As the button does, where there is one."""
        background_tasks.create(self._ask_hint(), name="hint")

    async def _ask_hint(self) -> None:
        view, table = self.view, self.table
        if not view.may_click:
            return
        if self._is_hinting:  # one at a time, however often it is pressed
            return
        self._is_hinting, version = True, table.version
        view.note = "thinking …"
        view.refresh()
        try:
            action = await self.room.hint(table)
        except Exception as fault:  # whatever it was, it is for the log and not for the page
            LOG.warning("no hint at a table of %s: %s", table.game.name, fault)
            view.note = "There is no hint now"
        else:
            if table.version == version:
                view.advise(action)
        finally:
            self._is_hinting = False
        view.refresh()

    def _play_hint(self) -> None:
        """Play the move that was advised, if it is still the one."""
        view = self.view
        if view.hint and view.may_click:
            seat, action = self.table.mover, view.hinted
            self._do(lambda: self.table.play(seat, action))

    def _analyse(self) -> None:
        """The analysis of this match, at the position shown."""
        at = f"?move={self.view.moves_shown + 1}" if self.view.cursor is not None else ""
        ui.navigate.to(f"/analyse/{self._token()}{at}")

    def _token(self) -> str:
        """The link by which this browser is here."""
        access, table = self.view.access, self.table
        if access.is_owner:
            return table.owner_token
        own = next(iter(access.seats), None)
        return table.spectator_token if own is None else table.seats[own].token

    def _branch(self) -> None:
        """The match up to here goes on at a table of its own."""
        self._do(lambda: self._move_to(try_from(self.table, self.view.cursor, owner())))

    def _rematch(self) -> None:
        """The same again with seats exchanged; whoever looks at this table is shown the way."""

        def again() -> None:
            table, links = rematch_of(self.table)
            self._move_to(table)
            self.table.rematch = links
            self.table.changed()

        self._do(again)

    def _move_to(self, table: Table) -> None:
        self.room.seat_down(table)
        ui.navigate.to(f"/table/{table.owner_token}")

    async def _save(self) -> None:
        """The whole record once the match is over; before, what this seat has seen."""
        name, still = self.table.game.name, self.view.still()
        if still.table.shows_all:
            text = await self.room.draw(lambda: still.table.record().text())
            ui.download.content(text, f"{name}.jsonl")
        else:
            ui.download.content(await self.room.draw(still.seen_log), f"{name}.txt")


def after_words(request: Request) -> str:
    """What goes with the move that somebody wants back."""
    later = request.plies - 1
    return f", and {'the one' if later == 1 else f'the {later}'} after it" if later else ""
