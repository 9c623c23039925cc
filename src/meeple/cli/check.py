"""`meeple check`."""

from __future__ import annotations

import os
import subprocess
import sys

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table, progress


def check(
    game: str = typer.Argument(
        None, help="A game, such as santorini, santorini:supply=finite or ./mygame.", autocompletion=games_like
    ),
    matches: int = typer.Option(
        50, "--matches", "-n", min=1, help="Random matches, spread over all variants left open; each has one."
    ),
    seed: int = typer.Option(1, "--seed", "-s", help="Seed of the first match."),
    interpreted: bool = typer.Option(False, "--interpreted", help="Run the rules as plain Python."),
    bounds: bool = typer.Option(False, "--bounds", help="Compile the rules with checks of array bounds."),
    list_laws: bool = typer.Option(False, "--list", help="Print the laws and leave."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Put a game's rules and heuristics to every law, over all player counts and variants."""
    from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
    from meeple.core.conformance.laws import LAWS
    from meeple.errors import ConfigError

    laws = [*LAWS, *HEURISTIC_LAWS]
    if list_laws:
        print_table(["law", "says"], [[law.name, law.meaning] for law in laws])
        return
    if game is None:
        raise ConfigError("check wants a game, such as `meeple check santorini`; --list prints the laws")
    if interpreted and os.environ.get("NUMBA_DISABLE_JIT") != "1":
        _again(NUMBA_DISABLE_JIT="1")
    if bounds and os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        _again(NUMBA_BOUNDSCHECK="1")
    from meeple.agents.levels import roster_faults
    from meeple.core.conformance.suite import check_game
    from meeple.core.registry import load_game

    with progress(matches, f"checking {game}") as bar:
        report = check_game(
            game,
            matches=matches,
            seed=seed,
            on_progress=lambda what, done, total: bar.update(done, what, total=total),
        )
    faults = roster_faults(load_game(game)) if report.is_clean else []
    if as_json:
        breaches = {name: vars(breach) for name, breach in report.breaches.items()}
        found = {"matches": report.matches, "tested": report.tested, "breaches": breaches}
        print_json({"game": game, **found, "worlds_uncounted": report.is_uncounted, "roster": faults})
    else:
        rows = [
            [law.name, report.tested.get(law.name, 0), "BROKEN" if law.name in report.breaches else "holds"]
            for law in laws
        ]
        print_table(
            ["law", "tested", ""],
            [row if row[1] or row[2] == "BROKEN" else [row[0], "-", "not met"] for row in rows],
            right=["tested"],
        )
        for message in report.messages():
            print(message)
        for fault in faults:
            print(fault)
        print(f"{game}: {report.verdict(seed)}")
    if faults or not report.is_clean:
        raise typer.Exit(1)


def _again(**environment: str) -> None:
    """Run this very command in a process with another way of compiling."""
    ran = subprocess.run([sys.executable, "-P", "-m", "meeple", *sys.argv[1:]], env=os.environ | environment)
    raise typer.Exit(ran.returncode)
