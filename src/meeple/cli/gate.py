"""`meeple gate`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli import flags
from meeple.cli.completion import agents_like
from meeple.cli.output import print_json, progress

if TYPE_CHECKING:
    from meeple.arena.store import StoredGame
    from meeple.arena.tournament import Ledger


def gate(
    game: flags.Game,
    new: str = typer.Argument(
        ..., help="The agent that is to pass, such as puct:evaluation=model@FILE.", autocompletion=agents_like
    ),
    old: str = typer.Argument(..., help="The agent whose place it would take.", autocompletion=agents_like),
    cpu: str = typer.Option("20ms", "--cpu", help="CPU time a move of both, in the place of their own limits."),
    margin: float = typer.Option(20.0, "--margin", help="Elo by which NEW is to be better."),
    games: int = typer.Option(4_000, "--games", "-n", min=1, help="Games after which an undecided match ends."),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first set; each set has the next."),
    seats: flags.Seats = 0,
    openings: flags.Openings = "random",
    workers: int = typer.Option(1, "--workers", min=1, help="Processes that play; a core each is fairest."),
    store: Path = typer.Option(None, "--store", help="Keep the games in this file; found by itself if not named."),
    mixed: bool = typer.Option(False, "--mixed", help="Count stored games of other code too."),
    fresh: bool = typer.Option(False, "--fresh", help="Begin anew: the stored games of this match are removed."),
    as_json: flags.AsJson = False,
) -> None:
    """Decide whether NEW may take the place of OLD, by a sequential test at equal CPU time: exit 0 if so, else 1.

    Killed or stopped, the same command goes on where it was.
    """
    from meeple.arena.gate import Verdict, prepare_gate
    from meeple.arena.store import Store
    from meeple.arena.tournament import play_tournament
    from meeple.cli.tournament import Live, remove
    from meeple.errors import AgentError

    board = flags.game_of(game, seats=seats, mode=None)
    plan = prepare_gate(board, new, old, cpu=cpu, margin=margin, games=games, seed=seed, openings=openings)
    path = store or plan.default_path()
    if fresh:
        remove(path)
    given = {"--cpu": cpu, "--margin": f"{margin:g}", "-n": games, "-s": seed, "--seats": seats or ""}
    given |= {"--openings": openings if openings != "random" else "", "--store": str(store) if store else ""}
    again = f"meeple gate {shlex.join([game, new, old])}{flags.written(given)}"
    with Store.open(path, plan.configuration()) as kept:
        if not as_json:
            print(f"{board.spec}: {plan.agents[0]} against {plan.agents[1]}, at most {plan.games_a_lineup} games")
            if before := kept.count():
                print(f"resumed: {before} games were there already")
        live = Live(plan)
        with progress(plan.games_a_lineup, "playing") as bar:

            def heard(ledger: Ledger, found: list[StoredGame]) -> None:
                bar.update(ledger.games_counted, live.text(ledger), total=ledger.games_wanted)

            outcome = play_tournament(
                plan,
                kept,
                workers=workers,
                mixed=mixed,
                tell=lambda text: print(text, file=sys.stderr),
                on_games=heard,
                ends_at=lambda each: each.has_failed,
            )
    verdict = Verdict.of(outcome)
    if as_json:
        print_json(verdict.as_json() | {"store": str(path), "again": again})
    else:
        for line in [*verdict.lines()[:-1], f"store  {path}", f"again  {again}", verdict.lines()[-1]]:
            print(line)
    if outcome.ended_at is not None:
        raise AgentError(f"an agent failed, which ends the match: {outcome.ended_at.reason}")
    if outcome.was_stopped:
        raise typer.Exit(130)
    if not verdict.has_passed:
        raise typer.Exit(1)
