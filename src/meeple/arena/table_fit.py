"""Levels of a game for more than two, measured at one table: `meeple levels GAME --fit`.

Against two beginners the strongest player may win no more than its share: where nobody helps, the roles decide. So
every level sits, in each seat in turn, among the same companions, the roster's `table`, with the same deals. Its
*height* is 400 log10(s (n - 1) / (1 - s)) of its share s of the wins, 0 for an even one. A step is the difference of
two heights. A step counts only if it is shown: on the same deals, the higher level's share is larger by an interval
that lies above 0. Otherwise the level is left out: another is sought for it, and what at the end is still not shown
is dropped by `shown_only`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from meeple.arena.fit import Fit, Step
from meeple.arena.pairs import Pair, PairPlayer, PlayedSet, interval_of
from meeple.arena.statistics import Interval, score_interval
from meeple.arena.way import Place
from meeple.core.roster import Level, Levels, Roster
from meeple.errors import ConfigError


def shown_only(found: Levels) -> Levels:
    """The levels with a step that is shown; of one that is not, the upper level is dropped, or the one below the top.

    Over the gap only the shares are known, not deal by deal. The step's interval then goes from the ends of their own
    intervals, which are further apart than those of the difference, however the deals go together.
    """
    levels = list(found.levels)
    while (bad := next((n for n in range(1, len(levels)) if not _is_shown(levels[n])), None)) is not None:
        if len(levels) == 2:
            break
        dropped = min(bad, len(levels) - 2)
        del levels[dropped]
        levels[dropped] = _over_gap(levels[dropped - 1], levels[dropped])
    return replace(found, levels=tuple(levels))


def _is_shown(level: Level) -> bool:
    return level.more_low is not None and level.more_low > 0


def _over_gap(below: Level, level: Level) -> Level:
    """A level with its step above another one than that it was compared with."""
    share, low, high = _share_of(level)
    other, other_low, other_high = _share_of(below)
    return replace(
        level, more=round(share - other, 3), more_low=round(low - other_high, 3), more_high=round(high - other_low, 3)
    )


def _share_of(level: Level) -> tuple[float, float, float]:
    """A level's share at the table, which all have, and the ends of its interval."""
    return level.score or 0.0, level.low or 0.0, level.high or 0.0


class TableFit(Fit):
    """Seeks and measures the levels of a game for more than two."""

    def __init__(self, player: PairPlayer, roster: Roster, **given: Any) -> None:
        super().__init__(player, roster, **given)
        if not roster.table:
            raise ConfigError(f"the roster of {player.game.name} names no table, the agent that all levels sit with")
        self.named = roster.table
        self.table = player.pair(self.named, self.named).one

    def mend(self, known: Levels) -> Levels:
        """Refused: at a table a step is known only from games on the same deals, which all levels play together."""
        raise ConfigError("levels of a game for more than two are measured together: give --fit")

    def probe(self, one: str, other: str, rounds: int) -> float:
        """The height of one agent above another, by samples of both, and by what was measured of them."""
        return self.elo(self._sample(one, rounds)) - self.elo(self._sample(other, rounds))

    def _sample(self, spec: str, rounds: int) -> list[PlayedSet]:
        """Games of an agent at the table; none of the companions, whose share is even."""
        pair = self._at_table(spec)
        return [] if pair.one == self.table else self._sampled(pair, min(rounds, 1))

    def _at_table(self, spec: str) -> Pair:
        return self.player.pair(spec, self.table)

    # --- measuring: all on the deals of round 1, so that two shares can be compared

    def _pairs(self, specs: Sequence[str]) -> list[Pair]:
        return [pair for pair in map(self._at_table, specs) if pair.one != self.table]

    def _round_of(self, pair: Pair, number: int) -> int:
        return 1

    def _steps(self, specs: Sequence[str], number: int) -> list[Step]:
        return [self._between(one, other) for other, one in pairwise(specs)]

    def _between(self, one: str, other: str) -> Step:
        """How far one level stands above the other, and how much more of the wins it takes on the same deals."""
        mine, theirs = self._shares(one), self._shares(other)
        seeds = sorted(mine.keys() & theirs.keys())
        found = score_interval([(1 + mine[seed] - theirs[seed]) / 2 for seed in seeds])
        more = Interval(2 * found.mean - 1, 2 * found.low - 1, 2 * found.high - 1, found.confidence)
        elo = self.elo(self._measured(one)) - self.elo(self._measured(other))
        return Step(self.player.pair(one, other), more, len(seeds) * self.seats, elo, more.low > 0)

    def _shares(self, spec: str) -> dict[int, float]:
        """A level's share of the wins by deal."""
        if self._at_table(spec).one == self.table:
            return dict.fromkeys(self._seeds(1, self.games), 1 / self.seats)
        return {each.seed: each.share for each in self._measured(spec)}

    def _measured(self, spec: str) -> list[PlayedSet]:
        pair = self._at_table(spec)
        if pair.one == self.table:
            return []
        return self.log.sets(pair, self._seeds(1, self._n_sets(pair, 1, self.games, self.measuring)))

    def _was_left_out(self, place: Place, rounds: int) -> bool:
        sets = self._measured(place.spec)
        return bool(sets) and self.elo(self._measured(self.top)) - self.elo(sets) < self.low

    def _levels(self, specs: Sequence[str], steps: Sequence[Step]) -> Levels:
        return self._kept(replace(super()._levels(specs, steps), table=self.named))

    def _kept(self, levels: Levels) -> Levels:
        return shown_only(levels)

    def _level(self, spec: str, elo: float, step: Step | None) -> Level:
        """A level's own share at the table, and what it takes more than the one below it."""
        sets = self._measured(spec)
        share = interval_of(sets) if sets else Interval(1 / self.seats, 1 / self.seats, 1 / self.seats, 1.0)
        return replace(
            super()._level(spec, elo, None),
            score=round(share.mean, 3),
            low=round(share.low, 3),
            high=round(share.high, 3),
            games=sum(each.games for each in sets),
            more=round(step.interval.mean, 3) if step else None,
            more_low=round(step.interval.low, 3) if step else None,
            more_high=round(step.interval.high, 3) if step else None,
        )
