"""The conformance suite: every law has a broken twin of Hoard that it catches, and whole games pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.twins import TWINS
from conftest import HOARD, TICTACTOE, Run
from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
from meeple.core.conformance.laws import law_names
from meeple.core.conformance.suite import check_game
from meeple.core.conformance.worlds import TooManyWorlds, possible_worlds, world_bytes
from meeple.core.registry import game_names, load_game

GAMES = [*game_names(), HOARD, TICTACTOE]
# Games of hundreds of events: few matches of one variant here, all variants at length in test_soak.py.
BRIEFLY = {
    "azul": ("azul:players=2,wall=grey,cap=30", 3),
    "ingenious": ("ingenious:players=2,swap=once", 3),
    "sagrada": ("sagrada:players=2,rules=thesis,faults=yes", 3),
    "saboteur": ("saboteur:players=5", 2),
    "saboteur-duel": ("saboteur-duel:deck=53", 3),
}
SMALL = ["santorini", HOARD, TICTACTOE]
TWIN_SCRIPT = str(Path(__file__).parent / "twins.py")


def test_every_law_has_a_twin() -> None:
    assert sorted(TWINS) == sorted(law_names())


@pytest.mark.parametrize("law", [law for law in TWINS if law != "compiled"])
def test_broken_twin_is_caught_by_name(law: str, tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, TWIN_SCRIPT, law, str(tmp_path / "hoard")], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert law in json.loads(ran.stdout)


def test_twin_that_differs_interpreted_is_caught(tmp_path: Path) -> None:
    words = [sys.executable, TWIN_SCRIPT, "compiled", str(tmp_path / "hoard"), ":players=2,rounds=2,hoard=plain"]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "parts at event" in json.loads(ran.stdout)["compiled"]


@pytest.mark.parametrize("game", GAMES)
def test_games_keep_every_law(game: str) -> None:
    spec, matches = BRIEFLY.get(game, (game, 20))
    report = check_game(spec, matches=matches)
    assert report.is_clean, [str(breach) for breach in report.breaches.values()]
    assert report.matches >= matches


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.parametrize("way", ["--interpreted", "--bounds"])
def test_games_keep_every_law_otherwise_compiled(game: str, way: str, meeple: Run) -> None:
    ran = meeple("check", game, "--matches", "20", way)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "all laws hold" in ran.stdout


def test_all_laws_but_those_of_open_games_are_met_by_hoard() -> None:
    tested = check_game(f"{HOARD}:players=2", matches=40).tested
    assert sorted(set(law_names()) - set(tested)) == ["facts"]
    assert {"policy", "value-range", "heuristic-hidden"} <= set(tested)  # the heuristics that Hoard has


def test_a_spec_fixes_variants() -> None:
    seen: list[str] = []
    check_game(f"{HOARD}:players=3,hoard=double", matches=2, on_progress=lambda what, *_: seen.append(what))
    assert sorted(set(seen[:-1])) == ["hoard:players=3,hoard=double", "hoard:players=3,rounds=2,hoard=double"]


def test_worlds_are_counted_exactly() -> None:
    # Seat 0 holds two 3s of the five; seat 1's first card is unseen: 5 ones, 5 twos, 3 threes are left.
    state = load_game(f"{HOARD}:players=2").new()
    start, history = state, []
    for code in (2, 2, 0):
        history.append((state, code))
        state = state.after(code)
    worlds = possible_worlds(start, history, state, seat=0, most=100)
    hands = {
        load_game(f"{HOARD}:players=2").from_bytes(world).record.hand[1, 0]: share for world, share in worlds.items()
    }
    assert {int(card): round(share * 13) for card, share in hands.items()} == {1: 5, 2: 5, 3: 3}
    assert world_bytes(state) in worlds
    with pytest.raises(TooManyWorlds):
        possible_worlds(start, history, state, seat=0, most=2)


def test_check_lists_its_laws(meeple: Run) -> None:
    listed = meeple("check", "--list").stdout
    assert [line.split()[0] for line in listed.splitlines()[1:]] == [
        *law_names(),
        *(law.name for law in HEURISTIC_LAWS),
    ]


def test_a_breach_names_law_seed_event_and_move(meeple: Run, tmp_path: Path) -> None:
    from conformance.twins import write_twin

    write_twin("is-legal", tmp_path / "hoard")
    ran = meeple("check", "./hoard:players=2", "--matches", "4", "--interpreted")
    assert ran.returncode == 1
    assert "is-legal: is_legal(" in ran.stdout
    assert "seed 1, event" in ran.stdout
    assert "Traceback" not in ran.stderr
