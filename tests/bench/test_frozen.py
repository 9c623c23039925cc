"""Matches against the frozen commit: two processes, moves as text, resumed where they were stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from conftest import HOARD, ROOT, TICTACTOE
from meeple.arena.sprt import count_scores, expected_share

sys.path.insert(0, str(ROOT / "bench"))
import frozen
from frozen import THEN, TODAY, Found, Plan, Played, SideError, found_in, read_results, read_sprt, summary

PLAN = Plan("santorini", "first", "first", "", frozen.COMMIT, 1)
OURS = Plan("saboteur:players=5", "first", "first", "", frozen.COMMIT, 1, ours=1)


def played(seed: int, seating: int, share: float, seats: int = 2) -> Played:
    theirs = (1 - share) / (seats - 1)
    return Played(seed, seating, {TODAY: share, THEN: theirs}, {TODAY: 0.02, THEN: 0.01}, {TODAY: 2, THEN: 1})


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Today's source in the place of the frozen one: a test must run where there is no repository."""
    file = tmp_path_factory.mktemp("archive") / "frozen.tar"
    with tarfile.open(file, "w") as packed:
        packed.add(ROOT / "src", "src", filter=lambda one: None if "__pycache__" in one.name else one)
    return file


def test_matches_are_played_and_gone_on_with(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "bench" / "frozen.py"), TICTACTOE, "first", "--frozen", "random"]
        command += ["--archive", str(archive), "--out", str(out), "--seed", "5", *more]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ)

    ran = run("--games", "4")
    assert ran.returncode == 0, ran.stderr
    whole = out.read_text()
    assert len(whole.splitlines()) == 1 + 4
    assert "pairs 2" in ran.stdout
    # A kill has cut the last line: its game is played again, with the same end, and nothing else.
    out.write_text(whole[:-30])
    ran = run("--games", "4")
    assert ran.returncode == 0, ran.stderr
    before, after = ([json.loads(line) for line in text.splitlines()[1:]] for text in (whole, out.read_text()))
    assert [(game["seed"], game["seating"], game["shares"]) for game in after] == [
        (game["seed"], game["seating"], game["shares"]) for game in before
    ]
    # Games of other settings are not mixed in.
    ran = run("--games", "4", "--cpu", "1ms")
    assert ran.returncode == 1
    assert "other settings" in ran.stderr


def test_one_of_ours_takes_every_seat_in_turn(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = [sys.executable, str(ROOT / "bench" / "frozen.py"), f"{HOARD}:players=3", "random", "--frozen", "first"]
    command += ["--archive", str(archive), "--out", str(out), "--seed", "5", "--games", "4", "--ours", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    assert ran.returncode == 0, ran.stderr
    plan, *games = [json.loads(line) for line in out.read_text().splitlines()]
    assert plan["ours"] == 1
    assert [(game["seed"], game["seating"]) for game in games] == [(seed, seat) for seed in (5, 6) for seat in range(3)]
    # A seat of ours and two of theirs share one victory.
    assert all(game["shares"][TODAY] + 2 * game["shares"][THEN] == pytest.approx(1) for game in games)
    assert "frozen 0.333 in the same seats and seeds   ratio " in ran.stdout
    assert "sets 2" in ran.stdout


def test_the_score_is_over_whole_pairs() -> None:
    games = [played(1, 0, 1.0), played(1, 1, 1.0), played(2, 0, 0.0), played(2, 1, 1.0)]
    found = found_in(PLAN, 2, [*games, played(3, 0, 0.0), played(5, 0, 0.0), played(5, 1, 0.0)])
    assert found.scores == (1.0, 0.5)  # the third pair has no partner yet, and what comes after it waits
    assert found.games == 4
    text = summary(found)
    assert "score  0.750" in text
    assert "pairs 2" in text
    assert "10.0 ms a move today, 10.0 ms frozen" in text


def test_beyond_two_seats_the_score_is_what_ones_seats_have_more() -> None:
    game = Played(1, 0, {TODAY: 0.5, THEN: 0.25}, {TODAY: 0.0, THEN: 0.0}, {TODAY: 1, THEN: 1})
    assert PLAN.score(game) == 0.625
    assert PLAN.score(played(1, 0, 1.0)) == 1.0  # of two seats the win share
    assert PLAN.owners(0, 4) == [TODAY, THEN, TODAY, THEN]
    assert PLAN.owners(1, 4) == [THEN, TODAY, THEN, TODAY]


def test_the_share_of_one_seat_is_compared_with_an_even_one() -> None:
    assert OURS.owners(3, 5) == [THEN, THEN, THEN, TODAY, THEN]
    wins = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]  # one of the first seed's five, two of the second's
    found = found_in(OURS, 5, [played(1 + i // 5, i % 5, share, 5) for i, share in enumerate(wins)])
    assert found.scores == pytest.approx((0.2, 0.4))
    text = summary(found)
    assert text.startswith("share  0.300 (")
    assert "frozen 0.200 in the same seats and seeds   ratio 1.50 (" in text
    assert text.splitlines()[0].endswith("sets 2")


def test_a_sequential_test_of_a_share_ends_the_match() -> None:
    sprt = read_sprt("0.75", 2)
    assert [round(expected_share(elo), 9) for elo in (sprt.elo0, sprt.elo1)] == [0.7, 0.75]
    assert (read_sprt("0.5,0.75", 2).elo0, read_sprt("0.2,0.26", 5).elo0) == (0.0, pytest.approx(0.0))

    def after(n: int, *pair: float) -> Found:
        games = [played(seed, seating, share) for seed in range(1, n + 1) for seating, share in enumerate(pair)]
        return found_in(PLAN, 2, games, sprt)

    # All won, or all lost: it ends after the first look that says so, and pairs beyond do not count.
    won, lost = after(200, 1.0, 1.0), after(200, 0.0, 0.0)
    assert (won.verdict, lost.verdict) == ("H1", "H0")
    for found in (won, lost):
        n = len(found.scores)
        assert n % 4 == 0
        assert n < 200
        assert sprt.look(count_scores(found.scores[: n - 4])).verdict == "go on"
    assert "SPRT   0.750 rather than 0.700" in summary(won, sprt)
    assert "SPRT   0.700 rather than 0.750" in summary(lost, sprt)
    few = after(3, 1.0, 0.5)
    assert few.verdict == "go on"
    assert "SPRT   undecided" in summary(few, sprt)
    for text in ("soon", "1.5", "0.8,0.7", "0.1,0.2,0.3", "0.04"):
        with pytest.raises(ValueError, match=r"soon|--sprt takes SHARE"):
            read_sprt(text, 2)


def test_a_decided_match_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.jsonl"
    games = [played(seed, seating, 1.0) for seed in range(1, 61) for seating in (0, 1)]
    out.write_text("".join(json.dumps(asdict(each)) + "\n" for each in (PLAN, *games)))
    words = ["santorini", "first", "--frozen", "first", "--cpu", "0", "--seed", "1", "--games", "4000"]
    # The archive is not there: nothing may be played.
    kept = tmp_path / "kept.jsonl"
    given = ["--sprt", "0.75", "--archive", "nowhere.tar", "--out", str(out), "--keep", str(kept)]
    assert frozen.main([*words, *given]) == 0
    assert "0.750 rather than 0.700" in capsys.readouterr().out
    (row,) = [json.loads(line) for line in kept.read_text().splitlines()]
    assert (row["score"], row["sprt"]) == (1.0, "H1")
    assert frozen.main([*words, "--archive", "nowhere.tar", "--out", str(out)]) == 1


def test_results_of_another_plan_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read_results(file, PLAN) == []
    assert read_results(file, PLAN) == []
    with pytest.raises(SideError, match="other settings"):
        read_results(file, replace(PLAN, ours=1))
    with pytest.raises(SideError, match="other settings"):
        read_results(file, Plan("azul", "first", "first", "", frozen.COMMIT, 1))


def test_a_frozen_agent_is_named_for_every_game() -> None:
    from meeple.core.registry import game_names

    assert set(frozen.FROZEN) == set(game_names())


def test_results_are_kept_without_their_games_for_the_page(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"

    def kept() -> list[dict[str, object]]:
        return [json.loads(line) for line in file.read_text().splitlines()]

    games = [played(1, 0, 1.0), played(1, 1, 0.5), played(2, 0, 1.0), played(2, 1, 1.0)]
    frozen.keep(file, found_in(PLAN, 2, games[:2]))
    ours = found_in(OURS, 5, [played(1, seat, 0.4, 5) for seat in range(5)])
    frozen.keep(file, ours)
    first, second = kept()
    assert (first["games"], first["score"], first["used"]) == (2, 0.75, [10.0, 10.0])
    assert (second["games"], second["score"], second["ratio"]) == (5, 0.4, 2.0)
    # The same match again, with more games: its line is replaced, and what a person noted stays.
    file.write_text("".join(json.dumps(row | {"note": "mine"}) + "\n" for row in (first, second)))
    frozen.keep(file, found_in(PLAN, 2, games))
    assert [(row["games"], row["note"]) for row in kept()] == [(4, "mine"), (5, "mine")]
    sys.path.insert(0, str(ROOT / "docs"))
    import strength

    cells = [strength.cells(row) for row in kept()]
    assert cells[0][2:5] == [
        "own limits (10.0 and 10.0 ms)",
        "0.875 ({low:.3f} .. {high:.3f}, 98%)".format(**kept()[0]),
        "4",
    ]
    assert cells[1][3].endswith("98%), 2.00 times the frozen agent's")


def test_files_of_before_are_gone_on_with(tmp_path: Path) -> None:
    # They had no word for the seats of ours, and called the seating of a pair `exchanged`.
    file = tmp_path / "results.jsonl"
    plan = {name: value for name, value in asdict(PLAN).items() if name != "ours"}
    row = {name: value for name, value in asdict(played(1, 1, 1.0)).items() if name != "seating"}
    file.write_text(json.dumps(plan) + "\n" + json.dumps(row | {"exchanged": True}) + "\n")
    assert read_results(file, PLAN) == [played(1, 1, 1.0)]
