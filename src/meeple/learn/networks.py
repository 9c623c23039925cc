"""Networks in training, by jax and optax: the one place that knows these libraries, which it imports when it is used.

    x      = tanh(dense(... relu(dense(relu(norm(conv(... planes)))))))      planes
    x      = tanh(dense(... relu(bias + rows of the features that are there)))   sparse features
    loss   = mean over the minibatch of (x - label)^2
    norm   = batch norm: in training by mean and variance of the minibatch, of which running means are kept for play

All in single precision, in one thread on a CPU, so that the same steps give the same weights. Parameters are pytrees of
arrays. Minibatches are filled up with rows that a mask takes out of every sum, to the next power of two, since jax
compiles anew for every size.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet
from meeple.core.game import Game
from meeple.errors import ConfigError
from meeple.learn.forward_kernels import Forward
from meeple.learn.training import Arrays
from meeple.models.arrays import COLUMNS, CONVOLUTION, DENSE_LAYER
from meeple.models.model import Model, network
from meeple.models.whole import folded

KEPT = 0.9  # how much of the running mean and variance a minibatch leaves
TINY = 1e-5  # added to a variance
LEAST_ROWS = 16  # of a minibatch, filled up
MOST_WEIGHT = 1e6  # tanh hides weights that grow without end, so a loss alone would not show them
OPTIMIZERS = ("sgd", "adam")
FLAGS = ("--xla_cpu_multi_thread_eigen=false", "--xla_gpu_deterministic_ops=true")


@dataclass(frozen=True)
class Shape:
    """An architecture; equal ones share their compiled code."""

    kind: str  # of the features
    size: int  # numbers, or features of a sparse set
    planes: tuple[int, int, int]  # channels, height, width; zeros where there are none
    channels: tuple[int, ...]  # written by each convolution
    kernel: int
    padding: int
    hidden: tuple[int, ...]  # widths of the dense layers before the output

    def maps(self) -> list[tuple[int, int, int]]:
        """Channels, height and width before each convolution, and after the last."""
        found = [self.planes]
        for channels in self.channels:
            _, height, width = found[-1]
            grown = 2 * self.padding - self.kernel + 1
            found.append((channels, height + grown, width + grown))
        return found

    def widths(self) -> list[int]:
        """Numbers before each dense layer, and the one output."""
        first = int(np.prod(self.maps()[-1])) if self.channels else self.size
        return [first, *self.hidden, 1]


def shape_of(
    features: FeatureSet, *, hidden: Sequence[int], channels: Sequence[int] = (), kernel: int = 3, padding: int = 1
) -> Shape:
    """The architecture over a game's features.

    Raises:
        ConfigError: the convolutions would leave nothing of the board, or there is nothing to convolve.
    """
    shape = Shape(
        features.kind, features.size, features.shape, tuple(channels), kernel, padding, tuple(int(w) for w in hidden)
    )
    if channels and features.kind != "planes":
        raise ConfigError(f"convolutions need planes, and these features are {features.kind}")
    if features.kind == "sparse" and not hidden:
        raise ConfigError("a network over sparse features has a hidden layer at least")
    if channels and padding >= kernel:
        raise ConfigError(f"padding={padding} is for kernels larger than {kernel}: give less")
    if min(min(found[1:]) for found in shape.maps()) < 1 and channels:
        raise ConfigError(
            f"{len(channels)} convolutions of size {kernel} with padding {padding} leave nothing of "
            f"{features.shape[1]} x {features.shape[2]} squares: give more padding, or a smaller kernel"
        )
    return shape


class Network:
    """A network with what its optimizer remembers, one value out."""

    def __init__(self, features: FeatureSet, shape: Shape, optimizer: str, rng: np.random.Generator) -> None:
        self.features, self.shape = features, shape
        self._steps = steps_of(shape, optimizer)
        self.params = first_params(shape, rng)
        self.means = [{"mean": np.zeros(n, np.float32), "variance": np.ones(n, np.float32)} for n in shape.channels]
        self.memory = self._steps.memory_of(self.params)

    def train(self, rows: NDArray[Any], labels: NDArray[np.float64], rate: float) -> float:
        """One step down the mean squared error; returns the sum of squared errors before it."""
        filled, mask = filled_up(rows)
        wanted = np.zeros(len(filled), np.float32)
        wanted[: len(rows)] = labels
        self.params, self.means, self.memory, loss = self._steps.update(
            self.params, self.means, self.memory, filled, wanted, mask, np.float32(rate)
        )
        return float(loss)

    def values(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """Values of positions, as they are in play."""
        filled, mask = filled_up(rows)
        found, _ = self._steps.forward(self.params, self.means, filled, mask, False)
        return np.asarray(found)[: len(rows)]

    # --- for play

    def plain_layers(self) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
        """Convolutions with batch norm folded in, and dense layers, as pairs of weights and biases in doubles."""
        convolutions = []
        for params, means in zip(self.params["convolutions"], self.means, strict=True):
            parts = {name: np.asarray(found, np.float64) for name, found in {**params, **means}.items()}
            convolutions.append(folded(**parts, epsilon=TINY))
        layers = [
            tuple(np.asarray(each[name], np.float64) for name in ("weights", "bias")) for each in self.params["dense"]
        ]
        return convolutions, layers  # type: ignore[return-value]

    def model(self, game: Game, features: str, card: Mapping[str, Any]) -> Model:
        """The network in whole numbers; each seat is asked by its own view, as it learnt."""
        convolutions, layers = self.plain_layers()
        padded = [(weights, bias, self.shape.padding) for weights, bias in convolutions]
        return network(
            game, features, layers, convolutions=padded, activation="relu", squash="tanh", view="seat", card=card
        )

    def forward(self) -> Forward:
        """The network for kernels, with scratch of its own."""
        convolutions, layers = self.plain_layers()
        rows, row_bias = np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
        if self.shape.kind == "sparse":
            (first, first_bias), *layers = layers
            rows, row_bias = first.astype(np.float32), first_bias.astype(np.float32)
        table, weights, biases = laid_out(self.shape, convolutions, layers)
        widest = max(int(table[:, 1:3].max()), len(row_bias))
        is_sparse = self.shape.kind == "sparse"
        return Forward(
            rows=rows,
            row_bias=row_bias,
            weights=weights,
            biases=biases,
            layers=table,
            active=np.zeros(self.features.room if is_sparse else 0, np.int64),
            numbers=np.zeros(0 if is_sparse else self.features.room),
            acts=np.zeros((2, widest), np.float32),
        )

    # --- keeping

    def kept(self) -> Arrays:
        """Parameters, running means and what the optimizer remembers, leaf by leaf."""
        leaves = jax_and_optax()[0].tree.leaves((self.params, self.means, self.memory))
        return {f"net{number}": np.asarray(leaf) for number, leaf in enumerate(leaves)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take up what `kept` gave."""
        tree = jax_and_optax()[0].tree
        leaves, form = tree.flatten((self.params, self.means, self.memory))
        self.params, self.means, self.memory = tree.unflatten(form, [arrays[f"net{n}"] for n in range(len(leaves))])

    def is_sound(self) -> bool:
        """Whether all parameters are numbers, and none so large that no model could be made of them."""
        return all(np.abs(leaf).max() < MOST_WEIGHT for leaf in jax_and_optax()[0].tree.leaves(self.params))


def first_params(shape: Shape, rng: np.random.Generator) -> dict[str, Any]:
    """Weights and biases within 1 / sqrt(inputs) either way, as PyTorch begins; batch norm that changes nothing."""

    def drawn(*sizes: int, inputs: int) -> NDArray[np.float32]:
        return rng.uniform(-(inputs**-0.5), inputs**-0.5, sizes).astype(np.float32)

    convolutions, dense = [], []
    maps, widths, kernel = shape.maps(), shape.widths(), shape.kernel
    for before, after in itertools.pairwise(maps):
        inputs = before[0] * kernel * kernel
        convolutions.append(
            {
                "weights": drawn(after[0], before[0], kernel, kernel, inputs=inputs),
                "bias": drawn(after[0], inputs=inputs),
                "gain": np.ones(after[0], np.float32),
                "offset": np.zeros(after[0], np.float32),
            }
        )
    for n_in, n_out in itertools.pairwise(widths):
        dense.append({"weights": drawn(n_in, n_out, inputs=n_in), "bias": drawn(n_out, inputs=n_in)})
    return {"convolutions": convolutions, "dense": dense}


def filled_up(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """The rows with others after them, up to a power of two, and a mask that is 1 for the first."""
    size = LEAST_ROWS
    while size < len(rows):
        size *= 2
    filled = np.zeros((size, rows.shape[1]), rows.dtype)
    filled[: len(rows)] = rows
    mask = np.zeros(size, np.float32)
    mask[: len(rows)] = 1.0
    return filled, mask


def laid_out(
    shape: Shape, convolutions: Sequence[tuple[Any, Any]], layers: Sequence[tuple[Any, Any]]
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """The table of layers, weights and biases as `forward_kernels` reads them: outputs last, channels after squares."""
    lines, weights, biases = [], [], []
    at, at_bias = 0, 0
    maps = shape.maps()
    for number, (found, bias) in enumerate(convolutions):
        before, after = maps[number], maps[number + 1]
        sizes = (int(np.prod(before)), int(np.prod(after)))
        lines.append(
            (CONVOLUTION, *sizes, at, at_bias, 0, before[0], after[0], shape.kernel, shape.padding, *before[1:])
        )
        weights.append(found.transpose(2, 3, 1, 0).ravel())
        biases.append(bias)
        at, at_bias = at + found.size, at_bias + len(bias)
    for number, (found, bias) in enumerate(layers):
        lines.append((DENSE_LAYER, *found.shape, at, at_bias, *[0] * (COLUMNS - 5)))
        if number == 0 and convolutions:  # a convolution's output lies [y, x, channel] there, not [channel, y, x]
            found = found.reshape(*maps[-1], -1).transpose(1, 2, 0, 3)
        weights.append(found.ravel())
        biases.append(bias)
        at, at_bias = at + found.size, at_bias + len(bias)
    flat = [np.concatenate(parts).astype(np.float32) for parts in (weights, biases)]
    return np.array(lines, np.int64), flat[0], flat[1]


# --- jax ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def jax_and_optax() -> tuple[Any, Any]:
    """The libraries, made quiet, in single precision and one thread.

    Raises:
        ConfigError: they are not installed.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if "XLA_FLAGS" not in os.environ:  # whoever has set them knows better
        os.environ["XLA_FLAGS"] = " ".join(FLAGS)
    try:
        import jax
        import optax
    except ImportError:
        raise ConfigError("networks are trained by jax and optax: pip install 'meeple[learn]'") from None
    jax.config.update("jax_default_matmul_precision", "highest")  # a GPU would round to fewer bits
    return jax, optax


@dataclass(frozen=True)
class Steps:
    """The compiled functions of an architecture and an optimizer."""

    forward: Any  # (params, means, rows, mask, is_training) -> values, new means
    slopes: Any  # (params, means, rows, labels, mask) -> (mean squared error, (its sum, new means)), slopes
    memory_of: Any  # (params) -> what the optimizer remembers at first
    update: Any  # (params, means, memory, rows, labels, mask, rate) -> the first three anew, and the sum


@lru_cache(maxsize=16)
def steps_of(shape: Shape, optimizer: str) -> Steps:
    """The functions for an architecture, compiled when they are called."""
    jax, optax = jax_and_optax()
    rule = {"sgd": optax.identity, "adam": optax.scale_by_adam}[optimizer]()

    def forward(params: Any, means: Any, rows: Any, mask: Any, is_training: bool) -> Any:
        return forward_of(jax, shape, params, means, rows, mask, is_training)

    def loss(params: Any, means: Any, rows: Any, labels: Any, mask: Any) -> Any:
        values, new_means = forward(params, means, rows, mask, True)
        total = (mask * (values - labels) ** 2).sum()
        return total / mask.sum(), (total, new_means)

    slopes = jax.value_and_grad(loss, has_aux=True)

    def update(params: Any, means: Any, memory: Any, rows: Any, labels: Any, mask: Any, rate: Any) -> Any:
        (_, (total, new_means)), found = slopes(params, means, rows, labels, mask)
        changes, new_memory = rule.update(found, memory, params)
        return jax.tree.map(lambda p, c: p - rate * c, params, changes), new_means, new_memory, total

    return Steps(jax.jit(forward, static_argnums=4), jax.jit(slopes), rule.init, jax.jit(update))


def forward_of(jax: Any, shape: Shape, params: Any, means: Any, rows: Any, mask: Any, is_training: bool) -> Any:
    """Values of rows, and the running means after them."""
    numpy, relu = jax.numpy, jax.nn.relu
    new_means = []
    if shape.channels:
        a = rows.reshape(len(rows), *shape.planes)
        for layer, running in zip(params["convolutions"], means, strict=True):
            edges = [(shape.padding, shape.padding)] * 2
            a = jax.lax.conv_general_dilated(a, layer["weights"], (1, 1), edges)
            a, running = normed(numpy, a + layer["bias"][:, None, None], layer, running, mask, is_training)
            new_means.append(running)
            a = relu(a)
        a = a.reshape(len(rows), -1)
    elif shape.kind == "sparse":
        # -1, which fills up a row, is the column after the last, and is left away again.
        there = numpy.zeros((len(rows), shape.size + 1)).at[numpy.arange(len(rows))[:, None], rows].add(1.0)
        a = there[:, :-1]
    else:
        a = rows
    *between, last = params["dense"]
    for layer in between:
        a = relu(a @ layer["weights"] + layer["bias"])
    return numpy.tanh((a @ last["weights"] + last["bias"])[:, 0]), new_means


def normed(numpy: Any, a: Any, layer: Any, running: Any, mask: Any, is_training: bool) -> Any:
    """Batch norm of [row, channel, y, x], and the running mean and variance after it."""
    mean, variance = running["mean"], running["variance"]
    if is_training:
        weight = mask[:, None, None, None]
        n = mask.sum() * a.shape[2] * a.shape[3]
        mean = (weight * a).sum(axis=(0, 2, 3)) / n
        variance = (weight * (a - mean[:, None, None]) ** 2).sum(axis=(0, 2, 3)) / n
        running = {
            "mean": KEPT * running["mean"] + (1.0 - KEPT) * mean,
            "variance": KEPT * running["variance"] + (1.0 - KEPT) * variance,
        }
    scaled = (a - mean[:, None, None]) / numpy.sqrt(variance + TINY)[:, None, None]
    return scaled * layer["gain"][:, None, None] + layer["offset"][:, None, None], running
