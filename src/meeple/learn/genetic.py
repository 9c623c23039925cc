"""A genetic algorithm: linear weights that win tournaments (the Santorini report's section on later work, point 2).

A generation is a tournament of `agents` sets of weights, each of which plays `games` games against others drawn by lot,
in every seat by turns. The weights with the highest share stay as they are; the others become mutations of them: each
weight moved by a normal variable with the standard deviation `spread`. No gradient is needed, so any search may play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.arena.match import play_match
from meeple.arena.openings import random_opening
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.learn.played import SEARCH_HELP
from meeple.learn.player import chosen_player, spec_with, with_model
from meeple.learn.training import Arrays, Settings, Training
from meeple.models.model import Model, linear


@dataclass(kw_only=True)
class GeneticSettings(Settings):
    """What `genetic` can be told."""

    player: str = setting("", SEARCH_HELP, names="agent")
    generations: int = setting(20, "tournaments", least=1)
    agents: int = setting(8, "sets of weights in each", least=2)
    games: int = setting(8, "games of each set of weights in a tournament", least=1)
    spread: float = setting(0.3, "standard deviation of a mutation; first weights are within [-1, 1]", least=0)


class Genetic(Training):
    """Weights that win are kept and mutated."""

    name = "genetic"
    help = "linear weights by tournaments: the winner's are mutated, generation after generation"
    settings: ClassVar[type[Settings]] = GeneticSettings

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        config.player = chosen_player(game, config.player, "player")
        rng = np.random.default_rng([config.seed, 0])
        self.weights = rng.uniform(-1.0, 1.0, (config.agents, self.features.size))  # the last winner's first
        self.shares = np.zeros(config.agents)  # sums of the tournament at hand
        self.winner_share = 1.0 / game.seats  # mean, in the last tournament

    @property
    def _a_generation(self) -> int:
        return int(self.config.agents * self.config.games)

    @property
    def total(self) -> int:
        """Games of all tournaments."""
        return int(self.config.generations) * self._a_generation

    def step(self) -> float:
        """One game; the loss is what the last tournament's winner did not win."""
        generation, number = divmod(self.done, self._a_generation)
        if number == 0:
            self.shares[:] = 0.0
        own, turn = number % self.config.agents, number // self.config.agents
        self.shares[own] += self._share(own, turn % self.game.seats)
        if number == self._a_generation - 1:
            self._mutate(generation)
        return 1.0 - self.winner_share

    def _share(self, own: int, seat: int) -> float:
        """What these weights win in a seat against others drawn by lot."""
        rng = rng_for("train", self.name, "game", self.done, seed=self.config.seed)
        others = [other for other in range(self.config.agents) if other != own]
        seated = [own if place == seat else rng.choice(others) for place in range(self.game.seats)]
        agents = [with_model(self.game, self.config.player, self._model_of(each, {})) for each in seated]
        seed = rng.below(2**31 - 1)
        match = play_match(self.game, agents, seed=seed, start=random_opening(self.game, seed))
        return (1.0 + float(match.state.returns()[seat])) / 2.0

    def _mutate(self, generation: int) -> None:
        """Keep the winner, the first of equals, and make all others mutations of it."""
        winner = int(np.argmax(self.shares))
        self.winner_share = float(self.shares[winner]) / self.config.games
        rng = np.random.default_rng([self.config.seed, 1 + generation])
        moves = rng.normal(0.0, self.config.spread, self.weights.shape)
        moves[0] = 0.0
        self.weights[:] = self.weights[winner] + moves

    def _model_of(self, number: int, card: Mapping[str, Any]) -> Model:
        weights = self.weights[number].copy()
        scale = 1.0 / max(1e-9, float(np.abs(weights).sum()))
        return linear(self.game, self.features_name, weights, scale=scale, squash="ratio", card=card)

    def kept(self) -> Arrays:
        """All weights, and how the tournament stands."""
        return {"weights": self.weights, "shares": self.shares, "winner": np.array([self.winner_share])}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        self.weights[:] = arrays["weights"]
        self.shares[:] = arrays["shares"]
        self.winner_share = float(arrays["winner"][0])

    def model(self, card: Mapping[str, Any]) -> Model:
        """The last winner; its scale changes no comparison of two positions."""
        return self._model_of(0, card)

    def player(self, evaluation: str) -> str:
        """The search that played."""
        return spec_with(self.game, self.config.player, evaluation)
