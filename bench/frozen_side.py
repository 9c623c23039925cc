"""One side of a match between two versions of Meeple: plays by the code on its own PYTHONPATH, asked by lines of JSON.

`frozen.py` starts two of these, one on today's source and one on that of the frozen commit, so this file uses only what
both versions have. A question is a line on stdin, `{"do": ..., ...}`, its answer a line on stdout:

    begin    game, seed, start (a position, or null) -> the position's marks
    opening  game, seed -> the position at which the games of the seed begin, as text, or null for the first one
    choose   agent, cpu (such as "20ms", or "") -> the move as text, and the seconds of CPU time that it took
    play     move -> the position's marks

Both sides keep the whole match, and each agent is asked by `ask`, which shows it only what its seat may know.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from typing import Any

from meeple.agents.base import Agent, ask
from meeple.agents.registry import find_agent, load_agent, resolve
from meeple.arena.openings import random_opening
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.readiness import waited_until_ready
from meeple.core.registry import load_game
from meeple.core.settings import settings_of
from meeple.core.spec import Spec


class Side:
    """The match at hand, and the agents loaded so far."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self.agents: dict[tuple[str, str, str], Agent] = {}
        self.match: Match | None = None

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question."""
        match question["do"]:
            case "opening":
                start = random_opening(self.game(question["game"]), question["seed"])
                return {"start": start.text() if start else None}
            case "begin":
                self.match = Match(self.game(question["game"]), seed=question["seed"], start=question["start"])
                return self.marks()
            case "choose":
                return self.choose(question["agent"], question["cpu"])
            case "play":
                assert self.match is not None
                self.match.play(question["move"])
                return self.marks()
        raise ValueError(f"no question '{question['do']}'")

    def game(self, spec: str) -> Game:
        """The game of a spec, loaded once."""
        if spec not in self.games:
            self.games[spec] = load_game(spec)
        return self.games[spec]

    def choose(self, spec: str, cpu: str) -> dict[str, Any]:
        """The move of an agent; time in which code is compiled or loaded does not count."""
        assert self.match is not None
        game = self.match.game
        key = (game.spec, spec, cpu)
        if key not in self.agents:
            self.agents[key] = load_agent(limited(spec, cpu, game), game)
        began, waited = time.process_time(), waited_until_ready().cpu
        action = ask(self.agents[key], self.match)
        spent = time.process_time() - began - (waited_until_ready().cpu - waited)
        return {"move": self.match.state.move_text(action), "cpu": spent}

    def marks(self) -> dict[str, Any]:
        """What must be the same on both sides, and how the game ended if it has."""
        assert self.match is not None
        state = self.match.state
        over = self.match.is_over
        codes = [] if over else state.legal_actions().tolist()
        facts = [
            self.match.game.facts.version,
            state.to_move,
            codes,
            [state.score(seat) for seat in range(self.match.game.seats)],
        ]
        digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        return {
            "to_move": state.to_move,
            "seats": self.match.game.seats,
            "marks": digest,
            "shares": [float(share) for share in state.win_shares()] if over else None,
        }


def limited(spec: str, cpu: str, game: Game) -> Spec:
    """The spec with so much CPU time a move in the place of every other limit; as it is where it takes none."""
    whole = resolve(spec, game.definition)
    known = {one.name for one in settings_of(find_agent(whole.name))}
    if not cpu or "cpu" not in known:
        return whole
    unlimited = {name: "0" for name in ("iterations", "nodes") if name in known}
    return Spec(whole.name, whole.settings | unlimited | {"cpu": cpu})


def main() -> None:
    """Answer until stdin ends; what goes wrong is an answer too."""
    side = Side()
    for line in sys.stdin:
        try:
            answer = side.answer(json.loads(line))
        except Exception as fault:
            answer = {"error": f"{type(fault).__name__}: {fault}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
