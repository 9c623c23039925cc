"""What Sagrada's page says of points: the parts of a score, and what a move would bring."""

from __future__ import annotations

from typing import Any

from meeple.games.sagrada import layout, tools
from meeple.games.sagrada.board import N_CELLS, PATTERNS, put, shift
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS, OBJECTIVES
from meeple.games.sagrada.dealing import difficulty_of, pattern_of
from meeple.games.sagrada.drawing.sight import goals_of, tokens_text
from meeple.games.sagrada.notation import DICE, colour_text
from meeple.games.sagrada.rules import to_move
from meeple.games.sagrada.scoring import private_points, times_paid

EMPTY, STILL_EMPTY = "empty cells", "empty cells, counted at the end"


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """Points of each objective, of the private colour where `seat` may know it, of tokens and of empty cells."""
    points = {
        OBJECTIVES[goal].name: int(state.worth[goal] * times_paid(state, owner, goal)) for goal in goals_of(state)
    }
    letters = colour_text(state, owner, seat)
    if letters and letters != "?":
        names = " or ".join(COLOUR_NAMES[COLOURS.index(letter)] for letter in letters)
        points[f"{names} dice"] = int(private_points(state, owner))
    if int(state.seats) > 1:
        points["tokens"] = int(state.worth[layout.TOKEN]) * int(state.tokens[owner])
    points[EMPTY if int(state.phase) == layout.OVER else STILL_EMPTY] = -empty_cells(state, owner)[1]
    return points


def total(state: Any, owner: int, seat: int | None) -> int:
    """The points that `seat` knows of: one's own colour counts already."""
    return sum(tally(state, owner, seat).values())


def empty_cells(state: Any, owner: int) -> tuple[int, int]:
    """How many cells of a window are empty, and what they cost at the end."""
    count = N_CELLS - int(state.occ[owner]).bit_count()
    return count, int(state.worth[layout.EMPTY]) * count


def preview(state: Any, action: int, seat: int) -> str:
    """The points that a move brings at once, or what comes of it."""
    owner, kind = int(to_move(state)), action >> layout.KIND_BITS
    if kind == layout.WINDOW:
        pattern = int(pattern_of(state, int(state.offer[owner, (action >> 15) & 31])))
        return f"{PATTERNS[pattern].name}, {tokens_text(int(difficulty_of(state, pattern)))}"
    if kind == layout.PASS:
        return "the turn ends"
    if kind == layout.RETURN:
        return "back to the pool, the turn ends"
    is_tool = kind < layout.PLACE
    if is_tool and int(state.seats) == 1 and int(state.phase) == layout.TURN:
        return f"pays with {DICE[(action >> 15) & 31]}, which leaves the game"
    world = state.copy()
    if is_tool and int(state.seats) > 1:
        world.tokens[owner] -= 1 + int(state.paid[kind])
    words = _carry_out(world, owner, kind, action)
    before, after = tally(state, owner, seat), tally(world, owner, seat)
    changes = [_change(part, after[part] - before[part]) for part in after if after[part] != before[part]]
    return ", ".join([*words, *changes]) or "no points yet"


def _change(part: str, points: int) -> str:
    words = {STILL_EMPTY: "cell filled", "tokens": "token" if points == -1 else "tokens"}
    return f"{points:+d} {words.get(part, part)}"


def _carry_out(world: Any, owner: int, kind: int, action: int) -> list[str]:
    """Place or move in `world` what can be foreseen of a move; words for what cannot."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    tool = int(world.tools[kind]) if kind < layout.PLACE else layout.NONE
    die, cell = tools.placed_die(world, action)
    if die >= 0:
        put(world, owner, die, cell)
    elif tool in (tools.EGLOMISE, tools.COPPER, tools.LATHEKIN, tools.TAP_WHEEL):
        shift(world, owner, a, b)
        if tool in (tools.LATHEKIN, tools.TAP_WHEEL) and (c or d):
            shift(world, owner, c, d)
    else:
        return [
            {
                tools.BRUSH: f"{DICE[a]} is rolled again",
                tools.REMOVER: f"{DICE[a]} goes, a die of the bag comes",
                tools.HAMMER_CARD: f"{int(world.n_pool)} dice are rolled again",
                tools.RUNNING: "the second turn comes now" if int(world.is_thesis) else "one more die, no second turn",
            }[tool]
        ]
    return []
