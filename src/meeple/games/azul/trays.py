"""Setting up a position of Azul by clicks: tiles, points, the marker, the round, and whose turn it is.

Bag and lid follow the board: what lies nowhere else is in the bag, as far as the round leaves it there, and the rest in
the lid. Which of them holds a tile is changed by clicks on the bag.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from meeple.core.reading import NOTHING
from meeple.games.azul.colours import LETTERS, NAMES
from meeple.games.azul.layout import A_DISPLAY, COLOURS, COPIES, FLOOR_SLOTS, MOST_POINTS

NONE = "none"
TRAYS = {
    "Tiles": {
        **{name: f"[{name}] {name}" for name in NAMES},
        NONE: "take a tile away",
        "marker": "first player's marker",
    },
    "Points, round, turn": {
        "more": "one more: points, round, bag",
        "less": "one fewer: points, round, bag",
        "turn": "is to move",
        "first": "began this round",
    },
}
STEPS = {"more": 1, "less": -1}  # of points, of the round, and of tiles in the bag
_FIELDS = ("round", "mover", "first", "marker", "bag", "lid", "centre", "F")
_ROUND = "round"
_WALL_ROW = re.compile(r"cell-([1-5])-([1-5])")


def sites(state: Any) -> list[str]:
    """What a match has no clicks for: free displays, the centre, the bag, the round, walls, points."""
    found = [_ROUND, "centre", *(f"F{n + 1}" for n in range(2 * int(state.seats) + 1))]
    found += [f"bag-{name}" for name in NAMES]
    for seat in range(int(state.seats)):
        prefix = "" if seat == int(state.mover) else f"seat-{seat + 1}-"
        found += [f"{prefix}cell-{row + 1}-{column + 1}" for row in range(5) for column in range(5)]
        found.append(f"{prefix}points")
    return found


def placed(text: str, piece: str, target: str) -> str:
    """The text of a position with a piece at a target, or with one tile fewer there.

    Raises:
        ValueError: that piece cannot lie there, or the text is none of a position.
    """
    head, *boards = (part.strip() for part in text.split("|"))
    fields = dict(field.split("=") for field in head.split(" "))
    seat, place = _owner(fields["mover"], target)
    if target == _ROUND:
        fields["round"] = str(max(1, int(fields["round"]) + STEPS[piece]))
    elif target.startswith("bag-"):
        _fill_bag(fields, boards, target.removeprefix("bag-"), STEPS[piece])
        return _joined(fields, boards)
    elif target.startswith(("centre", "F")):
        _change_offer(fields, boards, piece, target)
    else:
        _change_board(fields, boards, piece, seat, place)
    _balance(fields, boards)
    return _joined(fields, boards)


def _owner(mover: str, target: str) -> tuple[int, str]:
    """Whose board a target lies on, and its name there; the mover's targets have no seat before them."""
    found = re.fullmatch(r"seat-([1-4])-(.+)", target)
    if found:
        return int(found[1]) - 1, found[2]
    return (int(mover) - 1 if mover.isdigit() else 0), target


def _joined(fields: dict[str, str], boards: list[str]) -> str:
    return " | ".join([" ".join(f"{name}={fields[name]}" for name in _FIELDS), *boards])


# --- displays, the centre and the marker ------------------------------------------------------------------------------


def _change_offer(fields: dict[str, str], boards: list[str], piece: str, target: str) -> None:
    """Tiles on a display or in the centre; on a full display one is exchanged."""
    source, _, name = target.partition("-")
    if piece == "marker" and source == "centre":
        _give_marker(fields, boards, "centre")
        return
    displays = fields["F"].split(",")
    tiles = fields["centre"] if source == "centre" else displays[int(source[1:]) - 1]
    clicked = _letter(name) if name else ""
    tiles = tiles.replace(NOTHING, "")
    if piece == NONE or (source != "centre" and len(tiles) >= A_DISPLAY):
        tiles = tiles.replace(clicked or tiles[-1:], "", 1)
    tiles = "".join(sorted(tiles + ("" if piece == NONE else _letter(piece)), key=LETTERS.index)) or NOTHING
    if source == "centre":
        fields["centre"] = tiles
    else:
        displays[int(source[1:]) - 1] = tiles
        fields["F"] = ",".join(displays)


def _letter(name: str) -> str:
    return LETTERS[NAMES.index(name)]


def _give_marker(fields: dict[str, str], boards: list[str], to: str) -> None:
    """The marker lies in the centre or on a seat's floor line, where it takes a slot."""
    for seat, step in ((fields["marker"], -1), (to, 1)):
        if seat != "centre":
            points, lines, wall, floor = boards[int(seat) - 1].split(" ")
            boards[int(seat) - 1] = f"{points} {lines} {wall} {_within(int(floor) + step, FLOOR_SLOTS)}"
    fields["marker"] = to


def _within(number: int, most: int) -> int:
    return min(most, max(0, number))


# --- a player's board -------------------------------------------------------------------------------------------------


def _change_board(fields: dict[str, str], boards: list[str], piece: str, seat: int, place: str) -> None:
    """Points, pattern lines, wall and floor of a seat; and that it is to move, or began the round."""
    points, lines, wall, floor = boards[seat].split(" ")
    cell = _WALL_ROW.fullmatch(place)
    if piece == "turn" or (piece == "first" and place == "points"):
        fields["mover" if piece == "turn" else "first"] = str(seat + 1)
    elif piece == "marker" and place == "floor":
        _give_marker(fields, boards, str(seat + 1))
        return
    elif place == "points":
        points = str(_within(int(points) + STEPS[piece], MOST_POINTS))
    elif place == "floor":
        step = -1 if piece == NONE else len(_letter(piece))
        floor = str(_within(int(floor) + step, FLOOR_SLOTS))
    elif place.startswith("line-"):
        lines = _changed(lines, int(place[5:]) - 1, lambda line: _on_line(line, piece, int(place[5:])))
    elif cell:
        row, column = int(cell[1]) - 1, int(cell[2]) - 1
        wall = _changed(wall, row, lambda tiles: _on_wall(tiles, piece, row, column))
    else:
        raise ValueError("no place for a piece")
    boards[seat] = f"{points} {lines} {wall} {floor}"


def _changed(listed: str, at: int, change: Callable[[str], str]) -> str:
    parts = listed.split("/")
    parts[at] = change(parts[at])
    return "/".join(parts)


def _on_line(line: str, piece: str, most: int) -> str:
    """One more tile of its colour, or the first of another; a full line is left as it is."""
    line = line.replace(NOTHING, "")
    if piece == NONE:
        return line[:-1] or NOTHING
    letter = _letter(piece)
    return (line + letter)[:most] if line.startswith(letter) else letter


def _on_wall(tiles: str, piece: str, row: int, column: int) -> str:
    """The tile of the piece; whether that colour is printed there is for the reader to say."""
    letter = "." if piece == NONE else _letter(piece)
    return f"{tiles[:column]}{letter}{tiles[column + 1 :]}"


# --- bag and lid ------------------------------------------------------------------------------------------------------


def _fill_bag(fields: dict[str, str], boards: list[str], name: str, step: int) -> None:
    """A tile more in the bag, from the lid, or one fewer."""
    bag, rest = _counts(fields, "bag"), _rest(fields, boards)
    colour = NAMES.index(name)
    bag[colour] = _within(bag[colour] + step, max(0, rest[colour]))
    _write_supply(fields, bag, rest)


def _balance(fields: dict[str, str], boards: list[str]) -> None:
    """Let bag and lid hold what lies nowhere else, and the bag as many tiles as the rounds have left in it.

    Once the bag has been filled again from the lid, their numbers cannot be told from the round: both stay.
    """
    rest = _rest(fields, boards)
    bag = [_within(held, max(0, left)) for held, left in zip(_counts(fields, "bag"), rest, strict=True)]
    a_round = A_DISPLAY * (2 * len(boards) + 1)
    drawn = a_round * int(fields["round"])
    if fields["mover"].isdigit() and drawn <= COLOURS * COPIES:
        lid = [left - held for left, held in zip(rest, bag, strict=True)]
        lacking = COLOURS * COPIES - drawn - sum(bag)
        for _ in range(abs(lacking)):
            colour = max(range(COLOURS), key=(lid if lacking > 0 else bag).__getitem__)
            if (lid if lacking > 0 else bag)[colour] <= 0:
                break
            bag[colour] += 1 if lacking > 0 else -1
            lid[colour] -= 1 if lacking > 0 else -1
    _write_supply(fields, bag, rest)


def _counts(fields: dict[str, str], name: str) -> list[int]:
    return [int(count) for count in fields[name].split(",")]


def _rest(fields: dict[str, str], boards: list[str]) -> list[int]:
    """The tiles of each colour that are neither offered nor on a board: floor lines count for the lid."""
    laid = fields["centre"] + fields["F"] + "".join(part for board in boards for part in board.split(" ")[1:3])
    return [COPIES - laid.count(letter) for letter in LETTERS]


def _write_supply(fields: dict[str, str], bag: list[int], rest: list[int]) -> None:
    fields["bag"] = ",".join(map(str, bag))
    fields["lid"] = ",".join(str(max(0, left - held)) for left, held in zip(rest, bag, strict=True))
