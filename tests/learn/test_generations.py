"""The generations of a run in their folder: their ladder, how it goes on, its picture, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE, Run
from meeple import load_game
from meeple.errors import ConfigError, FailureError, TrustError
from meeple.learn.duels import FIRST, GATE, REFERENCE, Duel, as_rows, from_rows
from meeple.learn.generations import Ladder, find_folder, folder_of, make_ladder, read_run, write_run
from meeple.learn.ladder_plot import write_ladder
from meeple.learn.methods import prepare_training
from meeple.learn.net import Net
from meeple.learn.selfplay import SelfPlay

GAME = load_game(TICTACTOE)
TOLD = {"seed": 3, "teacher": "greedy", "first": "greedy", "reference": "random"}
GATED = Duel(GATE, 1, FIRST, 0, ((1.0, -1.0), (0.0, 0.0)))


@pytest.fixture(scope="module")
def taught() -> SelfPlay:
    """A run whose one network has learnt tic-tac-toe."""
    settings = {"teacher": "alphabeta:depth=2", "generations": "1", "games": "400", "batches": "600", "gate": "2"}
    settings |= {"hidden": "16", "rate": "0.01", "batch": "64", "stray": "0.5", "every": "1", "reference_games": "0"}
    training = prepare_training("selfplay", GAME, settings)
    assert isinstance(training, SelfPlay)
    while training.done < training.total - 1:
        training.step()
        training.done += 1
    return training


def write(folder: Path, taught: SelfPlay) -> Path:
    """A run of three generations: one that wants to lose, one that knows nothing, one that has learnt."""
    good = taught.net
    bad = Net(taught.features, 16, np.random.default_rng(0))
    bad.flat[:] = good.flat
    last = slice(-17, None)  # the last layer and its bias: turned round, a loss looks like a win
    bad.flat[last] *= -1.0
    plain = Net(taught.features, 16, np.random.default_rng(5))
    plain.flat[last] = 0.0  # all positions are worth the same
    networks = [net.model(GAME, taught.features_name, {}) for net in (bad, plain, good)]
    write_run(folder, GAME, TOLD, [1, 3], networks, [GATED])
    return folder


def ladder_of(folder: Path, games: int = 60) -> Ladder:
    return make_ladder(read_run(folder, GAME), games=games)


def test_the_ladder_orders_known_strengths(taught: SelfPlay, tmp_path: Path) -> None:
    ladder = ladder_of(write(tmp_path / "run", taught))
    assert ladder.rungs[0].player == 3
    rungs = {rung.player: rung for rung in ladder.rungs}
    assert set(rungs) == {FIRST, REFERENCE, 1, 2, 3}
    assert rungs[REFERENCE].rating.elo == 0.0
    # Without knowledge `greedy` still sees wins at once; turned round, it takes these and throws away the rest. They
    # were found at +322, +168 and -12, each with an error of 30.
    assert rungs[3].rating.low > rungs[2].rating.elo
    assert rungs[2].rating.low > max(0.0, rungs[1].rating.high)
    assert [rungs[number].is_champion for number in (1, 2, 3)] == [True, False, True]
    # Ten pairs of 60 games, and the gate's two.
    assert ladder.games == 602
    assert sum(rung.rating.games for rung in ladder.rungs) == 2 * ladder.games


def test_a_stopped_ladder_goes_on_to_the_same(taught: SelfPlay, tmp_path: Path) -> None:
    whole, broken = (write(tmp_path / name, taught) for name in ("whole", "broken"))
    wanted = ladder_of(whole, 8).as_json()

    def stop(done: int, total: int) -> None:
        assert total == 40
        if done == 13:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_ladder(read_run(broken, GAME), games=8, on_set=stop)
    assert not (broken / "ladder.json").exists()
    lines = (broken / "ladder.jsonl").read_text().splitlines()
    assert len(lines) == 13
    (broken / "ladder.jsonl").write_text("\n".join(lines)[:-9])  # killed while it wrote the last one
    assert ladder_of(broken, 8).as_json() == wanted
    for name in ("ladder.json", "ladder.jsonl"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()


def test_more_games_are_added_and_fewer_are_told_as_before(taught: SelfPlay, tmp_path: Path) -> None:
    folder = write(tmp_path / "run", taught)
    few = ladder_of(folder, 4).as_json()
    seen: list[int] = []
    more = make_ladder(read_run(folder, GAME), games=8, on_set=lambda done, total: seen.append(total))
    assert more.games == few["games"] + 40
    lines = (folder / "ladder.jsonl").read_text()
    assert ladder_of(folder, 4).as_json() == few
    assert (folder / "ladder.jsonl").read_text() == lines


def test_by_the_games_of_the_run_alone(taught: SelfPlay, tmp_path: Path) -> None:
    ladder = ladder_of(write(tmp_path / "run", taught), 0)
    # Only the gate is there: the reference has met nobody, and one set tells no error.
    assert (ladder.games, {rung.player for rung in ladder.rungs}) == (2, {FIRST, 1})
    assert all(each["low"] is None for each in ladder.as_json()["players"])
    assert json.loads((tmp_path / "run" / "ladder.json").read_text()) == ladder.as_json()


def test_another_run_leaves_nothing_of_the_last_one(taught: SelfPlay, tmp_path: Path) -> None:
    folder = write(tmp_path / "run", taught)
    ladder_of(folder, 2)
    write_run(folder, GAME, TOLD, [], [taught.net.model(GAME, taught.features_name, {})], [])
    assert sorted(file.name for file in folder.iterdir()) == ["generation-1.npz", "run.json"]


def test_the_picture_is_the_same_byte_for_byte(taught: SelfPlay, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ladder = ladder_of(write(tmp_path / "run", taught), 4)
    for name in ("one.svg", "two.svg", "one.png", "table.csv"):
        write_ladder(ladder, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    rows = (tmp_path / "table.csv").read_text().splitlines()
    assert rows[0] == "player,generation,champion,elo,low,high,games"
    assert [row.partition(",")[0] for row in rows[1:]][-1] == "generation 3"


def test_sets_as_rows_there_and_back() -> None:
    duels = [GATED, Duel("reference", 2, REFERENCE, 7, ((-1.0, 1.0), (0.5, -0.5)))]
    assert list(from_rows(as_rows(duels, 2), 2)) == duels
    assert as_rows([], 3).shape == (0, 13)
    assert GATED.shares == [1.0, 0.5]
    assert GATED.results(str) == [(("1", "-1"), (1, 2)), (("-1", "1"), (1, 1))]
    three = Duel(GATE, 1, REFERENCE, 0, ((-1.0, 1.0, -1.0),) * 3).results(str)
    assert three[1] == (("0", "1", "0"), (2, 1, 2))


def test_what_is_refused(taught: SelfPlay, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no generations"):
        read_run(tmp_path, GAME)
    folder = write(tmp_path / "run", taught)
    kept = json.loads((folder / "run.json").read_text())
    for changed, error, words in (
        ({"rules": 99}, ConfigError, "version 99 of the rules"),
        ({"game": "azul"}, ConfigError, "holds generations of azul"),
        ({"champions": 3}, FailureError, "cannot be read"),
        ({"duels": [{"purpose": "gate"}]}, FailureError, "cannot be read"),
        ({"reference": "./mine.py:Mine"}, TrustError, "runs the code in"),
    ):
        (folder / "run.json").write_text(json.dumps(kept | changed))
        with pytest.raises(error, match=words):
            read_run(folder, GAME)
    assert read_run(folder, GAME, trust=True).reference == "./mine.py:Mine"


def test_the_folder_is_found_by_the_models_name_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert find_folder(GAME, "mine") == tmp_path / "models" / "tictactoe" / "mine-generations"
    assert find_folder(GAME, "some/mine.npz") == folder_of(Path("some/mine.npz")) == Path("some/mine-generations")
    (tmp_path / "here").mkdir()
    assert find_folder(GAME, "here") == Path("here")


def test_a_run_ends_with_its_ladder_and_the_command_tells_it_again(meeple: Run, tmp_path: Path) -> None:
    words = ["teacher=alphabeta:depth=1", "generations=2", "games=20", "batches=20", "gate=4", "hidden=8"]
    words += ["reference_games=4", "--reference", "random", "--ladder", "4", "--out", "mine.npz", "--json"]
    ran = meeple("train", "selfplay", TICTACTOE, *words)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)["ladder"]
    assert {each["player"] for each in told["players"]} == {
        "random", "alphabeta:depth=1", "generation 1", "generation 2"
    }  # fmt: skip
    again = meeple("generations", TICTACTOE, "mine.npz", "--games", "4", "--json")
    assert json.loads(again.stdout) == told
    shown = meeple("generations", TICTACTOE, "mine-generations", "-n", "4", "--plot", "ladder.csv")
    assert shown.stdout.splitlines()[-1] == f"tictactoe: {told['games']} games; 0 is random"
    assert (tmp_path / "ladder.csv").is_file()
    wrong = meeple("generations", TICTACTOE, "nothing.npz")
    assert (wrong.returncode, "holds no generations" in wrong.stderr) == (2, True)
    other = meeple("train", "rootstrap", TICTACTOE, "--reference", "random", "--out", "x")
    assert (other.returncode, "rootstrap has no generations" in other.stderr) == (2, True)
