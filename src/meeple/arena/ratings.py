"""Ratings: one number an agent from games between many, with its interval.

The model is Plackett and Luce's with ties as Turner et al. (2020) add them; with two seats it is Bradley and
Terry's with draws as Davidson (1970) adds them. An agent has a worth a > 0, and a game is a row of choices: who
comes first, who of the others second, and so on. Of the seats that are left, a group S of d tied seats comes
next with a probability in proportion to

    delta_d * (product of the worths in S) ** (1 / d),    delta_1 = 1,

where the ties of each size that occurred have a prevalence delta_d. An agent's Elo is 400 log10 a.

1. The last group of a game, unless it is the only one, is left out of the likelihood: many games name a winner
   only, and then all losers are "tied", which says how the game counts and nothing about the agents.
2. Each agent is given `prior` wins and `prior` losses against an unseen agent of worth 1, as Turner et al. do:
   a perfect score stays finite.
3. Errors are those between sets: H^-1 G H^-1 with H the curvature of the log-likelihood and G the sum of g g', g
   the slope a set adds to it (the sandwich for clustered data). The curvature alone would take games that share
   their luck for independent.

Advantages of seats are no part of it: a set has every agent in every seat equally often.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from meeple.arena.statistics import CONFIDENCE
from meeple.errors import ConfigError, did_you_mean

Result = tuple[tuple[str, ...], tuple[int, ...]]  # agents by seat, and the rank of each: 1 is the best, equal is tied
Array = npt.NDArray[np.float64]
ELO = 400 / math.log(10)  # Elo for each unit of log worth
_UNSEEN = -1  # the agent of worth 1 that the prior's games are against


@dataclass(frozen=True)
class Rating:
    """An agent's strength in Elo with its interval; all NaN where it is not comparable with the others."""

    agent: str
    elo: float
    low: float
    high: float
    error: float  # the standard error
    games: int
    sets: int

    @property
    def is_comparable(self) -> bool:
        """Whether games connect the agent, by way of others, with those that are rated."""
        return not math.isnan(self.elo)


def rate(
    sets: Iterable[Sequence[Result]],
    *,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    confidence: float = CONFIDENCE,
    prior: float = 0.5,
    errors: Literal["sets", "curvature"] = "sets",
) -> list[Rating]:
    """Rate all agents from the games of many sets, the strongest first.

    The anchor has `anchor_elo`; without an anchor that is the mean of all rated. Agents whom no chain of games
    connects with the anchor (without one: with the largest group) come last, with NaN for a rating.

    Raises:
        ConfigError: the anchor did not play, or `prior` is 0 and some rating is infinite.
    """
    counted = dict(sorted(Counter(tuple(sorted(games)) for games in sets).items()))
    played = _Counts.of(counted)
    if anchor is not None and anchor not in played.games:
        raise ConfigError(f"the anchor '{anchor}' did not play; {did_you_mean(anchor, played.games)}")
    if not counted:
        return []
    rated = _connected(counted, anchor)
    model = _Model(_only(counted, rated), rated, prior)
    if prior == 0 and not model.is_finite():
        raise ConfigError("somebody won or lost every game, and without a prior the rating is infinite; give prior=0.5")
    values, deviations = model.estimate(None if anchor is None else rated.index(anchor), errors)
    found = []
    for agent, value, deviation in zip(rated, values, deviations, strict=True):
        elo, n_sets = ELO * value + anchor_elo, played.sets[agent]
        error = ELO * deviation * _widening(n_sets, errors)
        half = error * _quantile(n_sets, confidence, errors) if error > 0 else 0.0
        found.append(Rating(agent, elo, elo - half, elo + half, error, played.games[agent], n_sets))
    strangers = [played.unrated(agent) for agent in sorted(set(played.games) - set(rated))]
    return sorted(found, key=lambda rating: (-rating.elo, rating.agent)) + strangers


def _widening(sets: int, errors: str) -> float:
    """The small-sample factor of a standard error between n sets, sqrt(n / (n - 1)); infinite for a single set."""
    if errors == "curvature":
        return 1.0
    return math.sqrt(sets / (sets - 1)) if sets > 1 else math.inf


def _quantile(sets: int, confidence: float, errors: str) -> float:
    """Half the interval's width in standard errors: Student's quantile between sets, the normal one by curvature."""
    if errors == "curvature":
        return NormalDist().inv_cdf(0.5 + confidence / 2)
    from scipy.special import stdtrit

    return float(stdtrit(sets - 1, 0.5 + confidence / 2)) if sets > 1 else math.inf


@dataclass(frozen=True)
class _Counts:
    """How many games and sets each agent played."""

    games: Counter[str]
    sets: Counter[str]

    @classmethod
    def of(cls, counted: Mapping[tuple[Result, ...], int]) -> _Counts:
        played = cls(Counter(), Counter())
        for games, count in counted.items():
            for agents, ranks in games:
                if len(agents) != len(ranks):
                    raise ConfigError(f"a result has {len(agents)} agents and {len(ranks)} ranks")
                for agent in set(agents):
                    played.games[agent] += count
            for agent in {agent for agents, _ in games for agent in agents}:
                played.sets[agent] += count
        return played

    def unrated(self, agent: str) -> Rating:
        """What can be said of an agent that met none of the others."""
        return Rating(agent, math.nan, math.nan, math.nan, math.nan, self.games[agent], self.sets[agent])


def _connected(counted: Mapping[tuple[Result, ...], int], anchor: str | None) -> list[str]:
    """The connected component of the anchor, or the largest, by name: agents are joined where they met in a game."""
    groups: dict[str, set[str]] = {}
    for agents in {agents for games in counted for agents, _ in games}:
        joined = set(agents).union(*(groups.get(agent, set()) for agent in agents))
        groups.update(dict.fromkeys(joined, joined))
    if anchor is not None:
        return sorted(groups[anchor])
    return min((sorted(group) for group in groups.values()), key=lambda group: (-len(group), group))


def _only(counted: Mapping[tuple[Result, ...], int], rated: Sequence[str]) -> dict[tuple[Result, ...], int]:
    """Keep the games of the rated agents. The seats of a game are all of one group, so the first of them decides."""
    kept: Counter[tuple[Result, ...]] = Counter()
    for games, count in counted.items():
        kept[tuple(game for game in games if game[0][0] in rated)] += count
    return {games: count for games, count in kept.items() if games}


Choice = tuple[tuple[int, ...], tuple[int, ...]]  # agents still to be placed, and those of them that come next


def choices(result: Result, index: Mapping[str, int]) -> list[Choice]:
    """The choices that a game is made of, best place first, agents by number."""
    agents, ranks = result
    left = sorted(zip(ranks, (index[agent] for agent in agents), strict=True))
    found: list[Choice] = []
    while left:
        chosen = [agent for rank, agent in left if rank == left[0][0]]
        if found and len(chosen) == len(left):
            break  # the last group of several
        found.append((tuple(sorted(agent for _, agent in left)), tuple(chosen)))
        left = left[len(chosen) :]
    return found


class _Model:
    """The log-likelihood over log worths and log prevalences of ties, with slope and curvature."""

    def __init__(self, counted: Mapping[tuple[Result, ...], int], agents: Sequence[str], prior: float) -> None:
        index = {agent: number for number, agent in enumerate(agents)}
        self.n, self.prior = len(agents), prior
        kinds = sorted({game for games in counted for game in games})
        place = {kind: number for number, kind in enumerate(kinds)}
        self.choices = [choices(kind, index) for kind in kinds]
        self.orders = sorted({len(chosen) for row in self.choices for _, chosen in row} - {1})
        self.size = self.n + len(self.orders)
        self.set_counts = np.array([*counted.values()], dtype=np.float64)
        self.sets = [Counter(place[game] for game in games) for games in counted]
        self.unseen: list[Choice] = [((_UNSEEN, i), (winner,)) for i in range(self.n) for winner in (i, _UNSEEN)]
        self.features: dict[tuple[int, ...], Array] = {}

    @cached_property
    def totals(self) -> Counter[Choice]:
        """How often each choice was made."""
        found: Counter[Choice] = Counter()
        for count, kinds in zip(self.set_counts, self.sets, strict=True):
            for kind, times in kinds.items():
                for choice in self.choices[kind]:
                    found[choice] += int(count) * times
        return found

    def is_finite(self) -> bool:
        """Whether all are connected by wins and by losses, so that the likelihood has a maximum."""
        from scipy.sparse.csgraph import connected_components

        beats = np.zeros((self.n, self.n))
        for left, chosen in self.totals:
            for winner in chosen:
                beats[winner, [*left]] = 1
        return bool(connected_components(beats, connection="strong")[0] == 1)

    def fit(self) -> Array:
        """The point of the greatest likelihood: log worths, then log prevalences of ties."""
        from scipy.optimize import minimize

        found = minimize(
            lambda point: self.value(point)[0],
            np.zeros(self.size),
            jac=lambda point: self.value(point)[1],
            hess=lambda point: self.value(point)[2],
            method="trust-exact",
            options={"gtol": 1e-8, "maxiter": 1_000},
        )
        point: Array = found.x
        return point

    def estimate(self, anchor: int | None, errors: str) -> tuple[list[float], list[float]]:
        """Each log worth less the anchor's, or less the mean, and its standard error."""
        point = self.fit()
        inverse = np.linalg.inv(self.value(point)[2])
        covariance = inverse if errors == "curvature" else inverse @ self.spread(point) @ inverse
        contrasts = np.zeros((self.n, self.size))
        contrasts[:, : self.n] = np.eye(self.n)
        contrasts[:, : self.n] -= 1 / self.n if anchor is None else np.eye(self.n)[anchor]
        variances = np.einsum("ip,pq,iq->i", contrasts, covariance, contrasts)
        return (contrasts @ point).tolist(), np.sqrt(np.maximum(variances, 0.0)).tolist()

    def value(self, point: Array) -> tuple[float, Array, Array]:
        """Minus the log-likelihood, its slope and its curvature; convex."""
        weights = {**self.totals, **dict.fromkeys(self.unseen, self.prior)}
        total, slope, curvature = self._sum(weights, point)
        if self.prior == 0:  # nothing holds the worths in place: hold their mean
            held = np.zeros_like(curvature)
            held[: self.n, : self.n] = 1 / self.n
            total, slope, curvature = total + 0.5 * float(point @ held @ point), slope + held @ point, curvature + held
        return total, slope, curvature

    def _sum(self, weights: Mapping[Choice, float], point: Array) -> tuple[float, Array, Array]:
        total, slope, curvature = 0.0, np.zeros(self.size), np.zeros((self.size, self.size))
        for (left, chosen), weight in weights.items():
            log_sum, shares, features = self._weigh(left, point)
            expected, made = shares @ features, self._feature(chosen)
            total += weight * (log_sum - float(made @ point))
            slope += weight * (expected - made)
            curvature += weight * ((features.T * shares) @ features - np.outer(expected, expected))
        return total, slope, curvature

    def spread(self, point: Array) -> Array:
        """The middle of the sandwich estimator: the sum over sets of g g', g the slope that a set adds.

        Games against the unseen agent count as sets of their own. Two further sets, whose games all fall alike,
        are added, so that a few equal sets do not pass for certainty (`score_interval` does the same).
        """
        slopes = np.array(
            [sum((self._slope(choice, point) for choice in row), np.zeros(self.size)) for row in self.choices]
        )
        of_sets = np.array([sum(times * slopes[kind] for kind, times in kinds.items()) for kinds in self.sets])
        found: Array = (of_sets.T * self.set_counts) @ of_sets
        for choice in self.unseen:
            slope = self._slope(choice, point)
            found += self.prior * np.outer(slope, slope)
        n_sets = self.set_counts.sum()
        games_a_set = sum(c * kinds.total() for c, kinds in zip(self.set_counts, self.sets, strict=True)) / n_sets
        found += 2 * games_a_set * self._sum(self.totals, point)[2] / n_sets
        return found

    def _slope(self, choice: Choice, point: Array) -> Array:
        left, chosen = choice
        _, shares, features = self._weigh(left, point)
        slope: Array = self._feature(chosen) - shares @ features
        return slope

    def _weigh(self, left: tuple[int, ...], point: Array) -> tuple[float, Array, Array]:
        """For every group of the seats `left` that could come next: log of the total weight, probabilities, features.

        The log of a group's weight is its feature vector times `point`.
        """
        if left not in self.features:
            sizes = [1, *(order for order in self.orders if order <= len(left))]
            self.features[left] = np.array([self._feature(group) for d in sizes for group in combinations(left, d)])
        features = self.features[left]
        weights = features @ point
        top = float(weights.max())
        shares = np.exp(weights - top)
        log_sum = top + math.log(float(shares.sum()))
        return log_sum, shares / shares.sum(), features

    def _feature(self, group: tuple[int, ...]) -> Array:
        """What a group's log weight is made of: a part of each member's log worth, and its size's prevalence."""
        feature = np.zeros(self.size)
        for agent in group:
            if agent != _UNSEEN:
                feature[agent] += 1 / len(group)
        if len(group) > 1:
            feature[self.n + self.orders.index(len(group))] = 1
        return feature


def sequential_elo(results: Iterable[Result], *, base: float = 1000.0, k: float = 32.0) -> dict[str, float]:
    """Ratings moved after every game of two, as the report on Santorini has them, with K = 10; 32 is the usual.

    Each game moves both by k (score - expected), expected being 1 / (1 + 10 ** ((other - own) / 400)). What comes
    out depends on the order of the games and has no interval: use `rate` to learn who is stronger.
    """
    ratings: dict[str, float] = {}
    for agents, ranks in results:
        if len(agents) != 2:
            raise ConfigError(f"sequential Elo is for games of two, not of {len(agents)}; use rate")
        one, other = (ratings.setdefault(agent, base) for agent in agents)
        score = 1.0 if ranks[0] < ranks[1] else 0.0 if ranks[0] > ranks[1] else 0.5
        change = k * (score - 1 / (1 + 10 ** ((other - one) / 400)))
        if agents[0] != agents[1]:
            ratings[agents[0]] += change
            ratings[agents[1]] -= change
    return ratings
