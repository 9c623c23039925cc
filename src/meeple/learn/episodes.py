"""Networks that learn from whole games: the Santorini report's `ann` and `cnn` (sections 3.2 and 3.3, algorithm 3).

In each game the learner looks at all positions that its moves lead to, and goes to the one that its network likes best,
or with the chance epsilon to any. Its rival plays at random, or is the learner itself. After the game the network moves
towards the result (1, -1, 0 for a draw) at all positions that were gone to, by the mean squared error; then epsilon is
multiplied by its decay. What a step calls its loss is the sum of squared errors over the game, as in figures 5 and 6.

With `labels=minimax` the network learns, at the same positions, the value that `teacher` finds for them (section 3.2).

Departures: 1. A move that ends the game is valued by the rules, as every agent here does, and not by the network.
2. Games begin after a few random plies, as matches do, and the learner takes every seat in turn. 3. The report gives
neither epsilon, nor its decay, nor the rate, nor the width of the dense layer behind the convolutions: ours to choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.agents.ranking import search
from meeple.agents.registry import load_agent
from meeple.core.chance import fate_for, rng_for
from meeple.core.features import Kind
from meeple.core.game import Game, State
from meeple.core.settings import setting
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.learn.episode_kernels import EVERYBODY, Episode
from meeple.learn.networks import OPTIMIZERS, Network, Shape, shape_of
from meeple.learn.player import untaught
from meeple.learn.training import Arrays, Settings, Training
from meeple.models.model import Model

LAST = 0.1  # the part of the games of which the card tells the result
MOST_WIDTH = 4096


@dataclass(kw_only=True)
class NetworkSettings(Settings):
    """What every method that trains a network can be told."""

    hidden: str = setting("256-64", "widths of the dense layers before the output", names="word")
    optimizer: str = setting("sgd", "how slopes become steps", choices=OPTIMIZERS)
    rate: float = setting(0.05, "learning rate", least=0)


@dataclass(kw_only=True)
class AnnSettings(NetworkSettings):
    """What `ann` can be told."""

    games: int = setting(10_000, "games, with one step of learning after each", least=1)
    rival: str = setting(
        "random", "who plays the other seats: random moves, or the network", choices=("random", "self")
    )
    epsilon: float = setting(1.0, "chance of a random move in the first game, 0 to 1", least=0)
    decay: float = setting(0.999, "what epsilon is multiplied by after each game, 0 to 1", least=0)
    labels: str = setting(
        "result", "what is learnt: the result, or the value that the teacher finds", choices=("result", "minimax")
    )
    teacher: str = setting("alphabeta:depth=2", "the search of labels=minimax", names="agent")


@dataclass(kw_only=True)
class ConvolutionSettings:
    """The convolutions of a method that has some."""

    channels: str = setting("16-16", "channels that each convolution writes", names="word")
    kernel: int = setting(3, "height and width of a convolution", least=1)
    padding: int = setting(1, "squares of zeros around the board", least=0)


@dataclass(kw_only=True)
class CnnSettings(ConvolutionSettings, AnnSettings):
    """What `cnn` can be told."""

    hidden: str = setting("64", "widths of the dense layers behind the convolutions", names="word")


def widths_of(text: str, word: str, method: str) -> list[int]:
    """The numbers of a setting such as 256-64.

    Raises:
        ConfigError: it is none.
    """
    parts = text.split("-")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part[:6]) <= MOST_WIDTH for part in parts):
        raise ConfigError(
            f"'{word}' of method '{method}' is widths of 1 to {MOST_WIDTH} joined by '-', such as 256-64, not '{text}'"
        )
    return [int(part) for part in parts]


class NetworkTraining(Training):
    """What methods share that train a network by jax."""

    network: Network

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        rng = np.random.default_rng([config.seed, 0])
        self.network = Network(self.features, self._shape(), config.optimizer, rng)
        self.rows_kind: Any = np.int32 if self.features.kind == "sparse" else np.float32
        self.row_size = self.features.most if self.features.kind == "sparse" else self.features.size

    def _shape(self) -> Shape:
        """The architecture that the settings describe."""
        config = self.config
        found: dict[str, Any] = {"hidden": widths_of(config.hidden, "hidden", self.name)}
        if self.kind == "planes":
            channels = widths_of(config.channels, "channels", self.name)
            found |= {"channels": channels, "kernel": config.kernel, "padding": config.padding}
        return shape_of(self.features, **found)

    def _value_of(self) -> Any:
        """The kernel that asks the network for a value."""
        bound = {"write": self.features.function, "IS_SPARSE": self.features.kind == "sparse"}
        return self.game.specialise("meeple.learn.forward_kernels", **bound).value_of

    def kept(self) -> Arrays:
        """The network."""
        return self.network.kept()

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take it up."""
        self.network.restore(arrays)

    def is_sound(self) -> bool:
        """Whether all weights are numbers."""
        return self.network.is_sound()

    def model(self, card: Mapping[str, Any]) -> Model:
        """The network in whole numbers."""
        return self.network.model(self.game, self.features_name, card)

    def player(self, evaluation: str) -> str:
        """The move after which the network likes the position best."""
        return f'greedy:evaluation="{evaluation}"'


class Ann(NetworkTraining):
    """A network that learns the results of its own games."""

    name = "ann"
    help = "a network of dense layers from games that it plays, against random moves or itself (needs jax)"
    settings: ClassVar[type[Settings]] = AnnSettings
    kind: ClassVar[Kind] = "sparse"
    prefers = ("report325",)

    def __init__(self, game: Game, config: Any) -> None:
        for name in ("epsilon", "decay"):
            if getattr(config, name) > 1:
                raise ConfigError(f"'{name}' of method '{self.name}' is from 0 to 1, not {getattr(config, name):g}")
        if config.labels == "minimax" and (game.seats != 2 or game.facts.chance or game.facts.hidden):
            raise UnsupportedGameError(
                f"labels=minimax needs two seats, no chance and no secrets, which {game.spec} has not: labels=result"
            )
        super().__init__(game, config)
        self.teacher = load_agent(untaught(game, config.teacher), game) if config.labels == "minimax" else None
        most = int(game.facts.longest)
        self.episode = Episode(
            states=game.buffer(3),
            moves=np.empty(int(game.definition.rules.MAX_ACTIONS), np.int64),
            shares=np.empty(game.seats),
            rows=np.zeros((most, self.row_size), self.rows_kind),
            seats=np.zeros(most, np.int64),
            chosen=game.buffer(most),
        )
        self.compiled = game.specialise(
            "meeple.learn.episode_kernels",
            write=self.features.function,
            value_of=self._value_of(),
            IS_SPARSE=self.features.kind == "sparse",
        )
        self.shares = np.zeros(config.games)  # of the learner, game by game
        self.positions = 0

    @property
    def total(self) -> int:
        """Games."""
        return int(self.config.games)

    def step(self) -> float:
        """One game, and one step towards its labels; the loss is the sum of squared errors before it."""
        learner = self.done % self.game.seats
        n = self._play(EVERYBODY if self.config.rival == "self" else learner)
        self.shares[self.done] = self.episode.shares[learner]
        self.positions += n
        if n == 0:
            return 0.0  # the game was over before the learner's first move
        return self.network.train(self.episode.rows[:n], self._labels(n), self.config.rate)

    def _play(self, learner: int) -> int:
        """The game of this step; returns how many positions it left."""
        config = self.config
        rng = rng_for("train", self.name, "game", self.done, seed=config.seed)
        fate = fate_for(rng.below(2**31 - 1))
        openings = 0 if self.game.facts.chance else self.game.facts.opening
        epsilon = config.epsilon * config.decay**self.done
        net = self.network.forward()
        options = self.game.option_codes
        return int(self.compiled.play_game(self.episode, net, options, fate, openings, learner, epsilon, rng.array))

    def _labels(self, n: int) -> NDArray[np.float64]:
        """What the positions of the game are worth to those who went there."""
        results = 2.0 * self.episode.shares[self.episode.seats[:n]] - 1.0
        if self.teacher is None:
            return results
        for number in range(n):
            state = State(self.game, self.episode.chosen[number : number + 1].copy())
            if not state.is_over:
                value = search(state, self.teacher, seed=self.done).best.value
                results[number] = value if state.to_move == self.episode.seats[number] else -value
        return results

    def kept(self) -> Arrays:
        """The network, and how the games ended."""
        return super().kept() | {"shares": self.shares, "positions": np.array([self.positions])}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        super().restore(arrays)
        self.shares[:] = arrays["shares"]
        self.positions = int(arrays["positions"][0])

    def figures(self) -> dict[str, Any]:
        """How much was learnt from, and what the learner won in the last tenth of its games."""
        last = self.shares[-max(1, int(len(self.shares) * LAST)) :]
        return {"positions": self.positions, "share of the last tenth of the games": round(float(last.mean()), 3)}


class Cnn(Ann):
    """The same with convolutions over the board."""

    name = "cnn"
    help = "the same with convolutions over the board (needs jax)"
    settings: ClassVar[type[Settings]] = CnnSettings
    kind = "planes"
    prefers = ("report-planes",)
