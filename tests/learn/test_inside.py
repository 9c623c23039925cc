"""Self-play inside compiled code: the same games on any number of threads, resumed alike, and labels that add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE
from meeple import load_game
from meeple.core.features import find_features
from meeple.errors import ConfigError
from meeple.learn.inside import Inside, fits_inside, index_type
from meeple.learn.labels import fitted_scale, mixed_labels, sigmoid
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.selfplay import SelfPlay
from meeple.learn.selfplay_inside import InsideSelfPlay
from meeple.learn.strength import Yardstick
from meeple.models.file import load, save

GAME = load_game(TICTACTOE)
CELLS = find_features(GAME, "cells")
SETTINGS = {"teacher": "alphabeta:depth=2", "generations": "2", "games": "80", "batches": "120", "gate": "4"}
SETTINGS |= {"hidden": "8", "rate": "0.01", "batch": "64", "stray": "0.4", "seed": "4", "every": "1"}
SMALL = {"games": "40", "batches": "6", "gate": "2"}


def begin(jobs: int = 1, **more: str) -> InsideSelfPlay:
    training = prepare_training("selfplay", GAME, SETTINGS | more, jobs=jobs)
    assert isinstance(training, InsideSelfPlay)
    return training


def play(jobs: int, numbers: range, *, stray: float = 0.3, depth: int = 2) -> list[tuple[np.ndarray, ...]]:
    inside = Inside(GAME, f"alphabeta:depth={depth}", CELLS, evaluation=None, stray=stray, every=1, seed=7, jobs=jobs)
    games = [inside.play(number, numbers.stop) for number in numbers]
    return [(each.active, each.values, each.shares) for each in games]


def test_a_game_is_the_same_on_any_number_of_threads_and_from_any_start() -> None:
    # 70 games are more than two threads play in one go.
    alone, two, later = play(1, range(70)), play(2, range(70)), play(1, range(40, 70))
    for one, other in (*zip(alone, two, strict=True), *zip(alone[40:], later, strict=True)):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert len({each[0].tobytes() for each in alone}) > 60


def test_what_is_recorded_is_what_lies_on_the_board() -> None:
    # Tic-tac-toe searched to the end and without stray moves is a draw from every drawn position on.
    for active, values, shares in play(1, range(20), stray=0.0, depth=9):
        assert active.dtype == index_type(CELLS) == np.int16
        assert ((active >= -1) & (active < CELLS.size)).all()
        # Who is proven to win does, in the mover's view: signs and seats are right.
        proven = np.abs(values) > 5.0
        np.testing.assert_array_equal(shares[proven], values[proven] > 0)
        np.testing.assert_array_equal(values[~proven], 0.0)
        np.testing.assert_array_equal(shares[~proven], 0.5)


def test_killed_in_any_part_it_comes_to_the_same_weights_with_more_threads(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(**SMALL), whole)
    # A generation has 40 games, 6 minibatches and a gate; the checkpoints before the kills lie in each of these.
    for last in (20, 44, 70, 93):

        def kill(progress: Progress, last: int = last) -> None:
            if progress.done == last:
                raise Killed

        ticks = iter(range(10**6))
        with pytest.raises(Killed):
            train(begin(2, **SMALL), broken, on_step=kill, clock=lambda ticks=ticks: float(next(ticks)), every=6.0)
    outcome = train(begin(2, **SMALL), broken)
    assert 70 < outcome.resumed_from < 93
    arrays = [load(file, GAME).arrays for file in (whole, broken)]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all(), name
    cards = [load(file, GAME).header.card["figures"] for file in (whole, broken)]
    for name in ("gates", "positions", "scales"):
        assert cards[0][name] == cards[1][name]


def test_it_plays_better_than_before(tmp_path: Path) -> None:
    training = begin()
    scores = []
    for part in (0, 1):
        save(training.model({}), tmp_path / f"{part}.npz")
        # One ply ahead, so that the network and not the search is measured.
        player = f"greedy:evaluation=model@{tmp_path / f'{part}.npz'}"
        scores.append(Yardstick("random", games=120).measure(GAME, player))
        while part == 0 and training.done < training.total:
            training.step()
            training.done += 1
    assert scores[0].high < scores[1].low
    assert [gate[0] for gate in training.gates] == [1, 2]
    assert set(np.unique(training.samples.games // 80)) == {0, 1}  # old data is kept


def test_a_scale_is_fitted_to_the_teacher() -> None:
    # Results drawn with the logit 3x of values tanh(x / 2): the scale is 3, give or take 1 / sqrt(n * information)
    # = 1 / sqrt(20,000 * 0.05) = 0.03; 0.2 is six of that.
    rng = np.random.default_rng(1)
    x = rng.normal(0.0, 1.0, 20_000)
    values, shares = np.tanh(x / 2), (rng.random(len(x)) < sigmoid(3.0 * x)).astype(float)
    assert abs(fitted_scale(values, shares) - 3.0) < 0.2
    assert fitted_scale(np.array([9.9, -9.9]), np.array([1.0, 0.0])) == 1.0  # nothing but proofs
    labels = mixed_labels(np.array([9.9, -9.9, 0.0]), np.array([1.0, 0.0, 1.0]), scale=2.0, trust=0.5)
    np.testing.assert_allclose(labels, [1.0, 0.0, 0.75])


def test_who_plays_inside() -> None:
    assert fits_inside(GAME, "alphabeta:nodes=50")
    assert not fits_inside(GAME, "alphabeta:time=10ms")
    assert not fits_inside(GAME, "greedy")
    assert not fits_inside(load_game("azul"), "greedy")
    assert type(prepare_training("selfplay", GAME, {"teacher": "greedy"})) is SelfPlay
    with pytest.raises(ConfigError, match="every"):
        prepare_training("selfplay", GAME, {"teacher": "greedy", "every": "2"})
