"""What a person may do at a table besides clicking on the board: the buttons, and what they lead to."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator
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
Part = tuple[Hashable, Callable[[], ui.element]]  # of the bar: all that it depends on, and what makes it
PACES = {2.0: "slow", 0.6: "normal", 0.1: "fast", 0.0: "at once"}  # seconds between two moves of agents


class Actions:
    """The buttons of one browser's page."""

    def __init__(self, view: TableView) -> None:
        self.view, self.table, self.room = view, view.table, view.room
        self.bar = ui.element("div").classes("m-buttons")
        self._shown: dict[Hashable, ui.element] = {}
        self._is_hinting = False

    def draw(self) -> None:
        """The buttons that fit.

        Those that stay are left as they are: a click may be on its way, and would be lost with its button.
        """
        wanted = dict(self._fitting())
        for key in [key for key in self._shown if key not in wanted]:
            self._shown.pop(key).delete()
        for place, (key, make) in enumerate(wanted.items()):
            if key not in self._shown:
                with self.bar:
                    self._shown[key] = make()
                if place < len(self._shown) - 1:
                    self._shown[key].move(target_index=place)

    def _fitting(self) -> Iterator[Part]:
        """What there is to see and to press, in its order, each by all that it depends on."""
        if self.view.is_curtained:
            seat = self.view.own_seat
            yield (
                ("curtain", seat),
                lambda: button(f"I am {self.table.names[seat]}", lambda: self._unveil(seat), is_main=True),
            )
            return
        yield from self._request_buttons()
        yield from self._trouble_buttons()
        yield from self._player_buttons()
        yield from self._watch_buttons()
        yield from self._open_buttons()
        if self.view.company.may_speak:
            yield "say", self.view.company.say_button
        yield "save", lambda: button("Save", self._save, icon="download")
        yield "link", lambda: button("Link", lambda: show_links(self.view), icon="link")

    def _request_buttons(self) -> Iterator[Part]:
        """Who asks to take back a move, and what may be answered."""
        table, request, own_seats = self.table, self.table.request, self.view.access.seats
        if request is None or not own_seats:
            return
        asked = (request.seat, request.plies)
        if request.seat in own_seats:
            told = f"You asked to take back your last move{after_words(request)}; the others have to agree."
            yield ("own request", *asked), lambda: ui.label(told)
            yield (
                ("never mind", *asked),
                lambda: button("Never mind", lambda: self._do(lambda: withdraw(table, request.seat))),
            )
        if own_seats <= request.agreed:
            return
        own = min(own_seats)
        said = f"{table.names[request.seat]} asks to take back their last move{after_words(request)}."
        yield ("request", *asked), lambda: ui.label(said)
        yield (
            ("agree", *asked),
            lambda: button("Agree", lambda: self._do(lambda: agree(table, own, agrees=True)), is_main=True),
        )
        yield ("decline", *asked), lambda: button("Decline", lambda: self._do(lambda: agree(table, own, agrees=False)))

    def _player_buttons(self) -> Iterator[Part]:
        view, table = self.view, self.table
        if view.hint and view.may_click and self._may_play:
            yield "play hint", lambda: button("Play hint", self._play_hint, icon="play_arrow", is_main=True)
        if view.held >= 0:
            yield "play it", lambda: button("Play it", view.play_held, icon="check", is_main=True)
        if not self._may_play:
            return
        yield "undo", lambda: button("Undo", self.undo, icon="undo")
        if view.chosen:
            yield "back", lambda: button("Back a step", view.go_back_a_step, icon="backspace")
        if can_redo(table):
            yield "redo", lambda: button("Redo", lambda: self._do(lambda: redo(table)), icon="redo")
        if view.may_click and table.is_advised:
            yield "hint", lambda: button("Hint", self._ask_hint, icon="lightbulb")
        yield "resign", lambda: button("Resign", self._resign, icon="flag")

    @property
    def _may_play(self) -> bool:
        return bool(self.view.access.seats) and not self.table.is_over

    def _watch_buttons(self) -> Iterator[Part]:
        table, access = self.table, self.view.access
        if table.people or table.is_over or table.is_replay or table.trouble or not access.is_owner:
            return
        words, icon = ("Go on", "play_arrow") if table.is_paused else ("Pause", "pause")
        yield words, lambda: button(words, self._pause, icon=icon)
        yield "pace", self._pace_choice

    def _pace_choice(self) -> ui.element:
        table = self.table
        choice = ui.select(PACES, value=table.pace, on_change=lambda event: setattr(table, "pace", float(event.value)))
        return choice.props("dense outlined").tooltip("Speed")

    def _open_buttons(self) -> Iterator[Part]:
        """For a match that keeps no secrets any more."""
        table, way = self.table, way_on(self.view.access)
        is_played = table.is_over and not table.is_replay
        if way:
            yield (
                ("rematch", way),
                lambda: button("To the rematch", lambda: ui.navigate.to(f"/table/{way}"), icon="replay", is_main=True),
            )
        elif is_played and not table.is_study and table.people and self.view.access.is_owner:
            yield "rematch", lambda: button("Rematch", self._rematch, icon="replay", is_main=True)
        if is_played:
            yield "replay", lambda: button("Replay", self.view.play_from_start, icon="smart_display")
        if may_be_analysed(table) and table.match.steps:
            yield "analyse", lambda: button("Analyse", self._analyse, icon="query_stats")
        if table.shows_all:
            yield "branch", lambda: button("Try from here", self._branch, icon="call_split")
            if not table.is_replay:
                yield "new", lambda: button("New game", lambda: ui.navigate.to(f"/new/{table.game.name}"), icon="add")

    def _do(self, change: Callable[[], None]) -> None:
        self.view.attempt(change)

    # --- an agent that failed

    def _trouble_buttons(self) -> Iterator[Part]:
        """Ask it again, or have the owner seat another; who plays may also resign."""
        table, access = self.table, self.view.access
        if table.trouble is None or not (access.seats or access.is_owner):
            return
        seat = table.trouble.seat
        yield (
            ("again", seat),
            lambda: button("Try again", lambda: self._do(table.try_again), icon="refresh", is_main=True),
        )
        if access.is_owner:
            yield ("another", seat), self._another_agent

    def _another_agent(self) -> ui.element:
        """A choice of agents, and the button that seats the one chosen."""
        with ui.element("div").classes("m-another") as both:
            choice = ui.select(titles_of(self.table.game.definition), value=DEFAULT, label="Replace by")
            choice.props("dense outlined options-dense").style("min-width:150px")
            button("Replace", lambda: self._replace(both, str(choice.value)), icon="swap_horiz")
        return both

    async def _replace(self, where: ui.element, name: str) -> None:
        with where:
            waiting = ui.spinner(size="1.6em").props('aria-label="loading"')
        try:
            await self.room.replace(self.table, name)
        except MeepleError as fault:
            LOG.warning("no agent could be replaced: %s", fault)
            self.view.note = f"{name} cannot be seated here"
            self.view.refresh()
        finally:
            if not waiting.is_deleted:
                waiting.delete()

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
        if not (view.may_click and table.is_advised):
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
