"""A plain second writing of UCT, for worlds in which a playout has one result.

It draws the same lots as the compiled loop, one for each move tried first, so that both grow the same tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from meeple import State
from meeple.core.chance import Stream


@dataclass
class Node:
    """A node with an edge for each move that was tried."""

    visits: int = 0  # iterations
    edges: dict[int, Edge] = field(default_factory=dict)


@dataclass
class Edge:
    """A move that was tried: its playouts, the sum of the mover's win shares, and the node below."""

    mover: int
    visits: int = 0
    value: float = 0.0
    below: Node = field(default_factory=Node)


def uct(
    root: Node,
    start: State,
    iterations: int,
    *,
    rng: Stream,
    play: Callable[[State], list[float]],
    c: float = 1.41,
    rollouts: int = 1,
    line: tuple[int, ...] = (),
) -> None:
    """Grow the tree below `root`; every iteration begins with the moves of `line`. `play` tells a leaf's win shares."""
    for _ in range(iterations):
        node, state, path, is_new = root, start.settled(), list[Edge](), False
        while not state.is_over:
            node.visits += 1
            if is_new:
                break
            if len(path) < len(line):
                action = line[len(path)]
            else:
                untried = [a for a in state.offer() if a not in node.edges]
                is_new = bool(untried)
                action = untried[rng.below(len(untried))] if untried else _best(node, c, rollouts)
            edge = node.edges.setdefault(action, Edge(state.to_move))
            path.append(edge)
            node, state = edge.below, state.after(action).settled()
        else:
            node.visits += 1
        shares = state.win_shares() if state.is_over else play(state)
        samples = 1 if state.is_over else rollouts
        for edge in path:
            edge.visits += samples
            edge.value += samples * shares[edge.mover]


def best_line(root: Node) -> tuple[int, ...]:
    """The moves of most visits down to a node without edges; of equals the least code."""
    line, node = [], root
    while node.edges:
        action = max(sorted(node.edges), key=lambda a: node.edges[a].visits)
        line.append(action)
        node = node.edges[action].below
    return tuple(line)


def _best(node: Node, c: float, rollouts: int) -> int:
    def ucb(action: int) -> float:
        edge = node.edges[action]
        return edge.value / edge.visits + c * math.sqrt(math.log(rollouts * node.visits) / edge.visits)

    return max(sorted(node.edges), key=ucb)
