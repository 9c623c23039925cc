"""Weights are data: every search hands them on, and other weights compile nothing."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from conftest import HOARD
from meeple import Match, State, load_agent, load_game
from meeple.arena.inside import insider_for
from meeple.arena.match import play_match
from meeple.core.chance import Stream
from meeple.core.game import Game
from meeple.core.heuristics import Heuristic, find_heuristic
from meeple.core.kernel import compiled_count
from meeple.search import alphabeta, expectimax, greedy, maxn, mcts, policy, worlds
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.expectimax import ExpectimaxConfig
from meeple.search.greedy import GreedySettings
from meeple.search.mcts import MctsConfig

# A copy of Hoard whose heuristics take weights, and one that is a small network with scratch of its own.
WEIGHED = '''

from typing import Any, NamedTuple

from meeple.core.parameters import Parameters


class Cards(NamedTuple):
    """What a card is worth, by its value."""

    worth: Any = np.array([1.0, 2.0, 3.0])
    scale: float = 12.0


@kernel
def cards_value(state, seat, weights):
    total = 0.0
    for value in range(N_VALUES):
        total += weights.worth[value] * np.int64(state.hoard[seat, value])
    return min(0.9, max(-0.9, total / weights.scale))


@kernel
def cards_bias(state, action, weights):
    return min(1.0, max(0.0, weights.worth[state.hand[state.mover, action % 2] - 1] / weights.scale))


@kernel
def cards_policy(state, rng, out, weights):
    if state.n_hand[state.mover] < 2:
        return np.int64(0)
    first, second = np.int64(state.hand[state.mover, 0]), np.int64(state.hand[state.mover, 1])
    return np.int64(weights.worth[second - 1] > weights.worth[first - 1])


class Net(NamedTuple):
    first: Any
    second: Any


class Working(NamedTuple):
    first: Any
    second: Any
    hidden: Any


def working(net):
    return Working(net.first, net.second, np.zeros(0))


def with_scratch(net):
    return net._replace(hidden=np.zeros(len(net.second)))


@kernel
def net_value(state, seat, net):
    for i in range(len(net.hidden)):
        net.hidden[i] = 0.0
        for value in range(N_VALUES):
            net.hidden[i] += net.first[value, i] * np.int64(state.hoard[seat, value])
    total = 0.0
    for i in range(len(net.hidden)):
        total += net.second[i] * max(0.0, net.hidden[i])
    return min(0.9, max(-0.9, total))


CARDS = Parameters(Cards(), within=(-1000, 1000), limits={"scale": (1, 1000)})
NET = Parameters(
    Net(np.ones((3, 2)), np.array([0.1, 0.01])), make=working, scratch=with_scratch, free=("first", "second")
)
EVALUATIONS = {
    "cards": Heuristic(cards_value, "what the hoard is worth", -0.9, 0.9, parameters=CARDS),
    "net": Heuristic(net_value, "the same by a network", -0.9, 0.9, parameters=NET),
}
BIASES = {"cards": Heuristic(cards_bias, "what a card is worth", 0.0, 1.0, parameters=CARDS)}
PLAYOUTS = {"cards": Heuristic(cards_policy, "the card that is worth more", parameters=CARDS)}
'''
is_compiled = not numba.config.DISABLE_JIT


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "hoard"
    shutil.copytree(HOARD, folder, ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / "heuristics.py", "a") as file:
        file.write(WEIGHED)
    return load_game(f"{folder}:players=2,rounds=2")


@pytest.fixture(scope="module")
def state(game: Game) -> State:
    """Some way into a match: both have hoarded, and the mover holds two different cards."""
    for seed in range(100):
        state = Match(game, seed=seed).state
        while not state.is_over and state.record.lap == 0:
            state = state.after(int(state.legal_actions()[0])).settled()
        if not state.is_over and state.record.hand[state.to_move, 0] != state.record.hand[state.to_move, 1]:
            return state
    raise AssertionError("no such position")


def answers(state: State, evaluation: Heuristic, bias: Heuristic, playout: Heuristic) -> list[Any]:
    """What every search that asks a heuristic with weights says of a position."""
    deep = AlphaBetaConfig(depth=1, evaluation=evaluation)
    tree = MctsConfig(iterations=6, evaluation=evaluation, bias=bias, playout=playout, cutoff=1, fresh_worlds=True)
    found = [
        greedy.search(state, config=GreedySettings(evaluation=evaluation, ties="first"), rng=Stream(1)),
        alphabeta.search(state, config=deep),
        worlds.search(state, config=replace(deep, worlds=2), rng=Stream(1)),
        maxn.search(state, config=deep, rng=Stream(1)),
        expectimax.search(state, config=ExpectimaxConfig(depth=1, evaluation=evaluation), rng=Stream(1)),
        mcts.search(state, config=tree, rng=Stream(1)),
    ]
    told: list[Any] = [np.nan_to_num(one.values, nan=9.0).tolist() for one in found]
    biased = greedy.search(state, config=GreedySettings(bias=bias, ties="first"), rng=Stream(1))
    assert biased.preferences is not None
    return [*told, biased.preferences.tolist(), policy.decide(state, name=playout, rng=Stream(1))]


def test_a_hundred_weights_compile_nothing(game: Game, state: State) -> None:
    evaluation, bias = find_heuristic(game, "EVALUATIONS", "cards"), find_heuristic(game, "BIASES", "cards")
    playout = find_heuristic(game, "PLAYOUTS", "cards")
    usual = answers(state, evaluation, bias, playout)
    compiled = compiled_count()
    seen = []
    for number in range(100):
        weights = {"worth": [number - 50.0, 7.0, 50.0 - number], "scale": 1.0 + number}
        seen.append(answers(state, *(each.with_weights(weights) for each in (evaluation, bias, playout))))
    assert compiled_count() == compiled
    for place in range(len(usual)):  # every one of them has followed the weights
        assert any(told[place] != seen[0][place] for told in seen), f"answer {place}"
    assert answers(state, evaluation, bias, playout) == usual


def test_the_values_are_those_by_the_weights(game: Game, state: State, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    file.write_text(json.dumps({"worth": [4, -2, 1]}))
    evaluation = find_heuristic(game, "EVALUATIONS", f"cards@{file}")
    seat = state.to_move
    exact = [float(evaluation(state.after(int(a)).settled().record, seat)) for a in state.legal_actions()]
    deep = AlphaBetaConfig(depth=1, evaluation=f"cards@{file}", all_moves=True)
    assert alphabeta.search(state, config=deep).values.tolist() == pytest.approx(exact)
    plain = [float(find_heuristic(game, "EVALUATIONS", "cards")(state.record, seat)) for seat in range(2)]
    hoard = state.record.hoard
    assert plain == pytest.approx([min(0.9, sum((v + 1) * hoard[s, v] for v in range(3)) / 12) for s in range(2)])


def test_agents_take_files_wherever_a_heuristic_is_named(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    file.write_text(json.dumps({"worth": [3, 2, 1]}))
    for spec in (
        f"greedy:evaluation=cards@{file}",
        f"greedy:bias=cards@{file}",
        f"alphabeta:depth=1,worlds=1,config={file}",
        f"alphabeta:depth=1,worlds=1,evaluation=cards@{file}",
        f"expectimax:depth=1,worlds=1,evaluation=cards@{file}",
        f"ismcts:iterations=4,cutoff=1,evaluation=cards@{file},bias=cards@{file},playout=cards@{file}",
        f"policy:name=cards@{file}",
    ):
        assert play_match(game, [spec, "random"], seed=1).is_over


@pytest.mark.parametrize("parallel", ["root", "tree", "leaf"])
def test_threads_have_scratch_of_their_own(game: Game, state: State, parallel: str) -> None:
    config = MctsConfig(iterations=40, evaluation="net", cutoff=1, fresh_worlds=True, threads=2, parallel=parallel)
    trees = mcts.plant(state, config, Stream(1))
    given = [member.of_evaluation[0] for tree in trees for member in tree.members]
    assert len({id(each.hidden) for each in given}) == len(given) == 2
    assert given[0].first is given[1].first
    if is_compiled:  # interpreted, threads that wait for each other take too long
        found = [mcts.search(state, config=config, rng=Stream(1)) for _ in range(2)]
        assert all(each.work >= 40 for each in found)
        if parallel != "tree":  # there the answer depends on who comes first
            assert found[0].values.tolist() == found[1].values.tolist()


def test_a_network_of_another_width_compiles_nothing(game: Game, state: State, tmp_path: Path) -> None:
    config = AlphaBetaConfig(depth=1, evaluation="net", all_moves=True)
    usual = alphabeta.search(state, config=config)
    compiled = compiled_count()
    file = tmp_path / "net.npz"
    np.savez(file, first=np.arange(21.0).reshape(3, 7), second=np.full(7, 0.01))
    wide = alphabeta.search(state, config=AlphaBetaConfig(depth=1, evaluation=f"net@{file}", all_moves=True))
    assert compiled_count() == compiled
    assert wide.values.tolist() != usual.values.tolist()


def test_compiled_matches_follow_a_policys_weights(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    file.write_text(json.dumps({"worth": [3, 2, 1]}))
    agents = [load_agent(spec, game) for spec in ("policy:name=cards", f"policy:name=cards@{file}")]
    insider = insider_for(game, agents)
    assert insider is not None
    seeds = list(range(6))
    batch = insider.play(seeds, [(0, 1)] * len(seeds), openings=0, keeps="courses")
    for seed in seeds:
        match = play_match(game, agents, seed=seed)
        assert batch.codes[seed, : batch.events[seed]].tolist() == [step.code for step in match.steps]
    swapped = insider.play(seeds, [(1, 1)] * len(seeds), openings=0, keeps="courses")
    assert swapped.codes.tolist() != batch.codes.tolist()
