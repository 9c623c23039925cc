"""Laws of what a seat may not know: redeals, views, what is seen of an event, worlds and their weights."""

from __future__ import annotations

import math

import numpy as np

from meeple.core.conformance.law import NOT_HERE, law, who
from meeple.core.conformance.probe import Probe, differing_fields
from meeple.core.conformance.worlds import world_bytes
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.game import State
from meeple.core.paint import ansi


@law("redeal", "state", "redeal(redeal(w, seat, r1), seat, r2) == redeal(w, seat, r2), byte for byte and draw for draw")
def redeal_law(probe: Probe) -> str:
    for seat in probe.seats:
        one, (once, other) = probe.stream(f"again-{seat}"), probe.other_redeals[seat]
        twice = probe.redeals[seat].redealt(seat, one)
        if twice != once:
            fields = differing_fields(twice.array, once.array)
            return f"after a redeal for {who(seat)}, {fields} still tells of the true world"
        if one.array[0] != other.array[0]:
            return f"the redeal for {who(seat)} draws more or less often, by what the seat cannot know"
    return ""


@law("same-key", "close", "the key of what a seat knows is the same in every world that it cannot tell apart")
def key_law(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        if world.key(seat) != probe.state.key(seat):
            return f"{who(seat)} has another key in a world that it cannot tell from this one"
    return ""


@law("redeal-check", "state", "a redealt world keeps the game's invariants", slow_interpreted=True)
def redeal_keeps_check(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        broken = int(probe.game.face.check_at(world.array, 0))
        if broken:
            return f"the redeal for {who(seat)} breaks: {probe.game.check_name(broken)}"
    return ""


@law("view", "close", "what a seat is shown or told is the same in every world it cannot tell apart")
def view_law(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        if world.text(seat) != probe.state.text(seat):
            return f"{who(seat)} reads '{probe.state.text(seat)}' here and '{world.text(seat)}' in a redealt world"
        if world.board(seat, ansi) != probe.state.board(seat, ansi):
            return f"the board drawn for {who(seat)} differs in a redealt world"
        has_secret = probe.game.definition.picture is not None and world != probe.state
        if has_secret and world.picture(seat) != probe.state.picture(seat):
            return f"the picture drawn for {who(seat)} differs in a redealt world"
        for other in range(probe.game.seats):
            if world.score(other) != probe.state.score(other):
                return f"the score of seat {other} tells {who(seat)} what it may not know"
        if world.round_index != probe.state.round_index:
            return f"the round tells {who(seat)} what it may not know"
        if world.is_over and world.ranks() != probe.state.ranks():
            return f"the final places differ in the world redealt for {who(seat)}"
        if (
            probe.mover != NOBODY
            and world.to_move == probe.mover
            and world.seen(probe.code, seat) != probe.state.seen(probe.code, seat)
        ):
            return f"whether {who(seat)} sees code {probe.code} depends on what it may not know"
    return ""


@law("speech-secret", "close", "what is told of an event is the same in every world that the hearer cannot tell apart")
def speech_keeps_secrets(probe: Probe) -> str:
    if probe.code < 0 or probe.game.definition.speech is None:
        return NOT_HERE
    for seat, world in probe.redeals.items():
        if world.to_move != probe.mover:
            continue  # the offer law says so
        is_mover = seat == probe.mover
        for code in probe.some(probe.offer(), "speech") if is_mover else [probe.code]:
            is_seen = probe.state.seen(code, seat) != HIDDEN
            here, there = (_said(state, code, is_seen=is_seen) for state in (probe.state, world))
            if here != there:
                return f"{who(seat)} hears '{here}' here and '{there}' in a redealt world"
            here, there = (state.move_text(code) if is_seen else "" for state in (probe.state, world))
            if here != there:
                return f"{who(seat)} reads '{here}' here and '{there}' in a redealt world"
        if probe.mover == CHANCE and world.heading() != probe.state.heading():
            return f"the heading '{probe.state.heading()}' tells {who(seat)} what it may not know"
    return ""


def _said(state: State, code: int, *, is_seen: bool) -> str:
    """What is said of an event to a seat that sees it, or does not; nothing is said of outcomes that are not seen."""
    if is_seen:
        return state.spoken(code).text
    return "" if state.to_move == CHANCE else state.unseen().text


@law("offer", "state", "to_move is the same for every seat's redealt world, and so is the mover's list")
def offer_law(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        if world.to_move != probe.mover:
            return f"to_move is {probe.mover}, and {world.to_move} in the world redealt for {who(seat)}"
    if probe.mover < 0:
        return ""
    offered = probe.redeals[probe.mover].legal_actions()
    return (
        ""
        if np.array_equal(offered, probe.legal)
        else f"seat {probe.mover} is offered another list in its redealt world"
    )


@law("facts", "state", "a game that declares nothing hidden has nothing but its fate to redeal")
def facts_hold(probe: Probe) -> str:
    if probe.game.facts.hidden:
        return NOT_HERE
    for seat, world in probe.redeals.items():
        if world_bytes(world) != world_bytes(probe.state):
            fields = differing_fields(world.array, probe.state.array)
            return f"redeal for {who(seat)} changes {fields}, and the facts say nothing is hidden"
    return ""


@law("seen", "state", "an event is seen as itself or as HIDDEN, and a seat sees its own moves")
def seen_valid(probe: Probe) -> str:
    if probe.mover == NOBODY:
        return NOT_HERE
    for code in probe.some(probe.offer(), "seen"):
        for seat in probe.seats:
            sight = probe.state.seen(code, seat)
            if sight not in (code, HIDDEN):
                return f"{who(seat)} sees code {code} as {sight}"
            if seat == probe.mover and sight != code:
                return f"seat {seat} does not see its own move {code}"
            if sight == HIDDEN and not probe.game.facts.hidden:
                return f"{who(seat)} does not see code {code}, and the facts say nothing is hidden"
    return ""


@law("fresh-fate", "state", "a redeal draws a fate of its own in a game with chance")
def fate_is_redrawn(probe: Probe) -> str:
    if not probe.game.facts.chance:
        return NOT_HERE
    for seat, world in probe.redeals.items():
        other, _ = probe.other_redeals[seat]
        if world.record.fate in (probe.state.record.fate, other.record.fate):
            return f"the redeal for {who(seat)} leaves the fate to be known"
    return ""


@law("no-trace", "state", "from every world that fits what a seat saw, a redeal leads to the same bytes")
def no_trace(probe: Probe) -> str:
    """Stronger than the redeal law, which a secret that is never redealt would pass."""
    seat, worlds = probe.countable_worlds
    if not worlds:
        return NOT_HERE
    here = probe.state.redealt(seat, probe.stream("trace"))
    for array in list(worlds)[:: max(1, len(worlds) // 8)]:
        there = probe.game.from_bytes(array).redealt(seat, probe.stream("trace"))
        if there != here:
            return (
                f"a redeal for {who(seat)} keeps {differing_fields(there.array, here.array)} of the world it came from"
            )
    return ""


@law("worlds", "state", "each world that fits what a seat saw comes up as often as chance alone makes it")
def worlds_law(probe: Probe) -> str:
    """Exact weights against 1,000 redeals, by chi-square at six sigma: one seed in 1e9 fails by chance."""
    seat, expected = probe.countable_worlds
    if not expected:
        return NOT_HERE
    rng, n = probe.stream("worlds-redeal"), 1_000
    counts: dict[bytes, int] = {}
    for _ in range(n):
        key = world_bytes(probe.state.redealt(seat, rng))
        counts[key] = counts.get(key, 0) + 1
        if key not in expected:
            return f"the redeal for {who(seat)} gives a world that does not fit what it saw"
    return _chi_square({key: share * n for key, share in expected.items()}, counts, seat)


@law("count-worlds", "state", "count_worlds is the number of worlds that fit what a seat saw")
def worlds_counted(probe: Probe) -> str:
    seat, worlds = probe.countable_worlds
    if not worlds or not hasattr(probe.game.definition.rules, "count_worlds"):
        return NOT_HERE
    found = probe.state.counted_worlds(seat)
    return "" if found in (None, len(worlds)) else f"count_worlds for {who(seat)} is {found}; {len(worlds)} fit"


@law(
    "reveal",
    "state",
    "reveal makes an event possible that a seat is about to see, and changes nothing that the seat knows",
    slow_interpreted=True,
)
def reveal_fits(probe: Probe) -> str:
    """From the true world and from a redealt one: both must lead to the same bytes."""
    if probe.code < 0 or not _may_reveal(probe):
        return NOT_HERE
    for seat, world in probe.redeals.items():
        if probe.state.seen(probe.code, seat) == HIDDEN:
            continue
        here, there = (each.revealed(seat, probe.code, probe.stream("reveal")) for each in (probe.state, world))
        if here != there:
            fields = differing_fields(there.array, here.array)
            return f"what is revealed to {who(seat)} depends in {fields} on what it may not know"
        broken = int(probe.game.face.check_at(here.array, 0))
        if broken:
            return f"what is revealed to {who(seat)} breaks: {probe.game.check_name(broken)}"
        if here.redealt(seat, probe.stream("revealed")) != world.redealt(seat, probe.stream("revealed")):
            return f"what is revealed to {who(seat)} is no world that it could be in"
    return ""


@law("reveal-weights", "state", "after a revealed event each world comes up as often as chance alone makes it")
def reveal_weights(probe: Probe) -> str:
    """As `worlds`, of the worlds after the event that the seat has seen."""
    seat, expected = probe.countable_after
    if not expected:
        return NOT_HERE
    assert probe.after is not None
    rng, look, counts = probe.stream("reveal-weights"), probe.after.text(seat), dict[bytes, int]()
    for _ in range(1_000):
        world = probe.state.revealed(seat, probe.code, rng).after(probe.code)
        key = world_bytes(world)
        # An event may show more than itself, a card that is turned, say: worlds in which it shows another are left out.
        if key not in counts and world.text(seat) != look:
            continue
        counts[key] = counts.get(key, 0) + 1
        if key not in expected:
            return f"after a move revealed to {who(seat)} there is a world that does not fit what it saw"
    n = sum(counts.values())
    return _chi_square({key: share * n for key, share in expected.items()}, counts, seat)


def _may_reveal(probe: Probe) -> bool:
    """Where nothing but the fate is hidden, every event can happen in every world, and few states are looked at."""
    return probe.game.facts.hidden or probe.stream("reveal-some").below(8) == 0


def _chi_square(expected: dict[bytes, float], counts: dict[bytes, int], seat: int) -> str:
    # Worlds expected fewer than five times are put together, as usual.
    pairs = [(share, counts.get(key, 0)) for key, share in expected.items() if share >= 5]
    rare = [(share, counts.get(key, 0)) for key, share in expected.items() if share < 5]
    if rare:
        pairs.append((sum(share for share, _ in rare), sum(count for _, count in rare)))
    freedom = len(pairs) - 1
    if freedom == 0:
        return ""
    statistic = sum((count - share) ** 2 / share for share, count in pairs)
    bound = freedom * (1 - 2 / (9 * freedom) + 6 * math.sqrt(2 / (9 * freedom))) ** 3  # Wilson and Hilferty
    if statistic <= bound:
        return ""
    figures = f"chi-square {statistic:.0f} on {freedom}, at most {bound:.0f}"
    return f"the worlds redealt for {who(seat)} have the wrong weights: {figures}"
