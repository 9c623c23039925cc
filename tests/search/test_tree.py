"""What tree searches may have besides UCT: priors, probes, MAST, implicit minimax, observers, strata, threads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import Stream
from meeple.core.heuristics import find_heuristic
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search.mcts import MctsConfig, Tree, search
from meeple.search.result import SearchResult
from meeple.search.strata import deal_one
from meeple.search.tree.arrays import NODES_USED, ROOT
from meeple.search.tree.grow import grow
from search.leaks import audit
from search.trees.rewrite import tree_of

TREES = sorted((Path(__file__).parent / "trees").glob("*.json"))
REFERENCE = "0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4"
WIN_IN_TWO = "0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5"


def find(state: State, seed: int = 1, **settings: object) -> SearchResult:
    return search(state, config=MctsConfig(**settings), rng=Stream(seed))  # type: ignore[arg-type]


def root_means(state: State, iterations: int, **settings: object) -> list[float]:
    """What the tree makes of the root's moves, with what it takes on trust: the mean worth of each that was tried."""
    tree = Tree(state, MctsConfig(iterations=iterations, **settings), Stream(1))  # type: ignore[arg-type]
    grow([tree], iterations, lambda: False, 1)
    return [float(edge["value"] / edge["visits"]) for edge in tree.root_edges]


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_a_small_whole_tree_is_as_it_was(path: Path) -> None:
    case = json.loads(path.read_text())
    assert case["tree"] == tree_of(case)


@pytest.mark.parametrize(
    "settings",
    [
        {"playout": "mast"},
        {"prior": "evaluation", "prior_visits": 3},
        {"prior": "[minimax:depth=2]", "prior_visits": 3},
        {"implicit": 0.3},
        {"probe": 2},
        {"threads": 2, "parallel": "tree"},
        {"threads": 2, "parallel": "leaf"},
    ],
    ids=str,
)
def test_known_answers_of_tictactoe(settings: dict[str, object]) -> None:
    game = load_game(TICTACTOE)
    for position, answers in [
        ("XX./OO./...", {"c3"}),
        ("X../.O./..X", {"a2", "b1", "b3", "c2"}),
        ("X.O/.../X.O", {"a2"}),
    ]:
        state = game.read(position)
        assert state.move_text(find(state, iterations=3_000, **settings).action) in answers, position


@pytest.mark.parametrize(
    "spec",
    [
        "ismcts:iterations=120,observers=each",
        "ismcts:iterations=120,playout=mast",
        "ismcts:iterations=120,prior=[expectimax:depth=1],prior_visits=4",
        "ismcts:iterations=120,bias=high,prior=bias",
        "mcts:iterations=60,worlds=3,implicit=0.3",
        "ismcts:iterations=120,threads=2,parallel=leaf",
    ],
)
def test_leak_audit(spec: str) -> None:
    assert audit(spec, players=2, seed=13) > 6


# --- priors and probes


def test_a_prior_counts_as_visits() -> None:
    # One iteration a move: each has its own visit and those on trust, at the value of the evaluation.
    state = load_game("santorini").read(REFERENCE)
    n = len(state.legal_actions())
    settings: dict[str, object] = {"prior": "evaluation", "prior_visits": 5, "cutoff": 1, "solve": False}
    found = find(state, iterations=n, **settings)
    assert found.visits.tolist() == [6] * n
    plain = find(state, iterations=n, cutoff=1, solve=False)
    assert not np.allclose(root_means(state, n, **settings), root_means(state, n, cutoff=1, solve=False))
    assert np.isnan(found.errors).all()  # a single sample each: what is taken on trust is none
    assert len(plain.values) == n


def test_a_prior_by_the_evaluation_asks_it() -> None:
    # One iteration a move, and so many visits on trust that the playout does not count beside the evaluation.
    state = load_game("santorini").read(REFERENCE)
    seat, evaluation = state.to_move, find_heuristic(state.game, "EVALUATIONS", "default")
    n = len(state.legal_actions())
    means = root_means(state, n, prior="evaluation", prior_visits=100_000, solve=False)
    values = [float(evaluation(state.after(int(action)).record, seat)) for action in state.legal_actions()]
    assert np.corrcoef(means, values)[0, 1] > 0.99


def test_inflated_starts_are_the_games_bias() -> None:
    # The bias of Hoard is the card's value in thirds: ten visits of it, and one of the playout.
    state = Match(f"{HOARD}:players=2", seed=1).state
    settings: dict[str, object] = {"fresh_worlds": True, "bias": "high", "prior": "bias", "prior_visits": 10}
    hand = state.record.hand[state.to_move]
    found = find(state, iterations=4, **settings)
    for action, value, visits in zip(found.actions, root_means(state, 4, **settings), found.visits, strict=True):
        assert visits == 11
        assert 0 <= value * 11 - 10 * hand[action % 2] / 3 <= 1 + 1e-9


def test_a_minimax_prior_sees_the_reply() -> None:
    # X threatens to win: a move of O that does not block is lost in one, and two plies know it before any playout.
    state = load_game(TICTACTOE).read("XX./O../...")
    block = state.read_move("c3")
    for prior, knows in (("evaluation", False), ("[minimax:depth=1]", True)):
        tree = Tree(state, MctsConfig(iterations=6, prior=prior, prior_visits=100, solve=False), Stream(1))
        grow([tree], 6, lambda: False, 1)
        root = tree.nodes[ROOT]
        edges = tree.arrays.edges[int(root.first) : int(root.first) + int(root.count)]
        values = dict(zip(edges["action"].tolist(), (edges["value"] / edges["visits"]).tolist(), strict=True))
        others = [value for action, value in values.items() if action != block]
        assert (max(others) < 0.1) == knows


def test_probes_prove_sooner() -> None:
    # Of two plies, at the second visit: the tree needs fewer iterations to prove the win.
    state = load_game("santorini").read(WIN_IN_TWO)
    threat = load_game("santorini").read("0000000300002000000000000/1/mortal:A5,A1/mortal:C3,E5")
    assert find(state, iterations=5_000, probe=1).work <= find(state, iterations=5_000).work
    found = find(threat, iterations=2_000, probe=1)
    assert threat.move_text(found.action).endswith("^C4")
    lost = load_game(TICTACTOE).read("X.X/.O./X.O")
    assert find(lost, iterations=5_000, probe=2).work < find(lost, iterations=5_000).work


def test_a_shallow_search_that_is_none_is_refused() -> None:
    game = load_game("santorini")
    with pytest.raises(ConfigError, match=r"'\[minimax\]' is no shallow search: give \[minimax:depth=N\]"):
        load_agent("mcts:prior=[minimax]", game)
    with pytest.raises(ConfigError, match="takes none, bias, evaluation"):
        load_agent("mcts:prior=climb", game)
    with pytest.raises(ConfigError, match="names none; give bias=NAME"):
        load_agent("mcts:prior=bias", game)
    with pytest.raises(ConfigError, match=r"playouts take \[minimax:depth=1\] or \[minimax:depth=2\]"):
        load_agent("mcts:playout=[minimax:depth=3]", game)


# --- what is learnt from other moves


def test_implicit_minimax_backs_up_the_best_reply() -> None:
    # All moves of a node known, an edge's minimax is the opposite of the best reply below it, and so up to the root.
    state = load_game(TICTACTOE).read("X.O/XO./...")
    tree = Tree(state, MctsConfig(iterations=400, implicit=0.5, solve=False), Stream(1))
    grow([tree], 400, lambda: False, 1)

    def best(node: int) -> float:
        here = tree.nodes[node]
        assert here.count == here.offered
        return max(exact(edge) for edge in tree.arrays.edges[int(here.first) : int(here.first) + int(here.count)])

    def exact(edge: np.void) -> float:
        below = tree.nodes[int(edge["node"])]
        if below.offered == 0 or below.count < below.offered:
            return float(edge["minimax"])
        assert edge["minimax"] == 1.0 - best(int(edge["node"]))
        return float(edge["minimax"])

    assert best(ROOT) == 1.0  # X takes a1, a line at once


def test_habits_are_means_of_win_shares() -> None:
    state = load_game(TICTACTOE).new()
    tree = Tree(state, MctsConfig(iterations=500, playout="mast", epsilon=0.2, solve=False), Stream(1))
    grow([tree], 500, lambda: False, 1)
    sums, counts = tree.members[0].habits.table[:, :9, 0], tree.members[0].habits.table[:, :9, 1]
    assert counts.sum() >= 5 * 500  # at least five moves a game
    assert ((sums >= 0) & (sums <= counts)).all()
    means = sums / counts
    assert int(np.argmax(means[0])) == 4  # the centre is the first seat's best habit


# --- observers and strata


def test_each_observer_has_its_own_tree() -> None:
    # The root seat cannot tell which card a rival drops; the rival can, and each sees its own knowledge only.
    state = Match(f"{HOARD}:players=2", seed=3).state
    found = find(state, iterations=600, fresh_worlds=True, observers="each")
    assert found.visits.sum() == 600
    tree = Tree(state, MctsConfig(iterations=600, fresh_worlds=True, observers="each"), Stream(1))
    grow([tree], 600, lambda: False, 1)
    other = 1 - state.to_move
    roots = [tree.nodes[seat] for seat in range(2)]
    codes = [
        set(tree.arrays.edges["action"][int(here.first) : int(here.first) + int(here.count)].tolist()) for here in roots
    ]
    assert codes[state.to_move] == {0, 1, 2, 3}
    assert codes[other] == {0, 1, -3}  # plays are open, a drop is one thing whichever card it was


STRATA = """

STRATA = 3


@kernel
def strata_weights(state, seat, out):
    # By the card in the next seat's first place: as many ways as such cards are unseen.
    rival = (seat + 1) % np.int64(state.seats)
    for value in range(N_VALUES):
        out[value] = in_deck(state, value)
        for other in range(state.seats):
            if other != seat:
                out[value] += np.int64(state.hoard[other, value])
                for place in range(HAND):
                    out[value] += np.int64(state.hand[other, place] == value + 1)
    if state.n_hand[rival] == 0:
        out[0], out[1], out[2] = 1, 0, 0


@kernel
def redeal_stratum(state, seat, stratum, rng):
    rival = (seat + 1) % np.int64(state.seats)
    while True:
        redeal(state, seat, rng)
        if state.n_hand[rival] == 0 or state.hand[rival, 0] == stratum + 1:
            return
"""


def test_strata_are_dealt_in_proportion(tmp_path: Path) -> None:
    folder = tmp_path / "hoard"
    shutil.copytree(HOARD, folder, ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / "rules.py", "a") as file:
        file.write(STRATA)
    state = Match(f"{folder}:players=2", seed=3).state
    weights = state.strata(state.to_move)
    assert sum(weights.values()) == 13  # fifteen cards less one's own two
    tree = Tree(state, MctsConfig(iterations=130, fresh_worlds=True), Stream(1))
    grow([tree], 130, lambda: False, 1)
    dealt = {int(code): int(times) for code, _, times in tree.members[0].dealt}
    # After 130 worlds each class has had its share, to within one.
    assert all(abs(dealt[code] - 10 * weight) <= 1 for code, weight in weights.items())
    for number, code in enumerate(weights):
        world = state.redealt(state.to_move, Stream(number), stratum=code)
        assert world.record.hand[1 - state.to_move, 0] == code + 1
        # Nothing of the class is left after a plain redeal.
        again = world.redealt(state.to_move, Stream(9))
        assert again == state.redealt(state.to_move, Stream(9))
    # A belief weighs the classes otherwise, and leaves some out.
    believed = {code: 3 * number for number, code in enumerate(weights)}
    believed = {code: weight for code, weight in believed.items() if weight}
    tree = Tree(state, MctsConfig(iterations=90, fresh_worlds=True), Stream(1), weights=believed)
    grow([tree], 90, lambda: False, 1)
    total = sum(believed.values())
    dealt = {int(code): int(times) for code, _, times in tree.members[0].dealt}
    assert dealt.keys() == believed.keys()
    assert all(abs(dealt[code] - 90 * weight / total) <= 1 for code, weight in believed.items())
    for number in range(6):
        world = deal_one(state, believed, number, 6, Stream(number))
        assert int(world.record.hand[1 - state.to_move, 0]) - 1 in believed
    assert find(state, iterations=50, worlds=13).visits.sum() == 13 * 50
    assert find(state, iterations=50, fresh_worlds=True, strata=False).visits.sum() == 50


# --- threads


def test_a_leaf_played_out_by_two_counts_twice_and_is_always_the_same() -> None:
    state = load_game(TICTACTOE).new()
    found = [find(state, iterations=400, threads=2, parallel="leaf") for _ in range(3)]
    assert found[0].work == found[0].visits.sum() == 400
    assert found[0].visits.tolist() == found[1].visits.tolist() == found[2].visits.tolist()
    assert set((found[0].visits % 2).tolist()) == {0}


def test_a_shared_tree_loses_no_visit() -> None:
    state = load_game("santorini").read(REFERENCE)
    found = find(state, iterations=6_000, threads=2, parallel="tree", solve=False)
    assert found.work == found.visits.sum()
    assert 6_000 <= found.work <= 6_001
    assert (found.values <= 1).all()


def test_a_shared_tree_credits_the_moves_that_were_made() -> None:
    # An edge inserted by one thread moves others: what a playout is worth still goes to the moves of its own path.
    state = load_game("santorini").read(REFERENCE)
    tree = Tree(state, MctsConfig(iterations=6_000, threads=2, parallel="tree", solve=False), Stream(1))
    grow([tree], 6_000, lambda: False, 2)
    edges = np.concatenate([tree.edges_of(node) for node in range(int(tree.used[NODES_USED]))])
    assert (edges["value"] <= edges["visits"]).all()
    # What was won below a move was lost by the seat that made it: the sums of both add up to the visits.
    for edge in tree.root_edges:
        below = tree.edges_of(int(edge["node"]))
        assert below["visits"].sum() >= edge["visits"] - 2  # its first visit went no deeper
        assert abs(edge["visits"] - edge["value"] - below["value"].sum()) <= 1


def test_a_loss_proven_in_one_of_two_trees_is_a_loss() -> None:
    threat = load_game("santorini").read("0000000300002000000000000/1/mortal:A5,A1/mortal:C3,E5")
    found = find(threat, iterations=400, threads=2, seed=2)
    assert set(found.proofs.tolist()) == {0, -2}


# --- reuse and progress


def test_a_kept_tree_counts_its_work() -> None:
    game = load_game("santorini")
    match = Match(game, start=game.read(REFERENCE))
    agent = load_agent("mcts:iterations=20000,reuse=yes,solve=no", game)
    reports: list[SearchResult] = []
    match.play(ask(agent, match, report=reports.append))
    match.play(ask(load_agent("mcts:iterations=20000", game), match))
    match.play(ask(agent, match, report=reports.append))
    assert reports[0].visits.sum() == 20_000
    assert reports[1].visits.sum() > 20_000  # what was searched below the two moves is there already


def test_a_kept_tree_of_another_match_is_dropped() -> None:
    game = load_game("santorini")
    agent = load_agent("mcts:iterations=500,reuse=yes,solve=no", game)
    one, two = (Match(game, start=game.read(text)) for text in (REFERENCE, REFERENCE.replace("C2", "C1")))
    reports: list[SearchResult] = []
    action = ask(agent, one)
    for match in (two, one):
        # Seat 1 again, with no move made since: the same match goes on from the whole tree, another does not.
        ask(agent, match, report=reports.append)
    assert reports[0].visits.sum() == 500
    assert action in one.state.legal_actions()


def test_reuse_is_refused_where_worlds_differ() -> None:
    with pytest.raises(UnsupportedGameError, match="reuse keeps one tree of a game without secrets"):
        load_agent("mcts:worlds=4,reuse=yes", load_game(f"{HOARD}:players=2"))


def test_progress_is_told_while_it_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.search.mcts.PROGRESS_SECONDS", 0.0)
    state = load_game("santorini").read(REFERENCE)
    told: list[SearchResult] = []
    config = MctsConfig(iterations=2_000, solve=False)
    result = search(state, config=config, rng=Stream(1), on_progress=told.append)
    assert len(told) >= 2
    assert [step.work for step in told] == sorted(step.work for step in told)
    assert told[-1].work == result.work == 2_000
    assert state.read_move(result.line[0]) == result.action
    assert len(result.line) > 1
