"""Games from a real table: whole games typed in as one seat saw them, and what is refused."""

from __future__ import annotations

import pickle
from copy import copy
from pathlib import Path

import numpy as np
import pytest

import meeple
from conftest import HOARD, ROOT, Run
from meeple import NOBODY
from meeple.core.contract import HIDDEN
from meeple.core.entry import MOST_LISTED, Entry
from meeple.core.match import Match
from meeple.core.playthrough import asked
from meeple.core.record import load_record, parse_record, save_record
from meeple.errors import IllegalMoveError, MeepleError, NotationError, RecordError
from meeple.games.ingenious.notation import show_hand, tiles_text

PLAYTHROUGHS = ROOT / "tests" / "playthroughs"
SHIPPED = {  # a whole game of each kind, and the view from which it is typed in
    "santorini-1": 0,
    "azul-1": 1,
    "sagrada-1": 1,
    "hoard-3-seats": 2,
    "saboteur-duel-1": 0,
    "ingenious-1": 1,
    "saboteur-3-seats": 0,
}


def shipped(name: str) -> Match:
    """The match of a playthrough."""
    text = (PLAYTHROUGHS / f"{name}.txt").read_text()
    match = Match(asked(text)[0], manual_chance=True)
    for line in text.splitlines():
        if line.startswith("* "):
            match.play(line[2:])
    return match


def typed_in(truth: Match, view: int | None, most: int = 10_000) -> Entry:
    """The match as somebody at the table types it in: `?` for what this view did not see, and what it saw besides."""
    entry = Entry(truth.game, view=view, seed=5)
    for number, step in enumerate(truth.steps[:most]):
        after = truth.steps[number + 1].before if number + 1 < len(truth.steps) else truth.state
        if len(entry.steps) == number:  # draws that nobody of this view sees come by themselves
            is_hidden = view is not None and step.before.seen(step.code, view) == HIDDEN
            entry.play("?" if is_hidden else step.text)
        if len(entry.steps) == number + 1 and entry.asks:
            seen = after.text(view)
            shows_hand = len(entry.asks) > MOST_LISTED and "aside=" in seen
            entry.tell(seen.split("aside=")[1].split()[0] if shows_hand else seen)
        if number % 8 == 0 and len(entry.steps) == number + 1:
            assert known(entry) == known(truth, after, view)
    return entry


def known(match: Match, state: meeple.State | None = None, view: int | None = None) -> str:
    """A position without its fate, which is no part of what lies on a table."""
    view = match.view if isinstance(match, Entry) else view
    return (state or match.state).text(view).partition(" fate=")[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_whole_game_is_typed_in_from_one_seat(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    truth, view = shipped(name), SHIPPED[name]
    entry = typed_in(truth, view)
    assert entry.is_over
    assert known(entry) == known(truth, view=view)
    assert entry.state.ranks() == truth.state.ranks()
    hidden = [step.before.seen(step.code, view) == HIDDEN for step in truth.steps]
    assert [event.text == "?" for event in entry.record().events] == hidden
    assert any(hidden) == truth.game.facts.hidden
    again = Match.from_record(parse_record(entry.record().text()), trust=True)
    assert known(again) == known(entry)
    assert again.record().text() == entry.record().text()


@pytest.mark.parametrize("view", [0, NOBODY, None])
def test_every_view_of_a_game_can_be_typed_in(view: int | None) -> None:
    truth = meeple.play_match(f"{HOARD}:players=3", ["random"] * 3, seed=4)
    entry = typed_in(truth, view)
    assert known(entry) == known(truth, view=view)
    if view == 0:
        assert entry.seen(0) == truth.seen(0)


def dealt() -> Entry:
    """Hoard for two, from the first seat: its cards are 3 and 1, the die shows 2, and it has played its 1."""
    entry = Entry(f"{HOARD}:players=2", view=0)
    for text in ("card 3", "card 1", "roll 2", "play 2"):
        entry.play(text)
    return entry


def test_draws_of_others_come_by_themselves() -> None:
    entry = Entry(f"{HOARD}:players=2", view=0)
    entry.play("card 3")
    assert entry.state.to_move == meeple.CHANCE
    entry.play("card 1")
    assert [step.text for step in entry.steps] == ["card 3", "card 1", "?", "?"]
    assert sorted(entry.possible().values()) == ["roll 1", "roll 2", "roll 3"]


def test_it_asks_what_an_event_has_shown() -> None:
    entry = dealt()
    entry.play("card 2")
    entry.play("roll 3")
    entry.play("play 1")  # the rival's first card, which lies open now
    words = {word for sight in entry.asks for word in entry.differing(sight)}
    assert {"table=200", "table=110", "table=101"} <= words
    with pytest.raises(IllegalMoveError, match="first tell what was seen"):
        entry.play("?")
    with pytest.raises(NotationError, match="cannot have been seen"):
        entry.tell("table=300")
    entry.tell("table=110")
    assert list(entry.state.record.table) == [1, 1, 0]
    assert not entry.asks


def test_what_was_not_seen_is_a_question_mark() -> None:
    entry = dealt()
    entry.play("card 2")
    entry.play("roll 3")
    with pytest.raises(IllegalMoveError, match="not seen by seat 1: enter"):
        entry.play("drop 1")
    entry.play("?")
    assert entry.steps[-2].text == "?"  # and its draw after it
    assert entry.state.record.n_hoard[1] == 1
    with pytest.raises(IllegalMoveError, match="is seen by seat 1: say what it is"):
        entry.play("?")


def test_all_open_hides_nothing() -> None:
    entry = Entry(f"{HOARD}:players=2")
    with pytest.raises(IllegalMoveError, match="is seen by all"):
        entry.play("?")
    assert not entry.may_hide
    entry.play("card 2")
    assert entry.steps[-1].text == "card 2"


def test_undo_and_redo_go_by_what_was_entered() -> None:
    entry = dealt()
    entry.play("card 2")
    told = entry.record().text()
    assert entry.undo() == 1
    assert entry.undo(2) == 2
    assert [step.text for step in entry.steps] == ["card 3", "card 1", "?", "?"]
    assert entry.undo() == 3  # the draws that came by themselves go with it
    for _ in range(4):
        entry.redo()
    assert entry.record().text() == told
    assert entry.can_redo is False
    entry.back_to(2)
    with pytest.raises(IllegalMoveError, match="cannot be taken back"):
        entry.undo(3)


def test_an_entry_is_a_record_at_any_time(tmp_path: Path) -> None:
    entry = dealt()
    for text in ("card 2", "roll 3", "play 1"):
        entry.play(text)
    save_record(entry.record(), tmp_path / "entry.jsonl")  # in the middle of a question
    again = Match.from_record(load_record(tmp_path / "entry.jsonl"), trust=True)
    assert isinstance(again, Entry)
    assert (again.view, again.ply, len(again.asks)) == (0, 2, len(entry.asks))
    again.tell("table=110")
    reopened = pickle.loads(pickle.dumps(again))
    assert known(reopened) == known(again) == known(copy(again))
    assert again.branch(1).ply == 1
    assert again.ply == 2


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"view": "1"', '"view": "9"', "none of open, spectator"),
        ('"chance": "card 3"', '"chance": "?"', "does not fit"),
        ('"move": "play 2"', '"move": "play 7"', "does not fit"),
        ('"seat": 0', '"seat": 1', "was not to move"),
    ],
)
def test_damaged_entries_are_told_by_name(old: str, new: str, why: str) -> None:
    text = dealt().record().text()
    assert old in text
    with pytest.raises(RecordError, match=why):
        Match.from_record(parse_record(text.replace(old, new, 1)), trust=True)


def test_an_entry_is_analysed_as_the_seat_that_typed_it_in() -> None:
    entry = dealt()
    entry.play("card 2")
    found = meeple.analyse_position(entry, effort="quick", judge="ismcts:iterations=20")
    assert (found.seat, found.moves) == (0, ())  # chance is at the root: the die of the rival
    entry.play("roll 3")
    assert meeple.analyse_position(entry, effort="quick", judge="ismcts:iterations=20").moves == ()  # the rival's turn
    entry.play("?")
    entry.play("roll 1")
    best = meeple.analyse_position(entry, effort="quick", judge="ismcts:iterations=20").best
    assert best is not None
    analysis = meeple.analyse(entry, effort="quick", judge="ismcts:iterations=20", threads=1)
    assert {decision.seat for decision in analysis.decisions if decision.is_judged} == {0}
    assert all(decision.blind == (0.0, 0.0) for decision in analysis.decisions)


def test_a_view_that_is_not_at_the_table_is_refused() -> None:
    with pytest.raises(MeepleError, match="no seat 5"):
        Entry(f"{HOARD}:players=2", view=4)


def test_a_record_of_one_view_is_shown_as_that_view_saw_it(run: Run, tmp_path: Path) -> None:
    entry = Entry("saboteur-duel", view=0, seed=1)
    for text in ("card 8", "card 8", "card 9", "card 5", "card map", "card map", "card malus", "drop 8"):
        entry.play(text)
    save_record(entry.record(), tmp_path / "entry.jsonl")
    shown = run("-m", "meeple", "replay", str(tmp_path / "entry.jsonl"), "--ply", "0")
    assert shown.returncode == 0, shown.stderr
    assert entry.state_at(0).text(0) in shown.stdout
    assert "|??????? " in shown.stdout
    assert "1 of 1 replay" in run("-m", "meeple", "replay", "--verify", str(tmp_path / "entry.jsonl")).stdout


def test_tiles_that_a_swap_shows_are_typed_in() -> None:
    hand = "RR,GG,BB,RG,RB,GB"
    entry = Entry("ingenious:players=2", view=0, seed=3)
    for tile in ("OO", "OY", "OP", "YY", "YP", "PP"):
        entry.play(tile)
    entry.play(next(iter(entry.possible())))
    record = entry.state.record
    show_hand(record, 0, 1, hand, np.zeros(1, dtype=np.uint64))
    assert tiles_text(record.hand[1]) == hand
    with pytest.raises(NotationError, match="is no hand of 6 tiles"):
        show_hand(record, 0, 1, "PP,PP,PP,PP,PP,YY", np.zeros(1, dtype=np.uint64))
    with pytest.raises(NotationError, match="is no hand of 6 tiles"):
        show_hand(record, 0, 1, "RR", np.zeros(1, dtype=np.uint64))
