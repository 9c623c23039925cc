"""A folder of sources with a cache of its own, for tests that compile."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from conftest import ROOT

EVALUATE = """
from meeple.core.kernel import kernel
@kernel
def evaluate(x):
    return {value}
"""
GENERIC = """
from meeple.core.kernel import kernel
def evaluate(x): ...
@kernel
def search(x):
    return 100 * evaluate(x)
"""
SEARCH = """
import sys
sys.path.insert(0, ".")
import rules
from meeple.core.kernel import compiled_count, specialise
print(specialise("generic", {"evaluate": rules.evaluate}, name="toy").search(1), compiled_count())
"""


class Lab:
    """A folder of sources and a cache, and fresh processes that use them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def start(self, script: str, **environment: str) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(self.folder), str(ROOT / "src")])
        variables = os.environ | {"MEEPLE_CACHE_DIR": str(self.cache), "PYTHONPATH": path} | environment
        command = [sys.executable, "-c", textwrap.dedent(script)]
        return subprocess.Popen(
            command, cwd=self.folder, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, script: str, **environment: str) -> tuple[str, str]:
        process = self.start(script, **environment)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out.strip(), err

    def cached(self) -> set[Path]:
        return {*self.cache.rglob("*.entry"), *self.cache.rglob("*.part")}
