"""`meeple agents`."""

from __future__ import annotations

from typing import Any

import typer

from meeple.cli.output import print_json, print_table


def agents(
    game: str = typer.Argument(None, help="Only those that can play this game."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """List the agents with what they do and their settings, defaults and meanings."""
    from meeple.agents.registry import agent_names, find_agent, presets_of
    from meeple.core.registry import load_game
    from meeple.core.settings import SEED, SEED_HELP, default_text, settings_of
    from meeple.errors import MeepleError, UnsupportedGameError

    board = load_game(game) if game else None
    rows: list[dict[str, Any]] = []
    for name in agent_names():
        try:
            kind = find_agent(name)
            if board:
                kind().fit(board)
        except UnsupportedGameError:
            continue
        except MeepleError as fault:
            rows.append({"agent": name, "does": f"cannot be loaded: {fault}", "settings": []})
            continue
        settings = [
            {"name": f.name, "default": default_text(f), "meaning": f.metadata["help"]} for f in settings_of(kind)
        ]
        does = (kind.__doc__ or "").strip().splitlines()
        rows.append({"agent": name, "does": does[0] if does else "", "settings": settings})
    presets = presets_of(board) if board else {}
    rows += [{"agent": name, "does": f"{spec}: {source}", "settings": []} for name, (spec, source) in presets.items()]
    if as_json:
        print_json(rows)
        return
    cells: list[list[object]] = []
    for row in rows:
        cells.append([row["agent"], "", "", row["does"]])
        cells += [["", s["name"], s["default"], s["meaning"]] for s in row["settings"]]
    cells.append(["(every agent)", SEED, "0", SEED_HELP])
    print_table(["agent", "setting", "default", "meaning"], cells)
