"""Flags that `meeple match` and `meeple tournament` share, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meeple.cli.completion import games_like

if TYPE_CHECKING:
    from meeple.arena.adaptive import Adaptive
    from meeple.arena.conditions import Conditions
    from meeple.arena.sprt import Sprt
    from meeple.arena.workers import AnyCrew
    from meeple.core.game import Game as LoadedGame

MOST_SPRT_GAMES = 40_000  # an SPRT that has not decided by then ends undecided, unless -n says otherwise

Game = Annotated[str, typer.Argument(help="A game, such as santorini.", autocompletion=games_like)]
Seats = Annotated[int, typer.Option("--seats", min=0, help="Seats at a table, the same as the option players=K.")]
SprtText = Annotated[str, typer.Option("--sprt", help="elo0,elo1[,alpha,beta]: end when one is likelier; implies -b.")]
Model = Annotated[str, typer.Option("--model", help="Elo of the SPRT: logistic or normalized.")]
IsAdaptive = Annotated[bool, typer.Option("--adaptive", help="Add games until the interval leaves an even share.")]
FirstGames = Annotated[int, typer.Option("--first", min=1, help="Games before the first look of --adaptive.")]
StepGames = Annotated[int, typer.Option("--step", min=1, help="Games between two looks of --adaptive.")]
MostGames = Annotated[int, typer.Option("--most", min=1, help="Games after which --adaptive ends anyhow.")]
Deterministic = Annotated[bool, typer.Option("--deterministic", "-d", help="Agents see the world as it is.")]
Mode = Annotated[Path | None, typer.Option("--mode", "-mode", help="Options of the game in a TOML or JSON file.")]
Openings = Annotated[
    str, typer.Option("--openings", help="random, none, or a file of positions: how games without chance start.")
]
MoveTime = Annotated[str, typer.Option("--move-time", help="Limit a move, such as 2s.")]
FirstTime = Annotated[str, typer.Option("--first-time", help="Limit of a seat's first move, such as 30s.")]
ClockTime = Annotated[str, typer.Option("--clock", help="Time for all moves of a game, such as 60s or 60s+1s a move.")]
OnTimeout = Annotated[str, typer.Option("--on-timeout", help="forfeit, or random: a random move is made.")]
Backend = Annotated[str, typer.Option("--backend", help="local, or ray: play on all nodes of a Ray cluster.")]
Address = Annotated[str, typer.Option("--address", help="With --backend ray: of the cluster, such as 10.0.0.1:6379.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every game as it ends.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


def game_of(game: str, *, seats: int, mode: Path | None) -> LoadedGame:
    """The game that a spec names, with --seats and --mode; a conflict is an error."""
    from meeple.core.modes import MODE, with_mode
    from meeple.core.registry import find_definition, load_game
    from meeple.core.spec import Spec, parse_spec
    from meeple.errors import ConfigError

    spec = parse_spec(game)
    settings = dict(spec.settings)
    if mode:
        settings = with_mode(settings | {MODE: str(mode)})
    if seats:
        if settings.get("players", str(seats)) != str(seats):
            raise ConfigError(f"--seats {seats} and players={settings['players']} are the same thing: give one")
        least, most = find_definition(spec.name).seats
        if not least <= seats <= most:
            raise ConfigError(f"{spec.name} is for {least} to {most} players, not {seats}")
        if most > least:
            settings["players"] = str(seats)
    return load_game(Spec(spec.name, settings))


def conditions_of(move: str, first: str, clock: str, on_timeout: str, *, deterministic: bool) -> Conditions:
    """The conditions that the flags of time and `-d` name."""
    from meeple.arena.conditions import Conditions, parse_clock, parse_limit

    total, increment = parse_clock(clock) if clock else (0.0, 0.0)
    return Conditions(
        move=parse_limit(move) if move else 0.0,
        first=parse_limit(first) if first else 0.0,
        clock=total,
        increment=increment,
        on_timeout=on_timeout,
        deterministic=deterministic,
    )


def adaptive_of(first: int, step: int, most: int, game: LoadedGame, *, both: bool) -> Adaptive:
    """The rule of --adaptive."""
    from meeple.arena.adaptive import Adaptive
    from meeple.arena.schedule import seat_orders

    games_a_set = len(seat_orders(game.seats)) if both else 1
    return Adaptive(first, step, most, games_a_set=games_a_set, even=1 / game.seats)


def sprt_of(text: str, model: str, game: LoadedGame) -> Sprt:
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
    return Sprt(numbers[0], numbers[1], alpha, beta, model=model, seats=game.seats)  # type: ignore[arg-type]


def crew_for(backend: str, address: str, tell: Callable[[str], None]) -> Callable[..., AnyCrew] | None:
    """What makes the crew that --backend names; None for that of this machine."""
    from meeple.errors import ConfigError, did_you_mean

    if backend == "local":
        if address:
            raise ConfigError("--address is that of a Ray cluster: give --backend ray with it")
        return None
    if backend != "ray":
        raise ConfigError(f"there is no backend '{backend}'; {did_you_mean(backend, ('local', 'ray'))}")
    from meeple.arena.ray_crew import RayCrew

    return lambda setup, is_current: RayCrew(setup, address=address, tell=tell, is_current=is_current)


def written(given: dict[str, object]) -> str:
    """Flags as they are typed: a switch by its name, another with its value, none where it is empty."""
    return "".join(f" {name}" + ("" if value is True else f" {value}") for name, value in given.items() if value)
