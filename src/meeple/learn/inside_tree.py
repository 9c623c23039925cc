"""Tree searches (mcts, ismcts, puct) as the search of games inside compiled code: every game, any number of seats.

A search begins at a world redealt for the mover, and its loop deals further ones as it does for an agent: fresh dice
and hidden cards at each iteration. So neither the move nor the value tells what the mover could not know.

With noise the root is looked at after the first iterations, when its moves are in the tree (root_noise.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import fresh_fate
from meeple.core.contract import redeal, strata_weights
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.learn.root_noise import RootNoise, draw_noise
from meeple.learn.root_noise import no_noise as give_noise
from meeple.search.tree.arrays import EDGES_USED, IS_SOLVED, NODES_USED, ROOT, TreeArrays
from meeple.search.tree.crew import Crew
from meeple.search.tree.dealing import STRATUM, TIMES, WEIGHT
from meeple.search.tree.scratch import Scratch

NO_ACTION = 2**62  # behind the last of the root's moves
NOISY = False  # searches of full work have noise at the root; bound, with `give_noise` and FIRST_SLICE
FIRST_SLICE = 0  # iterations before the noise: 1 opens a root of puct; 0: as many as there are moves
STRATIFIED = False  # worlds are dealt in proportion to the classes that the game names; bound


def advance(tree: Any, scratch: Any, seat: Any, iterations: Any, control: Any, knobs: Any, crew: Any) -> int:
    """The search's loop, compiled for the game and its settings; bound."""
    raise NotImplementedError


class TreeMemory(NamedTuple):
    """What a search is handed and writes to; `scratch.root` and `scratch.tally` have room for any position's moves."""

    tree: TreeArrays
    scratch: Scratch
    control: NDArray[np.int64]
    knobs: NDArray[np.float64]
    crew: Crew
    strata: NDArray[np.int64]  # the weight of each class of worlds
    noise: RootNoise


@kernel
def forget(searcher, rng):
    """Give the searches of a game a stream of their own."""
    searcher.scratch.rng[0] = np.uint64(fresh_fate(rng))


@kernel
def think(searcher, match, actions, n, mover, iterations, rng):
    """Grow a tree; returns the place of the most visited move, and the mean of all iterations as the mover's returns.

    A move without alternative is not searched: its value is NaN, unknown.
    """
    if n == 1:
        return 0, np.nan
    scratch, tree = searcher.scratch, searcher.tree
    scratch.states[0] = match[0]
    redeal(scratch.states[0], mover, rng)
    for i in range(len(scratch.root)):
        scratch.root[i] = actions[i] if i < n else NO_ACTION
    scratch.tally[:n] = 0.0
    if STRATIFIED:
        weigh_worlds(searcher, mover)
    plant(tree)
    done = 0
    if NOISY and iterations >= searcher.noise.least:
        done = advance_noisily(searcher, actions, n, mover, iterations, rng)
    advance(tree, scratch, mover, iterations - done, searcher.control, searcher.knobs, searcher.crew)
    return most_visited(tree, scratch.root, n), mean_value(scratch.tally, n)


@kernel
def advance_noisily(searcher, actions, n, mover, iterations, rng):
    """Run iterations, in slices, until all moves of the root have their noise; return how many were run."""
    draw_noise(searcher.noise, n, rng)
    done = 0
    step = FIRST_SLICE if FIRST_SLICE > 0 else n
    while done < iterations:
        step = min(step, iterations - done)
        ran = advance(searcher.tree, searcher.scratch, mover, step, searcher.control, searcher.knobs, searcher.crew)
        done += ran
        if ran < step or give_noise(searcher.tree, actions, n, searcher.noise):
            break
    return done


@kernel
def weigh_worlds(searcher, mover):
    """Write how likely each class of worlds is; one that is impossible is never the furthest behind its share."""
    strata_weights(searcher.scratch.states[0], mover, searcher.strata)
    dealt = searcher.scratch.dealt
    for i in range(len(searcher.strata)):
        dealt[i, STRATUM] = i
        dealt[i, WEIGHT] = searcher.strata[i]
        dealt[i, TIMES] = 0


@kernel
def plant(tree):
    """A root and nothing else."""
    tree.used[NODES_USED] = 1
    tree.used[EDGES_USED] = 0
    tree.used[IS_SOLVED] = 0
    root = tree.nodes[ROOT]
    root.first = 0
    root.count = 0
    root.capacity = 0
    root.visits = 0
    root.offered = 0


@kernel
def most_visited(tree, actions, n):
    """The place of the root's most visited move; of equals the one with the best mean, then the first."""
    root = tree.nodes[ROOT]
    best = tree.edges[root.first].action
    most, highest = -1, -np.inf
    for j in range(root.count):
        edge = tree.edges[root.first + j]
        mean = (edge.value + edge.minimax) / (edge.visits + 1.0)
        if edge.visits > most or (edge.visits == most and mean > highest):
            best, most, highest = edge.action, edge.visits, mean
    place = 0
    while place < n - 1 and actions[place] != best:
        place += 1
    return place


@kernel
def mean_value(tally, n):
    """The mean over all iterations, as returns; NaN where none tried a move."""
    count, total = 0.0, 0.0
    for i in range(n):
        count += tally[i, 0]
        total += tally[i, 1]
    return 2.0 * total / count - 1.0 if count > 0.0 else np.nan
