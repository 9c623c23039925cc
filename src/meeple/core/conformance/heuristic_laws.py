"""The laws of heuristics, one function each: it returns what is wrong, or an empty string.

A game's heuristics (core/heuristics.py) are believed by every search: a filter that breaks its list lets a tree read
what lies beyond it, an evaluation outside its range is taken for a proof. Each law is put to every heuristic of its
kind, and has a broken twin in the tests that it must catch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from meeple.core.chance import Stream
from meeple.core.conformance import feature_laws
from meeple.core.conformance.asked import Asked, Guarded, chosen_by, kept_by, listing, weights_of
from meeple.core.conformance.law import ENTERED, NOT_HERE, law
from meeple.core.conformance.probe import GUARD, UNTOUCHED
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game, Int64s, State
from meeple.core.heuristics import ORDER_LIMIT, Heuristic, find_heuristic, kind_word
from meeple.core.terms import Terms, terms_of

ASKED: Final = "heuristic"  # when these laws are put
SMALL_OFFER = 200  # moves that a law plays one by one, at the most
LINES = 4  # played from a position, to pass a bound if they can
CLOSE = 1e-9  # how far two ways to the same mean may part
NEAR, ROUNDING = 1e-6, 1e-9  # how far terms may part from their evaluation, and a sum, as a share, by its order
Question = Callable[[Any], Any]  # to a heuristic, about a record


# --- lists and moves ---------------------------------------------------------------------------------


@law("filter", ASKED, "a filter keeps an ascending part of the list, at least one move, and writes nothing past it")
def filters_keep_a_part(asked: Asked) -> str:
    if asked.mover < 0 or not asked.of_kind("FILTERS"):
        return NOT_HERE
    for name, heuristic in asked.of_kind("FILTERS").items():
        n, out = kept_by(heuristic, asked.state.copy().record, asked.game, asked.legal)
        if not 1 <= n <= len(asked.legal):
            return f"the filter '{name}' keeps {n} of {len(asked.legal)} moves"
        fault = _part_of(asked.legal, out[:n])
        if fault:
            return f"the filter '{name}' {fault}"
        if (out[len(asked.legal) :] != UNTOUCHED).any():
            return f"the filter '{name}' writes past the list it was given"
    return ""


@law("noisy", ASKED, "noisy moves are an ascending part of the legal ones")
def noise_is_a_part(asked: Asked) -> str:
    if asked.mover < 0 or not asked.of_kind("NOISY"):
        return NOT_HERE
    for name, heuristic in asked.of_kind("NOISY").items():
        n, out = _noisy(heuristic, asked.state)
        if not 0 <= n <= len(asked.legal) or (out[len(asked.legal) :] != UNTOUCHED).any():
            return f"'{name}' lists {n} noisy moves, or writes more; {len(asked.legal)} are legal"
        fault = _part_of(asked.legal, out[:n])
        if fault:
            return f"'{name}' {fault}"
    return ""


@law("policy", ASKED, "a policy answers a legal action that it considers, and writes nothing past its scratch")
def policies_answer_legal_actions(asked: Asked) -> str:
    if asked.mover < 0 or not asked.of_kind("PLAYOUTS"):
        return NOT_HERE
    most = int(asked.game.definition.rules.MAX_ACTIONS)
    for name, heuristic in asked.of_kind("PLAYOUTS").items():
        action, out = chosen_by(heuristic, asked.state.copy().record, asked.game, asked.stream(name))
        if action not in asked.legal:
            return f"the policy '{name}' answers {action}, which is not on offer"
        if (out[most:] != UNTOUCHED).any():
            return f"the policy '{name}' writes past its scratch of MAX_ACTIONS"
        if heuristic.considers and action not in _considered(asked, heuristic.considers):
            return f"the policy '{name}' answers {action}, which its filter '{heuristic.considers}' leaves out"
    return ""


def _considered(asked: Asked, name: str) -> Int64s:
    """The moves that a filter leaves."""
    n, out = kept_by(find_heuristic(asked.game, "FILTERS", name), asked.state.copy().record, asked.game, asked.legal)
    return out[:n]


# --- numbers -----------------------------------------------------------------------------------------


@law(
    "value-range",
    ASKED,
    "an evaluation, bias or ordering is a finite number in its range, and a metric a whole one",
)
def values_in_range(asked: Asked) -> str:
    found = NOT_HERE
    if asked.mover != NOBODY:
        for name, heuristic in asked.of_kind("EVALUATIONS").items():
            found = ""
            if not -1.0 <= heuristic.low <= heuristic.high <= 1.0:
                return f"the evaluation '{name}' declares {heuristic.low:g}..{heuristic.high:g}, outside [-1, 1]"
            for seat in range(asked.game.seats):
                value = asked.value(heuristic, asked.state, seat)
                if not heuristic.low <= value <= heuristic.high:  # NaN fails too
                    return f"the evaluation '{name}' is {value} for seat {seat}, not in {_range(heuristic)}"
        for name, heuristic in asked.of_kind("METRICS").items():
            found = ""
            for seat in range(asked.game.seats):
                counted = heuristic(asked.state.copy().record, np.int64(seat))
                if not isinstance(counted, (int, np.integer)):
                    return f"the metric '{name}' is {counted!r} for seat {seat}, no whole number"
    if asked.mover < 0:
        return found
    for name, heuristic in asked.of_kind("BIASES").items():
        found = ""
        for action in asked.some_actions:
            value = float(heuristic(asked.state.copy().record, action))
            if not heuristic.low <= value <= heuristic.high or math.isinf(value):
                return f"the bias '{name}' is {value} for action {action}, not in {_range(heuristic)}"
    for name, heuristic in asked.of_kind("ORDERINGS").items():
        found = ""
        for action in asked.some_actions:
            rank = heuristic(asked.state.copy().record, action)
            if not isinstance(rank, (int, np.integer)) or abs(int(rank)) >= ORDER_LIMIT:
                return f"the ordering '{name}' is {rank!r} for action {action}, no whole number below {ORDER_LIMIT}"
    return found


@law("reward", ASKED, "a reward of a finished game is within its declared range, in 0..1, and changes no byte of it")
def rewards_in_range(asked: Asked) -> str:
    if not asked.of_kind("REWARDS") or not asked.by_lot("reward", 4):
        return NOT_HERE
    rng, end = asked.stream("reward"), asked.state.settled()
    while not end.is_over:
        end = end.after(rng.choice(end.offer())).settled()
    for name, heuristic in asked.of_kind("REWARDS").items():
        if not 0.0 <= heuristic.low <= heuristic.high <= 1.0:
            return f"the reward '{name}' declares {heuristic.low:g}..{heuristic.high:g}, outside [0, 1]"
        for seat, share in enumerate(end.win_shares()):
            guarded = Guarded(end)
            value = float(heuristic(guarded.record, np.int64(seat), share))
            if not heuristic.low <= value <= heuristic.high:  # NaN fails too
                return f"the reward '{name}' is {value} for seat {seat} at the end, not in {_range(heuristic)}"
            if guarded.changes():
                return f"the reward '{name}' changes {guarded.changes()}"
    return ""


@law(
    "heuristic-read-only",
    ASKED,
    "a heuristic changes no byte of state and weights, and answers the same when asked again",
)
def heuristics_read_only(asked: Asked) -> str:
    found = NOT_HERE
    if not asked.by_lot("heuristic-read-only", 3):
        return found
    weights = _weights(asked)
    fingerprints = ((f"the fingerprint '{n}'", each.function) for n, each in asked.of_kind("FINGERPRINTS").items())
    for who, ask in (*_questions(asked, range(asked.game.seats), declared=True), *fingerprints):
        found = ""
        guarded = Guarded(asked.state)
        answer = ask(guarded.record)
        changed = guarded.changes()
        if changed:
            return f"{who} changes {changed}"
        if _weights(asked) != weights:
            return f"{who} changes its weights, which all threads share"
        if not _equal(ask(guarded.record), answer):
            return f"{who}, asked the same again, answers otherwise"
    return found


@law("heuristic-hidden", ASKED, "a heuristic that does not declare `reads_hidden` knows only what its seat may know")
def heuristics_know_no_secrets(asked: Asked) -> str:
    if not (asked.game.facts.hidden or asked.game.facts.chance) or not asked.by_lot("heuristic-hidden", 3):
        return NOT_HERE
    found = NOT_HERE
    for seat, world in asked.worlds.items():
        for who, ask in _questions(asked, [seat], declared=False):
            found = ""
            if not _equal(ask(asked.state.copy().record), ask(world.copy().record)):
                return f"{who} answers otherwise in a world that seat {seat} cannot tell from this one"
    if asked.mover < 0 or not asked.fits_history or not asked.seldom("inferences", 2):
        return found
    for name, heuristic in asked.of_kind("INFERENCES").items():
        here, there = (_inferred(heuristic, asked, world) for world in (asked.state, asked.worlds[asked.mover]))
        if not heuristic.reads_hidden and not _equal(here, there):
            return f"the inference '{name}' gives other weights in a world that its seat cannot tell from this one"
    return found


# --- what an evaluation brings beside its function ----------------------------------------------------


@law("value-bound", ASKED, "no line of so many more decisions gives a seat more than the evaluation's `bound`")
def bounds_hold(asked: Asked) -> str:
    found = NOT_HERE
    bounded = {name: each for name, each in asked.of_kind("EVALUATIONS").items() if each.bound is not None}
    if asked.mover == NOBODY or not bounded or not asked.seldom("value-bound", 3):
        return found
    rng = asked.stream("lines")
    for name, heuristic in bounded.items():
        for seat in range(asked.game.seats):
            start = _left_out(asked.worlds[seat])
            for plies in (1, 2):
                found = ""
                most = float(heuristic.bound(start.copy().record, np.int64(seat), np.int64(plies), *heuristic.given()))
                for _ in range(LINES):
                    end = _line(asked, heuristic, start, seat, plies, rng)
                    value = asked.value(heuristic, end, seat)
                    if not value <= most + CLOSE:
                        return f"the bound of '{name}' says at most {most} in {plies} plies; a line gives {value}"
    return found


@law("value-best", ASKED, "an evaluation's `best` is the first of the kept moves after which it is highest")
def best_is_the_best(asked: Asked) -> str:
    found = NOT_HERE
    if asked.mover < 0 or len(asked.legal) > SMALL_OFFER or not asked.seldom("value-best", 3):
        return found
    for name, filter_name, heuristic, best in _one_by_filter(asked, "best"):
        chosen = int(best(asked.state.copy().record, np.int64(asked.mover), *heuristic.given()))
        if chosen < 0:
            continue
        found = ""
        wanted = _own_best(asked, heuristic, filter_name, asked.state)
        if chosen != wanted:
            return f"`best` of '{name}' with the filter '{filter_name}' is {chosen}; played one by one it is {wanted}"
    return found


@law("value-after", ASKED, "an evaluation's `after` is its value after the move and what chance brings, or NaN")
def after_is_the_value(asked: Asked) -> str:
    found = NOT_HERE
    if asked.mover < 0:
        return found
    for name, heuristic in asked.of_kind("EVALUATIONS").items():
        if heuristic.after is None:
            continue
        (standing, after), given = heuristic.after, heuristic.given()
        guarded = Guarded(asked.state)
        for seat in range(asked.game.seats):
            common = standing(guarded.record, np.int64(seat), *given)
            for action in asked.some_actions:
                value = float(after(guarded.record, np.int64(seat), action, *common, *given))
                if guarded.changes():
                    return f"`after` of '{name}' changes {guarded.changes()}"
                if math.isnan(value):
                    continue
                found = ""
                end = asked.state.after(int(action)).settled()
                if end.is_over:
                    return f"`after` of '{name}' tells {value} for action {action}, which ends the game"
                if value != asked.value(heuristic, end, seat):
                    return f"`after` of '{name}' tells {value} for action {action}; played, it is another"
    return found


@law("value-replies", ASKED, "an evaluation's `replies` are the values by supposing each hand and playing it out")
def replies_are_the_values(asked: Asked) -> str:
    rules = asked.game.definition.rules
    is_small = 0 < len(asked.legal) <= SMALL_OFFER  # and later offers are smaller yet, as a rule
    if not is_small or not hasattr(rules, "suppose") or not asked.seldom("value-replies", 3):
        return NOT_HERE
    found = NOT_HERE
    for name, filter_name, heuristic, replies in _one_by_filter(asked, "replies"):
        given = heuristic.given()
        for seat in range(asked.game.seats):
            state = _left_out(asked.worlds[seat])
            if state.to_move in (seat, CHANCE, NOBODY):
                continue
            weights = weights_of(rules.suppose_weights, state, state.to_move, int(rules.BELIEFS))[: rules.BELIEFS]
            for plies in (1, 2):
                out = np.zeros(int(rules.BELIEFS))
                if not replies(state.copy().record, np.int64(seat), np.int64(plies), weights, out, *given):
                    continue
                codes = np.flatnonzero(weights)
                code = int(codes[asked.stream("code").below(len(codes))])
                value = _supposed_value(asked, heuristic, filter_name, state, seat, code, plies)
                if value is None:
                    continue
                found = ""
                if abs(value - out[code]) > CLOSE:
                    return f"`replies` of '{name}' say {out[code]} for hand {code} in {plies} plies; played, {value}"
    return found


# --- terms --------------------------------------------------------------------------------------------


@law("terms", ASKED, "an evaluation or a bias is what its terms add up to, squashed; they tell no more than it does")
def terms_add_up(asked: Asked) -> str:
    found = NOT_HERE
    if asked.mover == NOBODY or not asked.by_lot("terms", 3):
        return found
    for kind, subjects in (("EVALUATIONS", range(asked.game.seats)), ("BIASES", asked.some_actions)):
        known = asked.of_kind(kind)
        for name, terms in terms_of(asked.game, kind).items():
            if name not in known:
                return f"terms.py names the {kind_word(kind)} '{name}', which is not there"
            for heuristic in (known[name], known.get(f"{name}@lot", known[name])):
                for subject in subjects:
                    found = ""
                    seat = int(subject) if kind == "EVALUATIONS" else asked.mover
                    fault = _terms_fault(asked, terms, heuristic, int(subject), asked.worlds[seat])
                    if fault:
                        return f"the terms of the {kind_word(kind)} '{name}' {fault}"
    return found


def _terms_fault(asked: Asked, terms: Terms, heuristic: Heuristic, subject: int, world: State) -> str:
    """What is wrong with the terms for a seat or an action; `world` is one that the seat asked about cannot tell."""
    given, guarded, out = heuristic.given(), Guarded(asked.state), np.zeros((2, len(terms.names)))
    terms.write(guarded.record, np.int64(subject), out, *given)
    if guarded.changes():
        return f"change {guarded.changes()}"
    if not heuristic.reads_hidden and not _equal(out, terms.of(world, subject, heuristic)):
        return f"for {subject} tell of a world what its seat cannot know"
    if np.isnan(out).any():
        return ""
    value, total = float(heuristic(guarded.record, np.int64(subject))), float(out.sum())
    rounding = ROUNDING * float(np.abs(out).sum())
    least, most = sorted(terms.squash(total + part, *given) for part in (-rounding, rounding))
    if not least - NEAR <= value <= most + NEAR:
        return f"for {subject} add up to {terms.squash(total, *given)}; it is {value}"
    return ""


# --- tables and beliefs -------------------------------------------------------------------------------


@law("fingerprint", ASKED, "positions that a fingerprint joins have the same mover, as many moves and equal values")
def fingerprints_join_equals(asked: Asked) -> str:
    if asked.mover < 0 or not asked.of_kind("FINGERPRINTS") or not asked.by_lot("fingerprint", 2):
        return NOT_HERE
    met = asked.notes.setdefault("fingerprints", {})
    states = [asked.state, *(asked.state.after(int(action)).settled() for action in asked.some_actions)]
    for name, heuristic in asked.of_kind("FINGERPRINTS").items():
        for state in states:
            if state.is_over:
                continue
            key = (name, int(heuristic(state.copy().record)))
            mover, n = state.to_move, len(state.legal_actions())
            values = [asked.value(each, state, mover) for each in asked.of_kind("EVALUATIONS").values()]
            here = (mover, n, values, state.text())
            there = met.setdefault(key, here)
            if there[:2] != here[:2]:
                return f"'{name}' joins '{here[3]}' with '{there[3]}', where another seat moves or has another offer"
            if any(abs(one - other) > CLOSE for one, other in zip(values, there[2], strict=True)):
                return f"'{name}' joins '{here[3]}' with '{there[3]}', which an evaluation tells apart"
    return ""


@law("belief", ASKED, "a belief's weights are not negative, not all zero, and only for hands that can be supposed")
def beliefs_are_weights(asked: Asked) -> str:
    rules = asked.game.definition.rules
    if asked.mover < 0 or not hasattr(rules, "suppose"):
        return NOT_HERE
    codes = int(getattr(rules, "BELIEFS", 1))
    state = _left_out(asked.state)
    seat = state.to_move
    if seat < 0:
        return NOT_HERE
    own = weights_of(rules.suppose_weights, state, seat, codes)
    beliefs = {"suppose_weights": rules.suppose_weights}
    beliefs |= {f"the belief '{name}'": each.function for name, each in asked.of_kind("BELIEFS").items()}
    for name, function in beliefs.items():
        out = weights_of(function, state, seat, codes)
        fault = _weights_fault(out, codes)
        if fault:
            return f"{name} {fault}"
        if (out[:codes][own[:codes] == 0] != 0).any():
            return f"{name} gives weight to a hand that the rules' own `suppose_weights` rules out"
    for code in np.flatnonzero(own[:codes]):
        world = state.copy()
        rules.suppose(world.record, np.int64(seat), code)
        if world.to_move != seat or len(world.legal_actions()) == 0:
            return f"with the hand {code} supposed, seat {seat} has no move"
    return ""


@law("inference", ASKED, "an inference's weights are not negative, not all zero, and only for possible classes")
def inferences_are_weights(asked: Asked) -> str:
    if asked.mover < 0 or not asked.of_kind("INFERENCES") or not asked.fits_history or not asked.seldom("inference", 2):
        return NOT_HERE
    classes = int(asked.game.functions["STRATA"])
    world = asked.worlds[asked.mover]
    for name, heuristic in asked.of_kind("INFERENCES").items():
        out = _inferred(heuristic, asked, world)
        fault = _weights_fault(out, classes)
        if fault:
            return f"the inference '{name}' {fault}"
        impossible = set(np.flatnonzero(out[:classes]).tolist()) - set(world.strata(asked.mover))
        if impossible:
            return f"the inference '{name}' gives weight to the class {min(impossible)}, which is impossible"
    return ""


# --- how they are asked -------------------------------------------------------------------------------


def _questions(asked: Asked, seats: Sequence[int], *, declared: bool) -> Iterator[tuple[str, Question]]:
    """Every heuristic that can be asked about a record here, for these seats; of moves only if one of them is to move.

    Without `declared` those are left out that declare to read what is hidden.
    """

    def wanted(kind: str) -> Iterator[tuple[str, Heuristic]]:
        for name, heuristic in asked.of_kind(kind).items():
            if declared or not heuristic.reads_hidden:
                yield name, heuristic

    for kind in ("EVALUATIONS", "METRICS"):
        for name, heuristic in wanted(kind):
            for seat in seats:
                yield f"the {kind_word(kind)} '{name}'", _of(heuristic, np.int64(seat))
    if asked.mover not in seats:
        return
    for kind, word in (("ORDERINGS", "ordering"), ("BIASES", "bias")):
        for name, heuristic in wanted(kind):
            for action in asked.some_actions:
                yield f"the {word} '{name}'", _of(heuristic, action)
    for name, heuristic in wanted("FILTERS"):
        yield f"the filter '{name}'", partial(_kept_list, asked, heuristic)
    for name, heuristic in wanted("NOISY"):
        yield f"the noise '{name}'", partial(_noise_list, asked, heuristic)
    for name, heuristic in wanted("PLAYOUTS"):
        yield f"the policy '{name}'", partial(_choice, asked, heuristic)


def _weights(asked: Asked) -> list[bytes]:
    """All weights that are handed to heuristics as one record; others lie in arrays that nobody can write to."""
    weighed = [each for kind in ("EVALUATIONS", "BIASES", "PLAYOUTS") for each in asked.of_kind(kind).values()]
    return [each.given()[0].tobytes() for each in weighed if each.parameters and each.parameters.is_packed]


def _of(heuristic: Heuristic, argument: Any) -> Question:
    return lambda record: heuristic(record, argument)


def _choice(asked: Asked, heuristic: Heuristic, record: Any) -> int:
    return chosen_by(heuristic, record, asked.game, asked.stream("policy"))[0]


def _kept_list(asked: Asked, heuristic: Heuristic, record: Any) -> list[int]:
    n, out = kept_by(heuristic, record, asked.game, asked.legal)
    return [int(action) for action in out[:n]]


def _noise_list(asked: Asked, heuristic: Heuristic, record: Any) -> list[int]:
    out = listing(asked.game, np.empty(0, dtype=np.int64))
    n = int(heuristic(record, out))
    return [int(action) for action in out[:n]]


def _noisy(heuristic: Heuristic, state: State) -> tuple[int, Int64s]:
    out = listing(state.game, np.empty(0, dtype=np.int64))
    return int(heuristic(state.copy().record, out)), out


def _inferred(heuristic: Heuristic, asked: Asked, world: State) -> Int64s:
    """The weights that an inference writes for the mover, in a guarded buffer that begins with zeros."""
    classes = int(asked.game.functions["STRATA"])
    out = np.full(classes + GUARD, UNTOUCHED, dtype=np.int64)
    out[:classes] = 0
    states = asked.game.buffer(3)
    states[0] = world.array[0]
    seen = np.array(asked.seen[asked.mover], dtype=np.int64)
    heuristic(states, seen, np.int64(asked.mover), asked.stream("inference").array, out)
    return out


def _part_of(legal: Int64s, kept: Int64s) -> str:
    """What is wrong with a list that should be an ascending part of another."""
    falls = np.flatnonzero(np.diff(kept) <= 0)
    if len(falls):
        return f"puts {kept[falls[0] + 1]} after {kept[falls[0]]}"
    strange = [int(action) for action in kept if action not in legal]
    return f"lists {strange[0]}, which is not on offer" if strange else ""


def _weights_fault(out: Int64s, codes: int) -> str:
    """What is wrong with weights in a guarded buffer."""
    if (out[codes:] != UNTOUCHED).any():
        return "writes past its last code"
    if (out[:codes] == UNTOUCHED).any():
        return f"writes nothing for code {int(np.flatnonzero(out[:codes] == UNTOUCHED)[0])}"
    if (out[:codes] < 0).any():
        return "writes a negative weight"
    return "" if out[:codes].any() else "writes no weight at all"


def _equal(one: Any, other: Any) -> bool:
    """Whether two answers are the same; two NaNs are."""
    return bool(np.array_equal(np.asarray(one), np.asarray(other), equal_nan=np.asarray(one).dtype.kind == "f"))


def _range(heuristic: Heuristic) -> str:
    return f"{heuristic.low:g}..{heuristic.high:g}"


# --- positions played on ------------------------------------------------------------------------------


def _one_by_filter(asked: Asked, part: str) -> list[tuple[str, str, Heuristic, Any]]:
    """One evaluation's `best` or `replies` by lot: its name, the filter's, the evaluation, the function; or none."""
    every = [
        (name, filter_name, heuristic, function)
        for name, heuristic in asked.of_kind("EVALUATIONS").items()
        for filter_name, function in (getattr(heuristic, part) or {}).items()
    ]
    return [asked.stream(part).choice(every)] if every else []


def _left_out(state: State) -> State:
    """The state as a search over beliefs goes on from it: without the draws that the game leaves out there."""
    world = state.copy()
    if hasattr(state.game.definition.rules, "leave_out") and not state.is_over:
        state.game.definition.rules.leave_out(world.record)
    return world


def _kept(game: Game, asked: Asked, filter_name: str, state: State) -> Int64s:
    legal = state.legal_actions()
    if filter_name == "none":
        return legal
    n, out = kept_by(asked.of_kind("FILTERS")[filter_name], state.copy().record, game, legal)
    return out[:n]


def _own_best(asked: Asked, heuristic: Heuristic, filter_name: str, state: State) -> int:
    """The first of the kept moves right after which the evaluation is highest for its mover."""
    actions = _kept(asked.game, asked, filter_name, state)
    values = [asked.value(heuristic, state.after(int(action)), state.to_move) for action in actions]
    return int(actions[int(np.argmax(values))])


def _line(asked: Asked, heuristic: Heuristic, start: State, seat: int, plies: int, rng: Stream) -> State:
    """A line of so many decisions by lot, each outcome too; in half of them the seat takes the best of some moves."""
    state = start
    is_keen = rng.below(2) == 0
    while plies > 0 and not state.is_over:
        state = _left_out(state)
        if state.to_move == CHANCE:
            outcomes = [code for code, weight in state.outcomes().items() if weight]
            state = state.after(int(rng.choice(outcomes)))
            continue
        actions = state.legal_actions()
        if is_keen and state.to_move == seat:
            some = [int(rng.choice(actions)) for _ in range(12)]
            state = state.after(max(some, key=lambda a, s=state: asked.value(heuristic, s.after(a), seat)))  # type: ignore[misc]
        else:
            state = state.after(int(rng.choice(actions)))
        plies -= 1
    return state


def _supposed_value(
    asked: Asked, heuristic: Heuristic, filter_name: str, state: State, seat: int, code: int, plies: int
) -> float | None:
    """The value for `seat` where the mover holds `code` and all play their own best; None where that is much work."""
    world = state.copy()
    asked.game.definition.rules.suppose(world.record, np.int64(state.to_move), np.int64(code))
    for _ in range(plies):
        if world.is_over or world.to_move == CHANCE or len(world.legal_actions()) > SMALL_OFFER:
            return None
        world = _left_out(world.after(_own_best(asked, heuristic, filter_name, world)))
    return asked.value(heuristic, world, seat)


HEURISTIC_LAWS = [entered for entered in ENTERED if entered.test.__module__ in (__name__, feature_laws.__name__)]
