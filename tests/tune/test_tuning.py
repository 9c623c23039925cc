"""Tuning: spaces and their faults in words, the same trials after a kill, the best not flattered."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, Run
from meeple import load_game
from meeple.agents.registry import load_agent
from meeple.arena.workers import Alone, Setup
from meeple.core.parameters import read_weights
from meeple.errors import ConfigError
from meeple.tune.choosing import corrected_best
from meeple.tune.playing import Contest, SetsOfGames, Stage
from meeple.tune.space import Space, read_space
from meeple.tune.tuning import Study, Tried, Tuning, prepare_tuning

GAME = load_game(HOARD)
SANTORINI = load_game("santorini")
SPACE = ["c=log:0.1..3", "iterations=4..40"]


class Pretended(Stage):
    """Plays no game: a candidate is the better the nearer its iterations are to 20, seeds add noise."""

    def __init__(self, contest: Contest, dies_at: int = -1) -> None:
        super().__init__(contest)
        self.asked: list[str] = []
        self.dies_at = dies_at

    def play(self, candidate, seeds, *, contest=None, on_games=lambda games: None):  # type: ignore[no-untyped-def]
        self.asked.append(candidate)
        if len(self.asked) == self.dies_at:
            raise KeyboardInterrupt
        iterations = load_agent(candidate, GAME).iterations  # type: ignore[attr-defined]
        return [1 - abs(iterations - 20) / 40 + (seed * 7919 % 13) / 1000 for seed in seeds]


def plan(method: str = "tpe", **more: object) -> Tuning:
    given: dict[str, object] = {"against": ["random"], "games": 32} | more
    return prepare_tuning(GAME, "ismcts:iterations=8", SPACE, method=method, **given)  # type: ignore[arg-type]


def trials(tuning: Tuning, folder: Path, number: int, stage: Stage) -> list[Tried]:
    with Study(tuning, folder) as study:
        study.run(stage, number)
        return list(study.trials)


# --- spaces


def space(*words: str, spec: str = "alphabeta:depth=1,evaluation=climb") -> Space:
    return read_space(SANTORINI, spec, words)


def test_a_key_names_a_setting_a_weight_or_all_weights(tmp_path: Path) -> None:
    found = space("depth=1..3", "evaluation.turn=0..40", "evaluation.level[2]=80|90|100")
    assert [(each.key, each.start) for each in found.dimensions] == [
        ("depth", 1),
        ("evaluation.turn", 12),
        ("evaluation.level[2]", 90),
    ]
    spec = found.candidate({"depth": 2, "evaluation.turn": 7, "evaluation.level[2]": 100}, tmp_path)
    assert spec == f"alphabeta:depth=2,evaluation=climb@{tmp_path / 'evaluation.json'}"
    weights = read_weights(str(tmp_path / "evaluation.json"))
    assert weights["turn"] == 7
    assert weights["level"] == [0, 30, 100, 90, 0]
    assert weights["mobility"] == 2
    every = space("evaluation.*=50%..200%").dimensions
    assert [each.key for each in every][:3] == ["evaluation.level[1]", "evaluation.level[2]", "evaluation.level[3]"]
    assert (every[0].low, every[0].high) == (15, 60)
    assert len(space("evaluation.step=0..90").dimensions) == 5


def test_a_key_reaches_into_brackets(tmp_path: Path) -> None:
    found = space("playout.depth=1..2", spec="mcts:iterations=4,playout=[alphabeta:depth=1]")
    assert found.candidate({"playout.depth": 2}, tmp_path) == "mcts:iterations=4,playout=[alphabeta:depth=2]"


def test_streams_are_the_same_wherever_weights_lie(tmp_path: Path) -> None:
    found = space("evaluation.turn=0..40")
    names = [
        load_agent(found.candidate({"evaluation.turn": turn}, tmp_path / str(turn)), SANTORINI).stream_name
        for turn in (1, 2)
    ]
    assert names == ["alphabeta:depth=1,evaluation=climb@evaluation.json"] * 2


def test_a_space_may_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "space.toml").write_text('depth = "1..2"\n"evaluation.turn" = "0..40/10"\n')
    found = space(str(tmp_path / "space.toml"))
    assert [each.words() for each in found.dimensions] == ["1..2", "0..40/10"]
    assert len(found.cells()) == 10
    (tmp_path / "space.toml").write_text("depth = 2\n")
    with pytest.raises(ConfigError, match=r"'depth' in .* is no range"):
        space(str(tmp_path / "space.toml"))


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["dept=1..3"], "has no setting 'dept' .* did you mean 'depth'"),
        (["evaluation.trun=1..3"], "no weight 'trun' .* did you mean 'turn'"),
        (["evaluation.level[9]=1..3"], r"is not in the weight 'level', which is 5"),
        (["ordering.x=1..3"], "takes no weights"),
        (["depth=1.5..3"], "'depth' takes whole numbers, not '1.5'"),
        (["depth=3..1"], "its end must lie above its beginning"),
        (["depth=few"], "'few' is no range for 'depth'; write 0.4..2.6"),
        (["depth=1..3/9"], "the step of 'depth' lies between 0 and 2"),
        (["depth=log:0..3"], "with log: it must begin above 0"),
        (["depth=1..2", "depth=1..3"], "'depth' is given twice"),
        (["depth=-4..2"], "the space does not fit at the lowest values: 'depth' of agent 'alphabeta' is at least 0"),
        (["evaluation.level[0]=50%..200%"], "is 0 at the start"),
        (["evaluation=climb|clmb"], "has no evaluation 'clmb'"),
        (["evaluation=climb|report", "evaluation.turn=0..9"], "is chosen and its weights are tuned"),
        (["nowhere.toml"], "is neither"),
        ([], "nothing to tune"),
    ],
)
def test_what_is_wrong_with_a_space_is_said(words: list[str], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        space(*words)


def test_what_is_wrong_with_a_tuning_is_said() -> None:
    for more, fault in (
        ({"method": "tep"}, "did you mean 'tpe'"),
        ({"objective": "point"}, "did you mean 'points'"),
        ({"method": "cmaes", "halving": True}, "leave --halving out"),
        ({"method": "grid"}, "'c' has no steps for --grid"),
    ):
        with pytest.raises(ConfigError, match=fault):
            plan(**more)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="cmaes is for two or more numbers"):
        prepare_tuning(GAME, "ismcts:iterations=8", SPACE[:1], method="cmaes")


# --- trials


@pytest.mark.parametrize("method", ["random", "tpe", "cmaes"])
def test_a_kill_changes_no_trial(method: str, tmp_path: Path) -> None:
    tuning = plan(method)
    whole = trials(tuning, tmp_path / "whole", 14, Pretended(tuning.contest))
    with pytest.raises(KeyboardInterrupt):
        trials(tuning, tmp_path / "cut", 14, Pretended(tuning.contest, dies_at=12))
    again = Pretended(tuning.contest)
    assert trials(tuning, tmp_path / "cut", 14, again) == whole
    assert len(again.asked) == 3, "what was whole is not played again"
    assert whole[0].values == {"c": tuning.space.start["c"], "iterations": 8}, "the start comes first"
    assert len({trial.values["c"] for trial in whole}) == 14


def test_halving_gives_up_the_worse_and_keeps_the_best(tmp_path: Path) -> None:
    tuning = plan("random", halving=True)
    assert tuning.looks == [2, 4, 8]
    found = trials(tuning, tmp_path / "halved", 16, Pretended(tuning.contest))
    full = trials(plan("random"), tmp_path / "full", 16, Pretended(tuning.contest))
    assert [trial.values for trial in found] == [trial.values for trial in full]
    assert {len(trial.sets) for trial in found} > {2, 16}
    assert max(full, key=lambda trial: trial.mean) in found


def test_a_folder_of_another_tuning_is_refused(tmp_path: Path) -> None:
    trials(plan(), tmp_path, 1, Pretended(plan().contest))
    with pytest.raises(ConfigError, match="another tuning: seed differ; --fresh begins anew"):
        Study(plan(seed=3), tmp_path)
    with Study(plan(seed=3), tmp_path, fresh=True) as study:
        assert study.trials == []
        with pytest.raises(ConfigError, match="another run writes"):
            Study(plan(seed=3), tmp_path)


def test_workers_change_nothing(tmp_path: Path) -> None:
    tuning = prepare_tuning(
        GAME, "policy", ["name=greedy|default"], against=["random", "first"], games=16, method="random"
    )
    found = []
    for workers in (0, 2):
        with Stage(tuning.contest, workers) as stage:
            found.append(trials(tuning, tmp_path / str(workers), 3, stage))
    assert found[0] == found[1]


def test_another_crew_is_made_once_and_changed_for_each_candidate(tmp_path: Path) -> None:
    log: list[str] = []

    class Other(Alone):
        def change(self, setup: Setup) -> None:
            log.append(f"change {setup.agents[0]}")
            super().change(setup)

        def __exit__(self, *found: object) -> None:
            log.append("end")
            super().__exit__(*found)

    def made(setup: Setup, is_current: Callable[[], bool]) -> Alone:
        log.append(f"make {setup.agents[0]} {is_current()}")
        return Other(setup)

    tuning = prepare_tuning(GAME, "policy", ["name=greedy|default"], against=["random"], games=8, method="grid")
    with Study(tuning, tmp_path / "there") as study:
        with Stage(tuning.contest, crew_for=made, is_current=study.is_current) as stage:
            study.run(stage, 2)
        there = list(study.trials)
    assert log == ["make policy:name=greedy True", "change policy:name=default", "end"]
    with Stage(tuning.contest) as stage:
        assert trials(tuning, tmp_path / "here", 2, stage) == there


def test_a_study_knows_whether_the_code_is_still_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Study(plan(), tmp_path) as study:
        assert study.is_current()
        monkeypatch.setattr(Tuning, "code", "0" * 16)
        assert not study.is_current()


def test_a_set_is_a_seed_with_the_candidate_in_every_seat() -> None:
    contest = Contest(game=load_game(f"{HOARD}:players=3"), against=("random", "first"))
    jobs = SetsOfGames(contest, [5]).take(99)
    assert [job.seated for job in jobs] == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 2, 2), (2, 0, 2), (2, 2, 0)]
    assert {job.seed for job in jobs} == {5}


# --- choosing


def alike(seed: int) -> Sequence[Sequence[float]]:
    return np.random.default_rng(seed).normal(0.0, 1.0, (30, 40)).tolist()  # type: ignore[no-any-return]


def test_the_best_of_alike_candidates_is_not_flattered() -> None:
    # The largest of 30 means of 40 normal values is 2.04 / sqrt(40) = 0.32 on average; the truth is 0. Over 20 tables
    # the corrected mean has a deviation of about 0.16 / sqrt(20) = 0.04.
    flattered = np.mean([np.mean(alike(seed), axis=1).max() for seed in range(20)])
    found = [corrected_best(alike(seed)) for seed in range(20)]
    assert flattered > 0.25
    assert abs(np.mean([each.mean for each in found if each])) < 0.15
    assert all(each and each.low < 0 < each.high for each in found)


def test_a_candidate_that_is_better_stays_so() -> None:
    table = np.array(alike(1))
    table[7] += 3.0
    found = corrected_best(table.tolist())
    assert found is not None
    assert abs(found.mean - table[7].mean()) < 0.1
    assert corrected_best([[1.0, 2.0, 3.0]]) is None


# --- the command


def test_the_command_goes_on_and_writes_weights_and_plots(meeple: Run, tmp_path: Path) -> None:
    words = ["tune", "santorini", "greedy:evaluation=climb", "--against", "random", "--games", "4", "--check", "4"]
    words += ["--method", "random", "--space", "evaluation.turn=0..40", "--space", "evaluation.centre=0..9"]
    words += ["--folder", "here", "--json"]
    first = json.loads(meeple(*words, "-n", "2").stdout)
    ran = meeple(*words, "-n", "4", "--plot", "plots.svg")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["trials"][:2] == first["trials"]
    assert len(found["trials"]) == 4
    assert (tmp_path / "plots.svg").stat().st_size > 1000
    assert found["use"] == f"greedy:evaluation=climb@{os.path.join('here', 'best', 'evaluation.json')}"
    weights = json.loads((tmp_path / "here" / "best" / "evaluation.json").read_text())
    assert weights["turn"] == found["trials"][found["best"] - 1]["values"]["evaluation.turn"]
    again = meeple(*[word for word in words if word != "--json"], "-n", "4")
    assert again.stdout.count("trial") >= 1
    assert "use " in again.stdout
    assert "again  meeple tune" in again.stdout


def test_a_grid_tries_every_cell(meeple: Run) -> None:
    words = ["tune", "santorini", "greedy:evaluation=climb", "--against", "random", "--games", "6", "--check", "0"]
    ran = meeple(*words, "--grid", "--space", "evaluation.turn=0..20/10", "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert [trial["values"]["evaluation.turn"] for trial in found["trials"]] == [0, 10, 20]
    assert found["corrected"]["low"] <= found["corrected"]["mean"] <= found["corrected"]["high"]


def test_the_command_names_the_nearest_key(meeple: Run) -> None:
    ran = meeple("tune", "santorini", "greedy", "--space", "evaluaton.turn=0..40")
    assert ran.returncode == 2
    assert "did you mean 'evaluation'?" in ran.stderr
    assert "Traceback" not in ran.stderr
