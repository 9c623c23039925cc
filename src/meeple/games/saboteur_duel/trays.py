"""Setting up a position of the duel by clicks: tunnels on the table, cards in the mover's hand and among its drops."""

from __future__ import annotations

import re
from typing import Any

from meeple.core.reading import NOTHING, listed, parts_of
from meeple.games.saboteur_duel.layout import ROW
from meeple.games.tunnels import N_TUNNELS
from meeple.games.tunnels_speech import tunnel_tray

NONE = "none"
CARDS = ("map", "bonus", "destroy", "malus")
TRAYS = {
    "Tunnels": tunnel_tray(),
    "Cards for hands": {name: f"[card-{N_TUNNELS + at}] the {name.capitalize()}" for at, name in enumerate(CARDS)},
    "Take away": {NONE: "take away"},
}
_CELL = re.compile(r"\d{1,2},\d{1,2}")
_HAND = re.compile(r"hand-(\d{1,2})(?:-turned)?")


def sites(state: Any) -> list[str]:
    """The empty cells that a tunnel leads into; the picture draws them where they are lit."""
    cells = [word * 64 + bit for word in range(4) for bit in range(64) if int(state.frontier[word]) >> bit & 1]
    return [f"{cell // ROW - 1},{cell % ROW}" for cell in cells]


def placed(text: str, piece: str, target: str) -> str:
    """The text of a position with a tunnel on a cell, or with a card in the mover's hand or on its drops.

    Raises:
        ValueError: that piece cannot lie there, or the text is none of a position.
    """
    found = re.match(r"\w+ ([12]) ", text)
    hand = _HAND.fullmatch(target)
    if found is None:
        raise ValueError("no position")
    owner = int(found[1]) - 1
    if _CELL.fullmatch(target):
        if piece != NONE and not piece[0].isdigit():
            raise ValueError("no tunnel")
        return _changed(text, "board", lambda part: _on_table(part, piece, target))
    if hand:
        return _changed(text, "hands", lambda part: _in_list(part, piece, owner, int(hand[1]) - 1))
    if target == "discard":
        return _changed(text, "drops", lambda part: _in_list(part, piece, owner, 99))
    raise ValueError("no place for a piece")


def _changed(text: str, name: str, change: Any) -> str:
    found = re.search(rf"\b{name}=(\S+)", text)
    if found is None:
        raise ValueError(f"no {name}")
    return f"{text[: found.start(1)]}{change(found[1])}{text[found.end(1) :]}"


def _on_table(part: str, piece: str, target: str) -> str:
    tiles = dict(tile.rsplit(":", 1) for tile in parts_of(part, ";"))
    tiles.pop(target, None)
    if piece != NONE:
        tiles[target] = piece
    return listed((f"{cell}:{tile}" for cell, tile in tiles.items()), ";")


def _in_list(part: str, piece: str, owner: int, at: int) -> str:
    """The cards of both seats, with one of the owner's exchanged, added or taken away."""
    lists = part.split("|")
    cards = parts_of(lists[owner], ",")
    new = [] if piece == NONE else [piece.removesuffix("f") if piece[0].isdigit() else piece]
    lists[owner] = listed([*cards[:at], *new, *cards[at + 1 :]], ",")
    return "|".join(each or NOTHING for each in lists)
