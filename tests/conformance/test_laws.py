"""The conformance suite: every law has a broken twin of Hoard that it catches, and whole games pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.twins import TWINS, write_twin
from conftest import HOARD, TICTACTOE, Run
from meeple.core.conformance.exchange import byte_names, exchangeable, greatest_excess, sample_pairs
from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
from meeple.core.conformance.laws import law_names
from meeple.core.conformance.suite import Report, check_game
from meeple.core.conformance.worlds import TooManyWorlds, possible_worlds, world_bytes
from meeple.core.contract import NOBODY
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


@pytest.mark.parametrize("law", [law for law in TWINS if law not in ("compiled", "exchangeable")])
def test_broken_twin_is_caught_by_name(law: str, tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, TWIN_SCRIPT, law, str(tmp_path / "hoard")], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert law in json.loads(ran.stdout)


def test_twin_that_deals_types_alike_is_caught_by_samples(tmp_path: Path) -> None:
    # Without counting any world, as in a game where they are too many.
    write_twin("exchangeable", tmp_path / "hoard")
    found = exchangeable(([load_game(f"{tmp_path / 'hoard'}:players=2")], 20, 1))
    assert "of hand" in found
    assert "at most 8" in found


def test_a_game_whose_worlds_were_never_counted_is_told_so() -> None:
    counted = Report("hoard", matches=3, tested={"worlds": 2, "exchangeable": 1}, has_secrets=True)
    assert counted.verdict(1) == "all laws hold over 3 matches from seed 1"
    sampled = Report("hoard", matches=3, tested={"exchangeable": 1}, has_secrets=True)
    assert "all laws hold" not in sampled.verdict(1)
    assert sampled.verdict(1).endswith("its worlds were never counted, redeals were held to samples alone")
    assert Report("hoard", has_secrets=True).verdict(1).endswith("redeals were held to no count")
    assert Report("santorini", matches=3).verdict(1) == "all laws hold over 3 matches from seed 1"


def test_play_that_tells_of_hands_is_not_mistaken_for_a_fault() -> None:
    # In Hoard a seat plays what it holds. Over 25,000 pairs along play nothing comes close to the bound.
    game = load_game(f"{HOARD}:players=3")
    pairs = sample_pairs(game, 40_000, 5)
    assert len(pairs.viewers) > 25_000
    assert sorted(set(pairs.viewers.tolist())) == [NOBODY, 0, 1, 2]
    # Some 8,000 cells: the greatest of so many fair ones is about 3.9.
    assert 2.0 < greatest_excess(pairs, byte_names(game), 5).deviations < 6.0


def test_twin_that_differs_interpreted_is_caught(tmp_path: Path) -> None:
    words = [sys.executable, TWIN_SCRIPT, "compiled", str(tmp_path / "hoard"), ":players=2,rounds=2,hoard=plain"]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    # The sum of two int8 widens compiled and wraps interpreted: told are the function, the seat and both numbers.
    told = "the match parts at event 9: score[1] is 65 compiled and -63 interpreted"
    assert told in json.loads(ran.stdout)["compiled"]


@pytest.mark.parametrize("game", GAMES)
def test_games_keep_every_law(game: str) -> None:
    spec, matches = BRIEFLY.get(game, (game, 20))
    report = check_game(spec, matches=matches)
    assert report.is_clean, [str(breach) for breach in report.breaches.values()]
    assert report.matches >= matches


@pytest.mark.parametrize("game", [HOARD, TICTACTOE])  # the others at length, in the long run
@pytest.mark.parametrize("way", ["--interpreted", "--bounds"])
def test_games_keep_every_law_otherwise_compiled(game: str, way: str, meeple: Run) -> None:
    ran = meeple("check", game, "--matches", "20", way)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "all laws hold" in ran.stdout


def test_all_laws_but_those_of_open_games_are_met_by_hoard() -> None:
    tested = check_game(f"{HOARD}:players=2", matches=40).tested
    assert sorted(set(law_names()) - set(tested)) == ["facts", "setup"]  # it has no setup
    assert {"policy", "value-range", "heuristic-hidden"} <= set(tested)  # the heuristics that Hoard has


def test_laws_that_draw_are_put_to_a_few_states_of_every_match() -> None:
    # Four variants, so six matches each: 20 to 70 states a match, of which five are looked at closely.
    tested = check_game(f"{HOARD}:players=2", matches=24).tested
    assert tested["check"] > 24 * 20
    assert tested["view"] == tested["position-text"] == 24 * 5
    assert tested["paths"] == 24 * 3
    assert tested["record"] == 4 * 2
    assert tested["compiled"] == 4
    # Fewer matches than variants: one of each is played.
    assert check_game(f"{HOARD}:players=2", matches=1).tested["view"] == 4 * 5


def test_a_spec_fixes_variants() -> None:
    seen: list[str] = []
    check_game(f"{HOARD}:players=3,hoard=double", matches=2, on_progress=lambda what, *_: seen.append(what))
    assert sorted(set(seen)) == [
        "as plain Python",
        "hoard:players=3,hoard=double",
        "hoard:players=3,rounds=2,hoard=double",
        "true and redealt worlds",
    ]


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
