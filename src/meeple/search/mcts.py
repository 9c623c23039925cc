"""Monte Carlo tree search: UCT on win shares, for every game; over worlds, and over information sets.

Without `worlds` each iteration draws a fresh fate, so that chance is sampled (open loop). `worlds=N` is the
papers' PIMC: N worlds are dealt, each has a tree of its own with its fate known, and the root's counts are
added up. `ismcts` deals a world anew at each iteration and shares one tree, or one tree a seat
(`observers=each`). The loop itself is in tree.py, the tree's arrays in edges.py.

Departures: 1. A node keeps only visited edges, so thousands of moves cost nothing until they are tried.
2. A tree that is full goes on by playouts from its leaves. 3. In games of two without chance and secrets, proven
wins and losses are backed up, and the search ends when the root is proven.

What the result says of a move is the mean over the iterations that began with it, as returns: first values on trust
(`prior`) and other measures of a playout (`reward`) steer the tree and the choice, and are no part of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, fresh_fate
from meeple.core.game import Game, State
from meeple.core.heuristics import NONE, Heuristic, find_heuristic
from meeple.core.spec import parse_spec
from meeple.errors import ConfigError, MeepleError
from meeple.search.control import CONTROL_SIZE, STOP, Clock, make_ready, wall_time
from meeple.search.edges import (
    DEEPEST,
    EDGES_USED,
    IS_SOLVED,
    LOST,
    MAX_DEPTH,
    NO_NODE,
    NODES_USED,
    ROOT,
    SLOTS,
    WON,
    Store,
    find_edge,
    graft,
    new_store,
    settled,
)
from meeple.search.grow import grow
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_by_world, errors_of, in_returns
from meeple.search.strata import Weights, deal_one
from meeple.search.tree import N_KNOBS, PRIOR_BIAS, PRIOR_LOOK, TICKET, Scratch

FIRST_SLICE = 16  # iterations before the first look at the clock; later as many as fit SLICE_SECONDS
SLICE_SECONDS = 0.002
PROGRESS_SECONDS = 0.2  # between two reports
LONG_LIST = 1_000  # where MAX_ACTIONS is more, a tree does without lists if the game allows it
MOST_PLIES = 4  # of a shallow search inside this one
ROBUST_MAX_STEP = 1_000  # iterations between two looks whether robust and max agree
ROBUST_MAX_BOUND = 0.5  # robust-max goes on for at most so much of the iterations again
LINE = 12  # moves of the best line that are shown
N_LOGS = 1 << 15  # logarithms kept in a table


@dataclass(frozen=True, kw_only=True)
class MctsConfig:
    """Settings of `search`; a limit of 0 is none."""

    iterations: int = 1_000  # per decision, and per world
    seconds: float = 0.0  # by the wall
    cpu: float = 0.0  # seconds of a thread's own CPU time; threads side by side may use as much each
    c: float = 1.41  # exploration constant, for win shares in [0, 1]
    first_play: float = math.inf  # value of a move never tried; infinite: those first
    expand: str = "one"  # or "all": a new node is left at once by a random move
    playout: str | Heuristic = "random"  # or "mast", a policy of the game's, "[minimax:depth=1]" or 2
    cutoff: int = 0  # moves after which a playout is ended by the evaluation; 0: never
    evaluation: str | Heuristic = "default"
    bias: str | Heuristic = "none"
    prior: str = "none"  # value that a new move starts with: bias, evaluation, [minimax:depth=2], [expectimax:depth=2]
    prior_visits: int = 10  # visits that it counts for
    probe: int = 0  # plies of a minimax that looks for proofs in the tree
    probe_visits: int = 2  # visits at which a node is probed
    rave: float = 0.0  # k: later moves weigh sqrt(k / (3n + k)) at n visits; 0: not at all
    epsilon: float = 0.4  # share of random moves in playouts by habit (mast)
    implicit: float = 0.0  # weight of the minimax of evaluations in the mean
    ordering: str = "none"  # moves never tried come in the game's order, or by lot
    filter: str = "none"  # moves not worth a look are left out of the tree, not of playouts
    reward: str = "win"  # win share, "margin": more for a lead of 5, 10, 15, 20 points, or "bias": times a move's bias
    plies: int = 0  # the deepest that the tree may grow; 0: no limit
    final: str = "robust"  # robust (most visits), max (best mean), wins (most of them), robust-max, secure
    secure: float = 4.0  # A of the secure child: mean - A / sqrt(visits)
    widening: float = 0.0  # w: a node of n visits tries at most w * sqrt(n) moves; 0: all
    worlds: int = 0  # 0: a fresh fate each iteration
    strata: bool = True  # worlds in proportion to the classes that a game names
    observers: str = "one"  # ismcts: one tree, or "each": one a seat
    threads: int = 1
    parallel: str = "root"  # threads grow trees of their own, share one ("tree"), or play out one leaf ("leaf")
    solve: bool = True  # back up proven wins and losses where the game allows it
    fresh_worlds: bool = False  # deal hidden cards anew at each iteration (ismcts)
    is_open: bool = False  # the world at hand is the true one: nothing is dealt, and chance follows its fate
    nodes: int = 1 << 22  # most nodes of a tree

    def knobs(self) -> NDArray[np.float64]:
        """The numbers that the compiled loop reads, in its order."""
        values = (self.c, self.first_play, self.widening, self.cutoff, self.prior_visits, self.probe_visits)
        knobs = np.array([*values, self.rave, self.implicit, self.epsilon], dtype=np.float64)
        assert len(knobs) == N_KNOBS
        return knobs


def in_the_open(config: MctsConfig) -> MctsConfig:
    """The settings for the deterministic version: one tree of the true world, with the iterations of all worlds."""
    iterations = config.iterations * max(1, config.worlds)
    return replace(config, is_open=True, worlds=0, fresh_worlds=False, observers="one", iterations=iterations)


def search(
    state: State,
    *,
    config: MctsConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
    grown: Tree | None = None,
    weights: Weights | None = None,
) -> SearchResult:
    """The move that the trees recommend; `grown` is a tree kept from the last move, whose work counts.

    `weights` are a belief over the classes of worlds that the game names; without, they weigh as by chance.
    """
    clock = Clock(config.seconds, config.cpu)
    trees = [grown] if grown else plant(state, config, rng, weights)
    trees[0].make_ready()
    began = wall_time() - clock.spent()
    reported = began

    def is_over() -> bool:
        nonlocal reported
        now = wall_time() if on_progress else 0.0
        if on_progress and now - reported >= PROGRESS_SECONDS:
            reported = now
            on_progress(_result(trees, config, now - began))
        return should_stop()

    wanted = config.iterations if config.iterations else 2**62
    if len(kept_actions(state, config.filter)) == 1:
        wanted = 1  # nothing to think about
    share = wanted if config.worlds or len(trees) == 1 else math.ceil(wanted / len(trees))
    grow(trees, share, is_over, config.threads, clock)
    if config.final == "robust-max":
        extra = math.ceil(ROBUST_MAX_BOUND * share)
        while extra > 0 and not (clock.is_over() or is_over()):
            totals = _totals(trees)
            if np.argmax(totals.visits) == np.argmax(totals.means):
                break
            grow(trees, min(ROBUST_MAX_STEP, extra), is_over, config.threads, clock)
            extra -= ROBUST_MAX_STEP
    result = _result(trees, config, clock.spent())
    if on_progress:
        on_progress(result)
    return result


def plant(state: State, config: MctsConfig, rng: Stream, weights: Weights | None = None) -> list[Tree]:
    """The trees of a search, not yet grown."""
    trees = []
    compiled = compile_for(state.game, config)
    weights = weights or state.strata(state.to_move)
    offer = state.legal_actions()
    for number in range(config.worlds or (config.threads if config.parallel == "root" else 1)):
        world = state
        if config.worlds and config.strata:
            world = deal_one(state, weights, number, config.worlds, rng)
        elif config.worlds:
            world = state.redealt(state.to_move, rng)
        trees.append(Tree(world, config, Stream(fresh_fate(rng.array)), compiled, weights=weights, offer=offer))
    return trees


class Tree:
    """One tree and all it needs to grow."""

    def __init__(
        self,
        root: State,
        config: MctsConfig,
        rng: Stream,
        compiled: ModuleType | None = None,
        store: Store | None = None,
        *,
        weights: Weights | None = None,
        offer: NDArray[np.int64] | None = None,
    ) -> None:
        game = root.game
        weights = weights or root.strata(root.to_move)
        self.root, self.config = root, config
        self.offer = root.legal_actions() if offer is None else offer
        self.compiled = compiled or compile_for(game, config)
        self.knobs = config.knobs()
        self.control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        self.roots = game.seats if config.observers == "each" else 1
        wanted = config.iterations * (2 if config.expand == "all" else 1) + 2 if config.iterations else 1 << 14
        size = min(max(wanted, 2 + self.roots), 1 << 16, config.nodes)
        habits = game.seats if config.playout == "mast" else 0
        self.store = store or new_store(size, roots=self.roots, habits=habits)
        crew = config.threads if config.parallel != "root" and not config.worlds else 1
        streams = [rng, *(Stream(fresh_fate(rng.array)) for _ in range(crew - 1))]
        self.crew = [_scratch(game, config, root, stream, weights, self.offer) for stream in streams]
        helpers = crew - 1 if config.parallel == "leaf" else 0
        self.post = np.zeros(2 + crew, dtype=np.int64)
        self.leaves, self.crew_shares = game.buffer(1), np.zeros((helpers, game.seats))
        self.done = 0
        self.target = 0  # iterations to reach
        self.slice = FIRST_SLICE

    def make_ready(self) -> None:
        """Compile or load the loop in this thread, whose clock leaves that out."""
        make_ready(self.compiled.advance, lambda: self.run(0, 0))
        if len(self.crew_shares):
            self.post[TICKET] = -1
            make_ready(self.compiled.serve_leaves, lambda: self.serve(1))

    @property
    def tally(self) -> NDArray[np.float64]:
        """[move of the root, (samples, sum of the searching seat's win shares, sum of their squares)]."""
        total: NDArray[np.float64] = np.sum([member.tally for member in self.crew], axis=0)
        return total

    @property
    def is_done(self) -> bool:
        """Whether it has all its iterations, or the root is proven, or it was told to stop."""
        return bool(self.done >= self.target or self.used[IS_SOLVED] or self.control[STOP])

    @property
    def used(self) -> NDArray[np.int64]:
        """How much of the arrays is in use, and whether the root is proven."""
        return self.store.used

    @property
    def nodes(self) -> NDArray[Any]:
        """The nodes; ROOT is the searching seat's."""
        return self.store.nodes

    @property
    def top(self) -> int:
        """The root of the searching seat's own tree."""
        return self.root.to_move if self.roots > 1 else ROOT

    @property
    def root_edges(self) -> NDArray[Any]:
        """The root's moves that were tried."""
        first, count = int(self.nodes["first"][self.top]), int(self.nodes["count"][self.top])
        return self.store.edges[first : first + count]

    def next_step(self) -> int:
        """Iterations of the next slice, with room made for them."""
        step = min(self.slice, self.target - self.done)
        self._make_room(step)
        return step

    def run(self, member: int, step: int) -> int:
        """So many iterations by one member of the crew; returns the playouts made."""
        rest = (self.control, self.knobs, self.post, self.leaves, self.crew_shares)
        ran = int(self.compiled.advance(self.store, self.crew[member], self.root.to_move, step, *rest))
        return ran * (1 + len(self.crew_shares))

    def serve(self, member: int) -> None:
        """Play out leaves for the first of the crew, until it is over."""
        rest = (self.knobs, self.post, self.leaves, self.crew_shares)
        self.compiled.serve_leaves(self.store, self.crew[member], member - 1, *rest)

    def sized(self, step: int, seconds: float) -> None:
        """Learn from a slice how large the next should be, about SLICE_SECONDS; slicing does not change the tree."""
        self.slice = max(1, min(8 * self.slice, int(step * SLICE_SECONDS / max(seconds, 1e-9))))

    def grow_a_slice(self) -> None:
        """Some iterations by one thread."""
        step = self.next_step()
        began = time.perf_counter()
        self.done += self.run(0, step)
        self.sized(step, time.perf_counter() - began)

    def _make_room(self, step: int) -> None:
        """Double the arrays where the next slice might fill them, up to the limit."""
        old, used = self.store, self.used
        new_nodes = step * len(self.crew) * (2 if self.config.expand == "all" else 1) * self.roots
        is_tight = used[NODES_USED] + new_nodes > len(old.nodes) or used[EDGES_USED] * 3 > len(old.edges) * 2
        if is_tight and len(old.nodes) < self.config.nodes:
            size = min(max(2 * len(old.nodes), len(old.nodes) + new_nodes), self.config.nodes)
            fresh = new_store(size, roots=self.roots, habits=0)
            fresh.nodes[: len(old.nodes)] = old.nodes
            fresh.edges[: len(old.edges)] = old.edges
            self.store = Store(fresh.nodes, fresh.edges, used, old.habits)

    def below(self, path: list[int], root: State, rng: Stream) -> Tree | None:
        """The tree as it stands after the moves in `path`, with `root` as its root; None where it does not reach."""
        node = self.top
        for action in path:
            edge = int(find_edge(self.store.nodes, self.store.edges, node, action))
            node = int(self.store.edges[edge].node) if edge >= 0 else NO_NODE
            if node == NO_NODE:
                return None
        fresh = new_store(len(self.nodes), roots=1, habits=0)
        stack = np.empty((len(self.nodes), 2), dtype=np.int64)
        graft(self.store.nodes, self.store.edges, node, fresh.nodes, fresh.edges, fresh.used, stack)
        fresh.used[IS_SOLVED] = int(settled(fresh.nodes, fresh.edges, ROOT) != 0)
        store = Store(fresh.nodes, fresh.edges, fresh.used, self.store.habits)
        tree = Tree(root, self.config, rng, self.compiled, store)
        if self.config.reward == "win":
            # The squares are not known: as many as of wins and losses, which vary most.
            edges = tree.root_edges
            places = np.searchsorted(tree.offer, edges["action"])
            tree.crew[0].tally[places] = np.stack([edges["visits"], edges["value"], edges["value"]], axis=1)
        return tree


def _scratch(
    game: Game, config: MctsConfig, root: State, rng: Stream, weights: Weights, offer: NDArray[np.int64]
) -> Scratch:
    most = int(game.definition.rules.MAX_ACTIONS)
    outcomes = max(1, int(game.definition.rules.OUTCOMES))
    remembers = config.rave > 0 or config.playout == "mast"
    moves = MAX_DEPTH + (game.facts.longest if remembers else 0)
    looks_ahead = config.prior not in ("none", "bias") or config.probe or config.implicit
    plies = 4 + (MOST_PLIES + 1 + (game.facts.longest if "expectimax" in config.prior else 0) if looks_ahead else 0)
    policy = _policy(game, config)
    states = game.buffer(min(plies, 40))
    states[0] = root.array[0]
    return Scratch(
        states=states,
        rng=rng.array,
        offer=np.empty(most, dtype=np.int64),
        looks=np.empty(most + 1, dtype=np.int64),
        lists=np.empty((len(states), max(most, outcomes) if looks_ahead else 1), dtype=np.int64),
        weights=np.empty(outcomes, dtype=np.int64),
        path=np.empty((config.plies or MAX_DEPTH, 3), dtype=np.int64),
        shares=np.empty(game.seats),
        at=np.zeros(game.seats if config.observers == "each" else 1, dtype=np.int64),
        moves=np.empty((moves if remembers else 1, 2), dtype=np.int64),
        stamps=np.zeros((game.seats, SLOTS if config.rave > 0 else 1, 2), dtype=np.int64),
        dealt=np.array([(code, weight, 0) for code, weight in weights.items()], dtype=np.int64),
        logs=_logs(),
        ranked=np.empty((2, most if _ranks_root(game, config) else 1), dtype=np.int64),
        root=offer,
        tally=np.zeros((len(offer), 3)),
        first=np.zeros(1, dtype=np.int64),
        n_ranked=np.zeros(2, dtype=np.int64),
        of_evaluation=_evaluation(game, config).given(),
        of_bias=find_heuristic(game, "BIASES", config.bias).given(),
        of_policy=policy.given() if policy else (),
    )


@lru_cache(maxsize=1)
def _logs() -> NDArray[np.float64]:
    """Logarithms of whole numbers; 0 for 0, since a move never on offer is not explored."""
    return np.array([0.0, *(math.log(n) for n in range(1, N_LOGS))])


@dataclass
class Totals:
    """The root's moves over all trees."""

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]  # those on trust included
    values: NDArray[np.float64]  # sum of what the playouts were worth, by the measure that steers the tree
    proofs: NDArray[np.int64]
    plies: NDArray[np.int64]  # of the proofs

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean worth of each move; 0 where it was never tried."""
        return self.values / np.maximum(self.visits, 1)

    def choose(self, config: MctsConfig) -> int:
        """The place of the move to play: proven wins first, proven losses last; ties by mean, then by code."""
        if config.final == "max":
            merit = np.where(self.visits > 0, self.means, -1.0)
        elif config.final == "wins":
            merit = self.values
        elif config.final == "secure":
            merit = np.where(self.visits > 0, self.means - config.secure / np.sqrt(np.maximum(self.visits, 1)), -np.inf)
        else:
            merit = self.visits.astype(np.float64)
        ranked = np.lexsort((-np.arange(len(merit)), self.means, merit, self.proofs))
        return int(ranked[-1])


def _totals(trees: list[Tree]) -> Totals:
    actions = trees[0].offer
    visits, values = np.zeros(len(actions), dtype=np.int64), np.zeros(len(actions))
    proofs = np.zeros(len(actions), dtype=np.int64)
    plies = np.full(len(actions), 2**31, dtype=np.int64)
    for tree in trees:
        edges = tree.root_edges
        places = np.searchsorted(actions, edges["action"])
        visits[places] += edges["visits"]
        values[places] += edges["value"]
        if not tree.config.worlds:  # what is proven in one world is not proven
            proofs[places] += edges["proof"]
            known = np.where(edges["proof"] != 0, edges["plies"].astype(np.int64), 2**31)  # more than int32 holds
            plies[places] = np.minimum(plies[places], known)
    return Totals(actions, visits, values, np.clip(proofs, LOST, WON), plies)


def _result(trees: list[Tree], config: MctsConfig, seconds: float) -> SearchResult:
    totals = _totals(trees)
    best = totals.choose(config)
    counts, shares, squares = np.moveaxis(np.array([tree.tally for tree in trees]), 2, 0)  # each [tree, move]
    n = counts.sum(axis=0)
    sums, sums_of_squares = in_returns(n, shares.sum(axis=0), squares.sum(axis=0))
    errors = errors_of(n, sums, sums_of_squares)
    if config.worlds:
        errors = np.maximum(errors, errors_by_world(counts, 2 * shares - counts))
    is_sure = config.filter == "none"  # what a filter leaves out might refute a proof
    return SearchResult.of(
        best,
        totals.actions,
        np.where(n > 0, sums / np.maximum(n, 1), np.nan),
        totals.visits,
        work=sum(tree.done for tree in trees),
        seconds=seconds,
        proofs=totals.proofs * totals.plies if is_sure else None,
        errors=errors,
        depth=max(int(tree.used[DEEPEST]) for tree in trees),
        find_line=lambda: _line(trees[0], int(totals.actions[best])),
    )


def _line(tree: Tree, action: int) -> list[str]:
    """The moves most visited after `action`, as far as they are on offer in the tree's own world."""
    texts: list[str] = []
    state, node = tree.root, tree.top
    while len(texts) < LINE:
        texts.append(state.move_text(action))
        edge = int(find_edge(tree.store.nodes, tree.store.edges, node, action))
        node = int(tree.store.edges[edge].node) if edge >= 0 else NO_NODE
        state = state.after(action).settled()
        if state.is_over or node == NO_NODE or tree.roots > 1:
            break
        here = tree.nodes[node]
        edges = tree.store.edges[int(here.first) : int(here.first) + int(here.count)]
        offered = edges[np.isin(edges["action"], state.legal_actions())]
        if len(offered) == 0:
            break
        action = int(offered["action"][np.argmax(offered["visits"])])
    return texts


def shallow(text: str) -> tuple[str, int]:
    """The search that a text such as `[minimax:depth=2]` names, and its plies."""
    mend = f"give [minimax:depth=N] or [expectimax:depth=N], N from 1 to {MOST_PLIES}"
    try:
        spec = parse_spec(text[1:-1]) if text.startswith("[") and text.endswith("]") else None
        plies = int(spec.settings["depth"]) if spec else 0
    except (MeepleError, KeyError, ValueError):
        raise ConfigError(f"'{text}' is no shallow search: {mend}") from None
    known = spec is not None and spec.name in ("minimax", "alphabeta", "expectimax") and set(spec.settings) == {"depth"}
    if not known or not 1 <= plies <= MOST_PLIES:
        raise ConfigError(f"'{text}' is no shallow search: {mend}")
    assert spec is not None
    return spec.name, plies


def guide_plies(playout: str | Heuristic) -> int:
    """Plies of the minimax that guides playouts; 0 where it is none."""
    if isinstance(playout, Heuristic) or not playout.startswith("["):
        return 0
    name, plies = shallow(playout)
    if name == "expectimax" or plies > 2:
        raise ConfigError(f"playouts take [minimax:depth=1] or [minimax:depth=2], not '{playout}'")
    return plies


def _is_sparse(game: Game, config: MctsConfig) -> bool:
    """Whether the tree can do without lists: they are long, and every move is open to all."""
    rules = game.definition.rules
    has_all = all(hasattr(rules, name) for name in ("count_actions", "is_legal", "pick"))
    is_open = not game.facts.hidden or getattr(rules, "OPEN_MOVES", False)
    is_plain = config.filter == config.ordering == "none" and config.observers == "one"
    return bool(has_all and is_open and is_plain and rules.MAX_ACTIONS > LONG_LIST)


def _is_fixed(game: Game, config: MctsConfig) -> bool:
    """Whether a node's offer is the same in every iteration."""
    return not (game.facts.chance or game.facts.hidden) or bool(config.worlds) or config.is_open


def _ranks_root(game: Game, config: MctsConfig) -> bool:
    """Whether the root's moves come in one order that is known beforehand."""
    return config.ordering != "none" and config.observers == "one" and _is_fixed(game, config)


def _asks_evaluation(config: MctsConfig) -> bool:
    """Whether anything is weighed by the game's evaluation, which is left out of the compiled code otherwise."""
    is_looking = config.prior not in ("none", "bias") or guide_plies(config.playout) > 0
    return bool(config.cutoff or config.implicit or config.probe or is_looking)


def _evaluation(game: Game, config: MctsConfig) -> Heuristic:
    """The evaluation, where anything is weighed by it."""
    found = find_heuristic(game, "EVALUATIONS", config.evaluation)
    return found if _asks_evaluation(config) else NONE["EVALUATIONS"]


def _policy(game: Game, config: MctsConfig) -> Heuristic | None:
    """The game's policy that playouts follow; None where they follow none."""
    if config.playout in ("random", "mast") or guide_plies(config.playout):
        return None
    return find_heuristic(game, "PLAYOUTS", config.playout)


def compile_for(game: Game, config: MctsConfig) -> ModuleType:
    """The loop compiled for a game with the chosen heuristics."""
    rules = game.definition.rules
    is_fixed, policy = _is_fixed(game, config), _policy(game, config)
    name, plies = shallow(config.prior) if config.prior.startswith("[") else ("", 0)
    bound: dict[str, Any] = {
        "evaluate": _evaluation(game, config).function,
        "keep": find_heuristic(game, "FILTERS", config.filter).function,
        "bias": find_heuristic(game, "BIASES", config.bias).function,
        "SPARSE": _is_sparse(game, config),
        "FRESH": not config.worlds and not config.is_open and (game.facts.chance or config.fresh_worlds),
        "FIXED": is_fixed,
        "SOLVES": config.solve and game.seats == 2 and is_fixed and config.reward == "win",
        "priority": find_heuristic(game, "ORDERINGS", config.ordering).function,
        "USES_ORDER": config.ordering != "none",
        "RANKS_ROOT": _ranks_root(game, config),
        "USES_FILTER": config.filter != "none",
        "USES_MARGIN": config.reward == "margin",
        "USES_BIAS_REWARD": config.reward == "bias",
        "USES_RAVE": config.rave > 0,
        "USES_MAST": config.playout == "mast",
        "IMPLICIT": config.implicit > 0 and game.seats == 2,
        "LOOKS": config.fresh_worlds and game.facts.hidden and config.observers == "one",
        "OBSERVERS": config.observers == "each",
        "EXPANDS_ALL": config.expand == "all",
        "HAS_POLICY": config.playout not in ("random", "mast"),
        "GUIDE_PLIES": guide_plies(config.playout),
        "PRIOR": 0 if config.prior == "none" else PRIOR_BIAS if config.prior == "bias" else PRIOR_LOOK,
        "PRIOR_PLIES": plies,
        "PROBE_PLIES": config.probe,
        "EXPECTS": name == "expectimax",
        "LEAVES_OUT": hasattr(rules, "leave_out"),
        "SHARED": config.parallel == "tree" and config.threads > 1,
        "LEAVES": config.parallel == "leaf" and config.threads > 1,
    }
    if not config.strata:
        bound["STRATA"] = 1
    if policy:
        bound["policy"] = policy.function
    return game.specialise("meeple.search.tree", **bound)
