"""One compiled loop that serves all kinds of Monte Carlo tree search.

Open loop: a node stands for a sequence of moves, not for a position. Each iteration walks down from the
root through a state of its own, in which chance and hidden cards may fall differently each time (`FRESH`),
so at a node the moves on offer may differ between visits. A node keeps only the edges that were visited
(arrays.py); a single pass merges them with the ascending list of legal actions, finds the best by UCB and counts
those never tried.

    UCB = mean + c * sqrt(ln(available) / visits) + bias / visits

`mean` is the mean win share of the seat that moves there; `available` counts the visits of the node in which
the move was on offer. All values are win shares in [0, 1] of the mover on the edge: no sign is ever turned.
A visit counts on the way down, so that threads which share a tree see each other's (a virtual loss).

What a compilation may have besides:

    LOOKS       moves of others that the searching seat does not see share one edge (HIDDEN); following it draws one
    OBSERVERS   a tree for each seat, walked side by side: each seat chooses by its own, in which others' moves
                stand as it saw them (multiple-observer ISMCTS)
    SOLVES      won and lost games are backed up as proofs, and a move proven lost is not tried again (two seats,
                nothing by lot, nothing hidden); PROBES looks for such ends by a shallow minimax in the tree
    PRIOR       a new move starts with some visits of a value that the game's bias, its evaluation, or a shallow
                minimax or expectimax gives
    RAVE, MAST  what a move was worth later in the iteration, or anywhere: in the mean, or in playouts
    IMPLICIT    the minimax of the evaluations below is mixed into the mean
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.atomic import acquire, load, store
from meeple.core.chance import draw
from meeple.core.contract import (
    CHANCE,
    HAS_SETTLE,
    HIDDEN,
    NOBODY,
    OUTCOMES,
    STRATA,
    apply,
    chance_weights,
    choose,
    count_actions,
    is_legal,
    leave_out,
    legal_actions,
    outcome,
    pick,
    redeal,
    redeal_stratum,
    score,
    seen,
    settle,
    to_move,
    win_shares,
)
from meeple.core.heuristics import no_bias, no_evaluation, no_filter, no_ordering
from meeple.core.kernel import kernel
from meeple.search.control import STOP
from meeple.search.tree.arrays import (
    AT_EDGE,
    BY_SEAT,
    DEEPEST,
    IN_NODE,
    IS_SOLVED,
    LOST,
    NO_NODE,
    ROOT,
    SLOTS,
    WON,
    back_up_minimax,
    child_of,
    credit_elsewhere,
    credit_habits,
    find_edge,
    insert,
    prove,
    untried,
)

WORLD, TRIED, REPLY = 1, 2, 3  # places in `states`; 0 is the root, the rest are for looking ahead
MOST_PICKS = 16  # tries to pick a new move before a list is made
PROVEN = 2.0  # the value of a finished game in a shallow search: beyond every evaluation
STRATUM, WEIGHT, TIMES = 0, 1, 2  # columns of `dealt`
LOCK, TICKET, CREW = 0, 1, 2  # places in `post`: the tree's lock, the leaf on offer, what each helper has served
# Places in `knobs`.
(
    C,  # exploration constant
    FIRST_PLAY,  # value of a move never tried; infinite: those first
    WIDENING,  # w: a node of n visits tries at most w * sqrt(n) moves; 0: all
    CUTOFF,  # moves after which the evaluation ends a playout; 0: never
    PRIOR_VISITS,  # visits that a new move starts with
    PROBE_VISITS,  # visits at which a node is probed
    RAVE_WEIGHT,  # k: at n visits the later worth of a move weighs sqrt(k / (3n + k))
    IMPLICIT_WEIGHT,  # of the minimax of evaluations
    EPSILON,  # share of random moves in playouts by habit
) = range(9)
N_KNOBS = 9

# Bound for a game and a configuration.
evaluate, bias, policy, keep, priority = no_evaluation, no_bias, choose, no_filter, no_ordering
FRESH, FIXED, SOLVES, LOOKS, EXPANDS_ALL, HAS_POLICY = True, False, False, False, False, False
OBSERVERS, USES_FILTER, USES_RAVE, USES_MAST, IMPLICIT = False, False, False, False, False
SPARSE = False  # lists are long: moves are counted, tested and picked one by one, and no list is made
USES_MARGIN = False  # a victory counts more by its lead
USES_BIAS_REWARD = False  # what a playout is worth to a move is in proportion to the move's bias
USES_ORDER = False  # moves never tried come in the order of the game's priority, not by lot
RANKS_ROOT = False  # and that order is the same in every iteration, so that the root's moves are listed once
GUIDE_PLIES = 0  # minimax in playouts: 1 takes a win in one, 2 also leaves none to the next seat
PRIOR, PRIOR_BIAS, PRIOR_LOOK = 0, 1, 2  # where PRIOR is not 0: which of the two
PRIOR_PLIES, PROBE_PLIES = 0, 0
EXPECTS = False  # looking ahead takes the mean over chance, instead of following the fate at hand
LEAVES_OUT = False  # the game has draws that such a look may leave out
SHARED, LEAVES = False, False  # threads share the tree; helpers play out the same leaf


class Scratch(NamedTuple):
    """What one thread writes while it walks."""

    states: NDArray[Any]
    rng: NDArray[np.uint64]
    offer: NDArray[np.int64]
    looks: NDArray[np.int64]
    lists: NDArray[np.int64]  # a row a ply of looking ahead
    weights: NDArray[np.int64]
    path: NDArray[np.int64]  # [depth, (edge, mover, node)]
    shares: NDArray[np.float64]
    at: NDArray[np.int64]  # the node reached in each observer's tree
    moves: NDArray[np.int64]  # [move, (mover, action)] of the iteration, where moves are remembered
    stamps: NDArray[np.int64]
    dealt: NDArray[np.int64]  # [class of worlds, (its code, its weight, worlds dealt of it)], the possible ones
    logs: NDArray[np.float64]  # of whole numbers, the same in all threads
    ranked: NDArray[np.int64]  # [(action, priority), move]: the root's moves, where they are always tried in one order
    root: NDArray[np.int64]  # the root's offer, ascending
    tally: NDArray[np.float64]  # [move of the root, (samples, sum of the seat's win shares, of their squares)]
    first: NDArray[np.int64]  # the root's move in the iteration at hand
    n_ranked: NDArray[np.int64]  # how many, 0 until the first iteration has written them; how many are sorted
    of_evaluation: tuple[Any, ...]  # the parameters of the evaluation, if it takes any, with this thread's scratch
    of_bias: tuple[Any, ...]
    of_policy: tuple[Any, ...]


@kernel
def advance(tree, scratch, seat, iterations, control, knobs, post, leaves, crew_shares):
    """Run so many iterations from states[0]; returns how many were run. A full tree goes on without growing."""
    states, shares = scratch.states, scratch.shares
    for iteration in range(iterations):
        if control[STOP] != 0 or tree.used[IS_SOLVED] != 0:
            return iteration
        states[WORLD] = states[0]
        if FRESH:
            deal(states[WORLD], seat, scratch.rng, scratch.dealt)
        if SHARED:
            acquire(post, LOCK)
        depth, proof = descend(tree, scratch, seat, knobs)
        if SHARED:
            store(post, LOCK, 0)
        playouts = 1
        n_moves = depth
        plies = 1 + PROBE_PLIES if proof != 0 else 1
        if proof != 0:
            give_all(shares, scratch.path, depth, proof)
        elif to_move(states[WORLD]) == NOBODY:
            win_shares(states[WORLD], np.int64(len(shares)), shares)
            if SOLVES and depth > 0:
                proof = ended(scratch, depth)
        elif LEAVES:
            playouts += share_leaf(tree, scratch, knobs, post, leaves, crew_shares)
        else:
            n_moves = finish(tree, scratch, knobs, depth)
        if depth > 0:
            count_sample(scratch, shares[seat] / playouts)
        if USES_MARGIN and to_move(states[WORLD]) == NOBODY:
            weigh_by_margin(states[WORLD], shares)
        if SHARED:
            acquire(post, LOCK)
        back_up(tree, scratch, depth, proof, plies, playouts, n_moves)
        if SHARED:
            store(post, LOCK, 0)
    return iterations


@kernel
def deal(state, seat, rng, dealt):
    """A world that fits what `seat` knows; where a game names strata, of the one furthest behind its share."""
    if STRATA == 1:
        redeal(state, seat, rng)
        return
    total = np.int64(0)
    done = np.int64(0)
    for i in range(len(dealt)):
        total += dealt[i, WEIGHT]
        done += dealt[i, TIMES]
    chosen = np.int64(0)
    most = -np.inf
    for i in range(len(dealt)):
        lag = dealt[i, WEIGHT] * (done + 1.0) / total - dealt[i, TIMES]
        if lag > most:
            most = lag
            chosen = np.int64(i)
    dealt[chosen, TIMES] += 1
    redeal_stratum(state, seat, dealt[chosen, STRATUM], rng)


@kernel
def descend(tree, scratch, seat, knobs):
    """Walk down to a leaf of the tree, adding what is new; returns the depth, and a proof for the last mover or 0."""
    nodes, edges, used = tree.nodes, tree.edges, tree.used
    states, path, offer, looks, at = scratch.states, scratch.path, scratch.offer, scratch.looks, scratch.at
    state = states[WORLD]
    for observer in range(len(at)):
        at[observer] = observer  # the roots stand first
    depth = np.int64(0)
    new_edges = 0
    proof = np.int64(0)
    while True:
        settle(state)
        mover = to_move(state)
        if mover == NOBODY:
            if at[0] != NO_NODE and not OBSERVERS:
                nodes[at[0]].visits += 1
            break
        observer = mover if OBSERVERS else np.int64(0)
        node = at[observer]
        if node != NO_NODE:
            nodes[node].visits += 1
        is_leaf = node == NO_NODE or new_edges > int(EXPANDS_ALL) or depth >= len(path)
        if is_leaf or (new_edges == 1 and not EXPANDS_ALL):
            break
        if PROBE_PLIES > 0 and SOLVES and depth > 0 and nodes[node].visits == knobs[PROBE_VISITS]:
            proof = probe(scratch, mover, path[depth - 1, BY_SEAT])
            if proof != 0:
                break
        if FIXED and nodes[node].count > 0 and nodes[node].count == nodes[node].offered:
            n = np.int64(nodes[node].offered)  # all tried, and always on offer: no list is needed
            n_looks = n
        elif RANKS_ROOT and node == ROOT:
            n = rank_root(state, scratch)
            n_looks = n
        elif SPARSE:
            n = count_actions(state)
            n_looks = n
        else:
            n = legal_actions(state, offer)
            if USES_FILTER:
                n = keep(state, offer, n)
            n_looks = see_offer(state, offer, n, looks, seat, mover)
        edge = select(nodes, edges, node, state, looks, n_looks, scratch.rng, scratch.logs, knobs)
        is_new = edge < 0
        if is_new:
            # The move numbered -1 - edge among those never tried is to be tried now. Where the offer is always
            # the same it was there from the start; else it counts from now on.
            if SPARSE:
                action = pick_untried(nodes, edges, node, state, offer, scratch.rng)
            elif RANKS_ROOT and node == ROOT:
                action = ranked_move(scratch, np.int64(nodes[node].count))
            elif USES_ORDER:
                action = foremost(nodes, edges, node, looks, n_looks, state)
            else:
                action = untried(nodes, edges, node, looks, n_looks, -1 - edge)
            missed = np.int64(0) if FIXED else np.int64(nodes[node].visits) - 1
            edge = insert(nodes, edges, used, node, action, missed)
            if edge < 0:
                break
            new_edges += 1
        action = edges[edge].action
        if LOOKS and action == HIDDEN:
            action = draw_hidden(state, offer, n, seat, scratch.rng)
        if is_new:
            start(edges[edge], scratch, mover, action, knobs)
        if depth == 0:
            scratch.first[0] = action
        path[depth, AT_EDGE] = edge
        path[depth, BY_SEAT] = mover
        path[depth, IN_NODE] = node
        if USES_RAVE or USES_MAST:
            scratch.moves[depth, 0] = mover
            scratch.moves[depth, 1] = action
        depth += 1
        edges[edge].visits += 1
        if OBSERVERS:
            observe(tree, at, state, mover, action)
        at[observer] = child_of(nodes, edges, used, edge)
        apply(state, action)
    used[DEEPEST] = max(used[DEEPEST], depth)
    return depth, proof


@kernel
def see_offer(state, offer, n, looks, seat, mover):
    """Write the offer as the searching seat would see it played: ascending, all that is hidden as one; how many."""
    if not LOOKS or mover == seat:
        for i in range(n):
            looks[i] = offer[i]
        return n
    n_looks = np.int64(0)
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            looks[0] = HIDDEN  # the least of all codes
            n_looks = np.int64(1)
            break
    for i in range(n):
        if seen(state, offer[i], seat) != HIDDEN:
            looks[n_looks] = offer[i]
            n_looks += 1
    return n_looks


@kernel
def draw_hidden(state, offer, n, seat, rng):
    """One of the moves on offer that the searching seat would not see, each as likely as another."""
    hidden = np.int64(0)
    for i in range(n):
        hidden += np.int64(seen(state, offer[i], seat) == HIDDEN)
    k = draw(rng, hidden)
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            if k == 0:
                return offer[i]
            k -= 1
    return offer[0]


@kernel
def observe(tree, at, state, mover, action):
    """Walk on in the trees of all but the mover, by the move as each of them sees it."""
    for other in range(len(at)):
        if other == mover or at[other] == NO_NODE:
            continue
        code = np.int64(seen(state, action, np.int64(other)))
        edge = find_edge(tree.nodes, tree.edges, at[other], code)
        if edge < 0:
            edge = insert(tree.nodes, tree.edges, tree.used, at[other], code, np.int64(0))
        if edge < 0:
            at[other] = NO_NODE
            continue
        tree.edges[edge].visits += 1
        at[other] = child_of(tree.nodes, tree.edges, tree.used, edge)


@kernel
def pick_untried(nodes, edges, node, state, offer, rng):
    """Any move on offer that the node has no edge for: drawn until it is new, and after some draws from the list."""
    for _ in range(MOST_PICKS):
        action = pick(state, rng)
        if find_edge(nodes, edges, node, action) < 0:
            return action
    n = legal_actions(state, offer)
    fresh = np.int64(0)
    for i in range(n):
        if find_edge(nodes, edges, node, offer[i]) < 0:
            offer[fresh] = offer[i]
            fresh += 1
    return offer[draw(rng, fresh)]


@kernel
def select(nodes, edges, node, state, looks, n, rng, logs, knobs):
    """The edge to follow; or -1 - k, where the k-th of the moves never tried is to be tried (SPARSE: -1, any)."""
    here = nodes[node]
    here.offered = n
    first = here.first
    count = np.int64(here.count)
    c, first_play, widening = knobs[C], knobs[FIRST_PLAY], knobs[WIDENING]
    allowed = n if widening <= 0.0 else max(np.int64(1), np.int64(widening * math.sqrt(here.visits)))
    # With moves never tried first, and one of those on offer for certain, there is nothing to compare.
    is_settled = count < min(n, allowed) and math.isinf(first_play)
    if FIXED and is_settled:
        return np.int64(-1) if SPARSE else -1 - draw(rng, n - count)
    best = np.int64(-1)
    best_value = -np.inf
    tried = np.int64(0)
    log_visits = math.log(here.visits)
    i = np.int64(0)
    for j in range(count):
        edge = edges[first + j]
        if FIXED:
            is_offered = True
        elif SPARSE:
            is_offered = is_legal(state, edge.action)
        else:
            while i < n and looks[i] < edge.action:
                i += 1
            is_offered = i < n and looks[i] == edge.action
        if not is_offered:
            edge.missed += 1
            continue
        tried += 1
        if is_settled:
            continue
        value = -1e9 + edge.value
        if edge.proof != LOST:
            logarithm = log_visits if edge.missed == 0 else log_of(np.int64(here.visits - edge.missed), logs)
            share = 1.0 / edge.visits
            value = mean_of(edge, share, knobs) + c * math.sqrt(max(0.0, logarithm) * share) + edge.prior * share
            if edge.proof == WON:
                value += 1e6
        if value > best_value:
            best_value = value
            best = first + j
    if tried < min(n, allowed) and best_value < first_play:
        return np.int64(-1) if SPARSE else -1 - draw(rng, n - tried)
    return best


@kernel
def log_of(n, logs):
    """The logarithm of n visits, from the table where it reaches so far."""
    return logs[n] if n < len(logs) else math.log(n)


@kernel
def foremost(nodes, edges, node, looks, n, state):
    """Of the moves never tried the one of the highest priority; of equals the least code."""
    first, count = nodes[node].first, np.int64(nodes[node].count)
    best, most = np.int64(-1), np.int64(0)
    j = np.int64(0)
    for i in range(n):
        while j < count and edges[first + j].action < looks[i]:
            j += 1
        if j < count and edges[first + j].action == looks[i]:
            continue
        value = np.int64(0) if looks[i] == HIDDEN else np.int64(priority(state, looks[i]))
        if best < 0 or value > most:
            best, most = np.int64(i), value
    return looks[best]


@kernel
def rank_root(state, scratch):
    """List the root's moves with their priorities, the first time; how many they are."""
    ranked = scratch.ranked
    if scratch.n_ranked[0] == 0:
        n = legal_actions(state, scratch.offer)
        if USES_FILTER:
            n = keep(state, scratch.offer, n)
        for i in range(n):
            ranked[0, i] = scratch.offer[i]
            ranked[1, i] = priority(state, scratch.offer[i])
        scratch.n_ranked[0] = n
    return scratch.n_ranked[0]


@kernel
def ranked_move(scratch, place):
    """The root's move at a place of their order, sorted as far as that; of equals the least code comes first."""
    ranked = scratch.ranked
    while scratch.n_ranked[1] <= place:
        first = scratch.n_ranked[1]
        best = first
        for i in range(first + 1, scratch.n_ranked[0]):
            if ranked[1, i] > ranked[1, best] or (ranked[1, i] == ranked[1, best] and ranked[0, i] < ranked[0, best]):
                best = np.int64(i)
        for row in range(2):
            ranked[row, first], ranked[row, best] = ranked[row, best], ranked[row, first]
        scratch.n_ranked[1] += 1
    return ranked[0, place]


@kernel
def mean_of(edge, share, knobs):
    """The mean win share of an edge, with what else is known of the move mixed in."""
    mean = edge.value * share
    if USES_RAVE and edge.elsewhere_visits > 0:
        weight = math.sqrt(knobs[RAVE_WEIGHT] / (3.0 * edge.visits + knobs[RAVE_WEIGHT]))
        mean = (1.0 - weight) * mean + weight * edge.elsewhere / edge.elsewhere_visits
    if IMPLICIT:
        mean = (1.0 - knobs[IMPLICIT_WEIGHT]) * mean + knobs[IMPLICIT_WEIGHT] * edge.minimax
    return mean


@kernel
def start(edge, scratch, mover, action, knobs):
    """What a move knows before its first visit: a bias, visits on trust, the evaluation after it."""
    states = scratch.states
    edge.prior = bias(states[WORLD], action, *scratch.of_bias)
    if PRIOR == PRIOR_BIAS:
        edge.visits = np.int64(knobs[PRIOR_VISITS])
        edge.value = knobs[PRIOR_VISITS] * min(1.0, max(0.0, edge.prior))
        edge.prior = 0.0
    if PRIOR == PRIOR_LOOK or IMPLICIT:
        states[TRIED] = states[WORLD]
        apply(states[TRIED], action)
        if PRIOR == PRIOR_LOOK:
            value = look(scratch, np.int64(TRIED), np.int64(PRIOR_PLIES), -PROVEN, PROVEN, mover)
            edge.visits = np.int64(knobs[PRIOR_VISITS])
            edge.value = knobs[PRIOR_VISITS] * (0.5 + 0.5 * min(1.0, max(-1.0, value)))
        if IMPLICIT:
            states[TRIED] = states[WORLD]
            apply(states[TRIED], action)
            value = look(scratch, np.int64(TRIED), np.int64(0), -PROVEN, PROVEN, mover)
            edge.minimax = 0.5 + 0.5 * min(1.0, max(-1.0, value))


@kernel
def probe(scratch, mover, last):
    """Whether a shallow minimax settles the world at hand: WON or LOST for the seat `last`, else 0."""
    states = scratch.states
    states[TRIED] = states[WORLD]
    value = look(scratch, np.int64(TRIED), np.int64(PROBE_PLIES), -PROVEN, PROVEN, mover)
    proof = np.int64(WON) if value == PROVEN else np.int64(LOST) if value == -PROVEN else np.int64(0)
    return proof if mover == last else -proof


@kernel
def look(scratch, ply, depth, alpha, beta, me):
    """The value of states[ply] for seat `me` by alpha-beta over so many plies; a finished game counts PROVEN.

    All others are against it. Chance follows the fate at hand, or gives its mean (`EXPECTS`), but for draws that the
    game leaves out of such searches.
    """
    states = scratch.states
    if not EXPECTS:
        settle(states[ply])
    elif LEAVES_OUT:
        leave_out(states[ply])
    mover = to_move(states[ply])
    if mover == NOBODY:
        return finished(scratch, ply, me)
    if depth == 0 or ply + 1 >= len(states):
        return 1.0 * evaluate(states[ply], me, *scratch.of_evaluation)
    if EXPECTS and mover == CHANCE:
        chance_weights(states[ply], scratch.lists[ply])
        total = 0.0
        mean = 0.0
        for code in range(OUTCOMES):
            weight = scratch.lists[ply, code]
            if weight > 0:
                states[ply + 1] = states[ply]
                apply(states[ply + 1], np.int64(code))
                value = look(scratch, ply + 1, depth, -PROVEN, PROVEN, me)
                mean += weight * min(1.0, max(-1.0, value))
                total += weight
        return mean / total
    n = legal_actions(states[ply], scratch.lists[ply])
    best = -PROVEN if mover == me else PROVEN
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], scratch.lists[ply, i])
        value = look(scratch, ply + 1, depth - 1, alpha, beta, me)
        if mover == me:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@kernel
def finished(scratch, ply, me):
    """PROVEN for a won game, its opposite for a lost one, else the returns."""
    win_shares(scratch.states[ply], np.int64(len(scratch.shares)), scratch.shares)
    share = scratch.shares[me]
    return PROVEN if share == 1.0 else -PROVEN if share == 0.0 else 2.0 * share - 1.0


@kernel
def give_all(shares, path, depth, proof):
    """The win shares of two seats where a probe has proven the last move."""
    last = path[depth - 1, BY_SEAT]
    shares[last] = 1.0 if proof == WON else 0.0
    shares[1 - last] = 1.0 - shares[last]


@kernel
def finish(tree, scratch, knobs, n_moves):
    """Play the world on by the policy to the end, or to the cut-off, and write the win shares; returns all moves."""
    states, shares, offer = scratch.states, scratch.shares, scratch.offer
    state = states[WORLD]
    cutoff = np.int64(knobs[CUTOFF])
    moves = 0
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            win_shares(state, np.int64(len(shares)), shares)
            return n_moves
        if mover == CHANCE:
            if HAS_SETTLE:
                settle(state)
            else:
                apply(state, outcome(state, scratch.weights))
            continue
        if cutoff > 0 and moves >= cutoff:
            for seat in range(len(shares)):
                shares[seat] = 0.5 + 0.5 * evaluate(state, np.int64(seat), *scratch.of_evaluation)
            return n_moves
        if GUIDE_PLIES > 0:
            action = guided(scratch, mover)
        elif USES_MAST:
            action = by_habit(tree.habits, state, mover, scratch.rng, offer, knobs[EPSILON])
        elif HAS_POLICY:
            action = policy(state, scratch.rng, offer, *scratch.of_policy)
        else:
            action = choose(state, scratch.rng, offer)
        if (USES_RAVE or USES_MAST) and n_moves < len(scratch.moves):
            scratch.moves[n_moves, 0] = mover
            scratch.moves[n_moves, 1] = action
            n_moves += 1
        apply(state, action)
        moves += 1


@kernel
def by_habit(habits, state, mover, rng, offer, epsilon):
    """The move that has been worth most to the mover so far; any, with probability `epsilon`; unknown ones first."""
    n = legal_actions(state, offer)
    if draw(rng, np.int64(1_000_000)) < epsilon * 1_000_000:
        return offer[draw(rng, n)]
    best = offer[0]
    most = -1.0
    equal = np.int64(0)
    for i in range(n):
        habit = habits[mover, offer[i] % SLOTS]
        value = habit[0] / habit[1] if habit[1] > 0.0 else 1.0
        if value > most:
            best, most, equal = offer[i], value, np.int64(1)
        elif value == most:
            equal += 1
            if draw(rng, equal) == 0:
                best = offer[i]
    return best


@kernel
def weigh_by_margin(state, shares):
    """A victory counts a fifth, and a fifth more for each 5 points of lead over the best other seat, up to 20.

    The Sagrada thesis's reward (section 7.4), brought to 0..1.
    """
    for seat in range(len(shares)):
        if shares[seat] > 0.0:
            lead = np.int64(2**31)
            for other in range(len(shares)):
                if other != seat:
                    lead = min(lead, score(state, np.int64(seat)) - score(state, np.int64(other)))
            steps = min(np.int64(4), max(np.int64(0), lead // 5))
            shares[seat] *= (1.0 + steps) / 5.0


@kernel
def guided(scratch, mover):
    """A move of the world by a minimax of one or two plies (Baier and Winands).

    A win in one where there is one; else any move, with two plies one after which the next seat cannot win at
    once, if there is one.
    """
    states, rng, offer, shares = scratch.states, scratch.rng, scratch.offer, scratch.shares
    n = legal_actions(states[WORLD], offer)
    for i in range(n):
        states[TRIED] = states[WORLD]
        apply(states[TRIED], offer[i])
        if wins(states[TRIED], mover, shares):
            return offer[i]
    for left in range(n, 0, -1):
        k = draw(rng, left)
        action = offer[k]
        if GUIDE_PLIES < 2 or left == 1:
            return action
        states[TRIED] = states[WORLD]
        apply(states[TRIED], action)
        if not can_win(states, mover, scratch.looks, shares):
            return action
        offer[k] = offer[left - 1]
    return offer[0]


@kernel
def can_win(states, mover, replies, shares):
    """Whether the seat to move after the move tried, if it is not `mover`, wins by one move."""
    settle(states[TRIED])
    rival = to_move(states[TRIED])
    if rival in (NOBODY, mover):
        return False
    n = legal_actions(states[TRIED], replies)
    for i in range(n):
        states[REPLY] = states[TRIED]
        apply(states[REPLY], replies[i])
        if wins(states[REPLY], rival, shares):
            return True
    return False


@kernel
def wins(state, seat, shares):
    """Whether the game is over and `seat` alone has won it."""
    if to_move(state) != NOBODY:
        return False
    win_shares(state, np.int64(len(shares)), shares)
    return shares[seat] == 1.0


@kernel
def back_up(tree, scratch, depth, proof, plies, playouts, n_moves):
    """Add the win shares along the path; `shares` holds the sum over so many playouts of one leaf.

    A `proof` of the last move, if there is one, ends the game after so many `plies`, that move included.
    """
    path, shares = scratch.path, scratch.shares
    for d in range(depth):
        edge = tree.edges[path[d, AT_EDGE]]
        edge.visits += playouts - 1
        edge.value += shares[path[d, BY_SEAT]] * (edge.prior if USES_BIAS_REWARD else 1.0)
    if SOLVES and proof != 0:
        prove(tree.nodes, tree.edges, tree.used, path, depth, proof, plies)
    if IMPLICIT:
        back_up_minimax(tree.nodes, tree.edges, path, depth)
    if USES_RAVE:
        stamp = np.int64(tree.nodes[ROOT].visits)
        credit_elsewhere(
            tree.nodes, tree.edges, path, depth, scratch.moves, n_moves, scratch.stamps, stamp, shares
        )  # fmt: skip
    if USES_MAST:
        credit_habits(tree.habits, scratch.moves, n_moves, shares)


@kernel
def count_sample(scratch, share):
    """Note what the iteration's first move was worth to the searching seat, as a win share and in no other measure."""
    actions, action = scratch.root, scratch.first[0]
    low, high = np.int64(0), np.int64(len(actions))
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    if low < len(actions):
        scratch.tally[low, 0] += 1.0
        scratch.tally[low, 1] += share
        scratch.tally[low, 2] += share * share


@kernel
def ended(scratch, depth):
    """What a finished game proves for the last mover on the path."""
    share = scratch.shares[scratch.path[depth - 1, BY_SEAT]]
    return np.int64(WON) if share == 1.0 else np.int64(LOST) if share == 0.0 else np.int64(0)


# --- helpers that play out the same leaf ----------------------------------------------------------------


@kernel
def share_leaf(tree, scratch, knobs, post, leaves, crew_shares):
    """Put the leaf on offer, play it out here too, and add up what all helpers found; returns how many they are."""
    crew = len(crew_shares)
    leaves[0] = scratch.states[WORLD]
    ticket = load(post, TICKET) + 1
    store(post, TICKET, ticket)
    finish(tree, scratch, knobs, np.int64(0))
    for helper in range(crew):
        while load(post, CREW + helper) != ticket:
            pass
        for seat in range(len(scratch.shares)):
            scratch.shares[seat] += crew_shares[helper, seat]
    return crew


@kernel
def serve_leaves(tree, scratch, helper, knobs, post, leaves, crew_shares):
    """Play out each leaf that is put on offer, until a negative ticket says that it is over."""
    served = load(post, CREW + helper)
    while True:
        ticket = load(post, TICKET)
        if ticket < 0:
            return
        if ticket != served:
            scratch.states[WORLD] = leaves[0]
            finish(tree, scratch, knobs, np.int64(0))
            for seat in range(len(scratch.shares)):
                crew_shares[helper, seat] = scratch.shares[seat]
            served = ticket
            store(post, CREW + helper, ticket)
