"""What an agent is (`Agent`), what it is asked (`Turn`), and `pose`, the only function that asks agents for moves.

`pose` hands over a redealt state, a sample from the information set of the seat to move, so that no agent can see
what its seat may not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, word_for
from meeple.core.game import Game, State
from meeple.core.info import Info, checked_info
from meeple.core.match import Match, SeenEvent
from meeple.core.numbers import INT64, shortened, whole_number
from meeple.core.settings import SEED, check_heuristics, given_settings, settings_of, written_settings
from meeple.core.spec import Spec
from meeple.errors import AgentError, ConfigError, IllegalMoveError, MeepleError, brief
from meeple.search.offer import kept_actions
from meeple.search.strata import Weights, believed

_FOLDERS = re.compile(r"@[^,\[\]]*[/\\]")  # of a file of weights: `climb@FOLDERS/weights.json`


def never() -> bool:
    """The default of `should_stop`: the search may go on."""
    return False


def unheard(result: Any) -> None:
    """The default of `report`: results are thrown away."""


def unkept(info: Info) -> None:
    """The default of `note`: what an agent says of its move is not kept."""


@dataclass(frozen=True)
class Limits:
    """What the match allows, in seconds; what an agent allows itself is in its own settings."""

    move: float | None = None  # after which the move at hand is late; None: there is no limit
    clocks: tuple[float, ...] = ()  # left to each seat for all of its moves, where there is a clock
    increment: float = 0.0  # added to a seat's clock after each of its moves


UNLIMITED = Limits()


@dataclass(frozen=True)
class Turn:
    """A question to an agent: which move? Nothing in it tells more than the seat may know, unless `deterministic`."""

    state: State  # a world redealt for the seat: it fits what the seat knows, the rest is made up
    seat: int
    ply: int  # decisions made so far
    rng: Stream  # the agent's own stream for this decision
    deterministic: bool = False  # the papers' version without chance: `state` is the true world, fate included
    seen: tuple[int, ...] | None = None  # the match so far as the seat saw it, for an agent that `wants_history`
    events: tuple[SeenEvent, ...] | None = None  # with movers and texts, for one that `wants_events`; None: not known
    should_stop: Callable[[], bool] = never  # asked between slices of a long search
    seconds: float | None = None  # the match's limit for this move, its share of a clock; None: as long as it likes
    limits: Limits = UNLIMITED  # what that share was made of
    progress: Callable[[Any], None] | None = None  # and here what it thinks so far, a few times a second
    report: Callable[[Any], None] = unheard  # an agent that searches tells its result here
    wants_values: bool = False  # every move is to have its own value in that result, where a bound would have done
    note: Callable[[Info], None] = unkept  # what the agent tells here stands in the record beside its move

    def within(self, own: float) -> float:
        """Return the smaller of an agent's `own` limit and the match's, in seconds; 0 where there is neither."""
        if self.seconds is None:
            return own
        match = max(self.seconds, 0.001)  # time that has run out is not "no limit"
        return min(own, match) if own else match


@dataclass(frozen=True)
class Compiled:
    """An agent as a compiled function(state, rng, out, *given) -> action; `out` is scratch for a list of actions.

    Like `Agent.choose` it is handed a redealt world, never the true one, and must answer a legal action.
    """

    function: Any
    given: tuple[Any, ...] = ()  # parameters that the function takes besides, such as a policy's weights


class Agent:
    """Answers a turn with an action. A subclass with settings is a dataclass with fields made by `setting`.

    In a match it is told `open`, then `new_match`, then its turns, then `end_match`, and after the last match `close`;
    a single question may come without any of them. What it raises in `open` or `new_match` loses the match.
    """

    spec: str = ""  # the normalised text that names this agent, set when it is loaded
    wants_history: bool = False
    wants_events: bool = False
    draws_lots: bool = True  # False: asked the same twice it answers the same, whatever its stream

    @property
    def stream_name(self) -> str:
        """The name that an agent's random stream is derived from: its spec, without the folders of files that it names.

        So the same agent draws the same numbers wherever its own file and those of its weights lie.
        """
        spec = self.spec.replace("\\", "/").rpartition("/")[2] if ".py:" in self.spec else self.spec
        return _FOLDERS.sub("@", spec)

    def choose(self, turn: Turn) -> int | str:
        """The code or the text of a move on offer in `turn.state`."""
        raise AgentError(f"{type(self).__name__} does not say how it chooses: write its method choose(self, turn)")

    def considered(self, state: State) -> Sequence[int]:
        """The legal moves of a position that this agent looks at: what its filter leaves, where it has one.

        `meeple stats --filter own` counts them once a game is over. `state` is a world redealt for the seat to move.
        """
        return [int(action) for action in kept_actions(state, str(getattr(self, "filter", "none")))]

    @property
    def behind(self) -> Sequence[Agent]:
        """The agents that this one asks, where there are such: they are told of a match as it is."""
        return ()

    def open(self) -> None:
        """Make ready what takes long, before a match and off its clock; where that is done already, do nothing."""
        for agent in self.behind:
            agent.open()

    def new_match(self, game: Game, seats: Sequence[int]) -> None:
        """A match of `game` begins, in which this agent plays for `seats`, often one; off the clock."""
        for agent in self.behind:
            agent.new_match(game, seats)

    def end_match(self, ranks: Sequence[int], reason: str) -> None:
        """The match is over: each seat's place, and why it ended."""
        for agent in self.behind:
            agent.end_match(ranks, reason)

    def close(self) -> None:
        """No more matches are to come for now: let go of processes and the like. `open` may be called again."""
        for agent in self.behind:
            agent.close()

    def compiled(self, game: Game) -> Compiled | None:
        """Return the agent as a compiled function, or None; with it matches are played in compiled code alone."""
        return None

    def fit(self, game: Game) -> None:
        """Raise if this agent cannot play `game`, saying how to mend it. Here: every heuristic it names must exist.

        Raises:
            ConfigError: a setting names what the game does not have.
            UnsupportedGameError: it cannot play such a game, with these settings or at all.
        """
        check_heuristics(self, game)


def streams_of(agent: Agent, seat: int, seed: int, salt: bytes = b"") -> NDArray[np.uint64]:
    """Return the first words of two families of streams, one stream a ply: the agent's own, and that of its redeals.

    Both follow from (salt, seed, seat, spec): whoever else plays, an agent draws the same numbers.
    """
    purposes = ("agent", "redeal")
    words = [word_for(purpose, seat, agent.stream_name, seed=seed, salt=salt) for purpose in purposes]
    return np.array(words, dtype=np.uint64)


def ask(
    agent: Agent,
    match: Match,
    *,
    deterministic: bool = False,
    should_stop: Callable[[], bool] = never,
    progress: Callable[[Any], None] | None = None,
    report: Callable[[Any], None] = unheard,
    wants_values: bool = False,
) -> int:
    """Return the action that `agent` chooses for the seat to move of a match; see `pose`.

    `report` is called with the result of an agent that searches; with `wants_values` every move is searched for a value
    of its own, where a bound would do to find the best.

    Raises:
        AgentError: it raised, or answered what is not on offer.
    """
    return pose(
        agent,
        match.state,
        ply=match.ply,
        streams=streams_of(agent, match.to_move, match.seed, match.salt),
        seen=lambda: match.seen(match.to_move),
        events=lambda: match.seen_events(match.to_move),
        deterministic=deterministic,
        should_stop=should_stop,
        progress=progress,
        report=report,
        wants_values=wants_values,
    )


def pose(
    agent: Agent,
    truth: State,
    *,
    ply: int,
    streams: NDArray[np.uint64],
    seen: Callable[[], Sequence[int]],
    events: Callable[[], Sequence[SeenEvent]] | None = None,
    deterministic: bool = False,
    should_stop: Callable[[], bool] = never,
    seconds: float | None = None,
    limits: Limits = UNLIMITED,
    progress: Callable[[Any], None] | None = None,
    report: Callable[[Any], None] = unheard,
    wants_values: bool = False,
    note: Callable[[Info], None] = unkept,
) -> int:
    """Return the action that `agent` chooses in `truth`, where a seat is to move. All agents are asked here.

    The agent is handed a world redealt for its seat, never the true one, unless the match is `deterministic`, the
    papers' version of a game in which all is known. Its answer is checked against the legal actions of `truth`; a text
    must be the whole text of a move. `seen` and `events` tell the match so far, and are called only if wanted.
    """
    seat = truth.to_move
    world, rng = truth.handed(seat, streams, ply)
    turn = Turn(
        state=truth.copy() if deterministic else world,
        seat=seat,
        ply=ply,
        rng=rng,
        deterministic=deterministic,
        seen=tuple(seen()) if agent.wants_history else None,
        events=tuple(events()) if agent.wants_events and events is not None else None,
        should_stop=should_stop,
        seconds=seconds,
        limits=limits,
        progress=progress,
        report=report,
        wants_values=wants_values,
        note=lambda info: note(checked_info(info)),
    )
    try:
        answer = agent.choose(turn)
        if type(answer) is int and truth.allows(answer):
            return answer
    except AgentError:
        raise
    except Exception as fault:
        raise AgentError(f"{_where(agent, truth, ply)} raised {brief(fault)}") from fault
    if isinstance(answer, bool) or not isinstance(answer, (str, int, np.integer)):
        wanted = "choose must return an action's code or a move's text"
        raise AgentError(f"{_where(agent, truth, ply)} answered {answer!r}; {wanted}")
    try:
        return read_whole(truth, answer) if isinstance(answer, str) else truth.require(int(answer))
    except MeepleError as fault:
        raise AgentError(f"{_where(agent, truth, ply)} answered {answer!r}: {fault}") from fault


def read_whole(state: State, text: str) -> int:
    """The code of the move with this text; case and spaces do not matter.

    A person may type a short form, or the beginning of a move. What an agent answers must be all of it: a line that was
    cut off must not be played as the move that begins so.
    """
    code = state.read_move(text)
    if _letters(text) != _letters(state.move_text(code)):
        raise IllegalMoveError(f"that is not the whole text of '{state.move_text(code)}'")
    return code


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def _where(agent: Agent, truth: State, ply: int) -> str:
    return f"seat {truth.to_move + 1} ({agent.spec}) at ply {ply} of {truth.game.spec}"


def believed_by(name: str, turn: Turn) -> Weights | None:
    """Return how likely the game's inference `name` takes each class of worlds; None for `none`: as chance has it."""
    if name == "none":
        return None
    return believed(turn.state, turn.seen or (), name=name, rng=turn.rng)


def build(kind: type[Agent], spec: Spec) -> Agent:
    """The agent of this kind with the settings of `spec`, its normalised spec set."""
    own_seed = _own_seed(spec)
    _require_buildable(kind)
    agent = kind(**given_settings(kind, spec))
    written = written_settings(agent)
    if own_seed and SEED not in {f.name for f in settings_of(kind)}:
        written[SEED] = str(own_seed)
    agent.spec = str(Spec(spec.name, written))
    return agent


def _require_buildable(kind: type[Agent]) -> None:
    """Refuse a class whose settings are none, or that cannot be made without arguments."""
    loose = [name for base in kind.__mro__ for name, value in vars(base).items() if isinstance(value, Field)]
    if loose:
        raise ConfigError(
            f"{kind.__name__} declares the setting '{loose[0]}' and is no dataclass; "
            "write @dataclass(kw_only=True) above the class"
        )
    wanted = [
        name
        for name, parameter in signature(kind).parameters.items()
        if parameter.default is Parameter.empty
        and parameter.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]
    if wanted:
        raise ConfigError(
            f"{kind.__name__} cannot be made without '{wanted[0]}'; give it a default, as a setting of a dataclass: "
            f'{wanted[0]}: int = setting(1, "what it means")'
        )


def _own_seed(spec: Spec) -> int:
    text = spec.settings.get(SEED, "0")
    seed = whole_number(text, *INT64)
    if seed is None:
        raise ConfigError(f"'{SEED}' of agent '{spec.name}' takes a whole number, not '{shortened(text)}'")
    return seed
