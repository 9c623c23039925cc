"""From a judge's values to win chances: a curve with one number, fitted on stored games.

A search's mean is no win chance: it has tried bad replies too, and mixes in an evaluation's unit. With v the value of a
seat (a win share in 0..1), b the mean over the seats and s the slope,

    logit(chance) = logit(b) + s * (logit(v) - logit(b))

so that an even position stays even. Chances are then made to add up to one again where the values did. A slope of 1
leaves values as they are. The numbers lie in the game's `analysis.json`, which `meeple analyse --calibrate GAME`
writes, one calibration a judge: a game may have another judge for more than two.

    {"meeple_calibrations": 1, "judges": [{"judge": "mcts:...", "slope": 2.8, ..., "bins": [...]}, ...]}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.definition import Definition
from meeple.errors import ConfigError

FORMAT = 1
FILE = "analysis.json"  # beside a game's rules
WORK = 1_000  # iterations of one judgement, where a game has no file
LEAST = 1e-6  # values are kept so far from 0 and 1 before the logarithm
SLOPES = (0.25, 40.0)  # between which the slope is sought
N_BINS = 10
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """One point of the reliability plot: games whose chance was said to be about `said`."""

    said: float  # mean chance
    won: float  # mean win share in truth
    count: int


@dataclass(frozen=True)
class Calibration:
    """What was found of a judge in a game; without a file the values are taken as they are."""

    slope: float = 1.0
    error: float = 0.0  # standard error of the slope; 0.0: not known
    work: int = WORK  # iterations of one judgement, so that a game takes the time it should
    judge: str = ""  # the agent that it was found for; "": nothing was fitted
    game: str = ""  # the spec of the game that it played, seats included
    games: int = 0
    positions: int = 0
    loss_before: float = 0.0  # mean logarithmic loss of the values as they are
    loss_after: float = 0.0  # and of the chances
    bins: tuple[Bin, ...] = ()

    def chances(self, values: Floats) -> Floats:
        """The win chances for values [..., seat] of a judge; what is exactly 0 or 1 is proven and stays."""
        seats = values.shape[-1]
        middle = values.mean(axis=-1, keepdims=True) if seats > 1 else np.full_like(values, 0.5)
        found = _shares(_logits(middle) + self.slope * (_logits(values) - _logits(middle)))
        total = values.sum(axis=-1, keepdims=True)
        is_whole = (np.abs(total - 1.0) < 1e-9) & (seats > 1)
        found = np.where(is_whole, found / np.maximum(found.sum(axis=-1, keepdims=True), LEAST), found)
        return np.where((values <= 0.0) | (values >= 1.0), values, found)


def _logits(values: Floats) -> Floats:
    kept = np.clip(values, LEAST, 1.0 - LEAST)
    return np.asarray(np.log(kept) - np.log1p(-kept))


def _shares(logits: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -50.0, 50.0))))


def calibration_of(definition: Definition, judge: str) -> Calibration:
    """The calibration in the game's file that was found for this judge.

    Where there is none, values are taken as they are, with the `work` of the first judge in the file: what comes of it
    has `judge` "", and every output says so (`trust_words`).

    Raises:
        ConfigError: the file does not hold calibrations.
    """
    path = path_of(definition)
    found = read_calibrations(path) if path.is_file() else ()
    own = next((each for each in found if each.judge == judge), None)
    return own or Calibration(work=found[0].work if found else WORK)


def trust_words(is_calibrated: bool) -> str:
    """What is said wherever values are shown that were not fitted to results; "" where they were."""
    return "" if is_calibrated else "its values are not calibrated for this game, and so no win chances"


def path_of(definition: Definition) -> Path:
    """Where a game's calibrations lie."""
    return Path(str(definition.rules.__file__)).with_name(FILE)


def read_calibrations(path: Path) -> tuple[Calibration, ...]:
    """The calibrations in a file, one a judge.

    Raises:
        ConfigError: the file does not hold any.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["meeple_calibrations"] != FORMAT:
            raise ValueError(f"this Meeple reads version {FORMAT}")
        return tuple(_calibration_in(each) for each in told["judges"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as fault:
        raise ConfigError(f"'{path}' does not hold calibrations: {fault}") from None


def _calibration_in(told: dict[str, Any]) -> Calibration:
    bins = tuple(Bin(**each) for each in told.pop("bins"))
    found = Calibration(**told, bins=bins)
    if not (found.slope > 0 and found.work > 0 and isinstance(found.judge, str)):
        raise ValueError("slope and work are positive numbers")
    return found


def keep_calibration(path: Path, calibration: Calibration) -> None:
    """Put a calibration into a file, in the place of an older one of the same judge."""
    kept = list(read_calibrations(path)) if path.is_file() else []
    places = [place for place, each in enumerate(kept) if each.judge == calibration.judge]
    if places:
        kept[places[0]] = calibration
    else:
        kept.append(calibration)
    rows = ",\n".join(_written(each) for each in kept)
    path.write_text(f'{{"meeple_calibrations": {FORMAT}, "judges": [\n{rows}\n]}}\n', encoding="utf-8")


def _written(calibration: Calibration) -> str:
    body = asdict(calibration)
    rows = ",\n".join(json.dumps(each) for each in body.pop("bins"))
    return f'{json.dumps(body)[:-1]}, "bins": [\n{rows}\n]}}'


def fit_slope(values: Floats, results: Floats) -> float:
    """The slope under which results [position, seat] were likeliest, given values of the same shape."""
    low, high = np.log(SLOPES[0]), np.log(SLOPES[1])
    third = (5**0.5 - 1) / 2
    for _ in range(60):  # golden section: the loss has one valley
        inner, outer = high - third * (high - low), low + third * (high - low)
        if _loss_at(float(np.exp(inner)), values, results) < _loss_at(float(np.exp(outer)), values, results):
            high = outer
        else:
            low = inner
    return float(np.exp((low + high) / 2))


def slope_error(values: Floats, results: Floats, games: NDArray[np.int64]) -> float:
    """The standard error of the fitted slope, by a jackknife over games; 0.0 where there is only one.

    `games` names the game of each position: positions of one game share its result, so that twice as many of them are
    not worth twice as many games.
    """
    names = np.unique(games)
    n = len(names)
    if n < 2:
        return 0.0
    slopes = np.array([fit_slope(values[games != name], results[games != name]) for name in names])
    return float(np.sqrt((n - 1) / n * np.sum((slopes - slopes.mean()) ** 2)))


def _loss_at(slope: float, values: Floats, results: Floats) -> float:
    return log_loss(Calibration(slope=slope).chances(values), results)


def log_loss(chances: Floats, results: Floats) -> float:
    """The mean logarithmic loss of chances against win shares."""
    kept = np.clip(chances, LEAST, 1.0 - LEAST)
    return float(-np.mean(results * np.log(kept) + (1.0 - results) * np.log1p(-kept)))


def reliability(chances: Floats, results: Floats) -> tuple[Bin, ...]:
    """How often seats won whose chance was said to be so large, in ten classes."""
    said, won = chances.ravel(), results.ravel()
    places = np.minimum((said * N_BINS).astype(np.int64), N_BINS - 1)
    return tuple(
        Bin(round(float(said[places == n].mean()), 4), round(float(won[places == n].mean()), 4), int(sum(places == n)))
        for n in range(N_BINS)
        if np.any(places == n)
    )


def fitted(
    judge: str, game: str, work: int, played: Sequence[tuple[Sequence[Sequence[float]], Sequence[float]]]
) -> Calibration:
    """The calibration for a judge that played these games: its values [position, seat] in each, and the win shares."""
    said = np.array([row for values, _ in played for row in values], dtype=np.float64)
    won = np.array([result for values, result in played for _ in values], dtype=np.float64)
    numbers = np.repeat(np.arange(len(played)), [len(values) for values, _ in played])
    slope = round(fit_slope(said, won), 3)
    chances = Calibration(slope=slope).chances(said)
    return Calibration(
        slope=slope,
        error=round(slope_error(said, won, numbers), 3),
        work=work,
        judge=judge,
        game=game,
        games=len(played),
        positions=len(said),
        loss_before=round(log_loss(said, won), 4),
        loss_after=round(log_loss(chances, won), 4),
        bins=reliability(chances, won),
    )
