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

        monkeypatch.setattr("meeple.learn.duels.play_match", lambda *args, **more: Lost)
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

    monkeypatch.setattr("meeple.learn.duels.play_match", lambda *args, **more: played.append(1) or Clear)
    training = begin(**SMALL | {"gate": "400", "reference_games": "0"}, sprt="100")
    training._gate(0)
    # Pairs that are all won or all lost move the ratio by log(share(100) / share(0)) = 0.25 or more each: 19 / 1 is
    # reached within 3 / 0.25 = 12 pairs, and never by one.
    assert 2 < len(played) <= 24
    assert (training.champion is not None) == is_champion
    assert training.gates == [[1, (1 + result) / 2, float(is_champion)]]
    training = begin(**SMALL | {"gate": "40", "reference_games": "0"})
    played.clear()
    training._gate(0)
    assert len(played) == 40


def gated(training: SelfPlay, monkeypatch: pytest.MonkeyPatch, gate: float, reference: float) -> None:
    """Let the next gate end with these returns against the champion, and these against the reference."""
    returns = iter([gate] * 2 + [reference] * 2)

    def play(*args: object, **more: object) -> object:
        value = next(returns)
        return type("Over", (), {"state": type("State", (), {"returns": lambda self: [value, value]})()})()

    monkeypatch.setattr("meeple.learn.duels.play_match", play)
    training._gate(len(training.gates))


def test_each_generation_is_measured_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    training = begin(**SMALL, reference="greedy", reference_games="2")
    assert training.standing() == ""
    for gate, reference in ((1.0, 0.5), (-1.0, 1.0)):
        gated(training, monkeypatch, gate, reference)
    told = training.figures()["reference"]
    assert (told["agent"], [each["share"] for each in told["shares"]]) == ("greedy", [0.75, 1.0])
    assert all(each["low"] <= each["share"] <= each["high"] for each in told["shares"])
    assert training.standing() == training.remarks()[1]
    assert "the network stays out; against the reference 1.000 (" in training.standing()
    assert "reference  greedy" in training.remarks()


def test_by_slack_who_falls_behind_against_the_reference_stays_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # Shares of 0.9, 0.8 and 0.6; each wins its gate, and the champion's is what the next is compared with.
    for slack, champions in (("1", [1, 1, 1]), ("0.15", [1, 1, 0]), ("0.05", [1, 0, 0])):
        training = begin(**SMALL, reference_games="2", slack=slack)
        for reference in (0.8, 0.6, 0.2):
            gated(training, monkeypatch, 1.0, reference)
        assert [gate[2] for gate in training.gates] == champions
        again = begin(**SMALL, reference_games="2", slack=slack)
        again.restore(training.kept())
        assert again.figures() == training.figures()
        assert again._champion_number == training._champion_number == max(n for n, _, passed in again.gates if passed)


def test_the_match_against_the_reference_is_of_the_same_games_in_all_generations() -> None:
    training = begin(**SMALL, reference="random")
    for generation in (0, 1):
        training._gate(generation)
    first, second = (training.against_reference(generation) for generation in (1, 2))
    assert len(first) == 20
    # Nothing was learnt between the two, so every game is the same; the gates have other seeds.
    assert [duel.returns for duel in first] == [duel.returns for duel in second]
    assert len({duel.returns for duel in first}) > 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reference": "mcts:time=10ms"}, "plays by the clock; give it nodes, depth or iterations"),
        ({"slack": "0.1", "reference_games": "0"}, "'slack' needs matches against the reference"),
        ({"slack": "2"}, "from 0 to 1"),
    ],
)
def test_what_a_reference_cannot_be(settings: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        begin(**settings)


def test_a_window_leaves_old_games_out() -> None:
    sizes = {}
    for window, widen in (("0", "0"), ("1", "0"), ("2", "0"), ("2", "0.5")):
        training = begin(**SMALL | {"generations": "5"}, reference_games="0", window=window, widen=widen)
        seen = []
        while training.done < training.total:
            training.step()
            training.done += 1
            if training.done % training._a_generation == training.config.games + 1:  # the first minibatch
                seen.append(sorted({int(number) for number in training.samples.games // 4}))
        sizes[window, widen] = seen
        figures = training.figures()
        assert len(figures["scales"]) == 5
        assert figures["positions"] == len(training.samples) + training.dropped
    assert sizes["0", "0"] == [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]]
    assert sizes["1", "0"] == [[0], [1], [2], [3], [4]]
    assert sizes["2", "0"] == [[0], [0, 1], [1, 2], [2, 3], [3, 4]]
    assert sizes["2", "0.5"] == [[0], [0, 1], [1, 2], [1, 2, 3], [2, 3, 4]]
    with pytest.raises(ConfigError, match="'widen' lets a window grow"):
        begin(widen="0.5")


def test_what_has_left_the_window_does_not_come_back_with_a_checkpoint() -> None:
    whole, broken = (begin(**SMALL | {"generations": "3"}, reference_games="0", window="1") for _ in range(2))
    while whole.done < whole.total:
        for training in (whole, broken):
            training.step()
            training.done += 1
        fresh = begin(**SMALL | {"generations": "3"}, reference_games="0", window="1")
        fresh.done = broken.done
        fresh.restore(broken.kept())
        broken = fresh
    np.testing.assert_array_equal(broken.net.flat, whole.net.flat)
    assert broken.figures() == whole.figures()
    assert whole.dropped > 0
