"""What people type and files hold: nothing raises a raw Python error, whatever stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import HOARD, Run
from meeple.agents.registry import load_agent
from meeple.arena.series import prepare
from meeple.arena.tournament import prepare_tournament
from meeple.core.match import Match
from meeple.core.modes import read_mode
from meeple.core.record import Record, RecordWriter, load_record, parse_record
from meeple.core.registry import load_game, load_recorded
from meeple.core.spec import parse_time
from meeple.errors import ConfigError, MeepleError, RecordError, SaveError

MANY = "9" * 5_000
LONG = "a" * 300


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (f"azul:players={MANY}", "is not a number of players"),
        ("azul:players=²", "players=² of azul is not a number of players"),
        ("azul:players=-2", "players=-2 of azul is not a number of players"),
        (f"sagrada:points=light.{MANY}", "takes a whole number from 0 to 20"),
        ("sagrada:points=light.²", "takes a whole number from 0 to 20"),
        (f"sagrada:tools={MANY}", "option 'tools' takes"),
        (LONG, "there is no game 'aaaa"),
        (f"./{LONG}", "holds no game.py"),
        ("./nul\0byte", "holds no game.py"),
    ],
)
def test_a_wrong_game_is_told_in_words(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        load_game(spec)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random:seed=--5", "takes a whole number, not '--5'"),
        ("random:seed=²", "takes a whole number, not '²'"),
        (f"random:seed={MANY}", "takes a whole number, not '999"),
        (f"mcts:iterations={MANY}", "takes a whole number, not '999"),
        ("mcts:iterations=99999999999999999999", "takes a whole number, not"),
        ("mcts:c=nan", "takes a number, not 'nan'"),
        (f"mcts:time={MANY}s", "is not a time"),
        (LONG, "there is no agent 'aaaa"),
        (f"./{LONG}.py:Mine", "there is no file './aaaa"),
    ],
)
def test_a_wrong_agent_is_told_in_words(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        load_agent(spec)
    assert len(str(caught.value)) < 600


def test_a_seed_may_be_any_number_of_64_bits() -> None:
    assert load_agent("random:seed=-5").spec == "random:seed=-5"
    assert load_agent(f"random:seed={2**63 - 1}").spec == f"random:seed={2**63 - 1}"
    with pytest.raises(ConfigError, match="is not a time"):
        parse_time("٣s")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[" * 100_000, "line 1 of 'record' is damaged"),
        ('{"meeple": ' + "[" * 100_000, "line 1 of 'record' is damaged"),
        ('{"meeple": true}', "is not a record of a match"),
        ('{"meeple": ' + "9" * 4_000 + "}", "a record of format 999"),
        ('{"meeple": 1, "game": 7}', "'game' is 7"),
    ],
)
def test_a_damaged_head_is_a_record_error(line: str, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        parse_record(line + "\n")
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"seat": 0, "move": "play 1", "seconds": NaN}', "'seconds' is nan"),
        ('{"seat": 0, "move": "play 1", "seconds": -1}', "'seconds' is -1"),
        ('{"seat": 0, "move": "play 1", "seconds": 1e999}', "'seconds' is inf"),
        ('{"chance": ' + "[" * 100_000, "is damaged"),
        ('{"undo": ' + "9" * 4_000 + "}", "takes back 999"),
        ('{"' + "x" * 9_000 + '": 1}', "is none of move, chance, undo and result"),
    ],
)
def test_a_damaged_line_is_a_record_error(line: str, message: str) -> None:
    head = Record("santorini", 1, 1).text()
    with pytest.raises(RecordError, match=message) as caught:
        parse_record(head + line + "\n")
    assert len(str(caught.value)) < 600


def test_a_records_game_and_start_are_refused_in_words() -> None:
    for record in (
        Record(f"{LONG}", 1, 1, folder=f"/{LONG}"),
        Record("azul:players=" + MANY, 1, 1),
        Record("santorini", 1, 1, start="9" * 50_000),
    ):
        with pytest.raises(MeepleError) as caught:
            Match.from_record(record)
        assert len(str(caught.value)) < 600
    with pytest.raises(ConfigError, match="there is no game"):
        load_recorded(LONG, f"/{LONG}")


def test_files_of_names_that_no_system_has(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        load_record(tmp_path / LONG)
    with pytest.raises(SaveError, match="cannot be written"):
        RecordWriter(tmp_path / LONG / "match.jsonl", Record("santorini", 1, 1))
    with pytest.raises(SaveError, match="cannot be written"):
        RecordWriter(tmp_path / f"{LONG}.jsonl", Record("santorini", 1, 1))


@pytest.mark.parametrize("name", ["deep.json", "deep.toml"])
def test_a_mode_file_nested_too_deep_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(("" if name.endswith("json") else "a = ") + "[" * 50_000)
    with pytest.raises(ConfigError, match="is no"):
        read_mode(tmp_path / name)


def test_a_file_of_weights_nested_too_deep_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 50_000)
    for name in ("deep.json", LONG):
        with pytest.raises(ConfigError, match=r"the weights in '.*' cannot be read") as caught:
            load_agent(f"greedy:evaluation=thesis@{tmp_path / name}", load_game("sagrada"))
        assert len(str(caught.value)) < 600


@pytest.mark.parametrize("seed", [2**63 - 1, 2**63, -(2**63) - 1, 10**30])
def test_seeds_that_no_store_can_hold_are_refused(seed: int) -> None:
    for plan in (
        lambda seed: prepare_tournament("santorini", ["random", "first"], games=2, seed=seed),
        lambda seed: prepare(load_game("santorini"), ["random", "first"], games=2, seed=seed),
    ):
        with pytest.raises(ConfigError, match="is outside"):
            plan(seed)
        assert plan(2**63 - 3).seed == 2**63 - 3


@pytest.mark.parametrize(
    "words",
    [
        ("count", LONG, "--depth", "1"),
        ("match", "santorini", f"./{LONG}.py:Mine", "random"),
        ("replay", LONG),
        ("results", LONG),
        ("new", "game", LONG),
        ("new", "agent", LONG),
        ("check", f"{HOARD}:players={MANY}"),
        ("match", "santorini", "random", "first", "-n", "2", "--openings", "/bin/sh"),
        ("tournament", "santorini", "-p", "random", "first", "-n", "2", "--move-time", "0s"),
        ("tournament", "santorini", "-p", "random", "first", "-n", "2", "-s", MANY[:30]),
    ],
)
def test_commands_tell_it_in_one_line(words: tuple[str, ...], meeple: Run) -> None:
    ran = meeple(*words)
    assert ran.returncode in (1, 2)
    assert ran.stderr.startswith("Error: ")
    assert "Traceback" not in ran.stderr
    assert "MEEPLE_TRACEBACK" not in ran.stderr
    assert len(ran.stderr) < 700
