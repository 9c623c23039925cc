"""The process in which a tournament of the page is played: `python -m meeple.web.tournament_process`.

It reads its plan from the first line of stdin, and stops when stdin ends: when the page stops it, and when the server
is gone. It tells on stdout, a line of JSON each:

    {"counted": 12, "wanted": 100, "boards": [...]}   how far it is, and the games that are being played now
    {"end": "done"}                                   or "stopped", at the end
    {"fault": "why"}                                  where it cannot go on; what is stored is safe
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from meeple.arena.store import Store
from meeple.arena.tournament import Ledger, play_tournament
from meeple.arena.workers import AnyCrew
from meeple.errors import MeepleError, brief
from meeple.web.tournament_plan import Plan, plan_of

TELL_EVERY = 0.5  # seconds
NICE = 10  # whoever plays at the page comes first


def main() -> None:
    """Play the plan to its end, or until stdin ends."""
    with suppress(OSError, AttributeError):
        os.nice(NICE)
    told = json.loads(sys.stdin.readline())
    try:
        threading.Thread(target=_stop_with_stdin, daemon=True).start()  # stdin may have ended by now
        tell(end=play(plan_of(told["plan"]), Path(told["store"])))
    except KeyboardInterrupt:  # before the first game
        tell(end="stopped")
    except MeepleError as fault:
        tell(fault=str(fault))
    except Exception as fault:
        tell(fault=brief(fault))


def play(plan: Plan, path: Path) -> str:
    """Play what is missing into the store; "done" or "stopped"."""
    tournament, last = plan.prepared(), [0.0]

    def on_look(ledger: Ledger, crew: AnyCrew) -> None:
        now = time.monotonic()
        if now >= last[0] + TELL_EVERY:
            last[0] = now
            tell(counted=ledger.games_counted, wanted=ledger.games_wanted, boards=boards(crew))

    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=plan.workers, on_look=on_look)
    return "stopped" if outcome.was_stopped else "done"


def boards(crew: AnyCrew) -> list[dict[str, Any]]:
    """The games that are being played: which, by whom, and the position with all that is hidden."""
    found = []
    for job, codes in crew.at_play():
        match = crew.player.replayed(job, codes)
        agents = [crew.setup.agents[number] for number in job.seated]
        found.append({"game": job.key.text(), "agents": agents, "ply": match.ply, "position": match.state.text()})
    return found


def tell(**line: Any) -> None:
    """Send the server a line."""
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except OSError:  # the server is gone
        signal.raise_signal(signal.SIGINT)


def _stop_with_stdin() -> None:
    sys.stdin.read()
    if os.name == "nt":  # where os.kill ends the process at once, with the games that are not yet stored
        signal.raise_signal(signal.SIGINT)
    else:  # which wakes the main thread from what it waits for
        os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
