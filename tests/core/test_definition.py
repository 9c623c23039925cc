"""What a game declares beyond its rules: a misspelt name is refused with the right one."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from types import ModuleType

import pytest

from conftest import HOARD, Run
from meeple.agents.levels import roster_faults
from meeple.core import registry
from meeple.core.declared import MAY_HAVE, MUST_HAVE
from meeple.core.definition import missing_parts
from meeple.core.game import Game
from meeple.core.heuristics import Heuristic, no_evaluation
from meeple.core.registry import add_game, find_definition, game_names, load_game
from meeple.core.roster import Roster
from meeple.errors import ConfigError, ContractError

HOARDS = find_definition(HOARD)


def with_name(part: str, name: str, value: object, *, without: str = "") -> list[str]:
    """What is wrong with Hoard whose module `part` declares one more name, or lacks one."""
    module = ModuleType(f"twin_{part}")
    module.__dict__.update(vars(getattr(HOARDS, part)))
    module.__name__ = getattr(HOARDS, part).__name__  # its functions count as its own
    module.__dict__[name] = value
    module.__dict__.pop(without, None)
    return missing_parts(dataclasses.replace(HOARDS, **{part: module}))


def own(state: object) -> str:
    return ""


@pytest.mark.parametrize(
    ("part", "name", "value", "told"),
    [
        ("rules", "ROLE_NAME", ("miner",), "rules.ROLE_NAME is read by nothing; did you mean 'ROLE_NAMES'?"),
        ("rules", "CHEKS", (), "rules.CHEKS is read by nothing; did you mean 'CHECKS'?"),
        ("picture", "SETTING", (), "picture.SETTING is read by nothing; did you mean 'SETTINGS'?"),
        ("picture", "HEILD", (), "picture.HEILD is read by nothing; did you mean 'HELD'?"),
        ("heuristics", "PRESETS", {}, "heuristics.PRESETS is read by nothing: agents stand in roster.py"),
        (
            "heuristics",
            "EVALUATION",
            {"a": Heuristic(no_evaluation, "nothing")},
            "heuristics.EVALUATION is no kind of heuristic; did you mean 'EVALUATIONS'?",
        ),
    ],
)
def test_a_misspelt_declaration_is_refused_with_the_right_one(part: str, name: str, value: object, told: str) -> None:
    without = {"CHEKS": "CHECKS", "EVALUATION": "EVALUATIONS"}.get(name, "")
    assert any(fault.startswith(told) for fault in with_name(part, name, value, without=without))


def test_a_misspelt_function_is_refused_too() -> None:
    own.__module__ = HOARDS.picture.__name__  # type: ignore[union-attr]
    assert with_name("picture", "Preview", own) == ["picture.Preview is read by nothing; did you mean 'preview'?"]


def test_whatever_is_looked_up_by_name_can_be_misspelt_by_nobody() -> None:
    # A name that the code asks a game's module for, and that the table of names lacks, would be ignored if misspelt.
    asked = re.compile(r"""(?:getattr|hasattr)\((?:[\w.]*\.)?(rules|notation|picture|speech|lessons), "(\w+)\"""")
    source = Path(registry.__file__).parents[1]
    found = {pair for path in source.rglob("*.py") for pair in asked.findall(path.read_text(encoding="utf-8"))}
    assert {("picture", "HELD"), ("picture", "tally"), ("rules", "suppose"), ("notation", "TRAYS")} <= found
    own = {"rules": {"STATE"}}  # asked for by the check of the declarations itself
    for part, name in sorted(found):
        known = {*MUST_HAVE.get(part, ()), *MAY_HAVE.get(part, ()), *own.get(part, ())}
        assert name in known, f"declared.py does not know {part}.{name}"


def test_a_helper_that_resembles_a_declared_name_is_no_slip() -> None:
    assert missing_parts(HOARDS) == []
    assert with_name("rules", "CHECKSUM", 7) == []  # CHECKS stands beside it


def test_a_game_with_a_slip_is_not_loaded(tmp_path: Path) -> None:
    module = ModuleType("heuristics")
    module.__dict__["LEVELS"] = ()
    with pytest.raises(ContractError, match="agents stand in roster"):
        Game(dataclasses.replace(HOARDS, heuristics=module), 2, {"rounds": "3", "hoard": "plain"})


def test_a_misspelt_part_of_a_roster_is_an_error_where_it_stands() -> None:
    with pytest.raises(TypeError, match="strongst"):
        Roster(strongst="mcts")  # type: ignore[call-arg]


def test_every_spec_of_a_roster_is_loaded() -> None:
    presets = {"paper-x": ("mcts:iterationz=4", "a slip")}
    game = load_game(HOARD)
    twin = Game(dataclasses.replace(HOARDS, roster=Roster(strongest="ismcts", presets=presets)), 2, game.options)
    assert roster_faults(game) == []
    (fault,) = roster_faults(twin)
    assert "'paper-x' of the roster cannot be loaded" in fault
    assert "did you mean 'iterations'?" in fault


def test_a_game_in_a_folder_is_added_by_its_name(meeple: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", {})
    assert meeple("new", "game", "pebbles").returncode == 0
    assert add_game(str(tmp_path / "pebbles")).name == "pebbles"
    assert "pebbles" in game_names()
    assert load_game("pebbles").definition.picture is not None
    with pytest.raises(ConfigError, match="is installed already"):
        add_game("azul")


def test_the_page_takes_folders_only(meeple: Run) -> None:
    ran = meeple("web", "azul", "--no-open")
    assert ran.returncode != 0
    assert "'azul' is installed already" in ran.stderr
