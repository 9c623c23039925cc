"""Sagrada: what is worth knowing beyond the rules; the building blocks of the thesis (its sections in brackets).

`thesis` evaluates a seat by the points it has, the patterns of public objectives that can still be completed, those
that cannot, and the cells that no die fits any more [4.1, 5.2], with the weights of its table 8.3. The filter `thesis`
leaves out moves that put a die beside an empty cell of its own print [4.2], the ordering `thesis` tries placements of
the private colour first [4.3]. `rules-dtfm` and `rules-all` are its rule-based players [6], `first` its simplest. How
each detail was read stands on the game's page.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, roll
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.errors import ConfigError, did_you_mean
from meeple.games.sagrada.board import (
    BOARD,
    COLOUR_SETS,
    COLUMN_COLOURS,
    DEEP,
    LIGHT,
    MOST_COLOUR_SETS,
    MOST_SHADE_SETS,
    N_CELLS,
    N_COLOURS,
    N_COLUMNS,
    N_ROWS,
    N_VALUES,
    POINTS,
    PRINTED,
    PRINTED_COLOUR,
    PRINTED_VALUE,
    ROW_COLOURS,
    ROW_SHADES,
    SHADES,
    TAKES_COLOUR,
    TAKES_VALUE,
    TOP_ROW,
    beside,
    columns_with,
    columns_with_two,
    diagonal,
    die_at,
    fits,
    open_cells,
    rows_with,
    shift,
)
from meeple.games.sagrada.layout import (
    CHOOSE,
    FLUX_PLACE,
    KIND_BITS,
    NONE,
    PASS,
    PLACE,
    REMOVER_PLACE,
    RETURN,
    STATE,
    TURN,
    coded,
    mover_of,
    pool_kinds,
)
from meeple.games.sagrada.rules import apply, legal_actions, list_up_to, private_points, settle
from meeple.games.sagrada.tools import (
    BRUSH,
    COPPER,
    EGLOMISE,
    GRINDING,
    GROZING,
    HAMMER_CARD,
    LATHEKIN,
    LENS,
    REMOVER,
    STRAIGHTEDGE,
    TAP_WHEEL,
)

# --- the board evaluation [4.1, 5.2]

# Table 8.3; a file may set others (`minimax:config=FILE`).
OPPONENT_FACTOR = 9.84  # one's own value counts so many times the best rival's
COMPLETABLE_POWER = 3.11  # a pattern of k dice counts (k + 1) to this power
UNFILLABLE_CELL = 373.0
POINT = 416.0
UNCOMPLETABLE_POINT = 7.0
POWERS = np.array([float(k) ** COMPLETABLE_POWER for k in range(8)])
SCALE = 1e-6  # brings values to (-1, 1); a won or lost game counts 1 and -1


@kernel
def thesis_value(state, seat):
    """The seat's value, many times over, less the best rival's."""
    mine = OPPONENT_FACTOR * side_value(state, seat)
    best = 0.0
    for other in range(np.int64(state.seats)):
        if other != seat:
            value = side_value(state, np.int64(other))
            best = value if best == 0.0 else max(best, value)
    return min(0.95, max(-0.95, (mine - best) * SCALE))


@kernel
def side_value(state, seat):
    """A seat's value: points it would have if the game ended now, patterns, cells that nothing fits any more."""
    if state.window[seat] == NONE:
        return 0.0
    dead = unfillable(state, seat)
    value, _ = patterns_value(state, seat, dead)
    rest = private_points(state, seat) + np.int64(state.tokens[seat]) - N_CELLS + popcount(np.int64(state.occ[seat]))
    return value + POINT * rest - UNFILLABLE_CELL * popcount(dead)


@kernel
def unfillable(state, seat):
    """Empty cells that no die fits any more: their own print stands beside them."""
    window = np.int64(state.window[seat])
    dead = np.int64(0)
    for colour in range(N_COLOURS):
        dead |= PRINTED_COLOUR[window, colour] & beside(np.int64(state.col[seat, colour]))
    for value in range(N_VALUES):
        dead |= PRINTED_VALUE[window, value] & beside(np.int64(state.val[seat, value]))
    return dead & ~np.int64(state.occ[seat])


@kernel
def patterns_value(state, seat, dead):
    """The value of the public objectives, and their points."""
    total = 0.0
    earned = np.int64(0)
    for place in range(np.int64(state.n_goals)):
        goal = np.int64(state.goals[place])
        if goal == NONE or (state.has_faults != 0 and (goal in (SHADES, COLOUR_SETS))):
            continue  # with its program's faults the sets pay the same whatever is done
        if goal in (ROW_COLOURS, ROW_SHADES):
            done, near, lost = row_patterns(state, seat, dead, goal == ROW_COLOURS)
        elif goal < LIGHT:
            done, near, lost = column_patterns(state, seat, dead, goal == COLUMN_COLOURS)
        elif goal <= DEEP:
            done, near, lost = pair_patterns(state, seat, 2 * (goal - LIGHT))
        elif goal in (SHADES, COLOUR_SETS):
            done, near, lost = set_patterns(state, seat, goal == SHADES)
        else:
            done, near, lost = diagonal_patterns(state, seat)
        points = POINTS[goal]
        earned += done * points
        total += points * (POINT * done + near - UNCOMPLETABLE_POINT * lost)
    return total, earned


@kernel
def row_patterns(state, seat, dead, by_colour):
    """Rows done, the worth of those that can be, and how many cannot. Each row by itself: the trap of figure 4.1."""
    window, occupied = np.int64(state.window[seat]), np.int64(state.occ[seat])
    empty = BOARD & ~occupied
    kinds = np.int64(0)  # five bits a row: how many different colours, or values, stand in it
    lost_rows = rows_with(dead)
    if by_colour:
        for colour in range(N_COLOURS):
            rows = rows_with(np.int64(state.col[seat, colour]))
            kinds += rows
            lost_rows |= rows & rows_with(PRINTED_COLOUR[window, colour] & empty)
    else:
        for value in range(N_VALUES):
            rows = rows_with(np.int64(state.val[seat, value]))
            kinds += rows
            lost_rows |= rows & rows_with(PRINTED_VALUE[window, value] & empty)
    done, lost, near = np.int64(0), np.int64(0), 0.0
    for row in range(N_ROWS):
        n = popcount((occupied >> (5 * row)) & TOP_ROW)
        if (lost_rows >> (5 * row)) & 1 or (kinds >> (5 * row)) & TOP_ROW != n:
            lost += 1
        elif n == N_COLUMNS:
            done += 1
        else:
            near += POWERS[n + 1]
    return done, near, lost


@kernel
def column_patterns(state, seat, dead, by_colour):
    """The same for columns."""
    window, occupied = np.int64(state.window[seat]), np.int64(state.occ[seat])
    empty = BOARD & ~occupied
    lost_columns = columns_with(dead)
    if by_colour:
        for colour in range(N_COLOURS):
            cells = np.int64(state.col[seat, colour])
            lost_columns |= columns_with_two(cells)
            lost_columns |= columns_with(cells) & columns_with(PRINTED_COLOUR[window, colour] & empty)
    else:
        for value in range(N_VALUES):
            cells = np.int64(state.val[seat, value])
            lost_columns |= columns_with_two(cells)
            lost_columns |= columns_with(cells) & columns_with(PRINTED_VALUE[window, value] & empty)
    done, lost, near = np.int64(0), np.int64(0), 0.0
    for column in range(N_COLUMNS):
        n = popcount((occupied >> column) & 0x8421)
        if (lost_columns >> column) & 1:
            lost += 1
        elif n == N_ROWS:
            done += 1
        else:
            near += POWERS[n + 1]
    return done, near, lost


@kernel
def pair_patterns(state, seat, low):
    """Pairs of two values: a die alone waits for its partner, as long as a cell could take that."""
    first, second = np.int64(state.val[seat, low]), np.int64(state.val[seat, low + 1])
    n_first, n_second = popcount(first), popcount(second)
    room_first, room_second = room_for(state, seat, low), room_for(state, seat, low + 1)
    done = min(n_first, n_second)
    waiting = min(n_first - done, room_second) + min(n_second - done, room_first)
    near = POWERS[2] * waiting + POWERS[1] * min(room_first, room_second)
    return done, near, n_first + n_second - 2 * done - waiting


@kernel
def room_for(state, seat, value):
    """Empty cells that take a value by print and side neighbours."""
    window = np.int64(state.window[seat])
    empty = BOARD & ~np.int64(state.occ[seat])
    return popcount(empty & TAKES_VALUE[window, value] & ~beside(np.int64(state.val[seat, value])))


@kernel
def set_patterns(state, seat, by_value):
    """Sets of all values or colours: those done, and the next, if there is room for what it lacks."""
    kinds = np.int64(N_VALUES if by_value else N_COLOURS)
    most = np.int64(MOST_SHADE_SETS if by_value else MOST_COLOUR_SETS)
    done, missing = np.int64(N_CELLS), np.int64(0)  # the least count, and how many kinds have no more than that
    for kind in range(kinds):
        count = set_count(state, seat, np.int64(kind), by_value)
        if count < done:
            done, missing = count, np.int64(1)
        elif count == done:
            missing += 1
    if done >= most:
        return done, 0.0, np.int64(0)
    if missing > N_CELLS - popcount(np.int64(state.occ[seat])):
        return done, 0.0, np.int64(1)
    return done, POWERS[kinds - missing + 1], np.int64(0)


@kernel
def set_count(state, seat, kind, by_value):
    """Dice of a value or a colour."""
    return popcount(np.int64(state.val[seat, kind]) if by_value else np.int64(state.col[seat, kind]))


@kernel
def diagonal_patterns(state, seat):
    """Dice with a diagonal twin, and those that could still get one."""
    window = np.int64(state.window[seat])
    empty = BOARD & ~np.int64(state.occ[seat])
    done, waiting, alone = np.int64(0), np.int64(0), np.int64(0)
    for colour in range(N_COLOURS):
        cells = np.int64(state.col[seat, colour])
        twins = cells & diagonal(cells)
        room = empty & TAKES_COLOUR[window, colour] & ~beside(cells)
        hopeful = cells & ~twins & diagonal(room)
        done += popcount(twins)
        waiting += popcount(hopeful)
        alone += popcount(cells & ~twins & ~hopeful)
    return done, POWERS[2] * waiting, alone


# --- the filter and the order of moves [4.2, 4.3]


@kernel
def spoils(state, seat, die, cell, empty):
    """Whether a die on `cell` would stand beside an empty cell of its own print."""
    window = np.int64(state.window[seat])
    own_print = PRINTED_COLOUR[window, die // N_VALUES] | PRINTED_VALUE[window, die % N_VALUES]
    return beside(np.int64(1) << cell) & empty & own_print != 0


@kernel
def placed_die(state, action):
    """The die that a move places on a cell, and the cell; -1 where it places none from the pool."""
    kind = action >> KIND_BITS
    a, b, c = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31
    none = np.int64(-1)
    if kind == PLACE:
        return b, a
    if kind >= RETURN or (state.seats == 1 and state.phase == TURN):
        return none, none
    tool = np.int64(state.tools[kind])
    if tool == GROZING:
        return a + 2 * b - 1, c
    if tool == GRINDING:
        return b // N_VALUES * N_VALUES + N_VALUES - 1 - b % N_VALUES, a
    if tool == LENS:
        return b, c
    if tool == STRAIGHTEDGE:
        return b, a
    return none, none


@kernel
def is_relocation(state, action):
    """Whether a move moves dice in the window."""
    kind = action >> KIND_BITS
    if kind >= PLACE or (state.seats == 1 and state.phase == TURN):
        return False
    tool = np.int64(state.tools[kind])
    return tool in (EGLOMISE, COPPER, LATHEKIN, TAP_WHEEL)


@kernel
def is_backup(state, seat, action, empty):
    """Whether the filter keeps a move only where there is nothing better."""
    die, cell = placed_die(state, action)
    if die >= 0:
        return spoils(state, seat, die, cell, empty)
    if not is_relocation(state, action):
        return False
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    if spoils(state, seat, die_at(state, seat, a), b, empty):
        return True
    return (c != 0 or d != 0) and spoils(state, seat, die_at(state, seat, c), d, empty)


@kernel
def thesis_filter(state, actions, n):
    """Moves that spoil no empty cell; all, where every move does. Of windows the first on offer."""
    if state.phase == CHOOSE:
        return np.int64(1)
    seat = mover_of(state)
    empty = BOARD & ~np.int64(state.occ[seat])
    kept = np.int64(0)
    for i in range(n):
        if not is_backup(state, seat, actions[i], empty):
            actions[kept] = actions[i]
            kept += 1
    return kept if kept > 0 else n


@kernel
def thesis_order(state, action):
    """Placements first: of the private colour, on a printed cell, of a high value; all else by the world's lots."""
    if action >> KIND_BITS != PLACE:
        return roll(state.fate, action, np.int64(100))
    seat = mover_of(state)
    cell, die = (action >> 15) & 31, (action >> 10) & 31
    is_private = die // N_VALUES == np.int64(state.private[seat])
    is_printed = (PRINTED[np.int64(state.window[seat])] >> cell) & 1
    return np.int64(1_000) + np.int64(is_private) * 20 + is_printed * 10 + die % N_VALUES


# --- the rule-based players [6]

DIE_WEIGHT = 5.0  # of the value of a die of the private colour
SLIGHTLY_WORSE = 10.0  # a value may be so much lower
MORE_POINTS = 3  # where the points are higher by more than this


@kernel
def first_policy(state, rng, out):
    """The first legal move."""
    list_up_to(state, out, np.int64(1))
    return out[0]


@kernel
def favourite_window(state):
    """The window on offer with most cells of the private colour; of equals the first."""
    seat = np.int64(state.turn)
    colour = np.int64(state.private[seat])
    best, most = np.int64(0), np.int64(-1)
    for place in range(4):
        cells = popcount(PRINTED_COLOUR[np.int64(state.offer[seat, place]), colour])
        if cells > most:
            best, most = np.int64(place), cells
    return best


@kernel
def better(state, seat, die, cell, dead, best_value):
    """The value of a placement if the rules prefer it to the best so far, else -1.

    `dead` are the cells that it leaves unfillable. Leaves the state as it was.
    """
    put_or_lift(state, seat, die, cell)
    value, earned = patterns_value(state, seat, dead)
    put_or_lift(state, seat, die, cell)
    is_private = die // N_VALUES == np.int64(state.private[seat])
    if is_private:
        value += DIE_WEIGHT * (die % N_VALUES + 1)
    if value > best_value:
        return value
    if value + SLIGHTLY_WORSE > best_value:
        points = earned - popcount(dead) + (die % N_VALUES + 1 if is_private else 0)
        was_dead = unfillable(state, seat)
        if points > points_now(state, seat, was_dead) + MORE_POINTS:
            return value
    return -1.0


@kernel
def put_or_lift(state, seat, die, cell):
    """Place a die, or take it away again."""
    bit = np.int64(1) << cell
    state.occ[seat] = np.int64(state.occ[seat]) ^ bit
    state.col[seat, die // N_VALUES] = np.int64(state.col[seat, die // N_VALUES]) ^ bit
    state.val[seat, die % N_VALUES] = np.int64(state.val[seat, die % N_VALUES]) ^ bit


@kernel
def dead_after(state, seat, die, cell, dead):
    """The unfillable cells after a placement: only those beside it can die, by their own print."""
    window = np.int64(state.window[seat])
    bit = np.int64(1) << cell
    own_print = PRINTED_COLOUR[window, die // N_VALUES] | PRINTED_VALUE[window, die % N_VALUES]
    return (dead | (beside(bit) & own_print)) & ~(np.int64(state.occ[seat]) | bit)


@kernel
def dtfm_policy(state, rng, out):
    """The thesis's rules over placements alone: no new unfillable cells, then objectives, then the colour."""
    if state.phase == CHOOSE:
        return coded(np.int64(8), favourite_window(state), np.int64(0), np.int64(0), np.int64(0))
    phase = np.int64(state.phase)
    seat = mover_of(state)
    dice = pool_kinds(state)
    if phase == FLUX_PLACE:
        dice = np.int64(1) << np.int64(state.hand)
    elif phase == REMOVER_PLACE:
        dice = np.int64(63) << (np.int64(state.hand) // N_VALUES * N_VALUES)
    elif state.drafted != 0:
        dice = np.int64(0)
    best = best_placement(state, seat, dice)
    if best >= 0:
        return best
    if phase == TURN:
        return np.int64(PASS) << KIND_BITS
    return first_policy(state, rng, out)


@kernel
def best_placement(state, seat, dice):
    """The placement that the rules choose among these dice; -1 where none fits."""
    cells = open_cells(np.int64(state.occ[seat]))
    dead = unfillable(state, seat)
    least = np.int64(N_CELLS)
    best, best_value = np.int64(-1), 0.0
    while dice:
        die = lowest_bit(dice)
        dice &= dice - 1
        targets = fits(state, seat, cells, die // N_VALUES, die % N_VALUES)
        while targets:
            cell = lowest_bit(targets)
            targets &= targets - 1
            if best < 0:
                best = coded(np.int64(PLACE), cell, die, np.int64(0), np.int64(0))
            after = dead_after(state, seat, die, cell, dead)
            n_dead = popcount(after)
            if n_dead > least:
                continue
            least = n_dead
            value = better(state, seat, die, cell, after, best_value)
            if value >= 0.0:
                best, best_value = coded(np.int64(PLACE), cell, die, np.int64(0), np.int64(0)), value
    return best


@kernel
def points_now(state, seat, dead):
    """Public points less the cells that are lost."""
    _, earned = patterns_value(state, seat, dead)
    return earned - popcount(dead)


@kernel
def all_moves_policy(state, rng, out):
    """The thesis's rules over all moves: a relocation that frees cells, a placement, a tool by lot, the first move."""
    if state.phase == CHOOSE:
        return coded(np.int64(8), favourite_window(state), np.int64(0), np.int64(0), np.int64(0))
    seat = mover_of(state)
    n = legal_actions(state, out)
    best = best_relocation(state, seat, out, n)
    if best < 0:
        best = best_listed_placement(state, seat, out, n)
    if best < 0:
        best = random_tool(state, rng, out, n)
    if best >= 0:
        return best
    # After a draft, or where tools cost dice, nothing is better than the first tool.
    return out[n - 1] if state.drafted != 0 or state.seats == 1 else out[0]


@kernel
def minimax_policy(state, rng, out):
    """The thesis's minimax of depth 1: of the moves that the filter keeps the one that the evaluation likes best."""
    seat = np.int64(state.turn) if state.phase == CHOOSE else mover_of(state)
    n = thesis_filter(state, out, legal_actions(state, out))
    if n == 1:
        return out[0]
    tried = np.empty(1, STATE)
    best, most = np.int64(0), -2.0
    for i in range(n):
        tried[0] = state
        apply(tried[0], out[i])
        settle(tried[0])
        value = thesis_value(tried[0], seat)
        if value > most:
            best, most = np.int64(i), value
    return out[best]


@kernel
def best_relocation(state, seat, out, n):
    """The move of dice that leaves fewest unfillable cells, if they are fewer than now; else -1."""
    least = popcount(unfillable(state, seat))
    best = np.int64(-1)
    if least == 0:
        return best
    for i in range(n):
        action = out[i]
        if not is_relocation(state, action):
            continue
        a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
        is_pair = c != 0 or d != 0
        shift(state, seat, a, b)
        if is_pair:
            shift(state, seat, c, d)
        left = popcount(unfillable(state, seat))
        if is_pair:
            shift(state, seat, d, c)
        shift(state, seat, b, a)
        if left < least:
            least, best = left, action
    return best


@kernel
def best_listed_placement(state, seat, out, n):
    """As `best_placement`, among all moves that place a die, tools included; -1 where none is worth anything."""
    dead = unfillable(state, seat)
    least = np.int64(N_CELLS)
    best, best_value = np.int64(-1), 0.0
    for i in range(n):
        die, cell = placed_die(state, out[i])
        if die < 0:
            continue
        after = dead_after(state, seat, die, cell, dead)
        if popcount(after) > least:
            continue
        least = popcount(after)
        value = better(state, seat, die, cell, after, best_value)
        if value > 0.0:
            best, best_value = out[i], value
    return best


@kernel
def random_tool(state, rng, out, n):
    """Any move of a tool that rolls or draws; -1 where there is none."""
    count = np.int64(0)
    for i in range(n):
        count += np.int64(is_lottery(state, out[i]))
    if count == 0:
        return np.int64(-1)
    k = draw(rng, count)
    for i in range(n):
        if is_lottery(state, out[i]):
            if k == 0:
                return out[i]
            k -= 1
    return np.int64(-1)


@kernel
def is_lottery(state, action):
    """Whether a move uses Flux Brush, Glazing Hammer or Flux Remover."""
    kind = action >> KIND_BITS
    if kind >= PLACE or state.seats == 1:
        return False
    tool = np.int64(state.tools[kind])
    return tool in (BRUSH, HAMMER_CARD, REMOVER)


# --- weights from a file, and the thesis's way to write an agent

WEIGHTS = {  # the keys of a file, and the constants they set
    "OpponentInfluencingFactor": "OPPONENT_FACTOR",
    "PuocCompletablePower": "COMPLETABLE_POWER",
    "MinusPointsPerUncompletableField": "UNFILLABLE_CELL",
    "CompletedPointsWeight": "POINT",
    "MinusPointsPerUncompletablePuocPoints": "UNCOMPLETABLE_POINT",
}


def weighted(weights: dict[str, Any]) -> dict[str, Any]:
    """The constants of this module that a file of weights sets; a key or number that cannot be is refused by name."""
    bound: dict[str, Any] = {}
    for key, value in weights.items():
        if key not in WEIGHTS:
            raise ConfigError(f"the weights of sagrada have no key '{key}'; {did_you_mean(key, WEIGHTS)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10_000:
            raise ConfigError(f"the weight '{key}' is a number from 0 to 10000, not {value!r}")
        bound[WEIGHTS[key]] = float(value)
    if "COMPLETABLE_POWER" in bound:
        if bound["COMPLETABLE_POWER"] > 10:
            raise ConfigError(f"the weight 'PuocCompletablePower' is at most 10, not {bound['COMPLETABLE_POWER']:g}")
        bound["POWERS"] = np.array([float(k) ** bound["COMPLETABLE_POWER"] for k in range(8)])
    return bound


_NAMES = {"rules-based": "rules", "minimax": "minimax", "mcts": "mcts"}
_KEYS = {"it": "iterations", "expl": "c", "config_file": "config"}
_PLAYOUT = {"rules-based-strategy=only_dtfm": "rules-dtfm", "rules-based-strategy=all_moves": "rules-all"}


def spelling(text: str) -> str:
    """The spec that the thesis's way to write an agent means: `mcts-it=80,expl=2.4,worlds=10,playout=first`.

    Settings that are not given are those of the thesis's best. Other texts come back as they are.
    """
    name = next((name for name in _NAMES if text.startswith(f"{name}-")), "")
    if not name:
        return text
    settings = {}
    for part in text.removeprefix(f"{name}-").split(","):
        key, _, value = part.partition("=")
        settings[_KEYS.get(key, key)] = _PLAYOUT.get(value, value)
    # What is asked of a playout comes in one part: the thesis writes its settings with a minus too.
    if settings.get("playout", "").startswith("minimax-"):
        settings["playout"] = "minimax"
    base = _NAMES[name] if name == "rules-based" else f"paper-{name}"
    return base + ":" + ",".join(f"{key}={value}" for key, value in settings.items())


EVALUATIONS = {
    "thesis": Heuristic(thesis_value, "the thesis's: points, patterns, lost patterns and cells", -0.95, 0.95),
}
ORDERINGS = {"thesis": Heuristic(thesis_order, "the thesis's: placements first, private colour, printed cell, value")}
FILTERS = {"thesis": Heuristic(thesis_filter, "the thesis's: no die beside an empty cell of its own print")}
PLAYOUTS = {
    "rules-all": Heuristic(all_moves_policy, "the thesis's rules over all moves"),
    "rules-dtfm": Heuristic(dtfm_policy, "the thesis's rules over placements alone"),
    "minimax": Heuristic(minimax_policy, "the thesis's minimax of depth 1"),
    "first": Heuristic(first_policy, "the first legal move: tools, placements, pass"),
}
PRESETS = {
    "paper-minimax": (
        "minimax:depth=3,worlds=20,evaluation=thesis,ordering=thesis,filter=thesis,exact=no,table=no",
        "the thesis's minimax (section 8.3): depth 3, 20 worlds",
    ),
    "paper-mcts": (
        "mcts:iterations=80,worlds=10,c=2.4,playout=rules-dtfm,filter=thesis,ordering=thesis,reward=margin,strata=no",
        "the thesis's MCTS (section 8.3): 80 iterations in each of 10 worlds",
    ),
    "rules-dtfm": ("policy:name=rules-dtfm", "the thesis's rule-based player, placements only (section 6.1)"),
    "rules-all": ("policy:name=rules-all", "the thesis's rule-based player, all moves (section 6.2)"),
}
OPPONENT = "paper-mcts"
LEVELS = (
    "ismcts:iterations=2,cutoff=6,evaluation=thesis",
    "ismcts:iterations=4,cutoff=1,evaluation=thesis",
    "ismcts:iterations=40,c=0.2,cutoff=1,evaluation=thesis",
    "paper-mcts",
    "paper-mcts:iterations=0,time=2s",
)  # by name on the page, the weakest first; docs/levels.md has the measurements
