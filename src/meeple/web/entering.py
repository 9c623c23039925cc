"""How one browser types in a game from a real table: what is drawn of it, what may come next, what a click means.

No element of the page is here. A move is clicked on the board as at a table; where the mover's hand is hidden, the
places on the board are clicked first and what was laid there is chosen from a list, and so is what chance brings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.entry import MOST_LISTED, UNSEEN, Entry, Sight
from meeple.core.game import State
from meeple.core.picture import Look, Path
from meeple.core.speech import Sentence, ordered, plain, told
from meeple.core.svg import Markup, joined, tag
from meeple.web import panels
from meeple.web.logbook import log_panel
from meeple.web.seats import Refused
from meeple.web.table import Table
from meeple.web.voice import Voice, words_html

MOST_CHIPS = 80  # in a list; what is left is typed in
UNSEEN_PICK = "unseen"
DOING = re.compile(r"^\*\w+\* ")  # the verb of a sentence


@dataclass
class Ways:
    """What may come next, and the places that are clicked for it."""

    codes: list[int]
    worlds: dict[int, State]  # by code: one that fits and allows it
    paths: dict[Path, list[int]] = field(default_factory=dict)
    is_listed: bool = False  # hands are hidden: what was laid is chosen from a list

    @classmethod
    def of(cls, entry: Entry) -> Ways:
        """All ways to go on from where an entry stands."""
        codes = list(entry.possible())
        wanted = set(codes)
        here = [code for code in codes if entry.state.can_happen(code)]
        ways = cls(codes, dict.fromkeys(here, entry.state), is_listed=len(here) < len(codes))
        if entry.to_move == CHANCE:
            return ways
        held = tuple(getattr(entry.game.definition.picture, "HELD", None) or ()) if ways.is_listed else ()
        ways._add(entry.state, here, held)
        for code in codes:
            if code not in ways.worlds and entry.view is not None:
                world = entry.state.revealed(entry.view, code, rng_for("ways", code, seed=entry.seed))
                fresh = [each for each in world.offer() if each not in ways.worlds and each in wanted]
                ways.worlds |= dict.fromkeys(fresh, world)
                ways._add(world, fresh, held)
        return ways

    def _add(self, world: State, codes: Iterable[int], held: tuple[str, ...]) -> None:
        for code in codes:
            for path in world.paths(code):
                places = tuple(key for key in path if not (held and key.startswith(held)))
                known = self.paths.setdefault(places, [])
                if code not in known:
                    known.append(code)

    def after(self, chosen: Path) -> frozenset[str]:
        """The targets that may be clicked next."""
        n = len(chosen)
        return frozenset(path[n] for path in self.paths if len(path) > n and path[:n] == chosen)

    def at(self, chosen: Path) -> list[int]:
        """The moves that these clicks may mean."""
        return self.paths.get(chosen, [])

    def followed(self, chosen: Path) -> Path:
        """These clicks, and those after them that can be only one."""
        while not self.at(chosen) and len(following := self.after(chosen)) == 1:
            chosen = (*chosen, *following)
        return chosen


class Drawn(NamedTuple):
    """All that the page shows of an entry, as text."""

    board: Markup | str
    status: str
    note: str
    tray: Markup | str
    seats: Markup | str
    log: Markup | str


class Entering:
    """What one browser sees of an entry, and what it has clicked."""

    def __init__(self, table: Table) -> None:
        assert isinstance(table.match, Entry)
        self.table = table
        self.is_dark, self.is_narrow = False, False
        self.settings: dict[str, str] = {}
        self.chosen: Path = ()
        self.hint: Path = ()
        self.note = ""
        self.cursor: int | None = None  # events that are shown; None: all
        self._ways: tuple[Entry, Ways] | None = None

    @property
    def entry(self) -> Entry:
        """What is typed in."""
        assert isinstance(self.table.match, Entry)
        return self.table.match

    @property
    def state(self) -> State:
        """What is shown."""
        return self.table.state_at(self.cursor)

    @property
    def voice(self) -> Voice:
        """How the events are told: who typed them in is called by name, as all others."""
        return Voice(self.table.names, None, self.entry.view)

    def ways(self) -> Ways:
        """What may come next; looked for once for each position."""
        entry = self.entry
        if self._ways is None or self._ways[0] is not entry:
            self._ways = (entry, Ways.of(entry))
        return self._ways[1]

    # --- what is drawn

    def drawn(self) -> Drawn:
        """All that is shown."""
        return Drawn(
            board=self._stage(),
            status=self.status(),
            note=self.note,
            tray=self._tray() if self.cursor is None else "",
            seats=panels.seats_panel(self.table, self.state, self.voice, self.cursor),
            log=log_panel(self.table, self.voice, self.cursor),
        )

    def status(self) -> str:
        """What is to be typed in next."""
        entry = self.entry
        if self.cursor is not None:
            return f"After {self.cursor} of {len(entry.steps)} events"
        if entry.asks:
            return "What did this show?"
        if entry.is_over:
            return "The game is over"
        if entry.to_move == CHANCE:
            subject = self._subject()
            who = f" for {self.table.names[subject]}" if subject is not None else ""
            return f"{entry.state.heading()}{who}: what came?"
        name = self.table.names[entry.to_move]
        return f"{name} is to move" + (": click where, then choose what" if self.ways().is_listed else "")

    def _stage(self) -> Markup:
        """The picture as the view sees it, with what may be clicked."""
        is_live = self.cursor is None and not self.entry.asks
        lit = (self.ways().after(self.chosen) or self.ways().after(())) if is_live else frozenset()
        look = Look(
            dark=self.is_dark,
            narrow=self.is_narrow,
            names=self.table.names,
            settings=self.settings,
            memory=self.entry.memory(self.cursor),
            lit=lit,
            chosen=self.chosen,
            last=frozenset(self.hint),
            mover=max(0, self.entry.to_move),
        )
        return tag("div", Markup(self.state.picture(self.entry.view, look)), class_="m-stage",
                   data_version=self.table.version)  # fmt: skip

    def _tray(self) -> Markup | str:
        """What may be chosen besides the board."""
        entry = self.entry
        if entry.asks:
            return self._sights()
        ways, chips = self.ways(), list[Markup]()
        codes = ways.codes if entry.to_move == CHANCE else ways.at(self.chosen) if ways.is_listed else []
        chips += [_chip(f"code:{code}", self.words(code)) for code in codes[:MOST_CHIPS]]
        if entry.may_hide:
            chips.append(_chip(UNSEEN_PICK, Markup("? not seen"), is_quiet=True))
        return tag("div", *chips, class_="m-chips") if chips else ""

    def _sights(self) -> Markup:
        asks = self.entry.asks
        if len(asks) > MOST_LISTED:
            example = " ".join(self.entry.differing(asks[0]))
            return tag("div", f"Type what was seen, as in: {example}", class_="m-quiet")
        return tag("div", *(_chip(f"sight:{n}", self._sight(sight)) for n, sight in enumerate(asks)), class_="m-chips")

    def _sight(self, sight: Sight) -> Markup:
        words = self.entry.differing(sight)
        tell = getattr(self.entry.game.definition.speech, "sight", None)
        said = [tell(word) if tell is not None else word for word in words]
        return tag("span", ", ".join(said))

    def words(self, code: int) -> Markup:
        """A move or an outcome in words, with its small pictures."""
        sentence, hearer = self._world(code).spoken(code), self.voice.hearer
        if self.entry.to_move == CHANCE:
            shorter = DOING.sub("", sentence.text)
            is_said = sentence.subject is None or sentence.subject == self._subject()  # by the line above
            pieces = told(Sentence(shorter) if shorter and is_said else sentence, hearer)
        else:
            pieces = ordered(sentence, hearer)
        return words_html(pieces, self.entry.game.definition.picture)

    def _world(self, code: int) -> State:
        """A world in which this may happen."""
        return self.ways().worlds.get(code, self.entry.state)

    def _subject(self) -> int | None:
        """Whom all outcomes on offer are about; None where they tell of different seats, or of none."""
        codes = self.ways().codes
        subjects = {self._world(code).spoken(code).subject for code in (codes[:1] + codes[-1:])}
        return subjects.pop() if len(subjects) == 1 else None

    # --- what a click means

    def click(self, target: str) -> int | None:
        """Choose a target, another one instead, or none; the code, once only one is left.

        Raises:
            Refused: it is not on offer.
        """
        if self.cursor is not None or self.entry.asks:
            raise Refused("nothing can be clicked now")
        ways = self.ways()
        if target in ways.after(self.chosen):
            self.chosen = ways.followed((*self.chosen, target))
        elif target in self.chosen:
            self.chosen = self.chosen[: self.chosen.index(target)]
        else:
            self.chosen = next(
                (
                    ways.followed((*self.chosen[:n], target))
                    for n in range(len(self.chosen) - 1, -1, -1)
                    if target in ways.after(self.chosen[:n])
                ),
                self.chosen,
            )
        codes = ways.at(self.chosen)
        return codes[0] if len(codes) == 1 and not ways.after(self.chosen) else None

    def advise(self, action: int) -> None:
        """Show a move that somebody advises."""
        paths = self.entry.state.paths(action)
        self.hint = paths[0] if paths else ()
        self.note = f"Advice: {plain(ordered(self.entry.state.spoken(action), self.voice.hearer))}"

    def may_be_advised(self) -> bool:
        """Whether the seat that types in is to move."""
        entry = self.entry
        is_own = entry.view in (None, entry.to_move) or not entry.game.facts.hidden
        return entry.to_move not in (CHANCE, NOBODY) and is_own and not entry.asks

    def look_at(self, number: int) -> None:
        """Show the game after so many events."""
        at = max(0, min(number, len(self.entry.steps)))
        self.cursor = None if at == len(self.entry.steps) else at
        self.forget()

    def forget(self) -> None:
        """Nothing is chosen any more."""
        self.chosen, self.hint, self.note = (), (), ""


def enter(entry: Entry, what: str | int) -> Entry:
    """Another entry that goes on with what was typed or clicked: a code, `?`, a text, or what was seen.

    Raises:
        MeepleError: it cannot come next.
    """
    twin = copy(entry)
    if twin.asks:
        twin.tell(what)
    else:
        twin.play(what)
    return twin


def undone(entry: Entry) -> Entry:
    """Another entry without what was entered last."""
    twin = copy(entry)
    twin.undo()
    return twin


def redone(entry: Entry) -> Entry:
    """Another entry with what was taken back last."""
    twin = copy(entry)
    twin.redo()
    return twin


def taken_back(entry: Entry, number: int) -> Entry:
    """Another entry that has only the first `number` events."""
    twin = copy(entry)
    twin.back_to(number)
    return twin


def picked(entry: Entry, pick: str) -> str | int:
    """What a choice in the list means.

    Raises:
        Refused: it is none.
    """
    if pick == UNSEEN_PICK:
        return UNSEEN
    kind, _, number = pick.partition(":")
    if kind not in ("code", "sight") or not number.isascii() or not number.isdigit() or len(number) > 9:
        raise Refused("that is not on offer")
    if (kind == "sight") != bool(entry.asks):
        raise Refused("that is not asked now")
    return int(number)


def _chip(pick: str, words: Markup, *, is_quiet: bool = False) -> Markup:
    classes = "m-chip m-quiet" if is_quiet else "m-chip"
    return tag("button", joined([words]), type="button", class_=classes, data_pick=pick)
