"""A table's questions to its agents, and what becomes of one that does not answer."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from meeple.agents.base import UNLIMITED, Agent, pose, streams_of, unkept
from meeple.core.info import Info

if TYPE_CHECKING:
    from meeple.web.table import Table


@dataclass(frozen=True)
class Trouble:
    """An agent failed, and its match waits for a person's word. What went wrong stays in the server's log."""

    seat: int
    loads: bool  # whether the agent is there at all


def question_for(
    table: Table, agent: Agent, is_wanted: Callable[[], bool] = lambda: True, *, limit: float = math.inf
) -> Callable[[], int]:
    """The mover's decision put to `agent`, to be called in another thread; it looks at this moment only.

    The agent is told to stop when it is not wanted any more, or `limit` seconds after it first asks whether it
    should: what is compiled before does not count.
    """
    match, seat, version = table.match, table.match.to_move, table.version
    state, ply = match.state, match.ply
    made = sum(step.seat == seat for step in match.steps)
    is_seated = table.is_seated(seat, agent)
    share = table.times.share(seat, made) if is_seated else None  # a hint is not on the clock
    limit = limit if share is None else min(limit, share)
    streams = streams_of(agent, seat, match.seed, match.salt)
    seen = match.seen(seat) if agent.wants_history else []
    events = match.seen_events(seat) if agent.wants_events else []
    limits = table.times.limits(seat) if share is not None else UNLIMITED
    deadline = math.inf

    def should_stop() -> bool:
        nonlocal deadline
        now = time.monotonic()
        deadline = min(deadline, now + limit)
        return now >= deadline or table.version != version or not is_wanted()

    def hear(info: Info) -> None:
        table.said = version, info

    def ask() -> int:
        if share is not None:
            table.times.asked = time.monotonic()
        return pose(
            agent,
            state,
            ply=ply,
            streams=streams,
            seen=lambda: seen,
            events=lambda: events,
            should_stop=should_stop,
            seconds=share,
            limits=limits,
            note=hear if is_seated else unkept,
        )

    return ask
