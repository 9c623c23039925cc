"""Wheel and sdist, built from the files of the checkout and from nothing else that lies there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

from conftest import ROOT

PINS = ROOT / "constraints.txt"
# The build's and pip's own surroundings: what is pinned is what is installed, and no path leads back to the checkout.
SURROUNDINGS = {name: word for name, word in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def checkout_files() -> list[str]:
    """The files of the checkout, from its root: those that git knows, and new ones that it does not ignore."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in found.split("\0") if name and (ROOT / name).is_file())


def package_files() -> set[str]:
    """The files below src/meeple, as a wheel names them."""
    return {name.removeprefix("src/") for name in checkout_files() if name.startswith("src/meeple/")}


def copy_checkout(folder: Path) -> Path:
    """Copy the checkout's files: a build in place would take along what an older build left in build/."""
    for name in checkout_files():
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy)
    return folder


def build(source: Path, *options: str) -> str:
    """Build in the folder, into its `dist`, and return what was said."""
    command = [sys.executable, "-m", "build", *options]
    variables = SURROUNDINGS | {"PIP_CONSTRAINT": str(PINS)}
    ran = subprocess.run(command, cwd=source, env=variables, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def only(folder: Path, pattern: str) -> Path:
    """The one file of this name in a folder."""
    found = list(folder.glob(pattern))
    assert len(found) == 1, found
    return found[0]


def wheel_contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sdist_names(sdist: Path) -> set[str]:
    """The files of an sdist, without the folder that holds them all."""
    with tarfile.open(sdist) as archive:
        return {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
