"""What a shell completes: the names of games and agents. Words of a command and its options are completed by typer."""

from __future__ import annotations

import typer


def games_like(incomplete: str) -> list[str]:
    """The games that a shell may complete these letters to."""
    from meeple.core.registry import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


def agents_like(ctx: typer.Context, incomplete: str) -> list[str]:
    """The agents that these letters may be completed to: all that are installed, and those that the game named before
    them calls by a name of its own."""
    from meeple.agents.registry import agent_names
    from meeple.core.registry import find_definition
    from meeple.core.spec import parse_spec
    from meeple.errors import MeepleError

    names = agent_names()
    game = ctx.params.get("game")
    if game and "/" not in game and ".py" not in game:  # a key pressed in a shell runs no code of a folder
        try:
            roster = find_definition(parse_spec(game).name).roster
        except MeepleError:  # not the name of a game
            roster = None
        names += list(roster.presets) if roster else []
    return [name for name in names if name.startswith(incomplete)]
