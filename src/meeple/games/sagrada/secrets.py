"""What the seats of Sagrada do not know: private colours, and windows chosen until all have."""

from __future__ import annotations

from meeple.core.bits import nth_bit, popcount
from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.sagrada.board import N_COLOURS
from meeple.games.sagrada.dealing import pattern_of
from meeple.games.sagrada.layout import CHOOSE, DEAL_COLOURS, OVER


@kernel
def deal_colours(state, seat, wanted, rng):
    """Deal the private colours of others anew; the next seat's is `wanted`, unless that is NONE."""
    dealt = hidden_colours(state)
    if dealt == 0:
        return
    left = (1 << N_COLOURS) - 1
    next_seat = -1
    if 0 <= seat < dealt:
        left &= ~(1 << state.private[seat])
    if wanted >= 0:
        next_seat = neighbour(state, seat)
        left &= ~(1 << wanted)
        state.private[next_seat] = wanted
    for owner in range(dealt):
        if owner != seat and owner != next_seat:
            colour = nth_bit(left, draw(rng, popcount(left)))
            left &= ~(1 << colour)
            state.private[owner] = colour


@kernel
def hidden_colours(state):
    """How many private colours are dealt and hidden: none before the deal, in the solo game, and at the end."""
    if state.seats == 1 or state.phase == OVER or state.phase < DEAL_COLOURS:
        return 0
    return state.turn if state.phase == DEAL_COLOURS else state.seats


@kernel
def neighbour(state, seat):
    """The seat whose colour tells worlds apart: the next one; for a spectator the first."""
    return (seat + 1) % state.seats if seat >= 0 else 0


@kernel
def deal_choices(state, seat, rng):
    """While windows are chosen: let the others have chosen any of what they were offered."""
    if state.phase != CHOOSE:
        return
    for owner in range(state.turn):
        if owner != seat:
            state.window[owner] = pattern_of(state, state.offer[owner, draw(rng, 4)])
