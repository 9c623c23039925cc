"""`meeple generations`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.core.game import Game
    from meeple.learn.generations import Ladder


def generations(
    game: str = typer.Argument(..., help="The game of the run, such as santorini.", autocompletion=games_like),
    run: str = typer.Argument(..., help="A run of selfplay that is done: its model's name or file, or its folder."),
    games: int = typer.Option(10, "--games", "-n", min=0, help="Games a pair of the round robin; 0: the run's alone."),
    plot: Path = typer.Option(None, "--plot", help="Draw the ladder: a .png, .svg, .pdf or .csv file."),
    trust: bool = typer.Option(False, "--trust", help="Let the run's agents use the files and code that they name."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Rate all generations of a run of selfplay together, with its reference.

    Killed or stopped, it goes on where it was when it is run again.
    """
    from meeple.core.registry import load_game
    from meeple.learn.curves import check_plot
    from meeple.learn.generations import find_folder
    from meeple.learn.ladder_plot import write_ladder

    board = load_game(game)
    if plot:
        check_plot(plot)
    ladder = play_ladder(board, find_folder(board, run), games, trust=trust)
    if plot:
        write_ladder(ladder, plot)
    if as_json:
        print_json(ladder.as_json())
    else:
        print_ladder(ladder)


def play_ladder(board: Game, folder: Path, games: int, *, trust: bool) -> Ladder:
    """The ladder of a folder, with a bar while its games are played."""
    from meeple.learn.generations import make_ladder, read_run

    found = read_run(folder, board, trust=trust)
    with progress(1, f"ladder {board.spec}") as bar:
        return make_ladder(
            found, games=games, on_set=lambda done, total: bar.update(done, "sets of games", total=total)
        )


def print_ladder(ladder: Ladder) -> None:
    """All players, the strongest first."""
    from meeple.arena.sentence import elo_words

    rows = [
        [
            place,
            rung.name,
            elo_words(rung.rating.elo, rung.rating.low, rung.rating.high),
            rung.rating.games,
            "champion" if rung.is_champion else "",
        ]
        for place, rung in enumerate(ladder.rungs, 1)
    ]
    print_table(["", "player", "Elo (98%)", "games", ""], rows, right=["games"])
    print(f"{ladder.run.game.spec}: {ladder.games} games; 0 is {ladder.run.reference}")
