"""The search in which a model is tried while it learns: any agent that takes an `evaluation`."""

from __future__ import annotations

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent, resolve
from meeple.core.game import Game
from meeple.core.heuristics import MODEL, default_name, first_evaluation
from meeple.core.settings import settings_of
from meeple.core.spec import Spec
from meeple.errors import ConfigError
from meeple.models.evaluation import as_evaluation
from meeple.models.model import Model

EVALUATION = "evaluation"


def chosen_player(game: Game, spec: str, word: str) -> str:
    """The agent of a setting `word`; where it is empty alphabeta:depth=2, or greedy if the game has chance or secrets.

    Raises:
        ConfigError: it takes no evaluation.
    """
    is_open = not game.facts.chance and not game.facts.hidden
    spec = spec or ("alphabeta:depth=2" if is_open else "greedy")
    if EVALUATION not in {each.name for each in settings_of(type(load_agent(spec, game)))}:
        raise ConfigError(f"the {word} '{spec}' takes no evaluation, so no model can take its place")
    return spec


def with_model(game: Game, spec: str, model: Model | None) -> Agent:
    """The agent with a model for its evaluation; without one as it is, `untaught`."""
    if model is None:
        return load_agent(untaught(game, spec), game)
    agent = load_agent(spec, game)
    setattr(agent, EVALUATION, as_evaluation(game, model))
    return agent


def untaught(game: Game, spec: str) -> str:
    """The agent's spec; where it names no evaluation and the game's default is a model, with the first of the game's.

    So a run that begins from nothing learns from no other run, unless a model is named.
    """
    is_left_out = getattr(load_agent(spec, game), EVALUATION, "") == "default"
    is_trained = default_name(game, "EVALUATIONS").partition("@")[0] == MODEL
    return spec_with(game, spec, first_evaluation(game)) if is_left_out and is_trained else spec


def spec_with(game: Game, spec: str, evaluation: str) -> str:
    """The agent's spec with this evaluation."""
    found = resolve(spec, game.definition)
    return str(Spec(found.name, found.settings | {EVALUATION: evaluation}))
