"""`meeple bench`."""

from __future__ import annotations

from typing import Any

import typer

from meeple.cli.output import print_json, print_table, progress


def bench(
    parts: list[str] = typer.Argument(None, help="Games and kinds of work; all of them by default."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
    signature: bool = typer.Option(False, "--signature", help="Print one number that stays while play stays the same."),
) -> None:
    """Measure speed on one core, compiled and warm."""
    from meeple.core.benchmark import WORKS, measure, play_signature
    from meeple.core.registry import game_names, load_game
    from meeple.core.spec import parse_spec
    from meeple.errors import ConfigError, did_you_mean

    names = game_names()
    works = [part for part in parts or [] if part in WORKS] or list(WORKS)
    games = [part for part in parts or [] if part not in WORKS]
    for part in games:
        if parse_spec(part).name not in names and "/" not in part:
            raise ConfigError(f"'{part}' is neither a game nor a kind of work; {did_you_mean(part, [*names, *WORKS])}")
    chosen = [load_game(game) for game in games or names]
    if signature:
        print(play_signature(chosen))
        return
    rows: list[dict[str, Any]] = []
    with progress(len(chosen) * len(works), "measuring") as bar:
        for game in chosen:
            for work in works:
                bar.update(len(rows), f"{game.spec} {work}")
                rows.append(measure(game, work))
    if as_json:
        print_json(rows)
    else:
        print_table(
            ["game", "work", "per second", "unit"],
            [[row["game"], row["work"], f"{row['per_second']:,.0f}", row["unit"]] for row in rows],
            right=["per second"],
        )
