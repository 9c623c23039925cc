"""How much work an analysis may be: counts, never seconds, so that it comes out the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.errors import ConfigError, did_you_mean


@dataclass(frozen=True)
class Effort:
    """What is spent on a decision and on a chance event. `work` of the game's calibration is the unit of iterations."""

    name: str
    searches: int  # independent searches of the whole offer, which name candidates
    named: int  # moves that each of them names
    repeats: int  # judgements of each candidate, an even number: half of them choose the best, half judge it
    outcomes: int  # other outcomes that a chance event is compared with
    scale: float  # iterations of one judgement, in units of `work`
    nodes: int  # positions that alpha-beta looks at for proofs, where wins and losses can be proven
    rollouts: int  # games played out for the points of a move


EFFORTS = {
    effort.name: effort
    for effort in (
        Effort("quick", searches=1, named=2, repeats=2, outcomes=4, scale=0.5, nodes=30_000, rollouts=40),
        Effort("normal", searches=3, named=2, repeats=6, outcomes=12, scale=1.0, nodes=200_000, rollouts=200),
        Effort("deep", searches=5, named=3, repeats=12, outcomes=32, scale=4.0, nodes=2_000_000, rollouts=1_000),
    )
}


def effort_named(name: str) -> Effort:
    """The effort of this name."""
    if name not in EFFORTS:
        raise ConfigError(f"'{name}' is no effort; {did_you_mean(name, EFFORTS)}")
    return EFFORTS[name]
