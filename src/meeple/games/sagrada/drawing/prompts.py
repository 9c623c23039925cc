"""What is to be done next, in words."""

from __future__ import annotations

from meeple.games.sagrada import tools
from meeple.games.sagrada.cards import TOOLS
from meeple.games.sagrada.drawing.sight import Sight
from meeple.games.sagrada.layout import CHOOSE, EXTRA, FLUX_PLACE, REMOVER_PLACE, SOLO_TOOL

FROM, TO, CELL, POOL = "Choose a die of your window.", "Choose where it goes.", "Choose a cell.", "Choose a die."
STEPS = {  # of a tool, by what is clicked after it
    tools.GROZING: (POOL, "Turn it down or up?", CELL),
    tools.EGLOMISE: (FROM, TO),
    tools.COPPER: (FROM, TO),
    tools.LATHEKIN: (FROM, TO, "Choose a second die.", TO),
    tools.LENS: (POOL, "Choose a die of the track.", CELL),
    tools.BRUSH: ("Choose the die to roll.",),
    tools.HAMMER_CARD: ("Roll the pool again?",),
    tools.RUNNING: ("Take the second die now?",),
    tools.STRAIGHTEDGE: (POOL, CELL),
    tools.GRINDING: (POOL, CELL),
    tools.REMOVER: ("Choose the die to put into the bag.",),
    tools.TAP_WHEEL: (FROM, TO, "Choose a second die, or leave it at one.", TO),
}


def choice_prompt(sight: Sight) -> str:
    """Who chooses a window."""
    if sight.phase < CHOOSE:
        return "Cards are dealt."
    turn = int(sight.state.turn)
    if turn == sight.own and sight.is_player:
        return "Click the window that you want to fill."
    return f"{sight.look.does(turn, 'choose')} now."


def prompt(sight: Sight) -> str:
    """What is to be done next, or who does it."""
    mover = sight.mover
    if mover < 0:
        return "Dice are rolled."
    step = _step(sight)
    if mover == sight.own and sight.is_player:
        return step
    return f"{sight.look.name(mover)}: {step[0].lower()}{step[1:]}"


def _step(sight: Sight) -> str:
    state, phase, chosen = sight.state, sight.phase, sight.look.chosen
    if phase == SOLO_TOOL:
        return _tool_step(int(state.tools[state.hand]), len(chosen))
    if chosen and chosen[0].startswith("tool-"):
        if sight.seats == 1:
            return "Choose the die that pays; it leaves the game."
        return _tool_step(int(state.tools[int(chosen[0][-1]) - 1]), len(chosen) - 1)
    if chosen:
        return "Choose a cell, or return the die." if phase == REMOVER_PLACE else CELL
    words = {
        FLUX_PLACE: "Place the die that was rolled.",
        REMOVER_PLACE: "Choose the new die's value.",
        EXTRA: "Draft one more die.",
    }
    if phase in words:
        return words[phase]
    if int(state.drafted):
        return "Use a tool, or end your turn."
    return "Draft a die, or pass." if int(state.tool_used) else "Draft a die, use a tool, or pass."


def _tool_step(tool: int, done: int) -> str:
    steps = STEPS[tool]
    return f"{TOOLS[tool - 1].name}: {steps[min(done, len(steps) - 1)]}"
