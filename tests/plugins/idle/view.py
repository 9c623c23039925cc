"""Idle drawn in text."""

from __future__ import annotations

from typing import Any

from meeple.core.paint import Paint

from .notation import write


def board(state: Any, seat: int | None, paint: Paint) -> str:
    return write(state, seat)
