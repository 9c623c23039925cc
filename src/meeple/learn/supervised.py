"""Supervised learning: a small network from games that were played and stored.

The label of a position is the result of its game for the viewing seat, or, with `trust`, mixed with the value that
`teacher` finds for it. Positions of one game are alike in their result, so whole games are held out to tell what was
learnt from what was memorised; the card has the loss over these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.agents.ranking import search
from meeple.agents.registry import load_agent
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.settings import setting
from meeple.errors import ConfigError
from meeple.learn.net import Net, cosine_rate
from meeple.learn.player import untaught
from meeple.learn.samples import Judge, samples_of, stored_matches
from meeple.learn.training import Arrays, Settings, Training, require_shares
from meeple.models.model import Model

HELD_OUT = 10  # one game in so many


@dataclass(kw_only=True)
class SupervisedSettings(Settings):
    """What `supervised` can be told."""

    data: str = setting("", "a store, a record or a folder of records: what --from names", names="file")
    hidden: int = setting(32, "width of the hidden layer", least=1)
    epochs: int = setting(10, "how often each position is seen", least=1)
    batch: int = setting(256, "positions of a minibatch", least=1)
    rate: float = setting(0.002, "learning rate of Adam, falling along half a cosine", least=0)
    trust: float = setting(0.0, "weight of the teacher's value in a label; the rest is the result, 0 to 1", least=0)
    teacher: str = setting("alphabeta:depth=2", "the agent whose values are mixed in", names="agent")


class Supervised(Training):
    """A network that predicts results of stored games."""

    name = "supervised"
    help = "a small network from stored games (--from STORE|RECORDS): results, or the values of a search"
    settings: ClassVar[type[Settings]] = SupervisedSettings
    unit = "minibatches"
    kind = "sparse"

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        if not config.data:
            raise ConfigError("supervised learns from games that were played: --from STORE, a record or their folder")
        require_shares(config, self.name, "trust")
        judge = teacher_of(game, config.teacher) if config.trust else None
        matches = stored_matches(Path(config.data), game)
        self.samples = samples_of(matches, self.features, judge=judge, trust=config.trust)
        if not len(self.samples):
            raise ConfigError(f"'{config.data}' holds no finished match of {game.spec}: nothing can be learnt from it")
        is_held = self.samples.games % HELD_OUT == HELD_OUT - 1
        self.seen, self.held = np.flatnonzero(~is_held), np.flatnonzero(is_held)
        self.net = Net(self.features, config.hidden, np.random.default_rng([config.seed, 0]))
        self._shuffled = (-1, self.seen, self.seen)

    @property
    def total(self) -> int:
        """Minibatches."""
        return int(self.config.epochs) * self._per_epoch

    @property
    def _per_epoch(self) -> int:
        return -(-len(self.seen) // int(self.config.batch))

    def step(self) -> float:
        """One minibatch, of an order that its epoch alone gives."""
        epoch, number = divmod(self.done, self._per_epoch)
        order, turns = self._order(epoch)
        part = slice(number * self.config.batch, (number + 1) * self.config.batch)
        rate = cosine_rate(self.config.rate, self.done, self.total)
        return self.net.train(self.samples, order[part], turns[part], rate, self.done + 1)

    def _order(self, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The order of an epoch, and how each position is turned in it; drawn once."""
        if self._shuffled[0] != epoch:
            rng = np.random.default_rng([self.config.seed, 1 + epoch])
            turns = rng.integers(0, len(self.net.symmetries), len(self.seen))
            self._shuffled = (epoch, rng.permutation(self.seen), turns)
        return self._shuffled[1], self._shuffled[2]

    def kept(self) -> Arrays:
        """The network."""
        return self.net.kept()

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take it up."""
        self.net.restore(arrays)

    def model(self, card: Mapping[str, Any]) -> Model:
        """The network in whole numbers."""
        return self.net.model(self.game, self.features_name, card)

    def player(self, evaluation: str) -> str:
        """The move after which the network likes the position best."""
        return f'greedy:evaluation="{evaluation}"'

    def figures(self) -> dict[str, Any]:
        """The data, and the loss over games that were held out, beside that of an answer that is always the same."""
        labels = self.samples.labels
        found: dict[str, Any] = {"games": int(self.samples.games[-1]) + 1, "positions": len(labels)}
        if len(self.held):
            mean = min(max(float(labels[self.seen].mean()), 1e-9), 1 - 1e-9)
            held = labels[self.held]
            constant = -float(np.mean(held * np.log(mean) + (1 - held) * np.log(1 - mean)))
            found |= {"held-out loss": round(self.net.loss(self.samples, self.held), 4)}
            found |= {"held-out loss of a constant": round(constant, 4)}
        return found

    @property
    def identity(self) -> dict[str, Any]:
        """As of every run, and the data."""
        return super().identity | {"samples": self.samples.name}


def teacher_of(game: Game, spec: str) -> Judge:
    """What an agent finds a position worth to its mover; it sees what its seat may know."""
    agent = load_agent(untaught(game, spec), game)

    def judge(match: Match, state: State, ply: int) -> float:
        return search(state, agent, seed=match.seed + ply).best.value

    return judge
