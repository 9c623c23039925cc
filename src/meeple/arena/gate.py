"""A gate: may a new agent take the place of an old one? A tournament of the two with an SPRT, at equal CPU time.

H0 is that NEW is no better than OLD, H1 that it is better by `margin` Elo. NEW passes only where the test takes H1: an
undecided match lets nobody through. Every seed is played with all exchanges of seats; beyond two seats NEW sits with
OLD in all other seats.

The limit is CPU time and not nodes, so that what makes a search slower counts against it; so the games are those of one
machine, and no other can repeat them move for move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meeple.agents.registry import find_agent, load_agent, resolve, shown_names
from meeple.arena.sprt import Sprt, SprtLook, count_scores, expected_share
from meeple.arena.statistics import Interval, score_interval
from meeple.arena.tournament import Outcome, Standing, Tournament, prepare_tournament
from meeple.core.game import Game
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, format_time, parse_time
from meeple.errors import ConfigError

LIMITS = ("iterations", "nodes", "playouts", "time")  # other limits of a move, where 0 is none


def limited(spec: str, cpu: str, game: Game) -> str:
    """The agent with so much CPU time a move in the place of its other limits; as it is where it takes none."""
    whole = resolve(spec, game.definition)
    known = {each.name: each for each in settings_of(find_agent(whole.name))}
    if "cpu" not in known:
        return load_agent(spec, game).spec
    none = {name: "0s" if known[name].metadata["is_time"] else "0" for name in LIMITS if name in known}
    return load_agent(str(Spec(whole.name, whole.settings | none | {"cpu": cpu})), game).spec


def prepare_gate(
    game: Game,
    new: str,
    old: str,
    *,
    cpu: str = "20ms",
    margin: float = 20.0,
    games: int = 4_000,
    seed: int = 779,
    openings: str = "random",
) -> Tournament:
    """Check everything: the match of `new` against `old` that ends with the test.

    Raises:
        ConfigError: there is no second seat, the two are the same agent, or a limit or margin is none.
    """
    if game.seats < 2:
        raise ConfigError(f"a gate needs an opponent, and {game.spec} is played alone")
    if not parse_time(cpu) > 0:
        raise ConfigError(f"a gate needs a limit of CPU time above zero, such as 20ms, not '{cpu}'")
    if not margin > 0:
        raise ConfigError(f"the margin is a number of Elo above 0, not {margin:g}")
    agents = [limited(spec, format_time(parse_time(cpu)), game) for spec in (new, *[old] * (game.seats - 1))]
    if agents[0] == agents[1]:
        raise ConfigError(f"both are {agents[0]} at equal CPU time: there is nothing to be decided")
    sprt = Sprt(0.0, margin, seats=game.seats)
    return prepare_tournament(
        game, agents, games=games, seed=seed, both=True, schedule="table", openings=openings, sprt=sprt
    )


@dataclass(frozen=True)
class Verdict:
    """What the sets that count say of NEW."""

    plan: Tournament
    standing: Standing
    was_stopped: bool = False

    @classmethod
    def of(cls, outcome: Outcome) -> Verdict:
        """That of a match as far as it was played."""
        standing = next(iter(outcome.ledger.standings.values()))
        return cls(outcome.tournament, standing, outcome.was_stopped)

    @property
    def sprt(self) -> Sprt:
        """The test."""
        assert self.plan.sprt is not None
        return self.plan.sprt

    @property
    def look(self) -> SprtLook:
        """Where the test stands."""
        return self.sprt.look(count_scores(self.standing.scores()))

    @property
    def share(self) -> Interval:
        """The win share of NEW."""
        return score_interval(self.standing.scores())

    @property
    def games(self) -> int:
        """Games that count."""
        return self.standing.counted * self.plan.games_a_set

    @property
    def has_passed(self) -> bool:
        """Whether the test has ended the match with H1; a ratio beyond its bound between two looks does not count."""
        return self.standing.ended_at is not None and self.look.verdict == "H1"

    def sentence(self) -> str:
        """Who passes and why, in words."""
        new, old = shown_names(self.plan.agents[:2], self.plan.game)
        share, asked = self.share, expected_share(self.sprt.elo1, self.plan.game.seats)
        if self.standing.ended_at is None:
            why = "was stopped" if self.was_stopped else "have not decided"
            return f"{new} does not pass: {self.games:,} games {why}; {self._share(share)}"
        if self.has_passed:
            return f"{new} passes: it is better than {old}; {self._share(share)}"
        return (
            f"{new} does not pass: it is not better than {old} by {self.sprt.elo1:g} Elo, "
            f"a share of {asked:.1%}; {self._share(share)}"
        )

    def _share(self, share: Interval) -> str:
        if not self.games:
            return "no set of games was finished"
        span = f"{share.low:.1%} to {share.high:.1%}, {share.confidence:.0%}"
        return f"{share.mean:.1%} of the points ({span}) in {self.games:,} games"

    def lines(self) -> list[str]:
        """The score, the test, and the sentence."""
        look, share = self.look, self.share
        test = f"SPRT [0, {self.sprt.elo1:g}]  LLR {look.llr:+.2f} ({look.lower:.2f} .. {look.upper:.2f})"
        score = f"score  {share.mean:.3f} ({share.low:.3f} .. {share.high:.3f}, {share.confidence:.0%})"
        return [f"{score}   games {self.games}", test, self.sentence()]

    def as_json(self) -> dict[str, Any]:
        """All of it for machines."""
        look, share = self.look, self.share
        return {
            "game": self.plan.game.spec,
            "new": self.plan.agents[0],
            "old": self.plan.agents[1],
            "margin": self.sprt.elo1,
            "passed": self.has_passed,
            "decided": self.standing.ended_at is not None,
            "stopped": self.was_stopped,
            "score": share.mean,
            "low": share.low,
            "high": share.high,
            "confidence": share.confidence,
            "llr": look.llr,
            "bounds": [look.lower, look.upper],
            "games": self.games,
            "sets": self.standing.counted,
            "seed": self.plan.seed,
            "sentence": self.sentence(),
        }
