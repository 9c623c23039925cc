"""PUCT: the compiled loop against a plain second writing, proofs, chance and secrets, seats, threads, kept trees."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from conftest import HOARD
from meeple import Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import Stream
from meeple.core.heuristics import find_heuristic
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.models.evaluation import as_evaluation
from meeple.search import mcts
from meeple.search.tree.settings import MctsConfig
from models import nets
from search.leaks import audit
from search.test_alphabeta import random_states

GAME = load_game("santorini")
CLIMB = find_heuristic(GAME, "EVALUATIONS", "climb")
CONFIG = MctsConfig(is_puct=True, evaluation="climb", iterations=120, c=0.3, solve=False)


@dataclass
class Edge:
    """A move: its prior, its first value and what came of it, as returns of the mover."""

    prior: float
    first: float
    visits: int = 0
    total: float = 0.0
    below: Node | None = None


@dataclass
class Node:
    """A position that was opened."""

    visits: int = 1
    edges: dict[int, Edge] = field(default_factory=dict)


def open_leaf(state: State, sharpness: float) -> tuple[Node, float]:
    """The node of a position, and its value for the mover: the best of the values after its moves."""
    mover, node = state.to_move, Node()
    for action in state.offer():
        after = state.after(action)
        value = after.returns()[mover] if after.is_over else float(CLIMB(after.copy().record, np.int64(mover)))
        node.edges[action] = Edge(math.exp(sharpness * value), value)
    total = sum(edge.prior for edge in node.edges.values())
    for edge in node.edges.values():
        edge.prior /= total
    return node, max(edge.first for edge in node.edges.values())


def plain_puct(start: State, iterations: int, c: float, sharpness: float) -> dict[int, tuple[int, float]]:
    """Visits and summed returns of each move of the root; two seats, no chance."""
    root, _ = open_leaf(start, sharpness)
    for _ in range(iterations - 1):  # the first opened the root
        node, state, path = root, start, list[tuple[int, Edge]]()
        while True:
            if path:
                edge = path[-1][1]
                if state.is_over:
                    value, mover = state.returns()[0], 0
                    break
                if edge.below is None:
                    edge.below, value = open_leaf(state, sharpness)
                    mover = state.to_move
                    break
                node = edge.below
            node.visits += 1
            reach = c * math.sqrt(node.visits)

            def merit(edge: Edge, reach: float = reach) -> float:
                return (edge.first + edge.total + reach * edge.prior) / (1 + edge.visits)

            action = max(node.edges, key=lambda a: merit(node.edges[a]))
            path.append((state.to_move, node.edges[action]))
            node.edges[action].visits += 1
            state = state.after(action)
        for who, edge in path:
            edge.total += value if who == mover else -value
    return {action: (edge.visits, edge.total) for action, edge in root.edges.items()}


def test_the_loop_is_that_of_a_plain_writing() -> None:
    for state in random_states("santorini", 3, seed=8):
        found = mcts.search(state, config=CONFIG, rng=Stream(1))
        wanted = plain_puct(state, CONFIG.iterations, CONFIG.c, CONFIG.sharpness)
        assert dict(zip(found.actions.tolist(), found.visits.tolist(), strict=True)) == {
            action: visits for action, (visits, _) in wanted.items()
        }
        visits, total = wanted[found.action]
        assert found.value == pytest.approx(total / visits)
        assert visits == max(n for n, _ in wanted.values())


def test_a_win_is_proven_and_ends_the_search() -> None:
    # Seat 1 stands on level 2 at C3, and C4 is of level 3.
    state = GAME.read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    found = mcts.search(state, config=replace(CONFIG, solve=True), rng=Stream(1))
    assert state.move_text(found.action).startswith("C3>C4")
    assert found.proof == 1
    assert found.work == 1


def test_a_loss_is_proven_from_below() -> None:
    # Seat 2 steps to level 3 next: at B3, or, if that is built on, at D3. Seat 1 can close only one of the two.
    state = GAME.read("0000000000032300000000000/1/mortal:A1,E1/mortal:C3,A5")
    found = mcts.search(state, config=replace(CONFIG, solve=True, iterations=4_000), rng=Stream(1))
    assert found.proof < 0
    assert found.work < 4_000


def test_the_same_seed_gives_the_same_answer_whatever_was_searched_before() -> None:
    state = random_states("santorini", 1, seed=9)[0]
    first = mcts.search(state, config=CONFIG, rng=Stream(1))
    mcts.search(random_states("santorini", 1, seed=10)[0], config=CONFIG, rng=Stream(1))
    again = mcts.search(state, config=CONFIG, rng=Stream(1))
    assert first.visits.tolist() == again.visits.tolist()


def test_a_full_tree_goes_on_without_growing() -> None:
    state = random_states("santorini", 1, seed=9)[0]
    small = replace(CONFIG, nodes=16, iterations=300)
    found = mcts.search(state, config=small, rng=Stream(1))
    assert found.visits.sum() == 299
    trees = mcts.plant(state, small, Stream(1))
    assert len(trees[0].nodes) <= 16


@pytest.mark.parametrize("parallel", ["root", "tree"])
def test_threads_share_the_work(parallel: str) -> None:
    match = Match(GAME, seed=3)
    agent = load_agent(f"puct:iterations=400,evaluation=climb,threads=2,parallel={parallel}", GAME)
    results = []
    match.play(ask(agent, match, report=results.append))
    match.play(ask(agent, match, report=results.append))
    assert all(result.work >= 400 for result in results)
    assert results[0].visits.sum() >= 398  # each tree's first iteration opens its root


def test_a_tree_is_kept_between_moves() -> None:
    match = Match(GAME, seed=5)
    agent = load_agent("puct:iterations=300,evaluation=climb,reuse=yes", GAME)
    for _ in range(2):
        match.play("C2,C4" if match.ply == 0 else "B3,D3")
    results = []
    match.play(ask(agent, match, report=results.append))
    match.play(ask(load_agent("greedy:evaluation=climb", GAME), match))
    ask(agent, match, report=results.append)
    assert results[1].visits.sum() > 299  # what was known of the position counts


def test_a_policy_leads_to_the_moves_it_likes() -> None:
    evaluation = as_evaluation(GAME, nets.with_policy(GAME))
    assert evaluation.policy is not None
    state = random_states("santorini", 1, seed=12)[0]
    look, liking = evaluation.policy
    (net,) = evaluation.given()
    look(state.copy().record, np.int64(state.to_move), net)
    likings = [float(liking(state.copy().record, action, net)) for action in state.legal_actions()]
    config = replace(CONFIG, evaluation=evaluation, iterations=2, c=5.0)  # type: ignore[arg-type]
    found = mcts.search(state, config=config, rng=Stream(1))
    assert found.action == state.legal_actions()[int(np.argmax(likings))]
    even = mcts.search(state, config=replace(config, priors="even"), rng=Stream(1))
    assert even.visits.sum() == 1
    with pytest.raises(ConfigError, match="give a model that has one"):
        load_agent("puct:prior=policy,evaluation=climb", GAME)


def test_chance_secrets_and_three_seats_are_played_and_nothing_leaks() -> None:
    assert audit("puct:iterations=12", players=3, seed=4) > 5
    with pytest.raises(UnsupportedGameError, match="reuse keeps one tree"):
        load_agent("puct:reuse=yes", load_game(HOARD))


def test_mcts_may_value_its_leaves_in_place_of_playouts() -> None:
    # As many iterations as there are moves: each is tried once, and is worth what the evaluation says after it.
    state = random_states("santorini", 1, seed=13)[0]
    config = MctsConfig(iterations=len(state.legal_actions()), playout="evaluation", evaluation="climb", solve=False)
    found = mcts.search(state, config=config, rng=Stream(1))
    assert (found.visits == 1).all()
    for action, value in zip(found.actions, found.values, strict=True):
        after = state.after(int(action))
        if not after.is_over:
            assert value == pytest.approx(float(CLIMB(after.copy().record, np.int64(state.to_move))))
