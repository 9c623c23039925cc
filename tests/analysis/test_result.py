"""Words and sums of an analysis, by hand: what a number is called, accuracy, even and net luck, the graph."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from meeple.analysis.result import Analysis, ChanceEvent, Decision, accuracy
from meeple.analysis.words import is_decided, proof_words, word_for_loss, word_for_luck

SVG = "{http://www.w3.org/2000/svg}"


def decision(ply: int, seat: int, before: tuple[float, ...], after: tuple[float, ...], **told: object) -> Decision:
    play = tuple(a - b for a, b in zip(after, before, strict=True))
    told = {"loss": max(0.0, -play[seat]), "error": 0.01, "n_moves": 5, "play": play} | told
    blind = (0.0,) * len(play)
    return Decision(  # type: ignore[arg-type]
        **{"ply": ply, "step": ply, "seat": seat, "action": 1, "move": "a", "before": before, "after": after}
        | {"blind": blind, "best": "b", "best_action": 2}
        | told
    )


def analysis(decisions: list[Decision], chances: list[ChanceEvent], result: tuple[float, ...]) -> Analysis:
    names = ("Ada", "Bob", "Cleo")[: len(result)]
    return Analysis(
        game="some",
        judge="mcts",
        effort="quick",
        seed=0,
        names=names,
        start=decisions[0].before,
        result=result,
        is_finished=True,
        ending="3 moves",
        is_calibrated=True,
        decisions=tuple(decisions),
        chances=tuple(chances),
    )


@pytest.mark.parametrize(
    ("loss", "error", "word"),
    [
        (0.049, 0.0, ""),
        (0.05, 0.0, "inaccuracy"),
        (0.06, 0.02, ""),
        (0.1, 0.0, "mistake"),
        (0.12, 0.03, "inaccuracy"),
        (0.15, 0.0, "blunder"),
        (0.4, 0.1, "blunder"),
        (1.0, 1.0, ""),
    ],
)
def test_a_loss_has_a_word_where_it_reaches_the_step_for_certain(loss: float, error: float, word: str) -> None:
    assert word_for_loss(loss, error) == word
    lucky = {"": "", "inaccuracy": "a little lucky", "mistake": "lucky", "blunder": "very lucky"}[word]
    assert word_for_luck(loss, error) == lucky
    assert word_for_luck(-loss, error) == lucky.replace("lucky", "unlucky")


def test_decided_and_proven_in_words() -> None:
    assert [is_decided(chance) for chance in (0.0, 0.01, 0.02, 0.5, 0.98, 0.99, 1.0)] == [
        True, True, False, False, False, True, True,
    ]  # fmt: skip
    assert [proof_words(proof) for proof in (0, 1, 4, -1, -3)] == [
        "", "won in 1 ply", "won in 4 plies", "lost in 1 ply", "lost in 3 plies",
    ]  # fmt: skip
    assert decision(0, 0, (0.995, 0.005), (0.992, 0.008)).is_decided
    assert not decision(0, 0, (0.995, 0.005), (0.9, 0.1)).is_decided
    assert not decision(0, 0, (1.0, 0.0), (0.0, 1.0)).is_decided  # a won game thrown away


def test_accuracy_by_hand() -> None:
    assert accuracy([]) == 100
    assert accuracy([0.0, 0.0]) == 100
    assert accuracy([0.25]) == pytest.approx(100 / math.e)
    assert accuracy([0.0, 0.25]) == pytest.approx(50 + 50 / math.e)


def test_the_sums_of_two_players_by_hand() -> None:
    # Ada loses 0.2, a throw brings her 0.3, Bob loses 0.1 by what he knew and 0.05 more by what he could not know.
    moves = [
        decision(0, 0, (0.5, 0.5), (0.3, 0.7)),
        decision(1, 1, (0.6, 0.4), (0.75, 0.25), play=(0.1, -0.1), blind=(0.05, -0.05), loss=0.1),
        decision(2, 0, (0.75, 0.25), (0.75, 0.25), n_moves=1),
    ]
    found = analysis(moves, [ChanceEvent(1, 1, ("die 6",), (0.3, 0.7), (0.6, 0.4), 0.01)], (1.0, 0.0))
    ada, bob = found.summaries
    assert (ada.start, ada.result) == (0.5, 1.0)
    assert (ada.play, ada.given, ada.luck, ada.blind) == pytest.approx((-0.2, 0.1, 0.3, 0.05))
    assert (bob.play, bob.given, bob.luck, bob.blind) == pytest.approx((-0.1, 0.2, -0.3, -0.05))
    assert (ada.unexplained, bob.unexplained) == pytest.approx((0.25, -0.25))
    assert (ada.even_luck, bob.even_luck) == pytest.approx((0.65, 0.35))  # 1 - 0.3 - 0.05, and 0 + 0.3 + 0.05
    assert (ada.net_luck, bob.net_luck) == (ada.luck, bob.luck)  # of two, one's luck is the other's already
    assert (ada.blunders, ada.mistakes, bob.inaccuracies, bob.mistakes) == (1, 0, 1, 0)
    assert ada.accuracy == pytest.approx(accuracy([0.2]))  # the forced move is no choice
    assert [each.ply for each in found.mistakes] == [0, 1]
    assert [each.word for each in found.mistakes] == ["blunder", "inaccuracy"]  # 0.1 less its error is below 0.1


def test_even_luck_is_a_chance_and_net_luck_is_against_the_others() -> None:
    moves = [decision(0, 0, (0.4, 0.3, 0.3), (0.4, 0.3, 0.3))]
    event = ChanceEvent(1, 1, ("die 6",), (0.4, 0.3, 0.3), (0.1, 0.2, 0.7), 0.01)
    found = analysis(moves, [event, replace(event, ply=2, step=2)], (0.0, 0.0, 1.0))
    ada, bob, cleo = found.summaries
    assert (ada.luck, bob.luck, cleo.luck) == pytest.approx((-0.6, -0.2, 0.8))
    assert (ada.net_luck, bob.net_luck, cleo.net_luck) == pytest.approx((-0.9, -0.3, 1.2))
    assert (ada.even_luck, bob.even_luck, cleo.even_luck) == pytest.approx((0.6, 0.2, 0.2))
    wild = replace(event, after=(1.0, 0.0, 0.0))
    assert analysis(moves, [wild, wild], (0.0, 1.0, 0.0)).summaries[0].even_luck == 0.0  # never below


def test_the_graph_of_an_analysis() -> None:
    moves = [decision(0, 0, (0.5, 0.5), (0.3, 0.7)), decision(1, 1, (0.6, 0.4), (0.6, 0.4))]
    found = analysis(moves, [ChanceEvent(1, 1, ("die 6",), (0.3, 0.7), (0.6, 0.4), 0.01)], (1.0, 0.0))
    drawn = ET.fromstring(found._repr_svg_())
    lines = drawn.findall(f".//{SVG}polyline")
    dashed = [each for each in lines if each.get("stroke-dasharray")]
    assert len(dashed) == 1  # one throw
    (x1, y1), (x2, y2) = (tuple(map(float, corner.split(","))) for corner in dashed[0].get("points", "").split())
    assert x1 == x2
    assert y1 > y2  # it brought the first player upwards
    dots = drawn.findall(f".//{SVG}circle")
    assert [each.findtext(f"{SVG}title") for each in dots] == ["move 1: a, blunder, best b"]
    three = analysis([decision(0, 0, (0.4, 0.3, 0.3), (0.4, 0.3, 0.3))], [], (1.0, 0.0, 0.0))
    strokes = {each.get("stroke") for each in ET.fromstring(three._repr_svg_()).findall(f".//{SVG}polyline")}
    assert len(strokes) == 3  # a line a seat
