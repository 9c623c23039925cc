"""Actor-critic: a policy that plays itself, and a critic that tells it what was better than expected.

After each game, for each decision:

    G      = what came of it: the final returns, mixed with the critic's values on the way (`trace`: lambda)
    A      = G - V                                      the advantage: how much better than the critic had thought
    actor    -A log policy(move) - curiosity * entropy  moves with an advantage become likelier
    critic   cross-entropy of the win share (1 + G) / 2

and the sum of both, averaged over the decisions of a game and over `batch` games, moves the network by Adam. Moves are
drawn by the policy, so no others need be tried at random; the entropy keeps it from settling too early. The model
plays by its policy, or inside `puct`, whose priors and values are these heads (Sutton and Barto 2018, chapter 13; the
Santorini report names the method for later work).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.learn.heads import HeadsSettings, HeadsTraining
from meeple.learn.heads_play import BY_POLICY
from meeple.learn.training import Arrays, Settings, require_shares

RECENT = 0.99  # how much of the entropy shown stays, game by game


@dataclass(kw_only=True)
class ActorCriticSettings(HeadsSettings):
    """What `actor-critic` can be told."""

    games: int = setting(20_000, "games of self-play", least=1)
    rate: float = setting(0.002, "learning rate of Adam, falling along half a cosine", least=0)
    batch: int = setting(16, "games between two steps of Adam", least=1)
    trace: float = setting(0.9, "weight of what comes later against the critic's own values, 0 to 1", least=0)
    curiosity: float = setting(
        0.05, "weight of the policy's entropy at first, falling to 0: it keeps trying moves", least=0
    )


class ActorCritic(HeadsTraining):
    """A policy that learns from the advantage of its moves."""

    name = "actor-critic"
    help = "a policy and a value from self-play: moves that did better than the critic expected become likelier"
    settings: ClassVar[type[Settings]] = ActorCriticSettings

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        require_shares(config, self.name, "trace")
        self.compiled = game.specialise("meeple.learn.actor_critic_kernels", see=self.play.see)
        self.tally = np.zeros(2)
        self.entropy = np.zeros(1)  # a mean over the last hundred games or so

    def step(self) -> float:
        """One game; its loss is the critic's."""
        n, _ = self._play_game(BY_POLICY)
        config, net = self.config, self.net
        self.tally[:] = 0.0
        curiosity = config.curiosity * (1.0 - self.done / self.total)
        self.compiled.learn_game(
            self.line, n, config.trace, curiosity, 1.0 / config.batch, net.weights, net.gradients, self.sight,
            self.tally,
        )  # fmt: skip
        loss, entropy = self.tally / max(1, n)
        self.entropy[:] = entropy if self.done == 0 else RECENT * self.entropy + (1.0 - RECENT) * entropy
        if (self.done + 1) % config.batch == 0 or self.done + 1 == self.total:
            net.move(self._rate)
        return float(loss)

    def kept(self) -> Arrays:
        """The network, gradients of a batch under way among it."""
        return super().kept() | {"entropy": self.entropy}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take it up."""
        super().restore(arrays)
        self.entropy[:] = arrays["entropy"]

    def figures(self) -> dict[str, Any]:
        """How decided the policy is."""
        return {"entropy of the policy in nats": round(float(self.entropy[0]), 3)}
