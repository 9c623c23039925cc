"""A game's default evaluation, where it is a model: what it stands for, where it does not serve, what it is not for."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import meeple
from meeple import load_agent, load_game
from meeple.agents.levels import roster_faults
from meeple.arena import provenance
from meeple.core.heuristics import NONE, default_name, find_heuristic, first_evaluation
from meeple.core.settings import accepted_names, settings_of
from meeple.errors import ConfigError
from meeple.learn.player import untaught, with_model
from meeple.search.tree.settings import MctsConfig
from meeple.search.tree.variants import evaluation_of

GAME = load_game("santorini")
SUMMIT = "model@summit"
POSITION = "0011000210000120001000000/1/mortal:B3,D3/mortal:C2,C4"


@pytest.mark.parametrize("spec", ["santorini", "santorini:supply=finite"])
def test_the_declared_model_is_the_default(spec: str) -> None:
    game = load_game(spec)
    assert default_name(game, "EVALUATIONS") == SUMMIT
    assert find_heuristic(game, "EVALUATIONS", "default") is find_heuristic(game, "EVALUATIONS", SUMMIT)
    state = game.read(POSITION)
    assert state.evaluate() == state.evaluate(SUMMIT) != state.evaluate("climb")
    found, wanted = (meeple.search(state, agent) for agent in ("greedy", f"greedy:evaluation={SUMMIT}"))
    assert {each.move: each.value for each in found} == {each.move: each.value for each in wanted}


def test_other_kinds_and_games_have_the_first_of_their_table() -> None:
    assert default_name(GAME, "ORDERINGS") == "promise"
    assert first_evaluation(GAME) == "climb"
    assert default_name(load_game("azul"), "EVALUATIONS") == first_evaluation(load_game("azul")) == "outlook"


def test_where_a_model_has_no_values_for_all_seats_the_first_evaluation_is_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_heuristics("azul"), "DEFAULT_EVALUATION", "model@mosaic", raising=False)
    assert default_name(load_game("azul"), "EVALUATIONS") == "model@mosaic"
    three = load_game("azul:players=3")
    assert default_name(three, "EVALUATIONS") == "outlook"
    assert find_heuristic(three, "EVALUATIONS", "default") is find_heuristic(three, "EVALUATIONS", "outlook")
    with pytest.raises(ConfigError, match="one output by the mover's view"):  # but who names it is told
        load_agent("greedy:evaluation=model@mosaic", three)


def test_a_default_that_is_not_there_is_no_silent_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert roster_faults(GAME) == []
    monkeypatch.setattr(_heuristics("santorini"), "DEFAULT_EVALUATION", "model@sumit")
    with pytest.raises(ConfigError, match="santorini has no model 'sumit'; did you mean 'summit'"):
        load_agent("greedy", GAME)
    assert roster_faults(GAME)[0].startswith("the default evaluation cannot be loaded: santorini has no model 'sumit'")


def test_weights_from_a_file_need_an_evaluation_that_takes_them() -> None:
    for spec in ("alphabeta:depth=2,config=w.json", "greedy:evaluation=default@w.json"):
        words = "model@summit takes no weights, so 'w.json' cannot set any; name one that does: climb, report, report22"
        with pytest.raises(ConfigError, match=words):
            load_agent(spec, GAME)


def test_it_is_listed_first_where_a_setting_takes_an_evaluation() -> None:
    of = {each.name: each for each in settings_of(type(load_agent("alphabeta", GAME)))}
    assert accepted_names(of["evaluation"], GAME) == [SUMMIT, "climb", "report", "report22", "none"]
    assert accepted_names(of["ordering"], GAME) == ["promise", "heights", "none"]


def test_a_tree_search_that_asks_no_evaluation_binds_no_model() -> None:
    assert evaluation_of(GAME, MctsConfig()) is NONE["EVALUATIONS"]
    assert evaluation_of(GAME, MctsConfig(cutoff=4)) is find_heuristic(GAME, "EVALUATIONS", SUMMIT)


def test_training_from_nothing_begins_without_it() -> None:
    assert untaught(GAME, "alphabeta:depth=2") == "alphabeta:depth=2,evaluation=climb"
    assert with_model(GAME, "greedy", None).spec == "greedy:evaluation=climb"
    for spec in ("greedy:evaluation=report", f"greedy:evaluation={SUMMIT}"):  # a name is what was meant
        assert untaught(GAME, spec) == spec
    assert untaught(load_game("azul"), "greedy") == "greedy"


def test_who_plays_by_the_default_has_the_models_file_in_its_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    before, real = provenance.signature_for(GAME, ["greedy"]), provenance.signature

    def changed(roots: list[Path], *facts: Any) -> str:
        assert any(path.name == "summit.npz" for path in roots)
        return real([path for path in roots if path.name != "summit.npz"], *facts)

    monkeypatch.setattr(provenance, "signature", changed)
    assert provenance.signature_for(GAME, ["greedy"]) != before


def _heuristics(game: str) -> ModuleType:
    found = load_game(game).definition.heuristics
    assert found is not None
    return found
