"""A match in progress: play, undo, redo, branch; chance follows the match's fate unless it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE, HIDDEN
from meeple.core.forfeit import Forfeit
from meeple.core.game import Game, State
from meeple.core.info import Info
from meeple.core.numbers import shortened
from meeple.core.picture import Look
from meeple.core.record import Event, Record
from meeple.core.registry import load_game, load_recorded
from meeple.errors import IllegalMoveError, MeepleError, RecordError


@dataclass(frozen=True)
class Step:
    """One event and the state before it."""

    before: State
    code: int  # of the action or outcome
    seat: int | None  # None: chance
    seconds: float = 0.0
    info: Info | None = None  # what the player said of its move

    @property
    def text(self) -> str:
        """The move or outcome as text."""
        return self.before.move_text(self.code)

    def event(self) -> Event:
        """As it stands in a record."""
        return Event(self.text, self.seat, self.seconds, info=self.info)


class SeenEvent(NamedTuple):
    """An event of a match as one seat saw it."""

    seat: int | None  # who moved; None: chance
    code: int  # of the move or outcome, or `HIDDEN`
    text: str | None  # the same as text; None where it is hidden


def seen_event(before: State, code: int, seat: int) -> SeenEvent:
    """Return how `seat` sees the event `code`, which is about to happen in `before`."""
    mover, seen = before.to_move, before.seen(code, seat)
    return SeenEvent(None if mover == CHANCE else mover, seen, None if seen == HIDDEN else before.move_text(code))


def read_start(game: Game, text: str, seed: int, salt: bytes) -> State:
    """Return the state that a match begins with, from a position text.

    A seat's view, with `?` for what it does not know, is filled by a redeal, drawn from seed and salt. Without a salt
    the draw is the same in every match, so anybody could repeat it.
    """
    return game.read(text, rng_for("start", seed=seed, salt=salt) if salt else None)


class Match:
    """One match as it is played; `match.state` is where it stands.

    Chance is settled by itself, from the seed's fate, whenever it is to move, unless `manual_chance`: then
    outcomes are played like moves, as on a real table. With a `salt` all of its chance follows from seed and salt
    together (core/chance.py).
    """

    view: int | None = None  # by whose eyes it is known (core/entry.py); None: all of it is

    def __init__(
        self,
        game: Game | str,
        *,
        seed: int = 0,
        start: State | str | None = None,
        manual_chance: bool = False,
        salt: bytes = b"",
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        self.seed, self.salt = seed, salt
        self.manual_chance = manual_chance
        self.start_text = start if isinstance(start, str) else (start.text() if start else None)
        first = read_start(self.game, start, seed, salt) if isinstance(start, str) else start
        self.state = self._salted(first or self.game.new(seed=seed, salt=salt))
        self.steps: list[Step] = []
        self._undone: list[Step] = []
        self._settle()

    @property
    def ply(self) -> int:
        """Decisions made so far."""
        return sum(step.seat is not None for step in self.steps)

    @property
    def to_move(self) -> int:
        """The seat to move, `CHANCE` (only with manual chance) or `NOBODY`."""
        return self.state.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    def play(self, move: int | str, *, seconds: float = 0.0) -> State:
        """Play a move, or an outcome where chance acts; raises, and changes nothing, where it is not on offer."""
        code = self.state.read_move(move) if isinstance(move, str) else self.state.require(int(move))
        self._undone.clear()
        self._push(code, seconds)
        self._settle()
        return self.state

    def note(self, info: Info) -> None:
        """Keep what the player of the last decision said of it."""
        place = max(number for number, step in enumerate(self.steps) if step.seat is not None)
        self.steps[place] = replace(self.steps[place], info=info)

    def undo(self, plies: int = 1) -> int:
        """Take back the last decisions, with the chance events after them; returns the number of events undone."""
        if plies > self.ply:
            raise IllegalMoveError(f"{plies} moves cannot be taken back: {self.ply} were made")
        undone = 0
        while plies > 0:
            step = self.steps.pop()
            self._undone.append(step)
            self.state = step.before
            plies -= step.seat is not None
            undone += 1
        return undone

    def redo(self, plies: int = 1) -> State:
        """Play again what was undone, with the same outcomes."""
        if plies > sum(step.seat is not None for step in self._undone):
            raise IllegalMoveError("there is nothing to redo")
        while plies > 0:
            step = self._undone.pop()
            plies -= step.seat is not None
            self._push(step.code, step.seconds, step.info)
        while self._undone and self._undone[-1].seat is None:
            self._push(self._undone.pop().code, 0.0)
        return self.state

    @property
    def can_redo(self) -> bool:
        """Whether a decision was undone and nothing else played since."""
        return any(step.seat is not None for step in self._undone)

    def branch(self, ply: int | None = None) -> Match:
        """Another match that shares the first `ply` decisions with this one and goes its own way."""
        twin = Match(self.game, seed=self.seed, start=self.start_text, manual_chance=True, salt=self.salt)
        for step in self._up_to(ply):
            twin._push(step.code, step.seconds, step.info)
        twin.manual_chance = self.manual_chance
        twin._settle()
        return twin

    def seen(self, seat: int) -> list[int]:
        """The match so far as `seat` saw it: each event's code, or `HIDDEN`."""
        return [step.before.seen(step.code, seat) for step in self.steps]

    def seen_events(self, seat: int) -> list[SeenEvent]:
        """The same with movers and texts."""
        return [seen_event(step.before, step.code, seat) for step in self.steps]

    def state_at(self, ply: int) -> State:
        """The state before the decision number `ply`, counted from 0; at the last, where the match stands."""
        if not 0 <= ply <= self.ply:
            raise IllegalMoveError(f"there is no ply {ply}: the match has {self.ply}")
        return self._decisions()[ply].before if ply < self.ply else self.state

    def record(
        self,
        agents: list[str] | None = None,
        reason: str = "",
        forfeit: Forfeit | None = None,
        *,
        events: bool = True,
    ) -> Record:
        """What replays this match, and how it ended; without `events` for whoever has written them already."""
        record = Record(self.game.spec, self.game.facts.version, self.seed, salt=self.salt)
        record.folder = self.game.definition.folder
        record.start, record.agents = self.start_text, list(agents or [])
        if events:
            record.events = [step.event() for step in self.steps]
        if forfeit is not None:
            record.result = forfeit.result(self.game.seats)
        elif self.is_over:
            record.result = self.result(reason)
        return record

    def result(self, reason: str = "") -> dict[str, object]:
        """Ranks and returns of a finished match, as a record keeps them."""
        return {"ranks": self.state.ranks(), "returns": self.state.returns(), "reason": reason or "played to the end"}

    @classmethod
    def from_steps(
        cls,
        steps: list[Step],
        state: State,
        seed: int,
        salt: bytes = b"",
        start_text: str | None = None,
        manual_chance: bool = False,
    ) -> Match:
        """The match that was played elsewhere by these steps and stands at `state`; nothing is checked."""
        match = cls.__new__(cls)
        match.game, match.state, match.steps, match._undone = state.game, state, list(steps), []
        match.seed, match.salt, match.start_text, match.manual_chance = seed, salt, start_text, manual_chance
        return match

    @classmethod
    def from_record(cls, record: Record, *, manual_chance: bool = False, trust: bool = False) -> Match:
        """The match that a record tells, an `Entry` where it is of a real table.

        `trust` lets a game that is not installed run from the folder that the record names.

        Raises:
            TrustError: the game is in a folder, and `trust` is not given.
            RecordError: at the first event that does not fit.
        """
        game = load_recorded(record.game, record.folder, trust=trust)
        if record.view:
            from meeple.core.entry import Entry  # which imports this module

            return Entry.reopened(game, record)
        match = cls(game, seed=record.seed, start=record.start, manual_chance=True, salt=record.salt)
        for number, event in enumerate(record.events, 1):
            mover = match.to_move
            try:
                if mover != (CHANCE if event.seat is None else event.seat):
                    actor = "chance" if event.seat is None else f"seat {event.seat + 1}"
                    raise IllegalMoveError(f"{actor} was not to move")
                match._push(match.state.read_move(event.text), event.seconds, event.info)
            except MeepleError as fault:
                advice = "delete its line and what follows to keep the rest"
                text = shortened(event.text)
                raise RecordError(f"event {number} ('{text}') does not fit: {fault}; {advice}") from fault
        match.manual_chance = manual_chance
        match._settle()
        return match

    # --- travelling

    def __copy__(self) -> Match:
        """A match that goes its own way from here; states are values, so both share those they have had."""
        twin = Match.from_steps(self.steps, self.state, *self._facts())
        twin._undone = list(self._undone)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the first state and the events, what could be redone too; seed and salt are in it."""
        events = [*self.steps, *reversed(self._undone)]
        first = events[0].before if events else self.state
        told = [(step.code, step.seconds, step.info) for step in events]
        return _unpickled, (first, told, len(self._undone), *self._facts())

    def _facts(self) -> tuple[int, bytes, str | None, bool]:
        """What a match is besides its steps, as `from_steps` takes it."""
        return self.seed, self.salt, self.start_text, self.manual_chance

    def _push(self, code: int, seconds: float, info: Info | None = None) -> None:
        mover = self.state.to_move
        self.steps.append(Step(self.state, code, None if mover == CHANCE else mover, seconds, info))
        self.state = self._salted(self.state.after(code))

    def _salted(self, state: State) -> State:
        return state.salted(self.seed, self.salt) if self.salt else state

    def _settle(self) -> None:
        while not self.manual_chance and self.state.to_move == CHANCE:
            self._push(self.state.fated_outcome(), 0.0)

    def _up_to(self, ply: int | None) -> list[Step]:
        if ply is None or ply == self.ply:
            return list(self.steps)
        if not 0 <= ply < self.ply:
            raise IllegalMoveError(f"there is no ply {ply}: the match has {self.ply}")
        return self.steps[: [i for i, step in enumerate(self.steps) if step.seat is not None][ply]]

    def _decisions(self) -> list[Step]:
        return [step for step in self.steps if step.seat is not None]

    def memory(self, at: int | None = None) -> tuple[str, ...]:
        """What the game's picture remembers of the first `at` events, or of all; for `Look.memory`."""
        recall = getattr(self.game.definition.picture, "remembered", None)
        if recall is None or self.game.facts.hidden:
            return ()
        return tuple(recall(reversed(self.steps[:at])))

    def _repr_svg_(self) -> str | None:
        if self.game.definition.picture is None:
            return None
        return self.state.picture(self.view, Look(memory=self.memory()))

    def __repr__(self) -> str:
        return f"<Match of {self.game.spec}, seed {self.seed}, ply {self.ply}>"


def _unpickled(first: State, events: list[tuple[int, float, Info | None]], undone: int, *facts: Any) -> Match:
    """Play these events again and take back the last `undone`; raise RecordError at one that is not legal."""
    match = Match.from_steps([], first, *facts)
    for number, (code, seconds, info) in enumerate(events, 1):
        try:
            match._push(match.state.require(code), seconds, info)
        except IllegalMoveError as fault:
            raise RecordError(f"event {number} of a pickled match does not fit: {fault}") from fault
    for _ in range(undone):
        match._undone.append(match.steps.pop())
        match.state = match._undone[-1].before
    return match
