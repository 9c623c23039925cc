"""A tournament: a schedule of sets of games, played by workers into a store, and resumed from it.

The result depends on the configuration and the number of games alone: not on the number of workers, on the order in
which games end, or on how often it was killed. Where a rule ends a lineup early (SPRT, the thesis's adaptive format),
it looks at the sets in their order, and sets beyond the one where it ends are not counted.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.agents.outside import require_trusted
from meeple.agents.registry import load_agent
from meeple.agents.simple import Human
from meeple.arena.adaptive import Adaptive
from meeple.arena.conditions import Conditions
from meeple.arena.engine import Keeps
from meeple.arena.openings import Openings, read_openings
from meeple.arena.provenance import MIXED, is_current, settle_code
from meeple.arena.schedule import GameKey, Lineup, Schedule, make_schedule
from meeple.arena.sprt import Sprt
from meeple.arena.store import Store, StoredGame, hash_of
from meeple.arena.workers import AnyCrew, Job, MakesCrew, Setup, local_crew
from meeple.core.chance import new_salt
from meeple.core.folders import data_folder
from meeple.core.game import Game
from meeple.core.numbers import INT64
from meeple.core.registry import load_game, load_recorded
from meeple.errors import ConfigError

LOOK_EVERY = 4  # sets between two looks of an SPRT
AHEAD = 8  # sets per worker that may be under way beyond what a rule has looked at


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """What is to be played, checked before the first game."""

    game: Game
    agents: tuple[str, ...]  # normalised specs
    schedule: Schedule
    sets: int  # a lineup
    seed: int
    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[str, ...] | None = None  # position texts; None: drawn by each seed
    openings_word: str = "random"
    sprt: Sprt | None = None
    adaptive: Adaptive | None = None
    keeps: Keeps = "records"
    untrusted: bool = False  # its matches are salted by the key that its store keeps

    @property
    def games_a_set(self) -> int:
        """Games of a set."""
        return len(self.schedule.orders)

    @property
    def games_a_lineup(self) -> int:
        """Games of a lineup that no rule ends early."""
        return self.sets * self.games_a_set

    def configuration(self) -> dict[str, Any]:
        """What must be the same for games to be counted together; not how many, nor by how many workers."""
        return {
            "game": self.game.spec,
            "folder": self.game.definition.folder,
            "version": self.game.facts.version,
            "agents": list(self.agents),
            "files": {},  # once hashes of agents' files, for which the code's signature stands now; its place is kept
            "schedule": self.schedule.kind,
            "laps": self.schedule.laps,
            "both": self.schedule.both,
            "seed": self.seed,
            "openings": self.openings_word if self.openings is None else list(self.openings),
            "conditions": self.conditions.as_json(),
            **({"untrusted": True} if self.untrusted else {}),
        }

    def default_path(self) -> Path:
        """Where its store lies unless another place is named."""
        return data_folder("tournaments") / f"{self.game.name}-{hash_of(self.configuration())}.sqlite"

    def heading(self) -> str:
        """What is about to be played, in a line."""
        n_tables = len(self.schedule.first_lineups())
        games = self.games_a_lineup
        tables = "one table" if n_tables == 1 else f"{n_tables} tables"
        if self.schedule.kind == "swiss":
            tables = f"{self.schedule.n_laps} Swiss rounds of {n_tables} tables"
        each = f"{games} games" + ("" if n_tables == 1 else " each")
        last = self.seed + self.sets - 1
        seeds = f"seeds {self.seed} to {last}"
        seating = f" with {self.games_a_set} seatings each" if self.schedule.both else ", seats as named"
        return f"{self.game.spec}: {len(self.agents)} agents, {tables}, {each}: {seeds}{seating}"

    def setup(self, salt: bytes = b"") -> Setup:
        """What workers must know; `salt` is that of a tournament that is `untrusted`."""
        return Setup(
            game=self.game.origin,
            agents=self.agents,
            conditions=self.conditions,
            openings=Openings(self.openings, first_seed=self.seed),
            keeps=self.keeps,
            salt=salt,
        )


def require_seeds(seed: int, sets: int) -> None:
    """Refuse seeds that are no numbers of 64 bits, which is how stores and compiled code keep them."""
    least, most = INT64
    if not least <= seed <= most - sets:
        raise ConfigError(f"the seeds of {sets} sets lie between {least} and {most}; -s {seed} is outside")


def prepare_tournament(
    game: Game | str,
    agents: Sequence[str],
    *,
    games: int = 100,
    seed: int = 779,
    both: bool = False,
    schedule: str = "",
    laps: int = 0,
    conditions: Conditions | None = None,
    openings: str = "random",
    sprt: Sprt | None = None,
    adaptive: Adaptive | None = None,
    keeps: Keeps = "records",
    untrusted: bool = False,
) -> Tournament:
    """Check everything; `games` a lineup are rounded up to whole sets.

    `keeps`: of each game its record, or only its course (whether two were the same), or only its result.
    `untrusted`: the matches are salted, so that no agent can work out from its seed or stream what it may not know.
    """
    game = load_game(game) if isinstance(game, str) else game
    if games < 1:
        raise ConfigError(f"a table plays at least one game, not {games}")
    loaded = [load_agent(spec, game) for spec in agents]
    if any(isinstance(agent, Human) for agent in loaded):
        raise ConfigError("people play in `meeple play`, which shows them the board; here agents play by themselves")
    plan = make_schedule(schedule, agents=len(loaded), seats=game.seats, both=both or sprt is not None, laps=laps)
    if (sprt or adaptive) and plan.kind == "swiss":
        raise ConfigError("a Swiss schedule has a fixed number of games; leave --sprt and --adaptive out")
    if sprt and plan.kind != "table":
        raise ConfigError(f"an SPRT tests the first agent at one table of {game.seats}; {len(loaded)} were named")
    if sprt and adaptive:
        raise ConfigError("a table ends by an SPRT or by the adaptive format, not by both")
    sets = plan.sets_for(adaptive.most if adaptive else games)
    require_seeds(seed, sets)
    return Tournament(
        game=game,
        agents=tuple(agent.spec for agent in loaded),
        schedule=plan,
        sets=sets,
        seed=seed,
        conditions=conditions or Conditions(),
        openings=read_openings(game, openings),
        openings_word=openings,
        sprt=sprt,
        adaptive=adaptive,
        keeps=keeps,
        untrusted=untrusted,
    )


@dataclass
class Standing:
    """The sets of one lineup so far."""

    lineup: Lineup
    target: int  # sets wanted
    columns: list[array[float]] = field(default_factory=list)  # by place in the lineup: scores of whole sets in order
    partial: dict[int, dict[int, tuple[float, ...]]] = field(default_factory=dict)  # set -> seating -> score by place
    counts: Counter[float] = field(default_factory=Counter)  # how often the first agent had each score of a set
    ended_at: int | None = None  # sets after which a rule ended it
    next_set: int = 0  # to be handed out

    def __post_init__(self) -> None:
        self.columns = [array("d") for _ in self.lineup.agents]

    @property
    def played(self) -> int:
        """How many sets are whole, up to the first that is not."""
        return len(self.columns[0])

    @property
    def counted(self) -> int:
        """How many sets count: no more than were wanted, or than when a rule ended the lineup."""
        return min(self.played, self.target if self.ended_at is None else self.ended_at)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is wanted of it."""
        return self.ended_at is not None or self.played >= self.target

    def has(self, key: GameKey) -> bool:
        """Whether a game is over."""
        return key.number < self.played or key.seating in self.partial.get(key.number, ())

    def scores(self, place: int = 0) -> array[float]:
        """The scores of the agent in this place, of the sets that count."""
        return self.columns[place][: self.counted]


class Ledger:
    """Which games are wanted, which are over, and how each lineup stands.

    A crew takes jobs from it (`take`, `give_back`, `is_done`) and the tournament enters results (`add`). Only whole
    sets count, in their order and up to the first that is missing, so that the standings do not depend on which games
    happened to end first.
    """

    def __init__(self, tournament: Tournament, stored: Iterable[StoredGame], workers: int) -> None:
        self.tournament, self.workers = tournament, max(1, workers)
        self.standings: dict[Lineup, Standing] = {}
        self.returned: list[Job] = []  # handed out before and given back, to be handed out again first
        self.laps = 0  # rounds opened so far; a Swiss schedule opens the next when all games of one are over
        self._open(tournament.schedule.first_lineups())
        for game in stored:  # sorted by round, so that a Swiss round is opened before its games are entered
            if game.key.lineup in self.standings:
                self.add(game)

    def _open(self, lineups: Sequence[Lineup]) -> None:
        """Add lineups to be played: all of a schedule, or the next round of a Swiss one."""
        for lineup in lineups:
            target = self.tournament.sets
            if self.tournament.adaptive:
                target = self.tournament.adaptive.sets_at(1)
            self.standings[lineup] = Standing(lineup, target)
        self.laps += 1

    # --- handing out

    @property
    def is_done(self) -> bool:
        """Whether every lineup is over."""
        return all(standing.is_over for standing in self.standings.values())

    @property
    def games_wanted(self) -> int:
        """Games in all, as far as is known now."""
        return sum(
            (standing.ended_at or standing.target) * self.tournament.games_a_set for standing in self.standings.values()
        )

    @property
    def games_counted(self) -> int:
        """Games of whole sets that count."""
        return sum(standing.counted * self.tournament.games_a_set for standing in self.standings.values())

    def take(self, most: int) -> list[Job]:
        """Return about `most` games to play, whole sets; none where all are handed out or a rule must look first."""
        jobs: list[Job] = []
        while self.returned and len(jobs) < most:
            jobs.append(self.returned.pop())
        while len(jobs) < most:
            growing = [s for s in self.standings.values() if not s.is_over and s.next_set < self._reach(s)]
            if not growing:
                break
            # Breadth first, so that all lineups have about as many sets whenever one looks.
            standing = min(growing, key=lambda s: (s.next_set, s.lineup))
            jobs += self._set(standing)
        return jobs

    def _reach(self, standing: Standing) -> int:
        """Return how many sets may be handed out now: with an SPRT only a few beyond those it has looked at."""
        if self.tournament.sprt is None:
            return standing.target
        return min(standing.target, standing.played + AHEAD * self.workers)

    def _set(self, standing: Standing) -> list[Job]:
        """Return the games of the next set that are not over yet, from a store perhaps."""
        number = standing.next_set
        standing.next_set += 1
        jobs = []
        for seating in range(self.tournament.games_a_set):
            key = GameKey(standing.lineup, number, seating)
            if not standing.has(key):
                jobs.append(Job(key, self.tournament.seed + number, self.tournament.schedule.seated(key)))
        return jobs

    def give_back(self, jobs: list[Job]) -> None:
        """Take back games that were handed out and not played."""
        self.returned += reversed(jobs)

    # --- hearing

    def add(self, game: StoredGame) -> None:
        """Enter the result of a game; a game that was entered before is ignored."""
        standing = self.standings[game.key.lineup]
        if standing.has(game.key):
            return
        order = self.tournament.schedule.orders[game.key.seating]
        by_place = [0.0] * len(order)
        for seat, place in enumerate(order):
            by_place[place] = game.shares[seat]
        standing.partial.setdefault(game.key.number, {})[game.key.seating] = tuple(by_place)
        while len(standing.partial.get(standing.played, ())) == self.tournament.games_a_set:
            games = standing.partial.pop(standing.played)
            # Added up in the order of the seatings, so that the sum is the same whichever ended first.
            for place, column in enumerate(standing.columns):
                column.append(sum(games[seating][place] for seating in sorted(games)) / self.tournament.games_a_set)
            standing.counts[round(standing.columns[0][-1], 9)] += 1
            self._look(standing)
        self._next_lap()

    def _look(self, standing: Standing) -> None:
        """Let an SPRT or the adaptive format decide whether a lineup goes on, after the sets at which it may look.

        The moments are fixed beforehand: a test that looked whenever it liked would have other error rates.
        """
        if standing.ended_at is not None:
            return
        n, tournament, scores = standing.played, self.tournament, standing.columns[0]
        if tournament.sprt and (n % LOOK_EVERY == 0 or n == standing.target):
            look = tournament.sprt.look(standing.counts)
            if look.verdict != "go on":
                standing.ended_at = n
        if tournament.adaptive and n == standing.target:
            seen = tournament.adaptive.look(scores)
            if seen.is_over:
                standing.ended_at = n
            else:
                standing.target = n + seen.more_sets

    def _next_lap(self) -> None:
        """Open the next round of a Swiss schedule when all games of the last are over."""
        schedule = self.tournament.schedule
        if schedule.kind != "swiss" or self.laps >= schedule.n_laps or not self.is_done:
            return
        everyone = set(range(schedule.agents))
        points, met, rested = dict.fromkeys(everyone, 0.0), set(), []
        for lap in range(self.laps):
            playing = [standing for standing in self.standings.values() if standing.lineup.lap == lap]
            for agent in everyone.difference(*(standing.lineup.agents for standing in playing)):
                rested.append(agent)
                points[agent] += self.tournament.sets  # a rest counts as won
            for standing in playing:
                met.add(frozenset(standing.lineup.agents))
                for agent, column in zip(standing.lineup.agents, standing.columns, strict=True):
                    points[agent] += sum(column)
        self._open(schedule.swiss_lineups(self.laps, points, met, rested))


@dataclass
class Outcome:
    """A tournament as far as it was played."""

    tournament: Tournament
    ledger: Ledger
    was_stopped: bool = False
    ended_at: StoredGame | None = None  # the game that ended it before all were played; it does not count
    killed: int = 0  # workers that may have been killed from outside, whose games were played again


def play_tournament(
    tournament: Tournament,
    store: Store | None,
    *,
    workers: int = 1,
    mixed: bool = False,
    tell: Callable[[str], None] = lambda text: None,
    on_games: Callable[[Ledger, list[StoredGame]], None] = lambda ledger, games: None,
    ends_at: Callable[[StoredGame], bool] = lambda game: False,
    on_look: Callable[[Ledger, AnyCrew], None] = lambda ledger, crew: None,
    crew_for: MakesCrew | None = None,
) -> Outcome:
    """Play what is missing and store each game as it ends; Ctrl-C ends it with what there is.

    Without a `store` it is played in memory, and `on_games` hears all that is known. With 0 `workers` this process
    plays by itself: no other is started, and nobody watches over agents that do not come back. The first game of which
    `ends_at` is true ends the tournament, and does not count.

    `on_look` is called a few times a second and may ask the crew what is being played. `crew_for` makes another crew
    than that of this machine (ray_crew.py).

    Games that other code has stored are not counted together with this code's unless they come out the same
    (`settle_code`, which takes `mixed` and `tell`).
    """

    def is_same() -> bool:
        return store is None or is_current(tournament, store)

    ledger = Ledger(tournament, store.games() if store else [], workers)
    outcome = Outcome(tournament, ledger)
    try:
        if store is not None:
            settle_code(tournament, store, workers=workers, mixed=mixed, tell=tell)
        if ledger.is_done:
            return _remembered(outcome, store)
        salt = (store.salt if store else new_salt()) if tournament.untrusted else b""
        setup = tournament.setup(salt)
        with (crew_for or local_crew(workers))(setup, is_same) as crew:
            for games in crew.play(ledger):
                on_look(ledger, crew)
                outcome.killed = crew.killed
                place = next((i for i, game in enumerate(games) if ends_at(game)), None)
                if place is not None:
                    games, outcome.ended_at = games[:place], games[place]
                if games:
                    if store is not None:
                        store.add(games)
                    for game in games:
                        ledger.add(game)
                    on_games(ledger, games)
                if outcome.ended_at is not None:
                    break
    except KeyboardInterrupt:
        outcome.was_stopped = True
    return _remembered(outcome, store)


def _remembered(outcome: Outcome, store: Store | None) -> Outcome:
    if store is not None:
        standings = outcome.ledger.standings.values()
        store.set_counted({s.lineup: s.counted if s.is_over else s.target for s in standings})
    return outcome


def stored_ledger(tournament: Tournament, store: Store) -> Ledger:
    """The sets of a store, counted as they were when it was last played."""
    ledger = Ledger(tournament, store.games(), 1)
    for lineup, sets in store.counted.items():
        if lineup in ledger.standings:
            ledger.standings[lineup].target = sets
    return ledger


def stored_tournament(store: Store, *, trust: bool = False) -> Tournament:
    """The tournament whose games a store holds, with as many sets as it has of any lineup.

    Raises:
        TrustError: its game or an agent of its would run code or open a file, and `trust` does not allow it.
    """
    found = store.configuration
    game = load_recorded(found["game"], found["folder"], trust=trust)
    if not trust:
        require_trusted(found["agents"], game, source=f"'{store.path}'")
    plan = make_schedule(
        found["schedule"], agents=len(found["agents"]), seats=game.seats, both=found["both"], laps=found["laps"]
    )
    sets = max((key.number + 1 for key in store.game_keys()), default=1)
    openings = found["openings"]
    texts = (
        None if isinstance(openings, str) and openings == "random" else tuple(openings) if openings != "none" else ()
    )
    return Tournament(
        game=game,
        agents=tuple(found["agents"]),
        schedule=plan,
        sets=sets,
        seed=found["seed"],
        conditions=Conditions(**found["conditions"]),
        openings=texts,
        openings_word=openings if isinstance(openings, str) else "a file",
        untrusted=found.get("untrusted", False),
    )


def merge(paths: Sequence[Path], target: Path, *, mixed: bool = False) -> int:
    """Gather the games of several stores of one configuration in a new one; returns how many there are.

    Raises:
        ConfigError: configurations differ, or two stores tell different results of one game, or no code is known to
            have played all of them, and `mixed` is not given to count them together all the same.
    """
    if target.exists():
        raise ConfigError(f"'{target}' exists and is not overwritten; choose another name")
    stores = [Store.read(path) for path in paths]
    try:
        first = stores[0].configuration
        for store in stores[1:]:
            if store.configuration | {"files": {}} != first | {"files": {}}:
                differs = [name for name in first if store.configuration.get(name) != first[name]]
                raise ConfigError(f"'{store.path}' holds another tournament: {', '.join(differs)} differ")
            if store.salt != stores[0].salt:
                raise ConfigError(
                    f"'{store.path}' is salted by another key: its games were dealt otherwise; begin both from copies "
                    "of one store to merge them"
                )
        known: dict[GameKey, tuple[object, ...]] = {}
        for store in stores:
            for game in store.games():
                if known.setdefault(game.key, game.result) != game.result:
                    raise ConfigError(
                        f"game {game.key.text()} has another result in '{store.path}': nothing was merged"
                    )
        code = _merged_code(stores, mixed=mixed)
        with Store.open(target, first, salt=stores[0].salt) as merged:
            merged.set_code(code)
            written: set[GameKey] = set()
            for store in stores:
                times = {key: tuple(zip(seats, seconds, strict=True)) for key, seats, seconds in store.times()}
                fresh = [game for game in store.games(records=True) if game.key not in written]
                roles = dict(store.role_results())
                merged.add(
                    replace(game, times=times.get(game.key, ()), roles=roles.get(game.key, ())) for game in fresh
                )
                written.update(game.key for game in fresh)
            return merged.count()
    finally:
        for store in stores:
            store.close()


def _merged_code(stores: Sequence[Store], *, mixed: bool) -> list[dict[str, Any]]:
    """The code of stores that become one: that of each, marked where no code is known to all of them."""
    filled = [store for store in stores if store.count()]
    shared = set.intersection(*({entry["signature"] for entry in store.code} for store in filled)) if filled else set()
    code = {entry["signature"]: entry for store in reversed(filled) for entry in reversed(store.code)}
    if len(filled) < 2 or shared - {""}:
        return list(reversed(code.values()))
    if not mixed:
        advice = "`meeple results FILE --certify` plays a sample of each again, --mixed gathers them in a marked table"
        raise ConfigError(f"the stores hold games of different code, or of unknown: nothing was merged; {advice}")
    return [entry | {"how": MIXED} for entry in reversed(code.values())] or [{"signature": "", "how": MIXED}]
