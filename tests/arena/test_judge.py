"""`meeple results --worst`: an agent's lost games, analysed; what minimax knows is what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from conftest import TICTACTOE, Run
from meeple import Match
from meeple.analysis.batch import AnalysedMatches
from meeple.analysis.saved import in_store
from meeple.arena.judge import judge_lost_games, lost_games
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey
from meeple.arena.store import Store
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.core.record import parse_record
from meeple.errors import ConfigError
from search.plain import root_values, told

GAMES = 2


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Report, Store]]:
    """A few games that the first agent lost."""
    path = tmp_path_factory.mktemp("lost") / "lost.sqlite"
    tournament = prepare_tournament(str(TICTACTOE), ["first", "alphabeta:depth=9"], games=4, both=True)
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=1)
        yield Report(tournament, outcome.ledger, store), store


@pytest.fixture(scope="module")
def judged(lost: tuple[Report, Store]) -> AnalysedMatches:
    """Two of them, judged."""
    return judge_lost_games(*lost, 0, games=GAMES, effort="quick", trust=True)


def exact_costs(store: Store, key: GameKey, seat: int) -> dict[int, float]:
    """By ply, from the third on, what each move of a seat cost by plain minimax to the end: 0, 1 or 2 returns."""
    match = Match.from_record(parse_record(store.game(key).record or "", key.text()), trust=True)
    costs = {}
    for ply, code in enumerate(step.code for step in match.steps if step.seat is not None):
        before = match.state_at(ply)
        if before.to_move == seat and ply >= 2:
            exact = {action: told(value)[0] for action, value in root_values(before, 9).items()}
            costs[ply] = max(exact.values()) - exact[code]
    return costs


def test_what_minimax_calls_a_fault_is_a_blunder_and_nothing_else_is(
    lost: tuple[Report, Store], judged: AnalysedMatches
) -> None:
    report, store = lost
    faults = 0
    for (key, seat), (name, found) in zip(lost_games(report, store, 0), judged.found, strict=False):
        assert name == f"{store.path}#{key.text()}"
        words = {each.ply: each.word for each in found.decisions if each.is_judged}
        for ply, cost in exact_costs(store, key, seat).items():
            assert words[ply] == ("blunder" if cost else "")
            faults += cost > 0
        assert {each.seat for each in found.decisions if each.is_judged} == {seat}
    assert faults
    assert len(judged.found) == GAMES


def test_judgements_are_kept_beside_the_store_and_found_again(
    lost: tuple[Report, Store], judged: AnalysedMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, store = lost
    files = [in_store(store.path, name.partition("#")[2]) for name, _ in judged.found]
    kept = [path.read_text() for path in files]
    monkeypatch.setattr("meeple.analysis.analyse.judge_decision", None)  # nothing is judged again
    assert judge_lost_games(report, store, 0, games=GAMES, effort="quick", trust=True).mistakes == judged.mistakes
    assert [path.read_text() for path in files] == kept


def test_stopped_it_has_the_games_that_are_done(lost: tuple[Report, Store]) -> None:
    found = judge_lost_games(*lost, 0, judge="mcts", games=GAMES, trust=True, should_stop=lambda: True)
    assert found.found == []


def test_a_judge_must_know_values(lost: tuple[Report, Store]) -> None:
    with pytest.raises(ConfigError, match="does not say what it thinks of moves; give a judge that searches"):
        judge_lost_games(*lost, 0, judge="random", games=1, trust=True)


def test_on_the_command_line(meeple: Run, lost: tuple[Report, Store], judged: AnalysedMatches) -> None:
    words = ("results", str(lost[1].path), "--worst", "--agent", "first", "--lost", str(GAMES), "--effort", "quick")
    assert meeple(*words).returncode != 0  # the game is not installed
    ran = meeple(*words, "--trust")
    assert ran.returncode == 0, ran.stderr
    assert f"moves of first in {GAMES} games it lost, in points of win chance" in ran.stdout
    assert "not calibrated" in ran.stdout
    assert f"see  meeple analyse '{judged.mistakes[0][0]}' --trust" in ran.stdout
    machine = json.loads(meeple(*words, "--trust", "--json").stdout)
    assert [each["match"] for each in machine["matches"]] == [name for name, _ in judged.found]
