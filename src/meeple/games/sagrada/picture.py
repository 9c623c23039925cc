"""Sagrada drawn: the viewer's window large, the pool, the track and the cards beside it, the other windows smaller.

A click path begins with a die of the pool (`pool-3`), a tool (`tool-1`) or `pass`; then come the dice, values and
cells in the order of the card's text. Equal dice of the pool are ways to the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from meeple.core.picture import Look, Path
from meeple.core.svg import Markup, joined
from meeple.games.sagrada import layout, tools
from meeple.games.sagrada.board import N_VALUES
from meeple.games.sagrada.cover import cover
from meeple.games.sagrada.drawing.deck import draw_cards, draw_cards_in_columns, draw_one_column
from meeple.games.sagrada.drawing.glass import DAY, NIGHT, definitions, small_die
from meeple.games.sagrada.drawing.points import preview, tally, total
from meeple.games.sagrada.drawing.sight import Block, Sight, round_the_table
from meeple.games.sagrada.drawing.table import draw_bar, draw_headline, draw_pool, draw_result, draw_track
from meeple.games.sagrada.drawing.windows import (
    draw_choosers,
    draw_offered,
    draw_other_window,
    draw_other_windows,
    draw_own_window,
)
from meeple.games.sagrada.notation import CELLS, DICE

__all__ = ["HELD", "cover", "draw", "icon", "paths", "preview", "tally", "total"]
HELD = ("pool-",)


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The table as `seat` sees it."""
    sight = Sight(state, seat, look)
    is_setting_up = sight.phase < layout.ROLL
    if look.narrow:
        content, width, height = (_narrow_choice if is_setting_up else _narrow_table)(sight)
    else:
        content, width, height = (_wide_choice if is_setting_up else _wide_table)(sight)
    grounds = (DAY.ground, NIGHT.ground)
    return look.svg(width, height, definitions(), content, title="Sagrada", grounds=grounds)


def icon(key: str) -> Markup:
    """A die amid words."""
    return small_die(DICE.index(key.removeprefix("die-")))


# --- clicks


def paths(state: Any, action: int) -> list[Path]:
    """A die and a cell; or a tool and what it needs; or a button."""
    kind, phase = action >> layout.KIND_BITS, int(state["phase"])  # in brackets: twice as fast as by attribute
    a, b = (action >> 15) & 31, (action >> 10) & 31
    if kind == layout.PASS:
        return [("pass",)]
    if kind == layout.WINDOW:
        return [(f"window-{a + 1}",)]
    if kind == layout.PLACE:
        return _draft_paths(state, phase, b, CELLS[a])
    if kind == layout.RETURN:
        return [("return",) if int(state.keeps_roll) else (_value_key(a), "return")]
    begin: Path = () if phase == layout.SOLO_TOOL else (f"tool-{kind + 1}",)
    if phase == layout.TURN and int(state["seats"]) == 1:
        return [(*begin, place) for place in _places(state, a)]
    return [(*begin, *rest) for rest in _tool_paths(state, int(state["tools"][kind]), action)]


def _draft_paths(state: Any, phase: int, die: int, cell: str) -> list[Path]:
    if phase == layout.FLUX_PLACE:
        return [(cell,), ("hand", cell)]
    if phase == layout.REMOVER_PLACE:
        return [(_value_key(die), cell)]
    return [(place, cell) for place in _places(state, die)]


def _tool_paths(state: Any, tool: int, action: int) -> Iterable[Path]:
    """What is clicked after the tool."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    if tool == tools.LATHEKIN or (tool == tools.TAP_WHEEL and (c or d)):
        return [(CELLS[a], CELLS[b], CELLS[c], CELLS[d])]
    if tool == tools.TAP_WHEEL:
        return [(CELLS[a], CELLS[b], "done")]
    if tool in (tools.EGLOMISE, tools.COPPER):
        return [(CELLS[a], CELLS[b])]
    if tool in (tools.HAMMER_CARD, tools.RUNNING):
        return [("go",)]
    if tool in (tools.BRUSH, tools.REMOVER):
        return [(place,) for place in _places(state, a)]
    if tool == tools.GROZING:
        return [(place, "up" if b else "down", CELLS[c]) for place in _places(state, a)]
    if tool == tools.LENS:
        return [(place, f"track-{DICE[b]}", CELLS[c]) for place in _places(state, a)]
    return [(place, CELLS[a]) for place in _places(state, b)]  # straightedge, grinding stone


def _places(state: Any, die: int) -> list[str]:
    """The places of the pool where such a die lies."""
    pool = state["pool"].tolist()[: int(state["n_pool"])]
    return [f"pool-{place}" for place, other in enumerate(pool, 1) if other == die]


def _value_key(die: int) -> str:
    return f"value-{die % N_VALUES + 1}"


# --- layouts


def _wide_table(sight: Sight) -> tuple[Markup, float, float]:
    """Own window left; pool, track and the others right of it; the cards below, in the solo game right."""
    parts: list[Markup] = []
    side = 80 if sight.seats < 4 else 76
    window, left = draw_own_window(sight, 16, 14, side)
    parts.append(window)
    x, y = (494.0 if side == 80 else 471.0), 14.0
    width = 946 - x
    for block in (draw_headline, *_middle(sight), draw_track):
        drawn, height = block(sight, x, y, width)
        parts.append(drawn)
        y += height + 8
    drawn, height = draw_other_windows(sight, x, y, width)
    parts.append(drawn)
    if not height:
        is_long = int(sight.state.n_tools) > 3
        drawn, height = draw_cards(sight, x, y, width, 2) if is_long else draw_cards_in_columns(sight, x, y, width)
        return joined([*parts, drawn]), 960, max(y + height, 14 + left) + 14
    y = max(y + height, 14 + left) + 10
    drawn, height = draw_cards(sight, 14, y, 932, 3)
    return joined([*parts, drawn]), 960, y + height + 14


def _narrow_table(sight: Sight) -> tuple[Markup, float, float]:
    """One below the other: pool, own window, track, cards, the other windows."""
    parts: list[Markup] = []
    y = 10.0
    for block in (draw_headline, *_middle(sight)):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 8
    drawn, height = draw_own_window(sight, 14, y, 68)
    parts.append(drawn)
    y += height + 12
    for block in (draw_track, draw_one_column):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 8
    for owner in round_the_table(sight):
        if owner != sight.own:
            drawn, height = draw_other_window(sight, owner, 12, y, 396, 34)
            parts.append(drawn)
            y += height + 8
    return joined(parts), 420, y + 4


def _wide_choice(sight: Sight) -> tuple[Markup, float, float]:
    """Four windows to choose from, the cards right of them."""
    parts = []
    bottom = 0.0
    for place in range(4):
        drawn, height = draw_offered(sight, place, 18 + place % 2 * 250, 16 + place // 2 * 284, 40)
        parts.append(drawn)
        bottom = max(bottom, 16 + place // 2 * 284 + height)
    x, y, width = 516.0, 14.0, 430.0
    for block in (draw_headline, draw_choosers, draw_cards_in_columns):
        drawn, height = block(sight, x, y, width)
        parts.append(drawn)
        y += height + 10
    return joined(parts), 960, max(y, bottom) + 14


def _narrow_choice(sight: Sight) -> tuple[Markup, float, float]:
    parts = []
    y = 10.0
    for block in (draw_headline, draw_choosers):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 10
    for place in range(4):
        drawn, height = draw_offered(sight, place, 16 + place % 2 * 198, y, 32)
        parts.append(drawn)
        if place % 2:
            y += height + 16
    drawn, height = draw_one_column(sight, 12, y, 396)
    return joined([*parts, drawn]), 420, y + height + 12


def _middle(sight: Sight) -> tuple[Callable[[Sight, float, float, float], Block], ...]:
    """What is acted on: pool and buttons, at the end the result."""
    return (draw_result,) if sight.phase == layout.OVER else (draw_pool, draw_bar)
