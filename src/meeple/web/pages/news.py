"""Beside the board: how a match ended and what that means for a rating, or the round that has just ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from meeple.core.svg import Markup
from meeple.web.endings import rating_words
from meeple.web.history import History
from meeple.web.pages.frame import owner

if TYPE_CHECKING:
    from meeple.web.pages.table import TableView


class News:
    """The card of one browser's page."""

    def __init__(self, view: TableView) -> None:
        self.view, self.who = view, owner()
        with ui.element("section").classes("m-news").props('aria-label="Result"') as self.card:
            self.rating = ui.label().classes("m-rating")
            self.content = ui.html("", sanitize=False)
        self.card.set_visibility(False)
        self._is_rated = False

    def show(self, content: Markup | str) -> None:
        """Show what was drawn; the rating is looked up once, when the match is over."""
        table = self.view.table
        self.content.set_content(content)
        if table.is_over and not self._is_rated and self.view.access.seats and not table.is_replay:
            self._is_rated = True
            words = self._rating_words()
            self.rating.set_text(words)
            self.rating.classes(add="m-quiet" if words.startswith("Not rated") else "")
        self.card.set_visibility(bool(content or self.rating.text))

    def _rating_words(self) -> str:
        table = self.view.table
        history = History.of(self.view.room.store, self.who, is_over=True)
        rows = {row.played.body["key"]: row for row in history.rated(table.game.name)}
        return rating_words(history.find(table.key), rows.get(table.key))
