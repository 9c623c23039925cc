"""Salted matches: what an agent is handed leads neither to the seed nor to what it may not know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Agent, Turn, load_agent, load_game, play_match
from meeple.agents.base import pose, streams_of
from meeple.arena.engine import play_game
from meeple.arena.openings import Openings, random_opening
from meeple.arena.series import play_series, prepare
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import merge, play_tournament, prepare_tournament
from meeple.core.chance import SALT_BYTES, Stream, family, new_salt
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.record import load_record, parse_record
from meeple.errors import ConfigError, RecordError

SALT = bytes(range(SALT_BYTES))
SEED = 1_234
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Spy(Agent):
    """Keeps what it is handed, and plays the first move on offer."""

    def __init__(self) -> None:
        self.spec = "spy"
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> int:
        self.turns.append(turn)
        return int(turn.state.legal_actions()[0])


def first_turn(game: Game, salt: bytes) -> tuple[Turn, Match]:
    """What an agent in the first seat is handed first, and the match that it is handed from."""
    spy, match = Spy(), Match(game, seed=SEED, salt=salt)
    streams = streams_of(spy, 0, SEED, salt)
    pose(spy, match.state, ply=0, streams=streams, seen=list)
    return spy.turns[0], match


# --- the attacks -------------------------------------------------------------------------------------


def mixed(words: np.ndarray) -> np.ndarray:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def words_of(families: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """`chance.word_of`, for many at once."""
    return mixed(mixed(families + numbers * GOLDEN) ^ families)


def seeds_of_stream(turn: Turn, spec: str) -> list[int]:
    """All seeds below a million whose stream for this seat, agent and ply is the one that was handed over."""
    seeds = np.arange(1_000_000, dtype=np.uint64)
    agents = words_of(np.full(len(seeds), family("agent", turn.seat, spec), dtype=np.uint64), seeds)
    return np.flatnonzero(words_of(agents, np.uint64(turn.ply)) == turn.rng.array[0]).tolist()


def seeds_of_hand(turn: Turn) -> list[int]:
    """All seeds below 3,000 that deal the hand which the seat holds."""
    deals = (turn.state.game.new(seed=seed).settled() for seed in range(3_000))
    return [seed for seed, deal in enumerate(deals) if deal.record.hand[turn.seat] == turn.state.record.hand[turn.seat]]


@pytest.fixture(scope="module")
def ingenious() -> Game:
    return load_game("ingenious:players=2")


def test_from_a_stream_follows_the_rivals_rack_unless_the_match_is_salted(ingenious: Game) -> None:
    turn, match = first_turn(ingenious, b"")
    assert seeds_of_stream(turn, "spy") == [SEED]
    assert ingenious.new(seed=SEED).settled().record.hand[1] == match.state.record.hand[1]
    turn, _ = first_turn(ingenious, SALT)
    assert seeds_of_stream(turn, "spy") == []


def test_from_a_hand_follows_the_rivals_rack_unless_the_match_is_salted(ingenious: Game) -> None:
    turn, match = first_turn(ingenious, b"")
    assert SEED in seeds_of_hand(turn)
    turn, match = first_turn(ingenious, SALT)
    racks = [int(ingenious.new(seed=seed).settled().record.hand[1]) for seed in seeds_of_hand(turn)]
    assert int(match.state.record.hand[1]) not in racks
    # Nor does the fate of the deal bring what comes later: each event has its own.
    foretold = ingenious.new(seed=SEED, salt=SALT)
    assert foretold.settled().record.hand.tolist() != match.state.record.hand.tolist()


def test_worlds_that_look_alike_hand_over_the_same_bytes(ingenious: Game) -> None:
    _, match = first_turn(ingenious, SALT)
    handed = set()
    for number in range(5):
        spy, truth = Spy(), match.state.redealt(0, Stream(number)) if number else match.state
        pose(spy, truth, ply=0, streams=streams_of(spy, 0, SEED, SALT), seen=list)
        handed.add((spy.turns[0].state.to_bytes(), int(spy.turns[0].rng.array[0])))
    assert len(handed) == 1


def test_what_a_view_leaves_open_is_not_filled_as_anybody_could() -> None:
    game = load_game(f"{HOARD}:players=2")
    view = Match(game, seed=3).state.text(0)
    known = game.read(view).record.hand[1].tolist()
    assert Match(game, seed=3, start=view).state.record.hand[1].tolist() == known
    hands = [Match(game, seed=seed, start=view, salt=SALT).state.record.hand[1].tolist() for seed in range(12)]
    assert any(hand != known for hand in hands)
    openings = Openings((view,))
    for seed, hand in enumerate(hands):
        start = openings.start(game, seed, SALT)
        assert start is not None
        assert start.record.hand[1].tolist() == hand


# --- the same match again ----------------------------------------------------------------------------


def test_a_salt_fixes_the_match_and_another_gives_another() -> None:
    game = load_game(f"{HOARD}:players=2")

    def codes(salt: bytes) -> list[int]:
        return play_game(game, [load_agent(name, game) for name in ("random", "greedy")], seed=7, salt=salt).codes

    assert codes(SALT) == codes(SALT)
    assert len({tuple(codes(salt)) for salt in (b"", SALT, SALT[::-1])}) == 3
    assert new_salt() != new_salt()
    assert len(new_salt()) == SALT_BYTES


def test_seats_exchanged_meet_the_same_chance_in_a_salted_match() -> None:
    game = load_game(f"{HOARD}:players=2")
    dice = []
    for names in (["random", "first"], ["first", "random"]):
        match = play_match(game, names, seed=3, salt=SALT)
        keyed = {
            int(game.face.chance_key_at(step.before.array, 0)): int(step.before.record.fate)
            for step in match.steps
            if step.seat is None
        }
        dice.append(keyed)
    shared = dice[0].keys() & dice[1].keys()
    assert len(shared) > 8
    assert all(dice[0][key] == dice[1][key] for key in shared)


def test_the_runner_and_a_match_play_the_same_salted_game() -> None:
    for spec in (f"{HOARD}:players=3", TICTACTOE):
        game = load_game(spec)
        agents = [load_agent(name, game) for name in ("random", "first", "random")[: game.seats]]
        start = random_opening(game, 5, SALT)
        quick = play_game(game, agents, seed=5, start=start, salt=SALT)
        slow = play_match(game, agents, seed=5, start=start, salt=SALT)
        assert quick.codes == [step.code for step in slow.steps]


def test_a_salted_record_replays_and_goes_on_as_the_match_would() -> None:
    match = play_match(f"{HOARD}:players=2", ["random", "first"], seed=7, salt=SALT)
    text = match.record(["random", "first"]).text()
    again = Match.from_record(parse_record(text), trust=True)
    assert again.salt == SALT
    assert again.state == match.state
    assert again.record(["random", "first"]).text() == text
    half = match.branch(2)
    restored = Match.from_record(parse_record(half.record().text()), trust=True)
    for code in [step.code for step in match.steps if step.seat is not None][2:]:
        half.play(code)
        restored.play(code)  # chance must bring both the same, which decides what is on offer
    assert restored.state == half.state == match.state


def test_a_record_without_a_salt_is_written_as_before_and_a_damaged_one_refused() -> None:
    text = play_match(TICTACTOE, ["first", "first"]).record().text()
    assert '"salt"' not in text
    for wrong in ("xyz", "00" * (SALT_BYTES - 1)):
        with pytest.raises(RecordError, match="32 digits of base 16"):
            parse_record(text.replace('"seed": 0', f'"seed": 0, "salt": "{wrong}"'))


# --- series and tournaments --------------------------------------------------------------------------


def test_an_untrusted_series_is_salted_and_keeps_its_key_in_the_records(tmp_path: Path) -> None:
    game = load_game(f"{HOARD}:players=2")
    series = prepare(game, ["random", "first"], games=4, seed=7, untrusted=True)
    play_series(series, records=tmp_path)
    records = [load_record(path) for path in sorted(tmp_path.glob("*.jsonl"))]
    assert len(records[0].salt) == SALT_BYTES
    assert [record.salt for record in records] == [records[0].salt] * 4
    for record in records:
        assert Match.from_record(record, trust=True).is_over
    play_series(prepare(game, ["random", "first"], games=2, seed=9), records=tmp_path)
    assert {load_record(path).salt for path in tmp_path.glob("*-9-*.jsonl")} == {b""}


def stored(path: Path) -> list[StoredGame]:
    with Store.read(path) as store:
        return list(store.games(records=True))


def test_an_untrusted_tournament_resumes_with_its_key(tmp_path: Path) -> None:
    def play(games: int, name: str) -> list[StoredGame]:
        plan = prepare_tournament(f"{HOARD}:players=2", ["random", "first"], games=games, untrusted=True)
        with Store.open(tmp_path / name, plan.configuration()) as store:
            play_tournament(plan, store)
        return stored(tmp_path / name)

    half, whole, other = play(3, "a"), play(6, "a"), play(6, "b")
    assert whole[:3] == half
    with Store.read(tmp_path / "a") as store:
        salt = store.salt
        assert "salt" not in store.configuration  # which names the tournament, and is printed where two differ
    for game in whole:
        assert game.record is not None
        record = parse_record(game.record)
        assert record.salt == salt
        again = Match.from_record(record, trust=True)
        agents = [load_agent(name, again.game) for name in record.agents]
        codes = play_game(again.game, agents, seed=record.seed, salt=salt).codes
        assert codes == [step.code for step in again.steps]
    assert [game.course for game in other] != [game.course for game in whole]
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0
    with pytest.raises(ConfigError, match="salted by another key"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    merge([tmp_path / "a"], tmp_path / "c")
    with Store.read(tmp_path / "c") as store:
        assert store.salt == salt


def test_a_trusted_tournament_has_no_key_and_is_named_as_before(tmp_path: Path) -> None:
    plan = prepare_tournament(f"{HOARD}:players=2", ["random", "first"], games=2)
    assert "untrusted" not in plan.configuration()
    with Store.open(tmp_path / "a", plan.configuration()) as store:
        assert store.salt == b""
