"""`meeple results`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.report import Report
    from meeple.arena.store import Store

MOST_WORST = 20  # moves that --worst shows


def results(
    files: list[Path] = typer.Argument(None, help="Stores: files, or names as listed; none: list all that were kept."),
    game: str = typer.Option("", "--game", help="List only tournaments of this game.", autocompletion=games_like),
    agent: str = typer.Option("", "--agent", help="List only those with this agent; with --worst: whose moves."),
    merge: Path = typer.Option(None, "--merge", help="Gather stores of one configuration in this new file."),
    export: list[Path] = typer.Option(None, "--export", help="Write to .csv, .parquet, .md, .html, .png or .svg."),
    mixed: bool = typer.Option(False, "--mixed", help="Merge games of different code too; the table says so."),
    certify: bool = typer.Option(
        False, "--certify", help="Play a sample again: stores whose games come out the same count for today's code."
    ),
    forfeits: bool = typer.Option(False, "--forfeits", help="Show the games that ended by a forfeit, and why."),
    worst: bool = typer.Option(False, "--worst", help="Show an agent's costliest moves in games it lost."),
    judge: str = typer.Option("", "--judge", help="With --worst: another judge than the game's strongest agent."),
    effort: str = typer.Option("normal", "--effort", help="With --worst: quick, normal or deep."),
    lost: int = typer.Option(5, "--lost", min=1, help="Lost games that --worst looks at."),
    trust: bool = typer.Option(False, "--trust", help="Let a store run the games and agents it names in files."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """List tournaments, show their tables, merge, export and draw them, and find where an agent loses."""
    from meeple.arena.report import Report
    from meeple.arena.results import find_store
    from meeple.arena.store import Store
    from meeple.arena.tournament import stored_ledger, stored_tournament
    from meeple.core.folders import data_folder
    from meeple.errors import ConfigError

    if not files:
        _list(data_folder("tournaments"), game, agent, as_json)
        return
    files = [find_store(path) for path in files]
    if merge is not None:
        from meeple.arena.tournament import merge as merge_stores

        print(f"{merge_stores(files, merge, mixed=mixed)} games in '{merge}'")
        return
    if certify:
        for path in files:
            _certify(path, trust=trust)
        return
    if len(files) > 1:
        raise ConfigError("several stores are shown one at a time, or gathered with --merge FILE")
    with Store.read(files[0]) as store:
        plan = stored_tournament(store, trust=trust)
        report = Report(plan, stored_ledger(plan, store), store)
        if worst:
            _worst(report, store, agent, judge, effort, lost, trust=trust, as_json=as_json)
        elif forfeits:
            _forfeits(report, store)
        elif export:
            from meeple.arena.export import write

            for path in export:
                write(report, store, path)
                print(f"wrote '{path}'")
        elif as_json:
            print_json(report.as_json())
        else:
            from meeple.cli.tournament import show

            print(plan.heading())
            show(report, files[0], f"meeple results {files[0]}" + (" --trust" if trust else ""))


def _certify(path: Path, *, trust: bool) -> None:
    from meeple.arena.provenance import is_current, settle_code
    from meeple.arena.store import Store
    from meeple.arena.tournament import stored_tournament
    from meeple.arena.workers import default_workers

    with Store.read(path) as found:
        configuration = found.configuration
    with Store.open(path, configuration) as store:
        plan = stored_tournament(store, trust=trust)
        if is_current(plan, store):
            print(f"'{path}' is of the code at hand: there is nothing to certify")
        else:
            settle_code(plan, store, workers=default_workers(), tell=print)


def _list(folder: Path, game: str, agent: str, as_json: bool) -> None:
    from meeple.arena.ladder import stores_in
    from meeple.arena.store import Store
    from meeple.errors import StoreError

    rows: list[list[object]] = []
    for path in stores_in(folder):
        try:
            with Store.read(path) as store:
                found, count = store.configuration, store.count()
        except StoreError as fault:
            rows.append([path.name, str(fault), "", ""])
            continue
        if game and found["game"].partition(":")[0] != game.partition(":")[0]:
            continue
        if agent and agent not in found["agents"]:
            continue
        rows.append([path.name, found["game"], count, ", ".join(found["agents"])])
    if as_json:
        heads = ("file", "game", "games", "agents")
        print_json([dict(zip(heads, row, strict=True)) | {"folder": str(folder)} for row in rows])
        return
    if not rows:
        print(f"no tournament is kept in '{folder}'; `meeple tournament` plays one")
        return
    print(f"in '{folder}'")
    print_table(["file", "game", "games", "agents"], rows, right=["games"])


def _worst(
    report: Report, store: Store, agent: str, judge: str, effort: str, lost: int, *, trust: bool, as_json: bool
) -> None:
    from meeple.agents.registry import shown_names
    from meeple.analysis.batch import mistakes_table
    from meeple.analysis.calibration import trust_words
    from meeple.arena.judge import judge_lost_games
    from meeple.errors import ConfigError, did_you_mean

    agent = shown_names([agent], report.tournament.game)[0] if agent else ""
    if agent and agent not in report.names:
        raise ConfigError(f"no agent '{agent}' played here; {did_you_mean(agent, report.names)}")
    lowest = min(range(len(report.agents)), key=lambda number: report.agents[number].interval().mean)
    number = report.names.index(agent) if agent else lowest
    with progress(lost, "judging") as bar:
        found = judge_lost_games(
            report,
            store,
            number,
            judge=judge,
            effort=effort,
            games=lost,
            trust=trust,
            tell=lambda done, total: bar.update(done, total=total),
        )
    if as_json:
        print_json(found.as_json())
        return
    if not found.found:
        print(f"{report.names[number]} lost no game here")
        return
    first = found.found[0][1]
    trusted = trust_words(first.is_calibrated)
    print(f"moves of {report.names[number]} in {len(found.found)} games it lost, in points of win chance")
    print(f"{effort} effort by {first.judge}{trusted and f'; {trusted}'}")
    table = mistakes_table(found, MOST_WORST)
    print(table.text() if table.rows else "no move lost 5 points of win chance for certain")
    if found.mistakes:
        allowed = " --trust" if report.tournament.game.definition.folder else ""
        print(f"see  meeple analyse '{found.mistakes[0][0]}'{allowed}")


def _forfeits(report: Report, store: Store) -> None:
    rows: list[list[object]] = []
    for game in store.games():
        if game.at_fault is not None:
            number = report.seated(game.key)[game.at_fault]
            rows.append([game.key.text(), report.names[number], game.reason])
    print_table(["game", "agent", "reason"], rows)
