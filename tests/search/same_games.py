"""Whether a change of code changes play: every agent of every game plays a few matches, and one hash tells them all.

    python tests/search/same_games.py -n 4 > before.json                     at one commit
    python tests/search/same_games.py -n 4 --against before.json             at another: what differs, and exit status 1

`-n 200 --slow 20 --jobs 16` plays 200 matches of agents that are quick and 20 of those that are not, on 16 cores.

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
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.agents.base import Agent, ask
from meeple.agents.registry import load_agent
from meeple.arena.openings import random_opening
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import game_names, load_game
from search.small import agents_of, askers_of

KEPT = Path(__file__).with_suffix(".json")
DAILY = {"santorini": 2}  # matches of each agent, quick enough for every day
QUICK_SECONDS = 60.0  # of CPU time: an agent whose matches would take longer is slow


def players_of(game: Game) -> list[Agent]:
    """Every agent whose matches are told, each once."""
    return list({agent.spec: agent for agent in [*agents_of(game), *askers_of(game)]}.values())


def hash_of(game: Game, agent: Agent, n: int, *, values: bool = False, slow: int = 0) -> tuple[str, int]:
    """One hash for `n` matches of an agent against itself, and how many they are; only `slow` where it is slow."""
    told = hashlib.sha1()

    def report(result: Any) -> None:
        told.update(f"work {result.work}\n".encode())
        if values:
            told.update(np.ascontiguousarray(result.values).tobytes())
            told.update(np.ascontiguousarray(result.visits).tobytes())

    began = 0.0
    for seed in range(n):
        match = Match(game, seed=seed, start=random_opening(game, seed))
        while not match.is_over:
            match.play(ask(agent, match, report=report))
        told.update(f"{[step.code for step in match.steps]} {match.state.ranks()}\n".encode())
        if seed == 0:
            began = time.process_time()  # the first match compiles
        elif seed + 1 == slow and (time.process_time() - began) / seed * n > QUICK_SECONDS:
            return told.hexdigest()[:16], slow
    return told.hexdigest()[:16], n


def hashes_of(game: Game, n: int) -> dict[str, str]:
    """The hash of every agent of a game, by its spec."""
    return {agent.spec: hash_of(game, agent, n)[0] for agent in players_of(game)}


def hash_by_name(name: str, spec: str, n: int, slow: int, values: bool) -> tuple[str, int]:
    """As `hash_of`, in a process of its own."""
    game = load_game(name)
    return hash_of(game, load_agent(spec, game), n, values=values, slow=slow)


def main() -> None:
    """Print the hashes by game and agent as JSON, each with the number of its matches."""
    parser = argparse.ArgumentParser(description="one hash for the matches of each agent of each game")
    parser.add_argument("games", nargs="*", default=game_names(), help="games to play; all that are installed")
    parser.add_argument("-n", type=int, default=2, help="matches of each agent")
    parser.add_argument("--slow", type=int, default=0, help="matches of an agent that is slow; 0: as many as of others")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play side by side")
    parser.add_argument("--values", action="store_true", help="tell each search's values and visits apart too")
    parser.add_argument("--only", default="", help="agents whose spec has this in it")
    parser.add_argument("--against", type=Path, help="hashes of another commit: play those, and tell what differs")
    parser.add_argument("--write", action="store_true", help=f"write {KEPT.name} anew, and nothing else")
    given = parser.parse_args()
    if given.write:
        KEPT.write_text(json.dumps({name: hashes_of(load_game(name), n) for name, n in DAILY.items()}, indent=1) + "\n")
        return
    before: dict[str, dict[str, list[Any]]] = json.loads(given.against.read_text()) if given.against else {}
    found: dict[str, dict[str, tuple[str, int]]] = {name: {} for name in before or given.games}
    differs = False
    with ProcessPoolExecutor(given.jobs) as pool:
        jobs = {}
        for name in found:
            plays = {spec: n for spec, (_, n) in before[name].items()} if before else dict.fromkeys(_specs(name), 0)
            for spec, n in plays.items():
                if given.only in spec:
                    slow = 0 if n else given.slow
                    jobs[pool.submit(hash_by_name, name, spec, n or given.n, slow, given.values)] = name, spec
        for job in as_completed(jobs):
            name, spec = jobs[job]
            found[name][spec] = job.result()
            word = ""
            if before and found[name][spec][0] != before[name][spec][0]:
                differs, word = True, " DIFFERS"
            print(f"{name} {spec} {found[name][spec]}{word}", file=sys.stderr)
    print(json.dumps(found, indent=1))
    sys.exit(int(differs))


def _specs(name: str) -> list[str]:
    return [agent.spec for agent in players_of(load_game(name))]


if __name__ == "__main__":
    main()
