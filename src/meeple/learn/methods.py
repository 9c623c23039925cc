"""The methods of training by name."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.game import Game
from meeple.core.settings import given_settings
from meeple.core.spec import Spec
from meeple.errors import ConfigError, did_you_mean
from meeple.learn.actor_critic import ActorCritic
from meeple.learn.dqn import Dqn
from meeple.learn.episodes import Ann, Cnn
from meeple.learn.genetic import Genetic
from meeple.learn.grown import GrownLinear
from meeple.learn.selfplay import SelfPlay
from meeple.learn.strap import RootStrap, TreeStrap
from meeple.learn.supervised import Supervised
from meeple.learn.training import Training
from meeple.learn.trees import Combined, MctsAnn, MctsCnn

METHODS: dict[str, type[Training]] = {
    method.name: method
    for method in (
        RootStrap,
        TreeStrap,
        Supervised,
        SelfPlay,
        Ann,
        Cnn,
        MctsAnn,
        MctsCnn,
        Combined,
        Genetic,
        Dqn,
        ActorCritic,
        GrownLinear,
    )
}


def find_method(name: str) -> type[Training]:
    """The method of this name.

    Raises:
        ConfigError: there is none.
    """
    if name not in METHODS:
        raise ConfigError(f"there is no method of training '{name}'; {did_you_mean(name, METHODS)}")
    return METHODS[name]


def prepare_training(method: str, game: Game, settings: Mapping[str, str], *, jobs: int = 1) -> Training:
    """A run of a method with settings as they are written, everything checked, nothing trained yet.

    `jobs` is how many games are played at once where a method can; it changes nothing but the time.
    """
    kind = find_method(method)
    spec = Spec(method, {**kind.usual(game), **settings})
    config = kind.settings(**given_settings(kind.settings, spec, what="method"))
    training = kind(game, config)
    training.jobs = jobs
    return training
