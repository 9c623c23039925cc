"""The site of the docs is built without a network, has no dead link, and tells of every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import meeple
from conftest import ROOT

# What a browser would fetch while it shows a page, if it stood at another place.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*"""
    r"""|<link\b[^>]*\bhref=["']?(?:https?:)?//[^>]*"""
    r"""|(?:@import\s+|url\()["']?(?:https?:)?//[^)\s]*"""
)
NOWHERE = "http://127.0.0.1:9"  # the discard port: whatever is asked for there is refused


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, where nothing outside this machine can be reached."""
    folder = tmp_path_factory.mktemp("site")
    variables = os.environ | {"NO_MKDOCS_2_WARNING": "1", "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ran = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder


def test_every_page_of_the_docs_is_in_the_site(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        made = page.relative_to(ROOT / "docs").with_suffix(".html")
        assert (site / made).exists() or page.name == "README.md", made
    assert (site / "index.html").exists()


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    assert FETCHED.search('<link rel="stylesheet" href="https://elsewhere.example/style.css">')
    assert FETCHED.search("<script src=//elsewhere.example/a.js></script>")
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert files
    assert {file.name: found[0] for file in files if (found := FETCHED.search(file.read_text()))} == {}


def test_every_public_name_is_told_of(site: Path) -> None:
    page = (site / "api.html").read_text()
    told = set(re.findall(r'id="([\w.]+)"', page))
    homes = {name: {f"meeple.{name}"} for name in meeple.__all__ if name != "__version__"}
    homes["search"] = {"meeple.agents.ranking.search"}  # by its home: `meeple.search` is also a package
    assert [name for name, known in homes.items() if not known & told] == []
    errors = [name for name, kind in vars(meeple.errors).items() if isinstance(kind, type)]
    assert [name for name in errors if name.endswith("Error") and f"meeple.errors.{name}" not in told] == []
    assert "::: " not in page
