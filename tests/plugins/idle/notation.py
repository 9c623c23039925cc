"""Idle in text: `turn=3 winner=0`; a move is a colour."""

from __future__ import annotations

import re
from typing import Any

from meeple.errors import NotationError

COLOURS = ("red", "green", "blue")
MOVE_PATTERN = "|".join(COLOURS)
MOVE_EXAMPLE = "red"


def move_text(state: Any, action: int) -> str:
    return COLOURS[action]


def outcome_text(state: Any, outcome: int) -> str:
    return f"winner {outcome + 1}"


def write(state: Any, seat: int | None) -> str:
    return f"turn={int(state.turn)} winner={int(state.winner) + 1}"


def read(state: Any, text: str, seats: int, options: Any) -> None:
    found = re.fullmatch(r"turn=([0-8]) winner=([0-2])", text)
    if not found:
        raise NotationError(f"'{text}' is no position of idle; one reads like turn=3 winner=0")
    state.turn, state.winner = int(found[1]), int(found[2]) - 1
