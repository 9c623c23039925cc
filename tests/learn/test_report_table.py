"""bench/report_table.py: the report's table is resumed, and its Elo list follows from the published shares."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "bench" / "report_table.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("report_table", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["report_table"] = module  # its dataclasses look their annotations up there
    spec.loader.exec_module(module)
    return module


def test_the_published_shares_give_the_published_elo(script: ModuleType) -> None:
    # One end point of sequential Elo moves by some 55 with K = 10; the report prints one, ours is the mean of ten.
    shares = {(row, column): share / 100 for row, cells in script.PUBLISHED.items() for column, share in cells.items()}
    assert len(shares) == 36
    ours = script.elo_list(shares, 1)
    assert ours.keys() == script.PUBLISHED_ELO.keys()
    assert {name: round(value) for name, value in ours.items() if abs(value - script.PUBLISHED_ELO[name]) > 100} == {}


def test_what_was_trained_and_played_is_not_done_again(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = script.Recipe("rootstrap", {"games": "1", "depth": "1"})
    monkeypatch.setattr(script, "RECIPES", {**script.RECIPES, "rootstrap": small})
    monkeypatch.setattr(script, "STATEMENTS", ())
    words = ["report_table.py", str(tmp_path), "--seeds", "1", "--games", "2", "--only", "rootstrap", "random"]
    monkeypatch.setattr(sys, "argv", [*words, "--write", str(tmp_path / "page.md")])
    script.main()
    assert "1 of 1 pairs are played" in capsys.readouterr().out
    kept, made = (tmp_path / "results.jsonl").read_text(), (tmp_path / "rootstrap-1.npz").read_bytes()
    script.main()
    said = capsys.readouterr().out
    assert "1 of 1 pairs are played" in said
    assert "rootstrap v random" not in said
    assert (tmp_path / "results.jsonl").read_text() == kept
    assert (tmp_path / "rootstrap-1.npz").read_bytes() == made
    assert "| **rootstrap** |" in (tmp_path / "page.md").read_text()


def test_the_page_is_of_the_scripts_experiment(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (FILE.parents[1] / "docs" / "papers" / "santorini-table.md").read_text()
    made = script.definition()
    assert f"with recipes `{made}`." in page, "another recipe trains another agent: make the page anew"
    recipe = script.Recipe("rootstrap", {"games": "99"})  # its default is 100
    monkeypatch.setattr(script, "RECIPES", {**script.RECIPES, "rootstrap": recipe})
    assert script.definition() != made


def test_what_is_written_by_hand_stays_on_a_page_that_is_made_anew(script: ModuleType, tmp_path: Path) -> None:
    file, study = tmp_path / "page.md", script.Study(tmp_path, games=2, ends=0.0)
    assert script.remarks_of(file) == ""
    remarks = "## Where ours differ, and what is known of it\n\n- Not at all.\n"
    made = script.page(study, ["random", "ann"], 1, "python x", remarks)
    assert made.endswith(f"\n\n{remarks}")
    file.write_text(made)
    assert script.remarks_of(file) == remarks
    assert script.page(study, ["random", "ann"], 1, "python x", script.remarks_of(file)) == made


def test_the_shipped_agent_is_the_middle_one_of_its_seeds(script: ModuleType, tmp_path: Path) -> None:
    # Mean shares of ann by seed: 0.5, 0.7, 0.3, and of the pair that is not asked for 1.0.
    played = [
        (1, "ann", "random", 0.9),
        (1, "manual", "ann", 0.9),
        (2, "ann", "random", 0.8),
        (2, "manual", "ann", 0.4),
    ]
    played += [(2, "manual", "ann", 0.4), (3, "ann", "random", 0.3), (3, "genetic", "ann", 0.0)]
    lines = [dict(zip(("seed", "row", "column", "score"), each, strict=True), games=10) for each in played]
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    study = script.Study(tmp_path, games=10, ends=0.0)
    assert study.middle_seed("ann", ["random", "ann", "manual"]) == (1, pytest.approx(0.5))
