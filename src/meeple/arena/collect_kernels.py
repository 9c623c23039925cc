"""Whole matches between compiled agents, kept as a row for each decision; see collect.py."""

from __future__ import annotations

import numpy as np

from meeple.arena.inside import decide
from meeple.core.chance import FATES, OPENINGS, word_of
from meeple.core.contract import (
    CHANCE,
    NOBODY,
    OUTCOMES,
    apply,
    choose,
    is_legal,
    new_game,
    outcome,
    ranks,
    redeal,
    score,
    to_move,
    win_shares,
)
from meeple.core.kernel import kernel

ALL = 0  # why `gather` came back: all matches were played; or there was no room for more rows; or an answer was illegal
FULL = 1
NOT_OFFERED = 2


@kernel
def gather(states, seeds, first, kinds, blind, families, options, openings, out, rows, ends, used, given):
    """Play the matches of seeds[first:] and append a row to `rows` for each decision; see `collect.gather`.

    Returns (why it came back, the match that is not played yet, the rows in use before it).
    """
    seats = np.int64(len(kinds))
    weights = np.empty(max(1, OUTCOMES), np.int64)
    rng = np.empty(1, np.uint64)
    words = np.empty((seats, 2), np.uint64)
    for i in range(first, len(seeds)):
        # The same words as in inside.py, so that these are the matches of a tournament with these seeds.
        new_game(states[0], seats, options, np.int64(word_of(FATES, seeds[i]) >> np.uint64(1)))
        rng[0] = word_of(OPENINGS, seeds[i])
        for _ in range(openings):
            apply(states[0], choose(states[0], rng, out))
        for seat in range(seats):
            for purpose in range(2):
                words[seat, purpose] = word_of(families[seat, purpose], seeds[i])
        end = play_one(states, i, kinds, blind, words, rng, weights, out, rows, used, given)
        if end < 0:
            return -end, i, used
        ends.plies[i] = end - used
        used = end
        win_shares(states[0], seats, ends.shares[i])
        ranks(states[0], ends.ranks[i])
        for seat in range(seats):
            ends.scores[i, seat] = score(states[0], seat)
    return ALL, np.int64(len(seeds)), used


@kernel
def play_one(states, i, kinds, blind, words, rng, weights, out, rows, used, given):
    """Play states[0] to its end; return the rows in use after it, or -FULL or -NOT_OFFERED."""
    row = used
    while True:
        mover = to_move(states[0])
        if mover == NOBODY:
            return row
        if mover == CHANCE:
            apply(states[0], outcome(states[0], weights))
            continue
        if row == len(rows.actions):
            return -FULL
        ply = row - used
        if blind[mover]:  # it looks at the list of moves alone, which is the same in all worlds of its seat
            rng[0] = word_of(words[mover, 0], ply)
            action = decide(kinds[mover], states[0], rng, out, given)
        else:
            states[1] = states[0]
            rng[0] = word_of(words[mover, 1], ply)
            redeal(states[1], mover, rng)
            rng[0] = word_of(words[mover, 0], ply)
            action = decide(kinds[mover], states[1], rng, out, given)
            if not is_legal(states[0], action):
                return -NOT_OFFERED
        rows.states[row] = states[0]
        rows.movers[row] = mover
        rows.actions[row] = action
        rows.games[row] = i
        row += 1
        apply(states[0], action)
