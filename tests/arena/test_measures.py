"""Measures of games: known counts, made-up games with known numbers, and the same from play and from a store."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple.arena.measures.branching import branching, filtered, forced
from meeple.arena.measures.contest import contest, gains, lead_changes
from meeple.arena.measures.figures import Figure
from meeple.arena.measures.files import write
from meeple.arena.measures.games import draws, length, seat_shares
from meeple.arena.measures.knowledge import knowledge, n_unknown
from meeple.arena.measures.leaves import leaf_correlation
from meeple.arena.measures.lens import has_running_score, make_lens
from meeple.arena.measures.sample import Sample, played_sample, stored_sample
from meeple.arena.measures.summary import Summary
from meeple.arena.measures.trace import Trace, Walk
from meeple.arena.measures.tree import tree_size
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.statistics import ratio_interval, t_interval
from meeple.arena.store import Store
from meeple.arena.tournament import Tournament, play_tournament, prepare_tournament
from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.registry import load_game
from meeple.core.world_count import count_worlds
from meeple.errors import ConfigError


def one(figures: list[Figure]) -> Figure:
    (found,) = figures
    return found


@pytest.fixture(scope="module")
def noughts() -> Sample:
    """400 random games of tic-tac-toe."""
    return played_sample(prepare_tournament(TICTACTOE, ["random", "random"], games=400, openings="none"))


def test_noughts_and_crosses_offer_a_move_less_each_ply(noughts: Sample) -> None:
    for found in branching(noughts, by=["ply"]):
        assert found.ply is not None
        assert (found.mean, found.least, found.most, found.low, found.high) == (9 - found.ply,) * 5
    assert [found.n for found in branching(noughts, by=["ply"])][:5] == [400] * 5
    last = sum(len(trace.walk.seat) == 9 for trace in noughts.traces)
    assert one(forced(noughts)).mean == last / len(noughts.decisions.ply)


def test_noughts_and_crosses_at_random(noughts: Sample) -> None:
    # Of the 9! orders of the cells 46,080 are draws, 0.127. The first seat has 0.585 + 0.127 / 2 = 0.6485.
    # At 400 games these lie 5 standard errors off by at most 0.083 and 0.110.
    assert abs(one(draws(noughts)).mean - 46_080 / 362_880) < 0.083
    first, second = seat_shares(noughts)
    assert abs(first.mean - 0.6485) < 0.110
    assert first.mean + second.mean == pytest.approx(1)
    assert first.low < first.mean < first.high
    assert first.low > 0.5, "that it is good to begin shows in 400 games"


def test_setup_is_counted_apart_in_santorini() -> None:
    plan = prepare_tournament("santorini", ["random", "random"], games=6, openings="none")
    sample = played_sample(plan)
    setup = branching(sample, by=["ply"], setup=True)
    assert [(found.ply, found.mean, found.n) for found in setup] == [(0, 300, 6), (1, 253, 6)]  # 25 and 23 choose 2
    assert min(found.ply or 0 for found in branching(sample, by=["ply"])) == 2
    assert one(branching(sample)).most < 200


# --- made-up games


def game_of(
    number: int, seating: int, offered: list[int], shares: tuple[float, float], points: list[list[int]] | None = None
) -> Trace:
    n = len(offered)
    walk = Walk(
        seat=np.arange(n) % 2,
        round=np.arange(n) // 2,
        offered=np.array(offered),
        is_setup=np.array([count == 100 for count in offered]),
        kept=np.array(offered),
        points=np.array(points or [[0, 0]] * (n + 1)),
        standing=np.array(points or [[0, 0]] * (n + 1), dtype=np.float64),
        worlds=np.ones(n),
        metrics=np.zeros((n + 1, 0, 2), dtype=np.int64),
        n_outcomes=0,
    )
    agents = (0, 1) if seating == 0 else (1, 0)
    key = GameKey(Lineup(0, (0, 1)), number, seating)
    return Trace(key=key, agents=agents, shares=shares, course=b"", walk=walk, seconds=np.empty(0))


@pytest.fixture(scope="module")
def plan() -> Tournament:
    return prepare_tournament(TICTACTOE, ["random", "first"], games=4, both=True)


def test_a_made_up_sample(plan: Tournament) -> None:
    # Two sets of two games; 100 moves on offer mark a decision of setup.
    games = (
        game_of(0, 0, [100, 4, 2, 1], (1.0, 0.0)),
        game_of(0, 1, [6, 2], (0.0, 1.0)),
        game_of(1, 0, [1, 1, 3], (0.5, 0.5)),
        game_of(1, 1, [5, 1, 1, 1, 2], (1.0, 0.0)),
    )
    sample = Sample(plan, games)
    assert sample.n_sets == 2
    everything = one(branching(sample))
    assert (everything.n, everything.mean, everything.least, everything.most) == (13, 30 / 13, 1, 6)
    assert one(branching(sample, setup=True)).mean == 100
    assert [(found.round, found.n, found.mean) for found in branching(sample, by=["round"])] == [
        (1, 7, 20 / 7),
        (2, 5, 8 / 5),
        (3, 1, 2),
    ]
    by_agent = {found.agent: found.mean for found in branching(sample, by=["agent"])}
    # random sits first in the games of seating 0, second in those of seating 1
    assert by_agent == {"random": (2 + 2 + 1 + 3 + 1 + 1) / 6, "first": (4 + 1 + 6 + 1 + 5 + 1 + 2) / 7}
    assert one(forced(sample)).mean == 6 / 13
    moves, rounds = length(sample)
    assert (moves.mean, moves.least, moves.most) == (3.5, 2, 5)
    assert rounds.mean == (2 + 1 + 2 + 3) / 4
    assert one(draws(sample)).mean == 0.25
    assert [found.mean for found in seat_shares(sample)] == [2.5 / 4, 1.5 / 4]


def test_a_stronger_agent_does_not_make_a_better_seat(plan: Tournament) -> None:
    """With exchanges of seats the sets are the trials: an agent that always wins gives each seat half of every set."""
    games = [game_of(n, s, [2, 2], (1.0, 0.0) if s == 0 else (0.0, 1.0)) for n in range(50) for s in (0, 1)]
    first, second = seat_shares(Sample(plan, tuple(games)))
    assert first.mean == second.mean == 0.5
    # Had the 100 games been trials of their own, the 98% interval would be 0.5 +- 0.115.
    assert first.high - first.low < 0.1


def test_one_set_tells_nothing_of_the_spread(plan: Tournament) -> None:
    found = one(branching(Sample(plan, (game_of(0, 0, [3, 5], (1.0, 0.0)),))))
    assert (found.mean, found.low, found.high) == (4, -math.inf, math.inf)
    assert found.as_json()["low"] is None


def test_a_ratio_of_equal_counts_is_a_mean() -> None:
    totals = [3.0, 5.0, 4.0, 8.0]
    ratio, mean = ratio_interval(totals, [2] * 4), t_interval([total / 2 for total in totals])
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((mean.mean, mean.low, mean.high))
    # By hand: 9 / 5; deviations 3 - 1.8 * 2 = -0.6 and 6 - 1.8 * 3 = 0.6, s = 0.6 * sqrt 2, t of 1 at 80% is 3.078,
    # so the half is 3.078 * 0.849 * sqrt(2) / 5 = 0.739
    found = ratio_interval([3, 6], [2, 3], 0.8)
    assert (found.mean, found.high - found.mean) == pytest.approx((1.8, 0.739), abs=5e-4)


def test_leads_of_a_made_up_sample(plan: Tournament) -> None:
    # The first seat leads, is caught up with, loses the lead and takes it back for good before the last of four moves.
    lively = [[0, 0], [2, 0], [2, 2], [2, 5], [6, 5]]
    assert lead_changes(np.array(lively, dtype=np.float64)) == 2
    games = (
        game_of(0, 0, [2] * 4, (1.0, 0.0), lively),
        game_of(0, 1, [2] * 2, (0.0, 1.0), [[0, 1], [0, 1], [0, 4]]),  # led from the start
        game_of(1, 0, [2] * 2, (0.5, 0.5), [[0, 0], [3, 0], [3, 3]]),  # decided by nobody
    )
    sample = Sample(plan, games)
    changes, decided, margin = contest(sample)
    assert (changes.mean, changes.n) == (2 / 3, 3)
    assert (decided.mean, decided.least, decided.most, decided.n) == (0.5, 0, 1, 2)
    assert (margin.mean, margin.most) == (5 / 3, 4)
    # Gained by the mover: 2, 2, 0 (the other gained), 0; 0, 3; 3, 3. The second game has seats exchanged.
    gained = {found.agent: (found.n, found.mean) for found in gains(sample)}
    assert gained == {"random": (4, (2 + 0 + 3 + 3) / 4), "first": (4, (2 + 0 + 0 + 3) / 4)}


def test_knuths_estimate_counts_the_games_of_noughts_and_crosses(noughts: Sample) -> None:
    mean, knuth = tree_size(noughts)
    # The products are 9!/4! to 9!: 15,120 to 362,880; their mean over uniform play is 255,168, the number of games.
    # The standard deviation is below 150,000, so at 400 games five standard errors are 37,500.
    assert abs(10**knuth.mean - 255_168) < 37_500
    assert 10**knuth.low < 255_168 < 10**knuth.high
    assert math.log10(15_120) < mean.mean < math.log10(362_880)
    assert [found.measure for found in tree_size(Sample(noughts.plan, ()))] == []


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def noughts_leaves() -> tuple[float, float, float]:
    """Over all 9! orders of the cells: the shares of cases, of correlated ones, and of the first's wins there.

    Written apart from rules and measures: a game is a string of nine cells.
    """

    def winner(cells: str) -> str:
        return next((cells[a] for a, b, c in LINES if cells[a] == cells[b] == cells[c] != "."), "")

    def ends(cells: str, mark: str) -> list[float] | None:
        """The first seat's share after each move here, single moves followed; None where another choice comes."""
        shares = []
        for cell in [i for i in range(9) if cells[i] == "."]:
            after = cells[:cell] + mark + cells[cell + 1 :]
            won = winner(after)
            if not won and after.count(".") > 1:
                return None
            if not won and "." in after:
                won = winner(after.replace(".", "o" if mark == "x" else "x"))
            shares.append({"x": 1.0, "o": 0.0, "": 0.5}[won])
        return shares

    @cache
    def mean(cells: str, mark: str, choice: tuple[str, str]) -> tuple[float, float, float]:
        """The three shares over uniform play from here; `choice` was the last one before."""
        if winner(cells) or "." not in cells:
            shares = ends(*choice)
            is_same = shares is not None and len(set(shares)) == 1
            return float(shares is not None), float(is_same), shares[0] if shares and is_same else 0.0
        free, other = [i for i in range(9) if cells[i] == "."], "o" if mark == "x" else "x"
        choice = (cells, mark) if len(free) > 1 else choice
        below = [mean(cells[:cell] + mark + cells[cell + 1 :], other, choice) for cell in free]
        case, same, first = (sum(column) / len(free) for column in zip(*below, strict=True))
        return case, same, first

    return mean("." * 9, "x", ("", ""))


def test_leaf_correlation_of_noughts_and_crosses(noughts: Sample) -> None:
    case, same, first = noughts_leaves()
    correlation, bias = leaf_correlation(noughts)
    # Five standard errors of shares of 400 games, of the cases among them, and of the correlated ones.
    assert abs(correlation.n / 400 - case) < 5 * math.sqrt(case * (1 - case) / 400)
    truth = same / case
    assert abs(correlation.mean - truth) < 5 * math.sqrt(truth * (1 - truth) / correlation.n)
    assert abs(bias.mean - first / same) < 5 * 0.5 / math.sqrt(bias.n)
    assert correlation.low < truth < correlation.high
    assert bias.n == correlation.mean * correlation.n


def test_disambiguation_of_made_up_games(plan: Tournament) -> None:
    secret = replace(plan, game=load_game(f"{HOARD}:players=2,rounds=2"))
    # Seat 1 decides at plies 0, 2, 4 with 8, 2 and 4 worlds; seat 2 at 1 and 3 with 1 and 6: it had nothing to learn.
    trace = game_of(0, 0, [2] * 5, (1.0, 0.0))
    known = replace(trace, walk=replace(trace.walk, worlds=np.array([8.0, 1, 2, 6, 4])))
    worlds, disambiguation, gain = knowledge(Sample(secret, (known,)))
    assert worlds.mean == pytest.approx((3 + 0 + 1 + math.log2(6) + 2) / 5)
    assert (disambiguation.mean, disambiguation.n) == (0.75 / 2, 2)  # 1 - 2 / 8, and 0 where 2 have become 4
    assert (gain.mean, gain.least, gain.most) == (0.5, -1, 2)
    unknown = replace(trace, walk=replace(trace.walk, worlds=np.array([8.0, math.inf, 2, math.inf, math.inf])))
    assert [found.n for found in knowledge(Sample(secret, (unknown,)))] == [2, 1, 1]
    assert n_unknown(Sample(secret, (unknown,))) == 3
    assert knowledge(Sample(plan, (known,))) == [], "nothing is hidden in tic-tac-toe"


def test_worlds_are_counted_or_estimated() -> None:
    state = load_game(f"{HOARD}:players=2,rounds=2").new(seed=3).settled()
    (seat,) = {state.to_move}
    exact = count_worlds(state, seat, Stream(1))
    # The other's two places hold any two of three values, five of each: nine worlds.
    assert (exact.value, exact.is_exact) == (9, True)
    own = Counter(int(value) for value in state.record.hand[seat])
    left = [5 - own[value] for value in (1, 2, 3)]  # of 13 unseen cards
    chances = [left[a] * (left[b] - (a == b)) / (13 * 12) for a in range(3) for b in range(3)]
    with mock.patch.object(State, "counted_worlds", return_value=None):
        found = count_worlds(state, seat, Stream(1), 1_000)
        assert not found.is_exact
        assert math.isinf(count_worlds(state, seat, Stream(1), 1).value)
    assert 0 < found.error < 0.3
    assert abs(found.value - 1 / sum(chance**2 for chance in chances)) < 5 * found.error
    assert count_worlds(load_game(TICTACTOE).new(), 0, Stream(1)).value == 1


def test_who_leads_without_a_score_is_the_evaluations_word() -> None:
    game = load_game("santorini")
    assert not has_running_score(game)
    lens = make_lens(game, ["random", "random"])
    assert lens.judge == "climb"
    sample = played_sample(prepare_tournament(game, ["random", "random"], games=5), lens=lens)
    changes, decided = contest(sample)  # no margin: there are no points
    assert 0 <= decided.least <= decided.most <= 1
    assert changes.most > 0
    for trace in sample.traces:
        assert trace.walk.standing[-1].tolist() == [2 * share - 1 for share in trace.shares]
    assert "the evaluation 'climb'" in " ".join(Summary(sample).remarks())
    assert has_running_score(load_game(f"{HOARD}:players=2,rounds=2"))
    with pytest.raises(ConfigError, match="no evaluation 'clim'"):
        make_lens(game, ["random"], judge="clim")


def test_gains_by_a_named_evaluation_leave_the_last_move_out() -> None:
    game = load_game(f"{HOARD}:players=2,rounds=2")
    plan = prepare_tournament(game, ["random", "first"], games=6, both=True)
    sample = played_sample(plan, lens=make_lens(game, plan.agents, judge="points"))
    found = {each.agent: each for each in gains(sample) if each.measure == "gain by points"}
    wanted: dict[str, list[float]] = {"random": [], "first": []}
    for trace in sample.traces:
        for ply, seat in enumerate(trace.walk.seat.tolist()[:-1]):
            change = trace.walk.standing[ply + 1, seat] - trace.walk.standing[ply, seat]
            wanted[sample.names[trace.agents[seat]]].append(change)
    for name, changes in wanted.items():
        assert found[name].n == len(changes)
        assert math.isclose(found[name].mean, sum(changes) / len(changes), abs_tol=1e-12)
    assert [each.measure for each in gains(played_sample(plan))] == ["points a move"] * 2


def test_a_filter_leaves_some_of_the_moves() -> None:
    game = load_game("azul")
    lens = make_lens(game, ["random", "mcts:iterations=2,filter=useful"], filter="own")
    plan = prepare_tournament(game, ["random", "first"], games=4, both=True)
    sample = played_sample(plan, lens=lens)
    everyone = branching(sample, by=["agent"])
    random, first = filtered(sample, by=["agent"])
    assert random.mean == everyone[0].mean
    assert first.mean < everyone[1].mean
    assert filtered(Sample(plan, sample.traces)) == []
    assert one(branching(sample, by=["ply"])[:1]).mean > 50


def test_rule_players_consider_what_their_rules_look_at(tmp_path: Path) -> None:
    game = load_game("sagrada:rules=thesis,players=2")
    names = ["rules-dtfm", "rules-all"]
    plan = prepare_tournament(game, names, games=2, both=True)
    lens = make_lens(game, plan.agents, filter="own")
    sample = played_sample(plan, lens=lens)
    columns = sample.decisions
    own, all_moves = (columns.agent == sample.names.index(spec) for spec in plan.agents)
    assert (columns.kept[all_moves] == columns.offered[all_moves]).all()
    assert (columns.kept[own & columns.is_setup] == columns.offered[own & columns.is_setup]).all()
    named = played_sample(plan, lens=make_lens(game, plan.agents, filter="placements")).decisions
    assert (columns.kept[own] == named.kept[own]).all()
    assert columns.kept[own].sum() < columns.offered[own].sum()
    assert "that each agent says it considers" in " ".join(Summary(sample).remarks())


def test_an_agent_of_ones_own_says_what_it_considers_of_what_it_may_know(tmp_path: Path) -> None:
    """Its answer counts; what its seat cannot know is made up in the state that it is shown."""
    (tmp_path / "mine.py").write_text(
        "import meeple\n\nSEEN = []\n\n\nclass Two(meeple.Agent):\n"
        "    def considered(self, state):\n        SEEN.append(state.array.tobytes())\n"
        "        return [int(action) for action in state.legal_actions()[:2]]\n\n"
        "    def choose(self, turn):\n        return int(turn.state.legal_actions()[0])\n"
    )
    game = load_game(f"{HOARD}:players=2,rounds=2")
    plan = prepare_tournament(game, [f"{tmp_path / 'mine.py'}:Two", "random"], games=8, both=True)
    lens = make_lens(game, plan.agents, filter="own")
    sample = played_sample(plan, lens=lens)
    columns = sample.decisions
    own = columns.agent == 0
    assert (columns.kept[own] == np.minimum(2, columns.offered[own])).all()
    assert (columns.kept[~own] == columns.offered[~own]).all()
    agent = lens.agents[0]
    assert agent is not None
    shown = type(agent).considered.__globals__["SEEN"]
    shown.clear()
    state = game.new(seed=3).settled()
    for ply in range(8):
        assert lens.kept(state, 0, 9, ply) == 2
    assert shown == [state.redealt(state.to_move, Stream(ply)).array.tobytes() for ply in range(8)]
    assert shown != [state.array.tobytes()] * 8


def test_points_gained_by_a_metric_of_the_game() -> None:
    game = load_game("azul:players=2")
    plan = prepare_tournament(game, ["random", "first"], games=2, both=True)
    sample = played_sample(plan)
    found = {each.agent: each for each in gains(sample) if each.measure == "tiles a move"}
    total = Counter[str]()
    for trace in sample.traces:
        assert trace.walk.metrics.shape == (len(trace.walk.seat) + 1, 1, 2)
        assert not trace.walk.metrics[0].any()
        for seat, number in enumerate(trace.agents):
            moved = np.flatnonzero(trace.walk.seat == seat)
            own = trace.walk.metrics[:, 0, seat]
            total[sample.names[number]] += int((own[moved + 1] - own[moved]).sum())
    assert set(found) == {"random", "first"}
    for name, each in found.items():
        assert each.mean == pytest.approx(total[name] / each.n)
    assert sum(total.values()) > 0


# --- from play and from a store


def test_a_store_measures_as_play_does(tmp_path: Path) -> None:
    plan = prepare_tournament(f"{HOARD}:players=2,rounds=2", ["random", "policy:name=greedy"], games=10, both=True)
    with Store.open(tmp_path / "games.sqlite", plan.configuration()) as store:
        play_tournament(plan, store, workers=0)
    with Store.read(tmp_path / "games.sqlite") as store:
        stored = stored_sample(plan, store, trust=True)
        some = stored_sample(plan, store, most=3, trust=True)
    found, wanted = Summary(stored).as_json(), Summary(played_sample(plan)).as_json()
    assert found == wanted
    assert any(figure["measure"] == "chance events" for figure in found["figures"])
    assert len(some.traces) == 4  # whole sets


def test_results_alone_cannot_be_measured(tmp_path: Path) -> None:
    plan = prepare_tournament(TICTACTOE, ["random", "first"], games=2, keeps="courses")
    with Store.open(tmp_path / "games.sqlite", plan.configuration()) as store:
        play_tournament(plan, store, workers=0)
    with Store.read(tmp_path / "games.sqlite") as store, pytest.raises(ConfigError, match="moves are not known"):
        stored_sample(plan, store, trust=True)


def test_the_same_game_again_is_no_further_trial() -> None:
    sample = played_sample(prepare_tournament(TICTACTOE, ["first", "first"], games=5, openings="none"))
    assert (len(sample.traces), sample.n_repeats) == (1, 4)
    assert any(line.startswith("repeats  4 sets") for line in Summary(sample).remarks())


def test_files_hold_every_figure(noughts: Sample, tmp_path: Path) -> None:
    import polars

    summary = Summary(noughts)
    for name in ("a.csv", "a.parquet", "a.md", "a.html", "a.svg"):
        write(summary, tmp_path / name)
    table = polars.read_parquet(tmp_path / "a.parquet")
    assert table.height == len(summary.figures) == len(polars.read_csv(tmp_path / "a.csv"))
    plies = table.filter((polars.col("measure") == "branching") & polars.col("ply").is_not_null())
    assert plies["mean"].to_list() == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert "branching by round" in (tmp_path / "a.md").read_text()
    assert "<table>" in (tmp_path / "a.html").read_text()
    assert (tmp_path / "a.svg").stat().st_size > 10_000
    with pytest.raises(ConfigError, match="should end in"):
        write(summary, tmp_path / "a.txt")


def test_tables_name_what_they_are_by(noughts: Sample) -> None:
    titles = [cells.title for cells in Summary(noughts).tables()]
    assert titles == ["games", "share of the victory by seat", "branching by round"]
    assert [cells.title for cells in Summary(noughts).tables(["ply"])][
        -1
    ] == "measures by ply"  # with the time, since agents were asked
