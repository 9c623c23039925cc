"""Setting up a position of Ingenious by clicks: tiles on the board and in hands, scores, whose turn it is.

A tile comes to the board by two clicks: the cell of its first half, then the cell beside it for the other; "nothing"
takes the tile of two cells away likewise. The bag holds what lies nowhere else; turns and used symbols follow.
"""

from __future__ import annotations

import re
from typing import Any

from meeple.core.reading import NOTHING, listed, parts_of
from meeple.errors import NotationError
from meeple.games.ingenious import geometry
from meeple.games.ingenious.layout import TRACK
from meeple.games.ingenious.names import CELL_NAMES, COLOURS, NAMES, TILE_NAMES, rows_of
from meeple.games.ingenious.tiles import ALL_TILES, HAND, KINDS, N_TILES, counts_of

NONE = "none"
STEPS = {"more": 1, "five": 5, "less": -1}  # of a score
TRAYS = {
    "Tiles": {
        tile: f"[{NAMES[a]}][{NAMES[b]}] " + (f"{NAMES[a]} and {NAMES[b]}" if a != b else f"two of {NAMES[a]}")
        for tile, (a, b) in zip(TILE_NAMES, KINDS, strict=True)
    },
    "Take a tile away": {NONE: "take a tile away"},
    "Points and turn": {
        "more": "one point more",
        "five": "five points more",
        "less": "one point fewer",
        "turn": "is to move",
    },
}
_BAG = re.compile(r" bag=(\d{21})")
_SLOT = re.compile(r"(?:hand-(?P<seat>[1-4])|tile)-(?P<slot>[1-6])(?:-left|-right)?")
_SYMBOLS = frozenset(geometry.SYMBOL_CELL.tolist())


def sites(state: Any) -> list[str]:
    """What a match has no clicks for: cells with tiles, hands, scores, and seats."""
    seats = int(state.seats)
    found = [name for cell, name in enumerate(CELL_NAMES[seats]) if cell not in _SYMBOLS]
    for seat in range(seats):
        found += [f"hand-{seat + 1}-{slot + 1}" for slot in range(HAND)]
        found += [f"score-{seat + 1}-{name}" for name in NAMES] + [f"seat-{seat + 1}"]
    return found


def placed(text: str, piece: str, *path: str) -> str | None:
    """The text of a position with a piece at a target; None where the tile's other half still wants its cell.

    Raises:
        ValueError: that piece cannot lie there, or the text is none of a position.
        NotationError: the same, in words.
    """
    head, *parts = (part.strip() for part in text.split("|"))
    slot, score = _SLOT.fullmatch(path[-1]), re.fullmatch(r"score-([1-4])-(\w+)", path[-1])
    if piece == "turn":
        words = head.split(" ")
        words[2] = str(int(path[-1].removeprefix("seat-")))
        head = " ".join(words)
    elif score:
        seat = int(score[1]) - 1
        parts[seat] = _scored(parts[seat], NAMES.index(score[2]), STEPS[piece])
    elif piece in STEPS:
        raise ValueError("no score")
    elif slot:
        seat = int(slot["seat"] or head.split(" ")[2]) - 1
        head, parts[seat] = _in_hand(head, parts[seat], piece, int(slot["slot"]) - 1)
    elif len(path) < 2:
        _on_free(head, piece, [_cell(path[0], len(parts))], len(parts))
        return None
    else:
        head = _on_board(head, piece, [_cell(name, len(parts)) for name in path], len(parts))
    return " | ".join([_with_turn(head, parts), *parts])


def _scored(part: str, colour: int, step: int) -> str:
    scores, hand = part.split(" ")
    points = [int(score) for score in scores.split(",")]
    points[colour] = min(2 * TRACK, max(0, points[colour] + step))
    return f"{','.join(map(str, points))} {hand}"


# --- tiles ------------------------------------------------------------------------------------------------------------


def _in_hand(head: str, part: str, piece: str, slot: int) -> tuple[str, str]:
    """A tile of a hand exchanged, added or put back in the bag."""
    scores, hand = part.split(" ")
    tiles = parts_of(hand, ",")
    if "?" in hand:
        raise NotationError(f"the hand {hand} is hidden: its tiles are told by text, such as RR,RG")
    for tile in tiles[slot : slot + 1]:
        head = _in_bag(head, tile, 1)
    if piece != NONE:
        head = _in_bag(head, piece, -1)
    tiles[slot : slot + 1] = [] if piece == NONE else [piece]
    return head, f"{scores} {listed(sorted(tiles, key=TILE_NAMES.index), ',')}"


def _in_bag(head: str, tile: str, step: int) -> str:
    """So many more of a tile in the bag."""
    found, kind = _BAG.search(head), TILE_NAMES.index(tile)
    if found is None:
        raise ValueError("no bag")
    left = int(found[1][kind]) + step
    if left < 0:
        raise NotationError(f"no tile {tile} is left in the bag")
    if left > counts_of(ALL_TILES)[kind]:
        raise NotationError(f"all tiles {tile} are in the bag: there is none to take away")
    return f"{head[: found.start(1) + kind]}{left}{head[found.start(1) + kind + 1 :]}"


def _cell(name: str, seats: int) -> int:
    cell = CELL_NAMES[seats].index(name)
    if cell in _SYMBOLS:
        raise NotationError(f"a symbol is printed on {name}")
    return cell


def _on_board(head: str, piece: str, cells: list[int], seats: int) -> str:
    """A tile on two cells, its first colour on the first; or the tile that they are taken away."""
    if cells[1] not in geometry.NEXT[cells[0]].tolist():
        first, second = (CELL_NAMES[seats][cell] for cell in cells)
        raise NotationError(f"{first} and {second} are not beside each other")
    letters = _on_free(head, piece, cells, seats)
    lying, rest = [letters[cell] for cell in cells], head.partition(" ")[2]
    letters |= dict(zip(cells, piece if piece != NONE else "..", strict=True))
    rows = "/".join("".join(letters[cell] for cell in row) for row in rows_of(seats))
    tile = piece if piece != NONE else "".join(sorted(lying, key=COLOURS.index))
    return _in_bag(f"{rows} {rest}", tile, 1 if piece == NONE else -1)


def _on_free(head: str, piece: str, cells: list[int], seats: int) -> dict[int, str]:
    """What lies on each cell of the board, once it is known that the piece can come to these cells, or off them."""
    order = [cell for row in rows_of(seats) for cell in row]
    letters = dict(zip(order, head.partition(" ")[0].replace("/", ""), strict=True))
    for cell in cells:
        if piece != NONE and letters[cell] != ".":
            raise NotationError("a tile lies there already: take it away first")
        if piece == NONE and letters[cell] == ".":
            raise NotationError("no tile lies there")
    return letters


# --- what follows from it ---------------------------------------------------------------------------------------------


def _with_turn(head: str, parts: list[str]) -> str:
    """The first part with the turns finished and the symbols used that its tiles and scores amount to."""
    words = head.split(" ")
    fields = {name: value for name, _, value in (word.partition("=") for word in words[3:])}
    points = [int(score) for part in parts for score in part.split(" ")[0].split(",")]
    in_hands = sum(len(parts_of(hand, ",")) if "?" not in hand else len(hand) for _, hand in map(str.split, parts))
    laid = N_TILES - sum(map(int, fields["bag"])) - len(parts_of(fields["aside"], ",")) - in_hands
    owed = int(fields["bonus"])
    has_laid = words[1] != "place" or owed > 0
    turn = max(0, laid - has_laid - sum(score // TRACK for score in points) + owed)
    fields["turn"] = str(turn)
    fields["used"] = _used(words[0], len(parts), turn + (words[1] not in ("place", "deal")))
    return " ".join([*words[:3], *(f"{name}={value}" for name, value in fields.items())])


def _used(board: str, seats: int, first_tiles: int) -> str:
    """The symbols that first tiles touch, as long as some seat has yet to lay its first."""
    if first_tiles >= seats:
        return NOTHING
    order = [cell for row in rows_of(seats) for cell in row]
    taken = {cell for cell, letter in zip(order, board.replace("/", ""), strict=True) if letter != "."} - _SYMBOLS
    beside = [
        COLOURS[colour]
        for colour, cell in enumerate(geometry.SYMBOL_CELL.tolist())
        if taken & set(geometry.NEXT[cell].tolist())
    ]
    return "".join(beside[:first_tiles]) or NOTHING
