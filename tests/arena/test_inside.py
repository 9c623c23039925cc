"""Compiled agents in compiled matches: handed what an agent that is asked is handed, and held to the offer."""

from __future__ import annotations

import numpy as np

from conftest import HOARD
from meeple import Agent, Turn, load_agent, load_game
from meeple.agents.base import Compiled
from meeple.arena.engine import TO_THE_END, Engine, play_game
from meeple.arena.inside import NOT_OFFERED, insider_for
from meeple.core.chance import Stream
from meeple.core.contract import CHANCE
from meeple.core.game import Game, State
from meeple.core.kernel import kernel

SEEDS = range(60)


@kernel
def peep(state, rng, out):  # type: ignore[no-untyped-def]
    """Play a card where the rival's first card, which nobody may see, is a 3; else drop one."""
    return np.int64(0) if state.hand[1 - np.int64(state.mover), 0] == 3 else np.int64(2)


@kernel
def stray(state, rng, out):  # type: ignore[no-untyped-def]
    """What is never on offer."""
    return np.int64(77)


class Peeping(Agent):
    def choose(self, turn: Turn) -> int:
        record = turn.state.record
        return 0 if record.hand[1 - turn.seat, 0] == 3 else 2

    def compiled(self, game: Game) -> Compiled:
        return Compiled(peep)


class Straying(Agent):
    def choose(self, turn: Turn) -> int:
        return 77

    def compiled(self, game: Game) -> Compiled:
        return Compiled(stray)


def named(kind: type[Agent], spec: str) -> Agent:
    agent = kind()
    agent.spec = spec
    return agent


def truths_told(start: State, codes: list[int]) -> list[bool]:
    """For each move of the first seat, whether it fits what the rival's first card truly was."""
    state, told = start, []
    for code in codes:
        if state.to_move == 0:
            told.append((code < 2) == (state.record.hand[1, 0] == 3))
        state = state.after(code)
    return told


def test_a_compiled_agent_that_peeps_sees_what_is_made_up() -> None:
    game = load_game(f"{HOARD}:players=2")
    agents = [named(Peeping, "peeping"), load_agent("random", game)]
    insider = insider_for(game, agents)
    assert insider is not None
    batch = insider.play(SEEDS, [[0, 1]] * len(SEEDS), openings=0, keeps="courses")
    told = []
    for seed in SEEDS:
        codes = batch.codes[seed, : batch.events[seed]].tolist()
        assert codes == play_game(game, agents, seed=seed).codes
        told += truths_told(game.new(seed=seed), codes)
    # A third of the cards are a 3: made up, a card fits the truth in 1/9 + 4/9 of the moves; seen, in all of them.
    assert len(told) > 120
    assert sum(told) / len(told) < 0.75


def test_a_compiled_agent_that_answers_what_is_not_on_offer_forfeits() -> None:
    game = load_game(f"{HOARD}:players=2")
    agents = [named(Straying, "straying"), load_agent("random", game)]
    insider = insider_for(game, agents)
    assert insider is not None
    batch = insider.play([1, 2], [[0, 1], [1, 1]], openings=0, keeps="courses")
    assert batch.plies[0] == NOT_OFFERED
    assert batch.plies[1] > 0
    engine = Engine(game, agents)
    assert engine.insider is not None
    lost, won = engine.play([(1, (0, 1)), (2, (1, 1))])
    assert lost.at_fault == 0
    assert "answered 77" in lost.reason
    assert lost.fault is not None
    assert (won.at_fault, won.reason) == (None, TO_THE_END)


def test_what_random_and_first_answer_is_the_same_in_every_world_of_their_seat() -> None:
    # So it costs them nothing that they are handed the true one.
    game = load_game(f"{HOARD}:players=2")
    for name in ("random", "first"):
        agent = load_agent(name, game)
        found = play_game(game, [agent, agent], seed=4)
        assert found.reason == TO_THE_END
        state, out = found.start, np.empty(4, dtype=np.int64)
        compiled = agent.compiled(game)
        assert compiled is not None
        for code in found.codes:
            if state.to_move != CHANCE:
                world = state.redealt(state.to_move, Stream(9))
                answers = {int(compiled.function(each.array[0], Stream(5).array, out)) for each in (state, world)}
                assert len(answers) == 1
            state = state.after(code)
