"""How much thinking fits a time on this machine: iterations, playouts, nodes, worlds or plies."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean

from meeple.agents.base import Agent, ask
from meeple.agents.registry import find_agent, load_agent, presets_of
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError

EFFORTS = ("iterations", "playouts", "nodes", "depth", "worlds")  # settings that cost time, the likeliest first
DEEPEST = 64  # plies; a game that ends before costs no more the deeper it is looked into
MOST = 2**30
POSITIONS = 8


@dataclass(frozen=True)
class Calibration:
    """The greatest value of a setting whose mean time a move fits."""

    spec: str
    setting: str
    value: int
    seconds: float  # a move, on average: by the wall, or of CPU time where that was fitted


def calibrate(
    game: Game,
    spec: str,
    seconds: float,
    *,
    setting: str = "",
    clock: Callable[[], float] = time.perf_counter,
    on_try: Callable[[str], None] = lambda text: None,
) -> Calibration:
    """Double the effort until a move takes longer than `seconds` on average, then narrow it down.

    `clock` is read before and after each move: the wall's, or `time.process_time` for CPU time, which other work on
    the machine does not change.
    """
    parsed = parse_spec(spec)
    presets = presets_of(game)
    if parsed.name in presets:
        preset = parse_spec(presets[parsed.name][0])
        parsed = Spec(preset.name, preset.settings | parsed.settings)
    known = [f.name for f in settings_of(find_agent(parsed.name))]
    choices = [name for name in EFFORTS if name in known]
    if setting and setting not in known:
        raise ConfigError(f"agent '{parsed.name}' has no setting '{setting}' to vary")
    if not setting and not choices:
        raise ConfigError(f"agent '{parsed.name}' has no setting that costs time; nothing is to be calibrated")
    name = setting or next((choice for choice in choices if choice in parsed.settings), choices[0])
    matches = _positions(game)

    def timed(value: int) -> float:
        varied = Spec(parsed.name, parsed.settings | {name: str(value)})
        on_try(str(varied))
        agent = load_agent(varied, game)
        return mean(_seconds(agent, match, clock) for match in matches)

    timed(1)  # compile
    low, high, best = 0, 1, 0.0
    limit = DEEPEST if name == "depth" else MOST
    while high <= limit and (spent := timed(high)) <= seconds:
        low, best, high = high, spent, (high + 1 if name == "depth" else 2 * high)
    while high <= limit and high - low > max(1, low // 20):  # within 5%
        middle = (low + high) // 2
        spent = timed(middle)
        if spent <= seconds:
            low, best = middle, spent
        else:
            high = middle
    return Calibration(str(Spec(parsed.name, parsed.settings | {name: str(low)})), name, low, best)


def _seconds(agent: Agent, match: Match, clock: Callable[[], float]) -> float:
    began = clock()
    ask(agent, match)
    return clock() - began


def _positions(game: Game) -> list[Match]:
    """Decisions spread over random matches."""
    found = []
    for seed in range(POSITIONS):
        match, rng = Match(game, seed=seed), rng_for("calibrate", seed=seed)
        for _ in range(2 + 4 * seed):
            if not match.is_over:
                match.play(int(rng.choice(match.state.legal_actions())))
        if match.is_over:
            match.undo()
        found.append(match)
    return found
