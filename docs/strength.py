"""Write the tables of docs/strength.md anew: `make strength`. A test holds the page to the files of results.

Each row is a line of bench/results/GAME.jsonl, which `python bench/frozen.py ... --keep FILE` writes; a person adds a
`note` to it at most. A part of the page names the games that it shows: `<!-- strength: azul sagrada -->`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
PAGE, RESULTS = DOCS / "strength.md", DOCS.parent / "bench" / "results"
PART = re.compile(r"(<!-- strength: ([^\n]*?) -->\n).*?(<!-- /strength -->)", re.DOTALL)
HEADS = ["game", "agent, against the frozen one", "CPU time a move (used, ours and theirs)", "score", "games", ""]


def rows(game: str) -> list[dict[str, Any]]:
    """The results of a game, as its file has them."""
    return [json.loads(line) for line in (RESULTS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()]


def cells(row: dict[str, Any]) -> list[str]:
    """A result as a row of the table. Where one seat was ours, the score is its win share, told with the ratio."""
    used = "" if "used" not in row else " ({:.1f} and {:.1f} ms)".format(*row["used"])
    span = f"({row['low']:.3f} .. {row['high']:.3f}, {row['confidence']:.0%})"
    ratio = f", {row['ratio']:.2f} times the frozen agent's" if row["ours"] else ""
    return [
        f"`{row['game']}`",
        f"`{row['today']}`",
        f"{row['cpu'] or 'own limits'}{used}",
        f"{row['score']:.3f} {span}{ratio}",
        str(row["games"]),
        row.get("note", ""),
    ]


def table(games: list[str]) -> str:
    """The results of some games."""
    lines = [HEADS, ["---"] * len(HEADS), *(cells(row) for game in games for row in rows(game))]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def with_tables(text: str) -> str:
    """The page with all its tables anew."""
    return PART.sub(lambda part: part[1] + table(part[2].split()) + part[3], text)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
