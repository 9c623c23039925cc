"""What a law is handed: a state in mid-match, and guarded ways to ask the rules about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, rng_for
from meeple.core.conformance.worlds import TooManyWorlds, possible_worlds
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.game import Game, Int64s, State
from meeple.errors import ContractError

GUARD = 64  # entries past the end of a buffer, to notice writing there
UNTOUCHED = -(2**61)  # what a guarded buffer holds before it is filled


@dataclass
class Probe:
    """A state of a match under check, the event about to be played there, and what led there."""

    game: Game
    seed: int
    number: int  # events before this state
    state: State
    events: list[tuple[State, int]]  # state and code of every event of the match so far
    match: int = 0  # its number among those of its variant
    code: int = -1  # of the event about to be played; -1 at the end
    after: State | None = None
    keys: dict[int, int] = field(default_factory=dict)  # chance keys met before, and the event that had them
    notes: dict[str, Any] = field(default_factory=dict)  # what a law keeps between its calls in one match

    @property
    def history(self) -> list[tuple[State, int]]:
        """State and code of every event before this state."""
        return self.events[: self.number]

    @cached_property
    def seats(self) -> list[int]:
        """The seats by whose eyes the laws look here, and the spectator: the seat to move, and others drawn anew.

        Two seats where something is hidden, else one: over a match all have their turn.
        """
        most = 2 if self.game.facts.hidden else 1
        at = self.stream("seats").below(self.game.seats)
        drawn = [(at + i) % self.game.seats for i in range(min(most, self.game.seats))]
        if 0 <= self.mover < self.game.seats and self.mover not in drawn:
            drawn[0] = self.mover
        return [*sorted(drawn), NOBODY]

    @cached_property
    def mover(self) -> int:
        """The seat to move, `CHANCE` or `NOBODY`."""
        return _whole("to_move", self.game.face.to_move_at(self.state.array, 0))

    @cached_property
    def raw_list(self) -> tuple[int, Int64s]:
        """What `legal_actions` returns, and the whole guarded buffer it wrote to."""
        out = np.full(int(self.game.definition.rules.MAX_ACTIONS) + GUARD, UNTOUCHED, dtype=np.int64)
        n = _whole("legal_actions", self.game.face.legal_actions_at(self.state.array, 0, out))
        return n, out

    @cached_property
    def legal(self) -> Int64s:
        """The legal actions; none where no seat is to move."""
        if self.mover < 0:
            return np.empty(0, dtype=np.int64)
        n, out = self.raw_list
        return out[:n]

    def weights(self, filler: int = UNTOUCHED) -> Int64s:
        """The chance weights, written over a buffer full of `filler`."""
        out = np.full(int(self.game.definition.rules.OUTCOMES) + GUARD, filler, dtype=np.int64)
        self.game.face.chance_weights_at(self.state.array, 0, out)
        return out

    def offer(self) -> list[int]:
        """All codes that could be played here."""
        if self.mover == CHANCE:
            weights = self.weights()[: self.game.definition.rules.OUTCOMES]
            return [code for code, weight in enumerate(weights) if weight > 0]
        return [int(action) for action in self.legal]

    def stream(self, purpose: str) -> Stream:
        """A stream for this state alone: the same in every run."""
        return rng_for(f"check-{purpose}", self.number, seed=self.seed)

    def some(self, codes: list[int], purpose: str, most: int = 16) -> list[int]:
        """The code about to be played and others of `codes`, drawn for this state: `most` at most."""
        if len(codes) <= most:
            return codes
        return [self.code, *(codes[at] for at in self.stream(purpose).many(len(codes), most - 1))]

    @cached_property
    def redeals(self) -> dict[int, State]:
        """For each of `seats` a world that it cannot tell from this one."""
        return {seat: self.state.redealt(seat, self.stream(f"redeal-{seat}")) for seat in self.seats}

    @cached_property
    def other_redeals(self) -> dict[int, tuple[State, Stream]]:
        """A second world for each of `seats`, from `stream("again-SEAT")`, and that stream after it."""
        streams = {seat: self.stream(f"again-{seat}") for seat in self.seats}
        return {seat: (self.state.redealt(seat, rng), rng) for seat, rng in streams.items()}

    @cached_property
    def countable_worlds(self) -> tuple[int, dict[bytes, float]]:
        """A seat, and the weight of each world that it cannot tell from this one.

        None where nothing is hidden, where the state does not keep all that was seen, where the worlds are
        too many to count, and at most states, since counting is slow: two a match are looked at.
        """
        if self.mover == CHANCE:
            return NOBODY, {}
        return self._counted("worlds", self.state, self.history, most=2)

    @cached_property
    def countable_after(self) -> tuple[int, dict[bytes, float]]:
        """The same of the state after the event that is about to be played, for a seat that sees it."""
        if self.code < 0 or self.state.seen(self.code, self._counting_seat("reveal")) == HIDDEN:
            return NOBODY, {}
        self.after = self.after or self.state.after(self.code)
        return self._counted("reveal", self.after, [*self.history, (self.state, self.code)], most=1)

    def _counting_seat(self, purpose: str) -> int:
        return self.seats[self.stream(f"{purpose}-seat").below(len(self.seats))]

    def _counted(
        self, purpose: str, now: State, history: list[tuple[State, int]], most: int
    ) -> tuple[int, dict[bytes, float]]:
        """The worlds of a seat at `now`, at so many states of a match."""
        facts, note = self.game.facts, f"counted {purpose}"
        tested = self.notes.setdefault(note, 0)
        is_wanted = facts.hidden and facts.remembers_all and tested < most
        if not is_wanted or self.stream(purpose).below(4) > 0:
            return NOBODY, {}
        seat = self._counting_seat(purpose)
        try:
            worlds = possible_worlds(history[0][0] if history else now, history, now, seat, most=400)
        except TooManyWorlds:
            return seat, {}
        self.notes[note] = tested + 1
        return seat, worlds


def not_whole(name: str, answer: Any) -> str:
    """What to say of a function that should have answered a whole number; empty where it did."""
    if isinstance(answer, (int, np.integer)):
        return ""
    said = "nothing" if answer is None else f"{answer}, a {type(answer).__name__}"
    return f"rules.{name} returns {said}, where a whole number is due"


def _whole(name: str, answer: Any) -> int:
    fault = not_whole(name, answer)
    if fault:
        raise ContractError(fault)
    return int(answer)


def differing_fields(one: NDArray[Any], other: NDArray[Any]) -> str:
    """The names of the fields in which two states differ."""
    names = one.dtype.names or ()
    return ", ".join(name for name in names if one[0][name].tobytes() != other[0][name].tobytes())
