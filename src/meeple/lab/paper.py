"""What a paper reports, as data: its agents as specs, its tables and figures as items, each item's entries.

An *item* is one table, figure or statement. An *entry* of it is one number of the table or one point of the figure:
agent `a` against agent `b`, with the value that was printed. reading.py makes all of it from a TOML file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from meeple.arena.statistics import Interval, wilson
from meeple.core.spec import parse_spec, parse_time
from meeple.errors import ConfigError, did_you_mean

# Kind of an item -> what it is.
KINDS = {
    "match": "one agent against another",
    "sets": "sets of so many games, with Student's interval over the sets",
    "round-robin": "every agent against every other",
    "adaptive": "more and more games until an interval leaves the even share",
    "sweep": "one match for each value of a setting",
    "branching": "moves on offer by ply or round",
    "times": "time a move",
    "gain": "points gained a move",
    "elo": "ratings from a table of results",
    "calibrate": "iterations or worlds that fit a time",
    "tune": "settings drawn at random, and how many of them the published ones beat",
    "train": "training, its losses and the strength of what it made",
    "open": "what the paper leaves open, as matches of ours",
    "text": "a statement of the text, as matches",
}
# What a line of an item measures, game after game or decision after decision -> what that is.
MEASURES = {
    "branching": "legal moves at a decision of play",
    "filtered": "of these, what the line's `filter` leaves",
    "considered": "of these, what the agent says that it looks at",
    "milliseconds": "time a decision, by the clock",
    "gain": "points that the mover has more after its move, by the score, a metric or an evaluation (`points`)",
    "length": "moves a game",
    "own moves": "moves a game of the agent that `of` names, without those that set the game up",
    "draws": "whether nobody had the whole victory",
    "leaf correlation": "whether all moves of a game's last choice lead to the same result",
    "bias": "the first seat's win share where they do",
    "disambiguation": "by what part the worlds that fit became fewer between two decisions of a seat",
    "loss": "of a training run, its mean in each tenth",
    "training": "CPU milliseconds a step of a training, which is a game where it learns from games",
}
OF_TRAININGS = {"loss": "losses", "training": "trainings"}  # these measures, and what `does` calls an item of theirs
# The measure of a line that names none, by the item's kind.
USUAL_MEASURE = {"branching": "branching", "times": "milliseconds", "gain": "gain", "train": "loss"}
GROUPS = {
    "ply": "decisions made, the first is 1",
    "round": "rounds of the booklet, the first is 1",
    "tenth": "of a run",
}
SIDES = {"a": "the first agent's number", "b": "the second's"}
WHOSE = {"a": "the first agent's decisions", "b": "the second's", "all": "everyone's"}
TENTHS = 10
METRICS = {
    "score": "wins and half the draws, a game",
    "wins": "wins alone, a game",
    "points": "the game's own points",
    "margin": "points less those of the best other seat",
}
SHARES = ("score", "wins")  # metrics in 0..1
SOURCES = {
    "text": "printed as a number",
    "recovered": "worked out from a printed interval",
    "draft": "from a public draft, not from the submitted text",
    "image": "read off a picture",
    "unknown": "not told",
}
SIZES = ("quick", "part", "full")  # a part is what a full run came to until it was ended
FOLDER = Path(__file__).parent / "papers"  # of the papers that come with Meeple


@dataclass(frozen=True)
class PaperAgent:
    """An agent by the paper's name: the spec that plays it here, and what had to be guessed."""

    name: str
    spec: str  # {setting} in it is filled in by an entry
    reading: str = ""  # what the text leaves open, and how it was read
    fitted_on: tuple[str, ...] = ()  # items, or `item/entry`, whose numbers chose one of its settings
    clock: str = ""  # the spec under the paper's limit of time, where `spec` stands in for it on any machine
    method: str = ""  # of training, for an agent that is trained before it plays; it has no `spec` then
    recipe: Mapping[str, str] = field(default_factory=dict)  # settings of its training

    @property
    def command(self) -> str:
        """What trains it, without the seed and the game."""
        return " ".join(["meeple train", self.method, *(f"{key}={value}" for key, value in self.recipe.items())])


@dataclass(frozen=True)
class Published:
    """A number as printed; a share in 0..1 where the metric is one."""

    value: float
    of: int | None = None  # games behind it; None: not told
    interval: tuple[float, float] | None = None  # as printed, in the metric's unit
    confidence: float = 0.95  # of the printed interval

    def range(self, confidence: float) -> Interval | None:
        """The interval of a share that was measured over a known number of games; None where it is not known."""
        if self.of is None:
            return None
        low, high = wilson(self.value, self.of, confidence)
        return Interval(self.value, low, high, confidence)


@dataclass(frozen=True)
class FigureLine:
    """What is measured of two agents' games: a number, or a line of a figure with a point for each place."""

    name: str
    measure: str
    by: str = ""  # ply, round or tenth; empty: one number
    of: str = "a"  # whose decisions
    filter: str = ""  # by which `filtered` counts
    points: str = "score"  # what `gain` counts: the score, or the name of a metric or an evaluation of the game's
    scale: float = 1.0  # every value is multiplied by it
    # Only this round's decisions, the first is 1, and plies count from its start; 0: the whole game.
    round: int = field(default=0, repr=False)


@dataclass(frozen=True)
class PaperEntry:
    """One number of a table or point of a figure; `a` and `b` are specs, normalised later by the arena.

    Where one agent alone is spoken of (its rating, the iterations that fit a time, its training) it is both.
    """

    name: str
    a: PaperAgent
    b: PaperAgent
    settings: Mapping[str, str] = field(default_factory=dict)  # fill in {setting} of both specs
    published: Published | None = None
    ms: float = 0.0  # CPU milliseconds a game, roughly; 0: not known
    fitted: bool = False  # the number chose a setting of one of its agents
    line: FigureLine | None = None  # what is measured; None: who wins, or whatever the item's kind asks
    place: int | None = None  # the ply, round or tenth of the line, from 1
    of: str = "a"  # whose share or points the number is
    deterministic: bool | None = None  # whether agents see the world as it is; None: as the item says

    @property
    def is_trained(self) -> bool:
        """Whether one of its agents has to be trained first."""
        return bool(self.a.method or self.b.method)

    def specs(self, *, clock: bool = False) -> tuple[str, str]:
        """The two agents; `clock`: under the paper's limit of time rather than by what stands in for it."""
        return _filled(self.a, self.settings, clock=clock), _filled(self.b, self.settings, clock=clock)

    @property
    def limits(self) -> list[float | None]:
        """Seconds a move of those agents whose time the paper limits; None where the spec tells no time."""
        found = []
        for agent in (self.a, self.b):
            if agent.clock:
                told = parse_spec(_filled(agent, self.settings, clock=True)).settings.get("time")
                found.append(parse_time(told) if told else None)
        return found


@dataclass(frozen=True)
class Item:
    """A table, figure or statement."""

    id: str
    title: str
    kind: str
    page: str = ""
    game: str = ""  # the game's spec
    metric: str = "score"  # one of METRICS, or the name of a metric of the game's own
    entries: tuple[PaperEntry, ...] = ()
    judge: tuple[str, ...] = ()
    source: str = "text"
    unknown: tuple[str, ...] = ()  # what the paper does not tell
    note: str = ""
    blocked: str = ""  # what it waits for; empty: it can be run
    full: int = 0  # games an entry
    quick: int = 0
    quick_entries: tuple[str, ...] = ()  # names of the entries of a quick run; empty: all
    both: bool = True  # each seed with seats exchanged
    deterministic: bool = False  # agents see the world as it is
    set_games: int = 0  # games of a set, for kind `sets`
    step: int = 0  # games between two looks, for kind `adaptive`, whose first look is at `first` games
    first: int = 0
    axes: tuple[str, str] = ("", "")  # of the figure: what x and y are
    seeds: int = 1  # training runs of each trained agent
    quick_seeds: int = 1
    quick_recipe: Mapping[str, str] = field(default_factory=dict)  # settings of a quick run's trainings
    seconds: int = 0  # CPU seconds of a whole quick run, where games do not tell
    full_seconds: int = 0
    vary: str = ""  # kind `calibrate`: the setting whose value is to fit the time
    time: str = ""
    quick_time: str = ""
    table: str = ""  # kind `elo`: the item whose entries are the table
    shares: str = "published"  # of that table, or `ours`
    k: float = 32.0
    draws: int = 0  # games drawn from the table in a run
    people: bool = False  # its entries are agents that people met on the page
    see: tuple[str, ...] = ()  # items that hold the same numbers, where it has none of its own
    rule: str = ""  # what holds it to the text, where it is a rule or a sum and nothing is to be played
    space: Mapping[str, str] = field(default_factory=dict)  # kind `tune`: settings or weights, and their ranges
    objective: str = ""  # what a trial is measured by: share, points or margin
    trial_games: int = 0
    quick_trial_games: int = 0
    workers: int = 0  # processes that play it, at most: fewer where agents have threads of their own; 0: any number
    moves: int = 0  # that an agent makes a game, roughly, by which play by the clock is told; 0: not known

    @property
    def does(self) -> str:
        """How it is run: matches, measures, losses, trainings, people, or as its kind says (calibrate, elo, tune)."""
        lines = [entry.line for entry in self.entries if entry.line is not None]
        for measure, word in OF_TRAININGS.items():
            if any(line.measure == measure for line in lines):
                return word
        if lines:
            return "measures"
        if self.people:
            return "people"
        return self.kind if self.kind in ("calibrate", "elo", "tune") else "matches"

    @property
    def is_share(self) -> bool:
        """Whether its values are shares of games, in 0..1."""
        return self.does in ("tune", "people") or (self.does == "matches" and self.metric in SHARES)

    @property
    def keeps_records(self) -> bool:
        """Whether its games are read again move by move: for measures, and for a metric of the game's own."""
        return self.does == "measures" or self.metric not in METRICS

    def n_seeds(self, size: str) -> int:
        """Training runs of each trained agent in a run of this size."""
        return self.quick_seeds if size == "quick" else self.seeds

    def chosen(self, size: str) -> tuple[PaperEntry, ...]:
        """The entries of a run of this size."""
        if size == "quick" and self.quick_entries:
            return tuple(entry for entry in self.entries if entry.name in self.quick_entries)
        return self.entries

    def games(self, size: str) -> int:
        """Games an entry of a run of this size, at most."""
        return self.quick if size == "quick" else self.full

    def core_seconds(self, size: str, *, clock: bool = False) -> float | None:
        """Seconds of one core that a run takes, roughly; None where an entry's time is not known.

        `clock`: by the paper's limits of time, which an agent uses up at each of its moves.
        """
        told = self.seconds if size == "quick" else self.full_seconds
        is_timed = clock and any(entry.limits for entry in self.chosen(size))
        if told and not is_timed:
            return float(told)
        # The lines of one pair of agents are measured on the same games.
        times = {
            entry.specs() if self.does == "measures" else entry.name: self._game_seconds(entry, clock=clock)
            for entry in self.chosen(size)
        }
        return sum(times.values()) * self.games(size) if times and all(times.values()) else None

    def _game_seconds(self, entry: PaperEntry, *, clock: bool) -> float:
        """Seconds of one core that a game of an entry takes, roughly; 0 where that is not known."""
        limits = entry.limits if clock else []
        if not limits:
            return entry.ms / 1000
        return 0.0 if None in limits else self.moves * math.fsum(limit for limit in limits if limit)


@dataclass(frozen=True)
class Paper:
    """A publication and what it reports."""

    name: str  # of the file
    path: Path
    title: str
    author: str
    year: int
    where: str
    agents: Mapping[str, PaperAgent]
    items: tuple[Item, ...]
    seed: int = 779
    machine: str = ""
    note: str = ""

    def item(self, name: str) -> Item:
        """The item of this id."""
        found = next((item for item in self.items if item.id == name), None)
        if found is None:
            ids = [item.id for item in self.items]
            raise ConfigError(f"{self.name} has no item '{name}'; {did_you_mean(name, ids)}")
        return found

    @property
    def is_built_in(self) -> bool:
        """Whether it comes with Meeple, rather than from a file of the user's own."""
        return self.path.parent == FOLDER

    @property
    def citation(self) -> str:
        """Author, title, place and year in a line."""
        place = f"{self.where}, " if self.where else ""
        return f"{self.author}: {self.title}. {place}{self.year}"


def recovered_wins(low: float, high: float, of: int, confidence: float) -> list[int]:
    """The numbers of wins whose Wilson interval, in percent and to one decimal, is the printed one."""

    def printed(wins: int) -> tuple[float, float]:
        ends = wilson(wins / of, of, confidence)
        return round(100 * ends[0], 1), round(100 * ends[1], 1)

    return [wins for wins in range(of + 1) if printed(wins) == (low, high)]


def _filled(agent: PaperAgent, settings: Mapping[str, str], *, clock: bool) -> str:
    if agent.method:
        return agent.command
    template = agent.clock if clock and agent.clock else agent.spec
    try:
        return template.format_map(settings)
    except (KeyError, ValueError, IndexError) as fault:
        known = ", ".join(settings) or "none"
        raise ConfigError(f"'{template}' cannot be filled in: {fault} is not given; given: {known}") from None
