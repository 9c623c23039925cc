"""How a game is contested: lead changes, when it was decided, margins, and points gained a move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.arena.measures.figures import Figure, averages
from meeple.arena.measures.games import over_games
from meeple.arena.measures.sample import Sample
from meeple.arena.measures.trace import Trace

NO_LEADER = -1


def contest(sample: Sample) -> list[Figure]:
    """Lead changes, when it was decided, and margins; none of a game for one or of one that nobody can judge."""
    if sample.game.seats == 1 or not sample.lens.judge:
        return []
    found = over_games(sample, "lead changes", lambda trace: lead_changes(trace.walk.standing))
    # NaN where no seat won alone, or a side of several did: then nobody decided it.
    found += over_games(sample, "decided", decided)
    if any(trace.walk.points[-1].any() for trace in sample.traces):
        found += over_games(sample, "margin", lambda trace: margin_of(trace.walk.points[-1]))
    return found


def leaders(standing: NDArray[np.float64]) -> NDArray[np.int64]:
    """The seat that leads alone in each row, or `NO_LEADER`."""
    best = standing.max(axis=1, keepdims=True)
    alone = (standing == best).sum(axis=1) == 1
    return np.where(alone, standing.argmax(axis=1), NO_LEADER)


def lead_changes(standing: NDArray[np.float64]) -> int:
    """How often another seat came to lead alone than the one that did so last; a tie in between changes nothing."""
    held = leaders(standing)
    held = held[held != NO_LEADER]
    return int((np.diff(held) != 0).sum())


def decided(trace: Trace) -> float:
    """The part of the moves made before the winner led alone for good: 0 from the start, 1 not before the end.

    NaN where no seat won alone.
    """
    winners = [seat for seat, share in enumerate(trace.shares) if share == 1]
    if len(winners) != 1 or len(trace.walk.seat) == 0:
        return float("nan")
    behind = np.flatnonzero(leaders(trace.walk.standing) != winners[0])
    n = len(trace.walk.seat)
    return min(1.0, float(behind[-1] + 1) / n) if len(behind) else 0.0


def margin_of(points: NDArray[np.int64]) -> int:
    """The best score less the second best."""
    first, second = np.sort(points)[::-1][:2]
    return int(first - second)


def gains(sample: Sample) -> list[Figure]:
    """What the mover has more after its move and the chance that follows, by agent.

    By the running score, where there is one; by each metric of the game's; and by the evaluation that judges who leads,
    where one does (`--judge`).
    """
    play, found = ~sample.decisions.is_setup, []
    if sample.decisions.gained.any():
        found += averages(sample, "points a move", sample.decisions.gained, by=["agent"], where=play)
    for name in sample.lens.metrics:
        found += averages(sample, f"{name} a move", metric_gains(sample, name), by=["agent"], where=play)
    if sample.lens.evaluation is not None:
        gained = judged_gains(sample)
        where = play & np.isfinite(gained)
        name = f"gain by {sample.lens.judge}"
        found += averages(sample, name, np.where(where, gained, 0.0), by=["agent"], where=where)
    return found


def metric_gains(sample: Sample, name: str) -> NDArray[np.int64]:
    """What each decision brought its seat by a metric of the game's."""
    place, parts = list(sample.lens.metrics).index(name), [np.empty(0, dtype=np.int64)]
    for trace in sample.traces:
        own = trace.walk.metrics[:, place]
        parts.append((own[1:] - own[:-1])[np.arange(len(trace.walk.seat)), trace.walk.seat])
    return np.concatenate(parts)


def judged_gains(sample: Sample) -> NDArray[np.float64]:
    """What each decision brought its seat by the lens's judge.

    NaN for the last of a game: by an evaluation a finished game is worth its result, which is of another scale.
    """
    parts = []
    for trace in sample.traces:
        walk = trace.walk
        gained = (walk.standing[1:] - walk.standing[:-1])[np.arange(len(walk.seat)), walk.seat]
        gained[-1:] = np.nan
        parts.append(gained)
    return np.concatenate([np.empty(0), *parts])
