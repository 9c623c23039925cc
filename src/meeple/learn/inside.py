"""Games of alpha-beta against itself by number, played inside compiled code on several threads.

Game number n is the same whatever was played before it and on whichever thread, so the number of threads (`jobs`)
changes nothing but the time. Compiled code runs without Python's lock: threads are as good as processes here.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.alphabeta import AlphaBeta
from meeple.agents.registry import load_agent
from meeple.core.chance import fate_for, rng_for
from meeple.core.features import FeatureSet
from meeple.core.game import Game
from meeple.core.heuristics import Heuristic
from meeple.core.settings import taken_from
from meeple.learn.inside_kernels import OFTEN, SEATS, Desk, Manner
from meeple.models.model import usual_view
from meeple.search import alphabeta
from meeple.search.alphabeta import DEEPEST, DEFAULT_NODES, AlphaBetaConfig
from meeple.search.alphabeta_kernels import ENTRY

CHUNK = 32  # games that a thread plays in one go
MORE_OPENINGS = 4  # random plies at most beyond those with which matches of the game begin
TABLE_BITS = (8, 20)


@dataclass(frozen=True)
class PlayedInside:
    """What is learnt from one game."""

    active: NDArray[Any]  # [position, most]: the features that are there, as the mover sees them, then -1
    values: NDArray[np.float32]  # what the search found for the mover; beyond `alphabeta.PROOF` it is a proof
    shares: NDArray[np.float32]  # the mover's win share in the end


def fits_inside(game: Game, teacher: str) -> bool:
    """Whether games of this teacher can be played inside compiled code: two seats, all open, plain alpha-beta."""
    if game.seats != SEATS or game.facts.chance or game.facts.hidden or usual_view(game) != "mover":
        return False
    agent = load_agent(teacher, game)
    if not isinstance(agent, AlphaBeta):
        return False
    return not (agent.time or agent.cpu or agent.filter != "none" or agent.horizon != "depth")


class Inside:
    """Plays the games of one teacher with one evaluation."""

    def __init__(
        self,
        game: Game,
        teacher: str,
        features: FeatureSet,
        *,
        evaluation: Heuristic | None,
        stray: float,
        every: int,
        seed: int,
        jobs: int,
    ) -> None:
        config = taken_from(AlphaBetaConfig, load_agent(teacher, game))
        if evaluation is not None:
            config.evaluation = evaluation  # type: ignore[assignment]  # a heuristic stands for its name
        self.game, self.config, self.features, self.seed, self.jobs = game, config, features, seed, jobs
        has_limit = config.nodes or config.depth
        self.manner = Manner(
            nodes=config.nodes or (2**62 if has_limit else DEFAULT_NODES),
            depth=config.depth or DEEPEST,
            openings=1 + game.facts.opening + MORE_OPENINGS,
            stray=round(stray * OFTEN),
            every=every,
        )
        self.compiled = game.specialise(
            "meeple.learn.inside_kernels",
            search_root=alphabeta.compile_for(game, config).search_root,
            write=features.function,
        )
        self.desks = [self._desk() for _ in range(jobs)]
        self._ahead: dict[int, PlayedInside] = {}

    def play(self, number: int, end: int) -> PlayedInside:
        """Game `number`. Those after it, up to `end`, are played ahead, a chunk on each thread."""
        if number not in self._ahead:
            self._ahead.clear()
            starts = range(number, min(end, number + self.jobs * CHUNK), CHUNK)
            parts = [range(start, min(end, start + CHUNK)) for start in starts]
            with ThreadPoolExecutor(self.jobs) as threads:
                for part, games in zip(parts, threads.map(self._play_part, self.desks, parts), strict=False):
                    self._ahead.update(zip(part, games, strict=True))
        return self._ahead.pop(number)

    def _play_part(self, desk: Desk, numbers: range) -> list[PlayedInside]:
        return [self._play_one(desk, number) for number in numbers]

    def _play_one(self, desk: Desk, number: int) -> PlayedInside:
        rng = rng_for("train", "selfplay", "inside", number, seed=self.seed)
        fate = fate_for(rng.below(2**31 - 1))
        n = int(self.compiled.play_game(desk, self.game.option_codes, fate, self.manner, rng.array))
        return PlayedInside(
            desk.active[:n].copy(),
            desk.found[:n].astype(np.float32),
            desk.shares[desk.movers[:n]].astype(np.float32),
        )

    def _desk(self) -> Desk:
        """The memory of one thread; a table is four times as large as the nodes of a search need it."""
        most, rows = int(self.game.definition.rules.MAX_ACTIONS), self.game.facts.longest + 1
        root = self.game.new().settled()
        low, high = TABLE_BITS
        bits = min(max(int(min(self.manner.nodes, 1 << high)).bit_length() + 2, low), high)
        first, second = (
            alphabeta.new_scratch(root, self.config)._replace(me=seat, table=np.zeros(1 << bits, dtype=ENTRY))
            for seat in range(SEATS)
        )
        return Desk(
            match=self.game.buffer(1),
            first=first,
            second=second,
            actions=np.empty(most, dtype=np.int64),
            order=np.empty(most, dtype=np.int64),
            values=np.zeros(most),
            bounds=np.zeros(most, dtype=np.bool_),
            features=self.features.buffer(),
            active=np.full((rows, self.features.most), -1, dtype=index_type(self.features)),
            found=np.zeros(rows),
            movers=np.zeros(rows, dtype=np.int64),
            shares=np.zeros(SEATS),
        )


def index_type(features: FeatureSet) -> Any:
    """The smallest type for the indices of a sparse set, with -1 for none."""
    return np.int16 if features.size <= np.iinfo(np.int16).max else np.int32
