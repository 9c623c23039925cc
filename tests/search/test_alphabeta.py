"""Alpha-beta: the same value as plain minimax, proofs with their distance, limits, worlds, several seats."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, State, load_agent, load_game
from meeple.core.chance import Stream, rng_for
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search import maxn, tables, worlds
from meeple.search.alphabeta import AlphaBetaConfig, search
from meeple.search.result import SearchResult
from search.leaks import audit
from search.plain import maxn as plain_maxn
from search.plain import root_values, told

WAYS = [
    {"plain": True},
    {"table": False},
    {"ordering": "none"},
    {},
]


def random_states(spec: str, n: int, seed: int = 1) -> list[State]:
    """States at a decision, from random matches."""
    game, states = load_game(spec), []
    rng = rng_for("test-states", seed=seed)
    while len(states) < n:
        match = Match(game, seed=rng.below(10**6))
        plies = 2 + rng.below(30)
        while not match.is_over and match.ply < plies:
            match.play(int(rng.choice(match.state.legal_actions())))
        if not match.is_over:
            states.append(match.state)
    return states


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("evaluation", ["climb", "report"])
def test_value_is_that_of_plain_minimax_in_santorini(way: dict[str, object], evaluation: str) -> None:
    for state, depth in product(random_states("santorini", 6), (1, 2)):
        exact = root_values(state, depth, evaluation)
        found = search(state, config=AlphaBetaConfig(depth=depth, evaluation=evaluation, **way))  # type: ignore[arg-type]
        if found.proof:  # a proof ends the search at the depth that found it
            exact = root_values(state, found.depth, evaluation)
        value, proof = told(max(exact.values()))
        assert (found.value, found.proof) == (pytest.approx(value, abs=1e-8), proof)
        assert exact[found.action] == pytest.approx(max(exact.values()), abs=1e-8)


def test_a_table_that_was_lent_before_is_as_good_as_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LAST", 2)  # the third search empties it
    monkeypatch.setattr(tables, "_spare", {})
    states = random_states("santorini", 4)
    config = AlphaBetaConfig(depth=3, evaluation="climb")

    def told_of(state: State) -> tuple[int, list[float], list[str]]:
        found = search(state, config=config)
        return found.work, found.values.tolist(), found.line

    fresh = []
    for state in states:
        tables._spare.clear()
        fresh.append(told_of(state))
    assert [told_of(state) for state in states for _ in range(2)] == [each for each in fresh for _ in range(2)]
    (spare,) = tables._spare.values()
    assert [table.search for table in spare] == [1]


SELECTIVE = {"reduce": 2, "margin": 0.2, "tempo": 0.1}


def test_what_is_proven_where_late_moves_are_looked_at_less_deep_is_true() -> None:
    # No move is left out, and a value beyond PROOF is made of finished games alone.
    proven = 0
    for state in random_states("santorini", 30, seed=3):
        found = search(state, config=AlphaBetaConfig(depth=4, evaluation="climb", **SELECTIVE))  # type: ignore[arg-type]
        if found.proof and abs(found.proof) <= 3:
            exact = root_values(state, 3, "climb")
            assert (found.proof > 0) == (max(exact.values()) > 5)
            proven += 1
    assert proven >= 3


@pytest.mark.parametrize("setting", [{"reduce": 2}, {"margin": 0.02}])
def test_less_is_looked_at_for_the_same_depth(setting: dict[str, float]) -> None:
    states = random_states("santorini", 6, seed=4)
    plain, other = (
        sum(search(state, config=AlphaBetaConfig(depth=4, evaluation="climb", **more)).work for state in states)  # type: ignore[arg-type]
        for more in ({}, setting)
    )
    assert other < 0.9 * plain


def test_with_a_wide_margin_nothing_is_left_out() -> None:
    for state in random_states("santorini", 4, seed=5):
        plain, wide = (search(state, config=AlphaBetaConfig(depth=3, evaluation="climb", margin=m)) for m in (0.0, 9.0))
        assert (plain.work, plain.values.tolist()) == (wide.work, wide.values.tolist())


def test_the_tempo_is_the_movers_at_the_end_of_a_line() -> None:
    for state in random_states("santorini", 4):
        for depth, sign in ((1, -1), (2, 1)):
            plain = root_values(state, depth, "climb")
            found = search(state, config=AlphaBetaConfig(depth=depth, evaluation="climb", tempo=0.1, all_moves=True))
            for action, value in zip(found.actions, found.values, strict=True):
                if depth == 1 and abs(plain[int(action)]) < 1:
                    before = plain[int(action)]
                    assert value == pytest.approx(before + sign * 0.1 * (1 - before * before))
            if depth == 2 and all(abs(value) < 1 for value in plain.values()):
                best = max(plain.values())
                assert found.value == pytest.approx(best + sign * 0.1 * (1 - best * best))


def test_the_tempo_is_for_two_seats_in_turn() -> None:
    with pytest.raises(ConfigError, match="tempo"):
        load_agent("alphabeta:depth=2,tempo=0.1", load_game(f"{HOARD}:players=3"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_sign_follows_the_mover_where_a_seat_moves_twice(way: dict[str, object], players: int) -> None:
    # One world of Hoard: dice and cards follow the fate; a played card that equals the die moves again.
    moved_twice = 0
    for state in random_states(f"{HOARD}:players={players},rounds=2", 12):
        exact = root_values(state, 6)
        found = search(state, config=AlphaBetaConfig(depth=6, **way))  # type: ignore[arg-type]
        if abs(found.value) < 1:
            assert found.depth == 6
        value, proof = told(max(root_values(state, found.depth).values()))
        # Beyond two seats a loss is none if the others do not join forces.
        assert (found.value, found.proof) == (pytest.approx(value, abs=1e-8), max(0, proof) if players > 2 else proof)
        assert len(exact) == len(found.actions)
        moved_twice += any(state.after(a).settled().to_move == state.to_move for a in state.offer())
    assert moved_twice > 0


def test_tictactoe_is_a_draw() -> None:
    found = search(load_game(TICTACTOE).new(), config=AlphaBetaConfig(depth=9))
    assert found.value == 0
    assert found.depth == 9
    assert len(found.line) == 9


@pytest.mark.parametrize(
    ("position", "best", "distance"),
    [
        ("XX./OO./...", {"c3"}, 1),  # X wins at once
        ("X../.O./..X", None, 0),  # O to move holds the draw only on an edge
        ("X.O/.../X.O", {"a2"}, 1),
        ("X.O/O../..X", {"b2"}, 1),
    ],
)
def test_tictactoe_positions_with_known_answers(position: str, best: set[str] | None, distance: int) -> None:
    state = load_game(TICTACTOE).read(position)
    found = search(state, config=AlphaBetaConfig(depth=9))
    if best is None:
        assert found.value == 0
        assert state.move_text(found.action) in {"a2", "b1", "b3", "c2"}
    else:
        assert state.move_text(found.action) in best
        assert (found.value, found.proof) == (1.0, distance)


def test_a_lost_position_is_proven_with_its_distance() -> None:
    # O to move; X threatens a3-b3-c3 and a3-a2-a1. O can close one, X takes the other: lost in two plies.
    lost = load_game(TICTACTOE).read("X.X/.O./X.O")
    assert lost.to_move == 1
    found = search(lost, config=AlphaBetaConfig(depth=9))
    assert (found.value, found.proof) == (-1.0, -2)
    assert found.depth == 2


def test_santorini_win_in_one_and_defence() -> None:
    game = load_game("santorini")
    win = game.read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    found = search(win, config=AlphaBetaConfig(depth=3))
    assert win.move_text(found.action) == "C3>C4#"
    assert (found.value, found.proof) == (1.0, 1)
    assert found.depth == 1
    # Seat 2 threatens C3>C4; seat 1's worker on B5 can close C4 in time.
    threat = game.read("0000000300002000000000000/1/mortal:A5,A1/mortal:C3,E5")
    found = search(threat, config=AlphaBetaConfig(depth=2))
    assert found.proof == 0
    assert threat.move_text(found.action).endswith("^C4")


def test_search_leaves_the_state_and_two_in_a_row_equal_each_alone() -> None:
    state = random_states("santorini", 1, seed=4)[0]
    before = state.to_bytes()
    config = AlphaBetaConfig(depth=3)
    alone = search(state, config=config)
    search(random_states("santorini", 1, seed=5)[0], config=config)
    again = search(state, config=config)
    assert state.to_bytes() == before
    assert (again.action, again.value, again.work, again.line) == (alone.action, alone.value, alone.work, alone.line)


def test_limits_by_nodes_and_wish() -> None:
    state = random_states("santorini", 1)[0]
    found = search(state, config=AlphaBetaConfig(nodes=5_000, evaluation="climb"))
    assert found.work <= 5_010  # a few that were refused while it unwound
    assert found.action in state.legal_actions()
    again = search(state, config=AlphaBetaConfig(nodes=5_000, evaluation="climb"))
    assert (again.action, again.value) == (found.action, found.value)
    stopped = search(state, config=AlphaBetaConfig(depth=12, evaluation="climb"), should_stop=lambda: True)
    assert stopped.action in state.legal_actions()
    timed = search(state, config=AlphaBetaConfig(time=0.05, evaluation="climb"))
    assert timed.depth >= 1


def test_progress_tells_depth_value_and_line() -> None:
    seen: list[SearchResult] = []
    state = random_states("santorini", 1, seed=2)[0]
    found = search(state, config=AlphaBetaConfig(depth=4), on_progress=seen.append)
    assert [p.depth for p in seen] == list(range(1, found.depth + 1))
    assert seen[-1].line == found.line
    walked = state
    for move in found.line:
        walked = walked.play(move)


def test_worlds_average_exact_values() -> None:
    state = random_states(f"{HOARD}:players=2,rounds=2", 1, seed=3)[0]
    found = worlds.search(state, config=AlphaBetaConfig(depth=3, worlds=5), rng=Stream(9))
    rng, totals = Stream(9), np.zeros(len(found.actions))
    for _ in range(5):
        exact = root_values(state.redealt(state.to_move, rng), 3)
        totals += np.clip(list(exact.values()), -1, 1)
    assert found.values == pytest.approx(totals / 5, abs=1e-8)


def test_a_single_world_is_searched_plainly() -> None:
    for state in random_states(f"{HOARD}:players=2,rounds=2", 6, seed=3):
        found = worlds.search(state, config=AlphaBetaConfig(depth=3, worlds=1), rng=Stream(9))
        exact = root_values(state.redealt(state.to_move, Stream(9)), 3)
        assert found.value == pytest.approx(np.clip(max(exact.values()), -1, 1), abs=1e-8)
        assert exact[found.action] == pytest.approx(max(exact.values()), abs=1e-8)
        assert not found.proofs.any()  # what is proven in one world is not proven


def test_maxn_is_the_plain_one() -> None:
    for state in random_states(f"{HOARD}:players=3,rounds=2", 6, seed=6):
        found = maxn.search(state, config=AlphaBetaConfig(depth=4), rng=Stream(1))
        plain = [plain_maxn(state.after(a), 3)[state.to_move] for a in state.offer()]
        assert found.values == pytest.approx(plain)


def test_maxn_averages_over_worlds() -> None:
    state = random_states(f"{HOARD}:players=3,rounds=2", 1, seed=6)[0]
    found = maxn.search(state, config=AlphaBetaConfig(depth=3, worlds=4), rng=Stream(5))
    rng, totals = Stream(5), np.zeros(len(found.actions))
    for _ in range(4):
        world = state.redealt(state.to_move, rng)
        totals += [plain_maxn(world.after(a), 2)[state.to_move] for a in world.offer()]
    assert found.values == pytest.approx(totals / 4)


def test_round_horizon_stops_at_the_rounds_end() -> None:
    state = Match(f"{HOARD}:players=2,rounds=3", seed=1).state
    deep = search(state, config=AlphaBetaConfig(depth=12))
    short = search(state, config=AlphaBetaConfig(depth=12, horizon="round"))
    assert short.work < deep.work


def test_what_it_cannot_play_is_refused_with_the_way_to_mend_it() -> None:
    game = load_game(f"{HOARD}:players=2")
    with pytest.raises(
        UnsupportedGameError, match=r"minimax cannot play hoard.*give worlds=N, such as minimax:depth=2"
    ):
        load_agent("minimax:depth=2", game)
    with pytest.raises(ConfigError, match="santorini has no evaluation 'climp'; did you mean 'climb'"):
        load_agent("alphabeta:evaluation=climp", load_game("santorini"))


@pytest.mark.parametrize(
    "spec", ["alphabeta:depth=3,worlds=4", "alphabeta:nodes=400,worlds=2", "minimax:depth=2,worlds=3,others=maxn"]
)
def test_leak_audit(spec: str) -> None:
    assert audit(spec, players=3, seed=12) > 6


def test_a_second_process_runs_what_the_first_compiled() -> None:
    script = """
from meeple import load_game
from meeple.core.kernel import compiled_count
from meeple.search.alphabeta import AlphaBetaConfig, search
state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
print(search(state, config=AlphaBetaConfig(depth=3)).work, compiled_count())
"""
    first, second = (subprocess.run([sys.executable, "-c", script], capture_output=True, text=True) for _ in range(2))
    assert first.returncode == second.returncode == 0, second.stderr
    assert second.stdout.split() == [first.stdout.split()[0], "0"]


def test_deeper_is_stronger() -> None:
    # 40 games: even agents would score 29 or more with a probability of 0.003; the report saw 95%.
    from meeple.arena.series import play_series, prepare

    agents = [f"alphabeta:depth={depth},evaluation=climb" for depth in (3, 2)]
    result = play_series(prepare(load_game("santorini"), agents, games=40, seed=1))
    assert result.interval(0).mean >= 0.725
