"""Monte Carlo tree search: UCT on win shares, for every game; over worlds, and over information sets.

Without `worlds` each iteration draws a fresh fate, so that chance is sampled (open loop). `worlds=N` is the
papers' PIMC: N worlds are dealt, each has a tree of its own with its fate known, and the root's counts are
added up. `ismcts` deals a world anew at each iteration and shares one tree, or one tree a seat
(`observers=each`). The loop itself is in tree/loop.py, what it can be told in tree/settings.py. The same trees grow
by the loop of PUCT, tree/puct_loop.py, where the config says so.

Departures from the textbook: 1. A node keeps only visited edges, so thousands of moves cost nothing until they are
tried. 2. A tree that is full goes on by playouts from its leaves. 3. In games of two without chance and secrets, proven
wins and losses are backed up, and the search ends when the root is proven.

What the result says of a move is the mean over the iterations that began with it, as returns: first values on trust
(`prior`) and other measures of a playout (`reward`) steer the tree and the choice, and are no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, fresh_fate
from meeple.core.game import State
from meeple.search.control import Clock, wall_time
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_by_world, errors_of, in_returns
from meeple.search.strata import Weights, deal_one
from meeple.search.tree.arrays import DEEPEST, NO_NODE
from meeple.search.tree.grow import grow
from meeple.search.tree.proofs import LOST, WON
from meeple.search.tree.settings import MctsConfig
from meeple.search.tree.tree import Tree
from meeple.search.tree.variants import compile_for

__all__ = ["MctsConfig", "Tree", "plant", "search"]

PROGRESS_SECONDS = 0.2  # between two reports
ROBUST_MAX_STEP = 1_000  # iterations between two looks whether robust and max agree
ROBUST_MAX_BOUND = 0.5  # robust-max goes on for at most so much of the iterations again
LINE = 12  # moves of the best line that are shown


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
    clock = Clock(config.time, config.cpu)
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
        wanted = 2 if config.is_puct else 1  # nothing to think about; puct's first opens the root alone
    share = wanted if config.worlds or len(trees) == 1 else math.ceil(wanted / len(trees))
    grow(trees, share, is_over, config.threads, clock)
    for _ in range(config.extend):
        leading_on = [tree for tree in trees if tree.begin_at_leaf()]
        if not leading_on or clock.is_over() or is_over():
            break
        grow(leading_on, share, is_over, config.threads, clock)
    for tree in trees:
        tree.begin_at_root()
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
        node = tree.node_after(node, action)
        state = state.after(action).settled()
        if state.is_over or node == NO_NODE or tree.roots > 1:
            break
        edges = tree.edges_of(node)
        offered = edges[np.isin(edges["action"], state.legal_actions()) & (edges["visits"] > 0)]
        if len(offered) == 0:
            break
        action = int(offered["action"][np.argmax(offered["visits"])])
    return texts
