"""A grid over settings: all combinations, the best kept with its card, stopped and gone on with, faults in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from conftest import TICTACTOE, Run
from meeple import load_game
from meeple.errors import ConfigError
from meeple.learn.grid import Cell, best_of, part_of, read_grid, train_grid
from meeple.learn.methods import prepare_training
from meeple.learn.run import Progress
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.file import load

GAME = load_game(TICTACTOE)
SETTINGS = {"games": "4", "depth": "2", "win": "1", "seed": "3"}
CELLS = [{"rate": "0.01", "depth": "1"}, {"rate": "0.01", "depth": "2"}, {"rate": "0", "depth": "1"}]


def begin(values: Mapping[str, str]) -> Training:
    return prepare_training("treestrap", GAME, SETTINGS | dict(values))


def test_all_combinations_in_order() -> None:
    found = read_grid(["kernel=2,3", "padding=0,1"], {"rate": "1"})
    assert found == [
        {"kernel": "2", "padding": "0"},
        {"kernel": "2", "padding": "1"},
        {"kernel": "3", "padding": "0"},
        {"kernel": "3", "padding": "1"},
    ]
    for words, given, fault in (
        (["kernel"], {}, "--grid takes a setting and different values of it, key=a,b, not 'kernel'"),
        (["kernel=2"], {}, "not 'kernel=2'"),
        (["kernel=2,"], {}, "not 'kernel=2,'"),
        (["kernel=2,2"], {}, "not 'kernel=2,2'"),
        (["kernel=2,3", "kernel=4,5"], {}, "'kernel' is given twice"),
        (["kernel=2,3"], {"kernel": "2"}, "'kernel' is given twice"),
        (["a=" + ",".join(map(str, range(101)))], {}, "this grid is of 101 runs; 100 are the most"),
    ):
        with pytest.raises(ConfigError, match=fault):
            read_grid(words, given)


def test_the_best_is_by_score_then_by_loss() -> None:
    by_score = [Cell({"a": "1"}, 0.1, 0.5), Cell({"a": "2"}, 0.9, 0.7), Cell({"a": "3"}, 0.2, 0.7)]
    assert best_of(by_score).values == {"a": "3"}
    assert best_of([Cell({"a": "1"}, 0.3, None), Cell({"a": "2"}, 0.2, None)]).values == {"a": "2"}


def test_the_best_model_is_kept_and_its_card_tells_of_all(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    found = train_grid(GAME, begin, CELLS, out, yardstick=Yardstick("random", games=8, looks=1))
    assert [cell.values for cell in found] == CELLS
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]
    card = load(out, GAME).header.card
    assert card["grid"]["won"] == best_of(found).values
    assert card["grid"]["by"] == "score"
    assert card["grid"]["runs"] == [cell.as_card() for cell in found]
    assert {key: str(card["settings"][key]) for key in ("depth",)} == {"depth": best_of(found).values["depth"]}
    # Each run is what it is alone.
    alone = tmp_path / "alone.npz"
    train_grid(GAME, begin, [best_of(found).values], alone)
    for name, array in load(alone, GAME).arrays.items():
        assert array.tolist() == load(out, GAME).arrays[name].tolist()


def test_stopped_it_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"
    steps: list[tuple[int, int]] = []

    def pressed(number: int, progress: Progress) -> None:
        steps.append((number, progress.done))
        if (number, progress.done) == (2, 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grid(GAME, begin, CELLS, out, on_step=pressed)
    assert part_of(out, 1).exists()
    assert not out.exists()
    again: list[tuple[int, int]] = []

    def note(number: int, progress: Progress) -> None:
        again.append((number, progress.done))

    whole = tmp_path / "whole.npz"
    assert train_grid(GAME, begin, CELLS, out, on_step=note) == train_grid(GAME, begin, CELLS, whole)
    assert again[0] == (2, 4)  # neither the first run nor the first steps of the second
    assert load(out, GAME).header.card["grid"] == load(whole, GAME).header.card["grid"]


def test_no_time_leaves_runs_for_later(tmp_path: Path) -> None:
    class Ticks:
        now = 0.0

        def __call__(self) -> float:
            self.now += 1.0
            return self.now

    out = tmp_path / "model.npz"
    assert train_grid(GAME, begin, CELLS, out, limit=0.5, clock=Ticks()) == []
    assert not out.exists()
    assert len(train_grid(GAME, begin, CELLS, out)) == 3


def test_files_of_other_runs_and_refused_values_are_told(tmp_path: Path) -> None:
    out = tmp_path / "model.npz"

    def interrupt(number: int, progress: Progress) -> None:
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grid(GAME, begin, CELLS, out, on_step=interrupt)
    with pytest.raises(ConfigError, match=r"run1\.npz' is of another run: remove it, or give another --out"):
        train_grid(GAME, begin, CELLS[1:], out)
    with pytest.raises(ConfigError, match="has played no match against random"):
        train_grid(GAME, begin, CELLS, out, yardstick=Yardstick("random", games=2, looks=1))
    ran: list[Any] = []
    with pytest.raises(ConfigError, match="depth"):
        train_grid(GAME, begin, [CELLS[0], {"depth": "0"}], tmp_path / "x.npz", on_step=lambda *at: ran.append(at))
    assert not ran  # refused before the first run


def test_the_command(meeple: Run, tmp_path: Path) -> None:
    words = ["train", "treestrap", TICTACTOE, "games=2", "depth=1", "--out", "best.npz"]
    ran = meeple(*words, "--grid", "rate=0.001,0.01", "--grid", "win=1,2", "--json")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert [run["rate"] for run in told["runs"]] == ["0.001", "0.001", "0.01", "0.01"]
    assert told["won"].keys() == {"rate", "win"}
    assert (tmp_path / "best.npz").exists()
    ran = meeple(*words, "--force", "--grid", "rate=0.001,0.01", "--plot", "curve.png")
    assert (ran.returncode, "--plot draws one run" in ran.stderr) == (2, True)
