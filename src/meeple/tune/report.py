"""What a tuning found: tables, sentences and JSON, with the best on fresh seeds beside the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meeple.arena.statistics import CONFIDENCE, Interval, bootstrap_interval, score_interval
from meeple.tune.space import Value
from meeple.tune.tuning import Check, Study, Tried

SHOWN = 5  # trials in the table; of a grid SHOWN_CELLS
SHOWN_CELLS = 20
FEW = 4  # so many dimensions or fewer have columns in the table of trials


@dataclass(frozen=True)
class Outcome:
    """A study as far as it was played."""

    study: Study
    best: str = ""  # the best candidate's spec, with its files of weights; empty before the first whole trial
    check: Check | None = None
    was_stopped: bool = False

    def trial_rows(self) -> tuple[list[str], list[list[object]]]:
        """Heads and rows of the best trials, and of the start."""
        study, tuning = self.study, self.study.tuning
        dimensions = tuning.space.dimensions
        keys = [each.key for each in dimensions] if len(dimensions) <= FEW else []
        most = SHOWN_CELLS if tuning.cells else SHOWN
        shown = study.whole[:most]
        start = study.start
        if start is not None and start.is_whole and start not in shown:
            shown = [*shown, start]
        rows: list[list[object]] = []
        for tried in shown:
            found = tuning.contest.interval(tried.sets)
            name = f"{tried.number + 1}" + (" (start)" if tried == start else "")
            rows.append([name, number_text(found.mean), span(found), *(text_of(tried.values[key]) for key in keys)])
        return ["trial", tuning.contest.objective, f"{CONFIDENCE:.0%}", *keys], rows

    def dimension_rows(self) -> list[list[object]]:
        """A row a dimension: key, range, at the start, of the best, and how much hangs on it."""
        study = self.study
        parts, best = study.importances(), study.whole[0]
        return [
            [
                each.key,
                each.words(),
                text_of(each.start),
                text_of(best.values[each.key]),
                f"{parts[each.key]:.2f}" if each.key in parts else "-",
            ]
            for each in study.tuning.space.dimensions
        ]

    def remarks(self) -> list[str]:
        """What a reader must know to trust the table."""
        study = self.study
        lines = []
        given_up = len(study.trials) - len(study.whole)
        if given_up:
            lines.append(f"given up  {given_up} of {len(study.trials)} trials, before their last game")
        if not study.whole:
            return [*lines, "no trial was finished: nothing can be said"]
        if len(study.whole) > 1:
            lines.append(self._rank_words())
        corrected = study.corrected()
        if corrected is not None:
            lines.append(f"corrected for choosing  {number_text(corrected.mean)} ({span(corrected)}) is to be expected")
        return lines + self._check_words()

    def _rank_words(self) -> str:
        start, whole = self.study.start, self.study.whole
        if start is None or not start.is_whole:
            return f"chosen  the best of {len(whole)} by the same seeds, which flatters it"
        return f"chosen  the best of {len(whole)} by the same seeds, which flatters it; the start is number " + str(
            whole.index(start) + 1
        )

    def _check_words(self) -> list[str]:
        study, check = self.study, self.check
        if study.whole[0] == study.start:
            return ["verdict  nothing better than the start was found"]
        if check is None:
            return []
        contest, last = study.tuning.contest, check.first_seed + len(check.best) - 1
        gain = bootstrap_interval(check.differences)
        means = [number_text(contest.interval(side).mean) for side in (check.best, check.start)]
        lines = [
            f"fresh seeds {check.first_seed} to {last}: best {means[0]}, start {means[1]}, difference {_gain(gain)}"
        ]
        if check.duel:
            found = score_interval(check.duel)
            games = len(check.duel) * contest.game.seats
            even = f"an even share is {1 / contest.game.seats:.3f}"
            lines.append(f"best against start  {found.mean:.3f} ({span(found)}) of {games} games; {even}")
        verdict = "is better than" if gain.low > 0 else "is worse than" if gain.high < 0 else "is not told from"
        return [*lines, f"verdict  the best {verdict} the start on fresh seeds ({contest.objective}, {CONFIDENCE:.0%})"]

    def as_json(self) -> dict[str, Any]:
        """All of it for machines."""
        study, tuning = self.study, self.study.tuning
        corrected = study.corrected() if study.whole else None
        return {
            **tuning.configuration(),
            "confidence": CONFIDENCE,
            "games_a_trial": tuning.games_a_trial,
            "start": tuning.space.start,
            "trials": [self._trial_json(tried) for tried in study.trials],
            "best": study.whole[0].number + 1 if study.whole else None,
            "use": self.best,
            "importances": study.importances() if study.whole else {},
            "corrected": _json(corrected),
            "check": self._check_json(),
            "folder": str(study.folder),
            "stopped": self.was_stopped,
        }

    def _trial_json(self, tried: Tried) -> dict[str, Any]:
        found = self.study.tuning.contest.interval(tried.sets)
        facts = {"trial": tried.number + 1, "sets": len(tried.sets), "is_whole": tried.is_whole}
        return {**facts, **_json(found), "values": tried.values}

    def _check_json(self) -> dict[str, Any] | None:
        check, contest = self.check, self.study.tuning.contest
        if check is None:
            return None
        return {
            "first_seed": check.first_seed,
            "sets": len(check.best),
            "best": _json(contest.interval(check.best)),
            "start": _json(contest.interval(check.start)),
            "difference": _json(bootstrap_interval(check.differences)),
            "best_against_start": _json(score_interval(check.duel)) if check.duel else None,
        }


def text_of(value: Value) -> str:
    """A value as a spec has it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def number_text(value: float) -> str:
    """A share or a number of points."""
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def span(found: Interval) -> str:
    """An interval."""
    return f"{number_text(found.low)} .. {number_text(found.high)}"


def _gain(found: Interval) -> str:
    return f"{found.mean:+.3f} ({found.low:+.3f} .. {found.high:+.3f})"


def _json(found: Interval | None) -> dict[str, Any]:
    return {} if found is None else {"mean": found.mean, "low": found.low, "high": found.high}
