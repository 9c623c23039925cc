"""PUCT by a function of one's own, which values many positions at once: a network of PyTorch, JAX or ONNX.

    def evaluate(leaves):
        values = net(leaves.observations())   # expected returns of the seat to move, -1 to 1: [n], or [n, seats]
        return values                         # or values, priors: a number >= 0 for each of leaves.legal_actions()

A batch of descents ends at as many leaves; the function is asked for all of them; then they are backed up. Descents of
one batch are kept apart by a virtual loss. With `batch=1` this is plain PUCT. The tree is open loop: each descent draws
a world from the seat's information set where there is chance or something is hidden, and a node's moves are those on
offer there. A move hidden from the seat has its own code in the tree: what a rival does unseen is not merged.

    choose the move with the most   mean value + c * prior * sqrt(visits of the node) / (1 + visits of the move)

A move never tried has the value of its node. What is chosen is the move with the most visits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.batch import Lists, Slices, lists_of
from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.observe import Float32s, find_observer
from meeple.core.settings import setting
from meeple.errors import AgentError
from meeple.search.batched_kernels import OVER, Descents
from meeple.search.control import Clock
from meeple.search.result import SearchResult
from meeple.search.tree.arrays import DEEPEST, ROOT, TreeArrays, new_arrays

DEFAULT_ITERATIONS = 400
MOST_EDGES = 4_000_000
MOST_DEPTH = 400
Floats = NDArray[np.float64]
Int64s = NDArray[np.int64]


class Leaves:
    """Positions that a function of one's own is to value; in each of them a seat is to move."""

    def __init__(self, game: Game, states: NDArray[Any], to_move: Int64s) -> None:
        self.game, self.states, self.to_move = game, states, to_move

    def __len__(self) -> int:
        return len(self.to_move)

    def observations(self, features: str = "default") -> Float32s:
        """What each seat to move sees, as numbers (core/observe.py): [leaf, ...]."""
        observer = find_observer(self.game, features)
        out = np.empty((len(self), observer.size), dtype=np.float32)
        observer.write(self.states, self.to_move, 0, len(self), out)
        return out.reshape(len(self), *observer.shape)

    @cached_property
    def _lists(self) -> Lists:
        return lists_of(self.game, self.states, Slices(1))

    def legal_actions(self) -> Lists:
        """The moves on offer in each."""
        return self._lists

    def state(self, place: int) -> State:
        """One of them as a state."""
        place = range(len(self))[place]
        return State(self.game, self.states[place : place + 1]).copy()


Evaluate = Callable[[Leaves], Any]


@dataclass(kw_only=True)
class BatchedSettings:
    """Settings of the search; those of the agent `./FILE.py:FUNCTION`."""

    iterations: int = setting(DEFAULT_ITERATIONS, "descents a move", least=1, most_on_page=100_000)
    batch: int = setting(16, "descents whose leaves are valued together", least=1, most_on_page=4_096)
    c: float = setting(1.5, "exploration: how much priors count beside values", least=0.0)


def search(
    state: State,
    evaluate: Evaluate,
    *,
    config: BatchedSettings,
    rng: Stream,
    seconds: float = 0.0,
    should_stop: Callable[[], bool] = lambda: False,
    deterministic: bool = False,
) -> SearchResult:
    """Return the move with the most visits, after so many descents or `seconds`.

    Where the match is `deterministic`, the state is the true world, and no other is dealt.

    Raises:
        AgentError: the function answered something that is no values and priors of its leaves.
    """
    clock = Clock(seconds)
    growing = _Growing(state, evaluate, config, rng, deals=not deterministic)
    growing.run(1)  # the root alone
    left = config.iterations
    while left > 0 and not (clock.is_over() or should_stop()):
        growing.run(min(config.batch, left))
        left -= config.batch
    return growing.result(clock.spent())


class _Growing:
    """A tree that grows, with the buffers of a batch."""

    def __init__(self, state: State, evaluate: Evaluate, config: BatchedSettings, rng: Stream, *, deals: bool) -> None:
        game = self.game = state.game
        self.root, self.evaluate, self.config, self.rng = state, evaluate, config, rng
        self.seat, self.offer = state.to_move, state.legal_actions()
        has_worlds = game.facts.chance or game.facts.hidden
        self.compiled = game.specialise("meeple.search.batched_kernels", DEALS=has_worlds and deals)
        room = min(MOST_EDGES, (config.iterations + config.batch + 2) * max(64, 2 * len(self.offer)))
        self.tree: TreeArrays = new_arrays(config.iterations + config.batch + 2, roots=1, edges=room)
        size = config.batch
        self.descents = Descents(
            worlds=game.buffer(size),
            paths=np.empty((size, min(MOST_DEPTH, game.facts.longest + 1), 3), dtype=np.int64),
            depths=np.empty(size, dtype=np.int64),
            leaves=np.empty(size, dtype=np.int64),
            shares=np.empty((size, game.seats)),
            moves=np.empty(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64),
        )
        self.done = 0

    def run(self, n: int) -> None:
        """Descend `n` times, have the leaves valued, and back them up."""
        used, descents = self.tree.used, self.descents.first(n)
        self.compiled.descend(self.tree, descents, self.root.array, self.seat, float(self.config.c), self.rng.array)
        places = np.flatnonzero(descents.leaves != OVER)
        if len(places):
            self._value(places, descents)
        self.compiled.back_up(self.tree, descents)
        used[DEEPEST] = max(int(used[DEEPEST]), int(descents.depths.max()))
        self.done += n

    def _value(self, places: Int64s, descents: Descents) -> None:
        states = _picked(descents.worlds, places)
        to_move = np.array([int(self.game.face.to_move_at(states, i)) for i in range(len(states))], dtype=np.int64)
        asked = Leaves(self.game, states, to_move)
        values, priors = _checked(self.evaluate(asked), asked)
        descents.shares[places] = values
        lists = asked.legal_actions()
        self.compiled.attach(self.tree, descents, places, to_move, lists.codes, lists.offsets, priors)

    def result(self, seconds: float) -> SearchResult:
        """What the tree says of the root's moves."""
        nodes, edges, used = self.tree
        root = nodes[ROOT]
        block = edges[int(root["first"]) : int(root["first"]) + int(root["count"])]
        found = np.searchsorted(block["action"], self.offer)
        visits = block["visits"][found].astype(np.int64)
        means = np.where(visits > 0, block["value"][found] / np.maximum(visits, 1), block["minimax"][found])
        best = int(np.lexsort((block["bias"][found], means, visits))[-1])
        return SearchResult.of(
            best, self.offer, 2 * means - 1, visits, work=self.done, seconds=seconds, depth=int(used[DEEPEST])
        )


def _picked(worlds: NDArray[Any], places: Int64s) -> NDArray[Any]:
    """Some of the states, copied as bytes: NumPy copies field by field, 50 times slower."""
    plain = worlds.view(f"V{worlds.dtype.itemsize}")
    found: NDArray[Any] = plain[places].view(worlds.dtype)
    return found


def _checked(answer: Any, asked: Leaves) -> tuple[Floats, Floats]:
    """Each seat's win share at each leaf, and the priors of all moves, of what a function answered."""
    told_values, told_priors = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    n, seats, n_codes = len(asked), asked.game.seats, len(asked.legal_actions().codes)
    values = np.asarray(told_values, dtype=np.float64)
    if values.shape == (n, 1) and seats > 1:
        values = values[:, 0]  # as networks with one output answer
    if values.shape not in ((n,), (n, seats)):
        raise AgentError(f"the function answered values of the shape {values.shape}, not ({n},) or ({n}, {seats})")
    priors = np.ones(n_codes) if told_priors is None else np.asarray(told_priors, dtype=np.float64)
    if priors.shape != (n_codes,):
        raise AgentError(f"the function answered priors of the shape {priors.shape}, not ({n_codes},): one a move")
    if not (np.isfinite(values).all() and np.isfinite(priors).all() and (priors >= 0).all()):
        raise AgentError("the function answered values or priors that are no finite numbers, or a prior below 0")
    shares = 0.5 + 0.5 * np.clip(values, -1.0, 1.0)
    if shares.ndim == 1:  # the mover's own: the others share the rest
        own = shares
        shares = np.repeat(((1 - own) / max(1, seats - 1))[:, None], seats, axis=1)
        shares[np.arange(n), asked.to_move] = own
    return np.ascontiguousarray(shares), np.ascontiguousarray(priors)
