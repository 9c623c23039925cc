"""bench/analysis.py: the figures by hand, and a run that is killed goes on where it was."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import HOARD, ROOT
from meeple.core.registry import game_names, load_game

FILE = ROOT / "bench" / "analysis.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("analysis_figures", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["analysis_figures"] = module  # its dataclasses look their annotations up there
    spec.loader.exec_module(module)
    return module


def test_overlap_is_both_of_either(script: ModuleType) -> None:
    # Match 1: moves 3 and 7 against 3 and 9; match 2: 3 alone, which is another move than match 1's.
    pairs = [([[3, 0.2], [7, 0.06]], [[3, 0.11], [9, 0.05]]), ([[3, 0.3]], [])]
    assert script.overlap(pairs, 0.05) == (1, 4)
    assert script.overlap(pairs, 0.10) == (1, 2)
    assert script.overlap([([], [])], 0.05) == (0, 0)


def test_mean_luck_in_units_of_its_error(script: ModuleType) -> None:
    mean, error, away = script.luck_in_errors([0.1, 0.3, 0.2, 0.2])
    assert mean == pytest.approx(0.2)
    assert error == pytest.approx((0.02 / 3) ** 0.5 / 2)
    assert away == pytest.approx(mean / error)


def test_the_weaker_loses_more_than_the_mean_of_the_others(script: ModuleType) -> None:
    def line(number: int, lost: list[float]) -> dict[str, Any]:
        return {"number": number, "runs": {"normal": {"lost": lost}}}

    assert script.loses_more(line(0, [0.5, 0.1]))
    assert not script.loses_more(line(1, [0.5, 0.1]))
    assert script.loses_more(line(4, [0.1, 0.4, 0.6]))  # the seat in the middle, 0.4 against 0.35
    assert not script.loses_more(line(2, [0.2, 0.2, 0.2]))


@pytest.mark.parametrize("name", game_names())
def test_levels_three_steps_apart_play_without_a_clock(script: ModuleType, name: str) -> None:
    game = load_game(name)
    assert all("time" not in each for each in script.pair_of_levels(game))
    seats = [script.weaker_seat("unequal", number, game.seats) for number in range(2 * game.seats)]
    assert seats == [*range(game.seats)] * 2
    for number, seat in enumerate(seats):
        assert script.players(game, "unequal", number)[seat] == script.pair_of_levels(game)[1]
    assert set(script.players(game, "equal", 0)) == {script.pair_of_levels(game)[0]}


def test_the_page_has_the_figures_that_are_kept(script: ModuleType) -> None:
    page = script.PAGE.read_text()
    assert script.with_figures(page) == page, "run `python bench/analysis.py --write`"
    assert script.PART.search(page)


def test_a_run_that_was_killed_goes_on(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = script.Calibration(work=20)  # the plugin has no calibration, and would be judged by 1,000 iterations
    monkeypatch.setattr(script, "calibration_of", lambda definition, judge: few)
    words = [HOARD, "--quick", "--keep", str(tmp_path)]
    script.main(words)
    table = capsys.readouterr().out
    (path,) = tmp_path.glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    assert sorted((json.loads(line)["kind"], json.loads(line)["number"]) for line in lines) == [
        ("equal", 0), ("luck", 0), ("luck", 1), ("unequal", 0),
    ]  # fmt: skip
    equal = next(json.loads(line) for line in lines if '"kind": "equal"' in line)
    assert set(equal["runs"]) == {"quick", "normal", "again"}
    assert equal["runs"]["normal"]["error"] > 0
    assert equal["runs"]["normal"]["first"] <= equal["runs"]["normal"]["wall"]
    path.write_text("".join(lines[:-1]) + lines[-1][:40])  # killed in the middle of a line
    script.main(words)
    again = path.read_text().splitlines(keepends=True)
    assert again[:-1] == lines[:-1]
    assert without_costs(again[-1]) == without_costs(lines[-1])
    script.main(words)
    assert path.read_text() == "".join(again)
    assert "| Hoard | 2 |" in table
    stale = dict(json.loads(again[0]), slope=9.0)
    path.write_text(json.dumps(stale) + "\n" + "".join(again[1:]))
    assert len(script.current(script.lines_of(path), script.head_of(load_game(HOARD)), True)) == 3


def without_costs(line: str) -> dict[str, Any]:
    """What a line says that the machine has no part in."""
    found: dict[str, Any] = json.loads(line)
    for run in found["runs"].values():
        for name in ("cpu", "wall", "first"):
            del run[name]
    return {name: value for name, value in found.items() if name not in ("date", "load")}
