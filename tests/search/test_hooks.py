"""Hooks that a game may offer to searches, on copies of Hoard that offer them.

Beliefs about hands, noisy moves, filters, fingerprints, bounds on a value, policies.
"""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import Stream
from meeple.errors import ConfigError, ContractError, UnsupportedGameError
from meeple.search.alphabeta import QUIET_PLIES, STEP, WIN, AlphaBetaConfig
from meeple.search.alphabeta import search as alphabeta
from meeple.search.expectimax import PRUNINGS, ExpectimaxConfig
from meeple.search.expectimax import search as expectimax
from meeple.search.mcts import MctsConfig
from meeple.search.mcts import search as mcts
from search.plain import evaluate, root_values
from search.test_alphabeta import random_states

# What a seat may hold: code 3 * a + b, cards a and b (counted from 0), by the number of ways to draw them.
BELIEFS = """

BELIEFS = 9


@kernel
def suppose_weights(state, seat, out):
    holds = np.int64(state.n_hand[seat])
    for code in range(BELIEFS):
        first, second = code // 3, code % 3
        unseen = in_deck(state, first)
        other = in_deck(state, second)
        for place in range(HAND):
            unseen += np.int64(state.hand[seat, place] == first + 1)
            other += np.int64(state.hand[seat, place] == second + 1)
        other -= np.int64(first == second)
        out[code] = unseen * max(np.int64(0), other) if holds == 2 else unseen if second == 0 else 0


@kernel
def suppose(state, seat, code):
    state.hand[seat, 0] = code // 3 + 1
    if state.n_hand[seat] == 2:
        state.hand[seat, 1] = code % 3 + 1
"""
NOISE = """

@kernel
def matching(state, out):
    n = 0
    for place in range(state.n_hand[state.mover]):
        if state.hand[state.mover, place] == state.die:
            out[n] = place
            n += 1
    return n


NOISY = {"matching": Heuristic(matching, "cards that equal the die and move again")}
"""
ORDERING = """

@kernel
def by_value(state, action):
    return np.int64(state.hand[state.mover, action % 2]) - 10 * (np.int64(action) // 2)


ORDERINGS = {"value": Heuristic(by_value, "cards played, the higher first, then those dropped")}
"""
FILTER = """

@kernel
def keep_plays(state, actions, n):
    return n // 2


FILTERS = {"plays": Heuristic(keep_plays, "cards played, none dropped")}
"""
FINGERPRINT = """
from __future__ import annotations

import numpy as np

from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel


@kernel
def mirrored(stones):
    return (stones & 0b001001001) << 2 | stones & 0b010010010 | (stones & 0b100100100) >> 2


@kernel
def either_way_round(state):
    first, second = np.int64(state.stones[0]), np.int64(state.stones[1])
    return min(first << 9 | second, mirrored(first) << 9 | mirrored(second))


FINGERPRINTS = {"mirror": Heuristic(either_way_round, "the mirror image is the same position")}
"""
BOUND = """

@kernel
def points_bound(state, seat, plies):
    left = (np.int64(state.n_rounds) - np.int64(state.lap)) * np.int64(state.seats) - np.int64(state.mover) - 1
    if plies >= left:
        return 1.0
    return points_value(state, seat) + plies * 3 * (np.int64(state.double) + 1) / 12.0


EVALUATIONS = {"points": Heuristic(points_value, "the lead in points", -0.9, 0.9, points_bound)}
"""


def copy_of_hoard(folder: Path, file: str, text: str) -> str:
    shutil.copytree(HOARD, folder, ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / file, "a") as target:
        target.write(text)
    return f"{folder}:players=2,rounds=2"


def with_beliefs(state: State, depth: int, seat: int, supposed: bool = False) -> float:
    """Expectimax in Python, with a mean over the rival's hands before each of its decisions."""
    if state.is_over:
        return state.returns()[seat]
    if depth == 0:
        return evaluate(state, seat, "default")
    outcomes = state.outcomes()
    if outcomes:
        total = sum(outcomes.values())
        return sum(weight / total * with_beliefs(state.after(code), depth, seat) for code, weight in outcomes.items())
    mover = state.to_move
    if mover != seat and not supposed:
        total, mean = 0, 0.0
        unseen = [5 - int(state.record.table[v]) - int(state.record.hoard[:, v].sum()) for v in range(3)]
        for place in range(2):
            if state.record.hand[seat, place]:
                unseen[state.record.hand[seat, place] - 1] -= 1
        holds = int(state.record.n_hand[mover])
        for cards in product(range(3), repeat=holds):
            ways = unseen[cards[0]] * (unseen[cards[1]] - (cards[0] == cards[1]) if holds == 2 else 1)
            if ways <= 0:
                continue
            world = state.game.from_bytes(state.to_bytes())
            for place, card in enumerate(cards):
                world.record.hand[mover, place] = card + 1
            total += ways
            mean += ways * with_beliefs(world, depth, seat, supposed=True)
        return mean / total
    values = [with_beliefs(state.after(a), depth - 1, seat) for a in state.offer()]
    return max(values) if mover == seat else min(values)


def test_belief_nodes_take_the_mean_over_what_a_rival_may_hold(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "rules.py", BELIEFS)
    for state in random_states(spec, 4, seed=31):
        seat = state.to_move
        world = state.redealt(seat, Stream(1))  # the world that the search deals: hoards as dealt, hands supposed
        exact = {a: with_beliefs(world.after(a), 1, seat) for a in state.offer()}
        for pruning in PRUNINGS:
            found = expectimax(state, config=ExpectimaxConfig(depth=2, pruning=pruning), rng=Stream(1))
            assert found.value == pytest.approx(max(exact.values()), abs=1e-9)


def quiescent(state: State, depth: int, seat: int, ply: int = 0, last_round: int = 99) -> float:
    """Minimax in Python that goes on below the horizon over cards that equal the die."""
    state = state.settled()
    if state.round_index > last_round:
        depth = min(depth, 0)
    if state.is_over:
        share = state.win_shares()[seat]
        return WIN - STEP * ply if share == 1 else STEP * ply - WIN if share == 0 else 2 * share - 1
    offer, standing = state.offer(), []
    if depth <= 0:
        standing = [evaluate(state, seat, "default")]
        record = state.record
        offer = [p for p in range(record.n_hand[record.mover]) if record.hand[record.mover, p] == record.die]
        if depth <= -QUIET_PLIES or not offer:
            return standing[0]
    values = standing + [quiescent(state.after(a), depth - 1, seat, ply + 1, last_round) for a in offer]
    return max(values) if state.to_move == seat else min(values)


def test_quiescence_goes_on_over_noisy_moves(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", NOISE)
    deeper = 0
    for seed in range(12):
        state = Match(spec, seed=seed).state
        exact = max(quiescent(state.after(a), 1, state.to_move, 1) for a in state.offer())
        found = alphabeta(state, config=AlphaBetaConfig(depth=2))
        if abs(found.value) < 1:  # a proof may end the search at depth 1
            assert found.value == pytest.approx(exact, abs=1e-8)
            deeper += found.value != pytest.approx(max(root_values(state, 2).values()), abs=1e-8)
    assert deeper > 0  # or there would have been no noise


def test_quiescence_goes_on_where_a_round_ends(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", NOISE)
    compared = 0
    for seed in range(12):
        state = Match(spec, seed=seed).state
        last = state.round_index
        exact = max(quiescent(state.after(a), 3, state.to_move, 1, last) for a in state.offer())
        found = alphabeta(state, config=AlphaBetaConfig(depth=4, horizon="round"))
        if abs(found.value) < 1:  # a proof may end the search earlier
            assert found.value == pytest.approx(exact, abs=1e-8)
            compared += 1
    assert compared > 0


def test_an_ordering_changes_no_value_of_expectimax(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", ORDERING)
    states = random_states(spec.replace("rounds=2", "rounds=3"), 12, seed=8)
    nodes = dict.fromkeys(("none", "value", "evaluation"), 0)
    for state in states:
        for pruning in PRUNINGS:
            found = {
                name: expectimax(state, config=ExpectimaxConfig(depth=3, pruning=pruning, ordering=name), rng=Stream(1))
                for name in nodes
            }
            for name, result in found.items():
                assert result.value == pytest.approx(found["none"].value, abs=1e-9)
                nodes[name] += result.work if pruning != "none" else 0
                assert pruning != "none" or result.work == found["none"].work
    assert nodes["value"] < nodes["none"]
    assert nodes["evaluation"] < nodes["none"]


def only_plays(state: State, depth: int, seat: int) -> float:
    """Minimax in Python that knows no dropped cards."""
    state = state.settled()
    if state.is_over or depth == 0:
        return state.returns()[seat] if state.is_over else evaluate(state, seat, "default")
    values = [only_plays(state.after(a), depth - 1, seat) for a in state.offer() if a < 2]
    return max(values) if state.to_move == seat else min(values)


def test_a_filter_leaves_moves_out_of_every_search(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", FILTER) + ",hoard=double"
    differs = 0
    for state in random_states(spec, 6, seed=3):
        plays = [a for a in state.offer() if a < 2]
        found = alphabeta(state, config=AlphaBetaConfig(depth=2, filter="plays"))
        assert found.actions.tolist() == plays
        if abs(found.value) < 1:
            exact = max(only_plays(state.after(a), 1, state.to_move) for a in plays)
            assert found.value == pytest.approx(exact, abs=1e-8)
            differs += exact != pytest.approx(max(root_values(state, 2).values()), abs=1e-8)
        mean = expectimax(state, config=ExpectimaxConfig(depth=2, filter="plays"), rng=Stream(1))
        assert mean.actions.tolist() == plays
        tree = mcts(state, config=MctsConfig(iterations=200, filter="plays", fresh_worlds=True), rng=Stream(1))
        assert tree.visits[: len(plays)].all()
        assert not tree.visits[len(plays) :].any()
    assert differs > 0  # or dropping would never have mattered


def test_a_filter_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match="santorini has no filter 'plays'"):
        load_agent("alphabeta:filter=plays", load_game("santorini"))


def test_a_filter_must_keep_a_move(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", FILTER.replace("return n // 2", "return 0"))
    with pytest.raises(ContractError, match="left no move"):
        alphabeta(Match(spec, seed=1).state, config=AlphaBetaConfig(depth=2, filter="plays"))


def test_equal_fingerprints_are_one_position(tmp_path: Path) -> None:
    folder = tmp_path / "tictactoe"
    shutil.copytree(TICTACTOE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "heuristics.py").write_text(FINGERPRINT)
    game = (folder / "game.py").read_text().replace("from . import", "from . import heuristics,")
    (folder / "game.py").write_text(game.replace("rules=rules,", "rules=rules, heuristics=heuristics,"))
    config = AlphaBetaConfig(depth=9)
    merged = alphabeta(Match(str(folder)).state, config=config)
    apart = alphabeta(Match(str(TICTACTOE)).state, config=config)
    assert merged.value == apart.value == 0
    assert merged.work < apart.work


def test_a_bound_leaves_out_what_cannot_matter(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", BOUND).replace("rounds=2", "rounds=3")
    nodes = {"bound": 0, "none": 0}
    for mine, plain in zip(
        random_states(spec, 8, seed=3), random_states(f"{HOARD}:players=2,rounds=3", 8, seed=3), strict=True
    ):
        for pruning in PRUNINGS:
            config = ExpectimaxConfig(depth=3, pruning=pruning)
            with_bound = expectimax(mine, config=config, rng=Stream(1))
            without = expectimax(plain, config=config, rng=Stream(1))
            assert with_bound.value == pytest.approx(without.value, abs=1e-9)
            nodes["bound"] += with_bound.work
            nodes["none"] += without.work
    assert nodes["bound"] < nodes["none"]


def test_a_policy_is_an_agent() -> None:
    game = load_game(f"{HOARD}:players=2")
    agent = load_agent("policy:name=greedy", game)
    match = Match(game, seed=4)
    while not match.is_over:
        hand = match.state.record.hand[match.to_move]
        action = ask(agent, match)
        assert action == int(hand[1] > hand[0])
        match.play(action)
    with pytest.raises(UnsupportedGameError, match="santorini offers no policy"):
        load_agent("policy", load_game("santorini"))
    with pytest.raises(ConfigError, match="hoard has no playout 'gredy'; did you mean 'greedy'"):
        load_agent("policy:name=gredy", game)
