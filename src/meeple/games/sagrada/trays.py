"""Setting up a position of Sagrada by clicks: dice by colour and value, cards, windows, tokens, the round and the turn.

A die may lie on a cell, in the pool or on the track; on a seat's medal it gives that seat its private colour. The bag
holds the dice that lie nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from meeple.core.reading import NOTHING
from meeple.errors import NotationError
from meeple.games.sagrada.board import COPIES, DIFFICULTY, PATTERNS
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS, OBJECTIVES, TOOLS, word_of
from meeple.games.sagrada.layout import MOST_POOL, N_ROUNDS, ROLL

NONE = "none"
STEPS = {"more": 1, "less": -1}  # of tokens
DICE = {f"{c}{v}": f"[die-{c}{v}] {name} {v}" for c, name in zip(COLOURS, COLOUR_NAMES, strict=True) for v in "123456"}
CARDS = {tool.word: tool.name for tool in TOOLS}
GOALS = {goal.word: goal.name for goal in OBJECTIVES}
WINDOWS = {word_of(window.name): window.name for window in PATTERNS}
TRAYS = {
    "Dice": DICE,
    "Take a die away": {NONE: "take a die away"},
    "Tokens and turns": {
        "more": "one token more, or the tool was used",
        "less": "one token fewer, or nobody used the tool",
        "turn": "it is this round, this turn",
        "start": "starts the round",
    },
    "Tools": CARDS,
    "Objectives": GOALS,
    "Windows": WINDOWS,
}
_CELLS = tuple(f"{column}{row}" for row in "1234" for column in "abcde")
_CELL = re.compile(r"(?:seat-(?P<seat>[1-4])-)?(?P<cell>[a-e][1-4])")
_NUMBERED = re.compile(r"(?P<what>pool|round|turn|tool|goal|seat|tokens|colour)-(?P<number>\d{1,2})")


def sites(state: Any) -> list[str]:
    """What a match has no clicks for: the others' windows, free places of the pool, the track, cards, and seats."""
    if state.phase < ROLL:
        return []
    seats = int(state.seats)
    found = ["track", *(f"round-{lap + 1}" for lap in range(N_ROUNDS)), *(f"goal-{n + 1}" for n in range(3))]
    found += [f"pool-{place + 1}" for place in range(int(state.n_pool), MOST_POOL)]
    found += [f"turn-{place + 1}" for place in range(2 * seats)] if seats > 1 else []
    for seat in range(seats):
        found += [f"{what}-{seat + 1}" for what in ("seat", "tokens", "colour")]
        found += [f"seat-{seat + 1}-{cell}" for cell in _CELLS]
    return found


def placed(text: str, piece: str, target: str) -> str:
    """The text of a position with a piece at a target.

    Raises:
        ValueError: that piece cannot lie there, or the text is none of a position.
        NotationError: the same, in words.
    """
    head, *seats = (part.strip() for part in text.split("|"))
    fields = {name: value for name, _, value in (word.partition("=") for word in head.split(" "))}
    boards = [seat.split(" ") for seat in seats]
    cell, numbered = _CELL.fullmatch(target), _NUMBERED.fullmatch(target)
    if cell:
        _change_cell(fields, boards, piece, cell)
    elif target == "track" or target.startswith("track-"):
        fields["track"] = _with_die(fields["track"], piece, target.partition("-")[2])
    elif numbered:
        _CHANGES[numbered["what"]](fields, boards, piece, int(numbered["number"]))
    else:
        raise ValueError("no place for a piece")
    fields["bag"] = _bag(fields, boards)
    return " | ".join([" ".join(f"{name}={value}" for name, value in fields.items()), *map(" ".join, boards)])


# --- dice -------------------------------------------------------------------------------------------------------------

_Fields = dict[str, str]
_Boards = list[list[str]]  # of each seat: colours, window, tokens, cells, windows on offer


def _change_cell(fields: _Fields, boards: _Boards, piece: str, found: re.Match[str]) -> None:
    """A die on a cell of a window: the mover's, where the target names no seat."""
    seat = int(found["seat"] or fields["order"][int(fields["turn"])]) - 1
    at = _CELLS.index(found["cell"])
    cells = re.findall("..", boards[seat][3].replace("/", ""))
    cells[at] = ".." if piece == NONE else _die(piece)
    boards[seat][3] = "/".join("".join(cells[row : row + 5]) for row in range(0, len(cells), 5))


def _die(piece: str) -> str:
    if piece not in DICE:
        raise ValueError("no die")
    return piece


def _with_die(dice: str, piece: str, clicked: str) -> str:
    """Dice with one more; one that was clicked is taken away, and exchanged for the piece."""
    dice = dice.replace(NOTHING, "")
    each = [dice[i : i + 2] for i in range(0, len(dice), 2)]
    if clicked or (piece == NONE and each):
        each.remove(clicked or each[-1])
    return "".join([*each, *([] if piece == NONE else [_die(piece)])]) or NOTHING


def _change_pool(fields: _Fields, boards: _Boards, piece: str, place: int) -> None:
    dice = fields["pool"].replace(NOTHING, "")
    clicked = dice[2 * place - 2 : 2 * place]
    if clicked or piece != NONE:
        fields["pool"] = _with_die(fields["pool"], piece, clicked)


def _bag(fields: _Fields, boards: _Boards) -> str:
    """By colour, how many dice lie nowhere else."""
    lying = fields["pool"] + fields["track"] + "".join(board[3] for board in boards)
    lying += fields["hand"] if fields["hand"] in DICE else ""
    spent = [int(count) for count in fields["spent"].split(".")]
    left = [COPIES - lying.count(colour) - gone for colour, gone in zip(COLOURS, spent, strict=True)]
    return ".".join(str(max(0, count)) for count in left)


# --- cards, windows and whose turn it is ------------------------------------------------------------------------------


def _exchanged(cards: str, place: int, new: str) -> str:
    """A row of cards with another at a place; one that lies elsewhere in the row changes places with it."""
    row = cards.split(",")
    words = [card.removesuffix("!") for card in row]
    if new in words:
        row[words.index(new)] = row[place]
    row[place] = new
    return ",".join(row)


def _change_tool(fields: _Fields, boards: _Boards, piece: str, number: int) -> None:
    row = fields["tools"].split(",")
    if piece in STEPS:
        word = row[number - 1].removesuffix("!")
        row[number - 1] = f"{word}!" if piece == "more" else word
        fields["tools"] = ",".join(row)
    elif piece in CARDS:
        fields["tools"] = _exchanged(fields["tools"], number - 1, piece)
    else:
        raise NotationError("a tool card takes another tool, or whether it was used")


def _change_goal(fields: _Fields, boards: _Boards, piece: str, number: int) -> None:
    if piece not in GOALS:
        raise NotationError("an objective takes the place of an objective only")
    fields["goals"] = _exchanged(fields["goals"], number - 1, piece)


def _change_seat(fields: _Fields, boards: _Boards, piece: str, seat: int) -> None:
    """A seat's window; or that it is the start player, which orders the turns of the round."""
    if piece == "start":
        order = [str((seat - 1 + step) % len(boards) + 1) for step in range(len(boards))]
        fields["start"], fields["order"] = str(seat), "".join([*order, *reversed(order)])
    elif piece in WINDOWS:
        boards[seat - 1][1] = piece
    else:
        raise NotationError("a seat takes a window, or the start of the round")


def _change_tokens(fields: _Fields, boards: _Boards, piece: str, seat: int) -> None:
    boards[seat - 1][2] = str(min(int(DIFFICULTY.max()), max(0, int(boards[seat - 1][2]) + STEPS[piece])))


def _change_colour(fields: _Fields, boards: _Boards, piece: str, seat: int) -> None:
    """The private colour is that of a die; whoever has it gets the other. In the solo game the older of two goes."""
    new, old = _die(piece)[0], boards[seat - 1][0]
    if len(boards) == 1:
        boards[0][0] = (old + new)[-2:] if new not in old else old
        return
    for board in boards:
        board[0] = old if board[0] == new else board[0]
    boards[seat - 1][0] = new


def _change_round(fields: _Fields, boards: _Boards, piece: str, number: int) -> None:
    if piece != "turn":
        raise ValueError("no round")
    fields["done"] = str(number - 1)


def _change_turn(fields: _Fields, boards: _Boards, piece: str, number: int) -> None:
    if piece != "turn":
        raise ValueError("no turn")
    fields["turn"] = str(number - 1)


_CHANGES: dict[str, Callable[[_Fields, _Boards, str, int], None]] = {
    "pool": _change_pool,
    "round": _change_round,
    "turn": _change_turn,
    "tool": _change_tool,
    "goal": _change_goal,
    "seat": _change_seat,
    "tokens": _change_tokens,
    "colour": _change_colour,
}
