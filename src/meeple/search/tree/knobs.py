"""Numbers that the compiled loop reads from an array, so that other ones need no compile; and places in `states`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from meeple.search.tree.settings import AT_ONCE, MctsConfig

ROOT_STATE, WORLD, TRIED, REPLY = range(4)  # places in `states`: from TRIED on they are for looking ahead
(
    C,  # exploration constant
    FIRST_PLAY,  # value of a move never tried; infinite: those first
    WIDENING,  # w: a node of n visits tries at most w * sqrt(n) moves; 0: all
    ROLLOUTS,  # playouts of a leaf
    LOG_ROLLOUTS,  # their logarithm
    CUTOFF,  # one more than the moves after which the evaluation ends a playout; 0: never
    PRIOR_VISITS,  # visits that a new move starts with
    PROBE_VISITS,  # visits at which a node is probed
    IMPLICIT_WEIGHT,  # of the minimax of evaluations
    EPSILON,  # share of random moves in playouts by habit
    SHARPNESS,  # of priors from values (puct)
) = range(11)


def knobs_of(config: MctsConfig) -> NDArray[np.float64]:
    """The numbers of some settings."""
    knobs = {
        C: config.c,
        FIRST_PLAY: config.first_play,
        WIDENING: config.widening,
        ROLLOUTS: config.rollouts,
        LOG_ROLLOUTS: math.log(config.rollouts),
        CUTOFF: 1 if config.playout == AT_ONCE else config.cutoff + 1 if config.cutoff else 0,
        PRIOR_VISITS: config.prior_visits,
        PROBE_VISITS: config.probe_visits,
        IMPLICIT_WEIGHT: config.implicit,
        EPSILON: config.epsilon,
        SHARPNESS: config.sharpness,
    }
    return np.array([knobs[place] for place in range(len(knobs))], dtype=np.float64)
