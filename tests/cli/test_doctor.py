"""`meeple doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Run
from meeple.cli import doctor


def test_doctor_names_versions_folders_and_extras(meeple: Run) -> None:
    ran = meeple("doctor", "--json")
    rows = {row["what"]: row for row in json.loads(ran.stdout)}
    assert {"meeple", "python", "numba", "numpy", "system", "compiled code", "data"} <= set(rows)
    assert rows["extra web: the page"]["found"] == "complete"
    assert ran.returncode == 0, ran.stdout


def test_doctor_says_what_is_wrong_and_how_to_mend_it(meeple: Run, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    ran = meeple("doctor", env={"MEEPLE_CACHE_DIR": str(shared), "NUMBA_DISABLE_JIT": "1"})
    assert ran.returncode == 1
    assert f"chmod go-w '{shared}'" in ran.stdout
    assert "! nothing is compiled" in ran.stdout
    assert ran.stdout.endswith("2 things are wrong: the lines with !\n")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_is_there", lambda name: name != "optuna")
    rows = {what: (found, advice) for what, found, advice in doctor._extras()}
    assert rows["extra tune: tuning"] == ("without optuna", "pip install 'meeple[tune]'")
    assert rows["extra web: the page"] == ("complete", "")
