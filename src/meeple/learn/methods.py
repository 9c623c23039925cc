"""The methods of training by name."""

from __future__ import annotations

from collections.abc import Mapping

from meeple.core.game import Game
from meeple.core.settings import given_settings
from meeple.core.spec import Spec
from meeple.errors import ConfigError, did_you_mean
from meeple.learn.episodes import Ann, Cnn
from meeple.learn.genetic import Genetic
from meeple.learn.selfplay import SelfPlay
from meeple.learn.strap import RootStrap, TreeStrap
from meeple.learn.supervised import Supervised
from meeple.learn.training import Training

METHODS: dict[str, type[Training]] = {
    method.name: method for method in (RootStrap, TreeStrap, Supervised, SelfPlay, Ann, Cnn, Genetic)
}


def find_method(name: str) -> type[Training]:
    """The method of this name.

    Raises:
        ConfigError: there is none.
    """
    if name not in METHODS:
        raise ConfigError(f"there is no method of training '{name}'; {did_you_mean(name, METHODS)}")
    return METHODS[name]


def prepare_training(method: str, game: Game, settings: Mapping[str, str]) -> Training:
    """A run of a method with settings as they are written, everything checked, nothing trained yet."""
    kind = find_method(method)
    return kind(game, kind.settings(**given_settings(kind.settings, Spec(method, dict(settings)), what="method")))
