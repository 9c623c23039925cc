"""Laws of events and whole matches: apply, rounds, the end, places, records, compiled against interpreted."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from meeple.core.conformance.law import NOT_HERE, law
from meeple.core.conformance.probe import Probe, differing_fields
from meeple.core.conformance.trace import BROKE, Answers, difference
from meeple.core.contract import NOBODY
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.errors import brief

RECORDED = 5  # of so many matches of a variant one is written as a record and replayed: every move is read again


class Traces(NamedTuple):
    """A match as digests, played compiled and interpreted, and how to ask both for their answers at an event."""

    compiled: list[str]
    interpreted: list[str]
    answers_at: Callable[[int], tuple[Answers, Answers]]


@law("apply-alone", "event", "apply changes its own state only, and copies played alike stay alike")
def apply_alone(probe: Probe) -> str:
    assert probe.after is not None
    row = probe.game.buffer(3)
    row.view(np.uint8)[:] = 0x33
    row[1] = probe.state.array[0]
    beside = row[0].tobytes() + row[2].tobytes()
    old = probe.state.to_bytes()
    probe.game.face.apply_at(row, 1, probe.code)
    if row[0].tobytes() + row[2].tobytes() != beside:
        return "apply writes outside its state"
    if probe.state.to_bytes() != old:
        return "apply changed an old copy"
    if row[1].tobytes() != probe.after.to_bytes():
        return f"two copies part: {differing_fields(row[1:2], probe.after.array)}"
    return ""


@law("rounds", "event", "round_index starts at 0 and never falls")
def rounds_rise(probe: Probe) -> str:
    assert probe.after is not None
    if probe.number == 0 and probe.state.round_index != 0:
        return f"round_index starts at {probe.state.round_index}"
    before, now = probe.state.round_index, probe.after.round_index
    return "" if now >= before else f"round_index falls from {before} to {now}"


@law("plays", "match", "a match can be played: no function of the rules raises")
def match_plays(fault: BaseException | None) -> str:
    return f"the match broke off: {brief(fault)}" if fault else ""


@law("ends", "match", "a match ends, within as many events as the facts say")
def match_ends(probe: Probe) -> str:
    return (
        ""
        if probe.mover == NOBODY
        else f"no end after {probe.number} events; the facts say at most {probe.game.facts.longest}"
    )


@law("ranks", "end", "ranks are places: 1 is best, equals share one, and the next place counts them")
def ranks_valid(probe: Probe) -> str:
    places = probe.state.ranks()
    proper = [1 + sum(other < place for other in places) for place in places]
    return "" if places == proper else f"ranks are {places}; as places they would be {proper}"


@law("returns", "end", "win shares are in 0..1 and add up to one victory, a team counting once")
def returns_valid(probe: Probe) -> str:
    shares = probe.state.win_shares()
    if not all(0 <= share <= 1 for share in shares):
        return f"win shares are {shares}"
    has_teams = hasattr(probe.game.definition.rules, "team")
    if has_teams or probe.game.seats == 1:
        return ""
    return "" if abs(sum(shares) - 1) < 1e-9 else f"win shares {shares} do not add up to 1"


@law("same-seed", "end", "the same moves from the same seed lead to the same bytes again")
def same_seed(probe: Probe) -> str:
    state = probe.game.new(seed=probe.seed)
    for number, (before, code) in enumerate(probe.history):
        if state != before:
            return f"played again, event {number} finds another {differing_fields(state.array, before.array)}"
        state = state.after(code)
    return (
        ""
        if state == probe.state
        else f"played again, the end differs in {differing_fields(state.array, probe.state.array)}"
    )


@law("record", "end", "a record is written, read and replayed to the same bytes")
def record_round_trip(probe: Probe) -> str:
    if probe.match % RECORDED > 0:
        return NOT_HERE
    match = Match(probe.game, seed=probe.seed, manual_chance=True)
    for _, code in probe.history:
        match.play(code)
    text = match.record(["a", "b"]).text()
    again = Match.from_record(parse_record(text), trust=True)
    if again.record(["a", "b"]).text() != text:
        return "a record read and written again is another"
    return (
        ""
        if again.state == probe.state
        else f"the replay ends with another {differing_fields(again.state.array, probe.state.array)}"
    )


@law("compiled", "process", "compiled and interpreted, the rules say the same")
def compiled_equals_interpreted(traces: Traces) -> str:
    for event, (compiled, interpreted) in enumerate(zip_longest(traces.compiled, traces.interpreted, fillvalue="")):
        if compiled.startswith(BROKE):
            return f"compiled, the rules break at event {event}: {compiled.removeprefix(BROKE)}"
        if compiled != interpreted:
            return f"the match parts at event {event}: {difference(*traces.answers_at(event))}"
    return ""
