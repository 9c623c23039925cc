"""Which functions the loop is made of, for a game and its settings."""

from __future__ import annotations

from dataclasses import fields
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from meeple.core.game import Game
from meeple.core.heuristics import NONE, Heuristic, find_heuristic, no_after, no_standing
from meeple.core.spec import parse_spec
from meeple.errors import ConfigError, MeepleError
from meeple.search.tree.settings import AT_ONCE, MctsConfig

LONG_LIST = 1_000  # where MAX_ACTIONS is more, a tree does without lists if the game allows it
MOST_PLIES = 4  # of a shallow search inside this one
LIMITS = ("time", "iterations")  # what differs between two moves of one agent, and chooses no function
Bound = dict[str, Any]  # functions and constants by the names that they take the place of
_known: WeakKeyDictionary[Game, dict[tuple[Any, ...], ModuleType]] = WeakKeyDictionary()


def compile_for(game: Game, config: MctsConfig) -> ModuleType:
    """The loop compiled for a game with the functions that the settings ask for; chosen once for equal settings."""
    settings = tuple(getattr(config, each.name) for each in fields(config) if each.name not in LIMITS)
    # The file of a model may change under its name, and with it the kind of network that is compiled.
    settings += (evaluation_of(game, config).function,)
    known = _known.setdefault(game, {})
    if settings not in known:
        known[settings] = _compile(game, config)
    return known[settings]


def _compile(game: Game, config: MctsConfig) -> ModuleType:
    if config.is_puct:
        return _compile_puct(game, config)
    chosen = _dealing(game, config) | _offers(game, config) | _starts(game, config) | _rewards(game, config)
    chosen |= _proofs(game, config) | _observers(game, config) | _crew(game, config)
    lines = game.specialise("meeple.search.tree.lines")
    return game.specialise(
        "meeple.search.tree.loop",
        **chosen,
        **_simulation(game, config),
        **_memory(game, config),
        bias=find_heuristic(game, "BIASES", config.bias).function,
        edge_on_line=lines.next_on_line if config.extend else lines.no_line,
        EXPANSIONS=2 if config.expand == "all" else 1,
        FIXED=is_fixed(game, config),
        SPARSE=_is_sparse(game, config),
    )


def _compile_puct(game: Game, config: MctsConfig) -> ModuleType:
    """The loop of PUCT: by a policy, where one is wanted and the evaluation has it, else by values after moves."""
    evaluation = evaluation_of(game, config)
    keep = find_heuristic(game, "FILTERS", config.filter).function
    offers = game.specialise("meeple.search.tree.offers", keep=keep, FIXED=False)  # a leaf is listed every time
    is_hiding = config.fresh_worlds and game.facts.hidden
    uses_policy = config.priors in ("model", "policy") and evaluation.policy is not None
    if config.priors == "policy" and not uses_policy:
        raise ConfigError(f"{game.name}: prior=policy needs a model with a policy; '{evaluation.help}' has none")
    in_common, value_after = evaluation.after or (no_standing, no_after)
    bound: Bound = dict(zip(("look", "liking"), evaluation.policy, strict=True)) if evaluation.policy else {}
    crew = _crew(game, config)
    uses_after_all = evaluation.after_all is not None and not is_hiding  # where a code may stand for several moves
    if uses_after_all:
        bound["values_after"] = evaluation.after_all
    return game.specialise(
        "meeple.search.tree.puct_loop",
        **bound,
        **crew,
        **_dealing(game, config),
        list_moves=offers.list_seen if is_hiding else offers.list_open,
        action_on=offers.hidden_action if is_hiding else offers.open_action,
        evaluate=evaluation.function,
        in_common=in_common,
        value_after=value_after,
        value_end=_rewards(game, config)["value_end"],
        proof_of_end=_proofs(game, config)["proof_of_end"],
        FIXED=is_fixed(game, config),
        USES_AFTER=evaluation.after is not None,
        USES_AFTER_ALL=uses_after_all,
        USES_POLICY=uses_policy,
        IS_EVEN=config.priors == "even",
        SOLVES=_solves(game, config),
    )


# --- one step of the loop each ------------------------------------------------------------------------


def _dealing(game: Game, config: MctsConfig) -> Bound:
    dealing = game.specialise("meeple.search.tree.dealing", HAS_FATE="fate" in (game.layout.names or ()))
    if config.worlds or config.deterministic or not (game.facts.chance or config.fresh_worlds):
        return {"deal": dealing.same_world}
    has_strata = config.strata and int(game.functions["STRATA"]) > 1
    return {"deal": dealing.stratified_world if has_strata else dealing.any_world}


def _offers(game: Game, config: MctsConfig) -> Bound:
    offers = game.specialise(
        "meeple.search.tree.offers",
        keep=find_heuristic(game, "FILTERS", config.filter).function,
        priority=find_heuristic(game, "ORDERINGS", config.ordering).function,
        FIXED=is_fixed(game, config),
    )
    is_hiding = config.fresh_worlds and game.facts.hidden and config.observers == "one"
    if _is_sparse(game, config):
        return {"list_moves": offers.count_only, "new_move": offers.by_pick, "action_on": offers.open_action}
    if ranks_root(game, config):
        return {"list_moves": offers.list_ranked, "new_move": offers.by_rank, "action_on": offers.open_action}
    return {
        "list_moves": offers.list_seen if is_hiding else offers.list_open,
        "new_move": offers.by_lot if config.ordering == "none" else offers.by_priority,
        "action_on": offers.hidden_action if is_hiding else offers.open_action,
    }


def _starts(game: Game, config: MctsConfig) -> Bound:
    """What a new move is worth: by `prior`, and for implicit minimax."""
    name, plies = shallow(config.prior) if config.prior.startswith("[") else ("", 0)
    look = _look(game, config, expects=name == "expectimax")
    priors = game.specialise("meeple.search.tree.priors", look=look, PLIES=plies)
    implicit = game.specialise("meeple.search.tree.implicit", look=look)
    by_prior = {"none": priors.no_prior, "bias": priors.prior_by_bias}.get(config.prior, priors.prior_by_look)
    is_mixed = config.implicit > 0 and game.seats == 2
    return {
        "start": by_prior,
        "start_more": implicit.start_minimax if is_mixed else priors.no_prior,
        "mean_of": implicit.mixed_mean if is_mixed else implicit.plain_mean,
        "back_up_more": implicit.back_up_minimax if is_mixed else implicit.no_back_up,
    }


def _rewards(game: Game, config: MctsConfig) -> Bound:
    is_own = config.reward not in ("win", "bias")
    own = {"reward": find_heuristic(game, "REWARDS", config.reward).function} if is_own else {}
    rewards = game.specialise("meeple.search.tree.rewards", **own)
    return {
        "value_end": rewards.reward_at_end if is_own else rewards.win_at_end,
        "worth_on": rewards.worth_by_bias if config.reward == "bias" else rewards.plain_worth,
    }


def _proofs(game: Game, config: MctsConfig) -> Bound:
    solves = _solves(game, config)
    look = _look(game, config, expects=False)
    proofs = game.specialise("meeple.search.tree.proofs", look=look, PROBE_PLIES=config.probe)
    return {
        "probe": proofs.probe_node if solves and config.probe else proofs.no_probe,
        "proof_of_end": proofs.proof_by_end if solves else proofs.no_end,
    }


def _solves(game: Game, config: MctsConfig) -> bool:
    """Whether wins and losses can be proven."""
    return config.solve and game.seats == 2 and is_fixed(game, config) and config.reward == "win"


def _observers(game: Game, config: MctsConfig) -> Bound:
    observers = game.specialise("meeple.search.tree.observers")
    if config.observers == "each":
        return {"tree_of": observers.own_tree, "count_end": observers.count_none, "observe": observers.walk_others}
    return {"tree_of": observers.only_tree, "count_end": observers.count_at_end, "observe": observers.no_others}


def _crew(game: Game, config: MctsConfig) -> Bound:
    crew = game.specialise("meeple.search.tree.crew")
    if config.parallel == "tree" and config.threads > 1:
        return {"lock": crew.take_lock, "unlock": crew.free_lock, "find_path": crew.moved_path}
    return {"lock": crew.no_lock, "unlock": crew.no_lock, "find_path": crew.same_path}


def _memory(game: Game, config: MctsConfig) -> Bound:
    """What is remembered of an iteration's moves."""
    habits = game.specialise("meeple.search.tree.habits")
    if config.playout == "mast":
        return {"remember": habits.remember_move, "credit": habits.credit_moves}
    return {"remember": habits.no_memory, "credit": habits.no_credit}


def _simulation(game: Game, config: MctsConfig) -> Bound:
    """How a leaf is played out, and for `parallel=leaf` how helpers serve."""
    memory, crew = _memory(game, config), _crew(game, config)
    is_shared = config.parallel == "leaf" and config.threads > 1
    if is_shared:  # habits are credited when all have played
        memory |= {"credit": game.specialise("meeple.search.tree.habits").no_credit}
    playouts = game.specialise(
        "meeple.search.tree.playouts",
        next_move=next_move_of(game, config),
        evaluate=evaluation_of(game, config).function,
        value_end=_rewards(game, config)["value_end"],
        lock=crew["lock"],
        unlock=crew["unlock"],
        **memory,
    )
    simulate = playouts.simulate_often if config.rollouts > 1 else playouts.simulate_once
    if not is_shared:
        return {"simulate": simulate}
    credit = _memory(game, config)["credit"]
    leaves = game.specialise("meeple.search.tree.leaves", simulate_alone=simulate, credit=credit)
    return {"simulate": leaves.share_leaf, "serve_leaves": leaves.serve_leaves}


def next_move_of(game: Game, config: MctsConfig) -> Any:
    """Who chooses the moves of a playout."""
    if config.playout == "mast":
        return game.specialise("meeple.search.tree.habits").by_habit
    policy = policy_of(game, config)
    name, plies = shallow_playout(config.playout)
    policies = game.specialise(
        "meeple.search.tree.policies",
        look=_look(game, config, expects=True),
        PLIES=max(1, plies),
        **({"policy": policy.function} if policy else {}),
    )
    ways = {"expectimax": policies.by_expectimax, "minimax": policies.by_minimax}
    return ways.get(name, policies.by_policy if policy else policies.uniform)


def _look(game: Game, config: MctsConfig, *, expects: bool) -> Any:
    """The shallow search, over chance's outcomes or along the fate at hand."""
    return game.specialise(
        "meeple.search.tree.look",
        evaluate=evaluation_of(game, config).function,
        EXPECTS=expects,
        CAN_LEAVE_OUT=hasattr(game.definition.rules, "leave_out"),
    ).look


# --- what the settings come to in a game ----------------------------------------------------------------


def is_fixed(game: Game, config: MctsConfig) -> bool:
    """Whether a node's offer is the same in every iteration."""
    return not (game.facts.chance or game.facts.hidden) or bool(config.worlds) or config.deterministic


def ranks_root(game: Game, config: MctsConfig) -> bool:
    """Whether the root's moves come in one order that is known beforehand."""
    return config.ordering != "none" and config.observers == "one" and is_fixed(game, config)


def _is_sparse(game: Game, config: MctsConfig) -> bool:
    """Whether the tree can do without lists: they are long, and every move is open to all."""
    rules = game.definition.rules
    has_all = all(hasattr(rules, name) for name in ("count_actions", "is_legal", "pick"))
    is_open = not game.facts.hidden or getattr(rules, "OPEN_MOVES", False)
    is_plain = config.filter == config.ordering == "none" and config.observers == "one"
    is_plain &= not config.is_puct  # which has all moves of a node
    return bool(has_all and is_open and is_plain and rules.MAX_ACTIONS > LONG_LIST)


def looks_ahead(config: MctsConfig) -> bool:
    """Whether anything is searched by the shallow search of look.py."""
    by_playout = shallow_playout(config.playout)[0] == "expectimax"
    return bool(config.prior not in ("none", "bias") or config.probe or config.implicit or by_playout)


def expects(config: MctsConfig) -> bool:
    """Whether that search goes through chance's outcomes."""
    return "expectimax" in config.prior or shallow_playout(config.playout)[0] == "expectimax"


def evaluation_of(game: Game, config: MctsConfig) -> Heuristic:
    """The evaluation; where nothing is weighed by it, one that knows nothing, so that the game's is not compiled."""
    is_asked = config.cutoff or config.playout == AT_ONCE or config.is_puct or looks_ahead(config)
    return find_heuristic(game, "EVALUATIONS", config.evaluation) if is_asked else NONE["EVALUATIONS"]


def policy_of(game: Game, config: MctsConfig) -> Heuristic | None:
    """The game's policy that playouts follow; None where they follow none."""
    if config.playout in ("random", "mast", AT_ONCE) or shallow_playout(config.playout)[1]:
        return None
    return find_heuristic(game, "PLAYOUTS", config.playout)


# --- shallow searches as texts ----------------------------------------------------------------------------


def shallow(text: str) -> tuple[str, int]:
    """The search that a text such as `[minimax:depth=2]` names, and its plies."""
    mend = f"give [minimax:depth=N] or [expectimax:depth=N], N from 1 to {MOST_PLIES}"
    try:
        spec = parse_spec(text[1:-1]) if text.startswith("[") and text.endswith("]") else None
        plies = int(spec.settings["depth"]) if spec else 0
    except (MeepleError, KeyError, ValueError):
        raise ConfigError(f"'{text}' is no shallow search: {mend}") from None
    known = spec is not None and spec.name in ("minimax", "alphabeta", "expectimax") and set(spec.settings) == {"depth"}
    if not known or not 1 <= plies <= MOST_PLIES:
        raise ConfigError(f"'{text}' is no shallow search: {mend}")
    assert spec is not None
    return ("minimax" if spec.name == "alphabeta" else spec.name), plies


def shallow_playout(playout: str | Heuristic) -> tuple[str, int]:
    """The shallow search that chooses the moves of playouts, and its plies; an empty name and 0 where none does."""
    if isinstance(playout, Heuristic) or not playout.startswith("["):
        return "", 0
    name, plies = shallow(playout)
    if name == "minimax" and plies > 2:
        takes = "[minimax:depth=1] or [minimax:depth=2], or [expectimax:depth=N]"
        raise ConfigError(f"playouts take {takes}, not '{playout}'")
    return name, plies
