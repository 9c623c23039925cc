"""The duel as numbers for models, as a seat sees the table.

`table` is sparse: the tiles on the board, the seat's hand, what it knows of the objectives, maluses and cards left, and
hand-made terms in bins (cards missing to the nearest objective that may hold the nugget, and to each). `terms` are a
few dense numbers for linear models. Of the rival's hand and drops nothing is read but their number.
"""

from __future__ import annotations

from meeple.core import multisets
from meeple.core.bits import popcount
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel
from meeple.games.bins import binned
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.board import count_reached
from meeple.games.saboteur_duel.heuristics import gap_after, kind_of, tunnel_gap, wanted_objectives
from meeple.games.saboteur_duel.rules import known_objectives, to_move

N_SHAPES = 32
N_BOARD = layout.SIZE * layout.SIZE
MOST_TILES = 44  # 40 tunnels, the entrance, three objectives
MOST_COUNT = 7  # of a kind in a hand

TILES = 0  # cell x shape
HAND = TILES + N_BOARD * N_SHAPES  # kind x cards of it, 1 to 7
KNOWN = HAND + layout.N_KINDS * MOST_COUNT  # objective x (unknown, empty, the nugget)
LOOKED = KNOWN + 9  # whose x bits of objectives that were looked at
MALUS = LOOKED + 16  # whose x how many
CARDS = MALUS + 2 * 3  # whose x cards in hand, 0 to 7
DROPPED = CARDS + 2 * (layout.HAND + 1)  # by the rival, in bins of 2
DROP_BINS = 8
LEFT = DROPPED + DROP_BINS  # in the deck, in bins of 4
LEFT_BINS = 15
GAP = LEFT + LEFT_BINS  # cards missing to what is wanted
GAP_BINS = 32
GAPS = GAP + GAP_BINS  # objective x cards missing to it
REACHED = GAPS + layout.N_OBJECTIVES * GAP_BINS  # tiles joined to the entrance
REACHED_BINS = 24
TURN = REACHED + REACHED_BINS  # the seat's, the rival's, chance's
PHASE = TURN + 3
N_TABLE = PHASE + 5
MOST_TABLE = MOST_TILES + layout.HAND + 3 + 2 + 2 + 2 + 2 + 1 + 3 + 3


@kernel
def write_table(state, seat, out):
    """The board, the hand, what is known, then the terms."""
    n = 0
    for row in range(layout.SIZE):
        for column in range(layout.SIZE):
            found = state.cell[layout.ROW * (row + 1) + column]
            if found < 0:
                out[n] = TILES + (row * layout.SIZE + column) * N_SHAPES + (-1 - found)
                n += 1
    for kind in range(layout.N_KINDS):
        cards = multisets.held(state.hand[seat], kind, layout.FIELDS)
        if cards > 0:
            out[n] = HAND + kind * MOST_COUNT + cards - 1
            n += 1
    known = known_objectives(state, seat)
    wanted = wanted_by(state, seat)
    for k in range(layout.N_OBJECTIVES):
        out[n] = KNOWN + 3 * k + (0 if (known >> k) & 1 == 0 else 2 if state.nugget == k else 1)
        out[n + 1] = GAPS + k * GAP_BINS + min(tunnel_gap(state, 1 << k), GAP_BINS - 1)
        n += 2
    for side in range(2):
        whose = seat if side == 0 else 1 - seat
        out[n] = LOOKED + 8 * side + state.looked[whose]
        out[n + 1] = MALUS + 3 * side + min(state.malus[whose], 2)
        out[n + 2] = CARDS + (layout.HAND + 1) * side + state.n_hand[whose]
        n += 3
    mover = to_move(state)
    out[n] = DROPPED + binned(state.n_dropped[1 - seat], 0, 2, DROP_BINS)
    out[n + 1] = LEFT + binned(state.left, 0, 4, LEFT_BINS)
    out[n + 2] = GAP + min(tunnel_gap(state, wanted), GAP_BINS - 1)
    out[n + 3] = REACHED + binned(count_reached(state), 0, 2, REACHED_BINS)
    out[n + 4] = TURN + (2 if mover < 0 else 0 if mover == seat else 1)
    out[n + 5] = PHASE + state.phase
    return n + 6


@kernel
def wanted_by(state, seat):
    """Bits of the objectives that may hold the nugget; all before it is hidden."""
    return wanted_objectives(state, seat) if state.nugget >= 0 else 7


N_TERMS = 9
TERM_NAMES = ("gap", "known", "rival looked", "tunnels", "own malus", "rival malus", "hand", "left", "turn")


@kernel
def write_terms(state, seat, out):
    """The gap, what is known, and what the seats hold."""
    out[0] = min(tunnel_gap(state, wanted_by(state, seat)), GAP_BINS) / 16.0
    out[1] = popcount(known_objectives(state, seat)) / 3.0
    out[2] = popcount(state.looked[1 - seat]) / 3.0
    tunnels = 0
    for kind in range(layout.MAP_CARD):
        tunnels += multisets.held(state.hand[seat], kind, layout.FIELDS)
    out[3] = tunnels / 7.0
    out[4] = state.malus[seat] / 2.0
    out[5] = state.malus[1 - seat] / 2.0
    out[6] = state.n_hand[seat] / 7.0
    out[7] = state.left / 55.0
    out[8] = 1.0 if to_move(state) == seat else 0.0
    return N_TERMS


FEATURES = {
    "table": FeatureSet(
        "sparse", write_table, N_TABLE, "tiles, own hand, what is known, and gaps in bins", most=MOST_TABLE
    ),
    "terms": FeatureSet("dense", write_terms, N_TERMS, "the gap, what is known, cards", names=TERM_NAMES),
}

# --- moves ---------------------------------------------------------------------------------------------

KIND = 0  # of the card, played; and again, dropped
AFTER = KIND + 2 * layout.N_KINDS  # the gap that a tile leaves
CLOSER = AFTER + GAP_BINS  # by how much it is closer or further: -8 to 8
LOOK = CLOSER + 17  # at an objective
N_MOVE = LOOK + layout.N_OBJECTIVES


@kernel
def write_move(state, action, out):
    """The card; of a tile the gap that its open ends leave, and what that gains."""
    is_drop = action >= layout.DROP
    out[0] = KIND + kind_of(action) + (layout.N_KINDS if is_drop else 0)
    if layout.MAP <= action < layout.BONUS:
        out[1] = LOOK + action - layout.MAP
        return 2
    if action >= layout.DESTROY:
        return 1
    cell, shape = action // layout.SLOTS, layout.SHAPE[action % layout.SLOTS]
    wanted = wanted_by(state, state.seat)
    gap, after = tunnel_gap(state, wanted), gap_after(state, cell, shape, wanted)
    out[1] = AFTER + min(after, GAP_BINS - 1)
    out[2] = CLOSER + binned(gap - min(after, 99), -8, 1, 17)
    return 3


ACTION_FEATURES = {"cards": FeatureSet("sparse", write_move, N_MOVE, "the card, and the gap after it", most=3)}
