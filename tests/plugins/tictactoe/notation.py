"""Tic-tac-toe in text: `X.O/.X./...`; a move is a cell, `a1` to `c3`."""

from __future__ import annotations

import re
from typing import Any

from meeple.errors import NotationError

MOVE_PATTERN = "[a-c][1-3]"
MOVE_EXAMPLE = "b2"


def move_text(state: Any, action: int) -> str:
    return f"{'abc'[action % 3]}{3 - action // 3}"


def write(state: Any, seat: int | None) -> str:
    cells = ["X" if (state.stones[0] >> i) & 1 else "O" if (state.stones[1] >> i) & 1 else "." for i in range(9)]
    return "/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))


def read(state: Any, text: str, seats: int, options: Any) -> None:
    if not re.fullmatch(r"[XO.]{3}/[XO.]{3}/[XO.]{3}", text):
        raise NotationError(f"'{text}' is no position of tic-tac-toe; one reads like X.O/.X./...")
    for seat, mark in enumerate("XO"):
        state.stones[seat] = sum(1 << i for i, cell in enumerate(text.replace("/", "")) if cell == mark)
