"""`meeple results --worst`: what a move cost by a judge's word, in one unit for all judges, and never by a bound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import TICTACTOE
from meeple import Match
from meeple.arena.judge import Loss, judge_moves, lost_games
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey
from meeple.arena.store import Store
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.cli.results import _cost
from meeple.core.record import parse_record
from meeple.errors import ConfigError
from search.plain import root_values, told

JUDGE = """
import numpy as np
from meeple import Agent
from meeple.search.result import SearchResult

class Judge(Agent):
    "Knows of the last move that it wins, and of the others that they are worth a half at most."

    def choose(self, turn):
        assert turn.wants_values
        actions = turn.state.legal_actions()
        n = len(actions)
        values, bounds = np.full(n, 0.5), np.arange(n) < n - 1
        values[-1] = 1.0
        turn.report(SearchResult.of(n - 1, actions, values, np.ones(n, dtype=int), work=n, seconds=0.1, bounds=bounds))
        return int(actions[-1])
"""


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Report, Store]]:
    """A few games that the first agent lost."""
    path = tmp_path_factory.mktemp("lost") / "lost.sqlite"
    tournament = prepare_tournament(str(TICTACTOE), ["first", "alphabeta:depth=9"], games=4, both=True)
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=1)
        yield Report(tournament, outcome.ledger, store), store


def exact_costs(report: Report, store: Store, games: int) -> dict[tuple[GameKey, int], float]:
    """What each of the first agent's moves cost, by plain minimax to the end; those that cost nothing are left out."""
    costs = {}
    for key, seat in list(lost_games(report, store, 0))[:games]:
        match = Match.from_record(parse_record(store.game(key).record or "", key.text()), trust=True)
        codes = [step.code for step in match.steps if step.seat is not None]
        for ply, code in enumerate(codes):
            before = match.branch(ply)
            if before.to_move == seat and ply >= 2:
                exact = {action: told(value)[0] for action, value in root_values(before.state, 9).items()}
                if max(exact.values()) > exact[code]:
                    costs[key, ply] = max(exact.values()) - exact[code]
    return costs


def by_place(losses: list[Loss]) -> dict[tuple[GameKey, int], float]:
    return {(loss.game, loss.ply): loss.cost for loss in losses if loss.ply >= 2}


def test_a_move_costs_what_minimax_says_and_not_what_a_bound_leaves(lost: tuple[Report, Store]) -> None:
    # Alpha-beta as it plays bounds the worse moves, here by the best one's own value: they would seem to cost nothing.
    report, store = lost
    losses = judge_moves(report, store, 0, judge="alphabeta:depth=9", games=2, trust=True)
    costs = exact_costs(report, store, 2)
    assert costs
    assert by_place(losses) == costs
    assert set(costs.values()) <= {1.0, 2.0}
    assert not any(loss.is_least for loss in losses)
    assert _cost(losses[0]) == f"{losses[0].cost:.3f}"


def test_a_judge_that_samples_says_the_same_within_its_errors(lost: tuple[Report, Store]) -> None:
    report, store = lost
    losses = judge_moves(report, store, 0, judge="mcts:iterations=4000", games=2, trust=True)
    judged = {(loss.game, loss.ply): loss for loss in losses}
    for place, cost in exact_costs(report, store, 2).items():
        assert 0 < judged[place].cost <= 2
        assert judged[place].error < 0.2
        assert judged[place].cost == pytest.approx(cost, abs=0.6)  # UCT tries bad replies too: a bias, not noise
        assert " +- " in _cost(judged[place])


def test_what_a_judge_only_bounds_cost_at_least_so_much(lost: tuple[Report, Store], tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(JUDGE)
    losses = judge_moves(*lost, 0, judge=f"{tmp_path / 'judge.py'}:Judge", games=1, trust=True)
    assert losses
    assert all((loss.cost, loss.value, loss.is_least) == (0.5, 1.0, True) for loss in losses)
    assert _cost(losses[0]) == "at least 0.500"


def test_a_judge_must_know_values(lost: tuple[Report, Store]) -> None:
    with pytest.raises(ConfigError, match="does not say what it thinks of moves; give a judge that searches"):
        judge_moves(*lost, 0, judge="random", games=1, trust=True)
