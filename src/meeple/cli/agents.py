"""`meeple agents`."""

from __future__ import annotations

from dataclasses import Field, replace
from typing import TYPE_CHECKING, Any

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table

if TYPE_CHECKING:
    from meeple.agents.base import Agent
    from meeple.core.game import Game
    from meeple.core.heuristics import Heuristic


def agents(
    game: str = typer.Argument(
        None, help="How they play this game: the names that it offers to each setting.", autocompletion=games_like
    ),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """List the agents with what they do and their settings: defaults, meanings, the names that a game offers."""
    from meeple.agents.registry import agent_names, presets_of
    from meeple.core.registry import load_game

    board = load_game(game) if game else None
    rows = [_row(name, board) for name in agent_names()]
    presets = presets_of(board) if board else {}
    rows += [
        {"agent": name, "does": f"{spec}: {source}", "refuses": "", "settings": []}
        for name, (spec, source) in presets.items()
    ]
    if as_json:
        print_json(rows)
        return
    _print_agents(rows)
    if board:
        _print_names(board)
        print(f"\nOpponents for people, from a beginner to the strongest: meeple levels {board.name}")


def _row(name: str, board: Game | None) -> dict[str, Any]:
    """What is told of one agent; `refuses` says why it does not play the game as it is, and what to give it."""
    from meeple.agents.registry import find_agent, load_agent
    from meeple.core.settings import settings_of
    from meeple.errors import MeepleError, UnsupportedGameError

    refuses = ""
    try:
        kind: type[Agent] = find_agent(name)
        load_agent(name, board)
    except UnsupportedGameError as fault:
        refuses = str(fault)
    except MeepleError as fault:
        return {"agent": name, "does": f"cannot be loaded: {fault}", "refuses": "", "settings": []}
    does = (kind.__doc__ or "").strip().splitlines()
    settings = [_setting(declared, board) for declared in settings_of(kind)]
    return {"agent": name, "does": does[0] if does else "", "refuses": refuses, "settings": settings}


def _setting(declared: Field[Any], board: Game | None) -> dict[str, Any]:
    """What is told of one setting; `names` are those that it takes, each with its meaning."""
    from meeple.core.settings import accepted_names, default_text

    about = declared.metadata
    known = _offered(board, about["of"]) if board and about["of"] else {}
    names = accepted_names(declared, board) if board else about["choices"]
    found = {name: known.get(about["prefix"] + name) for name in names}
    return {
        "name": declared.name,
        "default": default_text(declared),
        "meaning": about["help"],
        "names": [{"name": name, "meaning": each.help if each else ""} for name, each in found.items()],
    }


def _print_agents(rows: list[dict[str, Any]]) -> None:
    """The agents as a table; one that is another by a second name is told in a line."""
    from meeple.core.settings import SEED, SEED_HELP

    cells: list[list[object]] = []
    told: dict[str, str] = {}  # what has been told of settings, by which agent
    for row in rows:
        cells.append([row["agent"], "", "", row["does"]])
        if row["refuses"]:
            cells.append(["", "", "", f"Here: {row['refuses']}."])
        twin = told.setdefault(f"{row['does']} {row['settings']}", row["agent"])
        if row["settings"] and twin != row["agent"]:
            cells.append(["", "(all)", "", f"as {twin}"])
            continue
        cells += [["", s["name"], s["default"], s["meaning"] + _listed(s)] for s in row["settings"]]
    cells.append(["(every agent)", SEED, "0", SEED_HELP])
    print_table(["agent", "setting", "default", "meaning"], cells)


def _listed(setting: dict[str, Any]) -> str:
    """The names that a setting takes, in a row; the first is marked where the word `default` stands for it."""
    names = [each["name"] for each in setting["names"]]
    if names and setting["default"] == "default" and "default" not in names:
        names[0] += " (default)"
    return f": {', '.join(names)}" if names else ""


def _offered(board: Game, kind: str) -> dict[str, Heuristic]:
    """The heuristics of a kind that the game offers by name, a model that is the default among them."""
    from meeple.core.heuristics import default_name, find_heuristic, heuristics_of

    name = default_name(board, kind)
    known = heuristics_of(board, kind)
    if name in known or not name:
        return known
    model = find_heuristic(board, kind, name)
    return {name: replace(model, help=f"a trained model: {model.help}")} | known


def _print_names(board: Game) -> None:
    """What the names mean that the game offers to settings, by kind."""
    from meeple.core.heuristics import KINDS, kind_word

    cells: list[list[object]] = []
    for kind in KINDS:
        if kind in ("NOISY", "FINGERPRINTS", "METRICS"):  # no setting names one
            continue
        known = _offered(board, kind)
        own = [name for name in known if name != "none"]
        cells += [[kind_word(kind) if name == own[0] else "", name, known[name].help] for name in own]
    if cells:
        print()
        print_table([f"of {board.name}", "name", "meaning"], cells)
