"""Noise at the root of tree searches in self-play, so that moves are tried which the network thinks little of.

Noise is drawn by a Polya urn of `BALLS` balls: with k balls drawn, the next one's move is chosen evenly among all with
chance 10 / (10 + k), and is otherwise that of an earlier ball, any of them. A move's noise is its share of the balls.
With more and more balls that is Dirichlet's distribution with 10 / moves for each move, AlphaZero's rule; unlike it, it
takes only whole numbers of the game's own stream, so it is the same on every machine.

What the noise does at the root, e being its share:

    puct          prior becomes (1 - e) * prior + e * noise
    mcts, ismcts  UCB is raised by e * c * sqrt(iterations) * noise / visits: what PUCT with that noise for its prior
                  adds to a move at the end of the search. A move that was never tried has none until it is
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import ROOT, find_edge

CONCENTRATION = 10
BALLS = 64


class RootNoise(NamedTuple):
    """How much noise there is, and room to draw it."""

    share: float  # of the root's priors, 0 to 1
    raised: float  # what is added to UCB for each unit of noise, times the visits (mcts)
    least: int  # searches of fewer iterations have none
    balls: NDArray[np.int64]  # the move that each has, as its place in the offer
    counts: NDArray[np.int64]  # [move]: its balls
    is_given: NDArray[np.bool_]  # [move]: the tree has its edge, and the edge its noise


def new_noise(share: float, iterations: int, c: float, most: int) -> RootNoise:
    """Noise for searches of so many iterations, with at most so many moves at a root."""
    return RootNoise(
        share=share,
        raised=share * c * math.sqrt(iterations),
        least=iterations,
        balls=np.zeros(BALLS, dtype=np.int64),
        counts=np.zeros(most, dtype=np.int64),
        is_given=np.zeros(most, dtype=np.bool_),
    )


@kernel
def draw_noise(noise, n, rng):
    """Draw the noise of `n` moves from the stream."""
    noise.counts[:n] = 0
    noise.is_given[:n] = False
    for k in range(len(noise.balls)):
        ball = draw(rng, CONCENTRATION + k)
        move = draw(rng, n) if ball < CONCENTRATION else noise.balls[ball - CONCENTRATION]
        noise.balls[k] = move
        noise.counts[move] += 1


@kernel
def no_noise(tree, actions, n, noise):
    """Leave the root as it is; return that there is nothing more to do."""
    return True


@kernel
def mix_priors(tree, actions, n, noise):
    """Mix noise into the priors of the root's moves, which an opened root has all (puct); return that it is done."""
    root = tree.nodes[ROOT]
    total = 0.0
    for j in range(root.count):
        total += tree.edges[root.first + j].bias
    for i in range(n):
        edge = find_edge(tree.nodes, tree.edges, ROOT, actions[i])
        if edge >= 0:
            own = noise.counts[i] / len(noise.balls)
            tree.edges[edge].bias = (1.0 - noise.share) * tree.edges[edge].bias + noise.share * total * own
    return True


@kernel
def raise_bounds(tree, actions, n, noise):
    """Raise the bounds of the root's moves that are in the tree by now (mcts); return whether all of them are."""
    is_done = True
    for i in range(n):
        if noise.is_given[i]:
            continue
        edge = find_edge(tree.nodes, tree.edges, ROOT, actions[i])
        if edge < 0:
            is_done = False
        else:
            tree.edges[edge].bias += noise.raised * noise.counts[i] / len(noise.balls)
            noise.is_given[i] = True
    return is_done
