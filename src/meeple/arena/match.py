"""One match between agents, from its seed."""

from __future__ import annotations

from collections.abc import Sequence

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.arena.conditions import Conditions
from meeple.arena.engine import play_game
from meeple.core.game import Game, State
from meeple.core.match import Match, read_start
from meeple.core.registry import load_game
from meeple.errors import ConfigError


def play_match(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    seed: int = 0,
    start: State | str | None = None,
    salt: bytes = b"",
    deterministic: bool = False,
) -> Match:
    """Play one match to its end; its record alone is enough to play it again.

    With a `salt` (`new_salt` makes one) an agent cannot work out the deal from the seed, or the seed from its stream.

    `agents[i]` takes seat i and is handed a world redealt for that seat, never the true one.

    Raises:
        AgentError: an agent raised or answered what was not on offer; `.match` holds the match so far.
    """
    game = load_game(game) if isinstance(game, str) else game
    if len(agents) != game.seats:
        raise ConfigError(f"{game.spec} wants {game.seats} agents, not {len(agents)}")
    for agent in agents:
        if not isinstance(agent, (str, Agent)):
            raise ConfigError(f"{agent!r} is no agent: give a spec, or a meeple.Agent")
    seated = [load_agent(agent, game) if isinstance(agent, str) else agent for agent in agents]
    first = read_start(game, start, seed, salt) if isinstance(start, str) else start
    conditions = Conditions(deterministic=deterministic)
    try:
        played = play_game(game, seated, seed=seed, start=first, salt=salt, conditions=conditions)
    finally:
        for agent, given in zip(seated, agents, strict=True):
            if agent is not given:  # an agent that the caller made may play on
                agent.close()
    match = played.match()
    if isinstance(start, str):
        match.start_text = start
    if played.fault is not None:
        played.fault.match = match
        raise played.fault
    return match
