"""Self-play in generations: its labels, its teachers and its gates. How it resumes: test_inside.py."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import TICTACTOE
from meeple import load_game
from meeple.core.settings import given_settings
from meeple.core.spec import Spec
from meeple.errors import ConfigError
from meeple.learn.selfplay import SelfPlay, SelfPlaySettings

GAME = load_game(TICTACTOE)
SETTINGS = {"teacher": "alphabeta:depth=2", "generations": "2", "games": "40", "batches": "120", "gate": "4"}
SETTINGS |= {"hidden": "8", "rate": "0.01", "batch": "64", "stray": "0.4", "seed": "4"}
SMALL = {"games": "4", "batches": "6", "gate": "2"}


def begin(**more: str) -> SelfPlay:
    given = given_settings(SelfPlaySettings, Spec("selfplay", SETTINGS | more), what="method")
    return SelfPlay(GAME, SelfPlaySettings(**given))


def test_labels_are_mixed_of_search_and_result() -> None:
    alone, mixed, search = (begin(**SMALL, trust=trust) for trust in ("0", "0.5", "1"))
    for training in (alone, mixed, search):
        for _ in range(4):
            training.step()
            training.done += 1
        training.figures()  # gathers
    assert set(alone.samples.labels.tolist()) <= {0.0, 0.5, 1.0}
    np.testing.assert_allclose(mixed.samples.labels, (alone.samples.labels + search.samples.labels) / 2)
    assert (alone.samples.labels != search.samples.labels).any()


def test_the_first_search_plays_until_there_is_a_champion() -> None:
    training = begin(first="alphabeta:depth=1")
    assert training._agent(None).spec == "alphabeta:depth=1"
    assert training._agent(training.net.flat).spec == "alphabeta:depth=2"
    assert begin().config.first == "alphabeta:depth=2"


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
