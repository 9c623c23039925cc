"""A model: what it reads, its architecture, its weights in whole numbers, and its card.

`network` and `linear` make one from float arrays, as training has them; `file` keeps it. Whatever the way, `checked`
has looked at every number before a kernel sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet, find_features
from meeple.core.game import Game
from meeple.errors import ConfigError
from meeple.models.whole import Floats, whole_layer, whole_rows

View = Literal["mover", "seat"]
Arrays = dict[str, NDArray[Any]]
ACTIVATIONS = ("squared", "clipped", "relu")
SQUASHES = ("ratio", "tanh", "clip")  # the last for linear models alone
MOST_LAYERS = 16
MOST_WIDTH = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer after a sparse first one, or from the first on: dense, or a convolution with stride 1."""

    kind: Literal["dense", "conv"]
    n_in: int  # numbers, or channels
    n_out: int
    shift: int  # a weight of 1.0 is 1 << shift
    size: int = 0  # of a convolution: its kernel, the padding, and the height and width of its input
    pad: int = 0
    height: int = 0
    width: int = 0

    @property
    def numbers_in(self) -> int:
        """How many numbers it reads."""
        return self.n_in if self.kind == "dense" else self.n_in * self.height * self.width

    @property
    def out_shape(self) -> tuple[int, int]:
        """Height and width of what a convolution writes."""
        return self.height + 2 * self.pad - self.size + 1, self.width + 2 * self.pad - self.size + 1

    @property
    def numbers_out(self) -> int:
        """How many numbers it writes."""
        high, wide = self.out_shape
        return self.n_out if self.kind == "dense" else self.n_out * high * wide


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a file says of a model besides its weights."""

    kind: Literal["network", "linear"]
    game: str
    features: str  # the set's name, version and size
    features_version: int
    size: int
    view: View = (
        "mover"  # whose features are read: the seat to move, the other's value being the opposite, or each seat's
    )
    outputs: int = 1  # or one a seat, the viewing one first
    activation: str = "squared"
    squash: str = "ratio"
    hidden: int = 0  # width of a sparse first layer; 0: the first layer is one of `layers`
    row_shift: int = 0  # of that layer
    layers: tuple[Layer, ...] = ()
    actions: str = ""  # features of moves, for the policy; empty: it has none
    actions_version: int = 0
    actions_size: int = 0
    policy_shift: int = 0
    card: Mapping[str, Any] = field(default_factory=dict)  # data, method, seeds, figures, licence: what made it

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Model:
    """A header and the arrays that belong to it."""

    header: Header
    arrays: Arrays

    @property
    def n_weights(self) -> int:
        """Numbers in all arrays."""
        return sum(array.size for array in self.arrays.values())

    @property
    def words(self) -> str:
        """The architecture in a few words: `cells 807 > 64 squared > 1 ratio`."""
        header = self.header
        if header.kind == "linear":
            grown = f" and {len(self.arrays['joins'])} conjunctions" if "joins" in self.arrays else ""
            return f"{header.features} {header.size}{grown} > {header.squash}"
        widths = [f"{header.hidden} {header.activation}"] if header.hidden else []
        widths += [
            f"{layer.n_out}x{layer.size}x{layer.size} {header.activation}"
            if layer.kind == "conv"
            else f"{layer.n_out} {header.activation}"
            for layer in header.layers[:-1]
        ]
        policy = f", policy over {header.actions} {header.actions_size}" if header.actions else ""
        return " > ".join([f"{header.features} {header.size}", *widths, f"{header.outputs} {header.squash}"]) + policy


def usual_view(game: Game) -> View:
    """The mover's for two seats without secrets; else each seat's own, which lets nothing through."""
    return "mover" if game.seats == 2 and not game.facts.hidden else "seat"


def linear(
    game: Game,
    features: str,
    weights: Any,
    *,
    bias: float = 0.0,
    scale: float = 1.0,
    squash: str = "tanh",
    joins: Any = None,
    view: View | None = None,
    card: Mapping[str, Any] | None = None,
) -> Model:
    """A linear model: squash(scale * (bias + weights . features)).

    `joins` [n, 2] are conjunctions over sparse features: row j is there where both are that it names, features or
    earlier rows (counted on from the features). Their weights stand after those of the features.
    """
    found = find_features(game, features)
    header = Header(
        kind="linear",
        game=game.name,
        features=features,
        features_version=found.version,
        size=found.size,
        view=view or usual_view(game),
        squash=squash,
        card=dict(card or {}),
    )
    given = np.asarray(weights, dtype=np.float64)
    arrays: Arrays = {"weights": given, "scale": np.array([bias, scale], dtype=np.float64)}
    if joins is not None and len(joins):
        arrays["joins"] = np.ascontiguousarray(joins, dtype=np.int64)
    return checked(game, Model(header, arrays))


def network(
    game: Game,
    features: str,
    layers: Sequence[tuple[Any, Any]],
    *,
    convolutions: Sequence[tuple[Any, Any, int]] = (),
    policy: tuple[str, Any, Any] | None = None,
    activation: str = "squared",
    squash: str = "ratio",
    view: View | None = None,
    card: Mapping[str, Any] | None = None,
) -> Model:
    """A network from float weights, which are made whole numbers.

    `layers` are pairs of weights [in, out] and biases [out], the first one over the features (where they are sparse,
    its rows), the last one the output: one, or one a seat. Before them stand, over planes, `convolutions`: weights
    [out, in, y, x] with batch norm folded in (`whole.folded`), biases, and the padding. `policy` names features of
    moves, with weights [feature, last hidden] and biases: a move's logit is the sum over its features.

    Raises:
        ConfigError: the shapes do not fit, or the weights are too large.
    """
    found = find_features(game, features)
    pairs = [(_floats(weights, 2), _floats(bias, 1)) for weights, bias in layers]
    if not pairs or (found.kind == "sparse" and len(pairs) < 2):
        raise ConfigError("a network has an output layer, and over sparse features one before it")
    arrays: Arrays = {}
    hidden, row_shift = 0, 0
    described: list[Layer] = []
    if found.kind == "sparse":
        (rows, bias), *pairs = pairs
        arrays["rows"], arrays["row_bias"], row_shift = whole_rows(rows, bias, found.most)
        hidden = rows.shape[1]
    _, height, width = found.shape
    for weights, bias, pad in convolutions:
        four = _floats(weights, 4)
        whole, whole_bias, shift = whole_layer(four, _floats(bias, 1))
        _put(arrays, len(described), whole, whole_bias)
        layer = Layer(
            kind="conv", n_in=four.shape[1], n_out=four.shape[0], shift=shift, size=four.shape[2], pad=pad,
            height=height, width=width,
        )  # fmt: skip
        described.append(layer)
        height, width = layer.out_shape
    for number, (weights, bias) in enumerate(pairs):
        is_narrow = hidden > 0 and number == 0 and len(pairs) == 1 and activation != "relu"
        whole, whole_bias, shift = whole_layer(np.ascontiguousarray(weights.T), bias, narrow=is_narrow)
        _put(arrays, len(described), whole, whole_bias)
        described.append(Layer(kind="dense", n_in=weights.shape[0], n_out=weights.shape[1], shift=shift))
    of_actions: dict[str, Any] = {}
    if policy is not None:
        of_actions = _policy(game, policy, arrays)
    header = Header(
        kind="network",
        game=game.name,
        features=features,
        features_version=found.version,
        size=found.size,
        view=view or usual_view(game),
        outputs=described[-1].n_out,
        activation=activation,
        squash=squash,
        hidden=hidden,
        row_shift=row_shift,
        layers=tuple(described),
        card=dict(card or {}),
        **of_actions,
    )
    return checked(game, Model(header, arrays))


def _put(arrays: Arrays, number: int, weights: NDArray[np.int16], biases: NDArray[np.int64]) -> None:
    arrays[f"weights{number}"], arrays[f"biases{number}"] = weights, biases


def _policy(game: Game, policy: tuple[str, Any, Any], arrays: Arrays) -> dict[str, Any]:
    name, weights, bias = policy
    of_moves = find_features(game, name, "ACTION_FEATURES")
    arrays["policy"], arrays["policy_bias"], shift = whole_layer(_floats(weights, 2), _floats(bias, 1))
    return {
        "actions": name,
        "actions_version": of_moves.version,
        "actions_size": of_moves.size,
        "policy_shift": shift,
    }


def _floats(given: Any, ndim: int) -> Floats:
    found = np.ascontiguousarray(given, dtype=np.float64)
    if found.ndim != ndim or not np.isfinite(found).all():
        raise ConfigError(f"weights are {ndim}-dimensional arrays of finite numbers, not of shape {found.shape}")
    return found


def checked(game: Game, model: Model) -> Model:
    """The model, if it is one for this game and every number of it is within bounds.

    Raises:
        ConfigError: in what it does not fit.
    """
    from meeple.models.checks import fault_of

    fault = fault_of(game, model)
    if fault:
        raise ConfigError(f"the model {fault}")
    return model


def features_of(game: Game, header: Header) -> FeatureSet:
    """The set of features that a model reads."""
    return find_features(game, header.features)
