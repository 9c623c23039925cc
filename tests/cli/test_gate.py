"""`meeple gate` as a person types it: exit codes, the sentence at the end, and going on."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import TICTACTOE, Run


def test_the_better_agent_passes_and_the_same_command_goes_on(meeple: Run, tmp_path: Path) -> None:
    words = ["gate", TICTACTOE, "greedy", "random", "--margin", "100", "--store", str(tmp_path / "gate.sqlite")]
    few = meeple(*words, "-n", "4")
    assert few.returncode == 1, few.stderr
    assert few.stdout.splitlines()[-1].startswith("greedy does not pass: 4 games have not decided; ")
    ran = meeple(*words)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].endswith(": greedy against random, at most 4000 games")
    assert lines[1] == "resumed: 4 games were there already"
    assert any(line.startswith("SPRT [0, 100]  LLR +") for line in lines)
    again = next(line for line in lines if line.startswith("again  "))
    assert again.endswith(f"greedy random --cpu 20ms --margin 100 -n 4000 -s 779 --store {tmp_path / 'gate.sqlite'}")
    assert lines[-1].startswith("greedy passes: it is better than random; ")
    # Decided: nothing more is played, and machines are told the same.
    found = json.loads(meeple(*words, "--json").stdout)
    assert (found["passed"], found["decided"], found["stopped"]) == (True, True, False)
    assert found["sentence"] == lines[-1]
    assert found["llr"] >= found["bounds"][1]


def test_an_agent_that_fails_ends_the_match(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from meeple import Agent\n\nclass Mine(Agent):\n    def choose(self, turn): raise RuntimeError('few')\n"
    )
    ran = meeple("gate", TICTACTOE, "./mine.py:Mine", "random", "-n", "20")
    assert ran.returncode == 1
    assert "an agent failed, which ends the match: " in ran.stderr
    assert "raised RuntimeError: few" in ran.stderr
