"""A position that is set up: by its text, and by clicks where the game says how a piece comes to a place.

The text is what is edited; the picture is that of the last text that was a position. So a position may be wrong for a
while, between two clicks, and what is wrong with it is said in words.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from meeple.core.game import Game, State
from meeple.core.numbers import shortened
from meeple.core.picture import Look
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.seats import Refused

LONGEST_POSITION = 20_000  # letters
_TARGET = re.compile(r'data-t="([^"]+)"')
_FATE = re.compile(r" fate=\d+$")


class SettingUp:
    """One position under hand: its text, what is wrong with it, and the last one that could be drawn."""

    def __init__(self, game: Game, text: str = "") -> None:
        self.game = game
        self.state: State = game.new(seed=1).settled()
        self.piece = next(iter(self.pieces), "")
        self.is_dark, self.is_narrow, self.version = False, False, 0
        self.settings: dict[str, str] = {}
        self.text, self.fault = told_text(self.state), ""
        if text:
            self.change(text)

    @property
    def pieces(self) -> dict[str, str]:
        """What can be put on the board by a click, with words for it; nothing in a game that is set up by text."""
        return dict(getattr(self.game.definition.notation, "TRAYS", {}))

    def change(self, text: str) -> None:
        """Another text: a position that is drawn, or a fault that is told."""
        self.text, self.version = " ".join(text.split())[:LONGEST_POSITION], self.version + 1
        try:
            self.state, self.fault = self.game.read(self.text), ""
        except MeepleError as fault:
            self.fault = str(fault)

    def click(self, target: str) -> None:
        """Put the chosen piece there.

        Raises:
            Refused: the game is set up by text, or the place takes no such piece.
        """
        if self.piece not in self.pieces:
            raise Refused("this game is set up by text")
        try:
            self.change(self.game.definition.notation.placed(self.text, self.piece, target))
        except (LookupError, ValueError) as fault:  # a text that cannot be edited so
            raise Refused(f"nothing can be put on '{shortened(target, 40)}' in this text") from fault

    def board(self) -> Markup:
        """The picture of the last position, with what may be clicked."""
        look = Look(dark=self.is_dark, narrow=self.is_narrow, settings=self.settings)
        drawn = self.state.picture(None, look)
        if self.pieces:
            sites = getattr(self.game.definition.notation, "sites", lambda state: ())
            look = Look(
                dark=self.is_dark,
                narrow=self.is_narrow,
                settings=self.settings,
                lit=frozenset([*_TARGET.findall(drawn), *sites(self.state.record)]),
            )
            drawn = self.state.picture(None, look)
        return tag("div", Markup(drawn), class_="m-stage", data_version=self.version)

    def link(self, page: str) -> str:
        """The address by which a page opens this position."""
        given = f"spec={quote(self.game.spec)}&start={quote(self.text)}"
        return f"/analyse?{given}" if page == "analyse" else f"/{page}/{self.game.name}?{given}"


def told_text(state: State) -> str:
    """A position without its fate: what is set up has no future yet."""
    return _FATE.sub("", state.text())
