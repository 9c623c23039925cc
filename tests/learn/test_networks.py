"""Networks by jax: the loss and its slopes against NumPy, batch norm, the compiled values, whole numbers, faults."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import TICTACTOE
from meeple import Match, load_game
from meeple.core.features import FeatureSet
from meeple.core.game import State
from meeple.errors import ConfigError
from meeple.learn.networks import KEPT, TINY, Network, filled_up, jax_and_optax, shape_of, steps_of
from meeple.models.evaluation import as_evaluation

GAME = load_game(TICTACTOE)
SETS = GAME.definition.features.FEATURES
CHANNELS = {"channels": (3, 2), "kernel": 2, "padding": 1}


def made(name: str, *, optimizer: str = "sgd", seed: int = 1, hidden: tuple[int, ...] = (5, 4)) -> Network:
    more: dict[str, Any] = CHANNELS if SETS[name].kind == "planes" else {}
    return Network(SETS[name], shape_of(SETS[name], hidden=hidden, **more), optimizer, np.random.default_rng(seed))


def rows_of(features: FeatureSet, states: list[State]) -> NDArray[Any]:
    rows = [features.of(state, 0) for state in states]
    return np.array(rows, np.int32 if features.kind == "sparse" else np.float32)


def positions(n: int) -> list[State]:
    """Positions of random games, the last two plies of each left out."""
    found: list[State] = []
    for seed in range(n):
        match = Match(GAME, seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(1 + seed % 4):
            match.play(int(rng.choice(match.state.legal_actions())))
        found.append(match.state)
    return found


STATES = positions(11)


def plain_conv(a: NDArray[Any], weights: NDArray[Any], bias: NDArray[Any], pad: int) -> NDArray[Any]:
    """A convolution, one product after the other."""
    a = np.pad(a, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    size = weights.shape[2]
    high, wide = a.shape[2] - size + 1, a.shape[3] - size + 1
    out = np.zeros((len(a), len(weights), high, wide)) + bias[:, None, None]
    for y in range(high):
        for x in range(wide):
            part = a[:, :, y : y + size, x : x + size]
            out[:, :, y, x] += np.einsum("bcij,ocij->bo", part, weights)
    return out


def plain_values(network: Network, params: Any, rows: NDArray[Any], means: Any = None) -> NDArray[Any]:
    """The network in NumPy and doubles; without `means` batch norm is that of these rows."""
    shape = network.shape
    if shape.kind == "sparse":
        a = np.zeros((len(rows), shape.size))
        for row, active in enumerate(rows):
            a[row, active[active >= 0]] = 1.0
    else:
        a = rows.astype(np.float64)
    if shape.channels:
        a = a.reshape(len(rows), *shape.planes)
        for number, layer in enumerate(params["convolutions"]):
            a = plain_conv(a, layer["weights"], layer["bias"], shape.padding)
            mean, variance = a.mean(axis=(0, 2, 3)), a.var(axis=(0, 2, 3))
            if means is not None:
                mean, variance = means[number]["mean"], means[number]["variance"]
            a = (a - mean[:, None, None]) / np.sqrt(variance + TINY)[:, None, None]
            a = np.maximum(a * layer["gain"][:, None, None] + layer["offset"][:, None, None], 0)
        a = a.reshape(len(rows), -1)
    for layer in params["dense"][:-1]:
        a = np.maximum(a @ layer["weights"] + layer["bias"], 0)
    last = params["dense"][-1]
    return np.tanh((a @ last["weights"] + last["bias"])[:, 0])


def doubles(tree: Any) -> Any:
    return jax_and_optax()[0].tree.map(lambda leaf: np.array(leaf, np.float64), tree)


@pytest.mark.parametrize("name", ["cells", "lines", "board"])
def test_slopes_are_those_of_finite_differences_in_numpy(name: str) -> None:
    jax, _ = jax_and_optax()
    network = made(name)
    rows = rows_of(SETS[name], STATES)
    labels = np.random.default_rng(2).uniform(-1, 1, len(rows))
    filled, mask = filled_up(rows)
    wanted = np.concatenate([labels, np.full(16 - len(rows), 9.0)]).astype(np.float32)  # what a mask leaves away
    (loss, _), slopes = steps_of(network.shape, "sgd").slopes(network.params, network.means, filled, wanted, mask)
    params = doubles(network.params)

    def plain() -> float:
        return float(np.mean((plain_values(network, params, rows) - labels) ** 2))

    assert float(loss) == pytest.approx(plain(), rel=1e-5)
    for leaf, slope in zip(jax.tree.leaves(params), jax.tree.leaves(slopes), strict=True):
        flat, given = leaf.reshape(-1), np.asarray(slope).reshape(-1)
        for place in range(0, len(flat), max(1, len(flat) // 4)):
            before, tiny = flat[place], 1e-5
            flat[place] = before + tiny
            up = plain()
            flat[place] = before - tiny
            down = plain()
            flat[place] = before
            assert given[place] == pytest.approx((up - down) / (2 * tiny), abs=2e-4, rel=2e-3)


@pytest.mark.parametrize("name", ["cells", "board"])
def test_a_step_goes_down_the_slopes_by_the_rate_and_running_means_follow(name: str) -> None:
    jax, _ = jax_and_optax()
    network = made(name)
    rows, labels = rows_of(SETS[name], STATES), np.linspace(-1, 1, len(STATES))
    filled, mask = filled_up(rows)
    before, means = doubles(network.params), doubles(network.means)
    wanted = np.concatenate([labels, np.zeros(16 - len(rows))]).astype(np.float32)
    _, slopes = steps_of(network.shape, "sgd").slopes(network.params, network.means, filled, wanted, mask)
    total = network.train(rows, labels, 0.25)
    assert total == pytest.approx(float(np.sum((plain_values(network, before, rows) - labels) ** 2)), rel=1e-5)
    for old, slope, new in zip(*map(jax.tree.leaves, (before, slopes, network.params)), strict=True):
        np.testing.assert_allclose(new, old - 0.25 * np.asarray(slope), atol=1e-6)
    if name == "board":
        first = before["convolutions"][0]
        a = plain_conv(rows.reshape(-1, *network.shape.planes), first["weights"], first["bias"], 1)
        wanted = KEPT * means[0]["mean"] + (1 - KEPT) * a.mean(axis=(0, 2, 3))
        np.testing.assert_allclose(network.means[0]["mean"], wanted, atol=1e-6)
        wanted = KEPT * means[0]["variance"] + (1 - KEPT) * a.var(axis=(0, 2, 3))
        np.testing.assert_allclose(network.means[0]["variance"], wanted, atol=1e-6)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_either_optimizer_learns_labels_by_heart(optimizer: str) -> None:
    network = made("cells", optimizer=optimizer, hidden=(16, 8))
    rows, labels = rows_of(SETS["cells"], STATES), np.where(np.arange(len(STATES)) % 2, 0.8, -0.8)
    losses = [network.train(rows, labels, 0.2 if optimizer == "sgd" else 0.01) for _ in range(300)]
    assert losses[0] > 0.5 * len(STATES)  # each is off by some 0.8, squared
    assert losses[-1] < 0.1
    np.testing.assert_allclose(network.values(rows), labels, atol=0.2)


@pytest.mark.parametrize("name", ["cells", "board"])
def test_jax_the_kernels_and_the_model_give_the_same_values(name: str) -> None:
    network = made(name)
    rows = rows_of(SETS[name], STATES)
    for _ in range(20):  # so that batch norm has something to fold in
        network.train(rows, np.linspace(-1, 1, len(rows)), 0.1)
    wanted = plain_values(network, doubles(network.params), rows, doubles(network.means))
    np.testing.assert_allclose(network.values(rows), wanted, atol=2e-6)
    is_sparse = SETS[name].kind == "sparse"
    kernels = GAME.specialise("meeple.learn.forward_kernels", write=SETS[name].function, IS_SPARSE=is_sparse)
    net = network.forward()
    found = [kernels.value_of(state.copy().record, np.int64(0), net) for state in STATES]
    np.testing.assert_allclose(found, wanted, atol=2e-6)
    evaluation = as_evaluation(GAME, network.model(GAME, name, {}))
    given = evaluation.given()
    whole = [evaluation.function(state.copy().record, np.int64(0), *given) for state in STATES]
    # Whole numbers round rows to 1/256 and activations to 1/4096; each of 9 rows may be off by half a unit.
    np.testing.assert_allclose(whole, wanted, atol=0.03)


def test_a_network_is_kept_and_taken_up_whole() -> None:
    one, other = made("board", optimizer="adam", seed=1), made("board", optimizer="adam", seed=2)
    rows, labels = rows_of(SETS["board"], STATES), np.linspace(-1, 1, len(STATES))
    one.train(rows, labels, 0.01)
    other.restore(one.kept())
    for network in (one, other):
        network.train(rows, labels, 0.01)
    for name, array in one.kept().items():
        np.testing.assert_array_equal(array, other.kept()[name])


def test_what_cannot_be_built_is_said() -> None:
    with pytest.raises(ConfigError, match="3 convolutions of size 3 with padding 0 leave nothing of 3 x 3 squares"):
        shape_of(SETS["board"], hidden=[4], channels=[2, 2, 2], kernel=3, padding=0)
    with pytest.raises(ConfigError, match="padding=2 is for kernels larger than 2"):
        shape_of(SETS["board"], hidden=[4], channels=[2], kernel=2, padding=2)
    with pytest.raises(ConfigError, match="convolutions need planes, and these features are sparse"):
        shape_of(SETS["cells"], hidden=[4], channels=[2])


def test_without_jax_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **more: Any) -> Any:
        if name in ("jax", "optax"):
            raise ImportError(name)
        return real(name, *args, **more)

    jax_and_optax.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(builtins, "__import__", missing)
        with pytest.raises(ConfigError, match=r"trained by jax and optax: pip install 'meeple\[learn\]'"):
            jax_and_optax()
    jax_and_optax.cache_clear()
