"""What made a shipped model makes it again: its card is enough, and the weights are the same byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest

from meeple.core.registry import find_definition, game_names, load_game
from meeple.learn.methods import prepare_training
from meeple.learn.training import Training
from meeple.models.file import load
from meeple.models.found import models_of
from meeple.models.model import Model

CHEAPEST = "paper-rootstrap"  # seconds; the others take up to half an hour


def shipped() -> list[Any]:
    """Every model that comes with a game, by its name."""
    found = []
    for name in game_names():
        models = [each for each in models_of(find_definition(name)) if each.is_shipped]
        found += [pytest.param(load(each.file, load_game(name)), id=each.name) for each in models]
    return found


def training_of(card: Mapping[str, Any]) -> Training:
    """The training that a card tells of, at its first step."""
    settings = {name: str(value) for name, value in card["settings"].items()}
    return prepare_training(card["method"], load_game(card["game"]), settings)


@pytest.mark.parametrize("model", shipped())
def test_a_card_tells_the_whole_command(model: Model) -> None:
    card = model.header.card
    training = training_of(card)
    told = asdict(training.config)
    assert {name: told[name] for name in card["settings"]} == dict(card["settings"])
    assert (training.features_name, training.features.size) == (model.header.features, model.header.size)


def test_the_cheapest_has_the_shortest_training() -> None:
    seconds = {each.id: each.values[0].header.card["figures"]["seconds"] for each in shipped()}
    assert min(seconds, key=lambda name: seconds[name]) == CHEAPEST


@pytest.mark.long
def test_a_second_run_of_the_cheapest_gives_the_same_weights() -> None:
    (model,) = (each.values[0] for each in shipped() if each.id == CHEAPEST)
    training = training_of(model.header.card)
    while training.done < training.total:
        training.step()
        training.done += 1
    again = training.model({})
    assert list(again.arrays) == list(model.arrays)
    for name, array in model.arrays.items():
        assert again.arrays[name].dtype == array.dtype, name
        assert again.arrays[name].tobytes() == array.tobytes(), name
