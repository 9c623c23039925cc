"""RootStrap and TreeStrap: linear weights that learn from game tree searches in self-play.

The report's agents (Santorini, section 3.1), after Veness, Silver, Uther and Blair, "Bootstrapping from Game Tree
Search" (2009): after each search the evaluation is moved towards the value that the search found, at its root or at
every node. Weights begin at random in [-1, 1]; a finished game is worth 9999. Any game with dense features fits;
where it has chance or secrets, each search looks at one world that was redealt for its seat, and beyond two seats all
others play against it.

Departures: 1. Games begin after a few random plies, as matches do (the report does not say how its games differ).
2. Nothing is learnt at finished positions, which no evaluation is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import fate_for, rng_for
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.learn.strap_kernels import NODES, UPDATES, Scratch
from meeple.learn.training import Arrays, Settings, Training
from meeple.models.model import Model, linear, usual_view


@dataclass(kw_only=True)
class RootStrapSettings(Settings):
    """What `rootstrap` can be told."""

    games: int = setting(100, "games of self-play", least=1)
    depth: int = setting(3, "plies looked ahead", least=1)
    rate: float = setting(1e-5, "learning rate", least=0)
    win: float = setting(9999.0, "what a won game is worth, a lost one the opposite", least=0)


@dataclass(kw_only=True)
class TreeStrapSettings(RootStrapSettings):
    """What `treestrap` can be told."""

    games: int = setting(50, "games of self-play", least=1)
    rate: float = setting(1e-6, "learning rate", least=0)
    search: str = setting(
        "minimax", "the whole tree, or alpha-beta, whose values are bounds", choices=("minimax", "alphabeta")
    )


class RootStrap(Training):
    """The evaluation of a searched position moves towards the value that alpha-beta found for it."""

    name = "rootstrap"
    help = "linear weights from the value of each search's root"
    settings: ClassVar[type[Settings]] = RootStrapSettings
    prunes, learns_everywhere = True, False

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        start = rng_for("train", self.name, "start", seed=config.seed)
        weights = np.array([2.0 * start.random() - 1.0 for _ in range(self.features.size)])
        self.scratch = self._scratch(weights)
        self.compiled = game.specialise(
            "meeple.learn.strap_kernels",
            write=self.features.function,
            SEES_MOVER=usual_view(game) == "mover",
            PRUNES=self.prunes,
            LEARNS_EVERYWHERE=self.learns_everywhere,
        )

    def _scratch(self, weights: NDArray[np.float64]) -> Scratch:
        lines, size = self.config.depth + 2, self.features.size
        return Scratch(
            states=self.game.buffer(lines),
            lists=np.empty((lines, int(self.game.definition.rules.MAX_ACTIONS)), dtype=np.int64),
            numbers=np.zeros((lines, size)),
            weights=weights,
            change=np.zeros(size),
            tally=np.zeros(3),
            shares=np.empty(self.game.seats),
        )

    @property
    def total(self) -> int:
        """Games of self-play."""
        return int(self.config.games)

    def step(self) -> float:
        """One game; its loss is the mean squared error of its updates, as a share of a win."""
        config, tally = self.config, self.scratch.tally
        before = tally.copy()
        rng = rng_for("train", self.name, "game", self.done, seed=config.seed)
        fate = fate_for(rng.below(2**31 - 1))
        openings = 0 if self.game.facts.chance else self.game.facts.opening
        self.compiled.play_game(
            self.scratch, self.game.option_codes, fate, openings, config.depth, config.rate, config.win, rng.array
        )
        squares, updates, _ = tally - before
        return float(squares / max(1.0, updates) / max(config.win, 1.0) ** 2)

    def kept(self) -> Arrays:
        """The weights, and the counts for the card."""
        return {"weights": self.scratch.weights, "tally": self.scratch.tally}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        self.scratch.weights[:] = arrays["weights"]
        self.scratch.tally[:] = arrays["tally"]

    def model(self, card: Mapping[str, Any]) -> Model:
        """A linear model; its scale changes no comparison of two positions."""
        weights = self.scratch.weights.copy()
        scale = 1.0 / max(1e-9, float(np.abs(weights).sum()))
        return linear(self.game, self.features_name, weights, scale=scale, squash="ratio", card=card)

    def player(self, evaluation: str) -> str:
        """Alpha-beta to the depth of the training."""
        worlds = ",worlds=1" if self.game.facts.chance or self.game.facts.hidden else ""
        return f'alphabeta:depth={self.config.depth},evaluation="{evaluation}"{worlds}'

    def figures(self) -> dict[str, Any]:
        """How much was learnt from."""
        tally = self.scratch.tally
        return {"positions searched": int(tally[NODES]), "updates": int(tally[UPDATES])}


class TreeStrap(RootStrap):
    """The evaluations of all nodes of a search tree move towards their values in it."""

    name = "treestrap"
    help = "linear weights from the values of all nodes of each search"
    settings: ClassVar[type[Settings]] = TreeStrapSettings
    learns_everywhere = True

    def __init__(self, game: Game, config: Any) -> None:
        self.prunes = config.search == "alphabeta"
        super().__init__(game, config)
