"""Calibrations: every game's file fits its roster, one a judge; what is not calibrated is said; the fit is right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import meeple
from conftest import HOARD
from meeple.agents.levels import judge_spec
from meeple.agents.registry import load_agent
from meeple.analysis.batch import AnalysedMatches
from meeple.analysis.calibration import (
    Bin,
    Calibration,
    calibration_of,
    fit_slope,
    keep_calibration,
    log_loss,
    read_calibrations,
    reliability,
    slope_error,
    trust_words,
)
from meeple.analysis.deepening import Deepening
from meeple.analysis.judge import Question, unlimited
from meeple.analysis.page import page
from meeple.core.registry import find_definition, game_names, load_game
from meeple.core.spec import Spec
from meeple.errors import ConfigError
from meeple.web.pages.analysis import _rows
from meeple.web.verdicts import bars_panel
from meeple.web.voice import Voice

FITTED = Calibration(
    slope=2.5, work=700, judge="mcts:c=1", game="some", games=3, positions=24, bins=(Bin(0.2, 0.1, 9),)
)


@pytest.mark.parametrize("name", game_names())
def test_the_strongest_agent_of_every_table_is_calibrated(name: str) -> None:
    definition = find_definition(name)
    for variant in definition.variants():
        game = load_game(Spec(name, variant))
        judge = unlimited(load_agent(judge_spec(definition, seats=game.seats), game).spec, game)
        again = f"meeple analyse --calibrate {game.spec}"
        assert calibration_of(definition, judge).judge == judge, f"another agent is the strongest now: {again}"


def test_a_file_holds_one_calibration_a_judge(tmp_path: Path) -> None:
    path = tmp_path / "analysis.json"
    other = replace(FITTED, judge="puct", slope=1.5)
    for each in (FITTED, other, replace(FITTED, slope=3.0)):
        keep_calibration(path, each)
    assert read_calibrations(path) == (replace(FITTED, slope=3.0), other)
    for wrong in ("{}", "[]", '{"meeple_calibrations": 2, "judges": []}', path.read_text().replace("3.0", "-3.0")):
        path.write_text(wrong)
        with pytest.raises(ConfigError, match="does not hold calibrations"):
            read_calibrations(path)


def test_whatever_a_judge_without_a_calibration_says_comes_with_a_warning() -> None:
    words = trust_words(False)
    assert words
    assert not trust_words(True)
    match = meeple.play_match(HOARD, ["random", "random"], seed=2)
    found = meeple.analyse(match, effort="quick")
    assert not found.is_calibrated
    assert words in found.table()
    assert words in page(found, match)
    assert words in AnalysedMatches([("game", found)]).text()
    assert words in str(bars_panel(found, Voice(found.names)))
    ranked = meeple.analyse_position(match.state_at(0), effort="quick")
    assert words in ranked.table()
    assert not ranked.as_json()["is_calibrated"]
    state = next(step.before for step in match.steps if step.seat is not None)
    look = Deepening(Question(state, 0), calibration=Calibration(work=20))
    look.search()
    assert words in _rows(None, look)[1]
    calm = replace(found, is_calibrated=True)
    assert not any(
        words in each for each in (calm.table(), page(calm, match), AnalysedMatches([("game", calm)]).text())
    )


def test_the_slope_that_results_were_drawn_with_is_found_again() -> None:
    # 20,000 games: the standard error of the slope is about 0.03; 0.2 is passed by no seed.
    rng = np.random.default_rng(1)
    values = rng.uniform(0.2, 0.8, 20_000)
    values = np.column_stack([values, 1.0 - values])
    for slope in (0.7, 2.5):
        chances = Calibration(slope=slope).chances(values)
        won = rng.uniform(size=len(values)) < chances[:, 0]
        results = np.column_stack([won, ~won]).astype(np.float64)
        found = fit_slope(values, results)
        assert found == pytest.approx(slope, abs=0.2)
        after = log_loss(Calibration(slope=found).chances(values), results)
        assert after <= min(log_loss(values, results), log_loss(chances, results))


def test_the_slopes_error_counts_games_and_not_positions() -> None:
    # Each game told eight times over tells no more than once, and four times as many games halve the error. Slopes
    # of samples of that size really differ by 0.32 over 40 of them, which is known to 11%; the first says 0.26.
    rng = np.random.default_rng(2)

    def sample(games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        values = rng.uniform(0.2, 0.8, games)
        values = np.column_stack([values, 1.0 - values])
        won = rng.uniform(size=games) < Calibration(slope=2.0).chances(values)[:, 0]
        return values, np.column_stack([won, ~won]).astype(np.float64), np.arange(games)

    values, results, names = sample(200)
    once = slope_error(values, results, names)
    often = slope_error(*(np.repeat(each, 8, axis=0) for each in (values, results, names)))
    assert often == pytest.approx(once, rel=1e-3)
    assert slope_error(*sample(800)) == pytest.approx(once / 2, rel=0.25)
    slopes = [fit_slope(*sample(200)[:2]) for _ in range(40)]
    assert once == pytest.approx(np.std(slopes, ddof=1), rel=0.4)
    assert slope_error(values[:1], results[:1], names[:1]) == 0.0


def test_chances_by_hand() -> None:
    # logit(0.75) = log 3, twice that is log 9: 0.9. What is even or certain stays, and chances add up to one.
    steep = Calibration(slope=2.0)
    assert steep.chances(np.array([0.75, 0.25])) == pytest.approx([0.9, 0.1])
    assert steep.chances(np.array([0.5, 0.5])) == pytest.approx([0.5, 0.5])
    assert steep.chances(np.array([1.0, 0.0])).tolist() == [1.0, 0.0]
    assert steep.chances(np.array([0.75])) == pytest.approx([0.9])  # a solo game: about a half
    three = steep.chances(np.array([0.5, 0.3, 0.2]))
    assert three.sum() == pytest.approx(1.0)
    assert three[0] > 0.5
    assert three[2] < 0.2
    assert log_loss(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])) == pytest.approx(np.log(2))


def test_a_reliability_plot_by_hand() -> None:
    chances = np.array([[0.12, 0.88], [0.18, 0.82], [0.5, 0.5], [0.0, 1.0]])
    results = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    assert reliability(chances, results) == (
        Bin(0.0, 0.0, 1),
        Bin(0.15, 0.5, 2),
        Bin(0.5, 0.5, 2),
        Bin(0.85, 0.5, 2),
        Bin(1.0, 1.0, 1),
    )


def test_an_older_file_is_refused_with_one_message(tmp_path: Path) -> None:
    path = tmp_path / "analysis.json"
    path.write_text(json.dumps({"slope": 1.0, "work": 100, "judge": "mcts", "bins": []}))
    with pytest.raises(ConfigError, match=r"does not hold calibrations: 'meeple_calibrations'"):
        read_calibrations(path)
