"""A table as it is kept on disk, and back: plain data, the match in it as the lines of a record.

head     all but the events: short, written anew at each change
events   a line each, as they stand in a record; only new ones are written
body     both together, as it is read
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from meeple.core.forfeit import Forfeit, forfeit_of
from meeple.core.match import Match, Step
from meeple.core.numbers import shortened
from meeple.core.record import parse_record
from meeple.errors import RecordError, brief
from meeple.web.clock import Clock
from meeple.web.seats import Seat
from meeple.web.table import Table


def head_of(table: Table) -> dict[str, Any]:
    """The table as it is saved, but for its events."""
    record = table.record(events=False)
    return {
        "key": table.key,
        "owner": table.owner,
        "owner_token": table.owner_token,
        "spectator_token": table.spectator_token,
        "seats": [asdict(seat) for seat in table.seats],
        "clock": asdict(table.clock) if table.clock else None,
        "left": table.times.left,
        "is_replay": table.is_replay,
        "is_guided": table.is_guided,
        "is_study": table.is_study,
        "is_unhurried": table.is_unhurried,
        "is_paused": table.is_paused,
        "pace": table.pace,
        "rematch": table.rematch,
        "arrived": sorted(table.arrived),
        "helped": table.helped,
        "began_at": table.began,
        "ended_at": table.ended or None,
        "head": record.header(),
        "result": record.result,
        "n_events": len(table.match.steps),
        "n_moves": table.match.ply,
        "winners": table.winners() if table.is_over else None,
    }


def lines_of(steps: Sequence[Step]) -> list[str]:
    """Events as they are saved."""
    return [json.dumps(step.event().line()) for step in steps]


def with_events(head: dict[str, Any], lines: Sequence[str]) -> dict[str, Any]:
    """The whole body: the head with the record that its events make. One of an earlier version has it in it.

    Raises:
        RecordError: there are more events, or fewer, than the head says.
    """
    if not isinstance(head, dict) or "record" in head or "head" not in head:
        return head
    if head.get("n_events") != len(lines):
        raise RecordError(
            f"a saved table is damaged: it has {len(lines)} events of {shortened(str(head.get('n_events')))}"
        )
    end = [json.dumps({"result": head["result"]})] if head.get("result") is not None else []
    return head | {"record": "".join(f"{line}\n" for line in [json.dumps(head["head"]), *lines, *end])}


def body_of(table: Table) -> dict[str, Any]:
    """The whole table as it is saved."""
    return with_events(head_of(table), lines_of(table.match.steps))


def game_of(head: dict[str, Any]) -> str:
    """The name of the game that is played at a saved table."""
    header = head["head"] if "head" in head else json.loads(head["record"].splitlines()[0])
    return str(header["game"].partition(":")[0])


def moves_of(head: dict[str, Any]) -> int:
    """How many moves were made at a saved table."""
    return int(head["n_moves"]) if "n_moves" in head else int(head["record"].count('"move"'))


def table_of(body: dict[str, Any]) -> Table:
    """The table that was saved.

    Raises:
        MeepleError: what was saved is damaged, or of a game that is not here any more.
    """
    try:
        return _table_of(body)
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        raise RecordError(f"a saved table is damaged: {brief(fault)}") from fault


def _table_of(body: dict[str, Any]) -> Table:
    record = parse_record(body["record"])
    match = Match.from_record(record, trust=True)  # our own file: what is in it was let in when it was played
    table = Table(
        match.game,
        [Seat(**seat) for seat in body["seats"]],
        owner=body["owner"],
        clock=Clock(**body["clock"]) if body["clock"] else None,
        match=match,
        is_replay=body["is_replay"],
        is_guided=body["is_guided"],
        is_study=body["is_study"],
        is_unhurried=body.get("is_unhurried", False),
    )
    table.key, table.times.left = body["key"], list(body["left"])
    table.forfeit = forfeit_of(record.result, match.game.seats) or _ended_earlier(body)
    table.owner_token, table.spectator_token = body["owner_token"], body["spectator_token"]
    table.helped, table.began = str(body.get("helped", "")), float(body.get("began_at") or table.began)
    table.arrived = {int(seat) for seat in body.get("arrived", range(match.game.seats))}
    table.comments = record.comments
    table.rematch = dict(body.get("rematch", {}))
    table.ended = float(body.get("ended_at") or 0.0)
    table.is_paused, table.pace = body["is_paused"] and not table.people, body["pace"]
    for seat, saved in zip(table.seats, body["seats"], strict=True):
        seat.token = saved["token"]
    return table


def _ended_earlier(body: dict[str, Any]) -> Forfeit | None:
    """How a table ended whose record does not say it: one saved by the first version of the page."""
    ended = body.get("ended")
    return Forfeit(ended["seat"], f"seat {ended['seat'] + 1} {ended['reason']}") if ended else None
