"""What the page says of a table to one viewer: names, verbs that fit them, events in words or in notation.

`You` is said here and stored nowhere: the others at the table, and who reads its record, find the name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from types import ModuleType

from meeple.core.contract import HIDDEN
from meeple.core.game import State
from meeple.core.match import Step
from meeple.core.paint import MARKS
from meeple.core.picture import SEATS
from meeple.core.speech import Hearer, Icon, Named, Piece, conjugated, ordered, plain, told
from meeple.core.svg import Markup, joined, tag

JOINER = "\u2060"  # between two things that stay on one line


@dataclass(frozen=True)
class Voice:
    """How one viewer is told of the seats and of what they do."""

    names: tuple[str, ...]
    you: int | None = None  # the one seat that this viewer plays
    viewer: int | None = None  # whose view is shown: a seat, NOBODY for what all may see, None for everything
    is_notation: bool = False

    @property
    def hearer(self) -> Hearer:
        """For sentences."""
        return Hearer(self.names, self.you)

    def name(self, seat: int) -> str:
        """A seat as the viewer calls it."""
        return "You" if seat == self.you else self.names[seat]

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every seat as the viewer calls it."""
        return tuple(self.name(seat) for seat in range(len(self.names)))

    def does(self, seat: int, verb: str) -> str:
        """`You win`, `Ada wins`."""
        return f"{self.name(seat)} {conjugated(verb, 1 if seat == self.you else 2)}"

    def event(self, step: Step) -> list[Piece]:
        """An event as news; nothing where it is an outcome that the viewer did not see."""
        return list(_event(step.before, step.code, step.seat, self))

    def order(self, state: State, action: int) -> list[Piece]:
        """A move as somebody advises it."""
        return [state.move_text(action)] if self.is_notation else ordered(state.spoken(action), self.hearer)


@lru_cache(maxsize=1 << 13)  # a log is drawn again after each event
def _event(before: State, code: int, seat: int | None, voice: Voice) -> tuple[Piece, ...]:
    is_seen = voice.viewer is None or before.seen(code, voice.viewer) != HIDDEN
    if seat is None and not is_seen:
        return ()
    if voice.is_notation and is_seen:
        text = before.move_text(code)
        return (text,) if seat is None else (Named(seat, voice.name(seat)), f": {text}")
    return tuple(told(before.spoken(code) if is_seen else before.unseen(), voice.hearer))


def words_html(pieces: list[Piece], picture: ModuleType | None) -> Markup:
    """Pieces as HTML, with the small pictures that the game draws; no line begins with a comma after one."""
    drawn = [_piece(piece, picture) for piece in pieces]
    for place, (piece, following) in enumerate(pairwise(pieces)):
        if isinstance(piece, Icon) and isinstance(following, str) and following[0] in ",;:.":
            drawn[place] = Markup(f"{drawn[place]}{JOINER}")
    return joined(drawn)


def _piece(piece: Piece, picture: ModuleType | None) -> Markup:
    if isinstance(piece, Icon):
        return _icon(picture, piece.key)
    if isinstance(piece, Named):
        return tag("b", piece.word)
    return Markup(escape(piece, quote=False))


@lru_cache(maxsize=1 << 10)
def _icon(picture: ModuleType | None, key: str) -> Markup:
    draw = getattr(picture, "icon", None)
    return draw(key) if draw is not None else Markup("")


def mark(seat: int, kind: str = "m-dot") -> Markup:
    """A seat's mark in its colour."""
    return tag("span", MARKS[seat], class_=kind, style=f"background:{SEATS[seat]}", aria_hidden="true")


def sentence(pieces: list[Piece]) -> str:
    """Pieces as text that begins with a capital."""
    words = plain(pieces)
    return words[:1].upper() + words[1:]
