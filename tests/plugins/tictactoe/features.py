"""Tic-tac-toe as numbers: how a line stands, and the cells."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel

from .rules import LINES

N_LINES = 6


@kernel
def write_lines(state, seat, out):
    """Open lines with one, two and three stones of the seat, then of its rival, each divided by 8."""
    for i in range(N_LINES):
        out[i] = 0.0
    mine, theirs = np.int64(state.stones[seat]), np.int64(state.stones[1 - seat])
    for line in LINES:
        if theirs & line == 0 and mine & line:
            out[popcount(mine & line) - 1] += 0.125
        if mine & line == 0 and theirs & line:
            out[2 + popcount(theirs & line)] += 0.125
    return N_LINES


@kernel
def write_cells(state, seat, out):
    """A feature for each cell: free, the seat's own, the rival's."""
    for cell in range(9):
        mine, theirs = (state.stones[seat] >> cell) & 1, (state.stones[1 - seat] >> cell) & 1
        out[cell] = 3 * cell + mine + 2 * theirs
    return 9


@kernel
def write_move(state, action, out):
    """A feature for each cell: the stone goes there."""
    out[0] = action
    return 1


@kernel
def write_board(state, seat, out):
    """Two planes: the seat's stones and its rival's."""
    for cell in range(9):
        out[cell] = 1.0 * ((np.int64(state.stones[seat]) >> cell) & 1)
        out[9 + cell] = 1.0 * ((np.int64(state.stones[1 - seat]) >> cell) & 1)
    return 18


FEATURES = {
    "lines": FeatureSet("dense", write_lines, N_LINES, "open lines by their stones"),
    "cells": FeatureSet("sparse", write_cells, 27, "each cell", most=9),
    "board": FeatureSet("planes", write_board, 18, "a plane for the stones of each", shape=(2, 3, 3)),
}
ACTION_FEATURES = {"places": FeatureSet("sparse", write_move, 9, "the cell", most=1)}
