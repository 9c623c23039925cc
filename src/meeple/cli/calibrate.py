"""`meeple calibrate`."""

from __future__ import annotations

import sys

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json


def calibrate(
    game: str = typer.Argument(..., help="A game, such as santorini.", autocompletion=games_like),
    agent: str = typer.Argument(..., help="An agent, such as mcts or minimax:worlds=10."),
    time: str = typer.Option("300ms", "--time", "-t", help="Mean time a move."),
    cpu: str = typer.Option("", "--cpu", help="Mean CPU time a move, instead: the same on a busy machine."),
    vary: str = typer.Option("", "--vary", help="The setting to vary; by default the first that costs time."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Say how many iterations, playouts, nodes, worlds or plies fit a time on this machine."""
    from time import perf_counter, process_time

    from meeple.arena.calibrate import calibrate as fit
    from meeple.core.registry import load_game
    from meeple.core.spec import parse_time
    from meeple.errors import FailureError

    def tell(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[Ktrying {text}", end="", file=sys.stderr, flush=True)

    limit, clock = (cpu, process_time) if cpu else (time, perf_counter)
    found = fit(load_game(game), agent, parse_time(limit), setting=vary, clock=clock, on_try=tell)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if found.value == 0:
        raise FailureError(f"not even {found.setting}=1 of '{agent}' fits {limit} a move here")
    if as_json:
        print_json(vars(found))
    else:
        what = " of CPU time" if cpu else ""
        took = f"{1000 * found.seconds:.0f} ms{what} a move on average"
        print(f"{found.spec}  ({found.setting} {found.value:,}; {took})")
