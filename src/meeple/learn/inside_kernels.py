"""Games of a search against itself, whole games inside compiled code, with the positions to learn from.

A game begins with some random plies and goes on with searches of fixed work; now and then a move is random. Chance
follows the game's fate, and each search sees a world redealt for its seat (inside_tree.py). What is recorded of a
position are its sparse features, the search's value and the win share in the end, all of the mover; or of each seat,
where models take each seat's own view. The search tells the mover's value alone: with two seats the other's is the
opposite, with more it is unknown, NaN.

`think` and `forget` are those of inside_alphabeta.py or inside_tree.py, with their memory, the `searcher`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, choose, legal_actions, new_game, settle, to_move, win_shares
from meeple.core.kernel import kernel
from meeple.search.alphabeta_kernels import PROOF

OFTEN = 1 << 20  # what a chance is counted in: `stray` of so many


def think(searcher: Any, match: Any, actions: Any, n: Any, mover: Any, work: Any, rng: Any) -> tuple[int, float]:
    """Search match[0], whose `n` legal moves stand in `actions`; the best one's place, and the value for the mover."""
    raise NotImplementedError


def forget(searcher: Any, rng: Any) -> None:
    """Make a searcher ready for a new game, so that it depends on nothing that was played before."""
    raise NotImplementedError


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


class Desk(NamedTuple):
    """What a thread works with: the match, and what is recorded of a game."""

    match: NDArray[Any]  # one state
    actions: NDArray[np.int64]  # its legal moves
    features: NDArray[np.int64]  # of one position
    active: NDArray[Any]  # [position, most]: features that are there, then -1
    found: NDArray[np.float64]  # [position]: the search's value for the viewing seat; NaN: unknown
    viewers: NDArray[np.int64]  # [position]: the seat that it is seen by
    shares: NDArray[np.float64]  # [seat]: of the finished game


class Manner(NamedTuple):
    """How games are played."""

    work: int  # of a search at most: nodes, or iterations
    quick: int  # the same of moves that are not recorded
    openings: int  # a game begins with fewer random plies than this
    stray: int  # of OFTEN: how often a random move is played
    every: int  # one position in so many is recorded
    views: int  # seats by which a position is seen: the mover, or all


@kernel
def play_game(desk, searcher, options, fate, manner, rng):
    """Play a game and record of it; returns how many rows were recorded. `desk.shares` has the result."""
    forget(searcher, rng)
    new_game(desk.match[0], len(desk.shares), options, fate)
    left = draw(rng, manner.openings) if manner.openings > 0 else 0
    n = 0
    while True:
        settle(desk.match[0])
        mover = to_move(desk.match[0])
        if mover == NOBODY:
            break
        if left > 0:
            left -= 1
            apply(desk.match[0], choose(desk.match[0], rng, desk.actions))
            continue
        is_recorded = n + manner.views <= len(desk.found) and draw(rng, manner.every) == 0
        n_moves = legal_actions(desk.match[0], desk.actions)
        work = manner.work if is_recorded else manner.quick
        best, value = think(searcher, desk.match, desk.actions, n_moves, mover, work, rng)
        if is_recorded:
            record(desk, n, mover, value, manner.views)
            n += manner.views
        # A game that is proven is played out by its searches: a random move would make its result a lie.
        if not abs(value) > PROOF and draw(rng, OFTEN) < manner.stray:
            best = draw(rng, n_moves)
        apply(desk.match[0], desk.actions[best])
    win_shares(desk.match[0], len(desk.shares), desk.shares)
    return n


@kernel
def record(desk, first, mover, value, views):
    """Write the position at hand from row `first` on, as the mover sees it, then the seats after it."""
    seats = len(desk.shares)
    for place in range(views):
        n, seat = first + place, (mover + place) % seats
        n_there = write(desk.match[0], seat, desk.features)
        for k in range(desk.active.shape[1]):
            desk.active[n, k] = desk.features[k] if k < n_there else -1
        desk.found[n] = value if place == 0 else -value if seats == 2 else np.nan
        desk.viewers[n] = seat
