"""Series: the seeds and seats that were promised, the same result again, and an agent against itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE
from meeple import load_game
from meeple.arena.match import play_match
from meeple.arena.openings import Openings, random_opening
from meeple.arena.schedule import seat_orders
from meeple.arena.series import play_series, prepare
from meeple.core.record import load_record
from meeple.errors import AgentError, ConfigError


def test_sets_hold_all_permutations_or_rotations() -> None:
    assert seat_orders(2) == [(0, 1), (1, 0)]
    assert len(set(seat_orders(3))) == 6
    assert len(set(seat_orders(4))) == 24
    assert seat_orders(5) == [(0, 1, 2, 3, 4), (1, 2, 3, 4, 0), (2, 3, 4, 0, 1), (3, 4, 0, 1, 2), (4, 0, 1, 2, 3)]


def test_games_are_rounded_up_to_whole_sets() -> None:
    assert prepare(load_game(TICTACTOE), ["random", "first"], games=5, seed=1).games_a_lineup == 6
    assert prepare(load_game(f"{HOARD}:players=3"), ["random"] * 3, games=7, seed=1).games_a_lineup == 12


def test_a_seed_alone_fixes_the_world(tmp_path: Path) -> None:
    series = prepare(load_game(f"{HOARD}:players=2"), ["random", "first"], games=6, seed=40)
    play_series(series, records=tmp_path)
    records = [load_record(path) for path in sorted(tmp_path.iterdir())]
    assert sorted((record.seed, tuple(record.agents)) for record in records) == [
        (seed, agents) for seed in (40, 41, 42) for agents in (("first", "random"), ("random", "first"))
    ]
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert [event.text for event in one.events[:5]] == [event.text for event in other.events[:5]]  # deal and roll


def test_the_same_series_again_is_the_same() -> None:
    def play() -> tuple[object, ...]:
        result = play_series(
            prepare(load_game(f"{HOARD}:players=3"), ["random", "flat:playouts=5", "first"], games=12, seed=7)
        )
        return result.set_scores, result.outcomes, result.courses

    assert play() == play()


def test_an_agent_against_itself_is_not_found_stronger() -> None:
    # Two copies share their stream of randomness by seat and spec, so every pair is even: 0.5 exactly.
    result = play_series(prepare(load_game(TICTACTOE), ["random", "random"], games=40, seed=1))
    assert result.interval(0).mean == 0.5
    assert "nobody is shown to be better" in "\n".join(result.remarks())


def test_openings_are_drawn_by_the_seed_and_both_seats_play_them() -> None:
    game = load_game("santorini")
    openings = [random_opening(game, seed) for seed in range(30)]
    texts = {opening.text() for opening in openings if opening}
    assert len(texts) == 30
    assert all(opening.round_index == 1 and opening.to_move == 0 for opening in openings if opening)
    assert random_opening(load_game(f"{HOARD}:players=2"), 1) is None  # chance is opening enough
    result = play_series(prepare(game, ["first", "first"], games=20, seed=1))
    assert len(result.courses) == 10  # the same agent on both sides: each opening is one game, met twice


def test_without_openings_two_fixed_agents_play_one_game() -> None:
    result = play_series(prepare(load_game("santorini"), ["first", "first"], games=6, seed=1, openings="none"))
    assert "distinct games  1 of 6" in result.remarks()


def test_openings_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    text = "0" * 25 + "/1/mortal:B3,D3/mortal:C4,C2"
    path.write_text(f"# mine\n{text}\n")
    series = prepare(load_game("santorini"), ["first", "random"], games=2, seed=1, openings=str(path))
    assert series.openings == (text,)
    start = Openings(series.openings, first_seed=1).start(series.game, 4)
    assert start is not None
    assert start.text() == text
    with pytest.raises(ConfigError, match="cannot be read"):
        prepare(load_game("santorini"), ["first", "random"], games=2, seed=1, openings="nowhere.txt")


def test_the_wrong_number_of_agents_is_refused() -> None:
    with pytest.raises(ConfigError, match="wants 2 agents, one a seat, not 3"):
        prepare(load_game("santorini"), ["first"] * 3, games=2, seed=1)


def test_agents_that_fail_are_named() -> None:
    from meeple import Agent, Turn

    class Illegal(Agent):
        spec = "illegal"

        def choose(self, turn: Turn) -> int:
            return 10**9

    class Raising(Agent):
        spec = "raising"

        def choose(self, turn: Turn) -> int:
            raise ZeroDivisionError("oh")

    with pytest.raises(AgentError, match=r"seat 2 \(illegal\) at ply 1 of tictactoe answered 1000000000: .*legal: b3"):
        play_match(TICTACTOE, ["first", Illegal()])
    with pytest.raises(AgentError, match=r"seat 1 \(raising\) at ply 0 of tictactoe raised ZeroDivisionError: oh"):
        play_match(TICTACTOE, [Raising(), "first"])
