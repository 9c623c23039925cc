"""Gymnasium: one seat of a game as an environment; agents of Meeple sit in the others.

    from meeple.adapters import gymnasium
    env = gymnasium.SeatEnv("santorini", agents="greedy", seat=0)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(observation["action_mask"]))

`gymnasium.make("meeple.adapters.gymnasium:Meeple-v0", game="santorini", agents="greedy")` makes the same with
Gymnasium's wrappers. Observations and actions are those of the PettingZoo environment. The agents are handed worlds
redealt for their seats, as in a tournament. The reward is the seat's return, -1 to 1, at the end. An illegal action
forfeits, as it does everywhere: the game ends with -1, and `info["forfeit"]` says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from meeple.adapters.play import Play, Seeds, bounds_of
from meeple.agents.base import Agent, pose, streams_of
from meeple.agents.registry import load_agent
from meeple.core.contract import NOBODY
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.errors import ConfigError

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as fault:
    raise ConfigError("this needs Gymnasium: pip install 'meeple[adapters]'") from fault


class SeatEnv(gymnasium.Env):  # type: ignore[misc]
    """One seat of a game against agents.

    `agents`: one spec or agent for all other seats, or a list of one for each, in the order of the seats. `seat`: the
    learner's; None: each game draws it by its seed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: Game | str,
        *,
        agents: str | Agent | Sequence[str | Agent] = "random",
        seat: int | None = 0,
        features: str = "default",
        render_mode: str | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        if seat is not None and not 0 <= seat < self.game.seats:
            raise ConfigError(f"there is no seat {seat} at a table of {self.game.seats}, counted from 0")
        others = [agents] * (self.game.seats - 1) if isinstance(agents, (str, Agent)) else list(agents)
        if len(others) != self.game.seats - 1:
            raise ConfigError(f"{self.game.spec} has {self.game.seats - 1} other seats, and {len(others)} agents")
        self.agents = [load_agent(one, self.game) if isinstance(one, str) else one for one in others]
        keeps = any(agent.wants_history for agent in self.agents)
        self._play, self._seeds = Play(self.game, features=features, keeps_events=keeps), Seeds()
        self._wanted_seat, self.seat = seat, seat or 0
        self.render_mode = render_mode
        least, most = bounds_of(self.game, features)
        self.action_space = spaces.Discrete(self._play.n_choices)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(least, most, self._play.observer.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self._play.n_choices,), np.int8),
            }
        )
        self._is_over = True

    @property
    def seed(self) -> int:
        """The seed of the game."""
        return self._play.seed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the game of this seed, or of the one after the last, up to the seat's first decision.

        A game that ends before the seat has anything to decide is passed over for the next.
        """
        super().reset(seed=seed)
        while True:
            self._play.begin(self._seeds.take(seed))
            if self._wanted_seat is None:
                self.seat = int(np.random.default_rng(self._play.seed).integers(self.game.seats))
            places = [place for place in range(self.game.seats) if place != self.seat]
            self._seated = dict(zip(places, self.agents, strict=True))
            self._streams = {place: streams_of(agent, place, self._play.seed) for place, agent in self._seated.items()}
            self._let_others_play()
            if not self._play.is_over:
                self._is_over = False
                return self._seen(), {}
            seed = None

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play the seat's action, then the others up to its next decision or the end."""
        if self._is_over:
            raise ConfigError("the game is over: call reset() first")
        code = self._play.code_of(int(action))
        if code is None:
            self._is_over = True
            return self._seen(), -1.0, True, False, {"forfeit": f"action {int(action)} is not legal"}
        self._play.play(code)
        self._let_others_play()
        self._is_over = self._play.is_over
        reward = self._play.state.returns()[self.seat] if self._is_over else 0.0
        return self._seen(), float(reward), self._is_over, False, {}

    def _let_others_play(self) -> None:
        play = self._play
        while play.mover not in (self.seat, NOBODY):
            seat = play.mover
            play.play(
                pose(
                    self._seated[seat],
                    play.state,
                    ply=play.ply,
                    streams=self._streams[seat],
                    seen=lambda seat=seat: play.seen(seat),  # type: ignore[misc]
                )
            )

    def _seen(self) -> dict[str, Any]:
        is_mover = self._play.mover == self.seat
        return {"observation": self._play.observation(self.seat), "action_mask": self._play.mask(is_mover=is_mover)}

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The mask as True and False, under the name by which sb3-contrib's MaskablePPO asks for it."""
        return self._play.mask(is_mover=self._play.mover == self.seat).astype(np.bool_)

    def render(self) -> str | None:  # type: ignore[override]
        """The board as the seat sees it, with `render_mode="ansi"`."""
        return None if self.render_mode is None else self._play.state.board(self.seat)


if "Meeple-v0" not in gymnasium.registry:
    # gymnasium.make("meeple.adapters.gymnasium:Meeple-v0", game="santorini") imports this module and makes it.
    gymnasium.register("Meeple-v0", entry_point="meeple.adapters.gymnasium:SeatEnv")
