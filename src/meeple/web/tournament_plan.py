"""What a tournament of the page is: the choices of its form, kept as JSON beside its store.

They are those of `meeple tournament`, so that the same games are played into the same store, from the page or from the
command line.
"""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from meeple.arena.conditions import Conditions, parse_limit
from meeple.arena.tournament import Tournament, prepare_tournament
from meeple.errors import RecordError, SaveError

ENDING = ".plan.json"
SEED = 779  # as of the command line


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A tournament as somebody asked for it."""

    game: str
    agents: tuple[str, ...]
    games: int = 100  # a table
    both: bool = True
    schedule: str = ""
    move_time: str = ""
    seed: int = SEED
    workers: int = 1

    def prepared(self) -> Tournament:
        """The tournament, checked.

        Raises:
            ConfigError: something does not fit.
        """
        return prepare_tournament(
            self.game,
            self.agents,
            games=self.games,
            seed=self.seed,
            both=self.both,
            schedule=self.schedule,
            conditions=Conditions(move=parse_limit(self.move_time) if self.move_time else 0.0),
        )

    def command(self) -> str:
        """The command that plays the same."""
        words = ["meeple", "tournament", self.game, "-p", *self.agents, "-n", str(self.games), "-s", str(self.seed)]
        words += ["-b"] if self.both else []
        words += ["--schedule", self.schedule] if self.schedule else []
        words += ["--move-time", self.move_time] if self.move_time else []
        return shlex.join(words)

    def save(self, store: Path) -> None:
        """Keep it beside its store, to go on by."""
        path = store.with_suffix(ENDING)
        draft = path.with_name(f"{path.name}.new")
        try:
            draft.write_text(json.dumps(asdict(self)), encoding="utf-8")
            os.replace(draft, path)
        except OSError as fault:
            raise SaveError(f"'{path}' cannot be written: {fault.strerror}") from fault


def plan_of(told: Any) -> Plan:
    """A plan from JSON.

    Raises:
        RecordError: it is none.
    """
    kinds = {"game": str, "games": int, "both": bool, "schedule": str, "move_time": str, "seed": int, "workers": int}
    is_plan = isinstance(told, dict) and set(told) == {*kinds, "agents"}
    if not is_plan or any(type(told[name]) is not kind for name, kind in kinds.items()):
        raise RecordError("this is no plan of a tournament")
    agents = told["agents"]
    if not isinstance(agents, list) or not all(isinstance(agent, str) for agent in agents):
        raise RecordError("this plan of a tournament names no agents")
    return Plan(**(told | {"agents": tuple(agents)}))


def saved_plan(store: Path) -> Plan | None:
    """The plan of a tournament that was begun on the page; None where there is none, or a damaged one."""
    try:
        return plan_of(json.loads(store.with_suffix(ENDING).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecordError):
        return None
