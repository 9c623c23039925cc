"""Let every agent of a game decide, at small work, with checks of array bounds: an access out of bounds raises.

`NUMBA_BOUNDSCHECK=1 python bounded.py GAME some` has each preset and level make a few decisions, and each search that
none of them is of; `whole` has these, every search by itself and agents for every named heuristic play whole matches.
All in variants of the game: the default, one with as many seats as there may be, and a paper's own. Prints how many
decisions were made.
"""

from __future__ import annotations

import sys
from itertools import cycle
from pathlib import Path

import numba

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple import Match, load_agent, load_game
from meeple.agents.base import Agent, ask
from meeple.core.features import feature_sets
from meeple.core.game import Game, State
from meeple.errors import ConfigError, UnsupportedGameError
from search.leaks import every_agent
from search.small import named_of

PAPERS = {"sagrada": ("sagrada:rules=thesis",)}
# What allocates by its settings, and no preset or level has: threads on one tree, later moves, priors, widening.
HEAVY = (
    "mcts:iterations=60,threads=2,parallel=tree,extend=1,reuse=yes,probe=2",
    "mcts:iterations=60,threads=2,parallel=leaf,playout=mast,widening=1",
    "mcts:iterations=40,implicit=0.4,prior=evaluation,expand=all",
    "mcts:iterations=40,worlds=2,rollouts=2,playout=mast,threads=2",
    "ismcts:iterations=60,threads=2,parallel=tree,playout=mast",
    "ismcts:iterations=40,widening=1,prior=evaluation,threads=2",
)
EACH = 4  # decisions of each agent and variant, where they make some


def variants(spec: str) -> list[Game]:
    """The default variant, one with the most seats, and a paper's where it has rules of its own."""
    game = load_game(spec)
    most = game.definition.seats[1]
    others = [f"{spec}:players={most}"] if most > game.seats else []
    return [game, *map(load_game, [*others, *PAPERS.get(spec, ())])]


def heavy(game: Game) -> list[Agent]:
    """Those of HEAVY that the game's evaluations and number of seats allow."""
    found = []
    for spec in HEAVY:
        try:
            found.append(load_agent(spec, game))
        except (ConfigError, UnsupportedGameError):
            continue
    assert found, "no agent of HEAVY plays this game"
    return found


def some_decisions(game: Game, agents: list[Agent]) -> int:
    """Matches in which the agents decide in turn, until each has decided EACH times."""
    match = Match(game, seed=1)
    for number, agent in zip(range(EACH * len(agents)), cycle(agents), strict=False):
        if match.is_over:
            match = Match(game, seed=number)
        read_features(match.state)
        match.play(ask(agent, match))
    return EACH * len(agents)


def read_features(state: State) -> None:
    """Write every set of features, of the position for each seat and of some moves."""
    for features in feature_sets(state.game).values():
        for seat in range(state.game.seats):
            features.of(state, seat)
    for features in feature_sets(state.game, "ACTION_FEATURES").values():
        for action in state.legal_actions()[:3]:
            features.of(state, action)


def whole_matches(game: Game, agents: list[Agent]) -> int:
    """One match by each agent in every seat."""
    decisions = 0
    for seed, agent in enumerate(agents):
        match = Match(game, seed=seed)
        while not match.is_over:
            match.play(ask(agent, match))
        decisions += match.ply
    return decisions


if __name__ == "__main__":
    assert numba.config.BOUNDSCHECK, "run with NUMBA_BOUNDSCHECK=1"
    made = 0
    for each in variants(sys.argv[1]):
        if sys.argv[2] == "whole":
            made += whole_matches(each, [*every_agent(each), *heavy(each)])
        else:
            made += some_decisions(each, named_of(each))
    print(made)
