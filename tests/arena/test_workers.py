"""Workers that die: by an agent's doing, which costs it the game, or by a hand from outside, which costs nobody one."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from conftest import HOARD
from meeple.arena.conditions import HANGING
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import Ledger, Outcome, play_tournament, prepare_tournament
from meeple.arena.workers import MOST_DEATHS, Crew, Job, Player, Setup, SharedPulse, death_by
from meeple.errors import ConfigError

# An agent that ends its process in ways of its own, each time or once only: from outside the two look the same.
DYING = """
import ctypes
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from meeple import Agent, setting


@dataclass(kw_only=True)
class Dying(Agent):
    way: str = setting("", "how it ends")
    once: bool = setting(False, "end but once")

    def choose(self, turn):
        ended = Path(__file__).with_suffix(".log")  # a log is no part of the code, as a file of another ending would be
        if turn.ply >= 2 and not (self.once and ended.exists()):
            if self.once:
                ended.touch()
            if self.way == "exit":
                sys.exit(5)
            if self.way == "fault":
                ctypes.string_at(0)
            os.kill(os.getpid(), getattr(signal, self.way))
        return int(turn.state.legal_actions()[0])
"""


@pytest.fixture
def dying(tmp_path: Path) -> str:
    path = tmp_path / "dying.py"
    path.write_text(DYING)
    return f"{path}:Dying"


def played(agents: list[str], path: Path, *, games: int = 1, workers: int = 1) -> tuple[Outcome, list[StoredGame]]:
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=games)
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=workers)
        assert Report(tournament, outcome.ledger, store).games == games
        return outcome, list(store.games())


@pytest.mark.parametrize(
    ("way", "why"), [("exit", "ended its process (exit code 5)"), ("fault", "by a fault (SIGSEGV)")]
)
def test_an_agent_that_ends_its_process_forfeits_at_once(way: str, why: str, dying: str, tmp_path: Path) -> None:
    outcome, games = played([f"{dying}:way={way}", "first"], tmp_path / "own.sqlite")
    assert [game.at_fault for game in games] == [0]
    assert why in games[0].reason
    assert outcome.killed == 0


@pytest.mark.parametrize("way", ["SIGKILL", "SIGTERM"])
def test_a_worker_killed_once_costs_nobody_a_game(way: str, dying: str, tmp_path: Path) -> None:
    once = f"{dying}:way={way},once=yes"
    outcome, games = played([once, "first"], tmp_path / "killed.sqlite", games=3)
    assert (tmp_path / "dying.log").exists()
    assert [(game.at_fault, game.reason) for game in games] == [(None, "")] * 3
    assert outcome.killed == 1
    undisturbed = Player(outcome.tournament.setup()).play([Job(game.key, game.seed, (0, 1)) for game in games])
    assert [game.result for game in undisturbed] == [game.result for game in games]


def test_an_agent_that_kills_its_process_again_and_again_forfeits(dying: str, tmp_path: Path) -> None:
    agents = [f"{dying}:way=SIGKILL", "first"]
    (outcome, one), (_, two) = (played(agents, tmp_path / f"{n}.sqlite", workers=n) for n in (1, 2))
    assert [game.result for game in one] == [game.result for game in two]
    assert one[0].at_fault == 0
    assert f"was killed (SIGKILL) {MOST_DEATHS} times, in fresh processes, at this game" in one[0].reason
    assert one[0].plies >= 1
    assert outcome.killed == MOST_DEATHS


def test_no_worker_is_hired_for_code_that_was_changed_meanwhile(dying: str, tmp_path: Path) -> None:
    tournament = prepare_tournament(f"{HOARD}:players=2", [f"{dying}:way=exit", "first"], games=1)
    ledger = Ledger(tournament, [], 1)
    changed = pytest.raises(ConfigError, match="the code was changed while it played")
    with changed, Crew(tournament.setup(), 1, is_current=lambda: False) as crew:
        list(crew.play(ledger))


@pytest.mark.parametrize(
    ("code", "why", "is_own"),
    [
        (0, "ended its process (exit code 0)", True),
        (7, "ended its process (exit code 7)", True),
        (-signal.SIGSEGV, "ended its process by a fault (SIGSEGV)", True),
        (-signal.SIGABRT, "ended its process by a fault (SIGABRT)", True),
        (-signal.SIGKILL, "was killed (SIGKILL)", False),
        (-signal.SIGTERM, "was killed (SIGTERM)", False),
        (-signal.SIGHUP, "was killed (SIGHUP)", False),
        (-200, "was killed (signal 200)", False),
        (None, "closed the connection of its process", True),
    ],
)
def test_what_an_exit_code_tells(code: int | None, why: str, is_own: bool) -> None:
    death = death_by(code)
    assert (death.why, death.is_own) == (why, is_own)


def test_the_pulse_names_the_seat_only_while_it_is_asked(bad_answers: Path) -> None:
    class Watched(SharedPulse):
        """Remembers what it showed at each event."""

        def __init__(self) -> None:
            super().__init__(100)
            self.told: list[tuple[str, float, float]] = []

        def asked(self, seat: int, hanging: float) -> None:
            super().asked(seat, hanging)
            self.told.append(("asked", self.facts[0], self.facts[1]))

        def happened(self, code: int) -> None:
            self.told.append(("happened", self.facts[0], self.facts[1]))
            super().happened(code)

    pulse = Watched()
    agents = (f"{bad_answers}:Cheating", "first")
    player = Player(Setup(game=f"{HOARD}:players=2", agents=agents, keeps="results"), pulse)
    jobs = [
        Job(GameKey(Lineup(0, (0, 1)), number, 0), number, seated) for number, seated in enumerate([(1, 1), (1, 0)])
    ]
    first, second = player.play(jobs)
    assert (first.at_fault, second.at_fault) == (None, 1)
    # Nobody is blamed for what happens after an answer: not for the rules, nor for what follows a forfeit.
    assert all((seat >= 0) == (what == "asked") for what, _, seat in pulse.told)
    assert {job for _, job, _ in pulse.told} == {0, 1}
    assert pulse.facts[1] < 0
    assert pulse.facts[3] == HANGING  # the game itself is waited for too, and not for ever
    list(player.play(jobs[:1]))
    assert pulse.facts[0] == 2


@pytest.fixture
def bad_answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.py"
    path.write_text(
        "from meeple import Agent\n\n\nclass Cheating(Agent):\n    def choose(self, turn):\n        return 10**6\n"
    )
    return path
