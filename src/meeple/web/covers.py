"""The pictures on the home page: a real board of each game, drawn once and kept with the page (`make covers`)."""

from __future__ import annotations

from pathlib import Path

from meeple.agents.base import ask
from meeple.agents.levels import level_spec
from meeple.agents.registry import load_agent
from meeple.core.definition import Definition
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.core.registry import find_definition, game_names, load_game

FOLDER = Path(__file__).parent / "static" / "covers"
MOVES = 26  # made before the picture is drawn, by the level Expert
SEED = 3


def cover_name(definition: Definition) -> str:
    """The file of a game's cover; a plain one where the game brings none."""
    name = f"{definition.name}.svg"
    return name if (FOLDER / name).exists() else "plain.svg"


def draw_cover(name: str) -> str:
    """A board in the middle of a match, as the first seat sees it."""
    match = Match(load_game(name), seed=SEED)
    agent = load_agent(level_spec(match.game, "Expert"), match.game)
    while match.ply < MOVES and not match.is_over:
        match.play(ask(agent, match))
    return match.state.picture(0, Look())


def main() -> None:
    """Write all covers."""
    FOLDER.mkdir(exist_ok=True)
    for name in game_names():
        if find_definition(name).picture is not None:
            (FOLDER / f"{name}.svg").write_text(draw_cover(name) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
