"""What an agent is, what it is handed, and the one place that asks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, Literal, get_type_hints

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, word_for
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.numbers import INT64, decimal_number, shortened, whole_number
from meeple.core.spec import Spec, format_time, parse_time
from meeple.errors import AgentError, ConfigError, MeepleError, brief, did_you_mean
from meeple.search.strata import Weights, believed


def never() -> bool:
    """Nobody wants the search to stop."""
    return False


def unheard(result: Any) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Turn:
    """A question to an agent. Nothing in it tells more than the seat may know, unless the world is open."""

    state: State  # a world redealt for the seat: it fits what the seat knows, the rest is made up
    seat: int
    ply: int  # decisions made so far
    rng: Stream  # the agent's own stream for this decision
    is_open: bool = False  # the deterministic version: `state` is the true world, a search deals no other
    seen: tuple[int, ...] | None = None  # the match so far as the seat saw it, for an agent that `wants_history`
    should_stop: Callable[[], bool] = never  # asked between slices of a long search
    seconds: float | None = None  # the match's limit for this move, its share of a clock; None: as long as it likes
    progress: Callable[[Any], None] | None = None  # and here what it thinks so far, a few times a second
    report: Callable[[Any], None] = unheard  # an agent that searches tells its result here
    wants_values: bool = False  # every move is to have its own value in that result, where a bound would have done

    def within(self, own: float) -> float:
        """The lesser of an agent's `own` limit and the match's, in seconds; 0 where there is neither."""
        if self.seconds is None:
            return own
        match = max(self.seconds, 0.001)  # time that has run out is not "no limit"
        return min(own, match) if own else match


@dataclass(frozen=True)
class Compiled:
    """An agent's choice as a compiled function(state, rng, out, *given) -> action, `out` being scratch for a list.

    As `choose` it is handed a world redealt for the seat, never the true one, and what it answers must be on offer.
    """

    function: Any
    given: tuple[Any, ...] = ()  # parameters that the function takes besides, such as a policy's weights


class Agent:
    """Answers a turn with an action. A subclass with settings is a dataclass whose fields are made by `setting`."""

    spec: str = ""  # the normalised text that names this agent, set when it is loaded
    wants_history: bool = False
    draws_lots: bool = True  # False: asked the same twice it answers the same, whatever its stream

    @property
    def stream_name(self) -> str:
        """What names the agent's randomness: the spec, without the folders of a file it may come from."""
        return self.spec.replace("\\", "/").rpartition("/")[2] if ".py:" in self.spec else self.spec

    def choose(self, turn: Turn) -> int | str:
        """The code or the text of a move on offer in `turn.state`."""
        raise AgentError(f"{type(self).__name__} does not say how it chooses: write its method choose(self, turn)")

    def compiled(self, game: Game) -> Compiled | None:
        """The agent as a compiled function, where it is one: matches are then played without leaving compiled code."""
        return None

    def fit(self, game: Game) -> None:
        """Raise UnsupportedGameError where this agent cannot play `game`, with the way to mend it."""


def streams_of(agent: Agent, seat: int, seed: int, salt: bytes = b"") -> NDArray[np.uint64]:
    """The randomness of an agent in a seat of a match, for itself and for its worlds.

    Two words, each naming a family with a stream for every ply: hash(salt, seed, seat, spec, ply).
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
    """The action that `agent` chooses for the seat to move of a match; `pose` is the one place where agents are asked.

    `report` hears the result of an agent that searches; with `wants_values` it searches every move for its own value.

    Raises:
        AgentError: it raised, or answered what is not on offer.
    """
    return pose(
        agent,
        match.state,
        ply=match.ply,
        streams=streams_of(agent, match.to_move, match.seed, match.salt),
        seen=lambda: match.seen(match.to_move),
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
    deterministic: bool = False,
    should_stop: Callable[[], bool] = never,
    seconds: float | None = None,
    progress: Callable[[Any], None] | None = None,
    report: Callable[[Any], None] = unheard,
    wants_values: bool = False,
) -> int:
    """The action that `agent` chooses in `truth`, where a seat is to move.

    It is handed a world redealt for its seat, never the true one, unless the match is the papers'
    `deterministic` version of a game. What it answers is checked against the true offer.
    """
    seat = truth.to_move
    world, rng = truth.handed(seat, streams, ply)
    turn = Turn(
        state=truth.copy() if deterministic else world,
        seat=seat,
        ply=ply,
        rng=rng,
        is_open=deterministic,
        seen=tuple(seen()) if agent.wants_history else None,
        should_stop=should_stop,
        seconds=seconds,
        progress=progress,
        report=report,
        wants_values=wants_values,
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
        return truth.read_move(answer) if isinstance(answer, str) else truth.require(int(answer))
    except MeepleError as fault:
        raise AgentError(f"{_where(agent, truth, ply)} answered {answer!r}: {fault}") from fault


def _where(agent: Agent, truth: State, ply: int) -> str:
    return f"seat {truth.to_move + 1} ({agent.spec}) at ply {ply} of {truth.game.spec}"


def believed_by(name: str, turn: Turn) -> Weights | None:
    """Weights of the classes of worlds by the game's inference called `name`; None for `none`, where chance's count."""
    if name == "none":
        return None
    return believed(turn.state, turn.seen or (), name=name, rng=turn.rng)


SEED = "seed"  # a setting of every agent: copies with different ones draw different lots
SEED_HELP = "number of the agent's own stream: copies with different ones draw different lots"


# --- settings ----------------------------------------------------------------------------------------


Names = Literal["", "word", "heuristic", "agent", "file", "command"]
MOST_SECONDS_ON_PAGE = 10.0  # of a setting that is a time and says nothing else


def setting(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    is_time: bool = False,
    names: Names = "",
    most_on_page: float | None = None,
) -> Any:
    """A setting of an agent: its default, its meaning, what it may be. `is_time`: seconds, written with a unit.

    A text without `choices` says what it `names`, so that a page, a record or a store can be refused what lies outside
    (agents/outside.py): a `file` that is opened, a `command` that is started, a `heuristic` of the game (`NAME@FILE`
    opens a file), an `agent` by its spec in brackets, or a mere `word`. One that does not say is refused there.
    A number that costs time or memory has a ceiling for the page, `most_on_page`; of a search in brackets it is the
    depth in them.
    """
    if is_time and most_on_page is None:
        most_on_page = MOST_SECONDS_ON_PAGE
    metadata = {"help": help, "least": least, "choices": choices, "is_time": is_time}
    return field(default=default, metadata=metadata | {"names": names, "most_on_page": most_on_page})


def settings_of(kind: type[Agent]) -> list[Field[Any]]:
    """The settings that an agent declares."""
    return [f for f in fields(kind) if "help" in f.metadata] if is_dataclass(kind) else []


def given_settings(kind: type[Agent], spec: Spec) -> dict[str, Any]:
    """The values that `spec` gives to settings of this kind of agent, read and checked; the agent is not made."""
    declared = {f.name: f for f in settings_of(kind)}
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for name, text in spec.settings.items():
        if name == SEED and name not in declared:
            continue
        if name not in declared:
            raise ConfigError(f"agent '{spec}' has no setting '{name}'; {did_you_mean(name, [*declared, SEED])}")
        values[name] = _convert(declared[name], hints[name], text, spec)
    return values


def build(kind: type[Agent], spec: Spec) -> Agent:
    """The agent of this kind with the settings of `spec`, its normalised spec set."""
    declared = {f.name: f for f in settings_of(kind)}
    own_seed = _own_seed(spec)
    agent = kind(**given_settings(kind, spec))
    written = {n: _written(f, getattr(agent, n)) for n, f in declared.items() if getattr(agent, n) != f.default}
    if own_seed and SEED not in declared:
        written[SEED] = str(own_seed)
    agent.spec = str(Spec(spec.name, written))
    return agent


def _own_seed(spec: Spec) -> int:
    text = spec.settings.get(SEED, "0")
    seed = whole_number(text, *INT64)
    if seed is None:
        raise ConfigError(f"'{SEED}' of agent '{spec.name}' takes a whole number, not '{shortened(text)}'")
    return seed


def default_text(declared: Field[Any]) -> str:
    """A setting's default as a person would write it."""
    return "none" if declared.default in (None, MISSING) else _written(declared, declared.default)


def _convert(declared: Field[Any], kind: Any, text: str, spec: Spec) -> Any:
    choices, least = declared.metadata["choices"], declared.metadata["least"]
    if choices:
        if text not in choices:
            raise ConfigError(f"'{declared.name}' of agent '{spec.name}' takes {', '.join(choices)}, not '{text}'")
        return text
    if declared.metadata["is_time"]:
        return parse_time(text)
    if kind is str:
        return text
    if kind is bool:
        if text not in ("yes", "no"):
            raise ConfigError(f"'{declared.name}' of agent '{spec.name}' takes yes or no, not '{text}'")
        return text == "yes"
    wanted = "a whole number" if kind is int else "a number"
    value = whole_number(text, *INT64) if kind is int else decimal_number(text)
    if value is None:
        raise ConfigError(f"'{declared.name}' of agent '{spec.name}' takes {wanted}, not '{shortened(text)}'")
    if least is not None and not value >= least:
        raise ConfigError(f"'{declared.name}' of agent '{spec.name}' is at least {least:g}, not {text}")
    return value


def _written(declared: Field[Any], value: Any) -> str:
    if declared.metadata["is_time"] and value is not None:
        return format_time(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
