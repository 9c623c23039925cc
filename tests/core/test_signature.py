"""Signatures of code: what counts, what does not, and which files are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from meeple.core.signature import MOST_BYTES, PACKAGE, digest_of, files_behind, signature

BEFORE = """
import numpy as np
from helper import weigh


class Mine:
    limit: int = 3

    def choose(self, turn, others):
        return weigh(turn, self.limit) + others[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "mine"
    home.mkdir()
    (home / "mine.py").write_text(BEFORE)
    (home / "helper.py").write_text("def weigh(turn, limit):\n    return limit\n")
    (home / "other.py").write_text("X = 1\n")
    return home


def edited(text: str) -> str:
    """The signature of a file that holds `text`, beside the files of the fixture."""
    path = Path("mine/mine.py")
    path.write_text(text)
    return signature([path])


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("class Mine:", "# a remark\nclass Mine:"),
        lambda text: '"""A module."""\n' + text,
        lambda text: text.replace("    limit:", '    """A class."""\n\n    limit:'),
        lambda text: text.replace("        return", '        """A method."""\n        return'),
        lambda text: text.replace("limit: int", "limit: 'int | None'"),
        lambda text: text.replace("turn, others)", "turn: object, others: list[int]) -> int"),
        lambda text: "from __future__ import annotations\nfrom typing import Any\n" + text,
        lambda text: text.replace("import numpy", "if TYPE_CHECKING:\n    import other\nimport numpy"),
        lambda text: text.replace("(turn, self.limit) + ", "(\n  turn,\n  self.limit,\n ) + "),
    ],
)
def test_what_does_nothing_does_not_count(edit: Callable[[str], str], folder: Path) -> None:
    before = edited(BEFORE)
    text = edit(BEFORE)
    assert text != BEFORE
    assert edited(text) == before


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("= 3", "= 4"),
        lambda text: text.replace("+ others", "- others"),
        lambda text: text.replace("others[0]", "others[1]"),
        lambda text: text.replace("self, turn, others", "self, others, turn"),
        lambda text: text.replace("helper import weigh", "other import X as weigh"),
        lambda text: text.replace("= 3", "= '3'"),
        lambda text: text.replace("    limit: int = 3\n", "    limit: int = 3\n    more: int\n"),
        lambda text: text + "Mine.limit = 5\n",
    ],
)
def test_what_does_something_counts(edit: Callable[[str], str], folder: Path) -> None:
    assert edited(edit(BEFORE)) != edited(BEFORE)


def test_imports_are_followed_and_what_is_not_imported_is_not(folder: Path) -> None:
    before = edited(BEFORE)
    (folder / "other.py").write_text("X = 2\n")
    assert signature([folder / "mine.py"]) == before
    (folder / "helper.py").write_text("def weigh(turn, limit):\n    return limit + 1\n")
    assert signature([folder / "mine.py"]) != before


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('W = load(HERE / "weights.npz")', "weights.npz"),
        ('W = load(HERE / "data" / "weights.txt")', "data/weights.txt"),
        ('W = load("data/weights.txt")', "data/weights.txt"),
        ('W = load(f"weights-{n}.json")', "weights-7.json"),
        ('W = [load(path) for path in HERE.glob("*.npy")]', "some.npy"),
        ('W = load(HERE.parent / "weights.bin")', "../weights.bin"),
        ('W = load("weights.bin")  # where it is run', "../weights.bin"),
    ],
)
def test_data_that_the_code_names_counts(code: str, name: str, folder: Path) -> None:
    data = folder / name
    data.parent.mkdir(exist_ok=True)
    data.write_bytes(b"1 2 3")
    (folder / "results.csv").write_bytes(b"a table of this run")
    before = edited(BEFORE + code)
    assert data.resolve() in files_behind([folder / "mine.py"])
    data.write_bytes(b"1 2 4")
    assert signature([folder / "mine.py"]) != before
    data.write_bytes(b"1 2 3")
    (folder / "results.csv").write_bytes(b"a table of the next")
    assert signature([folder / "mine.py"]) == before


def test_a_package_is_followed_within_itself(tmp_path: Path) -> None:
    package = tmp_path / "plug"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "deep" / "__init__.py").write_text("")
    (package / "deep" / "agent.py").write_text("from plug.tables import T\nfrom .. import rules\nfrom . import near\n")
    for name in ("tables.py", "rules.py", "deep/near.py", "apart.py"):
        (package / name).write_text("T = 1\n")
    found = {path.relative_to(package).as_posix() for path in files_behind([package / "deep" / "agent.py"])}
    assert found == {"deep/agent.py", "tables.py", "__init__.py", "rules.py", "deep/__init__.py", "deep/near.py"} - {
        "__init__.py",
        "deep/__init__.py",
    }


def test_modules_named_in_a_text_and_the_page_left_out() -> None:
    found = {path.relative_to(PACKAGE).as_posix() for path in files_behind([PACKAGE / "agents" / "mcts.py"])}
    assert {
        "core/face.py",
        "core/derived.py",
        "search/tree/loop.py",
        "search/tree/look.py",
        "search/strata.py",
        "agents/base.py",
    } <= found
    assert not any(name.startswith(("web/", "cli/", "arena/")) for name in found)
    assert not found & {"core/picture.py", "core/svg.py", "core/paint.py", "errors.py", "search/alphabeta.py"}


def test_files_that_are_no_python_or_not_there(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    before = digest_of(broken)
    broken.write_text("def g(:\n")
    assert digest_of(broken) != before
    broken.write_text("X = " + " + ".join(["1"] * 3_000) + "\n")  # nested deeper than Python's own stack
    before = digest_of(broken)
    broken.write_text("X = " + " + ".join(["1"] * 2_999) + "\n")
    assert digest_of(broken) != before
    assert digest_of(tmp_path / "none.py") == "gone"
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.bin").write_bytes(b"1")
    first = signature([tmp_path / "folder"])
    (tmp_path / "folder" / "b.bin").write_bytes(b"2")
    assert signature([tmp_path / "folder"]) != first


def test_what_may_never_end_is_not_read() -> None:
    assert files_behind([Path("/proc"), Path("/dev/zero"), Path("/sys/kernel")]) == set()


def test_a_file_too_large_to_read_counts_by_its_size_and_date(tmp_path: Path) -> None:
    large = tmp_path / "large.npz"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # without a byte on the disk
    assert digest_of(large).startswith(f"{MOST_BYTES + 1} ")
