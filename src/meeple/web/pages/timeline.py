"""The line below the board, along which one looks back: by steps, by a slider, or while the match plays by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from meeple.web.pages.frame import button, keep
from meeple.web.pages.ticker import Ticker

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView

SPEEDS = {"½×": 2.4, "1×": 1.2, "2×": 0.6, "4×": 0.3}  # seconds for a move
USUAL = "1×"
FAR = 10**6  # steps: to either end


class TimeLine:
    """The buttons and the slider of one browser's page."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        with ui.element("div").classes("m-replay") as self.box:
            with ui.element("div").classes("m-steps m-joined").props('role="group" aria-label="Look back"'):
                button("", lambda: self.go(-FAR), icon="first_page", label="To the start")
                button("", lambda: self.go(-1), icon="chevron_left", label="One step back")
                self.player = button("", self.toggle, icon="play_arrow")
                button("", lambda: self.go(1), icon="chevron_right", label="One step on")
                button("", lambda: self.go(FAR), icon="last_page", label="To the end")
            self.slider = ui.slider(min=0, max=1, value=0, on_change=self._on_slider).props(
                'aria-label="Where in the match" color="amber-8"'
            )
            self.speed, self._end = USUAL, -1
            self.pace = button("", self._change_speed).classes("m-pace")
        self._timer = Ticker(SPEEDS[USUAL], self._play_on)
        self._name_buttons()

    def set_speed(self, speed: object) -> None:
        """Play as fast as this browser likes it; what is not among the speeds changes nothing."""
        if isinstance(speed, str) and speed in SPEEDS:
            self.speed, self._timer.interval = speed, SPEEDS[speed]
            self._name_buttons()

    def draw(self) -> None:
        """Where the match is looked at."""
        view = self.view
        stops = view.stops()
        self.box.set_visibility(len(stops) > 1)
        if self._end != len(stops) - 1:  # what has not changed need not be sent
            self._end = len(stops) - 1
            self.slider.props(f"max={max(1, self._end)}")
        self.slider.set_value(sum(stop <= view.at for stop in stops[1:]))

    def _name_buttons(self) -> None:
        plays = self._timer.active
        self.player.props(f'icon="{"pause" if plays else "play_arrow"}"')
        self.player.props(f'aria-label="{"Stop playing" if plays else "Play the match from here"}"')
        self.pace.set_text(self.speed)
        self.pace.props(f'aria-label="Speed: {self.speed}, change it"')

    # --- what is done

    def go(self, by: int) -> None:
        """Back or on by so many stops; where a paused match of agents stands, on means that it goes on by a move."""
        view = self.view
        self.stop()
        is_watched = not view.table.people and view.access.is_owner and view.table.is_paused
        if by == 1 and view.cursor is None and is_watched:
            view.room.step(view.table)
        else:
            view.show(view.stop_beside(by))

    def toggle(self) -> None:
        """Play from here to the end, from the start where nothing is left to play; or stop."""
        view = self.view
        if self._timer.active:
            self.stop()
        elif len(view.stops()) > 1 and not view.is_curtained:
            if view.at == view.stops()[-1]:
                view.show(view.stops()[0])
            self._timer.active = True
            self._name_buttons()

    def stop(self) -> None:
        """Play no further."""
        if self._timer.active:
            self._timer.active = False
            self._name_buttons()

    def _play_on(self) -> None:
        """One move more, once the last one was drawn."""
        view = self.view
        if view.is_drawing:
            return
        view.show(view.stop_beside(1))
        if view.at == view.stops()[-1] or view.is_curtained:
            self.stop()

    def _change_speed(self) -> None:
        names = list(SPEEDS)
        self.set_speed(names[(names.index(self.speed) + 1) % len(names)])
        keep({"replay-speed": self.speed})

    def _on_slider(self, event: Any) -> None:
        """A person moved it; what `draw` sets is where we are already."""
        stops = self.view.stops()
        if isinstance(event.value, (int, float)) and 0 <= event.value < len(stops):
            index = int(event.value)
            if index != sum(stop <= self.view.at for stop in stops[1:]):
                self.stop()
                self.view.show(stops[index])
