"""Parts of a table's page as HTML text: seats, scores, how it stands. What a viewer may not know never gets here."""

from __future__ import annotations

import re

from meeple.core.contract import NOBODY
from meeple.core.forfeit import Forfeit
from meeple.core.game import State
from meeple.core.speech import plain
from meeple.core.svg import Markup, tag
from meeple.web.asking import Trouble
from meeple.web.table import Table
from meeple.web.voice import Voice, mark

MOST_NAMED = 4  # seats: more of them have no room for names above a phone's board
LONGEST_REASON = 160  # letters: what an agent raised may be long


def seats_panel(table: Table, state: State, voice: Voice, cursor: int | None) -> Markup:
    """Every seat with its mark, name, score with its parts, and clock."""
    if "seats" in _shown(state) and table.clock is None and not plays_apart(table):
        return Markup("")
    is_live = cursor is None
    rows = []
    for number in range(len(table.seats)):
        is_mover = is_live and table.mover == number
        name = tag(
            "span", _title(table, number, voice), _away(table, number), class_="m-name", title=_spec(table, number)
        )
        is_told = bool(_shown(state)) or (table.is_over and is_live)  # by the picture, or by the table at the end
        parts = {} if is_told else tally(state, number, voice.viewer)
        numbers = [tag("span", f"{label} {value}") for label, value in parts.items()]
        rows.append(
            tag(
                "div",
                seat_mark(number),
                name,
                tag("span", _clock(table, number, is_mover), _score(state, number, voice.viewer), class_="m-row"),
                tag("div", *numbers, class_="m-parts") if numbers else None,
                class_="m-seat m-moves" if is_mover else "m-seat",
            )
        )
    return tag("div", *rows, class_="m-many" if len(rows) > MOST_NAMED else None)


def _spec(table: Table, number: int) -> str | None:
    """What an agent is, exactly; of those in a record only names are shown."""
    return None if table.is_replay else without_folders(table.seats[number].spec) or None


def _away(table: Table, number: int) -> Markup | None:
    """That a person at another screen does not look on now."""
    is_there = not table.seats[number].is_person or table.present[number] > 0
    return None if is_there or table.is_over or not plays_apart(table) else tag("span", " away", class_="m-away")


def plays_apart(table: Table) -> bool:
    """Whether people at different screens play here."""
    return any(seat.kind == "elsewhere" for seat in table.seats)


def parts_panel(table: Table, state: State, voice: Voice) -> Markup:
    """The parts of every seat's score in a table of their own, for a phone's sheet."""
    tallies = [tally(state, seat, voice.viewer) for seat in range(len(table.seats))]
    labels = list(dict.fromkeys(label for parts in tallies for label in parts))
    if not labels or _shown(state):
        return Markup("")
    names = [voice.name(seat) for seat in range(len(table.seats))]
    marks = [tag("th", seat_mark(seat), title=name, aria_label=name) for seat, name in enumerate(names)]
    rows = [
        tag("tr", tag("th", label), *(tag("td", parts.get(label, "")) for parts in tallies)) for label in labels
    ]  # fmt: skip
    return tag("table", tag("tr", tag("td"), *marks), *rows, class_="m-tally")


def specs_panel(table: Table) -> Markup:
    """Agents whose name is too long for a seat, in full."""
    rows = []
    for number, seat in enumerate(table.seats):
        spec = _spec(table, number)
        if spec and not seat.level and seat.name != spec:
            rows.append(tag("div", mark(number), " ", spec, class_="m-spec"))
    return tag("div", *rows, class_="m-card") if rows else Markup("")


def seat_mark(seat: int) -> Markup:
    """The round sign of a seat."""
    return mark(seat, "m-mark")


def without_folders(spec: str) -> str:
    """A spec as it may be shown: of the files it names, not where they lie."""
    return re.sub(r"[^\s:,=@\[\]]*[/\\]", "", spec)


def tally(state: State, owner: int, viewer: int | None) -> dict[str, int]:
    """The parts of a seat's score, where the game names them."""
    count = getattr(state.game.definition.picture, "tally", None)
    return dict(count(state.record, owner, viewer)) if count else {}


def _shown(state: State) -> frozenset[str]:
    """What the picture shows itself, of what the page would write."""
    return frozenset(getattr(state.game.definition.picture, "SHOWS", ()))


def total(state: State, owner: int, viewer: int | None) -> int:
    """A seat's points as far as the viewer may know them."""
    count = getattr(state.game.definition.picture, "total", None)
    return int(count(state.record, owner, viewer)) if count else state.score(owner)


def _title(table: Table, number: int, voice: Voice) -> str:
    seat, name = table.seats[number], voice.name(number)
    return f"{name} ({seat.level})" if seat.level and seat.level not in seat.name else name


def _score(state: State, seat: int, viewer: int | None) -> Markup | None:
    """A seat's points, in a game that has any."""
    if not has_points(state):
        return None
    points = total(state, seat, viewer)
    return tag("span", points, class_="m-score", aria_label=f"{points} points")


def has_points(state: State) -> bool:
    """Whether the game counts points."""
    return hasattr(state.game.definition.picture, "tally") or any(map(state.score, range(state.game.seats)))


def _clock(table: Table, seat: int, is_mover: bool) -> Markup | None:
    if not table.times.counts(seat):
        return None
    left = max(0.0, table.time_left(seat))
    runs = "yes" if is_mover and not table.is_over and not table.awaited else "no"
    return tag("span", f"{int(left) // 60}:{int(left) % 60:02}", class_="m-time", data_left=float(left), data_runs=runs)


def status_words(table: Table, voice: Voice, seats: frozenset[int]) -> str:
    """Whose turn it is, or how it ended."""
    if table.is_over:
        return result_words(table, voice)
    if table.trouble is not None:
        return trouble_words(table, table.trouble)
    mover = table.mover
    if mover == NOBODY:
        return ""
    if mover in seats:
        return "Your turn" if len(seats) == 1 else f"{table.names[mover]} to move"
    if table.seats[mover].kind == "agent":
        return f"{table.names[mover]} is paused" if table.is_paused else f"{table.names[mover]} is thinking …"
    return f"Waiting for {table.names[mover]}"


def trouble_words(table: Table, trouble: Trouble) -> str:
    """What happened to an agent, in words that tell nothing of the match or of this machine."""
    what = "failed and made no move" if trouble.loads else "cannot be loaded and makes no move"
    return f"{table.names[trouble.seat]} {what}"


def result_words(table: Table, voice: Voice) -> str:
    """How a finished match ended."""
    winners = table.winners()
    won = voice.does(winners[0], "win") if len(winners) == 1 else ""
    if len(winners) > 1:
        won = f"{_listed([voice.name(seat) for seat in winners])} share the victory"
    if table.forfeit is not None:
        return f"{forfeit_words(voice, table.forfeit)}: {won or 'nobody wins'}"
    return "A draw" if len(winners) == len(table.seats) > 1 else won or "Nobody wins"


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def forfeit_words(voice: Voice, forfeit: Forfeit) -> str:
    """Who forfeited, by name, and why."""
    spec = r"( \([^()]*\))?"  # a tournament names it, and so does the seat
    reason = re.sub(rf"^seat {forfeit.seat + 1}\b{spec}", lambda _: voice.name(forfeit.seat), forfeit.reason)
    return reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON].rstrip()} …"


def announcement(table: Table, voice: Voice) -> str:
    """The last move in words, for those who hear the page."""
    last = next((step for step in reversed(table.match.steps) if step.seat is not None), None)
    return plain(voice.event(last)) if last is not None else ""
