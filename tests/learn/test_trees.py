"""`mcts-ann`, `mcts-cnn`, `combined`: trees with known values, their playouts, resuming, something learnt, faults."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import TICTACTOE
from learn.known import at_random, nexts, require_better_after, winning_at_once
from meeple import load_game
from meeple.errors import ConfigError
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.trees import Combined, MctsAnn
from meeple.models.file import load

GAME = load_game(TICTACTOE)
SMALL = {"trees": "2", "nodes": "40", "simulations": "4", "epochs": "3", "batch": "16", "seed": "2", "hidden": "8"}
MANY = {"trees": "10", "nodes": "600", "simulations": "30", "epochs": "10", "hidden": "32", "seed": "4"}
MANY |= {"optimizer": "adam", "rate": "0.003"}
LEARNT = {
    "mcts-ann": MANY,
    "mcts-cnn": MANY | {"channels": "8-8"},
    "combined": MANY | {"channels": "8-8", "playout": "none", "stray": "0"},
}


class Killed(BaseException):
    """Ends a run at once."""


def begin(method: str = "mcts-ann", **more: str) -> MctsAnn:
    channels = {} if method == "mcts-ann" else {"channels": "4-4", "kernel": "2"}
    training = prepare_training(method, GAME, SMALL | channels | more)
    assert isinstance(training, MctsAnn)
    return training


def finished(training: MctsAnn) -> MctsAnn:
    while training.done < training.total:
        training.step()
        training.done += 1
    return training


@cache
def learnt(method: str) -> MctsAnn:
    return finished(begin(method, **LEARNT[method]))


def board_of(row: np.ndarray) -> list[int]:
    """The cells of a row of sparse features: 0 free, 1 the seat's own, 2 the rival's."""
    return [int(index) - 3 * cell for cell, index in enumerate(row)]


def test_a_tree_goes_down_the_best_child_and_begins_anew_at_the_end() -> None:
    training = begin(trees="1", nodes="60", simulations="400")
    training._grow(0)
    rows, values = training.rows, training.values
    stones = [sum(cell != 0 for cell in board_of(row)) for row in rows]
    # Nine children of the empty board, eight of the best of these, and so on: a family has equally many stones.
    assert stones[:17] == [1] * 9 + [2] * 8
    wanted = [at_random(state)[0] for state in nexts(GAME.new())]
    # A mean of 400 results in [-1, 1] has a standard error of 0.05 at the most; five of them.
    np.testing.assert_allclose(values[:9], wanted, atol=0.25)
    best = board_of(rows[int(np.argmax(values[:9]))])
    for row in rows[9:17]:  # seen by the other seat: what was its own stone is now the rival's
        taken = [cell for cell, what in enumerate(board_of(row)) if what == 2]
        assert taken == [cell for cell, what in enumerate(best) if what == 1]
    again = stones.index(1, 9)
    assert stones[again : again + 9] == [1] * 9
    assert training.lines == 1 + sum(now == 1 and before > 1 for before, now in itertools.pairwise(stones))


def test_playouts_follow_an_evaluation_that_sees_the_end() -> None:
    # Whoever can win at once does: the evaluation is 0 everywhere, but finished games are valued by the rules.
    strict = begin("combined", playout="none", stray="0", trees="1", nodes="9", simulations="300")
    plain = begin("combined", playout="random", trees="1", nodes="9", simulations="300")
    assert isinstance(strict, Combined)
    for training in (strict, plain):
        training._grow(0)
    wanted = [winning_at_once(state)[0] for state in nexts(GAME.new())]
    # Standard errors of at most 0.058 for 300 playouts; five of them.
    np.testing.assert_allclose(strict.values, wanted, atol=0.29)
    assert abs(strict.values.mean() - np.mean(wanted)) < 5 * 0.058 / 3  # over nine nodes the error is a third
    assert (strict.rows == plain.rows).all()
    assert not (strict.values == plain.values).all()


@pytest.mark.parametrize("method", ["mcts-ann", "mcts-cnn", "combined"])
def test_killed_it_comes_to_the_same_weights(method: str, tmp_path: Path) -> None:
    def begun() -> MctsAnn:
        return begin(method, playout="random")  # one compilation for all

    def killed(at: int) -> Any:
        def on_step(progress: Progress) -> None:
            if progress.done == at:
                raise Killed

        return on_step

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begun(), whole)
    for at in (2, 9):  # among the trees, among the minibatches
        with pytest.raises(Killed):
            train(begun(), broken, on_step=killed(at), every=0.0)
    outcome = train(begun(), broken)
    assert (outcome.resumed_from, outcome.total) == (8, 2 + 3 * 5)
    one, other = load(whole, GAME), load(broken, GAME)
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name])
    figures = other.header.card["figures"]
    assert (figures["nodes"], figures["playouts"]) == (80, 320)


@pytest.mark.parametrize("method", ["mcts-ann", "mcts-cnn"])
def test_it_learns_what_positions_are_worth(method: str) -> None:
    more = {"trees": "1", "nodes": "600", "simulations": "30", "epochs": "40", "optimizer": "adam", "rate": "0.003"}
    training = begin(method, **more, hidden="32", seed="4")
    training.step()
    training.done += 1
    wanted, rows = [], []
    for seed in range(60):
        state, rng = GAME.new(), np.random.default_rng(seed)
        for _ in range(1 + seed % 4):
            seat = state.to_move
            state = state.after(int(rng.choice(state.legal_actions())))
        rows.append(training.features.of(state, seat))
        wanted.append(at_random(state)[seat])

    def likeness() -> float:
        values = training.network.values(np.array(rows, training.rows_kind))
        return float(np.corrcoef(values, wanted)[0, 1])

    before = likeness()
    finished(training)
    # Values that have nothing to do with the truth correlate within 0.13 over 60 positions as a rule.
    assert before < 0.4
    assert likeness() > 0.5


@pytest.mark.parametrize("method", LEARNT)
def test_it_learns_the_first_moves_to_their_known_values(method: str) -> None:
    worth = winning_at_once if method == "combined" else at_random  # as its playouts go
    wanted = [worth(state)[0] for state in nexts(GAME.new())]

    def errors(training: MctsAnn) -> Any:
        rows = np.array([training.features.of(state, 0) for state in nexts(GAME.new())], training.rows_kind)
        return np.abs(training.network.values(rows) - wanted)

    # A line through a tree has at most 45 nodes, so these 6,000 hold each first move 130 times, with 30 playouts each:
    # their mean is within 0.05 of the truth. The rest is what the network does not tell apart: 0.14 at most.
    assert errors(begin(method, **LEARNT[method])).max() > 0.4
    assert errors(learnt(method)).max() < 0.25


@pytest.mark.parametrize("method", LEARNT)
def test_trained_and_untrained_are_told_apart_by_a_match(method: str, tmp_path: Path) -> None:
    require_better_after(begin(method, **LEARNT[method]), learnt(method), tmp_path)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="'stray' of method 'combined' is from 0 to 1, not 3"):
        begin("combined", stray="3")
    with pytest.raises(ConfigError, match="has no evaluation 'nothing'"):
        begin(playout="nothing")


def test_combined_follows_the_reports_evaluation_where_there_is_one() -> None:
    training = prepare_training("combined", load_game("santorini"), {})
    assert training.config.playout == "report"
    assert training.features_name == "report-planes"
