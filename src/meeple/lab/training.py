"""Trained agents of a paper: each is trained once a seed, kept as a model of one's own, and not trained again.

The model of an agent is `model@lab-METHOD-SETTINGS-SEED-CODE` in the data folder, so that it can be played against on
the page; its losses lie beside the lab's results. CODE is the beginning of the signature of the code that trains, so
other code trains a model of its own. A run that was stopped goes on from its checkpoint.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from meeple.arena.provenance import signature_for
from meeple.core.folders import data_folder
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.core.signature import signature
from meeple.errors import StoreError, brief
from meeple.lab.paper import TENTHS, Item, PaperAgent, PaperEntry
from meeple.lab.played import Heard
from meeple.learn import methods, run
from meeple.learn.methods import find_method, prepare_training
from meeple.learn.run import Progress, train
from meeple.models.file import load
from meeple.models.found import SUFFIX, own_folder

CODE_LETTERS = 8  # of a signature, in a model's name
_OF_LAB = re.compile(r"model@lab-[\w-]+")
FIRST_STEP = 0.001  # seconds after which the training ends that only compiles: one step
NETWORKS = ("ann", "cnn", "mcts-ann", "mcts-cnn", "combined")  # methods that need jax and optax


def missing_for(item: Item, size: str) -> str:
    """What has to be installed before the agents of an item can be trained; empty where nothing is missing."""
    agents = [agent for entry in item.chosen(size) for agent in (entry.a, entry.b)]
    lacks = any(find_spec(name) is None for name in ("jax", "optax"))
    return "jax and optax (`pip install 'meeple[learn]'`)" if lacks and _needs_jax(agents) else ""


def _needs_jax(agents: list[PaperAgent]) -> bool:
    return any(agent.method in NETWORKS for agent in agents)


def recipe_of(item: Item, agent: PaperAgent, size: str) -> dict[str, str]:
    """The settings of an agent's training; a quick run may have smaller ones."""
    return {**agent.recipe, **(item.quick_recipe if size == "quick" else {})}


def trained_name(game: Game, agent: PaperAgent, recipe: Mapping[str, str], seed: int) -> str:
    """The name of a model: `lab`, the method, settings, the number of the run, and by which code."""
    words = [f"{key}_{value}" for key, value in sorted(recipe.items())]
    letters = "-".join(["lab", agent.method, *words, str(seed), training_signature(game, agent)[:CODE_LETTERS]])
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in letters)


def losses_of(
    game: Game, agent: PaperAgent, recipe: Mapping[str, str], seed: int, *, on_step: Heard = lambda *told: None
) -> list[float]:
    """Train an agent unless this code trained it with this recipe and seed; the loss of every step comes back."""
    name = trained_name(game, agent, recipe, seed)
    losses, out = data_folder("lab") / f"{name}.json", _file(game, name)
    if not (losses.exists() and out.exists()):
        training = prepare_training(agent.method, game, {"seed": str(seed), **recipe})
        out.parent.mkdir(parents=True, exist_ok=True)

        def heard(progress: Progress) -> None:
            on_step(f"{agent.name}, seed {seed}", progress.done, progress.total)

        found = train(training, out, on_step=heard)
        losses.write_text(json.dumps(found.curve.losses), encoding="utf-8")
    try:
        return [float(loss) for loss in json.loads(losses.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as fault:
        raise StoreError(f"'{losses}' is damaged: {brief(fault)}; remove it, and run the item again") from fault


def training_milliseconds(game: Game, agent: PaperAgent, recipe: Mapping[str, str], seed: int) -> float:
    """CPU milliseconds a step of a training, measured on one that is thrown away, its code compiled before."""

    def trained(limit: float) -> float:
        training = prepare_training(agent.method, game, {"seed": str(seed), **recipe})
        with TemporaryDirectory() as folder:
            began = time.process_time()
            outcome = train(training, Path(folder) / f"timed{SUFFIX}", limit=limit)
        return 1000 * (time.process_time() - began) / outcome.done

    trained(FIRST_STEP)
    return trained(0.0)


def trained_specs(item: Item, entry: PaperEntry, size: str, seed: int, *, on_step: Heard) -> tuple[str, str]:
    """The two agents of an entry as specs, those that are trained by their model of this seed."""
    game = load_game(item.game)
    found = []
    for agent, spec in zip((entry.a, entry.b), entry.specs(), strict=True):
        if agent.method:
            recipe = recipe_of(item, agent, size)
            name = trained_name(game, agent, recipe, seed)
            if not _file(game, name).exists():
                losses_of(game, agent, recipe, seed, on_step=on_step)
            card = load(_file(game, name), game).header.card
            spec = str(card["plays"]).replace("model@FILE", f"model@{name}")
        found.append(spec)
    return found[0], found[1]


def tenths(losses: list[float]) -> list[float]:
    """The mean loss of each tenth of a run; of a run of fewer steps than ten, of what there is at that time."""
    n = len(losses)
    cuts = [round(n * part / TENTHS) for part in range(TENTHS + 1)]
    parts = [losses[start : max(end, start + 1)] or losses[-1:] for start, end in pairwise(cuts)]
    return [math.fsum(part) / len(part) for part in parts]


def training_signature(game: Game, agent: PaperAgent) -> str:
    """The signature of the code that trains an agent: the method, how it is run, and the game."""
    return signature([Path(str(run.__file__)), _home(agent.method)], agent.method, signature_for(game, ()))


def trained_signature(game: Game, entry: PaperEntry, specs: tuple[str, str]) -> str:
    """The signature of the code behind games of trained agents: what trains them, and what plays by `specs`.

    Models are not read: what they hold follows from the code that trains them.
    """
    trains = [training_signature(game, agent) for agent in (entry.a, entry.b) if agent.method]
    return signature([], *trains, signature_for(game, [_OF_LAB.sub("model@FILE", spec) for spec in specs]))


def _home(method: str) -> Path:
    from inspect import getfile

    return Path(getfile(find_method(method) if method in methods.METHODS else run.TrainingRun))


def _file(game: Game, name: str) -> Path:
    return own_folder(game.definition) / f"{name}{SUFFIX}"
