"""Expectimax and greedy: exact values on small trees, one value for all prunings, fewer nodes, no leaks."""

from __future__ import annotations

import pytest

from conftest import HOARD
from meeple import CHANCE, State, load_agent, load_game
from meeple.core.chance import Stream
from meeple.core.heuristics import find_heuristic
from meeple.errors import UnsupportedGameError
from meeple.search import greedy, worlds
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.expectimax import PRUNINGS, ExpectimaxConfig, search
from meeple.search.greedy import GreedySettings
from meeple.search.result import SearchResult
from search.leaks import audit
from search.test_alphabeta import random_states


def plain(state: State, depth: int, seat: int) -> float:
    """Expectimax in Python over `State`, the world's hands as they lie."""
    if state.is_over:
        return state.returns()[seat]
    if depth == 0:
        return float(find_heuristic(state.game, "EVALUATIONS", "default")(state.record, seat))
    outcomes = state.outcomes()
    if outcomes:
        total = sum(outcomes.values())
        return sum(weight / total * plain(state.after(code), depth, seat) for code, weight in outcomes.items())
    values = [plain(state.after(a), depth - 1, seat) for a in state.offer()]
    return max(values) if state.to_move == seat else min(values)


def find(state: State, depth: int, pruning: str, worlds: int = 1, seed: int = 1):  # type: ignore[no-untyped-def]
    return search(state, config=ExpectimaxConfig(depth=depth, pruning=pruning, worlds=worlds), rng=Stream(seed))


def open_value(state: State, depth: int, seat: int) -> float:
    """Minimax in Python over the world as it is: chance does what its fate says."""
    while state.to_move == CHANCE:
        state = state.after(state.fated_outcome())
    if state.is_over:
        return state.returns()[seat]
    if depth == 0:
        return float(find_heuristic(state.game, "EVALUATIONS", "default")(state.record, seat))
    values = [open_value(state.after(a), depth - 1, seat) for a in state.offer()]
    return max(values) if state.to_move == seat else min(values)


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_in_the_deterministic_version_the_true_world_is_searched(pruning: str) -> None:
    told_apart = 0
    for state in random_states(f"{HOARD}:players=2,rounds=2", 6, seed=5):
        config = ExpectimaxConfig(depth=3, pruning=pruning, deterministic=True)
        found, other = (search(state, config=config, rng=Stream(seed)) for seed in (1, 2))
        expected = max(open_value(state.after(a), 2, state.to_move) for a in state.offer())
        assert found.value == other.value == pytest.approx(expected)
        told_apart += abs(found.value - find(state, 3, pruning, worlds=5).value) > 1e-9
    assert told_apart


@pytest.mark.parametrize("players", [2, 3])
def test_value_is_the_exact_expectation(players: int) -> None:
    for state in random_states(f"{HOARD}:players={players},rounds=2", 4, seed=7):
        world = state.redealt(state.to_move, Stream(1))  # the one world that the search deals
        exact = {a: plain(world.after(a), 1, state.to_move) for a in state.offer()}
        for pruning in PRUNINGS:
            found = find(state, 2, pruning)
            assert found.value == pytest.approx(max(exact.values()), abs=1e-9)
            assert exact[found.action] == pytest.approx(max(exact.values()), abs=1e-9)


def test_all_prunings_agree_and_look_at_fewer_nodes() -> None:
    # Positions with a tree of some size: near the end there is nothing to leave out.
    states = [
        state
        for state in random_states(f"{HOARD}:players=2,rounds=3", 40, seed=8)
        if find(state, 3, "none").work > 1_000
    ][:20]
    assert len(states) == 20
    nodes = dict.fromkeys(PRUNINGS, 0)
    fewer = dict.fromkeys(PRUNINGS, 0)
    for state in states:
        found = {pruning: find(state, 3, pruning) for pruning in PRUNINGS}
        for pruning, result in found.items():
            assert result.value == pytest.approx(found["none"].value, abs=1e-9)
            nodes[pruning] += result.work
            fewer[pruning] += result.work < found["none"].work
    for pruning in ("star1", "star2"):
        assert nodes[pruning] < nodes["none"]
        assert fewer[pruning] >= 18  # nine of ten


def test_worlds_are_averaged_with_exact_values() -> None:
    state = random_states(f"{HOARD}:players=2,rounds=2", 1, seed=9)[0]
    found = find(state, 2, "star1", worlds=4, seed=3)
    rng = Stream(3)
    worlds = [state.redealt(state.to_move, rng) for _ in range(4)]
    exact = [sum(plain(world.after(a), 1, state.to_move) for world in worlds) / 4 for a in state.offer()]
    assert found.values == pytest.approx(exact, abs=1e-9)


def test_limits_stop_it_with_an_answer() -> None:
    state = random_states(f"{HOARD}:players=4", 1, seed=2)[0]
    for config in (ExpectimaxConfig(depth=6, nodes=2_000), ExpectimaxConfig(depth=9, time=0.05)):
        found = search(state, config=config, rng=Stream(1))
        assert found.action in state.legal_actions()
        assert found.depth >= 1


def test_secrets_are_refused_without_worlds() -> None:
    with pytest.raises(UnsupportedGameError, match="give worlds=N, such as expectimax:worlds=10, or try ismcts"):
        load_agent("expectimax", load_game(f"{HOARD}:players=2"))
    assert load_agent("expectimax:depth=1", load_game("santorini")).spec == "expectimax:depth=1"


def test_greedy_takes_the_best_evaluation_and_a_win() -> None:
    game = load_game("santorini")
    win = game.read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    assert (
        win.move_text(greedy.search(win, config=GreedySettings(evaluation="climb", ties="first"), rng=Stream(1)).action)
        == "C3>C4#"
    )
    for state in random_states("santorini", 5, seed=3):
        found = greedy.search(state, config=GreedySettings(evaluation="report", ties="first"), rng=Stream(1))
        evaluate = find_heuristic(game, "EVALUATIONS", "report")
        values = [
            after.returns()[state.to_move] if after.is_over else evaluate(after.record, state.to_move)
            for after in (state.after(a) for a in state.offer())
        ]
        assert found.values == pytest.approx(values)
        assert found.action == state.offer()[values.index(max(values))]


@pytest.mark.parametrize("spec", ["expectimax:depth=2,worlds=2", "greedy", "greedy:ties=first"])
def test_leak_audit(spec: str) -> None:
    assert audit(spec, players=3, seed=14) > 6


def test_progress_is_told_after_each_depth() -> None:
    state = random_states(f"{HOARD}:players=2,rounds=3", 1, seed=8)[0]
    told: list[SearchResult] = []
    config = ExpectimaxConfig(depth=4, nodes=200_000)
    found = search(state, config=config, rng=Stream(1), on_progress=told.append)
    assert [step.depth for step in told] == list(range(1, found.depth + 1))
    assert told[-1].action == found.action
    over_worlds: list[SearchResult] = []
    settings = AlphaBetaConfig(nodes=5_000, worlds=3)
    worlds.search(state, config=settings, rng=Stream(1), on_progress=over_worlds.append)
    assert [step.depth for step in over_worlds] == list(range(1, len(over_worlds) + 1))
    assert len(over_worlds) >= 2
