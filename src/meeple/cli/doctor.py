"""`meeple doctor`."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import typer

from meeple.cli.output import print_json, print_table

Rows = list[tuple[str, str, str]]  # what was looked at, what was found, and what to do about it, if anything
EXTRAS = {
    "web": "the page",
    "report": "drawings and Parquet",
    "learn": "training of the report's networks",
    "tune": "tuning",
    "adapters": "PettingZoo, Gymnasium, OpenSpiel",
    "ray": "many machines",
}
LITTLE = 1_000_000_000  # bytes of disk below which compiled code and stores may not fit


def doctor(as_json: bool = typer.Option(False, "--json", help="For machines.")) -> None:
    """Look at the installation: versions, folders, cores, and what is missing for which extra."""
    rows = [*_versions(), *_machine(), *_folders(), *_extras()]
    faults = [row for row in rows if row[2].startswith("!")]
    if as_json:
        print_json([dict(zip(("what", "found", "advice"), row, strict=True)) for row in rows])
    else:
        print_table(["what", "found", ""], rows)
        print()
        many = "one thing is" if len(faults) == 1 else f"{len(faults)} things are"
        print(f"{many} wrong: the lines with !" if faults else "all is well")
    if faults:
        raise typer.Exit(1)


def _versions() -> Rows:
    import meeple

    rows = [("meeple", f"{meeple.__version__} in {Path(meeple.__file__).parent}", "")]
    rows += [("python", platform.python_version(), "" if sys.version_info >= (3, 11) else "! 3.11 or later is needed")]
    for name in ("numba", "numpy", "scipy"):
        rows.append((name, *_found(name, is_needed=True)))
    return rows


def _found(name: str, *, is_needed: bool) -> tuple[str, str]:
    """The version of a package, and advice where it is missing."""
    try:
        return version(name), ""
    except PackageNotFoundError:
        return "not installed", f"{'! ' if is_needed else ''}pip install {name}"


def _machine() -> Rows:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    rows = [("system", f"{platform.system()} {platform.machine()}, {cores} cores for us", "")]
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        rows.append(("NUMBA_DISABLE_JIT", os.environ["NUMBA_DISABLE_JIT"], "! nothing is compiled: all is very slow"))
    browsers = ("chromium", "chromium-browser", "google-chrome", "firefox")
    browser = next(filter(None, map(shutil.which, browsers)), None)
    return [*rows, ("browser", browser or "none on the path", "" if browser else "the page opens in any that is there")]


def _folders() -> Rows:
    from meeple.core.cache import cache_root
    from meeple.core.folders import data_folder
    from meeple.errors import MeepleError

    rows: Rows = []
    for what, find in (("compiled code", cache_root), ("data", lambda: data_folder("matches").parent)):
        try:
            folder = find()
        except MeepleError as fault:
            rows.append((what, "cannot be kept", f"! {fault}"))
            continue
        free = shutil.disk_usage(folder).free
        advice = "" if free > LITTLE else f"! only {free // 1_000_000} MB of the disk are free"
        rows.append((what, f"{folder}, {_size(folder)}", advice))
    return rows


def _size(folder: Path) -> str:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:  # another process has removed it
            continue
    return f"{total / 1_000_000:,.0f} MB"


def _extras() -> Rows:
    rows: Rows = []
    for extra, use in EXTRAS.items():
        missing = [name for name in _packages_of(extra) if not _is_there(name)]
        advice = f"pip install 'meeple[{extra}]'" if missing else ""
        rows.append((f"extra {extra}: {use}", f"without {', '.join(missing)}" if missing else "complete", advice))
    return rows


def _packages_of(extra: str) -> list[str]:
    """The packages that an extra names."""
    found = []
    for requirement in requires("meeple") or []:
        words, _, marker = requirement.partition(";")
        if f'extra == "{extra}"' in marker.replace("'", '"') and not words.startswith("meeple"):
            name = re.match(r"[\w.-]+", words)
            found += [name[0]] if name else []
    return found


def _is_there(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return importlib.util.find_spec(name.replace("-", "_")) is not None
    return True
