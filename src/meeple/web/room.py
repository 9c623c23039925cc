"""The room: all tables of a server, found by their tokens, kept on disk, and moved on by their agents."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from meeple.agents.base import Agent
from meeple.agents.levels import hint_spec, level_spec, levels_of
from meeple.agents.outside import excess_of, outside_of
from meeple.agents.registry import load_agent
from meeple.core.contract import NOBODY
from meeple.core.definition import Definition
from meeple.core.folders import data_folder, keep_private
from meeple.core.game import Game, State
from meeple.core.kernel import only_loading
from meeple.core.match import Step
from meeple.core.modes import MODE
from meeple.core.registry import find_definition, game_names
from meeple.core.spec import Spec, parse_spec
from meeple.errors import MeepleError
from meeple.web.analyses import Analyses
from meeple.web.asking import question_for
from meeple.web.endings import looked_up_rating
from meeple.web.garbage import Sweeper
from meeple.web.limits import Limits
from meeple.web.operator import Operator
from meeple.web.painter import Painter
from meeple.web.preparing import Preparer
from meeple.web.rehearsal import START
from meeple.web.saved import game_of, head_of, lines_of, table_of
from meeple.web.seats import Access, Refused
from meeple.web.solved import Solved
from meeple.web.store import TableStore
from meeple.web.table import Table
from meeple.web.thinker import Thinker
from meeple.web.tournaments import Tournaments

T = TypeVar("T")
LOG = logging.getLogger("meeple.web")
LONGEST_SPEC = 1_000  # letters of a spec that the page is given
CONTESTED = "this position stands in a match that still runs; it can be looked at when that is over"
REFUSED = "is refused here (the server allows it if started with --trust-specs)"


@dataclass(frozen=True)
class Arrival:
    """A table that is not there yet: it is brought back from disk, or made once its game is ready."""

    token: str
    definition: Definition | None  # None: of a game that is not here
    task: asyncio.Task[Table]
    is_new: bool  # it was never saved

    async def access(self) -> Access | None:
        """What the token opens, once the table is there."""
        return (await asyncio.shield(self.task)).access(self.token)


class Room:
    """Every table of one server. All methods are for the event loop."""

    def __init__(
        self,
        folder: Path,
        *,
        trusts_specs: bool = False,
        engines: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.trusts_specs = trusts_specs
        self.engines = dict(engines or {})  # programs that may be played against: name and spec, from the command line
        self.limits = limits or Limits()
        self.store = TableStore(keep_private(folder, is_folder=True) / "tables.sqlite")
        self.solved = Solved(folder / "puzzles.sqlite")
        self.thinker = Thinker(limit=self.limits.thinking, clock=clock)
        self.sweeper = Sweeper(clock)
        self.preparer = Preparer(on_loaded=self.sweeper.set_aside)
        self.operator = Operator(folder)
        self.tournaments = Tournaments(data_folder("tournaments"))
        self.analyses = Analyses(self.thinker, self.preparer, folder / "analyses")
        self._painter = Painter()
        self._arrivals: dict[str, Arrival] = {}  # tables that are not there yet, by the token of who waits
        self._clock = clock
        self._alone_since: dict[str, float] = {}  # tables in memory that nobody looks at
        self._tables: dict[str, Table] = {}
        self._on_disk: dict[str, list[Step]] = {}  # the events of each table that are saved
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def seat_down(self, table: Table) -> Table:
        """A new table, from now on kept and moved on.

        Every position that somebody brings comes in here: for a match, an analysis, a game from a real table.

        Raises:
            Refused: the server has no room for it, or its position stands in a match between people that still runs.
        """
        is_brought = table.match.start_text is not None or table.is_replay
        if is_brought and self.store.is_contested(_named_position(table.match.state)):
            raise Refused(CONTESTED)
        if self.store.size() >= self.limits.disk * 1_000_000:
            most = f"{self.limits.disk} MB of tables"
            raise Refused(f"this server keeps {most} and takes no new ones (it does, if started with --most disk=...)")
        self._remember(table)
        self._save(table)
        return table

    def find(self, token: str) -> Access | None:
        """What a token opens, now; a table of an earlier run comes back from disk. For those who need not wait."""
        if not token.isascii():  # secrets.compare_digest takes no other
            return None
        access = self._in_memory(token)
        if access is not None:
            return access
        body = self.store.by_token(token)
        if body is None or body["key"] in self._tables:  # that one does not hold this token any more
            return None
        return self._brought_back(body, table_of(body)).access(token)

    def open(self, token: str) -> Access | Arrival | None:
        """What a token opens; a table that must be brought back from disk, or made yet, arrives."""
        if not token.isascii():
            return None
        if token in self._arrivals:
            return self._arrivals[token]
        body = None if self._in_memory(token) else self.store.by_token(token)
        if body is None or body["key"] in self._tables:
            return self._in_memory(token)
        name = game_of(body)
        definition = find_definition(name) if name in game_names() else None
        return self._await(token, definition, lambda: table_of(body), lambda table: self._brought_back(body, table))

    def expect(self, definition: Definition, make: Callable[[], Table]) -> str:
        """Have a table made once its game is ready; the token of its owner, who may wait at it from now on."""
        token = secrets.token_urlsafe(18)

        def seat_down(table: Table) -> Table:
            table.owner_token = token
            return self.seat_down(table)

        self._await(token, definition, make, seat_down, is_new=True)
        return token

    def _in_memory(self, token: str) -> Access | None:
        found = (table.access(token) for table in self._tables.values())
        return next((access for access in found if access is not None), None)

    def _await(
        self,
        token: str,
        definition: Definition | None,
        make: Callable[[], Table],
        take_in: Callable[[Table], Table],
        *,
        is_new: bool = False,
    ) -> Arrival:
        async def arrive() -> Table:
            try:
                return take_in(await self.made(definition, make, key=token))
            finally:
                self._arrivals.pop(token, None)

        task = asyncio.get_running_loop().create_task(arrive())
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be there to hear of it
        self._arrivals[token] = arrival = Arrival(token, definition, task, is_new)
        return arrival

    async def made(self, definition: Definition | None, make: Callable[[], T], *, key: str) -> T:
        """What `make` makes of a game, called in a thread once the game is ready."""
        if definition is not None:
            await self.preparer.ready(definition)
        refused, made = await self._loading(make, key=key)
        if refused and definition is not None:
            await self.preparer.ready(definition, START)
        return await self.thinker.ask(make, key=key) if refused else made

    async def prepare_ahead(self) -> None:
        """Compile what those who come to the page will need, the game that is played most first."""
        played = self.store.games()
        names = sorted(game_names(), key=lambda name: played.index(name) if name in played else len(played))
        drawn = [definition for definition in map(find_definition, names) if definition.picture is not None]
        await self.preparer.go_ahead(drawn)

    async def draw(self, job: Callable[[], T]) -> T:
        """What `job` draws, in the thread for that."""
        self.sweeper.busy()
        return await self._painter.draw(job)

    async def drawing(self, still: Table, sight: Hashable, job: Callable[[], T], *, patience: float) -> T:
        """What `job` draws of a still table; whoever looks at it in the same way is given the same drawing."""
        self.sweeper.busy()
        return await self._painter.shared(still.drawings, sight, job, patience=patience)

    def awaited(self, table: Table) -> tuple[Definition, str] | None:
        """The agent that is to move, by its spec, while it is being compiled."""
        mover = table.mover
        if mover < 0 or table.seats[mover].is_person:
            return None
        definition, part = table.game.definition, _part_of(table, mover)
        return (definition, part) if self.preparer.progress(definition, part) else None

    def revoke(self, table: Table, seat: int) -> None:
        """A new link for a seat elsewhere; the old one opens nothing any more."""
        if table.seats[seat].kind != "elsewhere":
            raise Refused("that seat has no link")
        table.seats[seat].token = secrets.token_urlsafe(18)
        table.changed()

    def adopt(self, old: str, new: str) -> None:
        """All that one browser has played here is another's from now on."""
        for table in self._tables.values():
            if table.owner == old:
                table.owner = new
        self.store.adopt(old, new)
        self.solved.adopt(old, new)

    def knows(self, owner: str) -> bool:
        """Whether anything is kept here of a browser."""
        return self.store.knows(owner) or self.solved.knows(owner)

    def leave(self, table: Table) -> None:
        """A browser left: where it was the last, agents stop thinking, and in a while the table leaves memory."""
        if not table.listeners:
            table.rest()
        if not table.listeners and table.key in self._tables:
            self._save(table)
            self._rest(table.key)
            self._alone_since.setdefault(table.key, self._clock())

    def advance(self, table: Table) -> None:
        """Have an agent think, if one is to move and somebody waits for it."""
        task = self._tasks.get(table.key)
        if task is not None and not task.done():
            return
        if self._is_agents_turn(table):
            self._tasks[table.key] = asyncio.get_running_loop().create_task(self._move_on(table))

    def step(self, table: Table) -> None:
        """One more move of a match of agents that is paused."""
        table.is_stepping = table.is_paused
        self.advance(table)

    async def replace(self, table: Table, name: str) -> None:
        """One of the game's levels takes the place of an agent that failed."""
        spec = level_spec(table.game, name)
        agent = await self.thinker.ask(lambda: load_agent(spec, table.game), key=table.key)
        table.replace(name, agent)

    async def hint(self, table: Table) -> int:
        """What the strongest agent would play for the mover.

        Raises:
            Refused: people elsewhere play in this match.
        """
        if not table.is_advised:
            raise Refused("there are no hints against people elsewhere")
        spec = hint_spec(table.game.definition, seats=table.game.seats)
        agent = await self.thinker.ask(lambda: load_agent(spec, table.game), key=table.key)
        table.helped = table.helped or "a hint was taken"
        return await self._answer(table, agent, spec)

    async def read(self, job: Callable[[], T]) -> T:
        """What `job` reads and computes of many tables on disk, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(job)

    async def rating(self, table: Table, owner: str) -> str:
        """What a match that is over means for the rating of a browser's person, in words."""
        game, key = table.game.name, table.key
        return await self.read(lambda: looked_up_rating(self.store, owner, game=game, key=key))

    def agent_for(self, spec: str, game: Game) -> Agent:
        """The agent that the page names; refused where it would open or run what is not installed.

        Nothing is opened or run before that, unless the server trusts those who write specs.
        """
        _require_short(spec)
        outside = [] if self.trusts_specs else outside_of(spec, game)
        if outside:
            raise Refused(f"'{spec}' {outside[0]}: that {REFUSED}")
        excess = excess_of(spec, game, self.limits.settings)
        if excess:
            raise Refused(
                f"{excess.setting}={excess.value} of '{excess.agent}' is too much here: at most {excess.most} "
                f"(the server allows more if started with --most {excess.setting}=...)"
            )
        return load_agent(spec, game)

    def engine_for(self, name: str, game: Game) -> Agent:
        """The engine that the operator has given this name."""
        return load_agent(self.engines[name], game)

    def game_spec(self, spec: str) -> Spec:
        """The game that a link names, as a spec; one with a file of options is refused as agents are."""
        _require_short(spec)
        parsed = parse_spec(spec)
        if MODE in parsed.settings and not self.trusts_specs:
            raise Refused(f"'{spec}' opens the file '{parsed.settings[MODE]}': that {REFUSED}")
        return parsed

    def tick(self) -> None:
        """Once a second: whose time is up, who thinks without end, and which tables nobody looks at any more."""
        self.sweeper.tick()
        self.thinker.tick()
        for table in list(self._tables.values()):
            table.flag()
        self._put_away(self.limits.idle)

    def close(self) -> None:
        """Save and stop."""
        self.analyses.close()
        self.thinker.close()
        self._painter.close()
        for task in self._tasks.values():
            task.cancel()
        for table in self._tables.values():
            self._save(table)
        self.store.close()
        self.solved.close()

    # --- tables in memory

    def _remember(self, table: Table) -> None:
        """Have a table in memory; where there is no room, those leave that nobody looks at."""
        if len(self._tables) >= self.limits.tables:
            self._put_away(0.0)
        if len(self._tables) >= self.limits.tables:
            raise Refused(f"{self.limits.tables} tables are open on this server, as many as it takes; try again later")
        table.on_change = self._changed
        self._tables[table.key] = table
        self._alone_since[table.key] = self._clock()

    def _brought_back(self, body: dict[str, Any], table: Table) -> Table:
        """Have a table from disk in memory, where it is not already."""
        if table.key in self._tables:
            return self._tables[table.key]
        self._remember(table)
        self._on_disk[table.key] = table.match.steps[: body.get("n_events", 0)]
        return table

    def _put_away(self, idle: float) -> None:
        """Save and forget the tables that nobody has looked at for so many seconds; a link brings each back."""
        now = self._clock()
        for key, table in list(self._tables.items()):
            if table.listeners:
                self._alone_since.pop(key, None)
            elif now - self._alone_since.setdefault(key, now) >= idle:
                self._save(table)
                self._rest(key)
                del self._tables[key], self._alone_since[key], self._on_disk[key]
                self.store.let_go(key)

    def _rest(self, key: str) -> None:
        """Let the agents of a table stop."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    # --- agents at work

    def _is_agents_turn(self, table: Table) -> bool:
        rests = table.is_replay or table.trouble is not None or (table.is_paused and not table.is_stepping)
        return bool(table.listeners) and not rests and table.mover >= 0 and not table.seats[table.mover].is_person

    async def _move_on(self, table: Table) -> None:
        while self._is_agents_turn(table):
            version, seat = table.version, table.mover
            # What the mover before it did should be seen before the next thing happens.
            await asyncio.sleep(0 if table.is_stepping else table.pace)
            if table.version != version or not self._is_agents_turn(table):
                continue
            agent = None
            try:
                agent = await self.thinker.ask(lambda seat=seat: table.agent(seat), key=table.key)  # type: ignore[misc]
                action = await self._answer(table, agent, _part_of(table, seat))
            except Exception as fault:  # an agent is anybody's code: its table goes on whatever it does
                if self.thinker.is_closing:
                    return
                self._report(table, seat, fault)
                if table.version == version:
                    table.fail(seat, loads=agent is not None)
                continue
            if table.version == version and table.listeners:
                table.is_stepping = False
                table.play(seat, action)

    async def _answer(self, table: Table, agent: Agent, part: str) -> int:
        """What the agent plays for the mover, within the time that an agent has here.

        What it lacks of compiled code is compiled by another process, as this `part` of the game, and then it is
        asked again.
        """
        limit = math.inf if table.is_unhurried else self.limits.thinking

        def is_wanted() -> bool:
            return bool(table.listeners) and not self.thinker.is_closing

        question = question_for(table, agent, is_wanted, limit=limit)
        for _ in range(2):
            refused, action = await self._loading(question, key=table.key, agent=agent.spec, limit=limit)
            if not refused:
                return action
            game = table.game
            table.rest()
            work = self.preparer.want(game.definition, part, spec=str(game.origin), loads=False)
            table.tell()  # that it is being compiled
            await work.done.wait()
        return await self.thinker.ask(question, key=table.key, agent=agent.spec, limit=limit)

    async def _loading(self, question: Callable[[], T], **asked: Any) -> tuple[list[str], T]:
        """The answer of `question`, asked in a thread that compiles nothing, and the kernels that were missing."""

        def ask() -> tuple[list[str], Any]:
            with only_loading() as refused:
                try:
                    answer = question()
                except Exception:
                    if not refused:
                        raise
                    answer = None
            return refused, answer

        return await self.thinker.ask(ask, **asked)

    @staticmethod
    def _report(table: Table, seat: int, fault: Exception) -> None:
        """What went wrong with an agent, for those who keep the server."""
        unforeseen = None if isinstance(fault, MeepleError) else fault
        words = "the agent '%s' in seat %d of a table of %s failed: %s"
        LOG.warning(words, table.seats[seat].spec, seat + 1, table.game.name, fault, exc_info=unforeseen)

    def _changed(self, table: Table) -> None:
        self._save(table)
        self.advance(table)

    def _save(self, table: Table) -> None:
        """Write the table, and of its events those that are not on disk yet."""
        steps, on_disk = table.match.steps, self._on_disk.get(table.key, [])
        kept = min(len(steps), len(on_disk))
        while kept and steps[kept - 1] is not on_disk[kept - 1]:  # events before a shared one are shared too
            kept -= 1
        self.store.save(
            head_of(table),
            table.tokens(),
            game=table.game.name,
            is_over=table.is_over or table.is_replay,
            lines=lambda kept: lines_of(steps[kept:]),
            kept=kept,
            contested=_named_position(table.match.state) if table.is_contested and table.match.ply else "",
        )
        self._on_disk[table.key] = list(steps)


def _named_position(state: State) -> str:
    """A name for a position as everybody sees it: the same for all deals of what is hidden, and whatever comes."""
    text = state.text(NOBODY if state.game.facts.hidden else None).partition(" fate=")[0]
    return blake2b(f"{state.game.name} {text}".encode(), digest_size=16).hexdigest()


def _part_of(table: Table, seat: int) -> str:
    """The agent of a seat as a part of its game: a level's by the spec that the levels name it by."""
    who = table.seats[seat]
    return levels_of(table.game.definition).get(who.level, who.spec)


def _require_short(spec: str) -> None:
    if len(spec) > LONGEST_SPEC:
        raise Refused(f"a spec of {len(spec)} letters is too long: at most {LONGEST_SPEC} are read here")
