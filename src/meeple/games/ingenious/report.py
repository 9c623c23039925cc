"""Ingenious: the report of 2018, its choice of tiles (2.1.2) and the players that need no search.

Where the report leaves a detail open, docs/games/ingenious.md says how it was read.
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.ingenious.geometry import CELL_1, CELL_2, NEXT, SPAN
from meeple.games.ingenious.layout import ASK, KEEP, SWAP
from meeple.games.ingenious.rules import allowed
from meeple.games.ingenious.scoring import line_points, lowest_kinds, side_of
from meeple.games.ingenious.tiles import (
    COLOUR_1,
    COLOUR_2,
    FIELDS,
    KIND_OF,
    N_COLOURS,
    first_oriented,
    nth_oriented,
    nth_tile,
    size_of,
)
from meeple.games.ingenious.worths import POINTS_WORTH, best_placement, fill_gains, hand_kinds


@kernel
def points_best_lowest(state, seat):
    return best_placement(state, seat, POINTS_WORTH, best_tiles(state, seat))


@kernel
def soft_best_lowest(state, seat, weights):
    return best_placement(state, seat, weights.worth, best_tiles(state, seat))


# --- the report's choice of tiles (2.1.2)


@kernel
def best_tiles(state, seat):
    """The kinds to choose from: doubles of a lowest colour, else tiles that show one, else the first in the hand."""
    side = side_of(state, seat)
    kinds = hand_kinds(state, seat)
    lowest = lowest_kinds(state, side)
    doubles = 0
    for colour in range(N_COLOURS):
        tile = multisets.single(colour, FIELDS)
        if kinds & tile and lowest_double(state, side, colour):
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


@kernel
def keep_lowest(state, actions, n):
    """Only placements of the tiles that the report would choose from."""
    if actions[0] >= KEEP:
        return n
    kinds = best_tiles(state, state.seat)
    kept = 0
    for i in range(n):
        if multisets.held(kinds, KIND_OF[actions[i] // SPAN], FIELDS):
            actions[kept] = actions[i]
            kept += 1
    return kept


# --- policies


@kernel
def report_random(state, rng, out):
    """Any tile of the hand, at the first place where it fits."""
    if state.phase == ASK:
        return SWAP
    hand = state.hand[state.seat]
    kind = nth_tile(hand, draw(rng, size_of(hand)))
    word = 0
    while allowed(state, word) == 0:
        word += 1
    return first_oriented(kind) * SPAN + 64 * word + lowest_bit(allowed(state, word))


@kernel
def most_points(state, kinds, rng):
    """Of all placements of these kinds the first with the most points; where none has any, one by lot."""
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    fill_gains(state, gains)
    best = -1
    best_points = 0
    left_kinds = kinds
    n = 0
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
    free = 0
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
    return -1


@kernel
def maximise_points(state, rng, out):
    """The report's point maximisation (2.1.1): a tile by lot, then the place where its lower colour has most points.

    The tile's other half decides between equals; its lower colour is the one in which the seat has less.
    """
    if state.phase == ASK:
        return SWAP
    hand = state.hand[state.seat]
    kind = nth_tile(hand, draw(rng, size_of(hand)))
    side = side_of(state, state.seat)
    way = first_oriented(kind)
    first, second = COLOUR_1[way], COLOUR_2[way]
    weight_1 = 64 if state.points[side, first] <= state.points[side, second] else 1
    weight_2 = 65 - weight_1
    best = -1
    best_points = 0
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
    tile = multisets.single(kind, FIELDS)
    free = 0
    for word in range(state.words):
        free += popcount(allowed(state, word))
    return nth_placement(state, tile, draw(rng, free * (1 if kind < 6 else 2)))


@kernel
def greedy_policy(state, rng, out):
    """The report's greedy player (2.3): the placement with most points of the tiles that 2.1.2 puts first."""
    if state.phase == ASK:
        return SWAP
    return most_points(state, best_tiles(state, state.seat), rng)
