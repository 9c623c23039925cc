"""What the reports name: several rollouts a leaf, a tree extended from a leaf, expectimax as a rollout."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import Stream
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search.mcts import MctsConfig, Tree, search
from meeple.search.result import SearchResult
from meeple.search.tree.grow import grow
from meeple.search.tree.knobs import WORLD, knobs_of
from meeple.search.tree.variants import next_move_of
from search.leaks import audit
from search.plain import evaluate
from search.test_alphabeta import random_states
from search.uct import Edge, Node, best_line, uct

# Playouts by a policy that draws no lots, in a world whose dice and cards are known: a leaf has one result.
SURE: dict[str, object] = {"playout": "greedy", "deterministic": True, "solve": False}


def grown(state: State, iterations: int, **settings: object) -> Tree:
    tree = Tree(state, MctsConfig(iterations=iterations, **settings), Stream(1))  # type: ignore[arg-type]
    grow([tree], iterations, lambda: False, 1)
    return tree


def as_plain(tree: Tree, number: int = 0) -> dict[int, tuple[int, float, dict]]:  # type: ignore[type-arg]
    """Every edge of a tree: its visits, its value and what is below."""
    return {
        int(edge["action"]): (int(edge["visits"]), float(edge["value"]), as_plain(tree, int(edge["node"])))
        for edge in tree.edges_of(number)
    }


def told(node: Node) -> dict[int, tuple[int, float, dict]]:  # type: ignore[type-arg]
    """The same of the plain writing."""

    def of(edge: Edge) -> tuple[int, float, dict]:  # type: ignore[type-arg]
        return edge.visits, edge.value, told(edge.below)

    return {action: of(edge) for action, edge in sorted(node.edges.items())}


def greedy(state: State) -> list[float]:
    """The win shares after everyone has played the higher card to the end."""
    while not state.is_over:
        hand = state.record.hand[state.to_move]
        state = state.after(int(hand[1] > hand[0])).settled()
    return list(state.win_shares())


@pytest.fixture(scope="module")
def hoard() -> State:
    return Match(f"{HOARD}:players=2,rounds=3", seed=3).state


# --- several rollouts a leaf


@pytest.mark.parametrize("rollouts", [1, 3])
def test_the_tree_is_that_of_a_plain_writing(hoard: State, rollouts: int) -> None:
    root = Node()
    uct(root, hoard, 300, rng=Stream(1), play=greedy, rollouts=rollouts)
    assert as_plain(grown(hoard, 300, rollouts=rollouts, **SURE)) == told(root)


def test_each_rollout_counts_as_a_visit() -> None:
    state = load_game(TICTACTOE).new()
    config = MctsConfig(iterations=9, rollouts=4, solve=False)
    found = search(state, config=config, rng=Stream(1))
    assert found.work == 9
    assert found.visits.tolist() == [4] * 9
    # Four results of 1, 0 and -1 each: means in quarters, and not all of them those of a single playout.
    assert (found.values * 4 == np.round(found.values * 4)).all()
    assert any(value not in (-1, 0, 1) for value in found.values)


def test_rollouts_teach_habits_each() -> None:
    # Four games of at least five moves an iteration, each of which credits its moves.
    tree = grown(load_game(TICTACTOE).new(), 50, rollouts=4, playout="mast", solve=False)
    table = tree.members[0].habits.table
    assert table[:, :9, 1].sum() >= 4 * 50 * 5
    assert (table[:, :, 0] <= table[:, :, 1]).all()


# --- a tree extended from one of its leaves


def test_an_extended_tree_is_that_of_a_plain_writing(hoard: State) -> None:
    root, rng = Node(), Stream(1)
    uct(root, hoard, 200, rng=rng, play=greedy)
    line = best_line(root)
    uct(root, hoard, 200, rng=rng, play=greedy, line=line)
    tree = grown(hoard, 200, extend=1, **SURE)
    assert tree.begin_at_leaf()
    assert tuple(tree.members[0].line.actions[: len(line)].tolist()) == line
    grow([tree], 200, lambda: False, 1)
    assert as_plain(tree) == told(root)


def test_the_search_extends_as_often_as_it_is_told() -> None:
    state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
    plain, extended = (
        search(state, config=MctsConfig(iterations=150, extend=times, solve=False), rng=Stream(1)) for times in (0, 2)
    )
    best = int(np.argmax(plain.visits))
    more = extended.visits - plain.visits
    assert extended.work == 3 * 150
    assert more[best] == 2 * 150
    assert more.sum() == more[best]
    assert extended.depth > plain.depth


def test_a_line_that_ends_the_game_is_not_extended() -> None:
    won = load_game(TICTACTOE).read("XX./OO./...")
    tree = grown(won, 400, extend=1, solve=False)
    assert won.move_text(int(tree.root_edges["action"][np.argmax(tree.root_edges["visits"])])) == "c3"
    assert not tree.begin_at_leaf()
    assert search(won, config=MctsConfig(iterations=400, extend=1, solve=False), rng=Stream(1)).work == 400


def test_an_extended_tree_is_kept_for_the_next_move() -> None:
    game = load_game("santorini")
    match = Match(game, start=game.read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4"))
    agent = load_agent("mcts:iterations=300,extend=1,reuse=yes,solve=no", game)
    reports: list[SearchResult] = []
    match.play(ask(agent, match, report=reports.append))
    match.play(match.state.read_move(reports[0].line[1]))
    ask(agent, match, report=reports.append)
    assert reports[0].visits.sum() == 600
    assert reports[1].visits.sum() > 600


def test_extend_needs_a_position_to_begin_at() -> None:
    with pytest.raises(UnsupportedGameError, match="extend repeats the iterations from a position"):
        load_agent("mcts:iterations=0,time=1s,extend=1", load_game("santorini"))
    with pytest.raises(UnsupportedGameError, match="and worlds=N where there is chance"):
        load_agent("mcts:extend=1", load_game("azul"))
    with pytest.raises(ConfigError, match="has no setting 'extend'"):
        load_agent("ismcts:extend=1", load_game("santorini"))


# --- expectimax as a rollout


def outcomes_of(state: State) -> set[float]:
    """The returns of seat 1 that playouts by expectimax may come to: each seat plays best by the evaluation."""
    state = state.settled()
    if state.is_over:
        return {state.returns()[0]}
    values = {a: after_move(state, a) for a in state.offer()}
    best = [a for a, value in values.items() if value == max(values.values())]
    return set().union(*(outcomes_of(state.after(a)) for a in best))


def after_move(state: State, action: int) -> float:
    """What the mover makes of a move, one ply deep: the result where the game is over, else the evaluation."""
    mover, state = state.to_move, state.after(action)
    if state.is_over:
        share = state.win_shares()[mover]
        return 2.0 if share == 1 else -2.0 if share == 0 else 2 * share - 1
    return evaluate(state, mover, "default")


def test_playouts_by_expectimax_end_as_by_a_plain_writing() -> None:
    sure = 0
    for state in random_states(f"{HOARD}:players=2,rounds=3", 8, seed=5):
        n = len(state.offer())  # as many iterations: one playout a move
        config = MctsConfig(iterations=n, playout="[expectimax:depth=1]", deterministic=True, solve=False)
        found = search(state, config=config, rng=Stream(1))
        sign = 1 - 2 * state.to_move
        for action, value in zip(found.actions, found.values, strict=True):
            possible = {sign * each for each in outcomes_of(state.after(int(action)))}
            assert value in possible
            sure += len(possible) == 1
    assert sure > 3  # or the lot would decide everywhere


def mean_by_hand(state: State, action: int, depth: int) -> float:
    """Expectimax of so many plies, in Python: what `action` is worth to the mover, all others being against it."""
    mover = state.to_move

    def value(world: State, left: int) -> float:
        if world.is_over:
            share = world.win_shares()[mover]
            return 2.0 if share == 1 else -2.0 if share == 0 else 2 * share - 1
        if left == 0:
            return evaluate(world, mover, "default")
        outcomes = world.outcomes()
        if outcomes:
            total = sum(outcomes.values())
            means = (weight * max(-1.0, min(1.0, value(world.after(code), left))) for code, weight in outcomes.items())
            return sum(means) / total
        values = [value(world.after(a), left - 1) for a in world.offer()]
        return max(values) if world.to_move == mover else min(values)

    return value(state.after(action), depth - 1)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_choice_is_that_of_a_plain_expectimax(depth: int) -> None:
    # Dice and drawn cards come between two moves: their mean counts, whatever the fate at hand would bring.
    for state in random_states(f"{HOARD}:players=2,rounds=2", 6, seed=depth):
        config = MctsConfig(playout=f"[expectimax:depth={depth}]", fresh_worlds=True)
        scratch = Tree(state, config, Stream(1)).members[0]
        scratch.states[WORLD] = state.array[0]
        action = int(next_move_of(state.game, config)(scratch, np.int64(state.to_move), knobs_of(config)))
        values = {a: mean_by_hand(state, a, depth) for a in state.offer()}
        assert values[action] == pytest.approx(max(values.values()), abs=1e-9)


def test_what_is_no_rollout_is_refused() -> None:
    with pytest.raises(ConfigError, match="N from 1 to 4"):
        load_agent("mcts:playout=[expectimax:depth=9]", load_game("santorini"))


@pytest.mark.parametrize(
    "spec",
    [
        "ismcts:iterations=60,rollouts=3",
        "ismcts:iterations=40,playout=[expectimax:depth=1]",
        "mcts:iterations=40,worlds=3,extend=1",
    ],
)
def test_leak_audit(spec: str) -> None:
    assert audit(spec, players=2, seed=13) > 6
