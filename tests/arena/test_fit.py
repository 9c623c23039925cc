"""`meeple levels --fit`: the way up, the sets of a log, and a whole fit of a small roster."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from meeple.agents.registry import load_agent
from meeple.arena import fit as fitting
from meeple.arena.fit import Fit, Purse
from meeple.arena.pairs import OutOfTime, Pair, PairLog, PairPlayer, PlayedSet, interval_of, play_set
from meeple.arena.table_fit import TableFit, shown_only
from meeple.arena.way import SINGLE, Way
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.core.roster import Level, Levels, Roster, Rung, read_levels, written_levels
from meeple.errors import ConfigError


@pytest.fixture(scope="module")
def santorini() -> Game:
    return load_game("santorini")


# --- rungs and the way


def test_a_rung_multiplies_its_number_by_equal_steps() -> None:
    rung = Rung("mcts:iterations={}", 100, 10_000)
    assert [rung.at(x) for x in (0.0, 0.5, 1.0)] == [f"mcts:iterations={n}" for n in (100, 1000, 10000)]
    assert Rung("overlooking:sees={}", 2.0, 8.0).at(0.5) == "overlooking:sees=4"
    assert Rung("greedy").at(0.3) == "greedy"


def test_a_way_goes_from_the_first_agent_to_the_last() -> None:
    way = Way([Rung("a:n={}", 1, 100), Rung("b"), Rung("c:n={}", 10, 1000)])
    assert way.end == 2 + SINGLE
    assert [way.place(t).spec for t in (-1.0, 0.0, 0.5, 1.01, 1.02, 9.0)] == [
        "a:n=1",
        "a:n=1",
        "a:n=10",
        "b",
        "c:n=10",
        "c:n=1000",
    ]
    with pytest.raises(ConfigError, match="no rungs"):
        Way([])


# --- sets of games and their file


def a_set(seed: int, share: float = 0.5, seconds: float = 0.1) -> PlayedSet:
    return PlayedSet("a", "b", seed, share, 3.0, 2, seconds)


def test_a_set_has_every_seat_and_an_agent_against_itself_one_game(santorini: Game) -> None:
    first, other = (load_agent(spec, santorini) for spec in ("first", "random"))
    found = play_set(santorini, first, other, 5)
    assert (found.pair, found.seed, found.games) == (Pair("first", "random"), 5, 2)
    assert play_set(santorini, first, first, 5).games == 1
    again = play_set(santorini, first, other, 5)
    assert replace(again, seconds=0) == replace(found, seconds=0)


def test_a_log_is_read_again_and_a_line_cut_short_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with PairLog(path) as log:
        log.add(a_set(1))
        log.add(a_set(2))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"one": "a", "oth')
    with PairLog(path) as log:
        assert log.sets(Pair("a", "b"), range(5)) == [a_set(1), a_set(2)]
        assert (log.n_games, log.seconds) == (4, 0.2)
        log.add(a_set(3))
    assert path.read_bytes().startswith(whole)
    with PairLog(path) as log:
        assert log.n_games == 6


def test_a_log_is_written_by_one_run_and_refused_where_it_is_none(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with PairLog(path), pytest.raises(ConfigError, match="another run"):
        PairLog(path)
    path.write_text("what\n")
    with pytest.raises(ConfigError, match="line 1 of"):
        PairLog(path)


def test_what_is_known_is_not_played_again_and_time_that_is_over_ends_it(santorini: Game, tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        player = PairPlayer(santorini, log)
        pair = player.pair("first", "random")
        player.play([(pair, 1), (pair, 2), (pair, 1)])
        assert sorted(log.known[pair]) == [1, 2]
        late = PairPlayer(santorini, log, deadline=time.monotonic())
        late.play([(pair, 2)])
        with pytest.raises(OutOfTime):
            late.play([(pair, 2), (pair, 3)])


def test_processes_play_the_same_sets(santorini: Game, tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        with PairLog(tmp_path / str(jobs)) as log, PairPlayer(santorini, log, jobs=jobs) as player:
            pair = player.pair("overlooking:sees=2", "random")
            player.play([(pair, seed) for seed in range(3)])
            found.append([replace(each, seconds=0) for each in log.sets(pair, range(3))])
    assert found[0] == found[1]


# --- the fit


class Fake(PairPlayer):
    """Plays by a formula: agent `n` has the Elo 400 log10 n, and every set has the expected score."""

    def __init__(self, game: Game, log: PairLog, seconds: float = 0.1) -> None:
        super().__init__(game, log)
        self.asked: list[tuple[Pair, int]] = []
        self.seconds, self.most = seconds, math.inf

    def pair(self, one: str, other: str) -> Pair:
        return Pair(one, other)

    def play(self, wanted):  # type: ignore[no-untyped-def]
        for pair, seed in wanted:
            if seed not in self.log.known[pair]:
                if len(self.asked) >= self.most:
                    raise OutOfTime
                self.asked.append((pair, seed))
                one, other = _strength(pair.one), _strength(pair.other)
                self.log.add(PlayedSet(*vars(pair).values(), seed, one / (one + other), 7.0, 2, self.seconds))


def _strength(spec: str) -> float:
    return 5000.0 if "time" in spec else float(spec.removeprefix("n="))


def fake_fit(santorini: Game, log: PairLog, roster: Roster, **given: float) -> Fit:
    found = Fit(Fake(santorini, log, **given), roster, games=300, seed=1)
    found.top = "time"
    return found


def test_levels_lie_a_step_apart_up_to_the_strongest(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))
    with PairLog(tmp_path / "log") as log:
        found = fake_fit(santorini, log, roster).run().levels
    # 400 log10 5000 = 1480 Elo: six or seven steps of 215, of which those below the strongest are found by the secant.
    steps = [b.elo - a.elo for a, b in pairwise(found)]
    assert found[0].spec == "n=1"
    assert 7 <= len(found) <= 9
    assert all(150 <= step <= 301 for step in steps), steps
    assert found[-1].elo == pytest.approx(1480, abs=15)  # half a set of even games pulls each step down a little
    assert found[1].games == 300
    assert found[1].points == 7.0


def test_samples_and_measurements_have_seeds_of_their_own(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))
    with PairLog(tmp_path / "log") as log:
        fit = fake_fit(santorini, log, roster)
        levels = fit.run().levels
        measured = {Pair(one.spec, other.spec) for other, one in pairwise(levels[:-1])}
        sampled = {pair for pair in log.known if pair.one != pair.other and "time" not in pair.one} - measured
        assert {seed // fitting.BLOCK for pair in sampled for seed in log.known[pair]} == {0}
        for pair in measured:
            assert sum(seed // fitting.BLOCK == 1 for seed in log.known[pair]) == 150  # sets of two games


def test_an_interrupted_fit_ends_as_one_that_was_not(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))
    with PairLog(tmp_path / "whole") as log:
        whole = fake_fit(santorini, log, roster).run()
        n_sets = sum(len(sets) for sets in log.known.values())
    for most in (10, n_sets // 3, n_sets - 20):  # sets in all: in the first sample, at a later one, while measuring
        with PairLog(tmp_path / "parts") as log:
            fit = fake_fit(santorini, log, roster)
            fit.player.most = most - sum(len(sets) for sets in log.known.values())  # type: ignore[attr-defined]
            with pytest.raises(OutOfTime):
                fit.run()
    assert fit.found is not None  # out of time while measuring: all levels are known, by fewer games
    assert [level.spec for level in fit.found.levels] == [level.spec for level in whole.levels]
    with PairLog(tmp_path / "parts") as log:
        assert fake_fit(santorini, log, roster).run() == whole


def test_a_gap_without_agents_stays_and_does_not_end_the_way(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n=1"), Rung("n=20"), Rung("n=100"), Rung("n=600")))
    with PairLog(tmp_path / "log") as log:
        found = fake_fit(santorini, log, roster).run().levels
    assert [level.spec for level in found[:4]] == ["n=1", "n=20", "n=100", "n=600"]


def test_an_agent_that_is_hardly_stronger_is_no_level(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n=1"), Rung("n=1.5"), Rung("n=4"), Rung("n=4000")))
    with PairLog(tmp_path / "log") as log:
        found = fake_fit(santorini, log, roster).run().levels
    # 4000 is 17 Elo below the strongest, and 4 is 241 above 1.
    assert [level.spec for level in found[:2]] == ["n=1", "n=4"]
    assert "n=4000" not in [level.spec for level in found]


def test_slow_pairs_get_fewer_games(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))
    with PairLog(tmp_path / "log") as log:
        levels = fake_fit(santorini, log, roster, seconds=10.0).run().levels  # a set: 24 of them in 240 s
    assert {level.games for level in levels[1:]} == {48}
    with PairLog(tmp_path / "slow") as log:
        fit = fake_fit(santorini, log, roster, seconds=10_000.0)
        assert fit.measuring == Purse(20, 240.0)
        assert {level.games for level in fit.run().levels[1:]} == {20}


def test_a_fit_of_real_agents_writes_what_it_measured(
    santorini: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "ROUNDS", 1)
    roster = Roster(strongest="greedy", rungs=(Rung("overlooking:sees={}", 1.0, 12.0),))
    with PairLog(tmp_path / "log") as log, PairPlayer(santorini, log) as player:
        fit = Fit(player, roster, games=30, seed=1)
        fit.top = "greedy"
        found = fit.run()
    assert found.levels[0].spec == "overlooking:sees=1"
    assert len(found.levels) >= 3
    assert found.levels[1].score is not None
    assert found.levels[1].score > 0.5
    path = tmp_path / "levels.json"
    path.write_text(written_levels(found), encoding="utf-8")
    assert read_levels(path) == found


# --- the strongest alone


def three_levels(**last: float) -> Levels:
    rows = (Level(spec="n=1", elo=0), Level(spec="n=4", elo=241, score=0.8, games=300), Level(spec="n=9", **last))
    return Levels(version=1, seats=2, seed=1, levels=rows)


def test_a_new_strongest_is_measured_against_the_level_below_and_the_others_stay(
    santorini: Game, tmp_path: Path
) -> None:
    known = three_levels(elo=300, score=0.6, games=40)
    with PairLog(tmp_path / "log") as log:
        fit = fake_fit(santorini, log, Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),)))
        found = fit.measure_top(known)
        assert set(log.known) == {Pair("time", "n=4"), Pair("time", "time")}
    assert found.levels[:2] == known.levels[:2]
    top = found.levels[2]
    # 400 log10 (5000 / 4) is 1239 Elo above the level below; half a set of even games pulls it down.
    assert (top.elo, top.games, top.self_games) == (pytest.approx(241 + 1239, abs=200), 300, 60)
    assert top.score == pytest.approx(5000 / 5004, abs=0.001)


def test_a_measure_of_the_strongest_goes_on_where_it_was(santorini: Game, tmp_path: Path) -> None:
    roster = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))
    with PairLog(tmp_path / "whole") as log:
        whole = fake_fit(santorini, log, roster).measure_top(three_levels())
    with PairLog(tmp_path / "parts") as log:
        fit = fake_fit(santorini, log, roster)
        fit.player.most = 60  # type: ignore[attr-defined]
        with pytest.raises(OutOfTime):
            fit.measure_top(three_levels())
        assert fit.found is not None
        assert 20 <= fit.found.levels[2].games < 300
    with PairLog(tmp_path / "parts") as log:
        assert fake_fit(santorini, log, roster).measure_top(three_levels()) == whole


# --- some levels anew

UNEVEN = Levels(
    version=1,
    seats=2,
    seed=1,
    levels=(
        Level(spec="n=1", elo=0, points=3.0, self_games=60),
        Level(spec="n=4", elo=241, score=0.8, low=0.75, high=0.85, games=299, points=4.0, self_games=59),
        Level(spec="n=5", elo=280, score=0.55, low=0.5, high=0.6, games=300, points=5.0, self_games=60),
        Level(spec="n=200", elo=920, score=0.97, low=0.9, high=1.0, games=20, points=6.0, self_games=60),
        Level(spec="mcts:time=2s", elo=1400, score=0.96, low=0.9, high=1.0, games=20, measured_as="time"),
    ),
)
WHOLE_WAY = Roster(strongest="mcts", rungs=(Rung("n={}", 1.0, 1000.0),))


def test_uneven_steps_are_mended_and_the_others_stay_as_they_were_measured(santorini: Game, tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        found = fake_fit(santorini, log, WHOLE_WAY).mend(UNEVEN).levels
        assert not log.known[Pair("n=4", "n=1")]
        assert not log.known[Pair("n=1", "n=1")]
    assert found[:2] == UNEVEN.levels[:2]
    assert "n=5" not in [level.spec for level in found]
    steps = [b.elo - a.elo for a, b in pairwise(found)]
    assert all(150 <= step <= 301 for step in steps), steps
    # What was measured before is added up as it was; the rest is 400 log10 (5000 / 4) above Level 2.
    assert found[-1].elo == pytest.approx(241 + 1239, abs=15)
    assert found[2].games == 300


def test_even_levels_are_kept_without_a_game(santorini: Game, tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        even = fake_fit(santorini, log, WHOLE_WAY).run()
        top = replace(even.levels[-1], spec="mcts:time=2s", measured_as="time")
    known = replace(even, levels=(*even.levels[:-1], top))
    with PairLog(tmp_path / "other") as log:
        found = fake_fit(santorini, log, WHOLE_WAY).mend(known)
        assert log.n_games == 0
    assert found.levels[:-1] == known.levels[:-1]
    assert (found.levels[-1].elo, found.levels[-1].points) == (top.elo, top.points)


def test_a_mend_goes_on_where_it_was(santorini: Game, tmp_path: Path) -> None:
    with PairLog(tmp_path / "whole") as log:
        whole = fake_fit(santorini, log, WHOLE_WAY).mend(UNEVEN)
    with PairLog(tmp_path / "parts") as log:
        fit = fake_fit(santorini, log, WHOLE_WAY)
        fit.player.most = 400  # type: ignore[attr-defined]
        with pytest.raises(OutOfTime):
            fit.mend(UNEVEN)
    with PairLog(tmp_path / "parts") as log:
        assert fake_fit(santorini, log, WHOLE_WAY).mend(UNEVEN) == whole


def test_a_level_that_stands_on_no_rung_cannot_be_mended(santorini: Game, tmp_path: Path) -> None:
    way = Way([Rung("a:n={}", 1, 100), Rung("b"), Rung("c:n={}", 10.0, 1000.0)])
    for t in (0.0, 0.5, 1.01, 1.3, way.end):
        place = way.place(t)
        assert way.place(way.find(place.spec).t).spec == place.spec
    for stranger in ("a:n=101", "a:n=", "d", "c:n=5"):
        with pytest.raises(ConfigError, match="stands on no rung"):
            way.find(stranger)
    with PairLog(tmp_path / "log") as log, pytest.raises(ConfigError, match="measured together: give --fit"):
        table_fit(log, Rung("n={}", 1.0, 100.0)).mend(UNEVEN)


# --- the file of levels


def test_levels_go_to_a_file_and_back(tmp_path: Path) -> None:
    rows = (Level(spec="greedy", elo=0), Level(spec="mcts:time=2s", elo=200, score=0.75, low=0.7, high=0.8, games=60))
    levels = Levels(version=1, seats=2, seed=5, levels=rows)
    path = tmp_path / "levels.json"
    path.write_text(written_levels(levels), encoding="utf-8")
    assert read_levels(path) == levels
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"version": 1, "seats": 2, "levels": [{"spec": 3}]}'])
def test_a_file_that_holds_no_levels_is_refused(tmp_path: Path, body: str) -> None:
    path = tmp_path / "levels.json"
    path.write_text(body)
    with pytest.raises(ConfigError, match="does not hold the levels"):
        read_levels(path)


def test_a_wrong_number_in_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    row = {"spec": "greedy", "elo": "much"}
    path.write_text(json.dumps({"version": 1, "seats": 2, "levels": [row]}))
    with pytest.raises(ConfigError, match="elo"):
        read_levels(path)


def test_the_elo_of_a_table_counts_from_its_even_share(tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        fit = Fit(Fake(load_game("saboteur"), log), Roster(strongest="mcts", rungs=(Rung("n=1"),)), games=30, seed=1)
    assert fit.elo([a_set(n, 1 / 3) for n in range(100)]) == pytest.approx(0.0)
    # 0.5 among three: odds of 2 to 1 against an even share, 120 Elo.
    assert fit.elo([a_set(n, 0.5) for n in range(1000)]) == pytest.approx(120.4, abs=0.3)
    assert interval_of([a_set(n, 0.5) for n in range(10)]).mean == 0.5


# --- a fit for more than two, at one table


class FakeTable(Fake):
    """Agent `n` takes n shares where each of the two companions takes one, at every deal alike."""

    def play(self, wanted):  # type: ignore[no-untyped-def]
        for pair, seed in wanted:
            if seed not in self.log.known[pair]:
                one, other = _strength(pair.one), _strength(pair.other)
                self.log.add(PlayedSet(pair.one, pair.other, seed, one / (one + 2 * other), 7.0, 3, self.seconds))


def table_fit(log: PairLog, *rungs: Rung) -> TableFit:
    roster = Roster(strongest="mcts", rungs=rungs, table="n=1", step=80)
    fit = TableFit(FakeTable(load_game("saboteur"), log), roster, games=600, seed=1)
    fit.top = "n=12"
    return fit


def test_levels_at_a_table_lie_a_step_apart_and_are_compared_on_the_same_deals(tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        found = table_fit(log, Rung("n={}", 0.25, 1.0), Rung("n=1"), Rung("n={}", 1.1, 8.0)).run()
        assert {pair.other for pair in log.known if pair.one != pair.other} == {"n=1"}
        measured = [sets for pair, sets in log.known.items() if pair.other == "n=1" and 1 + fitting.BLOCK in sets]
    levels = found.levels
    # From 400 log10(0.25) = -241 to 400 log10(12) = +432 there are eight steps of 80 and a little.
    steps = [b.elo - a.elo for a, b in pairwise(levels)]
    assert 7 <= len(steps) <= 10
    assert all(56 <= step <= 112 for step in steps), steps
    assert all(level.more_low > 0 for level in levels[1:])
    assert len(measured) >= len(levels) - 1
    assert found.table == "n=1"
    assert levels[0].score == pytest.approx(0.25 / 2.25, abs=0.001)
    assert levels[0].more is None
    assert levels[1].more == pytest.approx(levels[1].score - levels[0].score, abs=0.002)


def test_a_step_at_a_table_that_is_not_shown_is_no_level(tmp_path: Path) -> None:
    with PairLog(tmp_path / "log") as log:
        fit = table_fit(log, Rung("n=0.2"), Rung("n=0.6"), Rung("n=0.91"))
        # Every second deal is lost, by the two upper ones not the same: 600 games do not show the step between them.
        plain = FakeTable.play

        def play(wanted):  # type: ignore[no-untyped-def]
            for pair, seed in wanted:
                if seed not in log.known[pair]:
                    plain(fit.player, [(pair, seed)])  # type: ignore[arg-type]
                    fair = log.known[pair][seed]
                    luck = (seed + len(pair.one)) % 2
                    log.known[pair][seed] = replace(fair, share=2 * fair.share * luck)

        fit.player.play = play  # type: ignore[method-assign]
        found = fit.run()
    assert "n=0.2" in [level.spec for level in found.levels]
    assert all(level.more_low > 0 for level in found.levels[1:]), found.levels


def at_table(name: str, share: float, more: float | None = None) -> Level:
    """A level whose share and step are known to a tenth."""
    low, high = (None, None) if more is None else (round(more - 0.1, 3), round(more + 0.1, 3))
    return Level(
        spec=name, elo=round(1000 * share), score=share, low=share - 0.05, high=share + 0.05,
        more=more, more_low=low, more_high=high,
    )  # fmt: skip


def test_of_a_step_that_is_not_shown_the_upper_level_is_dropped_and_the_rest_is_compared_anew() -> None:
    rows = (at_table("a", 0.1), at_table("b", 0.3, 0.2), at_table("c", 0.38, 0.08), at_table("d", 0.5, 0.12))
    found = shown_only(Levels(version=1, seats=3, table="n=1", levels=rows))
    assert [level.spec for level in found.levels] == ["a", "b", "d"]
    assert found.levels[:2] == rows[:2]
    last = found.levels[2]
    assert (last.elo, last.score) == (500, 0.5)
    assert (last.more, last.more_low, last.more_high) == (0.2, 0.1, 0.3)  # 0.45 - 0.35 and 0.55 - 0.25
    assert shown_only(found) == found


def test_the_strongest_is_never_dropped_and_a_level_that_shows_nothing_over_the_gap_goes_too() -> None:
    rows = (at_table("a", 0.1), at_table("b", 0.4, 0.3), at_table("c", 0.45, 0.05), at_table("d", 0.47, 0.02))
    found = shown_only(Levels(version=1, seats=3, table="n=1", levels=rows))
    assert [level.spec for level in found.levels] == ["a", "d"]
    two = Levels(version=1, seats=3, table="n=1", levels=(rows[0], at_table("d", 0.12, 0.02)))
    assert shown_only(two) == two  # a ladder has two rungs at least
