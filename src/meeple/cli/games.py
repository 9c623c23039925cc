"""`meeple games`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table

if TYPE_CHECKING:
    from meeple.core.definition import Definition


def games(
    game: str = typer.Argument("", help="One game, to read its options in full.", autocompletion=games_like),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
    as_markdown: bool = typer.Option(False, "--markdown", help="The README's table."),
) -> None:
    """List the games, with players, chance, hidden information, options and rules left out."""
    from meeple.core.registry import find_definition, game_names
    from meeple.errors import MeepleError

    if game:
        _show(find_definition(game))
        return
    rows: list[dict[str, Any]] = []
    for name in game_names():
        try:
            definition = find_definition(name)
        except MeepleError as fault:  # a plugin that does not load must not hide the others
            rows.append({"game": name, "error": str(fault)})
            continue
        least, most = definition.seats
        rows.append(
            {
                "game": name,
                "title": definition.facts.title,
                "players": str(least) if least == most else f"{least}-{most}",
                "chance": definition.facts.chance,
                "hidden": definition.facts.hidden,
                "options": {option.name: option.usage.split("|") for option in definition.options},
                "left_out": definition.facts.left_out,
                "verified": definition.facts.verified,
                "version": definition.facts.version,
            }
        )
    if as_json:
        print_json(rows)
        return
    if as_markdown:
        print(
            "| game | players | chance | hidden information | rules left out | verified by |\n|---|---|---|---|---|---|"
        )
        for row in rows:
            if "error" not in row:
                cells = [
                    row["title"],
                    row["players"],
                    _yes(row["chance"]),
                    _yes(row["hidden"]),
                    row["left_out"],
                    row["verified"],
                ]
                print(f"| {' | '.join(str(cell) for cell in cells)} |")
        return
    columns = ["game", "players", "chance", "hidden", "options", "left out"]
    print_table(columns, [_cells(row) for row in rows])


def _show(definition: Definition) -> None:
    """A game's options, each with what may be written."""
    least, most = definition.seats
    print(f"{definition.facts.title}: {least if least == most else f'{least} to {most}'} players")
    if most > least:
        print(f"\n  players={max(2, least)}\n      {', '.join(str(n) for n in range(least, most + 1))}")
    for option in definition.options:
        print(f"\n  {option.name}={option.default}\n      {option.help}")
        print(
            textwrap.fill(option.words, 100, initial_indent=" " * 6, subsequent_indent=" " * 6, break_on_hyphens=False)
        )


def _cells(row: dict[str, Any]) -> list[object]:
    if "error" in row:
        return [row["game"], "-", "-", "-", "-", f"cannot be loaded: {row['error']}"]
    words = "; ".join(f"{name}={'|'.join(values)}" for name, values in row["options"].items())
    return [row["game"], row["players"], _yes(row["chance"]), _yes(row["hidden"]), words or "-", row["left_out"]]


def _yes(value: object) -> str:
    return "yes" if value else "no"
