"""Saboteur: its cards, cells and codes, and how a state lies in memory; rules.py says what they mean."""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.ranges import KEPT
from meeple.games import tunnels

SEATS = (3, 10)
MOST = 10
N_ROUNDS = 3
N_TOOLS = 3  # pickaxe, lantern, cart
BREAK_CARD, REPAIR_CARD, DOUBLE_CARD, ROCKFALL_CARD, MAP_CARD = 16, 19, 22, 25, 26
N_KINDS = 27
N_CARDS = 67
OUTCOMES = N_KINDS
PAIR = np.array([[0, 1], [0, 2], [1, 2]], dtype=np.int64)  # the two tools of each double repair
# By number of players.
SABOTEURS = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4], dtype=np.int64)  # cards
MINERS = np.array([0, 0, 0, 3, 4, 4, 5, 5, 6, 7, 7], dtype=np.int64)
HAND = np.array([0, 0, 0, 6, 6, 6, 5, 5, 4, 4, 4], dtype=np.int64)
MOST_HAND = 6
SHARE = np.array([0, 4, 3, 3, 2], dtype=np.int64)  # gold for each saboteur, by how many they are
BANK = np.array([16, 8, 4], dtype=np.int64)  # gold cards of value 1, 2, 3
MOST_OFFERED = 9
GOLD_CARDS, GOALS = 0, 1  # places in `options`
BY_PLAYERS, BY_MINERS = 0, 1
CURVES, CROSSES = 0, 1

SIDE = 32
N_CELLS = SIDE * SIDE
START = 0
GOAL_CELLS = np.array([32 * 30 + 8, 8, 32 * 2 + 8], dtype=np.int64)  # (8, -2), (8, 0), (8, 2)
TREASURE, STONE_NE, STONE_NW = 0, 1, 2
STONE_SHAPE = np.array([tunnels.CROSS, 3 | tunnels.CENTRE, 9 | tunnels.CENTRE], dtype=np.int64)  # upright, by goal card

SLOTS = 64
ROCKFALL = N_CELLS * SLOTS
MAP = ROCKFALL + N_CELLS
BREAK = MAP + 3
REPAIR = BREAK + N_TOOLS * MOST
DOUBLE = REPAIR + N_TOOLS * MOST
PASS = DOUBLE + 2 * N_TOOLS * MOST
TAKE = PASS + N_KINDS
ACTIONS = TAKE + 3
# Cells that a tunnel leads into: 4 at the start, 2 more with each of 40 cards, 1 with each of 2 stones (3 as crosses):
# 90; 12 positions of six tunnels in each. Other cards add less than the tunnels they stand in for would.
MAX_ACTIONS = 90 * 12 + 40 + 3 + 27 + 30 + 6

FIRST, ROLES, LAY, DEAL, TURN, TAKE_CARD, GOLD, CHOOSE, OVER = range(9)  # phases

STATE = np.dtype(
    (
        np.record,
        [
            ("fate", np.int64),  # hidden
            ("pile", np.int64),  # hidden: a multiset, since an unseen order is no order
            ("hand", np.int64, (MOST,)),  # hidden from others
            ("passed", np.int64, (MOST,)),  # cards discarded face down this round; hidden from others
            ("tunnels", np.int64, (SIDE,)),  # cells with a tunnel card, a word a row
            ("frontier", np.int64, (SIDE,)),  # empty cells that a tunnel from the start leads into
            ("cell", np.int8, (N_CELLS,)),  # empty: >= 0, what the sides ask; else -1 - shape, less 32 if reached
            ("saboteurs", np.int16),  # bits of seats; hidden until the round ends
            ("were", np.int16, (N_ROUNDS,)),  # saboteurs of the rounds that are over: shown
            ("n_hand", np.int8, (MOST,)),
            ("n_passed", np.int8, (MOST,)),
            ("broken", np.int8, (MOST,)),  # bits of tools
            ("looked", np.int8, (MOST,)),  # bits of goals: that one looked is open, what it saw not
            ("goal", np.int8, (3,)),  # goal card at left, middle, right, -1 before; hidden until seen
            ("shown", np.int8),  # bits of goals turned face up
            ("bank", np.int8, (3,)),  # gold cards not drawn, by value; hidden, but searched face up to pay saboteurs
            ("offer", np.int8, (3,)),  # gold cards that the miners choose from; seen by the one who chooses
            ("n_offer", np.int8),
            ("taker", np.int8, (N_ROUNDS, MOST)),  # who took the first, second ... gold card of a round, -1 nobody
            ("taken", np.int8, (N_ROUNDS, MOST)),  # its value less one, -1 none; hidden from others
            ("n_taken", np.int8, (N_ROUNDS,)),
            ("paid", np.int8, (N_ROUNDS, MOST, 3)),  # gold cards paid to saboteurs, by value: shown
            ("returned", np.int8, (MOST, 3)),  # gold cards given back for change: shown
            ("bared", np.int8, (MOST,)),  # the gold that a seat took before this round lies open
            ("outcome_of", np.int8, (N_ROUNDS,)),  # 0 not over, 1 the miners won, 2 the saboteurs
            ("seats", np.int8),
            ("by_miners", np.int8),  # 1: as many gold cards as miners
            ("crosses", np.int8),  # 1: stones are crosses
            ("lap", np.int8),  # rounds finished
            ("phase", np.int8),
            ("seat", np.int8),  # who moves, draws or takes; in setup who will start
            ("step", np.int8),  # roles dealt, goals laid, cards dealt, gold cards still to draw
            ("left", np.int8),  # cards in the pile
            ("last", np.int8),  # who played the last card
        ],
    )
)
REACHED = 32  # mark of a card that is joined to the start and has an open centre
CHECKS = (
    "every card must be in one place",
    "the sizes of hands, passed cards and pile must be those of their multisets",
    "demands of empty cells and the frontier must follow from the cards on the table",
    "the reached cells must be those joined to the start",
    "gold cards must be in one place each",
    "there must be as many saboteurs as the role cards allow",
    "the goal cards must be the treasure and two stones",
    "tunnels must be cards of the game, on cells of their own; goals lie as they do when they are turned, or face down",
    "seat, round and step must be some of this table and fit the phase",
    "roles and goals must be laid as far as the phase says, and no further",
    "the cards must lie as the phase has them: all in the pile until hands are dealt, one by one then, and one to draw",
    "gold must be offered only when the miners have won, and the bank must hold what is still to be drawn",
    "each gold card that was taken must have a taker and a value, in rounds that were played",
)


ALL = (*tunnels.COPIES, 3, 3, 3, 2, 2, 2, 1, 1, 1, 3, 6)  # of each kind
# A tunnel has at least two bits, for its two positions.
FIELDS = multisets.fields_of(max(n.bit_length(), 2 if kind < tunnels.N_TUNNELS else 1) for kind, n in enumerate(ALL))
LOWS = multisets.lows_of(FIELDS)
ALL_CARDS = multisets.packed(ALL, FIELDS)
LOW_TUNNELS = multisets.packed([1] * tunnels.N_TUNNELS, FIELDS)
_AT = FIELDS[:, 0].tolist()
KIND_AT = np.array([max(kind for kind in range(N_KINDS) if _AT[kind] <= bit) for bit in range(SLOTS)], dtype=np.int64)
SHAPE = np.full(SLOTS, -1, dtype=np.int64)  # of a slot: the bit of a tunnel's field, and the next one if it is turned
for _kind, _shape in enumerate(tunnels.UPRIGHT):
    SHAPE[_AT[_kind]] = _shape
    if tunnels.turned(_shape) != _shape:
        SHAPE[_AT[_kind] + 1] = tunnels.turned(_shape)
POWER = np.array([1, 3, 9, 27], dtype=np.int64)
FITTING = np.array([tunnels.fitting_slots(code, SHAPE.tolist()) for code in range(81)], dtype=np.int64)
IS_OPEN = np.array([tunnels.OPEN in tunnels.demands(code) for code in range(81)], dtype=np.bool_)
KIND_OF = np.array([tunnels.CARD_OF.get(shape, (0, False))[0] for shape in range(32)], dtype=np.int64)  # by shape
ROLE_NAMES = ("miner", "saboteur")  # what a seat may be in a round
STRATA = 1 << MOST  # classes of worlds: the role deals, as bits of saboteurs
IS_CARD = np.array([shape in tunnels.CARD_OF for shape in range(32)], dtype=np.bool_)  # by shape
RANGES = {
    "pile": (0, ALL_CARDS),
    "hand": (0, ALL_CARDS),
    "passed": (0, ALL_CARDS),
    "tunnels": (0, (1 << SIDE) - 1),
    "frontier": (0, (1 << SIDE) - 1),
    "cell": (-1 - tunnels.CROSS - REACHED, len(FITTING) - 1),
    "saboteurs": (0, (1 << MOST) - 1),
    "were": (0, (1 << MOST) - 1),
    "n_hand": (0, MOST_HAND),
    "n_passed": (0, N_CARDS),
    "broken": (0, (1 << N_TOOLS) - 1),
    "looked": (0, 7),
    "goal": (-1, STONE_NW),
    "shown": (0, 7),
    "bank": (0, max(BANK.tolist())),
    "offer": (0, MOST_OFFERED),
    "n_offer": (0, MOST_OFFERED),
    "taker": (-1, MOST - 1),
    "taken": (-1, 2),
    "n_taken": (0, MOST),
    "paid": (0, max(BANK.tolist())),
    "returned": (0, max(BANK.tolist())),
    "bared": (0, N_ROUNDS - 1),
    "outcome_of": (0, 2),
    "seats": KEPT,
    "by_miners": KEPT,
    "crosses": KEPT,
    "lap": (0, N_ROUNDS),
    "phase": (FIRST, OVER),
    "seat": (0, MOST - 1),
    "step": (0, N_CARDS),
    "left": (0, N_CARDS),
    "last": (-1, MOST - 1),
}
