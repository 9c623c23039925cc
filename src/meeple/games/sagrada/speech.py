"""Sagrada in words: dice by colour and value, cells by the letters and numbers beside the window, tools by name."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Sentence, who
from meeple.games.sagrada import board, layout, tools
from meeple.games.sagrada.cards import COLOUR_NAMES, OBJECTIVES, TOOLS
from meeple.games.sagrada.drawing.points import tally
from meeple.games.sagrada.notation import CELLS, DICE
from meeple.games.sagrada.scoring import private_points

_HEADINGS = {
    layout.DEAL_TOOLS: "Tools on the table",
    layout.DEAL_GOALS: "Objectives for all",
    layout.DEAL_COLOURS: "Secret colours",
    layout.DEAL_WINDOWS: "Windows are dealt",
    layout.ROLL: "New dice",
    layout.HAMMER: "The pool is rolled again",
}


def spoken(state: Any, action: int) -> str:
    """`place the red 4 on c2`, `use the Lathekin: move a1 to b2 and c3 to d3`, `pass` ..."""
    kind = action >> layout.KIND_BITS
    a, b = (action >> 15) & 31, (action >> 10) & 31
    if kind == layout.PASS:
        return "*end* the turn" if int(state.drafted) or int(state.tool_used) else "*pass*"
    if kind == layout.WINDOW:
        return f"*choose* the window {board.PATTERNS[state.offer[state.turn, a]].name}"
    if kind == layout.PLACE:
        return f"*place* the {die_words(b)} on {CELLS[a]}"
    if kind == layout.RETURN:
        return f"*put* the {die_words(a)} back into the pool"
    tool = int(state.tools[kind])
    name = TOOLS[tool - 1].name
    if int(state.seats) == 1 and int(state.phase) == layout.TURN:
        return f"*pay* for the {name} with the {die_words(a)}"
    return f"*use* the {name}: {_effect(tool, action)}"


def _effect(tool: int, action: int) -> str:
    """What a tool is used for."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    if tool == tools.GROZING:
        return f"*turn* the {die_words(a)} {'up' if b else 'down'} to {_value(a + 2 * b - 1)}, on {CELLS[c]}"
    if tool == tools.GRINDING:
        return f"*flip* the {die_words(b)} to {_value(int(board.opposite(b)))}, on {CELLS[a]}"
    if tool == tools.LENS:
        return f"*trade* the {die_words(a)} for the {die_words(b)} of the track, on {CELLS[c]}"
    if tool == tools.STRAIGHTEDGE:
        return f"*place* the {die_words(b)} on {CELLS[a]}"
    if tool == tools.BRUSH:
        return f"*roll* the {die_words(a)} again"
    if tool == tools.REMOVER:
        return f"*put* the {die_words(a)} into the bag and *draw* another"
    if tool in (tools.LATHEKIN, tools.TAP_WHEEL) and (c or d):
        return f"*move* {CELLS[a]} to {CELLS[b]} and {CELLS[c]} to {CELLS[d]}"
    if tool in (tools.LATHEKIN, tools.TAP_WHEEL, tools.EGLOMISE, tools.COPPER):
        return f"*move* {CELLS[a]} to {CELLS[b]}"
    return "*roll* the pool again" if tool == tools.HAMMER_CARD else "*take* the second turn's die now"


def die_words(die: int) -> str:
    """`red 4` with its small picture."""
    return f"{COLOUR_NAMES[die // board.N_VALUES]} {_value(die)} [die-{DICE[die]}]"


def _value(die: int) -> int:
    return die % board.N_VALUES + 1


def unseen(state: Any) -> str:
    """Windows are chosen in secret."""
    return "*choose* a window in secret"


def spoken_outcome(state: Any, outcome: int) -> Sentence:
    """A card, a colour, a die."""
    phase = int(state.phase)
    if phase == layout.DEAL_TOOLS:
        return Sentence(f"the {TOOLS[outcome].name}")
    if phase == layout.DEAL_GOALS:
        goal = OBJECTIVES[outcome]
        return Sentence(f"{goal.name}: {goal.points} for {goal.counted}")
    if phase == layout.DEAL_COLOURS:
        owner = 0 if int(state.seats) == 1 else int(state.turn)
        return Sentence(f"*draw* {COLOUR_NAMES[outcome]} as secret colour", owner)
    if phase == layout.DEAL_WINDOWS:
        names = [window.name for window in board.PATTERNS]
        if int(state.is_thesis):
            return Sentence(f"the window {names[outcome]}")
        return Sentence(f"the windows {names[2 * outcome]} and {names[2 * outcome + 1]}")
    if phase in (layout.ROLL, layout.HAMMER):
        return Sentence(f"a {die_words(outcome)}")
    mover = int(state.order[state.turn])
    if phase == layout.REMOVER_DRAW and not int(state.keeps_roll):
        return Sentence(f"*draw* a {COLOUR_NAMES[outcome // board.N_VALUES]} die", mover)
    return Sentence(f"*{'draw' if phase == layout.REMOVER_DRAW else 'roll'}* a {die_words(outcome)}", mover)


def heading(state: Any) -> str:
    """What is dealt or rolled."""
    return _HEADINGS.get(int(state.phase), "A die")


def ending(state: Any) -> list[Sentence]:
    """Alone: what was to be beaten. Among several with equal points: what decides between them."""
    seats = int(state.seats)
    if seats == 1:
        goal = sum(int(n) * (die % board.N_VALUES + 1) for die, n in enumerate(state.track))
        return [Sentence(f"The dice on the round track are worth {goal}: more had to be scored")]
    points = [sum(tally(state, seat, None).values()) for seat in range(seats)]
    first = [seat for seat in range(seats) if points[seat] == max(points)]
    if len(first) < 2:
        return [Sentence(f"*have* the most points, {max(points)}", first[0])]
    colours = {seat: int(private_points(state, seat)) for seat in first}
    told = ", ".join(f"{who(seat)} {n}" for seat, n in colours.items())
    decides = Sentence(f"Points are equal, and those of the secret colour decide: {told}")
    if list(colours.values()).count(max(colours.values())) == 1:
        return [decides]
    last = "the lower seat wins" if int(state.is_thesis) else "tokens decide, then who was later in the last round"
    return [decides, Sentence(f"These are equal too: {last}")]
