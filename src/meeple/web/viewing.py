"""How one browser looks at a table: whose view it is shown, what is chosen so far, what a click or a hover means.

No element of the page is here: it is all that decides what is sent, in one place.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from meeple.core.chance import Stream
from meeple.core.contract import HIDDEN, NOBODY
from meeple.core.entry import Entry
from meeple.core.game import State
from meeple.core.lessons import Lesson
from meeple.core.paint import MARKS
from meeple.core.picture import SEATS, Look, Path
from meeple.core.speech import plain
from meeple.core.svg import Markup, joined, tag
from meeple.web import panels
from meeple.web.clicks import offer_of
from meeple.web.endings import news_panel
from meeple.web.logbook import log_panel
from meeple.web.seats import Access, Refused
from meeple.web.voice import Voice, sentence


@lru_cache(maxsize=512)
def _drawn(state: State, seat: int | None, look: _Frozen) -> str:
    return state.picture(seat, look.look)


class _Frozen:
    """A look that can be a key: many who watch one table are sent one drawing."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._key = (look.dark, look.narrow, look.lit, look.chosen, look.last, look.mover, look.names, look.memory,
                     tuple(sorted(look.settings.items())))  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _fixed(value: Any) -> Hashable:
    """A value that can be part of a key."""
    if isinstance(value, dict):
        return tuple(sorted(value.items()))
    return tuple(value) if isinstance(value, list) else frozenset(value) if isinstance(value, set) else value


class Drawing(NamedTuple):
    """All that a page shows of a table, as text. Behind a curtain most of it is empty."""

    board: Markup | str
    note: str
    status: str
    lesson: Markup | str
    seats: Markup | str
    log: Markup | str
    parts: Markup | str
    news: Markup | str  # how it ended, or a round that has
    announcement: str
    told: dict[str, int]  # as `Viewing.told` is now


class LastMove(NamedTuple):
    """The decision made last: the targets of its clicks in their order, who made it, and what flies for it."""

    path: Path
    seat: int
    flight: list[str] | None  # from target to target, in a colour
    is_ordered: bool = True  # whether it went from the first of them to the last


class Viewing:
    """What one browser sees of a table, and what it has clicked."""

    def __init__(self, access: Access) -> None:
        self.access, self.table = access, access.table
        self.is_dark, self.is_narrow = False, False
        self.settings: dict[str, str] = {}  # of the drawing
        self.is_notation = False  # whether moves are written in notation, not in words
        self.continues = True  # whether the only way to go on is taken
        self.chosen: Path = ()  # targets clicked so far
        self.hint: Path = ()  # the clicks that somebody advises
        self.hinted = -1  # the action that they make
        self.held = -1  # a move that was clicked whole and waits for a second word
        self.note = ""  # a line for the person: a preview, a hint, what was refused
        self.cursor: int | None = len(self.table.match.steps) if self.table.is_replay else None  # None: where it stands
        self.unveiled: int | None = None  # the seat whose view is shown where several share this screen
        self.told: dict[str, int] = {}  # the version of the table at which each lesson was told
        self._seen_version = -1

    # --- who looks

    @property
    def viewer(self) -> int | None:
        """Whose view is shown: a seat, NOBODY for what all may see, None for everything."""
        table, own = self.table, self.access.seats
        if isinstance(table.match, Entry):  # what its view did not see is made up
            return table.match.view
        if table.shows_all or (self.access.is_owner and not table.people):
            return None
        if not own:
            return NOBODY
        if len(own) == 1:
            return next(iter(own))
        if table.is_study:
            return table.mover
        if not table.game.facts.hidden:
            return table.mover if table.mover in own else min(own)
        return self.unveiled

    @property
    def voice(self) -> Voice:
        """How this browser's people are told of the table; who alone sits here is called You."""
        own, names = self.access.seats, self.table.names
        you = next(iter(own)) if len(own) == 1 else None
        return Voice(names, you, self.viewer, self.is_notation)

    @property
    def is_curtained(self) -> bool:
        """Whether the device must be passed on before anything is shown."""
        table, own = self.table, self.access.seats
        if table.shows_all or table.is_study or len(own) < 2 or not table.game.facts.hidden:
            return False
        return self.unveiled is None or (table.mover in own and table.mover != self.unveiled)

    @property
    def state(self) -> State:
        """What is shown."""
        return self.table.state_at(self.cursor)

    @property
    def may_click(self) -> bool:
        """Whether this browser decides now."""
        return self.cursor is None and not self.is_curtained and self.table.mover in self.access.seats

    @property
    def own_seat(self) -> int:
        """The seat for which this browser acts."""
        own = self.access.seats
        return self.table.mover if self.table.mover in own else min(own)

    @property
    def turn(self) -> str | None:
        """Whose turn it is, for this browser's tab: "mine", "theirs", or "over"; None for who only looks on."""
        if not self.access.seats or self.table.is_replay:
            return None
        if self.table.is_over:
            return "over"
        return "mine" if self.table.mover in self.access.seats else "theirs"

    def catch_up(self) -> None:
        """Forget what was chosen on a board that is gone."""
        if self._seen_version != self.table.version:
            self.chosen, self.hint, self.note, self._seen_version = (), (), "", self.table.version
            self.hinted = self.held = -1

    # --- what is drawn

    def still(self) -> Viewing:
        """This moment, for another thread to draw."""
        twin = self._twin()
        twin.__dict__.update({name: value for name, value in vars(self).items() if name in vars(twin)})
        twin.table, twin.told = self.table.still(), dict(self.told)
        return twin

    def _twin(self) -> Viewing:
        """Another one, with nothing of a page."""
        return Viewing(self.access)

    def sight(self) -> Hashable:
        """All that decides what is drawn of the table besides the table: who looks, how, and at what."""
        own = [(name, _fixed(value)) for name, value in sorted(vars(self).items()) if name not in ("access", "table")]
        return self.access.seats, self.access.is_owner, *own

    def drawing(self, *, hovered: str | None = None) -> Drawing:
        """All that is shown; with the result of a click on what is `hovered`, where that completes a move."""
        table, voice, is_shown = self.table, self.voice, not self.is_curtained
        ghost = self.hover(hovered) if hovered is not None else None
        return Drawing(
            board=self.board(ghost),
            note=self.note,
            status=self.status_text(),
            lesson=self._lesson_panel(),
            seats=panels.seats_panel(table, self.state, voice, self.cursor) if is_shown else "",
            log=log_panel(table, voice, self.cursor, self._ending()) if is_shown else "",
            parts=self._parts_panel() if is_shown else "",
            news=news_panel(table, voice) if is_shown else "",
            announcement=panels.announcement(table, voice) if is_shown else "",
            told=self.told,
        )

    def _parts_panel(self) -> Markup | str:
        """Above the log: on a phone the parts of the scores, and everywhere what has no room at the seats."""
        parts = panels.parts_panel(self.table, self.state, self.voice) if self.is_narrow else Markup("")
        return joined([parts, panels.specs_panel(self.table)])

    def _ending(self) -> str:
        forfeit = self.table.forfeit
        return panels.forfeit_words(self.voice, forfeit) if forfeit is not None else ""

    def _lesson_panel(self) -> Markup | str:
        body = [tag("div", tag("b", lesson.title), tag("div", lesson.text)) for lesson in self.lessons()]
        return tag("div", *body, class_="m-card m-lesson") if body else ""

    def board(self, ghost: State | None = None) -> str:
        """The curtain, or the picture with the result of a move hovered over."""
        return self.curtain() if self.is_curtained else self.stage(ghost)

    def stage(self, ghost: State | None = None) -> str:
        """The picture of the state shown, with what may be clicked, and the result of a move hovered over."""
        offer = offer_of(self.state) if self.may_click else None
        lit = offer.after(self.chosen) if offer else frozenset()
        switches = sorted((offer.switches(self.chosen) | set(self.hint)) - lit - set(self.chosen)) if offer else []
        move, ways = self._last_move(), self.ways()
        last, mover = frozenset(move.path), move.seat
        if self.hint and offer:  # a drawing shows what was moved last; what may be clicked, in the order of clicks
            last, mover = frozenset(self.hint), self.table.mover
        if ways:  # their rings are drawn, for the browser to take their shapes
            last, mover = frozenset(key for way in ways for key in way["path"]), self.state.to_move
        drawn = self._draw(self.state, lit=lit, chosen=self.chosen, last=last, mover=mover)
        is_trailed = bool(move.path) and not self.hint and not self.chosen and not ways
        layers = [Markup(drawn)]
        if ghost is not None:
            layers.append(tag("div", Markup(self._draw(ghost)), class_="m-ghost", aria_hidden="true"))
        at = len(self.table.match.steps) if self.cursor is None else self.cursor
        return tag(
            "div",
            *layers,
            class_="m-stage",
            data_version=self.table.version,
            data_flight=json.dumps(move.flight) if move.flight else None,
            data_trail=json.dumps([MARKS[mover], SEATS[mover], move.is_ordered, *move.path]) if is_trailed else None,
            data_flown=at,
            data_ways=json.dumps(ways) if ways else None,
            data_hint=json.dumps(self.hint) if self.hint and offer else None,
            data_followed=len(self.chosen) if self.hint and offer else None,
            data_switches=json.dumps(switches) if switches else None,
            data_turn=self.turn,
        )

    def ways(self) -> list[dict[str, Any]]:
        """Moves to be drawn over the picture, for the browser (static/words.js); here none."""
        return []

    def _draw(self, state: State, **marks: Any) -> str:
        look = Look(
            dark=self.is_dark,
            narrow=self.is_narrow,
            names=self.voice.all_names,
            settings=self.settings,
            memory=self.table.match.memory(self.cursor),
            **marks,
        )
        return _drawn(state, self.viewer, _Frozen(look))

    def _last_move(self) -> LastMove:
        """The last decision, as far as this viewer saw it."""
        at = len(self.table.match.steps) if self.cursor is None else self.cursor
        for step in reversed(self.table.match.steps[:at]):
            if step.seat is None:
                continue
            viewer, before = self.viewer, step.before
            is_shown = viewer in (None, step.seat) or not self.table.game.facts.hidden
            if viewer is not None and before.seen(step.code, viewer) == HIDDEN:
                return LastMove((), step.seat, None)
            held = getattr(self.table.game.definition.picture, "HELD", None)
            if held is None and viewer is not None and not is_shown:
                before = before.redealt(viewer, Stream(at))  # a path may tell of a hand: let it be one made up
            paths = [*before.paths(step.code), ()]
            path = paths[0]
            flight = [path[0], path[-1], SEATS[step.seat]] if is_shown and len(path) > 1 else None
            is_ordered = (*path[::-1],) not in paths  # else either end may be clicked first, and none is the first
            places = tuple(key for key in path if not key.startswith(held or ()))
            return LastMove(places, step.seat, flight, is_ordered)
        return LastMove((), 0, None)

    def curtain(self) -> str:
        mover = self.table.mover
        seat = mover if mover in self.access.seats else min(self.access.seats)
        name = self.table.names[seat]
        words = tag(
            "div",
            tag("h2", f"Pass the screen to {name}", class_="m-large"),
            tag("p", "The others look away.", class_="m-quiet"),
        )
        return tag("div", words, class_="m-curtain", data_version=self.table.version, data_turn=self.turn)

    def status_text(self) -> str:
        if self.is_curtained:
            return ""
        if self.cursor is not None and not self.table.is_replay:
            return f"Looking back: move {self._moves(self.cursor)} of {self._moves(None)}"
        if self.cursor is not None and self.cursor < len(self.table.match.steps):
            return f"Move {self._moves(self.cursor)} of {self._moves(None)}"
        if self.table.is_replay and not self.table.is_over:
            return "Replay of an unfinished match"
        return panels.status_words(self.table, self.voice, self.access.seats)

    def lessons(self) -> list[Lesson]:
        """In a guided match: the lesson that applies now and was not told yet."""
        lessons = getattr(self.table.game.definition.lessons, "LESSONS", ())
        viewer, version = self.viewer, self.table.version
        if not self.table.is_guided or not self.may_click or viewer is None:
            return []
        if version not in self.told.values():
            world = self._redealt()
            fresh = (each for each in lessons if each.key not in self.told and each.applies(world.record, viewer))
            self.told |= {lesson.key: version for lesson in list(fresh)[:1]}
        return [lesson for lesson in lessons if self.told.get(lesson.key) == version]

    # --- what a click means

    def click(self, target: str) -> int | None:
        """Choose a target, another one instead, or none; the action, once a path is whole.

        A target further on the way of a hint stands for all clicks up to it.

        Raises:
            Refused: it is not on offer here and now.
        """
        if not self.may_click:
            raise Refused("a click out of turn")
        offer = offer_of(self.state)
        chosen = offer.with_target(self.chosen, target)
        if chosen is None and target in self.hint[len(self.chosen) :]:
            chosen = self.hint[: self.hint.index(target, len(self.chosen)) + 1]
        if chosen is None:
            raise Refused("a click on what is not on offer")
        if self.continues and target in chosen:
            chosen = offer.followed(chosen)
        if self.hint[: len(chosen)] != chosen:
            self.hint, self.note = (), ""
        action = offer.action(chosen)
        self.chosen = () if action is not None else chosen
        return action

    def hover(self, target: str | None) -> State | None:
        """The state after the move that this click would complete, in a redealt world; its worth is in `note`."""
        self.note = ""
        action = self._completed_by(target) if target is not None and self.may_click else None
        if action is None:
            self.note = self.hint_words()
            return None
        self.note = self.worth(action)
        return self._redealt().after(action)

    def _completed_by(self, target: str) -> int | None:
        """The action that a click on a target would make."""
        offer = offer_of(self.state)
        if target not in offer.after(self.chosen):
            return None
        path = (*self.chosen, target)
        return offer.action(offer.followed(path) if self.continues else path)

    def advise(self, action: int) -> None:
        """Show how the mover's `action` is clicked, and say it in words."""
        self.chosen, self.hinted = (), action
        self.hint = self.state.paths(action)[0]
        self.note = self.hint_words()

    def hint_words(self) -> str:
        """The hint as it is said; nothing where there is none."""
        return f"Hint: {plain(self.voice.order(self.state, self.hinted))}" if self.hint else ""

    def worth(self, action: int) -> str:
        """What the mover's `action` would bring, in words, as far as the mover can know."""
        world = self._redealt()
        tell = getattr(world.game.definition.picture, "preview", None)
        seat, words = world.to_move, sentence(self.voice.order(world, action))
        if tell is not None:
            return f"{words}: {tell(world.record, action, seat)}"
        points = world.after(action).score(seat) - world.score(seat)
        return words + (f": {points:+d}" if points else "")

    def _redealt(self) -> State:
        """The mover's world with everything it may not know made up anew."""
        seat = self.state.to_move
        return self.state.redealt(seat, Stream(self.table.version))

    # --- looking back

    @property
    def at(self) -> int:
        """How many events are shown."""
        return len(self.table.match.steps) if self.cursor is None else self.cursor

    def stops(self) -> list[int]:
        """After how many events it is worth stopping: before each decision, and at the end. Chance goes by at once."""
        steps = self.table.match.steps
        return [*(n for n, step in enumerate(steps) if step.seat is not None), len(steps)]

    def stop_beside(self, by: int) -> int:
        """The stop so many before or after what is shown; the first or the last where there are not so many."""
        stops = self.stops()
        index = bisect_left(stops, self.at) + by if by < 0 else bisect_right(stops, self.at) + by - 1
        return stops[min(max(0, index), len(stops) - 1)]

    def _moves(self, cursor: int | None) -> int:
        """How many decisions are among the first events, or among all."""
        return sum(step.seat is not None for step in self.table.match.steps[:cursor])

    @property
    def moves_shown(self) -> int:
        """How many decisions come before what is shown."""
        return self._moves(self.cursor)

    def look_at(self, cursor: int) -> bool:
        """Show the match after so many events; whether that is something else than before."""
        steps = len(self.table.match.steps)
        cursor = min(max(0, cursor), steps)
        wanted = None if cursor == steps and not self.table.is_replay else cursor
        if wanted == self.cursor:
            return False
        self.cursor, self.chosen, self.hint, self.held = wanted, (), (), -1
        return True

    def step_back(self) -> None:
        """One target less; or back to where the match stands."""
        if not self.chosen:
            self.hint = ()
        self.chosen, self.held, self.note = self.chosen[:-1], -1, self.hint_words()
        self.cursor = self.cursor if self.table.is_replay else None

    # --- what may leave

    def seen_log(self) -> str:
        """The match so far as this viewer saw it, for a file."""
        table, viewer = self.table, self.viewer
        name = "everybody" if viewer is None or viewer == NOBODY else table.names[viewer]
        lines = [f"# {table.game.spec}, as seen by {name}"]
        voice = replace(self.voice, you=None)  # a file is read by anybody
        lines += [sentence(pieces) for pieces in map(voice.event, table.match.steps) if pieces]
        lines.append(f"# position: {table.match.state.text(viewer)}")
        return "\n".join(lines) + "\n"
