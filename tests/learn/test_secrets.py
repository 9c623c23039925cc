"""Every method in games with dice, hidden cards and more than two seats: it learns from what its seats may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from conftest import HOARD
from learn import hoard_features
from learn.plain import Strap
from meeple import load_game, play_match
from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.learn.heads import HeadsTraining
from meeple.learn.methods import prepare_training
from meeple.learn.selfplay import SelfPlay
from meeple.learn.strap import RootStrap
from meeple.learn.training import Training
from meeple.models.file import save

BASE = load_game(HOARD)
SMALL = {
    "rootstrap": {"games": "2", "depth": "2"},
    "treestrap": {"games": "2", "depth": "2"},
    "genetic": {"generations": "1", "agents": "2", "games": "2", "player": "greedy:evaluation=none"},
    "selfplay": {
        "generations": "1",
        "games": "2",
        "batches": "2",
        "gate": "2",
        "teacher": "puct:iterations=4,evaluation=none",
    },
    "dqn": {"games": "2", "updates": "2", "hidden": "4"},
    "actor-critic": {"games": "2", "hidden": "4", "batch": "1"},
}


def hoard(seats: int) -> Game:
    """The game with features."""
    return Game(replace(BASE.definition, features=hoard_features), seats, {"rounds": "3", "hoard": "plain"})


def begin(method: str, seats: int, **more: str) -> Training:
    return prepare_training(method, hoard(seats), SMALL[method] | more)


def decisions(game: Game, seed: int) -> list[State]:
    """The decisions of a match played at random."""
    rng, match = Stream(seed), Match(game, seed=seed)
    found = []
    while not match.is_over:
        found.append(match.state)
        match.play(int(rng.choice(match.state.legal_actions())))
    return found


@pytest.mark.parametrize("method", SMALL)
def test_every_method_learns_with_three_seats_and_its_model_plays(method: str, tmp_path: Any) -> None:
    training = begin(method, 3)
    before = {name: array.copy() for name, array in training.kept().items()}
    while training.done < training.total:
        assert np.isfinite(training.step())
        training.done += 1
    assert training.is_sound()
    assert any(not np.array_equal(before[name], array) for name, array in training.kept().items())
    file = save(training.model({}), tmp_path / "model.npz")
    # The alpha-beta of a linear model takes seconds to compile, and tells no more of it than `greedy`.
    player = training.player(f"model@{file}").replace("alphabeta:depth=2,", "greedy:").replace(",worlds=1", "")
    assert play_match(training.game, [player, "random", "random"], seed=1).is_over


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("method", ["rootstrap", "treestrap"])
def test_a_lesson_is_that_of_plain_numpy_in_a_world_dealt_for_its_seat(method: str, seats: int) -> None:
    training = begin(method, seats)
    assert isinstance(training, RootStrap)
    scratch, game = training.scratch, training.game
    start = scratch.weights.copy()
    for number, state in enumerate(decisions(game, seed=4)[::3]):
        me, found = state.to_move, []
        for world in (state, state.redealt(me, Stream(50 + number))):
            scratch.states[-1] = world.array[0]
            training.compiled.take_lesson(scratch, 2, me, 1.0, Stream(number).array)
            found.append(scratch.change.copy())
            scratch.change[:] = 0.0
        # What the seat cannot know tells nothing: in both worlds the same was learnt, bit by bit.
        assert found[0].tobytes() == found[1].tobytes()
        plain = Strap(
            training.features, start, 2, 1.0, 1.0, sees_mover=False, prunes=method == "rootstrap",
            everywhere=method == "treestrap",
        )  # fmt: skip
        plain.root(state.redealt(me, Stream(number)))
        wanted = sum((error * seen for seen, error in plain.lessons), np.zeros(len(start)))
        np.testing.assert_allclose(found[0], wanted, rtol=1e-9, atol=1e-12)
    assert np.abs(found[0]).max() > 0


@pytest.mark.parametrize("seats", [2, 3])
def test_two_heads_see_the_same_in_worlds_that_the_mover_cannot_tell_apart(seats: int) -> None:
    def differs(features: str) -> bool:
        training = begin("dqn", seats, features=features)
        assert isinstance(training, HeadsTraining)
        rng = np.random.default_rng(1)
        training.net.flat[:] = rng.normal(0.1, 0.3, len(training.net.flat))
        is_other = False
        for number, state in enumerate(decisions(training.game, seed=7)):
            seen = []
            for world in (state, state.redealt(state.to_move, Stream(number))):
                x, _, n = training.play.see(world.copy().record, training.net.weights, training.sight)
                seen.append([float(x), *training.sight.logits[:n].tolist()])
            is_other |= seen[0] != seen[1]
        return is_other

    assert not differs("table")
    assert differs("leaky")  # so the test can tell


def test_labels_are_each_seats_own_and_add_up() -> None:
    training = begin("selfplay", 3, trust="0", every="1")
    assert isinstance(training, SelfPlay)
    training.step()
    training.figures()  # gathers
    labels = training.samples.labels.reshape(-1, 3)  # each decision is seen by all three, the mover first
    np.testing.assert_allclose(labels.sum(axis=1), 1.0)
    turned = {tuple(np.roll(labels[0], turn).tolist()) for turn in range(3)}
    assert {tuple(row.tolist()) for row in labels} <= turned
