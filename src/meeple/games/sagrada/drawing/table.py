"""The middle of the table: the round and its turns, the pool, buttons, the track, and the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.picture import (
    EDGE,
    LARGE,
    MEDIUM,
    SEATS,
    SMALL,
    fitted,
    piece,
    ring_box,
    ring_round,
    rolled,
    seat_mark,
    text,
    wrapped,
)
from meeple.core.svg import Markup, joined, tag
from meeple.games.sagrada.board import N_VALUES
from meeple.games.sagrada.cards import OBJECTIVES
from meeple.games.sagrada.drawing.glass import centred, draw_die
from meeple.games.sagrada.drawing.points import empty_cells, tally
from meeple.games.sagrada.drawing.prompts import choice_prompt, prompt
from meeple.games.sagrada.drawing.sight import (
    Block,
    Sight,
    die_name,
    draw_empty_place,
    draw_panel,
    goals_of,
    private_of,
)
from meeple.games.sagrada.layout import FLUX_PLACE, N_ROUNDS, OVER, REMOVER_PLACE, ROLL, TURN
from meeple.games.sagrada.notation import DICE
from meeple.games.sagrada.rules import ranks
from meeple.games.sagrada.scoring import score, target


def draw_headline(sight: Sight, x: float, y: float, width: float) -> Block:
    """The round, and whose turns it has."""
    state, tones = sight.state, sight.tones
    if sight.phase < ROLL:
        return joined(
            [
                text(x, y + 22, "Choose a window", size=LARGE, font_weight=700, fill=tones.ink),
                text(x, y + 46, fitted(choice_prompt(sight), width, MEDIUM), fill=tones.faint),
            ]
        ), 54
    words = "Game over" if sight.phase == OVER else f"Round {int(state.lap) + 1} of {N_ROUNDS}"
    parts = [text(x, y + 22, words, size=LARGE, font_weight=700, fill=tones.ink)]
    if sight.seats == 1:
        aim = f"{int(score(state, 0))} points, to beat {int(target(state))}"
        parts.append(text(x + width, y + 20, aim, fill=tones.ink, text_anchor="end"))
    elif sight.phase != OVER:
        parts += _turn_marks(sight, x + width, y + 15)
    return joined(parts), 30


def _turn_marks(sight: Sight, right: float, y: float) -> list[Markup]:
    """The seats in the order of this round's turns; those that are over are dots, skipped ones struck."""
    state, count = sight.state, 2 * sight.seats
    marks = []
    for place in range(count):
        owner = int(state.order[place])
        cx = right - 12 - 26 * (count - 1 - place)
        is_skipped = bool((int(state.skips) >> owner) & 1) and place > int(state.turn)
        spot = sight.quiet.spot(f"turn-{place + 1}", f"turn {place + 1}", ring_round(cx, y, 12))
        if place < int(state.turn):
            marks.append(spot)
            marks.append(tag("circle", cx=cx, cy=y, r=5, fill=SEATS[owner], stroke=EDGE))
            continue
        parts = [seat_mark(owner, cx, y, 10)]
        if place == int(state.turn):
            parts.append(tag("circle", cx=cx, cy=y, r=12, fill="none", stroke=sight.tones.ink, stroke_width=2))
        if is_skipped:
            parts.append(tag("path", d=f"M{cx - 11} {y + 11}l22 -22", stroke=sight.tones.ink, stroke_width=2))
        marks += [*parts, spot]
    return marks


def draw_bar(sight: Sight, x: float, y: float, width: float) -> Block:
    """What is to be done, and buttons for all that lies nowhere on the table."""
    buttons, taken = _buttons(sight)
    room = width - taken - 10
    is_stacked = room < 150
    lines = wrapped(prompt(sight), width if is_stacked else room, MEDIUM)[:2]
    top = y + (21 if len(lines) == 2 else 30)
    parts = [
        text(x, (y + 16 if is_stacked else top) + 20 * i, line, fill=sight.tones.ink) for i, line in enumerate(lines)
    ]
    down = 20 * len(lines) + 6 if is_stacked else 0
    row = tag("g", *buttons, transform=f"translate({x + width - taken:.1f} {y + down:.1f})")
    return joined([*parts, row]), 50 + down


def _buttons(sight: Sight) -> tuple[list[Markup], float]:
    """Buttons in a row from the left, and how wide it is."""
    look, phase = sight.quiet, sight.phase
    marked = look.lit | set(look.chosen)
    if phase == REMOVER_PLACE:
        first = int(sight.state.hand) // N_VALUES * N_VALUES
        dice = [_die_button(sight, f"value-{v + 1}", first + v, 48 * v) for v in range(N_VALUES)]
        if int(sight.state.is_thesis):
            return dice, 48 * N_VALUES
        return [*dice, _pill(sight, "return", "Return", 48 * N_VALUES + 4, 84)], 48 * N_VALUES + 88
    if phase == FLUX_PLACE:
        die = int(sight.state.hand)
        equal = sight.state.pool[: int(sight.state.n_pool)].tolist().count(die)
        return [_rolled(sight, die, equal + 1, _die_button(sight, "hand", die, 0))], 44
    if marked & {"up", "down"}:
        die = _chosen_die(sight)
        sides = [("down", die - 1), ("up", die + 1)]
        shown = [(key, turned) for key, turned in sides if key in marked]
        return [_die_button(sight, key, turned, 52 * i) for i, (key, turned) in enumerate(shown)], 52 * len(shown) - 6
    if "go" in marked:
        return [_pill(sight, "go", "Do it", 0, 84)], 84
    if "done" in marked:
        return [_pill(sight, "done", "Only this one", 0, 144)], 144
    if phase == TURN:
        return [_pill(sight, "pass", "End turn" if int(sight.state.drafted) else "Pass", 0, 100)], 100
    return [], 0


def _chosen_die(sight: Sight) -> int:
    """The die of the pool that was clicked."""
    place = next(key for key in sight.look.chosen if key.startswith("pool-"))
    return int(sight.state.pool[int(place[-1]) - 1])


def _die_button(sight: Sight, key: str, die: int, x: float) -> Markup:
    return sight.quiet.target(
        key, die_name(die), draw_die(die, x + 1, 3, 42), ring=ring_box(x - 1, 1, 46, 46, is_clear=True)
    )


def _pill(sight: Sight, key: str, word: str, x: float, width: float) -> Markup:
    """A button; pale while something else is begun."""
    tones = sight.tones
    is_pale = bool(sight.look.chosen) and key not in sight.look.lit | set(sight.look.chosen)
    box = tag("rect", x=x, y=5, width=width, height=38, rx=19, fill=tones.card, stroke=tones.line, stroke_width=1.5)
    ring = ring_box(x, 5, width, 38, 19)
    body = tag("g", box, centred(x + width / 2, 29.5, word, MEDIUM, tones.ink), opacity=".8" if is_pale else None)
    return sight.quiet.target(key, word, body, ring=ring)


def _rolled(sight: Sight, die: int, number: int, drawn: Markup) -> Markup:
    """A die of this round, among `number` equal ones: new where the round or its face is."""
    return rolled(f"{int(sight.state.lap)}-{DICE[die]}-{number}", drawn)


def draw_pool(sight: Sight, x: float, y: float, width: float) -> Block:
    """The dice of the round; in two rows where one would make them small."""
    state, look = sight.state, sight.quiet
    count = 4 if sight.seats == 1 else 2 * sight.seats + 1
    rows = 1 if (width - 16) / count >= 50 else 2
    a_row = -(-count // rows)
    step = min(68.0, (width - 16) / a_row)
    size = min(56.0, step - 7)
    height = 18 + rows * (size + 10)
    parts = [draw_panel(sight, x, y, width, height)]
    met: dict[int, int] = {}
    for place in range(count):
        left = x + (width - a_row * step + step - size) / 2 + place % a_row * step
        top = y + 14 + place // a_row * (size + 10)
        if place >= int(state.n_pool):
            parts.append(draw_empty_place(left, top, size, sight.tones))
            free = ring_box(left - 3, top - 3, size + 6, size + 6)
            parts.append(look.spot(f"pool-{place + 1}", "a free place of the pool", free))
            continue
        die = int(state.pool[place])
        met[die] = met.get(die, 0) + 1
        face = _rolled(sight, die, met[die], draw_die(die, left, top, size))
        drawn = piece(f"pool-{DICE[die]}-{met[die]}", face)
        ring = ring_box(left - 3, top - 3, size + 6, size + 6, is_clear=True)
        parts.append(look.target(f"pool-{place + 1}", f"pool: {die_name(die)}", drawn, ring=ring))
    return joined(parts), height


def draw_track(sight: Sight, x: float, y: float, width: float) -> Block:
    """Ten rounds, those that are over filled; below, the dice that were left, each kind with its count."""
    tones, state = sight.tones, sight.state
    step = (width - 16) / N_ROUNDS
    parts = []
    for lap in range(N_ROUNDS):
        is_over, is_now = lap < int(state.lap), lap == int(state.lap)
        left = x + 8 + lap * step
        parts.append(
            tag("rect", x=left + 2, y=y + 8, width=step - 4, height=20, rx=5, fill=tones.stone if is_over else "none",
                stroke=tones.ink if is_now else tones.line, stroke_width=2 if is_now else 1)
        )  # fmt: skip
        ink = "#fff" if is_over else tones.ink if is_now else tones.faint
        parts.append(centred(left + step / 2, y + 22.5, lap + 1, SMALL, ink))
        ring = ring_box(left + 2, y + 8, step - 4, 20, 5)
        parts.append(sight.quiet.spot(f"round-{lap + 1}", f"round {lap + 1}", ring))
    dice, rows = _heap(sight, x + 12, y + 38, width - 22)
    height = 38 + 36 * rows
    parts.append(sight.quiet.spot("track", "the track", ring_box(x + 4, y + 33, width - 8, height - 37)))
    if not dice:
        parts.append(text(x + 12, y + 56, "Dice that are left after a round lie here.", size=SMALL, fill=tones.faint))
    return joined([draw_panel(sight, x, y, width, height), *parts, *dice]), height


def _heap(sight: Sight, x: float, y: float, width: float) -> tuple[list[Markup], int]:
    """The dice on the track, and in how many rows they lie."""
    dice = []
    left, row = x, 0
    for die in range(len(DICE)):
        count = int(sight.state.track[die])
        if count == 0:
            continue
        taken = 36 if count == 1 else 60
        if left + taken > x + width:
            left, row = x, row + 1
        top = y + 36 * row
        drawn = draw_die(die, left, top, 26)
        if count > 1:
            drawn = joined([drawn, text(left + 31, top + 18, f"×{count}", size=SMALL, fill=sight.tones.ink)])
        ring = ring_box(left - 2.5, top - 2.5, 31, 31, is_clear=True)
        dice.append(sight.quiet.target(f"track-{DICE[die]}", f"track: {count} {die_name(die)}", drawn, ring=ring))
        left += taken
    return dice, row + 1


def draw_result(sight: Sight, x: float, y: float, width: float) -> Block:
    """The points of every seat, part by part."""
    state, tones = sight.state, sight.tones
    step = (width - 130) / 5
    rights = [x + width - 16 - step * (4 - i) for i in range(5)]
    heads = ("cards", "colour", "tokens", "empty", "total")
    parts = [
        text(right, y + 22, word, size=SMALL, fill=tones.faint, text_anchor="end")
        for right, word in zip(rights, heads, strict=True)
    ]
    for line, owner in enumerate(_by_rank(state)):
        base = y + 48 + 26 * line
        parts += [
            seat_mark(owner, x + 20, base - 5, 10),
            text(x + 36, base, fitted(sight.look.name(owner), 88 if width > 400 else 74, MEDIUM), fill=tones.ink),
        ]
        numbers = _points_of(state, owner)
        for place, (right, number) in enumerate(zip(rights, numbers, strict=True)):
            weight = 700 if place == 4 else 400
            parts.append(text(right, base, number, fill=tones.ink, text_anchor="end", font_weight=weight))
    height = 32 + 26 * sight.seats + 8
    return joined([draw_panel(sight, x, y, width, height), *parts]), height


def _by_rank(state: Any) -> list[int]:
    places = np.zeros(int(state.seats), np.int64)
    ranks(state, places)
    return sorted(range(len(places)), key=lambda owner: int(places[owner]))


def _points_of(state: Any, owner: int) -> tuple[int, ...]:
    """Points of the cards, the colour, tokens and empty cells, and their sum."""
    parts = tally(state, owner, None)
    cards = sum(parts[OBJECTIVES[goal].name] for goal in goals_of(state))
    tokens, empty = parts.get("tokens", 0), -empty_cells(state, owner)[1]
    return cards, private_of(state, owner), tokens, empty, int(score(state, owner))
