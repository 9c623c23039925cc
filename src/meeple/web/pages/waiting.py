"""What is shown while a game is compiled: its board's outline, how long it will take about, and a bar."""

from __future__ import annotations

import math

from nicegui import ui

from meeple.core.definition import Definition
from meeple.core.svg import tag
from meeple.web.covers import outline_of
from meeple.web.pages.frame import Prefs, heading, main, read_prefs, top
from meeple.web.pages.ticker import Ticker
from meeple.web.preparing import Preparer, Progress
from meeple.web.rehearsal import ANALYSIS, BOARD, EXPLAINED
from meeple.web.room import Arrival, Room
from meeple.web.seats import Access

EVERY = 0.3  # seconds between two looks at how far it is


class Bar:
    """Words and a bar for one thing that is being compiled; nothing is to be seen while nothing is."""

    def __init__(self, preparer: Preparer) -> None:
        self._preparer = preparer
        self._followed: tuple[Definition, str] | None = None
        with ui.element("div").classes("m-preparing") as self._box:
            # What is heard changes seldom: seconds are told by fives.
            self._words = ui.label().props('aria-live="polite"')
            self._bar = ui.html("", sanitize=False)
        self._box.set_visibility(False)
        self._timer = Ticker(EVERY, self._look)

    def follow(self, what: tuple[Definition, str] | None) -> None:
        """Show how far this part of a game is, from now on."""
        self._followed = what
        self._timer.active = what is not None
        self._look()

    def _look(self) -> None:
        found = self._preparer.progress(*self._followed) if self._followed else None
        if found is None:
            self._box.set_visibility(False)
            self._timer.active = self._followed is not None and not self._preparer.is_ready(*self._followed)
        else:
            self.show(preparing_words(found), found.share)

    def show(self, words: str, share: float) -> None:
        """Show these words, and a bar that is so far."""
        self._box.set_visibility(True)
        self._words.set_text(words)
        self._bar.set_content(bar(share))

    def hide(self) -> None:
        """Show nothing."""
        self._box.set_visibility(False)


def bar(share: float, what: str = "compiled so far") -> str:
    """A bar that is so far, 0 to 1; `what` says to those who hear it what it measures."""
    percent = round(100 * share)
    return tag(
        "div",
        tag("div", class_="m-done", style=f"width:{100 * share:.1f}%"),
        class_="m-bar",
        role="progressbar",
        aria_label=what,
        aria_valuemin=0,
        aria_valuemax=100,
        aria_valuenow=percent,
    )


def preparing_words(progress: Progress) -> str:
    """What is being done, and for how long about."""
    analysis = f"the analysis of {progress.title}"
    names = {BOARD: progress.title, ANALYSIS: analysis, EXPLAINED: analysis}
    what = names.get(progress.part, f"the agent for {progress.title}")
    return f"Preparing {what}, once for this version: {about(progress.seconds)}"


def about(seconds: float) -> str:
    """Seconds in words: exact ones would be wrong, and a screen reader would tell each of them."""
    if seconds < 3:
        return "almost done"
    if seconds >= 90:
        return f"about {math.ceil(seconds / 60)} min"
    return f"about {5 * math.ceil(seconds / 5)} s"


async def arrived(room: Room, arrival: Arrival) -> Access | None:
    """What the table's token opens, once the table is there; until then its page shows what it waits for."""
    client = ui.context.client
    prefs = await read_prefs()
    if not arrival.task.done():
        _build(room, arrival.definition, prefs)
    try:
        return await arrival.access()
    finally:
        client.content.clear()


def _build(room: Room, definition: Definition | None, prefs: Prefs) -> None:
    """The outline of the board, and beside it how far it is."""
    title = definition.facts.title if definition else "the table"
    top(title if definition else "")
    with main("m-table m-waiting").props('aria-busy="true"'):
        heading(f"Setting up {title}", classes="m-hidden")
        with ui.element("div").classes("m-boardside"):
            outline = outline_of(definition, is_narrow=prefs.is_narrow) if definition else ""
            ui.html(outline, sanitize=False).classes("m-outline")
        with ui.element("div").classes("m-sheet"), ui.element("div").classes("m-card m-now"):
            ui.label(f"Setting up {title}").classes("m-status")
            shown = Bar(room.preparer)
            if definition is not None:
                shown.follow((definition, BOARD))
            ui.label("The match begins as soon as the board is there.").classes("m-quiet")
