"""Saboteur as numbers for models, as a seat sees the table: itself first, the others in the order of play.

`table` is sparse: the seat's role and hand, broken tools and cards of each seat, the tunnels, what it knows of the
goals, gold as far as it lies open, and hand-made terms in bins (cards missing to the nearest goal that may be the
treasure, and to each). `terms` are a few dense numbers for linear models. Others' roles, hands and gold stay hidden.
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import popcount
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel
from meeple.games.bins import binned
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import is_reached
from meeple.games.saboteur.likings import gap_after, tunnel_gap, wanted_goals
from meeple.games.saboteur.rules import score, to_move
from meeple.games.saboteur.secrets import known_goals

# A seat, each part where it begins.
BROKEN = 0  # bits of tools
CARDS = BROKEN + 8  # in hand, 0 to 6
LOOKED = CARDS + layout.MOST_HAND + 1  # goals looked at, 0 to 3
PASSED = LOOKED + 4  # cards discarded this round, 0 to 7
WAS = PASSED + 8  # a saboteur in how many of the rounds that are over, 0 to 2
GOLD = WAS + 3  # that lies open, 0 to 11
A_SEAT = GOLD + 12
# What all see, and what only the seat does.
ROLE = layout.MOST * A_SEAT  # miner, saboteur, not dealt yet
HAND = ROLE + 3  # kind x cards of it, 1 to 6
KNOWN = HAND + layout.N_KINDS * layout.MOST_HAND  # goal x (unknown, a stone, the treasure)
HIGH, WIDE, TOP, START = 11, 13, 5, 2  # cells around start and goals: rows -5 to 5, columns -2 to 10
TUNNELS = KNOWN + 9  # cell x (joined to the start, not joined)
GAP = TUNNELS + HIGH * WIDE * 2  # cards missing to what is wanted
GAP_BINS = 20
GAPS = GAP + GAP_BINS  # goal x cards missing to it
ENDS = GAPS + 3 * GAP_BINS  # cells that the tunnel leads into
END_BINS = 16
LEFT = ENDS + END_BINS  # cards in the pile, in bins of 4
LEFT_BINS = 18
LAP = LEFT + LEFT_BINS
TURN = LAP + layout.N_ROUNDS + 1  # how many seats on the mover sits; the last: chance
PHASE = TURN + layout.MOST + 1
SEATS = PHASE + 9
N_TABLE = SEATS + layout.MOST + 1
MOST_CARDS = 44  # 40 tunnels, the start, three goals
MOST_TABLE = layout.MOST * 6 + 1 + layout.MOST_HAND + 3 + MOST_CARDS + 1 + 3 + 6


@kernel
def write_table(state, seat, out):
    """The seats, the hand, what is known, the tunnels, then the terms."""
    n = 0
    for place in range(state.seats):
        n = write_seat(state, (seat + place) % state.seats, place * A_SEAT, out, n)
    out[n] = ROLE + (2 if state.phase <= layout.ROLES else (state.saboteurs >> seat) & 1)
    n += 1
    for kind in range(layout.N_KINDS):
        cards = multisets.held(state.hand[seat], kind, layout.FIELDS)
        if cards > 0:
            out[n] = HAND + kind * layout.MOST_HAND + min(cards, layout.MOST_HAND) - 1
            n += 1
    known, wanted = known_goals(state, seat), wanted_goals(state, seat)
    for k in range(3):
        is_treasure = state.goal[k] == layout.TREASURE
        out[n] = KNOWN + 3 * k + (0 if (known >> k) & 1 == 0 else 2 if is_treasure else 1)
        out[n + 1] = GAPS + k * GAP_BINS + min(tunnel_gap(state, 1 << k), GAP_BINS - 1)
        n += 2
    n = write_tunnels(state, out, n)
    ends = 0
    for row in range(layout.SIDE):
        ends += popcount(state.frontier[row])
    mover = to_move(state)
    out[n] = GAP + min(tunnel_gap(state, wanted), GAP_BINS - 1)
    out[n + 1] = ENDS + binned(ends, 0, 1, END_BINS)
    out[n + 2] = LEFT + binned(state.left, 0, 4, LEFT_BINS)
    out[n + 3] = LAP + state.lap
    out[n + 4] = TURN + ((mover - seat) % state.seats if mover >= 0 else layout.MOST)
    out[n + 5] = PHASE + state.phase
    out[n + 6] = SEATS + state.seats
    return n + 7


@kernel
def write_seat(state, seat, first, out, n):
    """What lies open of a seat."""
    was = 0
    for lap in range(min(state.lap, layout.N_ROUNDS - 1)):
        was += (state.were[lap] >> seat) & 1
    out[n] = first + BROKEN + state.broken[seat]
    out[n + 1] = first + CARDS + state.n_hand[seat]
    out[n + 2] = first + LOOKED + popcount(state.looked[seat])
    out[n + 3] = first + PASSED + min(state.n_passed[seat], 7)
    out[n + 4] = first + WAS + was
    out[n + 5] = first + GOLD + binned(score(state, seat), 0, 1, 12)
    return n + 6


@kernel
def write_tunnels(state, out, n):
    """The cards on the table around start and goals."""
    for y in range(HIGH):
        for x in range(WIDE):
            cell = ((y - TOP) & (layout.SIDE - 1)) * layout.SIDE + ((x - START) & (layout.SIDE - 1))
            if state.cell[cell] < 0:
                out[n] = TUNNELS + (y * WIDE + x) * 2 + (0 if is_reached(state, cell) else 1)
                n += 1
    return n


N_TERMS = 8
TERM_NAMES = ("saboteur", "gap", "gap to a saboteur", "known", "own tools", "others' tools", "left", "turn")


@kernel
def write_terms(state, seat, out):
    """The role, the gap, tools that are broken."""
    is_saboteur = 1.0 * ((state.saboteurs >> seat) & 1)
    gap = min(tunnel_gap(state, wanted_goals(state, seat)), GAP_BINS) / 10.0
    broken = 0
    for other in range(state.seats):
        if other != seat:
            broken += popcount(state.broken[other])
    out[0] = is_saboteur
    out[1] = gap
    out[2] = gap * is_saboteur
    out[3] = popcount(known_goals(state, seat)) / 3.0
    out[4] = popcount(state.broken[seat]) / 3.0
    out[5] = broken / np.float64(3 * state.seats)
    out[6] = state.left / 67.0
    out[7] = 1.0 if to_move(state) == seat else 0.0
    return N_TERMS


FEATURES = {
    "table": FeatureSet(
        "sparse", write_table, N_TABLE, "role, hand, seats, tunnels, what is known, and gaps in bins", most=MOST_TABLE
    ),
    "terms": FeatureSet("dense", write_terms, N_TERMS, "role, gap, tools", names=TERM_NAMES),
}

# --- moves ---------------------------------------------------------------------------------------------

ROLES = 2  # features of a tunnel are told apart by one's own role
PATH = 0  # role x gap that the card leaves
CLOSER = PATH + ROLES * GAP_BINS  # role x by how much it is closer or further, -8 to 8
ROCKFALL = CLOSER + ROLES * 17
MAPS = ROCKFALL + ROLES  # role x goal
TOOLS = MAPS + ROLES * 3  # role x (break, repair, double) x (oneself, another)
PASS = TOOLS + ROLES * 6  # role x kind
GOLD_TAKEN = PASS + ROLES * layout.N_KINDS
N_MOVE = GOLD_TAKEN + 3


@kernel
def write_move(state, action, out):
    """What a move does, by one's own role."""
    seat = state.seat
    role = (state.saboteurs >> seat) & 1
    if action < layout.ROCKFALL:
        cell, shape = action // layout.SLOTS, layout.SHAPE[action % layout.SLOTS]
        wanted = wanted_goals(state, seat)
        gap, after = tunnel_gap(state, wanted), gap_after(state, cell, shape, wanted)
        out[0] = PATH + role * GAP_BINS + min(after, GAP_BINS - 1)
        out[1] = CLOSER + role * 17 + binned(gap - min(after, 99), -8, 1, 17)
        return 2
    if action < layout.MAP:
        out[0] = ROCKFALL + role
    elif action < layout.BREAK:
        out[0] = MAPS + 3 * role + action - layout.MAP
    elif action < layout.PASS:
        kind = 0 if action < layout.REPAIR else 1 if action < layout.DOUBLE else 2
        first = layout.BREAK if kind == 0 else layout.REPAIR if kind == 1 else layout.DOUBLE
        whom = (action - first) % layout.MOST
        out[0] = TOOLS + 6 * role + 2 * kind + (0 if whom == seat else 1)
    elif action < layout.TAKE:
        out[0] = PASS + role * layout.N_KINDS + action - layout.PASS
    else:
        out[0] = GOLD_TAKEN + action - layout.TAKE
    return 1


ACTION_FEATURES = {"cards": FeatureSet("sparse", write_move, N_MOVE, "what a card does, by role", most=2)}
