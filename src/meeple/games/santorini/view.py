"""Santorini drawn in text: a level as blocks and a digit, a dome closed, workers as X and O."""

from __future__ import annotations

from typing import Any

from meeple.core.paint import MARKS, Paint
from meeple.games.santorini.rules import DOME, level_of

GROUNDS = ("grass", "stone1", "stone2", "stone3", "sea")
BLOCKS = ("  ", "1▂", "2▄", "3▆", "▟▙")


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The board with its coordinates; the same for every seat."""
    lines = ["     " + "      ".join("ABCDE"), "  ┌" + "┬".join(["──────"] * 5) + "┐"]
    for row in range(5):
        cells = [_cell(state, row * 5 + column, paint) for column in range(5)]
        rank = 5 - row
        lines.append(f"{rank} │" + "│".join(cells) + f"│ {rank}")
        if row < 4:
            lines.append("  ├" + "┼".join(["──────"] * 5) + "┤")
    lines.append("  └" + "┴".join(["──────"] * 5) + "┘")
    lines.append("     " + "      ".join("ABCDE"))
    return "\n".join(line.rstrip() for line in lines)


def _cell(state: Any, cell: int, paint: Paint) -> str:
    level = int(level_of(state, cell))
    ground = f"on {GROUNDS[level]}"
    text = paint(f" {BLOCKS[level]}", f"{'paper' if level == DOME else 'ink'} {ground}")
    owner = next((seat for seat in range(2) if (int(state.workers[seat]) >> cell) & 1), None)
    if owner is None:
        return text + paint("   ", f"ink {ground}")
    return text + paint(f" {MARKS[owner]} ", f"bold paper on seat{owner + 1}")
