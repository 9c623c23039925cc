"""Monte Carlo tree search: known answers, exact values it must approach, proofs, full trees, worlds, no leaks."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.core.chance import Stream
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search.mcts import MctsConfig, Tree, search
from meeple.search.tree.arrays import EDGES_USED, NODES_USED, ROOT
from meeple.search.tree.grow import grow
from search.leaks import audit

AGENTS = [
    "mcts:iterations=60,worlds=3",
    "mcts:iterations=60,worlds=2,expand=all,final=secure",
    "ismcts:iterations=150",
    "ismcts:iterations=150,expand=all,first_play=1,final=robust-max",
    "ismcts:iterations=100,threads=2,widening=1",
]


def find(state: State, seed: int = 1, **settings: object):  # type: ignore[no-untyped-def]
    return search(state, config=MctsConfig(**settings), rng=Stream(seed))  # type: ignore[arg-type]


@pytest.mark.parametrize("final", ["robust", "max", "robust-max", "secure"])
@pytest.mark.parametrize("expand", ["one", "all"])
def test_known_answers_of_tictactoe(final: str, expand: str) -> None:
    game = load_game(TICTACTOE)
    for position, answers in [
        ("XX./OO./...", {"c3"}),
        ("X../.O./..X", {"a2", "b1", "b3", "c2"}),
        ("X.O/.../X.O", {"a2"}),
    ]:
        state = game.read(position)
        found = find(state, iterations=3_000, final=final, expand=expand)
        assert state.move_text(found.action) in answers, position


def test_a_proven_root_ends_the_search() -> None:
    state = load_game("santorini").read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    found = find(state, iterations=50_000)
    assert state.move_text(found.action) == "C3>C4#"
    assert found.work < 1_000
    assert find(state, iterations=500, solve=False).work == 500


def test_proven_losses_are_avoided() -> None:
    # Every move of O that leaves b3 and a2 open loses; O is lost anyway, and both seats' proofs say so.
    lost = load_game(TICTACTOE).read("X.X/.O./X.O")
    assert lost.to_move == 1
    found = find(lost, iterations=5_000)
    assert found.work < 5_000
    # Seat 1 must close C4, or seat 2 steps up: whatever else was visited, the answer is a defence.
    threat = load_game("santorini").read("0000000300002000000000000/1/mortal:A5,A1/mortal:C3,E5")
    for seed in range(5):
        assert threat.move_text(find(threat, iterations=3_000, seed=seed).action).endswith("^C4")


def test_uct_on_a_bandit_finds_the_best_arm() -> None:
    # One move before the end, each move's value is exact: the last card of Hoard decides.
    game = load_game(f"{HOARD}:players=2,rounds=2")
    state = game.read("lap=1 phase=act mover=2 die=1 table=332 | 5 12 2 | 4 3 - fate=7")
    found = find(state, iterations=2_000, worlds=1, solve=False)
    assert found.visits.sum() == 2_000
    assert found.visits[np.argmax(found.values)] == found.visits.max()


def exact_expectation(state: State, seat: int) -> float:
    """The win share of `seat` when it plays best knowing all cards but not the dice and draws, and the other too."""
    if state.is_over:
        return state.win_shares()[seat]
    outcomes = state.outcomes()
    if outcomes:
        total = sum(outcomes.values())
        return sum(weight / total * exact_expectation(state.after(code), seat) for code, weight in outcomes.items())
    values = [exact_expectation(state.after(a), seat) for a in state.offer()]
    return max(values) if state.to_move == seat else min(values)


def test_open_loop_approaches_the_expectation_over_dice() -> None:
    # The template game of `meeple new game`: a die before each move, nothing hidden. With few stones left the
    # exact value is known; 20,000 iterations come within 0.06 of it (UCT's bias falls like log n / n).
    import shutil
    import tempfile
    from pathlib import Path

    folder = Path(tempfile.mkdtemp()) / "pile"
    folder.mkdir()
    source = Path(sys.modules["meeple"].__file__ or "").parent / "cli" / "templates" / "game"
    for file in source.glob("*.txt"):
        text = file.read_text().replace("NAME", "pile").replace("TITLE", "Pile")
        (folder / file.name.removesuffix(".txt")).write_text(text)
    game = load_game(str(folder))
    for stones, die in ((4, 1), (5, 2), (6, 1)):
        state = game.read(f"{stones} stones, seat 1, die {die}, turn 0 fate=3")
        exact = {a: exact_expectation(state.after(a), 0) for a in state.offer()}
        found = find(state, iterations=20_000, c=0.7)
        assert exact[found.action] == pytest.approx(max(exact.values()))
        assert found.value == pytest.approx(2 * max(exact.values()) - 1, abs=0.06)
    shutil.rmtree(folder.parent)


def test_ismcts_approaches_the_value_of_the_information_set() -> None:
    # The last decision of Hoard, seat 2 with one card against unseen ones: the exact value of each move is the
    # mean over all that seat 1 may hold and hoard, by hand: enumerate the redeals' distribution.
    game = load_game(f"{HOARD}:players=2,rounds=2")
    state = game.read("lap=1 phase=act mover=2 die=1 table=221 | 5 12 2 | 4 3 - fate=7")
    samples = 4_000
    rng, totals = Stream(5), np.zeros(2)
    for _ in range(samples):
        world = state.redealt(1, rng)
        totals += [world.after(a).settled().returns()[1] for a in state.offer()]
    found = find(state, iterations=8_000, fresh_worlds=True, c=0.7)
    # Both are means of a few thousand independent returns in [-1, 1]: six standard errors are under 0.12.
    best = int(np.argmax(found.visits))
    assert found.values[best] == pytest.approx(totals[best] / samples, abs=0.12)


def test_search_leaves_the_state_and_two_in_a_row_equal_each_alone() -> None:
    match = Match(f"{HOARD}:players=3", seed=3)
    before = match.state.to_bytes()
    alone = find(match.state, iterations=500, fresh_worlds=True)
    find(match.state, iterations=300, fresh_worlds=True, seed=9)
    again = find(match.state, iterations=500, fresh_worlds=True)
    assert match.state.to_bytes() == before
    assert again.visits.tolist() == alone.visits.tolist()
    assert again.values.tolist() == alone.values.tolist()


def test_slices_and_threads_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from meeple.search.tree import tree

    state = load_game(TICTACTOE).new()
    whole = find(state, iterations=900)
    monkeypatch.setattr(tree, "SLICE_SECONDS", 1e-9)  # one iteration a slice
    assert find(state, iterations=900).visits.tolist() == whole.visits.tolist()
    two = [find(state, iterations=900, threads=2).visits.tolist() for _ in range(3)]
    assert two[0] == two[1] == two[2]
    assert sum(two[0]) == 900


def test_all_worlds_have_a_like_share_when_the_time_is_up() -> None:
    # Stopped after 60 looks at the clock, no world has had many more slices than another.
    state = Match(f"{HOARD}:players=2", seed=3).state
    looks = iter(range(60))
    trees: list[Tree] = []

    class Watched(Tree):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[arg-type]
            trees.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("meeple.search.mcts.Tree", Watched)
        patch.setattr("meeple.search.tree.tree.SLICE_SECONDS", 1e-9)
        config = MctsConfig(iterations=0, time=60.0, worlds=6)
        search(state, config=config, rng=Stream(1), should_stop=lambda: next(looks, None) is None)
    shares = [tree.done for tree in trees]
    assert len(shares) == 6
    assert max(shares) - min(shares) <= 1
    assert min(shares) > 16


def test_a_full_tree_degrades_and_does_not_die() -> None:
    state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
    found = find(state, iterations=3_000, nodes=100)
    assert found.work == 3_000
    assert found.visits.sum() > 2_000
    assert found.action in state.legal_actions()


def test_a_node_keeps_only_what_was_visited() -> None:
    state = load_game("santorini").new()  # 300 placements
    tree = Tree(state, MctsConfig(iterations=50), Stream(1))
    tree.target = 50
    while not tree.is_done:
        tree.grow_a_slice()
    assert int(tree.nodes[ROOT].count) == 50
    assert tree.used[NODES_USED] <= 52
    assert tree.used[EDGES_USED] <= 128
    narrow = find(state, iterations=400, widening=1.0)
    assert (narrow.visits > 0).sum() <= 20


def test_a_small_tree_is_what_the_textbook_says() -> None:
    # Nine moves, nine iterations: each child once. The tenth goes to the best mean (all exploration terms alike).
    state = load_game(TICTACTOE).new()
    nine = find(state, iterations=9, solve=False)
    ten = find(state, iterations=10, solve=False)
    assert nine.visits.tolist() == [1] * 9
    extra = int(np.argmax(ten.visits - nine.visits))
    assert nine.values[extra] == nine.values.max()


def test_first_play_value_lets_a_good_move_be_tried_again() -> None:
    state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
    all_first = find(state, iterations=68, solve=False)
    assert (all_first.visits == 1).all()
    greedy = find(state, iterations=68, first_play=0.9, c=0.1, solve=False)
    assert greedy.visits.max() > 1


@pytest.mark.parametrize("plies", [1, 2])
def test_guided_playouts_take_wins_and_leave_none(plies: int) -> None:
    # With one ply, a playout from here ends at once: whoever moves takes the win.
    state = load_game(TICTACTOE).read("XX./OO./...")
    found = find(state, iterations=5, playout=f"[minimax:depth={plies}]", solve=False)  # one playout a move
    values = dict(zip([state.move_text(a) for a in found.actions], found.values, strict=True))
    assert values["c3"] == 1.0
    assert all(value == -1.0 for move, value in values.items() if move not in ("c3", "c2"))
    # With two plies a playout also blocks: from a single threat the game is not lost at once.
    threat = load_game(TICTACTOE).read("XX./O../...")
    found = find(threat, iterations=400, playout=f"[minimax:depth={plies}]", solve=False)
    assert threat.move_text(found.action) == "c3"


def test_a_policy_and_a_bias_of_the_games_are_followed() -> None:
    state = Match(f"{HOARD}:players=2", seed=1).state
    plain = find(state, iterations=300, fresh_worlds=True)
    for settings in ({"playout": "greedy"}, {"bias": "high"}, {"cutoff": 1, "evaluation": "points"}):
        found = find(state, iterations=300, fresh_worlds=True, **settings)
        assert found.visits.sum() == 300
        assert found.values.tolist() != plain.values.tolist()


def tree_means(state: State, settings: dict[str, object]) -> dict[int, float]:
    """What the tree itself makes of the root's moves, by the measure that steers it."""
    tree = Tree(state, MctsConfig(**settings), Stream(1))  # type: ignore[arg-type]
    grow([tree], int(str(settings["iterations"])), lambda: False, 1)
    return {int(edge["action"]): float(edge["value"] / edge["visits"]) for edge in tree.root_edges}


def test_margin_reward_is_the_thesiss() -> None:
    # One move before the end, no hoard to surprise: the value of a move is (1 + thresholds of 5 passed) / 5 of a win.
    game = load_game(f"{HOARD}:players=2,rounds=2")
    state = game.read("lap=1 phase=act mover=2 die=1 table=332 | 1 12 - | 9 3 - fate=7")
    settings: dict[str, object] = {"iterations": 40, "worlds": 1, "reward": "margin", "solve": False}
    for action, mean in tree_means(state, settings).items():
        end = state.after(int(action)).settled()
        lead = end.score(1) - end.score(0)
        assert end.is_over
        assert lead >= 5
        assert mean == pytest.approx((1 + min(4, lead // 5)) / 5)
    assert find(state, **settings).values.tolist() == [1.0] * len(state.offer())  # all win, by whatever lead


def test_a_reward_by_bias_is_in_proportion_to_it() -> None:
    # The same position: every move wins, so a move's mean is its bias, the value of its card over 3.
    game = load_game(f"{HOARD}:players=2,rounds=2")
    state = game.read("lap=1 phase=act mover=2 die=1 table=332 | 1 12 - | 9 32 - fate=7")
    settings: dict[str, object] = {
        "iterations": 60, "worlds": 1, "reward": "bias", "bias": "high", "solve": False,
    }  # fmt: skip
    for action, mean in tree_means(state, settings).items():
        assert mean == pytest.approx((1.0, 2 / 3)[action % 2])
    assert find(state, **settings).values.tolist() == [1.0] * len(state.offer())
    with pytest.raises(ConfigError, match="weighs rewards by a bias: give bias=NAME"):
        load_agent("ismcts:reward=bias", game)


def test_what_it_cannot_play_is_refused_with_the_way_to_mend_it() -> None:
    with pytest.raises(UnsupportedGameError, match="give worlds=N, such as mcts:worlds=20, or try ismcts"):
        load_agent("mcts", load_game(f"{HOARD}:players=2"))
    with pytest.raises(ConfigError, match="has no playout 'clever'"):
        load_agent("mcts:playout=clever", load_game("santorini"))
    with pytest.raises(ConfigError, match="takes robust, max, wins, robust-max, secure, not 'best'"):
        load_agent("mcts:final=best", load_game("santorini"))


@pytest.mark.parametrize("spec", AGENTS)
def test_leak_audit(spec: str) -> None:
    assert audit(spec, players=3, seed=13) > 6


def test_mcts_beats_random() -> None:
    from meeple.arena.series import play_series, prepare

    result = play_series(prepare(load_game("santorini"), ["mcts:iterations=400", "random"], games=20, seed=1))
    assert result.interval(0).mean >= 0.95


@pytest.mark.long
def test_mcts_beats_random_in_99_of_100() -> None:
    from meeple.arena.series import play_series, prepare

    result = play_series(prepare(load_game("santorini"), ["mcts:iterations=2000", "random"], games=100, seed=1))
    assert result.outcomes[0]["win"] >= 99


def test_a_second_process_runs_what_the_first_compiled() -> None:
    script = """
from meeple import load_game
from meeple.core.chance import Stream
from meeple.core.kernel import compiled_count
from meeple.search.mcts import MctsConfig, search
state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
print(search(state, config=MctsConfig(iterations=500), rng=Stream(1)).action, compiled_count())
"""
    first, second = (subprocess.run([sys.executable, "-c", script], capture_output=True, text=True) for _ in range(2))
    assert first.returncode == second.returncode == 0, second.stderr
    assert second.stdout.split() == [first.stdout.split()[0], "0"]
