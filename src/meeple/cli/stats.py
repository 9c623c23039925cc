"""`meeple stats`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli import flags
from meeple.cli.completion import agents_like
from meeple.cli.output import Progress, print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.conditions import Conditions
    from meeple.arena.measures.sample import Sample
    from meeple.core.game import Game as LoadedGame

GROUPS = ("agent", "round", "ply")  # what --by may name


def stats(
    target: str = typer.Argument(..., metavar="GAME|STORE", help="A game to be played, or a tournament's store."),
    agents: list[str] = typer.Option(
        None,
        "--players",
        "-p",
        help="The agents, all after one -p; one alone takes every seat. [default: random]",
        autocompletion=agents_like,
    ),
    games: int = typer.Option(
        None, "--games", "-n", min=1, help="Games a table, in whole sets. [default: 100; of a store: all]"
    ),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first set; each set has the next."),
    by: list[str] = typer.Option(None, "--by", help="Show branching by agent, round or ply; may be given again."),
    judge: str = typer.Option(
        "", "--judge", help="Who leads: score, or an evaluation. [default: the score, an evaluation without one]"
    ),
    filter_name: str = typer.Option(
        "", "--filter", help="Count moves after this filter too; own: those that each agent considers."
    ),
    worlds: int = typer.Option(
        0,
        "--worlds",
        min=0,
        help="Count worlds by so many redeals a decision, where the game cannot tell; 0: not at all.",
    ),
    seats: flags.Seats = 0,
    deterministic: flags.Deterministic = False,
    mode: flags.Mode = None,
    openings: flags.Openings = "random",
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: this one, which starts none."),
    export: list[Path] = typer.Option(
        None, "--export", help="Write all figures to .csv or .parquet, the tables to .md or .html."
    ),
    plot: list[Path] = typer.Option(None, "--plot", help="Draw to .png or .svg."),
    trust: bool = typer.Option(False, "--trust", help="Let a store run the games and agents it names in files."),
    as_json: flags.AsJson = False,
) -> None:
    """Measure games from play: branching, length, forced moves, draws, seats, leads, tree size, with intervals.

    Agents play every seed with all exchanges of seats; or the games of a store are measured.
    """
    from meeple.arena.measures.files import write
    from meeple.arena.measures.summary import Summary
    from meeple.errors import ConfigError, did_you_mean

    files = _files(export or [], plot or [])
    for word in by or ():
        if word not in GROUPS:
            raise ConfigError(f"--by takes {', '.join(GROUPS)}, not '{word}'; {did_you_mean(word, GROUPS)}")
    if os.path.isfile(target):
        if agents:
            raise ConfigError(f"'{target}' is a store: its games are measured as they are; leave -p out")
        sample = _from_store(Path(target), games or 0, judge, filter_name, worlds, trust=trust)
        given: dict[str, object] = {"-n": games or "", "--trust": trust}
    else:
        named = agents or ["random"]
        board = flags.game_of(target, seats=seats, mode=mode)
        conditions = flags.conditions_of("", "", "", "forfeit", deterministic=deterministic)
        sample = _played(board, named, games or 100, seed, conditions, openings, workers, judge, filter_name, worlds)
        given = {"-p": " ".join(named), "-n": games or 100, "-s": seed, "--seats": seats or "", "-d": deterministic}
        given |= {"--mode": str(mode) if mode else "", "--openings": openings if openings != "random" else ""}
    given |= {"--judge": judge, "--filter": filter_name, "--worlds": worlds or ""}
    again = f"meeple stats {target}{flags.written(given)}"
    summary = Summary(sample)
    if as_json:
        print_json(summary.as_json() | {"again": again})
    else:
        print(summary.heading)
        for cells in summary.tables(by or ()):
            print(f"\n{cells.title}")
            print_table(cells.columns, cells.rows, right=cells.right)
        print()
        for line in summary.remarks():
            print(line)
        print(f"again  {again}" + "".join(f" --by {word}" for word in by or ()))
    for path in files:
        write(summary, path)
        print(f"wrote '{path}'", file=sys.stderr)
    if sample.was_stopped:
        raise typer.Exit(130)


def _files(export: list[Path], plot: list[Path]) -> list[Path]:
    """All files to be written, refused before the first game where an ending is wrong."""
    from meeple.arena.measures.files import require_ending
    from meeple.errors import ConfigError

    for path in plot:
        if path.suffix not in (".png", ".svg"):
            raise ConfigError(f"--plot draws .png or .svg, not '{path}'")
    for path in export:
        require_ending(path)
    return [*export, *plot]


def _played(
    board: LoadedGame,
    agents: list[str],
    games: int,
    seed: int,
    conditions: Conditions,
    openings: str,
    workers: int,
    judge: str,
    filter_name: str,
    worlds: int,
) -> Sample:
    """Play the games; one agent alone sits in every seat, and then there is nothing to exchange."""
    from meeple.arena.measures.lens import make_lens
    from meeple.arena.measures.sample import played_sample
    from meeple.arena.tournament import prepare_tournament

    named = agents * board.seats if len(agents) == 1 else agents
    both = len(set(named)) > 1
    plan = prepare_tournament(board, named, games=games, seed=seed, both=both, conditions=conditions, openings=openings)
    lens = make_lens(board, plan.agents, judge=judge, filter=filter_name, samples=worlds)
    with progress(plan.games_a_lineup, "playing") as bar:
        return played_sample(
            plan, lens=lens, workers=workers, on_games=lambda done, wanted: bar.update(done, total=wanted)
        )


def _from_store(path: Path, most: int, judge: str, filter_name: str, worlds: int, *, trust: bool) -> Sample:
    from meeple.arena.measures.lens import make_lens
    from meeple.arena.measures.sample import stored_sample
    from meeple.arena.store import Store
    from meeple.arena.tournament import stored_tournament

    with Store.read(path) as store:
        plan = stored_tournament(store, trust=trust)
        lens = make_lens(plan.game, plan.agents, judge=judge, filter=filter_name, samples=worlds)
        with progress(store.count(), "reading") as bar:
            return stored_sample(plan, store, lens=lens, most=most, trust=trust, on_games=_told_to(bar))


def _told_to(bar: Progress) -> Callable[[int, int], None]:
    return lambda done, wanted: bar.update(done, total=wanted)
