"""`meeple count`."""

from __future__ import annotations

import time

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, progress


def count(
    game: str = typer.Argument(..., help="A game, such as santorini.", autocompletion=games_like),
    depth: int = typer.Option(..., "--depth", "-d", min=0, help="Events deep: moves, and outcomes of chance."),
    position: str = typer.Option("start", "--position", "-p", help="Count from this position text."),
    split: bool = typer.Option(False, "--split", help="Print the count under each first move."),
    distinct: bool = typer.Option(False, "--distinct", help="Count distinct positions met instead (slow)."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Count all positions that can be reached in so many events; a finished game counts once."""
    from meeple.core.count import count_positions, position_named, split_leaves
    from meeple.core.registry import load_game

    state = position_named(load_game(game), position)
    if distinct:
        print(count_positions(state, depth))
        return
    began = time.perf_counter()
    counts: dict[str, int] = {}
    if depth > 0 and not state.is_over:
        n = len(state.outcomes()) or len(state.legal_actions())
        done = iter(range(n))
        with progress(n, f"counting {game}") as bar:
            counts = split_leaves(state, depth, lambda move: bar.update(next(done), move))
    total = sum(counts.values()) if counts else 1
    if as_json:
        print_json(
            {
                "game": game,
                "position": position,
                "depth": depth,
                "leaves": total,
                "seconds": round(time.perf_counter() - began, 3),
            }
            | ({"split": counts} if split else {})
        )
        return
    if split:
        for move, leaves in counts.items():
            print(f"{move}  {leaves}")
    print(total)
