"""Setting up a position of Saboteur by clicks: tunnels, hands, broken tools, roles, goals, looks, and whose turn it is.

The pile holds the cards that lie nowhere else. Rounds that are over and their gold are set up by text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from meeple.core.reading import NOTHING, listed, parts_of
from meeple.errors import NotationError
from meeple.games.saboteur.layout import MOST_HAND, N_CARDS
from meeple.games.saboteur.names import KINDS, SHORT, TOOLS
from meeple.games.tunnels import N_TUNNELS
from meeple.games.tunnels_notation import PLACES
from meeple.games.tunnels_speech import tunnel_tray

NONE = "none"
ROLES = {"miner": "m", "saboteur": "s"}
GOALS = {"treasure": "t", "shown": "!"}
TRAYS = {
    "Tunnels": tunnel_tray(),
    "Cards for hands": {name: f"[card-{kind}] {KINDS[kind]}" for kind, name in enumerate(SHORT) if kind >= N_TUNNELS},
    "Take away": {NONE: "take away"},
    "Seats": {
        **{f"no-{tool}": f"has a broken {tool}" for tool in TOOLS},
        **{role: f"is a {role}" for role in ROLES},
        "turn": "is to move",
        "looked": "has looked: a seat, then a goal",
    },
    "Goals": {"treasure": "the treasure", "shown": "face up or down"},
}
_CELL = re.compile(r"-?\d{1,2},-?\d{1,2}")
_HAND = re.compile(r"hand-(\d{1,2})(?:-turned)?")
_SEAT = re.compile(r"seat-(\d{1,2})(?:-(\w+))?")
_HEAD = re.compile(r"(?P<phase>\w+) (?P<seat>\d+) (?P<rest>.*)")


def placed(text: str, piece: str, *path: str) -> str | None:
    """The text of a position with a piece at a target; None where a look still wants its goal.

    Raises:
        ValueError: that piece cannot lie there, or the text is none of a position.
        NotationError: the same, in words.
    """
    head = _HEAD.fullmatch(text)
    if head is None:
        raise ValueError("no position")
    target, hand, seat = path[-1], _HAND.fullmatch(path[-1]), _SEAT.fullmatch(path[0])
    if piece == "looked" and seat and len(path) == 1:
        return None
    if piece == "looked":
        return _looked(text, seat, target)
    if _CELL.fullmatch(target):
        return _changed(text, "table", lambda part: _on_table(part, piece, target))
    if target in PLACES:
        return _changed(text, "goals", lambda part: _goals(part, piece, PLACES.index(target)))
    if hand:
        return _changed(text, "hands", lambda part: _in_list(part, piece, 0, int(hand[1]) - 1, most=MOST_HAND))
    if target == "discard":
        owner = int(head["seat"]) - 1
        return _changed(text, "passed", lambda part: _in_list(part, piece, owner, None, most=N_CARDS))
    if seat:
        return _at_seat(text, head, piece, int(seat[1]) - 1, seat[2])
    raise ValueError("no place for a piece")


def _changed(text: str, name: str, change: Callable[[str], str]) -> str:
    found = re.search(rf"\b{name}=(\S+)", text)
    if found is None:
        raise ValueError(f"no {name}")
    return f"{text[: found.start(1)]}{change(found[1])}{text[found.end(1) :]}"


# --- the table --------------------------------------------------------------------------------------------------------


def _on_table(part: str, piece: str, target: str) -> str:
    """A tunnel on a cell, as it is turned; or nothing there."""
    tiles = dict(tile.rsplit(":", 1) for tile in parts_of(part, ";"))
    tiles.pop(target, None)
    if piece != NONE:
        if not piece[0].isdigit():
            raise NotationError("only tunnels lie on the table")
        tiles[target] = piece
    return listed((f"{cell}:{tile}" for cell, tile in tiles.items()), ";")


def _goals(part: str, piece: str, at: int) -> str:
    """The treasure at a goal, which changes places with what lay there; or a goal turned over."""
    goals = part.split(",")
    if piece == "shown":
        goals[at] = goals[at][0] if "!" in goals[at] else f"{goals[at]}!"
    elif piece == "treasure":
        other = next((place for place, goal in enumerate(goals) if goal[0] == "t"), at)
        goals[other] = goals[at][0] + goals[other][1:]
        goals[at] = "t" + goals[at][1:]
    else:
        raise NotationError("a goal takes the treasure, or is turned over")
    return ",".join(goals)


def _looked(text: str, seat: re.Match[str] | None, goal: str) -> str:
    """That a seat has looked at a goal, or that it has not."""
    if seat is None or goal not in PLACES:
        raise NotationError("a look is a seat, then a goal")
    return _changed(text, "looked", lambda part: _toggled(part, int(seat[1]) - 1, PLACES.index(goal)))


def _toggled(part: str, owner: int, bit: int) -> str:
    numbers = [int(number) for number in part.split(",")]
    numbers[owner] ^= 1 << bit
    return ",".join(map(str, numbers))


# --- a seat -----------------------------------------------------------------------------------------------------------


def _at_seat(text: str, head: re.Match[str], piece: str, owner: int, badge: str | None) -> str:
    """Its role, its turn, a broken tool, or a card for its hand; nothing mends the tool, or takes its last card."""
    if piece == "turn":
        return f"{head['phase']} {owner + 1} {head['rest']}"
    if piece in ROLES:
        return _changed(text, "roles", lambda part: f"{part[:owner]}{ROLES[piece]}{part[owner + 1 :]}")
    tool = badge if badge and piece == NONE else piece.removeprefix("no-") if piece.startswith("no-") else ""
    if tool:
        return _changed(text, "broken", lambda part: _toggled(part, owner, TOOLS.index(tool)))
    return _changed(text, "hands", lambda part: _in_list(part, piece, owner, None, most=MOST_HAND))


def _in_list(part: str, piece: str, owner: int, at: int | None, *, most: int) -> str:
    """The cards of all seats, with one of the owner's exchanged, added or taken away; None: at the end."""
    lists = part.split("|")
    if "?" in lists[owner]:
        raise NotationError(f"the cards {lists[owner]} are hidden: they are told by text, such as 0,5,map")
    cards = parts_of(lists[owner], ",")
    name = piece.removesuffix("f") if piece[0].isdigit() else piece
    if piece != NONE and name not in SHORT:
        raise ValueError("no card")
    at = at if at is not None else len(cards) - (piece == NONE)
    new = [] if piece == NONE else [name]
    cards = sorted([*cards[:at], *new, *cards[at + 1 :]], key=SHORT.index)
    if len(cards) > most:
        raise NotationError(f"a hand has {most} cards at most")
    lists[owner] = listed(cards, ",")
    return "|".join(each or NOTHING for each in lists)
