"""`Batch`: many games of one kind stepped side by side by compiled code, on all cores, for learning and statistics.

    batch = game.batch(1024, seed=1)
    lists = batch.legal_actions()           # codes and offsets, as in a sparse matrix
    batch.step(lists.sample(rng))           # a game that ends begins anew
    batch.done, batch.returns               # what ended in that step, and how

Place i plays the games of the seeds seed + i, seed + i + n, seed + i + 2n ...: each is the game that `Match` plays with
that seed, if the same moves are made. Chance is settled after every step, so a seat is to move in every place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.batch_kernels import Places
from meeple.core.chance import rng_for
from meeple.core.game import Game, State
from meeple.core.observe import Float32s, find_observer
from meeple.errors import ConfigError, IllegalMoveError

MOST_PLACES = 1 << 22
MOST_MASKED = 4_096  # action codes of a game for which masks are given
A_SLICE = 256  # places that are worth a thread of their own
Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class Lists:
    """The legal actions of each place: those of place i are codes[offsets[i]:offsets[i + 1]], ascending."""

    codes: Int64s
    offsets: Int64s  # one more than there are places

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, place: int) -> Int64s:
        place = range(len(self))[place]  # so that -1 is the last, and what is outside raises
        return self.codes[self.offsets[place] : self.offsets[place + 1]]

    @property
    def counts(self) -> Int64s:
        """How many each place has."""
        return np.diff(self.offsets)

    def at(self, indices: NDArray[Any]) -> Int64s:
        """The action at this index of each place's list.

        Raises:
            IllegalMoveError: a list is shorter.
        """
        indices = np.asarray(indices)
        if indices.shape != (len(self),):
            raise ConfigError(f"there is one index a place, {len(self)} in all; these have the shape {indices.shape}")
        wrong = np.flatnonzero((indices < 0) | (indices >= self.counts))
        if len(wrong):
            place = int(wrong[0])
            raise IllegalMoveError(f"place {place} has {len(self[place])} moves, and no index {int(indices[place])}")
        found: Int64s = self.codes[self.offsets[:-1] + indices]
        return found

    def sample(self, rng: np.random.Generator) -> Int64s:
        """A legal action for each place, all as likely."""
        return self.codes[self.offsets[:-1] + (rng.random(len(self)) * self.counts).astype(np.int64)]


def usual_threads() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Slices:
    """Runs a compiled function over parts of a range of places, on some threads at once."""

    def __init__(self, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise ConfigError(f"there is at least one thread, not {threads}")
        self.threads = threads or usual_threads()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads - 1, thread_name_prefix="meeple-batch")

    def run(self, n: int, work: Callable[[int, int], Any], least: int = A_SLICE) -> list[Any]:
        """Call work(first, last) for parts of 0..n-1 and return what each gave, in order."""
        parts = max(1, min(self.threads, n // least))
        bounds = [n * part // parts for part in range(parts + 1)]
        others = [self._pool.submit(work, bounds[part], bounds[part + 1]) for part in range(1, parts)]
        return [work(bounds[0], bounds[1]), *(other.result() for other in others)]


class Batch:
    """`n` games side by side; made by `Game.batch`. What it hands out belongs to the caller, unless it says otherwise.

    states   the states, one a place; whole worlds, for reading only, and changed by the next step
    to_move  the seat to move in each place
    done     whether the last step ended a game in each place
    returns  the returns of each seat in that game, [place, seat]; 0 where none ended
    plies    moves made in the game that each place plays now
    seeds    the seed of that game
    games    how many games have ended so far
    """

    def __init__(self, game: Game, n: int, *, seed: int = 0, threads: int | None = None) -> None:
        if not 1 <= n <= MOST_PLACES:
            raise ConfigError(f"a batch has 1 to {MOST_PLACES:,} places, not {n:,}")
        self.game, self.n, self.games = game, n, 0
        self._slices = Slices(threads)
        self._compiled = game.specialise("meeple.core.batch_kernels")
        start = np.uint64(rng_for("batch", seed=seed).array[0])
        self._places = Places(
            states=game.buffer(n),
            seeds=seed + np.arange(n, dtype=np.int64),
            movers=np.empty(n, dtype=np.int64),
            plies=np.zeros(n, dtype=np.int64),
            done=np.zeros(n, dtype=np.bool_),
            shares=np.full((n, game.seats), 0.5),
            rngs=start ^ (np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0xD6E8FEB86659FD93)),
        )
        self._lists: Lists | None = None
        self._usual = 16.0  # moves on offer in a place, by which room is made for lists
        begin, options = self._compiled.begin, game.option_codes
        self._slices.run(n, lambda first, last: begin(self._places, first, last, options))

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games of {self.game.spec}>"

    # --- how it stands

    @property
    def states(self) -> NDArray[Any]:
        """The states, for reading; they change with the next step."""
        return _read_only(self._places.states)

    @property
    def to_move(self) -> Int64s:
        """The seat to move in each place."""
        return self._places.movers.copy()

    @property
    def done(self) -> NDArray[np.bool_]:
        """Whether the last step ended a game in each place."""
        return self._places.done.copy()

    @property
    def returns(self) -> NDArray[np.float64]:
        """The returns of the games that the last step ended, [place, seat]; 0 elsewhere."""
        returns: NDArray[np.float64] = (2 * self._places.shares - 1) * self._places.done[:, None]
        return returns

    @property
    def plies(self) -> Int64s:
        """Moves made so far in the game of each place."""
        return self._places.plies.copy()

    @property
    def seeds(self) -> Int64s:
        """The seed of the game of each place."""
        return self._places.seeds.copy()

    def state(self, place: int) -> State:
        """The state of one place, as a value of its own."""
        place = range(self.n)[place]
        return State(self.game, self._places.states[place : place + 1]).copy()

    # --- what may be played

    def legal_actions(self) -> Lists:
        """The legal actions of every place, as one array of codes with offsets; for reading only."""
        if self._lists is None:
            self._lists = lists_of(self.game, self._places.states, self._slices, usual=self._usual)
            self._usual = len(self._lists.codes) / self.n
        return self._lists

    def masks(self) -> NDArray[np.bool_]:
        """For each place a row that says of every action code whether it is legal; for games with few codes.

        Raises:
            ConfigError: the game has too many codes; the lists have what is needed.
        """
        n_codes = int(self.game.definition.rules.ACTIONS)
        if n_codes > MOST_MASKED:
            raise ConfigError(
                f"{self.game.name} has {n_codes:,} action codes, too many for masks of {self.n} places: "
                "work on the lists of legal_actions(), and name a move by its index (Lists.at)"
            )
        lists, masks = self.legal_actions(), np.empty((self.n, n_codes), dtype=np.bool_)
        fill = self._compiled.fill_masks
        self._slices.run(self.n, lambda first, last: fill(first, last, lists.codes, lists.offsets, masks))
        return masks

    # --- what seats see

    def observations(self, features: str = "default", seats: NDArray[Any] | int | None = None) -> Float32s:
        """What the seat to move sees in each place (or these seats see), as numbers: [place, ...]; see observe.py."""
        looking = self._looking(seats)
        observer = find_observer(self.game, features)
        out = np.empty((self.n, observer.size), dtype=np.float32)
        self._slices.run(self.n, lambda first, last: observer.write(self._places.states, looking, first, last, out))
        return out.reshape(self.n, *observer.shape)

    def views(self, seats: NDArray[Any] | int | None = None) -> NDArray[Any]:
        """The states as the seat to move sees them (or these seats): what a seat cannot tell apart is equal.

        What the seat does not know is dealt by a fixed stream. The bytes of a view are those of `State.key`.
        """
        looking = self._looking(seats)
        compiled = self.game.specialise("meeple.core.observe_kernels")
        out = self.game.buffer(self.n)
        self._slices.run(
            self.n, lambda first, last: compiled.write_views(self._places.states, looking, first, last, out)
        )
        return out

    def _looking(self, seats: NDArray[Any] | int | None) -> Int64s:
        if seats is None:
            return self._places.movers
        looking = np.broadcast_to(np.asarray(seats, dtype=np.int64), (self.n,)).copy()
        if ((looking < 0) | (looking >= self.game.seats)).any():
            raise ConfigError(f"seats are counted from 0 to {self.game.seats - 1}")
        return looking

    # --- playing

    def step(self, actions: NDArray[Any]) -> Batch:
        """Play one action in every place, and all chance up to the next decision; returns the batch itself.

        Raises:
            IllegalMoveError: an action is not legal; then nothing was played.
        """
        wanted = np.ascontiguousarray(actions)
        if wanted.shape != (self.n,) or wanted.dtype.kind not in "iu":
            raise ConfigError(f"a step takes {self.n} whole numbers, not {wanted.dtype} of the shape {wanted.shape}")
        wanted = wanted.astype(np.int64, copy=False)
        self._require_legal(wanted)
        self._lists = None
        work, options = self._compiled.step, self.game.option_codes
        self.games += sum(
            self._slices.run(self.n, lambda first, last: work(self._places, first, last, wanted, options))
        )
        return self

    def step_randomly(self, steps: int = 1) -> Batch:
        """Play so many random moves in every place; `done` and `returns` then tell of the last game that ended there.

        The moves follow from the batch's seed and what was played at random before, on any number of threads.
        """
        if steps < 0:
            raise ConfigError(f"a batch makes no {steps} steps")
        self._lists = None
        work, options = self._compiled.step_randomly, self.game.option_codes
        self.games += sum(self._slices.run(self.n, lambda first, last: work(self._places, first, last, steps, options)))
        return self

    def _require_legal(self, actions: Int64s) -> None:
        lists, compiled = self._lists, self._compiled
        if lists is None:
            found = self._slices.run(
                self.n, lambda first, last: compiled.find_illegal(self._places.states, first, last, actions)
            )
        else:
            codes, offsets = lists.codes, lists.offsets
            found = self._slices.run(
                self.n, lambda first, last: compiled.find_unlisted(first, last, actions, codes, offsets)
            )
        wrong = [place for place in found if place >= 0]
        if wrong:
            place = int(wrong[0])
            state = self.state(place)
            try:
                state.require(int(actions[place]))
            except IllegalMoveError as fault:
                raise IllegalMoveError(f"place {place} of the batch: {fault}") from None
            raise IllegalMoveError(f"place {place} of the batch: action {int(actions[place])} is not legal")


def lists_of(game: Game, states: NDArray[Any], slices: Slices, *, usual: float = 16.0) -> Lists:
    """The legal actions of states in which a seat is to move; `usual` is how many one has, roughly."""
    compiled = game.specialise("meeple.core.batch_kernels")
    counts = np.empty(len(states), dtype=np.int64)
    longest = int(game.definition.rules.MAX_ACTIONS)

    def listed(first: int, last: int) -> Int64s:
        """The codes of some states, one list after the other; the buffer grows until all fit."""
        codes = np.empty(int(1.2 * usual * (last - first)) + longest, dtype=np.int64)
        place, used = compiled.list_actions(states, first, last, codes, 0, counts)
        while place < last:
            codes = np.concatenate([codes[:used], np.empty(len(codes) + longest, dtype=np.int64)])
            place, used = compiled.list_actions(states, place, last, codes, used, counts)
        return codes[:used]

    codes = slices.run(len(states), listed)
    offsets = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return Lists(_read_only(codes[0] if len(codes) == 1 else np.concatenate(codes)), _read_only(offsets))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
