"""One engine, two gears: both play what a match asked move by move plays, keep the same record, and forfeit alike."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Agent, Match, Turn, load_agent, load_game, play_match
from meeple.agents.base import ask
from meeple.arena import engine as engines
from meeple.arena.conditions import Conditions
from meeple.arena.engine import Engine, Keeps, play_game
from meeple.arena.openings import Openings, random_opening
from meeple.arena.series import play_series, prepare
from meeple.arena.store import StoredGame
from meeple.arena.tournament import play_tournament, prepare_tournament
from meeple.core.record import load_record
from meeple.errors import AgentError

SALT = bytes(range(16))
GAMES = [f"{HOARD}:players=3", "santorini", "saboteur-duel"]


class Historian(Agent):
    """Answers by all that it has seen."""

    spec = "historian"
    wants_history = True

    def choose(self, turn: Turn) -> int:
        legal = turn.state.legal_actions()
        return int(legal[(sum(turn.seen or ()) + len(turn.seen or ())) % len(legal)])


class Failing(Agent):
    """Raises at its second move."""

    spec = "failing"

    def choose(self, turn: Turn) -> int:
        if turn.ply > 2:
            raise RuntimeError("few")
        return int(turn.state.legal_actions()[0])


def by_hand(game: str, agents: list[Agent], *, seed: int, salt: bytes) -> Match:
    """The plain loop that the engine must not differ from: a match, and a question at every move."""
    board = load_game(game)
    match = Match(board, seed=seed, start=random_opening(board, seed, salt), salt=salt)
    while not match.is_over:
        match.play(ask(agents[match.to_move], match))
    return match


def steps_of(match: Match) -> list[tuple[bytes, int, int | None, str]]:
    return [(step.before.to_bytes(), step.code, step.seat, step.text) for step in match.steps]


def without_seconds(text: str) -> str:
    return re.sub(r', "seconds": [0-9.e-]+', "", text)


@pytest.mark.parametrize("salt", [b"", SALT])
@pytest.mark.parametrize("spec", GAMES)
def test_it_plays_what_is_played_by_hand(spec: str, salt: bytes) -> None:
    game = load_game(spec)
    for seed in (1, 2):
        seated: list[Agent] = [Historian(), load_agent("random", game), load_agent("greedy", game)][: game.seats]
        expected = by_hand(spec, seated, seed=seed, salt=salt)
        found = play_game(game, seated, seed=seed, start=random_opening(game, seed, salt), salt=salt)
        names = [agent.spec for agent in seated]
        assert steps_of(found.match()) == steps_of(expected)
        assert found.match().state == expected.state
        assert without_seconds(found.record(names).text()) == without_seconds(expected.record(names).text())
        assert found.codes == [step.code for step in expected.steps]
        assert found.plies == expected.ply
        quick = play_game(game, seated, seed=seed, start=random_opening(game, seed, salt), salt=salt, steps=False)
        assert quick.codes == found.codes
        assert quick.offered == found.offered
        assert (quick.steps, quick.shares, quick.ranks) == (None, found.shares, found.ranks)


@pytest.mark.parametrize("spec", GAMES)
def test_both_gears_keep_the_same_record(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "TRAIL_BYTES", 1)  # a batch a match
    game = load_game(spec)
    agents = [load_agent("random", game), load_agent("first", game)]
    matches = [(seed, [(seat + seed) % 2 for seat in range(game.seats)]) for seed in range(5)]
    compiled, asked = Engine(game, agents), Engine(game, agents)
    assert compiled.insider is not None
    asked.insider = None
    for quick, slow in zip(compiled.play(matches), asked.play(matches), strict=True):
        assert steps_of(quick.match()) == steps_of(slow.match())
        assert quick.record(["a"]).text() == re.sub(
            r'"seconds": [0-9.e-]+', '"seconds": 0.0', slow.record(["a"]).text()
        )
        facts = [(p.plies, p.offered, list(p.ranks), list(p.shares), list(p.scores), p.roles) for p in (quick, slow)]
        assert facts[0] == facts[1]
        assert quick.course == slow.course != b""
        assert (len(quick.seconds), len(slow.seconds)) == (0, slow.plies)


def test_a_batch_keeps_its_states_apart() -> None:
    game = load_game(f"{HOARD}:players=2")
    engine = Engine(game, [load_agent("random", game)])
    assert engine._a_batch > 3
    for played in list(engine.play([(seed, (0, 0)) for seed in range(4)])):  # all at once, then looked at
        assert steps_of(played.match()) == steps_of(by_hand(f"{HOARD}:players=2", engine.agents * 2, seed=played.seed,
                                                            salt=b""))  # fmt: skip


@pytest.mark.parametrize("is_compiled", [True, False])
def test_no_more_is_kept_than_is_wanted(is_compiled: bool) -> None:
    game = load_game(TICTACTOE)
    courses = {}
    for keeps in ("results", "courses", "records"):
        wanted: Keeps = keeps  # type: ignore[assignment]
        engine = Engine(game, [load_agent("random", game)], keeps=wanted)
        engine.insider = engine.insider if is_compiled else None
        (played,) = engine.play([(3, (0, 0))])
        courses[keeps] = played.course
        assert (played.steps is not None) == (keeps == "records")
        assert list(played.ranks)
    assert courses["courses"] == courses["records"] != b""
    assert courses["results"] == (b"" if is_compiled else courses["records"])


def test_the_compiled_gear_is_for_matches_that_measure_nothing_and_hide_nothing_more() -> None:
    game = load_game(f"{HOARD}:players=2")
    agents = [load_agent("random", game)]
    assert Engine(game, agents).insider is not None
    assert Engine(game, agents, conditions=Conditions(deterministic=True)).insider is None
    assert Engine(game, agents, salt=SALT).insider is None
    assert Engine(game, agents, openings=Openings(())).insider is None
    assert Engine(game, [*agents, load_agent("greedy", game)]).insider is None


def test_a_forfeit_ends_the_match_where_it_stands() -> None:
    game = load_game(f"{HOARD}:players=2")
    seated = [load_agent("first", game), Failing()]
    found = play_game(game, seated, seed=4)
    assert found.at_fault == 1
    assert found.fault is not None
    assert found.end is not None
    assert found.scores == [found.end.score(0), found.end.score(1)]
    record = found.record(["first", "failing"])
    assert record.result is not None
    assert (record.result["ranks"], record.result["forfeit"]) == ([1, 2], 1)
    assert record.result["reason"].startswith(
        "forfeit: seat 2 (failing) at ply 4 of hoard:players=2 raised RuntimeError: few"
    )
    assert Match.from_record(record, trust=True).state == found.end
    with pytest.raises(AgentError, match="raised RuntimeError: few") as caught:
        play_match(game, seated, seed=4)
    assert steps_of(caught.value.match) == steps_of(found.match())


def test_a_match_keeps_the_start_that_it_was_given() -> None:
    match = play_match(TICTACTOE, ["first", "first"], start="X.O/.X./...")
    assert match.start_text == "X.O/.X./..."
    assert match.record().start == "X.O/.X./..."
    assert Match.from_record(match.record(), trust=True).state == match.state


# --- a tournament in this process, and the series on top of it


def games_of(tournament: object, workers: int) -> list[StoredGame]:
    games: list[StoredGame] = []
    play_tournament(tournament, None, workers=workers, on_games=lambda ledger, found: games.extend(found))  # type: ignore[arg-type]
    return sorted(games, key=lambda game: game.key)


@pytest.mark.parametrize("agents", [["random", "first", "random:seed=1"], ["greedy", "first", "random"]])
def test_this_process_plays_what_workers_play(agents: list[str]) -> None:
    tournament = prepare_tournament(f"{HOARD}:players=2", agents, games=4, both=True)
    alone, crew = games_of(tournament, 0), games_of(tournament, 1)
    assert len(alone) == 12
    assert [game.result for game in alone] == [game.result for game in crew]
    assert [without_seconds(game.record or "") for game in alone] == [
        without_seconds(game.record or "") for game in crew
    ]


def test_a_series_may_be_deterministic() -> None:
    # In the open `flat` sees the cards to come; seeds and playouts are fixed, so the scores are too.
    series = prepare(
        load_game(f"{HOARD}:players=2"), ["flat:playouts=30", "random"], games=40, seed=1,
        conditions=Conditions(deterministic=True),
    )  # fmt: skip
    plain = prepare(load_game(f"{HOARD}:players=2"), ["flat:playouts=30", "random"], games=40, seed=1)
    opened, dealt = play_series(series), play_series(plain)
    assert opened.set_scores != dealt.set_scores
    assert np.mean([scores[0] for scores in opened.set_scores]) >= np.mean([scores[0] for scores in dealt.set_scores])


def test_a_series_ends_where_an_agent_fails_and_keeps_that_record(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from meeple import Agent\n\nclass Mine(Agent):\n    def choose(self, turn):\n"
        "        if turn.state.game.seats == 2 and turn.seat == 1: raise RuntimeError('few')\n"
        "        return turn.state.legal_moves()[0]\n"
    )
    series = prepare(load_game(TICTACTOE), ["first", f"{tmp_path / 'mine.py'}:Mine"], games=4, seed=1)
    result = play_series(series, records=tmp_path / "kept")
    assert (result.games_played, result.standing.counted) == (0, 0)
    assert re.search(r"raised RuntimeError: few \(mine.py, line 5, in choose\) \(seed 1, seats first, ", result.fault)
    (path,) = (tmp_path / "kept").iterdir()
    record = load_record(path)
    assert record.result is not None
    assert record.result["forfeit"] == 1


def test_a_series_goes_on_after_a_timeout(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nfrom meeple import Agent\n\nclass Slow(Agent):\n    def choose(self, turn):\n"
        "        time.sleep(0.2)\n        return int(turn.state.legal_actions()[0])\n"
    )
    limits = Conditions(move=0.1)
    agents = ["first", f"{tmp_path / 'slow.py'}:Slow"]
    result = play_series(prepare(load_game(TICTACTOE), agents, games=4, seed=1, conditions=limits))
    assert result.fault == ""
    assert result.games_played == 4
    assert result.outcomes[0]["win"] == 4


def test_a_rule_may_end_a_series(tmp_path: Path) -> None:
    from meeple.arena.sprt import Sprt

    series = prepare(load_game(f"{HOARD}:players=2"), ["greedy", "random"], games=4_000, seed=1, sprt=Sprt(0, 30))
    result = play_series(series)
    assert result.games_played < 4_000
    assert any(line.startswith("SPRT [0, 30] logistic") and "H1" in line for line in result.remarks())
