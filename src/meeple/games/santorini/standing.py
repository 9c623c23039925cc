"""Santorini's board as it is looked at: cells after a turn of the board, workers, a cell in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from meeple.core.picture import Look
from meeple.games.santorini.notation import CELLS
from meeple.games.santorini.rules import DOME, level_of


class Worker(NamedTuple):
    """A worker: its seat, and its number among the seat's."""

    owner: int
    number: int

    @property
    def key(self) -> str:
        """By which the page knows it in the next picture."""
        return f"worker-{self.owner}-{self.number}"


def turned(cell: int, turn: int) -> tuple[int, int]:
    """Column and row of a cell after quarter turns, counted from the far corner."""
    row, column = divmod(cell, 5)
    for _ in range(turn):
        row, column = column, 4 - row
    return column, row


def names_of(cell: int, turn: int) -> tuple[str, str]:
    """What stands at the end of a cell's column and of its row, as the board is turned."""
    letter, number = CELLS[cell][0], CELLS[cell][1]
    return (number, letter) if turn % 2 else (letter, number)


def workers_by_cell(state: Any, look: Look) -> dict[int, Worker]:
    """Who stands where; what is clicked so far of a move is done already."""
    standing: dict[int, Worker] = {}
    for owner in range(2):
        cells = [cell for cell in range(25) if (int(state.workers[owner]) >> cell) & 1]
        standing |= {cell: Worker(owner, number) for number, cell in enumerate(cells)}
    clicked = [CELLS.index(key) for key in look.chosen if key in CELLS]
    if clicked and clicked[0] not in standing:  # the first of two that are placed
        standing[clicked[0]] = Worker(int(state.seat), 0)
    elif len(clicked) > 1:
        standing[clicked[1]] = standing.pop(clicked[0])
    return standing


def label_of(state: Any, cell: int, worker: Worker | None, look: Look) -> str:
    """A cell read aloud."""
    level = int(level_of(state, cell))
    words = f"{CELLS[cell]}: {'dome' if level == DOME else f'level {level}'}"
    return words if worker is None else f"{words}, worker of {look.name(worker.owner)}"
