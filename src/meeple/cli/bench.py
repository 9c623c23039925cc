"""`meeple bench`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import typer

from meeple.cli.output import print_json, print_table, progress


def bench(
    parts: list[str] = typer.Argument(
        None,
        help="Games and kinds of work, all games, rules and searches by default; arena, adapters: of these.",
    ),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
    signature: bool = typer.Option(False, "--signature", help="Print one number that stays while play stays the same."),
) -> None:
    """Measure speed on one core, compiled and warm; batch-* and collect-rows on all cores."""
    from meeple.adapters import benchmark as adapter_speed
    from meeple.agents import benchmark as agent_speed
    from meeple.agents import model_speed
    from meeple.arena import batch_speed
    from meeple.arena import benchmark as arena_speed
    from meeple.core import benchmark as rules_speed
    from meeple.core.benchmark import play_signature
    from meeple.core.kernel import compiled_count
    from meeple.core.registry import game_names, load_game
    from meeple.core.spec import parse_spec
    from meeple.errors import ConfigError, did_you_mean
    from meeple.search import benchmark as search_speed

    modules = (rules_speed, search_speed, model_speed, agent_speed, arena_speed, batch_speed, adapter_speed)
    works_of = {work: module.measure for module in modules for work in module.WORKS}

    names = game_names()
    groups = {"arena": list(arena_speed.WORKS), "adapters": list(adapter_speed.WORKS)}
    parts = [word for part in parts or [] for word in groups.get(part, [part])]
    usual = [work for work in works_of if work not in (*arena_speed.WORKS, *adapter_speed.WORKS)]
    works = [part for part in parts if part in works_of] or usual
    games = [part for part in parts if part not in works_of]
    if not games and set(works) <= set(arena_speed.WORKS):
        games = ["santorini"]  # the arena is the same for all: one game will do
    for part in games:
        if parse_spec(part).name not in names and "/" not in part:
            raise ConfigError(
                f"'{part}' is neither a game nor a kind of work; {did_you_mean(part, [*names, *groups, *works_of])}"
            )
    chosen = [load_game(game) for game in games or names]
    if signature:
        print(play_signature(chosen))
        return
    rows: list[dict[str, Any]] = []
    with progress(len(chosen) * len(works), "measuring") as bar:
        for game in chosen:
            for work in works:
                if not all(
                    speed.applies(game, work) for speed in (rules_speed, search_speed, model_speed, agent_speed)
                ):
                    continue
                bar.update(len(rows), f"{game.spec} {work}")
                rows.append(works_of[work](game, work))
    if compiled_count() and "MEEPLE_BENCH_AGAIN" not in os.environ:
        # What was compiled just now runs slower than the same code from the cache: measure that.
        command = [sys.executable, "-P", "-m", "meeple", *sys.argv[1:]]
        raise typer.Exit(subprocess.run(command, env=os.environ | {"MEEPLE_BENCH_AGAIN": "1"}).returncode)
    if as_json:
        print_json(rows)
    else:
        print_table(
            ["game", "work", "per second", "unit"],
            [[row["game"], row["work"], f"{row['per_second']:,.0f}", _unit(row)] for row in rows],
            right=["per second"],
        )


def _unit(row: dict[str, Any]) -> str:
    """What was counted; of an agent's moves also how long one takes."""
    times = f" ({row['ms']:.1f} ms each, {row['ms_first_round']:.1f} in round 1)" if "ms" in row else ""
    return f"{row['unit']}{times}"
