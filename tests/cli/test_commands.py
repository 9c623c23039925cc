"""The command as a person types it: results, help, errors, exit codes; nothing lost, no traceback."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple.core.forfeit import Forfeit
from meeple.core.match import Match

POSITION = "0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["games", "--jsn"], 2, "No such option"),
        (["games", "sagarda"], 2, "did you mean 'sagrada'?"),
        (["dance"], 2, "No such command"),
        (["play", "santorin"], 2, "Error: there is no game 'santorin'; did you mean 'santorini'?"),
        (["play", "santorini", "human", "flatt"], 2, "Error: there is no agent 'flatt'; did you mean 'flat'?"),
        (["play", "santorini", "human"], 2, "Error: santorini wants 2 agents, one a seat, not 1"),
        (["match", "santorini", "flat:playout=3", "random"], 2, "has no setting 'playout'; did you mean 'playouts'?"),
        (["match", "santorini", "flat:playouts=many", "random"], 2, "takes a whole number, not 'many'"),
        (["match", "santorini:supply=none", "first", "random"], 2, "takes unlimited, finite, not 'none'"),
        (["match", "santorini", "random"], 2, "wants 2 agents"),
        (["count", "santorini", "--depth", "-1"], 2, "than or equal to 0"),
        (["count", "santorini", "--depth", "1", "-p", "here"], 2, "is no position of santorini; one reads like"),
        (["check"], 2, "Error: check wants a game"),
        (["check", "./nowhere"], 2, "holds no game.py"),
        (["replay", "nowhere.jsonl"], 1, "'nowhere.jsonl' cannot be read: No such file or directory"),
        (["tournament", "santorini", "-p", "random"], 2, "2 agents sit at a table and 1 is named; name 2 or more"),
        (["tournament", "santorini", "-p", "random", "first", "--sprt", "soon"], 2, "--sprt takes elo0,elo1 or"),
        (["tournament", "santorini", "-p", "random", "first", "--seats", "3"], 2, "is for 2 to 2 players, not 3"),
        (["tournament", "santorini", "-p", "random", "human"], 2, "here agents play by themselves"),
        (["tournament", "santorini", "-p", "random", "first", "-mode", "no.toml"], 2, "'no.toml' cannot be read"),
        (
            ["tournament", "santorini", "-p", "random", "first", "--schedule", "cup"],
            2,
            "a schedule is table, roundrobin",
        ),
        (["analyse"], 2, "analyse wants a record, a store, a folder"),
        (["analyse", "nowhere.jsonl"], 2, "there is no record, store or folder 'nowhere.jsonl'"),
        (["analyse", "nowhere.sqlite#1+2/1.1"], 2, "there is no store 'nowhere.sqlite'"),
        (["analyse", "here", "--game", "santorini"], 2, "is no position of santorini; one reads like"),
        (["results", "nowhere.sqlite"], 2, "there is no store 'nowhere.sqlite'"),
        (["ladder", "santorin"], 2, "did you mean 'santorini'?"),
        (["levels", "santorin"], 2, "did you mean 'santorini'?"),
        (["levels", TICTACTOE, "--fit"], 2, "has no rungs"),
        (["play", "santorini", "--level", "99"], 2, "'Level 99' is no level; they are Level 1, Level 2"),
        (["play", "santorini", "human", "first", "--level", "1"], 2, "leave the agents out"),
        (["bench", "santorni"], 2, "is neither a game nor a kind of work; did you mean 'santorini'?"),
        (["new", "game", "My Game"], 2, "cannot be a name"),
        (["new", "game", "santorini"], 2, "there is a game 'santorini' already"),
        (["stats", "santorini", "--by", "rounds"], 2, "--by takes agent, round, ply, not 'rounds'"),
        (["match", "santorini", "human", "random"], 2, "people play in `meeple play`"),
        (["match", "santorini", "./mine.py", "random"], 2, "such as ./mine.py:Mine, not './mine.py'"),
        (
            ["play", "santorini", "--resume", "x.jsonl"],
            2,
            "--resume goes on with the game, agents and seed of the file",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_message(meeple: Run, words: list[str], code: int, message: str) -> None:
    ran = meeple(*words)
    assert ran.returncode == code, ran.stderr
    assert message in " ".join(ran.stderr.replace("│", " ").split())
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""


def test_a_board_is_printed_where_its_letters_cannot_be(meeple: Run) -> None:
    ran = meeple("play", "santorini", "first", "random", "-s", "1", env={"PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0, ran.stderr
    assert "1 ?      ?" in ran.stdout
    assert "wins after" in ran.stdout


def test_help_names_every_command(meeple: Run) -> None:
    overview = meeple("--help").stdout
    for word in ("tournament", "results", "stats", "ladder", "gate"):
        assert f" {word} " in overview
    for word in ("play", "match", "replay", "games", "agents", "check", "count", "bench", "suite", "calibrate", "new"):
        assert f" {word} " in overview
        assert meeple(word, "--help").returncode == 0
    assert meeple("--version").stdout.startswith("meeple 0.")


def test_a_games_options_in_full(meeple: Run) -> None:
    shown = meeple("games", "sagrada").stdout
    assert "toolbox=all" in shown
    assert "straightedge, grinding, remover, tapwheel" in shown
    assert "light.2, medium.2, deep.2" in shown


def test_games_and_agents_for_machines(meeple: Run) -> None:
    games = json.loads(meeple("games", "--json").stdout)
    assert {"game", "title", "players", "chance", "hidden", "options", "left_out", "verified", "version"} == set(
        games[0]
    )
    agents = {row["agent"]: row for row in json.loads(meeple("agents", "santorini", "--json").stdout)}
    assert set(agents) >= {"random", "first", "human", "flat"}
    meanings = {
        "playouts": "random games for each legal move; 0: as the time allows",
        "time": "thinking time a move; 0s: no limit",
        "cpu": "CPU time of the thinking thread a move; 0s: no limit",
    }
    assert agents["flat"]["settings"] == [
        {"name": name, "default": "200" if name == "playouts" else "0s", "meaning": meaning, "names": []}
        for name, meaning in meanings.items()
    ]


def test_agents_of_a_game_with_the_names_that_it_offers(meeple: Run) -> None:
    agents = {row["agent"]: row for row in json.loads(meeple("agents", "azul", "--json").stdout)}
    settings = {each["name"]: each for each in agents["alphabeta"]["settings"]}
    names = {each["name"]: each["meaning"] for each in settings["evaluation"]["names"]}
    assert list(names) == ["outlook", "paper", "none"]
    assert all(names.values())
    assert [each["name"] for each in settings["horizon"]["names"]] == ["depth", "round"]
    assert settings["depth"]["names"] == []
    # What it does not play without a setting is listed all the same, with the remedy.
    assert "give worlds=N, such as minimax:depth=2,worlds=20" in agents["minimax"]["refuses"]
    assert agents["expectimax"]["refuses"] == agents["flat"]["refuses"] == ""
    table = meeple("agents", "azul").stdout
    assert "the game's evaluation of unfinished positions: outlook (default), paper, none" in table
    assert "Here: alphabeta cannot play azul, which has chance: give worlds=N" in table
    assert re.search(r"^ordering +paper +\w+", table, re.MULTILINE)  # what a name means, once for all settings
    assert re.search(r"^ +\(all\) +as alphabeta$", table, re.MULTILINE)  # minimax


def test_a_model_that_is_the_default_is_listed_with_the_evaluations(meeple: Run) -> None:
    table = meeple("agents", "santorini").stdout
    assert "the game's evaluation: model@summit (default), climb, report, report22, none" in table
    assert re.search(
        r"^evaluation +model@summit +a trained model: cells 1241 > 64 squared > 1 tanh$", table, re.MULTILINE
    )
    assert re.search(r"^ +climb +height", table, re.MULTILINE)


def test_agents_of_no_game_name_only_choices(meeple: Run) -> None:
    agents = {row["agent"]: row for row in json.loads(meeple("agents", "--json").stdout)}
    settings = {each["name"]: each for each in agents["alphabeta"]["settings"]}
    assert settings["evaluation"]["names"] == []
    assert [each["name"] for each in settings["others"]["names"]] == ["paranoid", "maxn"]
    assert not any(row["refuses"] for row in agents.values())


def test_count(meeple: Run) -> None:
    assert meeple("count", "santorini", "--depth", "3").stdout == "4313232\n"
    split = meeple("count", "santorini", "-d", "2", "-p", POSITION, "--split").stdout.splitlines()
    assert len(split) == 69
    assert sum(int(line.split()[-1]) for line in split[:-1]) == int(split[-1]) == 5156
    assert meeple("count", TICTACTOE, "-d", "9", "--distinct").stdout == "5478\n"
    found = json.loads(meeple("count", "santorini", "-d", "1", "--json").stdout)
    assert found["leaves"] == 300


def test_match(meeple: Run) -> None:
    words = ["match", f"{HOARD}:players=3", "first", "random", "flat:playouts=3", "-n", "6", "-s", "5"]
    ran = meeple(*words)
    assert ran.returncode == 0, ran.stderr
    assert "6 games, 1 seeds from 5 with 6 seatings each" in ran.stdout
    assert "again  meeple match" in ran.stdout
    found = json.loads(meeple(*words, "--json").stdout)
    assert found["again"].endswith("-n 6 -s 5")
    assert sum(agent["score"] for agent in found["agents"]) == pytest.approx(1)
    assert found["games"] == 6


def test_bench_rows_and_signature(meeple: Run) -> None:
    rows = json.loads(meeple("bench", TICTACTOE, "playout-games", "--json").stdout)
    assert [set(row) for row in rows] == [{"game", "work", "per_second", "unit"}]
    assert rows[0]["work"] == "playout-games"
    assert rows[0]["per_second"] > 0
    once, again = meeple("bench", TICTACTOE, "--signature").stdout, meeple("bench", TICTACTOE, "--signature").stdout
    assert once == again
    assert int(once) > 0


def test_new_game_is_whole_and_new_agent_plays(meeple: Run, tmp_path: Path) -> None:
    assert meeple("new", "game", "kalah").returncode == 0
    assert meeple("new", "agent", "careful").returncode == 0
    checked = meeple("check", "./kalah", "--matches", "10", "--interpreted")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    played = meeple("match", TICTACTOE, "./careful.py:Careful:tries=3", "random", "-n", "4")
    assert played.returncode == 0, played.stderr
    # Nothing is overwritten.
    (tmp_path / "careful.py").write_text("precious")
    assert meeple("new", "agent", "careful").returncode == 1
    assert (tmp_path / "careful.py").read_text() == "precious"
    assert "exists and is not overwritten" in meeple("new", "game", "kalah").stderr


def test_check_tells_what_is_still_wrong(meeple: Run, tmp_path: Path) -> None:
    meeple("new", "game", "kalah")
    rules = tmp_path / "kalah" / "rules.py"
    whole = rules.read_text()
    for old, new, message in [
        ("def redeal(", "def deal(", "contract: rules.redeal is missing"),
        ('("turn", np.int8)', '("round", np.int8)', "layout: field 'round' is a name of np.record's own"),
        ("import numpy as np", "import nunpy as np", "cannot be loaded: ModuleNotFoundError"),
        (
            "state.stones -= action + 1",
            "state.stones -= acton + 1",
            "name 'acton' is not defined; did you mean 'action'? (rules.py",
        ),
        (
            "if state.stones == 0",
            "if state.stnoes == 0",
            "plays: the match broke off: there is no field 'stnoes'; did you mean 'stones'? (rules.py",
        ),
        ("def score(state, seat)", "def score(state)", "contract: rules.score(state) is called with (state, seat)"),
        ("MAX_ACTIONS = 3", "MAX_ACTION = 3", "contract: rules.MAX_ACTIONS is missing; is it 'MAX_ACTION'?"),
        (
            "state.turn // 2",
            "state.turn / 2",
            "whole: rules.round_index returns 0.0, a float64, where",
        ),
        (
            "        out[i] = i\n    return n",
            "        out[i] = i",
            "rules.legal_actions returns nothing, where a whole number is due",
        ),
        ("SEATS = (2, 2)", "SEATS = (2, 2", "cannot be loaded: SyntaxError"),
    ]:
        assert old in whole
        rules.write_text(whole.replace(old, new, 1))
        ran = meeple("check", "./kalah", "--matches", "2", "--interpreted")
        assert ran.returncode == 1
        assert message in ran.stdout + ran.stderr
        assert "Traceback" not in ran.stderr


def test_check_tells_what_does_not_compile_and_where(meeple: Run, tmp_path: Path) -> None:
    meeple("new", "game", "kalah")
    rules = tmp_path / "kalah" / "rules.py"
    whole = rules.read_text()

    def told(old: str, new: str) -> list[str]:
        """What a check says below its table."""
        assert old in whole
        rules.write_text(whole.replace(old, new, 1))
        ran = meeple("check", "./kalah", "--matches", "1")
        assert ran.returncode == 1, ran.stderr
        return [line for line in ran.stdout.splitlines() if not line.endswith(("holds", "not met", "BROKEN"))][1:-1]

    # As plain Python first: an index that compiled code would follow out of its array, and ten laws with it.
    (message,) = told("range(2):\n        out[seat]", "range(99):\n        out[seat]")
    line = 1 + whole.splitlines().index("    for seat in range(2):") + 1
    assert f"IndexError: index 2 is out of bounds for axis 0 with size 2 (rules.py, line {line}, in ranks)" in message
    # What only Numba refuses breaks many laws and is told once.
    (message,) = told("    return state.turn // 2", "    return {}.get(state.turn, 1)")
    assert message.startswith("whole, read-only, rounds, view, compiled: raised Numba cannot compile this: ")
    assert "(rules.py, line " in message
    assert "in round_index)" in message
    (message,) = told("@kernel\ndef apply", "def apply")
    assert message.startswith("contract: rules.apply is not a @kernel")
    # Rules under work may print.
    rules.write_text(whole.replace("    return state.turn // 2", "    print(1)\n    return state.turn // 2"))
    ran = meeple("check", "./kalah", "--matches", "1")
    assert "all laws hold" in ran.stdout, ran.stdout + ran.stderr


def test_a_match_takes_a_tournaments_flags(meeple: Run) -> None:
    words = ["match", HOARD, "flat:playouts=5", "random", "-n", "6", "-s", "5", "--seats", "3", "first", "-d", "-v"]
    ran = meeple(*words, "--move-time", "5s")
    assert ran.returncode == 0, ran.stderr
    assert len([line for line in ran.stdout.splitlines() if line.startswith("game 1+2+3/1.")]) == 6
    assert "-n 6 -s 5 --seats 3 -d --move-time 5s" in ran.stdout
    refused = meeple("match", "santorini", "first", "random", "--clock", "soon")
    assert refused.returncode == 2
    assert "'soon' is not a time" in refused.stderr
    tested = meeple("match", f"{HOARD}:players=2", "greedy", "random", "--sprt", "0,200", "-n", "400")
    assert "SPRT [0, 200] logistic" in tested.stdout, tested.stderr
    assert "--sprt 0,200" in tested.stdout


def test_an_agent_that_fails_ends_a_series_with_what_was_played(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from meeple import Agent\n\nclass Mine(Agent):\n    def choose(self, turn):\n"
        "        if turn.ply > 4: raise RuntimeError('few')\n        return turn.state.legal_moves()[0]\n"
    )
    ran = meeple("match", TICTACTOE, "./mine.py:Mine", "random", "-n", "20", "--records", "kept")
    assert ran.returncode == 1
    assert "raised RuntimeError: few (mine.py, line 5, in choose) (seed 779, seats " in ran.stderr
    assert "the score counts whole sets only" in ran.stdout
    assert list((tmp_path / "kept").iterdir())
    for answer, shown in (("None", "None"), ("0.9", "0.9"), ("True", "True")):
        (tmp_path / "mine.py").write_text(
            f"from meeple import Agent\n\nclass Mine(Agent):\n    def choose(self, turn):\n        return {answer}\n"
        )
        message = f"answered {shown}; choose must return an action's code or a move's text"
        assert message in meeple("match", TICTACTOE, "./mine.py:Mine", "random", "-n", "2").stderr


def test_an_agents_luck_does_not_depend_on_how_its_file_is_written(meeple: Run, tmp_path: Path) -> None:
    meeple("new", "agent", "careful")
    specs = ["./careful.py:Careful", "careful.py:Careful", f"{tmp_path}/careful.py:Careful"]
    results = [json.loads(meeple("match", TICTACTOE, spec, "random", "-n", "10", "--json").stdout) for spec in specs]
    assert len({str([(a["win"], a["draw"]) for a in result["agents"]]) for result in results}) == 1


# --- levels


def test_levels_are_listed_with_their_strength(meeple: Run) -> None:
    from meeple.agents.levels import opponents_of
    from meeple.core.registry import find_definition

    listed = meeple("levels", "santorini").stdout
    for each in opponents_of(find_definition("santorini")):
        assert each.title in listed
        assert each.sentence in listed
        assert each.spec in listed
    told = json.loads(meeple("levels", "santorini", "--json").stdout)
    assert [row["level"] for row in told] == [f"Level {n}" for n in range(1, len(told) + 1)]
    assert [row["strongest"] for row in told] == [False] * (len(told) - 1) + [True]


def test_a_fit_without_time_says_how_to_go_on_and_writes_nothing(meeple: Run, tmp_path: Path) -> None:
    ran = meeple(
        "levels", "santorini", "--fit", "--jobs", "1", "--minutes", "0.000001", "--folder", str(tmp_path / "f")
    )
    assert ran.returncode == 1, ran.stderr
    assert "the time is over after 0 games; the same command goes on from" in ran.stderr
    assert [path.suffix for path in sorted((tmp_path / "f").iterdir())] == [".jsonl", ".lock"]
    assert "written" not in ran.stdout


def test_the_strongest_alone_is_measured_only_above_levels_that_are_known(meeple: Run, tmp_path: Path) -> None:
    given = ("--jobs", "1", "--minutes", "0.000001", "--folder", str(tmp_path / "f"))
    ran = meeple("levels", "santorini", "--top", *given)
    assert ran.returncode == 1, ran.stderr
    assert "the time is over after 0 games" in ran.stderr
    ran = meeple("levels", "santorini", "--top", "--fit", *given)
    assert ran.returncode == 2
    assert "all measure the strongest too; give one of them" in ran.stderr


def test_play_against_a_level(meeple: Run) -> None:
    ran = meeple("play", "santorini", "--level", "1", "-s", "1", input="quit\n")
    assert ran.returncode == 0, ran.stderr


# --- play


def test_play_undo_hint_save_resume(meeple: Run, tmp_path: Path) -> None:
    lines = ["help", "B3,D3", "moves B3>B4", "hint", "B3>B4^C4", "undo", "redo", "position", "save copy.jsonl", "quit"]
    words = ["play", "santorini", "human", "first", "-s", "1", "--notation"]
    ran = meeple(*words, input="\n".join(lines) + "\n")
    assert ran.returncode == 0, ran.stderr
    for said in ("hint: ", "taken back", "saved to copy.jsonl", "meeple play --resume", "O: A5,B5"):
        assert said in ran.stdout
    saved = next((tmp_path / "data" / "matches").iterdir())
    assert saved.name.startswith("santorini-")
    position = next(line for line in ran.stdout.splitlines() if "/1/mortal:" in line).rpartition(" ")[2]
    ran = meeple("play", "--resume", str(saved), input="position\nundo\nsave copy.jsonl\n")
    assert position in ran.stdout
    assert "'copy.jsonl' exists and is not overwritten" in ran.stdout
    verified = meeple("replay", "--verify", "copy.jsonl", str(saved))
    assert verified.returncode == 0
    assert "2 of 2 replay" in verified.stdout
    shown = meeple("replay", "copy.jsonl", "--ply", "2")
    assert "0000000000000000000000000/1/mortal:B3,D3/" in shown.stdout


def test_moves_are_told_and_typed_in_words(meeple: Run) -> None:
    lines = ["moves F1 blue", "Take 1 blue from display 1 and lay it on line 2", "hint", "moves take 1 blue", "moves"]
    said = meeple("play", "azul", "human", "first", "-s", "1", input="\n".join(lines) + "\n").stdout
    assert "6 moves\nF1 blue 1      take 1 blue from display 1 and lay it on line 1\n" in said
    assert "O takes 1 yellow from the centre with the first-player marker and lays it on line 1" in said
    assert re.search(r"^X to move> hint: take \d .*  \((F\d|centre) .*\)$", said, re.MULTILINE)
    assert "F2 blue 1" in said.partition("hint: ")[2].partition(" moves\n")[2]
    assert "moves; fewer are told in words: moves ce\n" in said


def test_play_to_the_end_and_replay(meeple: Run, tmp_path: Path) -> None:
    ran = meeple("play", TICTACTOE, "first", "first")
    assert ran.returncode == 0, ran.stderr
    assert "X wins after 7 moves." in ran.stdout
    saved = str(next((tmp_path / "data" / "matches").iterdir()))
    resumed = meeple("play", "--resume", saved, "--trust")
    assert resumed.returncode == 2
    assert "is finished" in resumed.stderr
    # A game that is not installed is found again in its folder.
    assert "X wins" in meeple("replay", saved, "--trust").stdout


def test_wrong_input_at_the_board_is_answered(meeple: Run) -> None:
    lines = [
        "B3,B3",
        "castle",
        "",
        "B3,D3",
        "B3>B4",
        "B3>E5^A1",
        "move from b3 to b4",
        "save",
        "save /nowhere/a.jsonl",
    ]
    ran = meeple("play", "santorini", "human", "first", "-s", "1", input="\n".join(lines) + "\n")
    assert ran.returncode == 0, ran.stderr
    for words in (
        "'B3,B3' is not on offer here",
        "'castle' is no move of santorini; a move reads like B3>B4^C4",
        "'B3>B4' could be B3>B4^C5  B3>B4^A4",
        "'B3>E5^A1' is not on offer here",
        "'move from b3 to b4' could be move from B3 to B4 and build level 1 on C5;  ",
        "save wants a file name",
        "'/nowhere/a.jsonl' cannot be written: there is no folder '/nowhere'",
    ):
        assert words in ran.stdout


def test_an_unwritable_data_folder_is_said_before_the_first_move(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = meeple("play", env={"MEEPLE_DATA_DIR": str(tmp_path / "file")})
    assert ran.returncode == 1
    assert "matches cannot be saved in" in ran.stderr
    assert "set MEEPLE_DATA_DIR to another folder" in ran.stderr


def test_two_people_with_secrets_do_not_see_each_others_hands(meeple: Run) -> None:
    ran = meeple("play", f"{HOARD}:players=2", "human", "human", "-s", "3", input="\ndrop 1\n\nplay 1\n\n")
    assert ran.returncode == 0, ran.stderr
    start, first, second, *_ = ran.stdout.split("Press Enter when you alone look at the screen.")
    assert "hand" not in start
    assert "\n" * 50 in first  # the screen is cleared before it is handed over
    assert "X drops a card face down" in second
    own = first.split("X  0 points   hand ")[1][:2]
    assert "?" not in own
    assert "O  0 points   hand ??" in first
    assert "X  0 points   hand ??" in second
    assert "hoard ?" in second


def test_a_match_between_agents_is_shown_open_and_so_is_the_end(meeple: Run) -> None:
    watched = meeple("play", f"{HOARD}:players=2", "first", "first", "-s", "3").stdout
    assert "hand ??" not in watched
    ran = meeple("play", f"{HOARD}:players=2", "human", "first", "-s", "3", input="play 1\n" * 12)
    *before, end = ran.stdout.split("O plays ")
    assert "O  0 points   hand ??" in before[0]
    assert "hoard ?" not in end  # what was dropped face down
    assert " after " in end


def test_undo_is_written_down_and_tells_nobody_twice(meeple: Run, tmp_path: Path) -> None:
    lines = ["undo", "B3,D3", "undo", "redo", "quit"]
    ran = meeple("play", "santorini", "human", "first", "-s", "1", input="\n".join(lines) + "\n")
    assert "there is nothing to take back yet" in ran.stdout
    assert ran.stdout.count("O places the workers on A5 and B5") == 2  # its move, and again after the redo
    saved = next((tmp_path / "data" / "matches").iterdir()).read_text()
    moves = [json.loads(line) for line in saved.splitlines()[1:]]
    assert [next(iter({"move", "undo"} & set(line))) for line in moves] == ["move", "move", "undo", "move", "move"]
    assert moves[2] == {"undo": 2}


def test_a_match_is_not_resumed_twice_at_once(meeple: Run, tmp_path: Path) -> None:
    from meeple.core.record import RecordWriter, load_record

    meeple("play", "santorini", "human", "first", "-s", "1", input="B3,D3\n")
    saved = next((tmp_path / "data" / "matches").iterdir())
    writer = RecordWriter(saved, load_record(saved), resume=True)
    assert "is being written by another process" in meeple("play", "--resume", str(saved)).stderr
    writer.close()
    assert meeple("play", "--resume", str(saved), input="").returncode == 0
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_people_undo_each_others_slips(meeple: Run) -> None:
    ran = meeple("play", "santorini", "human", "human", input="B3,D3\nundo\nA1,A2\nposition\n")
    assert "/2/mortal:A2,A1/mortal" in ran.stdout
    assert "X places the workers on A2 and A1\n" in ran.stdout


def test_a_damaged_record_is_not_resumed_and_not_touched(meeple: Run, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_text('{"meeple": 1, "game": "santorini"}\n')
    ran = meeple("play", "--resume", str(path))
    assert ran.returncode == 1
    assert "is damaged" in ran.stderr
    assert path.read_text() == '{"meeple": 1, "game": "santorini"}\n'
    path.write_text(json.dumps({"meeple": 99}) + "\n")
    assert "update" in meeple("replay", str(path)).stderr
    assert "0 of 1 replay" in meeple("replay", "--verify", str(path)).stdout


def test_a_forfeit_replays_and_is_told(meeple: Run, tmp_path: Path) -> None:
    path, match = tmp_path / "resigned.jsonl", Match("santorini", seed=1)
    match.play("B3,D3")
    path.write_text(match.record(["human", "human"], forfeit=Forfeit(1, "seat 2 resigned")).text())
    assert "seat 2 resigned: X wins" in meeple("replay", str(path)).stdout
    assert "replays, 1 moves, ended by a forfeit" in meeple("replay", "--verify", str(path)).stdout


def test_ctrl_c_leaves_a_saved_match_and_a_clean_prompt(tmp_path: Path) -> None:
    """On a real terminal: a move, then Ctrl-C at the prompt."""
    control, terminal = pty.openpty()
    environment = os.environ | {"MEEPLE_DATA_DIR": str(tmp_path / "data"), "COLUMNS": "100"}
    words = [sys.executable, "-m", "meeple", "play", "santorini", "human", "first", "-s", "1"]
    process = subprocess.Popen(
        words,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        # A shell's background jobs ignore Ctrl-C, and what they start inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    seen = read_until(control, "to move>")
    os.write(control, b"B3,D3\n")
    seen += read_until(control, "to move>")
    # A signal that comes between the prompt and the wait for a key is only heard with the next one.
    while process.poll() is None and not select.select([control], [], [], 2)[0]:
        process.send_signal(signal.SIGINT)
    seen += read_until(control, "--resume")
    assert process.wait(timeout=60) == 0
    assert "Traceback" not in seen
    record = next((tmp_path / "data" / "matches").iterdir()).read_text()
    assert '"move": "B3,D3"' in record


def read_until(control: int, words: str) -> str:
    """What the terminal shows, up to and with these words."""
    seen = ""
    while words not in seen and select.select([control], [], [], 120)[0]:
        try:
            seen += os.read(control, 4096).decode(errors="replace")
        except OSError:  # the other side is closed
            break
    assert words in seen, seen
    return seen


# --- readers that leave --------------------------------------------------------------------------------


def test_a_reader_who_leaves_ends_the_command_quietly() -> None:
    command = [sys.executable, "-m", "meeple", "games"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    assert (process.wait(), said) == (1, "")


def test_no_reader_elsewhere_ends_the_process() -> None:
    """A browser that leaves, or a worker that dies, must be an error of one write, never the end of a server."""
    code = """
import signal, sys
from meeple.cli.main import main
sys.argv = ["meeple", "--version"]
try:
    main()
except SystemExit:
    print(signal.getsignal(signal.SIGPIPE).name)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "SIG_IGN"
