"""The duel: its cards, cells and codes, and how a state lies in memory; rules.py says what they mean."""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.ranges import KEPT
from meeple.games.tunnels import CARD_OF, COPIES, CROSS, N_TUNNELS, OPEN, UPRIGHT, demands, fitting_slots, turned

SEATS = (2, 2)
SIZE = 14
HAND = 7
MAP_CARD, BONUS_CARD, DESTROY_CARD, MALUS_CARD = 16, 17, 18, 19
N_KINDS = 20
N_MAPS = (6, 4)  # by option: the deck of 55 cards, and the earlier one of 53
N_OBJECTIVES = 3
OUTCOMES = N_KINDS
DECK = 0  # place in `options`

ROW = 16
N_CELLS = 256
STEP = np.array([-ROW, 1, ROW, -1], dtype=np.int64)  # to the neighbour in the north, east, south, west
ENTRANCE = 6 * ROW + 5
OBJECTIVES = np.array([13 * ROW + 3, 13 * ROW + 5, 13 * ROW + 7], dtype=np.int64)

SLOTS = 64  # of a cell in the action code; bit 3 * tile + turned
DESTROY = N_CELLS * SLOTS
MAP = DESTROY + N_CELLS
BONUS = MAP + N_OBJECTIVES
MALUS = BONUS + 1
DROP = MALUS + 1
ACTIONS = DROP + N_KINDS
# Empty cells that an open side faces: 4 at the entrance, and at most 2 more with each of 40 tiles and 3 more with
# each of 3 objectives: 93; 14 positions of 7 tiles in each, or fewer tiles and 40 Destroys, 3 Maps, 2 others; 7 drops.
MAX_ACTIONS = 93 * 14 + 40 + 3 + 2 + 7

HIDE, DEAL, TURN, TAKE, OVER = range(5)  # phases: the nugget is hidden, cards are dealt, a seat moves, it draws

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("deck", np.int64),  # hidden: a multiset, since an unseen order is no order
            ("hand", np.int64, (2,)),  # hidden from the rival
            ("dropped", np.int64, (2,)),  # hidden from the rival
            ("frontier", np.int64, (4,)),  # empty cells that an open side faces
            ("tiles", np.int64, (4,)),  # tiles on the board, without entrance and objectives
            ("reached", np.int64, (4,)),  # cells joined to the entrance through open centres
            ("cell", np.int8, (N_CELLS,)),  # empty: >= 0, what the sides ask; else -1 - shape
            ("left", np.int8),  # cards in the deck
            ("n_hand", np.int8, (2,)),
            ("n_dropped", np.int8, (2,)),
            ("malus", np.int8, (2,)),
            (
                "looked",
                np.int8,
                (2,),
            ),  # bits of objectives that a seat has looked at: that it did is open, what it saw not
            ("nugget", np.int8),  # 0..2, -1 before it is hidden; hidden until seen
            ("shown", np.int8),  # bits of objectives revealed to both
            ("n_maps", np.int8),  # in the whole deck: 6 or 4
            ("phase", np.int8),
            ("seat", np.int8),  # who moves or draws
            ("winner", np.int8),  # -1: nobody
        ],
    )
)
CHECKS = (
    "every card must be in one place, no more of a kind than the deck has",
    "the sizes of hands, drops and deck must be those of their multisets",
    "a hand must hold seven cards as long as the deck has any",
    "demands of empty cells and the frontier must follow from the tiles",
    "the reached cells must be those joined to the entrance",
    "the objectives reached must be revealed",
    "a revealed nugget must have made somebody win, and nobody wins without",
    "tiles must be cards of the game, on cells of their own; entrance and objectives are crosses",
    "the nugget must be hidden before cards are dealt, and they are dealt in turn",
    "whoever draws must have room for a card, and the deck one",
    "the game must be over when it is won or the next seat has no card, and only then",
    "no more maluses may lie before the seats than malus cards have left the game",
)


def _slots() -> np.ndarray:
    shapes = np.full(SLOTS, -1, dtype=np.int64)
    for tile, shape in enumerate(UPRIGHT):
        shapes[3 * tile] = shape
        if turned(shape) != shape:
            shapes[3 * tile + 1] = turned(shape)
    return shapes


SHAPE = _slots()  # of a slot, -1 where there is none
TILE_OF = np.array([CARD_OF.get(shape, (0, False))[0] for shape in range(32)], dtype=np.int64)  # by shape
POWER = np.array([1, 3, 9, 27], dtype=np.int64)  # of each side's demand in a cell's code
FITTING = np.array([fitting_slots(code, SHAPE.tolist()) for code in range(81)], dtype=np.int64)
IS_OPEN = np.array([OPEN in demands(code) for code in range(81)], dtype=np.bool_)
FIELDS = multisets.fields_of([3] * N_KINDS)
LOWS = multisets.lows_of(FIELDS)
LOW_TUNNELS = multisets.packed([1] * N_TUNNELS, FIELDS)
CARDS = np.array([*COPIES, 6, 4, 3, 2], dtype=np.int64)  # of each kind, in the deck of 55
BOARD_BIT = np.zeros(N_CELLS, dtype=np.int64)  # of a cell of the board in its word, 0 on the border
for _row in range(SIZE):
    for _column in range(SIZE):
        _cell = ROW * (_row + 1) + _column
        BOARD_BIT[_cell] = 1 << (_cell & 63)
IS_TILE = np.array([shape in CARD_OF for shape in range(32)], dtype=np.bool_)  # by shape
ALL_CARDS = multisets.packed(CARDS, FIELDS)
N_CARDS = int(CARDS.sum())
CELL_BITS = (1 << 63) - 1
RANGES = {
    "deck": (0, ALL_CARDS),
    "hand": (0, ALL_CARDS),
    "dropped": (0, ALL_CARDS),
    "frontier": (0, CELL_BITS),
    "tiles": (0, CELL_BITS),
    "reached": (0, CELL_BITS),
    "cell": (-1 - CROSS, len(FITTING) - 1),
    "left": (0, N_CARDS),
    "n_hand": (0, HAND),
    "n_dropped": (0, N_CARDS),
    "malus": (0, int(CARDS[MALUS_CARD])),
    "looked": (0, 7),
    "nugget": (-1, N_OBJECTIVES - 1),
    "shown": (0, 7),
    "n_maps": KEPT,
    "phase": (HIDE, OVER),
    "seat": (0, 1),
    "winner": (-1, 1),
}
