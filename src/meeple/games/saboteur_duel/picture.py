"""The duel drawn: tunnels carved through the cards, the viewer's hand large, the rival's as a number.

A click path is a card of the hand (or its turn button) and then what it is played on: a cell, an objective, a seat, or
the discard pile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.picture import MEDIUM, Look, Path, fitted, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.board import has_cell
from meeple.games.saboteur_duel.cover import cover as cover
from meeple.games.saboteur_duel.notation import cell_text, kinds_of
from meeple.games.saboteur_duel.rules import apply, known_objectives, removed_cards
from meeple.games.tunnels import CARD_OF, CROSS
from meeple.games.tunnels_art import CARD_HEIGHT, back, with_symbols
from meeple.games.tunnels_notation import PLACES
from meeple.games.tunnels_picture import (
    GROUNDS,
    LINE_HEIGHT,
    TUNNELS,
    Badge,
    Face,
    Goal,
    SeatLine,
    TableCard,
    after_move,
    card_paths,
    discard_pile,
    draw_gone,
    draw_seat,
    draw_table,
    far_words,
    hand_card,
    hidden_card,
    is_way,
    reached_words,
    shape_in_hand,
    window_round,
    without_hand,
    word_icon,
)

FACES = (
    *TUNNELS,
    Face("Map: look at a goal in secret", "Map", kind="map", icons=("map",)),
    Face("Bonus: take one Malus away from yourself", "Bonus", kind="repair", icons=("pick",)),
    Face("Destroy: remove a tunnel", "Destroy", kind="rocks", icons=("rocks",)),
    Face("Malus: the other may lay no tunnels", "Malus", kind="break", icons=("pick",)),
)
SHOWS = ("seats",)
HELD = ("hand-",)
_GOALS = [(int(cell) % layout.ROW, int(cell) // layout.ROW - 1) for cell in layout.OBJECTIVES]
_START = (layout.ENTRANCE % layout.ROW, layout.ENTRANCE // layout.ROW - 1)


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The table, both seats, and the hand of the viewer (of the first seat for who has none)."""
    look = without_hand(look)
    own = 0 if seat is None or seat < 0 else seat
    parts = _narrow(state, seat, own, look) if look.narrow else _wide(state, seat, own, look)
    width, height = (420, 852) if look.narrow else (1080, 760)
    return look.svg(width, height, with_symbols(*parts), title="Saboteur (duel)", grounds=GROUNDS)


def paths(state: Any, action: int) -> list[Path]:
    """The card, then the cell, objective, seat or pile; either of two equal cards will do."""
    hand = kinds_of(int(state.hand[state.seat]))
    if action < layout.DESTROY:
        tile, is_turned = CARD_OF[int(layout.SHAPE[action & 63])]
        return _ending(card_paths(hand, tile, is_turned=is_turned), cell_text(action >> 6))
    if action < layout.MAP:
        return _ending(card_paths(hand, layout.DESTROY_CARD), cell_text(action - layout.DESTROY))
    if action < layout.BONUS:
        return _ending(card_paths(hand, layout.MAP_CARD), PLACES[action - layout.MAP])
    if action == layout.BONUS:
        return _ending(card_paths(hand, layout.BONUS_CARD), f"seat-{int(state.seat) + 1}")
    if action < layout.DROP:
        return _ending(card_paths(hand, layout.MALUS_CARD), f"seat-{2 - int(state.seat)}")
    return _ending(card_paths(hand, action - layout.DROP), "discard")


def preview(state: Any, action: int, seat: int) -> str:
    """What a card does where it is played, as far as the seat can know."""
    if action < layout.DESTROY:
        return _preview_tunnel(state, action, seat)
    if action < layout.MAP:
        before, after = (sum(one.is_joined for one in _cards(it)) for it in (state, after_move(apply, state, action)))
        n_cut = before - after - int(has_cell(state.reached, np.int64(action - layout.DESTROY)))
        return f"takes it away and cuts off {n_cut} more" if n_cut else "takes it away"
    if action < layout.BONUS:
        known = int(known_objectives(state, seat)) >> (action - layout.MAP) & 1
        return "you know this one already" if known else "you alone see what it is"
    if action < layout.DROP:
        return "takes one Malus away" if action == layout.BONUS else "stops the other from laying tunnels"
    return "goes away face down, unplayed"


def icon(key: str) -> Markup:
    """A card amid words."""
    return word_icon(key, FACES)


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """There are no points: what all see of a seat."""
    return {"cards": int(state.n_hand[owner]), "Malus": int(state.malus[owner])}


def _ending(starts: list[Path], last: str) -> list[Path]:
    return [(*start, last) for start in starts]


def _preview_tunnel(state: Any, action: int, seat: int) -> str:
    after = after_move(apply, state, action)
    new = int(after.shown) & ~int(state.shown)
    known = int(known_objectives(state, seat))
    if new & known & 1 << int(state.nugget):
        return "reaches the gold and wins"
    if new:
        return reached_words(new)
    cell = action >> 6
    if not is_way(int(layout.SHAPE[action & 63])):
        return "a dead end"
    if not has_cell(after.reached, np.int64(cell)):
        return "not joined to the entrance"
    column, row = cell % layout.ROW, cell // layout.ROW - 1
    return f"joined to the entrance, {far_words(column, row, _GOALS)}"


# --- the parts of the picture --------------------------------------------------------------------------


def _wide(state: Any, seat: int | None, own: int, look: Look) -> list[Markup]:
    """The table left; seats and hand beside it, a little larger than on a phone, and below what is gone."""
    x, width, scale = 560.0, 508.0, 1.15
    lines = [draw_seat(look, _line(state, owner, seat, own), 0, LINE_HEIGHT * i, width / scale)
             for i, owner in enumerate((1 - own, own))]  # fmt: skip
    panel = [*lines, _status(state, look, 0, 116, width / scale), _hand(state, seat, own, look, 0, 150, 113)]
    return [
        _table(state, seat, own, look, (4, 8, 540, 740)),
        tag("g", *panel, transform=f"translate({x:g} 16) scale({scale:g})"),
        _gone(state, seat, own, look, x, 534, width),
    ]


def _narrow(state: Any, seat: int | None, own: int, look: Look) -> list[Markup]:
    """The hand right below the table: both are looked at together."""
    lines = [draw_seat(look, _line(state, owner, seat, own), 6 + 206 * i, 798, 202)
             for i, owner in enumerate((1 - own, own))]  # fmt: skip
    return [
        _table(state, seat, own, look, (0, 2, 416, 474)),
        _hand(state, seat, own, look, 5, 484, 103),
        _status(state, look, 8, 768, 404),
        *lines,
    ]


def _cards(state: Any) -> list[TableCard]:
    """The tunnels on the board."""
    reached = state.reached.tolist()
    cells = [64 * i + bit for i, word in enumerate(state.tiles.tolist()) for bit in range(63) if word >> bit & 1]
    return [
        TableCard(
            cell % layout.ROW,
            cell // layout.ROW - 1,
            -1 - int(state.cell[cell]),
            bool(reached[cell >> 6] >> (cell & 63) & 1),
        )
        for cell in cells
    ]


def _goals(state: Any, seat: int | None) -> list[Goal]:
    known = 7 if seat is None else int(known_objectives(state, seat))
    goals = []
    for k, (column, row) in enumerate(_GOALS):
        is_known = known >> k & 1 and state.nugget >= 0
        face = ("gold" if state.nugget == k else "stone") if is_known else ""
        is_joined = bool(has_cell(state.reached, layout.OBJECTIVES[k]))
        goals.append(Goal(column, row, PLACES[k], face, CROSS if int(state.shown) >> k & 1 else -1, is_joined))
    return goals


def _table(state: Any, seat: int | None, own: int, look: Look, box: tuple[float, float, float, float]) -> Markup:
    cards, goals = _cards(state), _goals(state, seat)
    window = window_round(_START, cards, goals, box, (0, layout.SIZE - 1))
    ghost = shape_in_hand(look, [FACES[kind] for kind in kinds_of(int(state.hand[own]))]) if seat == own else -1
    return draw_table(look, window, _START, cards, goals, lambda column, row: f"{row},{column}", ghost)


def _line(state: Any, owner: int, seat: int | None, own: int) -> SeatLine:
    faces = tuple(FACES[kind] for kind in kinds_of(int(state.hand[owner])))
    return SeatLine(
        seat=owner,
        is_viewer=seat == owner,
        is_mover=bool(state.phase == layout.TURN and state.seat == owner),
        n_hand=int(state.n_hand[owner]),
        faces=faces if seat is None and owner != own else None,
        badges=(Badge("pick", "M", "Malus"),) * int(state.malus[owner]),
        looked=tuple(place for k, place in enumerate(PLACES) if int(state.looked[owner]) >> k & 1),
        notes=(("gold", "wins"),) if state.phase == layout.OVER and state.winner == owner else (),
    )


def _status(state: Any, look: Look, x: float, y: float, width: float) -> Markup:
    """How many cards are left to draw, and how it ended."""
    words = f"{int(state.left)} cards to draw" if state.phase != layout.OVER else "over"
    if state.phase == layout.OVER:
        words = (
            "Nobody found the gold: a draw" if state.winner < 0 else f"{look.name(int(state.winner))} found the gold"
        )
    parts = [
        back(x + 2, y, 15, 20),
        text(x + 26, y + 15, fitted(words, width - 30, MEDIUM), size=MEDIUM, fill=look.ink),
    ]
    return joined(parts)


def _hand(state: Any, seat: int | None, own: int, look: Look, x: float, y: float, step: float) -> Markup:
    """Up to seven cards in two rows, and in the last place the discard pile."""
    kinds = kinds_of(int(state.hand[own]))
    knows = seat is None or seat == own
    parts = []
    for i, kind in enumerate(kinds):
        corner = (x + step * (i % 4), y + (CARD_HEIGHT + 9) * (i // 4))
        parts.append(hand_card(look, i + 1, FACES[kind], *corner) if knows else hidden_card(*corner))
    n_dropped = int(state.n_dropped[0]) + int(state.n_dropped[1])
    return joined([*parts, discard_pile(look, n_dropped, x + step * 3, y + CARD_HEIGHT + 9)])


def _gone(state: Any, seat: int | None, own: int, look: Look, x: float, y: float, width: float) -> Markup:
    """The cards that have left the game face up, and those that the viewer has dropped: worth counting."""
    dropped = kinds_of(int(state.dropped[own])) if seat is None or seat == own else []
    who = "you" if seat == own else look.name(own)
    rows = (("Gone, face up", kinds_of(int(removed_cards(state)))), (f"Dropped by {who}", dropped))
    parts = []
    for words, kinds in rows:
        drawn, height = draw_gone(look, words, [FACES[kind] for kind in kinds], x, y, width, 27)
        parts.append(drawn)
        y += height
    return joined(parts)
