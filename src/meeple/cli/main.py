"""`meeple`: the subcommands, and how every error reaches a person.

A command's module imports what is heavy only when the command runs, so that help comes at once.
"""

from __future__ import annotations

import io
import os
import sys

import typer

from meeple import __version__
from meeple.cli import (
    agents,
    analyse,
    bench,
    calibrate,
    check,
    count,
    doctor,
    engine,
    games,
    gate,
    ladder,
    levels,
    match,
    models,
    new,
    play,
    puzzles,
    replay,
    reproduce,
    results,
    stats,
    suite,
    tournament,
    train,
    tune,
    web,
)
from meeple.cli.tournament import spread_players
from meeple.core.numbers import shortened
from meeple.errors import MeepleError, brief

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
for module in (
    play,
    match,
    tournament,
    gate,
    results,
    stats,
    ladder,
    levels,
    suite,
    calibrate,
    replay,
    analyse,
    puzzles,
    games,
    agents,
    models,
    train,
    tune,
    reproduce,
    check,
    count,
    engine,
    bench,
    doctor,
):
    app.command()(getattr(module, module.__name__.rpartition(".")[2]))
app.command()(web.web)
app.command()(web.watch)
app.add_typer(new.app, name="new")


@app.callback(invoke_without_command=True)
def overview(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    """Meeple: a board-game AI laboratory."""
    if version:
        print(f"meeple {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command; every error of ours is one message and an exit code, never a traceback."""
    _print_what_can_be_printed()
    try:
        _run()
    finally:
        _end_quietly()


def _print_what_can_be_printed() -> None:
    """Where the output lacks the letters of a board (a file on Windows, an old terminal), print `?` for them."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":  # stderr has its own way
        sys.stdout.reconfigure(errors="replace")


def _run() -> None:
    try:
        takes_players = sys.argv[1:2] in (["tournament"], ["watch"], ["stats"])
        app(args=spread_players(sys.argv[1:]) if takes_players else None, prog_name="meeple")
    except MeepleError as fault:
        if os.environ.get("MEEPLE_TRACEBACK"):
            raise
        print(f"Error: {fault}", file=sys.stderr)
        sys.exit(fault.exit_code)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        sys.exit(130)
    except OSError as fault:
        if os.environ.get("MEEPLE_TRACEBACK"):
            raise
        place = f"'{shortened(str(fault.filename))}': " if fault.filename else ""
        print(f"Error: {place}{fault.strerror or fault}", file=sys.stderr)
        sys.exit(1)
    except Exception as fault:
        if os.environ.get("MEEPLE_TRACEBACK"):
            raise
        print(f"Error: {brief(fault)}; MEEPLE_TRACEBACK=1 shows the way there", file=sys.stderr)
        sys.exit(1)


def _end_quietly() -> None:
    """`meeple games | head` ends without a word, though the reader was gone before the last line.

    The signal for this is left as Python has it: at its default it would end the process, and with it the page,
    at the first browser that leaves while it is answered.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
