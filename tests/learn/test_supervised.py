"""Networks from stored games: gradients against finite differences, games read from every place, something learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE, Run
from learn.known import KNOWN, share_right, values_of
from meeple import load_game, play_match
from meeple.core.record import parse_record, save_record
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.learn.methods import prepare_training
from meeple.learn.net import Net, cosine_rate, shaped
from meeple.learn.net_kernels import Weights, adam, add_gradients, loss_of
from meeple.learn.run import Progress, train
from meeple.learn.samples import Samples, samples_of, stored_matches
from meeple.learn.strength import Yardstick
from meeple.learn.supervised import Supervised
from meeple.learn.training import Training
from meeple.models.evaluation import as_evaluation
from meeple.models.file import load, save

GAME = load_game(TICTACTOE)
CELLS = GAME.definition.features.FEATURES["cells"]
SETTINGS = {"epochs": "8", "hidden": "8", "batch": "64", "rate": "0.003", "seed": "4"}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random games of tic-tac-toe, a record each."""
    folder = tmp_path_factory.mktemp("records")
    for seed in range(400):
        match = play_match(GAME, ["random", "random"], seed=seed)
        save_record(match.record(), folder / f"{seed:03}.jsonl")
    return folder


@pytest.fixture(scope="module")
def few(records: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first of them."""
    folder = tmp_path_factory.mktemp("few")
    for file in sorted(records.iterdir())[:30]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def begin(records: Path, **more: str) -> Supervised:
    training = prepare_training("supervised", GAME, SETTINGS | {"data": str(records)} | more)
    assert isinstance(training, Supervised)
    return training


def finished(training: Training) -> Training:
    while training.done < training.total:
        training.step()
        training.done += 1
    return training


def plain_loss(samples: Samples, turned: np.ndarray, weights: Weights) -> float:
    """The mean loss, in NumPy alone."""
    losses = []
    for row, label in zip(samples.active, samples.labels, strict=True):
        hidden = np.clip(weights.b1 + weights.w1[turned[row[row >= 0]]].sum(axis=0), 0, 1) ** 2
        share = 1 / (1 + np.exp(-(weights.b2[0] + hidden @ weights.w2)))
        losses.append(-(label * np.log(share) + (1 - label) * np.log(1 - share)))
    return float(np.mean(losses))


def test_gradients_are_those_of_finite_differences() -> None:
    rng = np.random.default_rng(1)
    size, hidden = 7, 3
    active = np.array([[0, 2, 5], [1, 6, -1], [3, -1, -1], [2, 4, 6]], dtype=np.int32)
    samples = Samples(active, np.array([0.0, 1.0, 0.3, 0.7]), np.zeros(4, dtype=np.int64))
    symmetries = np.array([np.arange(size), rng.permutation(size)])
    flat = rng.normal(0.2, 0.3, size * hidden + 2 * hidden + 1)
    slopes = np.zeros(len(flat))
    rows, turns = np.arange(4), np.ones(4, dtype=np.int64)
    args = samples.active, samples.labels, rows, turns, symmetries
    loss = add_gradients(*args, shaped(flat, size, hidden), shaped(slopes, size, hidden))
    assert loss == pytest.approx(plain_loss(samples, symmetries[1], shaped(flat, size, hidden)))
    for i in range(len(flat)):
        moved = np.array([flat, flat])
        moved[:, i] += (1e-6, -1e-6)
        above, below = (plain_loss(samples, symmetries[1], shaped(each, size, hidden)) for each in moved)
        assert slopes[i] == pytest.approx((above - below) / 2e-6, abs=1e-6)
    unturned = plain_loss(samples, symmetries[0], shaped(flat, size, hidden))
    assert loss_of(samples.active, samples.labels, rows, shaped(flat, size, hidden)) == pytest.approx(unturned)


def test_adam_is_the_papers() -> None:
    rng = np.random.default_rng(2)
    weights, first, second = rng.normal(size=5), np.zeros(5), np.zeros(5)
    ours, m, v = weights.copy(), np.zeros(5), np.zeros(5)
    for step in range(1, 4):
        slope = rng.normal(size=5)
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        ours -= 0.01 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
        adam(weights, slope, first, second, 0.01, step)
        assert not slope.any()
    np.testing.assert_allclose(weights, ours, rtol=1e-12)
    assert cosine_rate(1.0, 0, 10) == 1.0
    assert cosine_rate(1.0, 10, 10) == pytest.approx(0.01)


def test_samples_are_the_decisions_with_the_results_of_their_movers() -> None:
    matches = [play_match(GAME, ["random", "random"], seed=seed) for seed in (3, 4)]
    samples = samples_of(matches, CELLS)
    assert len(samples) == sum(match.ply for match in matches)
    at = 0
    for number, match in enumerate(matches):
        for step in match.steps:
            assert samples.active[at].tolist() == CELLS.of(step.before, step.before.to_move).tolist()
            assert samples.labels[at] == (1 + match.state.returns()[step.before.to_move]) / 2
            assert samples.games[at] == number
            at += 1
    half = samples_of(matches, CELLS, judge=lambda match, state, ply: 0.5, trust=0.5)
    np.testing.assert_allclose(half.labels, 0.5 * samples.labels + 0.5 * 0.75)
    assert half.name != samples.name == samples_of(matches, CELLS).name


def test_it_learns_from_records_what_a_constant_cannot_tell(records: Path, tmp_path: Path) -> None:
    training = begin(records)
    scores = []
    for name in ("untrained", "learnt"):
        player = training.player(f"model@{save(training.model({}), tmp_path / f'{name}.npz')}")
        scores.append(Yardstick("random", games=120).measure(GAME, player))
        finished(training)
    figures = training.figures()
    assert figures["games"] == 400
    assert figures["held-out loss"] < figures["held-out loss of a constant"] - 0.015
    assert scores[0].high < scores[1].low


@pytest.mark.long
def test_from_true_values_it_learns_tictactoe_to_them(tmp_path: Path) -> None:
    for seed in range(1_200):
        save_record(play_match(GAME, ["random", "random"], seed=seed).record(), tmp_path / f"{seed:04}.jsonl")
    exact = {"trust": "1", "teacher": "alphabeta:depth=9", "epochs": "15", "hidden": "32", "rate": "0.01"}
    training = begin(tmp_path, **exact)
    assert share_right(training) < 0.8
    finished(training)
    # Random games meet most of the 4,520 positions; it chose right in 0.935 of those where that matters, and said what
    # these five are worth within 0.24.
    assert share_right(training) > 0.88
    for text, (value, _) in KNOWN.items():
        state = GAME.read(text)
        assert values_of(training)(state, state.to_move) == pytest.approx(value, abs=0.4), text


def test_the_model_says_what_the_network_learnt(few: Path) -> None:
    learnt = finished(begin(few))
    assert isinstance(learnt, Supervised)
    asked = as_evaluation(GAME, learnt.model({}))
    for text in ("XX./OO./...", "X../.O./X.O", ".../.../..."):
        state = GAME.read(text)
        row = CELLS.of(state, state.to_move)
        found = learnt.net.weights
        hidden = np.clip(found.b1 + found.w1[row].sum(axis=0), 0, 1) ** 2
        value = np.tanh((found.b2[0] + hidden @ found.w2) / 2)
        # Whole numbers: rows to 1/256, nine of them in each of eight sums.
        assert float(asked(state.copy().record, np.int64(state.to_move))) == pytest.approx(value, abs=0.03)


def test_killed_it_comes_to_the_same_weights(few: Path, tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if progress.done == 20:
            raise Killed

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(few), whole)
    ticks = iter(range(10**6))
    with pytest.raises(Killed):
        train(begin(few), broken, on_step=kill, clock=lambda: float(next(ticks)), every=20.0)
    outcome = train(begin(few), broken)
    assert 0 < outcome.resumed_from < 20
    arrays = [load(file, GAME).arrays for file in (whole, broken)]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all(), name
    train(begin(few), broken, limit=1e-9)
    fewer = tmp_path / "fewer"
    fewer.mkdir()
    (fewer / "000.jsonl").write_bytes((few / "000.jsonl").read_bytes())
    with pytest.raises(ConfigError, match="holds a run with samples="):
        train(begin(fewer), broken)


def test_the_teachers_values_are_mixed_in(few: Path) -> None:
    taught = begin(few / "000.jsonl", trust="1", teacher="alphabeta:depth=9")
    # The true values of tic-tac-toe are won, lost or drawn; an empty board is a draw.
    assert set(taught.samples.labels.tolist()) <= {0.0, 0.5, 1.0}
    assert taught.samples.labels[0] == 0.5


def test_what_cannot_be_learnt_from_is_refused(few: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="from games that were played: --from STORE"):
        prepare_training("supervised", GAME, {})
    with pytest.raises(ConfigError, match="there is no store, record or folder of records"):
        begin(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="holds no finished match of tictactoe"):
        begin(tmp_path)
    with pytest.raises(UnsupportedGameError, match="over sparse features, and 'lines' are dense; such are cells"):
        begin(few, features="lines")
    with pytest.raises(ConfigError, match="'trust' of method 'supervised' is from 0 to 1, not 2"):
        begin(few, trust="2")
    record = parse_record(play_match("santorini", ["random", "random"], seed=1).record().text())
    save_record(record, tmp_path / "other.jsonl")
    with pytest.raises(ConfigError, match="is a match of santorini, not of tictactoe"):
        begin(tmp_path / "other.jsonl")


def test_a_store_is_read_by_the_command(meeple: Run, tmp_path: Path) -> None:
    ran = meeple(
        "tournament", TICTACTOE, "-p", "random", "first", "-n", "12", "--store", "games.sqlite", "--workers", "1"
    )
    assert ran.returncode == 0, ran.stderr
    found = list(stored_matches(tmp_path / "games.sqlite", GAME))
    assert len(found) == 12
    ran = meeple("train", "supervised", TICTACTOE, "epochs=1", "--from", "games.sqlite", "--out", "net.npz")
    assert ran.returncode == 0, ran.stderr
    assert "plays  greedy" in ran.stdout
    ran = meeple("train", "treestrap", TICTACTOE, "--from", "games.sqlite", "--out", "tree.npz")
    assert (ran.returncode, "--from is not for it" in ran.stderr) == (2, True)


def test_symmetries_turn_what_is_learnt_from() -> None:
    features = load_game("santorini").definition.features.FEATURES["cells"]
    net = Net(features, 2, np.random.default_rng(0))
    assert net.symmetries.shape == (8, features.size)
