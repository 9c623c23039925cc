"""Who judges: the game's strongest agent, asked for the value of a position to every seat, after a given move or not.

Values are win shares in 0..1, one a seat. Two kinds of worlds:

- *known*: dealt anew at each iteration for the seat whose move is judged. Losses are judged in these alone.
- *true*: hidden cards as they really lay, chance drawn anew. Luck, and what nobody could know, are judged in these.

A judge that is a tree search is asked by trees of its own loop that all begin with the move in question, so that the
best move and the played one get equal effort. Any other agent that searches is asked once for the values of all moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent, Turn, believed_by, pose, streams_of
from meeple.agents.levels import judge_spec
from meeple.agents.mcts import TreeSearch
from meeple.agents.puct import Puct
from meeple.agents.registry import load_agent, resolve
from meeple.core.chance import Stream, fresh_fate, rng_for
from meeple.core.contract import NOBODY
from meeple.core.game import Game, State
from meeple.core.heuristics import Heuristic, first_evaluation
from meeple.core.spec import Spec
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search.result import SearchResult
from meeple.search.strata import Weights
from meeple.search.tree.arrays import IS_SOLVED, ROOT
from meeple.search.tree.dealing import NO_LEAD
from meeple.search.tree.grow import grow
from meeple.search.tree.proofs import WON, settled
from meeple.search.tree.settings import MctsConfig
from meeple.search.tree.tree import Tree
from meeple.search.tree.variants import policy_of

Floats = NDArray[np.float64]
LEAST_ITERATIONS = 8


@dataclass(frozen=True)
class Question:
    """A position of a match at which a seat is to move, as the match really stood."""

    state: State  # the true world
    ply: int
    seen: tuple[int, ...] = ()  # the match so far as the seat to move saw it
    seed: int = 0  # of the analysis: from it and `ply` all lots are drawn
    is_guessed: bool = False  # nobody knows the true world (core/entry.py): `state` is one that fits

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.state.to_move

    def rng(self, purpose: str, *parts: object) -> Stream:
        """The stream for a purpose at this position."""
        return rng_for("analysis", purpose, self.ply, *parts, seed=self.seed)


class Judge(Protocol):
    """What an analysis asks of whoever judges."""

    spec: str  # the agent behind it, without a limit of work
    policy: Heuristic | None  # who plays games out for points; None: random moves

    def search(self, question: Question, number: int, iterations: int) -> SearchResult:
        """Search all moves, independently for each `number`."""
        ...

    def known(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """The value after each action, [action, seat], in worlds dealt for the mover; the same lots for all."""
        ...

    def true(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """The same in the true world, with chance drawn anew."""
        ...

    def value(self, state: State, rng: Stream, iterations: int, *, seat: int | None = None) -> Floats:
        """What the position is worth to each seat: in the true world, or in worlds dealt for `seat`."""
        ...


def find_judge(game: Game, spec: str = "") -> Judge:
    """The judge of a game: its strongest agent, or the one that `spec` names.

    Raises:
        UnsupportedGameError: the agent is no tree search, and there are more than two seats.
    """
    agent = load_agent(spec or judge_spec(game.definition, seats=game.seats), game)
    if isinstance(agent, (TreeSearch, Puct)):
        return TreeJudge(agent, game)
    if game.seats > 2:
        raise UnsupportedGameError(
            f"'{agent.spec}' tells what a move brings its mover alone: with {game.seats} seats give a judge that is a "
            "tree search, such as ismcts"
        )
    return PlainJudge(agent, game, has_limit=bool(spec))


def prove(question: Question, nodes: int) -> dict[int, int]:
    """Moves proven won after n plies at the latest (n), or lost (-n), by alpha-beta; none where nothing can be proven.

    Wins and losses are proven in games for two without chance and secrets.
    """
    game = question.state.game
    if game.seats != 2 or game.facts.chance or game.facts.hidden:
        return {}
    prover = load_agent(f"alphabeta:nodes={nodes},evaluation={first_evaluation(game)}", game)  # the first: it is quick
    result = _asked(prover, question, 0)
    return {int(action): int(proof) for action, proof in zip(result.actions, result.proofs, strict=True) if proof}


def _asked(agent: Agent, question: Question, number: int) -> SearchResult:
    """What the agent answers, asked as in a match; its lots follow from the question's seed and `number`."""
    found: list[SearchResult] = []
    salt = number.to_bytes(16, "little") if number else b""
    pose(
        agent,
        question.state,
        ply=question.ply,
        streams=streams_of(agent, question.seat, question.seed, salt),
        seen=lambda: question.seen,
        report=found.append,
        wants_values=True,
    )
    if not found:
        raise ConfigError(f"'{agent.spec}' does not say what it thinks of moves; give a judge that searches")
    if np.isnan(found[-1].value):
        raise ConfigError(f"'{agent.spec}' does not weigh moves by what they bring; give a judge that searches")
    return found[-1]


class TreeJudge:
    """A judge that is a tree search."""

    def __init__(self, agent: TreeSearch | Puct, game: Game) -> None:
        self.game = game
        self.agent = agent
        self.spec = unlimited(agent.spec, game)
        self.config = self._config()
        self.policy = None if self.config.is_puct else policy_of(game, self.config)

    def _config(self) -> MctsConfig:
        """The agent's settings, for one tree that deals worlds anew."""
        first = self.game.new(fate=0)
        config = self.agent.config_for(Turn(state=first, seat=0, ply=0, rng=Stream(0)))
        is_hiding = config.fresh_worlds or (self.game.facts.hidden and not config.is_puct)
        return replace(config, time=0.0, cpu=0.0, worlds=0, extend=0, reuse=False, threads=1, fresh_worlds=is_hiding)

    def search(self, question: Question, number: int, iterations: int) -> SearchResult:
        """By the agent as it plays, with so many iterations."""
        agent = replace(self.agent, iterations=iterations, time=0.0, cpu=0.0, threads=1)
        agent.spec = self.agent.spec
        return _asked(agent, question, number)

    def known(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """A tree for each action, all with the same stream."""
        weights = self._believed(question)
        word = fresh_fate(question.rng("known", number).array)
        state, seat = question.state, question.seat
        rows = [self._grown(state, seat, action, False, Stream(word), iterations, weights) for action in actions]
        return np.array(rows)

    def true(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """The same, hands as they are."""
        word = fresh_fate(question.rng("true", number).array)
        state, seat = question.state, question.seat
        return np.array([self._grown(state, seat, action, True, Stream(word), iterations) for action in actions])

    def value(self, state: State, rng: Stream, iterations: int, *, seat: int | None = None) -> Floats:
        """By a tree from the position itself, where chance may be to move."""
        if state.is_over:
            return np.array(state.win_shares())
        asked = max(state.to_move, 0) if seat is None else seat
        return self._grown(state, asked, NO_LEAD, seat is None, rng, iterations)

    def _believed(self, question: Question) -> Weights | None:
        if self.agent.belief == "none":
            return None
        rng = question.rng("belief")
        world = question.state.redealt(question.seat, rng)
        turn = Turn(state=world, seat=question.seat, ply=question.ply, rng=rng, seen=question.seen)
        return believed_by(self.agent.belief, turn)

    def _grown(
        self,
        state: State,
        seat: int,
        lead: int,
        sees_all: bool,
        rng: Stream,
        iterations: int,
        weights: Weights | None = None,
    ) -> Floats:
        """The mean win shares over a tree's iterations, kept away from 0 and 1 unless they are proven."""
        iterations = max(iterations, LEAST_ITERATIONS)
        config = replace(self.config, iterations=iterations)
        tree = Tree(state, config, rng, weights=weights, seat=seat, lead=lead, sees_all=sees_all)
        tree.make_ready()
        grow([tree], iterations, lambda: False, 1)
        if tree.used[IS_SOLVED]:
            below = state if lead == NO_LEAD else state.after(lead)
            is_won = int(settled(tree.nodes, tree.arrays.edges, ROOT)) == WON
            return np.array([float((place == below.to_move) == is_won) for place in range(2)])
        if lead != NO_LEAD and not (self.game.facts.chance or self.game.facts.hidden):
            after = state.after(lead)
            if after.is_over:
                return np.array(after.win_shares())
        return np.asarray((tree.shares * tree.done + tree.shares.mean()) / (tree.done + 1))


class PlainJudge:
    """A judge that answers with the values of all moves to their mover, in a game for one or two."""

    def __init__(self, agent: Agent, game: Game, *, has_limit: bool) -> None:
        self.game = game
        self.agent = agent
        self.spec = agent.spec if has_limit else unlimited(agent.spec, game)
        self.policy: Heuristic | None = None

    def search(self, question: Question, number: int, iterations: int) -> SearchResult:
        """By the agent as it plays: its limits are its own."""
        return _asked(self.agent, question, number)

    def known(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """The values of one search; a move that it did not weigh has the least of the others."""
        result = self.search(question, number + 1, iterations)
        values = dict(zip(result.actions.tolist(), result.values.tolist(), strict=True))
        least = float(np.nanmin(result.values))
        shares = [0.5 + 0.5 * (least if np.isnan(values.get(a, np.nan)) else values[a]) for a in actions]
        return np.array([self._for_all(share, question.seat) for share in shares])

    def true(self, question: Question, actions: Sequence[int], number: int, iterations: int) -> Floats:
        """What lies hidden is not asked of such a judge: the same as `known`."""
        return self.known(question, actions, number, iterations)

    def value(self, state: State, rng: Stream, iterations: int, *, seat: int | None = None) -> Floats:
        """The value of the best move, to whoever is to move."""
        while state.to_move < 0 and not state.is_over:
            state = with_fate(state, rng).settled()
        if state.to_move == NOBODY:
            return np.array(state.win_shares())
        result = self.search(Question(state, 0, seed=int(rng.below(2**31))), 0, iterations)
        return self._for_all(0.5 + 0.5 * result.value, state.to_move)

    def _for_all(self, share: float, seat: int) -> Floats:
        if self.game.seats == 1:
            return np.array([share])
        return np.array([share if place == seat else 1.0 - share for place in range(2)])


def with_fate(state: State, rng: Stream) -> State:
    """The same world with another future of chance; itself where there is no chance."""
    if not state.game.facts.chance:
        return state
    twin = state.copy()
    twin.array["fate"] = fresh_fate(rng.array)
    return twin


def unlimited(spec: str, game: Game) -> str:
    """The spec without limits of work, by which a calibration knows its judge."""
    parsed = resolve(spec, game.definition)
    limits = ("iterations", "time", "cpu", "nodes", "threads")
    kept: dict[str, Any] = {name: value for name, value in parsed.settings.items() if name not in limits}
    return str(Spec(parsed.name, kept))
