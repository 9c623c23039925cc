"""How a match ended, as HTML text: why, the scores by category, the rounds with their roles; and a round that is over.

A running match shows a viewer only what its seat may know: `State.rounds` is asked for that seat.
"""

from __future__ import annotations

from typing import NamedTuple

from meeple.core.speech import Round, plain, told
from meeple.core.svg import Markup, tag
from meeple.web.history import History, OwnMatch, Rated
from meeple.web.panels import has_points, seat_mark, tally
from meeple.web.store import TableStore
from meeple.web.table import Table
from meeple.web.voice import Voice

NO_BREAK = "\u00a0"


def news_panel(table: Table, voice: Voice) -> Markup:
    """What there is to tell besides moves: how the match ended, or the round that has just ended."""
    if table.is_over:
        return ending_panel(table, voice)
    found = fresh_round(table, voice.viewer)
    return tag("div", round_table(voice, found), class_="m-ending") if found else Markup("")


def ending_panel(table: Table, voice: Voice) -> Markup:
    """Of a match that is over: what decided it, the table of scores, the rounds."""
    state = table.match.state
    reasons = [] if table.forfeit else [plain(told(sentence, voice.hearer)) for sentence in state.ending()]
    parts = [tag("p", f"{reason}.") for reason in reasons]
    scores = score_table(table, voice)
    if scores:
        parts.append(scores)
    rounds = state.rounds(None)
    if rounds:
        parts.append(rounds_table(voice, rounds))
    return tag("div", *parts, class_="m-ending") if parts else Markup("")


class ScoreRow(NamedTuple):
    """A category of the scores: its word, and what each seat has of it."""

    label: str
    values: list[object]
    is_sum: bool = False


def score_table(table: Table, voice: Voice) -> Markup | None:
    """The categories of every seat's score, then the sum; whatever there are more of, seats or lines, has the rows."""
    state = table.match.state
    if not has_points(state):
        return None
    seats = range(len(table.seats))
    tallies = [tally(state, seat, None) for seat in seats]
    labels = dict.fromkeys(label for parts in tallies for label in parts)
    lines = [ScoreRow(label, [parts.get(label, "") for parts in tallies]) for label in labels]
    scores = [state.score(seat) for seat in seats]
    if max(scores) > 1:  # else it says only who won
        words = "in all" if scores == [sum(parts.values()) for parts in tallies] else "result"
        lines.append(ScoreRow(words, list(scores), is_sum=True))
    rows = (_seats_down if len(seats) >= len(lines) else _seats_across)(table, voice, lines)
    return tag("div", tag("table", *rows, class_="m-scores"), class_="m-scroll")


def _seats_across(table: Table, voice: Voice, lines: list[ScoreRow]) -> list[Markup]:
    names = [_name_cell(table, voice, seat, scope="col") for seat in range(len(table.seats))]
    rows = [
        tag("tr", tag("th", line.label), *(tag("td", value) for value in line.values),
            class_="m-total" if line.is_sum else None)
        for line in lines
    ]  # fmt: skip
    return [tag("tr", tag("td", ""), *names), *rows]


def _seats_down(table: Table, voice: Voice, lines: list[ScoreRow]) -> list[Markup]:
    labels = [tag("th", line.label, scope="col") for line in lines]
    rows = [
        tag("tr", _name_cell(table, voice, seat, scope="row"), *(tag("td", line.values[seat]) for line in lines))
        for seat in range(len(table.seats))
    ]
    return [tag("tr", tag("td", ""), *labels), *rows]


def _name_cell(table: Table, voice: Voice, seat: int, *, scope: str) -> Markup:
    """A seat's mark and name; a winner's star stays beside the name. In a draw nobody has one."""
    winners = table.winners()
    is_winner = seat in winners and not (len(winners) == len(table.seats) > 1)
    name = tag("span", voice.name(seat), f"{NO_BREAK}★" if is_winner else None)
    return tag("th", seat_mark(seat), " ", name, scope=scope, class_="m-winner" if is_winner else None)


def round_table(voice: Voice, each: Round) -> Markup:
    """Who was what in a round, and what it brought."""
    rows = [
        tag("tr", tag("th", seat_mark(seat), " ", voice.name(seat)), tag("td", role), tag("td", pay))
        for seat, (role, pay) in enumerate(each.rows)
    ]
    return tag("div", tag("b", each.title), tag("table", *rows, class_="m-scores"), class_="m-round")


def rounds_table(voice: Voice, rounds: list[Round]) -> Markup:
    """All rounds side by side."""
    head = [tag("th", f"round {number}", title=each.title, scope="col") for number, each in enumerate(rounds, 1)]
    rows = [
        tag("tr", tag("th", seat_mark(seat), " ", voice.name(seat)),
            *(tag("td", tag("div", each.rows[seat][0]), each.rows[seat][1]) for each in rounds))
        for seat in range(len(voice.names))
    ]  # fmt: skip
    titles = [tag("div", each.title) for each in rounds]
    return tag(
        "div", *titles, tag("table", tag("tr", tag("td", ""), *head), *rows, class_="m-scores"), class_="m-round"
    )


def fresh_round(table: Table, viewer: int | None) -> Round | None:
    """The round that ended last, as long as not everybody has moved since; None in games without rounds to tell of."""
    if table.is_over or table.game.definition.speech is None:
        return None
    found = table.match.state.rounds(viewer)
    return found[-1] if found and _has_just_begun(table) else None


def _has_just_begun(table: Table) -> bool:
    """Whether one of the last decisions, as many as there are seats, was made in an earlier round."""
    now = table.match.state.round_index
    decisions = (step for step in reversed(table.match.steps) if step.seat is not None)
    return any(step.before.round_index < now for step, _ in zip(decisions, table.seats, strict=False))


def rating_words(played: OwnMatch | None, rated: Rated | None) -> str:
    """What a match did to the person's rating, or why it did nothing; empty for matches that measure nobody."""
    if rated is not None:
        return f"Your rating in {rated.played.title}: {rated.after} ({rated.change})"
    if played is None or not played.is_measured:
        return ""
    return f"Not rated: {played.unrated()}"


def looked_up_rating(store: TableStore, owner: str, *, game: str, key: str) -> str:
    """`rating_words` for the match at table `key`, from all that the owner's browser has played of the game.

    Takes longer the more that is: not for the event loop.
    """
    history = History.of(store, owner, is_over=True)
    rows = {row.played.body["key"]: row for row in history.rated(game)}
    return rating_words(history.find(key), rows.get(key))
