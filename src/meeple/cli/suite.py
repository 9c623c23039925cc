"""`meeple suite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import agents_like, games_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.core.game import Game
    from meeple.core.match import Match


def suite(
    game: str = typer.Argument(..., help="A game, such as santorini.", autocompletion=games_like),
    agent: str = typer.Argument("", help="An agent, such as alphabeta:depth=3.", autocompletion=agents_like),
    file: Path = typer.Option(None, "--file", "-f", help="Another file of problems than the game's own."),
    only: str = typer.Option("", "--only", help="Only problems whose name begins so, such as 'win in 7'."),
    plies: list[int] = typer.Option(None, "--mine", min=1, help="Find problems instead: wins in so many plies."),
    source: str = typer.Option("", "--from", help="Where to find them: a store, a record, or a folder of records."),
    most: int = typer.Option(20, "--most", min=1, help="How many of each number of plies."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Put an agent to positions with known answers: solved, time, work.

    With --mine it prints positions of stored games as lines of a suite: one move wins in so many plies, no other does.
    """
    from meeple.agents.registry import load_agent
    from meeple.arena.suite import read_suite, solve, suite_path
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError

    board = load_game(game)
    if plies:
        _mine(board, plies, source, most)
        return
    if not agent:
        raise ConfigError("suite wants an agent, such as alphabeta:depth=3, or --mine N with --from STORE")
    player = load_agent(agent, board)
    problems = [each for each in read_suite(file or suite_path(board)) if each.name.startswith(only)]
    answers = []
    with progress(len(problems), "solving") as bar:
        for number, problem in enumerate(problems):
            bar.update(number, problem.name)
            answers.append(solve(board, player, problem))
    solved = sum(answer.is_right for answer in answers)
    seconds, work = sum(answer.seconds for answer in answers), sum(answer.work for answer in answers)
    if as_json:
        rows = [
            {"name": a.problem.name, "position": a.problem.position, "move": a.move, "solved": a.is_right}
            | {"seconds": round(a.seconds, 4), "work": a.work}
            for a in answers
        ]
        print_json({"game": board.spec, "agent": player.spec, "solved": solved, "of": len(answers), "answers": rows})
        return
    table = [
        [
            a.problem.name,
            "solved" if a.is_right else "missed",
            a.move,
            " ".join(a.problem.answers),
            f"{a.seconds:.3f}",
            a.work,
        ]
        for a in answers
    ]
    print_table(["problem", "", "played", "right", "seconds", "work"], table, right=["seconds", "work"])
    print(f"{player.spec} solved {solved} of {len(answers)} in {seconds:.1f} s, work {work:,}")


def _mine(board: Game, plies: Sequence[int], source: str, most: int) -> None:
    from meeple.arena.suite_mining import mine_all, require_minable
    from meeple.cli.analyse import matches_of
    from meeple.errors import ConfigError

    require_minable(board)
    if not source:
        raise ConfigError("--mine wants games to look through: --from a store, a record, or a folder of records")
    named = list(matches_of(Path(source), source, trust=False))
    counts = dict.fromkeys(plies, 0)
    with progress(len(named), "mining") as bar:

        def matches() -> Iterator[Match]:
            for number, each in enumerate(named):
                bar.update(number, each.name)
                match = each.source().match
                if match.game.spec == board.spec:
                    yield match

        for won in mine_all(matches(), counts, most):
            counts[won.plies] += 1
            print(f"{won.position} | {won.move} | win in {won.plies}, {counts[won.plies]}", flush=True)
    found = ", ".join(f"{count} wins in {number}" for number, count in counts.items())
    print(f"{found}, of {len(named)} games", file=sys.stderr)
