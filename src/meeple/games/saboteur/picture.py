"""Saboteur drawn: the tunnels, a line for each seat with its broken tools, the viewer's role and hand large.

A click path is a card of the hand (or its turn button) and then what it is played on: a cell, a goal, a seat to break
a tool, a broken tool (or its seat) to mend it, or the discard pile. A gold card is taken by one click.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from meeple.core.picture import EDGE, INK, MEDIUM, SMALL, Look, Path, fitted, ring_box, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.saboteur import layout
from meeple.games.saboteur.cover import cover as cover
from meeple.games.saboteur.notation import TOOLS, cell_text, cells_of, kinds_of, known_goal, known_roles
from meeple.games.saboteur.rules import apply, removed_cards
from meeple.games.saboteur.secrets import known_goals
from meeple.games.tunnels import CARD_OF
from meeple.games.tunnels_art import ART, CARD, CARD_EDGE, CARD_HEIGHT, LIT, art_corner, back, card, with_symbols
from meeple.games.tunnels_art import icon as drawn_icon
from meeple.games.tunnels_notation import PLACES
from meeple.games.tunnels_picture import (
    GROUNDS,
    LINE_HEIGHT,
    MARGIN,
    TUNNELS,
    Badge,
    Face,
    Goal,
    SeatLine,
    TableCard,
    Window,
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
    role_badge,
    shape_in_hand,
    window_round,
    without_hand,
    word_icon,
)

ICONS = ("pick", "lantern", "cart")
LETTERS = "PLC"
FACES = (
    *TUNNELS,
    *(
        Face(f"break a {tool}", f"no {tool}", kind="break", icons=(ICONS[i],), letters=LETTERS[i])
        for i, tool in enumerate(TOOLS)
    ),
    *(
        Face(f"repair a {tool}", f"fix {tool}", kind="repair", icons=(ICONS[i],), letters=LETTERS[i])
        for i, tool in enumerate(TOOLS)
    ),
    *(
        Face(
            f"repair a {TOOLS[a]} or a {TOOLS[b]}",
            f"fix {LETTERS[a]} or {LETTERS[b]}",
            kind="repair",
            icons=(ICONS[a], ICONS[b]),
            letters=f"{LETTERS[a]}/{LETTERS[b]}",
        )
        for a, b in layout.PAIR.tolist()
    ),
    Face("rockfall: remove a tunnel", "rockfall", kind="rocks", icons=("rocks",)),
    Face("map: look at a goal in secret", "map", kind="map", icons=("map",)),
)
_GOALS = ((8, -2), (8, 0), (8, 2))
FEW_SEATS = 5
MOST_SIDE = 106.0  # of a cell: the table at the start takes the width
SHOWS = ("seats",)
HELD = ("hand-",)


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The table, all seats, and role and hand of the viewer (of the first seat for who has none)."""
    look = without_hand(look)
    own = 0 if seat is None or seat < 0 else seat
    width, height, parts = _narrow(state, seat, own, look) if look.narrow else _wide(state, seat, own, look)
    return look.svg(width, height, with_symbols(*parts), title="Saboteur", grounds=GROUNDS)


def paths(state: Any, action: int) -> list[Path]:
    """The card, then what it is played on; any one of equal cards will do."""
    if action >= layout.TAKE:
        return [
            (f"gold-{number}",) for number, value in enumerate(_offer(state), 1) if value == action - layout.TAKE + 1
        ]
    hand = kinds_of(int(state.hand[state.seat]))
    if action < layout.ROCKFALL:
        is_turned = CARD_OF[int(layout.SHAPE[action & 63])][1]
        starts = card_paths(hand, int(layout.KIND_AT[action & 63]), is_turned=is_turned)
        return [(*start, cell_text(state, action >> 6)) for start in starts]
    kind, targets = _played_on(state, action)
    return [(*start, target) for start in card_paths(hand, kind) for target in targets]


def _played_on(state: Any, action: int) -> tuple[int, list[str]]:
    """The kind of an action card or of a card that is passed, and the targets it may go to."""
    if action < layout.MAP:
        return layout.ROCKFALL_CARD, [cell_text(state, action - layout.ROCKFALL)]
    if action < layout.BREAK:
        return layout.MAP_CARD, [PLACES[action - layout.MAP]]
    if action < layout.REPAIR:
        tool, other = divmod(action - layout.BREAK, layout.MOST)
        return layout.BREAK_CARD + tool, [f"seat-{other + 1}"]
    if action < layout.DOUBLE:
        tool, other = divmod(action - layout.REPAIR, layout.MOST)
        return layout.REPAIR_CARD + tool, _mended(state, other, tool, [tool])
    if action < layout.PASS:
        number, other = divmod(action - layout.DOUBLE, layout.MOST)
        pair = layout.PAIR[number // 2].tolist()
        return layout.DOUBLE_CARD + number // 2, _mended(state, other, pair[number % 2], pair)
    return action - layout.PASS, ["discard"]


def _mended(state: Any, other: int, tool: int, tools: list[int]) -> list[str]:
    """A broken tool to be mended; the whole seat too, where the card leaves no doubt which."""
    is_clear = sum(int(state.broken[other]) >> each & 1 for each in tools) == 1
    return [f"seat-{other + 1}-{TOOLS[tool]}", *([f"seat-{other + 1}"] if is_clear else [])]


def preview(state: Any, action: int, seat: int) -> str:
    """What a card does where it is played, as far as the seat can know."""
    if action < layout.ROCKFALL:
        return _preview_tunnel(state, action, seat)
    if action < layout.MAP:
        before, after = (sum(one.is_joined for one in _cards(it)) for it in (state, after_move(apply, state, action)))
        fallen = next(
            one for one in _cards(state) if f"{one.column},{one.row}" == cell_text(state, action - layout.ROCKFALL)
        )
        n_cut = before - after - int(fallen.is_joined)
        return f"takes it away and cuts off {n_cut} more" if n_cut else "takes it away"
    if action < layout.BREAK:
        is_known = int(known_goals(state, seat)) >> (action - layout.MAP) & 1
        return "you know this one already" if is_known else "you alone see what it is"
    if action < layout.REPAIR:
        return "lays no tunnels until it is mended"
    if action < layout.PASS:
        other = (action - (layout.REPAIR if action < layout.DOUBLE else layout.DOUBLE)) % layout.MOST
        n_left = int(state.broken[other]).bit_count() - 1
        return f"mended, {n_left} still broken" if n_left else "mended, may lay tunnels again"
    return "goes away face down, unplayed" if action < layout.TAKE else f"{action - layout.TAKE + 1} gold for you"


def _preview_tunnel(state: Any, action: int, seat: int) -> str:
    new = int(after_move(apply, state, action).shown) & ~int(state.shown)
    known = int(known_goals(state, seat))
    if any((new & known) >> k & 1 and state.goal[k] == 0 for k in range(3)):
        return "reaches the gold: the miners win the round"
    if new:
        return reached_words(new)
    if not is_way(int(layout.SHAPE[action & 63])):
        return "a dead end"
    column, row = (int(word) for word in cell_text(state, action >> 6).split(","))
    return far_words(column, row, _GOALS)


def icon(key: str) -> Markup:
    """A card amid words."""
    return word_icon(key, FACES)


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """Gold by how it was earned, and the gold cards that the viewer may not see."""
    paid, taken, n_hidden = _gold(state, owner, seat)
    parts = {"as saboteur": paid, "as miner": taken}
    return parts | ({"cards face down": n_hidden} if n_hidden else {})


def total(state: Any, owner: int, seat: int | None) -> int:
    """The gold of a seat; one's own cards count though they lie face down."""
    paid, taken, _ = _gold(state, owner, seat)
    return paid + taken


def _gold(state: Any, owner: int, seat: int | None) -> tuple[int, int, int]:
    """What a seat was paid as a saboteur, what it took as a miner as far as the viewer knows, and cards not seen."""
    values = np.array([1, 2, 3])
    paid = int((state.paid[:, owner].sum(axis=0) * values).sum()) - int((state.returned[owner] * values).sum())
    sees_all = seat is None or seat == owner or state.phase == layout.OVER
    taken = n_hidden = 0
    for lap in range(layout.N_ROUNDS):
        for number in range(int(state.n_taken[lap])):
            if state.taker[lap, number] != owner:
                continue
            if sees_all or lap < state.bared[owner]:
                taken += int(state.taken[lap, number]) + 1
            else:
                n_hidden += 1
    return paid, taken, n_hidden


# --- the parts of the picture --------------------------------------------------------------------------


def _wide(state: Any, seat: int | None, own: int, look: Look) -> tuple[float, float, list[Markup]]:
    """Few seats stand in a row above the table, which has the whole width; more stand in a column beside it."""
    n_seats = int(state.seats)
    is_row = n_seats <= FEW_SEATS
    step = 1092 / n_seats
    places = [
        (8 + step * n, 34.0, step - 8) if is_row else (800.0, 10 + LINE_HEIGHT * n, 292.0) for n in range(n_seats)
    ]
    lines = [draw_seat(look, _line(state, owner, seat, own), *place) for owner, place in enumerate(places)]
    window = _window(state, seat, (4, 84, 1088, 536) if is_row else (4, 34, 780, 512))
    y = 632 if is_row else 562
    parts = [
        _header(state, look, 24, 8, 1050 if is_row else 750),
        _table(state, seat, own, look, window),
        *lines,
        _lower(state, seat, own, look, 20, y, 8, 111),
        _gone(state, look, 916, y, 176),
    ]
    return 1100, y + 142, parts


def _narrow(state: Any, seat: int | None, own: int, look: Look) -> tuple[float, float, list[Markup]]:
    """One below the other; the table takes the height that it needs."""
    window = _window(state, seat, (0, 26, 416, 400))
    window = replace(window, y=28 + MARGIN)
    y = window.y + window.side * len(window.rows) + 12
    parts = [
        _header(state, look, 8, 6, 404),
        _table(state, seat, own, look, window),
        _lower(state, seat, own, look, 5, y, 4, 103),
    ]
    y += _offer_height(state, 412) if state.phase == layout.CHOOSE else 2 * (CARD_HEIGHT + 9) + 6
    for owner in range(int(state.seats)):
        line = _line(state, owner, seat, own)
        parts.append(draw_seat(look, line, 6 + 206 * (owner % 2), y + LINE_HEIGHT * (owner // 2), 202))
    return 420, y + LINE_HEIGHT * ((int(state.seats) + 1) // 2) + 4, parts


def _cards(state: Any) -> list[TableCard]:
    """The tunnels on the table."""
    cards = []
    for cell in cells_of(state.tunnels):
        column, row = (int(word) for word in cell_text(state, cell).split(","))
        code = -1 - int(state.cell[cell])
        cards.append(TableCard(column, row, code & 31, code >= 32))
    return cards


def _window(state: Any, seat: int | None, box: tuple[float, float, float, float]) -> Window:
    return window_round((0, 0), _cards(state), _goals(state, seat), box, most=MOST_SIDE)


def _goals(state: Any, seat: int | None) -> list[Goal]:
    goals = []
    for k, (column, row) in enumerate(_GOALS):
        known = known_goal(state, k, seat)
        face = {"t": "gold", "?": "", "-": ""}.get(known[0], "stone")
        code = -1 - int(state.cell[int(layout.GOAL_CELLS[k])])
        goals.append(Goal(column, row, PLACES[k], face, code & 31 if "!" in known else -1, code >= 32))
    return goals


def _table(state: Any, seat: int | None, own: int, look: Look, window: Window) -> Markup:
    ghost = shape_in_hand(look, [FACES[kind] for kind in kinds_of(int(state.hand[own]))]) if seat == own else -1
    return draw_table(look, window, (0, 0), _cards(state), _goals(state, seat), lambda x, y: f"{x},{y}", ghost)


def _header(state: Any, look: Look, x: float, y: float, width: float) -> Markup:
    """The round, the pile, and who has won the rounds before; at the end who has most gold."""
    lap = min(int(state.lap) + 1, layout.N_ROUNDS)
    words = f"Round {lap} of {layout.N_ROUNDS} · {int(state.left)} in the pile"
    if state.phase == layout.OVER:
        gold = [sum(_gold(state, owner, None)[:2]) for owner in range(int(state.seats))]
        best = [look.name(owner) for owner, n in enumerate(gold) if n == max(gold)]
        words = f"Most gold: {', '.join(best)} ({max(gold)})"
    winners = ["-MS"[int(code)] for code in state.outcome_of if code]
    room = width - 60 - 25 * len(winners)
    parts = [text(x, y + 15, fitted(words, room, MEDIUM), size=MEDIUM, fill=look.ink, font_weight=600)]
    if winners:
        at = x + width - 25 * len(winners)
        parts.append(text(at - 6, y + 14, "won by", size=SMALL, text_anchor="end", fill=look.ink))
        parts += [role_badge(letter, at + 25 * i + 3, y) for i, letter in enumerate(winners)]
    return joined(parts)


def _line(state: Any, owner: int, seat: int | None, own: int) -> SeatLine:
    roles = known_roles(state, seat)
    role = {"m": "M", "s": "S"}.get(roles[owner], "") if owner < len(roles) else ""
    paid, taken, n_hidden = _gold(state, owner, seat)
    notes = (("gold", str(paid + taken)),) if paid + taken or state.phase == layout.OVER else ()
    return SeatLine(
        seat=owner,
        is_viewer=seat == owner,
        is_mover=bool(state.phase in (layout.TURN, layout.CHOOSE) and state.seat == owner),
        n_hand=int(state.n_hand[owner]),
        faces=_faces(state, owner) if seat is None and owner != own else None,
        badges=tuple(
            Badge(ICONS[i], LETTERS[i], f"broken {tool}", f"seat-{owner + 1}-{tool}")
            for i, tool in enumerate(TOOLS)
            if int(state.broken[owner]) >> i & 1
        ),
        looked=tuple(place for k, place in enumerate(PLACES) if int(state.looked[owner]) >> k & 1),
        notes=notes + ((("back", str(n_hidden)),) if n_hidden else ()),
        past="".join("MS"[int(state.were[lap]) >> owner & 1] for lap in range(int(state.lap)) if lap < layout.N_ROUNDS),
        role="" if state.phase == layout.OVER else role,
    )


def _faces(state: Any, owner: int) -> tuple[Face, ...]:
    return tuple(FACES[kind] for kind in kinds_of(int(state.hand[owner])))


def _lower(state: Any, seat: int | None, own: int, look: Look, x: float, y: float, per_row: int, step: float) -> Markup:
    """The viewer's role, hand and the discard pile; while gold is given out, the gold."""
    if state.phase == layout.CHOOSE:
        return _gold_offer(state, seat, look, x, y, per_row * step)
    knows = seat is None or seat == own
    corners = [(x + step * (i % per_row), y + (CARD_HEIGHT + 9) * (i // per_row)) for i in range(8)]
    parts = [_role_card(known_roles(state, seat)[own : own + 1], *corners[0])]
    for i, face in enumerate(_faces(state, own), 1):
        parts.append(hand_card(look, i, face, *corners[i]) if knows else hidden_card(*corners[i]))
    n_passed = sum(int(n) for n in state.n_passed)
    return joined([*parts, discard_pile(look, n_passed, *corners[7])])


def _role_card(letter: str, x: float, y: float) -> Markup:
    """The viewer's role, with a rim that no card to play has; face down where it is not known."""
    if letter not in ("m", "s"):
        return hidden_card(x, y)
    is_saboteur = letter == "s"
    left, top = art_corner(x, y)
    art = [
        tag("rect", x=left, y=top, width=ART, height=ART, rx=41, fill=INK if is_saboteur else LIT, stroke=EDGE),
        drawn_icon("dynamite" if is_saboteur else "helmet", left + 15, top + 14, 52, "#fff" if is_saboteur else INK),
    ]
    word = "saboteur" if is_saboteur else "miner"
    return tag("g", card(x, y, joined(art), word), role="img", aria_label=f"your role: {word}")


GOLD_WIDTH, GOLD_HEIGHT = 74.0, 96.0


def _offer(state: Any) -> list[int]:
    """The gold cards on offer, by value."""
    return [value + 1 for value in range(3) for _ in range(int(state.offer[value]))]


def _gold_offer(state: Any, seat: int | None, look: Look, x: float, y: float, width: float) -> Markup:
    """The gold cards that go round; only who chooses sees what they are worth."""
    chooser = int(state.seat)
    sees = seat is None or seat == chooser
    words = f"{look.does(chooser, 'take')} one gold card; the rest goes on"
    parts = [text(x + 4, y + 16, fitted(words, width - 8, SMALL), size=SMALL, fill=look.ink)]
    per_row = _gold_a_row(width)
    for i, value in enumerate(_offer(state) if sees else [0] * int(state.n_offer)):
        corner = (x + 4 + (GOLD_WIDTH + 8) * (i % per_row), y + 28 + (GOLD_HEIGHT + 8) * (i // per_row))
        parts.append(_gold_card(look, i + 1, value, *corner) if sees else back(*corner, GOLD_WIDTH, GOLD_HEIGHT))
    return joined(parts)


def _gold_a_row(width: float) -> int:
    return int(width // (GOLD_WIDTH + 8))


def _offer_height(state: Any, width: float) -> float:
    """How much room the gold takes that goes round."""
    return 36 + (GOLD_HEIGHT + 8) * -(-int(state.n_offer) // _gold_a_row(width))


def _gold_card(look: Look, number: int, value: int, x: float, y: float) -> Markup:
    nuggets: Sequence[tuple[float, float]] = ((37, 34),) if value == 1 else ((22, 34), (52, 34), (37, 16))[:value]
    parts = [
        tag("rect", x=x, y=y, width=GOLD_WIDTH, height=GOLD_HEIGHT, rx=10, fill=CARD, stroke=CARD_EDGE),
        *(drawn_icon("gold", x + dx - 15, y + dy - 11, 30) for dx, dy in nuggets),
        text(x + GOLD_WIDTH / 2, y + 82, value, size=22, text_anchor="middle", font_weight=700, fill=INK),
    ]
    ring = ring_box(x - 2, y - 2, GOLD_WIDTH + 4, GOLD_HEIGHT + 4, 11)
    return look.target(f"gold-{number}", f"gold card of value {value}", *parts, ring=ring)


def _gone(state: Any, look: Look, x: float, y: float, width: float) -> Markup:
    """The cards that have left the round face up."""
    faces = [FACES[kind] for kind in kinds_of(int(removed_cards(state)))]
    return draw_gone(look, "Gone, face up", faces, x, y, width, 20 if len(faces) > 24 else 26)[0]
