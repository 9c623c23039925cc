"""A network with two heads in training: sparse features, one hidden layer, a value and a policy over legal moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, fate_for, rng_for
from meeple.core.features import FeatureSet, feature_sets
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import UnsupportedGameError
from meeple.learn.heads_kernels import Heads, Sight
from meeple.learn.heads_play import DecisionLine
from meeple.learn.net import START, cosine_rate
from meeple.learn.net_kernels import adam
from meeple.learn.training import Arrays, Settings, Training
from meeple.models.model import Model, network


@dataclass(kw_only=True)
class HeadsSettings(Settings):
    """What every method with two heads can be told."""

    games: int = setting(10_000, "games of self-play", least=1)
    hidden: int = setting(64, "width of the hidden layer", least=1)
    rate: float = setting(0.001, "learning rate of Adam, falling along half a cosine", least=0)
    scatter: int = setting(4, "games begin after up to so many random moves, so that many positions are met", least=0)


class HeadsNet:
    """Weights with what Adam remembers of their gradients."""

    def __init__(self, features: FeatureSet, moves: FeatureSet, hidden: int, rng: np.random.Generator) -> None:
        self.sizes = features.size, moves.size, hidden
        self.flat = np.concatenate(
            [
                rng.normal(0.0, START, features.size * hidden),
                np.full(hidden, 0.25),
                rng.normal(0.0, 1.0 / math.sqrt(hidden), hidden),
                np.zeros(1 + moves.size * (hidden + 1)),  # at first all moves are alike
            ]
        )
        self.first, self.second, self.slope = (np.zeros(len(self.flat)) for _ in range(3))
        self.steps = np.zeros(1, dtype=np.int64)  # of Adam
        self.weights, self.gradients = (shaped_heads(each, *self.sizes) for each in (self.flat, self.slope))

    def move(self, rate: float) -> None:
        """A step of Adam by the gradients gathered so far, which become 0."""
        self.steps += 1
        adam(self.flat, self.slope, self.first, self.second, rate, int(self.steps[0]))

    def kept(self) -> Arrays:
        """All of it."""
        names = ("flat", "first", "second", "slope", "steps")
        return {name: getattr(self, name) for name in names}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take up what `kept` gave."""
        for name, array in self.kept().items():
            array[:] = arrays[name]

    def model(self, game: Game, features: str, moves: str, card: Mapping[str, Any], *, sharpness: float = 1.0) -> Model:
        """The network in whole numbers; 2p - 1 = tanh(x / 2) is the value, and logits count `sharpness` times."""
        found = self.weights
        return network(
            game,
            features,
            [(found.w1, found.b1), (found.w2[:, None] / 2.0, found.b2 / 2.0)],
            policy=(moves, sharpness * found.policy, sharpness * found.policy_bias),
            activation="squared",
            squash="tanh",
            card=card,
        )


def shaped_heads(flat: NDArray[np.float64], size: int, moves: int, hidden: int) -> Heads:
    """Views of flat weights in their shapes."""
    ends = np.cumsum([size * hidden, hidden, hidden, 1, moves * hidden])
    w1, b1, w2, b2, policy, policy_bias = np.split(flat, ends)
    return Heads(w1.reshape(size, hidden), b1, w2, b2, policy.reshape(moves, hidden), policy_bias)


class HeadsTraining(Training):
    """Self-play of a network with two heads; a method says how it learns from a game."""

    kind = "sparse"
    sharpness = 1.0  # of the policy in the model

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        self.moves_name, self.moves = move_features(game, self.name)
        self.net = HeadsNet(self.features, self.moves, config.hidden, np.random.default_rng([config.seed, 0]))
        self.sight, self.line = self._sight(), self._line()
        self.play = compile_for(game, self.features, self.moves)

    def _sight(self) -> Sight:
        most, hidden = int(self.game.definition.rules.MAX_ACTIONS), self.config.hidden
        return Sight(
            active=self.features.buffer(),
            legal=np.zeros(most, dtype=np.int64),
            listed=self.moves.buffer(),
            moves=np.zeros((most, self.moves.most), dtype=np.int32),
            n_moves=np.zeros(most, dtype=np.int64),
            sums=np.zeros(hidden),
            hidden=np.zeros(hidden),
            slopes=np.zeros(hidden),
            likings=np.zeros(self.moves.size),
            leanings=np.zeros(self.moves.size),
            logits=np.zeros(most),
            chances=np.zeros(most),
        )

    def _line(self) -> DecisionLine:
        room = self.game.facts.longest + 1
        return DecisionLine(
            states=self.game.buffer(room),
            movers=np.zeros(room, dtype=np.int64),
            actions=np.zeros(room, dtype=np.int64),
            values=np.zeros(room),
            returns=np.zeros(room),
            follow=np.zeros(room, dtype=np.int64),
            shares=np.zeros(self.game.seats),
        )

    @property
    def total(self) -> int:
        """Games of self-play."""
        return int(self.config.games)

    def _play_game(self, stray: float) -> tuple[int, Stream]:
        """Play game number `done`: how many decisions it had, and the stream that drew its lots."""
        rng = rng_for("train", self.name, "game", self.done, seed=self.config.seed)
        fate = fate_for(rng.below(2**31 - 1))
        openings = (0 if self.game.facts.chance else self.game.facts.opening) + rng.below(self.config.scatter + 1)
        given = self.line, self.game.option_codes, fate, openings, stray, self.net.weights, self.sight
        return int(self.play.play_game(*given, rng.array)), rng

    @property
    def _rate(self) -> float:
        return cosine_rate(self.config.rate, self.done, self.total)

    def kept(self) -> Arrays:
        """The network."""
        return self.net.kept()

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take it up."""
        self.net.restore(arrays)

    def is_sound(self) -> bool:
        """Whether all weights are numbers."""
        return bool(np.isfinite(self.net.flat).all())

    def model(self, card: Mapping[str, Any]) -> Model:
        """Both heads in whole numbers."""
        return self.net.model(self.game, self.features_name, self.moves_name, card, sharpness=self.sharpness)

    def player(self, evaluation: str) -> str:
        """The move that the policy head likes best."""
        return f'policy:name="{evaluation}"'


def move_features(game: Game, method: str) -> tuple[str, FeatureSet]:
    """The game's first features of moves.

    Raises:
        UnsupportedGameError: it has none.
    """
    found = feature_sets(game, "ACTION_FEATURES")
    if not found:
        raise UnsupportedGameError(
            f"{game.name} has no features of moves (ACTION_FEATURES), which {method} learns over"
        )
    return next(iter(found.items()))


def compile_for(game: Game, features: FeatureSet, moves: FeatureSet) -> ModuleType:
    """The games of such networks, for a game's features."""
    return game.specialise("meeple.learn.heads_play", write=features.function, write_action=moves.function)
