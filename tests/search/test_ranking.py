"""`meeple.search`: the moves of a position, ranked in one unit."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import meeple
from conftest import HOARD, ROOT, TICTACTOE
from meeple import Agent, Match, Stream, Turn, load_agent, load_game
from meeple.agents.base import ask
from meeple.agents.ranking import RankedMove, Ranking
from meeple.errors import AgentError, ConfigError, IllegalMoveError
from meeple.search.result import SearchResult


def test_a_won_position_is_ranked_by_what_is_proven() -> None:
    # X to move wins by c1 at once: a3 and b2 are its own.
    state = load_game(TICTACTOE).read("X.O/.X./O..")
    ranking = meeple.search(state, "alphabeta:depth=9")
    assert ranking.best.move == ranking[0].move == "c1"
    assert (ranking.best.value, ranking.best.proof, ranking.best.error) == (1.0, 1, 0.0)
    assert len(ranking) == len(state.legal_actions())
    assert {one.action for one in ranking} == set(state.legal_actions().tolist())
    values = [one.value for one in ranking]
    assert values == sorted(values, reverse=True)
    assert not any(one.is_bound for one in ranking)  # every move has its own value


def test_it_prints_as_a_table() -> None:
    state = load_game(TICTACTOE).read("X.O/.X./O..")
    lines = str(meeple.search(state, "alphabeta:depth=9")).splitlines()
    assert lines[0].startswith(f"seat 1 to move in {state.game.spec}, by alphabeta:depth=9: c1 of 5 moves")
    assert lines[1].split() == ["move", "value", "error", "visits"]
    assert lines[2].split() == ["c1", "+1.000", "0.000", "1", "won", "after", "1", "plies", "at", "the", "latest"]
    assert len(lines) == 7


def test_a_long_table_is_cut() -> None:
    ranking = meeple.search(load_game("santorini").new(), "flat:playouts=1")
    assert len(ranking) > 20
    assert str(ranking).splitlines()[-1] == f"and {len(ranking) - 20} more"
    assert len(ranking.table(most=3).splitlines()) == 6
    assert "never tried" not in ranking.table(most=10_000)


def test_what_is_not_known_comes_last() -> None:
    ranking = meeple.search(load_game("santorini").new(), "mcts:iterations=5")
    assert sum(one.visits for one in ranking) == 5
    untried = [one for one in ranking if one.visits == 0]
    assert list(ranking)[-len(untried) :] == untried
    assert all(math.isnan(one.value) and one.remark == "never tried" for one in untried)


def test_equal_moves_are_ordered_by_their_proofs() -> None:
    from meeple.agents.ranking import _order

    proofs = {1: -4, 2: -2, 3: 0, 4: 5, 5: 3}
    moves = [RankedMove("", action, -1.0 if p < 0 else 1.0, 0.0, 1, p, False) for action, p in proofs.items()]
    assert [one.action for one in sorted(moves, key=lambda one: _order(one, 0))] == [5, 4, 3, 1, 2]


@pytest.mark.parametrize("spec", ["flat:playouts=5", "ismcts:iterations=30", "mcts:worlds=2,iterations=20"])
def test_the_true_world_is_never_looked_at(spec: str) -> None:
    match = Match(f"{HOARD}:players=2", seed=8)
    for _ in range(3):
        match.play(int(match.state.legal_actions()[0]))
    state = match.state
    found = meeple.search(state, spec)
    twins = [state.redealt(state.to_move, Stream(number)) for number in range(5)]
    assert any(twin.to_bytes() != state.to_bytes() for twin in twins)
    for twin in twins:  # worlds that the seat cannot tell from the true one
        assert str(meeple.search(twin, spec)) == str(found)


class Witness(Agent):
    """Keeps what it is handed."""

    def choose(self, turn: Turn) -> int:
        self.turn = turn
        legal = turn.state.legal_actions()
        ones = np.ones(len(legal), dtype=np.int64)
        turn.report(SearchResult.of(0, legal, np.zeros(len(legal)), ones, work=1, seconds=0.0))
        return int(legal[0])


def test_an_agent_is_handed_a_redealt_world_unless_the_world_is_open() -> None:
    match = Match(f"{HOARD}:players=2", seed=8)
    state, witness = match.state, Witness()
    meeple.search(state, witness)
    assert witness.turn.state.to_bytes() != state.to_bytes()
    assert witness.turn.wants_values
    assert not witness.turn.deterministic
    meeple.search(state, witness, deterministic=True)
    assert witness.turn.state.to_bytes() == state.to_bytes()
    assert witness.turn.state.array is not state.array
    assert witness.turn.deterministic


class Huge(Agent):
    """Answers a number that no kernel takes."""

    def choose(self, turn: Turn) -> int:
        return 10**30


def test_a_number_of_any_size_is_refused_in_words() -> None:
    with pytest.raises(AgentError, match=r"answered 10+: action 10+ is not on offer in santorini"):
        ask(Huge(), Match("santorini", seed=7))


def test_of_a_match_it_tells_what_an_agent_there_would_think() -> None:
    match = Match("santorini", seed=7)
    match.play(int(match.state.legal_actions()[3]))
    agent = load_agent("mcts:iterations=100", match.game)
    reports: list[SearchResult] = []
    action = ask(agent, match, report=reports.append, wants_values=True)
    ranking = meeple.search(match, "mcts:iterations=100")
    assert ranking.best.action == action
    assert ranking.result.visits.tolist() == reports[0].visits.tolist()
    assert meeple.search(match, agent, seed=8).result.visits.tolist() != reports[0].visits.tolist()
    assert meeple.search(match, agent, seed=8).result.visits.tolist() == (
        meeple.search(match, agent, seed=8).result.visits.tolist()
    )


def test_the_seed_fixes_the_lots() -> None:
    state = load_game("santorini").new()
    one, other, third = (meeple.search(state, "flat:playouts=2", seed=seed) for seed in (1, 1, 2))
    assert str(one) == str(other) != str(third)
    assert str(meeple.search(state, "flat:playouts=2")) == str(meeple.search(state, "flat:playouts=2", seed=0))


def test_what_cannot_be_ranked_is_refused() -> None:
    game = load_game(TICTACTOE)
    with pytest.raises(IllegalMoveError, match=r"no moves to rank .* the game is over"):
        meeple.search(game.read("XXX/OO./..."), "alphabeta:depth=2")
    with pytest.raises(IllegalMoveError, match="chance is to move"):
        meeple.search(load_game(f"{HOARD}:players=2").new(), "flat:playouts=5")
    with pytest.raises(ConfigError, match="agent 'random' does not search"):
        meeple.search(game.new(), "random")
    with pytest.raises(ConfigError, match="infers from the match so far: give the Match"):
        meeple.search(load_game("santorini").new(), "mcts:reuse=yes")
    with pytest.raises(AgentError, match="does not say how it chooses"):
        meeple.search(game.new(), Agent())
    assert isinstance(meeple.search(Match("santorini"), "mcts:reuse=yes,iterations=20"), Ranking)


@pytest.mark.parametrize("first", ["import meeple", "import meeple.search.mcts", "from meeple.search import mcts"])
def test_the_name_means_the_function_and_the_package_whatever_came_first(first: str) -> None:
    script = f"""{first}
import meeple, meeple.search.alphabeta as alphabeta
assert meeple.search.alphabeta is alphabeta and "search" in meeple.__all__
print(meeple.search(meeple.load_game({TICTACTOE!r}).new(), "alphabeta:depth=1").best.visits)
"""
    path = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=path)
    assert ran.stdout.strip() == "1", ran.stderr
