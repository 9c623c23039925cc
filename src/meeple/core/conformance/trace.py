"""Matches as digests, so that compiled code can be held to interpreted code in another process.

`python -m meeple.core.conformance.trace` reads a JSON list of [spec, seed, event] from stdin and prints a last line of
JSON with an answer to each. Where the event is null, that is the match as a list of digests, one an event; else it is
all that the rules said at that event, function by function.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from meeple.core.chance import Stream, rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.features import feature_sets
from meeple.core.game import Game, State
from meeple.core.registry import load_game
from meeple.errors import ContractError, brief

BROKE = "broke: "
MARK = "traces: "  # before the line of JSON, since rules under work may print too
Answers = dict[str, Any]  # by the name of a function: what it answered, or the state that it left


def trace(game: Game, seed: int) -> list[str]:
    """One random match: after each event a digest of what the rules said; where they raise, a last entry says what."""
    digests: list[str] = []
    try:
        for said in _play(game, seed):
            values = [value.to_bytes().hex() if isinstance(value, State) else value for value in said.values()]
            digests.append(hashlib.sha1(repr(values).encode()).hexdigest()[:12])
    except Exception as fault:
        digests.append(f"{BROKE}{brief(fault)}")
    return digests


def answers_at(game: Game, seed: int, event: int) -> Answers:
    """What the rules said at one event of that match, a state field by field."""
    said = next(islice(_play(game, seed), event, None), {})
    return {name: _fields(value) if isinstance(value, State) else value for name, value in said.items()}


def difference(compiled: Answers, interpreted: Answers) -> str:
    """The first answer in which two runs differ: the function, the field or place, and both values."""
    for name in compiled:
        found = _differing(name, compiled[name], interpreted.get(name))
        if found:
            return found
    return "one of the two ends here"


def _differing(place: str, one: Any, other: Any) -> str:
    if one == other:
        return ""
    if isinstance(one, dict) and isinstance(other, dict):
        return next((found for key in one if (found := _differing(f"{place}: {key}", one[key], other.get(key)))), "")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next(found for i, (a, b) in pairs if (found := _differing(f"{place}[{i}]", a, b)))
    return f"{place} is {one} compiled and {other} interpreted"


def _fields(state: State) -> dict[str, Any]:
    return {name: state.record[name].tolist() for name in state.array.dtype.names or ()}


def _play(game: Game, seed: int) -> Iterator[Answers]:
    """Play one random match and tell at each event what the rules say, in the order in which a fault spreads."""
    state, rng = game.new(seed=seed), rng_for("trace", seed=seed)
    made_by = "new_game"
    for number in range(game.facts.longest + 1):
        mover = state.to_move
        said: Answers = {made_by: state, "to_move": mover, "round_index": state.round_index}
        said["score"] = [state.score(seat) for seat in range(game.seats)]
        redealer = rng_for("trace-redeal", number, seed=seed)
        seat = redealer.below(game.seats + 1)
        said["redeal"] = state.redealt(seat if seat < game.seats else NOBODY, redealer)
        code = -1
        if mover == NOBODY:
            said |= {"ranks": state.ranks(), "win_shares": state.win_shares()}
        elif mover == CHANCE:
            said["chance_weights"] = [[outcome, weight] for outcome, weight in state.outcomes().items()]
            said["chance_key"] = int(game.face.chance_key_at(state.array, 0))
            code = said["the outcome drawn"] = state.fated_outcome()
        else:
            said["legal_actions"] = [int(action) for action in state.legal_actions()]
            if not said["legal_actions"]:
                raise ContractError(
                    f"legal_actions gave none while to_move says seat {mover}: end the game, or let it pass"
                )
            code = rng.choice(said["legal_actions"])
            said |= _features(state, redealer)
        yield said
        if mover == NOBODY:
            return
        state, made_by = state.after(code), "apply"


def _features(state: State, rng: Stream) -> Answers:
    """One of the game's sets of features for one seat, by lot."""
    sets = feature_sets(state.game)
    if not sets:
        return {}
    name, seat = rng.choice(sorted(sets)), rng.below(state.game.seats)
    return {f"features '{name}' of seat {seat}": sets[name].of(state, seat).tolist()}


def main() -> None:
    """Print the answer to each question on stdin."""
    games: dict[str, Game] = {}
    answers: list[Any] = []
    for spec, seed, event in json.load(sys.stdin):
        games[spec] = games.get(spec) or load_game(spec)
        answers.append(trace(games[spec], seed) if event is None else answers_at(games[spec], seed, event))
    print(f"\n{MARK}{json.dumps(answers)}")


if __name__ == "__main__":
    main()
