"""What a law for heuristics is handed: positions, and guarded ways to ask the game's heuristics about them.

The positions are those of matches in which each seat plays in its own way: by lot, by a policy of the game's, or by one
of its evaluations, one ply deep. Every second position is replaced by a world redealt for one of the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, rng_for
from meeple.core.conformance.probe import GUARD, UNTOUCHED, differing_fields
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game, Int64s, State
from meeple.core.heuristics import Heuristic, heuristics_of
from meeple.core.parameters import Parameters

SOME_ACTIONS = 8  # of an offer, where each must be asked about by itself
FILL = 0x33  # of the states beside the one that is asked about
TRIED = 8  # moves that a player by evaluation looks at

Player = Callable[[State, Stream], int]


@dataclass
class Asked:
    """A position at which heuristics are asked; `state` may be a world redealt for one of the seats."""

    game: Game
    seed: int
    number: int  # events before this state
    state: State
    dealt_for: int | None  # the seat for which the state was redealt; None: it is the true one
    seen: dict[int, list[int]]  # the match so far as each seat saw it
    notes: dict[str, Any] = field(default_factory=dict)  # what a law keeps between its calls in one match

    @cached_property
    def mover(self) -> int:
        """The seat to move, `CHANCE` or `NOBODY`."""
        return self.state.to_move

    @cached_property
    def legal(self) -> Int64s:
        """The legal actions; none where no seat is to move."""
        return self.state.legal_actions() if self.mover >= 0 else np.empty(0, dtype=np.int64)

    @cached_property
    def some_actions(self) -> Int64s:
        """A few of the legal actions: the first, the last, and some between by lot."""
        if len(self.legal) <= SOME_ACTIONS:
            return self.legal
        rng = self.stream("some-actions")
        places = {0, len(self.legal) - 1} | {rng.below(len(self.legal)) for _ in range(SOME_ACTIONS - 2)}
        return self.legal[sorted(places)]

    @cached_property
    def worlds(self) -> dict[int, State]:
        """For each seat a world that it cannot tell from this one."""
        seats = range(self.game.seats)
        return {seat: self.state.redealt(seat, self.stream(f"heuristics-{seat}")) for seat in seats}

    @property
    def fits_history(self) -> bool:
        """Whether the mover saw the match lead here: a world redealt for another seat may hold what it never drew."""
        return self.dealt_for in (None, self.mover)

    def stream(self, purpose: str) -> Stream:
        """A stream for this position alone: the same in every run."""
        return rng_for(f"check-{purpose}", self.number, seed=self.seed)

    def by_lot(self, law: str, one_in: int) -> bool:
        """Whether a law looks here that looks at one position in so many."""
        return self.stream(law).below(one_in) == 0

    def seldom(self, law: str, most: int) -> bool:
        """Whether a costly law looks here: at one position in four, and at `most` of a match."""
        done = self.notes.get(law, 0)
        if done >= most or not self.by_lot(law, 4):
            return False
        self.notes[law] = done + 1
        return True

    def of_kind(self, kind: str) -> dict[str, Heuristic]:
        """The game's own heuristics of a kind, by name; one that takes weights also by some that were drawn by lot."""
        kept = f"heuristics-{kind}"  # drawn once in a match: laws compare positions by one evaluation
        if kept not in self.notes:
            own = {name: each for name, each in heuristics_of(self.game, kind).items() if name != "none"}
            drawn = {f"{name}@lot": _weighed_by_lot(each, self.seed) for name, each in own.items() if each.parameters}
            self.notes[kept] = own | drawn
        found: dict[str, Heuristic] = self.notes[kept]
        return found

    def value(self, heuristic: Heuristic, state: State, seat: int) -> float:
        """The evaluation of a state for a seat; of a finished game its returns."""
        if state.to_move == NOBODY:
            return state.returns()[seat]
        return float(heuristic(state.copy().record, np.int64(seat)))


class Guarded:
    """A copy of a state between two others, to notice what a heuristic changes there and beside it."""

    def __init__(self, state: State) -> None:
        self.row = state.game.buffer(3)
        self.row.view(np.uint8)[:] = FILL
        self.row[1] = state.array[0]
        self._before = self.row.tobytes()
        self._state = state

    @property
    def record(self) -> Any:
        """The state as kernels take it."""
        return self.row[1]

    def changes(self) -> str:
        """What is no longer as it was, in words; empty where all is."""
        if self.row.tobytes() == self._before:
            return ""
        return differing_fields(self.row[1:2], self._state.array) or "memory beside the state"


def _weighed_by_lot(heuristic: Heuristic, seed: int) -> Heuristic:
    assert heuristic.parameters is not None
    return heuristic.with_weights(weights_by_lot(heuristic.parameters, rng_for("check-weights", seed=seed)))


def weights_by_lot(parameters: Parameters, rng: Stream) -> dict[str, Any]:
    """Weights that a declaration allows: between its limits, or around the defaults where it has none."""
    limits = {name: parameters.limits_of(name) for name in parameters.names}
    return {name: _drawn(getattr(parameters.defaults, name), limits[name], rng) for name in parameters.names}


def _drawn(default: Any, limits: tuple[float, float], rng: Stream) -> Any:
    """A number or an array like `default`; now and then a limit itself, where there is one."""
    usual = np.asarray(default, dtype=np.float64)
    least, most = (limits[0], limits[1]) if np.isfinite(limits).all() else (-2.0, 2.0)
    found = np.array([least + rng.random() * (most - least) for _ in range(usual.size)]).reshape(usual.shape)
    if np.isfinite(limits).all():
        extreme = np.array([rng.below(16) for _ in range(usual.size)]).reshape(usual.shape)
        found = np.where(extreme == 0, least, np.where(extreme == 1, most, found))
    else:
        found = np.clip(found * (np.abs(usual) + 1.0), *limits)
    found = np.rint(found) if np.asarray(default).dtype.kind == "i" else found
    return found if isinstance(default, np.ndarray) else found.item()


def listing(game: Game, legal: Int64s) -> Int64s:
    """A guarded buffer for lists of moves that begins with these."""
    out = np.full(int(game.definition.rules.MAX_ACTIONS) + GUARD, UNTOUCHED, dtype=np.int64)
    out[: len(legal)] = legal
    return out


def kept_by(heuristic: Heuristic, record: Any, game: Game, legal: Int64s) -> tuple[int, Int64s]:
    """What a filter answers for the list `legal`, and the whole guarded buffer that it was given."""
    out = listing(game, legal)
    return int(heuristic(record, out, np.int64(len(legal)))), out


def chosen_by(heuristic: Heuristic, record: Any, game: Game, rng: Stream) -> tuple[int, Int64s]:
    """What a policy answers, and the guarded buffer that it had for scratch."""
    out = listing(game, np.empty(0, dtype=np.int64))
    return int(heuristic(record, rng.array, out)), out


def weights_of(function: Any, state: State, seat: int, codes: int) -> NDArray[np.int64]:
    """The weights that a belief writes for `seat`, in a guarded buffer."""
    out = np.full(codes + GUARD, UNTOUCHED, dtype=np.int64)
    function(state.copy().record, np.int64(seat), out)
    return out


# --- positions ----------------------------------------------------------------------------------------


def positions(game: Game, seed: int) -> Iterator[Asked]:
    """The decisions of the match with this seed, and a quarter of its chance events."""
    players = _players(game)
    state, rng = game.new(seed=seed), rng_for("check-players", seed=seed)
    seen: dict[int, list[int]] = {seat: [] for seat in range(game.seats)}
    notes: dict[str, Any] = {}
    for number in range(game.facts.longest + 1):
        mover = state.to_move
        if mover == NOBODY:
            return
        if mover != CHANCE or rng.below(4) == 0:
            lot = rng.below(2 * game.seats)
            dealt_for = lot if lot < game.seats else None
            world = state if dealt_for is None else state.redealt(dealt_for, rng)
            yield Asked(game, seed, number, world, dealt_for, seen, notes)
        player = players[(seed + mover) % len(players)]
        code = state.fated_outcome() if mover == CHANCE else player(state, rng)
        for seat, events in seen.items():
            events.append(state.seen(code, seat))
        state = state.after(code)


def _players(game: Game) -> list[Player]:
    """The ways in which seats play: by lot, and by each policy and evaluation of the game's."""
    policies = [_by_policy(each) for each in heuristics_of(game, "PLAYOUTS").values()]
    evaluations = [_by_evaluation(each) for name, each in heuristics_of(game, "EVALUATIONS").items() if name != "none"]
    return [_by_lot, *policies, *evaluations]


def _by_lot(state: State, rng: Stream) -> int:
    return int(rng.choice(state.legal_actions()))


def _by_policy(heuristic: Heuristic) -> Player:
    def play(state: State, rng: Stream) -> int:
        try:
            action, _ = chosen_by(heuristic, state.copy().record, state.game, rng)
        except Exception:  # the law of policies says so
            return _by_lot(state, rng)
        return action if action in state.legal_actions() else _by_lot(state, rng)

    return play


def _by_evaluation(heuristic: Heuristic) -> Player:
    def value(state: State, seat: int) -> float:
        if state.is_over:
            return state.returns()[seat]
        return float(heuristic(state.copy().record, np.int64(seat)))

    def play(state: State, rng: Stream) -> int:
        actions, seat = state.legal_actions(), state.to_move
        some = [int(rng.choice(actions)) for _ in range(min(TRIED, len(actions)))]
        try:
            return max(some, key=lambda action: value(state.after(action), seat))
        except Exception:  # the law of values says so
            return some[0]

    return play
