"""Base Santorini for two players without gods, written for clarity only.

Nothing here is meant to be fast. It is a yardstick for a faster engine.
A cell is a number from 0 to 24: cell 0 is A5, cell 4 is E5, cell 24 is E1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

DOME = 4
SUPPLY = {1: 22, 2: 18, 3: 14, DOME: 18}  # how many of each piece the box holds
CELLS = [column + rank for rank in "54321" for column in "ABCDE"]


@dataclass(frozen=True)
class Position:
    """Everything there is to know about a game at one moment."""

    heights: tuple[int, ...]  # 25 numbers, 0 to 4, where 4 is a dome
    to_move: int  # 0 or 1
    workers: tuple[frozenset[int], frozenset[int]]  # empty: still to be placed
    winner: int | None = None
    finite: bool = False  # whether the pieces in the box can run out


def start(finite: bool = False) -> Position:
    """Give the empty board, with player 0 about to place."""
    return Position((0,) * 25, 0, (frozenset(), frozenset()), None, finite)


def neighbours(cell: int) -> list[int]:
    """List the cells that touch this one by a side or a corner."""
    row, column = divmod(cell, 5)
    return [
        r * 5 + c
        for r in range(5)
        for c in range(5)
        if abs(r - row) <= 1 and abs(c - column) <= 1 and (r, c) != (row, column)
    ]


NEIGHBOURS = [neighbours(cell) for cell in range(25)]


def piece_left(position: Position, piece: int) -> bool:
    """Tell whether the box still holds this piece: 1, 2 or 3 for a block, 4 for a dome."""
    # A tower contains one of every piece up to its own height.
    used = len([height for height in position.heights if height >= piece])
    return not position.finite or used < SUPPLY[piece]


def legal_moves(position: Position) -> list[str]:
    """List every move of the player to move, as text; nothing if the game is over."""
    if position.winner is not None:
        return []
    mine = position.workers[position.to_move]
    occupied = position.workers[0] | position.workers[1]
    heights = position.heights

    if not mine:  # both workers go down together
        open_cells = [c for c in range(25) if c not in occupied and heights[c] != DOME]
        return [f"{CELLS[a]},{CELLS[b]}" for a in open_cells for b in open_cells if a < b]

    moves = []
    for origin in sorted(mine):
        for target in NEIGHBOURS[origin]:
            too_high = heights[target] > heights[origin] + 1
            if target in occupied or heights[target] == DOME or too_high:
                continue
            step = f"{CELLS[origin]}>{CELLS[target]}"
            if heights[origin] == 2 and heights[target] == 3:
                moves.append(step + "#")
                continue
            occupied_after_step = (occupied - {origin}) | {target}
            for site in NEIGHBOURS[target]:
                if site in occupied_after_step or heights[site] == DOME:
                    continue
                if piece_left(position, heights[site] + 1):
                    moves.append(f"{step}^{CELLS[site]}")
    return moves


def play(position: Position, move: str) -> Position:
    """Carry out a legal move and settle whether it ends the game."""
    if move not in legal_moves(position):
        raise ValueError(f"not a legal move: {move!r}")
    mover = position.to_move
    heights, workers = list(position.heights), list(position.workers)
    winner = mover if move.endswith("#") else None
    if "," in move:
        workers[mover] = frozenset(CELLS.index(name) for name in move.split(","))
    else:
        origin, target = CELLS.index(move[0:2]), CELLS.index(move[3:5])
        workers[mover] = (workers[mover] - {origin}) | {target}
        if winner is None:
            heights[CELLS.index(move[6:8])] += 1
    after = Position(tuple(heights), 1 - mover, (workers[0], workers[1]), winner, position.finite)
    return settle_stuck(after)


def settle_stuck(position: Position) -> Position:
    """Hand the win to the waiting player if the one to move has workers but no turn."""
    if position.winner is None and position.workers[position.to_move] and not legal_moves(position):
        return replace(position, winner=1 - position.to_move)
    return position


def write(position: Position) -> str:
    """Put a position into one line of text, with worker cells in index order."""
    parts = ["".join(str(height) for height in position.heights), str(position.to_move + 1)]
    for player in (0, 1):
        part = "#mortal" if position.winner == player else "mortal"
        if position.workers[player]:
            part += ":" + ",".join(CELLS[cell] for cell in sorted(position.workers[player]))
        parts.append(part)
    return "/".join(parts)


def read(text: str, finite: bool = False) -> Position:
    """Take a position from its line of text; a stuck player to move has already lost."""
    height_text, mover_text, *player_texts = text.split("/")
    heights = tuple("01234".index(digit) for digit in height_text)
    workers, winner = [], None
    for player, part in enumerate(player_texts):
        name, colon, cell_text = part.partition(":")
        cells = [CELLS.index(cell) for cell in cell_text.split(",")] if colon else []
        two_or_none = len(cells) in (0, 2) and len(set(cells)) == len(cells)
        if name not in ("mortal", "#mortal") or not two_or_none:
            raise ValueError(f"bad player part: {part!r}")
        workers.append(frozenset(cells))
        if name == "#mortal":
            winner = player
    if len(heights) != 25 or len(workers) != 2 or workers[0] & workers[1]:
        raise ValueError(f"bad position: {text!r}")
    position = Position(heights, "12".index(mover_text), (workers[0], workers[1]), winner, finite)
    return settle_stuck(position)


def count(position: Position, depth: int) -> int:
    """Count the leaves this many moves ahead; a finished game is a leaf wherever it stands."""
    if depth == 0 or position.winner is not None:
        return 1
    return sum(count(play(position, move), depth - 1) for move in legal_moves(position))
