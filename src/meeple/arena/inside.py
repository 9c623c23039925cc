"""Whole matches in compiled code, for agents that are compiled functions themselves.

`random`, `first` and a game's policies choose without Python, so a match between them can be played in one compiled
call. It is the same match, move for move, as when agents are asked (engine.py): the same fate, opening, redealt worlds
and streams.

Each agent's function is handed a world redealt for its seat, and its answer is checked. Two functions need neither,
since they are core's own and look only at the legal actions, which are the same in all worlds of a seat: a random move
and the first one. They are called *blind* here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from meeple.agents.base import Agent
from meeple.core.chance import FATES, OPENINGS, family, word_of
from meeple.core.contract import (
    CHANCE,
    NOBODY,
    apply,
    choose,
    count_actions,
    is_legal,
    new_game,
    outcome,
    ranks,
    redeal,
    role_results,
    score,
    to_move,
    win_shares,
)
from meeple.core.game import Game
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

Given = tuple[tuple[Any, ...], ...]  # by kind of agent: the parameters of its policy, if it takes any
MOST_KINDS = 4  # different agents in one compilation: each is compiled in, and code for many takes long
NOT_OFFERED = -1  # in place of a move: an agent's answer was not legal; and of the number of plies of that match

# Stand-ins: `insider_for` binds the function of each kind of agent to one of these names.
decide_0, decide_1, decide_2, decide_3 = choose, choose, choose, choose


class Matches(NamedTuple):
    """The matches to be played, and the agents that play them."""

    seeds: NDArray[np.int64]  # [match]
    orders: NDArray[np.int64]  # [match, seat]: the agent
    kinds: NDArray[np.int64]  # [agent]: by which of the functions it decides
    blind: NDArray[np.bool_]  # [agent]: whether it needs no redealt world
    families: NDArray[np.uint64]  # [agent, seat, purpose]: of its streams, those of its own draws and of its redeals
    given: Given
    options: NDArray[np.int64]  # of the game
    openings: int  # so many plies are drawn at random first


class Scratch(NamedTuple):
    """What a match is played with."""

    states: NDArray[Any]  # two: the match, and the world that an agent is handed
    moves: NDArray[np.int64]  # room for those on offer
    weights: NDArray[np.int64]  # [outcome]
    rng: NDArray[np.uint64]  # one word
    words: NDArray[np.uint64]  # [seat, purpose]: of the agents' streams in this match


class MatchResults(NamedTuple):
    """The results of a batch of matches: row i is match i, and columns are seats unless a comment says otherwise."""

    shares: NDArray[np.float64]
    ranks: NDArray[np.int64]
    scores: NDArray[np.int64]
    plies: NDArray[np.int64]  # NOT_OFFERED where an agent answered what was not on offer, and nothing else counts
    offered: NDArray[np.int64]
    events: NDArray[np.int64]  # how many
    codes: NDArray[np.int64]  # [match, event], where courses are kept
    movers: NDArray[np.int64]  # [match, event], where records are kept: a seat or CHANCE
    trail: NDArray[Any]  # [match, event], there too: the state before each event, and the last one
    roles: NDArray[np.int64]  # [match, seat, role, (times, wins, points)]


class Insider:
    """Plays matches between agents that are all compiled; made by `insider_for`."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], kinds: dict[str, int], bound: dict[str, Any], given: Given
    ) -> None:
        self.game, self.agents, self.kinds, self.bound, self.given = game, list(agents), kinds, bound, given
        self.compiled = game.specialise("meeple.arena.inside", **bound)

    def play(self, seeds: Sequence[int], orders: Sequence[Sequence[int]], *, openings: int, keeps: str) -> MatchResults:
        """Play matches: match i has seed seeds[i] and agent orders[i][seat] in each seat.

        `openings` plies are drawn at random first. `keeps` is one of the engine's `Keeps`: results, courses or records.
        """
        n, seats = len(seeds), self.game.seats
        longest = self.game.facts.longest + 1
        codes, states = longest if keeps != "results" else 0, longest if keeps == "records" else 0
        results = MatchResults(
            np.empty((n, seats)),
            np.empty((n, seats), dtype=np.int64),
            np.empty((n, seats), dtype=np.int64),
            np.empty(n, dtype=np.int64),
            np.empty(n, dtype=np.int64),
            np.empty(n, dtype=np.int64),
            np.empty((n, codes), dtype=np.int64),
            np.empty((n, states), dtype=np.int64),
            np.empty((n, states), dtype=self.game.layout),
            np.zeros((n, seats, len(self.game.role_names), 3), dtype=np.int64),
        )
        self.compiled.play_many(self.scratch(), self.matches(seeds, orders, openings), results)
        return results

    def matches(self, seeds: ArrayLike, orders: ArrayLike, openings: int) -> Matches:
        """These matches as the kernels take them."""
        seats, agents = range(self.game.seats), self.agents
        return Matches(
            seeds=np.asarray(seeds, dtype=np.int64),
            orders=np.asarray(orders, dtype=np.int64),
            kinds=np.array([self.kinds[agent.spec] for agent in agents], dtype=np.int64),
            blind=np.array([is_blind(agent, self.game) for agent in agents], dtype=np.bool_),
            families=np.array([[families_of(agent, seat) for seat in seats] for agent in agents], dtype=np.uint64),
            given=self.given,
            options=self.game.option_codes,
            openings=openings,
        )

    def scratch(self) -> Scratch:
        """Room to play one match after the other."""
        rules = self.game.definition.rules
        return Scratch(
            states=self.game.buffer(2),
            moves=np.empty(int(rules.MAX_ACTIONS), dtype=np.int64),
            weights=np.empty(max(1, int(rules.OUTCOMES)), dtype=np.int64),
            rng=np.empty(1, dtype=np.uint64),
            words=np.empty((self.game.seats, 2), dtype=np.uint64),
        )


def families_of(agent: Agent, seat: int) -> list[int]:
    """The families of streams of an agent in this seat: its own draws, and its redeals."""
    return [family(word, seat, agent.stream_name) for word in ("agent", "redeal")]


def is_blind(agent: Agent, game: Game) -> bool:
    """Whether the agent's function is one of the two that need no redealt world; an agent's own word is not taken."""
    found = agent.compiled(game)
    assert found is not None
    return found.function in (game.functions["choose"], game.specialise("meeple.search.first").first_action)


def insider_for(game: Game, agents: Sequence[Agent]) -> Insider | None:
    """Return what plays matches between these agents; None where one is not compiled, or there are too many kinds."""
    kinds: dict[str, int] = {}
    bound = {}
    given: list[tuple[Any, ...]] = []
    for agent in agents:
        found = agent.compiled(game)
        if found is None:
            return None
        if agent.spec not in kinds:
            if len(kinds) == MOST_KINDS:
                return None
            bound[f"decide_{len(kinds)}"] = found.function
            kinds[agent.spec] = len(kinds)
            given.append(found.given)
    for kind in range(len(kinds), MOST_KINDS):  # names that are left over need some function to compile
        bound[f"decide_{kind}"] = game.functions["choose"]
        given.append(())
    return Insider(game, agents, kinds, bound, tuple(given))


# --- compiled ----------------------------------------------------------------------------------------


@kernel
def play_many(scratch, matches, results):
    """Play all matches; see `Insider.play`."""
    state = scratch.states[0]
    for i in range(len(matches.seeds)):
        begin(scratch, matches, i)
        if not play_one(scratch, matches, i, results):
            results.plies[i] = NOT_OFFERED
            results.events[i] = 0
            continue
        win_shares(state, len(results.shares[i]), results.shares[i])
        ranks(state, results.ranks[i])
        for seat in range(results.scores.shape[1]):
            results.scores[i, seat] = score(state, seat)
            role_results(state, seat, results.roles[i, seat])


@kernel
def begin(scratch, matches, i):
    """Set up match number i: its first state, the plies drawn at random, and the words of its agents' streams.

    The words are those of `fate_for`, `random_opening` and `streams_of`, so that asking plays the same match.
    """
    seed, order, rng = matches.seeds[i], matches.orders[i], scratch.rng
    state = scratch.states[0]
    new_game(state, len(order), matches.options, np.int64(word_of(FATES, seed) >> np.uint64(1)))
    rng[0] = word_of(OPENINGS, seed)
    for _ in range(matches.openings):
        apply(state, choose(state, rng, scratch.moves))
    for seat in range(len(order)):
        for purpose in range(2):
            scratch.words[seat, purpose] = word_of(matches.families[order[seat], seat, purpose], seed)


@kernel
def play_one(scratch, matches, i, results):
    """Play states[0] to its end as match number i; False where an agent answered what was not on offer."""
    state = scratch.states[0]
    keeps = results.codes.shape[1] > 0
    keeps_states = results.trail.shape[1] > 0
    events = 0
    ply = 0
    offered = 0
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            break
        if mover == CHANCE:
            code = outcome(state, scratch.weights)
        else:
            if keeps:
                offered += count_actions(state)
            code = ask(scratch, matches, i, mover, ply)
            if code == NOT_OFFERED:
                return False
            ply += 1
        if keeps:
            results.codes[i, events] = code
        if keeps_states:  # a match has at most `longest` events, and there is room for one state more
            results.movers[i, events] = mover
            results.trail[i, events] = state
        events += 1
        apply(state, code)
    if keeps_states:
        results.trail[i, events] = state
    results.plies[i] = ply
    results.offered[i] = offered
    results.events[i] = events
    return True


@kernel
def ask(scratch, matches, i, mover, ply):
    """The move of the agent in the mover's seat; NOT_OFFERED where it is none of those on offer."""
    states, rng = scratch.states, scratch.rng
    agent = matches.orders[i, mover]
    if matches.blind[agent]:  # saves the copy and the redeal, most of the time of a random match
        rng[0] = word_of(scratch.words[mover, 0], ply)
        return decide(matches.kinds[agent], states[0], rng, scratch.moves, matches.given)
    # As `hand_over` does for agents that are asked: one stream for the redeal, another for the agent.
    states[1] = states[0]
    rng[0] = word_of(scratch.words[mover, 1], ply)
    redeal(states[1], mover, rng)
    rng[0] = word_of(scratch.words[mover, 0], ply)
    code = decide(matches.kinds[agent], states[1], rng, scratch.moves, matches.given)
    return code if is_legal(states[0], code) else np.int64(NOT_OFFERED)


@kernel
def decide(kind, state, rng, out, given):
    """Return what an agent of this kind chooses; given[kind] are its parameters."""
    # Branches, not an array of functions: Numba compiles calls of known functions only, and can inline these.
    if kind == 0:
        return decide_0(state, rng, out, *given[0])
    if kind == 1:
        return decide_1(state, rng, out, *given[1])
    if kind == 2:
        return decide_2(state, rng, out, *given[2])
    return decide_3(state, rng, out, *given[3])
