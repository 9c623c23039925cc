"""Grown conjunctions: gradients, promises, what grows where facts alone cannot tell, and the model that holds them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE
from learn.known import require_better_after
from meeple import load_game
from meeple.errors import ConfigError, FailureError
from meeple.learn.grown import CAUTION, GrownLinear
from meeple.learn.grown_kernels import add_gradients, loss_of
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.samples import Samples
from meeple.models.evaluation import as_evaluation
from meeple.models.file import load, save
from meeple.models.model import linear

GAME = load_game(TICTACTOE)
CELLS = GAME.definition.features.FEATURES["cells"]
SETTINGS = {"games": "20", "rounds": "3", "batches": "20", "grow": "4", "stray": "0.5", "seed": "3", "batch": "64"}


def begin(**more: str) -> GrownLinear:
    training = prepare_training("grown", GAME, SETTINGS | {"teacher": "greedy:evaluation=none"} | more)
    assert isinstance(training, GrownLinear)
    return training


def given(labels: list[float], rows: list[list[int]], copies: int) -> Samples:
    active = np.full((len(rows) * copies, 9), -1, dtype=np.int32)
    for number, row in enumerate(rows * copies):
        active[number, : len(row)] = row
    # One game in ten is held out: every row is in both parts.
    games = np.arange(len(active)) // len(rows)
    return Samples(active, np.array(labels * copies), games)


def plain_loss(training: GrownLinear, rows: range) -> float:
    """The mean loss, in NumPy alone."""
    losses, weights = [], training.grown.weights
    for row in rows:
        active = training.samples.active[row]
        there = set(active[active >= 0].tolist())
        x = weights[0] + sum(weights[1 + fact] for fact in there)
        for j in range(training.n_joins):
            x += weights[1 + 27 + j] * (training.facts_of(27 + j) <= there)
        p, label = 1 / (1 + np.exp(-x)), training.samples.labels[row]
        losses.append(-(label * np.log(p) + (1 - label) * np.log(1 - p)))
    return float(np.mean(losses))


def joined_by_hand() -> GrownLinear:
    training = begin()
    rng = np.random.default_rng(1)
    rows = [sorted(rng.choice(27, 9, replace=False).tolist()) for _ in range(12)]
    training.samples = given(rng.random(12).tolist(), rows, 1)
    one, other, third = rows[0][0], rows[0][1], rows[0][2]
    training.grown.joins[:2] = (one, other), (27, third)
    training.n_joins = 2
    training.grown.weights[:30] = rng.normal(0, 0.5, 30)
    return training


def test_gradients_are_those_of_finite_differences() -> None:
    training = joined_by_hand()
    samples, grown, rows = training.samples, training.grown, np.arange(12)
    args = samples.active, samples.labels, rows
    loss = add_gradients(*args, np.zeros(12, dtype=np.int64), training.symmetries, grown, 2)
    assert loss == pytest.approx(plain_loss(training, range(12)))
    assert loss == pytest.approx(loss_of(*args, training.symmetries, grown, 2))
    assert not grown.present.any()
    for i in range(30):
        found = []
        for step in (1e-6, -1e-6):
            grown.weights[i] += step
            found.append(plain_loss(training, range(12)))
            grown.weights[i] -= step
        assert grown.gradients[i] == pytest.approx((found[0] - found[1]) / 2e-6, abs=1e-8)
    assert grown.gradients[28] != 0 != grown.gradients[29]


def test_what_facts_alone_cannot_tell_grows() -> None:
    # Won where exactly one of the facts 0 and 3 is there: no weights of single facts tell that.
    training = begin(rounds="3", batches="300", grow="1", batch="128", games="2", rate="0.05")
    training.samples = given([0.0, 1.0, 1.0, 0.0], [[1, 4], [0, 4], [1, 3], [0, 3]], 100)
    training.done = 2
    while training.done < training.total:
        training.step()
        training.done += 1
    first = training.facts_of(27)
    # Any pair of a fact about the one and a fact about the other will do: 0 or 1 with 3 or 4.
    assert len(first & {0, 1}) == len(first & {3, 4}) == 1
    assert training.alone == pytest.approx(np.log(2), abs=0.02)
    assert training.figures()["held-out loss"] < 0.1
    told = training.conjunctions()
    assert told[0]["brought"] > 0.5
    assert told[0]["facts"] == [f"cells {fact}" for fact in sorted(first)]
    # By hand: half of the positions with the pair, a slope of 1/2 each, a bend of 1/4, over all 360 seen.
    seen = 90.0
    assert training.promises[0] == pytest.approx((seen / 2) ** 2 / 2 / (seen / 4 + CAUTION) / 360, rel=0.1)
    assert training.remarks()[0].startswith("held-out loss 0.6")
    assert "brought" in training.remarks()[1]
    training.samples = given([0.0, 1.0], [[1, 4], [0, 4]], 9)  # too few games to hold one out
    assert training.remarks()[0].startswith("loss, none held out, ")


def test_the_model_holds_its_conjunctions_and_says_what_the_weights_do(tmp_path: Path) -> None:
    training = joined_by_hand()
    state = GAME.read("XX./OO./...")
    facts = CELLS.of(state, state.to_move)
    training.grown.joins[:2] = (facts[0], facts[4]), (27, facts[8])
    weights = training.grown.weights
    found = load(save(training.model({}), tmp_path / "grown.npz"), GAME)
    assert "27 and 2 conjunctions" in found.words
    asked = as_evaluation(GAME, found)
    for text in ("XX./OO./...", "X../.../...", ".../.../..."):
        position = GAME.read(text)
        there = set(CELLS.of(position, position.to_move).tolist())
        x = weights[0] + sum(weights[1 + fact] for fact in there)
        x += sum(weights[28 + j] * (training.facts_of(27 + j) <= there) for j in range(2))
        for _ in range(2):  # what an evaluation notes of a position is forgotten by the next
            value = float(asked(position.copy().record, np.int64(position.to_move)))
            assert value == pytest.approx(np.tanh(x / 2), abs=1e-5)


def test_joins_that_are_not_there_are_refused(tmp_path: Path) -> None:
    for joins in ([[0, 27]], [[-1, 2]], [[0, 1], [28, 2]]):
        with pytest.raises(ConfigError, match="joins features that are not there"):
            linear(GAME, "cells", np.zeros(27 + len(joins)), joins=joins)
        training = begin()
        with pytest.raises(FailureError, match="joins features that are not there"):
            training.restore(training.kept() | {"joins": np.array(joins)})
    with pytest.raises(ConfigError, match="which features that are dense cannot form"):
        linear(GAME, "lines", np.zeros(7), joins=[[0, 1]])
    with pytest.raises(ConfigError, match="where 28 float64 is wanted"):
        linear(GAME, "cells", np.zeros(27), joins=[[0, 1]])


def test_trained_and_untrained_are_told_apart_by_a_match(tmp_path: Path) -> None:
    settings = {"teacher": "alphabeta:depth=2", "games": "400", "rounds": "3", "batches": "300", "stray": "0.6"}
    untrained, training = (prepare_training("grown", GAME, settings) for _ in range(2))
    while training.done < training.total:
        training.step()
        training.done += 1
    # The best next position alone; two plies would do well without any weights.
    require_better_after(untrained, training, tmp_path, player="greedy:evaluation=model@{}")


def test_killed_it_comes_to_the_same_weights(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if progress.done == 65:
            raise Killed

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(), whole)
    ticks = iter(range(10**6))
    with pytest.raises(Killed):
        train(begin(), broken, on_step=kill, clock=lambda: float(next(ticks)), every=60.0)
    assert 0 < train(begin(), broken).resumed_from < 65
    models = [load(file, GAME) for file in (whole, broken)]
    assert models[0].arrays.keys() == models[1].arrays.keys() >= {"joins"}
    for name, array in models[0].arrays.items():
        assert (array == models[1].arrays[name]).all(), name
    told = models[0].header.card["figures"]
    assert told["conjunctions"] == models[1].header.card["figures"]["conjunctions"]
    assert len(told["conjunctions"]) == len(models[0].arrays["joins"])
