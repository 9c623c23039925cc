"""Ingenious: the state, the numbers of its moves, and what is printed."""

from __future__ import annotations

import numpy as np

from meeple.core.ranges import KEPT
from meeple.games.ingenious.geometry import BITS, N_CELLS, N_WORDS, SPAN
from meeple.games.ingenious.tiles import ALL_TILES, HAND, N_COLOURS, N_KINDS, N_ORIENTED, N_TILES

SEATS = (1, 4)
TRACK = 18  # a colour that reaches it gives a bonus placement
MOST_SWAPS = 15  # in one turn, with swap=until-lowest: RULING 3

# Options, in the order in which game.py declares them.
TEAMS = 0  # 1: seats 0 and 2 against 1 and 3, with joint scores
SWAP_OPTION = 1  # 1: the report's, a swap goes on until a lowest colour comes
FIRST_TILE_OPTION = 2  # 1: the report's, only the first seat's first tile must touch a symbol

EMPTY, WALL = 6, 7  # of a cell, beside the colours 0..5: red, green, blue, orange, yellow, purple
DEAL, PLACE, ASK, DRAW, OVER = range(5)  # phases

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("open", np.int64, (N_WORDS,)),  # the positions with both cells empty, as bits
            ("hand", np.int64, (4,)),  # hidden: a set of tiles for each seat
            ("bag", np.int64),  # hidden: a set of tiles
            ("aside", np.int64),  # the hand that is being swapped: open, out of the bag until the new one is drawn
            ("shown", np.int64),  # tiles that went back in a swap: known to be in the bag until the next draw
            ("cell", np.int8, (N_CELLS + 1,)),  # a colour, EMPTY or WALL
            ("points", np.int8, (4, N_COLOURS)),  # by side: a seat, or a team; 0..18, on double tracks 0..36
            ("held", np.int8, (4,)),  # tiles in each hand
            ("seats", np.int8),
            ("teams", np.int8),  # 1: partners share a side
            ("goal", np.int8),  # 18, or 36 on double tracks
            ("most_swaps", np.int8),  # in a turn: 1, or MOST_SWAPS
            ("bound_turns", np.int8),  # the first turns, for which the first-tile rule holds: one a seat, or 1
            ("words", np.int8),  # of `open` that this board uses
            ("phase", np.int8),
            ("seat", np.int8),  # whose turn, or who is being dealt to
            ("turn", np.int8),  # turns finished
            ("bonus", np.int8),  # bonus placements owed
            ("used", np.int8),  # symbols that first tiles touch, as bits; 0 when no turn is bound any more
            ("swaps", np.int8),  # of this turn
        ],
    )
)

RANGES = {
    "open": (0, (1 << BITS) - 1),
    "hand": (0, ALL_TILES),
    "bag": (0, ALL_TILES),
    "aside": (0, ALL_TILES),
    "shown": (0, ALL_TILES),
    "cell": (0, WALL),
    "points": (0, 2 * TRACK),
    "held": (0, HAND),
    "seats": KEPT,
    "teams": KEPT,
    "goal": KEPT,
    "most_swaps": KEPT,
    "bound_turns": KEPT,
    "words": KEPT,
    "phase": (DEAL, OVER),
    "seat": (0, SEATS[1] - 1),
    "turn": (0, N_TILES),
    "bonus": (0, HAND),
    "used": (0, (1 << N_COLOURS) - 1),
    "swaps": (0, MOST_SWAPS),
}

# ACTION TABLE
#   448 * oriented tile + position   lay the tile there (tiles.py, geometry.py)
#   KEEP, SWAP                       answers to the offer of a swap
KEEP = N_ORIENTED * SPAN
SWAP = KEEP + 1
ACTIONS = KEEP + 2
MAX_ACTIONS = 2 * HAND * 426  # six different tiles of two colours, each two ways in every position of the whole board
OUTCOMES = N_KINDS
OPEN_MOVES = True  # every seat sees every move; only draws are hidden
BELIEFS = N_KINDS  # codes of `suppose_weights`: a tile of each kind
