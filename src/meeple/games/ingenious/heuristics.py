"""Ingenious: what is worth knowing beyond the rules.

Evaluations are sums of a worth of each score, the seat's less the best of the others': `points` counts them all alike,
`soft` gives low scores more weight, a soft minimum; `gain` leaves the others out; `sorted` is ours and weighs the
scores by their places from the lowest up. The report of 2018 names no value for the leaves of its expectimax, so that
`gain`, `points` and `soft` bracket it.

The report's rules for choosing a tile (2.1.2) are the filter `lowest`; its point maximisation, its greedy player and
its `random` are policies. Where the report leaves a detail open, docs/games/ingenious.md says how it was read.
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.games.ingenious.geometry import AREA, CELL_1, CELL_2, N_POSITIONS, NEXT, SPAN
from meeple.games.ingenious.rules import (
    ASK,
    DRAW,
    EMPTY,
    KEEP,
    SWAP,
    TRACK,
    allowed,
    line_points,
    lowest_kinds,
    side_of,
    sorted_points,
    suppose_weights,
    to_move,
)
from meeple.games.ingenious.tiles import (
    COLOUR_1,
    COLOUR_2,
    KIND_OF,
    N_COLOURS,
    N_KINDS,
    SHOWING,
    first_oriented,
    kinds_in,
    nth_oriented,
    size_of,
)

N_OPEN = np.array(N_POSITIONS, dtype=np.int64)
MOST_POINTS = 2 * TRACK
ONE = 1 << 20  # worths are whole numbers below 2**30, so that sums are exact
POINTS_WORTH = np.arange(MOST_POINTS + 1, dtype=np.int64) * ONE
SOFTNESS = 0.75
SOFT_WORTH = np.array([-round(SOFTNESS**n * ONE) for n in range(MOST_POINTS + 1)], dtype=np.int64)
POINTS_SCALE = 0.9 / (N_COLOURS * MOST_POINTS * ONE)
SOFT_SCALE = 0.9 / (N_COLOURS * ONE)
HAIR = 1e-9  # what a swap is worth by itself: the report always swaps where it may


# --- sums of worths


@kernel
def sum_of_worths(state, side, worth):
    total = np.int64(0)
    for colour in range(N_COLOURS):
        total += worth[state.points[side, colour]]
    return total


@kernel
def lead(state, seat, worth):
    """A side's sum of worths less the best of the other sides'; alone, the sum itself."""
    own = side_of(state, np.int64(seat))
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    best = np.int64(-(1 << 60))
    for side in range(n_sides):
        if side != own:
            best = max(best, sum_of_worths(state, np.int64(side), worth))
    mine = sum_of_worths(state, own, worth)
    return mine if n_sides == 1 else mine - best


@kernel
def swap_hair(state, seat):
    """A hair for being about to draw a whole new hand."""
    return HAIR if state.phase == DRAW and state.swaps > 0 and state.seat == seat else 0.0


@kernel
def points_value(state, seat):
    """The lead in points, all colours alike."""
    return lead(state, seat, POINTS_WORTH) * POINTS_SCALE + swap_hair(state, seat)


@kernel
def gain_value(state, seat):
    """The seat's own points, whatever the others have."""
    return sum_of_worths(state, side_of(state, np.int64(seat)), POINTS_WORTH) * POINTS_SCALE + swap_hair(state, seat)


@kernel
def soft_value(state, seat):
    """The lead in a soft minimum: a point in a low colour is worth more, by a quarter for each step."""
    return lead(state, seat, SOFT_WORTH) * SOFT_SCALE + swap_hair(state, seat)


# Weights of the scores from the lowest up, by the share of the board's positions that is still open: logistic
# regression of the winner on 233,834 positions of 6,000 games, the best placement by `soft` with every seventh move at
# random.
SORTED_SHARES = np.array([0.0, 0.15, 0.35, 0.6, 1.0])
SORTED_WEIGHTS = np.array(
    [
        [20.0, 7.0, 1.8, 0.4, 0.3, 0.3],
        [9.1, 5.4, 3.7, 2.9, 1.2, 0.3],
        [4.1, 4.0, 3.6, 2.5, 2.6, 1.0],
        [2.3, 2.1, 2.6, 2.2, 2.2, 1.5],
        [0.3, 0.4, 1.0, 1.3, 1.4, 1.2],
    ]
)
SORTED_TURN = np.array([0.35, 0.46, 0.33, 0.19, 0.06])  # being to move


@kernel
def sorted_value(state, seat):
    """The scores in the order of their height: the fuller the board, the more the lowest of them decide."""
    own = side_of(state, np.int64(seat))
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    at = open_share(state)
    mine = sorted_sum(state, own, at)
    if n_sides == 1:
        return min(0.95, mine / 30.0 - 0.9)
    best = -1e9
    for side in range(n_sides):
        if side != own:
            best = max(best, sorted_sum(state, np.int64(side), at))
    place = np.int64(at)
    turn = SORTED_TURN[place] + (at - place) * (SORTED_TURN[place + 1] - SORTED_TURN[place])
    is_next = (to_move(state) >= 0) == (side_of(state, np.int64(state.seat)) == own)
    total = mine - best + (turn if is_next else -turn)
    return min(0.95, max(-0.95, math.tanh(0.5 * total))) + swap_hair(state, seat)


@kernel
def open_share(state):
    """The share of open positions, as a place between SORTED_SHARES: 1.5 is half way from the second to the third."""
    free = np.int64(0)
    for word in range(state.words):
        free += popcount(np.int64(state.open[word]))
    share = free / N_OPEN[state.seats]
    place = np.int64(0)
    while place < 3 and share >= SORTED_SHARES[place + 1]:
        place += 1
    within = (share - SORTED_SHARES[place]) / (SORTED_SHARES[place + 1] - SORTED_SHARES[place])
    return min(3.999, place + within)


@kernel
def sorted_sum(state, side, at):
    """A side's scores from the lowest up, each times its weight at this place between the knots."""
    place = np.int64(at)
    within = at - place
    digits = sorted_points(state, side)
    total = 0.0
    for rank in range(N_COLOURS):
        points = (digits >> (6 * (N_COLOURS - 1 - rank))) & 63
        low, high = SORTED_WEIGHTS[place, rank], SORTED_WEIGHTS[place + 1, rank]
        total += points * (low + within * (high - low))
    return total / TRACK


# --- the best move by a sum of worths, without playing every move


@kernel
def best_placement(state, seat, worth, kinds):
    """The first of the placements of these kinds after which `seat`, the one to move, has the highest sum of worths.

    -1 where one of them might end the game: sums do not tell who wins.
    """
    if state.phase == ASK:
        return np.int64(SWAP)
    side = side_of(state, np.int64(seat))
    if might_end(state, np.int64(1)):
        return np.int64(-1)
    codes = np.empty((3, SPAN), np.uint32)
    n = list_positions(state, codes, state.turn < state.seats)
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, NEXT.shape[0]), np.int32)
    best_way, best_worth = best_oriented(state, side, worth, kinds, codes, n, gains, worths)
    return best_way * SPAN + first_with(state, side, worth, best_way, best_worth, codes, n, gains, worths)


@kernel
def best_oriented(state, side, worth, kinds, codes, n, gains, worths):
    """The first oriented tile with the best placement, and what that is worth; `gains` and `worths` are filled."""
    fill_gains(state, gains)
    fill_worths(state, side, worth, kinds, gains, worths)
    cells_1, cells_2 = codes[1], codes[2]
    best_way = np.int64(-1)
    best_worth = np.int32(-1)
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        way = first_oriented(kind)
        for oriented in range(way, way + (1 if kind < 6 else 2)):
            # Two plain loops, so that they are compiled to vectors.
            if kind < 6:
                most = np.int32(0)
                on = gains[kind]
                for i in range(n):
                    most = max(most, on[cells_1[i]] + on[cells_2[i]])
                found = np.int32(worth_of(state, side, worth, kind, np.int64(most)))
            else:
                found = np.int32(0)
                on_1, on_2 = worths[COLOUR_1[oriented]], worths[COLOUR_2[oriented]]
                for i in range(n):
                    found = max(found, on_1[cells_1[i]] + on_2[cells_2[i]])
            if found > best_worth:
                best_worth = found
                best_way = np.int64(oriented)
    return best_way, best_worth


@kernel
def list_positions(state, codes, is_first_round):
    """Write the code of every free position, in the first round of those on offer, and its two cells; how many."""
    n = np.int64(0)
    for word in range(state.words):
        left = allowed(state, word) if is_first_round else np.int64(state.open[word])
        while left:
            code = 64 * word + lowest_bit(left)
            left &= left - 1
            codes[0, n] = code
            codes[1, n] = CELL_1[code]
            codes[2, n] = CELL_2[code]
            n += 1
    return n


@kernel
def fill_gains(state, gains):
    """Add to gains[colour, cell] the points that a half of this colour makes on each empty cell."""
    for cell in range(AREA[state.seats]):
        if state.cell[cell] != EMPTY:
            continue
        for direction in range(6):
            along = NEXT[cell, direction]
            colour = np.int64(state.cell[along])
            if colour < EMPTY:
                length = np.int64(1)
                along = NEXT[along, direction]
                while state.cell[along] == colour:
                    length += 1
                    along = NEXT[along, direction]
                gains[colour, cell] += length


@kernel
def fill_worths(state, side, worth, kinds, gains, worths):
    """Write what those points are worth to a side, for the colours that these kinds show."""
    for colour in range(N_COLOURS):
        if kinds & SHOWING[colour]:
            points = np.int64(state.points[side, colour])
            end = track_end(state, points)
            for cell in range(AREA[state.seats]):
                worths[colour, cell] = worth[min(end, points + gains[colour, cell])] - worth[points]


@kernel
def worth_of(state, side, worth, colour, gain):
    """What so many points in a colour are worth to a side."""
    points = np.int64(state.points[side, colour])
    return worth[min(track_end(state, points), points + gain)] - worth[points]


@kernel
def first_with(state, side, worth, oriented, wanted, codes, n, gains, worths):
    """The first position where this oriented tile is worth so much."""
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    for i in range(n):
        cell_1, cell_2 = codes[1, i], codes[2, i]
        if first == second:
            gain = np.int64(gains[first, cell_1]) + np.int64(gains[first, cell_2])
            if worth_of(state, side, worth, first, gain) == wanted:
                return np.int64(codes[0, i])
        elif worths[first, cell_1] + worths[second, cell_2] == wanted:
            return np.int64(codes[0, i])
    return np.int64(0)


@kernel
def track_end(state, points):
    """Where a score of so many points stops next."""
    return np.int64(TRACK) if points < TRACK else np.int64(state.goal)


@kernel
def might_end(state, placements):
    """Whether so many more placements, by whomever, might end the game."""
    free = np.int64(0)
    for word in range(state.words):
        free += popcount(np.int64(state.open[word]))
    if free <= 11 * placements:  # a tile closes at most eleven positions
        return True
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    for other in range(n_sides):
        short = np.int64(0)
        for colour in range(N_COLOURS):
            short += np.int64(state.points[other, colour] < state.goal)
        if short <= 2 * placements:
            return True
    return False


@kernel
def hand_kinds(state, seat):
    return kinds_in(np.int64(state.hand[seat]))


@kernel
def points_best(state, seat):
    return best_placement(state, seat, POINTS_WORTH, hand_kinds(state, seat))


@kernel
def soft_best(state, seat):
    return best_placement(state, seat, SOFT_WORTH, hand_kinds(state, seat))


@kernel
def points_best_lowest(state, seat):
    return best_placement(state, seat, POINTS_WORTH, best_tiles(state, seat))


@kernel
def soft_best_lowest(state, seat):
    return best_placement(state, seat, SOFT_WORTH, best_tiles(state, seat))


# --- no line is better than this


@kernel
def lead_bound(state, seat, plies, worth):
    """Whether a bound on `lead` after so many more decisions is known, and the bound.

    Others can only lower it; of the seat's own placements there may be one at most, after another's.
    """
    if might_end(state, plies):
        return False, np.int64(0)
    is_next = to_move(state) >= 0 and side_of(state, np.int64(state.seat)) == side_of(state, np.int64(seat))
    placements = plies if is_next else plies - 1
    if placements <= 0:
        return True, lead(state, seat, worth)
    if is_next or placements > 1 or state.seats != 2:
        return False, np.int64(0)
    return True, lead(state, seat, worth) + best_reply(state, seat, worth)


@kernel
def best_reply(state, seat, worth):
    """No placement of the seat's is worth more, after one tile of the rival's.

    That is at most what the best is worth now, and what the rival's halves may add: each lengthens the lines of its
    colour by itself and by a run that it joins on to. Worths grow ever more slowly, so what is added is worth
    at most what it would be alone.
    """
    side = side_of(state, np.int64(seat))
    kinds = hand_kinds(state, seat)
    codes = np.empty((3, SPAN), np.uint32)
    n = list_positions(state, codes, False)
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, NEXT.shape[0]), np.int32)
    _, now = best_oriented(state, side, worth, kinds, codes, n, gains, worths)
    first = np.int64(0)
    second = np.int64(0)
    double = np.int64(0)
    for colour in range(N_COLOURS):
        if kinds & SHOWING[colour]:
            halves = 2 if (kinds >> (3 * colour)) & 1 else 1
            reach = halves * (1 + longest_run(state, np.int64(colour)))
            added = worth_of(state, side, worth, np.int64(colour), reach)
            second = max(second, min(first, added))
            first = max(first, added)
            double = max(double, worth_of(state, side, worth, np.int64(colour), 2 * reach))
    return np.int64(now) + max(first + second, double)


@kernel
def longest_run(state, colour):
    """The most cells of a colour in one straight line."""
    longest = np.int64(0)
    for cell in range(AREA[state.seats]):
        if state.cell[cell] != colour:
            continue
        for direction in range(3):
            length = np.int64(0)
            along = np.int64(cell)
            while state.cell[along] == colour:
                length += 1
                along = NEXT[along, direction]
            longest = max(longest, length)
    return longest


@kernel
def points_bound(state, seat, plies):
    is_known, total = lead_bound(state, seat, plies, POINTS_WORTH)
    return total * POINTS_SCALE + HAIR if is_known else 1.0


@kernel
def soft_bound(state, seat, plies):
    is_known, total = lead_bound(state, seat, plies, SOFT_WORTH)
    return total * SOFT_SCALE + HAIR if is_known else 1.0


# --- the report's choice of tiles (2.1.2)


@kernel
def best_tiles(state, seat):
    """The kinds to choose from: doubles of a lowest colour, else tiles that show one, else the first in the hand."""
    side = side_of(state, np.int64(seat))
    kinds = hand_kinds(state, seat)
    lowest = lowest_kinds(state, side)
    doubles = np.int64(0)
    for colour in range(N_COLOURS):
        tile = np.int64(1) << (3 * colour)
        if kinds & tile and lowest_double(state, side, np.int64(colour)):
            doubles |= tile
    if doubles:
        return doubles
    showing = kinds & lowest
    return showing if showing else kinds & -kinds


@kernel
def lowest_double(state, side, colour):
    """Whether a colour is one of the side's lowest."""
    for other in range(N_COLOURS):
        if state.points[side, other] < state.points[side, colour]:
            return False
    return True


N_PROMISING = 16


@kernel
def keep_promising(state, actions, n):
    """The placements that add most by `soft`, so many at least as there are."""
    if n <= N_PROMISING or actions[0] >= KEEP:
        return n
    side = side_of(state, np.int64(state.seat))
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, NEXT.shape[0]), np.int32)
    fill_gains(state, gains)
    fill_worths(state, side, SOFT_WORTH, hand_kinds(state, state.seat), gains, worths)
    top = np.full(N_PROMISING, -1, np.int64)  # the highest worths, falling
    for i in range(n):
        value = placement_worth(state, side, actions[i], gains, worths)
        if value > top[N_PROMISING - 1]:
            at = N_PROMISING - 1
            while at > 0 and top[at - 1] < value:
                top[at] = top[at - 1]
                at -= 1
            top[at] = value
    least = top[N_PROMISING - 1]
    equals = np.int64(0)  # of those that are just good enough, as many as there is room for
    for at in range(N_PROMISING):
        equals += np.int64(top[at] == least)
    kept = np.int64(0)
    for i in range(n):
        value = placement_worth(state, side, actions[i], gains, worths)
        if value > least or (value == least and equals > 0):
            equals -= np.int64(value == least)
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def placement_worth(state, side, action, gains, worths):
    """What a placement adds by `soft`; `gains` and `worths` are those of the board and the side."""
    oriented = action // SPAN
    code = action - oriented * SPAN
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    if first == second:
        gain = np.int64(gains[first, CELL_1[code]]) + np.int64(gains[first, CELL_2[code]])
        return worth_of(state, side, SOFT_WORTH, first, gain)
    return np.int64(worths[first, CELL_1[code]]) + np.int64(worths[second, CELL_2[code]])


@kernel
def soft_bias(state, action):
    """What a placement adds by `soft`, 0 to 2; nothing for an answer to the offer of a swap but that a swap is good."""
    if action >= KEEP:
        return 1.0 if action == SWAP else 0.0
    side = side_of(state, np.int64(state.seat))
    oriented = action // SPAN
    code = action - oriented * SPAN
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    gain_1, gain_2 = line_points(state, CELL_1[code], first), line_points(state, CELL_2[code], second)
    if first == second:
        return worth_of(state, side, SOFT_WORTH, first, gain_1 + gain_2) / ONE
    added = worth_of(state, side, SOFT_WORTH, first, gain_1) + worth_of(state, side, SOFT_WORTH, second, gain_2)
    return added / ONE


@kernel
def keep_lowest(state, actions, n):
    """Only placements of the tiles that the report would choose from."""
    if actions[0] >= KEEP:
        return n
    kinds = best_tiles(state, np.int64(state.seat))
    kept = np.int64(0)
    for i in range(n):
        if (kinds >> (3 * KIND_OF[actions[i] // SPAN])) & 1:
            actions[kept] = actions[i]
            kept += 1
    return kept


# --- policies


@kernel
def report_random(state, rng, out):
    """Any tile of the hand, at the first place where it fits."""
    if state.phase == ASK:
        return np.int64(SWAP)
    hand = np.int64(state.hand[state.seat])
    kind = drawn_kind(hand, draw(rng, size_of(hand)))
    word = 0
    while allowed(state, word) == 0:
        word += 1
    return first_oriented(kind) * SPAN + 64 * word + lowest_bit(allowed(state, word))


@kernel
def drawn_kind(hand, n):
    """The kind of the tile at place `n` of a hand laid out kind by kind."""
    kind = np.int64(0)
    while n >= (hand >> (3 * kind)) & 7:
        n -= (hand >> (3 * kind)) & 7
        kind += 1
    return kind


@kernel
def most_points(state, kinds, rng):
    """Of all placements of these kinds the first with the most points; where none has any, one by lot."""
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    fill_gains(state, gains)
    best = np.int64(-1)
    best_points = np.int64(0)
    left_kinds = kinds
    n = np.int64(0)
    while left_kinds:
        kind = lowest_bit(left_kinds) // 3
        left_kinds &= left_kinds - 1
        way = first_oriented(kind)
        for oriented in range(way, way + (1 if kind < 6 else 2)):
            for word in range(state.words):
                left = allowed(state, word)
                n += popcount(left)
                while left:
                    code = 64 * word + lowest_bit(left)
                    left &= left - 1
                    points = np.int64(gains[COLOUR_1[oriented], CELL_1[code]] + gains[COLOUR_2[oriented], CELL_2[code]])
                    if points > best_points:
                        best_points = points
                        best = oriented * SPAN + code
    return best if best >= 0 else nth_placement(state, kinds, draw(rng, n))


@kernel
def nth_placement(state, kinds, n):
    """The placement at place `n` of all those of these kinds."""
    free = np.int64(0)
    for word in range(state.words):
        free += popcount(allowed(state, word))
    oriented = nth_oriented(kinds, n // free)
    n %= free
    for word in range(state.words):
        left = allowed(state, word)
        if n < popcount(left):
            for _ in range(n):
                left &= left - 1
            return oriented * SPAN + 64 * word + lowest_bit(left)
        n -= popcount(left)
    return np.int64(-1)


@kernel
def maximise_points(state, rng, out):
    """The report's point maximisation (2.1.1): a tile by lot, then the place where its lower colour has most points.

    The tile's other half decides between equals; its lower colour is the one in which the seat has less.
    """
    if state.phase == ASK:
        return np.int64(SWAP)
    hand = np.int64(state.hand[state.seat])
    kind = drawn_kind(hand, draw(rng, size_of(hand)))
    side = side_of(state, np.int64(state.seat))
    way = first_oriented(kind)
    first, second = COLOUR_1[way], COLOUR_2[way]
    weight_1 = 64 if state.points[side, first] <= state.points[side, second] else 1
    weight_2 = 65 - weight_1
    best = np.int64(-1)
    best_points = np.int64(0)
    for oriented in range(way, way + (1 if kind < 6 else 2)):
        for word in range(state.words):
            left = allowed(state, word)
            while left:
                code = 64 * word + lowest_bit(left)
                left &= left - 1
                on_1, on_2 = (CELL_1[code], CELL_2[code]) if oriented == way else (CELL_2[code], CELL_1[code])
                points = weight_1 * line_points(state, on_1, first) + weight_2 * line_points(state, on_2, second)
                if points > best_points:
                    best_points = points
                    best = oriented * SPAN + code
    if best >= 0:
        return best
    tile = np.int64(1) << (3 * kind)
    free = np.int64(0)
    for word in range(state.words):
        free += popcount(allowed(state, word))
    return nth_placement(state, tile, draw(rng, free * (1 if kind < 6 else 2)))


@kernel
def greedy_policy(state, rng, out):
    """The report's greedy player (2.3): the placement with most points of the tiles that 2.1.2 puts first."""
    if state.phase == ASK:
        return np.int64(SWAP)
    return most_points(state, best_tiles(state, np.int64(state.seat)), rng)


@kernel
def soft_policy(state, rng, out):
    """The best placement by `soft`; a hand that may be swapped is swapped."""
    if state.phase == ASK:
        return np.int64(SWAP)
    best = best_placement(state, np.int64(state.seat), SOFT_WORTH, hand_kinds(state, state.seat))
    return best if best >= 0 else most_points(state, hand_kinds(state, state.seat), rng)


# --- beliefs

WHOLE = 1 << 24  # a chance of one


@kernel
def holds_weights(state, seat, out):
    """The chance that a hand of as many tiles as the seat holds has at least one of each kind, exactly."""
    unseen = np.int64(state.bag) + np.int64(state.hand[seat]) - np.int64(state.shown)
    total = size_of(unseen)
    held = max(np.int64(1), np.int64(state.held[seat]))
    for kind in range(N_KINDS):
        count = (unseen >> (3 * kind)) & 7
        none = 1.0
        for drawn in range(held):
            none *= max(0.0, (total - count - drawn) / (total - drawn))
        out[kind] = np.int64((1.0 - none) * WHOLE + 0.5) if count > 0 else 0


EVALUATIONS = {
    "soft": Heuristic(
        soft_value,
        "the lead in a soft minimum over the colours",
        -1.0,
        1.0,
        soft_bound,
        {"none": soft_best, "lowest": soft_best_lowest},
    ),
    "points": Heuristic(
        points_value,
        "the lead in points, all colours alike",
        -1.0,
        1.0,
        points_bound,
        {"none": points_best, "lowest": points_best_lowest},
    ),
    "gain": Heuristic(
        gain_value,
        "the seat's own points alone",
        0.0,
        1.0,
        None,
        {"none": points_best, "lowest": points_best_lowest},
    ),
    "sorted": Heuristic(sorted_value, "ours: the scores by their order, weighed by the room that is left", -0.96, 0.96),
}
BIASES = {"soft": Heuristic(soft_bias, "what a placement adds by the soft minimum")}
FILTERS = {
    "lowest": Heuristic(keep_lowest, "the report's tiles (2.1.2): doubles of a lowest colour, else any that show one"),
    "promising": Heuristic(keep_promising, "the 16 placements that add most by the soft minimum"),
}
BELIEFS = {
    "draw": Heuristic(suppose_weights, "the report's: the chance that one unseen tile is of the kind"),
    "holds": Heuristic(holds_weights, "the chance that the whole hand has one of the kind"),
}
PLAYOUTS = {
    "greedy": Heuristic(greedy_policy, "the report's greedy (2.3): lowest colours first, then most points"),
    "soft": Heuristic(soft_policy, "the best placement by the soft minimum"),
    "points": Heuristic(maximise_points, "the report's point maximisation (2.1.1)"),
    "report-random": Heuristic(report_random, "the report's random (2.2): any tile, at the first place where it fits"),
}
OPPONENT = "expectimax:depth=2,rivals=own"  # whom a person meets who asks for nobody in particular
PRESETS = {
    "paper-random": ("policy:name=report-random", "section 2.2: a tile at the first place where it fits"),
    "paper-points": ("policy:name=points", "section 2.1.1: most points for the lower colour of a tile"),
    "paper-greedy": ("policy:name=greedy", "section 2.3: lowest colours first, then most points"),
    "paper-expectimax2": ("expectimax:depth=2,rivals=own,filter=lowest", "section 2.4, two plies"),
    "paper-expectimax3": ("expectimax:depth=3,rivals=own,filter=lowest", "section 2.4, three plies"),
    "paper-mcts": ("mcts:worlds=1,plies=3,final=wins,c=1.41,iterations=2000", "section 2.5: depth 3, most wins"),
}
LEVELS = (
    "ismcts:iterations=2,cutoff=5,evaluation=sorted",
    "ismcts:iterations=3,cutoff=1,evaluation=sorted",
    "ismcts:iterations=5,cutoff=1,evaluation=sorted",
    "ismcts:iterations=9,cutoff=1,evaluation=sorted",
    "expectimax:depth=3,evaluation=sorted,filter=promising,rivals=own,time=2s",
)  # by name on the page, the weakest first; docs/levels.md has the measurements
