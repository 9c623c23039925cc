"""What a page tells when a match, or a round of it, is over."""

from __future__ import annotations

import pytest

from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.core.chance import Stream
from meeple.core.match import Match
from meeple.core.registry import game_names, load_game
from meeple.core.speech import Hearer, plain, told
from meeple.web.endings import ending_panel, fresh_round, news_panel, rating_words, score_table
from meeple.web.history import OwnMatch, Rated
from meeple.web.ratings import Rating
from meeple.web.seats import Seat
from meeple.web.table import Table
from meeple.web.voice import Voice
from web.conftest import new_table


def finished(game: str, seed: int = 1) -> Match:
    """A match of random players."""
    board = load_game(game)
    return play_game(board, [load_agent("random", board) for _ in range(board.seats)], seed=seed).match()


def table_at(match: Match) -> Table:
    return Table(match.game, [Seat("here", f"P{n}") for n in range(match.game.seats)], owner="nobody", match=match)


def reasons(match: Match, you: int | None = None) -> list[str]:
    hearer = Hearer([f"P{n}" for n in range(match.game.seats)], you)
    return [plain(told(sentence, hearer)) for sentence in match.state.ending()]


@pytest.mark.parametrize("game", game_names())
def test_every_game_says_why_it_ended_and_shows_its_scores(game: str) -> None:
    match = finished(game)
    assert reasons(match)
    table = table_at(match)
    panel = str(ending_panel(table, Voice(table.names)))
    assert all(reason in panel for reason in reasons(match))
    scores = score_table(table, Voice(table.names))
    if scores is not None:
        is_draw = len(table.winners()) == len(table.seats) > 1  # as the duel's match is
        assert str(scores).count("★") == (0 if is_draw else len(table.winners()))


def test_santorini_is_won_at_the_top_or_by_the_other_who_cannot_move() -> None:
    found = {tuple(reasons(finished("santorini", seed))) for seed in range(1, 30)}
    assert {words[0][3:] for words in found} == {"stands on the third level", "has no move left"}


def test_the_one_who_reads_is_called_you() -> None:
    match = finished("santorini")
    (sentence,) = match.state.ending()
    assert reasons(match, you=sentence.subject)[0].startswith("You ")


def test_azuls_score_table_adds_up() -> None:
    match = finished("azul")
    text = str(score_table(table_at(match), Voice(("A", "B"))))
    assert "in all" in text
    assert all(f"<td>{match.state.score(seat)}</td>" in text for seat in range(2))


def test_as_many_seats_as_lines_have_a_row_each() -> None:
    match = finished("saboteur:players=4", seed=2)
    text = str(score_table(table_at(match), Voice(("A", "B", "C", "D"))))
    assert text.count("<tr>") == 1 + 4
    assert text.count('scope="row"') == 4
    assert all(f"<td>{match.state.score(seat)}</td></tr>" in text for seat in range(4)), "the sum is the last column"


def test_a_match_given_up_shows_scores_but_no_reason_of_the_rules() -> None:
    table = new_table("azul", "here", "here")
    table.resign(0)
    panel = str(ending_panel(table, Voice(table.names, 0)))
    assert "<p>" not in panel
    assert "★" in panel


def test_saboteurs_rounds_tell_roles_and_pay_and_nothing_that_a_seat_may_not_know() -> None:
    match = finished("saboteur:players=4", seed=2)
    states = [step.before for step in match.steps if step.seat is not None]
    n_told = 0
    for ply in range(0, len(states), 5):
        state = states[ply]
        for seat in range(4):
            found = state.rounds(seat)
            assert found == state.redealt(seat, Stream(ply)).rounds(seat)
            n_told += len(found)
    assert n_told > 0
    last = match.state.rounds(None)
    assert [each.title[:7] for each in last] == ["Round 1", "Round 2", "Round 3"]
    for seat in range(4):
        gold = [int(each.rows[seat][1].split()[0]) for each in last]
        back = int((match.state.record.returned[seat] * [1, 2, 3]).sum())  # given back for change
        assert sum(gold) - back == match.state.score(seat)


def test_a_round_that_is_over_is_told_until_everybody_has_moved() -> None:
    match = finished("saboteur:players=3", seed=3)
    decisions = [number for number, step in enumerate(match.steps) if step.seat is not None]
    first = next(n for n in decisions if match.steps[n].before.round_index == 1)
    shown = []
    for number in decisions[decisions.index(first) - 1 :][:6]:
        steps = match.steps[:number]
        part = Match.from_steps(steps, match.steps[number].before, match.seed)
        found = fresh_round(table_at(part), 0)
        shown.append(found.title[:7] if found else None)
    assert shown[1:] == ["Round 1", "Round 1", "Round 1", None, None]
    assert "miner" in str(
        news_panel(
            table_at(Match.from_steps(match.steps[:first], match.steps[first].before, 1)),
            Voice(("P0", "P1", "P2"), 0, 0),
        )
    )


def test_what_a_match_means_for_the_rating() -> None:
    person = {"kind": "here", "name": "Ann", "level": "", "spec": ""}
    rival = {"kind": "agent", "name": "Level 1", "level": "Level 1", "spec": "random"}
    body = {"seats": [person, rival], "winners": [0], "is_study": False, "is_replay": False, "head": {"game": "azul"}}
    played = OwnMatch(body, frozenset({0}), "token", 0.0)
    rated = Rated(played, Rating(500.4, 100), Rating(488.6, 50))
    assert rating_words(played, rated) == "Your rating in Azul: 489 ± 98 (−11)"  # 489 and 500 are read, so 11
    assert rated.change == "−11"
    assert rating_words(played, None).startswith("Not rated: ")
    assert rating_words(None, None) == ""
