"""Sagrada drawn in text, 100 columns wide: two windows side by side, the cards to their right, pool and track above.

A die is its letter and value, `R4`; a print is `·r` or `·4`, and a blank cell takes any die. Colour repeats what
letters say.
"""

from __future__ import annotations

from typing import Any

from meeple.core.paint import MARKS, Paint
from meeple.games.sagrada import layout
from meeple.games.sagrada.board import N_CELLS, N_VALUES, PATTERNS, die_at
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS, OBJECTIVES, TOOLS
from meeple.games.sagrada.dealing import difficulty_of
from meeple.games.sagrada.notation import DICE, colour_text, knows_window
from meeple.games.sagrada.scoring import score, target, times_paid

WINDOW_WIDTH = 28  # of a window with its row numbers
DOTS = "●"
WHAT = {
    "turn": "draft a die, use a tool, or pass",
    "paid": "use the tool that is paid for",
    "brush-place": "place the die that was rolled again",
    "remover-place": "place the new die with any value",
    "extra": "place one more die",
    "choose": "choose a window",
}


def board(state: Any, seat: int | None, paint: Paint) -> str:
    """The table as `seat` sees it."""
    lines = [_headline(state, paint)]
    if int(state.phase) >= layout.ROLL:
        lines += [_pool(state, paint), _track(state, paint)]
        blocks = [_seat_block(state, owner, seat, paint) for owner in range(state.seats)]
    elif int(state.phase) == layout.CHOOSE:
        chosen = [_choice(state, owner, seat, paint) for owner in range(state.seats)]
        lines += ["  ".join(chosen)]
        patterns = [int(pattern) for pattern in state.offer[state.turn]]
        blocks = [_pattern_block(state, pattern, paint) for pattern in patterns]
    else:
        blocks = []
    lines += ["", *_beside(blocks, _panel(state, paint))]
    return "\n".join(line.rstrip() for line in lines)


def _headline(state: Any, paint: Paint) -> str:
    phase, seats = int(state.phase), int(state.seats)
    if phase == layout.OVER:
        points = "   ".join(f"{_mark(owner, paint)} {int(score(state, owner))} points" for owner in range(seats))
        aim = f"   target {int(target(state))}" if seats == 1 else ""
        return f"over   {points}{aim}"
    if phase < layout.CHOOSE:
        return "cards are dealt"
    if phase == layout.CHOOSE:
        return f"set-up   {_mark(int(state.turn), paint)} to choose one of four windows"
    mover = int(state.order[state.turn])
    place = f"round {int(state.lap) + 1} of 10   turn {int(state.turn) + 1} of {2 * seats}"
    if phase in (layout.ROLL, layout.HAMMER):
        return f"{place}   dice are rolled"
    what = WHAT.get(layout.PHASES[phase], "a die is drawn")
    if phase == layout.TURN and int(state.drafted):
        what = "use a tool, or pass"
    elif phase == layout.TURN and int(state.tool_used):
        what = "draft a die, or pass"
    return f"{place}   {_mark(mover, paint)} to {what}"


def _mark(owner: int, paint: Paint) -> str:
    return paint(MARKS[owner], f"bold seat{owner + 1}")


def _die(die: int, paint: Paint) -> str:
    colour = COLOUR_NAMES[die // N_VALUES]
    return paint(f" {DICE[die]} ", f"bold {'ink' if colour == 'yellow' else 'paper'} on {colour}")


def _pool(state: Any, paint: Paint) -> str:
    dice = [_die(int(die), paint) for die in state.pool[: state.n_pool]]
    hand = int(state.hand)
    held = ""
    if hand != layout.NONE and int(state.phase) not in (layout.HAMMER, layout.SOLO_TOOL):
        held = f"   in hand {_die(hand, paint)}"
    return f"pool   {' '.join(dice) or ' none'}{held}"


def _track(state: Any, paint: Paint) -> str:
    """The values on the track by colour: `R 1 3 3   B 6`."""
    parts = []
    for colour, letter in enumerate(COLOURS):
        first = colour * N_VALUES
        values = "".join(str(value + 1) * int(state.track[first + value]) for value in range(N_VALUES))
        if values:
            parts.append(paint(f" {letter} ", f"bold {'ink' if letter == 'Y' else 'paper'} on {COLOUR_NAMES[colour]}"))
            parts.append(values)
    return f"track  {' '.join(parts) or ' empty'}"


def _seat_block(state: Any, owner: int, seat: int | None, paint: Paint) -> list[tuple[str, int]]:
    """A window with its owner's line above, as lines with their width on screen."""
    is_mover = int(state.phase) not in (layout.OVER, layout.ROLL) and int(state.order[state.turn]) == owner
    name = PATTERNS[state.window[owner]].name
    tokens = f"{int(state.tokens[owner])}{DOTS}" if int(state.seats) > 1 else ""
    title = f"{'>' if is_mover else ' '} {MARKS[owner]} {name:<20} {tokens:>2}"
    head = title.replace(MARKS[owner], _mark(owner, paint), 1)
    secret = "/".join(_private_name(letter) for letter in colour_text(state, owner, seat))
    line = f"    {secret:<13} {int(score(state, owner)):>3} pts"
    shown = line
    if secret in COLOUR_NAMES:
        shown = line.replace(secret, paint(secret, f"bold {secret}"), 1)
    return [(head, len(title)), (shown, len(line)), *_grid(state, int(state.window[owner]), owner, paint)]


def _private_name(letter: str) -> str:
    return "secret" if letter == "?" else COLOUR_NAMES[COLOURS.index(letter)]


def _pattern_block(state: Any, pattern: int, paint: Paint) -> list[tuple[str, int]]:
    """A pattern on offer."""
    window = PATTERNS[pattern]
    title = f"    {window.name:<20} {int(difficulty_of(state, pattern))}{DOTS}"
    return [(title, len(title)), ("", 0), *_grid(state, pattern, None, paint)]


def _choice(state: Any, owner: int, seat: int | None, paint: Paint) -> str:
    """Who holds which colour and has chosen what, as far as `seat` knows."""
    colours = "/".join(_private_name(letter) for letter in colour_text(state, owner, seat))
    chosen = "not chosen yet"
    if state.window[owner] != layout.NONE:
        chosen = PATTERNS[state.window[owner]].name if knows_window(state, owner, seat) else "has chosen"
    return f"{_mark(owner, paint)} {colours}, {chosen}"


def _grid(state: Any, pattern: int, owner: int | None, paint: Paint) -> list[tuple[str, int]]:
    marks = "".join(PATTERNS[pattern].rows)
    lines = ["    a    b    c    d    e ", "  ┌" + "┬".join(["────"] * 5) + "┐"]
    for row in range(4):
        cells = []
        for cell in range(row * 5, row * 5 + 5):
            die = int(die_at(state, owner, cell)) if owner is not None else layout.NONE
            cells.append(_die(die, paint) if die != layout.NONE else _print(marks[cell], paint))
        lines.append(f"{row + 1} │" + "│".join(cells) + "│")
        lines.append("  ├" + "┼".join(["────"] * 5) + "┤")
    lines[-1] = "  └" + "┴".join(["────"] * 5) + "┘"
    assert len(marks) == N_CELLS
    return [(line, WINDOW_WIDTH if i else len(line)) for i, line in enumerate(lines)]


def _print(mark: str, paint: Paint) -> str:
    if mark == ".":
        return "    "
    if mark in COLOURS:
        return paint(f" ·{mark.lower()} ", f"bold {COLOUR_NAMES[COLOURS.index(mark)]}")
    return paint(f" ·{mark} ", "grey")


def _panel(state: Any, paint: Paint) -> list[str]:
    """The cards on the table."""
    lines = []
    if any(tool > 0 for tool in state.tools):
        lines.append(paint("tools", "bold grey"))
    for slot, number in enumerate(state.tools):
        if number > 0:
            tool = TOOLS[number - 1]
            lines += [f"  {tool.name}  {_price(state, slot)}", paint(f"    {tool.effect}", "grey")]
    goals = [int(goal) for goal in state.goals if goal != layout.NONE]
    if goals:
        lines.append(paint("objectives", "bold grey"))
    for goal in goals:
        line = f"  {int(state.worth[goal])} x {OBJECTIVES[goal].counted}"
        if int(state.phase) >= layout.ROLL:
            times = [f"{_mark(o, paint)}{int(times_paid(state, o, goal))}" for o in range(state.seats)]
            line = f"{line:<26} {' '.join(times)}"
        lines.append(line)
    return lines


def _price(state: Any, slot: int) -> str:
    used = int(state.paid[slot])
    if int(state.seats) == 1:
        solo = COLOUR_NAMES[COLOURS.index(TOOLS[state.tools[slot] - 1].solo)]
        return "used" if used else f"for a {solo} die"
    return DOTS * (1 + used)


def _beside(blocks: list[list[tuple[str, int]]], panel: list[str]) -> list[str]:
    """Two windows a row, and the panel to the right of the first rows."""
    lines: list[str] = []
    for first in range(0, len(blocks), 2):
        pair = blocks[first : first + 2]
        for parts in zip(*pair, strict=True):
            lines.append("   ".join(text + " " * (WINDOW_WIDTH - width) for text, width in parts))
        lines.append("")
    width = (WINDOW_WIDTH + 3) * min(2, len(blocks))
    for number, text in enumerate(panel):
        if number == len(lines):
            lines.append("")
        pad = width if not lines[number] else 0
        lines[number] = " " * pad + lines[number] + ("   " if lines[number] else "") + text
    return lines
