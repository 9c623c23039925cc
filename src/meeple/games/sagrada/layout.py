"""The state of Sagrada as a record, the phases of play, and how actions are numbered."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.ranges import KEPT
from meeple.games.sagrada.board import BOARD, COPIES, DIFFICULTY, N_COLOURS, N_DICE, PATTERNS
from meeple.games.sagrada.cards import OBJECTIVES, TOOLS

# Phases. Chance acts in the first four and where a die is drawn or rolled.
(
    DEAL_TOOLS, DEAL_GOALS, DEAL_COLOURS, DEAL_WINDOWS, CHOOSE, ROLL, TURN, SOLO_TOOL, FLUX_ROLL, FLUX_PLACE,
    HAMMER, REMOVER_DRAW, REMOVER_PLACE, EXTRA, OVER,
) = range(15)  # fmt: skip
PHASES = (
    "tools", "goals", "colours", "windows", "choose", "roll", "turn", "paid", "brush-roll", "brush-place",
    "hammer", "remover-draw", "remover-place", "extra", "over",
)  # fmt: skip

N_ROUNDS = 10
NONE = -1
MOST_TOOLS = 5
MOST_POOL = 9
SPARE = 6
PIP, TOKEN, EMPTY = 10, 11, 12  # places in `worth`, after the objectives

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("occ", np.int32, (4,)),  # of each seat, the cells with a die
            ("col", np.int32, (4, 5)),  # the cells with a die of each colour
            ("val", np.int32, (4, 6)),  # and of each value
            ("track_kinds", np.int32),  # bits of the dice that lie on the track
            ("window_deck", np.int32),  # bits of the cards that may be dealt: windows
            ("tool_deck", np.int16),  # tools
            ("goal_deck", np.int16),  # public objectives
            ("track", np.int8, (30,)),  # how many of each die lie there
            ("bag", np.int8, (5,)),  # dice in the bag, by colour
            ("spent", np.int8, (5,)),  # dice that left a solo game as payment, by colour
            ("pool", np.int8, (9,)),  # dice, ascending (but while the hammer rolls them again), then zeros
            ("n_pool", np.int8),
            ("order", np.int8, (8,)),  # the seats in the order of their turns this round, then zeros
            ("turn", np.int8),  # place in `order`; while cards are dealt or windows chosen, how many were
            ("lap", np.int8),  # rounds finished
            ("phase", np.int8),
            ("hand", np.int8),  # a die in between, the place of the hammer, the slot of a tool paid for; or NONE
            ("tool_used", np.int8),  # this turn
            ("drafted", np.int8),  # this turn's draft is over (standard rules)
            ("skips", np.int8),  # bits of the seats that skip their second turn (standard rules)
            ("start", np.int8),  # the start player of this round
            ("seats", np.int8),
            ("is_thesis", np.int8),
            ("has_faults", np.int8),
            ("keeps_roll", np.int8),  # a die returned by the Flux Remover keeps the value that it had
            ("n_tools", np.int8),  # 0..5
            ("n_goals", np.int8),  # 2 in the solo game, else 3
            ("tools", np.int8, (5,)),  # 1..12 as the cards lie, 0: none
            ("paid", np.int8, (5,)),  # 1: somebody has used the card
            ("goals", np.int8, (3,)),  # public objectives, NONE: none
            ("offer", np.int8, (4, 4)),  # patterns dealt to each seat, NONE: not yet
            ("window", np.int8, (4,)),  # the pattern chosen, NONE: not yet; hidden until all have chosen
            ("private", np.int8, (4,)),  # hidden: colour of each seat, NONE: not yet; in the solo game two, open
            ("tokens", np.int8, (4,)),
            ("worth", np.int8, (13,)),  # points of each objective, of a pip, of a token, less for an empty cell
            (
                "spare",
                np.int8,
                (SPARE,),
            ),  # fills the record up to whole words, so that a policy may copy it; always zero
        ],
    )
)

RANGES = {
    "occ": (0, BOARD),
    "col": (0, BOARD),
    "val": (0, BOARD),
    "track_kinds": (0, (1 << N_DICE) - 1),
    "window_deck": KEPT,
    "tool_deck": KEPT,
    "goal_deck": KEPT,
    "track": (0, COPIES),
    "bag": (0, COPIES),
    "spent": (0, COPIES),
    "pool": (0, N_DICE - 1),
    "n_pool": (0, MOST_POOL),
    "order": (0, 3),
    "turn": (0, 15),
    "lap": (0, N_ROUNDS),
    "phase": (DEAL_TOOLS, OVER),
    "hand": (NONE, N_DICE - 1),
    "tool_used": (0, 1),
    "drafted": (0, 1),
    "skips": (0, 15),
    "start": (0, 3),
    "seats": KEPT,
    "is_thesis": KEPT,
    "has_faults": KEPT,
    "keeps_roll": KEPT,
    "n_tools": KEPT,
    "n_goals": KEPT,
    "tools": (0, len(TOOLS)),
    "paid": (0, 1),
    "goals": (NONE, len(OBJECTIVES) - 1),
    "offer": (NONE, len(PATTERNS) - 1),
    "window": (NONE, len(PATTERNS) - 1),
    "private": (NONE, N_COLOURS - 1),
    "tokens": (0, max(DIFFICULTY.tolist())),
    "worth": KEPT,
    "spare": (0, 0),
}

# An action is kind << 20 | a << 15 | b << 10 | c << 5 | d. Kinds 0..4 use the tool in that slot.
KIND_BITS = 20
PLACE, RETURN, PASS, WINDOW = 5, 6, 7, 8
ACTIONS = 9 << KIND_BITS


@kernel
def coded(kind, a, b, c, d):
    """The action of these parts."""
    return (kind << KIND_BITS) | (a << 15) | (b << 10) | (c << 5) | d


@kernel
def mover_of(state):
    """The seat whose turn it is."""
    return state.order[state.turn]


@kernel
def later_turn(state):
    """The place of the mover's second turn in the order, where it is still to come; else -1."""
    seat = mover_of(state)
    for place in range(state.turn + 1, 2 * state.seats):
        if state.order[place] == seat:
            return place
    return -1


@kernel
def pool_kinds(state):
    """The different dice of the pool as bits."""
    kinds = 0
    for place in range(state.n_pool):
        kinds |= 1 << state.pool[place]
    return kinds
