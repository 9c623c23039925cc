"""Parts of a table's page as HTML text: seats with scores, the log. What a viewer may not know never gets here."""

from __future__ import annotations

import re

from meeple.core.contract import NOBODY
from meeple.core.forfeit import Forfeit
from meeple.core.game import State
from meeple.core.paint import MARKS
from meeple.core.picture import SEATS
from meeple.core.svg import Markup, tag
from meeple.web.table import Table, Trouble

MOST_NAMED = 4  # seats: more of them have no room for names above a phone's board
LONGEST_REASON = 160  # letters: what an agent raised may be long


def seats_panel(table: Table, state: State, viewer: int | None, cursor: int | None) -> Markup:
    """Every seat with its mark, name, score with its parts, and clock."""
    if "seats" in _shown(state) and table.clock is None and not plays_apart(table):
        return Markup("")
    is_live = cursor is None
    rows = []
    for number, seat in enumerate(table.seats):
        is_mover = is_live and table.mover == number
        spec = without_folders(seat.spec) or None
        name = tag("span", _title(table, number), _away(table, number), class_="m-name", title=spec)
        is_told = bool(_shown(state)) or (table.is_over and is_live)  # by the picture, or by the table at the end
        parts = {} if is_told else tally(state, number, viewer)
        numbers = [tag("span", f"{label} {value}") for label, value in parts.items()]
        rows.append(
            tag(
                "div",
                seat_mark(number),
                name,
                tag("span", _clock(table, number, is_mover), _score(state, number, viewer), class_="m-row"),
                tag("div", *numbers, class_="m-parts") if numbers else None,
                class_="m-seat m-moves" if is_mover else "m-seat",
            )
        )
    return tag("div", *rows, class_="m-many" if len(rows) > MOST_NAMED else None)


def _away(table: Table, number: int) -> Markup | None:
    """That a person at another screen does not look on now."""
    is_there = not table.seats[number].is_person or table.present[number] > 0
    return None if is_there or table.is_over or not plays_apart(table) else tag("span", " away", class_="m-away")


def plays_apart(table: Table) -> bool:
    """Whether people at different screens play here."""
    return any(seat.kind == "elsewhere" for seat in table.seats)


def parts_panel(table: Table, state: State, viewer: int | None) -> Markup:
    """The parts of every seat's score in a table of their own, for a phone's sheet."""
    tallies = [tally(state, seat, viewer) for seat in range(len(table.seats))]
    labels = list(dict.fromkeys(label for parts in tallies for label in parts))
    if not labels or _shown(state):
        return Markup("")
    marks = [tag("th", seat_mark(seat), title=table.names[seat]) for seat in range(len(table.seats))]
    rows = [
        tag("tr", tag("th", label), *(tag("td", parts.get(label, "")) for parts in tallies)) for label in labels
    ]  # fmt: skip
    return tag("table", tag("tr", tag("th", ""), *marks), *rows, class_="m-tally")


def seat_mark(seat: int) -> Markup:
    """The round sign of a seat."""
    return tag("span", MARKS[seat], class_="m-mark", style=f"background:{SEATS[seat]}", aria_hidden="true")


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


def log_panel(table: Table, viewer: int | None, cursor: int | None) -> Markup:
    """All events as the viewer saw them, in move text; what was not seen is said to be so."""
    at = len(table.match.steps) if cursor is None else cursor
    lines: list[tuple[int, str, int | None, str]] = []
    ply = 0
    for number, (step, words) in enumerate(table.steps_seen(viewer), 1):
        ply += step.seat is not None
        if step.seat is not None:
            lines.append((number, f"{ply}", step.seat, words or "a move you do not see"))
        elif words and lines and lines[-1][2] is None:  # one line for all that chance does at once
            lines[-1] = (number, "", None, f"{lines[-1][3]}, {words}")
        elif words:
            lines.append((number, "", None, words))
    lines = [(n, ply, seat, _shortened(words) if seat is None else words) for n, ply, seat, words in lines]
    here = max((number for number, *_ in lines if number <= at), default=0)
    rows = [_line(*line, is_here=line[0] == here) for line in lines]
    if table.forfeit is not None:
        rows.append(_line(len(table.match.steps), "", table.forfeit.seat, forfeit_words(table, table.forfeit), False))
    return tag("ol", *rows, aria_label="Moves so far") if rows else tag("div", "No moves yet.", class_="m-quiet")


def _shortened(words: str, most: int = 10) -> str:
    """A long row of outcomes by its beginning and its number."""
    parts = words.split(", ")
    return words if len(parts) <= most else f"{', '.join(parts[:most])} and {len(parts) - most} more"


def _line(number: int, ply: str, seat: int | None, words: str, is_here: bool) -> Markup:
    dot: Markup = tag("span", "")
    if seat is not None:
        dot = tag("span", MARKS[seat], class_="m-dot", style=f"background:{SEATS[seat]}")
    classes = " ".join(["m-here"] * is_here + ["m-chance"] * (seat is None))
    return tag("li", tag("span", ply, class_="m-quiet"), dot, tag("span", words), class_=classes or None, data_n=number)


def _title(table: Table, number: int) -> str:
    seat = table.seats[number]
    return f"{seat.name} ({seat.level})" if seat.level and seat.level not in seat.name else seat.name


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
    if not table.has_clock(seat):
        return None
    left = max(0.0, table.time_left(seat))
    runs = "yes" if is_mover and not table.is_over and not table.awaited else "no"
    return tag("span", f"{int(left) // 60}:{int(left) % 60:02}", class_="m-time", data_left=float(left), data_runs=runs)


def status_words(table: Table, viewer: int | None, seats: frozenset[int]) -> str:
    """Whose turn it is, or how it ended."""
    if table.is_over:
        return result_words(table)
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


def result_words(table: Table) -> str:
    """How a finished match ended."""
    winners = [table.names[seat] for seat in table.winners()]
    verb = "wins" if len(winners) == 1 else "share the victory"
    won = f"{' and '.join(winners)} {verb}" if winners else ""
    if table.forfeit is not None:
        return f"{forfeit_words(table, table.forfeit)}: {won or 'nobody wins'}"
    return "A draw" if len(winners) == len(table.seats) > 1 else won or "Nobody wins"


def forfeit_words(table: Table, forfeit: Forfeit) -> str:
    """Who forfeited, by name, and why."""
    spec = r"( \([^()]*\))?"  # a tournament names it, and so does the seat
    reason = re.sub(rf"^seat {forfeit.seat + 1}\b{spec}", lambda _: table.names[forfeit.seat], forfeit.reason)
    return reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON].rstrip()} …"


def announcement(table: Table, viewer: int | None) -> str:
    """The last move in words, for those who hear the page."""
    for step, words in reversed(table.steps_seen(viewer)):
        if step.seat is not None:
            return f"{table.names[step.seat]}: {words or 'a move you do not see'}"
    return ""
