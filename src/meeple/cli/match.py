"""`meeple match`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli import flags
from meeple.cli.completion import agents_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.series import SeriesResult
    from meeple.arena.store import StoredGame


def match(
    game: flags.Game,
    agents: list[str] = typer.Argument(
        ..., help="One agent a seat, such as flat:playouts=500 random.", autocompletion=agents_like
    ),
    games: int = typer.Option(
        None,
        "--games",
        "-n",
        min=1,
        help="Games, in whole sets of seat exchanges. [default: 100; at most 40000 with --sprt]",
    ),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first set; each set has the next."),
    seats: flags.Seats = 0,
    sprt: flags.SprtText = "",
    model: flags.Model = "logistic",
    adaptive: flags.IsAdaptive = False,
    first_games: flags.FirstGames = 488,
    step: flags.StepGames = 488,
    most: flags.MostGames = 2928,
    deterministic: flags.Deterministic = False,
    mode: flags.Mode = None,
    untrusted: bool = typer.Option(
        False, "--untrusted", help="Deal by a secret key too: no agent can work out the deal from the seed."
    ),
    openings: flags.Openings = "random",
    move_time: flags.MoveTime = "",
    first_time: flags.FirstTime = "",
    clock: flags.ClockTime = "",
    on_timeout: flags.OnTimeout = "forfeit",
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: this one, which starts none."),
    records: Path = typer.Option(None, "--records", help="Keep every game's record in this folder."),
    verbose: flags.Verbose = False,
    as_json: flags.AsJson = False,
) -> None:
    """Let agents play many games, every seed with all exchanges of seats, and say who is better.

    A small tournament that is not stored; it ends where an agent fails.
    """
    from meeple.arena.series import heading, play_series, prepare
    from meeple.cli.tournament import Live, game_line
    from meeple.errors import AgentError

    board = flags.game_of(game, seats=seats, mode=mode)
    n_games = games or (flags.MOST_SPRT_GAMES if sprt else 100)
    plan = prepare(
        board,
        agents,
        games=n_games,
        seed=seed,
        conditions=flags.conditions_of(move_time, first_time, clock, on_timeout, deterministic=deterministic),
        openings=openings,
        sprt=flags.sprt_of(sprt, model, board) if sprt else None,
        adaptive=flags.adaptive_of(first_games, step, most, board, both=True) if adaptive else None,
        untrusted=untrusted,
    )
    given = {"--openings": openings if openings != "random" else "", "--untrusted": untrusted}
    given |= {"--seats": seats or "", "--mode": str(mode) if mode else "", "-d": deterministic, "--sprt": sprt}
    given |= {"--model": model if model != "logistic" else "", "--adaptive": adaptive}
    given |= {"--first": first_games, "--step": step, "--most": most} if adaptive else {}
    given |= {"--move-time": move_time, "--first-time": first_time, "--clock": clock}
    given |= {"--on-timeout": on_timeout if on_timeout != "forfeit" else ""}
    again = f"meeple match {shlex.join([game, *agents])} -n {n_games} -s {seed}" + flags.written(given)
    if not as_json:
        print(heading(plan))
    live = Live(plan)
    with progress(plan.games_a_lineup, "playing") as bar:

        def heard(result: SeriesResult, found: list[StoredGame]) -> None:
            if verbose and not as_json:
                for each in found:
                    print(game_line(plan, each))
            bar.update(result.games_played, live.text(result.ledger), total=result.ledger.games_wanted)

        result = play_series(plan, records=records, workers=workers, on_games=heard)
    if as_json:
        print_json(result.as_json() | {"again": again})
    else:
        print_table(
            ["agent", "score", "98%", "Elo", "wins", "draws", "losses"],
            result.rows(),
            right=["score", "wins", "draws", "losses"],
        )
        for line in result.remarks():
            print(line)
        print(f"again  {again}")
    if result.fault:
        raise AgentError(result.fault)
    if result.was_stopped:
        raise typer.Exit(130)
