"""Growing trees slice by slice, on one thread or several.

Root parallelism: each thread has trees of its own, which are added up; the answer depends on the number of threads
only. Shared tree: all threads walk one tree behind a lock, visits counting on the way down; the answer depends on
who comes first. Leaf: one thread walks, and all play out the same leaf; the answer is always the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from meeple.core.atomic import store
from meeple.search.control import STOP
from meeple.search.tree import TICKET

if TYPE_CHECKING:
    from meeple.search.mcts import Tree

IsOver = Callable[[], bool]
SHARED_SLICES = 5  # slices of a shared tree are so much longer, since all threads meet after each


def grow(trees: list[Tree], iterations: int, is_over: IsOver, threads: int) -> None:
    """Let every tree grow by so many iterations, side by side where there are threads."""
    for tree in trees:
        tree.target = tree.done + iterations
    if len(trees) == 1 and len(trees[0].crew) > 1:
        _grow_together(trees[0], is_over)
        return
    threads = min(threads, len(trees))
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


def _grow_in_turn(trees: list[Tree], is_over: IsOver) -> None:
    """Slice by slice, so that all worlds have had a like share when the time is up."""
    while True:
        growing = [tree for tree in trees if not tree.is_done]
        if not growing:
            return
        for tree in growing:
            if any(grown.done for grown in trees) and is_over():
                return
            tree.grow_a_slice()


def _grow_together(tree: Tree, is_over: IsOver) -> None:
    """One tree by all its crew."""
    crew = len(tree.crew)
    is_leaf = len(tree.crew_shares) > 0
    with ThreadPoolExecutor(max_workers=crew) as pool:
        try:
            store(tree.post, TICKET, 0)
            tree.post[TICKET + 1 :] = 0
            if is_leaf:
                for member in range(1, crew):
                    pool.submit(tree.serve, member)
            while not tree.is_done and not (tree.done and is_over()):
                step = max(1, tree.next_step() // crew)
                began = time.perf_counter()
                if is_leaf:
                    tree.done += tree.run(0, step)
                else:
                    jobs = [pool.submit(tree.run, member, step) for member in range(crew)]
                    tree.done += sum(job.result() for job in jobs)
                tree.sized(step * crew, (time.perf_counter() - began) / (1 if is_leaf else SHARED_SLICES))
        except KeyboardInterrupt:
            tree.control[STOP] = 1
            raise
        finally:
            tree.post[TICKET] = -1  # the helpers leave
