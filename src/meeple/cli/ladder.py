"""`meeple ladder`."""

from __future__ import annotations

from pathlib import Path

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table


def ladder(
    game: str = typer.Argument(..., help="A game, such as santorini.", autocompletion=games_like),
    files: list[Path] = typer.Option(None, "--store", help="Only these stores; all that were kept by default."),
    mixed: bool = typer.Option(False, "--mixed", help="Count games of other code too; the ladder says so."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Rate all agents of a game together, from all stored games of this version of its rules and of this code."""
    from meeple.arena.ladder import ladder as rate_all
    from meeple.arena.ladder import stores_in
    from meeple.arena.sentence import elo_words
    from meeple.core.folders import data_folder
    from meeple.core.registry import load_game

    board = load_game(game)
    paths = files or list(stores_in(data_folder("tournaments")))
    ratings, games, left_out = rate_all(board, paths, mixed=mixed)
    if as_json:
        rows = [{"agent": r.agent, "elo": r.elo, "low": r.low, "high": r.high, "games": r.games} for r in ratings]
        print_json({"game": board.spec, "games": games, "ratings": rows, "left_out": left_out, "mixed": mixed})
        return
    if not ratings:
        print(f"no stored games of {board.spec} say anything; `meeple tournament {board.spec} -p ...` plays some")
    else:
        cells: list[list[object]] = []
        for place, rating in enumerate(ratings, 1):
            is_rated = rating.is_comparable
            elo = elo_words(rating.elo, rating.low, rating.high) if is_rated else "met none of the others"
            cells.append([place, rating.agent, elo, rating.games])
        print_table(["", "agent", "Elo (98%)", "games"], cells, right=["", "games"])
        print(f"{board.spec}: {games} games; 0 is the mean of all")
        if mixed:
            print("mixed  games of other code are counted too")
    for reason in left_out:
        print(f"left out  {reason}")
