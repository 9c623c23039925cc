"""Where Meeple keeps what a user makes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import platformdirs

from meeple.errors import SaveError


def keep_private(path: Path, *, is_folder: bool = False) -> Path:
    """Make the file or folder if it is not there, and let nobody but this user read or write it from now on.

    Raises:
        SaveError: it cannot be made, or belongs to somebody else.
    """
    try:
        if is_folder:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        else:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if path.stat().st_mode & 0o077 and os.name == "posix":
            path.chmod(0o700 if is_folder else 0o600)
    except OSError as fault:
        advice = "it holds secrets, and must be yours alone"
        raise SaveError(f"'{path}' cannot be kept from others: {fault.strerror}; {advice}") from fault
    return path


def user_folder(purpose: Literal["data", "cache"]) -> Path:
    """Meeple's folder for this user's data or cache, which need not exist: where the system keeps such things.

    $XDG_DATA_HOME and $XDG_CACHE_HOME take precedence on every system, macOS and Windows too.

    Raises:
        SaveError: the user has no home folder.
    """
    chosen = os.environ.get(f"XDG_{purpose.upper()}_HOME")
    if chosen:
        return Path(chosen) / "meeple"
    places = platformdirs.PlatformDirs("meeple", appauthor=False)
    try:
        folder = places.user_data_path if purpose == "data" else places.user_cache_path
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # there is no HOME, and the system does not know the user, as in some containers
        advice = f"set HOME, or MEEPLE_{purpose.upper()}_DIR"
        raise SaveError(f"this user has no home folder to keep the {purpose} in; {advice}")
    return folder


def _data_home() -> Path:
    """The folder that holds all kinds of data."""
    chosen = os.environ.get("MEEPLE_DATA_DIR")
    if chosen:
        return Path(chosen)
    folder = user_folder("data")
    if os.environ.get("XDG_DATA_HOME") or folder.exists():
        return folder
    # Where Meeple kept data on macOS and Windows before it asked for the system's own place. On Linux it is that place.
    former = Path(os.path.expanduser("~")) / ".local" / "share" / "meeple"
    return former if former.exists() else folder


def data_folder(kind: str) -> Path:
    """The folder for `matches`, `tournaments` ...: in $MEEPLE_DATA_DIR, or in the user's data folder."""
    folder = _data_home() / kind
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        advice = "set MEEPLE_DATA_DIR to another folder"
        raise SaveError(f"{kind} cannot be saved in '{folder}': {fault.strerror}; {advice}") from fault
    return folder


def is_file(path: Path) -> bool:
    """Whether there is such a file; False also for what no system can name (too long, a NUL in it) or let us see."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; likewise."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is a file or folder of this name; likewise."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def resolved(path: Path) -> Path:
    """The whole path; as it is where no system can name it."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # the last: links in a circle
        return path
