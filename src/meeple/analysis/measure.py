"""The measure: what one decision lost and what one chance event brought.

A decision. Several independent searches name candidates; the played move is one. Every candidate is judged `repeats`
times in worlds dealt for the mover, the same lots for all. On the even repeats one move is best, and the odd ones say
what it is better by than the played move; and the other way round. The loss is the mean of these differences, so that
nobody is called best by the luck that shows it ahead.

A chance event. What came is judged as what might have come: `outcomes` other draws from the same true world. The luck
is the difference from their mean, which is nothing on average whoever judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.analysis.calibration import Calibration
from meeple.analysis.effort import Effort
from meeple.analysis.judge import Judge, Question, prove, with_fate
from meeple.analysis.points import leads_after
from meeple.analysis.result import Candidate, ChanceEvent, Chances, Decision, none_for
from meeple.core.chance import Stream, fresh_fate, rng_for
from meeple.core.game import State
from meeple.search.result import SearchResult

Floats = NDArray[np.float64]
FIRST_LOOK = 2  # judgements of all candidates before those far behind are left out
FAR_BEHIND = 0.15  # win chance
MOST_KEPT = 4  # candidates judged to the end, the played move included
OUTCOME = 0.5  # of the iterations are spent on each outcome: there are many, and how they differ is the larger error
SPREAD = 0.5  # repeats have from 1 - SPREAD/2 to 1 + SPREAD/2 of the iterations: a judge without lots varies too


class StoppedError(Exception):
    """The analysis was told to stop: what is under way is left."""


@dataclass(frozen=True)
class Bench:
    """What all judgements of an analysis share."""

    judge: Judge
    calibration: Calibration
    effort: Effort
    seed: int
    should_stop: Callable[[], bool] = lambda: False

    @property
    def is_calibrated(self) -> bool:
        """Whether the calibration was found for this judge; else its values are taken as they are."""
        return self.calibration.judge == self.judge.spec

    def iterations(self, repeat: int = 0, repeats: int = 1) -> int:
        """The work of one judgement."""
        place = repeat / (repeats - 1) - 0.5 if repeats > 1 else 0.0
        return max(1, round(self.calibration.work * self.effort.scale * (1.0 + SPREAD * place)))

    def look(self) -> None:
        """Raise where the analysis was told to stop; called between two judgements."""
        if self.should_stop():
            raise StoppedError


def judge_decision(bench: Bench, question: Question, step: int, action: int) -> Decision:
    """What the move made at a position lost."""
    state, seat = question.state, question.seat
    offer = state.legal_actions().tolist()
    searches = [_search(bench, question, number) for number in range(bench.effort.searches if len(offer) > 1 else 0)]
    proofs = prove(question, bench.effort.nodes) if len(offer) > 1 else {}
    named = _named(searches, bench.effort.named, proofs)
    values = _Values(bench, question, [action, *(each for each in named if each != action)], proofs)
    values.judge_all()
    best, differences = values.compare(action)
    loss, error = _mean(differences[:, seat])
    if best == action or loss <= 0.0:
        best, loss, play = action, 0.0, none_for(state.game.seats)
    else:
        play = tuple((-differences.mean(axis=0)).tolist())
    before, after, blind = _in_truth(bench, question, best, action, values.mean(action), play)
    leads = _leads(bench, question, values.actions)
    lost, lost_error = _mean(leads[best] - leads[action]) if leads else (None, 0.0)
    return Decision(
        ply=question.ply,
        step=step,
        seat=seat,
        action=action,
        move=state.move_text(action),
        n_moves=len(offer),
        before=before,
        after=after,
        loss=loss,
        error=error,
        points_lost=lost,
        points_error=lost_error,
        play=play,
        blind=blind,
        best=state.move_text(best),
        best_action=best,
        line=_line(state, best, searches),
        candidates=values.candidates(best, named, leads),
        effort=bench.effort.name,
    )


def _search(bench: Bench, question: Question, number: int) -> SearchResult:
    bench.look()
    return bench.judge.search(question, number + 1, 2 * bench.iterations())


def _named(searches: Sequence[SearchResult], most: int, proofs: dict[int, int]) -> dict[int, int]:
    """The first moves of each search, with the number of searches that named them; and the quickest proven win."""
    found: dict[int, int] = {}
    for result in searches:
        merit = np.where(np.isnan(result.values), -np.inf, result.values)
        order = np.lexsort((merit, result.visits, result.actions == result.action))[::-1]
        for action in result.actions[order[:most]].tolist():
            found[int(action)] = found.get(int(action), 0) + 1
    wins = {action: plies for action, plies in proofs.items() if plies > 0}
    if wins:
        found.setdefault(min(wins, key=lambda each: wins[each]), 0)
    return found


class _Values:
    """The judgements of a decision's candidates: chances [candidate, repeat, seat]."""

    def __init__(self, bench: Bench, question: Question, actions: list[int], proofs: dict[int, int]) -> None:
        self.bench, self.question, self.proofs = bench, question, proofs
        self.actions = actions  # the played move first
        self.chances = np.zeros((len(actions), 0, question.state.game.seats))

    def judge_all(self) -> None:
        """Look at all candidates, then go on with those that are not far behind."""
        repeats = self.bench.effort.repeats if len(self.actions) > 1 else FIRST_LOOK
        for repeat in range(repeats):
            if repeat == FIRST_LOOK:
                self._leave_out()
            self.bench.look()
            work = self.bench.iterations(repeat, repeats)
            found = self.bench.judge.known(self.question, self.actions, repeat, work)
            row = self._proven(self.bench.calibration.chances(found))
            self.chances = np.concatenate([self.chances, row[:, None, :]], axis=1)

    def _leave_out(self) -> None:
        """Drop candidates that are far behind the best, and the last of too many; never the played move."""
        merit = self.chances[:, :, self.question.seat].mean(axis=1)
        order = [int(place) for place in np.argsort(-merit, kind="stable") if place]
        near = [place for place in order if merit[place] >= merit.max() - FAR_BEHIND]
        kept = [0, *near[: MOST_KEPT - 1]]
        self.actions = [self.actions[place] for place in kept]
        self.chances = self.chances[kept]

    def _proven(self, found: Floats) -> Floats:
        """The chances, with certainty for moves that are proven won or lost."""
        seat = self.question.seat
        for place, action in enumerate(self.actions):
            if action in self.proofs:
                found[place] = 0.0 if self.proofs[action] > 0 else 1.0
                found[place, seat] = 1.0 - found[place, seat]
        return found

    def mean(self, action: int) -> Floats:
        """The chances after a candidate."""
        return np.asarray(self.chances[self.actions.index(action)].mean(axis=0))

    def compare(self, action: int) -> tuple[int, Floats]:
        """The best move, and by how much it is better than `action`, [repeat, seat]: chosen and judged crosswise."""
        played, own = self.actions.index(action), self.chances[:, :, self.question.seat]
        repeats = own.shape[1]
        differences = np.zeros((repeats, self.chances.shape[2]))
        for half in range(2):
            choosing, judging = np.arange(half, repeats, 2), np.arange(1 - half, repeats, 2)
            chosen = int(np.argmax(own[:, choosing].mean(axis=1)))
            differences[judging] = self.chances[chosen, judging] - self.chances[played, judging]
        return self.actions[int(np.argmax(own.mean(axis=1)))], differences

    def candidates(self, best: int, named: dict[int, int], leads: dict[int, Floats]) -> tuple[Candidate, ...]:
        """What is known of each, the best first."""
        state, seat, found = self.question.state, self.question.seat, []
        for place, action in enumerate(self.actions):
            chance, error = _mean(self.chances[place, :, seat])
            lead = float(leads[action].mean()) if leads else None
            proof = self.proofs.get(action, 0)
            found.append(Candidate(action, state.move_text(action), chance, error, named.get(action, 0), lead, proof))
        return tuple(sorted(found, key=lambda each: (each.action != best, -each.chance)))


def _in_truth(
    bench: Bench, question: Question, best: int, action: int, made: Floats, play: Chances
) -> tuple[Chances, Chances, Chances]:
    """The chances in the true world with the best move and with the one made, and the part that nobody could know.

    In a game without secrets the true world is the known one; where nobody knows the truth, no more can be told.
    `made` is the chance after the move, as known.
    """
    nothing = none_for(question.state.game.seats)
    if not question.state.game.facts.hidden or question.is_guessed:
        after = tuple(made.tolist())
        return tuple(a - p for a, p in zip(after, play, strict=True)), after, nothing
    repeats = max(2, bench.effort.repeats // 2)
    rows = []
    for repeat in range(repeats):
        bench.look()
        actions = [best, action] if best != action else [action]
        rows.append(bench.judge.true(question, actions, repeat, bench.iterations(repeat, repeats)))
    found = bench.calibration.chances(np.array(rows)).mean(axis=0)
    before, after = tuple(found[0].tolist()), tuple(found[-1].tolist())
    if best == action:
        return before, after, nothing
    return before, after, tuple(a - b - p for a, b, p in zip(after, before, play, strict=True))


def _leads(bench: Bench, question: Question, actions: list[int]) -> dict[int, Floats]:
    """The mover's lead after each action, over games played out; nothing where the game has no points."""
    bench.look()
    first = fresh_fate(question.rng("points").array)
    games = bench.effort.rollouts
    found = leads_after(question.state, question.seat, actions, policy=bench.judge.policy, games=games, first=first)
    return {} if found is None else dict(zip(actions, found, strict=True))


def _line(state: State, best: int, searches: Sequence[SearchResult]) -> tuple[str, ...]:
    """How a search that would play the best move goes on; the move alone where none would."""
    found = next((result for result in searches if result.action == best), None)
    return tuple(found.line) if found is not None and found.line else (state.move_text(best),)


def judge_chance(
    bench: Bench, before: State, after: State, *, ply: int, step: int, texts: tuple[str, ...]
) -> ChanceEvent:
    """What chance brought between two decisions: `before` is the true world as chance begins, `after` as it ends."""
    repeats = max(2, bench.effort.repeats // 2)
    words = [rng_for("analysis", "value", ply, repeat, seed=bench.seed) for repeat in range(repeats)]

    def value(state: State, repeat: int) -> Floats:
        bench.look()
        stream = Stream(int(words[repeat].array[0]))  # the same lots for what came and what might have come
        found = bench.judge.value(state, stream, round(OUTCOME * bench.iterations(repeat, repeats)))
        return bench.calibration.chances(found)

    actual = np.array([value(after, repeat) for repeat in range(repeats)])
    others = []
    for number in range(bench.effort.outcomes):
        rng = rng_for("analysis", "outcome", ply, number, seed=bench.seed)
        other = with_fate(before, rng).settled()
        is_same = _without_fate(other) == _without_fate(after)
        others.append(actual[number % repeats] if is_same else value(other, number % repeats))
    mean = np.mean(others, axis=0)
    spread = np.var(actual, axis=0, ddof=1) / repeats + np.var(others, axis=0, ddof=1) / len(others)
    return ChanceEvent(
        ply=ply,
        step=step,
        texts=texts,
        before=tuple(mean.tolist()),
        after=tuple(actual.mean(axis=0).tolist()),
        error=float(np.sqrt(spread.max())),
        effort=bench.effort.name,
    )


def _without_fate(state: State) -> bytes:
    twin = state.copy()
    twin.array["fate"] = 0
    return twin.to_bytes()


def judge_value(bench: Bench, state: State, *, ply: int, scale: float = 1.0) -> Chances:
    """What a position of the true world is worth to each seat, by one look."""
    bench.look()
    rng = rng_for("analysis", "sketch", ply, seed=bench.seed)
    work = max(1, round(scale * bench.calibration.work))
    found = bench.calibration.chances(bench.judge.value(state, rng, work))
    return tuple(found.tolist())


def in_chances(calibration: Calibration, share: float, question: Question) -> float:
    """The mover's win chance for a search's value of it, as a win share; the others are taken as equals."""
    seats, seat = question.state.game.seats, question.seat
    values = np.full(seats, (1.0 - share) / max(1, seats - 1))
    values[seat] = share
    return float(calibration.chances(values)[seat])


def _mean(samples: Floats) -> tuple[float, float]:
    """The mean of samples and its standard error; no error of a single one."""
    n = len(samples)
    error = float(np.std(samples, ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    return float(np.mean(samples)), error
