"""Limits of a search by time and by CPU time, on clocks that the tests turn; and time without compiling."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple import Match, load_agent, load_game
from meeple.agents.base import ask
from meeple.core import readiness
from meeple.core.chance import Stream
from meeple.core.readiness import Wait, making_ready, waited_until_ready
from meeple.errors import ConfigError
from meeple.search import alphabeta, control, expectimax, flat, maxn, mcts, worlds
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.control import Clock, Stopper
from meeple.search.expectimax import ExpectimaxConfig
from meeple.search.flat import FlatConfig
from meeple.search.mcts import MctsConfig
from meeple.search.tree import tree


class Dial:
    """A wall clock and a CPU clock for each thread; each look at a CPU clock turns it on by `step`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: float = 0.0) -> None:
        self.wall, self.step = 0.0, step
        self.cpu: dict[int, float] = {}
        monkeypatch.setattr(control, "wall_time", lambda: self.wall)
        monkeypatch.setattr(control, "own_cpu_time", lambda: self.look(threading.get_ident()))
        monkeypatch.setattr(control, "cpu_time_of", self.look)
        monkeypatch.setattr(control, "waited_until_ready", lambda: Wait(0.0, 0.0))

    def look(self, thread: int) -> float:
        self.cpu[thread] = self.cpu.get(thread, 0.0) + self.step
        return self.cpu[thread]

    def use(self, seconds: float) -> None:
        """The calling thread uses so much CPU time."""
        self.cpu[threading.get_ident()] = self.cpu.get(threading.get_ident(), 0.0) + seconds


def test_a_clock_counts_both_and_stops_at_the_first_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    dial = Dial(monkeypatch)
    clock = Clock(seconds=1.0, cpu=0.2)
    assert clock.left() == pytest.approx(0.2)
    dial.wall, _ = 0.5, dial.use(0.1)
    assert clock.left() == pytest.approx(0.1)
    assert (clock.spent(), clock.cpu_spent()) == (0.5, 0.1)
    dial.wall = 0.99  # a margin of a fiftieth is kept back of the time, none of the CPU time
    assert clock.is_over()
    assert not Clock().is_over()
    assert Clock().left() == float("inf")


def test_compiling_counts_for_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    dial = Dial(monkeypatch)
    clock = Clock(seconds=10.0, cpu=1.0)
    dial.wall = 30.5
    dial.use(20.25)
    monkeypatch.setattr(control, "waited_until_ready", lambda: Wait(30.0, 20.0))
    assert (clock.spent(), clock.cpu_spent()) == (pytest.approx(0.5), pytest.approx(0.25))
    assert not clock.is_over()


def test_waits_within_waits_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(100))
    clocks = SimpleNamespace(perf_counter=lambda: float(next(seconds)), thread_time=lambda: 0.0)
    monkeypatch.setattr(readiness, "time", clocks)
    before = waited_until_ready().wall
    with making_ready(), making_ready():
        pass
    assert waited_until_ready().wall - before == 2  # from the first look at the clock, 0, to the last, 2


def test_of_threads_side_by_side_the_busiest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    dial = Dial(monkeypatch)
    clock = Clock(cpu=1.0)
    dial.use(0.25)
    spent: list[float] = []

    def work(twin: Clock, seconds: float) -> None:
        twin.enter()
        dial.use(seconds)
        spent.append(twin.cpu_spent())

    for seconds in (0.5, 0.125):
        thread = threading.Thread(target=work, args=(clock.fork(), seconds))
        thread.start()
        thread.join()
    clock.join(spent)
    assert spent == [0.75, 0.375]
    assert clock.cpu_spent() == 0.75
    clock.add_cpu(0.25)
    assert clock.is_over()


# --- the searches


@pytest.mark.parametrize("pace", [0.0, 1e6])
def test_flat_and_tree_search_stop_by_their_own_cpu_time(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    # A look at the clock takes a part in 128 of the limit: as many slices, whatever the wall says meanwhile.
    dial = Dial(monkeypatch, step=1 / 128)
    for search in (flat, tree):
        monkeypatch.setattr(search, "SLICE_SECONDS", 0.0)  # one iteration a slice, after the first
    monkeypatch.setattr(control, "wall_time", lambda: pace * dial.cpu.get(threading.get_ident(), 0.0))
    state = load_game(TICTACTOE).new()
    flatly = flat.search(state, config=FlatConfig(playouts=0, cpu=1.0), rng=Stream(1))
    assert flatly.work == flat.FIRST_SLICE + 127
    config = MctsConfig(iterations=0, cpu=1.0, solve=False)
    found = mcts.search(state, config=config, rng=Stream(1))
    assert found.work == tree.FIRST_SLICE + 127
    two = mcts.search(state, config=MctsConfig(iterations=0, cpu=1.0, solve=False, threads=2), rng=Stream(1))
    assert two.work > 1.8 * found.work  # each thread has all of it


def test_alphabeta_and_its_kin_stop_by_the_cpu_time_of_their_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    open_state = load_game("santorini").read("0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4")
    state = Match(f"{HOARD}:players=3", seed=1).state
    deep = AlphaBetaConfig(depth=60, cpu=1.0)
    Dial(monkeypatch, step=0.3)  # over at the third look or so: the word comes however deep it was to go
    assert alphabeta.search(open_state, config=deep).depth < 20
    assert worlds.search(state, config=AlphaBetaConfig(cpu=1.0, worlds=2), rng=Stream(1)).depth < 20
    assert maxn.search(state, config=replace(deep, worlds=2), rng=Stream(1)).depth < 20
    assert expectimax.search(state, config=ExpectimaxConfig(depth=60, cpu=1.0), rng=Stream(1)).depth < 20


def test_searches_use_one_thread_after_another_and_drop_it_after_ctrl_c() -> None:
    control._idle.clear()

    def thread_of_a_search() -> int:
        with Stopper(np.zeros(control.CONTROL_SIZE, dtype=np.int64), Clock(cpu=1e9), lambda: False) as stopper:
            return int(stopper.run(threading.get_ident))

    first = thread_of_a_search()
    assert first != threading.get_ident()
    assert thread_of_a_search() == first
    assert len(control._idle) == 1
    with pytest.raises(KeyboardInterrupt), Stopper(np.zeros(4, dtype=np.int64), Clock(), lambda: False):
        raise KeyboardInterrupt
    assert not control._idle  # a call may have been under way in it


@pytest.mark.parametrize("name", ["alphabeta", "minimax", "expectimax", "mcts", "ismcts", "flat"])
def test_every_search_takes_cpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = {"flat": ",playouts=0", "mcts": ",iterations=0", "ismcts": ",iterations=0"}.get(name, "")
    match = Match(TICTACTOE)
    agent = load_agent(f"{name}:cpu=20ms{rest}", match.game)
    assert "cpu=20ms" in agent.spec
    Dial(monkeypatch, step=0.001)
    assert ask(agent, match) in match.state.offer()


def test_a_system_without_such_a_clock_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "pthread_getcpuclockid", raising=False)
    game = load_game(TICTACTOE)
    for name in ("alphabeta", "expectimax", "mcts", "flat"):
        with pytest.raises(ConfigError, match=r"does not tell a thread's CPU time.*give time= instead"):
            load_agent(f"{name}:cpu=20ms", game)
    assert load_agent("mcts:time=20ms", game).spec == "mcts:time=20ms"


def test_the_time_told_is_without_compiling(run: Run) -> None:
    # What it took to compile or load lies within the whole time: counted twice, the two would exceed it.
    script = f"""
import time
from meeple import load_game
from meeple.core.chance import Stream
from meeple.core.readiness import waited_until_ready
from meeple.search.flat import FlatConfig, search
state = load_game({TICTACTOE!r}).new()
began, before = time.perf_counter(), waited_until_ready().wall
found = search(state, config=FlatConfig(playouts=1), rng=Stream(1))
whole, waited = time.perf_counter() - began, waited_until_ready().wall - before
assert waited > 0
assert 0 < found.seconds < whole - waited, (found.seconds, whole, waited)
"""
    done = run("-c", script)
    assert done.returncode == 0, done.stderr
