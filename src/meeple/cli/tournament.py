"""`meeple tournament`."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli import flags
from meeple.cli.completion import agents_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.report import Cells, Report
    from meeple.arena.store import StoredGame
    from meeple.arena.tournament import Ledger, Tournament


def tournament(
    game: flags.Game,
    agents: list[str] = typer.Option(
        ..., "--players", "-p", help="The agents, all after one -p: -p mcts greedy.", autocompletion=agents_like
    ),
    games: int = typer.Option(
        None,
        "--games",
        "-n",
        min=1,
        help="Games a table, in whole sets under -b. [default: 100; at most 40000 with --sprt]",
    ),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first game; each game or set has the next."),
    both: bool = typer.Option(False, "--both", "-b", help="Play every seed with all exchanges of seats."),
    seats: flags.Seats = 0,
    schedule: str = typer.Option(
        "", "--schedule", help="table, roundrobin, gauntlet (the first against all) or swiss; fits by itself."
    ),
    rounds: int = typer.Option(0, "--rounds", min=0, help="Rounds of a Swiss schedule; 0: as many as find a winner."),
    sprt: flags.SprtText = "",
    model: flags.Model = "logistic",
    adaptive: flags.IsAdaptive = False,
    first_games: flags.FirstGames = 488,
    step: flags.StepGames = 488,
    most: flags.MostGames = 2928,
    deterministic: flags.Deterministic = False,
    mode: flags.Mode = None,
    untrusted: bool = typer.Option(
        False, "--untrusted", help="Deal by a secret key of the store too: no agent can work out the deal."
    ),
    openings: flags.Openings = "random",
    move_time: flags.MoveTime = "",
    first_time: flags.FirstTime = "",
    clock: flags.ClockTime = "",
    on_timeout: flags.OnTimeout = "forfeit",
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: one a core."),
    backend: flags.Backend = "local",
    address: flags.Address = "",
    store: Path = typer.Option(None, "--store", help="Keep the games in this file; found by itself if not named."),
    mixed: bool = typer.Option(False, "--mixed", help="Count stored games of other code too; the table says so."),
    fresh: bool = typer.Option(False, "--fresh", help="Begin anew: the stored games of this tournament are removed."),
    records: bool = typer.Option(
        True, "--records/--no-records", help="Store every match's record, not only its result."
    ),
    csv: Path = typer.Option(None, "--csv", "-csv", help="Also write the tables as CSV files into this folder."),
    verbose: flags.Verbose = False,
    as_json: flags.AsJson = False,
) -> None:
    """Play a tournament; killed or stopped, the same command goes on where it was and ends with the same table."""
    from meeple.arena.report import Report
    from meeple.arena.store import Store
    from meeple.arena.tournament import play_tournament, prepare_tournament
    from meeple.arena.workers import default_workers

    board = flags.game_of(game, seats=seats, mode=mode)
    plan = prepare_tournament(
        board,
        agents,
        games=games or (flags.MOST_SPRT_GAMES if sprt else 100),
        seed=seed,
        both=both,
        schedule=schedule,
        laps=rounds,
        conditions=flags.conditions_of(move_time, first_time, clock, on_timeout, deterministic=deterministic),
        openings=openings,
        sprt=flags.sprt_of(sprt, model, board) if sprt else None,
        adaptive=flags.adaptive_of(first_games, step, most, board, both=both) if adaptive else None,
        keeps="records" if records else "results",
        untrusted=untrusted,
    )
    path = store or plan.default_path()
    if fresh:
        remove(path)
    with Store.open(path, plan.configuration()) as kept:
        if not as_json:
            print(plan.heading())
        before, live = kept.count(), Live(plan)
        if before and not as_json:
            print(f"resumed: {before} games were there already")
        with progress(plan.sets * plan.games_a_set * len(plan.schedule.first_lineups()), "playing") as bar:

            def heard(ledger: Ledger, found: list[StoredGame]) -> None:
                if verbose and not as_json:
                    for each in found:
                        print(game_line(plan, each))
                bar.update(ledger.games_counted, live.text(ledger), total=ledger.games_wanted)

            outcome = play_tournament(
                plan,
                kept,
                workers=workers or default_workers(),
                mixed=mixed,
                tell=_say,
                on_games=heard,
                crew_for=flags.crew_for(backend, address, _say),
            )
        report = Report(plan, outcome.ledger, kept, was_stopped=outcome.was_stopped)
        again = _again(game, agents)
        if outcome.killed:
            many = "a worker was" if outcome.killed == 1 else f"{outcome.killed} workers were"
            why = "not by an agent as far as can be told; is memory short?"
            print(f"{many} killed, {why} The games were played again.", file=sys.stderr)
        if as_json:
            print_json(report.as_json() | {"store": str(path), "again": again})
        else:
            show(report, path, again)
        if csv is not None:
            from meeple.arena.export import write_csv

            write_csv(report, kept, csv)
    if outcome.was_stopped:
        raise typer.Exit(130)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def show(report: Report, path: Path, again: str) -> None:
    """Print a report: tables, what the clock said, remarks, the command that repeats it."""
    for cells in report.tables():
        print_cells(cells)
    timed = report.clock()
    if timed is not None:
        print_cells(timed)
    for line in report.remarks()[:-1]:
        print(line)
    print(f"store  {path}")
    print(f"again  {again}")
    print(report.verdict())


def print_cells(cells: Cells) -> None:
    """One table under its title."""
    print(f"\n{cells.title}")
    print_table(cells.columns, cells.rows, right=cells.right)


def remove(path: Path) -> None:
    """Remove a store, and what SQLite keeps beside it; refuse what is no store."""
    from meeple.arena.store import Store

    if path.exists() and path.stat().st_size:
        Store.read(path).close()  # refuses what is no store of ours
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        name.unlink(missing_ok=True)


class Live:
    """The score of the first agent of the first lineup, for the bar of progress.

    It is computed at most once a second, and no more than a twentieth of the time: over a million games it takes long.
    """

    def __init__(self, plan: Tournament) -> None:
        self._plan, self._text, self._due = plan, "", 0.0

    def text(self, ledger: Ledger) -> str:
        """Who has what, with its interval."""
        from meeple.arena.statistics import score_interval

        began = time.monotonic()
        standing = next(iter(ledger.standings.values()))
        if began >= self._due and standing.counted:
            found = score_interval(standing.scores())
            name = self._plan.agents[standing.lineup.agents[0]]
            self._text = f"{name} {found.mean:.3f} ({found.low:.3f} .. {found.high:.3f})"
            self._due = time.monotonic() + max(1.0, 20 * (time.monotonic() - began))
        return self._text


def game_line(plan: Tournament, game: StoredGame) -> str:
    """A game that is over, in a line."""
    seated = [plan.agents[number] for number in plan.schedule.seated(game.key)]
    parts = [f"{name} {rank}." for name, rank in zip(seated, game.ranks, strict=True)]
    scores = f"  points {', '.join(str(score) for score in game.scores)}" if any(game.scores) else ""
    reason = f"  {game.reason}" if game.reason else ""
    return f"game {game.key.text()}  seed {game.seed}  {', '.join(parts)}{scores}  {game.plies} moves{reason}"


def _again(game: str, agents: list[str]) -> str:
    words = sys.argv[1:] if len(sys.argv) > 1 and sys.argv[1] == "tournament" else ["tournament", game, "-p", *agents]
    kept = [word for word in words if word not in ("--fresh", "--verbose", "-v")]
    return "meeple " + shlex.join(kept)


def spread_players(argv: list[str]) -> list[str]:
    """Let one -p take all specs up to the next option: `-p a b -n 4` becomes `-p a -p b -n 4`."""
    out: list[str] = []
    is_player = False
    for word in argv:
        if word in ("-p", "--players"):
            is_player = True
            continue
        if word.startswith("-") and len(word) > 1:
            is_player = False
        out += ["-p", word] if is_player else [word]
    return out
