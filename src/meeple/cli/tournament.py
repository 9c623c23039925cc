"""`meeple tournament`."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.report import Cells, Report
    from meeple.arena.store import StoredGame
    from meeple.arena.tournament import Queue, Tournament

MOST_SPRT_GAMES = 40_000  # an SPRT that has not decided by then ends undecided, unless -n says otherwise


def tournament(
    game: str = typer.Argument(..., help="A game, such as santorini."),
    agents: list[str] = typer.Option(..., "--players", "-p", help="The agents, all after one -p: -p mcts greedy."),
    games: int = typer.Option(
        None,
        "--games",
        "-n",
        min=1,
        help="Games a table, in whole sets under -b. [default: 100; at most 40000 with --sprt]",
    ),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first game; each game or set has the next."),
    both: bool = typer.Option(False, "--both", "-b", help="Play every seed with all exchanges of seats."),
    seats: int = typer.Option(0, "--seats", min=0, help="Seats at a table, the same as the option players=K."),
    schedule: str = typer.Option(
        "", "--schedule", help="table, roundrobin, gauntlet (the first against all) or swiss; fits by itself."
    ),
    rounds: int = typer.Option(0, "--rounds", min=0, help="Rounds of a Swiss schedule; 0: as many as find a winner."),
    sprt: str = typer.Option("", "--sprt", help="elo0,elo1[,alpha,beta]: end when one is likelier; implies -b."),
    model: str = typer.Option("logistic", "--model", help="Elo of the SPRT: logistic or normalized."),
    adaptive: bool = typer.Option(False, "--adaptive", help="Add games until the interval leaves an even share."),
    first_games: int = typer.Option(488, "--first", min=1, help="Games before the first look of --adaptive."),
    step: int = typer.Option(488, "--step", min=1, help="Games between two looks of --adaptive."),
    most: int = typer.Option(2928, "--most", min=1, help="Games after which --adaptive ends anyhow."),
    deterministic: bool = typer.Option(False, "--deterministic", "-d", help="Agents see the world as it is."),
    mode: Path = typer.Option(None, "--mode", "-mode", help="Options of the game in a TOML or JSON file."),
    untrusted: bool = typer.Option(
        False, "--untrusted", help="Deal by a secret key of the store too: no agent can work out the deal."
    ),
    openings: str = typer.Option(
        "random", "--openings", help="random, none, or a file of positions: how games without chance start."
    ),
    move_time: str = typer.Option("", "--move-time", help="Limit a move, such as 2s."),
    first_time: str = typer.Option("", "--first-time", help="Limit of a seat's first move, such as 30s."),
    clock: str = typer.Option("", "--clock", help="Time for all moves of a game, such as 60s or 60s+1s a move."),
    on_timeout: str = typer.Option("forfeit", "--on-timeout", help="forfeit, or random: a random move is made."),
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: one a core."),
    store: Path = typer.Option(None, "--store", help="Keep the games in this file; found by itself if not named."),
    mixed: bool = typer.Option(False, "--mixed", help="Count stored games of other code too; the table says so."),
    fresh: bool = typer.Option(False, "--fresh", help="Begin anew: the stored games of this tournament are removed."),
    records: bool = typer.Option(
        True, "--records/--no-records", help="Store every match's record, not only its result."
    ),
    csv: Path = typer.Option(None, "--csv", "-csv", help="Also write the tables as CSV files into this folder."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Print every game as it ends."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Play a tournament; killed or stopped, the same command goes on where it was and ends with the same table."""
    from meeple.arena.report import Report
    from meeple.arena.store import Store
    from meeple.arena.tournament import play_tournament
    from meeple.arena.workers import default_workers

    plan = _plan(
        game, agents, games=games or (MOST_SPRT_GAMES if sprt else 100), seed=seed, both=both, seats=seats,
        schedule=schedule, laps=rounds,
        sprt=sprt, model=model, adaptive=(first_games, step, most) if adaptive else None,
        limits=(move_time, first_time, clock, on_timeout), deterministic=deterministic, mode=mode,
        openings=openings, records=records, untrusted=untrusted,
    )  # fmt: skip
    path = store or plan.default_path()
    if fresh:
        _remove(path)
    with Store.open(path, plan.configuration()) as kept:
        if not as_json:
            print(plan.heading())
        before, live = kept.count(), Live(plan)
        if before and not as_json:
            print(f"resumed: {before} games were there already")
        with progress(plan.sets * plan.games_a_set * len(plan.schedule.first_tables()), "playing") as bar:

            def heard(queue: Queue, found: list[StoredGame]) -> None:
                if verbose and not as_json:
                    for each in found:
                        print(_game_line(plan, each))
                bar.update(queue.games_counted, live.text(queue), total=queue.games_wanted)

            outcome = play_tournament(
                plan, kept, workers=workers or default_workers(), mixed=mixed, tell=_say, on_games=heard
            )
        report = Report(plan, outcome.queue, kept, was_stopped=outcome.was_stopped)
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


def _plan(
    game: str,
    agents: list[str],
    *,
    seats: int,
    sprt: str,
    model: str,
    adaptive: tuple[int, int, int] | None,
    limits: tuple[str, str, str, str],
    deterministic: bool,
    mode: Path | None,
    both: bool,
    **rest: Any,
) -> Tournament:
    from meeple.arena.adaptive import Adaptive
    from meeple.arena.conditions import Conditions, parse_clock, parse_limit
    from meeple.arena.series import seat_orders
    from meeple.arena.tournament import prepare_tournament
    from meeple.core.registry import load_game

    board = load_game(_with_options(game, seats, mode))
    move, first, clock, on_timeout = limits
    total, increment = parse_clock(clock) if clock else (0.0, 0.0)
    conditions = Conditions(
        move=parse_limit(move) if move else 0.0,
        first=parse_limit(first) if first else 0.0,
        clock=total,
        increment=increment,
        on_timeout=on_timeout,
        deterministic=deterministic,
    )
    games_a_set = len(seat_orders(board.seats)) if both else 1
    rule = None
    if adaptive:
        start, step, most = adaptive
        rule = Adaptive(start, step, most, games_a_set=games_a_set, even=1 / board.seats)
    test = parse_sprt(sprt, model, board.seats) if sprt else None
    return prepare_tournament(board, agents, both=both, conditions=conditions, sprt=test, adaptive=rule, **rest)


def parse_sprt(text: str, model: str, seats: int) -> Any:
    """The test that `elo0,elo1[,alpha,beta]` names."""
    from meeple.arena.sprt import Sprt
    from meeple.core.numbers import decimal_number
    from meeple.errors import ConfigError

    parts = [decimal_number(part.strip()) for part in text.split(",")]
    numbers = [part for part in parts if part is not None]
    if len(numbers) != len(parts) or len(numbers) not in (2, 4):
        raise ConfigError(f"--sprt takes elo0,elo1 or elo0,elo1,alpha,beta, such as 0,5 or 0,5,0.05,0.05; not '{text}'")
    if model not in ("logistic", "normalized"):
        raise ConfigError(f"--model is logistic or normalized, not '{model}'")
    alpha, beta = numbers[2:] or (0.05, 0.05)
    return Sprt(numbers[0], numbers[1], alpha, beta, model=model, seats=seats)  # type: ignore[arg-type]


def _with_options(game: str, seats: int, mode: Path | None) -> str:
    """The game's spec with the seats and the mode file in it; a conflict is an error."""
    from meeple.core.modes import MODE, with_mode
    from meeple.core.spec import Spec, parse_spec
    from meeple.errors import ConfigError

    spec = parse_spec(game)
    settings = dict(spec.settings)
    if mode:
        settings = with_mode(settings | {MODE: str(mode)})
    if seats:
        if settings.get("players", str(seats)) != str(seats):
            raise ConfigError(f"--seats {seats} and players={settings['players']} are the same thing: give one")
        from meeple.core.registry import find_definition

        least, most = find_definition(spec.name).seats
        if not least <= seats <= most:
            raise ConfigError(f"{spec.name} is for {least} to {most} players, not {seats}")
        if most > least:
            settings["players"] = str(seats)
    return str(Spec(spec.name, settings))


def _remove(path: Path) -> None:
    from meeple.arena.store import Store

    if path.exists() and path.stat().st_size:
        Store.read(path).close()  # refuses what is no store of ours
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        name.unlink(missing_ok=True)


class Live:
    """The score of the first agent at the first table, for the bar of progress.

    Worked out anew when a second has passed, and twenty times what it took: with a million games that is long.
    """

    def __init__(self, plan: Tournament) -> None:
        self._plan, self._text, self._due = plan, "", 0.0

    def text(self, queue: Queue) -> str:
        """Who has what, with its interval."""
        from meeple.arena.statistics import score_interval

        began = time.monotonic()
        standing = next(iter(queue.standings.values()))
        if began >= self._due and standing.counted:
            found = score_interval(standing.scores())
            name = self._plan.agents[standing.table.agents[0]]
            self._text = f"{name} {found.mean:.3f} ({found.low:.3f} .. {found.high:.3f})"
            self._due = time.monotonic() + max(1.0, 20 * (time.monotonic() - began))
        return self._text


def _game_line(plan: Tournament, game: StoredGame) -> str:
    order = plan.schedule.orders[game.key.seating]
    seated = [plan.agents[game.key.table.agents[place]] for place in order]
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
    is_open = False
    for word in argv:
        if word in ("-p", "--players"):
            is_open = True
            continue
        if word.startswith("-") and len(word) > 1:
            is_open = False
        out += ["-p", word] if is_open else [word]
    return out
