"""`meeple puzzles`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.analysis.puzzles import Puzzle
    from meeple.core.definition import Definition
    from meeple.core.match import Match


def puzzles(
    game: str = typer.Argument(..., help="The game.", metavar="GAME", autocompletion=games_like),
    source: list[str] = typer.Option([], "--from", help="Mine a tournament's store, or a folder of records."),
    most: int = typer.Option(50, "--most", min=1, help="Stop at so many puzzles in the file."),
    margin: float = typer.Option(10.0, "--margin", min=1.0, max=90.0, help="Points by which one move must be best."),
    effort: str = typer.Option("deep", "--effort", help="quick, normal or deep: of the last judgement."),
    out: Path = typer.Option(None, "--out", help="The file of puzzles; by default the one that the page reads."),
    seed: int = typer.Option(0, "--seed", "-s", min=0, help="Of the judge's lots."),
    threads: int = typer.Option(0, "--threads", min=0, help="Positions looked at side by side; 0: one a core."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Tell of a game's puzzles, or find more in stored matches: positions where one move is clearly the best.

    Ctrl-C keeps what was found; run again, it goes on with the next match.
    """
    from meeple.analysis.effort import effort_named
    from meeple.analysis.puzzles import own_file, puzzles_of, read_puzzles
    from meeple.core.registry import find_definition

    definition = find_definition(game)
    effort_named(effort)
    if not source:
        _tell(list(puzzles_of(definition).values()) if out is None else read_puzzles(out), as_json)
        return
    path = out or own_file(definition)
    is_complete = _mine(definition, source, path, most, margin / 100.0, effort, seed, threads)
    _tell(read_puzzles(path), as_json)
    print(f"puzzles: '{path}'", file=sys.stderr)
    if not is_complete:
        print("stopped: the same command goes on", file=sys.stderr)
        raise typer.Exit(130)


def _mine(
    definition: Definition,
    sources: Sequence[str],
    path: Path,
    most: int,
    margin: float,
    effort: str,
    seed: int,
    threads: int,
) -> bool:
    from meeple.analysis.analyse import cores
    from meeple.analysis.calibration import calibration_of, trust_words
    from meeple.analysis.judge import find_judge
    from meeple.analysis.mining import Miner
    from meeple.cli.analyse import NamedMatch, matches_of
    from meeple.core.registry import load_game
    from meeple.errors import RecordError

    judge = find_judge(load_game(definition.name))
    if calibration_of(definition, judge.spec).judge != judge.spec:
        print(f"judged by {judge.spec}: {trust_words(False)}", file=sys.stderr)
    miner = Miner(definition.name, path, most, margin, effort, seed, threads or cores())
    matches = [match for each in sources for match in matches_of(Path(each), each, trust=False)]

    def match_of(match: NamedMatch) -> Match | None:
        try:
            return match.source().match
        except RecordError as fault:
            print(f"{match.name}: left out: {fault}", file=sys.stderr)
            return None

    with progress(len(matches), "matches") as bar:
        found = miner.mine(
            ((match.name, lambda match=match: match_of(match)) for match in matches),  # type: ignore[misc]
            lambda done, puzzles: bar.update(done, f"{puzzles} puzzles"),
        )
    print(f"{found.new} new puzzles, {len(found.puzzles)} in all", file=sys.stderr)
    return found.is_complete


def _tell(found: Sequence[Puzzle], as_json: bool) -> None:
    """How many there are by theme, or all of them."""
    if as_json:
        print_json([each.as_json() for each in found])
        return
    counts = Counter(theme for each in found for theme in each.themes)
    ratings = {theme: [each.rating for each in found if theme in each.themes] for theme in counts}
    rows = [(theme, n, f"{sum(ratings[theme]) / n:.0f}") for theme, n in counts.most_common()]
    print(f"{len(found)} puzzle{'' if len(found) == 1 else 's'}")
    if rows:
        print_table(("theme", "puzzles", "mean rating"), rows, right=("puzzles", "mean rating"))
