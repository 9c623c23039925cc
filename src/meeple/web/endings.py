"""How a match ended, as HTML text: why, the scores by category, the rounds with their roles; and a round that is over.

A running match shows a viewer only what its seat may know: `State.rounds` is asked for that seat.
"""

from __future__ import annotations

from meeple.core.speech import Round, plain, told
from meeple.core.svg import Markup, tag
from meeple.web.history import History, Played, Rated
from meeple.web.panels import has_points, seat_mark, tally
from meeple.web.store import TableStore
from meeple.web.table import Table
from meeple.web.voice import Voice


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


def score_table(table: Table, voice: Voice) -> Markup | None:
    """A column a seat, in the order of seats: categories, then the sum; winners are marked."""
    state = table.match.state
    if not has_points(state):
        return None
    seats = range(len(table.seats))
    tallies = [tally(state, seat, None) for seat in seats]
    labels = list(dict.fromkeys(label for parts in tallies for label in parts))
    winners = set(table.winners())
    head = [
        tag("th", seat_mark(seat), " ", voice.name(seat), " ★" if seat in winners else None, scope="col",
            class_="m-winner" if seat in winners else None)
        for seat in seats
    ]  # fmt: skip
    rows = [tag("tr", tag("th", label), *(tag("td", parts.get(label, "")) for parts in tallies)) for label in labels]
    scores = [state.score(seat) for seat in seats]
    if max(scores) > 1:  # else it says only who won
        words = "in all" if scores == [sum(parts.values()) for parts in tallies] else "result"
        rows.append(tag("tr", tag("th", words), *(tag("td", score) for score in scores), class_="m-total"))
    return tag("div", tag("table", tag("tr", tag("td", ""), *head), *rows, class_="m-scores"), class_="m-scroll")


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


def rating_words(played: Played | None, rated: Rated | None) -> str:
    """What a match did to the person's rating, or why it did nothing; empty for matches that measure nobody."""
    if rated is not None:
        change = round(rated.after.elo) - round(rated.before.elo)
        return f"Your rating in {rated.played.title}: {rated.after} ({change:+d})".replace("-", "−")
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
