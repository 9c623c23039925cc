"""Self-play in generations: a search plays against itself, a network learns from its games, and takes its place.

A generation has three parts:

    games      `teacher` plays itself, with the evaluation of the champion; now and then a move at random
    batches    the network learns from the games of all generations: labels mixed of search values and results
    gate       the network plays the champion, both in the teacher's search; if its share is enough it is champion

The first champion is the evaluation that the teacher names, the game's default as a rule. Loss is not comparable across
generations (labels change), so matches alone decide. Any game with sparse features fits; the teacher must be an agent
that takes an `evaluation`, and sees what its seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent
from meeple.arena.match import play_match
from meeple.arena.openings import random_opening
from meeple.arena.sprt import Sprt, count_scores
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.learn.net import Net, cosine_rate
from meeple.learn.played import PlayedSettings, self_played
from meeple.learn.player import chosen_player, spec_with, with_model
from meeple.learn.samples import Samples, joined, samples_of
from meeple.learn.training import Arrays, Settings, Training, require_shares
from meeple.models.model import Model


@dataclass(kw_only=True)
class SelfPlaySettings(PlayedSettings):
    """What `selfplay` can be told."""

    generations: int = setting(3, "times that the champion plays and the network learns", least=1)
    games: int = setting(200, "games of self-play in a generation", least=1)
    batches: int = setting(1000, "minibatches in a generation", least=1)
    gate: int = setting(40, "games of the match that decides who is champion", least=2)
    sprt: float = setting(
        0.0, "Elo: end that match once a sequential test of so many against 0 is decided; 0: play all games", least=0
    )
    hidden: int = setting(32, "width of the hidden layer", least=1)
    batch: int = setting(256, "positions of a minibatch", least=1)
    rate: float = setting(0.002, "learning rate of Adam, falling along half a cosine in each generation", least=0)


class SelfPlay(Training):
    """A network that learns from the games of a search with itself inside."""

    name = "selfplay"
    help = "a small network from games of its own search, generation after generation, gated by matches"
    settings: ClassVar[type[Settings]] = SelfPlaySettings
    unit = "steps (games, minibatches, gates)"
    kind = "sparse"

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        config.teacher = chosen_player(game, config.teacher, "teacher")
        require_shares(config, self.name, "stray", "trust")
        self.net = Net(self.features, config.hidden, np.random.default_rng([config.seed, 0]))
        self.champion: NDArray[np.float64] | None = None  # weights; None: the teacher's own evaluation
        self.gates: list[list[float]] = []  # generation, share, 1 if the network became champion
        self.samples = samples_of([], self.features)
        self._last_loss = 0.0
        self._fresh: list[Samples] = []  # of games since they were last put together

    @property
    def _a_generation(self) -> int:
        return int(self.config.games + self.config.batches + 1)

    @property
    def total(self) -> int:
        """Games, minibatches and matches of all generations."""
        return int(self.config.generations) * self._a_generation

    def step(self) -> float:
        """A game, a minibatch, or the match at the end of a generation.

        The loss of a game is that of the network over its positions, none of which it has seen; a match has the last.
        """
        generation, number = divmod(self.done, self._a_generation)
        if number < self.config.games:
            self._play(generation * self.config.games + number)
        elif number < self.config.games + self.config.batches:
            self._last_loss = self._learn(generation, number - self.config.games)
        else:
            self._gate(generation)
        return self._last_loss

    # --- games

    def _agent(self, weights: NDArray[np.float64] | None) -> Agent:
        """The teacher with a network inside, or as it is."""
        return with_model(self.game, self.config.teacher, None if weights is None else self._model_of(weights, {}))

    def _model_of(self, weights: NDArray[np.float64], card: Mapping[str, Any]) -> Model:
        net = Net(self.features, self.config.hidden, np.random.default_rng(0))
        net.flat[:] = weights
        return net.model(self.game, self.features_name, card)

    def _play(self, number: int) -> None:
        """One game of the champion against itself, and the samples of it."""
        model = None if self.champion is None else self._model_of(self.champion, {})
        fresh = self_played(self.game, self.config, self.features, number=number, name=self.name, model=model)
        self._last_loss = self.net.loss(fresh, np.arange(len(fresh)))
        self._fresh.append(fresh)

    def _gathered(self) -> Samples:
        """All samples so far."""
        if self._fresh:
            self.samples, self._fresh = joined([self.samples, *self._fresh]), []
        return self.samples

    # --- learning

    def _learn(self, generation: int, number: int) -> float:
        samples, config = self._gathered(), self.config
        rng = np.random.default_rng([config.seed, 1, self.done])
        rows = rng.integers(0, len(samples), config.batch)
        turns = rng.integers(0, len(self.net.symmetries), config.batch)
        rate = cosine_rate(config.rate, number, config.batches)
        return self.net.train(samples, rows, turns, rate, generation * config.batches + number + 1)

    def _gate(self, generation: int) -> None:
        """Let the network play the champion in every seat of the same games; an even share, or more, is enough.

        With `sprt` the match ends once the sequential test has decided; where it never does, the share counts.
        """
        agents = self._agent(self.net.flat), self._agent(self.champion)
        shares: list[float] = []
        verdict = "go on"
        while len(shares) < self.config.gate:
            number = generation * self.config.gate + len(shares) // self.game.seats
            seed = rng_for("train", self.name, "gate", number, seed=self.config.seed).below(2**31 - 1)
            start = random_opening(self.game, seed)
            for seat in range(self.game.seats):
                seated = [agents[0] if other == seat else agents[1] for other in range(self.game.seats)]
                match = play_match(self.game, seated, seed=seed, start=start)
                shares.append((1.0 + float(match.state.returns()[seat])) / 2.0)
            verdict = self._verdict(shares)
            if verdict != "go on":
                break
        share = float(np.mean(shares))
        is_champion = verdict == "H1" or (verdict == "go on" and share >= 1.0 / self.game.seats)
        if is_champion:
            self.champion = self.net.flat.copy()
        self.gates.append([generation + 1, share, float(is_champion)])

    def _verdict(self, shares: list[float]) -> str:
        """What the sequential test says of the sets so far, one game in each seat: H1, H0 or go on."""
        if not self.config.sprt:
            return "go on"
        sets = np.reshape(shares, (-1, self.game.seats)).mean(axis=1)
        return Sprt(0.0, self.config.sprt, seats=self.game.seats).look(count_scores(sets.tolist())).verdict

    # --- keeping

    def kept(self) -> Arrays:
        """The network, the champion, the gates and all samples."""
        samples = self._gathered()
        return self.net.kept() | {
            "champion": np.zeros(0) if self.champion is None else self.champion,
            "gates": np.array(self.gates).reshape(-1, 3),
            "active": samples.active,
            "labels": samples.labels,
            "games": samples.games,
            "loss": np.array([self._last_loss]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        self.net.restore(arrays)
        self.champion = arrays["champion"] if len(arrays["champion"]) else None
        self.gates = arrays["gates"].tolist()
        self.samples, self._fresh = Samples(arrays["active"], arrays["labels"], arrays["games"]), []
        self._last_loss = float(arrays["loss"][0])

    def is_sound(self) -> bool:
        """Whether all weights are numbers; labels are."""
        return bool(np.isfinite(self.net.flat).all())

    def model(self, card: Mapping[str, Any]) -> Model:
        """The champion in whole numbers; while no network is champion, the network."""
        return self._model_of(self.net.flat if self.champion is None else self.champion, card)

    def player(self, evaluation: str) -> str:
        """The teacher's search with the network inside."""
        return spec_with(self.game, self.config.teacher, evaluation)

    def figures(self) -> dict[str, Any]:
        """The data, and the gates."""
        gates = [
            {"generation": int(number), "share": round(share, 3), "champion": bool(passed)}
            for number, share, passed in self.gates
        ]
        return {"positions": len(self._gathered()), "gates": gates}

    def remarks(self) -> list[str]:
        """How the gates went, and a warning where no network came through."""
        words = {0.0: "stays out", 1.0: "is champion"}
        lines = [
            f"generation {int(number)}  share {share:.3f}, the network {words[passed]}"
            for number, share, passed in self.gates
        ]
        if self.gates and self.champion is None:
            lines.append(
                f"no network held its own against the evaluation of {self.config.teacher}, so the model is weaker "
                "than that: give it more games"
            )
        return lines
