"""Tool cards and objectives: a picture, a few words, the price or the points, and who has fulfilled how much."""

from __future__ import annotations

from dataclasses import dataclass, replace

from meeple.core.picture import SMALL, ring_box, seat_mark, text, wrapped
from meeple.core.svg import Markup, joined, tag
from meeple.games.sagrada import tools
from meeple.games.sagrada.cards import OBJECTIVES, TOOLS
from meeple.games.sagrada.drawing import emblems
from meeple.games.sagrada.drawing.glass import centred, draw_beads, draw_medal
from meeple.games.sagrada.drawing.sight import Block, Sight, draw_panel, goals_of, round_the_table, slots_of
from meeple.games.sagrada.layout import ROLL, SOLO_TOOL
from meeple.games.sagrada.scoring import times_paid

EFFECTS = {
    tools.GROZING: "Turn the die you draft one up or one down.",
    tools.EGLOMISE: "Move a die; its cell's printed colour is ignored.",
    tools.COPPER: "Move a die; its cell's printed value is ignored.",
    tools.LATHEKIN: "Move exactly two dice.",
    tools.LENS: "Swap the die you draft for one on the track.",
    tools.BRUSH: "Roll the die you draft again, then place it.",
    tools.HAMMER_CARD: "Roll the whole pool again; second turn only.",
    tools.RUNNING: "Take your second turn's die now.",
    tools.STRAIGHTEDGE: "Draft a die to a cell that touches no other.",
    tools.GRINDING: "Turn the die you draft upside down.",
    tools.REMOVER: "Swap the die you draft for one of the bag; choose its value.",
    tools.TAP_WHEEL: "Move one or two dice of a colour on the track.",
}


@dataclass(frozen=True)
class Card:
    """A tool or an objective: its picture, its words, what stands under each."""

    key: str  # of the target; empty for objectives
    emblem: Markup
    name: str
    words: str
    below: Markup  # under the picture, its middle at (30, 0)
    marks: Markup  # under the words, from (0, 0) on
    has_marks: bool
    is_pale: bool


def _tool_card(sight: Sight, slot: int) -> Card:
    state = sight.state
    tool, used = int(state.tools[slot]), int(state.paid[slot])
    if sight.seats == 1:
        letter = TOOLS[tool - 1].solo
        price = draw_medal(letter, 30, 0, 9) if not used else centred(30, 4, "used", SMALL, sight.tones.faint)
    else:
        price = draw_beads(1 + used, 38 + 10 * used, 0, 8)
    emblem = emblems.draw_tool(tool, 0, 0, sight.tones)
    is_pale = sight.seats == 1 and bool(used) and not (sight.phase == SOLO_TOOL and int(state.hand) == slot)
    return Card(f"tool-{slot + 1}", emblem, TOOLS[tool - 1].name, EFFECTS[tool], price, Markup(""), False, is_pale)


def _goal_cards(sight: Sight) -> list[Card]:
    """The objectives, which are targets only while a position is set up."""
    cards = [_goal_card(sight, goal) for goal in goals_of(sight.state)]
    keys = [f"goal-{place + 1}" for place in range(len(cards))]
    return [replace(card, key=key) if key in sight.look.lit else card for card, key in zip(cards, keys, strict=True)]


def _goal_card(sight: Sight, goal: int) -> Card:
    state, objective = sight.state, OBJECTIVES[goal]
    marks = []
    if sight.phase >= ROLL:
        for place, owner in enumerate(round_the_table(sight)):
            marks.append(seat_mark(owner, 10 + 52 * place, 0, 10))
            marks.append(
                text(23 + 52 * place, 5, f"×{int(times_paid(state, owner, goal))}", size=SMALL, fill=sight.tones.ink)
            )
    points = tag("rect", x=8, y=-10, width=44, height=20, rx=10, fill=sight.tones.stone)
    worth = int(state.worth[goal])
    below = joined([points, centred(30, 4.5, "1 pt" if worth == 1 else f"{worth} pts", SMALL, "#fff")])
    emblem = emblems.draw_goal(goal, 0, 0, sight.tones)
    words = f"{objective.counted[0].upper()}{objective.counted[1:]}"
    return Card("", emblem, objective.name, words, below, joined(marks), bool(marks), False)


def draw_cards(sight: Sight, x: float, y: float, width: float, columns: int) -> Block:
    """Tools, then objectives, in rows of equal height."""
    cards = [_tool_card(sight, slot) for slot in slots_of(sight.state)]
    cards += _goal_cards(sight)
    room = (width - 8 * (columns - 1)) / columns
    parts, top = [], y
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        height = max(_card_height(card, room) for card in row)
        parts += [_draw_card(sight, card, x + (room + 8) * i, top, room, height) for i, card in enumerate(row)]
        top += height + 8
    return joined(parts), max(0.0, top - y - 8)


def draw_cards_in_columns(sight: Sight, x: float, y: float, width: float) -> Block:
    """Tools left, objectives right."""
    columns = [
        [_tool_card(sight, slot) for slot in slots_of(sight.state)],
        _goal_cards(sight),
    ]
    room = (width - 8) / 2
    heights = [max((_card_height(card, room) for card in column), default=0.0) for column in columns]
    parts = [
        _draw_card(sight, card, x + (room + 8) * i, y + (heights[i] + 8) * place, room, heights[i])
        for i, column in enumerate(columns)
        for place, card in enumerate(column)
    ]
    return joined(parts), max((heights[i] + 8) * len(column) for i, column in enumerate(columns))


def draw_one_column(sight: Sight, x: float, y: float, width: float) -> Block:
    return draw_cards(sight, x, y, width, 1)


def _card_lines(card: Card, width: float) -> tuple[list[str], list[str]]:
    room = width - 84
    return wrapped(card.name, room / 1.06), wrapped(card.words, room)


def _card_height(card: Card, width: float) -> float:
    name, words = _card_lines(card, width)
    return max(82.0, 14 + 17 * (len(name) + len(words)) + (22 if card.has_marks else 0))


def _draw_card(sight: Sight, card: Card, x: float, y: float, width: float, height: float) -> Markup:
    tones = sight.tones
    name, words = _card_lines(card, width)
    left = x + 78
    lines = [(line, tones.ink, 700) for line in name] + [(line, tones.faint, 400) for line in words]
    parts = [
        draw_panel(sight, x, y, width, height),
        tag("g", card.emblem, transform=f"translate({x + 9:.1f} {y + 7:.1f})"),
        tag("g", card.below, transform=f"translate({x + 9:.1f} {y + 66:.1f})"),
        *(
            text(left, y + 21 + 17 * i, line, size=SMALL, fill=fill, font_weight=weight)
            for i, (line, fill, weight) in enumerate(lines)
        ),
        tag("g", card.marks, transform=f"translate({left:.1f} {y + 23 + 17 * len(lines):.1f})"),
    ]
    if not card.key:
        return joined(parts)
    body = tag("g", *parts, opacity=".5" if card.is_pale else None)
    return sight.look.target(card.key, f"{card.name}: {card.words}", body, ring=ring_box(x, y, width, height, 10))
