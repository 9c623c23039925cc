"""How both games of Saboteur are laid out: the table with its window, the hand, the piles, a line for each seat.

Targets: a cell by its text, a goal by its place (`left`), `hand-1` and, for the other way up, `hand-1-turned`,
`discard`, `seat-1`, and a broken tool before a seat, `seat-1-lantern`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from meeple.core.picture import EDGE, INK, PAPER, SMALL, Look, Path, fitted, ring_box, seat_mark, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.tunnels import CENTRE, CROSS, UPRIGHT, turned
from meeple.games.tunnels_art import (
    ART,
    CARD,
    CARD_EDGE,
    CARD_HEIGHT,
    CARD_WIDTH,
    DIM,
    LIT,
    action_art,
    art_corner,
    back,
    blank_back,
    card,
    icon,
    small_card,
    tile,
)
from meeple.games.tunnels_notation import PLACES

LEAST_FOR_WORDS = 46.0  # a cell smaller than this has no room for a word


GROUNDS = ("#efe6d5", "#2b2520")  # below everything, light and dark


def without_hand(look: Look) -> Look:
    """The look for a picture: a card that was played last is in nobody's hand any more, so none is marked as moved."""
    return replace(look, last=frozenset(key for key in look.last if not key.startswith("hand-")))


# --- the table ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableCard:
    """A card that lies face up on the table."""

    column: int
    row: int
    shape: int
    is_joined: bool  # to the start


@dataclass(frozen=True)
class Goal:
    """One of the three goals, as the viewer knows it."""

    column: int
    row: int
    place: str
    face: str  # "gold", "stone", or "" where it is not known
    shape: int  # of a goal that is turned face up; -1 face down
    is_joined: bool


@dataclass(frozen=True)
class Window:
    """The part of the table that is shown: its columns and rows, the size of a cell, and where the first one lies."""

    columns: range
    rows: range
    side: float
    x: float
    y: float

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Where a cell begins."""
        return self.x + (column - self.columns.start) * self.side, self.y + (row - self.rows.start) * self.side


MARGIN = 22.0  # for the numbers of rows and columns
MOST_SIDE = 76.0


def window_round(
    start: tuple[int, int],
    cards: Sequence[TableCard],
    goals: Sequence[Goal],
    box: tuple[float, float, float, float],
    edge: tuple[int, int] | None = None,
    most: float = MOST_SIDE,
) -> Window:
    """What is built with a ring of empty cells, where the next card may lie, and all goals, amid a box.

    A goal that is face down has no ring, since nothing is laid beside it for its own sake; and none goes beyond an
    edge (first, last). A cell's side is `most` at most.
    """
    spans = []
    for i in range(2):
        open_goals = [(goal.column, goal.row)[i] for goal in goals if goal.shape >= 0]
        built = [start[i], *((one.column, one.row)[i] for one in cards), *open_goals]
        far = [(goal.column, goal.row)[i] for goal in goals]
        low, high = edge if edge is not None else (min(built) - 1, max(built) + 1)
        spans.append((min(max(low, min(built) - 1), *far), max(min(high, max(built) + 1), *far)))
    across, down = (range(low, high + 1) for low, high in spans)
    x, y, width, height = box
    side = min((width - MARGIN) / len(across), (height - MARGIN) / len(down), most)
    left = x + MARGIN + (width - MARGIN - side * len(across)) / 2
    top = y + MARGIN + (height - MARGIN - side * len(down)) / 2
    return Window(across, down, side, left, top)


def draw_table(
    look: Look,
    window: Window,
    start: tuple[int, int],
    cards: Sequence[TableCard],
    goals: Sequence[Goal],
    key: Callable[[int, int], str],
    ghost: int = -1,
) -> Markup:
    """The table; `key` writes a cell, `ghost` is the shape in hand, shown faintly wherever it may be laid."""
    taken = {(one.column, one.row) for one in cards} | {start}
    built = taken | {(goal.column, goal.row) for goal in goals if goal.shape >= 0}
    parts = [_bed(look, window, built)]
    for row in window.rows:
        for column in window.columns:
            name = key(column, row)
            if (column, row) not in taken and name in look.lit | look.last:
                parts.append(_empty(look, window, column, row, name, ghost))
    parts += [_laid(look, window, one, key(one.column, one.row)) for one in cards]
    parts.append(_start(window, *start))
    parts += [_goal(look, window, goal) for goal in goals]
    box = (window.x - MARGIN, window.y - MARGIN, window.side * len(window.columns) + MARGIN + 4,
           window.side * len(window.rows) + MARGIN + 4)  # fmt: skip
    return look.field(box, *parts, measure=(*window.corner(0, 0), window.side), middle=_middle(window, taken))


def _middle(window: Window, taken: set[tuple[int, int]]) -> tuple[float, float]:
    """The middle of what is built."""
    corners = [window.corner(*cell) for cell in taken]
    xs, ys = zip(*corners, strict=True)
    return (min(xs) + max(xs) + window.side) / 2, (min(ys) + max(ys) + window.side) / 2


def _bed(look: Look, window: Window, built: set[tuple[int, int]]) -> Markup:
    """The table, and on it the rock round what is built, cell by cell; numbers of rows and columns stand beside it."""
    side = window.side
    table, rock, line = ("#241f1a", "#1a1512", "#54483b") if look.dark else ("#e9dec8", "#d6c6a6", "#b8a47e")
    width, height = side * len(window.columns), side * len(window.rows)
    near = {(x + dx, y + dy) for x, y in built for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - built
    lefts = {column: f"M{window.corner(column, 0)[0]:.1f} " for column in window.columns}
    tops = {row: f"{window.corner(0, row)[1]:.1f}" for row in window.rows}
    square = f"h{side:.1f}v{side:.1f}h{-side:.1f}z"
    squares = "".join(lefts[x] + tops[y] + square for x, y in sorted(near) if x in lefts and y in tops)
    every = 1 if side >= 18 else 2
    numbers = [
        _number(look, window.corner(column, 0)[0] + side / 2, window.y - 6, column, "middle")
        for column in window.columns[::every]
    ]
    numbers += [
        _number(look, window.x - 5, window.corner(0, row)[1] + side / 2 + 5, row, "end") for row in window.rows[::every]
    ]
    return joined([
        tag("rect", x=window.x, y=window.y, width=width, height=height, rx=side / 7, fill=table, stroke=EDGE),
        tag("path", d=squares, fill=rock, stroke=line, stroke_width=1, stroke_dasharray="2 5"),
        *numbers,
    ])  # fmt: skip


def _number(look: Look, x: float, y: float, number: int, anchor: str) -> Markup:
    return text(x, y, number, size=SMALL, text_anchor=anchor, fill=look.ink, fill_opacity=".7")


def _empty(look: Look, window: Window, column: int, row: int, name: str, ghost: int) -> Markup:
    x, y = window.corner(column, row)
    side = window.side
    space = tag("rect", x=x, y=y, width=side, height=side, fill="#fff", fill_opacity="0")
    parts = [space]
    if ghost >= 0 and name in look.lit:
        parts.append(tag("g", tile(ghost, x, y, side), opacity=".45"))
    return look.target(name, f"{name}: empty", *parts, ring=ring_box(x + 3, y + 3, side - 6, side - 6))


def _laid(look: Look, window: Window, one: TableCard, name: str) -> Markup:
    x, y = window.corner(one.column, one.row)
    side = window.side
    drawn = tile(one.shape, x, y, side, LIT if one.is_joined else DIM)
    label = f"{name}: {shape_words(one.shape)}{'' if one.is_joined else ', cut off'}"
    return look.target(name, label, drawn, ring=ring_box(x + 3, y + 3, side - 6, side - 6))


def _start(window: Window, column: int, row: int) -> Markup:
    """The entrance: a crossing with a ladder."""
    x, y = window.corner(column, row)
    place = f"translate({x:.1f} {y:.1f}) scale({window.side / 100:.4f})"
    ladder = tag("path", d="M38 14V86M62 14V86M38 26H62M38 42H62M38 58H62M38 74H62", stroke="#6b3d16", stroke_width=7,
                 stroke_linecap="round", fill="none")  # fmt: skip
    rim = tag("rect", x=3, y=3, width=94, height=94, rx=9, fill="none", stroke=LIT, stroke_width=4)
    return tag("g", tile(CROSS, x, y, window.side), tag("g", rim, ladder, transform=place), role="img",
               aria_label="the start")  # fmt: skip


def _goal(look: Look, window: Window, goal: Goal) -> Markup:
    x, y = window.corner(goal.column, goal.row)
    side = window.side
    ring = ring_box(x + 2, y + 2, side - 4, side - 4)
    if goal.shape >= 0:
        floor = LIT if goal.is_joined else DIM
        parts = [tile(goal.shape, x, y, side, floor), icon(goal.face, x + side * 0.26, y + side * 0.26, side * 0.48)]
        return look.target(goal.place, f"{goal.place} goal: {goal.face}", *parts, ring=ring)
    parts = [blank_back(x + 2, y + 2, side - 4, side - 4)]
    label = f"{goal.place} goal, face down"
    has_word = side >= LEAST_FOR_WORDS
    middle = y + side * (0.37 if has_word else 0.5)
    if goal.face:
        label += f"; you have seen {goal.face}"
        parts.append(tag("circle", cx=x + side / 2, cy=middle, r=side * (0.27 if has_word else 0.34), fill=PAPER))
        parts.append(icon(goal.face, x + side * 0.29, middle - side * 0.21, side * 0.42))
    else:
        parts.append(text(x + side / 2, middle + side * 0.17, "?", size=side * 0.5, text_anchor="middle",
                          font_weight=700, fill=PAPER))  # fmt: skip
    if has_word:
        word = fitted(goal.face or goal.place, side - 2, SMALL)
        parts.append(text(x + side / 2, y + side - 8, word, size=SMALL, text_anchor="middle", fill=PAPER))
    return look.target(goal.place, label, *parts, ring=ring)


def shape_words(shape: int) -> str:
    """`tunnel north east`, `dead end south`: a shape read aloud."""
    names = [word for side, word in enumerate(("north", "east", "south", "west")) if shape >> side & 1]
    return f"{'tunnel' if is_way(shape) else 'dead end'} {' '.join(names)}"


def is_way(shape: int) -> bool:
    """Whether a card leads anywhere: its centre is open and it has two open sides."""
    return bool(shape & CENTRE) and (shape & 15).bit_count() > 1


def after_move(apply: Callable[[Any, Any], Any], state: Any, action: int) -> Any:
    """A copy of the state in which a move is made."""
    after = state.copy()
    apply(after, np.int64(action))
    return after


def reached_words(new: int) -> str:
    """Which goals a tunnel turns up, as bits."""
    return f"reaches the {' and the '.join(PLACES[k] for k in range(3) if new >> k & 1)} goal"


def far_words(column: int, row: int, goals: Sequence[tuple[int, int]]) -> str:
    """How far a cell lies from the nearest goal."""
    near = min(abs(column - x) + abs(row - y) for x, y in goals)
    return f"{near - 1} cell{'s' if near != 2 else ''} from a goal"


# --- the hand ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Face:
    """What a kind of card shows: a tunnel's shape, or the drawing of an action."""

    label: str
    caption: str = ""
    shape: int = -1
    kind: str = ""  # ground and mark of an action, a key of GROUNDS
    icons: tuple[str, ...] = ()
    letters: str = ""


TUNNELS = tuple(Face(shape_words(shape), "tunnel" if is_way(shape) else "dead end", shape=shape) for shape in UPRIGHT)


def small_face(face: Face, x: float, y: float, side: float) -> Markup:
    """A card of any kind as a small square."""
    if face.shape >= 0:
        return tile(face.shape, x, y, side)
    return action_art(face.kind, face.icons, face.letters, x, y, side)


def word_icon(key: str, faces: Sequence[Face]) -> Markup:
    """A card amid words: `tunnel-SHAPE` as it lies, `card-KIND` of these faces, or `gold-VALUE`."""
    name, _, number = key.partition("-")
    if name == "tunnel":
        return small_card(tile(int(number), 0, 0, 100))
    if name == "card":
        return small_card(small_face(replace(faces[int(number)], letters=""), 0, 0, 100))
    value = text(50, 94, number, size=46, text_anchor="middle", font_weight=700, fill=INK)
    ground = tag("rect", width=100, height=100, rx=9, fill=CARD, stroke=CARD_EDGE, stroke_width=3)
    return small_card(ground, icon("gold", 22, 4, 56), value)


def draw_gone(
    look: Look, words: str, faces: Sequence[Face], x: float, y: float, width: float, side: float
) -> tuple[Markup, float]:
    """Cards that are out of play as small squares under a few words, and how high that is; nothing where none is."""
    if not faces:
        return joined([]), 0.0
    step = side + 3
    a_row = int(width // step)
    parts = [text(x, y + 13, words, size=SMALL, fill=look.ink, fill_opacity=".75")]
    for i, face in enumerate(faces):
        parts.append(small_face(face, x + step * (i % a_row), y + 20 + step * (i // a_row), side))
    return joined(parts), 32 + step * (1 + (len(faces) - 1) // a_row)


def hand_card(look: Look, number: int, face: Face, x: float, y: float) -> Markup:
    """A card of the viewer's, and below its drawing the button that turns it, where that makes a difference."""
    key = f"hand-{number}"
    ring = ring_box(x, y, CARD_WIDTH, CARD_HEIGHT, 12)
    if face.shape < 0:
        art = action_art(face.kind, face.icons, face.letters, *art_corner(x, y))
        return look.target(key, face.label, card(x, y, art, face.caption), ring=ring)
    if turned(face.shape) == face.shape:
        art = tile(face.shape, *art_corner(x, y), ART)
        return look.target(key, face.label, card(x, y, art, face.caption), ring=ring)
    other = turned(face.shape)
    is_turned = f"{key}-turned" in look.chosen
    up, down = (other, face.shape) if is_turned else (face.shape, other)
    whole = look.target(key, face.label, card(x, y, tile(up, *art_corner(x, y), ART)), ring=ring)
    button = [
        tag("rect", x=x + 9, y=y + 96, width=ART, height=27, rx=8, fill="#eadbb9", stroke=EDGE),
        tile(down, x + 12, y + 98.5, 22),
        text(x + 40, y + 114, "turn", size=SMALL, fill=INK),
        icon("turn", x + 70, y + 101, 16),
    ]
    turning = look.target(f"{key}-turned", f"{shape_words(other)}, turned", *button,
                          ring=ring_box(x + 9, y + 96, ART, 27, 8))  # fmt: skip
    return joined([whole, turning])


def shape_in_hand(look: Look, faces: Sequence[Face]) -> int:
    """The shape that is chosen to be laid, as it is turned; -1 where none is."""
    if not look.chosen:
        return -1
    words = look.chosen[0].split("-")
    if words[0] != "hand" or int(words[1]) > len(faces):
        return -1
    shape = faces[int(words[1]) - 1].shape
    return turned(shape) if shape >= 0 and look.chosen[-1].endswith("-turned") else shape


def card_paths(hand: Sequence[int], kind: int, *, is_turned: bool = False) -> list[Path]:
    """The clicks that choose a card of this kind, any one of equal cards; the rest of a path follows."""
    starts: list[Path] = []
    for number, other in enumerate(hand, 1):
        if other == kind and is_turned:
            starts += [(f"hand-{number}-turned",), (f"hand-{number}", f"hand-{number}-turned")]
        elif other == kind:
            starts.append((f"hand-{number}",))
    return starts


def hidden_card(x: float, y: float) -> Markup:
    """A card of a hand that the viewer may not see."""
    return back(x, y, CARD_WIDTH, CARD_HEIGHT)


def discard_pile(look: Look, n: int, x: float, y: float) -> Markup:
    """Where a card goes that is not played; how many lie there face down."""
    line = look.ink
    parts = [
        tag("rect", x=x, y=y, width=CARD_WIDTH, height=CARD_HEIGHT, rx=12, fill=line, fill_opacity=".06", stroke=line,
            stroke_opacity=".5", stroke_width=1.5, stroke_dasharray="4 4"),
        back(x + 29, y + 14, 42, 56) if n else None,
        text(x + 50, y + 96, "discard", size=SMALL, text_anchor="middle", fill=line),
        text(x + 50, y + 114, f"{n} face down", size=SMALL, text_anchor="middle", fill=line, fill_opacity=".75"),
    ]  # fmt: skip
    ring = ring_box(x, y, CARD_WIDTH, CARD_HEIGHT, 12)
    return look.target("discard", f"discard pile, {n} cards", *[part for part in parts if part is not None], ring=ring)


# --- the seats ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Badge:
    """A broken tool, or another mark that lies before a seat; a target where it has a key."""

    icon: str
    letter: str
    label: str
    key: str = ""


@dataclass(frozen=True)
class SeatLine:
    """What all may see of a seat, and what this viewer knows besides."""

    seat: int
    is_viewer: bool
    is_mover: bool
    n_hand: int
    faces: tuple[Face, ...] | None  # the hand, where it may be seen
    badges: tuple[Badge, ...]
    looked: tuple[str, ...]  # places of the goals it has looked at
    notes: tuple[tuple[str, str], ...] = ()  # icon (or "back") and word, at the right end
    past: str = ""  # its roles in the rounds that are over, M or S
    role: str = ""  # its role now, where the viewer knows it


LINE_HEIGHT = 54.0
LEAST_SMALL = 13.0  # a card smaller than this shows nothing
WIDE_LINE = 250.0  # a line this wide has room for earlier roles


def draw_seat(look: Look, line: SeatLine, x: float, y: float, width: float) -> Markup:
    """One seat: mark, name and notes above; cards, broken tools and looks below."""
    words = look.ink
    fill, rim = "#3a322b" if look.dark else "#f9f3e7", words if line.is_mover else EDGE
    box = tag("rect", x=x, y=y, width=width, height=LINE_HEIGHT - 4, rx=8, fill=fill, stroke=rim,
              stroke_width=2.5 if line.is_mover else 1)  # fmt: skip
    parts = [box, seat_mark(line.seat, x + 18, y + 16, 11)]
    right = x + width - 8
    for symbol, word in reversed(line.notes):
        parts.append(text(right, y + 21, word, size=SMALL, text_anchor="end", fill=words))
        right -= len(word) * SMALL * 0.58 + 20
        parts.append(back(right + 4, y + 8, 12, 16) if symbol == "back" else icon(symbol, right, y + 7, 18))
    past = line.past if width >= WIDE_LINE else ""
    for letter, outline in [(line.role, ""), *((letter, words) for letter in reversed(past))]:
        if letter:
            right -= 25
            parts.append(role_badge(letter, right, y + 7, outline))
    ending = f"{' (you)' if line.is_viewer and look.name(line.seat) != 'You' else ''}{' ◂' if line.is_mover else ''}"
    room = right - x - 40
    name = fitted(look.name(line.seat), room - len(ending) * SMALL * 0.5) + ending
    parts.append(text(x + 35, y + 21, name, size=SMALL, font_weight=700 if line.is_mover else 400, fill=words))
    row, badges = _second_row(look, line, x, y + 27, width)
    ring = ring_box(x, y, width, LINE_HEIGHT - 4, 8)
    shown = look.target(f"seat-{line.seat + 1}", _seat_label(look, line), *parts, row, ring=ring)
    return joined([shown, badges, *(look.trace(key, ring) for key in _mended(look, line))])


def _mended(look: Look, line: SeatLine) -> list[str]:
    """Tools of a seat that the last move touched and that do not lie before it any more."""
    lying = {badge.key for badge in line.badges}
    return sorted(key for key in look.last if key.startswith(f"seat-{line.seat + 1}-") and key not in lying)


def _seat_label(look: Look, line: SeatLine) -> str:
    words = [look.name(line.seat), f"{line.n_hand} cards", *(badge.label for badge in line.badges)]
    words += [f"looked at {' and '.join(line.looked)}"] if line.looked else []
    return ", ".join(words)


def _second_row(look: Look, line: SeatLine, x: float, y: float, width: float) -> tuple[Markup, Markup]:
    """Cards from the left and looks at the right end; and the broken tools between, which are targets themselves."""
    letters = "".join(place[0].upper() for place in line.looked)
    looks_width = 26 + 10 * len(letters) if letters else 4
    cards, cards_width = _small_hand(look, line, x + 10, y, width - looks_width - 42 * len(line.badges) - 16)
    room = width - 10 - cards_width - looks_width
    step = min(42.0, room / max(1, len(line.badges)))
    at = x + 10 + cards_width
    badges = [_badge(look, badge, at + step * i, y - 1, step - 3) for i, badge in enumerate(line.badges)]
    parts = [cards]
    if letters:
        right = x + width - 6
        parts.append(text(right, y + 15, letters, size=SMALL, text_anchor="end", fill=look.ink))
        parts.append(icon("eye", right - 10 * len(letters) - 18, y + 2, 16, look.ink))
    return joined(parts), joined(badges)


def _small_hand(look: Look, line: SeatLine, x: float, y: float, room: float) -> tuple[Markup, float]:
    """A hand that lies open as small cards, any other as a number; and how wide it is."""
    faces = line.faces or ()
    side = min(20.0, room / len(faces) - 2) if faces else 0.0
    if side < LEAST_SMALL:
        number = text(x + 17, y + 15, line.n_hand, size=SMALL, fill=look.ink)
        return joined([back(x, y + 2, 12, 16), number]), 36.0
    cards = [small_face(face, x + i * (side + 2), y + (20 - side) / 2, side) for i, face in enumerate(faces)]
    return joined(cards), len(faces) * (side + 2) + 4


def _badge(look: Look, badge: Badge, x: float, y: float, width: float) -> Markup:
    pill = [
        tag("rect", x=x, y=y, width=width, height=22, rx=6, fill="#b23a33", stroke=EDGE),
        icon(badge.icon, x + 2, y + 2.5, 17, "#fff"),
        text(x + width - 4, y + 16, badge.letter, size=SMALL, text_anchor="end", font_weight=700, fill="#fff"),
    ]
    if not badge.key:
        return tag("g", *pill, style="pointer-events: none")
    whole = look.target(badge.key, badge.label, *pill, ring=ring_box(x - 1, y - 2, width + 2, 26, 7))
    return whole if badge.key in look.lit else tag("g", whole, style="pointer-events: none")


def role_badge(letter: str, x: float, y: float, outline: str = "") -> Markup:
    """A role as a letter: a light square for a miner, a dark lozenge for a saboteur; one that is over as an outline."""
    fill, rim, words = (INK, PAPER, "#fff") if letter == "S" else (LIT, EDGE, INK)
    if outline:
        fill, rim, words = "none", outline, outline
    shape = (
        tag("path", d=f"M{x + 9:.1f} {y - 2:.1f}l11 11-11 11-11-11z", fill=fill, stroke=rim)
        if letter == "S"
        else tag("rect", x=x, y=y, width=18, height=18, rx=3, fill=fill, stroke=rim)
    )
    mark = text(x + 9, y + 13.5, letter, size=SMALL, font_weight=700, text_anchor="middle", fill=words)
    return joined([shape, mark])
