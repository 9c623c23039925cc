"""Linear features that the program makes itself: conjunctions of facts, grown where they are used and promise most.

The last idea of the Santorini report's section 3.1. A run begins with a weight for each sparse feature of the game, a
*fact* such as "a worker of mine on level 2 of c3", and positions of games that `teacher` plays against itself. Rounds:

    learn   `batches` minibatches of logistic regression: win shares from facts and conjunctions
    grow    from the `pool` features in most use (how often there, times how heavy) all pairs are looked at; the `grow`
            pairs with the highest promise become features themselves, which later rounds may join further

A pair promises what a step of Newton's method by its weight alone takes off the loss: slope^2 / (2 bend). What it
brought in the end is in the card: the loss over games that were held out, without it and with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import FailureError
from meeple.learn.grown_kernels import Grown, add_gradients, count_use, loss_of, weigh_pairs
from meeple.learn.net import cosine_rate
from meeple.learn.net_kernels import adam
from meeple.learn.played import PlayedSettings, self_played
from meeple.learn.player import chosen_player, spec_with
from meeple.learn.samples import Samples, joined, samples_of
from meeple.learn.training import Arrays, Settings, Training, require_shares
from meeple.models.checks import are_joins
from meeple.models.model import Model, linear

HELD_OUT = 10  # one game in so many
CAUTION = 5.0  # added to a bend: what few positions show promises less
LEAST = 20  # positions that a new conjunction must be in


@dataclass(kw_only=True)
class GrownSettings(PlayedSettings):
    """What `grown` can be told."""

    games: int = setting(300, "games of self-play that are learnt from", least=2)
    rounds: int = setting(5, "times that is learnt; features grow between two of them", least=1)
    batches: int = setting(500, "minibatches in a round", least=1)
    grow: int = setting(16, "conjunctions that grow at a time", least=1)
    pool: int = setting(256, "features in most use, of which pairs are looked at", least=2)
    batch: int = setting(256, "positions of a minibatch", least=1)
    rate: float = setting(0.01, "learning rate of Adam, falling along half a cosine in each round", least=0)


class GrownLinear(Training):
    """Linear weights over facts, and over conjunctions that grow."""

    name = "grown"
    help = "linear weights over cells and the like, and over conjunctions of these that the program grows itself"
    settings: ClassVar[type[Settings]] = GrownSettings
    unit = "steps (games, minibatches)"
    kind = "sparse"

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        config.teacher = chosen_player(game, config.teacher, "teacher")
        require_shares(config, self.name, "stray", "trust")
        self.size, most = self.features.size, config.grow * (config.rounds - 1)
        self.grown = Grown(
            weights=np.zeros(1 + self.size + most),
            gradients=np.zeros(1 + self.size + most),
            joins=np.zeros((most, 2), dtype=np.int64),
            present=np.zeros(self.size + most, dtype=np.bool_),
            there=np.zeros(self.features.most + most, dtype=np.int64),
        )
        self.first, self.second = np.zeros(len(self.grown.weights)), np.zeros(len(self.grown.weights))
        self.promises = np.zeros(most)
        self.n_joins = 0
        self.alone = np.nan  # the held-out loss of facts alone
        unturned = np.arange(self.size, dtype=np.int64)[None]
        self.symmetries = unturned if self.features.symmetries is None else self.features.symmetries
        self.samples = samples_of([], self.features)
        self._fresh: list[Samples] = []

    @property
    def total(self) -> int:
        """Games, and minibatches of all rounds."""
        return int(self.config.games + self.config.rounds * self.config.batches)

    def step(self) -> float:
        """A game or a minibatch, before the first of a round the growth; a game has the loss of knowing nothing."""
        number = self.done - self.config.games
        if number < 0:
            self._fresh.append(
                self_played(self.game, self.config, self.features, number=self.done, name=self.name, model=None)
            )
            return float(np.log(2.0))
        turn, part = divmod(number, self.config.batches)
        if turn and part == 0:
            self._grow(turn)
        return self._learn(number, part)

    def _gathered(self) -> Samples:
        if self._fresh:
            self.samples, self._fresh = joined([self.samples, *self._fresh]), []
        return self.samples

    def _parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The positions that are learnt from, and those of games that are held out."""
        is_held = self._gathered().games % HELD_OUT == HELD_OUT - 1
        return np.flatnonzero(~is_held), np.flatnonzero(is_held)

    def _learn(self, number: int, part: int) -> float:
        samples, config, grown = self._gathered(), self.config, self.grown
        rng = np.random.default_rng([config.seed, 1, number])
        rows = rng.choice(self._parts()[0], config.batch)
        turns = rng.integers(0, len(self.symmetries), config.batch)
        loss = add_gradients(samples.active, samples.labels, rows, turns, self.symmetries, grown, self.n_joins)
        rate = cosine_rate(config.rate, part, config.batches)
        adam(grown.weights, grown.gradients, self.first, self.second, rate, number + 1)
        return float(loss)

    # --- growing

    def _grow(self, turn: int) -> None:
        """Add the pairs of features that promise most."""
        if turn == 1:
            self.alone = self._held_loss()
        rows = self._parts()[0]
        turns = np.random.default_rng([self.config.seed, 2, turn]).integers(0, len(self.symmetries), len(rows))
        pool, counts = self._pool(rows, turns)
        slopes, bends, shared = self._pairs(rows, turns, pool)
        promise = slopes**2 / (2.0 * (bends + CAUTION)) / max(1, len(rows))
        least = np.minimum(counts[pool][:, None], counts[pool][None, :])
        promise[(shared < LEAST) | (shared == least)] = 0.0  # too rare, or one of the two says as much
        known = {self.facts_of(self.size + j) for j in range(self.n_joins)} | {frozenset([int(f)]) for f in pool}
        end = self.n_joins + self.config.grow
        for place in np.argsort(-promise, axis=None, kind="stable"):
            one, other = (int(pool[each]) for each in divmod(int(place), len(pool)))
            facts = self.facts_of(one) | self.facts_of(other)
            if self.n_joins == end or promise.flat[place] <= 0.0:
                break
            if facts not in known:
                self.grown.joins[self.n_joins] = one, other
                self.promises[self.n_joins] = promise.flat[place]
                self.n_joins += 1
                known.add(facts)

    def _pool(self, rows: NDArray[np.int64], turns: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The features in most use, and how often each feature is there."""
        counts = np.zeros(len(self.grown.present), dtype=np.int64)
        count_use(self.samples.active, rows, turns, self.symmetries, self.grown, self.n_joins, counts)
        use = counts * np.abs(self.grown.weights[1:])
        best = np.argsort(-use, kind="stable")[: self.config.pool]
        return np.sort(best[use[best] > 0.0]), counts

    def _pairs(self, rows: NDArray[np.int64], turns: NDArray[np.int64], pool: NDArray[Any]) -> tuple[Any, Any, Any]:
        places = np.full(len(self.grown.present), -1, dtype=np.int64)
        places[pool] = np.arange(len(pool))
        slopes, bends = np.zeros((len(pool), len(pool))), np.zeros((len(pool), len(pool)))
        shared = np.zeros((len(pool), len(pool)), dtype=np.int64)
        weigh_pairs(
            self.samples.active, self.samples.labels, rows, turns, self.symmetries, self.grown, self.n_joins,
            places, slopes, bends, shared,
        )  # fmt: skip
        return slopes, bends, shared

    def facts_of(self, feature: int) -> frozenset[int]:
        """The facts that a feature is the conjunction of."""
        if feature < self.size:
            return frozenset([feature])
        one, other = (int(each) for each in self.grown.joins[feature - self.size])
        return self.facts_of(one) | self.facts_of(other)

    # --- what it came to

    @property
    def _loss_word(self) -> str:
        """Which games the losses are over: fewer than ten leave none to hold out."""
        return "held-out loss" if len(self._parts()[1]) else "loss, none held out,"

    def _held_loss(self) -> float:
        """The mean loss over the games that are held out, or, where there are none, over all."""
        samples, (seen, held) = self._gathered(), self._parts()
        rows = held if len(held) else seen
        return float(loss_of(samples.active, samples.labels, rows, self.symmetries, self.grown, self.n_joins))

    def figures(self) -> dict[str, Any]:
        """The data, the loss over games that were held out, and every conjunction with what it brought."""
        word = self._loss_word
        found: dict[str, Any] = {"positions": len(self._gathered()), word.rstrip(","): round(self._held_loss(), 4)}
        if np.isfinite(self.alone):
            found[f"{word} of single facts"] = round(float(self.alone), 4)
        return found | {"conjunctions": self.conjunctions()}

    def conjunctions(self) -> list[dict[str, Any]]:
        """Each conjunction, the one that brought most first: its facts, its weight, what it promised and brought."""
        whole, weights = self._held_loss(), self.grown.weights
        rows = []
        for j in range(self.n_joins):
            place = 1 + self.size + j
            weight, weights[place] = float(weights[place]), 0.0
            brought = self._held_loss() - whole
            weights[place] = weight
            facts = [self._fact_name(fact) for fact in sorted(self.facts_of(self.size + j))]
            numbers = {"weight": weight, "promised": float(self.promises[j]), "brought": brought}
            rows.append({"facts": facts} | {name: round(value, 6) for name, value in numbers.items()})
        return sorted(rows, key=lambda row: -row["brought"])

    def _fact_name(self, fact: int) -> str:
        return self.features.names[fact] if self.features.names else f"{self.features_name} {fact}"

    def remarks(self) -> list[str]:
        """The losses without and with conjunctions, and the three that brought most."""
        if not self.n_joins:
            return []
        lines = [
            f"{self._loss_word} {self.alone:.4f} by single facts, {self._held_loss():.4f} with {self.n_joins} grown"
        ]
        for row in self.conjunctions()[:3]:
            lines.append(f"  {' and '.join(row['facts'])}: weight {row['weight']:.3f}, brought {row['brought']:.6f}")
        return lines

    def kept(self) -> Arrays:
        """Weights, conjunctions and samples."""
        samples, grown = self._gathered(), self.grown
        return {
            "weights": grown.weights, "first": self.first, "second": self.second,
            "joins": grown.joins[: self.n_joins], "promises": self.promises, "alone": np.array([self.alone]),
            "active": samples.active, "labels": samples.labels, "games": samples.games,
        }  # fmt: skip

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up; conjunctions are checked, as kernels check nothing."""
        joins = arrays["joins"]
        if len(joins) > len(self.grown.joins) or not are_joins(joins, self.size):
            raise FailureError("the checkpoint joins features that are not there: remove it to begin anew")
        self.n_joins = len(joins)
        self.grown.joins[: self.n_joins] = joins
        self.grown.weights[:], self.first[:], self.second[:] = (arrays[k] for k in ("weights", "first", "second"))
        self.promises[:] = arrays["promises"]
        self.alone = float(arrays["alone"][0])
        self.samples, self._fresh = Samples(arrays["active"], arrays["labels"], arrays["games"]), []

    def is_sound(self) -> bool:
        """Whether all weights are numbers."""
        return bool(np.isfinite(self.grown.weights).all())

    def model(self, card: Mapping[str, Any]) -> Model:
        """A linear model with its conjunctions; 2p - 1 = tanh(x / 2) is the value."""
        weights = self.grown.weights[1 : 1 + self.size + self.n_joins].copy()
        return linear(
            self.game, self.features_name, weights, bias=float(self.grown.weights[0]), scale=0.5, squash="tanh",
            joins=self.grown.joins[: self.n_joins].copy(), card=card,
        )  # fmt: skip

    def player(self, evaluation: str) -> str:
        """The teacher's search with the model inside."""
        return spec_with(self.game, self.config.teacher, evaluation)
