"""Match: play, undo, redo, branch, and what a seat saw."""

from __future__ import annotations

import pytest

from conftest import HOARD, TICTACTOE
from meeple import HIDDEN, Match
from meeple.core.chance import rng_for
from meeple.errors import IllegalMoveError, RecordError


def random_match(spec: str, seed: int, plies: int) -> Match:
    match, rng = Match(spec, seed=seed), rng_for("test-match", seed=seed)
    while match.ply < plies and not match.is_over:
        match.play(int(rng.choice(match.state.legal_actions())))
    return match


def test_undo_and_redo_bring_the_same_luck() -> None:
    match = random_match(f"{HOARD}:players=3", seed=5, plies=6)
    texts, states = [step.text for step in match.steps], [step.before for step in match.steps]
    end = match.state
    match.undo(4)
    assert match.ply == 2
    assert match.to_move >= 0
    match.redo(4)
    assert match.state == end
    assert [step.text for step in match.steps] == texts
    assert [step.before for step in match.steps] == states
    # Played anew, the same moves meet the same cards and dice.
    moves = [step.code for step in match.steps if step.seat is not None][2:]
    match.undo(4)
    for move in moves:
        match.play(move)
    assert [step.text for step in match.steps] == texts


def test_a_new_move_ends_what_could_be_redone() -> None:
    match = Match(TICTACTOE)
    match.play("a1")
    match.undo()
    assert match.can_redo
    match.play("b2")
    assert not match.can_redo
    with pytest.raises(IllegalMoveError, match="nothing to redo"):
        match.redo()


def test_undo_of_more_than_was_played_changes_nothing() -> None:
    match = Match(TICTACTOE)
    match.play("a1")
    with pytest.raises(IllegalMoveError, match="2 moves cannot be taken back: 1 were made"):
        match.undo(2)
    assert match.ply == 1


def test_a_refused_move_changes_nothing() -> None:
    match = Match(TICTACTOE)
    match.play("a1")
    match.undo()
    with pytest.raises(IllegalMoveError):
        match.play(17)
    assert match.can_redo
    assert match.ply == 0


@pytest.mark.parametrize("ply", [0, 1, 3, 6, None])
def test_a_branch_shares_the_beginning_and_goes_its_own_way(ply: int | None) -> None:
    match = random_match(f"{HOARD}:players=2", seed=3, plies=6)
    length = len(match.steps)
    branch = match.branch(ply)
    assert branch.ply == (6 if ply is None else ply)
    assert branch.state == match.state_at(branch.ply)
    branch.play(int(branch.state.legal_actions()[0]))
    assert len(match.steps) == length


def test_a_match_from_a_position_is_recorded_with_it() -> None:
    match = Match(TICTACTOE, start="X.O/.X./...")
    match.play("c1")
    record = match.record(["a", "b"])
    assert Match.from_record(record, trust=True).state == match.state


def test_a_seat_sees_its_own_cards_and_not_the_others() -> None:
    match = random_match(f"{HOARD}:players=2", seed=8, plies=5)
    for step, mine, theirs in zip(match.steps, match.seen(0), match.seen(1), strict=True):
        secret = step.text.startswith(("card", "drop"))
        owner = int(step.before.record.mover)
        assert mine == (HIDDEN if secret and owner != 0 else step.code)
        assert theirs == (HIDDEN if secret and owner != 1 else step.code)


def test_a_record_that_does_not_fit_names_the_event() -> None:
    record = random_match(TICTACTOE, seed=1, plies=4).record()
    record.events[2] = record.events[1]
    with pytest.raises(RecordError, match=r"event 3 .* seat 2 was not to move"):
        Match.from_record(record, trust=True)
