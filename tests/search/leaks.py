"""The leak audit: for the same knowledge of a seat, whatever the true world, the same seed gives the same move.

`audit` asks one agent in Hoard, `audit_game` every agent of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, cycle

from conftest import HOARD
from meeple import Match, load_agent
from meeple.agents.base import Agent, ask
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.registry import find_definition
from search.small import agents_of, askers_of


def audit(spec: str, *, players: int, seed: int, worlds: int = 1) -> int:
    """Ask the agent at every decision of a random match, in the true world and in others; returns the decisions."""
    match, rng = Match(f"{HOARD}:players={players}", seed=seed), rng_for("leak-audit", seed=seed)
    agent, decisions = load_agent(spec, match.game), 0
    while not match.is_over:
        answer = ask(agent, match)
        for trial in range(worlds):
            twin = match.branch()
            twin.state = match.state.redealt(match.to_move, rng_for("other-world", trial, match.ply, seed=seed))
            assert twin.state != match.state
            assert ask(agent, twin) == answer, f"{spec} knows what it may not at ply {match.ply}"
        decisions += 1
        match.play(int(rng.choice(match.state.legal_actions())))
    return decisions


def every_agent(game: Game) -> list[Agent]:
    """All agents of a game at small work, and others that ask each of its named heuristics."""
    agents = [*agents_of(game), *askers_of(game)]
    return list({agent.spec: agent for agent in agents}.values())


def audit_game(name: str, *, decisions: int, agents: Callable[[Game], list[Agent]] = every_agent) -> dict[str, int]:
    """Ask every agent of a game in the true world, and in another that its seat cannot tell from it.

    The agents decide in turn over matches of all variants, so that positions are those of their own play. Returns how
    often each was asked.
    """
    asked: dict[str, int] = {}
    games = variants(name)
    players = {game.spec: cycle(agents(game)) for game in games}
    for seed in count():
        match = Match(games[seed % len(games)], seed=seed)
        for agent in _decisions(match, players[match.game.spec]):
            twin = match.branch()
            twin.state = match.state.redealt(match.to_move, rng_for("other-world", match.ply, seed=seed))
            answer = ask(agent, match)
            assert ask(agent, twin) == answer, f"{agent.spec} knows what it may not: {_where(match)}"
            asked[agent.spec] = asked.get(agent.spec, 0) + 1
            match.play(answer)
            if sum(asked.values()) == decisions:
                return asked
    raise AssertionError


def variants(name: str) -> list[Game]:
    """All variants of a game that the laws look at."""
    definition = find_definition(name)
    games = []
    for settings in definition.variants():
        words = dict(settings)
        players = int(words.pop("players", max(2, definition.seats[0])))
        games.append(Game(definition, players, definition.option_words(words)))
    return games


def _decisions(match: Match, agents: Iterator[Agent]) -> Iterator[Agent]:
    """An agent for each decision, as long as the match lasts."""
    while not match.is_over:
        yield next(agents)


def _where(match: Match) -> str:
    return f"{match.game.spec}, seed {match.seed}, ply {match.ply}, seat {match.to_move + 1}: {match.state.text()}"
