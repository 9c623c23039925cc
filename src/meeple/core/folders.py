"""Where Meeple keeps what a user makes."""

from __future__ import annotations

import os
from pathlib import Path

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


def data_folder(kind: str) -> Path:
    """The folder for `matches`, `tournaments` ...: in $MEEPLE_DATA_DIR, or in the user's data folder."""
    chosen = os.environ.get("MEEPLE_DATA_DIR")
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "meeple"
    folder = (Path(chosen) if chosen else home) / kind
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
