"""`meeple web` and `meeple watch`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import agents_like, games_like

MOST_LETTERS = 40  # of an engine's name

if TYPE_CHECKING:
    from meeple.web.room import Room
    from meeple.web.table import Table


def web(
    folders: list[str] = typer.Argument(None, help="Games of your own, such as ./kalah, to be on the page too."),
    host: str = typer.Option("127.0.0.1", "--host", help="Address to serve at; 0.0.0.0 lets other machines in."),
    port: int = typer.Option(8080, "--port", min=0, max=65535, help="Port to serve at; 0: any that is free."),
    browser: bool = typer.Option(True, "--open/--no-open", help="Open a browser."),
    hosts: list[str] = typer.Option(None, "--allow-host", help="A name that others reach this machine by; repeatable."),
    most: list[str] = typer.Option(None, "--most", help="Raise a limit, such as iterations=200000 or thinking=2m."),
    trust: bool = typer.Option(False, "--trust-specs", help="Let the page name agents from files and commands."),
    engines: list[str] = typer.Option(None, "--engine", help="A program to play against: NAME=COMMAND; repeatable."),
    prepares: bool = typer.Option(True, "--prepare/--no-prepare", help="Compile all games at once, or as opened."),
    record: Path = typer.Option(None, "--replay", help="Open this record of a match."),
    number: str = typer.Option("", "--game", help="With --replay: a game of a tournament's store, such as 1+2/17.1."),
    trust_record: bool = typer.Option(False, "--trust", help="With --replay: let it run its game from a folder."),
) -> None:
    """Play, watch and replay in a browser; unfinished matches are kept for the next start."""
    from meeple.core.registry import add_game
    from meeple.errors import ConfigError

    serve = _server()
    from meeple.web.limits import parse_limits

    for definition in map(add_game, folders or []):
        if definition.picture is None:
            raise ConfigError(f"{definition.name} draws no picture: it has no module `picture`")
    first = _replayed(record, number, trust=trust_record) if record is not None else None
    serve(
        host=host,
        port=port,
        hosts=hosts or [],
        opens=browser,
        trusts_specs=trust,
        engines=dict(_engine(text) for text in engines or []),
        limits=parse_limits(most or []),
        prepares=prepares,
        first=first,
    )


def _engine(text: str) -> tuple[str, str]:
    """The name that people see, and the spec, of what --engine names."""
    from meeple.agents.engines.external import require_program
    from meeple.core.spec import Spec
    from meeple.errors import ConfigError

    name, _, command = text.partition("=")
    if not name.strip() or len(name) > MOST_LETTERS or not command.strip():
        raise ConfigError(f"--engine takes a name and a command, such as bold=./bold, not '{text}'")
    require_program(command)
    return name.strip(), str(Spec("engine", {"command": command.strip()}))


def watch(
    game: str = typer.Argument(..., help="A game, such as sagrada:players=2.", autocompletion=games_like),
    agents: list[str] = typer.Option(
        ..., "--players", "-p", help="The agents, one a seat: -p mcts random.", autocompletion=agents_like
    ),
    seed: int = typer.Option(
        None, "--seed", "-s", help="Seed of the match, as in a tournament; without one nobody can foretell it."
    ),
    openings: str = typer.Option("random", "--openings", help="random or none: how games without chance start."),
    host: str = typer.Option("127.0.0.1", "--host", help="Address to serve at."),
    port: int = typer.Option(8080, "--port", min=0, max=65535, help="Port to serve at; 0: any that is free."),
    hosts: list[str] = typer.Option(None, "--allow-host", help="A name that others reach this machine by; repeatable."),
    most: list[str] = typer.Option(None, "--most", help="Raise a limit, such as iterations=200000 or thinking=2m."),
    browser: bool = typer.Option(True, "--open/--no-open", help="Open a browser."),
    trust: bool = typer.Option(False, "--trust-specs", help="Let the page name agents from files and commands too."),
) -> None:
    """Watch agents play; with -s SEED the very match that a tournament with these arguments plays first."""
    import secrets

    from meeple.agents.registry import load_agent
    from meeple.arena.openings import random_opening
    from meeple.core.chance import new_salt
    from meeple.core.match import Match
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError

    serve = _server()
    from meeple.web.limits import parse_limits
    from meeple.web.seats import Seat
    from meeple.web.table import Table

    board = load_game(game)
    if len(agents) != board.seats:
        raise ConfigError(f"{board.spec} wants {board.seats} agents, one a seat, not {len(agents)}")
    if openings not in ("random", "none"):
        raise ConfigError(f"--openings takes random or none, not '{openings}'")
    if board.definition.picture is None:
        raise ConfigError(f"{board.name} draws no picture: it has no module `picture`")
    specs = [load_agent(spec, board).spec for spec in agents]
    salt, seed = (new_salt(), secrets.randbelow(2**53)) if seed is None else (b"", seed)
    opening = random_opening(board, seed, salt) if openings == "random" else None
    match = Match(board, seed=seed, start=opening, salt=salt)

    def first(room: Room) -> Table:
        seats = [Seat("agent", spec, spec) for spec in specs]
        return Table(board, seats, owner="", match=match, is_unhurried=True)

    serve(
        host=host,
        port=port,
        hosts=hosts or [],
        opens=browser,
        trusts_specs=trust,
        limits=parse_limits(most or []),
        prepares=False,
        first=first,
    )


def _server() -> Callable[..., None]:
    """What serves the page, if the page is installed."""
    from meeple.errors import ConfigError

    try:
        from meeple.web.server import serve
    except ModuleNotFoundError as fault:
        raise ConfigError(f"the page needs '{fault.name}': install it with pip install 'meeple[web]'") from fault
    return serve


def _replayed(path: Path, number: str, *, trust: bool) -> Callable[[Room], Table]:
    from meeple.cli.replay import matches_in
    from meeple.errors import RecordError
    from meeple.web.pages.replay import replay_table

    found = matches_in(path, number, lenient=False)[0]
    record = found.record
    if record is None:
        raise RecordError(f"{found.name}: {found.fault}")
    return lambda room: replay_table(record, "", trust=trust)
