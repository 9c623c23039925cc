"""Where Meeple keeps what a user makes."""

from __future__ import annotations

import os
from pathlib import Path

from meeple.errors import SaveError


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
