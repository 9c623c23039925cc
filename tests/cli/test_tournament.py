"""`meeple tournament`, `results` and `ladder` as a person types them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

from conftest import HOARD, Run


def test_a_tournament_from_its_first_game_to_the_ladder(meeple: Run, tmp_path: Path) -> None:
    mode = tmp_path / "mode.toml"
    mode.write_text('rounds = "2"\nhoard = "double"\n')
    words = ["tournament", str(HOARD), "-p", "greedy", "random", "-n", "5", "-b", "--seats", "2", "-mode", str(mode)]
    ran = meeple(*words, "-v", "-csv", str(tmp_path / "csv"), "--store", str(tmp_path / "t.sqlite"))
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].endswith("one table, 6 games: seeds 779 to 781 with 2 seatings each")
    assert "hoard:players=2,rounds=2,hoard=double" in lines[0]
    assert sum(line.startswith("game 1+2/") for line in lines) == 6
    assert any(line.startswith("again  meeple tournament") and "-p greedy random" in line for line in lines)
    assert "pairs" in lines[-1]
    assert sorted(path.name for path in (tmp_path / "csv").iterdir()) == ["agents.csv", "games.csv"]
    again = meeple(*words, "--store", str(tmp_path / "t.sqlite"), "--json")
    found = json.loads(again.stdout)
    assert (found["games"], found["agents"][0]["agent"]) == (6, "greedy")
    shown = meeple("results", str(tmp_path / "t.sqlite"), "--trust")
    assert lines[-1] in shown.stdout
    replayed = meeple("replay", str(tmp_path / "t.sqlite"), "--game", "1+2/2.1", "--trust")
    assert "seed 780, greedy, random" in replayed.stdout
    wrong = meeple("replay", str(tmp_path / "t.sqlite"), "--game", "9")
    assert wrong.returncode == 2
    assert "games are numbered like 1+2/1.1" in wrong.stderr
    clash = meeple(*words[:7], "--seats", "3", "-mode", str(mode))
    assert clash.returncode == 2
    rated = meeple("ladder", f"{HOARD}:players=2,rounds=2,hoard=double", "--store", str(tmp_path / "t.sqlite"))
    assert "6 games; 0 is the mean of all" in rated.stdout
    fresh = meeple(*words, "--store", str(tmp_path / "t.sqlite"), "--fresh")
    assert "resumed" not in fresh.stdout


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "stopped.sqlite"
    words = ["tournament", "santorini", "-p", "mcts:iterations=60", "random", "-n", "400", "--store", str(store)]
    command = [sys.executable, "-m", "meeple", *words, "--workers", "1"]
    process = subprocess.Popen(
        [*command, "-v"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("game 1+2/3."):
            process.send_signal(signal.SIGINT)
            break
    rest, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "stopped: " in rest
    assert "Traceback" not in errors
    fewer = [word if word != "400" else "8" for word in command]
    again = subprocess.run(fewer, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert "resumed: " in again.stdout
    assert "games  8 counted" in again.stdout
