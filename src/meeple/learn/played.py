"""Games that a search plays against itself to be learnt from, each by its number, and what methods are told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.agents.base import ask
from meeple.arena.openings import random_opening
from meeple.core.chance import rng_for
from meeple.core.features import FeatureSet
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.settings import setting
from meeple.learn.player import with_model
from meeple.learn.samples import Samples, samples_of
from meeple.learn.training import Settings
from meeple.models.model import Model

SEARCH_HELP = (
    "the search that plays, with an evaluation to be replaced; empty: alphabeta:depth=2, or greedy where a game "
    "has chance or secrets"
)


@dataclass(kw_only=True)
class PlayedSettings(Settings):
    """What every method can be told whose games a search plays."""

    teacher: str = setting("", SEARCH_HELP, names="agent")
    stray: float = setting(0.1, "how often a random move is played, 0 to 1", least=0)
    trust: float = setting(0.5, "weight of the search's value in a label; the rest is the result, 0 to 1", least=0)


def self_played(
    game: Game, config: Any, features: FeatureSet, *, number: int, name: str, model: Model | None
) -> Samples:
    """The samples of game `number` of a run: the teacher against itself, with a model inside or as it is.

    `config` are settings as above; `name` is the method's.
    """
    agent = with_model(game, config.teacher, model)
    seed = rng_for("train", name, "game", number, seed=config.seed).below(2**31 - 1)
    rng = rng_for("train", name, "stray", number, seed=config.seed)
    match = Match(game, seed=seed, start=random_opening(game, seed))
    values: dict[int, float] = {}
    while not match.is_over:
        found: list[Any] = []
        action = ask(agent, match, report=found.append)
        if found and np.isfinite(found[-1].value):
            values[match.ply] = float(found[-1].value)
        match.play(int(rng.choice(match.state.legal_actions())) if rng.random() < config.stray else action)

    def judge(_match: Match, _state: State, ply: int) -> float | None:
        return values.get(ply)

    fresh = samples_of([match], features, judge=judge, trust=config.trust)
    return Samples(fresh.active, fresh.labels, np.full(len(fresh), number))
