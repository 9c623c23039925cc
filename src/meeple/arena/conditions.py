"""The conditions of a match: how long an agent may think, and what happens when it does not come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from meeple.agents.base import UNLIMITED, Limits
from meeple.core.spec import format_time, parse_time
from meeple.errors import ConfigError

HANGING = 600.0  # seconds without any limit after which a move counts as hanging
MARGIN = 0.05  # seconds that the clock may be overstepped: what asking and measuring may cost on a busy machine


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Limits in seconds; 0 is none. They are measured by the engine, whatever an agent's own settings say."""

    move: float = 0.0  # a move
    first: float = 0.0  # a seat's first move of a game, instead of `move`
    clock: float = 0.0  # all moves of a seat in a game
    increment: float = 0.0  # added to the seat's clock after each of its moves
    on_timeout: str = "forfeit"  # or "random": a random move is made instead
    deterministic: bool = False  # the papers' version in which agents see the world as it is

    def __post_init__(self) -> None:
        if self.on_timeout not in ("forfeit", "random"):
            raise ConfigError(f"on a timeout an agent may forfeit or a random move be made, not '{self.on_timeout}'")
        if self.increment and not self.clock:
            raise ConfigError("an increment needs a clock to be added to: give --clock too")
        if min(self.move, self.first, self.clock, self.increment) < 0:
            raise ConfigError("a limit is a time above zero; leave it out where there shall be none")

    @property
    def has_limits(self) -> bool:
        """Whether any time is measured."""
        return bool(self.move or self.first or self.clock)

    def allowed(self, *, is_first: bool, left: float) -> float | None:
        """Seconds after which the move at hand is late, `left` being on the seat's clock; None: there is no limit.

        Below 0 where the clock was overstepped by less than MARGIN.
        """
        limit = (self.first if is_first and self.first else self.move) or None
        if not self.clock:
            return limit
        return left if limit is None else min(limit, left)

    def share(self, *, is_first: bool, left: float, to_come: float) -> float | None:
        """Seconds after which the agent is told to answer: as `allowed`, of the clock only the share of this move.

        The clock and the increments to come are shared out evenly over the `to_come` moves, this one among them,
        that the seat is likely to make.
        """
        allowed = self.allowed(is_first=is_first, left=left)
        if allowed is None or not self.clock:
            return allowed
        n = max(1.0, to_come)
        return max(0.0, min(allowed, (left + self.increment * (n - 1)) / n))

    def limits(self, allowed: float | None, left: Sequence[float]) -> Limits:
        """What the agent at hand is told of its limits; `left` is on the clock of each seat."""
        if allowed is None:
            return UNLIMITED
        clocks = tuple(max(0.0, seconds) for seconds in left) if self.clock else ()
        return Limits(max(0.0, allowed), clocks, self.increment)

    def hanging(self, allowed: float | None) -> float:
        """Seconds after which the agent will not be waited for."""
        return HANGING if allowed is None else 2.0 * max(0.0, allowed) + 1.0

    def as_json(self) -> dict[str, Any]:
        """What the configuration of a tournament keeps: all but defaults."""
        plain = asdict(Conditions())
        return {name: value for name, value in asdict(self).items() if value != plain[name]}


def parse_clock(text: str) -> tuple[float, float]:
    """A clock such as `60s+1s`: seconds for a game and the increment."""
    whole, plus, extra = text.partition("+")
    return parse_limit(whole), parse_time(extra) if plus else 0.0


def parse_limit(text: str) -> float:
    """Seconds of a limit that somebody gave: 0 would count as none."""
    seconds = parse_time(text)
    if not seconds:
        raise ConfigError(f"a limit is a time above zero, not {text}; leave it out where there shall be none")
    return seconds


def in_words(conditions: Conditions) -> str:
    """The limits in a few words; empty where there are none."""
    parts = []
    if conditions.move:
        parts.append(f"{format_time(conditions.move)} a move")
    if conditions.first:
        parts.append(f"{format_time(conditions.first)} for the first")
    if conditions.clock:
        added = f"+{format_time(conditions.increment)}" if conditions.increment else ""
        parts.append(f"{format_time(conditions.clock)}{added} a game")
    if parts and conditions.on_timeout == "random":
        parts.append("then a random move")
    if conditions.deterministic:
        parts.append("deterministic version")
    return ", ".join(parts)
