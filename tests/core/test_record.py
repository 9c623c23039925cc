"""Records: a killed writer leaves all but half a line, and damage is named by its line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import HOARD
from meeple import Match, play_match
from meeple.core.record import FORMAT, Record, RecordWriter, load_record, parse_record, save_record
from meeple.errors import RecordError, SaveError


@pytest.fixture
def record() -> Record:
    played = play_match(f"{HOARD}:players=2", ["random", "random"], seed=4).record(["random", "random"])
    return parse_record(played.text())  # with times as a file keeps them


def test_every_cut_of_a_record_is_readable(record: Record) -> None:
    text = record.text()
    first = text.index("\n") + 1
    for cut in range(first, len(text) + 1):
        found = parse_record(text[:cut])
        whole = text[:cut].count("\n") - 1
        assert len(found.events) == min(whole, len(record.events))


def test_a_record_replays_to_the_end(record: Record) -> None:
    match = Match.from_record(parse_record(record.text()), trust=True)
    assert match.is_over
    assert record.result is not None
    assert match.state.ranks() == record.result["ranks"]


def test_a_killed_process_leaves_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "killed.jsonl"
    script = f"""
import os, signal
from pathlib import Path
from meeple.core.record import Event, Record, RecordWriter
writer = RecordWriter(Path({str(path)!r}), Record("santorini", 1, 7, agents=["a", "b"]))
writer.add(Event("B3,D3", 0).line())
writer.add(Event("C2,C4", 1).line())
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", script])
    assert killed.returncode == -signal.SIGKILL
    assert Match.from_record(load_record(path), trust=True).ply == 2


def test_undone_events_are_gone(record: Record) -> None:
    lines = record.text().splitlines()[:-1]
    text = "\n".join([*lines, json.dumps({"undo": 3})]) + "\n"
    assert parse_record(text).events == record.events[:-3]
    with pytest.raises(RecordError, match="takes back 999 of"):
        parse_record("\n".join([*lines, json.dumps({"undo": 999})]) + "\n")


def test_a_resumed_writer_drops_half_a_line(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "half.jsonl"
    record.result = None
    path.write_text(record.text() + '{"seat": 0, "mo')
    writer = RecordWriter(path, record, resume=True)
    writer.add({"undo": 1})
    writer.close()
    assert load_record(path).events == record.events[:-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("hello\n", "line 1 .* is not JSON"),
        ("[1]\n", "expected an object"),
        ("{}\n", 'no "meeple" version'),
        (json.dumps({"meeple": FORMAT + 1}) + "\n", f"format {FORMAT + 1}; this Meeple reads up to {FORMAT}: update"),
        (json.dumps({"meeple": 1, "game": 3}) + "\n", "first line .* is damaged"),
    ],
)
def test_what_is_no_record_is_named(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse_record(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 3 .* is damaged"),
        ('{"move": 3, "seat": 0}', "line 3 .* is damaged: 'move' is 3"),
        ('{"move": "play 1"}', "line 3 .* is damaged: it has no 'seat'"),
        ('{"dance": 1}', "line 3 .* is none of move, chance, undo and result"),
    ],
)
def test_damage_in_the_middle_is_named_by_its_line(record: Record, line: str, message: str) -> None:
    lines = record.text().splitlines()
    with pytest.raises(RecordError, match=message):
        parse_record("\n".join([*lines[:2], line, *lines[3:]]) + "\n")


def test_nothing_is_overwritten(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("precious")
    with pytest.raises(SaveError, match="exists and is not overwritten"):
        save_record(record, path)
    assert path.read_text() == "precious"
    with pytest.raises(SaveError, match="cannot be written"):
        save_record(record, tmp_path / "missing" / "match.jsonl")


def test_comments_are_read_back_and_damaged_ones_told(record: Record) -> None:
    record.comments = {0: "Begin here.", 7: 'Two\nlines, "quoted"'}
    text = record.text()
    assert parse_record(text).comments == record.comments
    assert "comments" not in Record("santorini", 1, 0).header()
    for damaged in ({"-1": "no"}, {"x": "no"}, {"1": 2}, {str(number): "" for number in range(1_001)}):
        header = json.loads(text.splitlines()[0]) | {"comments": damaged}
        with pytest.raises(RecordError, match=r"first line of 'it' is damaged: (a comment is|it has 1001 comments)"):
            parse_record(json.dumps(header) + "\n", "it")
