"""The laws of heuristics: each has a broken twin that it catches, and the games keep them all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import wise
from conftest import HOARD
from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
from meeple.core.conformance.suite import Report, walk_heuristics
from meeple.core.registry import load_game

Breaches = dict[str, dict[str, str]]
# A variant of each game, and matches of it: enough for every law that its heuristics can meet.
GAMES = {
    "azul:players=3,wall=grey": 1,
    "ingenious:players=2,swap=once": 4,
    "saboteur:players=4": 1,
    "saboteur-duel": 2,
    "sagrada:players=2": 3,
    "santorini": 2,
}


@pytest.fixture(scope="module")
def breaches(tmp_path_factory: pytest.TempPathFactory) -> Breaches:
    """By law the breaches of its twin; by "" those of the copy of Hoard that is not broken."""
    command = [
        sys.executable,
        str(Path(wise.__file__)),
        str(tmp_path_factory.mktemp("twins")),
        *wise.TWINS,
        *wise.ALSO,
        *wise.BY_LOT,
        "",
    ]
    ran = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


def test_every_law_has_a_twin() -> None:
    assert list(wise.TWINS) == [law.name for law in HEURISTIC_LAWS]


@pytest.mark.parametrize("law", wise.TWINS)
def test_broken_twin_is_caught_by_name(law: str, breaches: Breaches) -> None:
    assert law in breaches[law]


@pytest.mark.parametrize("twin", wise.ALSO)
def test_other_breaches_of_a_law_are_caught(twin: str, breaches: Breaches) -> None:
    law, _, words = twin.partition("@")
    assert words in breaches[twin][law]


@pytest.mark.parametrize("law", wise.BY_LOT)
def test_what_weights_break_is_caught(law: str, breaches: Breaches) -> None:
    found = breaches[law][law.partition("@")[0]]
    assert "changes its weights" in found if law.endswith("@weights") else "'weighed@lot'" in found


def test_the_laws_hold_where_nothing_is_broken(breaches: Breaches) -> None:
    assert breaches[""] == {}


@pytest.mark.parametrize("spec", GAMES)
def test_games_keep_every_law_of_heuristics(spec: str) -> None:
    game, report = load_game(spec), Report(spec)
    for seed in range(GAMES[spec]):
        walk_heuristics(report, game, seed)
    assert report.is_clean, [str(breach) for breach in report.breaches.values()]
    kinds = {"EVALUATIONS": "value-range", "FILTERS": "filter", "PLAYOUTS": "policy", "INFERENCES": "inference"}
    for kind, law in kinds.items():
        assert hasattr(game.definition.heuristics, kind) <= (law in report.tested)


def test_a_breach_names_the_position(breaches: Breaches) -> None:
    text = breaches["filter"]["filter"]
    position = text.partition(", in '")[2].partition("'")[0]
    assert load_game(f"{HOARD}:players=2,rounds=2").read(position).to_move >= 0
    assert "seed 0, event" in text
