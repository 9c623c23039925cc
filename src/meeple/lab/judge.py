"""Judgements: what an item's file asks to be compared, and the verdict on it.

difference             every share against the published one, Newcombe's interval at 99% over all of them
band                   a published curve, games unknown, within the bootstrap's band around ours
range                  published numbers of a single game or run among those of our games or runs
machine                times and rates of another machine, told beside ours and not judged
rising, falling        the trend over all entries in their order
level                  no trend is shown, and one of half the first value would have been seen
NAME > NAME            one entry above another; either may be a number (`50%`, or `12` points)
LINE > LINE at 3..9    one line above another, over these places taken together
NAME = NAME within 5%  the two differ by no more than that: their difference's whole interval lies in it
NAME / NAME within K   our ratio is the published one up to a factor K
NAME within K          our mean is the published one up to a factor K
peak at NAME           no entry is above this one, and all but its neighbours are below

Where an item has lines, curves and trends are judged line by line, and a peak among the points of its line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from meeple.arena.statistics import Interval, ratio_interval
from meeple.errors import ConfigError, did_you_mean
from meeple.lab.comparison import (
    CONFIDENCE,
    Difference,
    at_least,
    band,
    difference,
    over_groups,
    ratio,
    sample_interval,
    shared_out,
    trend,
    visible,
    visible_factor,
    visible_shift,
)
from meeple.lab.paper import Published

VISIBLE = 0.2  # a share's difference that our games should be able to show, unless the paper's own are too few for it
WIDE = 0.5  # the same of a value that is no share, as a part of what was published
_ABOVE = re.compile(r"(?P<a>.+) > (?P<b>.+)")
_RATIO = re.compile(r"(?P<a>.+) / (?P<b>.+) within (?P<factor>[0-9.]+)")
_AT = re.compile(r"(?P<a>.+) > (?P<b>.+) at (?P<first>[0-9]+)\.\.(?P<last>[0-9]+)")
_EQUAL = re.compile(r"(?P<a>.+) = (?P<b>.+) within (?P<margin>[0-9.]+)(?P<percent>%?)")
_WITHIN = re.compile(r"(?P<a>.+) within (?P<factor>[0-9.]+)")
_PEAK = re.compile(r"peak at (?P<a>.+)")
_NUMBER = re.compile(r"(?P<number>-?[0-9]+(?:\.[0-9]+)?)(?P<percent>%?)")
WHOLE = ("difference", "band", "range", "machine", "rising", "falling", "level")
BY_LINE = ("band", "range", "rising", "falling", "level")


class Verdict(StrEnum):
    """What is said of a published number or statement."""

    AGREES = "agrees"
    DIFFERS = "differs"
    HOLDS = "holds"
    FAILS = "fails"
    TOO_FEW = "too few games to tell"
    FITTED = "fitted"  # the number chose a setting here: that is no agreement
    MACHINE = "machine"  # only ratios can be compared
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Judgement:
    """One line of `judge`: its kind, and the entries that it names."""

    kind: str
    text: str
    names: tuple[str, ...] = ()
    factor: float = 0.0
    places: tuple[int, int] = (0, 0)  # the first and the last that are compared
    margin: float = 0.0  # by which two may differ and are called equal

    @property
    def needs_published(self) -> bool:
        """Whether it compares with published values."""
        return self.kind in ("difference", "band", "ratio", "within", "range", "machine")


@dataclass(frozen=True)
class Sample:
    """What was measured for one entry: the agent's mean in each set, and what was published.

    With `counts`, values are sums over so many decisions of each set, and the mean is that of all decisions. With
    `groups`, the number of each set's training run, the mean is that of runs, which differ by more than their games.
    """

    name: str
    values: tuple[float, ...]
    published: Published | None = None
    is_share: bool = True
    fitted: bool = False
    counts: tuple[float, ...] = ()
    groups: tuple[int, ...] = ()
    line: str = ""
    place: int | None = None

    def interval(self, confidence: float) -> Interval:
        """The interval of the mean."""
        if self.counts:
            return ratio_interval(self.values, self.counts, confidence)
        found = sample_interval(self.values, confidence, is_share=self.is_share)
        return over_groups(self.values, self.groups, found) if len(set(self.groups)) > 1 else found

    @property
    def trials(self) -> list[float]:
        """The mean of each set that has one."""
        counts = self.counts or (1.0,) * len(self.values)
        return [value / count for value, count in zip(self.values, counts, strict=True) if count]


@dataclass(frozen=True)
class Finding:
    """A verdict with what it rests on, in a plain sentence."""

    about: str  # the entry or the relation
    verdict: Verdict
    sentence: str
    difference: Difference | None = None


def parse_judgement(text: str, names: Sequence[str], lines: Sequence[str] = ()) -> Judgement:
    """Read a line of `judge`; `names` are the item's entries, `lines` its lines."""
    if text in WHOLE:
        return Judgement(text, text)
    if lines and (found := _AT.fullmatch(text)):
        for side in (found["a"], found["b"]):
            if side not in lines:
                raise ConfigError(f"'{text}' names no line '{side}'; {did_you_mean(side, lines)}")
        return Judgement("at", text, (found["a"], found["b"]), places=(int(found["first"]), int(found["last"])))
    forms = {"equal": _EQUAL, "ratio": _RATIO, "within": _WITHIN, "peak": _PEAK, "above": _ABOVE}
    for kind, pattern in forms.items():
        found = pattern.fullmatch(text)
        if found:
            parts = found.groupdict()
            sides = tuple(parts[side] for side in ("a", "b") if parts.get(side))
            for side in sides:
                if side not in names and not (kind == "above" and _NUMBER.fullmatch(side)):
                    raise ConfigError(f"'{text}' names no entry '{side}'; {did_you_mean(side, names)}")
            factor = float(parts.get("factor") or 0)
            if kind in ("ratio", "within") and factor <= 1:
                raise ConfigError(f"'{text}': a factor is above 1, not {factor:g}")
            margin = float(parts.get("margin") or 0) / (100 if parts.get("percent") else 1)
            if kind == "equal" and margin <= 0:
                raise ConfigError(f"'{text}': a margin is above 0, not {parts['margin']}")
            return Judgement(kind, text, sides, factor, margin=margin)
    known = f"{', '.join(WHOLE)}, `A > B`, `A > B at 3..9`, `A = B within 5%`, `A / B within K`, `A within K`"
    raise ConfigError(f"'{text}' is no judgement; one is {known} or `peak at A`")


def judge(lines: Sequence[str], samples: Sequence[Sample]) -> list[Finding]:
    """The findings of all lines; a relation whose entries were not all measured is left open as too few games."""
    by_name = {sample.name: sample for sample in samples}
    curves: dict[str, list[Sample]] = {}
    for sample in samples:
        curves.setdefault(sample.line, []).append(sample)
    findings: list[Finding] = []
    for line in lines:
        judgement = parse_judgement(line, [*by_name, *_named_in(line)], [name for name in curves if name])
        if judgement.kind == "difference":
            findings += differences(samples)
        elif judgement.kind == "machine":
            findings += _machine(samples)
        elif judgement.kind == "at":
            findings.append(_lines_at(judgement, *(curves[name] for name in judgement.names)))
        elif judgement.kind in BY_LINE:
            for name, part in curves.items():
                if len(part) > 1 or not name:  # a line of one number has no trend
                    own = replace(judgement, text=f"{name}, {judgement.text}" if name else judgement.text)
                    if judgement.needs_published and not any(sample.published for sample in part):
                        continue
                    findings.append(_fitted(_relation(own, part, by_name), judgement, part))
                elif judgement.kind == "range" and part[0].published:
                    findings.append(_range(replace(judgement, text=f"{name}, range"), part))
        elif missing := [name for name in judgement.names if name not in by_name and not _NUMBER.fullmatch(name)]:
            why = f"{_quoted(missing[0])} was not played at this size"
            findings.append(Finding(judgement.text, Verdict.TOO_FEW, why))
        else:
            findings.append(_fitted(_relation(judgement, samples, by_name), judgement, samples))
    return findings


def _named_in(line: str) -> list[str]:
    """The names that a line may hold, which its file was checked for; they may not be played at a small size."""
    for pattern in (_EQUAL, _RATIO, _WITHIN, _PEAK, _ABOVE):
        if found := pattern.fullmatch(line):
            return [part for key, part in found.groupdict().items() if key in ("a", "b")]
    return []


# --- differences from published shares -----------------------------------------------------------------


def differences(samples: Sequence[Sample], confidence: float = CONFIDENCE) -> list[Finding]:
    """Each sample against its published share; the confidence holds for all of them together."""
    judged = [sample for sample in samples if sample.published is not None and sample.published.of is not None]
    level = shared_out(confidence, len(judged))
    return [_one_difference(sample, level) for sample in judged]


def _one_difference(sample: Sample, level: float) -> Finding:
    assert sample.published is not None
    theirs = sample.published.range(level)
    assert theirs is not None
    ours = sample.interval(level)
    found = difference(ours, theirs)
    shown = f"{_percent(ours.mean)} here, {_percent(theirs.mean)} there"
    span = f"difference {_signed(found.value)} points ({_signed(found.low)} .. {_signed(found.high)})"
    seen = f"a difference of {100 * found.visible:.0f} points would have been seen four times in five"
    is_ours_wider = ours.high - ours.low > theirs.high - theirs.low
    if sample.fitted:
        verdict, tail = Verdict.FITTED, "the number chose a setting here, so it says nothing"
    elif found.is_shown:
        verdict, tail = Verdict.DIFFERS, seen
    elif found.visible > VISIBLE and is_ours_wider:
        verdict, tail = Verdict.TOO_FEW, f"only {seen}"
    else:
        verdict, tail = Verdict.AGREES, seen
    return Finding(sample.name, verdict, f"{shown}: {span}; {tail}", found)


# --- relations -----------------------------------------------------------------------------------------


def _relation(judgement: Judgement, samples: Sequence[Sample], by_name: Mapping[str, Sample]) -> Finding:
    if judgement.kind in ("rising", "falling", "level"):
        return _trend(judgement, samples)
    if judgement.kind == "band":
        return _band(judgement, samples)
    if judgement.kind == "range":
        return _range(judgement, samples)
    if judgement.kind == "peak":
        own = by_name[judgement.names[0]].line
        return _peak(judgement, [sample for sample in samples if sample.line == own])
    if judgement.kind == "within":
        return _within(judgement, by_name[judgement.names[0]])
    if judgement.kind == "ratio":
        return _ratio(judgement, *(by_name[name] for name in judgement.names))
    a, b = (_side(name, by_name) for name in judgement.names)
    found, is_share = difference(a, b), all(sample.is_share for sample in samples)
    verdict = _nearness(found, judgement.margin) if judgement.kind == "equal" else _side_of_zero(found)
    return Finding(judgement.text, verdict, _difference_sentence(a, b, found, is_share=is_share), found)


def _fitted(finding: Finding, judgement: Judgement, samples: Sequence[Sample]) -> Finding:
    """A relation between numbers all of which chose a setting is no finding."""
    named = [sample for sample in samples if not judgement.names or sample.name in judgement.names]
    if named and all(sample.fitted for sample in named):
        return Finding(finding.about, Verdict.FITTED, f"{finding.sentence}; the numbers chose a setting here")
    return finding


def _side(name: str, by_name: Mapping[str, Sample]) -> Interval:
    """An entry's interval, or a number without any error."""
    if name in by_name:
        return by_name[name].interval(CONFIDENCE)
    number = _NUMBER.fullmatch(name)
    assert number is not None
    value = float(number["number"]) / (100 if number["percent"] else 1)
    return Interval(value, value, value, CONFIDENCE)


def _side_of_zero(found: Difference) -> Verdict:
    if found.low > 0:
        return Verdict.HOLDS
    return Verdict.FAILS if found.high < 0 else Verdict.TOO_FEW


def _nearness(found: Difference, margin: float) -> Verdict:
    """Whether a difference is shown to be no larger than a margin."""
    if -margin <= found.low and found.high <= margin:
        return Verdict.HOLDS
    return Verdict.FAILS if found.low > margin or found.high < -margin else Verdict.TOO_FEW


def _difference_sentence(a: Interval, b: Interval, found: Difference, *, is_share: bool) -> str:
    if is_share:
        spans = f"{_signed(found.value)} points ({_signed(found.low)} .. {_signed(found.high)})"
        seen = f"{100 * found.visible:.0f} points"
        return f"{_percent(a.mean)} and {_percent(b.mean)}: {spans}; {seen} would have been seen four times in five"
    spans = f"{found.value:+.2f} ({found.low:+.2f} .. {found.high:+.2f})"
    return f"{a.mean:.2f} and {b.mean:.2f}: {spans}; {found.visible:.2f} would have been seen four times in five"


def _trend(judgement: Judgement, samples: Sequence[Sample]) -> Finding:
    if len(samples) < 2:
        return Finding(judgement.text, Verdict.TOO_FEW, "a trend needs two entries at least")
    found = trend([sample.interval(CONFIDENCE) for sample in samples])
    verdict = _side_of_zero(found)
    if judgement.kind == "falling" and verdict != Verdict.TOO_FEW:
        verdict = Verdict.HOLDS if verdict == Verdict.FAILS else Verdict.FAILS
    if judgement.kind == "level":
        seeable = found.visible <= abs(samples[0].interval(CONFIDENCE).mean) / 2
        verdict = Verdict.FAILS if found.is_shown else Verdict.HOLDS if seeable else Verdict.TOO_FEW
    scale, unit = (100, " points") if samples[0].is_share else (1, "")
    digits = 1 if samples[0].is_share or abs(found.value) >= 1 else 3
    ends = [f"{scale * each:+.{digits}f}" for each in (found.value, found.low, found.high)]
    change = f"{ends[0]} ({ends[1]} .. {ends[2]}){unit}"
    seen = f"{_figure(scale * found.visible)}{unit} would have been seen four times in five"
    return Finding(judgement.text, verdict, f"from the first entry to the last {change} along a line; {seen}", found)


def _band(judgement: Judgement, samples: Sequence[Sample]) -> Finding:
    """A published curve in the band around ours, which must be narrow enough to tell at every place."""
    judged = [(sample, sample.published.value) for sample in samples if sample.published is not None]
    bands = band([sample.values for sample, _ in judged], [sample.counts for sample, _ in judged], CONFIDENCE)
    mean = math.fsum(abs(value) for _, value in judged) / len(judged)
    outside, wide, seen, arms = [], [], [], []
    for (sample, value), found in zip(judged, bands, strict=True):
        arms.append((found.high - found.low) / 2)
        seen.append(visible(arms[-1], found.confidence))
        if not found.low <= value <= found.high:
            outside.append(sample.name)
        if not seen[-1] <= (VISIBLE if sample.is_share else WIDE * (abs(value) or mean)):
            wide.append(sample.name)
    widest = max(range(len(judged)), key=lambda place: arms[place])
    told = f"our band is at its widest +- {arms[widest]:.2g}, at {judged[widest][0].name}; there a difference of "
    told += f"{seen[widest]:.2g} would have been seen four times in five"
    if outside:
        return Finding(judgement.text, Verdict.DIFFERS, f"outside our band: {', '.join(outside)}; {told}")
    inside = f"all {len(judged)} points lie in our band"
    if wide:
        limit = f"{100 * VISIBLE:.0f} points" if judged[0][0].is_share else "half the published value"
        why = f"but less than {limit} would not have been seen at {', '.join(wide)}"
        return Finding(judgement.text, Verdict.TOO_FEW, f"{inside}, {why}; {told}")
    return Finding(judgement.text, Verdict.AGREES, f"{inside}; {told}")


def _range(judgement: Judgement, samples: Sequence[Sample]) -> Finding:
    """Published numbers of one game, or one run, among the numbers of ours.

    One more game of ours would lie below the least or above the greatest of n with the chance 2 / (n + 1), at each
    place. The verdict is *differs* where so many of the published numbers lie outside by less than 1% of chance;
    where not even all of them would be so many, nothing can be told.
    """
    judged = [sample for sample in samples if sample.published is not None and len(sample.trials) > 1]
    chances = [min(1.0, 2 / (len(sample.trials) + 1)) for sample in judged]
    outside = []
    for sample in judged:
        assert sample.published is not None
        if not min(sample.trials) <= sample.published.value <= max(sample.trials):
            outside.append(f"{sample.name} ({sample.published.value:g})")
    told = f"{len(judged) - len(outside)} of {len(judged)} lie between the least and the greatest of ours"
    told += f"; outside: {', '.join(outside)}" if outside else ""
    needed = next((n for n in range(1, len(judged) + 1) if at_least(chances, n) <= 1 - CONFIDENCE), None)
    if needed is None:
        return Finding(judgement.text, Verdict.TOO_FEW, f"{told}; too few of ours to tell what is usual")
    part = visible_shift([sample.trials for sample in judged], needed)
    told += f"; {needed} outside would be a difference, and numbers that lie off by {100 * part:.0f}% of the width "
    told += "of ours would have been found to differ four times in five"
    return Finding(judgement.text, Verdict.DIFFERS if len(outside) >= needed else Verdict.AGREES, told)


def _machine(samples: Sequence[Sample]) -> list[Finding]:
    """Each number beside the published one of another machine: how many times as much, and no verdict on it."""
    found = []
    for sample in samples:
        if sample.published is not None and sample.published.value:
            ours = sample.interval(CONFIDENCE)
            times = f"{ours.mean / sample.published.value:.3g} times as much, on another machine"
            told = f"{ours.mean:.4g} here, {sample.published.value:.4g} there: {times}"
            found.append(Finding(sample.name, Verdict.MACHINE, told))
    return found


def _lines_at(judgement: Judgement, a: Sequence[Sample], b: Sequence[Sample]) -> Finding:
    """One line less another over some places, all decisions there taken together."""
    first, last = judgement.places
    sides = []
    for line in (a, b):
        chosen = [sample for sample in line if sample.place is not None and first <= sample.place <= last]
        if not chosen:
            return Finding(judgement.text, Verdict.TOO_FEW, "these places were not measured at this size")
        sides.append(_pooled(chosen).interval(CONFIDENCE))
    found = difference(sides[0], sides[1])
    told = _difference_sentence(sides[0], sides[1], found, is_share=False)
    return Finding(judgement.text, _side_of_zero(found), told, found)


def _pooled(samples: Sequence[Sample]) -> Sample:
    """Several points of a line as one: sums and counts of each set added up."""
    values = tuple(math.fsum(column) for column in zip(*(sample.values for sample in samples), strict=True))
    counts = tuple(math.fsum(column) for column in zip(*(sample.counts for sample in samples), strict=True))
    return replace(samples[0], values=values, counts=counts)


def _ratio(judgement: Judgement, a: Sample, b: Sample) -> Finding:
    assert a.published is not None
    assert b.published is not None
    wanted = a.published.value / b.published.value if b.published.value else math.inf
    found = ratio(a.interval(CONFIDENCE), b.interval(CONFIDENCE))
    return _up_to(judgement, *found, wanted, "ratio ")


def _within(judgement: Judgement, sample: Sample) -> Finding:
    assert sample.published is not None
    ours = sample.interval(CONFIDENCE)
    return _up_to(judgement, ours.mean, ours.low, ours.high, sample.published.value, "")


def _up_to(judgement: Judgement, value: float, low: float, high: float, wanted: float, what: str) -> Finding:
    """Whether a value with its whole interval is the wanted one up to the judgement's factor."""
    inner, outer = wanted / judgement.factor, wanted * judgement.factor
    factor = visible_factor(low, high, CONFIDENCE)
    seen = f"a factor of {factor:.2f}" if math.isfinite(factor) else "no factor, however large,"
    shown = f"{what}{value:.2f} ({low:.2f} .. {high:.2f}) here, {wanted:.2f} there; {seen} would have been seen"
    shown += " four times in five"
    if inner <= low and high <= outer:
        return Finding(judgement.text, Verdict.HOLDS, shown)
    verdict = Verdict.FAILS if high < inner or low > outer else Verdict.TOO_FEW
    return Finding(judgement.text, verdict, shown)


def _peak(judgement: Judgement, samples: Sequence[Sample]) -> Finding:
    place = next(i for i, sample in enumerate(samples) if sample.name == judgement.names[0])
    level = shared_out(CONFIDENCE, len(samples) - 1)
    top = samples[place].interval(level)
    lower = {i: difference(top, sample.interval(level)) for i, sample in enumerate(samples) if i != place}
    above = [samples[i].name for i, found in lower.items() if found.high < 0]
    unsure = [samples[i].name for i, found in lower.items() if found.low <= 0 and abs(i - place) > 1]
    scale, unit = (100, " points") if samples[place].is_share else (1, "")
    most = scale * max((found.visible for found in lower.values()), default=math.inf)
    seen = f"a difference of {_figure(most)}{unit} from any of them would have been seen four times in five"
    if above:
        return Finding(judgement.text, Verdict.FAILS, f"{', '.join(above)} lie above it; {seen}")
    if unsure:
        return Finding(judgement.text, Verdict.TOO_FEW, f"not shown to be above {', '.join(unsure)}; {seen}")
    return Finding(judgement.text, Verdict.HOLDS, f"all others but its neighbours are shown to lie below; {seen}")


def _figure(value: float) -> str:
    """Two figures, whole ones where there are more."""
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _signed(share: float) -> str:
    return f"{100 * share:+.1f}"


def _quoted(name: str) -> str:
    return f"'{name}'"
