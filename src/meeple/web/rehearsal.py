"""All that a table does with compiled code, done once: a rehearsal leaves every kernel that it needs loaded.

A game has several parts to rehearse: its `BOARD` (a match, its pictures, what is told beside them, saving it), a
`START` from a position that a link holds, why a move is better `EXPLAINED`, an `ANALYSIS`, and each agent, named
by its spec. Run as a program it is the process that compiles for the server:

    python -m meeple.web.rehearsal GAME [--ahead] [--cpu-time]

takes parts on stdin, a line each, rehearses them one after another, and tells how far it is on stdout, in JSON
(seconds by the wall, or of CPU time):

    {"waits": true}                          another process compiles for the same game: this one waits for it
    {"begins": PART}
    {"kernel": 12}                           so many are compiled by now, of this part
    {"done": PART, "kernels": 80, "seconds": 7.1, "course": [...]}     `course`: see web/estimates.py
    {"failed": PART, "why": "..."}           it raised

It ends when stdin does, so also when the server is killed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from filelock import FileLock, Timeout

from meeple.agents.levels import DEFAULT, hint_spec, levels_of
from meeple.agents.registry import load_agent
from meeple.analysis.analyse import AnalysisRun, Source
from meeple.analysis.calibration import Calibration
from meeple.analysis.deepening import Deepening
from meeple.analysis.judge import Question
from meeple.analysis.why import why
from meeple.core.chance import Stream
from meeple.core.contract import NOBODY
from meeple.core.definition import Definition
from meeple.core.forfeit import Forfeit
from meeple.core.game import Game
from meeple.core.kernel import compiling_told_to, preparing_lock
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import brief
from meeple.web.asking import question_for
from meeple.web.clicks import offer_of
from meeple.web.estimates import course_of
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Access, Seat
from meeple.web.table import Table
from meeple.web.takeback import redo, undo_last
from meeple.web.viewing import Viewing

BOARD, START, EXPLAINED, ANALYSIS = "board", "start", "explained", "analysis"
AHEAD, CPU_TIME = "--ahead", "--cpu-time"
SEED = 1
DRAWN = (0, 1, 5, 20, 60)  # moves: to draw after each would take long, and meets no more kernels
MOST_MOVES = 400
ANALYSED = 6  # moves
SEEDS, MOST_PREVIEWED = range(2, 10), 30
LONGEST_WAIT = 240.0  # seconds for another process that compiles the same


def parts_of(definition: Definition) -> list[str]:
    """All parts of a game, in the order in which people meet them."""
    levels = levels_of(definition)
    agents = levels.values()
    return list(dict.fromkeys([BOARD, levels[DEFAULT], START, hint_spec(definition), *agents, EXPLAINED, ANALYSIS]))


def rehearse(game: Game, part: str) -> None:
    """Do once all that a table does with this part of a game."""
    if part == BOARD:
        rehearse_board(game)
    elif part == START:
        rehearse_start(game)
    elif part == EXPLAINED:
        rehearse_explanation(game)
    elif part == ANALYSIS:
        rehearse_analysis(game)
    else:
        rehearse_agent(game, part)


def rehearse_board(game: Game) -> None:
    """A whole match of random moves, and one for a person alone where the game allows it: its rules have their own."""
    _rehearse_match(game)
    _rehearse_previews(game)
    if game.seats > game.definition.seats[0] == 1:
        _rehearse_match(load_game(Spec(game.origin.name, {"players": "1"})))


def _rehearse_match(game: Game) -> None:
    """A whole match of random moves, drawn and told for everybody who may look, taken back, saved and read again."""
    table = _table(game)
    owner = Access(table, frozenset(range(game.seats)), is_owner=True)
    viewings = [Viewing(Access(table, frozenset({0}))), Viewing(Access(table)), Viewing(owner)]
    rng = Stream(SEED)
    for number in range(MOST_MOVES):
        if table.is_over:
            break
        if number in DRAWN:
            for viewing in viewings:
                _look(viewing)
            _click(viewings[0], table)
        offer_of(table.match.state)  # some moves are met seldom, and clicked in ways of their own
        actions = table.match.state.legal_actions()
        table.play(table.mover, int(actions[rng.below(len(actions))]))
        if number == 1:
            undo_last(table, range(game.seats))
            redo(table)
            table.match.branch()
    for viewing in viewings:
        _look(viewing)
        viewing.look_at(len(table.match.steps) // 2)
        _look(viewing)
    if not table.is_over:
        table.forfeit = Forfeit(0, "seat 1 resigned")
    table.winners()
    table_of(body_of(table))


def _rehearse_previews(game: Game) -> None:
    """What moves would bring, in the middle of several matches: which cards are out decides what is counted for it."""
    for seed in SEEDS:
        table, rng = _table(game, seed), Stream(seed)
        viewing = Viewing(Access(table))
        for number in range(MOST_PREVIEWED):
            if table.is_over:
                break
            actions = table.match.state.legal_actions()
            if number % 4 == 3:
                for action in {int(actions[len(actions) * place // 6]) for place in range(6)}:
                    viewing.worth(action)
            table.play(table.mover, int(actions[rng.below(len(actions))]))


def rehearse_start(game: Game) -> None:
    """A match from a position, as links hold it."""
    seat = NOBODY if game.facts.hidden else None
    Match(game, seed=SEED, start=Match(game, seed=SEED).state.text(seat), salt=bytes(range(16)))


def rehearse_explanation(game: Game) -> None:
    """Why a move is better than another."""
    state = Match(game, seed=SEED).state
    first, last = (int(state.legal_actions()[place]) for place in (0, -1))
    why(state, first, last)


def rehearse_analysis(game: Game) -> None:
    """The analysis of a short match, and a deeper look at its last position, each with hardly any work."""
    match, rng = Match(game, seed=SEED), Stream(SEED)
    while match.ply < ANALYSED and not match.is_over:
        actions = match.state.legal_actions()
        match.play(int(actions[rng.below(len(actions))]))
    little = Calibration(work=1)
    AnalysisRun(Source.of(match), "quick", calibration=little).go(1, None)
    if not match.is_over:
        Deepening(Question(match.state, match.ply, tuple(match.seen(match.to_move))), calibration=little).search()
    rehearse_explanation(game)


def rehearse_agent(game: Game, spec: str) -> None:
    """The first move of an agent, which is told to stop as soon as it asks."""
    agent = load_agent(spec, game)
    question_for(_table(game), agent, lambda: False)()


def _table(game: Game, seed: int = SEED) -> Table:
    seats = [Seat("here", f"Player {seat + 1}") for seat in range(game.seats)]
    return Table(game, seats, owner="", match=Match(game, seed=seed, salt=bytes(range(16))), is_guided=True)


def _look(viewing: Viewing) -> None:
    """All that a page shows."""
    viewing.catch_up()
    if viewing.is_curtained:
        viewing.unveiled = viewing.table.mover
    viewing.drawing()
    viewing.seen_log()


def _click(viewing: Viewing, table: Table) -> None:
    """A hover over, and a click on, the first thing that is lit for the mover."""
    viewing.access = Access(table, frozenset({table.mover}))
    lit = sorted(offer_of(viewing.state).after(()))
    if lit:
        viewing.hover(lit[0])
    action = int(table.match.state.legal_actions()[0])
    path = viewing.state.paths(action)[0]
    viewing.chosen = path[:-1]
    viewing.drawing(hovered=path[-1])
    viewing.chosen = ()


# --- the process -------------------------------------------------------------------------------------------------


class Teller:
    """Tells the server how far it is."""

    def __init__(self) -> None:
        # What is rehearsed may print: it goes to stderr, and only lines of ours to where stdout was.
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def tell(self, **line: Any) -> None:
        try:
            self._out.write(json.dumps(line) + "\n")
            self._out.flush()
        except OSError:  # the server is gone
            os._exit(1)


def main() -> None:
    """Rehearse what stdin names until it ends."""
    with suppress(OSError, AttributeError):
        os.nice(10 if AHEAD in sys.argv else 5)  # pages are answered first, then comes what somebody waits for
    os.environ.pop("MEEPLE_QUIET", None)  # it would not be told either what is compiled
    teller, parts = Teller(), SimpleQueue[str]()
    threading.Thread(target=_read, args=(parts,), daemon=True).start()
    game = load_game(sys.argv[1])
    lock = FileLock(preparing_lock(game.definition.folder or game.name))
    while True:
        _rehearse_told(game, parts.get(), teller, lock)


def _read(parts: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        parts.put(line.rstrip("\n"))
    os._exit(0)  # nobody wants the rest


def _rehearse_told(game: Game, part: str, teller: Teller, lock: FileLock) -> None:
    _lock(lock, teller)
    clock = time.process_time if CPU_TIME in sys.argv else time.perf_counter
    began, ticks = clock(), list[float]()

    def compiling(name: str) -> None:
        if name:
            ticks.append(clock() - began)
            teller.tell(kernel=len(ticks))

    teller.tell(begins=part)
    try:
        with compiling_told_to(compiling):
            rehearse(game, part)
    except Exception as fault:
        teller.tell(failed=part, why=brief(fault))
    else:
        seconds = clock() - began
        teller.tell(done=part, kernels=len(ticks), seconds=round(seconds, 2), course=course_of(ticks, seconds))
    finally:
        lock.release()


def _lock(lock: FileLock, teller: Teller) -> None:
    """Wait for another process that compiles the same; it goes on without where that is of no use."""
    try:
        lock.acquire(timeout=0)
    except Timeout:
        teller.tell(waits=True)
        with suppress(Timeout, OSError):
            lock.acquire(timeout=LONGEST_WAIT, poll_interval=0.2)
    except OSError:
        pass  # no lock can be made there


if __name__ == "__main__":
    main()
