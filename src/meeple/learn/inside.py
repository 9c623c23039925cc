"""Games of a search against itself by number, played inside compiled code on several threads.

Game number n is the same whatever was played before it and on whichever thread, so the number of threads (`jobs`)
changes nothing but the time. Compiled code runs without Python's lock: threads are as good as processes here.

The search, or teacher, is alpha-beta, or a tree search: mcts, ismcts or puct. Its work is fixed, nodes or iterations.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from meeple.agents.alphabeta import AlphaBeta
from meeple.agents.base import Agent
from meeple.agents.mcts import Mcts, TreeSearch
from meeple.agents.puct import Puct
from meeple.core.chance import Stream, fate_for, rng_for
from meeple.core.features import FeatureSet
from meeple.core.game import Game
from meeple.core.settings import taken_from
from meeple.errors import ConfigError
from meeple.learn.inside_alphabeta import SEATS, AlphaBetaMemory
from meeple.learn.inside_kernels import OFTEN, Desk, Manner
from meeple.learn.inside_tree import TreeMemory
from meeple.learn.root_noise import mix_priors, new_noise, raise_bounds
from meeple.models.model import usual_view
from meeple.search import alphabeta
from meeple.search.alphabeta import DEEPEST, DEFAULT_NODES, AlphaBetaConfig
from meeple.search.alphabeta_kernels import ENTRY
from meeple.search.control import CONTROL_SIZE
from meeple.search.tables import TranspositionTable
from meeple.search.tree.arrays import new_arrays
from meeple.search.tree.crew import Crew
from meeple.search.tree.knobs import knobs_of
from meeple.search.tree.scratch import new_scratch
from meeple.search.tree.tree import MOST_EDGES_AT_ONCE
from meeple.search.tree.variants import compile_for

CHUNK = 32  # games that a thread plays in one go
MORE_OPENINGS = 4  # random plies at most beyond those with which matches of the game begin
TABLE_BITS = (8, 20)
MOST_ROWS = 1024  # that are recorded of a game
MOST_EDGES_A_NODE = 6  # whose block grows by doubling, and leaves its old places behind


@dataclass(frozen=True)
class PlayedInside:
    """What is learnt from one game."""

    active: NDArray[Any]  # [position, most]: the features that are there, as a seat sees them, then -1
    values: NDArray[np.float32]  # what the search found for the seat, NaN if nothing; beyond PROOF it is a proof
    shares: NDArray[np.float32]  # the seat's win share in the end


class Searcher(Protocol):
    """A search with fixed work, compiled to be asked from compiled code."""

    work: int  # nodes, or iterations

    def kernels(self) -> dict[str, Any]:
        """`think` and `forget`."""

    def memory(self) -> Any:
        """What one thread hands them."""


def searcher_of(game: Game, agent: Agent, *, noise: float = 0.0) -> Searcher:
    """The search of an agent, with this share of noise at its root, from 0 to 1.

    Raises:
        ConfigError: it is of another kind, or its work is not fixed, or it cannot have noise.
    """
    found = _fault(game, agent)
    if found:
        raise ConfigError(f"games of '{agent.spec}' in {game.name} cannot be played inside compiled code: {found}")
    if not isinstance(agent, AlphaBeta):
        if noise and isinstance(agent, TreeSearch) and agent.reward == "bias":
            raise ConfigError(
                f"noise at the root takes the place that '{agent.spec}' has for rewards by bias: leave one"
            )
        return TreeSearcher(game, agent, noise)
    if noise:
        raise ConfigError(f"noise is for the root of trees, and '{agent.spec}' has none: give puct, mcts or ismcts")
    return AlphaBetaSearcher(game, agent)


def _fault(game: Game, agent: Agent) -> str:
    if not isinstance(agent, (AlphaBeta, TreeSearch, Puct)):
        return "give alphabeta, mcts, ismcts or puct"
    if agent.time or agent.cpu:
        return "give nodes=N, depth=N or iterations=N, and no time"
    if isinstance(agent, AlphaBeta):
        is_open = game.seats == SEATS and not game.facts.chance and not game.facts.hidden
        if not is_open or agent.filter != "none" or agent.horizon != "depth":
            return "alpha-beta does so for two seats without chance and secrets, with no filter or horizon; give puct"
        return ""
    if agent.threads > 1 or agent.belief != "none" or agent.final != "robust" or agent.iterations == 0:
        return "give iterations=N, one thread, no belief, and the robust final move"
    has_more = isinstance(agent, TreeSearch) and (agent.playout == "mast" or agent.prior == "bias")
    if has_more or (isinstance(agent, Mcts) and (agent.worlds or agent.extend)) or getattr(agent, "reuse", False):
        return "leave worlds, extend, reuse, playout=mast and prior=bias out"
    return "give one tree: observers=one" if getattr(agent, "observers", "one") != "one" else ""


class AlphaBetaSearcher:
    """Alpha-beta, a table of positions for each seat."""

    def __init__(self, game: Game, agent: AlphaBeta) -> None:
        self.game, self.config = game, taken_from(AlphaBetaConfig, agent)
        self.work = self.config.nodes or (2**62 if self.config.depth else DEFAULT_NODES)

    def kernels(self) -> dict[str, Any]:
        """`think` and `forget`."""
        search_root = alphabeta.compile_for(self.game, self.config).search_root
        compiled = self.game.specialise("meeple.learn.inside_alphabeta", search_root=search_root)
        return {"think": compiled.think, "forget": compiled.forget}

    def memory(self) -> AlphaBetaMemory:
        """What one thread hands them; a table is four times as large as the nodes of a search need it."""
        most = int(self.game.definition.rules.MAX_ACTIONS)
        root = self.game.new().settled()
        low, high = TABLE_BITS
        bits = min(max(int(min(self.work, 1 << high)).bit_length() + 2, low), high)
        first, second = (
            alphabeta.new_scratch(root, self.config, TranspositionTable(np.zeros(1 << bits, dtype=ENTRY), 1))._replace(
                me=seat
            )
            for seat in range(SEATS)
        )
        return AlphaBetaMemory(
            first=first,
            second=second,
            order=np.empty(most, dtype=np.int64),
            values=np.zeros(most),
            bounds=np.zeros(most, dtype=np.bool_),
            depth=self.config.depth or DEEPEST,
        )


class TreeSearcher:
    """mcts, ismcts or puct."""

    def __init__(self, game: Game, agent: Any, noise: float = 0.0) -> None:
        self.game, self.noise = game, noise
        self.config = agent.config(game) if isinstance(agent, Puct) else agent.config()
        self.work = self.config.iterations

    @property
    def n_strata(self) -> int:
        """Classes of worlds that are dealt in proportion; 1: worlds are dealt as chance has it."""
        return int(self.game.functions["STRATA"]) if self.config.strata else 1

    def kernels(self) -> dict[str, Any]:
        """`think` and `forget`."""
        advance = compile_for(self.game, self.config).advance
        bound = {"advance": advance, "STRATIFIED": self.n_strata > 1}
        if self.noise:
            is_puct = self.config.is_puct
            bound |= {"NOISY": True, "give_noise": mix_priors if is_puct else raise_bounds, "FIRST_SLICE": int(is_puct)}
        compiled = self.game.specialise("meeple.learn.inside_tree", **bound)
        return {"think": compiled.think, "forget": compiled.forget}

    def memory(self) -> TreeMemory:
        """What one thread hands them: a tree with room for all iterations."""
        game, config = self.game, self.config
        most = int(game.definition.rules.MAX_ACTIONS)
        nodes = config.iterations * (2 if config.expand == "all" else 1) + 2
        edges = min(nodes * most, MOST_EDGES_AT_ONCE) if config.is_puct else MOST_EDGES_A_NODE * nodes + 64
        weights = dict.fromkeys(range(self.n_strata), 1)
        offer = np.zeros(most, dtype=np.int64)
        return TreeMemory(
            tree=new_arrays(nodes, roots=1, edges=edges),
            scratch=new_scratch(config, game.new().settled(), Stream(1), weights, offer, None),
            control=np.zeros(CONTROL_SIZE, dtype=np.int64),
            knobs=knobs_of(config),
            crew=Crew(np.zeros(3, dtype=np.int64), game.buffer(1), np.zeros((0, 2, game.seats))),
            strata=np.zeros(self.n_strata, dtype=np.int64),
            noise=new_noise(self.noise, config.iterations, config.c, most),
        )


class Inside:
    """Plays the games of one teacher."""

    def __init__(
        self,
        game: Game,
        teacher: Agent,
        features: FeatureSet,
        *,
        stray: float,
        every: int,
        quick: int = 0,
        noise: float = 0.0,
        seed: int,
        jobs: int,
    ) -> None:
        self.game, self.features, self.seed, self.jobs = game, features, seed, jobs
        searcher = searcher_of(game, teacher, noise=noise)
        self.manner = Manner(
            work=searcher.work,
            quick=min(quick or searcher.work, searcher.work),
            openings=1 + game.facts.opening + MORE_OPENINGS,
            stray=round(stray * OFTEN),
            every=every,
            views=1 if usual_view(game) == "mover" else game.seats,
        )
        self.compiled = game.specialise("meeple.learn.inside_kernels", write=features.function, **searcher.kernels())
        self.desks = [(self._desk(), searcher.memory()) for _ in range(jobs)]
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

    def _play_part(self, desk: tuple[Desk, Any], numbers: range) -> list[PlayedInside]:
        return [self._play_one(*desk, number) for number in numbers]

    def _play_one(self, desk: Desk, memory: Any, number: int) -> PlayedInside:
        rng = rng_for("train", "selfplay", "inside", number, seed=self.seed)
        fate = fate_for(rng.below(2**31 - 1))
        n = int(self.compiled.play_game(desk, memory, self.game.option_codes, fate, self.manner, rng.array))
        return PlayedInside(
            desk.active[:n].copy(),
            desk.found[:n].astype(np.float32),
            desk.shares[desk.viewers[:n]].astype(np.float32),
        )

    def _desk(self) -> Desk:
        """The memory of one thread for its match and what is recorded."""
        most, rows = int(self.game.definition.rules.MAX_ACTIONS), MOST_ROWS
        return Desk(
            match=self.game.buffer(1),
            actions=np.empty(most, dtype=np.int64),
            features=self.features.buffer(),
            active=np.full((rows, self.features.most), -1, dtype=index_type(self.features)),
            found=np.zeros(rows),
            viewers=np.zeros(rows, dtype=np.int64),
            shares=np.zeros(self.game.seats),
        )


def index_type(features: FeatureSet) -> Any:
    """The smallest type for the indices of a sparse set, with -1 for none."""
    return np.int16 if features.size <= np.iinfo(np.int16).max else np.int32
