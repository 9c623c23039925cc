"""What a shell completes, and the script that teaches it to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Run

# The shell is the one that is named, not the one that this process was started from.
NAMED = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}


def completed(meeple: Run, words: str, **variables: str) -> list[str]:
    """What bash would be told for these words, of which the last is being typed."""
    typed = {"_MEEPLE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = meeple(env=os.environ | typed | variables)
    assert "Usage" not in ran.stdout
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("meeple rep", ["replay", "reproduce"]),
        ("meeple match san", ["santorini"]),
        ("meeple levels sab", ["saboteur", "saboteur-duel"]),
        ("meeple match azul gr", ["greedy"]),
        ("meeple match azul greedy ra", ["random"]),
        ("meeple tournament azul -p mc", ["mcts"]),
        ("meeple gate santorini greedy minim", ["minimax"]),
        ("meeple match nowhere gr", ["greedy"]),
        ("meeple match azul nobody", []),
    ],
)
def test_a_shell_completes_commands_games_and_agents(meeple: Run, words: str, expected: list[str]) -> None:
    assert completed(meeple, words) == expected


def test_a_games_own_agents_are_completed_for_it_alone(meeple: Run) -> None:
    assert "paper-minimax" in completed(meeple, "meeple match santorini paper-")
    assert completed(meeple, "meeple match saboteur-duel paper-mi") == []


def test_completing_runs_no_code_of_a_folder(meeple: Run, tmp_path: Path) -> None:
    game = tmp_path / "trap"
    game.mkdir()
    (game / "__init__.py").touch()
    (game / "game.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n")
    assert completed(meeple, "meeple match ./trap gr") == ["greedy"]
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_the_script_for_each_shell_is_shown(meeple: Run, shell: str) -> None:
    ran = meeple("--show-completion", shell, env=NAMED)
    assert ran.returncode == 0, ran.stderr
    assert "_MEEPLE_COMPLETE" in ran.stdout


def test_bash_completes_by_the_script_that_is_shown(meeple: Run, tmp_path: Path) -> None:
    script = meeple("--show-completion", "bash", env=NAMED).stdout
    program = tmp_path / "meeple"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m meeple "$@"\n')
    program.chmod(0o755)
    press = f"COMP_WORDS=(meeple match sant); COMP_CWORD=2; _meeple_completion {program}"
    show = 'echo "${COMPREPLY[@]}"; complete -p meeple'
    ran = subprocess.run(["bash", "-c", f"{script}\n{press}\n{show}"], capture_output=True, text=True)
    assert ran.stdout.splitlines() == ["santorini", "complete -o default -F _meeple_completion meeple"], ran.stderr
