"""A game from a real table, typed in as it falls: what one seat sees of it, with `?` for the rest.

An `Entry` is a `Match` whose true world nobody knows. Its state is a world that fits all that was seen so far: where a
move or a draw is typed in that this world does not allow, the world is exchanged for one that does (`State.revealed`).
The seat's own agent is handed redealt worlds as in every match, so any world that fits gives the same advice.

An event may show more than itself: a goal that a map was played on, the window that a rival had chosen, whether a rival
is offered a swap. Then the entry `asks` what was seen, and goes on once it is told (`tell`). In a record an event has
`?` for a text where it was not seen, and beside it what was told, as the position that the seat saw then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from meeple.core.chance import Stream, rng_for
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.game import Game, State
from meeple.core.match import Match, Step
from meeple.core.numbers import shortened, whole_number
from meeple.core.record import Event, Record
from meeple.core.registry import load_game
from meeple.errors import ConfigError, IllegalMoveError, MeepleError, NotationError, RecordError

UNSEEN = "?"
OPEN, SPECTATOR = "open", "spectator"  # of a view, besides a seat's number
QUIET, MOST_WORLDS = 200, 2_000  # worlds without a new move before no other is expected; worlds at most
LOOKS = 200  # worlds in which it is seen what an event may show
MOST_TOLD = 20_000  # worlds that are tried until one shows what was told
MOST_LISTED = 64  # sights that `asks` lists; of more there is but an example


@dataclass(frozen=True)
class Entered(Step):
    """An event as one view saw it; `code` is made up where it was not seen."""

    view: int | None = None
    shown: str = ""  # the position as it was seen after the event, where that told more than the event
    after: State | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether the view did not see what happened."""
        return self.view is not None and self.before.seen(self.code, self.view) == HIDDEN

    @property
    def text(self) -> str:
        """The move or outcome as text; `?` where it was not seen."""
        return UNSEEN if self.is_hidden else self.before.move_text(self.code)

    def event(self) -> Event:
        """As it stands in a record."""
        return Event(self.text, self.seat, self.seconds, self.shown, self.info)


@dataclass(frozen=True)
class Sight:
    """What may have been seen after an event: a position in the words of the view, and a world in which it is."""

    text: str
    before: State
    code: int
    after: State

    @property
    def parts(self) -> list[str]:
        """The words of the position."""
        return self.text.split()


class Entry(Match):
    """A match as one seat sees it (`view`, counted from 0), a spectator (`NOBODY`), or with all open (None)."""

    def __init__(
        self,
        game: Game | str,
        *,
        view: int | None = None,
        seed: int = 0,
        start: State | str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.view, self.names = view, tuple(names)
        self._sights: tuple[Sight, ...] = ()
        self._undone: list[Entered] = []  # type: ignore[assignment]
        game = load_game(game) if isinstance(game, str) else game
        if view is not None and not (0 <= view < game.seats or view == NOBODY):
            raise ConfigError(f"there is no seat {view + 1} at a table of {game.seats}")
        super().__init__(game, seed=seed, start=start, manual_chance=True)

    # --- what may come next

    @property
    def asks(self) -> tuple[Sight, ...]:
        """What may have been seen after the last event, where that is not clear: `tell` says which."""
        return self._sights

    @property
    def may_hide(self) -> bool:
        """Whether `?` may come next: something that the view does not see."""
        return not self._sights and next(self._hidden(tries=20), None) is not None

    def possible(self) -> dict[int, str]:
        """Code and text of all that may come next and would be seen: in any world that fits, not in this one alone."""
        if self._sights or self.is_over:
            return {}
        return {code: self.state.move_text(code) for code in self._codes()}

    def _codes(self) -> list[int]:
        if self.view is None or self.to_move == self.view or not self.game.facts.hidden:
            return self.state.offer()
        rng, found = self._stream("offer"), set[int]()
        quiet = tried = 0
        while quiet < QUIET and tried < MOST_WORLDS:
            world, known = self.state.redealt(self.view, rng), len(found)
            found.update(world.outcomes() if self.to_move == CHANCE else world.legal_actions().tolist())
            quiet, tried = (0 if len(found) > known else quiet + 1), tried + 1
        return [code for code in sorted(found) if self.state.seen(code, self.view) != HIDDEN]

    def _hidden(self, tries: int) -> Iterator[tuple[State, int]]:
        """Worlds that fit, in each something that the view would not see, by the weights of chance."""
        if self.view is None or self.is_over:
            return
        rng = self._stream("hidden")
        for number in range(tries):
            world = self.state if number == 0 else self.state.redealt(self.view, rng)
            weights = world.outcomes() if world.to_move == CHANCE else dict.fromkeys(world.offer(), 1)
            unseen = {code: n for code, n in weights.items() if world.seen(code, self.view) == HIDDEN}
            if unseen:
                at = rng.below(sum(unseen.values()))
                yield world, _at_weight(unseen, at)

    def _stream(self, purpose: str) -> Stream:
        return rng_for(f"entry-{purpose}", len(self.steps), seed=self.seed)

    # --- typing in

    def play(self, move: int | str, *, seconds: float = 0.0) -> State:
        """Enter a move, an outcome, or `?` for what was not seen; raises, changing nothing, where it cannot be.

        `?` is an event of which the view sees nothing but that it happened, such as a card laid face down. Draws
        that the view cannot see are entered by themselves.
        """
        before, code = self._fitted(move)
        sights = self._looked(before, code)
        self._undone.clear()
        self._add(before, code, seconds)
        self._sights = sights
        self._settle()
        return self.state

    def _fitted(self, move: int | str) -> tuple[State, int]:
        """A world that fits and allows the move, and its code there."""
        if self._sights:
            raise IllegalMoveError(f"first tell what was seen after {self.steps[-1].text}")
        if isinstance(move, str) and move.strip() == UNSEEN:
            found = next(self._hidden(tries=QUIET), None)
            if found is None:
                raise IllegalMoveError(f"what comes next is seen {self._by()}: say what it is, not {UNSEEN}")
            return found
        return self._world_for(self._code_of(move) if isinstance(move, str) else int(move))

    def _code_of(self, text: str) -> int:
        try:
            code = self.state.read_move(text)
            is_whole = self.state.move_text(code).split() == text.split()
        except MeepleError:
            is_whole = False
        if not is_whole:  # a beginning, which may be another move's where other worlds are thought of
            code = self.state.read_move(text, self._codes())
        return self._require_seen(code)

    def _require_seen(self, code: int) -> int:
        if self.view is not None and self.state.seen(code, self.view) == HIDDEN:
            raise IllegalMoveError(f"this is not seen {self._by()}: enter {UNSEEN}")
        return code

    def _world_for(self, code: int) -> tuple[State, int]:
        """This world where it allows the code, else another one that fits."""
        if self.state.can_happen(code):
            return self.state, self._require_seen(code)
        if self.view is None or self.to_move == self.view:
            return self.state, self.state.require(code)
        world = self.state.revealed(self.view, code, self._stream("reveal"))
        return world, self._require_seen(code)

    def _by(self) -> str:
        return "by all" if self.view is None else f"by seat {self.view + 1}" if self.view >= 0 else "by a spectator"

    def _add(self, before: State, code: int, seconds: float, shown: str = "", after: State | None = None) -> None:
        mover = before.to_move
        after = after or before.after(code)
        seat = None if mover == CHANCE else mover
        self.steps.append(Entered(before, code, seat, seconds, view=self.view, shown=shown, after=after))
        self.state = after

    def _settle(self) -> None:
        """Enter by themselves the draws of which the view can see nothing."""
        while not self._sights and self.to_move == CHANCE and not self._sees_draw():
            world, code = next(self._hidden(tries=1))
            self._sights = self._looked(world, code)
            self._add(world, code, 0.0)

    def _sees_draw(self) -> bool:
        """Whether the view sees what chance brings here; which outcomes it sees is the same in every world."""
        return self.view is None or any(self.state.seen(code, self.view) != HIDDEN for code in self.state.outcomes())

    # --- what was seen besides

    def _looked(self, before: State, code: int) -> tuple[Sight, ...]:
        """All that an event may show besides itself; nothing where that is clear."""
        if self.view is None or not self.game.facts.hidden:
            return ()
        sights = {sight.text: sight for sight in self._sights_of(before, code, LOOKS)}
        return tuple(sights[text] for text in sorted(sights)) if len(sights) > 1 else ()

    def _sights_of(self, before: State, code: int, tries: int) -> Iterator[Sight]:
        """Each different sight after the event, over so many worlds; the first is of this world itself."""
        assert self.view is not None
        rng, met = self._stream("look"), set[bytes]()
        is_hidden = before.seen(code, self.view) == HIDDEN
        for number in range(tries):
            world, made = before, code
            if number and is_hidden:
                world, made = self._redone(before, rng)
            elif number:
                world = before.revealed(self.view, code, rng)
            after = world.after(made)
            # Worlds that the seat cannot tell apart are redealt to the same bytes, which is quicker than to write them.
            key = after.redealt(self.view, Stream(0)).to_bytes()
            if key not in met:
                met.add(key)
                yield Sight(after.text(self.view), world, made, after)

    def _redone(self, before: State, rng: Stream) -> tuple[State, int]:
        """Another world, and something in it that the view would not see."""
        assert self.view is not None
        world = before.redealt(self.view, rng)
        weights = world.outcomes() if world.to_move == CHANCE else dict.fromkeys(world.offer(), 1)
        unseen = {code: n for code, n in weights.items() if world.seen(code, self.view) == HIDDEN}
        return world, _at_weight(unseen, rng.below(sum(unseen.values())))

    def tell(self, sight: int | str) -> State:
        """Say what was seen after the last event.

        Args:
            sight: a number of `asks`; the whole position; some of its words (`nugget=left`); or, where a hand was
                shown, the cards or tiles in it as the game writes them.

        Raises:
            NotationError: it says nothing of what may have been seen.
        """
        if not self._sights:
            raise IllegalMoveError("nothing is asked: it is clear what was seen")
        if isinstance(sight, int):
            if not 0 <= sight < len(self._sights):
                raise NotationError(f"there is no sight {sight}: {len(self._sights)} are asked about, counted from 0")
            found = self._sights[sight]
        else:
            found = self._sight_told(sight)
        last = self.steps.pop()
        self._sights = ()
        self._undone.clear()
        self._add(found.before, found.code, last.seconds, found.text, found.after)
        self._settle()
        return self.state

    def _sight_told(self, text: str) -> Sight:
        last, words = self.steps[-1], text.split()
        hand = self._hand_shown(last.before, last.code, text)
        if hand is not None:
            return hand
        for sight in self._sights:
            if sight.text == text or self.differing(sight) == words:
                return sight
        fitting = [sight for sight in self._sights if set(words) <= set(sight.parts)]
        if len(fitting) > 1:
            raise NotationError(f"'{shortened(text)}' fits {len(fitting)} of what may have been seen: say more")
        if fitting:
            return fitting[0]
        for sight in self._sights_of(last.before, last.code, MOST_TOLD) if words else ():
            if set(words) <= set(sight.parts):
                return sight
        example = " ".join(self.differing(self._sights[0]))
        raise NotationError(f"'{shortened(text)}' cannot have been seen now; what was seen reads like {example}")

    def _hand_shown(self, before: State, code: int, text: str) -> Sight | None:
        """What is seen where the mover shows these cards; None where the text names none, or none are shown."""
        show = getattr(self.game.definition.notation, "show_hand", None)
        if show is None or len(self._sights) <= MOST_LISTED:
            return None
        world = before.copy()
        try:
            show(world.record, self.view, before.to_move, text, self._stream("hand").array)
        except NotationError:
            return None
        wrong = self.game.fault_of(world.array)
        if wrong:
            raise NotationError(f"'{shortened(text)}' cannot have been shown: {wrong}")
        after = world.after(code)
        return Sight(after.text(self.view), world, code, after)

    def differing(self, sight: Sight) -> list[str]:
        """The words of a sight that tell it from the others that may have been seen."""
        rows = [each.parts for each in self._sights]
        if all(len(row) == len(sight.parts) for row in rows):
            columns = zip(*rows, strict=True)
            return [word for word, column in zip(sight.parts, columns, strict=True) if len(set(column)) > 1]
        common = set.intersection(*(set(row) for row in rows))
        return [word for word in sight.parts if word not in common]

    # --- taking back

    def undo(self, plies: int = 1) -> int:
        """Take back what was entered last, with the unseen draws behind it; return how many events those were."""
        entered = [n for n, step in enumerate(self.steps) if not (step.seat is None and step.text == UNSEEN)]
        if plies > len(entered):
            raise IllegalMoveError(f"{plies} entries cannot be taken back: {len(entered)} were made")
        return self.back_to(entered[-plies]) if plies > 0 else 0

    def back_to(self, number: int) -> int:
        """Take back all but the first `number` events; how many those were."""
        if not 0 <= number <= len(self.steps):
            raise IllegalMoveError(f"there is no event {number}: {len(self.steps)} were entered")
        gone = self.steps[number:]
        if gone:
            self.state, self._sights = gone[0].before, ()
            self._undone.extend(reversed(gone))  # type: ignore[arg-type]
            del self.steps[number:]
        return len(gone)

    def redo(self, plies: int = 1) -> State:
        """Enter again what was taken back last, with the unseen draws behind it."""
        if not self._undone or plies < 1:
            raise IllegalMoveError("there is nothing to redo")
        for _ in range(min(plies, len(self._undone))):
            self._push_again()
            while self._undone and self._undone[-1].seat is None and self._undone[-1].is_hidden:
                self._push_again()
        self._ask_again()
        return self.state

    def _push_again(self) -> None:
        step = self._undone.pop()
        self.steps.append(step)
        assert step.after is not None
        self.state = step.after

    def _ask_again(self) -> None:
        """Ask anew what was seen after the last event, where that was not told."""
        last = self.steps[-1] if self.steps else None
        if isinstance(last, Entered) and not last.shown:
            self._sights = self._looked(last.before, last.code)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back and nothing else entered since."""
        return bool(self._undone)

    def branch(self, ply: int | None = None) -> Entry:
        """Another entry that shares the first `ply` decisions with this one."""
        twin = copy(self)
        twin._undone = []
        if ply is not None and ply != self.ply:
            twin.back_to(len(self._up_to(ply)))
            twin._undone = []
        return twin

    # --- as a record

    def record(self, *given: Any, **named: Any) -> Record:
        """What opens this entry again."""
        record = super().record(*given, **named)
        record.view, record.names = view_text(self.view), list(self.names)
        return record

    @classmethod
    def reopened(cls, game: Game, record: Record) -> Entry:
        """The entry that a record tells.

        Raises:
            RecordError: at the first event that does not fit.
        """
        entry = cls(game, view=read_view(record.view, game.seats), seed=record.seed, start=record.start)
        entry.names = tuple(record.names)
        entry.back_to(0)
        for number, event in enumerate(record.events, 1):
            try:
                entry._enter_again(event)
            except MeepleError as fault:
                text = shortened(event.text)
                raise RecordError(f"event {number} ('{text}') does not fit: {fault}; delete its line and on") from fault
        entry._undone = []
        entry._ask_again()
        entry._settle()
        return entry

    def _enter_again(self, event: Event) -> None:
        mover = self.to_move
        if mover != (CHANCE if event.seat is None else event.seat):
            raise IllegalMoveError("chance was not to move" if event.seat is None else "that seat was not to move")
        before, code = self._fitted(event.text)
        after = None
        if event.shown:
            before, code, after = self._seen_again(before, code, event.shown)
        self._add(before, code, event.seconds, event.shown, after)

    def _seen_again(self, before: State, code: int, shown: str) -> tuple[State, int, State]:
        """A world in which the event shows this; where none of some is, one that is read from what was shown."""
        if self.view is not None:
            for sight in self._sights_of(before, code, LOOKS):
                if sight.text == shown:
                    return sight.before, sight.code, sight.after
        after = self.game.read(shown, self._stream("shown"))
        if after.text(self.view) != shown:
            raise RecordError("what was shown is no position of this view")
        return before, code, after

    def __copy__(self) -> Entry:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.steps, twin._undone = list(self.steps), list(self._undone)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the record; what could be redone is lost."""
        return Entry.reopened, (self.game, self.record())

    def __repr__(self) -> str:
        return f"<Entry of {self.game.spec}, seen {self._by()}, ply {self.ply}>"


def view_text(view: int | None) -> str:
    """A view as a record names it."""
    return OPEN if view is None else SPECTATOR if view == NOBODY else str(view + 1)


def read_view(text: str, seats: int) -> int | None:
    """The view that a record names.

    Raises:
        RecordError: it is none of this game.
    """
    if text in (OPEN, SPECTATOR):
        return None if text == OPEN else NOBODY
    seat = whole_number(text, 1, seats)
    if seat is None:
        raise RecordError(f"the view '{shortened(text)}' is none of {OPEN}, {SPECTATOR} and a seat from 1 to {seats}")
    return seat - 1


def _at_weight(weights: dict[int, int], at: int) -> int:
    """The code at this place, each laid out as often as its weight says."""
    for code, weight in weights.items():
        at -= weight
        if at < 0:
            return code
    raise AssertionError("a place behind all weights")
