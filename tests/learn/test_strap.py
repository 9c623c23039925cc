"""RootStrap and TreeStrap: every update that of plain NumPy, a tiny game learnt, trained told from untrained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from learn.known import require_better_after
from learn.plain import Strap
from meeple.core.game import Game, State
from meeple.core.registry import load_game
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.learn.methods import METHODS, prepare_training
from meeple.learn.strap import RootStrap
from meeple.learn.training import Training
from meeple.search.alphabeta import AlphaBetaConfig, search

GAME = load_game(TICTACTOE)
LINES = GAME.definition.features.FEATURES["lines"]
TINY = {"depth": "3", "rate": "1e-2", "win": "1", "games": "300", "seed": "2"}


def trained(method: str, settings: dict[str, str], game: Game = GAME) -> Training:
    training = prepare_training(method, game, settings)
    while training.done < training.total:
        training.step()
        training.done += 1
    return training


def strap(training: Training) -> RootStrap:
    assert isinstance(training, RootStrap)
    return training


@pytest.mark.parametrize("sees_mover", [True, False])
@pytest.mark.parametrize(
    ("method", "more"),
    [("rootstrap", {}), ("treestrap", {}), ("treestrap", {"search": "alphabeta"})],
    ids=["root", "tree", "bounds"],
)
def test_a_game_teaches_what_it_does_in_plain_numpy(
    method: str, more: dict[str, str], sees_mover: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meeple.learn.strap.usual_view", lambda game: "mover" if sees_mover else "seat")
    settings = {"depth": "3", "rate": "0.01", "win": "2", "games": "2", "seed": "5"} | more
    start = strap(prepare_training(method, GAME, settings)).scratch.weights.copy()
    assert (np.abs(start) <= 1).all()
    plain = Strap(
        LINES, start, 3, 0.01, 2.0, sees_mover, "search" in more or
        method == "rootstrap", method == "treestrap",
    )  # fmt: skip
    for _ in range(2):
        plain.play(GAME.new())
    found = strap(trained(method, settings)).scratch.weights
    assert np.abs(found - start).max() > 1e-3
    np.testing.assert_allclose(found - start, plain.weights - start, rtol=1e-8, atol=1e-14)


def test_bounds_teach_at_fewer_nodes_than_the_whole_tree() -> None:
    whole, pruned = (
        strap(trained("treestrap", {"games": "1", "depth": "4", "search": search})).figures()
        for search in ("minimax", "alphabeta")
    )
    assert pruned["positions searched"] < whole["positions searched"]
    assert 0 < pruned["updates"] < whole["updates"]


def test_treestrap_learns_tictactoe_to_its_known_values() -> None:
    # Open twos of the mover win at once; without them, and with every threat parried, these are draws.
    known = {"XX./OO./...": 1, "X../.O./X.O": 1, "XX./.O./..O": 1, "XXO/.O./...": 0, "XOX/.X./O.O": 0, ".../.../...": 0}
    weights = strap(trained("treestrap", TINY)).scratch.weights
    for text, value in known.items():
        state = GAME.read(text)
        assert float(weights @ LINES.of(state, state.to_move)) == pytest.approx(value, abs=0.3), text


def test_rootstrap_learns_tictactoe_as_well_as_six_weights_can() -> None:
    # Its games begin after any four moves and are searched to their end, so the targets are the true values.
    game = Game(replace(GAME.definition, facts=replace(GAME.facts, opening=4)), 2, {})
    settings = {"depth": "9", "rate": "0.02", "win": "1", "games": "4000", "seed": "2"}
    starts = [each for each in after_moves(GAME.new(), 4) if each.to_move == 0]
    seen = np.array([LINES.of(state, 0) for state in starts])
    values = np.array([search(state, config=AlphaBetaConfig(depth=9)).value for state in starts])
    best = np.linalg.lstsq(seen, values, rcond=None)[0]
    losses = [
        float(np.mean((seen @ weights - values) ** 2))
        for weights in (best, strap(trained("rootstrap", settings, game)).scratch.weights)
    ]
    # It learns from later positions of its games too, so it cannot come to the very fit of these.
    assert losses[1] < 1.5 * losses[0] < 0.6 * float(np.mean(values**2))


def after_moves(state: State, n: int) -> list[State]:
    """The different states after so many moves."""
    states = {state}
    for _ in range(n):
        states = {each.after(int(action)) for each in states for action in each.legal_actions()}
    return sorted(states, key=State.to_bytes)


@pytest.mark.parametrize(("method", "more"), [("treestrap", {}), ("rootstrap", {"games": "1000", "rate": "2e-2"})])
def test_trained_and_untrained_are_told_apart_by_a_match(method: str, more: dict[str, str], tmp_path: Path) -> None:
    untrained, learnt = prepare_training(method, GAME, TINY | more), trained(method, TINY | more)
    require_better_after(untrained, learnt, tmp_path, player="alphabeta:depth=1,evaluation=model@{}", games=200)


def test_the_model_compares_positions_as_the_weights_do(tmp_path: Path) -> None:
    from meeple.models.evaluation import as_evaluation

    learnt = strap(trained("treestrap", TINY))
    asked = as_evaluation(GAME, learnt.model({}))
    states = [GAME.read(text) for text in ("XX./OO./...", "XXO/.O./...", "X../.../...", "XO./.../...", "XO./OX./...")]
    ours = [float(learnt.scratch.weights @ LINES.of(state, state.to_move)) for state in states]
    models = [float(asked(state.copy().record, np.int64(state.to_move))) for state in states]
    assert np.argsort(ours).tolist() == np.argsort(models).tolist()
    assert max(map(abs, models)) < 1


def test_santorini_starts_from_random_openings_and_other_seeds_differ() -> None:
    game = load_game("santorini")
    settings = {"games": "1", "depth": "1"}
    runs = [strap(trained("rootstrap", settings | {"seed": seed}, game)) for seed in "112"]
    assert [run.features_name for run in runs] == ["report8"] * 3
    first, again, other = (run.scratch.weights.tolist() for run in runs)
    assert first == again != other


def test_what_does_not_fit_is_refused_in_words() -> None:
    with pytest.raises(UnsupportedGameError, match="hoard has no dense features, which rootstrap learns over"):
        prepare_training("rootstrap", load_game(HOARD), {})
    with pytest.raises(UnsupportedGameError, match="over dense features, and 'cells' are sparse; such are lines"):
        prepare_training("treestrap", GAME, {"features": "cells"})
    with pytest.raises(ConfigError, match="no features 'line'; did you mean 'lines'"):
        prepare_training("treestrap", GAME, {"features": "line"})
    with pytest.raises(ConfigError, match="no method of training 'treestrp'; did you mean 'treestrap'"):
        prepare_training("treestrp", GAME, {})
    with pytest.raises(ConfigError, match="method 'treestrap:dept=3' has no setting 'dept'; did you mean 'depth'"):
        prepare_training("treestrap", GAME, {"dept": "3"})
    with pytest.raises(ConfigError, match="'depth' of method 'treestrap' is at least 1, not 0"):
        prepare_training("treestrap", GAME, {"depth": "0"})


def test_every_method_says_what_it_is() -> None:
    for name, method in METHODS.items():
        assert (method.name, bool(method.help)) == (name, True)
