"""`meeple match`."""

from __future__ import annotations

from pathlib import Path

import typer

from meeple.cli.output import print_json, print_table, progress


def match(
    game: str = typer.Argument(..., help="A game, such as santorini."),
    agents: list[str] = typer.Argument(..., help="One agent a seat, such as flat:playouts=500 random."),
    games: int = typer.Option(100, "--games", "-n", min=1, help="Games, rounded up to whole sets of seat exchanges."),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first set; each set has the next."),
    openings: str = typer.Option(
        "random", "--openings", help="random, none, or a file of positions: how games without chance start."
    ),
    untrusted: bool = typer.Option(
        False, "--untrusted", help="Deal by a secret key too: no agent can work out the deal from the seed."
    ),
    records: Path = typer.Option(None, "--records", help="Keep every game's record in this folder."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Let agents play many games, every seed with all exchanges of seats, and say who is better."""
    from meeple.arena.series import play_series, prepare
    from meeple.core.registry import load_game
    from meeple.errors import AgentError

    table = prepare(load_game(game), agents, games=games, seed=seed, openings=openings, untrusted=untrusted)
    again = f"meeple match {game} {' '.join(agents)} -n {games} -s {seed}"
    again += f" --openings {openings}" if openings != "random" else ""
    again += " --untrusted" if untrusted else ""
    if not as_json:
        print(table.heading())
    with progress(table.games, "playing") as bar:
        result = play_series(
            table, records=records, on_game=lambda done: bar.update(done.games_played, done.standing())
        )
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
