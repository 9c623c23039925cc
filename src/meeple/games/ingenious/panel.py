"""What stands beside the board of Ingenious: scores as bars, the hand, the offer of a swap, the bag."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import Any

from meeple.core.picture import PAPER, SMALL, Look, fitted, piece, ring_box, ring_round, seat_mark, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.ingenious.geometry import RADIUS
from meeple.games.ingenious.layout import ASK, DEAL, OVER, PLACE, TRACK
from meeple.games.ingenious.notation import NAMES, tiles_text
from meeple.games.ingenious.scoring import side_of, sorted_points
from meeple.games.ingenious.symbols import BRIGHT, capsule, small_tile, symbol
from meeple.games.ingenious.tiles import HAND, KINDS, counts_of, size_of

FAINT = "#a9b0bd"
TROUGH = "#3c4454"
MARKED = "#ffd166"  # the lowest score


@dataclass(frozen=True)
class Box:
    """Where a part stands, and how wide it is."""

    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Plan:
    """Where everything lies; `scores` begins with the viewer's side."""

    width: float
    height: float
    board: tuple[float, float, float, float]  # the room it has: x, y, width, height
    middle: tuple[float, float]  # of the board
    side: float  # of a cell
    status: Box
    hand: Box
    unit: float  # half a tile of the hand
    buttons: Box
    scores: tuple[Box, ...]
    hands: Box  # the others', for who sees the whole world
    bag: Box
    small: float  # the smallest type


def plan_of(state: Any, seat: int | None, look: Look) -> Plan:
    """The places for a page or a phone; who sees the whole world has room for the other hands."""
    others = len(_sides(state, 0)) - 1
    extra = 28.0 * (int(state.seats) - 1) if seat is None else 0.0
    if look.narrow:
        return _narrow_plan(int(state.seats), others, extra)
    return _wide_plan(int(state.seats), others, extra)


def _wide_plan(seats: int, others: int, extra: float) -> Plan:
    """The board left; scores, hand and the others' scores right."""
    side = (0.0, 34.0, 34.0, 30.0, 27.0)[seats]
    across = (2 * RADIUS[seats] + 1) * sqrt(3) * side + 84
    x, width = across + 10, 440.0
    height = max(3 * side * RADIUS[seats] + 2 * side + 150, 530 + (166 + extra if others else 0))
    each = (width - 22 * (others - 1)) / max(1, others)
    below = [Box(x + i * (each + 22), 512, each) for i in range(others)]
    return Plan(
        width=x + width + 28,
        height=height,
        board=(8, 0, across, height - 44),
        middle=(across / 2 + 8, (height - 44) / 2),
        side=side,
        status=Box(x, 40, width),
        scores=(Box(x, 62, width), *below),
        hand=Box(x, 274, width),
        unit=66.0,
        buttons=Box(x, 446, width),
        hands=Box(x, 684, width),
        bag=Box(28, height - 22, across - 40),
        small=16.0,
    )


def _narrow_plan(seats: int, others: int, extra: float) -> Plan:
    """All under each other: the board, the hand, the viewer's scores, the others beside each other."""
    side = 384 / ((2 * RADIUS[seats] + 1) * sqrt(3))
    deep = 3 * side * RADIUS[seats] + 2 * side
    hand = 40 + deep + 34
    scores = hand + 204
    each = (396 - 14 * (others - 1)) / max(1, others)
    lower = scores + 196
    below = [Box(12 + i * (each + 14), lower, each) for i in range(others)]
    bottom = lower + (164 + extra if others else -8)
    return Plan(
        width=420,
        height=bottom + 34,
        board=(0, 34, 420, deep + 32),
        middle=(216, 44 + deep / 2),
        side=side,
        status=Box(12, 26, 396),
        scores=(Box(12, scores, 396), *below),
        hand=Box(12, hand, 396),
        unit=62.0,
        buttons=Box(12, hand + 148, 396),
        hands=Box(12, lower + 166, 396),
        bag=Box(12, bottom + 18, 396),
        small=SMALL + 1,
    )


def panels(state: Any, seat: int | None, plan: Plan, look: Look) -> list[Markup]:
    """All that is not the board, for the eyes of `seat`."""
    viewer = seat if seat is not None and seat >= 0 else 0
    sides = _sides(state, viewer)
    parts = [_status(state, plan, look), _hand(state, viewer, seat, plan, look)]
    for i, (members, box) in enumerate(zip(sides, plan.scores, strict=True)):
        parts.append(_scores(state, members, box, plan, look, is_own=i == 0))
    if seat is None:
        parts.append(_open_hands(state, viewer, plan.hands, look))
    return [*parts, _bag(state, plan)]


def hand_kinds(state: Any, owner: int) -> tuple[int, ...]:
    """The kinds of the tiles in a hand, in the order in which they are drawn."""
    return _kinds_of(int(state.hand[owner]))


@lru_cache(maxsize=64)  # a mover's hand is asked for once an action
def _kinds_of(tiles: int) -> tuple[int, ...]:
    return tuple(kind for kind, count in enumerate(counts_of(tiles)) for _ in range(count))


def _sides(state: Any, viewer: int) -> list[list[int]]:
    """The seats that share scores, the viewer's first, then in the order of turns."""
    seats = int(state.seats)
    turns = [(viewer + turn) % seats for turn in range(seats)]
    if not int(state.teams):
        return [[owner] for owner in turns]
    return [[turns[0], turns[2]], [turns[1], turns[3]]]


# --- words ---------------------------------------------------------------------------------------------


def _status(state: Any, plan: Plan, look: Look) -> Markup:
    """Who does what; the offer of a swap and a bonus are said here."""
    size = plan.small * 1.15
    words = fitted(_status_words(state, look), plan.status.width, size)
    return text(plan.status.x, plan.status.y, words, size=size, font_weight=600, fill=PAPER)


def _status_words(state: Any, look: Look) -> str:
    seat = int(state.seat)
    if state.phase == OVER:
        return _result(state, look)
    if state.phase == DEAL:
        return "The tiles are dealt"
    if state.phase == ASK:
        return f"{look.name(seat)} may swap: no tile of a lowest colour"
    if state.phase == PLACE and state.bonus > 0:
        tiles = "another tile" if state.bonus == 1 else f"{int(state.bonus)} more tiles"
        return f"Bonus: {look.does(seat, 'lay')} {tiles}"
    if state.phase == PLACE and state.turn < state.seats:
        return f"{look.does(seat, 'begin')} beside a free symbol"
    return f"{look.does(seat, 'lay')} a tile" if state.phase == PLACE else look.does(seat, "draw")


def _result(state: Any, look: Look) -> str:
    if int(state.seats) == 1:
        return f"The end: your lowest colour has {int(min(state.points[0]))}"
    keys = [int(sorted_points(state, side_of(state, owner))) for owner in range(int(state.seats))]
    winners = [owner for owner, key in enumerate(keys) if key == max(keys)]
    return look.does(winners[0], "win") if len(winners) == 1 else f"{' and '.join(map(look.name, winners))} win"


def _bag(state: Any, plan: Plan) -> Markup:
    """How many tiles are left, and those that a swap has shown."""
    size = plan.small
    x, y = plan.bag.x, plan.bag.y
    parts = [text(x, y, f"{int(size_of(int(state.bag)))} in the bag", size=size, fill=FAINT)]
    for word, tiles in (("swapped", int(state.aside)), ("went back", int(state.shown))):
        kinds = _kinds_of(tiles)
        if kinds:
            at = x + size * 8
            parts.append(text(at, y, word, size=size, fill=FAINT))
            parts += [small_tile(KINDS[kind], at + size * (5.3 + 2.5 * i), y - size * 0.9, size * 1.15)
                      for i, kind in enumerate(kinds)]  # fmt: skip
            parts.append(tag("title", tiles_text(tiles)))
    return tag("g", *parts)


# --- scores --------------------------------------------------------------------------------------------


def _scores(state: Any, members: list[int], box: Box, plan: Plan, look: Look, *, is_own: bool) -> Markup:
    """A bar for each colour, the lowest marked."""
    values = [int(n) for n in state.points[side_of(state, members[0])]]
    order = list(range(len(NAMES)))
    if look.setting("bars", "fixed") == "sorted":
        order.sort(key=lambda colour: values[colour])
    size = plan.small if is_own or plan.small < 15 else 15.0
    pitch = 26.0 if is_own else 21.0
    parts = [_title(state, members, box, size, look)]
    for i, colour in enumerate(order):
        y = box.y + 30 + i * pitch
        parts.append(_bar(colour, values, int(state.goal), Box(box.x, y, box.width), pitch, size))
        label = f"{NAMES[colour]}: {values[colour]}"
        ring = ring_box(box.x, y + 1, box.width, pitch - 2)
        parts += [look.spot(f"score-{owner + 1}-{NAMES[colour]}", label, ring) for owner in members[:1]]
    return tag("g", *parts)


def _title(state: Any, members: list[int], box: Box, size: float, look: Look) -> Markup:
    """The marks and names of a side; whoever is to move has an arrow."""
    parts, x = [], box.x
    for owner in members:
        parts.append(seat_mark(owner, x + 10, box.y + 9, 10))
        parts.append(look.spot(f"seat-{owner + 1}", look.name(owner), ring_round(x + 10, box.y + 9, 12)))
        x += 23
    is_next = state.phase != OVER and int(state.seat) in members
    names = " and ".join(look.name(owner) for owner in members)
    words = fitted(names, box.width - (x - box.x) - 22, size)
    parts.append(text(x + 2, box.y + 9 + size * 0.36, words, size=size, font_weight=600, fill=PAPER))
    if is_next:
        parts.append(tag("path", d=f"M{box.x + box.width - 4:.1f} {box.y + 9:.1f}l-10 -6v12z", fill=MARKED))
    return joined(parts)


def _bar(colour: int, values: list[int], goal: int, box: Box, pitch: float, size: float) -> Markup:
    """A symbol, a bar as long as the score, and the score; the lowest in bold with a mark."""
    value, is_lowest = values[colour], values[colour] == min(values)
    left, thick, y = box.x + pitch, pitch * 0.56, box.y + pitch * 0.22
    room = box.width - pitch - size * 2.8
    long = room * value / goal
    parts = [
        symbol(colour, box.x + pitch * 0.42, box.y + pitch / 2, pitch * 0.8),
        tag("rect", x=left, y=y, width=room, height=thick, rx=thick / 2, fill=TROUGH),
        tag("rect", x=left, y=y, width=max(long, thick), height=thick, rx=thick / 2, fill=BRIGHT[colour])
        if value else None,
        tag("path", d=f"M{left + room / 2:.1f} {y:.1f}v{thick:.1f}", stroke=PAPER, stroke_opacity=".6")
        if goal > TRACK else None,
        text(box.x + box.width - size * 1.1, box.y + pitch / 2 + size * 0.36, value, size=size, text_anchor="end",
             fill=MARKED if is_lowest else PAPER, font_weight=700 if is_lowest else 400),
        text(box.x + box.width, box.y + pitch / 2 + size * 0.3, "▾", size=size, text_anchor="end", fill=MARKED)
        if is_lowest else None,
    ]  # fmt: skip
    return tag("g", *parts)


# --- hands ---------------------------------------------------------------------------------------------


def _hand(state: Any, viewer: int, seat: int | None, plan: Plan, look: Look) -> Markup:
    """The viewer's hand, three tiles a row; a spectator sees backs. Under it the answers to the offer of a swap."""
    is_seen = seat is None or seat == viewer
    kinds: list[int | None] = list(hand_kinds(state, viewer)) if is_seen else [None] * int(state.held[viewer])
    is_clickable = is_seen and viewer == int(state.seat)
    here = replace(look, last=frozenset())  # the last tile has left its hand
    unit, step = plan.unit, (plan.hand.width - 2 * plan.unit) / 2
    parts = []
    for slot in range(HAND):
        x, y = plan.hand.x + (slot % 3) * step, plan.hand.y + (slot // 3) * (unit + 12)
        ring = ring_box(x, y, 2 * unit, unit, unit / 2)
        parts.append(look.spot(f"hand-{viewer + 1}-{slot + 1}", f"place {slot + 1} of the hand", ring))
    for slot, kind in enumerate(kinds):
        x, y = plan.hand.x + (slot % 3) * step, plan.hand.y + (slot // 3) * (unit + 12)
        copy = kinds[:slot].count(kind)
        parts.append(_tile(kind, slot, copy, x, y, unit, here if is_clickable else None))
    if state.phase == ASK and is_clickable:
        parts += _answers(plan, look)
    elif look.lit and is_clickable and f"hand-{viewer + 1}-1" not in look.lit:  # lit while a position is set up
        parts.append(_prompt(plan, look))
    return tag("g", *parts)


def _tile(kind: int | None, slot: int, copy: int, x: float, y: float, unit: float, look: Look | None) -> Markup:
    """A tile of the hand; each half may be clicked where a look is given."""
    parts = [capsule(x, y, unit)]
    for i, half in enumerate(("left", "right") if kind is not None else ()):
        colour = KINDS[kind or 0][i]
        middle = x + (i + 0.5) * unit
        face = joined([
            tag("rect", x=x + i * unit, y=y, width=unit, height=unit, fill="#fff", fill_opacity="0"),
            symbol(colour, middle, y + unit / 2, unit * 0.72),
        ])  # fmt: skip
        ring = ring_round(middle, y + unit / 2, unit * 0.44, is_clear=True)
        key = f"tile-{slot + 1}-{half}"
        label = f"tile {slot + 1}, {NAMES[colour]} half"
        parts.append(look.target(key, label, face, ring=ring) if look else face)
    return piece(f"tile-{kind}-{copy}", *parts) if kind is not None else joined(parts)


def _prompt(plan: Plan, look: Look) -> Markup:
    """What to click next."""
    words = ("Click the half of a tile to lay first", "Now the cell for this half", "Now the cell for the other half")
    x, y = plan.buttons.x + plan.buttons.width / 2, plan.buttons.y + 27
    return text(x, y, words[min(2, len(look.chosen))], size=plan.small, text_anchor="middle", fill=FAINT)


def _answers(plan: Plan, look: Look) -> list[Markup]:
    """The two buttons of the offer of a swap."""
    width = (plan.buttons.width - 16) / 2
    buttons = []
    for i, (key, words) in enumerate((("keep", "Keep the hand"), ("swap", "Swap all tiles"))):
        x, y = plan.buttons.x + i * (width + 16), plan.buttons.y
        face = joined([
            tag("rect", x=x, y=y, width=width, height=42, rx=10, fill=TROUGH, stroke="#566074"),
            text(x + width / 2, y + 27, words, size=plan.small, text_anchor="middle", fill=PAPER, font_weight=600),
        ])  # fmt: skip
        buttons.append(look.target(key, words, face, ring=ring_box(x, y, width, 42, 10)))
    return buttons


def _open_hands(state: Any, viewer: int, box: Box, look: Look) -> Markup:
    """The other hands, a row each, for who sees the whole world."""
    unit, parts = 20.0, []
    for turn in range(1, int(state.seats)):
        owner, y = (viewer + turn) % int(state.seats), box.y + 28 * (turn - 1)
        parts.append(seat_mark(owner, box.x + 9, y + unit / 2, 9))
        parts += [
            small_tile(KINDS[kind], box.x + 28 + n * (2 * unit + 6), y, unit)
            for n, kind in enumerate(hand_kinds(state, owner))
        ]
        for n in range(HAND):
            ring = ring_box(box.x + 28 + n * (2 * unit + 6), y, 2 * unit, unit, unit / 2)
            label = f"place {n + 1} of the hand of {look.name(owner)}"
            parts.append(look.spot(f"hand-{owner + 1}-{n + 1}", label, ring))
    return tag("g", *parts)
