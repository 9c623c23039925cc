"""Games, states and matches that are pickled, deep-copied and sent to other processes."""

from __future__ import annotations

import copy
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, ROOT, TICTACTOE
from meeple import Game, Match, State, Stream, load_game
from meeple.core.chance import rng_for
from meeple.core.registry import game_names, load_pickled
from meeple.core.spec import Spec
from meeple.errors import ConfigError, RecordError

GAMES = [*game_names(), f"{HOARD}:players=3", TICTACTOE]


def some_match(game: str | Game, *, plies: int = 6, **options: object) -> Match:
    match, rng = Match(game, seed=5, **options), rng_for("test-travel", seed=5)  # type: ignore[arg-type]
    while match.ply < plies and not match.is_over:
        match.play(int(rng.choice(match.state.legal_actions())), seconds=0.25)
    return match


def told(match: Match) -> list[object]:
    steps = [(step.before, step.code, step.seat, step.seconds) for step in match.steps]
    return [match.state, steps, match.seed, match.salt, match.start_text, match.manual_chance, match.can_redo]


@pytest.mark.parametrize("spec", GAMES)
def test_games_states_and_matches_come_back(spec: str) -> None:
    match = some_match(spec)
    game, state, again = pickle.loads(pickle.dumps((match.game, match.state, match)))
    assert isinstance(game, Game)
    assert (game.spec, game.seats, game.options) == (match.game.spec, match.game.seats, match.game.options)
    assert state == match.state
    assert state.to_bytes() == match.state.to_bytes()
    assert told(again) == told(match)
    assert again.state.game is again.game is state.game is game
    again.play(int(again.state.legal_actions()[0]))
    match.play(int(match.state.legal_actions()[0]))
    assert again.state == match.state


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_will_do(protocol: int) -> None:
    match = some_match(f"{HOARD}:players=3")
    assert told(pickle.loads(pickle.dumps(match, protocol))) == told(match)


def test_states_of_one_game_share_it_when_they_come_one_by_one() -> None:
    state = some_match("santorini").state
    one, other = (pickle.loads(pickle.dumps(state)) for _ in range(2))
    assert one.game is other.game


def test_what_was_taken_back_and_the_luck_of_a_salted_match_come_along() -> None:
    match = some_match(f"{HOARD}:players=3", salt=bytes(range(16)))
    end = match.state
    match.undo(3)
    match.redo()
    again = pickle.loads(pickle.dumps(match))
    assert told(again) == told(match)
    again.redo(2)
    assert again.state == end
    assert not again.can_redo


def test_a_match_from_a_position_and_one_with_chance_by_hand_come_back() -> None:
    placed = Match(TICTACTOE, start="X.O/.X./...")
    placed.play("c1")
    assert told(pickle.loads(pickle.dumps(placed))) == told(placed)
    by_hand = Match(f"{HOARD}:players=2", manual_chance=True)
    by_hand.play(by_hand.state.offer()[0])
    again = pickle.loads(pickle.dumps(by_hand))
    assert told(again) == told(by_hand)
    assert again.manual_chance


def test_a_mode_is_needed_no_more(tmp_path: Path) -> None:
    mode = tmp_path / "short.toml"
    mode.write_text("players = 3\ntools = 2\n[points]\nlight = 3\n")
    game = load_game(f"sagrada:mode={mode}")
    body = pickle.dumps(game.new(seed=3))
    mode.unlink()
    state = pickle.loads(body)
    assert state == game.new(seed=3)
    assert state.game.spec == game.spec == "sagrada:players=3,tools=2,points=light.3"


def test_a_game_of_a_folder_comes_back_in_another_process(tmp_path: Path) -> None:
    match = some_match(load_game(f"{HOARD}:players=3"))
    (tmp_path / "match.pickle").write_bytes(pickle.dumps(match))
    script = "import pickle, sys; m = pickle.load(open(sys.argv[1], 'rb')); print(m.ply, m.state.to_bytes().hex())"
    command, path = [sys.executable, "-c", script, "match.pickle"], os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=path)
    assert ran.stdout.split() == [str(match.ply), match.state.to_bytes().hex()], ran.stderr


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "a, folder with=signs" / "tictactoe"
    shutil.copytree(TICTACTOE, folder)
    game = load_game(Spec(str(folder)))
    assert pickle.loads(pickle.dumps(game)).definition.folder == str(folder)


@pytest.mark.parametrize("spec", ["santorini", f"{HOARD}:players=3"])
def test_copies_are_equal_and_go_their_own_way(spec: str) -> None:
    match = some_match(spec)
    for copied in (copy.copy(match), copy.deepcopy(match)):
        assert told(copied) == told(match)
        copied.undo()
        assert copied.ply == match.ply - 1
        assert not match.can_redo
    state = match.state
    assert copy.copy(match.game) is copy.deepcopy(match.game) is match.game
    for twin in (copy.copy(state), copy.deepcopy(state)):
        assert twin == state
        assert twin.array is not state.array
        assert not np.shares_memory(twin.array, state.array)
    inner = copy.deepcopy({"states": [state, state]})
    assert inner["states"][0] is inner["states"][1]


def test_bytes_in_a_pickle_are_checked() -> None:
    state = load_game("santorini").new()
    wrong = b"\xff" * len(state.to_bytes())
    with pytest.raises(RecordError, match="these bytes are no state of santorini"):
        pickle.loads(_pickle_of(Game.from_bytes, (state.game, wrong)))
    with pytest.raises(RecordError, match=r"a state of santorini has \d+ bytes, not 3"):
        pickle.loads(_pickle_of(Game.from_bytes, (state.game, b"abc")))


def test_events_in_a_pickle_are_checked() -> None:
    match = some_match(TICTACTOE, plies=3)
    make, (first, events, *rest) = match.__reduce__()
    with pytest.raises(RecordError, match="event 2 of a pickled match does not fit: action"):
        pickle.loads(_pickle_of(make, (first, [events[0], events[0]], *rest)))


def test_other_rules_are_refused() -> None:
    name, settings, version = load_game("santorini").__reduce__()[1]
    with pytest.raises(RecordError, match=r"by version 99 of the rules of santorini; here is version"):
        load_pickled(name, settings, 99)
    assert load_pickled(name, settings, version).spec == "santorini"


def test_a_pickle_opens_no_file_of_options(tmp_path: Path) -> None:
    mode = tmp_path / "short.toml"
    mode.write_text("tools = 2")
    with pytest.raises(ConfigError, match="sagrada has no option 'mode'"):
        load_pickled("sagrada", (("mode", str(mode)),), 1)


class _Reduced:
    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts

    def __reduce__(self) -> tuple[object, ...]:
        return self.parts


def _pickle_of(make: object, arguments: tuple[object, ...]) -> bytes:
    """A pickle that calls `make` with these arguments, as a damaged or crafted one would."""
    return pickle.dumps(_Reduced((make, arguments)))


# --- streams -----------------------------------------------------------------------------------------


def test_a_stream_starts_from_an_int_or_a_generator_of_numpy() -> None:
    assert Stream(7).many(100, 5).tolist() == Stream(np.int64(7)).many(100, 5).tolist()
    one, other = (Stream(np.random.default_rng(3)) for _ in range(2))
    assert one.many(1000, 5).tolist() == other.many(1000, 5).tolist()
    generator = np.random.default_rng(3)
    first, second = Stream(generator), Stream(generator)
    assert first.many(1000, 5).tolist() != second.many(1000, 5).tolist()
    for wrong in ("7", 7.0, True, None):
        with pytest.raises(ConfigError, match="from an int or a NumPy Generator, not from a"):
            Stream(wrong)  # type: ignore[arg-type]


def test_a_stream_goes_on_after_a_pickle_where_it_was() -> None:
    stream = Stream(7)
    stream.below(6)
    again = pickle.loads(pickle.dumps(stream))
    assert again.many(100, 5).tolist() == stream.many(100, 5).tolist()


def test_a_state_takes_a_stream_for_its_redeal() -> None:
    state: State = some_match(f"{HOARD}:players=3").state
    assert state.redealt(0, Stream(np.random.default_rng(1))) == state.redealt(0, Stream(np.random.default_rng(1)))
