"""Santorini in text.

A position: `<25 levels>/<seat to move>/<seat 1>/<seat 2>`, the levels row by row from A5 to E1 (4 is a dome),
a seat as `mortal:B3,D3`, without cells while it has yet to place, and with a `#` before its name once it
has won. A move: `B3,D3` places, `B3>B4^C4` steps and builds, `B3>B4#` steps up and wins.
"""

from __future__ import annotations

import re
from typing import Any

from meeple.core.bits import popcount
from meeple.core.numbers import whole_number
from meeple.errors import NotationError
from meeple.games.santorini import rules

MOVE_PATTERN = r"[a-e][1-5]\s*(,\s*[a-e][1-5]|>\s*[a-e][1-5]\s*(#|\^\s*[a-e][1-5])?)"
MOVE_EXAMPLE = "B3>B4^C4 (step, build), B3>B4# (winning step) or B3,D3 (place)"
CELLS = tuple(f"{column}{rank}" for rank in "54321" for column in "ABCDE")
_POSITION = re.compile(r"([0-4]{25})/([12])/([^/]+)/([^/]+)")
_SEAT = re.compile(r"(#?)mortal(#?)(?::(\w+),(\w+))?")


def move_text(state: Any, action: int) -> str:
    """`B3,D3`, `B3>B4^C4` or `B3>B4#`."""
    if action >= rules.FIRST_PLACEMENT:
        return ",".join(_cells(int(rules.PAIR_BITS[action - rules.FIRST_PLACEMENT])))
    origin = action >> 7
    to = origin + int(rules.OFFSET[(action >> 4) & 7])
    build = action & 15
    end = "#" if build == rules.NO_BUILD else f"^{CELLS[to + int(rules.OFFSET[build])]}"
    return f"{CELLS[origin]}>{CELLS[to]}{end}"


def tidy(text: str) -> str:
    """A placement with its cells in their order: `D3,B3` is `B3,D3`."""
    cells = [cell.strip().upper() for cell in text.split(",")]
    if len(cells) == 2 and all(cell in CELLS for cell in cells):
        return ",".join(sorted(cells, key=CELLS.index))
    return text


def write(state: Any, seat: int | None) -> str:
    """The position; it is the same for every seat."""
    levels = "".join(str(int(rules.level_of(state, cell))) for cell in range(rules.N_CELLS))
    sides = []
    for owner in range(2):
        cells = _cells(int(state.workers[owner]))
        name = "#mortal" if int(state.winner) == owner else "mortal"
        sides.append(f"{name}:{','.join(cells)}" if cells else name)
    return f"{levels}/{int(state.seat) + 1}/{sides[0]}/{sides[1]}"


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`."""
    found = _POSITION.fullmatch(text)
    if not found:
        raise NotationError(
            f"'{text}' is no position of santorini; one reads like {'0' * 25}/1/mortal:B3,D3/mortal:C2,C4"
        )
    for level in range(1, 5):
        state.at_least[level] = sum(1 << cell for cell in range(rules.N_CELLS) if int(found[1][cell]) >= level)
    state.seat = int(found[2]) - 1
    state.winner = -1
    state.finite = int(options[rules.FINITE_SUPPLY])
    for owner in range(2):
        _read_seat(state, owner, found[3 + owner])
    placed = sum(popcount(int(state.workers[owner])) for owner in range(2)) // 2
    # Every turn but a winning step adds one level.
    built = sum(popcount(int(state.at_least[level]) & rules.BOARD) for level in range(1, 5))
    on_top = state.winner >= 0 and bool(int(state.workers[state.winner]) & int(state.at_least[3]))
    state.turn = placed + built + (1 if on_top else 0)
    if state.winner < 0 and not rules.has_turn(state):
        state.winner = 1 - int(state.seat)


# --- setting up by clicks

TRAYS = {
    "Pieces": {
        **{str(level): f"level {level}" for level in (1, 2, 3)},
        "4": "[dome] dome",
        "0": "ground",
        "w1": "worker of seat 1",
        "w2": "worker of seat 2",
        "none": "take a worker away",
    }
}


def placed(text: str, piece: str, target: str) -> str:
    """The text of a position with a level, or a worker, on a cell; of three workers of a seat the first goes."""
    levels, mover, *sides = text.split("/")
    at = CELLS.index(target)
    if piece in "01234":
        return "/".join([f"{levels[:at]}{piece}{levels[at + 1 :]}", mover, *sides])
    workers = [side.partition(":")[2].split(",") if ":" in side else [] for side in sides]
    for cells in workers:
        if target in cells:
            cells.remove(target)
    if piece != "none":
        own = workers[int(piece[1]) - 1]
        own.append(target)
        del own[:-2]
    names = [side.partition(":")[0] for side in sides]
    told = [f"{name}:{','.join(cells)}" if cells else name for name, cells in zip(names, workers, strict=True)]
    return "/".join([levels, mover, *told])


def _read_seat(state: Any, owner: int, text: str) -> None:
    found = _SEAT.fullmatch(text)
    if not found:
        raise NotationError(
            f"'{text}' is no seat of santorini; one reads like mortal:B3,D3 (god powers are not played yet)"
        )
    state.workers[owner] = _cell_bit(found[3]) | _cell_bit(found[4]) if found[3] else 0
    if found[3] and popcount(int(state.workers[owner])) != 2:
        raise NotationError(f"'{text}' has both workers on one cell")
    if found[1] or found[2]:
        state.winner = owner


def _cell_bit(text: str) -> int:
    number = whole_number(text, 0, rules.N_CELLS - 1)
    if number is not None:
        return 1 << number
    if text.upper() in CELLS:
        return 1 << CELLS.index(text.upper())
    raise NotationError(f"'{text}' is no cell; cells are A1 to E5, or 0 to 24 from A5 on")


def _cells(bits: int) -> list[str]:
    return [CELLS[cell] for cell in range(rules.N_CELLS) if (bits >> cell) & 1]
