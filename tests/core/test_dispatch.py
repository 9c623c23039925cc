"""Which compiler makes a kernel: Numba's own dispatch answers the same, and steps in where a version is unknown."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import numba
import pytest

from conftest import ROOT, TICTACTOE, Run
from lab import EVALUATE, GENERIC, SEARCH, Lab
from meeple.core import compiler, dispatch
from meeple.errors import ConfigError

PLAIN = {"MEEPLE_COMPILER": "plain"}


@pytest.fixture(autouse=True)
def _nothing_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEEPLE_COMPILER", raising=False)


# --- the choice


def test_a_tested_numba_is_compiled_by_parts() -> None:
    assert compiler.lacking() == []
    assert dispatch.choose() == ("parts", compiler.EntryDispatcher, "")


def test_the_package_asks_for_the_versions_that_were_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    least, beyond = (f"{major}.{minor}" for major, minor in dispatch.TESTED)
    assert f"numba>={least},<{beyond}" in project["dependencies"]


def test_one_may_ask_for_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_COMPILER", "plain")
    assert dispatch.choose()[::2] == ("plain", "")
    monkeypatch.setenv("MEEPLE_COMPILER", "fast")
    with pytest.raises(ConfigError, match=r"there is no compiler 'fast'.*say parts or plain"):
        dispatch.choose()


@pytest.mark.parametrize("version", ["0.64.9", "0.69.0rc1", "1.0.0"])
def test_a_numba_that_was_not_tested_is_plain_unless_asked(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(numba, "__version__", version)
    assert dispatch.choose()[::2] == ("plain", f"{version} was not tested, 0.65 to 0.68 were")
    monkeypatch.setenv("MEEPLE_COMPILER", "parts")
    assert dispatch.choose()[0] == "parts"


def test_a_numba_without_a_private_part_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "LENT", compiler.LENT | {compiler.NativeLowering: "run_pass walk_pass"})
    assert dispatch.choose()[::2] == ("plain", "NativeLowering.walk_pass")
    monkeypatch.setitem(sys.modules, "meeple.core.compiler", None)
    name, _make, reason = dispatch.choose()
    assert name == "plain"
    assert "meeple.core.compiler" in reason


# --- plain


@pytest.mark.long
def test_plain_keeps_what_the_cache_promises(run: Run) -> None:
    # A part of the suite again, in processes whose kernels Numba dispatches itself.
    tests = [
        "test_kernel.py::test_second_process_compiles_nothing_and_says_nothing",
        "test_kernel.py::test_search_follows_tables_from_any_files",
        "test_kernel.py::test_recursion_that_numba_would_crash_on_is_refused",
        "test_cache.py::test_damaged_code_is_compiled_anew",
    ]
    words = ["-m", "pytest", "-p", "no:cacheprovider", *(f"tests/core/{test}" for test in tests)]
    done = run(*words, env=PLAIN, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


PLAY = f"""
import meeple
from meeple.core.kernel import COMPILER
match = meeple.play_match(meeple.load_game({TICTACTOE!r}), ["alphabeta:depth=4", "alphabeta:depth=2"], seed=3)
print(COMPILER, [event.text for event in match.record().events], match.record().result)
"""


def test_plain_plays_the_same(run: Run) -> None:
    plain, parts = (run("-c", PLAY, env={"MEEPLE_COMPILER": name}) for name in ("plain", "parts"))
    assert plain.stdout.startswith("plain ["), plain.stderr
    assert plain.stdout.removeprefix("plain") == parts.stdout.removeprefix("parts")


def test_a_numba_that_was_not_tested_runs_and_says_why_it_is_slow(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    out, err = lab.run("import numba\nnumba.__version__ = '0.99.0'\n" + SEARCH)
    assert out == "100 2"
    assert "meeple: compiling takes longer with this Numba (0.99.0 was not tested, 0.65 to 0.68 were)" in err
    # A Numba that hands out compiled code in another form: nothing is kept, and it is told.
    broken = "import numba.core.compiler as c\ndel c.CompileResult._reduce\n" + SEARCH
    for _ in range(2):
        out, err = lab.run(broken, **PLAIN)
        assert out == "100 2"
        assert "compiled code cannot be kept with Numba" in err


@pytest.mark.long
@pytest.mark.parametrize("which", ["oldest", "newest"])
def test_the_oldest_and_the_newest_numba(which: str, tmp_path: Path) -> None:
    """In an environment of its own: the tests of compile and cache pass, and both compilers play as here."""
    (least, beyond), python = dispatch.TESTED, tmp_path / "env" / "bin" / "python"
    numba_wanted = f"numba=={least[0]}.{least[1]}.0" if which == "oldest" else f"numba<{beyond[0]}.{beyond[1]}"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    others = [one for one in project["dependencies"] if not one.startswith("numba")]
    # Numba says itself which NumPy it fits, and SciPy follows.
    follow = ("numba==", "llvmlite==", "numpy==", "scipy==")
    pinned = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith(follow)]
    (tmp_path / "constraints.txt").write_text("\n".join(pinned))
    cache = {"MEEPLE_CACHE_DIR": str(tmp_path / "cache")}

    def call(*command: object, **environment: str) -> str:
        variables = os.environ | {"PYTHONPATH": str(ROOT / "src")} | environment
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    call(sys.executable, "-m", "venv", tmp_path / "env")
    install = [python, "-m", "pip", "install", "--quiet", "--constraint", tmp_path / "constraints.txt"]
    call(*install, numba_wanted, *others, "pytest")
    about = "import numba; from meeple.core.kernel import COMPILER; print(COMPILER, numba.__version__)"
    assert call(python, "-c", about, **cache).startswith("parts ")
    tests = [f"tests/core/test_{name}.py" for name in ("kernel", "values", "cache")]
    call(python, "-m", "pytest", "-p", "no:cacheprovider", *tests)
    sign = ("-m", "meeple", "bench", "--signature")
    assert call(python, *sign, **cache) == call(sys.executable, *sign)
    assert call(python, *sign, "santorini", **cache, **PLAIN) == call(sys.executable, *sign, "santorini")


# --- threads


def test_garbage_is_sought_again_when_the_last_thread_has_compiled() -> None:
    # The second enters while the first is within, and goes on after it has left.
    uncollected, entered, left = compiler.Uncollected(), threading.Event(), threading.Event()
    seen = []

    def second() -> None:
        with uncollected:
            entered.set()
            left.wait()
            seen.append(gc.isenabled())

    thread = threading.Thread(target=second)
    with uncollected:
        thread.start()
        entered.wait()
    left.set()
    thread.join()
    assert seen == [False]
    assert gc.isenabled()


def test_two_bars_of_progress_are_both_told(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value="x"))
    script = """
        import rules
        from meeple.core.kernel import compiling_told_to
        one, two = [], []
        first, second = compiling_told_to(one.append), compiling_told_to(two.append)
        first.__enter__()
        second.__enter__()
        rules.evaluate(1)
        first.__exit__(None, None, None)
        rules.evaluate(1.5)
        second.__exit__(None, None, None)
        print(one, two)
    """
    out, err = lab.run(script)
    assert out == "['compiling evaluate', ''] ['compiling evaluate', '', 'compiling evaluate', '']"
    assert err == ""
