"""Playthroughs: a match written out for a person to read, kept as a test; a change of play shows as a diff."""

from __future__ import annotations

from pathlib import Path

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE
from meeple.core.game import State
from meeple.core.registry import load_game


def playthrough(spec: str, seed: int, every: int = 1) -> str:
    """A random match: position, picture, views and offer at each step, or at each so many; and every event."""
    game = load_game(spec)
    state, rng, number = game.new(seed=seed), rng_for("playthrough", seed=seed), 0
    lines = [f"playthrough {spec} seed {seed}" + (f" every {every}" if every > 1 else ""), ""]
    while True:
        is_told = number % every == 0 or state.is_over
        if is_told:
            lines += [f"--- {number}", *_describe(state)]
        if state.is_over:
            return "\n".join([*lines, f"ranks {state.ranks()}  returns {state.returns()}", ""])
        if state.to_move == CHANCE:
            code = state.fated_outcome()
        else:
            code = rng.choice([int(action) for action in state.legal_actions()])
        if is_told:
            lines.append(_offer(state))
        lines.append(f"* {state.move_text(code)}")
        state, number = state.after(code), number + 1


def asked(text: str) -> tuple[str, int, int]:
    """What the first line of a playthrough asks for: the game, the seed, and how often to tell all."""
    _, spec, _, seed, *rest = text.splitlines()[0].split()
    return spec, int(seed), int(rest[1]) if rest else 1


def rewrite(path: Path) -> bool:
    """Write the playthrough of a file anew from its first line; whether it changed."""
    old = path.read_text(encoding="utf-8")
    new = playthrough(*asked(old))
    path.write_text(new, encoding="utf-8")
    return new != old


def _describe(state: State) -> list[str]:
    seats = range(state.game.seats)
    mover = "chance" if state.to_move == CHANCE else "nobody" if state.is_over else f"seat {state.to_move + 1}"
    views = [f"view {state.text(seat)}" for seat in seats] if state.game.facts.hidden else []
    scores = " ".join(str(state.score(seat)) for seat in seats)
    head = [f"position {state.text()}", *views, f"to move {mover}  round {state.round_index}  scores {scores}"]
    return head if state.to_move == CHANCE else [*head, state.board()]


def _offer(state: State) -> str:
    """What may come next: outcomes with their weights, or the first forty moves."""
    if state.to_move == CHANCE:
        return "outcomes " + ", ".join(
            f"{state.move_text(code)} x{weight}" for code, weight in state.outcomes().items()
        )
    legal = [int(action) for action in state.legal_actions()]
    return f"{len(legal)} legal: " + " ".join(_quote(state.move_text(action)) for action in legal[:40])


def _quote(text: str) -> str:
    return f"'{text}'" if " " in text else text
