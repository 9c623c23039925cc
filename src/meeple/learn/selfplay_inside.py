"""Self-play whose games are played whole inside compiled code: for two seats, no chance, no secrets, and alpha-beta.

As selfplay.py has it (games, batches, gate), a hundred times as fast, so that a generation has tens of thousands of
games. What is kept of a position is what the search said and how the game ended, not the label: the labels of a
generation follow from all its games (labels.py), since each teacher has a scale of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.learn.inside import Inside, PlayedInside, fits_inside, index_type
from meeple.learn.labels import fitted_scale, mixed_labels
from meeple.learn.player import chosen_player
from meeple.learn.samples import Samples
from meeple.learn.selfplay import SelfPlay, SelfPlaySettings
from meeple.learn.training import Arrays, Settings
from meeple.models.evaluation import as_evaluation

TEACHER = "alphabeta:nodes=1000"
KEPT = ("active", "values", "shares", "games")


@dataclass(kw_only=True)
class InsideSettings(SelfPlaySettings):
    """What `selfplay` can be told where its games are played inside compiled code."""

    teacher: str = setting(TEACHER, "alphabeta with nodes or a depth, its evaluation to be replaced", names="agent")
    generations: int = setting(3, "times that the champion plays and the network learns", least=1)
    games: int = setting(40_000, "games of self-play in a generation", least=1)
    batches: int = setting(8000, "minibatches in a generation", least=1)
    gate: int = setting(100, "games of the match that decides who is champion", least=2)
    every: int = setting(1, "one position in so many is learnt from", least=1)
    hidden: int = setting(64, "width of the hidden layer", least=1)
    batch: int = setting(2048, "positions of a minibatch", least=1)


class InsideSelfPlay(SelfPlay):
    """The same method, its games played by number and in bulk."""

    help = "the same, its games played inside compiled code (two seats, no chance, no secrets, teacher alphabeta)"
    settings: ClassVar[type[Settings]] = InsideSettings

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        self.values: NDArray[np.float32] = np.zeros(0, dtype=np.float32)  # of each sample: what the search found
        self.shares: NDArray[np.float32] = np.zeros(0, dtype=np.float32)  # how its game ended for the mover
        none = np.zeros((0, self.features.most), dtype=index_type(self.features))
        self.samples = Samples(none, np.zeros(0), np.zeros(0, dtype=np.int64))
        self._played: list[tuple[int, PlayedInside]] = []  # not yet put together
        self._source: tuple[int, Inside] | None = None  # of a generation
        self.scales: list[float] = []  # of each generation's teacher

    # --- games

    def _play(self, number: int) -> None:
        """One game of the champion against itself; games after it are played ahead."""
        generation, _ = divmod(number, self.config.games)
        played = self._inside(generation).play(number, (generation + 1) * self.config.games)
        self._played.append((number, played))
        fresh = Samples(played.active, played.shares.astype(np.float64), np.zeros(0, dtype=np.int64))
        if len(fresh):
            self._last_loss = self.net.loss(fresh, np.arange(len(fresh)))

    def _inside(self, generation: int) -> Inside:
        """What plays the games of a generation, by its champion."""
        if self._source is None or self._source[0] != generation:
            champion = None
            if self.champion is not None:
                champion = as_evaluation(self.game, self._model_of(self.champion, {}))
            config = self.config
            inside = Inside(
                self.game, config.teacher, self.features, evaluation=champion,
                stray=config.stray, every=config.every, seed=config.seed, jobs=self.jobs,
            )  # fmt: skip
            self._source = generation, inside
        return self._source[1]

    # --- learning

    def _gathered(self) -> Samples:
        """All samples so far, their labels by what is known of each generation's teacher."""
        if self._played:
            numbers, played = zip(*self._played, strict=True)
            games = np.repeat(np.array(numbers, dtype=np.int64), [len(each.values) for each in played])
            self._take(
                np.concatenate([self.samples.active, *(each.active for each in played)]),
                np.concatenate([self.values, *(each.values for each in played)]),
                np.concatenate([self.shares, *(each.shares for each in played)]),
                np.concatenate([self.samples.games, games]),
            )
            self._played = []
        return self.samples

    def _take(self, active: Any, values: Any, shares: Any, games: Any) -> None:
        self.values, self.shares, self.scales = values, shares, []
        labels = np.zeros(len(values))
        generations = games // self.config.games
        for generation in range(int(generations.max(initial=-1)) + 1):
            here = generations == generation
            scale = fitted_scale(values[here], shares[here])
            labels[here] = mixed_labels(values[here], shares[here], scale=scale, trust=self.config.trust)
            self.scales.append(scale)
        self.samples = Samples(active, labels, games)

    # --- keeping

    def kept(self) -> Arrays:
        """As selfplay's; of each sample the search's value and the result in the place of the label."""
        found = super().kept()
        del found["labels"]
        return found | {"values": self.values, "shares": self.shares}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take it up."""
        super().restore(dict(arrays) | {"labels": np.zeros(0)})
        self._take(*(arrays[name] for name in KEPT))
        self._played, self._source = [], None

    def figures(self) -> dict[str, Any]:
        """The data, the teachers' scales, and the gates."""
        positions = len(self._gathered())
        return super().figures() | {
            "games": self.config.games * int(self.config.generations),
            "positions": positions,
            "scales": [round(scale, 3) for scale in self.scales],
        }

    @property
    def identity(self) -> dict[str, Any]:
        """As of every run, and how its games are played."""
        return super().identity | {"games played": "inside"}


def plays_inside(game: Game, teacher: str) -> bool:
    """Whether self-play with this teacher (empty: the usual one) is of this kind."""
    return fits_inside(game, teacher or chosen_player(game, "", "teacher"))
