"""Feed a game mutated positions, records and bytes; each must be refused in words or be played on from to the end.

`python fuzzing.py GAME TEXTS RECORDS BYTES SEED` does that and prints how many of each were refused and played on, and
how many texts that once broke something (known.py) are refused. It is run with NUMBA_BOUNDSCHECK=1 in a process of its
own: an access out of bounds raises, a loop without end is seen by the caller's clock. What is being tried stands in the
file that FUZZ_NOTE names, so that a crash can be told.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from meeple.core.chance import Stream, rng_for
from meeple.core.conformance.asked import chosen_by, kept_by
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game, State
from meeple.core.heuristics import heuristics_of
from meeple.core.match import Match
from meeple.core.ranges import outside
from meeple.core.record import parse_record
from meeple.core.registry import find_definition, load_game
from meeple.errors import MeepleError

sys.path.insert(0, str(Path(__file__).parent))
from known import refusals
from mutations import mutated, mutated_bytes

MATCHES = 6  # of each variant, from which positions are taken
POSITIONS = 8  # of each match
LONGEST_ERROR = 1_500  # letters: an error is to be read


def bases(game: Game, rng: Stream) -> list[tuple[State, list[int]]]:
    """Positions of random play, each with the few events that led there."""
    found = []
    for _ in range(MATCHES):
        state, walk = game.new(seed=rng.below(1 << 30)), list[tuple[State, int]]()
        while (mover := state.to_move) != NOBODY:
            code = state.fated_outcome() if mover == CHANCE else int(rng.choice(state.legal_actions()))
            walk.append((state, code))
            state = state.after(code)
        for _ in range(POSITIONS - 1):
            at = rng.below(len(walk))
            found.append((walk[at][0], [code for _, code in walk[at : at + 8]]))
        found.append((state, []))
    return found


def record_text(state: State, codes: list[int]) -> str:
    """A match that begins at `state`, with some moves."""
    match = Match(state.game, seed=7, start=state, manual_chance=True)
    for code in codes:
        match.play(code)
    return match.record(["random", "greedy"]).text()


def play_on(state: State, rng: Stream) -> None:
    """Play to the end at random, and ask along the way what a page and an agent ask: texts, pictures, heuristics."""
    game, n_events = state.game, 0
    while (mover := state.to_move) != NOBODY:
        n_events += 1
        assert n_events <= game.facts.longest, f"no end after {n_events} events"
        wrong = outside(state.array, game.ranges, game.first)
        assert not wrong, wrong
        if n_events % 16 == 1:
            ask(state, rng)
        if mover == CHANCE:
            code = int(rng.choice(list(state.outcomes())))
        else:
            world = state.redealt(mover, rng)
            world.legal_actions()
            if n_events % 16 == 1:
                ask_heuristics(world, rng)
            code = int(rng.choice(state.legal_actions()))
        state = state.after(code)
    ask(state, rng)
    state.ranks(), state.returns()
    for seat in range(game.seats):
        state.role_results(seat)


def ask_heuristics(state: State, rng: Stream) -> None:
    """What an opponent or a hint would ask at a decision, in a world dealt for the mover."""
    game, seat, legal = state.game, state.to_move, state.legal_actions()
    for heuristic in heuristics_of(game, "EVALUATIONS").values():
        assert np.isfinite(heuristic(state.copy().record, np.int64(seat)))
    for kind in ("ORDERINGS", "BIASES"):
        for heuristic in heuristics_of(game, kind).values():
            assert np.isfinite(heuristic(state.copy().record, np.int64(rng.choice(legal))))
    for heuristic in heuristics_of(game, "FILTERS").values():
        n, out = kept_by(heuristic, state.copy().record, game, legal)
        assert 0 < n <= len(legal)
        assert set(out[:n].tolist()) <= set(legal.tolist())
    for heuristic in heuristics_of(game, "PLAYOUTS").values():
        assert chosen_by(heuristic, state.copy().record, game, rng)[0] in legal


def ask(state: State, rng: Stream) -> None:
    """Texts, boards and pictures of all who look, and worlds that they cannot tell apart."""
    for seat in (None, NOBODY, *range(state.game.seats)):
        if seat is not None:
            redealt = state.redealt(seat, rng)
            assert not state.game.fault_of(redealt.array), state.game.fault_of(redealt.array)
        state.text(seat)
        state.board(seat)
    seat = rng.below(state.game.seats)
    state.score(seat)
    if state.game.definition.picture is not None:
        state.picture(seat)


def attempt(make: Callable[[], State], rng: Stream) -> str:
    """`refused` or `played`."""
    try:
        state = make()
    except MeepleError as fault:
        if not 0 < len(str(fault)) < LONGEST_ERROR:
            raise AssertionError(f"an error of {len(str(fault))} letters") from fault
        return "refused"
    play_on(state, rng)
    return "played"


def variants(name: str, rng: Stream, most: int = 4) -> list[Game]:
    """The usual game, and some of its variants."""
    found = find_definition(name).variants()
    chosen = [rng.choice(found) for _ in range(most - 1)]
    games = [load_game(name)]
    for words in chosen:
        games.append(load_game(name + ":" + ",".join(f"{key}={word}" for key, word in words.items())))
    return list({game.spec: game for game in games}.values())


def fuzz(name: str, n_texts: int, n_records: int, n_bytes: int, seed: int) -> dict[str, dict[str, int]]:
    """How many of each kind were refused, and how many played on; raises at the first fault."""
    rng = rng_for("fuzz", name, seed=seed)
    note = os.environ.get("FUZZ_NOTE", os.devnull)
    counts = {kind: {"refused": 0, "played": 0} for kind in ("texts", "records", "bytes")}
    games = variants(name, rng)

    def test(kind: str, what: str, make: Callable[[], State]) -> None:
        Path(note).write_text(what)
        try:
            counts[kind][attempt(make, rng)] += 1
        except Exception as fault:
            raise AssertionError(f"{kind}: {what!r}") from fault

    for number, game in enumerate(games):
        found = bases(game, rng)
        texts = [state.text(rng.choice((None, None, NOBODY, 0))) for state, _ in found]
        for _ in range(share(n_texts, len(games), number)):
            text = mutated(rng.choice(texts), texts, rng)
            test("texts", f"{game.spec} {text}", lambda game=game, text=text: game.read(text))
        records = [record_text(state, codes) for state, codes in found]
        for _ in range(share(n_records, len(games), number)):
            text = mutated(rng.choice(records), records, rng)
            test("records", text, lambda text=text: Match.from_record(parse_record(text)).state)
        data = [state.to_bytes() for state, _ in found]
        for _ in range(share(n_bytes, len(games), number)):
            one = mutated_bytes(rng.choice(data), data, rng)
            test("bytes", f"{game.spec} {one.hex()}", lambda game=game, one=one: game.from_bytes(one))
    return counts


def share(n: int, parts: int, number: int) -> int:
    """The size of part `number` where n is dealt to so many parts."""
    return n // parts + (number < n % parts)


if __name__ == "__main__":
    known = len(refusals([sys.argv[1]]))
    print(json.dumps({"known": known} | fuzz(sys.argv[1], *(int(word) for word in sys.argv[2:6]))))
