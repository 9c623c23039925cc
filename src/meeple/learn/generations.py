"""The generations of a run of self-play, kept in a folder, and their ladder.

    generation-K.npz   the network of each generation, champion or not
    run.json           who played, and the sets of games of the gates and against the reference
    ladder.jsonl       sets of the round robin as they are played, one a line: a ladder that is stopped goes on there
    ladder.json        the ratings

The ladder rates all generations, the reference, and the search of the first games where that is another one, from the
run's own sets and a small round robin. Each pair of the round robin plays the same openings and seeds; the later
generation has one seat at a time, its rival all others. The reference has 0 Elo.

Sets of a gate that a sequential test has ended are counted as they are: they make a lead look a little larger.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.base import Agent
from meeple.agents.outside import require_trusted
from meeple.agents.registry import load_agent
from meeple.arena.ratings import Rating, rate
from meeple.core.game import Game
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, FailureError, SaveError
from meeple.learn.duels import FIRST, LADDER, REFERENCE, Duel, play_duel, sets_for
from meeple.learn.player import with_model
from meeple.models.file import load, save
from meeple.models.found import SUFFIX, is_name, own_folder
from meeple.models.model import Model

FORMAT = 1
RUN, PLAYED, RATED = "run.json", "ladder.jsonl", "ladder.json"
OnSet = Callable[[int, int], None]  # sets of the round robin that are played, of so many


@dataclass(frozen=True)
class Generations:
    """A run's generations, read from their folder."""

    folder: Path
    game: Game
    seed: int
    teacher: str
    first: str
    reference: str
    champions: tuple[int, ...]  # generations that became champion
    n: int
    duels: tuple[Duel, ...]  # that the run itself has played

    @property
    def players(self) -> list[int]:
        """All who are rated, by number."""
        others = [REFERENCE] if self.first == self.reference else [FIRST, REFERENCE]
        return others + list(range(1, self.n + 1))

    def name_of(self, player: int) -> str:
        """A player's name in the ladder."""
        return {FIRST: self.first, REFERENCE: self.reference}.get(player, f"generation {player}")

    def agent_of(self, player: int) -> Agent:
        """The agent: the teacher with the generation's network, or one that has none."""
        if player <= REFERENCE:
            return load_agent(self.name_of(player), self.game)
        return with_model(self.game, self.teacher, load(self.folder / file_of(player), self.game))


@dataclass(frozen=True)
class Rung:
    """A player's place in the ladder."""

    player: int
    name: str
    is_champion: bool
    rating: Rating

    def as_json(self) -> dict[str, Any]:
        """For machines; an end of the interval that is not known is null."""
        elo, low, high = (
            None if not math.isfinite(each) else round(each, 1)
            for each in (self.rating.elo, self.rating.low, self.rating.high)
        )
        return {
            "player": self.name,
            "generation": max(0, self.player),
            "champion": self.is_champion,
            "elo": elo,
            "low": low,
            "high": high,
            "games": self.rating.games,
        }


@dataclass(frozen=True)
class Ladder:
    """All players of a run, the strongest first."""

    run: Generations
    rungs: tuple[Rung, ...]
    games: int

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "game": self.run.game.spec,
            "reference": self.run.reference,
            "games": self.games,
            "players": [rung.as_json() for rung in self.rungs],
        }


# --- the folder -------------------------------------------------------------------------------------------


def folder_of(out: Path) -> Path:
    """Where the generations of a run lie that ends in the model `out`."""
    return out.with_name(f"{out.stem}-generations")


def file_of(generation: int) -> str:
    """The file of a generation's network, in the folder."""
    return f"generation-{generation}{SUFFIX}"


def find_folder(game: Game, text: str) -> Path:
    """The folder that is meant by itself, by the file of its run's model, or by that model's name."""
    path = own_folder(game.definition) / f"{text}{SUFFIX}" if is_name(text) and not Path(text).is_dir() else Path(text)
    return folder_of(path) if path.suffix == SUFFIX else path


def write_run(
    folder: Path,
    game: Game,
    told: Mapping[str, Any],
    champions: Sequence[int],
    networks: Sequence[Model],
    duels: Sequence[Duel],
) -> None:
    """Write the generations of a run; those of another one that lie there are removed.

    `told` are the settings `seed`, `teacher`, `first` and `reference`.

    Raises:
        SaveError: it cannot be written.
    """
    try:
        folder.mkdir(exist_ok=True)
        for name in (RUN, PLAYED, RATED, *(file.name for file in folder.glob(f"generation-*{SUFFIX}"))):
            (folder / name).unlink(missing_ok=True)
        for generation, network in enumerate(networks, 1):
            save(network, folder / file_of(generation))
        settings = {name: told[name] for name in ("seed", "teacher", "first", "reference")}
        run = {"format": FORMAT, "game": game.spec, "rules": game.facts.version, **settings}
        run |= {"champions": list(champions), "generations": len(networks)}
        run["duels"] = [asdict(duel) for duel in duels]
        _replace(folder / RUN, json.dumps(run))  # the last: without it nothing is there
    except OSError as fault:
        raise SaveError(f"'{shortened(str(folder))}' cannot be written: {fault.strerror or fault}") from fault


def read_run(folder: Path, game: Game, *, trust: bool = False) -> Generations:
    """The generations that lie in a folder.

    Raises:
        ConfigError: there are none, or they are of another game or other rules.
        TrustError: their agents would run or open what a file names, and `trust` is not given.
        FailureError: they are damaged.
    """
    file = folder / RUN
    if not file.is_file():
        raise ConfigError(
            f"'{shortened(str(folder))}' holds no generations; `meeple train selfplay` leaves them in NAME-generations"
        )
    try:
        run = json.loads(file.read_text(encoding="utf-8"))
        found = Generations(
            folder, game, int(run["seed"]), run["teacher"], run["first"], run["reference"],
            tuple(run["champions"]), int(run["generations"]), tuple(_duel(each) for each in run["duels"]),
        )  # fmt: skip
        of, rules = run["game"], run["rules"]
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise FailureError(f"'{shortened(str(file))}' cannot be read: {shortened(str(fault))}") from fault
    if of != game.spec or rules != game.facts.version:
        raise ConfigError(
            f"'{shortened(str(folder))}' holds generations of {of}, version {rules} of the rules, "
            f"not of {game.spec}, version {game.facts.version}"
        )
    if not trust:
        require_trusted((found.teacher, found.first, found.reference), game, source=f"'{shortened(str(file))}'")
    return found


def _duel(found: Mapping[str, Any]) -> Duel:
    """A set as it is written."""
    returns = np.asarray(found["returns"], dtype=np.float64)
    if returns.ndim != 2 or returns.shape[0] != returns.shape[1]:
        raise ValueError("a set has other games than one a seat")
    return Duel(
        str(found["purpose"]), int(found["player"]), int(found["rival"]), int(found["number"]),
        tuple(tuple(game) for game in returns.tolist()),
    )  # fmt: skip


def _replace(file: Path, text: str) -> None:
    """Write a file whole, or leave the last one as it was."""
    spare = file.with_name(f"{file.name}.part")
    spare.write_text(text + "\n", encoding="utf-8")
    spare.replace(file)


# --- the ladder -------------------------------------------------------------------------------------------


def make_ladder(run: Generations, *, games: int, on_set: OnSet = lambda done, total: None) -> Ladder:
    """Play what is missing of a round robin with at least so many games a pair, and rate all; kept in the folder.

    Stopped at any moment, it goes on when it is called again, and comes to the same ratings.

    Raises:
        SaveError: a set cannot be kept.
    """
    wanted = [
        (later, earlier, number)
        for number in range(sets_for(games, run.game.seats))
        for earlier, later in combinations(run.players, 2)
    ]
    try:
        known = _played(run)
        agents: dict[int, Agent] = {}
        with (run.folder / PLAYED).open("a", encoding="utf-8") as out:
            for done, (later, earlier, number) in enumerate(wanted, 1):
                if (later, earlier, number) not in known:
                    for player in (later, earlier):
                        agents.setdefault(player, run.agent_of(player))
                    pair = agents[later], agents[earlier]
                    duel = play_duel(run.game, LADDER, (later, earlier), number, pair, seed=run.seed)
                    known[later, earlier, number] = duel
                    out.write(json.dumps(asdict(duel)) + "\n")
                    out.flush()
                on_set(done, len(wanted))
        ladder = rated(run, [known[key] for key in wanted])
        _replace(run.folder / RATED, json.dumps(ladder.as_json(), indent=2))
    except OSError as fault:
        raise SaveError(f"'{shortened(str(run.folder))}' cannot be written: {fault.strerror or fault}") from fault
    return ladder


def _played(run: Generations) -> dict[tuple[int, int, int], Duel]:
    """The sets of the round robin so far; a last line that was not written whole is removed."""
    file = run.folder / PLAYED
    if not file.is_file():
        return {}
    found: dict[tuple[int, int, int], Duel] = {}
    whole = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            duel = _duel(json.loads(line))
        except (ValueError, KeyError, TypeError):
            break
        found[duel.player, duel.rival, duel.number] = duel
        whole.append(line)
    spare = file.with_name(f"{file.name}.part")
    spare.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
    spare.replace(file)
    return found


def rated(run: Generations, robin: Sequence[Duel]) -> Ladder:
    """The ladder by the run's own sets and those of a round robin; 0 is the reference, where it has played."""
    duels = [*run.duels, *robin]
    numbers = {run.name_of(player): player for player in run.players}
    sets = [duel.results(run.name_of) for duel in duels]
    played = {player for duel in duels for player in (duel.player, duel.rival)}
    ratings = rate(sets, anchor=run.reference if REFERENCE in played else None)
    rungs = [Rung(numbers[each.agent], each.agent, numbers[each.agent] in run.champions, each) for each in ratings]
    return Ladder(run, tuple(rungs), sum(len(duel.returns) for duel in duels))
