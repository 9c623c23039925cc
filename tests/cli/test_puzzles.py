"""`meeple puzzles`: finds puzzles in stored matches, keeps them where it is told to, and says what there is."""

from __future__ import annotations

import json
from pathlib import Path

import meeple as library
from conftest import Run
from meeple.analysis.puzzles import read_puzzles
from meeple.core.record import save_record


def test_puzzles_are_mined_from_a_folder_and_told_by_theme(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    match = library.play_match("santorini", ["greedy:evaluation=climb", "random"], seed=1)
    save_record(match.record(["./gone.py:Ada", "random"]), tmp_path / "games" / "a.jsonl")  # whose agent is not loaded
    (tmp_path / "games" / "torn.jsonl").write_text("{")
    mine = ("puzzles", "santorini", "--from", "games", "--effort", "quick", "--out", "found.jsonl")
    ran = meeple(*mine)
    assert ran.returncode == 0, ran.stderr
    assert "torn.jsonl: left out:" in ran.stderr
    found = read_puzzles(tmp_path / "found.jsonl")
    assert found
    assert ran.stdout.startswith(f"{len(found)} puzzle")
    assert found[0].themes[0] in ran.stdout
    assert found[0].source.startswith("a.jsonl, move ")
    again = meeple(*mine, "--json")
    assert "0 new puzzles" in again.stderr
    assert json.loads(again.stdout) == [json.loads(json.dumps(each.as_json())) for each in found]


def test_what_is_wrong_is_one_message(meeple: Run) -> None:
    assert "there is no record, store or folder 'nowhere'" in meeple("puzzles", "azul", "--from", "nowhere").stderr
    assert "did you mean 'azul'" in meeple("puzzles", "azull").stderr
    assert "'hard' is no effort" in meeple("puzzles", "azul", "--effort", "hard").stderr
    assert "cannot be written" in meeple("puzzles", "azul", "--from", ".", "--out", "no/where.jsonl").stderr
