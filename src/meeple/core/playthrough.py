"""Playthroughs: a match written out for a person to read, kept as a test; a change of play shows as a diff."""

from __future__ import annotations

from pathlib import Path

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE
from meeple.core.game import State
from meeple.core.registry import load_game


def playthrough(spec: str, seed: int) -> str:
    """A random match in full: position, picture, views, offer and the event at each step."""
    game = load_game(spec)
    state, rng, number = game.new(seed=seed), rng_for("playthrough", seed=seed), 0
    lines = [f"playthrough {spec} seed {seed}", ""]
    while True:
        lines += [f"--- {number}", *_describe(state)]
        if state.is_over:
            return "\n".join([*lines, f"ranks {state.ranks()}  returns {state.returns()}", ""])
        if state.to_move == CHANCE:
            code = state.fated_outcome()
            lines.append(
                "outcomes " + ", ".join(f"{state.move_text(c)} x{weight}" for c, weight in state.outcomes().items())
            )
        else:
            legal = [int(action) for action in state.legal_actions()]
            code = rng.choice(legal)
            lines.append(f"{len(legal)} legal: " + " ".join(_quote(state.move_text(action)) for action in legal[:40]))
        lines.append(f"* {state.move_text(code)}")
        state, number = state.after(code), number + 1


def rewrite(path: Path) -> bool:
    """Write the playthrough of a file anew from its first line; whether it changed."""
    old = path.read_text()
    _, spec, _, seed = old.splitlines()[0].split()
    new = playthrough(spec, int(seed))
    path.write_text(new)
    return new != old


def _describe(state: State) -> list[str]:
    seats = range(state.game.seats)
    mover = "chance" if state.to_move == CHANCE else "nobody" if state.is_over else f"seat {state.to_move + 1}"
    views = [f"view {state.text(seat)}" for seat in seats] if state.game.facts.hidden else []
    scores = " ".join(str(state.score(seat)) for seat in seats)
    head = [f"position {state.text()}", *views, f"to move {mover}  round {state.round_index}  scores {scores}"]
    return head if state.to_move == CHANCE else [*head, state.board()]


def _quote(text: str) -> str:
    return f"'{text}'" if " " in text else text
