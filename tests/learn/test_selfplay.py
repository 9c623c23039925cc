"""Self-play in generations: resumed to the same weights, gated, and stronger than it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE
from meeple import load_game
from meeple.core.settings import given_settings
from meeple.core.spec import Spec
from meeple.errors import ConfigError
from meeple.learn.run import Progress, train
from meeple.learn.selfplay import SelfPlay, SelfPlaySettings
from meeple.learn.strength import Yardstick
from meeple.models.file import load, save

GAME = load_game(TICTACTOE)
SETTINGS = {"teacher": "alphabeta:depth=2", "generations": "2", "games": "40", "batches": "120", "gate": "4"}
SETTINGS |= {"hidden": "8", "rate": "0.01", "batch": "64", "stray": "0.4", "seed": "4"}
SMALL = {"games": "4", "batches": "6", "gate": "2"}


def begin(**more: str) -> SelfPlay:
    # As games with chance, secrets or more seats are learnt; those of alpha-beta by itself are in test_inside.py.
    given = given_settings(SelfPlaySettings, Spec("selfplay", SETTINGS | more), what="method")
    return SelfPlay(GAME, SelfPlaySettings(**given))


def test_killed_in_any_part_it_comes_to_the_same_weights(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(**SMALL), whole)
    # A generation has 4 games, 6 minibatches and a gate; the checkpoints before the kills lie in each of these.
    for last in (3, 8, 13, 20):

        def kill(progress: Progress, last: int = last) -> None:
            if progress.done == last:
                raise Killed

        ticks = iter(range(10**6))
        with pytest.raises(Killed):
            train(begin(**SMALL), broken, on_step=kill, clock=lambda ticks=ticks: float(next(ticks)), every=6.0)
    outcome = train(begin(**SMALL), broken)
    assert 13 < outcome.resumed_from < 20
    arrays = [load(file, GAME).arrays for file in (whole, broken)]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all(), name
    cards = [load(file, GAME).header.card["figures"] for file in (whole, broken)]
    assert cards[0]["gates"] == cards[1]["gates"]
    assert cards[0]["positions"] == cards[1]["positions"]


def test_it_plays_better_than_before_and_keeps_old_data(tmp_path: Path) -> None:
    training = begin()
    scores, sizes = [], []
    for part in range(3):
        save(training.model({}), tmp_path / f"{part}.npz")
        # One ply ahead, so that the network and not the search is measured.
        player = f"greedy:evaluation=model@{tmp_path / f'{part}.npz'}"
        scores.append(Yardstick("random", games=120).measure(GAME, player))
        while part < 2 and training.done < (part + 1) * training.total // 2:
            training.step()
            training.done += 1
        sizes.append(training.figures()["positions"])
    assert scores[0].high < scores[2].low
    assert sizes[0] < sizes[1] == sizes[2]
    assert sorted(set(training.samples.games.tolist())) == list(range(80))
    assert [gate[0] for gate in training.gates] == [1, 2]


def test_labels_are_mixed_of_search_and_result() -> None:
    alone, mixed, search = (begin(**SMALL, trust=trust) for trust in ("0", "0.5", "1"))
    for training in (alone, mixed, search):
        training.step()
        training.figures()  # gathers
    assert set(alone.samples.labels.tolist()) <= {0.0, 0.5, 1.0}
    np.testing.assert_allclose(mixed.samples.labels, (alone.samples.labels + search.samples.labels) / 2)
    assert (alone.samples.labels != search.samples.labels).any()


def test_only_who_holds_its_own_becomes_champion(monkeypatch: pytest.MonkeyPatch) -> None:
    training = begin(**SMALL)
    before = training.model({}).arrays
    for returns, is_champion in ((-1.0, False), (0.0, True)):

        class Lost:
            state = type("State", (), {"returns": lambda self, value=returns: [value, value]})()

        monkeypatch.setattr("meeple.learn.selfplay.play_match", lambda *args, **more: Lost)
        training._gate(0)
        assert (training.champion is not None) == is_champion
        assert training.gates[-1] == [1, (1 + returns) / 2, float(is_champion)]
        assert ("held its own" in training.remarks()[-1]) != is_champion
    assert training.player("model@FILE") == "alphabeta:depth=2,evaluation=model@FILE"
    assert (training.model({}).arrays["rows"] == before["rows"]).all()


def test_a_teacher_without_an_evaluation_is_refused() -> None:
    with pytest.raises(ConfigError, match="the teacher 'random' takes no evaluation"):
        begin(teacher="random")
    with pytest.raises(ConfigError, match="'stray' of method 'selfplay' is from 0 to 1, not 3"):
        begin(stray="3")


@pytest.mark.parametrize(("result", "is_champion"), [(1.0, True), (-1.0, False)])
def test_a_sequential_test_ends_a_gate_that_is_clear(
    result: float, is_champion: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    class Clear:
        state = type("State", (), {"returns": lambda self: [result, result]})()

    monkeypatch.setattr("meeple.learn.selfplay.play_match", lambda *args, **more: played.append(1) or Clear)
    training = begin(**SMALL | {"gate": "400"}, sprt="100")
    training._gate(0)
    # Pairs that are all won or all lost move the ratio by log(share(100) / share(0)) = 0.25 or more each: 19 / 1 is
    # reached within 3 / 0.25 = 12 pairs, and never by one.
    assert 2 < len(played) <= 24
    assert (training.champion is not None) == is_champion
    assert training.gates == [[1, (1 + result) / 2, float(is_champion)]]
    training = begin(**SMALL | {"gate": "40"})
    played.clear()
    training._gate(0)
    assert len(played) == 40
