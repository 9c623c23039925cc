"""Matches against the frozen commit: two processes, moves as text, resumed where they were stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from conftest import ROOT, TICTACTOE

sys.path.insert(0, str(ROOT / "bench"))
import frozen
from frozen import THEN, TODAY, Plan, Played, SideError, read_results, summary

PLAN = Plan("santorini", "first", "first", "", frozen.COMMIT, 1)


def played(seed: int, exchanged: bool, share: float) -> Played:
    return Played(seed, exchanged, {TODAY: share, THEN: 1 - share}, {TODAY: 0.02, THEN: 0.01}, {TODAY: 2, THEN: 1})


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Today's source in the place of the frozen one: a test must run where there is no repository."""
    file = tmp_path_factory.mktemp("archive") / "frozen.tar"
    with tarfile.open(file, "w") as packed:
        packed.add(ROOT / "src", "src", filter=lambda one: None if "__pycache__" in one.name else one)
    return file


def test_matches_are_played_and_gone_on_with(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "bench" / "frozen.py"), TICTACTOE, "first", "--frozen", "random"]
        command += ["--archive", str(archive), "--out", str(out), "--seed", "5", *more]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ)

    ran = run("--games", "4")
    assert ran.returncode == 0, ran.stderr
    whole = out.read_text()
    assert len(whole.splitlines()) == 1 + 4
    assert "pairs 2" in ran.stdout
    # A kill has cut the last line: its game is played again, with the same end, and nothing else.
    out.write_text(whole[:-30])
    ran = run("--games", "4")
    assert ran.returncode == 0, ran.stderr
    before, after = ([json.loads(line) for line in text.splitlines()[1:]] for text in (whole, out.read_text()))
    assert [(game["seed"], game["exchanged"], game["shares"]) for game in after] == [
        (game["seed"], game["exchanged"], game["shares"]) for game in before
    ]
    # Games of other settings are not mixed in.
    ran = run("--games", "4", "--cpu", "1ms")
    assert ran.returncode == 1
    assert "other settings" in ran.stderr


def test_the_score_is_over_whole_pairs() -> None:
    games = [played(1, False, 1.0), played(1, True, 1.0), played(2, False, 0.0), played(2, True, 1.0)]
    text = summary(PLAN, [*games, played(3, False, 0.0)])  # the last has no partner yet
    assert "score  0.750" in text
    assert "pairs 2" in text
    assert "10.0 ms a move today, 10.0 ms frozen" in text


def test_beyond_two_seats_the_score_is_what_ones_seats_have_more() -> None:
    game = Played(1, False, {TODAY: 0.5, THEN: 0.25}, {TODAY: 0.0, THEN: 0.0}, {TODAY: 1, THEN: 1})
    assert game.score == 0.625
    assert played(1, False, 1.0).score == 1.0  # of two seats the win share


def test_results_of_another_plan_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read_results(file, PLAN) == []
    assert read_results(file, PLAN) == []
    with pytest.raises(SideError, match="other settings"):
        read_results(file, Plan("azul", "first", "first", "", frozen.COMMIT, 1))


def test_a_frozen_agent_is_named_for_every_game() -> None:
    from meeple.core.registry import game_names

    assert set(frozen.FROZEN) == set(game_names())
