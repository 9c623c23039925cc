"""The measure: the sum is exact, the same on any number of threads, and kept beside its record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import meeple
from conftest import HOARD, TICTACTOE
from meeple.core.record import save_record


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_sum_is_exact_for_every_seat_and_the_same_on_two_threads(seats: int) -> None:
    match = meeple.play_match(f"{HOARD}:players={seats}", ["random"] * seats, seed=2)
    one = meeple.analyse(match, effort="quick", threads=1)
    assert one.is_complete
    assert one == meeple.analyse(match, effort="quick", threads=2)
    rows = zip(one.start, one.play, one.luck, one.blind, one.unexplained, one.result, strict=True)
    for start, play, luck, blind, unexplained, result in rows:
        assert start + play + luck + blind + unexplained == pytest.approx(result, abs=1e-12)
    assert one.result == tuple(match.state.win_shares())
    assert all(each.loss >= 0 for each in one.decisions)
    assert meeple.Analysis.from_json(json.loads(json.dumps(one.as_json()))) == one


def test_a_loss_does_not_know_what_its_mover_could_not() -> None:
    match = meeple.play_match(HOARD, ["random", "random"], seed=3)
    ply = next(ply for ply in range(match.ply) if len(match.state_at(ply).legal_actions()) > 1)
    state = match.state_at(ply)
    other = state.redealt(state.to_move, meeple.Stream(9))
    assert other != state
    here, there = (meeple.analyse_position(each, effort="quick") for each in (state, other))
    assert here.moves == there.moves
    assert here.chances == there.chances


def test_a_saved_analysis_with_proofs_is_resumed_and_loads_no_agent(tmp_path: Path) -> None:
    match = meeple.Match(TICTACTOE)
    for move in range(5):  # by code: the first five moves on offer, whatever they are
        match.play(int(match.state.legal_actions()[move % 2]))
    path = tmp_path / "game.jsonl"
    save_record(match.record(["./nowhere.py:Nobody", "random"]), path)  # which is never loaded
    found = meeple.analyse(path, effort="quick", trust=True)
    assert not found.is_finished or match.is_over
    proven = [each for each in found.decisions if each.proof]
    assert proven
    assert (tmp_path / "game.analysis.jsonl").is_file()
    before = (tmp_path / "game.analysis.jsonl").read_text()
    assert meeple.analyse(path, effort="quick", trust=True) == found
    assert (tmp_path / "game.analysis.jsonl").read_text() == before
