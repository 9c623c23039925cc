"""Networks that learn the values of search trees: the report's `mcts-ann`, `mcts-cnn` and `combined` (3.4 and 3.5).

First trees are grown (tree_kernels): `nodes` positions each, with the mean result of `simulations` playouts as their
value. Then a network learns these values, in minibatches of all nodes shuffled anew in each of `epochs` passes, by the
mean squared error. It plays as `ann` and `cnn` do. `combined` grows several trees whose playouts follow the linear
evaluation, and learns them with convolutions.

Departures: 1. The report does not say how often each node was learnt from; the passes are ours to choose. 2. When a
tree's line has come to the end of the game, it goes on from the beginning of another one. 3. The linear agent of
`combined` looks one ply ahead in playouts, not three, and makes a random move now and then (`stray`): without it all
playouts from a position would be the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import rng_for
from meeple.core.features import Kind
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic, heuristics_of
from meeple.core.settings import setting
from meeple.errors import ConfigError
from meeple.learn.episodes import ConvolutionSettings, NetworkSettings, NetworkTraining
from meeple.learn.training import Arrays, Settings
from meeple.learn.tree_kernels import Tree

RANDOM = "random"
REPORT = "report"  # the hand-made linear evaluation of the Santorini report, where a game has it


@dataclass(kw_only=True)
class MctsAnnSettings(NetworkSettings):
    """What `mcts-ann` can be told."""

    trees: int = setting(1, "trees that are grown", least=1)
    nodes: int = setting(500, "positions of a tree", least=1)
    simulations: int = setting(30, "playouts from each", least=1)
    playout: str = setting(
        RANDOM, "playouts: random, or by an evaluation, one ply ahead", of="EVALUATIONS", besides=(RANDOM,)
    )
    stray: float = setting(0.1, "chance of a random move in playouts by an evaluation, 0 to 1", least=0)
    epochs: int = setting(80, "how often each node is learnt from", least=1)
    rate: float = setting(0.2, "learning rate", least=0)
    batch: int = setting(32, "nodes of a minibatch", least=1)


@dataclass(kw_only=True)
class MctsCnnSettings(ConvolutionSettings, MctsAnnSettings):
    """What `mcts-cnn` can be told."""

    hidden: str = setting("64", "widths of the dense layers behind the convolutions", names="word")
    nodes: int = setting(2800, "positions of a tree", least=1)
    epochs: int = setting(20, "how often each node is learnt from", least=1)


@dataclass(kw_only=True)
class CombinedSettings(MctsCnnSettings):
    """What `combined` can be told."""

    trees: int = setting(10, "trees that are grown", least=1)
    playout: str = setting(
        "",
        "playouts: by an evaluation, one ply ahead, or random; empty: the evaluation `report`, or a game's default",
        of="EVALUATIONS",
        besides=(RANDOM, ""),
    )
    epochs: int = setting(10, "how often each node is learnt from", least=1)


class MctsAnn(NetworkTraining):
    """A network of dense layers that learns the values of a tree."""

    name = "mcts-ann"
    help = "a network of dense layers from the values of a Monte Carlo tree (needs jax)"
    settings: ClassVar[type[Settings]] = MctsAnnSettings
    unit = "steps (trees, minibatches)"
    kind: ClassVar[Kind] = "sparse"
    prefers = ("report325",)

    def __init__(self, game: Game, config: Any) -> None:
        if config.stray > 1:
            raise ConfigError(f"'stray' of method '{self.name}' is from 0 to 1, not {config.stray:g}")
        if not config.playout:
            config.playout = REPORT if REPORT in heuristics_of(game, "EVALUATIONS") else "default"
        super().__init__(game, config)
        follows = config.playout != RANDOM
        bound: dict[str, Any] = {"write": self.features.function, "IS_SPARSE": self.features.kind == "sparse"}
        self.given: tuple[Any, ...] = ()
        if follows:
            found = find_heuristic(game, "EVALUATIONS", config.playout)
            bound |= {"FOLLOWS": True, "evaluate": found.function}
            self.given = found.given()
        self.compiled = game.specialise("meeple.learn.tree_kernels", **bound)
        size = config.trees * config.nodes
        self.rows = np.zeros((size, self.row_size), self.rows_kind)
        self.values = np.zeros(size)
        self.lines = 0  # games that the trees went through
        self._last_loss = 0.0
        self._shuffled = (-1, np.zeros(0, np.int64))

    @property
    def _an_epoch(self) -> int:
        return -(-len(self.values) // int(self.config.batch))

    @property
    def total(self) -> int:
        """Trees, and minibatches of all passes."""
        return int(self.config.trees) + int(self.config.epochs) * self._an_epoch

    def step(self) -> float:
        """A tree, or a minibatch: its sum of squared errors before the step.

        The loss of a tree is that of as many of its nodes as a minibatch has, by the network as it is.
        """
        if self.done < self.config.trees:
            self._last_loss = self._grow(self.done)
        else:
            self._last_loss = self._learn(*divmod(self.done - self.config.trees, self._an_epoch))
        return self._last_loss

    def _grow(self, number: int) -> float:
        """Grow a tree into its part of the rows; returns how far the network is from its values."""
        config, game = self.config, self.game
        part = slice(number * config.nodes, (number + 1) * config.nodes)
        most = int(game.definition.rules.MAX_ACTIONS)
        tree = Tree(
            states=game.buffer(3),
            children=np.empty(most, np.int64),
            moves=np.empty(most, np.int64),
            shares=np.empty(game.seats),
            written=self.features.buffer(),
            rows=self.rows[part],
            values=self.values[part],
        )
        rng = rng_for("train", self.name, "tree", number, seed=config.seed)
        openings = 0 if game.facts.chance else game.facts.opening
        self.lines += int(
            self.compiled.grow(
                tree, game.option_codes, openings, config.simulations, config.stray, rng.array, self.given
            )
        )
        some = slice(part.start, part.start + min(config.batch, config.nodes))
        return float(np.sum((self.network.values(self.rows[some]) - self.values[some]) ** 2))

    def _learn(self, epoch: int, number: int) -> float:
        """A minibatch of an order that its pass alone gives."""
        if self._shuffled[0] != epoch:
            order = np.random.default_rng([self.config.seed, 1 + epoch]).permutation(len(self.values))
            self._shuffled = (epoch, order)
        some = self._shuffled[1][number * self.config.batch : (number + 1) * self.config.batch]
        return self.network.train(self.rows[some], self.values[some], self.config.rate)

    def kept(self) -> Arrays:
        """The network, and the nodes so far."""
        return super().kept() | {
            "rows": self.rows,
            "values": self.values,
            "lines": np.array([self.lines]),
            "loss": np.array([self._last_loss]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        super().restore(arrays)
        self.rows[:], self.values[:] = arrays["rows"], arrays["values"]
        self.lines, self._last_loss = int(arrays["lines"][0]), float(arrays["loss"][0])

    def figures(self) -> dict[str, Any]:
        """The data, and how far a constant would be from the values: what a mean loss is to be compared with."""
        return {
            "nodes": len(self.values),
            "playouts": len(self.values) * self.config.simulations,
            "games in the trees": self.lines,
            "spread of the values": round(float(self.values.std()), 3),
        }


class MctsCnn(MctsAnn):
    """The same with convolutions over the board."""

    name = "mcts-cnn"
    help = "the same with convolutions over the board (needs jax)"
    settings: ClassVar[type[Settings]] = MctsCnnSettings
    kind: ClassVar[Kind] = "planes"
    prefers = ("report-planes",)


class Combined(MctsCnn):
    """Convolutions that learn trees whose playouts follow a linear evaluation."""

    name = "combined"
    help = "convolutions from several trees whose playouts follow the linear evaluation (needs jax)"
    settings: ClassVar[type[Settings]] = CombinedSettings
