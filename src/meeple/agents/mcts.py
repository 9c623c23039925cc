"""`mcts` and `ismcts` as agents."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from meeple.agents.base import Agent, Turn, believed_by
from meeple.core.chance import Stream, fresh_fate
from meeple.core.contract import CHANCE
from meeple.core.game import Game
from meeple.core.settings import taken_from
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search import mcts
from meeple.search.control import need_cpu_clock
from meeple.search.result import SearchResult
from meeple.search.tree.settings import IsmctsSettings, MctsConfig, MctsSettings, TreeSettings, without_chance
from meeple.search.tree.tree import Tree
from meeple.search.tree.variants import shallow, shallow_playout

DEFAULT_ITERATIONS = 1_000  # where no limit is given


@dataclass(kw_only=True)
class TreeSearch(TreeSettings, Agent):
    """What `mcts` and `ismcts` share as agents."""

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A belief follows from what was seen."""
        return self.belief != "none"

    def fit(self, game: Game) -> None:
        """The heuristics must exist, and the settings fit each other."""
        super().fit(game)
        need_cpu_clock(self.cpu)
        shallow_playout(self.playout)
        if self.belief != "none" and not self.strata:
            raise ConfigError(f"agent '{self.spec}' has a belief about classes of worlds: leave strata=no out")
        if self.prior.startswith("["):
            shallow(self.prior)
        elif self.prior not in ("none", "bias", "evaluation"):
            takes = "none, bias, evaluation, [minimax:depth=N] or [expectimax:depth=N]"
            raise ConfigError(f"'prior' of agent '{self.spec}' takes {takes}, not '{self.prior}'")
        if self.prior == "bias" and self.bias == "none":
            raise ConfigError(f"agent '{self.spec}' takes its prior from a bias and names none; give bias=NAME")
        if self.reward == "bias" and (self.bias == "none" or self.prior == "bias"):
            raise ConfigError(
                f"agent '{self.spec}' weighs rewards by a bias: give bias=NAME, and no prior=bias beside it"
            )

    def choose(self, turn: Turn) -> int:
        """The move that the tree recommends."""
        result = self.search(turn)
        turn.report(result)
        return result.action

    def search(self, turn: Turn, grown: Tree | None = None) -> SearchResult:
        """Search the turn, from a tree that was kept if there is one."""
        return mcts.search(
            turn.state,
            config=self.config_for(turn),
            rng=turn.rng,
            should_stop=turn.should_stop,
            on_progress=turn.progress,
            grown=grown,
            weights=believed_by(self.belief, turn),
        )

    def config_for(self, turn: Turn) -> MctsConfig:
        """The settings for this turn, within the match's limit; in the deterministic version for the true world."""
        config = self.config()
        if turn.seconds is not None:  # a limit, so that there is no need of a usual one
            config = replace(config, time=turn.within(self.time), iterations=self.iterations)
        return without_chance(config) if turn.deterministic else config

    def config(self) -> MctsConfig:
        """The settings as the search takes them; without any limit, the usual number of iterations."""
        config = taken_from(MctsConfig, self)
        has_limit = self.iterations or self.time or self.cpu
        return config if has_limit else replace(config, iterations=DEFAULT_ITERATIONS)


@dataclass(frozen=True)
class Kept:
    """A tree kept from a seat's last turn, and the match as it stood then."""

    seen: tuple[int, ...]
    tree: Tree


@dataclass(kw_only=True)
class Mcts(MctsSettings, TreeSearch):
    """Monte Carlo tree search: UCT on win shares; over worlds where cards are hidden."""

    kept: dict[int, Kept] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A kept tree is walked by the moves made since."""
        return self.reuse or super().wants_history

    def search(self, turn: Turn, grown: Tree | None = None) -> SearchResult:
        """As for all, with the tree kept for the seat's next turn where that is wanted."""
        if not self.reuse:
            return super().search(turn)
        kept = regrown(self.kept.pop(turn.seat, None), turn)
        tree = kept or mcts.plant(turn.state, self.config_for(turn), turn.rng)[0]
        result = super().search(turn, tree)
        self.kept[turn.seat] = Kept(turn.seen or (), tree)
        return result

    def fit(self, game: Game) -> None:
        """Secrets need worlds, or information sets; a tree is kept where all moves are open and there is one tree."""
        super().fit(game)
        if self.reuse and (game.facts.hidden or self.worlds or (self.threads > 1 and self.parallel == "root")):
            raise UnsupportedGameError(
                f"'{self.spec}' cannot play {game.name} so: reuse keeps one tree of a game without secrets, no worlds"
            )
        if self.extend and (self.iterations == 0 or ((game.facts.chance or game.facts.hidden) and self.worlds == 0)):
            mend = "give iterations=N, and worlds=N where there is chance"
            raise UnsupportedGameError(
                f"'{self.spec}' cannot play {game.name} so: extend repeats the iterations from a position; {mend}"
            )
        if game.facts.hidden and self.worlds == 0:
            mend = "give worlds=N, such as mcts:worlds=20, or try ismcts"
            raise UnsupportedGameError(f"mcts cannot play {game.name}, which has hidden information: {mend}")


@dataclass(kw_only=True)
class Ismcts(IsmctsSettings, TreeSearch):
    """Information-set MCTS: one tree, hidden cards and dice dealt anew at each iteration."""

    def config(self) -> MctsConfig:
        """As for `mcts`, with the worlds dealt anew."""
        return replace(super().config(), fresh_worlds=True)


def regrown(kept: Kept | None, turn: Turn) -> Tree | None:
    """The part of a kept tree below the moves made since; None where the match is another or the tree too small."""
    seen = turn.seen or ()
    if kept is None or seen[: len(kept.seen)] != kept.seen:
        return None
    state, path = kept.tree.root, []
    for code in seen[len(kept.seen) :]:
        if code not in state.offer() and code not in state.outcomes():
            return None
        if state.to_move != CHANCE:
            path.append(code)
        state = state.after(code)
    # By the redeal law these are equal where the seat knows the same of both.
    if state.redealt(turn.seat, Stream(1)) != turn.state.redealt(turn.seat, Stream(1)):
        return None
    return kept.tree.below(path, turn.state, Stream(fresh_fate(turn.rng.array)))
