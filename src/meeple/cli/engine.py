"""`meeple engine`."""

from __future__ import annotations

import typer

from meeple.cli.completion import agents_like, games_like


def engine(
    game: str = typer.Argument(..., help="A game, such as azul:players=2.", autocompletion=games_like),
    agent: str = typer.Argument(
        ..., help="The agent that answers, such as mcts:iterations=400.", autocompletion=agents_like
    ),
) -> None:
    """Play as an engine: answer lines of JSON on stdin by lines on stdout (docs/engine-protocol.md)."""
    from meeple.agents.engines.serving import serve
    from meeple.agents.registry import load_agent
    from meeple.core.registry import load_game

    board = load_game(game)
    serve(board, load_agent(agent, board))
