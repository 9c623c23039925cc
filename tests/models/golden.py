"""What every shipped model says at some positions, kept in golden.json: whole numbers that no machine may change.

    python tests/models/golden.py            write the file anew; then read the diff
    python tests/models/golden.py --print    print outputs here and now, for the test: compiled, interpreted

Of a network the outputs are kept as they are before the last division or tanh, whole numbers all; of a linear model,
whose weights are doubles added up in a fixed order, the value. Beside them stands the move that the model's player
chooses: its agent by the card, with few nodes or iterations. Interpreted, a move takes minutes: there only outputs are
looked at.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.agents.base import ask
from meeple.agents.registry import find_agent, load_agent
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names, load_game
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, parse_spec
from meeple.models.arrays import ROW_SHIFT
from meeple.models.evaluation import compile_for, evaluation_of
from meeple.models.file import load
from meeple.models.found import Found, models_of
from meeple.models.model import Model
from meeple.models.network import HERE
from search.test_alphabeta import random_states

FILE = Path(__file__).with_name("golden.json")
POSITIONS = 4  # of each game
LIMITS = {"nodes": "2000", "iterations": "100"}  # of a move
Golden = dict[str, dict[str, Any]]


def shipped(game: Game) -> list[Found]:
    """The models that come with a game."""
    return [each for each in models_of(game.definition) if each.is_shipped]


def games() -> list[str]:
    """The games that have any."""
    return [name for name in game_names() if any(each.is_shipped for each in models_of(find_definition(name)))]


def outputs(game: Game, name: str, model: Model, state: State) -> list[int | float]:
    """What the model says of a state before its value is squashed, as the seat to move asks it."""
    evaluation = evaluation_of(game, name)
    (net,) = evaluation.given()
    value = evaluation.function(state.copy().record, state.to_move, net)
    if model.header.kind == "linear":
        return [float(value)]
    if model.header.hidden and len(model.header.layers) == 1:  # the sum of its one layer is nowhere written down
        head = compile_for(game, model.header).head
        return [int(net.biases[0] + head(net.sums, net.weights, net.shifts[ROW_SHIFT], HERE))]
    return [int(each) for each in net.outs]


def player(name: str, model: Model, game: Game) -> str:
    """The agent that plays the model, with a small limit of work in the place of its own."""
    spec = parse_spec(str(model.header.card["plays"]).replace("FILE", name))
    known = {each.name for each in settings_of(find_agent(spec.name))}
    limits = {limit: value for limit, value in LIMITS.items() if limit in known}
    settings = {key: value for key, value in spec.settings.items() if key != "depth"}
    return load_agent(Spec(spec.name, settings | limits), game).spec


def outputs_said(golden: Golden) -> dict[str, dict[str, list[list[int | float]]]]:
    """The outputs of all models at the positions of a golden file."""
    found: dict[str, dict[str, list[list[int | float]]]] = {}
    for name, kept in golden.items():
        game = load_game(name)
        states = [game.read(text) for text in kept["positions"]]
        models = {each.name: load(each.file, game) for each in shipped(game)}
        found[name] = {each: [outputs(game, each, model, state) for state in states] for each, model in models.items()}
    return found


def said(golden: Golden | None = None) -> Golden:
    """What all models say and play at the positions of a golden file, or at new ones."""
    found: Golden = {}
    for name in games():
        game = load_game(name)
        texts = golden[name]["positions"] if golden else [s.text() for s in random_states(name, POSITIONS, seed=11)]
        spoken = outputs_said({name: {"positions": texts}})[name]
        models: dict[str, Any] = {}
        for each in shipped(game):
            agent = player(each.name, load(each.file, game), game)
            moves = [_move(game, agent, text) for text in texts]
            models[each.name] = {"outputs": spoken[each.name], "player": agent, "moves": moves}
        found[name] = {"positions": texts, "models": models}
    return found


def _move(game: Game, agent: str, text: str) -> str:
    match = Match(game, seed=1, start=text)
    return match.state.move_text(ask(load_agent(agent, game), match))


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(json.dumps(outputs_said(json.loads(FILE.read_text()))))
    else:
        FILE.write_text(json.dumps(said(), indent=1) + "\n")
        print(f"wrote {FILE.name}")
