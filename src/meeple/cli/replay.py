"""`meeple replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.output import painter

if TYPE_CHECKING:
    from meeple.core.logs import Log
    from meeple.core.match import Match
    from meeple.core.record import Record


def replay(
    files: list[Path] = typer.Argument(..., help="Records of matches, or logs that a game's notation reads."),
    ply: int = typer.Option(None, "--ply", help="Show only the position before this decision, counted from 0."),
    game: str = typer.Option("", "--game", help="A game of a tournament's store, by its number such as 1+2/17.1."),
    verify: bool = typer.Option(False, "--verify", help="Replay each match and say whether its result comes out."),
    log: bool = typer.Option(False, "--log", help="Print each match as a log in its game's own notation."),
    lenient: bool = typer.Option(False, "--lenient", help="Let pass in logs what the programs behind them let pass."),
    trust: bool = typer.Option(False, "--trust", help="Let a record run its game from the folder that it names."),
) -> None:
    """Show a recorded match move by move (Enter goes on, q leaves), or verify that records replay."""
    if verify:
        _verify(files, lenient, trust)
        return
    from meeple.core.logs import write_log
    from meeple.core.match import Match
    from meeple.errors import RecordError

    for found in [found for path in files for found in matches_in(path, game, lenient)]:
        record = found.record
        if record is None:
            raise RecordError(f"{found.name}: {found.fault}")
        match = Match.from_record(record, manual_chance=True, trust=trust)
        if log:
            print(write_log(match))
            continue
        if record.version != match.game.facts.version:
            was, now = record.version, match.game.facts.version
            print(f"{found.name}: played by version {was} of the rules, shown by version {now}", file=sys.stderr)
        agents = ", ".join(record.names or record.agents) or "agents not named"
        print(f"{found.name}: {record.game}, seed {record.seed}, {agents}; {match.ply} moves")
        if ply is not None:
            state = match.state_at(ply)
            print(state.board(match.view, painter()))
            print(state.text(match.view))
            continue
        _show(match, record)


def matches_in(path: Path, game: str, lenient: bool) -> list[Log]:
    """The matches of a file, or the one of a tournament's store with this number."""
    from meeple.arena.store import stored_record
    from meeple.core.logs import Log, load_logs

    return [Log(f"{path} {game}", stored_record(path, game))] if game else load_logs(path, lenient=lenient)


def _show(match: Match, record: Record) -> None:
    from meeple.core.paint import MARKS

    paint, number = painter(), 0
    print(match.branch(0).state.board(match.view, paint))
    for i, step in enumerate(match.steps):
        _comment(record, i)
        after = match.steps[i + 1].before if i + 1 < len(match.steps) else match.state
        if step.seat is None:
            print(f"     {step.text}")
            continue
        if sys.stdin.isatty() and sys.stdout.isatty() and input().strip().lower().startswith("q"):
            return
        print(f"{number:>3}  {MARKS[step.seat]} {step.text}")
        print(after.board(match.view, paint))
        number += 1
    _comment(record, len(match.steps))
    print(_ending(match, record))


def _comment(record: Record, at: int) -> None:
    """What somebody wrote about the position after so many events."""
    for line in record.comments.get(at, "").splitlines():
        print(f"     # {line}")


def _ending(match: Match, record: Record) -> str:
    """Who won, by the rules or because another forfeited."""
    from meeple.core.forfeit import forfeit_of
    from meeple.core.paint import MARKS

    forfeit = forfeit_of(record.result, match.game.seats)
    if forfeit is None and not match.is_over:
        return "the match is not finished"
    shares = forfeit.shares(match.game.seats) if forfeit else match.state.win_shares()
    winners = [MARKS[seat] for seat, share in enumerate(shares) if share > 0]
    verb = "wins" if len(winners) == 1 else "share the victory"
    words = f"{' and '.join(winners)} {verb}" if winners else "nobody wins"
    return f"{forfeit.reason}: {words}" if forfeit else words


def _verify(files: list[Path], lenient: bool, trust: bool) -> None:
    """A line a match; the exit code tells whether all are sound."""
    from meeple.core.logs import Log, load_logs
    from meeple.errors import MeepleError

    logs: list[Log] = []
    for path in files:
        try:
            logs += load_logs(path, lenient=lenient)
        except MeepleError as fault:
            logs.append(Log(str(path), None, str(fault)))
    faults = 0
    for found in logs:
        try:
            verdict = _verdict(found.record, trust) if found.record else f"WRONG: {found.fault}"
        except MeepleError as fault:
            verdict = f"WRONG: {fault}"
        faults += verdict.startswith("WRONG")
        print(f"{found.name}: {verdict}")
    print(f"{len(logs) - faults} of {len(logs)} replay")
    if faults:
        raise typer.Exit(1)


def _verdict(record: Record, trust: bool) -> str:
    from meeple.core.forfeit import forfeit_of
    from meeple.core.match import Match

    match = Match.from_record(record, manual_chance=True, trust=trust)
    forfeit = forfeit_of(record.result, match.game.seats)
    ranks = forfeit.ranks(match.game.seats) if forfeit else match.state.ranks()
    if record.result is not None and record.result.get("ranks") != ranks:
        return f"WRONG: the record says ranks {record.result.get('ranks')}, the replay {ranks}"
    ending = "ended by a forfeit" if forfeit else "finished" if match.is_over else "not finished"
    return f"replays, {match.ply} moves, {ending}"
