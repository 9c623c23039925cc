"""What a wheel holds: every file of the package, and no other."""

from __future__ import annotations

from email.message import Message
from email.parser import BytesParser
from pathlib import Path

import pytest

from release import distributions


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built without a network by the setuptools that is here."""
    source = distributions.copy_checkout(tmp_path_factory.mktemp("source"))
    said = distributions.build(source, "--wheel", "--no-isolation")
    assert "deprecated" not in said
    return distributions.only(source / "dist", "*.whl")


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    contents = distributions.wheel_contents(wheel)
    return BytesParser().parsebytes(next(text for name, text in contents.items() if name.endswith("/METADATA")))


def test_every_file_of_the_package_is_in_the_wheel_and_no_other(wheel: Path) -> None:
    names = {name for name in distributions.wheel_contents(wheel) if ".dist-info/" not in name}
    assert sorted(distributions.package_files() - names) == []  # add it to package-data in pyproject.toml
    assert sorted(names - distributions.package_files()) == []
    # What the comparison stands for: a file of each kind that the program reads at run time.
    for kind in (
        "puzzles.jsonl",
        "levels.json",
        "analysis.json",
        ".npz",
        ".toml",
        "meeple.js",
        ".svg",
        ".txt",
        ".typed",
    ):
        assert any(name.endswith(kind) for name in names), kind


def test_the_wheel_says_what_it_is(metadata: Message) -> None:
    assert metadata["Name"] == "meeple"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["License-File"] == "LICENSE"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_payload().startswith("# Meeple\n")


def test_everything_that_is_required_is_pinned(metadata: Message) -> None:
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    pins = dict(line.split("==") for line in distributions.PINS.read_text().splitlines())
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    for text in metadata.get_all("Requires-Dist"):
        requirement = Requirement(text)
        if requirement.name != "meeple":
            assert canonicalize_name(requirement.name) in pinned, f"pin {text} in constraints.txt"
            assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), text
