"""A model as an evaluation of a game: compiled with the game's features, its weights handed over as arguments."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from meeple.core.features import FeatureSet, find_features
from meeple.core.game import Game
from meeple.core.heuristics import CODE, Heuristic
from meeple.core.numbers import shortened
from meeple.core.parameters import Parameters
from meeple.errors import ConfigError
from meeple.models import linear, network
from meeple.models.arrays import (
    COLUMNS,
    CONVOLUTION,
    DENSE_LAYER,
    MEMO_SIZE,
    ONE_BITS,
    STEMS,
    LinearNet,
    Net,
    with_linear_scratch,
    with_opposites,
    with_scratch,
)
from meeple.models.checks import seats_fault
from meeple.models.code import evaluation_in
from meeple.models.file import load, read
from meeple.models.found import find_file
from meeple.models.model import Header, Model, features_of

ACTIVATIONS = {"squared": network.SQUARED, "clipped": network.CLIPPED, "relu": network.RELU}
SQUASHES = {"ratio": linear.RATIO, "tanh": linear.AS_TANH, "clip": linear.CLIP}


def evaluation_of(game: Game, text: str) -> Heuristic:
    """The evaluation `model@TEXT`: a file, or the name of a model that comes with the game or is one's own.

    A file is read again only where it has changed. `FILE.py:FUNCTION` is a kernel of one's own (code.py).
    """
    return evaluation_in(game, text) if CODE in text else _found(game, text)[0]


def policy_of(game: Game, text: str) -> Heuristic:
    """The policy `model@TEXT`: the move that a model's policy head likes best.

    Raises:
        ConfigError: there is no such model, or it has no policy.
    """
    policy = _found(game, text)[1]
    if policy is None:
        raise ConfigError(f"the model '{shortened(text)}' has no policy; as an evaluation it can be asked")
    return policy


def fits_seats(game: Game, text: str) -> bool:
    """Whether the model `model@TEXT` has values for all seats of the game.

    Raises:
        ConfigError: there is no such model.
    """
    return CODE in text or not seats_fault(game, _header_of(*_named(game, text)))


def _found(game: Game, text: str) -> tuple[Heuristic, Heuristic | None]:
    return _from_file(game, *_named(game, text))


def _named(game: Game, text: str) -> tuple[Path, int, int]:
    """The file of `model@TEXT`, when it was changed, and its size."""
    file = find_file(game.definition, text)
    try:
        stat = file.stat()
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise ConfigError(f"the model '{shortened(text)}' cannot be read: {shortened(reason, 200)}") from None
    return file, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=32)
def _header_of(file: Path, _modified: int, _size: int) -> Header:
    return read(file).header


@lru_cache(maxsize=32)
def _from_file(game: Game, file: Path, _modified: int, _size: int) -> tuple[Heuristic, Heuristic | None]:
    model = load(file, game)
    return as_evaluation(game, model), as_policy(game, model) if model.header.actions else None


def as_evaluation(game: Game, model: Model) -> Heuristic:
    """A model, already checked for this game, as an evaluation that every search takes in the place of a name."""
    compiled = compile_for(game, model.header)
    header = model.header
    found = features_of(game, header)
    reads_hidden = header.view == "mover" and (game.facts.hidden or game.facts.chance)
    if header.kind == "linear":
        given: Any = _linear_net(model, found)
        return Heuristic(
            compiled.evaluate,
            model.words,
            reads_hidden=reads_hidden,
            parameters=Parameters(given, free=given._fields, scratch=with_linear_scratch),
        )
    net = _net(game, model, found)
    tells_changes = _tells_changes(game, header, found)
    if tells_changes:
        net = net._replace(rows=with_opposites(net.rows))
    return Heuristic(
        compiled.evaluate,
        model.words,
        after=(compiled.standing, compiled.after) if tells_changes else None,
        after_all=compiled.after_all if tells_changes else None,
        after_until=compiled.after_until if tells_changes else None,
        policy=(compiled.look, compiled.liking) if header.actions else None,
        reads_hidden=reads_hidden,
        parameters=Parameters(net, free=net._fields, scratch=with_scratch),
    )


def as_policy(game: Game, model: Model) -> Heuristic:
    """A model with a policy head, already checked for this game, as a policy: the move that it likes best."""
    net = _net(game, model, features_of(game, model.header))
    return Heuristic(
        compile_for(game, model.header).decide,
        model.words,
        parameters=Parameters(net, free=net._fields, scratch=with_scratch),
    )


def _tells_changes(game: Game, header: Header, found: FeatureSet) -> bool:
    """Whether values after a move are told without playing it: two seats in turn, the mover's view."""
    return found.changes is not None and header.view == "mover" and header.outputs == 1 and game.seats == 2


def compile_for(game: Game, header: Header) -> ModuleType:
    """The kernels for a game's features and a kind of architecture; neither widths nor weights matter."""
    found = features_of(game, header)
    sees_mover = header.view == "mover"
    if header.kind == "linear":
        return game.specialise(
            "meeple.models.linear",
            write=found.function,
            IS_SPARSE=found.kind == "sparse",
            SEES_MOVER=sees_mover,
            SQUASH=SQUASHES[header.squash],
        )
    bound: dict[str, Any] = {"write": found.function}
    if _tells_changes(game, header, found):
        assert found.changes is not None
        bound |= {
            "stem": found.changes.stem,
            "shared": found.changes.shared,
            "own": found.changes.own,
            "FOLLOWED": found.changes.followed,
        }
    if header.actions:
        bound["write_action"] = find_features(game, header.actions, "ACTION_FEATURES").function
    return game.specialise(
        "meeple.models.network",
        **bound,
        INPUT=network.SPARSE if found.kind == "sparse" else network.DENSE,
        ACTIVATION=ACTIVATIONS[header.activation],
        SQUASH=SQUASHES[header.squash],
        SEES_MOVER=sees_mover,
        EACH=header.outputs > 1,
        N_SEATS=game.seats if header.outputs > 1 else 2,
    )


def _linear_net(model: Model, found: FeatureSet) -> LinearNet:
    is_sparse = found.kind == "sparse"
    joins = model.arrays.get("joins", np.zeros((0, 2), dtype=np.int64))
    return LinearNet(
        weights=model.arrays["weights"],
        scale=model.arrays["scale"],
        joins=joins,
        numbers=np.zeros(0 if is_sparse else found.room),
        active=np.zeros(found.room if is_sparse else 0, dtype=np.int64),
        present=np.zeros(found.size + len(joins) if len(joins) else 0, dtype=np.int64),
    )


def _net(game: Game, model: Model, found: FeatureSet) -> Net:
    header, arrays = model.header, model.arrays
    table = np.zeros((len(header.layers), COLUMNS), dtype=np.int64)
    at, at_bias = 0, 0
    for number, layer in enumerate(header.layers):
        kind = CONVOLUTION if layer.kind == "conv" else DENSE_LAYER
        channels = (layer.n_in, layer.n_out) if layer.kind == "conv" else (0, 0)
        table[number] = (
            kind, layer.numbers_in, layer.numbers_out, at, at_bias, layer.shift, *channels,
            layer.size, layer.pad, layer.height, layer.width,
        )  # fmt: skip
        at += arrays[f"weights{number}"].size
        at_bias += layer.n_out
    numbers = range(len(header.layers))
    is_sparse = found.kind == "sparse"
    widest = max(header.hidden, *(max(layer.numbers_in, layer.numbers_out) for layer in header.layers))
    moves = find_features(game, header.actions, "ACTION_FEATURES") if header.actions else None
    return Net(
        rows=arrays.get("rows", np.zeros((0, 0), dtype=np.int16)),
        row_bias=arrays.get("row_bias", np.zeros(0, dtype=np.int16)),
        weights=np.concatenate([arrays[f"weights{number}"].ravel() for number in numbers]),
        biases=np.concatenate([arrays[f"biases{number}"] for number in numbers]),
        layers=table,
        policy=arrays.get("policy", np.zeros((0, 0), dtype=np.int16)),
        policy_bias=arrays.get("policy_bias", np.zeros(0, dtype=np.int64)),
        shifts=np.array([header.row_shift], dtype=np.int64),
        scale=np.array([2.0 ** -(ONE_BITS + header.layers[-1].shift), 2.0 ** -(ONE_BITS + header.policy_shift)]),
        sums=np.zeros((2 + STEMS, header.hidden), dtype=np.int16),
        active=np.zeros(max(found.room if is_sparse else 0, moves.room if moves else 0), dtype=np.int64),
        numbers=np.zeros(0 if is_sparse else found.room),
        acts=np.zeros((2, widest), dtype=np.int64),
        outs=np.zeros(header.outputs, dtype=np.int64),
        likings=np.zeros(header.actions_size, dtype=np.int64),
        memo=np.zeros(MEMO_SIZE, dtype=np.int64),
    )
