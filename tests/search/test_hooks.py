"""Hooks that a game may offer to searches, on copies of Hoard that offer them: beliefs about hands, noisy moves."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

from conftest import HOARD
from meeple import Match, State
from meeple.core.chance import Stream
from meeple.search.alphabeta import PROOF, QUIET_PLIES, STEP, WIN, AlphaBetaConfig
from meeple.search.alphabeta import search as alphabeta
from meeple.search.expectimax import PRUNINGS, ExpectimaxConfig
from meeple.search.expectimax import search as expectimax
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


def quiescent(state: State, depth: int, seat: int, ply: int = 0) -> float:
    """Minimax in Python that goes on below the horizon over cards that equal the die."""
    state = state.settled()
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
    values = standing + [quiescent(state.after(a), depth - 1, seat, ply + 1) for a in offer]
    return max(values) if state.to_move == seat else min(values)


def test_quiescence_goes_on_over_noisy_moves(tmp_path: Path) -> None:
    spec = copy_of_hoard(tmp_path / "hoard", "heuristics.py", NOISE)
    deeper = 0
    for seed in range(12):
        state = Match(spec, seed=seed).state
        exact = max(quiescent(state.after(a), 1, state.to_move, 1) for a in state.offer())
        found = alphabeta(state, config=AlphaBetaConfig(depth=2))
        if abs(found.value) < PROOF:  # a proof may end the search at depth 1
            assert found.value == pytest.approx(exact, abs=1e-8)
            deeper += found.value != pytest.approx(max(root_values(state, 2).values()), abs=1e-8)
    assert deeper > 0  # or there would have been no noise
