"""All worlds that a seat cannot tell from the true one, with the weight that chance alone gives each.

The match is walked again from its start. Where the seat saw an event, the same event happens in every
world; where it saw nothing, chance branches over all outcomes that look the same, by their weights, and a
hidden choice branches evenly over all that it could have been. What is left must look the same at the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from meeple.core.contract import CHANCE, HIDDEN
from meeple.core.game import State, copied
from meeple.errors import MeepleError


class TooManyWorlds(MeepleError):
    """More branches than allowed: the worlds of this state are not counted."""


def world_bytes(state: State) -> bytes:
    """A world without its fate."""
    array = copied(state.array)
    if "fate" in (array.dtype.names or ()):
        array["fate"] = 0
    return bytes(array.tobytes())


def possible_worlds(
    start: State, history: list[tuple[State, int]], now: State, seat: int, most: int
) -> dict[bytes, float]:
    """The probability of each world that fits what `seat` saw from `start` to `now`.

    Raises:
        TooManyWorlds: more than `most` branches.
    """
    worlds: dict[bytes, tuple[State, float]] = {world_bytes(start): (start, 1.0)}
    for before, code in history:
        sight = before.seen(code, seat)
        spread: dict[bytes, tuple[State, float]] = {}
        for world, weight in worlds.values():
            for after, share in _branches(world, before.to_move, sight, seat):
                key = world_bytes(after)
                spread[key] = (after, weight * share + (spread[key][1] if key in spread else 0.0))
                if len(spread) > most:
                    raise TooManyWorlds(f"more than {most} worlds")
        worlds = spread
    look = now.text(seat)
    fitting = {key: weight for key, (world, weight) in worlds.items() if world.text(seat) == look}
    total = sum(fitting.values())
    return {key: weight / total for key, weight in fitting.items()}


def _branches(world: State, mover: int, sight: int, seat: int) -> Iterator[tuple[State, float]]:
    if world.to_move != mover:
        return
    if mover == CHANCE:
        weights = world.outcomes()
        total = sum(weights.values())
        for code, weight in weights.items():
            if world.seen(code, seat) == sight:
                yield world.after(code), weight / total
        return
    offer = [int(action) for action in world.legal_actions() if world.seen(int(action), seat) == sight]
    share = 1.0 / len(offer) if sight == HIDDEN and offer else 1.0
    for action in offer:
        yield world.after(action), share
