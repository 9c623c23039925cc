"""`meeple levels`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table

if TYPE_CHECKING:
    from meeple.arena.pairs import PairPlayer
    from meeple.core.game import Game
    from meeple.core.roster import Levels


def levels(
    game: str = typer.Argument(..., help="A game, such as santorini.", autocompletion=games_like),
    fit: bool = typer.Option(False, "--fit", help="Find the levels anew, an even step apart, and measure them."),
    top: bool = typer.Option(False, "--top", help="Measure the strongest against the level below it; others stay."),
    mend: bool = typer.Option(False, "--mend", help="Find anew only levels whose step is not even; others stay."),
    games: int = typer.Option(300, "--games", min=20, help="Games a step is measured by; fewer where they take long."),
    seed: int = typer.Option(1, "--seed", "-s", min=0, help="Seed of the first game."),
    jobs: int = typer.Option(0, "--jobs", min=0, help="Processes that play; 0: one a core."),
    cpu: str = typer.Option("240s", "--cpu", help="CPU time for a step, beyond which games are saved; 20 are played."),
    top_time: str = typer.Option("2s", "--top-time", help="Measure the strongest with this time a move."),
    minutes: float = typer.Option(0.0, "--minutes", min=0.0, help="Stop after so long; 0: when all is measured."),
    folder: Path = typer.Option(None, "--folder", help="Where the games are kept, from which it goes on."),
    docs: bool = typer.Option(False, "--docs", help="Write docs/levels.md of the source tree anew, for all games."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """List a game's opponents from the weakest to the strongest, or find and measure them anew.

    --fit seeks all levels; --top is enough where only the strongest agent is another one, and --mend where only some
    steps are uneven, or a rung was added. Killed, stopped or out of time, all go on where they were when they are run
    again. They write the game's levels.json.
    """
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError

    board = load_game(game)
    is_whole = True
    if fit + top + mend > 1:
        raise ConfigError("--fit, --top and --mend all measure the strongest too; give one of them")
    if fit or top or mend:
        known = None if fit else _known(board)
        with _opened(board, jobs, minutes, folder) as player:
            is_whole = _fit(player, known, mend=mend, games=games, seed=seed, cpu=cpu, top_time=top_time)
    elif as_json:
        _print_json(board)
    else:
        _print_levels(board)
    if docs:
        _write_docs()
    if not is_whole:
        raise typer.Exit(1)


# --- showing -----------------------------------------------------------------------------------------


def _print_levels(board: Game, found: Levels | None = None) -> None:
    from meeple.agents.levels import opponents_of

    rows, measured = [], found or (board.definition.roster.measured if board.definition.roster else None)
    table = measured.table if measured else ""
    for each in opponents_of(board.definition, found):
        about = each.measured
        elo = "-" if about.elo is None else f"{about.elo:+.0f}"
        span = "" if about.score is None else f"{about.score:.3f} ({about.low:.3f} .. {about.high:.3f})"
        points = "-" if about.points is None else f"{about.points:.1f}"
        rows.append([each.title, elo, span, about.games or "", points, each.sentence, each.spec])
    columns = [
        "level",
        "Elo",
        f"share beside {table}" if table else "against the one below",
        "games",
        "points",
        "how it plays",
        "agent",
    ]
    print_table(columns, rows, right=["Elo", "games", "points"])
    print(f"{board.spec}: Elo counts from Level 1; points are a seat's mean when the level plays itself")


def _print_json(board: Game) -> None:
    from dataclasses import asdict

    from meeple.agents.levels import opponents_of

    print_json(
        [
            {"level": each.name, "word": each.word, "sentence": each.sentence, "strongest": each.is_strongest}
            | asdict(each.measured)
            for each in opponents_of(board.definition)
        ]
    )


# --- fitting -----------------------------------------------------------------------------------------


@contextmanager
def _opened(board: Game, jobs: int, minutes: float, folder: Path | None) -> Iterator[PairPlayer]:
    """What plays and keeps the games of a fit."""
    from meeple.arena.pairs import PairLog, PairPlayer
    from meeple.arena.workers import default_workers
    from meeple.core.folders import data_folder

    where = folder or data_folder("levels")
    where.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + 60 * minutes if minutes else float("inf")
    with PairLog(where / _log_name(board)) as log:
        if log.n_games:
            _say(f"resumed: {log.n_games} games were there already")
        workers = jobs or default_workers()
        with PairPlayer(board, log, jobs=workers, deadline=deadline, tell=_show) as player:
            yield player


def _known(board: Game) -> Levels:
    """The levels that a game has, for `--top` and `--mend`."""
    from meeple.errors import ConfigError

    known = board.definition.roster.measured if board.definition.roster else None
    if known is None or known.version != board.facts.version or any(each.elo is None for each in known.levels[:-1]):
        raise ConfigError(
            f"the levels of {board.name} below the strongest are not measured by today's rules: give --fit"
        )
    return known


def _fit(
    player: PairPlayer, known: Levels | None, *, mend: bool, games: int, seed: int, cpu: str, top_time: str
) -> bool:
    """Find and measure, mend what is `known` or put the strongest above it; whether levels could be written."""
    from meeple.arena.fit import Fit
    from meeple.arena.levels_page import write_levels
    from meeple.arena.pairs import OutOfTime
    from meeple.arena.table_fit import TableFit
    from meeple.core.spec import parse_time

    board, log, roster = player.game, player.log, player.game.definition.roster
    assert roster is not None
    kind = Fit if board.seats == 2 else TableFit
    fitting = kind(player, roster, games=games, seed=seed, cpu=parse_time(cpu), top_time=top_time, tell=_say)
    try:
        if known is None:
            fitting.run()
        elif mend:
            fitting.mend(known)
        else:
            fitting.measure_top(known)
    except OutOfTime:
        _say(f"the time is over after {log.n_games} games; the same command goes on from {log.path}")
        if fitting.found is None or mend:  # what is half mended is no place to begin from
            return False
    _clear()
    assert fitting.found is not None
    path = write_levels(board.definition, fitting.found)
    _print_levels(board, fitting.found)
    print(f"{log.n_games} games, {log.seconds / 60:.1f} minutes of CPU time; written: {path}")
    return True


def _log_name(board: Game) -> str:
    """The file of a game's sets: another one for other rules or other code, whose games must not be mixed."""
    from meeple.agents.levels import top_spec
    from meeple.agents.registry import load_agent
    from meeple.arena.provenance import signature_for
    from meeple.errors import ConfigError

    roster = board.definition.roster
    if roster is None or not roster.rungs:
        raise ConfigError(f"the roster of {board.name} has no rungs: there is no way on which levels could be sought")
    specs = [rung.at(x) for rung in roster.rungs for x in (0.0, 1.0)]
    agents = [load_agent(spec, board).spec for spec in (*specs, top_spec(board.definition))]
    return f"{board.name}-{signature_for(board, agents)[:12]}.jsonl"


def _write_docs() -> None:
    from meeple.arena.levels_page import docs_page, levels_page
    from meeple.errors import ConfigError

    path = docs_page()
    if not path.parent.is_dir():
        raise ConfigError(f"--docs is for a source tree; there is no folder '{path.parent}'")
    path.write_text(levels_page(), encoding="utf-8")
    print(f"written: {path}")


# --- progress on stderr: a line for each thing found, and on a terminal one that changes in place ------


def _show(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _say(text: str) -> None:
    _clear()
    print(text, file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
