"""The notebook of the docs runs from its first cell to its last, and is kept without outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import ROOT, Run

NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path: Path, run: Run, tmp_path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    (tmp_path / "cells.py").write_text("\n\n".join("".join(cell["source"]) for cell in cells))
    ran = run("cells.py")
    assert ran.returncode == 0, ran.stderr
    assert "won" in ran.stdout.splitlines()[-1]
