"""Analysing a whole match: a sketch first, then every decision and every chance event at the effort asked for.

Judgements do not depend on each other: each draws its lots from the analysis's seed and its own place in the match, so
the same comes out on any number of threads, in any order, stopped and resumed or not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.base import never
from meeple.analysis.calibration import Calibration, calibration_of
from meeple.analysis.effort import effort_named
from meeple.analysis.judge import Question, find_judge
from meeple.analysis.measure import Bench, StoppedError, judge_chance, judge_decision, judge_value
from meeple.analysis.result import Analysis, ChanceEvent, Chances, Decision, none_for
from meeple.analysis.saved import Saved, beside
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.entry import Entry
from meeple.core.folders import is_file
from meeple.core.forfeit import Forfeit, forfeit_of
from meeple.core.game import State
from meeple.core.logs import load_logs
from meeple.core.match import Match
from meeple.core.record import Record
from meeple.errors import ConfigError, RecordError

SKETCH = 0.25  # of the usual work is spent on a position for the first graph
Watch = Callable[[Analysis, int, int], None]


@dataclass(frozen=True)
class Source:
    """A match to be analysed, and what its record says besides the moves."""

    match: Match
    names: tuple[str, ...]
    forfeit: Forfeit | None = None
    path: Path | None = None  # of its record

    @classmethod
    def of(cls, given: Match | Record | Path | str, *, trust: bool = False) -> Source:
        """The match that is meant; no agent that a record names is loaded.

        Raises:
            RecordError: the record is damaged, of a later version, or does not fit the rules.
            ConfigError: there is no such file, or it holds several matches.
        """
        if isinstance(given, Match):
            return cls(given, _names(list(given.names) if isinstance(given, Entry) else [], given.game.seats))
        path = None
        if isinstance(given, (str, Path)):
            path = Path(given)
            given = _record_in(path)
        match = Match.from_record(given, manual_chance=True, trust=trust)
        names = _names(given.names or given.levels or given.agents, match.game.seats)
        return cls(match, names, forfeit_of(given.result, match.game.seats), path)


def knower_of(match: Match) -> int | None:
    """The seat by whose eyes alone a match with secrets is known, or NOBODY; None where all of it is known."""
    return match.view if isinstance(match, Entry) and match.game.facts.hidden else None


def _record_in(path: Path) -> Record:
    if not is_file(path):
        raise ConfigError(f"there is no record '{path}'")
    found = load_logs(path)
    if len(found) != 1:
        raise ConfigError(f"'{path}' holds {len(found)} matches: analyse one at a time, or the folder")
    if found[0].record is None:
        raise RecordError(f"{found[0].name}: {found[0].fault}")
    return found[0].record


def _names(given: list[str], seats: int) -> tuple[str, ...]:
    return tuple(given[seat] if seat < len(given) and given[seat] else f"seat {seat + 1}" for seat in range(seats))


def analyse(
    given: Match | Record | Path | str,
    *,
    effort: str = "normal",
    seats: Collection[int] | None = None,
    judge: str = "",
    luck: bool = True,
    seed: int = 0,
    threads: int = 0,
    save: Path | bool | None = None,
    trust: bool = False,
    watch: Watch | None = None,
    should_stop: Callable[[], bool] = never,
) -> Analysis:
    """Judge every move and every chance event of a match, a record, or a record's file.

    Args:
        given: what is analysed; a match that is not over is analysed as far as it goes.
        effort: quick, normal or deep.
        seats: only the moves of these seats are judged, counted from 0; what the others do is then unexplained. By
            default all; of a game that one seat typed in (`Entry`) that seat, since the hands of others are made up.
        judge: another agent than the game's strongest.
        luck: whether chance events are judged; what they brought is else unexplained.
        seed: of the judge's lots; another gives an independent analysis.
        threads: judgements side by side; 0: one a core. The result does not depend on it.
        save: a file to keep judgements in, and to resume from; by default one beside a record's file. False: none.
        trust: lets a game that is not installed run from the folder that the record names.
        watch: called with the analysis so far, judgements done and judgements in all.
        should_stop: asked between judgements. When it says so, and at Ctrl-C, what there is comes back.

    Raises:
        RecordError: the record is damaged, of a later version, or does not fit the rules.
        ConfigError: an unknown effort or judge, a seat that is not at the table, or no such file.
    """
    source = Source.of(given, trust=trust)
    return analyse_source(
        source,
        effort=effort,
        seats=seats,
        judge=judge,
        luck=luck,
        seed=seed,
        threads=threads,
        save=save,
        watch=watch,
        should_stop=should_stop,
    )


def analyse_source(
    source: Source,
    *,
    effort: str = "normal",
    seats: Collection[int] | None = None,
    judge: str = "",
    luck: bool = True,
    seed: int = 0,
    threads: int = 0,
    save: Path | bool | None = None,
    watch: Watch | None = None,
    should_stop: Callable[[], bool] = never,
) -> Analysis:
    """The same for a match that was read already; see `analyse`."""
    run = AnalysisRun(source, effort, seats, judge, seed, save, should_stop, judges_luck=luck)
    return run.go(threads or cores(), watch)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Place:
    """Where in the match something is judged."""

    step: int  # events before
    ply: int  # decisions before
    last: int  # the event behind the last that belongs to it
    seat: int | None  # None: chance


class AnalysisRun:
    """One analysis under way."""

    def __init__(
        self,
        source: Source,
        effort: str,
        seats: Collection[int] | None = None,
        judge: str = "",
        seed: int = 0,
        save: Path | bool | None = None,
        should_stop: Callable[[], bool] = never,
        calibration: Calibration | None = None,
        judges_luck: bool = True,
    ) -> None:
        self.source, self.match, self.seed = source, source.match, seed
        game = self.match.game
        wrong = [seat for seat in seats or () if not 0 <= seat < game.seats]
        if wrong:
            raise ConfigError(f"there is no seat {wrong[0] + 1} at a table of {game.seats}")
        known = knower_of(self.match)
        own = range(game.seats) if known is None else {known} - {NOBODY}
        self.seats = frozenset(own if seats is None else seats)
        self.judge = find_judge(game, judge)
        self.calibration = calibration or calibration_of(game.definition, self.judge.spec)
        self._stopping = False
        self.bench = Bench(
            self.judge, self.calibration, effort_named(effort), seed, lambda: self._stopping or should_stop()
        )
        every = places_of(self.match)
        self.places = every if judges_luck else [place for place in every if place.seat is not None]
        self.sketch: dict[int, Chances] = {}  # by step: the first look at a decision
        self.end: Chances | None = None  # the judge's word where the match is not finished
        path = beside(source.path) if save in (None, True) and source.path is not None else None
        self.saved = Saved(
            save if isinstance(save, Path) else path, self.match, self.judge.spec, self.calibration, seed
        )

    # --- the work

    def go(self, threads: int, watch: Watch | None) -> Analysis:
        """Do all that is not done yet; stopped in between, return what there is."""
        try:
            with ThreadPoolExecutor(max_workers=max(1, threads), thread_name_prefix="analysis") as pool:
                for jobs in self.stages():
                    self._do(jobs, pool, watch)
        finally:
            self.saved.close()
        return self.analysis()

    def stages(self) -> Iterator[list[Callable[[], None]]]:
        """What is to be done: a sketch for the graph, then the judgements.

        The jobs of a stage may be done in any order, in several threads; a stage is asked for when the one before it
        is done. Who does them closes `saved`.
        """
        first = [place for place in self.places if place.seat is not None and place.step not in self._known]
        yield [*(self._sketched(place) for place in first), self._ended]
        yield [self._judged(place) for place in self._wanted()]

    @property
    def _known(self) -> set[int]:
        return set(self.saved.decisions)

    def _wanted(self) -> list[Place]:
        """What is to be judged: where the sketch changes most first, so that mistakes are found soon."""
        effort = self.bench.effort.name
        found = []
        for number, place in enumerate(self.places):
            if place.seat is None:
                if not self.saved.has(self.saved.chances.get(place.step), effort):
                    found.append((0.0, number, place))
            elif place.seat in self.seats and not self.saved.has(self.saved.decisions.get(place.step), effort):
                later = next(
                    (self.sketch[each.step] for each in self.places[number + 1 :] if each.step in self.sketch), ()
                )
                here = self.sketch.get(place.step, ())
                drop = here[place.seat] - later[place.seat] if here and later else 1.0
                found.append((-drop, number, place))
        return [place for _, _, place in sorted(found, key=lambda each: each[:2])]

    def _do(self, jobs: list[Callable[[], None]], pool: ThreadPoolExecutor, watch: Watch | None) -> None:
        """Run the jobs, and tell of each that is done; none is begun once the analysis is to stop."""
        if self.bench.should_stop():
            self._stopping = True
            return
        waiting: set[Future[None]] = {pool.submit(job) for job in jobs}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                for job in done:
                    job.result()
                if watch is not None and done:
                    watch(self.analysis(), len(jobs) - len(waiting), len(jobs))
        except (KeyboardInterrupt, StoppedError):
            self._stopping = True
            for job in waiting:
                job.cancel()
        except BaseException:
            self._stopping = True  # so that what is under way in other threads ends soon
            for job in waiting:
                job.cancel()
            raise

    def _sketched(self, place: Place) -> Callable[[], None]:
        def job() -> None:
            self.sketch[place.step] = judge_value(self.bench, self._state(place.step), ply=place.ply, scale=SKETCH)

        return job

    def _ended(self) -> None:
        """The judge's word on the last position, where the rules have not ended the match."""
        if not self.match.is_over:
            self.end = judge_value(self.bench, self.match.state, ply=self.match.ply)

    def _judged(self, place: Place) -> Callable[[], None]:
        return lambda: self.saved.add(self._judge_chance(place) if place.seat is None else self._judge_decision(place))

    def _judge_decision(self, place: Place) -> Decision:
        step, steps = self.match.steps[place.step], self.match.steps[: place.step]
        seen = tuple(each.before.seen(each.code, step.before.to_move) for each in steps)
        question = Question(step.before, place.ply, seen, self.seed, is_guessed=knower_of(self.match) is not None)
        return judge_decision(self.bench, question, place.step, step.code)

    def _judge_chance(self, place: Place) -> ChanceEvent:
        texts = tuple(step.text for step in self.match.steps[place.step : place.last])
        before, after = self._state(place.step), self._state(place.last)
        return judge_chance(self.bench, before, after, ply=place.ply, step=place.step, texts=texts)

    def _state(self, step: int) -> State:
        return self.match.steps[step].before if step < len(self.match.steps) else self.match.state

    # --- what there is

    def analysis(self) -> Analysis:
        """All that is known so far, in the order of the match."""
        decisions = tuple(self._decision(place) for place in self.places if place.seat is not None)
        found = [self.saved.chances.get(place.step) for place in self.places if place.seat is None]
        chances = tuple(each for each in found if each is not None)
        effort = self.bench.effort.name
        wanted = [
            self.saved.chances.get(place.step) if place.seat is None else self.saved.decisions.get(place.step)
            for place in self.places
            if place.seat is None or place.seat in self.seats
        ]
        result, ending = self._ending(decisions)
        start = decisions[0].before if decisions else result
        if chances and self.places[0].seat is None and chances[0].step == self.places[0].step:
            start = chances[0].before
        return Analysis(
            game=self.match.game.spec,
            judge=self.judge.spec,
            effort=effort,
            seed=self.seed,
            names=self.source.names,
            start=start,
            result=result,
            is_finished=self.match.is_over,
            ending=ending,
            is_calibrated=self.bench.is_calibrated,
            decisions=decisions,
            chances=chances,
            is_complete=all(self.saved.has(each, effort) for each in wanted),
            is_hidden=self.match.game.facts.hidden,
            points=any(each.points_lost is not None for each in decisions),
        )

    def _decision(self, place: Place) -> Decision:
        """As it was judged, or as far as the sketch tells."""
        found = self.saved.decisions.get(place.step)
        if found is not None and place.seat in self.seats:
            return found
        step, nothing = self.match.steps[place.step], none_for(self.match.game.seats)
        known = self.sketch.get(place.step, found.before if found else self._even())
        return Decision(
            ply=place.ply,
            step=place.step,
            seat=step.before.to_move,
            action=step.code,
            move=step.text,
            n_moves=len(step.before.legal_actions()),
            before=known,
            after=known,
            play=nothing,
            blind=nothing,
            is_judged=False,
        )

    def _even(self) -> Chances:
        return (1.0 / self.match.game.seats,) * self.match.game.seats

    def _ending(self, decisions: tuple[Decision, ...]) -> tuple[Chances, str]:
        if self.match.is_over:
            return tuple(self.match.state.win_shares()), f"{len(decisions)} moves"
        last = decisions[-1].after if decisions else self._even()
        forfeit = self.source.forfeit
        why = forfeit.reason if forfeit else "not finished"
        return self.end or last, f"{len(decisions)} moves, {why}: judged as it stood"


def places_of(match: Match) -> list[Place]:
    """The decisions of a match, and the chance events between them; a draw that was not finished is left out."""
    found: list[Place] = []
    ply = step = 0
    steps = match.steps
    while step < len(steps):
        last = step + 1
        if steps[step].seat is None:
            while last < len(steps) and steps[last].seat is None:
                last += 1
            if last < len(steps) or match.to_move != CHANCE:
                found.append(Place(step, ply, last, None))
        else:
            found.append(Place(step, ply, last, steps[step].seat))
            ply += 1
        step = last
    return found
