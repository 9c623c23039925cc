"""`ann` and `cnn`: games against random moves and themselves, labels, resuming, something learnt, faults in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import TICTACTOE, Run
from learn.known import at_random
from meeple import load_game
from meeple.agents.ranking import search
from meeple.core.game import State
from meeple.errors import ConfigError, FailureError, UnsupportedGameError
from meeple.learn.episodes import Ann
from meeple.learn.methods import METHODS, prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.strength import Yardstick
from meeple.models.file import load

GAME = load_game(TICTACTOE)
SMALL = {"ann": {"hidden": "16-8"}, "cnn": {"hidden": "8", "channels": "8-8", "kernel": "2"}}


def begin(method: str = "ann", **more: str) -> Ann:
    training = prepare_training(method, GAME, SMALL[method] | {"games": "30", "epsilon": "0.2", "seed": "3"} | more)
    assert isinstance(training, Ann)
    return training


def states_of(training: Ann, n: int) -> list[State]:
    return [State(GAME, training.episode.chosen[number : number + 1].copy()) for number in range(n)]


class Killed(BaseException):
    """Ends a run at once."""


@pytest.mark.parametrize("method", ["ann", "cnn"])
def test_the_learner_goes_where_its_network_likes_best(method: str) -> None:
    training = begin(method, epsilon="0")
    n = training._play(0)
    chosen = states_of(training, n)
    assert training.episode.seats[:n].tolist() == [0] * n
    before = GAME.new()
    for number, state in enumerate(chosen):
        # The rows are the features of the positions, as the learner sees them.
        wanted = training.features.of(state, 0)
        np.testing.assert_array_equal(training.episode.rows[number], wanted.astype(training.rows_kind))
        value = training.network.values(training.episode.rows[number : number + 1])[0]
        if number == 0:
            others = [before.after(int(action)) for action in before.legal_actions()]
            rows = np.array([training.features.of(each, 0) for each in others], training.rows_kind)
            assert value == pytest.approx(training.network.values(rows).max(), abs=1e-6)
    assert len({state.to_bytes() for state in chosen}) == n


def test_chances_of_random_moves_fall_and_seats_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    training = begin(epsilon="0.5", decay="0.5")
    seen: list[tuple[int, float]] = []

    class Noting:
        def play_game(self, episode: Any, net: Any, options: Any, fate: int, openings: int, *rest: Any) -> int:
            seen.append((rest[0], rest[1]))
            return 0

    monkeypatch.setattr(training, "compiled", Noting())
    for _ in range(4):
        assert training.step() == 0.0  # no position, nothing learnt
        training.done += 1
    assert seen == [(0, 0.5), (1, 0.25), (0, 0.125), (1, 0.0625)]
    everybody = begin(rival="self")
    n = everybody._play(-1)
    assert set(everybody.episode.seats[:n].tolist()) == {0, 1}


def test_labels_are_the_result_or_what_a_search_finds() -> None:
    training = begin()
    n = training._play(1)
    wanted = 2 * training.episode.shares[training.episode.seats[:n]] - 1
    np.testing.assert_array_equal(training._labels(n), wanted)
    taught = begin(labels="minimax", teacher="alphabeta:depth=9", rival="self", epsilon="1")
    n = taught._play(-1)
    labels = taught._labels(n)
    for state, seat, label in zip(states_of(taught, n), taught.episode.seats, labels, strict=False):
        if state.is_over:
            assert label == state.returns()[seat]
        else:
            value = search(state, "alphabeta:depth=9").best.value
            assert label == (value if state.to_move == seat else -value)
    assert set(labels) <= {-1.0, 0.0, 1.0}  # depth 9 sees the end of tic-tac-toe


@pytest.mark.parametrize("method", ["ann", "cnn"])
def test_killed_it_comes_to_the_same_weights(method: str, tmp_path: Path) -> None:
    def on_step(progress: Progress) -> None:
        if progress.done == 17:
            raise Killed

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(method), whole)
    with pytest.raises(Killed):
        train(begin(method), broken, on_step=on_step, every=0.0)
    outcome = train(begin(method), broken)
    assert 0 < outcome.resumed_from < 17
    one, other = load(whole, GAME), load(broken, GAME)
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name])
    assert one.header.card["figures"]["positions"] == other.header.card["figures"]["positions"] > 30


@pytest.mark.parametrize("method", ["ann", "cnn"])
def test_from_random_games_it_learns_what_positions_are_worth(method: str) -> None:
    assert at_random(GAME.new())[0] == pytest.approx(0.2968, abs=1e-4)  # 58.5% won, 28.8% lost by the first
    more = {"rival": "self", "epsilon": "1", "decay": "1", "games": "2500", "optimizer": "adam", "rate": "0.002"}
    training = begin(method, **more, hidden="32-16" if method == "ann" else "16", seed="4")
    rows, wanted = [], []
    for state, seat in reached(60):
        rows.append(training.features.of(state, seat))
        wanted.append(at_random(state)[seat])
    positions = np.array(rows, training.rows_kind)

    def likeness() -> float:
        return float(np.corrcoef(training.network.values(positions), wanted)[0, 1])

    before = likeness()
    while training.done < training.total:
        training.step()
        training.done += 1
    # Over 50 positions, values that have nothing to do with the truth correlate within 0.14 as a rule; 0.6 is far off.
    assert before < 0.4
    assert likeness() > 0.6
    middle = training.features.of(GAME.new().play("b2"), 0)[None].astype(training.rows_kind)
    assert training.network.values(middle)[0] == pytest.approx(0.5, abs=0.3)  # 0.5 it is


def reached(n: int) -> list[tuple[State, int]]:
    """Positions after one to five random moves, and who went there."""
    found = []
    for seed in range(n):
        state, rng = GAME.new(), np.random.default_rng(seed)
        for _ in range(1 + seed % 5):
            seat = state.to_move
            state = state.after(int(rng.choice(state.legal_actions())))
            if state.is_over:
                break
        if not state.is_over:
            found.append((state, seat))
    return found


def test_trained_it_beats_random_moves_more_often_than_untrained(tmp_path: Path) -> None:
    out = tmp_path / "net.npz"
    more = {"games": "1500", "hidden": "32-16", "optimizer": "adam", "rate": "0.004", "decay": "1"}
    train(begin(**more), out, yardstick=Yardstick("random", games=200, looks=1))
    first, last = load(out, GAME).header.card["figures"]["score against random"]
    # Shares of 200 games have a standard error of 0.03: the first is 0.685, the last was 0.865, three errors above.
    assert first["score"] < 0.72
    assert last["score"] > 0.77


def test_bad_settings_are_refused_before_anything_is_played() -> None:
    for more, words in (
        ({"hidden": "256,64"}, r"'hidden' of method 'ann' is widths of 1 to 4096 joined by '-', such as 256-64"),
        ({"hidden": "0"}, "'hidden' of method 'ann' is widths"),
        ({"epsilon": "1.5"}, "'epsilon' of method 'ann' is from 0 to 1, not 1.5"),
        ({"decay": "2"}, "'decay' of method 'ann' is from 0 to 1, not 2"),
        ({"optimizer": "best"}, "optimizer"),
    ):
        with pytest.raises(ConfigError, match=words):
            begin(**more)
    with pytest.raises(ConfigError, match="leave nothing of 3 x 3 squares"):
        begin("cnn", kernel="3", padding="0", channels="4-4-4")
    with pytest.raises(UnsupportedGameError, match="labels=minimax needs two seats, no chance and no secrets"):
        prepare_training("ann", load_game("azul"), {"labels": "minimax"})
    with pytest.raises(UnsupportedGameError, match="has no planes features, which cnn learns over"):
        prepare_training("cnn", load_game("azul"), {})


def test_a_rate_that_is_too_large_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(FailureError, match=r"numbers that are none in step .* of 30: try a smaller rate"):
        train(begin(rate="1e38"), tmp_path / "net.npz")


def test_the_reports_features_are_taken_where_a_game_has_them() -> None:
    santorini = load_game("santorini")
    network = prepare_training("ann", santorini, {})
    assert isinstance(network, Ann)
    assert network.features_name == "report325"
    assert network.network.shape.widths() == [325, 256, 64, 1]
    assert METHODS["cnn"].prefers == ("report-planes",)


def test_the_command_lists_and_trains(meeple: Run) -> None:
    ran = meeple("train", "cnn")
    assert "channels" in ran.stdout
    ran = meeple("train", "ann", TICTACTOE, "games=3", "hidden=8", "--out", "small.npz")
    assert ran.returncode == 0, ran.stderr
    assert 'plays  greedy:evaluation="model@small.npz"' in ran.stdout
    assert ran.stderr.count("\n") <= 2  # jax is quiet
