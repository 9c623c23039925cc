"""What an agent is, what it is handed, and the one place that asks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, get_type_hints

import numpy as np

from meeple.core.chance import Stream, rng_for
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.spec import Spec, format_time, parse_time
from meeple.errors import AgentError, ConfigError, MeepleError, brief, did_you_mean


@dataclass(frozen=True)
class Turn:
    """A question to an agent. Nothing in it tells more than the seat may know."""

    state: State  # a world redealt for the seat: it fits what the seat knows, the rest is made up
    seat: int
    ply: int  # decisions made so far
    rng: Stream  # the agent's own stream for this decision
    seen: tuple[int, ...] | None = None  # the match so far as the seat saw it, for an agent that `wants_history`
    should_stop: Callable[[], bool] = lambda: False  # asked between slices of a long search
    progress: Callable[[Any], None] | None = None  # and here what it thinks so far, a few times a second
    report: Callable[[Any], None] = lambda result: None  # an agent that searches tells its result here


class Agent:
    """Answers a turn with an action. A subclass with settings is a dataclass whose fields are made by `setting`."""

    spec: str = ""  # the normalised text that names this agent, set when it is loaded
    wants_history: bool = False

    @property
    def stream_name(self) -> str:
        """What names the agent's randomness: the spec, without the folders of a file it may come from."""
        return self.spec.replace("\\", "/").rpartition("/")[2] if ".py:" in self.spec else self.spec

    def choose(self, turn: Turn) -> int | str:
        """The code or the text of a move on offer in `turn.state`."""
        raise AgentError(f"{type(self).__name__} does not say how it chooses: write its method choose(self, turn)")

    def fit(self, game: Game) -> None:
        """Raise UnsupportedGameError where this agent cannot play `game`, with the way to mend it."""


def ask(
    agent: Agent,
    match: Match,
    *,
    deterministic: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
    progress: Callable[[Any], None] | None = None,
    report: Callable[[Any], None] = lambda result: None,
) -> int:
    """The action that `agent` chooses for the seat to move; the one place where agents are asked.

    It is handed a world redealt for its seat, never the true one, unless the match is the papers'
    `deterministic` version of a game. What it answers is checked against the true offer.

    Raises:
        AgentError: it raised, or answered what is not on offer.
    """
    seat, ply = match.to_move, match.ply
    world = match.state
    if not deterministic:
        world = world.redealt(seat, rng_for("redeal", seat, agent.stream_name, ply, seed=match.seed))
    turn = Turn(
        state=world,
        seat=seat,
        ply=ply,
        rng=rng_for("agent", seat, agent.stream_name, ply, seed=match.seed),
        seen=tuple(match.seen(seat)) if agent.wants_history else None,
        should_stop=should_stop,
        progress=progress,
        report=report,
    )
    where = f"seat {seat + 1} ({agent.spec}) at ply {ply} of {match.game.spec}"
    try:
        answer = agent.choose(turn)
    except AgentError:
        raise
    except Exception as fault:
        raise AgentError(f"{where} raised {brief(fault)}") from fault
    if isinstance(answer, bool) or not isinstance(answer, (str, int, np.integer)):
        raise AgentError(f"{where} answered {answer!r}; choose must return an action's code or a move's text")
    try:
        return match.state.read_move(answer) if isinstance(answer, str) else match.state.require(int(answer))
    except MeepleError as fault:
        raise AgentError(f"{where} answered {answer!r}: {fault}") from fault


# --- settings ----------------------------------------------------------------------------------------


def setting(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    is_time: bool = False,
) -> Any:
    """A setting of an agent: its default, its meaning, what it may be. `is_time`: seconds, written with a unit."""
    return field(default=default, metadata={"help": help, "least": least, "choices": choices, "is_time": is_time})


def settings_of(kind: type[Agent]) -> list[Field[Any]]:
    """The settings that an agent declares."""
    return [f for f in fields(kind) if "help" in f.metadata] if is_dataclass(kind) else []


def build(kind: type[Agent], spec: Spec) -> Agent:
    """The agent of this kind with the settings of `spec`, its normalised spec set."""
    declared = {f.name: f for f in settings_of(kind)}
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for name, text in spec.settings.items():
        if name not in declared:
            raise ConfigError(f"agent '{spec}' has no setting '{name}'; {did_you_mean(name, declared)}")
        values[name] = _convert(declared[name], hints[name], text, spec)
    agent = kind(**values)
    agent.spec = str(
        Spec(
            spec.name,
            {n: _written(f, getattr(agent, n)) for n, f in declared.items() if getattr(agent, n) != f.default},
        )
    )
    return agent


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
    try:
        value = kind(text)
    except ValueError:
        raise ConfigError(f"'{declared.name}' of agent '{spec.name}' takes {wanted}, not '{text}'") from None
    if least is not None and not value >= least:
        raise ConfigError(f"'{declared.name}' of agent '{spec.name}' is at least {least:g}, not {text}")
    return value


def _written(declared: Field[Any], value: Any) -> str:
    if declared.metadata["is_time"] and value is not None:
        return format_time(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
