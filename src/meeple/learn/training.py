"""What every method of training is: settings, steps, and weights that can be kept and taken up again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet, Kind, feature_sets, find_features
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.models.model import Model

Arrays = dict[str, NDArray[Any]]


@dataclass(kw_only=True)
class Settings:
    """What every method can be told."""

    features: str = setting("", "the game's features to learn over; empty: the first that fit", names="word")
    seed: int = setting(1, "number of the run: another one starts from other weights and plays other games", least=0)


class Training(ABC):
    """A run of a method on a game, advanced step by step (`run.train`)."""

    name: ClassVar[str]
    help: ClassVar[str]  # in a line
    settings: ClassVar[type[Settings]]
    unit: ClassVar[str] = "games"  # what a step is
    kind: ClassVar[Kind] = "dense"  # of the features that it learns over
    prefers: ClassVar[tuple[str, ...]] = ()  # names of features, where a game has them and none are named
    has_generations: ClassVar[bool] = False  # whose networks it leaves beside the model (generations.py)
    jobs: int = 1  # games played at once, where a method can; whatever it is, the run is the same

    def __init__(self, game: Game, config: Any) -> None:
        self.game, self.config = game, config
        preferred = [name for name in self.prefers if name in feature_sets(game)]
        wanted = config.features or (preferred[0] if preferred else "")
        self.features_name, self.features = chosen_features(game, wanted, self.kind, self.name)
        self.done = 0  # steps so far

    @classmethod
    def usual(cls, game: Game) -> Mapping[str, str]:
        """The game's own defaults for settings of the method, as they are written."""
        return {}

    @property
    @abstractmethod
    def total(self) -> int:
        """Steps of the whole run."""

    @abstractmethod
    def step(self) -> float:
        """Do step number `done` and return its loss; the caller counts it."""

    @abstractmethod
    def kept(self) -> Arrays:
        """All that later steps depend on."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take up what `kept` gave."""

    @abstractmethod
    def model(self, card: Mapping[str, Any]) -> Model:
        """The model as it is now."""

    @abstractmethod
    def player(self, evaluation: str) -> str:
        """The agent that plays with this evaluation as the method means it."""

    def figures(self) -> dict[str, Any]:
        """What the card says of the run besides losses."""
        return {}

    def leave(self, out: Path) -> None:
        """Write what a finished run leaves beside its model `out`; mostly nothing."""
        return

    def standing(self) -> str:
        """What is known of the strength so far, in a line, for whoever watches; empty: nothing."""
        return ""

    def remarks(self) -> list[str]:
        """What whoever started the run must know of its model."""
        return []

    def is_sound(self) -> bool:
        """Whether all numbers are numbers."""
        return all(np.isfinite(array).all() for array in self.kept().values() if array.dtype.kind == "f")

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with to be gone on from."""
        return {
            "method": self.name,
            "game": self.game.spec,
            "rules": self.game.facts.version,
            "features": f"{self.features_name} {self.features.version}",
            "settings": asdict(self.config) | {"features": self.features_name},
        }


def require_shares(config: Any, method: str, *names: str) -> None:
    """Raise ConfigError where one of these settings, none of which is below 0, is above 1."""
    for name in names:
        if getattr(config, name) > 1:
            raise ConfigError(f"'{name}' of method '{method}' is from 0 to 1, not {getattr(config, name):g}")


def chosen_features(game: Game, name: str, kind: Kind, method: str) -> tuple[str, FeatureSet]:
    """The features of this name, or the game's first of a kind.

    Raises:
        UnsupportedGameError: the game has none, or those named are of another kind.
    """
    fitting = [own for own, found in feature_sets(game).items() if found.kind == kind]
    if name:
        found = find_features(game, name)
        if found.kind != kind:
            others = f"; such are {', '.join(fitting)}" if fitting else ""
            raise UnsupportedGameError(f"{method} learns over {kind} features, and '{name}' are {found.kind}{others}")
        return name, found
    if not fitting:
        raise UnsupportedGameError(
            f"{game.name} has no {kind} features, which {method} learns over; `meeple models {game.name}` lists its own"
        )
    return fitting[0], find_features(game, fitting[0])
