"""One match between agents, from its seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from meeple.agents.base import Agent, ask
from meeple.agents.registry import load_agent
from meeple.core.chance import rng_for
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.errors import AgentError, ConfigError


def play_match(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    seed: int = 0,
    start: State | str | None = None,
    salt: bytes = b"",
    deterministic: bool = False,
    on_move: Callable[[Match], None] = lambda match: None,
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
    match = Match(game, seed=seed, start=start, salt=salt)
    while not match.is_over:
        began = time.perf_counter()
        try:
            action = ask(seated[match.to_move], match, deterministic=deterministic)
        except AgentError as fault:
            fault.match = match
            raise
        match.play(action, seconds=time.perf_counter() - began)
        on_move(match)
    return match


def random_opening(game: Game, seed: int, salt: bytes = b"") -> State | None:
    """The start that a seed draws in a game without chance: its first plies at random; None where it has none.

    Without one, two agents that do not draw lots would play the same match again and again.
    """
    if game.facts.chance or game.facts.opening == 0:
        return None
    state, rng = game.new(seed=seed, salt=salt), rng_for("opening", seed=seed, salt=salt)
    for _ in range(game.facts.opening):
        state = state.after(int(rng.choice(state.legal_actions())))
    return state
