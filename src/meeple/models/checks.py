"""Everything that a model must be before a kernel sees it: for this game, of this version, of shapes that fit.

Kernels check no bounds, so a wrong size here would be memory that somebody else reads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet, feature_sets
from meeple.core.game import Game
from meeple.errors import did_you_mean
from meeple.models.arrays import ONE
from meeple.models.model import ACTIVATIONS, MOST_LAYERS, MOST_WIDTH, SQUASHES, Header, Layer, Model
from meeple.models.whole import INT16, INT32, MOST_BIAS, MOST_SHIFT, ROW_SHIFTS, row_reach


def fault_of(game: Game, model: Model) -> str:
    """What is wrong with a model for this game, in words that follow `the model`; empty where nothing is."""
    header = model.header
    if header.game != game.name:
        return f"is for {header.game}, not for {game.name}"
    known = feature_sets(game)
    if header.features not in known:
        return (
            f"reads the features '{header.features}', which {game.name} has not; {did_you_mean(header.features, known)}"
        )
    found = known[header.features]
    if header.features_version != found.version or header.size != found.size:
        return (
            f"was made for version {header.features_version} of the features '{header.features}' ({header.size:,}), "
            f"and these are version {found.version} ({found.size:,}): train it again"
        )
    if header.view not in ("mover", "seat"):
        return f"has the view of the mover or of each seat, not of '{header.view}'"
    if header.squash not in SQUASHES:
        return f"ends in {', '.join(SQUASHES)}, not in '{header.squash}'"
    fault = seats_fault(game, header)
    fault = fault or (_linear_fault(model, found) if header.kind == "linear" else _network_fault(game, model, found))
    return fault or _strange(model)


def seats_fault(game: Game, header: Header) -> str:
    """Why a model that is otherwise sound has no values for all seats of this game; empty where it has."""
    if header.outputs > 1 and (header.outputs != game.seats or header.view != "mover"):
        return (
            f"has {header.outputs} outputs: one, or one for each of {game.seats} seats by the mover's view, is wanted"
        )
    if header.outputs == 1 and header.view == "mover" and game.seats != 2:
        return "has one output by the mover's view, which tells nothing of other seats unless there are two"
    return ""


def _linear_fault(model: Model, found: FeatureSet) -> str:
    joins = model.arrays.get("joins")
    n_joins = 0 if joins is None or joins.ndim != 2 else len(joins)
    fault = _first(
        _array_fault(model, "weights", (found.size + n_joins,), np.float64),
        _array_fault(model, "scale", (2,), np.float64),
    )
    if fault or joins is None:
        return fault
    if found.kind != "sparse":
        return f"has conjunctions, which features that are {found.kind} cannot form"
    fault = _array_fault(model, "joins", (n_joins, 2), np.int64)
    return fault or ("" if are_joins(joins, found.size) else "joins features that are not there")


def are_joins(joins: NDArray[np.int64], size: int) -> bool:
    """Whether each conjunction is of two features, of which there are `size`, or of conjunctions before it."""
    if joins.ndim != 2 or joins.shape[1] != 2 or joins.dtype != np.int64:
        return False
    ends = size + np.arange(len(joins))[:, None]
    return bool(((joins >= 0) & (joins < ends)).all())


def _network_fault(game: Game, model: Model, found: FeatureSet) -> str:
    header = model.header
    if header.kind != "network":
        return f"is a network or linear, not '{header.kind}'"
    if header.activation not in ACTIVATIONS or header.squash == "clip":
        return f"has an activation of {', '.join(ACTIVATIONS)} and a squash of ratio or tanh"
    if not 1 <= len(header.layers) <= MOST_LAYERS:
        return f"has {len(header.layers)} layers; 1 to {MOST_LAYERS} are allowed"
    is_sparse = found.kind == "sparse"
    if is_sparse != (header.hidden > 0) or header.hidden > MOST_WIDTH:
        return "has a sparse first layer where its features are sparse, and only there"
    width = header.hidden if is_sparse else found.size
    for number, layer in enumerate(header.layers):
        fault = _layer_fault(model, number, layer, width, is_planes=found.kind == "planes")
        if fault:
            return fault
        width = layer.numbers_out
    if header.layers[-1].kind != "dense" or width != header.outputs:
        return f"ends in {width} numbers and says that it has {header.outputs} outputs"
    fault = _rows_fault(model, found) if is_sparse else ""
    return fault or _policy_fault(game, model)


def _rows_fault(model: Model, found: FeatureSet) -> str:
    header = model.header
    fault = _first(
        _array_fault(model, "rows", (found.size, header.hidden), np.int16),
        _array_fault(model, "row_bias", (header.hidden,), np.int16),
    )
    if fault:
        return fault
    if header.row_shift not in ROW_SHIFTS:
        return f"has a first layer shifted by {header.row_shift}, not by {', '.join(map(str, ROW_SHIFTS))}"
    if row_reach(model.arrays["rows"], model.arrays["row_bias"], found.most) > INT16:
        return "has a first layer whose sums may be more than 16 bits hold"
    last = model.arrays["weights0"].astype(np.int64)
    is_narrow = len(header.layers) == 1 and header.activation != "relu"
    if is_narrow and int(np.abs(last).sum(axis=1).max()) * ONE > INT32:
        return "has an output whose sum may be more than 32 bits hold"
    return ""


def _layer_fault(model: Model, number: int, layer: Layer, width: int, *, is_planes: bool) -> str:
    who = f"has a layer {number + 1}"
    sizes = (layer.n_in, layer.n_out, layer.shift, layer.size, layer.pad, layer.height, layer.width)
    if not all(isinstance(size, int) and 0 <= size <= MOST_WIDTH for size in sizes) or layer.shift > MOST_SHIFT:
        return f"{who} of impossible sizes: {sizes}"
    if layer.kind == "conv":
        is_first = is_planes and all(before.kind == "conv" for before in model.header.layers[:number])
        if not is_first or not 1 <= layer.size <= 7 or layer.pad >= layer.size or min(layer.out_shape) < 1:
            return f"{who} that is a convolution, of size 1 to 7 and less padding, over planes alone"
        shape: tuple[int, ...] = (layer.n_out, layer.n_in, layer.size, layer.size)
    elif layer.kind == "dense":
        shape = (layer.n_out, layer.n_in)
    else:
        return f"{who} that is dense or a convolution, not '{layer.kind}'"
    if layer.numbers_in != width or not 1 <= layer.numbers_out <= MOST_WIDTH:
        return f"{who} that reads {layer.numbers_in} numbers where {width} come in"
    return _first(
        _array_fault(model, f"weights{number}", shape, np.int16),
        _array_fault(model, f"biases{number}", (layer.n_out,), np.int64),
    )


def _policy_fault(game: Game, model: Model) -> str:
    header = model.header
    if not header.actions:
        return ""
    known = feature_sets(game, "ACTION_FEATURES")
    found = known.get(header.actions)
    if found is None or (found.version, found.size) != (header.actions_version, header.actions_size):
        return f"has a policy over version {header.actions_version} of '{header.actions}', which {game.name} has not"
    last = header.layers[-1].n_in
    if not 0 <= header.policy_shift <= MOST_SHIFT:
        return f"has a policy shifted by {header.policy_shift}"
    return _first(
        _array_fault(model, "policy", (found.size, last), np.int16),
        _array_fault(model, "policy_bias", (found.size,), np.int64),
    )


def _array_fault(model: Model, name: str, shape: tuple[int, ...], kind: Any) -> str:
    array: NDArray[Any] | None = model.arrays.get(name)
    if array is None:
        return f"lacks the array '{name}'"
    if array.shape != shape or array.dtype != np.dtype(kind):
        wanted = " x ".join(map(str, shape))
        return f"has an array '{name}' of {array.shape} {array.dtype}, where {wanted} {np.dtype(kind)} is wanted"
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return f"has a NaN or an infinity in '{name}'"
    if array.dtype == np.int64 and array.size and max(-int(array.min()), int(array.max())) > MOST_BIAS:
        return f"has numbers in '{name}' that are too large to be added up"
    return ""


def _strange(model: Model) -> str:
    """Arrays that nothing reads would pass unnoticed."""
    known = {"weights", "scale", "joins"} if model.header.kind == "linear" else set()
    if model.header.kind == "network":
        known |= {"rows", "row_bias"} if model.header.hidden else set()
        known |= {"policy", "policy_bias"} if model.header.actions else set()
        known |= {f"{name}{number}" for number in range(len(model.header.layers)) for name in ("weights", "biases")}
    strange = sorted(set(model.arrays) - known)
    return f"has an array '{strange[0]}' that nothing reads" if strange else ""


def _first(*faults: str) -> str:
    return next((fault for fault in faults if fault), "")
