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

from meeple.core.atomic import write_word
from meeple.search.control import STOP, Clock, own_cpu_time
from meeple.search.tree.crew import TICKET

if TYPE_CHECKING:
    from meeple.search.tree.tree import Tree

IsOver = Callable[[], bool]
SHARED_SLICES = 5  # slices of a shared tree are so much longer, since all threads meet after each


def grow(trees: list[Tree], iterations: int, is_over: IsOver, threads: int, clock: Clock | None = None) -> None:
    """Let every tree grow by so many iterations, side by side where there are threads; until the clock is at its limit.

    The limit of CPU time is each thread's: threads that grow side by side may use all of it each.
    """
    clock = clock or Clock()
    for tree in trees:
        tree.target = tree.done + iterations
    if len(trees) == 1 and len(trees[0].members) > 1:
        _grow_together(trees[0], is_over, clock)
        return
    threads = min(threads, len(trees))
    if threads == 1:
        _grow_in_turn(trees, is_over, clock)
        return
    with ThreadPoolExecutor(max_workers=threads) as pool:
        jobs = [pool.submit(_grow_apart, trees[first::threads], is_over, clock.fork()) for first in range(threads)]
        try:
            clock.join([job.result() for job in jobs])
        except KeyboardInterrupt:
            for tree in trees:
                tree.control[STOP] = 1
            raise


def _grow_apart(trees: list[Tree], is_over: IsOver, clock: Clock) -> float:
    """One thread's share of the trees; returns the CPU time on its clock."""
    clock.enter()
    _grow_in_turn(trees, is_over, clock)
    return clock.cpu_spent()


def _grow_in_turn(trees: list[Tree], is_over: IsOver, clock: Clock) -> None:
    """Slice by slice, so that all worlds have had a like share when the time is up."""
    while True:
        growing = [tree for tree in trees if not tree.is_done]
        if not growing:
            return
        for tree in growing:
            if any(grown.done for grown in trees) and (clock.is_over() or is_over()):
                return
            tree.grow_a_slice()


def _grow_together(tree: Tree, is_over: IsOver, clock: Clock) -> None:
    """One tree by all its threads."""
    threads = len(tree.members)
    is_leaf = len(tree.crew.shares) > 0
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            write_word(tree.crew.post, TICKET, 0)
            tree.crew.post[TICKET + 1 :] = 0
            if is_leaf:
                for number in range(1, threads):
                    pool.submit(tree.serve, number)
            while not tree.is_done and not (tree.done and (clock.is_over() or is_over())):
                step = max(1, tree.next_step() // threads)
                began = time.perf_counter()
                if is_leaf:
                    tree.done += tree.run(0, step)
                else:
                    jobs = [pool.submit(_run_timed, tree, number, step) for number in range(threads)]
                    ran, cpu = zip(*(job.result() for job in jobs), strict=True)
                    tree.done += sum(ran)
                    clock.add_cpu(max(cpu))
                tree.sized(step * threads, (time.perf_counter() - began) / (1 if is_leaf else SHARED_SLICES))
        except KeyboardInterrupt:
            tree.control[STOP] = 1
            raise
        finally:
            tree.crew.post[TICKET] = -1  # the helpers leave


def _run_timed(tree: Tree, number: int, step: int) -> tuple[int, float]:
    """So many iterations by one of the threads: the playouts made, and its CPU time."""
    began = own_cpu_time()
    return tree.run(number, step), own_cpu_time() - began
