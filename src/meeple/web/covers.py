"""Pictures that are drawn once and kept with the page (`make covers`).

A cover stands for a game on the home page: some of its pieces, drawn for the purpose. An outline is the board at its
beginning, without colours and words, to be shown while the game itself cannot draw yet.
"""

from __future__ import annotations

import re
from pathlib import Path

from meeple.core.contract import NOBODY
from meeple.core.definition import Definition
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.core.registry import find_definition, game_names, load_game

FOLDER = Path(__file__).parent / "static" / "covers"
OUTLINES = FOLDER.parent / "outlines"
PLAIN_OUTLINE = (
    '<svg class="board" viewBox="0 0 300 200" style="--ratio:1.5">'
    '<rect x="10" y="10" width="280" height="180" rx="12"/></svg>'
)
SHAPES = "xmlns|viewBox|style|class|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|d|points|width|height|transform"  # attributes
SEED = 3


def cover_name(definition: Definition) -> str:
    """The file of a game's cover; a plain one where the game brings none."""
    name = f"{definition.name}.svg"
    return name if (FOLDER / name).exists() else "plain.svg"


def draw_cover(name: str) -> str:
    """The cover that a game draws."""
    picture = find_definition(name).picture
    assert picture is not None
    return str(picture.cover())


def outline_of(definition: Definition, *, is_narrow: bool) -> str:
    """The outline of a game's board, as SVG; a plain box where the game brings none."""
    path = OUTLINES / _outline_name(definition.name, is_narrow)
    return path.read_text(encoding="utf-8") if path.is_file() else PLAIN_OUTLINE


def _outline_name(name: str, is_narrow: bool) -> str:
    return f"{name}-narrow.svg" if is_narrow else f"{name}.svg"


def draw_outline(name: str, *, is_narrow: bool) -> str:
    """The shapes of the first position as a spectator sees it; the page's style gives them a line."""
    picture = Match(load_game(name), seed=SEED).state.picture(NOBODY, Look(narrow=is_narrow))
    for word in ("title", "style", "text", "defs"):
        picture = re.sub(rf"<{word}\b.*?</{word}>", "", picture, flags=re.DOTALL)
    picture = re.sub(rf' (?!(?:{SHAPES})=")[\w:-]+="[^"]*"', "", picture)
    return re.sub(r'<g class="[^"]*">', "<g>", picture)


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    OUTLINES.mkdir(exist_ok=True)
    for name in game_names():
        picture = find_definition(name).picture
        if hasattr(picture, "cover"):
            (FOLDER / f"{name}.svg").write_text(draw_cover(name) + "\n", encoding="utf-8")
        if picture is not None:
            for is_narrow in (False, True):
                path = OUTLINES / _outline_name(name, is_narrow)
                path.write_text(draw_outline(name, is_narrow=is_narrow) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
