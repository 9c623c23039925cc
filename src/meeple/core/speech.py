"""Moves in words: what a friend at the table would say, written once and said in several ways.

A game's `speech` module has

    spoken(state, action) -> str              a move as a sentence
    spoken_outcome(state, outcome) -> Sentence    what chance did, in a game with chance

and may have

    unseen(state) -> str                      a move that a seat did not see: "*discard* a card face down"
    heading(state) -> str                     what chance is doing here, above the outcomes of one kind
    ending(state) -> list[Sentence]           why a finished game ended, and what decided it
    sight(word) -> str                        what a word of a position says, where an entry asks what was seen:
                                              "a swap is offered" for `ask`
    rounds(state, seat) -> list[Round]        the rounds that are over, as far as a seat may know; None sees all

A sentence is plain text with three kinds of marks, so that the same one serves as an order ("lay ... right of the
start"), as news of somebody else ("Ada lays ...") and as one's own ("You lay ..."):

    *lay*        a verb, which follows its subject
    [die-R4]     a small picture, drawn by the game's `picture.icon`; in plain text it is left out
    @2, @2's     a seat, counted from 0: its name, or `you`, `your`, `their own`

Every legal action has a sentence, and no two of an offer sound the same. A sentence tells a seat nothing that it may
not know: it is the same in every world that the seat cannot tell apart (the laws `speech` and `speech-secret`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MARKS = re.compile(r"\*(\w+)\*|\[([\w-]+)\]|@(\d+)('s)?")
_SPACES = re.compile(r"\s+")
_LOOSE = re.compile(r"\s+([,;:.)])")  # what a small picture leaves behind where it is left out
IRREGULAR = {"be": ("are", "is"), "have": ("have", "has"), "do": ("do", "does"), "go": ("go", "goes")}
UNSEEN = "*make* a move that is not shown"


@dataclass(frozen=True)
class Sentence:
    """A sentence with its marks, and the seat that does what it says; None where nobody does."""

    text: str
    subject: int | None = None


@dataclass(frozen=True)
class Round:
    """A round that is over: what happened, and for each seat what it was and what it got."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Icon:
    """The place of a small picture."""

    key: str


@dataclass(frozen=True)
class Named:
    """The place of a seat, and the word that stands there."""

    seat: int
    word: str


Piece = str | Icon | Named


@dataclass(frozen=True)
class Hearer:
    """Who is told: the names of the seats, and the seat that is called You."""

    names: Sequence[str] = ()
    you: int | None = None

    def name(self, seat: int) -> str:
        """A seat's name, or its number where nobody gave one."""
        return self.names[seat] if seat < len(self.names) else f"Seat {seat + 1}"


def who(seat: int) -> str:
    """The mark of a seat."""
    return f"@{int(seat)}"


def whose(seat: int) -> str:
    """The mark of what belongs to a seat."""
    return f"@{int(seat)}'s"


def ordered(sentence: Sentence, hearer: Hearer = Hearer()) -> list[Piece]:
    """The sentence as an order to its subject: `lay the crossing right of the start`."""
    return _pieces(sentence.text, sentence.subject, sentence.subject, hearer, form=0)


def told(sentence: Sentence, hearer: Hearer = Hearer()) -> list[Piece]:
    """The sentence as news: `Ada lays the crossing right of the start`, or `You lay ...` for who did it."""
    subject = sentence.subject
    if subject is None:
        return _pieces(sentence.text, None, hearer.you, hearer, form=2)
    is_you = subject == hearer.you
    first = Named(subject, "You" if is_you else hearer.name(subject))
    return [first, " ", *_pieces(sentence.text, subject, hearer.you, hearer, form=1 if is_you else 2)]


def plain(pieces: Iterable[Piece]) -> str:
    """Pieces as text; small pictures are left out."""
    words = "".join(piece if isinstance(piece, str) else getattr(piece, "word", "") for piece in pieces)
    return _LOOSE.sub(r"\1", _SPACES.sub(" ", words)).strip()


def conjugated(verb: str, form: int) -> str:
    """A verb as an order (0), after you (1) or after a name (2)."""
    if verb in IRREGULAR:
        return (verb, *IRREGULAR[verb])[form]
    if form < 2:
        return verb
    if re.search(r"(s|x|z|ch|sh)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def _pieces(text: str, subject: int | None, you: int | None, hearer: Hearer, form: int) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for found in _MARKS.finditer(text):
        pieces.append(text[at : found.start()])
        at = found.end()
        verb, icon, seat, owns = found.groups()
        if verb:
            pieces.append(conjugated(verb, form))
        elif icon:
            pieces.append(Icon(icon))
        else:
            pieces.append(Named(int(seat), _called(int(seat), subject, you, hearer, owns=bool(owns))))
    return [piece for piece in (*pieces, text[at:]) if piece != ""]


def _called(seat: int, subject: int | None, you: int | None, hearer: Hearer, *, owns: bool) -> str:
    if seat == you:
        return ("your own" if seat == subject else "your") if owns else "yourself" if seat == subject else "you"
    if seat == subject:
        return "their own" if owns else "themselves"
    return f"{hearer.name(seat)}'s" if owns else hearer.name(seat)
