"""Laws of the rules' answers: the folder's parts, whose turn it is, what is on offer, what chance may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from meeple.core.conformance.law import NOT_HERE, law
from meeple.core.conformance.probe import UNTOUCHED, Probe, differing_fields, not_whole
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.definition import PADDING, Definition, layout_faults, missing_parts
from meeple.core.game import copied
from meeple.core.ranges import outside


@law("contract", "static", "the rules, the notation and the view have every part that the contract names")
def contract_whole(definition: Definition) -> str:
    return "; ".join(missing_parts(definition))


@law("layout", "static", "a state is a record of signed integers, no field has a name of np.record's own")
def layout_sound(definition: Definition) -> str:
    return "; ".join(layout_faults(getattr(definition.rules, "STATE", None), has_chance=definition.facts.chance))


@law("new-game", "state", "new_game writes every field, whatever the state held before")
def new_game_writes_all(probe: Probe) -> str:
    if probe.number > 0:
        return NOT_HERE
    dirty = probe.game.buffer(1)
    dirty.view(np.uint8)[:] = 0x55
    clean = probe.game.buffer(1)
    if PADDING in (dirty.dtype.names or ()):
        dirty[PADDING] = 0  # core's own, not the game's to write
    for array in (dirty, clean):
        probe.game.face.new_game_at(array, 0, probe.game.seats, probe.game.option_codes, 12345)
    return "" if dirty.tobytes() == clean.tobytes() else f"new_game leaves {differing_fields(dirty, clean)} as it was"


@law("mover", "state", "to_move is a seat, CHANCE in a game that declares chance, or NOBODY")
def mover_valid(probe: Probe) -> str:
    if probe.mover == CHANCE and not probe.game.facts.chance:
        return "to_move is CHANCE, and the facts say there is no chance"
    if probe.mover not in (CHANCE, NOBODY, *range(probe.game.seats)):
        return f"to_move is {probe.mover} at a table of {probe.game.seats}"
    return ""


@law("whole", "state", "to_move, legal_actions, chance_key, score and round_index answer whole numbers")
def answers_are_whole(probe: Probe) -> str:
    # Python rounds a float towards zero without a word, and a search then plays by another number than the page shows.
    face, array = probe.game.face, copied(probe.state.array)  # who asks must not change it: `read-only` looks for that
    answers = {"round_index": face.round_index_at(array, 0), "score": face.score_at(array, 0, 0)}
    if probe.mover == CHANCE:
        answers["chance_key"] = face.chance_key_at(array, 0)
    return next((found for name, answer in answers.items() if (found := not_whole(name, answer))), "")


@law("never-empty", "state", "the seat to move has a legal action")
def never_empty(probe: Probe) -> str:
    if probe.mover < 0:
        return NOT_HERE
    return "" if probe.raw_list[0] > 0 else f"seat {probe.mover} is to move and has no legal action"


@law("bound", "state", "a list is no longer than MAX_ACTIONS, and nothing is written past it")
def bound_holds(probe: Probe) -> str:
    if probe.mover < 0:
        return NOT_HERE
    n, out = probe.raw_list
    most = int(probe.game.definition.rules.MAX_ACTIONS)
    if n > most:
        return f"{n} legal actions, MAX_ACTIONS is {most}"
    return "" if (out[most:] == UNTOUCHED).all() else "legal_actions writes past MAX_ACTIONS"


@law("ascending", "state", "legal actions are strictly ascending")
def ascending(probe: Probe) -> str:
    if len(probe.legal) == 0:
        return NOT_HERE
    falls = np.flatnonzero(np.diff(probe.legal) <= 0)
    return "" if len(falls) == 0 else f"action {probe.legal[falls[0]]} is followed by {probe.legal[falls[0] + 1]}"


@law("range", "state", "legal actions are codes in 0..ACTIONS-1")
def in_range(probe: Probe) -> str:
    if len(probe.legal) == 0:
        return NOT_HERE
    most = int(probe.game.definition.rules.ACTIONS)
    outside = [int(action) for action in probe.legal if not 0 <= action < most]
    return f"action {outside[0]} is outside 0..{most - 1}" if outside else ""


@law("weights", "state", "chance weights are whole numbers >= 0, one for each code, their sum in 1..2**31-1")
def weights_valid(probe: Probe) -> str:
    if probe.mover != CHANCE:
        return NOT_HERE
    n = int(probe.game.definition.rules.OUTCOMES)
    out = probe.weights()
    if (out[n:] != UNTOUCHED).any():
        return "chance_weights writes past OUTCOMES"
    if (out[:n] == UNTOUCHED).any():
        return f"chance_weights writes nothing for outcome {int(np.flatnonzero(out[:n] == UNTOUCHED)[0])}"
    if (out[:n] < 0).any():
        return f"a weight is negative: {out[:n].tolist()}"
    return "" if 0 < out[:n].sum() < 2**31 else f"the weights sum to {out[:n].sum()}"


@law("key", "state", "chance_key is >= 0 and never the same twice in a match")
def key_unique(probe: Probe) -> str:
    if probe.mover != CHANCE:
        return NOT_HERE
    key = int(probe.game.face.chance_key_at(probe.state.array, 0))
    if key < 0:
        return f"chance_key is {key}"
    earlier = probe.keys.setdefault(key, probe.number)
    return "" if earlier == probe.number else f"chance_key {key} was met at event {earlier} already"


@law("ranges", "state", "every field of a state, redealt or not, stays in the range that RANGES declares for it")
def fields_in_ranges(probe: Probe) -> str:
    data = b"".join(state.to_bytes() for state in (probe.state, *probe.redeals.values()))
    return outside(np.frombuffer(data, probe.game.layout), probe.game.ranges, probe.game.first)


@law("check", "state", "the game's own invariants hold, and check answers a whole number", slow_interpreted=True)
def own_check(probe: Probe) -> str:
    broken = probe.game.face.check_at(probe.state.array, 0)
    if not_whole("check", broken):
        return not_whole("check", broken)
    return f"check says: {probe.game.check_name(int(broken))}" if broken else ""


@law("read-only", "state", "asking about a state changes nothing in it", slow_interpreted=True)
def queries_read_only(probe: Probe) -> str:
    face, array = probe.game.face, copied(probe.state.array)
    before = array.tobytes()
    scratch = np.empty(max(16, int(probe.game.definition.rules.MAX_ACTIONS) + 64), dtype=np.int64)
    weights = np.empty(max(1, int(probe.game.definition.rules.OUTCOMES)), dtype=np.int64)
    questions: dict[str, Callable[[], Any]] = {
        "to_move": lambda: face.to_move_at(array, 0),
        "round_index": lambda: face.round_index_at(array, 0),
        "score": lambda: [face.score_at(array, 0, seat) for seat in range(probe.game.seats)],
        "ranks": lambda: face.ranks_at(array, 0, scratch),
        "check": lambda: face.check_at(array, 0),
    }
    if probe.mover >= 0:
        questions["legal_actions"] = lambda: face.legal_actions_at(array, 0, scratch)
        questions["count_actions"] = lambda: face.count_actions_at(array, 0)
        questions["is_setup"] = lambda: face.is_setup_at(array, 0)
        questions["is_legal"] = lambda: face.is_legal_at(array, 0, probe.code)
        questions["pick"] = lambda: face.pick_at(array, 0, probe.stream("pick").array)
    if probe.mover == CHANCE:
        questions["chance_weights"] = lambda: face.chance_weights_at(array, 0, weights)
        questions["chance_key"] = lambda: face.chance_key_at(array, 0)
    if probe.mover != NOBODY:
        questions["seen"] = lambda: [face.seen_at(array, 0, probe.code, seat) for seat in probe.seats]
    for name, question in questions.items():
        question()
        if array.tobytes() != before:
            return f"{name} changes {differing_fields(array, probe.state.array)}"
    return ""


@law("count-actions", "state", "count_actions is the length of the list")
def count_equals_list(probe: Probe) -> str:
    if probe.mover < 0 or not hasattr(probe.game.definition.rules, "count_actions"):
        return NOT_HERE
    count = int(probe.game.face.count_actions_at(probe.state.array, 0))
    return "" if count == len(probe.legal) else f"count_actions says {count}, the list has {len(probe.legal)}"


@law("is-legal", "state", "is_legal is true for the codes in the list and for no other")
def is_legal_equals_list(probe: Probe) -> str:
    if probe.mover < 0 or not hasattr(probe.game.definition.rules, "is_legal"):
        return NOT_HERE
    listed = {int(action) for action in probe.legal}
    some = probe.some([*listed], "is-legal", most=32)
    others = probe.stream("is-legal-others").many(int(probe.game.definition.rules.ACTIONS), 16).tolist()
    near = [action + step for action in some[:16] for step in (-1, 1)]
    for action in [*some, *others, *near]:
        if bool(probe.game.face.is_legal_at(probe.state.array, 0, action)) != (action in listed):
            return f"is_legal({action}) is {action not in listed}, unlike the list"
    return ""


@law("pick", "state", "pick takes the action at place draw(rng, n) of the list, and one draw")
def pick_equals_list(probe: Probe) -> str:
    if probe.mover < 0 or not hasattr(probe.game.definition.rules, "pick"):
        return NOT_HERE
    for trial in range(3):
        one, other = probe.stream(f"pick-{trial}"), probe.stream(f"pick-{trial}")
        picked = int(probe.game.face.pick_at(probe.state.array, 0, one.array))
        expected = int(probe.legal[other.below(len(probe.legal))])
        if picked != expected:
            return f"pick gives {picked}, the list {expected}"
        if one.array[0] != other.array[0]:
            return "pick does not draw exactly once"
    return ""


@law("setup", "state", "decisions that set the game up come before all others, and every seat knows which they are")
def setup_first(probe: Probe) -> str:
    if probe.mover < 0 or not hasattr(probe.game.definition.rules, "is_setup"):
        return NOT_HERE
    here = probe.state.is_setup
    if any(world.is_setup != here for world in probe.redeals.values()):
        return f"is_setup is {here}, and {not here} in a world that a seat cannot tell apart"
    earlier = next((before for before, _ in reversed(probe.history) if before.to_move >= 0), None)
    return "a decision of setup follows one of play" if here and earlier is not None and not earlier.is_setup else ""


@law("settle", "state", "settle does what the single chance events do")
def settle_equals_events(probe: Probe) -> str:
    if probe.mover != CHANCE or not hasattr(probe.game.definition.rules, "settle"):
        return NOT_HERE
    before = probe.events[max(0, probe.number - 1) : probe.number]
    if before and before[0][0].to_move == CHANCE:
        return NOT_HERE  # in the midst of events that were settled from their first on
    settled, stepped = probe.state.settled(), probe.state
    while stepped.to_move == CHANCE:
        stepped = stepped.after(stepped.fated_outcome())
    return "" if settled == stepped else f"settle differs in {differing_fields(settled.array, stepped.array)}"
