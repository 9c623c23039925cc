"""Whether a change of code changes play: every agent of every game plays a few matches, and one hash tells them all.

    python tests/search/same_games.py -n 4 > before.json     at one commit
    python tests/search/same_games.py -n 4 > after.json      at another; then compare the two files

Agents are those of `small.py`: every search, preset and level of a game, and agents that ask each of its heuristics,
with clocks replaced by fixed work. A hash is over the events of the matches and the work of each search; with
`--values` also over each search's values and visits, to the last bit, which may differ between machines.

`--write` keeps the hashes of the games in DAILY in same_games.json, which the daily tests compare: do that where play
has changed on purpose, and say so in the commit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.agents.base import Agent, ask
from meeple.arena.openings import random_opening
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import game_names, load_game
from search.small import agents_of, askers_of

KEPT = Path(__file__).with_suffix(".json")
DAILY = {"santorini": 2}  # matches of each agent, quick enough for every day


def players_of(game: Game) -> list[Agent]:
    """Every agent whose matches are told, each once."""
    return list({agent.spec: agent for agent in [*agents_of(game), *askers_of(game)]}.values())


def hash_of(game: Game, agent: Agent, n: int, *, values: bool = False) -> str:
    """One hash for `n` matches of an agent against itself."""
    told = hashlib.sha1()

    def report(result: Any) -> None:
        told.update(f"work {result.work}\n".encode())
        if values:
            told.update(np.ascontiguousarray(result.values).tobytes())
            told.update(np.ascontiguousarray(result.visits).tobytes())

    for seed in range(n):
        match = Match(game, seed=seed, start=random_opening(game, seed))
        while not match.is_over:
            match.play(ask(agent, match, report=report))
        told.update(f"{[step.code for step in match.steps]} {match.state.ranks()}\n".encode())
    return told.hexdigest()[:16]


def hashes_of(game: Game, n: int) -> dict[str, str]:
    """The hash of every agent of a game, by its spec."""
    return {agent.spec: hash_of(game, agent, n) for agent in players_of(game)}


def main() -> None:
    """Print the hashes by game and agent as JSON."""
    parser = argparse.ArgumentParser(description="one hash for the matches of each agent of each game")
    parser.add_argument("games", nargs="*", default=game_names(), help="games to play; all that are installed")
    parser.add_argument("-n", type=int, default=2, help="matches of each agent")
    parser.add_argument("--values", action="store_true", help="tell each search's values and visits apart too")
    parser.add_argument("--only", default="", help="agents whose spec has this in it")
    parser.add_argument("--write", action="store_true", help=f"write {KEPT.name} anew, and nothing else")
    given = parser.parse_args()
    if given.write:
        KEPT.write_text(json.dumps({name: hashes_of(load_game(name), n) for name, n in DAILY.items()}, indent=1) + "\n")
        return
    found: dict[str, dict[str, str]] = {}
    for name in given.games:
        game = load_game(name)
        agents = [agent for agent in players_of(game) if given.only in agent.spec]
        found[name] = {}
        for agent in agents:
            found[name][agent.spec] = hash_of(game, agent, given.n, values=given.values)
            print(f"{name} {agent.spec} {found[name][agent.spec]}", file=sys.stderr)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
