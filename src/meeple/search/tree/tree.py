"""One tree as Python sees it: its arrays, the scratch of its threads, and the compiled loop that grows it."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, fresh_fate
from meeple.core.game import State
from meeple.search.control import CONTROL_SIZE, STOP, make_ready
from meeple.search.strata import Weights
from meeple.search.tree.arrays import (
    EDGES_USED,
    IS_SOLVED,
    NO_NODE,
    NODES_USED,
    ROOT,
    TreeArrays,
    find_edge,
    graft,
    new_arrays,
)
from meeple.search.tree.crew import TICKET, Crew
from meeple.search.tree.dealing import NO_LEAD
from meeple.search.tree.knobs import knobs_of
from meeple.search.tree.lines import find_line
from meeple.search.tree.proofs import settled
from meeple.search.tree.scratch import Scratch, new_scratch
from meeple.search.tree.settings import MctsConfig
from meeple.search.tree.variants import compile_for

FIRST_SLICE = 16  # iterations before the first look at the clock; later as many as fit SLICE_SECONDS
SLICE_SECONDS = 0.002
MOST_EDGES_AT_ONCE = 1 << 21  # that a tree of PUCT begins with


class Tree:
    """One tree and all it needs to grow."""

    def __init__(
        self,
        root: State,
        config: MctsConfig,
        rng: Stream,
        compiled: ModuleType | None = None,
        kept: Tree | None = None,
        *,
        arrays: TreeArrays | None = None,
        weights: Weights | None = None,
        offer: NDArray[np.int64] | None = None,
        seat: int | None = None,
        lead: int = NO_LEAD,
        sees_all: bool = False,
    ) -> None:
        """Plant a tree for `seat`, by default the one to move at the root.

        With a `lead` every iteration plays that action first, and the tree grows from there. With `sees_all` the
        hidden cards stay as they are in `root`, and only the fate is drawn anew.
        """
        game = root.game
        self.seat = root.to_move if seat is None else seat
        weights = weights or root.strata(self.seat)
        self.root, self.config = root, config
        self.offer = root.legal_actions() if offer is None else offer
        self.compiled = compiled or compile_for(game, config)
        self.knobs = knobs_of(config)
        self.control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        self.roots = game.seats if config.observers == "each" else 1
        wanted = config.iterations * (2 if config.expand == "all" else 1) + 2 if config.iterations else 1 << 14
        size = min(max(wanted, 2 + self.roots), 1 << 16, config.nodes)
        # PUCT has all moves of a node as edges at once. Memory that is never written costs nothing; moving a tree does.
        edges = min(size * (len(self.offer) + 16), MOST_EDGES_AT_ONCE) if config.is_puct else 0
        self.arrays = arrays or new_arrays(size, roots=self.roots, edges=edges)
        threads = config.threads if config.parallel != "root" and not config.worlds else 1
        table = kept.members[0].habits.table if kept else None
        self.members: list[Scratch] = []  # the scratch of each thread
        for number in range(threads):
            stream = Stream(fresh_fate(rng.array)) if number else rng
            self.members.append(new_scratch(config, root, stream, weights, self.offer, table))
            self.members[-1].lead[:] = lead, sees_all
            table = self.members[0].habits.table
        helpers = threads - 1 if config.parallel == "leaf" else 0
        self.crew = Crew(np.zeros(2 + threads, dtype=np.int64), game.buffer(1), np.zeros((helpers, 2, game.seats)))
        self.done = 0
        self.target = 0  # iterations to reach
        self.slice = FIRST_SLICE

    # --- what it knows

    @property
    def tally(self) -> NDArray[np.float64]:
        """[move of the root, (samples, sum of the searching seat's win shares, sum of their squares)]."""
        total: NDArray[np.float64] = np.sum([member.tally for member in self.members], axis=0)
        return total

    @property
    def shares(self) -> NDArray[np.float64]:
        """The mean win share of each seat over the iterations so far, of which there must be one."""
        total: NDArray[np.float64] = np.sum([member.totals for member in self.members], axis=0)
        return total / self.done

    @property
    def is_done(self) -> bool:
        """Whether it has all its iterations, or the root is proven, or it was told to stop."""
        return bool(self.done >= self.target or self.used[IS_SOLVED] or self.control[STOP])

    @property
    def used(self) -> NDArray[np.int64]:
        """How much of the arrays is in use, and whether the root is proven."""
        return self.arrays.used

    @property
    def nodes(self) -> NDArray[Any]:
        """The nodes; ROOT is the searching seat's."""
        return self.arrays.nodes

    @property
    def top(self) -> int:
        """The root of the searching seat's own tree."""
        return self.seat if self.roots > 1 else ROOT

    @property
    def root_edges(self) -> NDArray[Any]:
        """The root's moves that were tried."""
        return self.edges_of(self.top)

    def edges_of(self, node: int) -> NDArray[Any]:
        """The moves of a node that were tried."""
        first, count = int(self.nodes["first"][node]), int(self.nodes["count"][node])
        return self.arrays.edges[first : first + count]

    def node_after(self, node: int, action: int) -> int:
        """The node below a move of another; NO_NODE where the tree does not reach."""
        edge = int(find_edge(self.arrays.nodes, self.arrays.edges, node, action))
        return int(self.arrays.edges[edge].node) if edge >= 0 else NO_NODE

    # --- how it grows

    def make_ready(self) -> None:
        """Compile or load the loop in this thread, whose clock leaves that out."""
        make_ready(self.compiled.advance, lambda: self.run(0, 0))
        if len(self.crew.shares):
            self.crew.post[TICKET] = -1
            make_ready(self.compiled.serve_leaves, lambda: self.serve(1))

    def next_step(self) -> int:
        """Iterations of the next slice, with room made for them."""
        step = min(self.slice, self.target - self.done)
        self._make_room(step)
        return step

    def run(self, number: int, step: int) -> int:
        """So many iterations by one of the threads; returns the playouts made, those of helpers included."""
        rest = (self.control, self.knobs, self.crew)
        ran = int(self.compiled.advance(self.arrays, self.members[number], self.seat, step, *rest))
        return ran * (1 + len(self.crew.shares))

    def serve(self, number: int) -> None:
        """Play out leaves for the first thread, until it is over."""
        self.compiled.serve_leaves(self.members[number], number - 1, self.knobs, self.crew)

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
        old, used = self.arrays, self.used
        new_nodes = step * len(self.members) * (2 if self.config.expand == "all" else 1) * self.roots
        is_tight = used[NODES_USED] + new_nodes > len(old.nodes) or used[EDGES_USED] * 3 > len(old.edges) * 2
        if self.config.is_puct:
            self._make_puct_room(new_nodes)
        elif is_tight and len(old.nodes) < self.config.nodes:
            size = min(max(2 * len(old.nodes), len(old.nodes) + new_nodes), self.config.nodes)
            self._enlarge(size, 0)

    def _make_puct_room(self, new_nodes: int) -> None:
        """The same where each new node needs edges for all its moves: about as many as the root has."""
        old, used = self.arrays, self.used
        new_edges = new_nodes * (len(self.offer) + 16)
        nodes, edges = len(old.nodes), len(old.edges)
        if used[NODES_USED] + new_nodes > nodes:
            nodes = min(max(2 * nodes, nodes + new_nodes), self.config.nodes)
        if used[EDGES_USED] + new_edges > edges:
            edges = min(max(2 * edges, edges + new_edges), max(edges, 3 * self.config.nodes))
        if (nodes, edges) != (len(old.nodes), len(old.edges)):
            self._enlarge(nodes, edges)

    def _enlarge(self, nodes: int, edges: int) -> None:
        """Move the tree to arrays of these sizes; 0 edges: in proportion to the nodes."""
        old, n_nodes, n_edges = self.arrays, int(self.used[NODES_USED]), int(self.used[EDGES_USED])
        fresh = new_arrays(nodes, roots=self.roots, edges=edges)
        fresh.nodes[:n_nodes] = old.nodes[:n_nodes]
        fresh.edges[:n_edges] = old.edges[:n_edges]
        self.arrays = TreeArrays(fresh.nodes, fresh.edges, self.used)

    # --- other roots

    def begin_at_leaf(self) -> bool:
        """Let iterations begin at the leaf of the most visited line; False, and at the root, where the game is over."""
        line = self.members[0].line
        n = int(find_line(self.arrays, line.actions))
        state = self.root
        for action in line.actions[:n].tolist():
            state = state.after(action).settled()
        n = 0 if state.is_over else n
        for member in self.members:
            member.line.actions[:n] = line.actions[:n]
            member.line.n[0] = n
        return n > 0

    def begin_at_root(self) -> None:
        """Let iterations begin at the root again."""
        for member in self.members:
            member.line.n[0] = 0

    def below(self, path: list[int], root: State, rng: Stream) -> Tree | None:
        """The tree as it stands after the moves in `path`, with `root` as its root; None where it does not reach."""
        node = self.top
        for action in path:
            node = self.node_after(node, action)
            if node == NO_NODE:
                return None
        fresh = new_arrays(len(self.nodes), roots=1, edges=len(self.arrays.edges))
        stack = np.empty((len(self.nodes), 2), dtype=np.int64)
        graft(self.arrays.nodes, self.arrays.edges, node, fresh.nodes, fresh.edges, fresh.used, stack)
        fresh.used[IS_SOLVED] = int(settled(fresh.nodes, fresh.edges, ROOT) != 0)
        tree = Tree(root, self.config, rng, self.compiled, self, arrays=fresh)
        if self.config.reward == "win":
            # The squares are not known: as many as of wins and losses, which vary most.
            edges = tree.root_edges
            places = np.searchsorted(tree.offer, edges["action"])
            sums = np.stack([edges["visits"], edges["value"], edges["value"]], axis=1)
            tree.members[0].tally[places] = sums / self.config.rollouts  # an iteration is one sample
        return tree
