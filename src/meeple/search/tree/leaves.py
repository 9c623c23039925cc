"""Leaf parallelism: one thread walks the tree, and helpers play out the same leaf as it does."""

from __future__ import annotations

from meeple.core.atomic import read_word, write_word
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.crew import SERVED, TICKET
from meeple.search.tree.habits import no_credit as credit
from meeple.search.tree.knobs import WORLD
from meeple.search.tree.playouts import simulate_once as simulate_alone


@kernel
def share_leaf(scratch, depth, knobs, crew):
    """Put the leaf on offer, play it out here too, and add up what all have found; return how many samples they are."""
    n_helpers = len(crew.shares)
    shares, worth = scratch.shares, scratch.worth
    crew.leaves[0] = scratch.states[WORLD]
    ticket = read_word(crew.post, TICKET) + 1
    write_word(crew.post, TICKET, ticket)
    samples = simulate_alone(scratch, depth, knobs, crew) * (1 + n_helpers)
    for helper in range(n_helpers):
        while read_word(crew.post, SERVED + helper) != ticket:
            pass
        for seat in range(len(shares)):
            shares[seat] += crew.shares[helper, 0, seat]
            worth[seat] += crew.shares[helper, 1, seat]
    # Only now, since the helpers read habits: the moves in the tree, by the mean of all playouts.
    for seat in range(len(shares)):
        scratch.sums[0, seat] = worth[seat] / samples
    credit(scratch.habits, depth, scratch.sums[0])
    return samples


@kernel
def serve_leaves(scratch, helper, knobs, crew):
    """Play out each leaf that is put on offer, until a negative ticket says that it is over."""
    served = read_word(crew.post, SERVED + helper)
    while True:
        ticket = read_word(crew.post, TICKET)
        if ticket < 0:
            return
        if ticket != served:
            scratch.states[WORLD] = crew.leaves[0]
            simulate_alone(scratch, 0, knobs, crew)
            for seat in range(len(scratch.shares)):
                crew.shares[helper, 0, seat] = scratch.shares[seat]
                crew.shares[helper, 1, seat] = scratch.worth[seat]
            served = ticket
            write_word(crew.post, SERVED + helper, ticket)
