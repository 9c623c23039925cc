"""The loop of training: killed and resumed to the same weights, checkpoints, cards, faults in words."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import TICTACTOE, Run
from meeple.arena.workers import Alone, Setup
from meeple.core.registry import load_game
from meeple.errors import ConfigError, FailureError, SaveError
from meeple.learn.checkpoint import Curve, checkpoint_of
from meeple.learn.curves import check_plot, write_curve
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress, train
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.file import load

GAME = load_game(TICTACTOE)
SETTINGS = {"games": "12", "depth": "2", "rate": "0.01", "win": "1", "seed": "3"}


class Killed(BaseException):
    """Ends a run at once, as a kill does: nothing is written any more."""


class Ticks:
    """A clock that goes on by a second at each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def begin(method: str = "treestrap", **more: str) -> Training:
    return prepare_training(method, GAME, SETTINGS | more)


def killed_after(steps: int) -> Any:
    def on_step(progress: Progress) -> None:
        if progress.done == steps:
            raise Killed

    return on_step


def arrays_of(file: Path) -> dict[str, list[float]]:
    return {name: array.tolist() for name, array in load(file, GAME).arrays.items()}


@pytest.mark.parametrize("method", ["rootstrap", "treestrap"])
def test_killed_between_checkpoints_it_comes_to_the_same_weights(method: str, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    train(begin(method), whole)
    # By the clock's ticks a checkpoint is due every few steps; the kills come after steps that none has seen.
    for steps, least in ((5, 1), (9, 5)):
        with pytest.raises(Killed):
            train(begin(method), broken, on_step=killed_after(steps), clock=Ticks(), every=10.0)
        with np.load(checkpoint_of(broken)) as found:
            done = json.loads(found["header"].tobytes())["done"]
        assert least <= done < steps
        assert not broken.exists()
    outcome = train(begin(method), broken, clock=Ticks(), every=10.0)
    assert (outcome.is_finished, outcome.resumed_from) == (True, done)
    assert arrays_of(broken) == arrays_of(whole)
    assert len(outcome.curve.losses) == len(outcome.curve.seconds) == 12
    assert outcome.curve.seconds == sorted(outcome.curve.seconds)
    assert not checkpoint_of(broken).exists()


def test_ctrl_c_and_a_limit_write_a_checkpoint(tmp_path: Path) -> None:
    def pressed(progress: Progress) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    out = tmp_path / "model.npz"
    with pytest.raises(KeyboardInterrupt):
        train(begin(), out, on_step=pressed)
    outcome = train(begin(), out, limit=0.5, clock=Ticks())
    assert (outcome.resumed_from, outcome.done, outcome.is_finished) == (3, 4, False)
    assert train(begin(), out).resumed_from == 4


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    train(begin(), out, limit=0.5, clock=Ticks())
    for other, words in ((begin(rate="0.02"), "rate=0.01 in the place of 0.02"), (begin("rootstrap"), "method=treest")):
        with pytest.raises(ConfigError, match=f"holds a run with {words}"):
            train(other, out)
    checkpoint_of(out).write_bytes(b"PK nothing")
    with pytest.raises(FailureError, match=r"cannot be read .* remove it to begin anew"):
        train(begin(), out)


def test_numbers_that_are_none_end_the_run_and_keep_the_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    wild = {"rate": "10", "games": "400"}
    train(begin(**wild), out, limit=0.5, clock=Ticks())
    before = checkpoint_of(out).read_bytes()
    with pytest.raises(FailureError, match=r"numbers that are none in step .* of 400: try a smaller rate; the last"):
        train(begin(**wild), out)
    assert checkpoint_of(out).read_bytes() == before
    assert not out.exists()


def test_a_full_disk_keeps_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "model.npz"
    train(begin(), out, limit=0.5, clock=Ticks())
    before = checkpoint_of(out).read_bytes()

    def full(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(np, "savez", full)
        with pytest.raises(SaveError, match="No space left on device; the last one is still there"):
            train(begin(), out, every=0.0)
    assert checkpoint_of(out).read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [checkpoint_of(out).name]
    with monkeypatch.context() as patched:
        patched.setattr(np, "savez_compressed", full)
        with pytest.raises(SaveError, match="model cannot be saved"):
            train(begin(), out)
    again = train(begin(), out)  # all that was missing was the model
    assert (again.resumed_from, again.is_finished) == (12, True)
    with pytest.raises(SaveError, match="there is no folder"):
        train(begin(), tmp_path / "nowhere" / "model.npz")


def test_the_card_tells_the_run_and_the_curve_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    shown: list[Progress] = []
    yardstick = Yardstick("random", games=10, looks=2)
    outcome = train(begin(), out, yardstick=yardstick, on_step=shown.append)
    assert [(each.done, each.total) for each in shown] == [(step, 12) for step in range(1, 13)]
    assert all(each.speed > 0 and each.left >= 0 and each.loss > 0 for each in shown)
    assert [int(each[0]) for each in outcome.curve.strengths] == [0, 6, 12]
    card = load(out, GAME).header.card
    assert (card["method"], card["data"], card["seeds"]) == ("treestrap", "12 games", 3)
    assert card["settings"]["rate"] == 0.01
    assert card["figures"]["updates"] > 0
    assert [each["after"] for each in card["figures"]["score against random"]] == [0, 6, 12]
    for name in ("curve.svg", "curve.csv"):
        check_plot(tmp_path / name)
        write_curve(outcome.curve, tmp_path / name, title="a run", unit="games", even=0.5)
    assert "<svg" in (tmp_path / "curve.svg").read_text()
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert (rows[0], len(rows)) == ("step,seconds,loss,strength", 13)
    assert rows[6].split(",")[3] == str(outcome.curve.strengths[1][1])
    with pytest.raises(ConfigError, match=r"--plot takes a file that ends in .png"):
        check_plot(tmp_path / "curve.doc")
    with pytest.raises(SaveError, match="cannot be written"):
        write_curve(Curve(), tmp_path / "nowhere" / "curve.csv", title="", unit="games", even=0.5)


def test_the_command_trains_a_named_model_that_plays(meeple: Run, tmp_path: Path) -> None:
    settings = [f"{key}={value}" for key, value in SETTINGS.items()]
    ran = meeple("train", "treestrap", TICTACTOE, *settings, "--out", "mine", "--against", "random", "--games", "4")
    assert ran.returncode == 0, ran.stderr
    assert "12 of 12 games in" in ran.stdout
    assert 'plays  alphabeta:depth=2,evaluation="model@mine"' in ran.stdout
    again = meeple("train", "treestrap", TICTACTOE, *settings, "--out", "mine")
    assert (again.returncode, "'mine' is there already" in again.stderr) == (2, True)
    match = meeple("match", TICTACTOE, "alphabeta:depth=2,evaluation=model@mine", "random", "-n", "4")
    assert match.returncode == 0, match.stderr


WRONG = {
    "no such method": (
        ["treestrip", TICTACTOE],
        "there is no method of training 'treestrip'; did you mean 'treestrap'",
    ),
    "no such setting": (["treestrap", TICTACTOE, "gmes=3"], "has no setting 'gmes'; did you mean 'games'"),
    "no setting at all": (["treestrap", TICTACTOE, "games"], "'games' is not key=value"),
    "no place": (["treestrap", TICTACTOE], "say where the model goes: --out FILE.npz"),
    "no agent": (["treestrap", TICTACTOE, "-o", "a.npz", "--against", "randm"], "did you mean 'random'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_words_are_told(case: str, meeple: Run) -> None:
    words, told = WRONG[case]
    ran = meeple("train", *words)
    assert (ran.returncode, told in ran.stderr) == (2, True), ran.stderr


def test_methods_and_settings_are_listed(meeple: Run) -> None:
    assert "rootstrap" in meeple("train").stdout
    listed = meeple("train", "treestrap").stdout
    assert "games     50" in listed
    assert "rate      1e-06" in listed


def test_a_yardstick_may_be_played_elsewhere() -> None:
    asked: list[tuple[str, ...]] = []

    def made(setup: Setup, is_current: Callable[[], bool]) -> Alone:
        asked.append(setup.agents)
        return Alone(setup)

    here, there = Yardstick("random", games=6), Yardstick("random", games=6, crew_for=made)
    assert there.measure(GAME, "first") == here.measure(GAME, "first")
    assert asked == [("first", "random")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--out name", "plays the matches of --against"),
        ("--out name --against random", "give --out FILE.npz, below where you are"),
    ],
)
def test_what_a_cluster_cannot_do_is_said_before_the_first_step(meeple: Run, words: str, message: str) -> None:
    ran = meeple("train", "treestrap", TICTACTOE, "games=2", *words.split(), "--backend", "ray")
    assert ran.returncode == 2
    assert message in ran.stderr
