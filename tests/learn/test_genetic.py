"""The genetic algorithm: the winner stays, the others are its mutations; resumed to the same weights; stronger."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE
from learn.known import share_right
from meeple import load_game
from meeple.errors import ConfigError
from meeple.learn.genetic import Genetic
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.strength import Yardstick
from meeple.models.file import load, save

GAME = load_game(TICTACTOE)
SETTINGS = {"player": "greedy", "generations": "2", "agents": "3", "games": "2", "seed": "2"}


def begin(**more: str) -> Genetic:
    training = prepare_training("genetic", GAME, SETTINGS | more)
    assert isinstance(training, Genetic)
    return training


def test_the_winner_stays_and_the_others_are_its_mutations() -> None:
    training = begin(agents="2000", spread="0.5")
    best = training.weights[7].copy()
    training.shares[[7, 9]] = 2.0
    training._mutate(0)
    assert training.winner_share == 1.0
    assert (training.weights[0] == best).all()
    moves = training.weights[1:] - best
    # 1,999 x 6 normal variables of deviation 0.5: mean within 5 / sqrt(11,994) / 2 = 0.023, deviation within 0.02.
    assert abs(float(moves.mean())) < 0.023
    assert float(moves.std()) == pytest.approx(0.5, abs=0.02)


def test_every_agent_plays_its_games_in_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    training, played = begin(), []
    monkeypatch.setattr(training, "_share", lambda own, seat: played.append((own, seat)) or 0.5)
    for _ in range(6):
        training.step()
        training.done += 1
    assert sorted(played) == [(own, seat) for own in range(3) for seat in range(2)]


def test_killed_it_comes_to_the_same_weights(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if progress.done == 9:
            raise Killed

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(), whole)
    ticks = iter(range(10**6))
    with pytest.raises(Killed):
        train(begin(), broken, on_step=kill, clock=lambda: float(next(ticks)), every=20.0)
    assert 0 < train(begin(), broken).resumed_from < 9
    found = [load(file, GAME).arrays["weights"] for file in (whole, broken)]
    assert (found[0] == found[1]).all()


def test_winners_play_better_than_the_first_weights(tmp_path: Path) -> None:
    training = begin(generations="8", agents="6", games="4")
    scores = []
    for name in ("first", "last"):
        file = save(training.model({}), tmp_path / f"{name}.npz")
        scores.append(Yardstick("random", games=120).measure(GAME, training.player(f"model@{file}")))
        while training.done < training.total:
            training.step()
            training.done += 1
    assert scores[0].high < scores[1].low
    assert np.isfinite(training.weights).all()


def test_winners_keep_the_known_value_more_often_than_the_first_weights() -> None:
    training = begin(generations="8", agents="6", games="4")
    first = share_right(training)
    while training.done < training.total:
        training.step()
        training.done += 1
    # Over 3,290 positions where moves differ in their true value. Six numbers of open lines cannot tell all of them.
    assert first < 0.7
    assert share_right(training) > 0.8


def test_a_player_without_an_evaluation_is_refused() -> None:
    with pytest.raises(ConfigError, match="the player 'random' takes no evaluation"):
        begin(player="random")
