"""Flat Monte Carlo: known best moves, an untouched state, the same answer for the same seed, and no leaks."""

from __future__ import annotations

import pytest

from conftest import HOARD, TICTACTOE
from meeple import CHANCE, Match, State, load_agent, load_game
from meeple.agents.base import ask
from meeple.core.chance import rng_for
from meeple.search import flat
from search.leaks import audit

AGENTS = ["random", "first", "flat:playouts=20"]


def search(state: State, playouts: int = 100, seed: int = 1, **options: object) -> flat.SearchResult:
    config = flat.FlatConfig(playouts=playouts)
    return flat.search(state, config=config, rng=rng_for("test-flat", seed=seed), **options)  # type: ignore[arg-type]


def test_a_win_in_one_is_taken() -> None:
    state = load_game("santorini").read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    result = search(state, playouts=10)
    assert state.move_text(result.action) == "C3>C4#"
    assert result.values[list(result.actions).index(result.action)] == 1.0


def test_the_centre_of_tictactoe_is_the_best_first_move() -> None:
    # With 20,000 games a move the standard error is at most 0.0071: the bound is six of them.
    state = load_game(TICTACTOE).new()
    result = search(state, playouts=20_000)
    values = dict(zip([state.move_text(a) for a in result.actions], result.values, strict=True))
    assert state.move_text(result.action) == "b2"
    for move in ("b2", "a1", "a2"):
        assert values[move] == pytest.approx(exact_value(move), abs=0.043)


def exact_value(move: str) -> float:
    """The first seat's expected returns after `move` when both play at random, by walking the whole tree."""

    def value(state: State) -> float:
        if state.is_over:
            return state.returns()[0]
        key = state.text()
        if key not in known:
            moves = state.legal_actions()
            known[key] = sum(value(state.after(int(action))) for action in moves) / len(moves)
        return known[key]

    known: dict[str, float] = {}
    return value(load_game(TICTACTOE).new().play(move))


def test_a_search_leaves_its_state_as_it_was_and_two_in_a_row_equal_each_alone() -> None:
    game = load_game(f"{HOARD}:players=3")
    match = Match(game, seed=3)
    before = match.state.to_bytes()
    alone = search(match.state, seed=5)
    search(match.state, seed=6)
    again = search(match.state, seed=5)
    assert match.state.to_bytes() == before
    assert again.action == alone.action
    assert again.values.tolist() == alone.values.tolist()


def test_stopped_early_it_answers_with_the_best_so_far() -> None:
    state = load_game("santorini").new()
    result = search(state, playouts=1_000, should_stop=lambda: True)
    assert result.work == flat.FIRST_SLICE
    assert result.visits.sum() == flat.FIRST_SLICE
    assert result.action in state.legal_actions()


def test_slices_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_game(TICTACTOE).new()
    whole = search(state, playouts=300)
    monkeypatch.setattr(flat, "FIRST_SLICE", 7)
    monkeypatch.setattr(flat, "SLICE_SECONDS", 0.0)  # then one at a time
    assert search(state, playouts=300).values.tolist() == whole.values.tolist()


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_leak_audit(spec: str, players: int) -> None:
    assert audit(spec, players=players, seed=11, worlds=3) >= 3 * players


def test_what_an_agent_is_handed_is_not_the_true_world() -> None:
    from meeple import Agent, Turn

    handed: list[State] = []

    class Spy(Agent):
        spec = "spy"
        wants_history = True

        def choose(self, turn: Turn) -> int:
            handed.append(turn.state)
            assert turn.seen is not None
            assert len(turn.seen) == len(match.steps)
            return int(turn.state.legal_actions()[0])

    match = Match(f"{HOARD}:players=2", seed=2)
    ask(Spy(), match)
    assert handed[0].record.fate != match.state.record.fate
    assert handed[0].text(0) == match.state.text(0)
    ask(Spy(), match, deterministic=True)
    assert handed[1] == match.state


def fated(state: State) -> State:
    """The next decision, or the end, as the fate of this world brings it."""
    while state.to_move == CHANCE:
        state = state.after(state.fated_outcome())
    return state


def test_in_the_deterministic_version_flat_plays_on_in_the_true_world() -> None:
    """At the last decision everything follows from the fate: all playouts of a move end alike."""
    match = Match(f"{HOARD}:players=2,rounds=2", seed=4)
    agent = load_agent("random", match.game)
    while not all(fated(match.state.after(a)).is_over for a in match.state.offer()):
        match.play(ask(agent, match))
    results: list[flat.SearchResult] = []
    ask(load_agent("flat:playouts=7", match.game), match, deterministic=True, report=results.append)
    for action, value in zip(results[0].actions.tolist(), results[0].values.tolist(), strict=True):
        assert value == pytest.approx(fated(match.state.after(action)).returns()[match.to_move])


def test_a_game_keeps_nothing_of_the_true_world() -> None:
    # Agents hold the same Game as the match: no buffer in it may remember the weights of the last draw.
    match = Match(f"{HOARD}:players=2", seed=2)
    match.play(int(match.state.legal_actions()[0]))
    arrays = [name for name, value in vars(match.game).items() if hasattr(value, "dtype")]
    assert arrays == ["option_codes"]


def test_flat_beats_random() -> None:
    from meeple.arena.series import play_series, prepare

    result = play_series(prepare(load_game("santorini"), ["flat:playouts=20", "random"], games=40, seed=1))
    assert result.interval(0).low > 0.5
