"""Games inside compiled code: the same on any number of threads, in any game, and labels that add up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from learn import hoard_features
from learn.known import KNOWN, values_of
from meeple import load_game
from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.core.chance import Stream
from meeple.core.features import find_features
from meeple.core.game import Game
from meeple.errors import ConfigError
from meeple.learn.generations import folder_of, make_ladder, read_run
from meeple.learn.inside import Inside, index_type, searcher_of
from meeple.learn.labels import fitted_scale, mixed_labels, sigmoid
from meeple.learn.methods import prepare_training
from meeple.learn.root_noise import BALLS, draw_noise, new_noise
from meeple.learn.run import Progress, train
from meeple.learn.selfplay import SelfPlay
from meeple.learn.strength import Yardstick
from meeple.models.file import load, save

GAME = load_game(TICTACTOE)
CELLS = find_features(GAME, "cells")
SETTINGS = {"teacher": "alphabeta:depth=2", "generations": "2", "games": "80", "batches": "120", "gate": "4"}
SETTINGS |= {"hidden": "8", "rate": "0.01", "batch": "64", "stray": "0.4", "seed": "4", "every": "1"}
SMALL = {"games": "40", "batches": "6", "gate": "2"}


def begin(jobs: int = 1, **more: str) -> SelfPlay:
    training = prepare_training("selfplay", GAME, SETTINGS | more, jobs=jobs)
    assert isinstance(training, SelfPlay)
    return training


def play(jobs: int, numbers: range, *, stray: float = 0.3, depth: int = 2) -> list[tuple[np.ndarray, ...]]:
    teacher = load_agent(f"alphabeta:depth={depth}", GAME)
    inside = Inside(GAME, teacher, CELLS, stray=stray, every=1, seed=7, jobs=jobs)
    games = [inside.play(number, numbers.stop) for number in numbers]
    return [(each.active, each.values, each.shares) for each in games]


def test_a_game_is_the_same_on_any_number_of_threads_and_from_any_start() -> None:
    # 70 games are more than two threads play in one go.
    alone, two, later = play(1, range(70)), play(2, range(70)), play(1, range(40, 70))
    for one, other in (*zip(alone, two, strict=True), *zip(alone[40:], later, strict=True)):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert len({each[0].tobytes() for each in alone}) > 60


def test_what_is_recorded_is_what_lies_on_the_board() -> None:
    # Tic-tac-toe searched to the end and without stray moves is a draw from every drawn position on.
    for active, values, shares in play(1, range(20), stray=0.0, depth=9):
        assert active.dtype == index_type(CELLS) == np.int16
        assert ((active >= -1) & (active < CELLS.size)).all()
        # Who is proven to win does, in the mover's view: signs and seats are right.
        proven = np.abs(values) > 5.0
        np.testing.assert_array_equal(shares[proven], values[proven] > 0)
        np.testing.assert_array_equal(values[~proven], 0.0)
        np.testing.assert_array_equal(shares[~proven], 0.5)


def test_killed_in_any_part_it_comes_to_the_same_weights_with_more_threads(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(**SMALL), whole)
    # A generation has 40 games, 6 minibatches and a gate; the checkpoints before the kills lie in each of these.
    for last in (20, 44, 70, 93):

        def kill(progress: Progress, last: int = last) -> None:
            if progress.done == last:
                raise Killed

        ticks = iter(range(10**6))
        with pytest.raises(Killed):
            train(begin(2, **SMALL), broken, on_step=kill, clock=lambda ticks=ticks: float(next(ticks)), every=6.0)
    outcome = train(begin(2, **SMALL), broken)
    assert 70 < outcome.resumed_from < 93
    arrays = [load(file, GAME).arrays for file in (whole, broken)]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all(), name
    cards = [load(file, GAME).header.card["figures"] for file in (whole, broken)]
    for name in ("gates", "positions", "scales", "reference"):
        assert cards[0][name] == cards[1][name]
    # Its generations are the same too, and so is their ladder.
    folders = [folder_of(file) for file in (whole, broken)]
    ladders = [make_ladder(read_run(folder, GAME), games=4).as_json() for folder in folders]
    assert ladders[0] == ladders[1]
    assert (folders[0] / "run.json").read_bytes() == (folders[1] / "run.json").read_bytes()
    for number in (1, 2):
        one, two = (load(folder / f"generation-{number}.npz", GAME) for folder in folders)
        assert all((array == two.arrays[name]).all() for name, array in one.arrays.items())


def test_it_plays_better_than_before(tmp_path: Path) -> None:
    training = begin()
    scores = []
    for part in (0, 1):
        save(training.model({}), tmp_path / f"{part}.npz")
        # One ply ahead, so that the network and not the search is measured.
        player = f"greedy:evaluation=model@{tmp_path / f'{part}.npz'}"
        scores.append(Yardstick("random", games=120).measure(GAME, player))
        while part == 0 and training.done < training.total:
            training.step()
            training.done += 1
    assert scores[0].high < scores[1].low
    assert [gate[0] for gate in training.gates] == [1, 2]
    assert set(np.unique(training.samples.games // 80)) == {0, 1}  # old data is kept


def test_it_learns_tictactoe_to_its_known_values() -> None:
    training = begin(generations="1", games="1000", batches="4000", hidden="32", stray="0.5")
    before = [values_of(training)(GAME.read(text), GAME.read(text).to_move) for text in KNOWN]
    while training.done < training.total:
        training.step()
        training.done += 1
    after = [values_of(training)(GAME.read(text), GAME.read(text).to_move) for text in KNOWN]
    wanted = [value for value, _ in KNOWN.values()]
    # Wins of 1 and a draw of 0. The teacher sees two plies, so it knows the wins; that all is well after the parry its
    # games tell. They were met within 0.06.
    assert np.abs(np.subtract(before, wanted)).max() > 0.8
    np.testing.assert_allclose(after, wanted, atol=0.35)


def test_a_scale_is_fitted_to_the_teacher() -> None:
    # Results drawn with the logit 3x of values tanh(x / 2): the scale is 3, give or take 1 / sqrt(n * information)
    # = 1 / sqrt(20,000 * 0.05) = 0.03; 0.2 is six of that.
    rng = np.random.default_rng(1)
    x = rng.normal(0.0, 1.0, 20_000)
    values, shares = np.tanh(x / 2), (rng.random(len(x)) < sigmoid(3.0 * x)).astype(float)
    assert abs(fitted_scale(values, shares) - 3.0) < 0.2
    assert fitted_scale(np.array([9.9, -9.9]), np.array([1.0, 0.0])) == 1.0  # nothing but proofs
    labels = mixed_labels(np.array([9.9, -9.9, 0.0]), np.array([1.0, 0.0, 1.0]), scale=2.0, trust=0.5)
    np.testing.assert_allclose(labels, [1.0, 0.0, 0.75])


def test_without_a_value_the_result_alone_is_the_label() -> None:
    values, shares = np.array([np.nan, 0.0, np.nan]), np.array([1.0, 1.0, 0.25])
    np.testing.assert_allclose(mixed_labels(values, shares, scale=1.0, trust=0.5), [1.0, 0.75, 0.25])
    assert fitted_scale(values, shares) == 1.0


def hoard(seats: int) -> Game:
    base = load_game(HOARD)
    return Game(replace(base.definition, features=hoard_features), seats, {"rounds": "3", "hoard": "plain"})


def test_trees_play_with_dice_hidden_cards_and_three_seats() -> None:
    game = hoard(3)
    table = find_features(game, "table")
    teacher = load_agent("ismcts:iterations=12", game)
    games = []
    for jobs in (1, 2):
        inside = Inside(game, teacher, table, stray=0.1, every=2, quick=3, seed=5, jobs=jobs)
        games.append([inside.play(number, 70) for number in range(70)])
    for one, other in zip(*games, strict=True):
        np.testing.assert_array_equal(one.active, other.active)
        np.testing.assert_array_equal(one.values, other.values)
        # Each position is seen by all three, the mover first, of whose value alone the search tells.
        assert np.isnan(one.values.reshape(-1, 3)[:, 1:]).all()
        np.testing.assert_allclose(one.shares.reshape(-1, 3).sum(axis=1), 1.0, rtol=1e-6)
    found = np.concatenate([each.values for each in games[0]])
    shares = np.concatenate([each.shares for each in games[0]])
    told = ~np.isnan(found)
    assert told.sum() > 100
    assert (np.abs(found[told]) <= 1.0).all()
    # Who is said to stand well wins more often: 70 games with twelve iterations are enough to see that.
    assert np.corrcoef(found[told], shares[told])[0, 1] > 0.2
    assert len({each.active.tobytes() for each in games[0]}) > 60


def test_what_a_tree_finds_depends_on_nothing_that_the_mover_cannot_know() -> None:
    game = hoard(2)
    searcher = searcher_of(game, load_agent("ismcts:iterations=20", game))
    think, memory = searcher.kernels()["think"], searcher.memory()
    state = game.new(seed=3).settled()
    actions = np.zeros(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    found = set()
    for number in range(4):
        world = state.redealt(state.to_move, Stream(number))
        offer = world.legal_actions()
        actions[: len(offer)] = offer
        memory.scratch.rng[0] = 9
        found.add(think(memory, world.array.copy(), actions, len(offer), state.to_move, 20, Stream(4).array))
    assert len(found) == 1


def test_whose_games_cannot_be_played_inside() -> None:
    for spec, word in (("alphabeta:time=10ms", "no time"), ("greedy", "give alphabeta"), ("mcts:worlds=2", "worlds")):
        with pytest.raises(ConfigError, match=word):
            prepare_training("selfplay", GAME, {"teacher": spec})
    with pytest.raises(ConfigError, match="alpha-beta does so for two seats"):
        searcher_of(hoard(3), load_agent("alphabeta:depth=1,worlds=1,evaluation=none", hoard(3)))


def root_visits(spec: str, noise: float, seed: int = 4) -> dict[int, int]:
    """How often a search of the empty board, with and without noise, has tried each move."""
    searcher = searcher_of(GAME, load_agent(spec, GAME), noise=noise)
    think, memory = searcher.kernels()["think"], searcher.memory()
    state = GAME.new().settled()
    offer = np.array(state.legal_actions(), dtype=np.int64)
    memory.scratch.rng[0] = 9
    think(memory, state.array.copy(), offer, len(offer), 0, searcher.work, Stream(seed).array)
    root = memory.tree.nodes[0]
    edges = memory.tree.edges[int(root.first) : int(root.first) + int(root.count)]
    found = {int(edge["action"]): int(edge["visits"]) for edge in edges}
    return {action: found.get(action, 0) for action in offer.tolist()}


@pytest.mark.parametrize(("spec", "more"), [("puct:iterations=8", 1), ("mcts:iterations=120,c=0.5", 3)])
def test_noise_visits_moves_that_would_not_be(spec: str, more: int) -> None:
    plain = root_visits(spec, 0.0)
    assert root_visits(spec, 0.0, seed=5) == plain
    noisy = [root_visits(spec, 0.5, seed) for seed in range(20)]
    assert root_visits(spec, 0.5, 7) == noisy[7]  # the stream alone decides
    assert {sum(each.values()) for each in noisy} == {sum(plain.values())}  # no iteration more
    # What is least visited without noise (by puct not at all, while mcts tries all once) is so by some that have it.
    least = min(plain.values())
    assert least == 0 or spec.startswith("mcts")
    for move in (move for move, visits in plain.items() if visits == least):
        assert max(each[move] for each in noisy) >= least + more
    assert len({tuple(each.items()) for each in noisy}) > 10


def test_noise_is_drawn_like_dirichlets() -> None:
    noise, rng = new_noise(0.25, 100, 1.0, 5), Stream(1).array
    shares = []
    for _ in range(4000):
        draw_noise(noise, 5, rng)
        shares.append(noise.counts / BALLS)
    found = np.array(shares)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    # Of a fifth each; the urn's variance is p (1 - p) (10 + 64) / (64 * 11) = 0.01682. Over 4,000 draws the mean errs
    # by 0.002 and the variance by some 3%: six of each.
    np.testing.assert_allclose(found.mean(axis=0), 0.2, atol=0.0123)
    np.testing.assert_allclose(found.var(axis=0), 0.2 * 0.8 * 74 / (64 * 11), rtol=0.2)


def test_games_with_noise_are_the_same_on_any_number_of_threads_and_quick_moves_have_none() -> None:
    teacher = load_agent("puct:iterations=20", GAME)
    games = {}
    for name, noise, jobs in (("plain", 0.0, 1), ("noisy", 0.5, 1), ("threads", 0.5, 2)):
        inside = Inside(GAME, teacher, CELLS, stray=0.0, every=1, noise=noise, seed=7, jobs=jobs)
        games[name] = [inside.play(number, 40) for number in range(40)]
    for one, two in zip(games["noisy"], games["threads"], strict=True):
        np.testing.assert_array_equal(one.active, two.active)
        np.testing.assert_array_equal(one.values, two.values)
    plain, noisy = (b"".join(each.active.tobytes() for each in games[name]) for name in ("plain", "noisy"))
    assert plain != noisy
    # One iteration less is a quick move: nothing is drawn for noise.
    drawn = {(noise, less): words_drawn(teacher, noise, less) for noise in (0.0, 0.5) for less in (0, 1)}
    assert drawn[0.5, 1] == drawn[0.0, 1]
    assert drawn[0.5, 0] != drawn[0.0, 0]
    with pytest.raises(ConfigError, match="noise is for the root of trees"):
        begin(noise="0.25")


def words_drawn(teacher: Agent, noise: float, less: int) -> int:
    """Where the game's stream stands after a search with so many iterations less."""
    searcher = searcher_of(GAME, teacher, noise=noise)
    think, memory = searcher.kernels()["think"], searcher.memory()
    state, rng = GAME.new().settled(), Stream(4)
    offer = np.array(state.legal_actions(), dtype=np.int64)
    think(memory, state.array.copy(), offer, len(offer), 0, searcher.work - less, rng.array)
    return int(rng.array[0])
