"""Every snippet and command of the README and the docs runs; tables made by script are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, Run
from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
from meeple.core.conformance.laws import LAWS
from meeple.core.registry import game_names

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PYTHON = [
    pytest.param(code, id=f"{path.stem}-{number}")
    for path in DOCUMENTS
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL))
]
TRAINING = ROOT / "docs" / "learning.md"  # its commands train for minutes: they are in the long run
# The tests run them with less to do: games and minibatches of a training, games of a match.
SMALL = {r"\bgames=\d{3,}": "games=4", r"\bbatches=\d{3,}": "batches=5", r"-n \d{2,}": "-n 2"}


def small(session: str) -> str:
    """A session of the page on training, of sizes that the tests can run."""
    for size, less in SMALL.items():
        session = re.sub(size, less, session)
    return session


SESSIONS = [
    pytest.param(
        small(text) if path == TRAINING else text,
        id=f"{path.stem}-{number}",
        marks=[pytest.mark.long] if path == TRAINING else [],
    )
    for path in DOCUMENTS
    for number, text in enumerate(re.findall(r"```console\n(.*?)```", path.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("code", PYTHON)
def test_python_snippet_runs(code: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(code)
    ran = run("snippet.py")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("session", SESSIONS)
def test_commands_run(session: str, meeple: Run) -> None:
    commands = [line[2:] for line in session.splitlines() if line.startswith("$ ")]
    assert commands
    for command in commands:
        program, *words = command.split()
        assert program == "meeple"
        ran = meeple(*words)
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"


def test_the_python_of_the_readme_is_ten_lines() -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_readmes_table_of_games_is_up_to_date() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    import readme

    text = (ROOT / "README.md").read_text()
    assert readme.with_table(text) == text, "run `make readme`"


def test_the_table_and_the_plots_of_the_judges_fit_the_games_files() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    import reliability

    text = reliability.PAGE.read_text()
    assert reliability.with_table(text) == text, "run `make reliability`"
    drawn = reliability.PICTURE.read_text()
    assert drawn == reliability.picture(), "run `make reliability`"
    for _, calibration in reliability.judges():
        assert f"| `{calibration.judge}` |" in text
        for each in calibration.bins:
            assert f"said {each.said:.1%}, won {each.won:.1%}, {each.count} times" in drawn


def test_the_tables_of_strength_are_made_of_the_kept_results() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    import strength

    text = strength.PAGE.read_text()
    assert strength.with_tables(text) == text, "run `make strength`"
    shown = " ".join(part[2] for part in strength.PART.finditer(text)).split()
    assert sorted(shown) == sorted(file.stem for file in strength.RESULTS.glob("*.jsonl")) == sorted(game_names())


def test_the_page_of_levels_is_made_of_the_measured_ones() -> None:
    from meeple.arena.levels_page import levels_page

    assert (ROOT / "docs" / "levels.md").read_text() == levels_page(), "run `meeple levels santorini --docs`"


def test_the_page_of_laws_lists_them_all() -> None:
    page = (ROOT / "docs" / "laws.md").read_text()
    rows = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", page, re.MULTILINE)
    assert rows == [(law.name, law.meaning) for law in [*LAWS, *HEURISTIC_LAWS]]
    assert f"{len(LAWS)} laws" in (ROOT / "README.md").read_text()


def test_results_on_the_pages_of_games_are_those_that_can_be_played_again() -> None:
    from meeple.lab.reading import read_paper

    files = sorted((ROOT / "docs" / "runs").glob("*.toml"))
    assert [file.stem for file in files] == ["azul", "ingenious", "saboteur-duel", "sagrada"]
    for file in files:
        for item in read_paper(file).items:
            page = (ROOT / item.page).read_text()
            for entry in item.entries:
                assert entry.published is not None
                share = entry.published.value
                forms = (f"{share:.3f}", f"{100 * share:.1f}%")
                assert any(form in page for form in forms), f"{item.page} has no {forms[0]} ({entry.name})"


def test_links_lead_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_make_targets_named_in_the_readme_exist() -> None:
    listed = subprocess.run(["make", "-qp"], cwd=ROOT, capture_output=True, text=True).stdout
    for target in re.findall(r"\bmake ([a-z-]+)", (ROOT / "README.md").read_text()):
        assert re.search(rf"^{target}:", listed, re.MULTILINE)
