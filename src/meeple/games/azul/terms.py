"""Azul: what its evaluations are made of, in plain words (core/terms.py). All in points of the game."""

from __future__ import annotations

import math

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.core.terms import OTHERS, OWN, Terms
from meeple.games.azul import layout
from meeple.games.azul.heuristics import (
    Outlook,
    Paper,
    begun_chance,
    begun_column,
    cell_chance,
    fullest_row,
    has_colour,
    line_column,
    line_points,
    may_be_last,
    outlook_side,
    paper_side,
    starter,
)
from meeple.games.azul.wall import bonus, full_rows, tile_points

# --- ours

POINTS, FULL_LINES, FLOOR, STARTING, BEGUN, FREE, COLUMNS, COLOURS, ROWS = range(9)
OUTLOOK_NAMES = (
    "the score so far",
    "full pattern lines",
    "a clean floor",
    "starting the next round",
    "lines under way",
    "free cells beside tiles",
    "whole columns",
    "whole colours",
    "whole rows",
)


@kernel
def outlook_terms(state, seat, out, weights):
    """The terms of `outlook_value`: the seat's, and those of its best rival."""
    longest = 0
    for other in range(state.seats):
        longest = max(longest, fullest_row(state, other))
    best, rival = -np.inf, -1
    for other in range(state.seats):
        if other != seat:
            value = outlook_side(state, other, longest, weights)
            if value > best:
                best, rival = value, other
    add_outlook(state, seat, longest, out, OWN, 1.0, weights)
    add_outlook(state, rival, longest, out, OTHERS, -1.0, weights)


@kernel
def add_outlook(state, seat, longest, out, row, sign, weights):
    """Add the terms of `outlook_side`, with a sign."""
    wall = state.wall[seat]
    floor = state.floor[seat]
    made = 0
    for line in range(layout.N_LINES):
        if state.held[seat, line] == line + 1:
            column = line_column(state, seat, wall, line)
            if column >= 0:
                wall |= 1 << (5 * line + column)
                made += tile_points(wall, line, column)
            else:
                floor += line + 1
    points = state.points[seat]
    penalty = min(points + made, layout.PENALTY[min(layout.FLOOR_SLOTS, floor)])  # a score never falls below 0
    out[row, POINTS] += sign * points
    out[row, FULL_LINES] += sign * made
    out[row, FLOOR] -= sign * penalty
    if starter(state) == seat and longest < 5:
        out[row, STARTING] += sign * weights.starting
    rounds = float(5 - longest) + 0.5 * float(state.left) / layout.tiles_a_round(state)
    for line in range(5):
        chance = cell_chance(state, seat, wall, rounds, line, weights)
        begun = begun_chance(state, seat, rounds, line, weights)
        target = begun_column(state, seat, wall, line)
        cells = layout.ROW & ~(wall >> (5 * line))
        while cells:
            column = lowest_bit(cells)
            cells &= cells - 1
            worth = tile_points(wall | (1 << (5 * line + column)), line, column)
            if column == target:
                out[row, BEGUN] += sign * weights.begun_share * begun * worth
            else:
                out[row, FREE] += sign * weights.cell_share * chance * worth
    for place in range(5):
        column_chance, colour_chance = 1.0, 1.0
        for line in range(5):
            chance = cell_chance(state, seat, wall, rounds, line, weights)
            begun = begun_chance(state, seat, rounds, line, weights)
            target = begun_column(state, seat, wall, line)
            if (wall >> (5 * line + place)) & 1 == 0:
                column_chance *= begun if place == target else chance
            if not has_colour(state, seat, wall, line, place):
                is_begun = target >= 0 and state.colour[seat, line] == place
                colour_chance *= begun if is_begun else chance
        out[row, COLUMNS] += sign * weights.column_share * layout.COLUMN_BONUS * column_chance
        out[row, COLOURS] += sign * weights.colour_share * layout.COLOUR_BONUS * colour_chance
    out[row, ROWS] += sign * layout.ROW_BONUS * popcount(full_rows(wall))


def outlook_squash(total: float, weights: Outlook) -> float:
    """A lead in points as expected returns."""
    return 0.95 * math.tanh(total * weights.scale)


# --- the thesis

PAPER_POINTS, PAPER_LINES, PAPER_BONUS, PAPER_FLOOR, PAPER_MARKER = range(5)
PAPER_NAMES = ("the score so far", "pattern lines", "rows, columns and colours", "a clean floor", "starting")


@kernel
def paper_terms(state, seat, out, weights):
    """The terms of `paper_value`: the seat's, and those of its best rival."""
    is_last = may_be_last(state)
    best, rival = -np.inf, -1
    for other in range(state.seats):
        if other != seat:
            value = paper_side(state, other, is_last, weights)
            if value > best:
                best, rival = value, other
    add_paper(state, seat, is_last, out, OWN, 1.0, weights)
    add_paper(state, rival, is_last, out, OTHERS, -1.0, weights)


@kernel
def add_paper(state, seat, is_last, out, row, sign, weights):
    """Add the terms of `paper_side`, with a sign."""
    out[row, PAPER_POINTS] += sign * state.points[seat]
    for line in range(layout.N_LINES):
        held = state.held[seat, line]
        if held == 0 or (is_last and held <= line):
            continue
        out[row, PAPER_LINES] += sign * held / (line + 1) * line_points(state, seat, line, state.colour[seat, line])
    out[row, PAPER_BONUS] += sign * bonus(state, seat)
    out[row, PAPER_FLOOR] -= sign * layout.PENALTY[state.floor[seat]]
    if not is_last and starter(state) == seat:
        out[row, PAPER_MARKER] += sign * weights.starter


def paper_squash(total: float, weights: Paper) -> float:
    """The lead in points, brought to the evaluation's range."""
    return min(0.9, max(-0.9, total * weights.scale))


def in_points(weights: Outlook | Paper) -> tuple[float, float]:
    """All terms are in points."""
    return 1.0, 1.0


TERMS = {
    "outlook": Terms(OUTLOOK_NAMES, outlook_terms, outlook_squash, in_points),
    "paper": Terms(PAPER_NAMES, paper_terms, paper_squash, in_points),
}
