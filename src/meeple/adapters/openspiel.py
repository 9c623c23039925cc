"""OpenSpiel: a game as a Python game with explicit chance.

    from meeple.adapters import openspiel       # registers meeple_azul, meeple_saboteur_duel and the others
    game = pyspiel.load_game("meeple_azul(players=3,wall=grey)")
    game = openspiel.load_game("azul:players=3,wall=grey")     # the same by Meeple's own spec, or a folder's

An option's word that is a number is written with an underscore before it there: `meeple_azul(cap=_30)`.

Actions are the game's codes, chance outcomes have their exact probabilities, and fate plays no part. The observation
string is the position as the seat reads it; the information state string adds all that the seat has seen happen. The
observation tensor is `State.observation` (the parameter `features` names one), zeros where the game is over.

A state can be cloned, serialised and resampled from the information state of a seat, so the Python bots MCTS and ISMCTS
play whole games. OpenSpiel's own C++ bot for ISMCTS ends the process on any game written in Python, its own too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple.core.chance import Stream
from meeple.core.contract import CHANCE
from meeple.core.game import Game, State
from meeple.core.observe import find_observer
from meeple.core.registry import find_definition, game_names
from meeple.core.registry import load_game as load_meeple
from meeple.core.spec import Spec
from meeple.errors import ConfigError

try:
    import pyspiel
except ImportError as fault:
    raise ConfigError("this needs OpenSpiel: pip install 'meeple[adapters]'") from fault

PREFIX = "meeple_"
UNCHOSEN = "default"  # a parameter that is left as the game has it
NUMBER = "_"  # before an option's word that is a number: OpenSpiel tells the types of parameters by their looks
_registered: dict[str, str] = {}  # OpenSpiel's name -> ours, or the folder


class MeepleGame(pyspiel.Game):  # type: ignore[misc]
    """One of Meeple's games, with its players and options fixed."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        given = dict(parameters)
        self.features = str(given.pop("features", "default"))
        words = {
            key.replace("_", "-"): str(word).removeprefix(NUMBER) for key, word in given.items() if word != UNCHOSEN
        }
        self.meeple = load_meeple(Spec(name, words))
        self.observation_size = find_observer(self.meeple, self.features).size
        super().__init__(_type_of(name, self.meeple.seats), _info_of(self.meeple), parameters)

    def new_initial_state(self) -> MeepleState:
        """The first position."""
        return MeepleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        """What writes a seat's observation tensor."""
        return SeatObserver(self, iig_obs_type, params)


class MeepleState(pyspiel.State):  # type: ignore[misc]
    """A position; it holds one of our states, which never change, so that copies share it."""

    def __init__(self, game: MeepleGame) -> None:
        super().__init__(game)
        self.held: State = game.meeple.new(fate=0)
        self.seen: tuple[tuple[int, ...], ...] = ((),) * game.meeple.seats  # of each seat: the events as it saw them

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or the end."""
        mover = self.held.to_move
        if mover >= 0:
            return mover
        return int(pyspiel.PlayerId.CHANCE if mover == CHANCE else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in self.held.legal_actions()] if player == self.held.to_move else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes that are possible, with their probabilities."""
        weights = self.held.outcomes()
        total = sum(weights.values())
        return [(code, weight / total) for code, weight in weights.items()]

    def _apply_action(self, action: int) -> None:
        face, array = self.held.game.face, self.held.array
        self.seen = tuple((*seen, int(face.seen_at(array, 0, action, seat))) for seat, seen in enumerate(self.seen))
        self.held = self.held.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.held.move_text(action)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.held.is_over

    def returns(self) -> list[float]:
        """The returns of each seat, -1 to 1; zeros before the end."""
        return self.held.returns() if self.held.is_over else [0.0] * self.held.game.seats

    def observation_string(self, player: int | None = None) -> str:
        """The position as a seat reads it."""
        return self.held.text(self._seat(player))

    def information_state_string(self, player: int | None = None) -> str:
        """The same, and all events so far as the seat saw them: codes, and -3 for what it did not see."""
        seat = self._seat(player)
        return f"{self.held.text(seat)} | {' '.join(map(str, self.seen[seat]))}"

    def _seat(self, player: int | None) -> int:
        return self.current_player() if player is None else player

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MeepleState:
        """A position that `player` cannot tell from this one, drawn with the probability that chance alone gives it.

        Others are taken to have seen what the player saw: what they saw besides, it does not know.
        """
        other = self.clone()
        other.held = self.held.redealt(player, Stream(int(sampler() * 2**53)))
        other.seen = (self.seen[player],) * len(self.seen)
        found: MeepleState = other
        return found

    def __str__(self) -> str:
        return self.held.text()


class SeatObserver:
    """Writes what a seat sees into a tensor, as OpenSpiel's observers do."""

    def __init__(self, game: MeepleGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ConfigError(f"the observer takes no parameters, and was given {params}; a game takes features=NAME")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._features, self._recalls = game.features, kind.perfect_recall
        self.tensor = np.zeros(0 if self._recalls else game.observation_size, np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: MeepleState, player: int) -> None:
        """Write the tensor for a position."""
        if not self._recalls:
            self.tensor[:] = state.held.observation(player, self._features).ravel()

    def string_from(self, state: MeepleState, player: int) -> str:
        """The position as text."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


# --- OpenSpiel's facts of a game --------------------------------------------------------------------------------------


def load_game(spec: str) -> MeepleGame:
    """The game of one of Meeple's specs; one in a folder becomes known to OpenSpiel by its name."""
    game = load_meeple(spec)
    name = game.definition.folder or game.name
    register(name)
    least, most = game.definition.seats
    chosen: dict[str, Any] = {"players": game.seats} if most > least else {}
    chosen |= {
        option.name.replace("-", "_"): _as_text(game.options[option.name])
        for option in game.definition.options
        if game.options[option.name] != option.default
    }
    made: MeepleGame = pyspiel.load_game(short_name(name), chosen)
    return made


def _as_text(word: str) -> str:
    return NUMBER + word if word[:1].isdigit() else word


def register(name: str) -> str:
    """Tell OpenSpiel of one of Meeple's games, or of one in a folder; returns OpenSpiel's name for it."""
    short = short_name(name)
    if _registered.setdefault(short, name) != name:
        raise ConfigError(f"OpenSpiel knows {short} as the game in '{_registered[short]}' already")
    if short not in pyspiel.registered_names():
        pyspiel.register_game(_type_of(name), _maker(name))
    return short


def _maker(name: str) -> Callable[..., MeepleGame]:
    """What makes a game of its parameters; it lives for ever."""

    def make(parameters: Any = None) -> MeepleGame:
        return MeepleGame(name, dict(parameters or {}))

    # OpenSpiel's table of games lets go of it when the process ends, after Python itself: freed then, it would abort.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    return make


def short_name(name: str) -> str:
    """OpenSpiel's name of a game."""
    return PREFIX + find_definition(name).name.replace("-", "_")


def _type_of(name: str, seats: int = 0) -> Any:
    """What OpenSpiel is told of a game, with so many seats where they are fixed."""
    definition = find_definition(name)
    facts, (least, most) = definition.facts, definition.seats
    parameters: dict[str, Any] = {"features": "default"}
    if most > least:
        parameters["players"] = max(2, least)
    parameters |= {option.name.replace("-", "_"): UNCHOSEN for option in definition.options}
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=facts.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=_chance(facts.chance),
        information=_information(facts.hidden),
        utility=_utility(seats or (least if least == most else 0)),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
    )


def _chance(has_chance: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    return modes.EXPLICIT_STOCHASTIC if has_chance else modes.DETERMINISTIC


def _information(has_secrets: bool) -> Any:
    kinds = pyspiel.GameType.Information
    return kinds.IMPERFECT_INFORMATION if has_secrets else kinds.PERFECT_INFORMATION


def _utility(seats: int) -> Any:
    """Two seats share one victory; with more there may be partners, who have the whole of it each."""
    kinds = pyspiel.GameType.Utility
    return kinds.ZERO_SUM if seats == 2 else kinds.GENERAL_SUM


def _info_of(game: Game) -> Any:
    rules = game.definition.rules
    return pyspiel.GameInfo(
        num_distinct_actions=int(rules.ACTIONS),
        max_chance_outcomes=int(rules.OUTCOMES),
        num_players=game.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if game.seats == 2 else None,
        max_game_length=int(game.facts.longest),
    )


for _name in game_names():
    register(_name)
