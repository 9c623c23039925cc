"""Specs: what they may look like, and what is said of those that are wrong."""

from __future__ import annotations

import pytest

from meeple.core.spec import format_time, parse_spec, parse_time
from meeple.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("random", "random", {}),
        ("mcts:iterations=500,c=0.4", "mcts", {"iterations": "500", "c": "0.4"}),
        ("mcts:playout=[minimax:depth=1,worlds=2],c=1", "mcts", {"playout": "[minimax:depth=1,worlds=2]", "c": "1"}),
        ('engine:command="./run --fast, please"', "engine", {"command": "./run --fast, please"}),
        ("./mine.py:Agent", "./mine.py:Agent", {}),
        ("./mine.py:Agent:depth=2", "./mine.py:Agent", {"depth": "2"}),
        ("../games/kalah:pits=6", "../games/kalah", {"pits": "6"}),
    ],
)
def test_spec_is_read_and_written_again(text: str, name: str, settings: dict[str, str]) -> None:
    spec = parse_spec(text)
    assert (spec.name, spec.settings) == (name, settings)
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names nothing"),
        (":a=1", "names nothing"),
        ("mcts:iterations", "is not key=value"),
        ("mcts:a=1,", "is not key=value"),
        ("mcts:a=1,a=2", "stands twice"),
        ("mcts:a=[b", "a bracket that is not closed"),
        ("mcts:a=b]", "a bracket that is not closed"),
        ('mcts:a="b', "a quote that is not closed"),
    ],
)
def test_wrong_spec_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_spec(text)


@pytest.mark.parametrize(("text", "seconds"), [("300ms", 0.3), ("2s", 2), ("1.5m", 90), ("1h", 3600)])
def test_times_have_units(text: str, seconds: float) -> None:
    assert parse_time(text) == pytest.approx(seconds)
    assert parse_time(format_time(seconds)) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["300", "ms", "-1s", "2 hours"])
def test_a_time_without_unit_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="a number and its unit"):
        parse_time(text)
