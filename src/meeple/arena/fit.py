"""Levels an even step apart, found along a roster's rungs and measured on fresh seeds: `meeple levels GAME --fit`.

1. *Climb.* From the first agent of the first rung on, the next level is sought on the way up: its number is moved, by
   a secant within brackets, until a sample of games against the level below says that it is a `step` of Elo stronger.
   The way ends with the last rung; the strongest agent, with its time, is put on top.
2. *Measure.* Every level plays the one below it and itself, on seeds that no sample has seen.
3. *Mend.* A level whose step lies outside the band is sought again, its measured games counting as a sample now. What
   has changed is measured on fresh seeds; all that at most `ROUNDS` times.

A step is Elo, 400 log10(s / (1 - s)) of the score s. That is for two; table_fit.py has the way for more.

Levels that are known need no new way up. `measure_top` puts a stronger agent on top of them, and plays only its step;
`mend` keeps every step inside the band as it was measured, and begins with 3 for the others.

All of it follows from the games in the log alone: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, count, pairwise, zip_longest

from meeple.agents.levels import TOP_TIME, top_spec
from meeple.arena.pairs import Pair, PairPlayer, PlayedSet, interval_of
from meeple.arena.statistics import Interval
from meeple.arena.way import Place, Way
from meeple.core.roster import Level, Levels, Roster

BAND = (0.7, 1.4)  # of the step: 150 to 300 Elo for the usual one
NEAR = 0.2  # of the step: a sample as near as this is near enough
INSIDE = 0.15  # of the step: a level that is mended aims so far inside the band, so that those above may stay
PROBES = 7  # samples for one level, at most
ROUNDS = 6  # of mending
MORE_ROUNDS = 12  # where nothing but mending is done, a step a round
FIRST_STRIDE, LEAST_STRIDE = 0.3, 0.02  # of a rung, guesses at where the next level is
SELF_GAMES = 60
BLOCK = 100_000  # seeds between the sets of two purposes


@dataclass(frozen=True)
class Purse:
    """How many games of a pair are played for one purpose: fewer where they take long."""

    least: int  # games, however long they take
    seconds: float  # of CPU time for a pair, beyond that


Task = tuple[Pair, int, int, Purse]  # who play, in which round's seeds, how many games at most, and for how long


@dataclass(frozen=True)
class Step:
    """How one level did against the one below it."""

    pair: Pair
    interval: Interval  # of the score; at a larger table, of how much larger the share is
    games: int
    elo: float
    is_shown: bool  # that it is a step at all, which only a larger table asks


def _without(places: list[Place], index: int) -> list[Place]:
    """The places but one; the last one stays."""
    return [*places[:index], *places[index + 1 :]] if len(places) > 1 else places


def _along(heights: Sequence[float], ts: Sequence[float], height: float) -> float:
    """Where on the way the height is reached, by straight lines through the points."""
    for (low, start), (high, end) in pairwise(zip(heights, ts, strict=True)):
        if low <= height <= high:
            return start + (end - start) * (height - low) / max(high - low, 1e-9)
    return ts[-1]


class Fit:
    """Seeks and measures the levels of a game."""

    def __init__(
        self,
        player: PairPlayer,
        roster: Roster,
        *,
        games: int,
        seed: int,
        cpu: float = 240.0,
        top_time: str = TOP_TIME,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.player, self.games, self.seed, self.tell = player, games, seed, tell
        self.game, self.log = player.game, player.log
        self.seats, self.step = player.game.seats, float(roster.step)
        self.low, self.high = BAND[0] * self.step, BAND[1] * self.step
        self.way = Way(roster.rungs)
        self.top = top_spec(self.game.definition, top_time)
        self.probing, self.measuring, self.alone = Purse(10, cpu / 6), Purse(20, cpu), Purse(4, cpu / 4)
        self.rounds = ROUNDS
        self.found: Levels | None = None  # the last that were measured as a whole
        self._known_steps: dict[Pair, Step] = {}  # by an earlier fit, and not played again
        self._known_levels: dict[Pair, Level] = {}  # likewise, by the pair of an agent with itself
        self._given_up: set[Pair] = set()  # steps outside the band that no agent mends

    # --- the whole

    def run(self) -> Levels:
        """The levels, measured; meanwhile `found` holds what is known of them.

        Raises:
            OutOfTime: the player's time is over.
        """
        return self._settled(self.climb([self.way.place(0.0)]))

    def mend(self, known: Levels) -> Levels:
        """Known levels with those sought and measured anew whose step is outside the band; the others stay.

        Raises:
            ConfigError: a known level stands on no rung.
            OutOfTime: the player's time is over.
        """
        places = [self.way.find(level.spec) for level in known.levels[:-1]]
        self.rounds = MORE_ROUNDS
        steps = [self._remembered(below, level) for below, level in pairwise(known.levels)]
        self._known_steps = {step.pair: step for step in steps if step is not None}
        measured = {level.measured_as or level.spec: level for level in known.levels}
        self._known_levels = {self.player.pair(spec, spec): level for spec, level in measured.items()}
        return self._settled(places)

    def _remembered(self, below: Level, level: Level) -> Step | None:
        """The step to a level as it was measured; None where it was not."""
        if level.score is None or level.low is None or level.high is None:
            return None
        pair = self.player.pair(level.measured_as or level.spec, below.spec)
        found = Interval(level.score, level.low, level.high)
        return Step(pair, found, level.games, (level.elo or 0.0) - (below.elo or 0.0), is_shown=True)

    def _settled(self, places: list[Place]) -> Levels:
        """Measure these levels and the strongest, and mend what lies outside the band, until nothing does."""
        for number in count(1):
            steps = self.measure([*(place.spec for place in places), self.top], number)
            fits = self._fits if number < self.rounds else self._counts
            bad = next((i for i, step in enumerate(steps) if not fits(step)), None)
            if bad is None:
                break
            if number < self.rounds:
                self.tell(f"the step to level {bad + 2} is {steps[bad].elo:+.0f}: it is sought again")
                mended = self._mended(places, bad, steps[bad], number)
            else:
                self.tell(f"the step to level {bad + 2} is not shown: one level fewer")
                mended = _without(places, min(bad + 1, len(places) - 1))
            if mended == places:
                self._given_up.add(steps[bad].pair)
            places = mended
        assert self.found is not None
        return self.found

    def measure_top(self, known: Levels) -> Levels:
        """Known levels with the strongest agent of today in the place of the last, measured against the one below it.

        Raises:
            OutOfTime: the player's time is over; `found` holds what was measured.
        """
        below = known.levels[-2]
        specs = [below.spec, self.top]
        self.tell(f"measuring {self.top} against {below.spec}")
        tasks = [*self._matches(specs, 1), *self._alone([self.top])]
        self._play_least(tasks)
        try:
            self._play_rest(tasks)
        finally:
            [step] = self._steps(specs, 1)
            last = self._level(self.top, (below.elo or 0.0) + step.elo, step)
            self.found = self._kept(replace(known, levels=(*known.levels[:-1], last)))
        return self.found

    def _counts(self, step: Step) -> bool:
        """Whether a step may stand at the end: at a larger table only one that is shown."""
        return step.pair in self._given_up or step.is_shown

    def _fits(self, step: Step) -> bool:
        """Whether a step needs no mending, or nothing can be done about it."""
        return step.pair in self._given_up or (self.low <= step.elo <= self.high and self._counts(step))

    def _mended(self, places: list[Place], bad: int, step: Step, rounds: int) -> list[Place]:
        """The levels with another in the place of the one above the bad step, one fewer, or one more on top."""
        is_wide = step.elo > self.high
        aim = self.high - INSIDE * self.step if is_wide else self.low + INSIDE * self.step
        below, above = places[: bad + 1], places[bad + 2 :]
        if bad == len(places) - 1:  # the step to the strongest: a level more below it, or one fewer
            if not is_wide:
                return places[:-1] or places
            more = self.above(below[-1], FIRST_STRIDE, aim=aim, rounds=rounds)
            return [*places, more] if more and not self._was_left_out(more, rounds) else places
        found = self.above(below[-1], places[bad + 1].t - below[-1].t, aim=aim, rounds=rounds)
        if found is None or found.spec == places[bad + 1].spec:
            return places if is_wide else [*below, *above]
        return [*below, found, *(place for place in above if place.t > found.t)]

    def _was_left_out(self, place: Place, rounds: int) -> bool:
        """Whether an earlier round measured that the strongest is hardly better."""
        pair = self.player.pair(self.top, place.spec)
        sets = [each for n in range(1, rounds + 1) for each in self.log.sets(pair, self._seeds(n, self.games))]
        return bool(sets) and self.elo(sets) < self.low

    # --- the way up

    def climb(self, places: list[Place]) -> list[Place]:
        """The given levels, and all above them but the strongest."""
        found, stride = list(places), FIRST_STRIDE
        self.tell(f"level 1: {found[0].spec}")
        while (following := self.above(found[-1], stride, aim=self.step)) is not None:
            stride = following.t - found[-1].t
            found.append(following)
            self.tell(f"level {len(found)}: {following.spec}")
        return self.spread(found)

    def spread(self, places: list[Place]) -> list[Place]:
        """Move the levels up a little, so that the last stands at the end of the way and all steps are equal again.

        By straight lines through the samples; where they lead to one agent twice, the levels stay as they are.
        """
        end = self.way.place(self.way.end)
        last = places[-1]
        rest = 0.0 if end.spec == last.spec else self.probe(end.spec, last.spec, 0)
        if len(places) < 3 or rest < INSIDE * self.step:
            return places
        heights = [0.0, *accumulate(self.probe(one.spec, other.spec, 0) for other, one in pairwise(places))]
        heights.append(heights[-1] + rest)
        ts = [*(place.t for place in places), end.t]
        n_steps = len(places) - 1
        moved = [_along(heights, ts, heights[-1] * n / n_steps) for n in range(n_steps)]
        found = [*(self.way.place(t) for t in moved), end]
        self.tell(f"spread over the whole way, {heights[-1] / n_steps:.0f} Elo a step by the samples")
        return found if len({place.spec for place in found}) == len(found) else places

    def above(self, level: Place, stride: float, *, aim: float, rounds: int = 0) -> Place | None:
        """The place on the way that is `aim` above a level, as nearly as there is one; None where the way ends before.

        What is returned is never weaker than the band's lower end, by its sample.
        """
        weak, strong = (level.t, 0.0), None
        best: tuple[float, Place] | None = None
        t = min(self.way.end, level.t + max(stride, LEAST_STRIDE))
        for _ in range(PROBES):
            place = self.way.place(t)
            elo = 0.0 if place.spec == level.spec else self.probe(place.spec, level.spec, rounds)
            if elo >= self.low and (best is None or abs(elo - aim) < best[0]):
                best = abs(elo - aim), place
            if abs(elo - aim) <= NEAR * self.step:
                break
            if elo < aim:
                weak = t, elo
            else:
                strong = t, elo
            if strong is None and t >= self.way.end:
                break
            t = self._next(level.t, weak, strong, aim)
            if strong is not None:
                between = self.way.between(weak[0], strong[0], t)
                if between is None:
                    break
                t = between.t
        return best[1] if best else None

    def _next(self, start: float, weak: tuple[float, float], strong: tuple[float, float] | None, aim: float) -> float:
        """Where to look next: between the brackets, by a straight line; or further up where one is missing."""
        if strong is None:
            reached = max(weak[0] - start, LEAST_STRIDE)
            factor = 2.0 if weak[1] <= 0 else min(2.0, max(1.25, aim / weak[1]))
            return min(self.way.end, start + reached * factor)
        share = (aim - weak[1]) / max(1.0, strong[1] - weak[1])
        return weak[0] + (strong[0] - weak[0]) * min(0.85, max(0.15, share))

    def probe(self, one: str, other: str, rounds: int) -> float:
        """The Elo of one agent above another, by a sample, and by what was measured of the two in earlier rounds."""
        return self.elo(self._sampled(self.player.pair(one, other), rounds))

    def _sampled(self, pair: Pair, rounds: int) -> list[PlayedSet]:
        """Play a sample of a pair; return it with what was measured of the pair in earlier rounds."""
        self.player.play([(pair, seed) for seed in self._first(pair, 0, self.probing)])
        seeds = self._seeds(0, self._n_sets(pair, 0, self.games // 3, self.probing))
        self.player.play([(pair, seed) for seed in seeds])
        sets = self.log.sets(pair, seeds)
        for number in range(1, rounds + 1):
            sets += self.log.sets(pair, self._seeds(number, self.games))
        return sets

    # --- measuring

    def measure(self, specs: Sequence[str], number: int) -> list[Step]:
        """Every level against the one below it, by seeds of round `number`, or of an earlier one that had the pair."""
        tasks = [*self._matches(specs, number), *self._alone(specs)]
        tasks.reverse()  # the strongest, and slowest, first: what is quick fills the gaps that they leave
        self.tell(f"measuring {len(specs)} levels")
        self._play_least(tasks)
        try:
            self._play_rest(tasks)
        finally:
            steps = self._steps(specs, number)
            self.found = self._levels(specs, steps)
        return steps

    def _pairs(self, specs: Sequence[str]) -> list[Pair]:
        """The pairs by which levels are measured."""
        return [self.player.pair(one, other) for other, one in pairwise(specs)]

    def _matches(self, specs: Sequence[str], number: int) -> list[Task]:
        pairs = self._pairs(specs)
        new = [pair for pair in pairs if pair not in self._known_steps]
        return [(pair, self._round_of(pair, number), self.games, self.measuring) for pair in new]

    def _alone(self, specs: Sequence[str]) -> list[Task]:
        pairs = [self.player.pair(spec, spec) for spec in specs]
        return [(pair, 1, SELF_GAMES, self.alone) for pair in pairs if pair not in self._known_levels]

    def _steps(self, specs: Sequence[str], number: int) -> list[Step]:
        pairs = self._pairs(specs)
        return [self._known_steps.get(pair) or self._step(pair, self._round_of(pair, number)) for pair in pairs]

    def _round_of(self, pair: Pair, number: int) -> int:
        """The first round in which the pair was measured; this one where it was not."""
        known = self.log.known[pair]
        return next((n for n in range(1, number) if self.seed + n * BLOCK in known), number)

    def _step(self, pair: Pair, number: int) -> Step:
        sets = self.log.sets(pair, self._seeds(number, self._n_sets(pair, number, self.games, self.measuring)))
        found = interval_of(sets)
        games = sum(each.games for each in sets)
        return Step(pair, found, games, self.elo(sets), is_shown=True)

    def _levels(self, specs: Sequence[str], steps: Sequence[Step]) -> Levels:
        rows, elo = [self._level(specs[0], 0.0, None)], 0.0
        for spec, step in zip(specs[1:], steps, strict=True):
            elo += step.elo
            rows.append(self._level(spec, elo, step))
        return Levels(version=self.game.facts.version, seats=self.seats, seed=self.seed, levels=tuple(rows))

    def _kept(self, levels: Levels) -> Levels:
        """What is handed out of them: for two all, shown to differ or not."""
        return levels

    def _level(self, spec: str, elo: float, step: Step | None) -> Level:
        pair = self.player.pair(spec, spec)
        own = self.log.sets(pair, self._seeds(1, self._n_sets(pair, 1, SELF_GAMES, self.alone)))
        has_points = any(each.points for each in own)
        points = round(sum(each.points for each in own) / len(own), 1) if has_points else None
        known = self._known_levels.get(pair)
        return Level(
            spec=self._named(spec),
            elo=round(elo),
            score=round(step.interval.mean, 3) if step else None,
            low=round(step.interval.low, 3) if step else None,
            high=round(step.interval.high, 3) if step else None,
            games=step.games if step else 0,
            points=known.points if known else points,
            self_games=known.self_games if known else len(own),
            measured_as=spec if self._named(spec) != spec else None,
        )

    def _named(self, spec: str) -> str:
        """The spec of a level: the strongest plays with its own time, however it was measured."""
        return top_spec(self.game.definition) if spec == self.top else spec

    # --- games

    def _play_least(self, tasks: Sequence[Task]) -> None:
        """Play of every task the games that are played however long they take."""
        self.player.play([(pair, seed) for pair, block, _, purse in tasks for seed in self._first(pair, block, purse)])

    def _play_rest(self, tasks: Sequence[Task]) -> None:
        """Play what the purses afford, a set of each in turn: whenever the time is over, all have about as many."""
        wanted = [
            [(pair, seed) for seed in self._seeds(block, self._n_sets(pair, block, games, purse))]
            for pair, block, games, purse in tasks
        ]
        self.player.play([each for each in chain(*zip_longest(*wanted)) if each])

    def elo(self, sets: Sequence[PlayedSet]) -> float:
        """The step that these sets speak for; half a set of even games more keeps it finite."""
        share = (sum(each.share for each in sets) + 0.5 / self.seats) / (len(sets) + 0.5)
        return 400 * math.log10(share * (self.seats - 1) / (1 - share))

    def _n_sets(self, pair: Pair, block: int, games: int, purse: Purse) -> int:
        """How many sets make so many games, or what the purse affords by the time that the first of them took."""
        first = self.log.sets(pair, self._first(pair, block, purse))
        each = sum(one.seconds for one in first[1:]) / max(1, len(first) - 1)  # the very first may have compiled
        affordable = purse.seconds / each if each > 0 else math.inf
        return max(len(first), math.ceil(min(games / self._games_a_set(pair), affordable)))

    def _first(self, pair: Pair, block: int, purse: Purse) -> range:
        """The seeds of the sets that are played however long they take."""
        return self._seeds(block, math.ceil(purse.least / self._games_a_set(pair)))

    def _games_a_set(self, pair: Pair) -> int:
        return 1 if pair.one == pair.other else self.seats

    def _seeds(self, block: int, n_sets: int) -> range:
        first = self.seed + block * BLOCK
        return range(first, first + n_sets)
