"""The leak audit: for the same knowledge of a seat, whatever the true world, the same seed gives the same move."""

from __future__ import annotations

from conftest import HOARD
from meeple import Match, load_agent
from meeple.agents.base import ask
from meeple.core.chance import rng_for


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
