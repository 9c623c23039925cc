"""Tournaments: the same table whoever plays it, killed or not; forfeits; stores that refuse what is not theirs."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE
from meeple import load_agent, load_game
from meeple.arena.adaptive import Adaptive
from meeple.arena.conditions import Conditions
from meeple.arena.engine import play_game
from meeple.arena.export import game_rows, write, write_csv
from meeple.arena.inside import insider_for
from meeple.arena.openings import random_opening
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey, Lineup, make_schedule
from meeple.arena.sprt import Sprt, count_scores
from meeple.arena.statistics import score_interval
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import (
    Ledger,
    Tournament,
    merge,
    play_tournament,
    prepare_tournament,
    stored_ledger,
    stored_tournament,
)
from meeple.cli.tournament import spread_players
from meeple.errors import ConfigError, SaveError, StoreError

BAD_AGENTS = """
import os

from meeple import Agent


class Crashing(Agent):
    def choose(self, turn):
        if turn.ply >= 2:
            raise ValueError("no idea")
        return int(turn.state.legal_actions()[0])


class Cheating(Agent):
    def choose(self, turn):
        return 10**6


class Hanging(Agent):
    def choose(self, turn):
        while turn.ply >= 2:
            pass
        return int(turn.state.legal_actions()[0])


class Dying(Agent):
    def choose(self, turn):
        if turn.ply >= 2:
            os._exit(7)
        return int(turn.state.legal_actions()[0])
"""


def played(tournament: Tournament, path: Path, workers: int = 1) -> Report:
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=workers)
        return Report(tournament, outcome.ledger, store)


def table_of(report: Report) -> list[object]:
    """All but what the clock said."""
    return [[cells.title, cells.columns, cells.rows] for cells in report.tables()] + [report.remarks()]


@pytest.fixture
def bad_agents(tmp_path: Path) -> Path:
    path = tmp_path / "bad.py"
    path.write_text(BAD_AGENTS)
    return path


# --- the same whoever plays it


@pytest.mark.parametrize("spec", [f"{HOARD}:players=3", "santorini"])
def test_games_inside_compiled_code_are_those_of_the_runner(spec: str) -> None:
    game = load_game(spec)
    names = ["random", "policy:name=greedy", "first"] if game.seats == 3 else ["random", "first"]
    agents = [load_agent(name, game) for name in names]
    insider = insider_for(game, agents)
    assert insider is not None
    orders = [[(seat + shift) % game.seats for seat in range(game.seats)] for shift in range(12)]
    batch = insider.play(range(12), orders, openings=0 if game.facts.chance else game.facts.opening, keeps="courses")
    for seed, order in enumerate(orders):
        seated = [agents[number] for number in order]
        match = play_game(game, seated, seed=seed, start=random_opening(game, seed))
        assert match.codes == batch.codes[seed, : batch.events[seed]].tolist()
        assert match.shares == batch.shares[seed].tolist()
        assert match.ranks == batch.ranks[seed].tolist()
        assert match.scores == batch.scores[seed].tolist()
        assert (match.plies, match.offered) == (batch.plies[seed], batch.offered[seed])


def test_one_worker_and_two_give_the_same_table(tmp_path: Path) -> None:
    agents = ["ismcts:iterations=20", "greedy", "random"]
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=12, both=True)
    one, two = (played(tournament, tmp_path / f"{n}.sqlite", workers=n) for n in (1, 2))
    assert table_of(one) == table_of(two)
    assert one.games == 36
    with Store.read(tmp_path / "1.sqlite") as first, Store.read(tmp_path / "2.sqlite") as second:
        rows = [[list(row.values())[:6] for row in game_rows(*pair)] for pair in ((one, first), (two, second))]
    assert rows[0] == rows[1]


def test_a_cross_table_has_score_interval_and_games_in_every_cell(tmp_path: Path) -> None:
    agents = ["greedy", "random", "first"]
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=8, both=True)
    report = played(tournament, tmp_path / "cross.sqlite")
    (cells,) = (cells for cells in report.tables() if cells.title == "score against each")
    assert [row[0] for row in cells.rows] == ["1  greedy", "2  random", "3  first"]
    with Store.read(tmp_path / "cross.sqlite") as store:
        games = [(report.seated(game.key), game.key.number, game.shares) for game in store.games()]
    for one, row in enumerate(cells.rows):
        for other, cell in enumerate(row[1:]):
            sets: dict[int, float] = {}
            for seated, number, shares in games:
                if set(seated) == {one, other} and one != other:
                    sets[number] = sets.get(number, 0.0) + shares[seated.index(one)] / 2
            score = score_interval(list(sets.values()))
            told = f"{score.mean:.3f} ({score.low:.3f} .. {score.high:.3f}), {2 * len(sets)} games"
            assert cell == (told if sets else "")


def test_a_seed_alone_fixes_the_world(tmp_path: Path) -> None:
    # Whoever sits and however: the same dice fall and the same cards are dealt at the start.
    game = load_game(f"{HOARD}:players=2")
    for seed in (779, 780):
        starts = set()
        for names in (["random", "greedy"], ["greedy", "random"], ["first", "first"]):
            match = play_game(game, [load_agent(name, game) for name in names], seed=seed)
            starts.add(tuple(match.codes[:5]))  # four cards and the first die
        assert len(starts) == 1


def test_copies_with_other_seeds_are_not_called_unequal(tmp_path: Path) -> None:
    agents = ["random:seed=1", "random:seed=2"]
    tournament = prepare_tournament("santorini", agents, games=2_000, keeps="results")
    report = played(tournament, tmp_path / "copies.sqlite", workers=2)
    assert report.games == 2_000
    assert report.verdict().startswith("nobody is shown to be stronger")


@pytest.mark.long
def test_searching_copies_are_not_called_unequal(tmp_path: Path) -> None:
    agents = ["mcts:iterations=30,seed=1", "mcts:iterations=30,seed=2"]
    report = played(prepare_tournament("santorini", agents, games=2_000), tmp_path / "copies.sqlite", workers=2)
    assert report.verdict().startswith("nobody is shown to be stronger")


# --- killed and resumed


def command(store: Path, *more: str) -> list[str]:
    agents = ["mcts:iterations=40", "greedy", "random"]
    words = ["tournament", "santorini", "-p", *agents, "-n", "16", "-b", "--store", str(store), *more]
    return [sys.executable, "-m", "meeple", *words]


def killed_after(games: int, store: Path) -> None:
    """Start the tournament and end it with SIGKILL as soon as so many games were told, which are stored by then."""
    process = subprocess.Popen([*command(store), "-v", "--workers", "2"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        seen += line.startswith("game ")
        if seen >= games:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.stdout.close()
    process.wait()
    assert seen >= games


def result_of(output: str) -> str:
    """What is printed, without the clock's table, the store and what was there before."""
    kept, is_clock = [], False
    for line in output.splitlines():
        is_clock = line.startswith("milliseconds") or (is_clock and not line.startswith("games "))
        if not is_clock and not line.startswith(("store", "again", "resumed")):
            kept.append(line)
    return "\n".join(kept)


def test_killed_twice_it_ends_with_the_same_table(tmp_path: Path) -> None:
    undisturbed = subprocess.run(command(tmp_path / "whole.sqlite"), capture_output=True, text=True, check=True)
    store = tmp_path / "killed.sqlite"
    for games in (7, 11):
        killed_after(games, store)
    resumed = subprocess.run(command(store), capture_output=True, text=True, check=True)
    assert "resumed: " in resumed.stdout
    assert result_of(resumed.stdout) == result_of(undisturbed.stdout)
    assert "96 counted" not in result_of(resumed.stdout)  # 48 games: nothing was counted twice
    assert "games  48 counted" in resumed.stdout


@pytest.mark.long
def test_killed_at_ten_moments_it_ends_with_the_same_table(tmp_path: Path) -> None:
    from meeple.core.chance import rng_for

    undisturbed = subprocess.run(command(tmp_path / "whole.sqlite"), capture_output=True, text=True, check=True)
    store, rng = tmp_path / "killed.sqlite", rng_for("kill", seed=1)
    for _ in range(10):
        process = subprocess.Popen([*command(store), "--workers", "2"], stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=0.5 + 3.0 * rng.random())
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    resumed = subprocess.run(command(store), capture_output=True, text=True, check=True)
    assert result_of(resumed.stdout) == result_of(undisturbed.stdout)


def test_more_games_go_on_from_those_there(tmp_path: Path) -> None:
    path = tmp_path / "more.sqlite"
    few = played(prepare_tournament(str(TICTACTOE), ["random", "first"], games=10), path)
    many = prepare_tournament(str(TICTACTOE), ["random", "first"], games=30)
    with Store.open(path, many.configuration()) as store:
        assert len(store.game_keys()) == 10
        told: list[StoredGame] = []
        play_tournament(many, store, on_games=lambda ledger, games: told.extend(games))
    assert few.games == 10
    assert len(told) == 20
    # And fewer count only those asked for.
    assert played(prepare_tournament(str(TICTACTOE), ["random", "first"], games=6), path).games == 6


# --- agents that fail


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Crashing", "raised ValueError: no idea"),
        ("Cheating", "answered 1000000"),
        ("Hanging", "did not come back within"),
        ("Dying", "ended its process (exit code 7)"),
    ],
)
def test_a_bad_agent_loses_its_games_and_nothing_else(name: str, why: str, bad_agents: Path, tmp_path: Path) -> None:
    agents = [f"{bad_agents}:{name}", "random", "first"]
    # Waited for twice as long and a second more; long enough that the others are never late.
    limits = Conditions(move=3.0) if name == "Hanging" else Conditions()
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=2, both=True, conditions=limits)
    path = tmp_path / "bad.sqlite"
    report = played(tournament, path, workers=2)
    bad, *others = report.agents
    assert (bad.games, bad.losses, bad.forfeits) == (4, 4, 4)
    assert [agent.forfeits for agent in others] == [0, 0]
    assert report.games == 6
    with Store.read(path) as store:
        reasons = [game for game in store.games(records=True) if game.at_fault is not None]
    assert len(reasons) == 4
    for game in reasons:
        assert why in game.reason
        assert game.record is not None
        assert why in game.record.splitlines()[-1]
        if name != "Cheating":
            assert game.plies >= 1  # the moves made before are in the record


# --- schedules


def test_schedules() -> None:
    assert make_schedule("", agents=2, seats=2, both=True).kind == "table"
    robin = make_schedule("", agents=4, seats=2, both=True)
    assert len(robin.first_lineups()) == 6
    assert len(make_schedule("", agents=5, seats=3, both=False).first_lineups()) == 10
    gauntlet = make_schedule("gauntlet", agents=4, seats=2, both=True)
    assert [table.agents for table in gauntlet.first_lineups()] == [(0, 1), (0, 2), (0, 3)]
    assert len(make_schedule("", agents=3, seats=3, both=True).orders) == 6
    assert len(make_schedule("", agents=5, seats=5, both=True).orders) == 5
    assert robin.sets_for(5) == 3
    with pytest.raises(ConfigError, match="3 agents sit at a table and 2 are named; name 3 or more"):
        make_schedule("", agents=2, seats=3, both=False)
    with pytest.raises(ConfigError, match="a Swiss schedule pairs two agents, not 3"):
        make_schedule("swiss", agents=6, seats=3, both=False)


def test_swiss_pairs_neighbours_that_have_not_met() -> None:
    swiss = make_schedule("swiss", agents=5, seats=2, both=True)
    assert swiss.n_laps == 3
    met: set[frozenset[int]] = set()
    rested: list[int] = []
    for lap in range(4):
        tables = swiss.swiss_lineups(lap, {0: 3.0, 1: 2.0, 2: 2.0, 3: 1.0}, met, rested)
        pairs = [frozenset(table.agents) for table in tables]
        assert len(pairs) == 2
        assert not met & set(pairs)
        met |= set(pairs)
        rested += sorted(set(range(5)) - {agent for pair in pairs for agent in pair})
    assert len(set(rested)) == 4  # nobody rests twice before all have


def test_a_swiss_tournament_is_played_to_its_last_round(tmp_path: Path) -> None:
    agents = ["random", "first", "greedy", "policy:name=greedy", "random:seed=3"]
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=2, both=True, schedule="swiss")
    one, two = (played(tournament, tmp_path / f"{n}.sqlite", workers=n) for n in (1, 2))
    assert one.games == 3 * 2 * 2
    assert table_of(one) == table_of(two)
    assert table_of(played(tournament, tmp_path / "1.sqlite")) == table_of(one)  # nothing more is played


def test_openings_without_chance_and_repeats(tmp_path: Path) -> None:
    # From the first position two agents that draw no lots play one game again and again: that is no evidence.
    tournament = prepare_tournament(str(TICTACTOE), ["first", "alphabeta:depth=2"], games=8, openings="none")
    report = played(tournament, tmp_path / "same.sqlite")
    assert (report.games, len(report.courses), report.repeats) == (8, 1, 7)
    # A set that repeats is no evidence: the interval between two is that of one set, though eight games were played.
    met = report.meetings[0, 1]
    assert (met.games, len(met.sets)) == (8, 1)
    assert len(report.agents[0].sets) == 1
    assert any(line.startswith("repeats  7") for line in report.remarks())
    drawn = prepare_tournament("santorini", ["first", "alphabeta:depth=1"], games=8)
    assert len(played(drawn, tmp_path / "drawn.sqlite").courses) == 8


# --- rules that end a table


def test_an_sprt_ends_where_it_must_whoever_plays(tmp_path: Path) -> None:
    tournament = prepare_tournament(
        f"{HOARD}:players=2", ["greedy", "random"], games=4_000, sprt=Sprt(0, 30), keeps="results"
    )
    one, two = (played(tournament, tmp_path / f"{n}.sqlite", workers=n) for n in (1, 2))
    assert table_of(one) == table_of(two)
    standing = next(iter(one.ledger.standings.values()))
    assert standing.ended_at is not None
    assert standing.ended_at < 2_000
    assert Sprt(0, 30).look(count_scores(standing.scores())).verdict == "H1"
    assert Sprt(0, 30).look(count_scores(standing.scores()[:-4])).verdict == "go on"  # not a look too late
    assert any("SPRT [0, 30]" in line for line in one.remarks())
    with Store.read(tmp_path / "2.sqlite") as store:  # shown again, only what counted is shown
        plan = stored_tournament(store, trust=True)
        again = Report(plan, stored_ledger(plan, store), store)
    assert again.games == one.games
    assert again.verdict() == one.verdict()


def test_the_adaptive_format_stops_or_adds(tmp_path: Path) -> None:
    rule = Adaptive(20, 20, 60)
    clear = prepare_tournament(f"{HOARD}:players=2", ["greedy", "random"], both=True, adaptive=rule)
    found = played(clear, tmp_path / "clear.sqlite")
    assert found.games in (20, 40, 60)
    assert any("for all looks" in line for line in found.remarks())
    equal = prepare_tournament(f"{HOARD}:players=2", ["random", "random:seed=1"], both=True, adaptive=rule)
    assert played(equal, tmp_path / "equal.sqlite", workers=2).games == 60


# --- stores


def test_what_is_no_store_of_this_tournament_is_refused_untouched(tmp_path: Path) -> None:
    tournament = prepare_tournament(str(TICTACTOE), ["random", "first"], games=4)
    foreign = tmp_path / "foreign.sqlite"
    foreign.write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreError, match="it was not touched"):
        Store.open(foreign, tournament.configuration())
    assert foreign.read_bytes() == b"something else entirely" * 100
    import sqlite3

    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.commit()
    connection.close()
    before = other.read_bytes()
    with pytest.raises(StoreError, match="is no tournament of Meeple's"):
        Store.open(other, tournament.configuration())
    assert other.read_bytes() == before
    mine = tmp_path / "mine.sqlite"
    played(tournament, mine)
    damaged = bytearray(mine.read_bytes())
    damaged[4096:8192] = b"\xff" * 4096
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(damaged)
    with pytest.raises(StoreError, match="it was not touched"):
        Store.open(broken, tournament.configuration())
    assert broken.read_bytes() == bytes(damaged)
    elsewhere = prepare_tournament(str(TICTACTOE), ["random", "first"], games=4, seed=1)
    with pytest.raises(ConfigError, match=r"holds another tournament \(seed: 779 there, 1 here\)"):
        Store.open(mine, elsewhere.configuration())
    with Store.open(mine, tournament.configuration()), pytest.raises(SaveError, match="written by another process"):
        Store.open(mine, tournament.configuration())


def test_stores_are_merged(tmp_path: Path) -> None:
    whole = prepare_tournament(f"{HOARD}:players=2", ["random", "first"], games=10)
    part = prepare_tournament(f"{HOARD}:players=2", ["random", "first"], games=6)
    report = played(whole, tmp_path / "whole.sqlite")
    played(part, tmp_path / "part.sqlite")
    assert merge([tmp_path / "part.sqlite", tmp_path / "whole.sqlite"], tmp_path / "both.sqlite") == 10
    with Store.read(tmp_path / "both.sqlite") as store:
        plan = stored_tournament(store, trust=True)
        again = Report(plan, Ledger(plan, store.games(), 1), store)
    assert table_of(again) == table_of(report)
    other = prepare_tournament(f"{HOARD}:players=2", ["random", "first"], games=6, seed=1)
    played(other, tmp_path / "other.sqlite")
    with pytest.raises(ConfigError, match="holds another tournament: seed differ"):
        merge([tmp_path / "part.sqlite", tmp_path / "other.sqlite"], tmp_path / "no.sqlite")
    forged = tmp_path / "forged.sqlite"
    with Store.open(forged, whole.configuration()) as store:
        key = GameKey(Lineup(0, (0, 1)), 0, 0)
        store.add(
            [
                StoredGame(
                    key=key,
                    seed=779,
                    ranks=(2, 2),
                    shares=(0.5, 0.5),
                    scores=(0, 0),
                    plies=1,
                    offered=1,
                    reason="",
                    at_fault=None,
                    course=b"12345678",
                    record=None,
                )
            ]
        )
    with pytest.raises(ConfigError, match=r"game 1\+2/1\.1 has another result"):
        merge([tmp_path / "whole.sqlite", forged], tmp_path / "no.sqlite")
    assert not (tmp_path / "no.sqlite").exists()


def test_parts_that_a_game_names_are_counted_for_each_agent(tmp_path: Path) -> None:
    # Three seats a table, so six seatings a set; each seat plays three rounds as a miner or a saboteur.
    tournament = prepare_tournament("saboteur:players=3", ["plain", "loyal", "random"], games=48, both=True)
    report = played(tournament, tmp_path / "roles.sqlite")
    cells = next(cells for cells in report.tables() if cells.title == "by role")
    assert {row[1] for row in cells.rows} == {"miner", "saboteur"}
    found = {agent["agent"]: agent["roles"] for agent in report.as_json()["agents"]}
    with Store.read(tmp_path / "roles.sqlite") as store:
        kept = dict(store.role_results())
        for game in store.games():
            # Points of all parts are the game's own: gold is counted once.
            assert [sum(part[2] for part in seat) for seat in kept[game.key]] == list(game.scores)
    for parts in found.values():
        assert parts["miner"]["times"] + parts["saboteur"]["times"] == 3 * 48
        assert parts["miner"]["low"] < parts["miner"]["rate"] < parts["miner"]["high"]
    # Seats are exchanged with the same deals, so all play each role as often.
    assert len({parts["saboteur"]["times"] for parts in found.values()}) == 1
    names = list(found)
    assert found[names[0]]["saboteur"]["wins"] > found[names[1]]["saboteur"]["wins"]  # loyal helps the miners
    write_csv(report, Store.read(tmp_path / "roles.sqlite"), tmp_path)
    with open(tmp_path / "agents.csv") as file:
        assert {row["miner_times"] for row in csv.DictReader(file)} == {str(found[names[0]]["miner"]["times"])}


def test_parts_are_the_same_inside_and_outside_compiled_code(tmp_path: Path) -> None:
    game = load_game("saboteur:players=3")
    agents = [load_agent(spec, game) for spec in ("plain", "loyal", "random")]
    insider = insider_for(game, agents)
    assert insider is not None
    batch = insider.play([5, 6], [[0, 1, 2], [2, 0, 1]], openings=0, keeps="results")
    for i, (seed, order) in enumerate([(5, [0, 1, 2]), (6, [2, 0, 1])]):
        outside = play_game(game, [agents[number] for number in order], seed=seed)
        assert [[list(part) for part in seat] for seat in outside.roles] == batch.roles[i].tolist()


def test_a_store_from_before_parts_were_kept_is_read_and_written_on(tmp_path: Path) -> None:
    tournament = prepare_tournament("saboteur:players=3", ["plain", "loyal", "random"], games=6, both=True)
    path = tmp_path / "old.sqlite"
    played(tournament, path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE parts")
    connection.close()
    with Store.read(path) as store:
        assert list(store.role_results()) == []
        report = Report(tournament, stored_ledger(tournament, store), store)
        assert "by role" not in [cells.title for cells in report.tables()]
    longer = prepare_tournament("saboteur:players=3", ["plain", "loyal", "random"], games=12, both=True)
    assert "by role" in [cells.title for cells in played(longer, path).tables()]
    assert merge([path], tmp_path / "merged.sqlite") == 12
    with Store.read(tmp_path / "merged.sqlite") as store:
        assert len(list(store.role_results())) == 6


def test_exports(tmp_path: Path) -> None:
    tournament = prepare_tournament(f"{HOARD}:players=2", ["greedy", "random", "first"], games=4, both=True)
    path = tmp_path / "store.sqlite"
    report = played(tournament, path)
    with Store.read(path) as store:
        write_csv(report, store, tmp_path / "csv")
        for ending in ("csv", "parquet", "md", "html", "png", "svg"):
            write(report, store, tmp_path / f"out.{ending}")
            assert (tmp_path / f"out.{ending}").stat().st_size > 200
        with pytest.raises(ConfigError, match="should end in"):
            write(report, store, tmp_path / "out.docx")
    rows = list(csv.DictReader((tmp_path / "csv" / "games.csv").open()))
    assert len(rows) == 24  # 12 games with two seats each
    assert [(row["game"], row["seat"], row["agent"]) for row in rows[:4]] == [
        ("1+2/1.1", "1", "greedy"),
        ("1+2/1.1", "2", "random"),
        ("1+2/1.2", "1", "random"),
        ("1+2/1.2", "2", "greedy"),
    ]
    assert all(float(one["share"]) + float(two["share"]) == 1 for one, two in zip(rows[::2], rows[1::2], strict=True))
    assert not any("second" in name or "time" in name for name in list(rows[0])[:6])
    heads = next(csv.reader((tmp_path / "csv" / "agents.csv").open()))
    assert not any("second" in name or "time" in name for name in heads[:6])
    assert "| greedy |" in (tmp_path / "out.md").read_text()


# --- words


def test_one_p_takes_all_agents_up_to_the_next_option() -> None:
    line = ["tournament", "azul", "-p", "mcts:c=0.4", "greedy", "-n", "4", "-b", "-p", "random", "--json"]
    spread = ["tournament", "azul", "-p", "mcts:c=0.4", "-p", "greedy", "-n", "4", "-b", "-p", "random", "--json"]
    assert spread_players(line) == spread
    assert spread_players(["tournament", "azul", "--players", "a", "b"]) == ["tournament", "azul", "-p", "a", "-p", "b"]


def resident() -> int:
    """Megabytes of memory in use by this process."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 2**20


@pytest.mark.long
@pytest.mark.parametrize(("games", "records"), [(1_000_000, False), (50_000, True)])
def test_memory_stays_flat(games: int, records: bool, tmp_path: Path) -> None:
    # A game leaves 16 bytes here (its pair of scores): 16 MB in a million. The rest must not grow.
    tournament = prepare_tournament(
        "santorini", ["random", "random:seed=1"], games=games, keeps="records" if records else "results"
    )
    seen: list[int] = []
    with Store.open(tmp_path / "many.sqlite", tournament.configuration()) as store:

        def watch(ledger: Ledger, found: list[StoredGame]) -> None:
            if ledger.games_counted > games // 5:
                seen.append(resident())

        outcome = play_tournament(tournament, store, workers=2, on_games=watch)
    assert outcome.ledger.games_counted == games
    assert max(seen) - seen[0] < 60
