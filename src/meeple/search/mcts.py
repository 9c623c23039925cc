"""Monte Carlo tree search: UCT on win shares, for every game; over worlds, and over information sets.

Without `worlds` each iteration draws a fresh fate, so that chance is sampled (open loop). `worlds=N` is the
papers' PIMC: N worlds are dealt, each has a tree of its own with its fate known, and the root's counts are
added up. `ismcts` deals a world anew at each iteration and shares one tree. The loop itself is in tree.py.

Departures: 1. A node keeps only visited edges, so thousands of moves cost nothing until they are tried.
2. A tree that is full goes on by playouts from its leaves. 3. In games of two without chance and secrets, proven
wins and losses are backed up, and the search ends when the root is proven.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, fresh_fate
from meeple.core.game import Game, State
from meeple.core.heuristics import find_heuristic
from meeple.search.control import CONTROL_SIZE, STOP
from meeple.search.result import SearchResult
from meeple.search.tree import DEEPEST, EDGES_USED, IS_SOLVED, LOST, MAX_DEPTH, NODES_USED, ROOT, WON, new_tree

FIRST_SLICE = 16  # iterations before the first look at the clock; later as many as fit SLICE_SECONDS
SLICE_SECONDS = 0.002
MARGIN = 0.02  # of the time allowed is kept back, and at least MARGIN_SECONDS
MARGIN_SECONDS = 0.004
GUIDES = {"[minimax:depth=1]": 1, "[minimax:depth=2]": 2}  # playouts by a shallow minimax, and its plies
ROBUST_MAX_STEP = 1_000  # iterations between two looks whether robust and max agree
ROBUST_MAX_BOUND = 0.5  # robust-max goes on for at most so much of the iterations again


@dataclass(frozen=True, kw_only=True)
class MctsConfig:
    """Settings of `search`; a limit of 0 is none."""

    iterations: int = 1_000  # per decision, and per world
    seconds: float = 0.0
    c: float = 1.41  # exploration constant, for win shares in [0, 1]
    first_play: float = math.inf  # value of a move never tried; infinite: those first
    expand: str = "one"  # or "all": a new node is left at once by a random move
    playout: str = "random"  # or a policy of the game's, or "[minimax:depth=1]", "[minimax:depth=2]"
    cutoff: int = 0  # moves after which a playout is ended by the evaluation; 0: never
    evaluation: str = "default"
    bias: str = "none"
    filter: str = "none"  # moves not worth a look are left out of the tree, not of playouts
    reward: str = "win"  # win share, or "margin": the Sagrada thesis's, more for a lead of 5, 10, 15, 20 points
    final: str = "robust"  # robust (most visits), max (best mean), robust-max, secure
    secure: float = 4.0  # A of the secure child: mean - A / sqrt(visits)
    widening: float = 0.0  # w: a node of n visits tries at most w * sqrt(n) moves; 0: all
    worlds: int = 0  # 0: a fresh fate each iteration
    threads: int = 1  # trees that grow side by side, added up
    solve: bool = True  # back up proven wins and losses where the game allows it
    fresh_worlds: bool = False  # deal hidden cards anew at each iteration (ismcts)
    nodes: int = 1 << 22  # most nodes of a tree


def search(
    state: State, *, config: MctsConfig, rng: Stream, should_stop: Callable[[], bool] = lambda: False
) -> SearchResult:
    """The move that the trees recommend."""
    began = time.perf_counter()
    deadline = (
        began + max(0.001, config.seconds - max(MARGIN_SECONDS, MARGIN * config.seconds))
        if config.seconds
        else math.inf
    )
    seat = state.to_move
    n_trees = config.worlds or config.threads
    trees = []
    for _ in range(n_trees):
        world = state.redealt(seat, rng) if config.worlds else state
        trees.append(Tree(world, config, Stream(fresh_fate(rng.array))))

    def is_over() -> bool:
        return time.perf_counter() >= deadline or should_stop()

    wanted = config.iterations if config.iterations else 2**62
    share = wanted if config.worlds else math.ceil(wanted / config.threads)
    _grow(trees, share, is_over, config)
    totals = _totals(trees)
    if config.final == "robust-max":
        extra = math.ceil(ROBUST_MAX_BOUND * share)
        while extra > 0 and np.argmax(totals.visits) != np.argmax(totals.means) and not is_over():
            step = min(ROBUST_MAX_STEP, extra)
            _grow(trees, step, is_over, config)
            extra -= step
            totals = _totals(trees)
    best = totals.choose(config)
    return SearchResult(
        int(totals.actions[best]),
        totals.actions,
        totals.means,
        totals.visits,
        sum(tree.done for tree in trees),
        value=2 * float(totals.means[best]) - 1,
        depth=max(int(tree.used[DEEPEST]) for tree in trees),
        seconds=time.perf_counter() - began,
    )


def _grow(trees: list[Tree], iterations: int, is_over: Callable[[], bool], config: MctsConfig) -> None:
    """Let every tree grow by so many iterations, side by side where there are threads."""
    for tree in trees:
        tree.target = tree.done + iterations
    threads = min(config.threads, len(trees))
    if threads == 1:
        _grow_in_turn(trees, is_over)
        return
    with ThreadPoolExecutor(max_workers=threads) as pool:
        jobs = [pool.submit(_grow_in_turn, trees[first::threads], is_over) for first in range(threads)]
        try:
            for job in jobs:
                job.result()
        except KeyboardInterrupt:
            for tree in trees:
                tree.control[STOP] = 1
            raise


def _grow_in_turn(trees: list[Tree], is_over: Callable[[], bool]) -> None:
    """Slice by slice, so that all worlds have had a like share when the time is up."""
    while True:
        growing = [tree for tree in trees if not tree.is_done]
        if not growing:
            return
        for tree in growing:
            if tree.done and is_over():
                return
            tree.grow_a_slice()


class Tree:
    """One tree and all it needs to grow."""

    def __init__(self, root: State, config: MctsConfig, rng: Stream) -> None:
        game = root.game
        self.root, self.config, self.rng = root, config, rng
        self.compiled = compile_for(game, config)
        self.states = game.buffer(4)
        self.states[0] = root.array[0]
        self.control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        wanted = config.iterations * (2 if config.expand == "all" else 1) + 2 if config.iterations else 1 << 14
        self.nodes, self.edges, self.used = new_tree(min(wanted, 1 << 16, config.nodes))
        most = int(game.definition.rules.MAX_ACTIONS)
        self.scratch = (
            np.empty(most, dtype=np.int64),
            np.empty(most + 1, dtype=np.int64),
            np.empty(max(1, int(game.definition.rules.OUTCOMES)), dtype=np.int64),
            np.empty(MAX_DEPTH, dtype=np.int64),
            np.empty(MAX_DEPTH, dtype=np.int64),
            np.empty(game.seats),
        )
        self.done = 0
        self.target = 0  # iterations to reach
        self.slice = FIRST_SLICE

    @property
    def is_done(self) -> bool:
        """Whether it has all its iterations, or the root is proven, or it was told to stop."""
        return bool(self.done >= self.target or self.used[IS_SOLVED] or self.control[STOP])

    def grow_a_slice(self) -> None:
        """Some iterations, about SLICE_SECONDS of them; how they are sliced does not change the tree."""
        config, step = self.config, min(self.slice, self.target - self.done)
        self._make_room(step)
        began = time.perf_counter()
        self.done += int(
            self.compiled.advance(
                self.nodes,
                self.edges,
                self.used,
                self.states,
                self.root.to_move,
                step,
                self.control,
                self.rng.array,
                *self.scratch,
                config.c,
                config.first_play,
                config.widening,
                config.cutoff,
            )
        )
        seconds = time.perf_counter() - began
        self.slice = max(1, min(8 * self.slice, int(step * SLICE_SECONDS / max(seconds, 1e-9))))

    def _make_room(self, step: int) -> None:
        """Double the arrays where the next slice might fill them, up to the limit."""
        is_tight = self.used[NODES_USED] + 2 * step > len(self.nodes) or self.used[EDGES_USED] * 3 > len(self.edges) * 2
        if is_tight and len(self.nodes) < self.config.nodes:
            nodes, edges, _ = new_tree(min(2 * len(self.nodes), self.config.nodes))
            nodes[: len(self.nodes)] = self.nodes
            edges[: len(self.edges)] = self.edges
            self.nodes, self.edges = nodes, edges


@dataclass
class Totals:
    """The root's moves over all trees."""

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    proofs: NDArray[np.int64]

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean win share of each move; 0 where it was never tried."""
        return self.values / np.maximum(self.visits, 1)

    def choose(self, config: MctsConfig) -> int:
        """The place of the move to play: proven wins first, proven losses last; ties by mean, then by code."""
        if config.final == "max":
            merit = np.where(self.visits > 0, self.means, -1.0)
        elif config.final == "secure":
            merit = np.where(self.visits > 0, self.means - config.secure / np.sqrt(np.maximum(self.visits, 1)), -np.inf)
        else:
            merit = self.visits.astype(np.float64)
        ranked = np.lexsort((-np.arange(len(merit)), self.means, merit, self.proofs))
        return int(ranked[-1])


def _totals(trees: list[Tree]) -> Totals:
    actions = trees[0].root.legal_actions()
    visits, values = np.zeros(len(actions), dtype=np.int64), np.zeros(len(actions))
    proofs = np.zeros(len(actions), dtype=np.int64)
    for tree in trees:
        root = tree.nodes[ROOT]
        edges = tree.edges[int(root.first) : int(root.first) + int(root.count)]
        places = np.searchsorted(actions, edges["action"])
        visits[places] += edges["visits"]
        values[places] += edges["value"]
        if not tree.config.worlds:  # what is proven in one world is not proven
            proofs[places] += edges["proof"]
    return Totals(actions, visits, values, np.clip(proofs, LOST, WON))


def compile_for(game: Game, config: MctsConfig) -> ModuleType:
    """The loop compiled for a game with the chosen heuristics."""
    is_fixed = not (game.facts.chance or game.facts.hidden) or bool(config.worlds)
    bound: dict[str, Any] = {
        "evaluate": find_heuristic(game, "EVALUATIONS", config.evaluation).function,
        "keep": find_heuristic(game, "FILTERS", config.filter).function,
        "USES_FILTER": config.filter != "none",
        "bias": find_heuristic(game, "BIASES", config.bias).function,
        "FRESH": not config.worlds and (game.facts.chance or config.fresh_worlds),
        "FIXED": is_fixed,
        "SOLVES": config.solve and game.seats == 2 and is_fixed and config.reward == "win",
        "USES_MARGIN": config.reward == "margin",
        "LOOKS": config.fresh_worlds and game.facts.hidden,
        "EXPANDS_ALL": config.expand == "all",
        "HAS_POLICY": config.playout != "random",
        "GUIDE_PLIES": GUIDES.get(config.playout, 0),
    }
    if config.playout != "random" and config.playout not in GUIDES:
        bound["policy"] = find_heuristic(game, "PLAYOUTS", config.playout).function
    return game.specialise("meeple.search.tree", **bound)
