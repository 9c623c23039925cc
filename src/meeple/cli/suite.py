"""`meeple suite`."""

from __future__ import annotations

from pathlib import Path

import typer

from meeple.cli.output import print_json, print_table, progress


def suite(
    game: str = typer.Argument(..., help="A game, such as santorini."),
    agent: str = typer.Argument(..., help="An agent, such as alphabeta:depth=3."),
    file: Path = typer.Option(None, "--file", "-f", help="Another file of problems than the game's own."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Put an agent to positions with known answers: solved, time, work."""
    from meeple.agents.registry import load_agent
    from meeple.arena.suite import read_suite, solve, suite_path
    from meeple.core.registry import load_game

    board = load_game(game)
    player = load_agent(agent, board)
    problems = read_suite(file or suite_path(board))
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
