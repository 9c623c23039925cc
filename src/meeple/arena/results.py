"""Tournaments from Python: `meeple.tournament(...)` plays one, `meeple.results(...)` reads one that is kept.

found = meeple.tournament("santorini", ["greedy", "random"], games=20, both=True)
print(found)             # the tables and sentences of `meeple tournament`
found.to_polars()         # a row for each seat of each game
found.agents_to_polars()  # a row for each agent
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from meeple.arena.collect import frame_of
from meeple.arena.export import agent_rows, all_cells, game_rows
from meeple.arena.report import Cells, Report
from meeple.arena.store import Store, stored_record
from meeple.arena.tournament import (
    Tournament,
    play_tournament,
    prepare_tournament,
    stored_ledger,
    stored_tournament,
)
from meeple.arena.workers import default_workers
from meeple.core.folders import data_folder, is_file
from meeple.core.game import Game
from meeple.core.record import Record
from meeple.errors import ConfigError, did_you_mean

ENDING = ".sqlite"


class Results:
    """What a tournament has come to; prints as the command's tables. Read once: later games are not in it."""

    def __init__(self, path: Path, report: Report, games: list[dict[str, Any]]) -> None:
        self.path, self.report, self.games = path, report, games  # games: a row for each seat of each game

    @property
    def tournament(self) -> Tournament:
        """What was played: the game, the agents' specs, seeds and conditions."""
        return self.report.tournament

    @property
    def agents(self) -> list[dict[str, Any]]:
        """A row for each agent: score with its interval, Elo, games, wins, points and the rest."""
        return agent_rows(self.report)

    @property
    def verdict(self) -> str:
        """The sentence that says what the games show."""
        return self.report.verdict()

    def to_polars(self) -> Any:
        """A polars frame with a row for each seat of each game that counts."""
        return frame_of(_columns(self.games))

    def agents_to_polars(self) -> Any:
        """A polars frame with a row for each agent."""
        return frame_of(_columns(self.agents))

    def record(self, game: str) -> Record:
        """The record of one game, by the name that it has in the rows: `Match.from_record` replays it.

        Raises:
            ConfigError: there is no such game, or it was stored without its record.
        """
        return stored_record(self.path, game)

    def __str__(self) -> str:
        tables = [_text_of(cells) for cells in all_cells(self.report)]
        return "\n\n".join([self.tournament.heading(), *tables, "\n".join(self.report.remarks())])

    def __repr__(self) -> str:
        return f"<Results of {self.tournament.game.spec}: {self.report.games} games; {self.verdict}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else str(self))


def tournament(
    game: Game | str,
    agents: Sequence[str],
    *,
    games: int = 100,
    seed: int = 779,
    both: bool = False,
    workers: int | None = None,
    store: Path | str | None = None,
    on_games: Callable[[int, int], None] | None = None,
    **more: Any,
) -> Results:
    """Play a tournament as `meeple tournament` does, with the same games, and return what it came to.

    The games are kept in `store`, by default where the command keeps them: the same call goes on where the last one
    was stopped, and plays nothing again. `workers`: processes, by default one a core; 0: this process plays by itself.
    `on_games(counted, wanted)` hears of progress. `more` is what `prepare_tournament` takes besides: schedule, laps,
    conditions, openings, sprt, adaptive, keeps, untrusted.

    Worker processes import the script that started them, so in a file this stands below `if __name__ == "__main__":`.
    """
    plan = prepare_tournament(game, agents, games=games, seed=seed, both=both, **more)
    path = Path(store) if store is not None else plan.default_path()
    with Store.open(path, plan.configuration()) as kept:
        outcome = play_tournament(
            plan,
            kept,
            workers=default_workers() if workers is None else workers,
            on_games=lambda ledger, found: on_games(ledger.games_counted, ledger.games_wanted) if on_games else None,
        )
        return _read(path, Report(plan, outcome.ledger, kept, was_stopped=outcome.was_stopped), kept)


def results(name: Path | str, *, trust: bool = False) -> Results:
    """Read a tournament that is kept: by its file, or by the name that `meeple results` lists.

    Raises:
        ConfigError: there is none of that name.
        TrustError: it would run code of a game or an agent in a file, and `trust` does not allow it.
    """
    path = find_store(Path(name))
    with Store.read(path) as kept:
        plan = stored_tournament(kept, trust=trust)
        return _read(path, Report(plan, stored_ledger(plan, kept), kept), kept)


def find_store(name: Path) -> Path:
    """The file of a store: the path itself, or one of those in the data folder, by its name or the name's beginning."""
    if is_file(name) or len(name.parts) > 1:
        return name
    folder = data_folder("tournaments")
    names = sorted(path.name for path in folder.glob(f"*{ENDING}"))
    wanted = [known for known in names if known in (name.name, name.name + ENDING)]
    near = wanted or [known for known in names if known.startswith(name.name)]
    if len(near) == 1:
        return folder / near[0]
    if near:
        raise ConfigError(f"'{name}' could be {', '.join(near)}: say which")
    known = did_you_mean(name.name, names) if names else "none is kept"
    raise ConfigError(
        f"there is no store '{name}', neither a file nor a tournament of that name in '{folder}'; {known}"
    )


def _read(path: Path, report: Report, store: Store) -> Results:
    return Results(path, report, list(game_rows(report, store)))


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _text_of(cells: Cells) -> str:
    """A table as plain text, numbers to the right."""
    rows = [cells.columns, *([str(cell) for cell in row] for row in cells.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(cells.columns))]
    is_right = [name in cells.right for name in cells.columns]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_right, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join([cells.title, *lines])
