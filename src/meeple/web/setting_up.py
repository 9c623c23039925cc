"""A position that is set up: by its text, and by clicks where the game says how a piece comes to a place.

The text is what is edited; the picture is that of the last text that could be read. So a position may be wrong for a
while, between two clicks: it is drawn, and what is wrong with it is said in words.

A game takes part by four names of its notation: `TRAYS`, the pieces by the titles of their trays, with words for each
that may hold small pictures as moves do (core/speech.py); `placed(text, piece, target)`, the text after a click, or
None where the piece wants a second one, which then comes as a further argument; `sites(state)`, the targets that are
drawn only here; and `draft`, which reads what is no position yet (else `read`). What a click would change is lit.
"""

from __future__ import annotations

import re
from contextlib import suppress
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
        self.state = _first_position(game)
        self.piece = next(iter(self.pieces), "")
        self.chosen: tuple[str, ...] = ()  # the first clicks of a piece that takes several
        self.is_dark, self.is_narrow, self.version = False, False, 0
        self.settings: dict[str, str] = {}
        self.text, self.fault = told_text(self.state), ""
        if text:
            self.change(text)

    @property
    def trays(self) -> dict[str, dict[str, str]]:
        """What can be put on the board by a click, by trays, with words; nothing in a game that is set up by text."""
        return dict(getattr(self.game.definition.notation, "TRAYS", {}))

    @property
    def pieces(self) -> list[str]:
        """Every piece of the trays."""
        return [piece for tray in self.trays.values() for piece in tray]

    def change(self, text: str) -> None:
        """Another text, which is drawn as far as it can be read; what is wrong with it is told."""
        self.chosen = ()
        self.text, self.version = " ".join(text.split())[:LONGEST_POSITION], self.version + 1
        try:
            self.state, self.fault = self.game.read(self.text), ""
        except MeepleError as fault:
            self.fault = str(fault)
            with suppress(MeepleError):  # of what cannot be read, the last picture stays
                self.state = self.game.draft(self.text)

    def click(self, target: str) -> None:
        """Put the chosen piece there; a piece that takes several clicks, such as a tile of two halves, waits for them.

        The place of its first click lets go of it again.

        Raises:
            Refused: the game is set up by text, or the place takes no such piece.
            NotationError: the same, where the game says why.
        """
        if self.piece not in self.pieces:
            raise Refused("this game is set up by text")
        path, self.chosen = (*self.chosen, target), ()
        self.version += 1
        if target in path[:-1]:
            return
        changed = self._placed(*path)
        if changed is None:
            self.chosen = path
        else:
            self.change(changed)

    def _placed(self, *path: str) -> str | None:
        try:
            changed: str | None = self.game.definition.notation.placed(self.text, self.piece, *path)
        except (LookupError, ValueError) as fault:  # a text that cannot be edited so
            raise Refused(f"nothing can be put on '{shortened(path[-1], 40)}' in this text") from fault
        return changed

    def takes(self, target: str) -> bool:
        """Whether a click there would change anything, or let go of a piece."""
        try:
            return target in self.chosen or self._placed(*self.chosen, target) != self.text
        except MeepleError:
            return False

    def choose(self, piece: str) -> None:
        """The piece that clicks put on the board from now on."""
        self.piece, self.chosen = piece, ()

    def board(self) -> Markup:
        """The picture of the last position, with what may be clicked."""
        look = Look(dark=self.is_dark, narrow=self.is_narrow, settings=self.settings)
        drawn = self.state.picture(None, look)
        if self.pieces:
            sites = getattr(self.game.definition.notation, "sites", lambda state: ())
            targets = {*_TARGET.findall(drawn), *sites(self.state.record)}
            look = Look(
                dark=self.is_dark,
                narrow=self.is_narrow,
                settings=self.settings,
                lit=frozenset(filter(self.takes, targets)),
                chosen=self.chosen,
            )
            drawn = self.state.picture(None, look)
        return tag("div", Markup(drawn), class_="m-stage", data_version=self.version)

    def link(self, page: str) -> str:
        """The address by which a page opens this position."""
        given = f"spec={quote(self.game.spec)}&start={quote(self.text)}"
        return f"/analyse?{given}" if page == "analyse" else f"/{page}/{self.game.name}?{given}"


def _first_position(game: Game) -> State:
    """The board as play begins on it: windows are chosen, workers placed."""
    state = game.new(seed=1).settled()
    is_setup = getattr(game.definition.rules, "is_setup", lambda state: False)
    while state.to_move >= 0 and is_setup(state.record):
        state = state.after(int(state.legal_actions()[0])).settled()
    return state


def told_text(state: State) -> str:
    """A position without its fate: what is set up has no future yet."""
    return _FATE.sub("", state.text())
