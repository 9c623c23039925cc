"""One law for what searches answer: one unit, marks for proofs and bounds, errors that cover, whatever the search."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import Stream, rng_for
from meeple.errors import MeepleError
from meeple.search import alphabeta, expectimax, flat, greedy, mcts, worlds
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.expectimax import ExpectimaxConfig
from meeple.search.flat import FlatConfig
from meeple.search.mcts import MctsConfig
from meeple.search.result import SearchResult
from search.plain import root_values, told
from search.test_alphabeta import random_states
from search.test_expectimax import plain as plain_expectimax
from search.test_flat import exact_value

GAMES = ["santorini", "azul", "ingenious", "saboteur-duel", "saboteur", "sagrada"]
SEARCHES = [
    "flat:playouts=3",
    "greedy",
    "greedy:worlds=3",
    "alphabeta:depth=2",
    "alphabeta:nodes=300",
    "alphabeta:depth=2,worlds=3",
    "alphabeta:depth=2,worlds=3,exact=no",
    "alphabeta:depth=2,worlds=1",
    "minimax:depth=1,worlds=2,others=maxn",
    "expectimax:depth=1",
    "expectimax:depth=1,worlds=3",
    "mcts:iterations=40",
    "mcts:iterations=20,worlds=3",
    "mcts:iterations=40,threads=2",
    "ismcts:iterations=40",
    "ismcts:iterations=40,observers=each",
]
ON_HOARD = ["greedy:bias=high", "ismcts:iterations=40,reward=margin", "ismcts:iterations=40,reward=bias,bias=high"]


def hold(found: SearchResult, state: State) -> None:
    """Every law that one answer can be held to."""
    n = len(found.actions)
    shapes = {len(part) for part in (found.values, found.visits, found.proofs, found.bounds, found.errors)}
    assert shapes == {n}
    assert (np.diff(found.actions) > 0).all()
    assert set(found.actions.tolist()) <= set(state.offer())
    assert found.actions[found.place] == found.action
    known, tried, proven = ~np.isnan(found.values), found.visits > 0, found.proofs != 0
    assert (np.abs(found.values[known]) <= 1).all()
    assert found.visits.min() >= 0
    if found.preferences is None:
        assert (known == (tried | proven)).all()
    else:
        assert len(found.preferences) == n
        assert not known.any()
    assert (found.values[proven] == np.sign(found.proofs[proven])).all()
    assert (found.errors[proven] == 0).all()
    assert not found.bounds[proven].any()
    assert np.isnan(found.errors[found.bounds | ~known]).all()
    assert (found.errors[~np.isnan(found.errors)] >= 0).all()
    if known[found.place]:
        assert found.value == found.values[found.place]
    assert math.isnan(found.value) == (not known.any())
    assert found.work >= 1
    assert 0 < found.seconds < 600


def same(one: SearchResult, other: SearchResult) -> bool:
    """Whether two answers agree in all but the time they took."""
    names = ("actions", "values", "visits", "proofs", "bounds", "errors")
    pairs = [(getattr(one, name).astype(float), getattr(other, name).astype(float)) for name in names]
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs) and (one.action, one.work, one.line) == (
        other.action,
        other.work,
        other.line,
    )


def put_to_the_law(spec: str, game_spec: str, *, seeds: int) -> int:
    """Ask at some positions of random matches, twice each; how many answers held, 0 where it cannot play the game."""
    game, held = load_game(game_spec), 0
    try:
        agent = load_agent(spec, game)
    except MeepleError:
        return 0
    for seed in range(seeds):
        match, rng = Match(game, seed=seed), rng_for("test-law", seed=seed)
        for _ in range(3):
            if match.is_over:
                break
            answers: list[SearchResult] = []
            for _ in range(2):
                action = ask(agent, match, report=answers.append)
                assert answers[-1].action == action
                hold(answers[-1], match.state)
            assert same(*answers)
            held += 1
            for _ in range(1 + seed):
                if not match.is_over:
                    match.play(int(rng.choice(match.state.legal_actions())))
    return held


@pytest.mark.parametrize("spec", [*SEARCHES, *ON_HOARD])
def test_the_law_holds_in_small_games(spec: str) -> None:
    games = [f"{HOARD}:players=2,rounds=2", f"{HOARD}:players=3,rounds=2"] + [TICTACTOE] * (spec not in ON_HOARD)
    assert sum(put_to_the_law(spec, game, seeds=4) for game in games) > 8


@pytest.mark.parametrize("game", GAMES)
def test_the_law_holds_for_greedy_in_every_game(game: str) -> None:
    assert put_to_the_law("greedy", game, seeds=2) > 3


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_law_holds_for_every_search_in_every_game(game: str) -> None:
    assert sum(put_to_the_law(spec, game, seeds=2) > 0 for spec in SEARCHES) >= 8


# --- bounds and proofs, against plain searches


@pytest.mark.parametrize("all_moves", [False, True])
@pytest.mark.parametrize("spec", ["santorini", f"{HOARD}:players=2,rounds=2", TICTACTOE])
def test_alphabetas_values_are_exact_or_true_bounds(spec: str, all_moves: bool) -> None:
    states = random_states(spec, 3 if spec == "santorini" else 6, seed=21)
    if spec == TICTACTOE:
        states = [late(5, seed) for seed in range(20)]
    loose = proven = 0
    for state in states:
        depth = 2 if spec == "santorini" else 4
        found = alphabeta.search(state, config=AlphaBetaConfig(depth=depth, all_moves=all_moves))
        exact = root_values(state, found.depth)
        for place, action in enumerate(found.actions.tolist()):
            value, plies = told(exact[action])
            if found.bounds[place]:
                assert found.values[place] >= value - 1e-8
                loose += found.values[place] > value + 1e-8
            else:
                assert found.values[place] == pytest.approx(value, abs=1e-8)
            if found.proofs[place]:
                assert np.sign(found.proofs[place]) == np.sign(plies)
                assert abs(found.proofs[place]) >= abs(plies)  # at the latest
                proven += 1
    # Santorini is not looked at deep enough for a proof, and Hoard has too few moves for a bound to be far off.
    assert proven or spec == "santorini"
    assert loose == 0 if all_moves else loose or spec.startswith(HOARD)


def late(stones: int, seed: int) -> State:
    """A position of tic-tac-toe after so many random moves, not over."""
    rng = rng_for("test-late", seed=seed)
    while True:
        state = load_game(TICTACTOE).new()
        for _ in range(stones):
            if not state.is_over:
                state = state.after(int(rng.choice(state.legal_actions())))
        if not state.is_over:
            return state


def test_a_proof_of_tree_search_is_that_of_minimax() -> None:
    for settings in ({}, {"probe": 2}):
        proven = 0
        for state in (late(3, seed) for seed in range(12)):
            config = MctsConfig(iterations=1_500, **settings)  # type: ignore[arg-type]
            found = mcts.search(state, config=config, rng=Stream(1))
            exact = root_values(state, 9)
            for place in np.flatnonzero(found.proofs):
                plies = told(exact[int(found.actions[place])])[1]
                assert np.sign(found.proofs[place]) == np.sign(plies)
                assert abs(plies) <= abs(found.proofs[place]) <= 9
                proven += 1
        assert proven > 20


def test_where_a_filter_may_leave_moves_out_nothing_is_proven() -> None:
    state = load_game(TICTACTOE).read("XX./OO./...")
    for name, proof in (("none", 1), ("default", 0)):
        found = alphabeta.search(state, config=AlphaBetaConfig(depth=3, filter=name))
        assert (found.value, found.proof) == (1.0, proof)
        assert mcts.search(state, config=MctsConfig(iterations=200, filter=name), rng=Stream(1)).proof == proof


def test_expectimaxs_values_are_exact_or_true_bounds() -> None:
    loose = 0
    for state in random_states(f"{HOARD}:players=2,rounds=2", 8, seed=7):
        world = state.redealt(state.to_move, Stream(1))  # the one world that the search deals
        exact = [plain_expectimax(world.after(a), 1, state.to_move) for a in state.offer()]
        for all_moves in (False, True):
            config = ExpectimaxConfig(depth=2, all_moves=all_moves)
            found = expectimax.search(state, config=config, rng=Stream(1))
            assert found.values[~found.bounds] == pytest.approx(np.array(exact)[~found.bounds], abs=1e-9)
            assert (found.values >= np.array(exact) - 1e-9).all()
            assert not (all_moves and found.bounds.any())
            loose += int((found.values > np.array(exact) + 1e-9).sum())
    assert loose


def test_bounds_that_are_added_up_over_worlds_are_marked() -> None:
    loose = 0
    for state in random_states(f"{HOARD}:players=2,rounds=2", 6, seed=3):
        found, exact = (
            worlds.search(state, config=AlphaBetaConfig(depth=3, worlds=5, exact=is_exact), rng=Stream(9))
            for is_exact in (False, True)
        )
        assert not exact.bounds.any()
        assert (found.values >= exact.values - 1e-8).all()
        assert found.values[~found.bounds] == pytest.approx(exact.values[~found.bounds], abs=1e-8)
        loose += int((found.values > exact.values + 1e-8).sum())
    assert loose


# --- errors


def test_errors_of_playouts_cover_and_shrink() -> None:
    # 40 searches of nine moves: a normal error is beyond two of its sigmas once in 22 times, 16 of 360; 45 is far off.
    state = load_game(TICTACTOE).new()
    exact = np.array([exact_value(move) for move in state.legal_moves()])
    outside = 0
    for seed in range(40):
        small, large = (flat.search(state, config=FlatConfig(playouts=n), rng=Stream(seed)) for n in (100, 400))
        assert (np.abs(small.values - exact) <= 5 * small.errors).all()
        outside += int((np.abs(small.values - exact) > 2 * small.errors).sum())
        assert large.errors / small.errors == pytest.approx(0.5, abs=0.15)
    assert outside < 45


LAST = "lap=1 phase=act mover=2 die=1 table=221 | 5 12 2 | 4 3 - fate=7"  # the last decision of Hoard, rivals unseen


def last_decision() -> tuple[State, np.ndarray]:  # type: ignore[type-arg]
    """The state, and each move's returns over many worlds: with 20,000 the error is under 0.01."""
    state = load_game(f"{HOARD}:players=2,rounds=2").read(LAST)
    rng, totals = Stream(5), np.zeros(len(state.offer()))
    for _ in range(20_000):
        dealt = state.redealt(1, rng)
        totals += [dealt.after(a).settled().returns()[1] for a in state.offer()]
    return state, totals / 20_000


def test_errors_of_trees_and_worlds_cover() -> None:
    state, exact = last_decision()
    for seed in range(12):
        for found in (
            mcts.search(state, config=MctsConfig(iterations=400, fresh_worlds=True), rng=Stream(seed)),
            mcts.search(state, config=MctsConfig(iterations=60, worlds=24, solve=False), rng=Stream(seed)),
            worlds.search(state, config=AlphaBetaConfig(depth=2, worlds=60), rng=Stream(seed)),
        ):
            assert (np.abs(found.values - exact) <= 4.5 * found.errors + 0.02).all()
            assert found.errors.max() < 0.45


def test_the_worlds_of_a_tree_search_are_what_varies() -> None:
    # Many iterations in few worlds say little about other worlds: the error does not fall below theirs.
    state, _ = last_decision()
    few, many = (
        mcts.search(state, config=MctsConfig(iterations=n, worlds=8, solve=False), rng=Stream(2)) for n in (50, 2_000)
    )
    assert many.errors.max() > 0.5 * few.errors.max()
    one = mcts.search(state, config=MctsConfig(iterations=500, worlds=1, solve=False), rng=Stream(2))
    assert np.isnan(one.errors).all()


# --- what is not known is not made up


def test_a_bias_is_no_expected_return() -> None:
    state = Match(f"{HOARD}:players=2", seed=1).state
    found = greedy.search(state, config=greedy.GreedySettings(bias="high", ties="first"), rng=Stream(1))
    hand = state.record.hand[state.to_move]
    assert found.preferences == pytest.approx([hand[a % 2] / 3 for a in state.offer()])
    assert np.isnan(found.values).all()
    assert math.isnan(found.value)


def test_what_was_never_tried_has_no_value() -> None:
    state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
    few = mcts.search(state, config=MctsConfig(iterations=5, solve=False), rng=Stream(1))
    assert (few.visits == 0).sum() == len(few.actions) - 5
    assert np.isnan(few.values[few.visits == 0]).all()
    stopped = alphabeta.search(state, config=AlphaBetaConfig(depth=9), should_stop=lambda: True)
    assert not stopped.visits.any()
    assert math.isnan(stopped.value)
    assert stopped.action in state.offer()
