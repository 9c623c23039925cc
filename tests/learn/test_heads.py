"""DQN and actor-critic: gradients against finite differences, a tiny game to its known values, models that play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import HOARD, TICTACTOE
from learn.known import KNOWN
from meeple import load_agent, load_game, play_match
from meeple.core.game import State
from meeple.errors import ConfigError, FailureError, UnsupportedGameError
from meeple.learn.actor_critic import ActorCritic
from meeple.learn.dqn import Dqn
from meeple.learn.heads import HeadsTraining, shaped_heads
from meeple.learn.heads_kernels import Heads
from meeple.learn.heads_play import END
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.file import load, save
from meeple.models.model import linear

GAME = load_game(TICTACTOE)
CELLS = GAME.definition.features.FEATURES["cells"]
LEARNT = {
    "dqn": {"games": "4000", "rate": "0.001", "seed": "1"},
    "actor-critic": {"games": "50000", "rate": "0.003", "curiosity": "0.1", "seed": "1"},
}
Loss = Callable[[Heads], float]


def begin(method: str, **more: str) -> HeadsTraining:
    training = prepare_training(method, GAME, more)
    assert isinstance(training, HeadsTraining)
    return training


def finished(training: Training) -> Training:
    while training.done < training.total:
        training.step()
        training.done += 1
    return training


@cache
def learnt(method: str) -> HeadsTraining:
    training = finished(begin(method, **LEARNT[method]))
    assert isinstance(training, HeadsTraining)
    return training


# --- in plain NumPy


def thought(state: State, weights: Heads) -> tuple[float, NDArray[np.float64]]:
    """The value head's x, and the policy head's numbers of the legal moves."""
    hidden = np.clip(weights.b1 + weights.w1[CELLS.of(state, state.to_move)].sum(axis=0), 0, 1) ** 2
    likings = weights.policy_bias + weights.policy @ hidden
    return float(weights.b2[0] + hidden @ weights.w2), likings[state.legal_actions()]


def entropy_loss(x: float, share: float) -> float:
    p = 1 / (1 + np.exp(-x))
    return float(-(share * np.log(p) + (1 - share) * np.log(1 - p)))


def wild(training: HeadsTraining) -> HeadsTraining:
    """The training with weights of no meaning, whose sums are clipped at both ends now and then."""
    training.net.flat[:] = np.random.default_rng(3).normal(0.1, 0.3, len(training.net.flat))
    return training


def require_slopes(training: HeadsTraining, loss: Loss) -> None:
    """The gradients that were gathered are those of the loss."""
    net = training.net
    assert np.count_nonzero(net.slope) > 40
    for i in range(len(net.flat)):
        moved = np.array([net.flat, net.flat])
        moved[:, i] += (1e-6, -1e-6)
        above, below = (loss(shaped_heads(each, *net.sizes)) for each in moved)
        assert net.slope[i] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def line_of(training: HeadsTraining, n: int) -> list[State]:
    return [GAME.from_bytes(state.tobytes()) for state in training.line.states[:n]]


def test_the_gradients_of_an_actor_and_its_critic() -> None:
    training = wild(begin("actor-critic", hidden="3", batch="4", games="40", curiosity="0.3", trace="0.7", scatter="1"))
    assert isinstance(training, ActorCritic)
    n, _ = training._play_game(-1.0)
    line, states, weights = training.line, line_of(training, n), training.net.weights
    values = [float(np.tanh(thought(state, weights)[0] / 2)) for state in states]
    np.testing.assert_allclose(line.values[:n], values, atol=1e-12)
    come_of = [float(line.returns[n - 1])]  # from the last decision on; seats alternate
    for t in range(n - 2, -1, -1):
        come_of.insert(0, -(0.7 * come_of[0] + 0.3 * values[t + 1]))
    training.compiled.learn_game(
        line, n, 0.7, 0.3, 0.25, weights, training.net.gradients, training.sight, training.tally
    )  # fmt: skip
    np.testing.assert_allclose(line.returns[:n], come_of)

    def loss(given: Heads) -> float:
        total = 0.0
        for t, state in enumerate(states):
            x, logits = thought(state, given)
            chances = np.exp(logits - logits.max())
            chances /= chances.sum()
            played = state.legal_actions().tolist().index(int(line.actions[t]))
            total -= (come_of[t] - values[t]) * np.log(chances[played])
            total += 0.3 * float(chances @ np.log(chances)) + entropy_loss(x, (1 + come_of[t]) / 2)
        return total / n / 4

    require_slopes(training, loss)


def test_the_gradients_of_remembered_moves() -> None:
    training = wild(begin("dqn", hidden="3", batch="4", scatter="1"))
    assert isinstance(training, Dqn)
    n, _ = training._play_game(0.5)
    training.compiled.remember(training.memory, training.line, n)
    memory, net = training.memory, training.net
    older = shaped_heads(np.random.default_rng(4).normal(0.1, 0.4, len(net.flat)), *net.sizes)
    states, found = line_of(training, n), []
    for row in range(n):
        given = memory, row, 1 / n, net.weights, older, net.gradients, training.sight
        found.append(float(training.compiled.learn(*given)))
    returns = training.line.returns[n - 1]
    targets = [-float(np.clip(thought(state, older)[1].max(), -1, 1)) for state in states[1:]] + [float(returns)]
    best = [float(np.clip(thought(state, net.weights)[1].max(), -1, 1)) for state in states]

    def of_moves(given: Heads) -> list[float]:
        losses = []
        for t, state in enumerate(states):
            played = state.legal_actions().tolist().index(int(memory.actions[t]))
            error = abs(float(thought(state, given)[1][played]) - targets[t])
            losses.append(error**2 / 2 if error <= 1 else error - 0.5)
        return losses

    def loss(given: Heads) -> float:
        of_values = sum(entropy_loss(thought(state, given)[0], (1 + best[t]) / 2) for t, state in enumerate(states))
        return (sum(of_moves(given)) + of_values) / n

    np.testing.assert_allclose(found, of_moves(net.weights))
    require_slopes(training, loss)


def test_a_memory_forgets_the_oldest_and_the_target_stays_for_a_while() -> None:
    training = begin("dqn", memory="10", games="8", updates="3", batch="2", target="7", hidden="3")
    assert isinstance(training, Dqn)
    targets = []
    while training.done < training.total:
        training.step()
        training.done += 1
        targets.append(training.target.copy())
        n = int(training.memory.n_seen[0])
        assert training.remembered == min(10, n)
        # The newest move ended a game; it stands before the place of the next.
        assert training.memory.signs[(n - 1) % 10] == 0
    changed = [t for t in range(1, 8) if (targets[t] != targets[t - 1]).any()]
    assert changed == [2, 4, 6]  # three minibatches a game: the 7th, 14th and 21st are in games 3, 5 and 7


def test_beyond_two_seats_a_move_is_worth_what_its_seats_next_one_is() -> None:
    training = begin("dqn")
    line = training.line._replace(shares=np.zeros(3))
    line.movers[:6] = (0, 1, 2, 0, 0, 1)
    training.play.link(line, 6)
    assert line.follow[:6].tolist() == [3, 5, END, 4, END, END]
    training.play.link(training.line, 6)
    assert training.line.follow[:6].tolist() == [1, 2, 3, 4, 5, END]


# --- what is learnt


@pytest.mark.parametrize("method", LEARNT)
def test_it_learns_tictactoe_to_its_known_values(method: str) -> None:
    weights = learnt(method).net.weights
    for text, (value, move) in KNOWN.items():
        state = GAME.read(text)
        x, likings = thought(state, weights)
        assert state.legal_actions()[likings.argmax()] == move, text
        assert np.tanh(x / 2) == pytest.approx(value, abs=0.35), text
        if method == "dqn":
            assert likings.max() == pytest.approx(value, abs=0.35), text


@pytest.mark.parametrize("method", LEARNT)
def test_trained_and_untrained_are_told_apart_by_a_match(method: str, tmp_path: Path) -> None:
    scores = []
    for name, training in (("untrained", begin(method)), ("learnt", learnt(method))):
        file = save(training.model({}), tmp_path / f"{name}.npz")
        scores.append(Yardstick("random", games=120).measure(GAME, training.player(f"model@{file}")))
    assert scores[0].high < scores[1].low
    assert scores[1].mean > 0.85


@pytest.mark.parametrize("method", LEARNT)
def test_killed_it_comes_to_the_same_weights(method: str, tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(progress: Progress) -> None:
        if progress.done == 9:
            raise Killed

    settings = {"games": "12", "hidden": "4", "seed": "3"}  # a batch of 16 games is under way at the end
    settings |= {"memory": "20", "target": "11"} if method == "dqn" else {}
    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(method, **settings), whole)
    ticks = iter(range(10**6))
    with pytest.raises(Killed):
        train(begin(method, **settings), broken, on_step=kill, clock=lambda: float(next(ticks)), every=20.0)
    assert 0 < train(begin(method, **settings), broken).resumed_from < 9
    arrays = [load(file, GAME).arrays for file in (whole, broken)]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all(), name


def test_a_memory_from_elsewhere_is_checked_move_by_move() -> None:
    training = finished(begin("dqn", games="1", hidden="3"))
    kept = {name: array.copy() for name, array in training.kept().items()}
    again = begin("dqn", games="1", hidden="3")
    again.restore(kept)
    assert all((array == again.kept()[name]).all() for name, array in kept.items())
    kept["actions"][0] = 9
    with pytest.raises(FailureError, match="remembers a move that could not be played"):
        again.restore(kept)


# --- as an agent


def test_the_agent_plays_what_the_policy_head_likes_best(tmp_path: Path) -> None:
    training = learnt("dqn")
    file = save(training.model({}), tmp_path / "model.npz")
    agent = load_agent(f"policy:name=model@{file}", GAME)
    match = play_match(GAME, [agent, "random"], seed=5)
    for step in match.steps:
        if step.before.to_move == 0:
            likings = thought(step.before, training.net.weights)[1]
            chosen = likings[step.before.legal_actions().tolist().index(step.code)]
            # Whole numbers: 4 Q to 2^-14 of the largest weight, and hidden numbers from rows to 1/256.
            assert chosen > likings.max() - 0.05
    for spec in ("mcts:iterations=8,playout=model@", "puct:iterations=8,prior=policy,evaluation=model@"):
        assert load_agent(f"{spec}{file}", GAME)


def test_what_does_not_fit_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedGameError, match="hoard has no sparse features, which dqn learns over"):
        prepare_training("dqn", load_game(HOARD), {})
    with pytest.raises(ConfigError, match="'stray' of method 'dqn' is from 0 to 1, not 2"):
        begin("dqn", stray="2")
    with pytest.raises(ConfigError, match="'trace' of method 'actor-critic' is from 0 to 1, not 2"):
        begin("actor-critic", trace="2")
    file = save(linear(GAME, "lines", np.zeros(6)), tmp_path / "linear.npz")
    with pytest.raises(ConfigError, match="has no policy; as an evaluation it can be asked"):
        load_agent(f"policy:name=model@{file}", GAME)
    with pytest.raises(UnsupportedGameError, match="tictactoe offers no policy; try greedy"):
        load_agent("policy", GAME)


def test_scattered_games_begin_elsewhere_and_untrained_moves_are_drawn_by_lot() -> None:
    training = begin("dqn", scatter="3", hidden="3")
    starts, firsts = set(), set()
    for number in range(60):
        training.done = number
        training._play_game(0.0)
        state = line_of(training, 1)[0]
        starts.add(9 - len(state.legal_actions()))
        firsts.add(int(training.line.actions[0]))
    assert starts == {0, 1, 2, 3}
    assert len(firsts) == 9
