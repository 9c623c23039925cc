"""The trays beside a position that is set up: titles, and under them the pieces of the one that is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from nicegui import ui

from meeple.core.speech import Icon, Piece, Sentence, ordered, plain
from meeple.core.svg import Markup, joined, tag
from meeple.web.voice import words_html

MOST_SHOWN = 12  # pieces in words side by side; of more one is chosen from a list
LABEL = "What a click puts on the board"


class Trays:
    """Pieces to choose from, with their small pictures; `choose` is called with the one that was chosen."""

    def __init__(
        self,
        trays: dict[str, dict[str, str]],
        piece: str,
        picture: ModuleType | None,
        choose: Callable[[str], None],
    ) -> None:
        self.trays, self.piece, self.picture, self.choose = trays, piece, picture, choose
        self.title = next(title for title, tray in trays.items() if piece in tray)
        self.latest: dict[str, str] = {}  # of each tray, the piece that was chosen last
        ui.label(f"{LABEL}:").classes("m-quiet m-wide")
        self.titles = ui.element("div").classes("m-trays")
        self.pieces = ui.element("div")
        with self.titles.props('role="group" aria-label="Trays"'):
            shown = trays if len(trays) > 1 else {}
            self.chips = {title: self._chip(title, title, partial(self._open, title)) for title in shown}
        self._show()

    def _chip(self, words: str | Markup, name: str, on_click: Callable[[], None]) -> ui.html:
        made = ui.html(words, sanitize=False, tag="button").classes("m-chip")
        made.props["type"], made.props["title"], made.props["aria-label"] = "button", name, name
        made.on("click", on_click)
        return made

    def _open(self, title: str) -> None:
        self.title = title
        self._take(self.latest.get(title) or next(iter(self.trays[title])))
        self._show()

    def _take(self, piece: str) -> None:
        self.piece = self.latest[self.title] = piece
        self._press()
        self.choose(piece)

    def _show(self) -> None:
        """The pieces of the open tray; a tray of one piece is its title alone."""
        self.pieces.clear()
        self.buttons: dict[str, ui.html] = {}
        tray = {piece: ordered(Sentence(words)) for piece, words in self.trays[self.title].items()}
        is_drawn = len(tray) > MOST_SHOWN and all(isinstance(words[0], Icon) for words in tray.values())
        with self.pieces:
            if len(tray) > MOST_SHOWN and not is_drawn:
                names = {piece: plain(words) for piece, words in tray.items()}
                chosen = ui.select(names, value=self.piece, on_change=self._on_list)
                chosen.props(f'dense outlined options-dense aria-label="{LABEL}"').classes("m-list")
            elif len(tray) > 1:
                kind = "m-tray m-drawn" if is_drawn else "m-tray"
                with ui.element("div").classes(kind).props(f'role="group" aria-label="{LABEL}"'):
                    for piece, words in tray.items():
                        self.buttons[piece] = self._button(piece, words, is_drawn=is_drawn)
        self._press()

    def _button(self, piece: str, words: list[Piece], *, is_drawn: bool) -> ui.html:
        """A piece; where the tray is drawn, its words are heard, and seen when pointed at."""
        shown = [part for part in words if isinstance(part, Icon) or not is_drawn]
        drawn = joined([tag("span", words_html(shown, self.picture))])
        return self._chip(drawn, plain(words), partial(self._take, piece))

    def _press(self) -> None:
        """Mark the open tray and the chosen piece."""
        for chosen, chips in ((self.title, self.chips), (self.piece, self.buttons)):
            for name, chip in chips.items():
                chip.props["aria-pressed"] = "true" if name == chosen else "false"
                chip.update()

    def _on_list(self, event: Any) -> None:
        if event.value in self.trays[self.title]:
            self._take(str(event.value))
