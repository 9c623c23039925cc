"""The laws, one function each: it returns what is wrong, or an empty string.

A law has a name that `meeple check --list` prints, and a broken twin in the tests that it must catch. A
`static` law looks at the folder's definition, a `state` law at every state of a match, an `event` law at
every event (`probe.code` leads to `probe.after`), an `end` law at the finished match; `match` and
`process` laws are called by the walk itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np

from meeple.core.conformance.probe import UNTOUCHED, Probe, differing_fields
from meeple.core.conformance.worlds import world_bytes
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.definition import PADDING, Definition, layout_faults, missing_parts
from meeple.core.match import Match
from meeple.core.paint import ansi
from meeple.core.picture import Look
from meeple.core.record import parse_record
from meeple.errors import brief

When = Literal["static", "state", "event", "end", "match", "process"]
NOT_HERE = "\0"  # a law's answer where it has nothing to look at


@dataclass(frozen=True)
class Law:
    """A law: its name, what it says, when it is put to the test, and the test."""

    name: str
    meaning: str
    when: When
    test: Callable[[Any], str]


LAWS: list[Law] = []


def law(name: str, when: When, meaning: str) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Enter the decorated function into the table of laws."""

    def enter(test: Callable[[Any], str]) -> Callable[[Any], str]:
        LAWS.append(Law(name, meaning, when, test))
        return test

    return enter


# --- the folder --------------------------------------------------------------------------------------


@law("contract", "static", "the rules, the notation and the view have every part that the contract names")
def contract_whole(definition: Definition) -> str:
    return "; ".join(missing_parts(definition))


@law("layout", "static", "a state is a record of signed integers, no field has a name of np.record's own")
def layout_sound(definition: Definition) -> str:
    return "; ".join(layout_faults(getattr(definition.rules, "STATE", None), has_chance=definition.facts.chance))


# --- a state -----------------------------------------------------------------------------------------


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


@law("check", "state", "the game's own invariants hold")
def own_check(probe: Probe) -> str:
    broken = int(probe.game.face.check_at(probe.state.array, 0))
    return f"check says: {probe.game.check_name(broken)}" if broken else ""


@law("read-only", "state", "asking about a state changes nothing in it")
def queries_read_only(probe: Probe) -> str:
    face, array = probe.game.face, probe.state.array.copy()
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
    rng, listed = probe.stream("is-legal"), {int(action) for action in probe.legal}
    others = [rng.below(int(probe.game.definition.rules.ACTIONS)) for _ in range(32)]
    near = [int(action) + step for action in probe.legal[:16] for step in (-1, 1)]
    for action in [*listed, *others, *near]:
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


@law("settle", "state", "settle does what the single chance events do")
def settle_equals_events(probe: Probe) -> str:
    if probe.mover != CHANCE or not hasattr(probe.game.definition.rules, "settle"):
        return NOT_HERE
    settled, stepped = probe.state.settled(), probe.state
    while stepped.to_move == CHANCE:
        stepped = stepped.after(stepped.fated_outcome())
    return "" if settled == stepped else f"settle differs in {differing_fields(settled.array, stepped.array)}"


@law("move-text", "state", "the texts of the codes on offer differ and are read back")
def move_texts_differ(probe: Probe) -> str:
    if probe.code < 0:
        return NOT_HERE
    texts: dict[str, int] = {}
    for code in probe.offer():
        text = probe.state.move_text(code)
        twin = texts.setdefault("".join(text.split()).casefold(), code)
        if twin != code:
            return f"codes {twin} and {code} are both written '{text}'"
        pattern = probe.game.definition.notation.MOVE_PATTERN
        if probe.mover >= 0 and not re.fullmatch(pattern, text, re.IGNORECASE):
            return f"'{text}' does not fit the notation's own MOVE_PATTERN"
    text = probe.state.move_text(probe.code)
    read = probe.state.read_move(text)
    return "" if read == probe.code else f"code {probe.code} is written '{text}', which is read as {read}"


@law("position-text", "state", "a position written as text is read back byte for byte")
def position_text_round_trip(probe: Probe) -> str:
    text = probe.state.text()
    read = probe.game.read(text)
    return (
        ""
        if read == probe.state
        else f"'{text}' is read back with another {differing_fields(read.array, probe.state.array)}"
    )


@law("view-text", "state", "a seat's view written as text is read back to a world with the same view")
def view_text_round_trip(probe: Probe) -> str:
    for seat in probe.seats:
        text = probe.state.text(seat)
        again = probe.game.read(text, probe.stream("view-text")).text(seat)
        if again != text:
            return f"'{text}' is read back as '{again}'"
    return ""


@law("redeal", "state", "redeal(redeal(w, seat, r1), seat, r2) == redeal(w, seat, r2), byte for byte and draw for draw")
def redeal_law(probe: Probe) -> str:
    for seat in probe.seats:
        one, other = probe.stream(f"again-{seat}"), probe.stream(f"again-{seat}")
        twice, once = probe.redeals[seat].redealt(seat, one), probe.state.redealt(seat, other)
        if twice != once:
            fields = differing_fields(twice.array, once.array)
            return f"after a redeal for {_who(seat)}, {fields} still tells of the true world"
        if one.array[0] != other.array[0]:
            return f"the redeal for {_who(seat)} draws more or less often, by what the seat cannot know"
    return ""


@law("redeal-check", "state", "a redealt world keeps the game's invariants")
def redeal_keeps_check(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        broken = int(probe.game.face.check_at(world.array, 0))
        if broken:
            return f"the redeal for {_who(seat)} breaks: {probe.game.check_name(broken)}"
    return ""


@law("view", "state", "what a seat is shown or told is the same in every world it cannot tell apart")
def view_law(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        if world.text(seat) != probe.state.text(seat):
            return f"{_who(seat)} reads '{probe.state.text(seat)}' here and '{world.text(seat)}' in a redealt world"
        if world.board(seat, ansi) != probe.state.board(seat, ansi):
            return f"the board drawn for {_who(seat)} differs in a redealt world"
        has_secret = probe.game.definition.picture is not None and world != probe.state
        if has_secret and world.picture(seat) != probe.state.picture(seat):
            return f"the picture drawn for {_who(seat)} differs in a redealt world"
        for other in range(probe.game.seats):
            if world.score(other) != probe.state.score(other):
                return f"the score of seat {other} tells {_who(seat)} what it may not know"
        if world.round_index != probe.state.round_index:
            return f"the round tells {_who(seat)} what it may not know"
        if world.is_over and world.ranks() != probe.state.ranks():
            return f"the final places differ in the world redealt for {_who(seat)}"
        if (
            probe.mover != NOBODY
            and world.to_move == probe.mover
            and world.seen(probe.code, seat) != probe.state.seen(probe.code, seat)
        ):
            return f"whether {_who(seat)} sees code {probe.code} depends on what it may not know"
    return ""


@law("paths", "state", "every legal action can be clicked on the mover's picture, and no click can mean two of them")
def paths_lead_to_actions(probe: Probe) -> str:
    if probe.game.definition.picture is None or probe.mover < 0:
        return NOT_HERE
    offer = {path: int(action) for action in probe.legal for path in probe.state.paths(int(action))}
    for action in probe.legal:
        for path in probe.state.paths(int(action)) or [()]:
            if not path:
                return f"'{probe.state.move_text(action)}' has no path of clicks"
            if offer[path] != action:
                return f"the path {path} means '{probe.state.move_text(action)}' and another move"
    for path in offer:
        if any(path[:n] in offer for n in range(1, len(path))):
            return f"the path {path} goes on where another is complete"
    path = tuple(probe.state.paths(probe.code)[0])
    for n in range(len(path)):
        lit = frozenset(longer[n] for longer in offer if longer[:n] == path[:n])
        shown = probe.state.picture(probe.mover, Look(lit=lit, chosen=path[:n]))
        for target in lit:
            if shown.count(f'data-t="{escape(target)}"') != 1:
                return f"the target '{target}' after {path[:n]} is not on the picture once"
    return ""


@law("offer", "state", "to_move is the same for every seat's redealt world, and so is the mover's list")
def offer_law(probe: Probe) -> str:
    for seat, world in probe.redeals.items():
        if world.to_move != probe.mover:
            return f"to_move is {probe.mover}, and {world.to_move} in the world redealt for {_who(seat)}"
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
            return f"redeal for {_who(seat)} changes {fields}, and the facts say nothing is hidden"
    return ""


@law("seen", "state", "an event is seen as itself or as HIDDEN, and a seat sees its own moves")
def seen_valid(probe: Probe) -> str:
    if probe.mover == NOBODY:
        return NOT_HERE
    for code in probe.offer():
        for seat in probe.seats:
            sight = probe.state.seen(code, seat)
            if sight not in (code, HIDDEN):
                return f"{_who(seat)} sees code {code} as {sight}"
            if seat == probe.mover and sight != code:
                return f"seat {seat} does not see its own move {code}"
            if sight == HIDDEN and not probe.game.facts.hidden:
                return f"{_who(seat)} does not see code {code}, and the facts say nothing is hidden"
    return ""


@law("fresh-fate", "state", "a redeal draws a fate of its own in a game with chance")
def fate_is_redrawn(probe: Probe) -> str:
    if not probe.game.facts.chance:
        return NOT_HERE
    for seat, world in probe.redeals.items():
        other = probe.state.redealt(seat, probe.stream("other-fate"))
        if world.record.fate in (probe.state.record.fate, other.record.fate):
            return f"the redeal for {_who(seat)} leaves the fate to be known"
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
                f"a redeal for {_who(seat)} keeps {differing_fields(there.array, here.array)} of the world it came from"
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
            return f"the redeal for {_who(seat)} gives a world that does not fit what it saw"
    return _chi_square({key: share * n for key, share in expected.items()}, counts, seat)


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
    return f"the worlds redealt for {_who(seat)} have the wrong weights: {figures}"


# --- an event ----------------------------------------------------------------------------------------


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


# --- a finished match --------------------------------------------------------------------------------


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
    match = Match(probe.game, seed=probe.seed, manual_chance=True)
    for _, code in probe.history:
        match.play(code)
    text = match.record(["a", "b"]).text()
    again = Match.from_record(parse_record(text))
    if again.record(["a", "b"]).text() != text:
        return "a record read and written again is another"
    return (
        ""
        if again.state == probe.state
        else f"the replay ends with another {differing_fields(again.state.array, probe.state.array)}"
    )


def _who(seat: int) -> str:
    return "a spectator" if seat == NOBODY else f"seat {seat}"


# --- processes ---------------------------------------------------------------------------------------


@law("compiled", "process", "compiled and interpreted, the rules say the same")
def compiled_equals_interpreted(traces: tuple[list[list[str]], list[list[str]]]) -> str:
    for match, (compiled, interpreted) in enumerate(zip(*traces, strict=True)):
        if compiled != interpreted:
            pairs = zip(compiled, interpreted, strict=False)
            at = next((i for i, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(compiled), len(interpreted)))
            return f"match {match} parts at event {at} when it is interpreted"
    return ""


def law_names() -> list[str]:
    """The names of all laws, in their order."""
    return [entry.name for entry in LAWS]
