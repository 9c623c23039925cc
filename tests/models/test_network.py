"""Networks: the kernels against plain integers, compiled or not; nothing is compiled for other weights or widths."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.core.features import find_features
from meeple.core.kernel import compiled_count
from meeple.core.registry import load_game
from meeple.errors import ConfigError
from meeple.models.arrays import TANH
from meeple.models.evaluation import as_evaluation
from meeple.models.model import network
from meeple.models.network import tanh_of
from meeple.models.whole import folded
from meeple.search import alphabeta, greedy
from meeple.search.alphabeta import AlphaBetaConfig
from models import nets
from models.plain import hidden_of, outputs_of, random_layers
from search.test_alphabeta import random_states

GAME = load_game("santorini")
STATES = random_states("santorini", 6, seed=5)


@pytest.fixture(scope="module")
def found() -> dict[str, list[float]]:
    return nets.values(GAME, STATES)


@pytest.mark.parametrize("name", ["one_hidden", "with_policy", "deep", "dense", "convolved"])
def test_a_network_is_what_plain_integers_make_of_its_weights(name: str, found: dict[str, list[float]]) -> None:
    model = nets.EVERY[name](GAME)
    told = iter(found[name])
    for state in STATES:
        value = outputs_of(GAME, model, state, state.to_move)[0]
        for seat in range(2):
            wanted = value if seat == state.to_move else -value
            assert next(told) == pytest.approx(wanted, abs=2e-6 if model.header.squash == "tanh" else 1e-15)
    assert max(found[name]) - min(found[name]) > 0.05  # positions are told apart


def test_one_output_a_seat_and_each_seats_own_view(found: dict[str, list[float]]) -> None:
    each, own = nets.each_seat(GAME), nets.own_view(GAME)
    told = zip(found["each_seat"], found["own_view"], strict=True)
    for state in STATES:
        outputs = outputs_of(GAME, each, state, state.to_move)
        for seat in range(2):
            of_each, of_own = next(told)
            assert of_each == pytest.approx(outputs[(seat - state.to_move) % 2], abs=2e-6)
            assert of_own == pytest.approx(outputs_of(GAME, own, state, seat)[0], abs=2e-6)
    assert as_evaluation(GAME, own).after is None


def test_a_linear_model_is_a_sum(found: dict[str, list[float]]) -> None:
    told = iter(found["weighed"])
    for state in STATES:
        for seat in range(2):
            numbers = find_features(GAME, "report8").of(state, state.to_move)
            value = np.tanh(0.2 * float(np.dot(numbers, [0, 2, 4, -1, 0, -2, -4, 1])))
            assert next(told) == pytest.approx(value if seat == state.to_move else -value, abs=2e-6)


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.long)])
def test_interpreted_and_with_bounds_checked_the_values_are_the_same(
    switch: str, found: dict[str, list[float]]
) -> None:
    command = [sys.executable, str(Path(nets.__file__))]
    ran = subprocess.run(command, env=os.environ | {switch: "1"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == found


def test_whole_numbers_lose_little() -> None:
    layers = random_layers(np.random.default_rng(3), 325, 24, 1)
    evaluation = as_evaluation(GAME, network(GAME, "report325", layers))
    (rows, bias), (weights, last) = layers
    for state in STATES:
        sums = bias + rows[find_features(GAME, "report325").of(state, state.to_move)].sum(axis=0)
        x = float((np.clip(sums, 0, 1) ** 2) @ weights[:, 0] + last[0])
        # Each of 25 rows is rounded by at most 1/512, so a sum by 0.05 at the worst; 24 weights of 0.3 or so after it.
        assert float(evaluation(state.copy().record, state.to_move)) == pytest.approx(x / (1 + abs(x)), abs=0.02)


def test_nothing_is_compiled_for_other_weights_or_widths() -> None:
    def think(width: int, seed: int) -> float:
        layers = random_layers(np.random.default_rng(seed), 1241, width, 1)
        evaluation = as_evaluation(GAME, network(GAME, "cells", layers))
        found = alphabeta.search(STATES[0], config=AlphaBetaConfig(depth=2, evaluation=evaluation))  # type: ignore[arg-type]
        return float(found.value)

    think(16, 1)
    before = compiled_count()
    assert len({think(width, seed) for width, seed in ((16, 2), (7, 3), (40, 4))}) == 3
    assert compiled_count() == before


def test_values_of_moves_not_played_lead_to_the_same_search() -> None:
    whole = as_evaluation(GAME, nets.one_hidden(GAME))
    assert whole.after is not None
    played = replace(whole, after=None)
    for state in STATES[:3]:
        results = [
            alphabeta.search(state, config=AlphaBetaConfig(depth=2, evaluation=each, all_moves=True))  # type: ignore[arg-type]
            for each in (whole, played)
        ]
        assert results[0].values.tolist() == results[1].values.tolist()
        assert results[0].work > 100


@pytest.mark.parametrize("sizes", [(16, 1), (16, 6, 1)])
def test_moves_valued_at_once_have_the_values_of_the_positions_after_them(sizes: tuple[int, ...]) -> None:
    layers = random_layers(np.random.default_rng(3), 1241, *sizes)
    whole = as_evaluation(GAME, network(GAME, "cells", layers))
    for state in STATES:
        actions, seat = state.legal_actions(), np.int64(state.to_move)
        values = np.zeros(len(actions))
        whole.after_all(state.copy().record, seat, actions, np.int64(len(actions)), values, *whole.given())
        for action, value in zip(actions, values, strict=True):
            after = state.after(int(action))
            if not np.isnan(value):  # a move that wins, or takes the rival's last turn, is to be played
                assert value == whole(after.copy().record, seat)
                assert not after.is_over
        assert not np.isnan(values).all()


def test_moves_are_valued_up_to_one_that_cuts_the_others_off() -> None:
    whole = as_evaluation(GAME, nets.one_hidden(GAME))
    state = STATES[1]
    actions, seat = state.legal_actions(), np.int64(state.to_move)
    n = np.int64(len(actions))
    record, given = state.copy().record, whole.given()
    every, some = np.zeros(len(actions)), np.full(len(actions), 7.0)
    whole.after_all(record, seat, actions, n, every, *given)
    low, high = np.nanquantile(every, 0.1), np.nanquantile(every, 0.9)
    assert whole.after is not None
    whole.after[0](record, seat, *given)
    first, stops = 0, []
    while first < n:
        end = int(whole.after_until(record, seat, actions, np.int64(first), n, some, low, high, *given))
        assert ((some[first : end - 1] > low) & (some[first : end - 1] < high)).all()
        stops.append(end)
        first = end
    assert np.array_equal(some, every, equal_nan=True)
    assert stops == [*(i + 1 for i in range(n) if not low < every[i] < high and i + 1 < n), n]


def test_a_policy_is_the_sum_over_a_moves_features() -> None:
    model = nets.with_policy(GAME)
    evaluation = as_evaluation(GAME, model)
    assert evaluation.policy is not None
    (look, liking), (net,) = evaluation.policy, evaluation.given()
    state = STATES[1]
    value = look(state.copy().record, np.int64(state.to_move), net)
    assert value == evaluation(state.copy().record, np.int64(state.to_move))
    here = np.array(hidden_of(GAME, model, state, state.to_move))
    likings = model.arrays["policy"].astype(int) @ here + model.arrays["policy_bias"]
    moves = find_features(GAME, "steps", "ACTION_FEATURES")
    for action in state.legal_actions()[:20]:
        out = moves.buffer()
        n = int(moves.function(state.record, action, out))
        wanted = int(likings[out[:n]].sum()) * 2.0 ** -(12 + model.header.policy_shift)
        assert float(liking(state.copy().record, action, net)) == wanted


def turned_by(board: Any, k: int) -> Any:
    return np.rot90(board if k < 4 else board.T, k % 4)


def test_the_symmetries_of_features_are_those_of_the_board() -> None:
    # A quarter turn of the text of a position: cell (row, column) of the new board is (column, 4 - row) of the old.
    text = "0123400000120000000030001/1/mortal:B3,D3/mortal:C2,C4"
    state = GAME.read(text)
    levels = np.array(list(text.partition("/")[0])).reshape(5, 5)
    names = np.array([[f"{column}{5 - row}" for column in "ABCDE"] for row in range(5)])
    found_by = {name: find_features(GAME, name) for name in ("cells", "report325", "planes", "report-planes")}
    seen: dict[str, set[bytes]] = {name: set() for name in found_by}
    for k in range(8):
        after = dict(zip(names.ravel(), turned_by(names, k).ravel(), strict=True))  # by place: what stands there now
        moved = {old: new for new, old in after.items()}
        workers = [",".join(moved[cell] for cell in pair) for pair in (("B3", "D3"), ("C2", "C4"))]
        turned = GAME.read(f"{''.join(turned_by(levels, k).ravel())}/1/mortal:{workers[0]}/mortal:{workers[1]}")
        for name, features in found_by.items():
            assert features.symmetries is not None
            before, there = features.of(state, 0), features.of(turned, 0)
            images = []
            for row in features.symmetries:
                if features.kind == "sparse":
                    images.append(sorted(row[before].tolist()) == sorted(there.tolist()))
                else:
                    image = np.empty_like(before)
                    image[row] = before
                    images.append(bool((image == there).all()))
            assert sum(images) == 1, f"{name}: turn {k} is one of the declared symmetries"
            seen[name].add(bytes(images))
    assert all(len(ways) == 8 for ways in seen.values())  # each turn is another row


def test_greedy_takes_a_model_by_file_and_the_value_is_the_models(tmp_path: Path) -> None:
    from meeple.core.chance import Stream
    from meeple.models.file import save

    model = nets.dense(GAME)
    file = save(model, tmp_path / "dense.npz")
    config = greedy.GreedySettings(evaluation=f"model@{file}", ties="first")
    found = greedy.search(STATES[2], config=config, rng=Stream(1))
    after = STATES[2].after(found.action)
    assert not after.is_over
    assert found.value == pytest.approx(-outputs_of(GAME, model, after, after.to_move)[0], abs=2e-6)


def test_batch_norm_is_folded_into_a_convolution() -> None:
    rng = np.random.default_rng(4)
    weights, bias = rng.normal(size=(3, 2, 3, 3)), rng.normal(size=3)
    mean, variance, gain, offset = rng.normal(size=3), rng.random(3), rng.normal(size=3), rng.normal(size=3)
    new_weights, new_bias = folded(weights, bias, mean=mean, variance=variance, gain=gain, offset=offset, epsilon=1e-5)
    patch = rng.normal(size=(2, 3, 3))
    plain = (weights * patch).sum(axis=(1, 2, 3)) + bias
    wanted = (plain - mean) / np.sqrt(variance + 1e-5) * gain + offset
    assert (new_weights * patch).sum(axis=(1, 2, 3)) + new_bias == pytest.approx(wanted)


def test_the_table_of_tanh_is_close_enough() -> None:
    for x in (-30.0, -3.3, -0.2, 0.0, 0.001, 0.7, 2.5, 11.999, 12.0, 1e9):
        assert tanh_of(x) == pytest.approx(np.tanh(x), abs=2e-6)
    assert (np.diff(TANH) >= 0).all()


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        ([], "has an output layer"),
        ([(np.ones((1241, 4)), np.ones(4))], "over sparse features one before it"),
        ([(np.ones((1241, 4)) * 1000, np.ones(4)), (np.ones((4, 1)), np.ones(1))], "too large for whole numbers"),
        ([(np.ones((1241, 4)), np.ones(4)), (np.ones((4, 1)) * 1e9, np.ones(1))], "too large for whole numbers"),
        ([(np.ones((1239, 4)), np.ones(4)), (np.ones((4, 1)), np.ones(1))], "array 'rows'"),
        ([(np.ones((1241, 4)), np.ones(4)), (np.ones((5, 1)), np.ones(1))], "reads 5 numbers where 4 come in"),
        ([(np.full((1241, 4), np.nan), np.ones(4)), (np.ones((4, 1)), np.ones(1))], "finite numbers"),
        ([(np.ones((1241, 4)), np.ones(4)), (np.ones((4, 3)), np.ones(3))], "one for each of 2 seats"),
    ],
)
def test_weights_that_do_not_fit_are_refused(layers: list[tuple[object, object]], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        network(GAME, "cells", layers)
