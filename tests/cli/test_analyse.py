"""`meeple analyse`: records, folders, stores and positions; what is wrong is one message; Ctrl-C keeps the rest."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

import meeple as library
from conftest import HOARD, Run
from meeple.core.record import FORMAT, save_record

QUICK = ("--effort", "quick", "--trust")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match whose agents are not there any more."""
    match = library.play_match(HOARD, ["random", "random"], seed=2)
    path = tmp_path / "game.jsonl"
    save_record(match.record(["./gone.py:Ada", "./gone.py:Bob"]), path)
    return path


def test_a_record_in_tables_boards_json_and_a_page_without_network(meeple: Run, record: Path) -> None:
    ran = meeple("analyse", "game.jsonl", *QUICK, "--boards", "1", "--html", "page.html")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("move ")  # the board of the largest mistake
    assert "start + play + given + luck + blind + unexplained = result" in ran.stdout
    assert (record.parent / "game.analysis.jsonl").is_file()
    machine = json.loads(meeple("analyse", "game.jsonl", *QUICK, "--json").stdout)
    assert library.Analysis.from_json(machine) == library.analyse(record, effort="quick", trust=True)
    page = (record.parent / "page.html").read_text()
    assert not re.search(r'(src|href|srcset)="(?!data:|#)', page)  # nothing is fetched
    assert "<script" not in page
    worst = max(machine["decisions"], key=lambda each: each["loss"])
    assert f'id="move-{worst["ply"]}"' in page
    one = json.loads(meeple("analyse", "game.jsonl", *QUICK, "--seat", "2", "--json").stdout)
    assert {each["seat"] for each in one["decisions"] if each["is_judged"]} == {1}


def test_a_folder_leaves_out_what_is_damaged_and_analyses_to_where_a_record_ends(meeple: Run, record: Path) -> None:
    lines = record.read_text().splitlines(keepends=True)
    whole = next(number for number, line in enumerate(lines) if number > 8 and "move" in line) + 1
    (record.parent / "early.jsonl").write_text("".join(lines[:whole]))
    (record.parent / "later.jsonl").write_text(lines[0].replace('"meeple": 1', '"meeple": 99'))
    (record.parent / "torn.jsonl").write_text(lines[0] + "{\n" + lines[1])
    ran = meeple("analyse", ".", *QUICK)
    assert ran.returncode == 1
    assert "2 matches, in points of win chance" in ran.stdout
    assert "./gone.py:Ada" in ran.stdout
    assert f"this Meeple reads up to {FORMAT}: update it" in ran.stderr
    assert "line 2 of 'torn.jsonl' is damaged" in ran.stderr
    assert "Traceback" not in ran.stderr
    alone = meeple("analyse", "early.jsonl", *QUICK)
    assert alone.returncode == 0, alone.stderr
    assert "not finished: judged as it stood" in alone.stdout
    for name, message in (("later.jsonl", "update it"), ("torn.jsonl", "is damaged")):
        ran = meeple("analyse", name, *QUICK)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert message in ran.stderr


def test_a_store_whole_and_one_game_of_it(meeple: Run, tmp_path: Path) -> None:
    played = meeple("tournament", HOARD, "-p", "random", "greedy", "-n", "2", "--store", "t.sqlite")
    assert played.returncode == 0, played.stderr
    ran = meeple("analyse", "t.sqlite", *QUICK, "--most", "2", "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert {each["name"] for each in found["players"]} == {"random", "greedy"}
    assert sum(each["games"] for each in found["players"]) == 4
    name = found["matches"][0]["match"]
    alone = json.loads(meeple("analyse", name, *QUICK, "--json").stdout)
    assert {"match": name, **alone} == found["matches"][0]
    assert len(list((tmp_path / "t.sqlite.analysis").iterdir())) == 2
    missing = meeple("analyse", "t.sqlite#9+9/9.9", *QUICK)
    assert missing.returncode == 2
    assert "holds no game '9+9/9.9'; games are numbered like" in missing.stderr


def test_a_position(meeple: Run) -> None:
    ran = meeple("analyse", "start", "--game", HOARD, "--effort", "quick")
    assert ran.returncode == 0, ran.stderr
    assert "as seat 1 knows it" in ran.stdout
    assert json.loads(meeple("analyse", "start", "--game", HOARD, "--effort", "quick", "--json").stdout)["seat"] == 0


STOPPED = """
import os, signal, sys
name = sys.argv.pop()
from meeple.analysis import analyse as module
add, count = module.Saved.add, 0
def adding(self, found):
    global count
    add(self, found)
    count += 1
    if count == 3:
        os.kill(os.getpid(), getattr(signal, name))
module.Saved.add = adding
from meeple.cli.main import main
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_ctrl_c_and_a_kill_keep_what_was_judged(meeple: Run, run: Run, record: Path, name: str) -> None:
    words = ("analyse", "game.jsonl", *QUICK, "--threads", "1")
    stopped = run(
        "-c", STOPPED, *words, name, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )
    kept = (record.parent / "game.analysis.jsonl").read_text()
    assert len(kept.splitlines()) >= 4  # the head and three judgements
    if name == "SIGINT":
        assert stopped.returncode == 130
        assert "stopped before the end" in stopped.stdout
        assert "the same command goes on" in stopped.stderr
    else:
        assert stopped.returncode == -signal.SIGKILL
    resumed = meeple(*words, "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert (record.parent / "game.analysis.jsonl").read_text().startswith(kept)
    fresh = library.analyse(record, effort="quick", save=False, trust=True)
    assert library.Analysis.from_json(json.loads(resumed.stdout)) == fresh


def test_calibrate_goes_on_from_its_games(run: Run, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import meeple\n"
        "from meeple.analysis.calibrating import calibrate\n"
        f"game = meeple.load_game({HOARD!r})\n"
        "path, n = Path('games.jsonl'), int(sys.argv[1])\n"
        "print(calibrate(game, path, games=n, work=30))\n"
    )
    for n in (2, 4):
        ran = run("-c", code, str(n))
        assert ran.returncode == 0, ran.stderr
    kept = (tmp_path / "games.jsonl").read_text()
    (tmp_path / "games.jsonl").write_text(kept[: kept.rfind("\n", 0, -1) + 9])  # killed in the middle of a line
    again = run("-c", code, "4")
    assert again.stdout == ran.stdout
    assert (tmp_path / "games.jsonl").read_text() == kept
    assert "games=4" in ran.stdout
