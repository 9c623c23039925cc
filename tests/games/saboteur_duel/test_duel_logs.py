"""The course's logs: read, replayed, written, and refused with line and reason where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from meeple import Match
from meeple.core.logs import load_logs, write_log
from meeple.core.record import Record
from meeple.errors import UnsupportedGameError
from meeple.games.saboteur_duel.notation import read_logs
from reference.saboteur_duel import replay

GAMES = Path(__file__).parent / "games.txt"  # of our own making: builders, random players, both decks
TEXT = GAMES.read_text()


def records() -> list[Record]:
    found = [log.record for log in load_logs(GAMES)]
    assert all(found)
    return [record for record in found if record]


def test_every_log_replays_to_its_result() -> None:
    games = TEXT.strip().split("\n\n")
    assert len(records()) == len(games) == 6
    for record, paragraph in zip(records(), games, strict=True):
        match = Match.from_record(record)
        assert match.is_over
        assert match.ply == len(paragraph.splitlines()) - 2
        winner = {"winner 1": [1.0, 0.0], "winner 0": [0.0, 1.0], "draw": [0.5, 0.5]}
        assert match.state.win_shares() == winner[paragraph.splitlines()[-1].removeprefix("RESULT ")]
        replay(paragraph)  # the second writing agrees


def test_a_log_is_written_as_it_was_read() -> None:
    written = "\n".join(write_log(Match.from_record(record)) for record in records())
    assert written == TEXT


def test_the_logs_have_wins_and_draws_of_both_decks() -> None:
    assert {record.game for record in records()} == {"saboteur-duel", "saboteur-duel:deck=53"}
    assert "RESULT draw" in TEXT
    assert "RESULT winner 1" in TEXT
    assert "RESULT winner 0" in TEXT


def test_a_played_card_is_the_first_equal_one() -> None:
    # Player 1 holds 8, map, 8 in this order and plays an 8: the map is then in place 0.
    head = "BoardInit:{}-Tile:8,Map,Tile:8,Tile:1,Tile:2,Tile:3,Tile:4-{}-Tile:nugget,Tile:hidden1,Tile:hidden2"
    rest = all_cards_but(["Tile:8", "Map", "Tile:8", "Tile:1", "Tile:2", "Tile:3", "Tile:4"])
    text = head.format(",".join(rest[7:]), ",".join(rest[:7])) + "\nTile:8 6 5 1\nDrop 6 0 0\nDrop 0 0 1\n"
    (log,) = read_logs(text)
    assert log.record is not None, log.fault
    assert Match.from_record(log.record).steps[-2].text == "drop map"


def all_cards_but(taken: list[str]) -> list[str]:
    cards = TEXT.splitlines()[0].removeprefix("BoardInit:").rsplit("-", 1)[0].replace("-", ",").split(",")
    for card in taken:
        cards.remove(card)
    return cards


def changed(old: str, new: str) -> str:
    """The first log with something else in it."""
    first = TEXT.split("\n\n")[0]
    assert old in first
    return first.replace(old, new, 1)


FIRST = TEXT.split("\n\n")[0].splitlines()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed("BoardInit:", "BoardInit:Map,"), "line 1: there are 56 cards; a deck has 55"),
        (changed("Bonus", "Tile:77"), "line 1: 'Tile:77' is no card"),
        (changed("Destroy", "Malus"), "line 1: there are 2 cards Destroy; the deck has 3"),
        (changed("Tile:hidden1", "Tile:hidden2"), "line 1: the objectives are"),
        (changed("-", "+"), "is no beginning of a log"),
        ("\n".join([FIRST[0], "Tile:0 0 0 1"]), "line 2: 'Tile:0 0 0 1': "),
        ("\n".join([FIRST[0], "Drop 7 0 1"]), "line 2: 'Drop 7 0 1': the hand has 7 cards, counted from 0"),
        ("\n".join([FIRST[0], "Drop 0 0 0"]), "line 2: 'Drop 0 0 0': player 0 is not to move"),
        ("\n".join([FIRST[0], "Drop 0 0 1", "dance"]), "line 3: 'dance': a move reads like"),
        (
            "\n".join([FIRST[0], "Drop 0 0 1", "RESULT draw"]),
            "line 3: 'RESULT draw': the game is not over after 1 moves",
        ),
        ("\n".join([*FIRST[:-1], "RESULT winner 0"]), "'RESULT winner 0': the moves lead to 'RESULT draw'"),
        ("\n".join([*FIRST[:-1], "Drop 0 0 1"]), "the game is over"),
        ("\n".join([*FIRST[:-1], "RESULT who"]), "a result reads"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(text: str, message: str) -> None:
    (log,) = read_logs(text)
    assert log.record is None
    assert message in log.fault


def test_a_map_aimed_at_no_objective_passes_only_by_the_flag() -> None:
    # RULING 3: illegal; old programs took it for the first objective.
    hand = ["Map", "Tile:8", "Tile:8", "Tile:1", "Tile:2", "Tile:3", "Tile:4"]
    rest = all_cards_but(hand)
    deal = f"BoardInit:{','.join(rest[7:])}-{','.join(hand)}-{','.join(rest[:7])}"
    text = f"{deal}-Tile:hidden1,Tile:nugget,Tile:hidden2\nMap 11 4 1\n"
    (log,) = read_logs(text)
    assert "line 2: 'Map 11 4 1': no objective lies at 11 4" in log.fault
    (log,) = read_logs(text, lenient=True)
    assert log.record is not None
    assert [event.text for event in log.record.events if event.seat == 0] == ["map left"]


def raw(paragraph: str, result: str) -> str:
    """A log of ours as the course's server would have written it: one file a match, its own remarks around it."""
    head = "# Server version 0.09 running on here:8123\n# Game ID: 7\n# Player 1: PLAYER-1, 'A', running on here\n"
    moves = paragraph.strip().rpartition("\n")[0]
    return f"{head}START 0 PLAYER-1\n{moves}\nGAMEOVER {result}\n# Game ended: today\n"


def test_a_raw_log_of_the_courses_server_is_read_as_it_is(tmp_path: Path) -> None:
    for number, paragraph in enumerate(TEXT.strip().split("\n\n")):
        result = paragraph.rpartition("\n")[2].removeprefix("RESULT ").upper()
        path = tmp_path / f"game{number}.log"
        path.write_text(raw(paragraph, result))
        (log,) = load_logs(path)
        assert log.record == records()[number], log.fault
    wrong = "WINNER 0" if "WINNER 1" in result else "WINNER 1"
    (log,) = read_logs(raw(paragraph, wrong))
    assert "the moves lead to 'RESULT" in log.fault


def test_a_match_that_the_server_ended_is_read_up_to_there() -> None:
    paragraph = "\n".join([*TEXT.split("\n\n")[0].splitlines()[:4], "RESULT draw"])
    for result in ("TIMEOUT WINNER 1", "ILLEGAL MOVE: Tile:7 0 0 1 WINNER 0", "UNDECIDED", "CANCELLED 0"):
        (log,) = read_logs(raw(paragraph, result))
        assert log.record is not None, log.fault
        assert not Match.from_record(log.record).is_over
    (log,) = read_logs(raw(paragraph, "DRAW"))
    assert "line 9: 'GAMEOVER DRAW': the game is not over after 3 moves" in log.fault


def test_the_command_opens_verifies_and_writes_logs(meeple: Run, tmp_path: Path) -> None:
    ran = meeple("replay", "--verify", str(GAMES))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith("6 of 6 replay\n")
    assert f"{GAMES} line 1: replays," in ran.stdout
    written = meeple("replay", "--log", str(GAMES))
    assert written.stdout == TEXT + "\n"
    one = tmp_path / "one.txt"
    one.write_text(TEXT.split("\n\n")[0])
    assert "deck 41" in meeple("replay", "--ply", "0", str(one)).stdout
    bad = tmp_path / "bad.txt"
    bad.write_text(changed("Destroy", "Malus"))
    ran = meeple("replay", "--verify", str(one), str(bad))
    assert ran.returncode == 1
    assert f"{bad}: WRONG: line 1: there are" in ran.stdout
    assert ran.stdout.endswith("1 of 2 replay\n")


def test_a_match_from_a_position_is_no_log() -> None:
    match = Match("saboteur-duel", seed=1)
    later = Match("saboteur-duel", start=match.state.text())
    with pytest.raises(UnsupportedGameError, match="does not start at the beginning"):
        write_log(later)
    with pytest.raises(UnsupportedGameError, match="has no notation of logs"):
        write_log(Match("santorini"))
