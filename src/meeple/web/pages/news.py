"""Beside the board: how a match ended and what that means for a rating, or the round that has just ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import background_tasks, ui

from meeple.core.svg import Markup
from meeple.web.pages.frame import owner

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView


class News:
    """The card of one browser's page."""

    def __init__(self, view: TableView) -> None:
        self.view, self.who = view, owner()
        with ui.element("section").classes("m-news").props('aria-label="Result" tabindex="0"') as self.card:
            self.rating = ui.label().classes("m-rating")
            self.content = ui.html("", sanitize=False)
        self.card.set_visibility(False)
        self._is_rated = False

    def draw(self, content: Markup | str) -> None:
        """Send what was drawn; the rating is looked up once, when the match is over, and follows."""
        table = self.view.table
        self.content.set_content(content)
        if table.is_over and not self._is_rated and self.view.access.seats and not table.is_replay:
            self._is_rated = True
            background_tasks.create(self._rate(), name="rating")
        self.card.set_visibility(bool(content or self.rating.text))

    async def _rate(self) -> None:
        """Say what the match means for the rating, once a thread has computed it."""
        words = await self.view.room.rating(self.view.table, self.who)
        if words and not self.view.client.is_deleted:
            self.rating.set_text(words)
            self.rating.classes(add="m-quiet" if words.startswith("Not rated") else "")
            self.card.set_visibility(True)
