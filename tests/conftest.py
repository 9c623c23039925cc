"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLUGINS = ROOT / "tests" / "plugins"
HOARD = str(PLUGINS / "hoard")
IDLE = str(PLUGINS / "idle")
TICTACTOE = str(PLUGINS / "tictactoe")

sys.path.insert(0, str(ROOT / "tests"))

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command in an empty folder, with data of its own; the compiled code is the user's."""

    def runner(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"MEEPLE_DATA_DIR": str(tmp_path / "data"), "COLUMNS": "100", "NO_COLOR": "1"}
        environment |= options.pop("env", {})  # type: ignore[arg-type]
        options.setdefault("cwd", tmp_path)
        return subprocess.run(  # type: ignore[call-overload,no-any-return]
            [sys.executable, *command], capture_output=True, text=True, env=environment, **options
        )

    return runner


@pytest.fixture
def meeple(run: Run) -> Run:
    """Run `meeple` with these words."""
    return lambda *words, **options: run("-m", "meeple", *words, **options)
