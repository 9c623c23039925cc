"""Each fault of an engine costs it the game, says why, leaves nothing behind, and the next game is played."""

from __future__ import annotations

import pytest

from conftest import TICTACTOE
from engines.table import FAULTS, all_end, processes, spec_of
from meeple.agents.engines.external import External
from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.core.registry import load_game

GAME = load_game(TICTACTOE)


def engine(spec: str) -> External:
    agent = load_agent(spec, GAME)
    assert isinstance(agent, External)
    return agent


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_forfeit_that_says_why_and_then_a_restart(fault: str) -> None:
    agent, other = engine(spec_of(fault)), load_agent("first", GAME)
    for seat in (0, 1):  # twice: the second game needs another program
        seated = [agent, other] if seat == 0 else [other, agent]
        played = play_game(GAME, seated, seed=seat)
        assert played.at_fault == seat
        assert FAULTS[fault] in played.reason
        assert played.plies == (0 if "hello" in fault else 2 + seat)
        assert not agent.talks
        assert all_end()
    agent.close()


def test_a_shell_before_the_engine_changes_nothing() -> None:
    agent, other = engine(spec_of("hang", is_in_shell=True)), load_agent("first", GAME)
    agent.open()
    assert len(processes()) == 2  # the shell, and what it started
    assert FAULTS["hang"] in play_game(GAME, [agent, other], seed=1).reason
    assert all_end()


def test_programs_stay_at_work_and_end_when_the_agent_is_closed() -> None:
    agent, other = engine(spec_of("none")), load_agent("first", GAME)
    numbers = set()
    for seat in (0, 1):
        assert play_game(GAME, [agent, other] if seat == 0 else [other, agent], seed=1).forfeit is None
        numbers |= set(processes())
    assert len(numbers) == 1
    agent.close()
    assert all_end()


def test_a_program_that_ends_after_its_match_loses_nothing() -> None:
    agent, other = engine(spec_of("one-match")), load_agent("first", GAME)
    for seed in range(3):
        assert play_game(GAME, [agent, other], seed=seed).forfeit is None
        assert all_end()


def test_each_seat_of_an_agent_has_a_program_of_its_own() -> None:
    agent = engine(spec_of("none"))
    assert play_game(GAME, [agent, agent], seed=1).forfeit is None
    assert len(processes()) == 2
    assert play_game(GAME, [agent, load_agent("first", GAME)], seed=1).forfeit is None
    assert len(processes()) == 1  # the other would only take up memory
    del agent
    assert all_end()  # nobody closed the agent: it was forgotten
