"""PettingZoo: a game as an AEC environment, with an agent for each seat.

    from meeple.adapters import pettingzoo
    env = pettingzoo.env("azul:players=3")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

An observation is a dict: `observation` has what the seat sees as numbers (core/observe.py; zeros after the end), and
`action_mask` a 1 for each legal action. An action is a code, or in a game with many codes an index into the list of
legal moves (play.py). The game of seed 7 is the match with that seed. Rewards are the returns, -1 to 1, at the end;
an illegal action ends the game, and its mover has -1.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from meeple.adapters.play import Play, Seeds, bounds_of
from meeple.core.contract import NOBODY
from meeple.core.game import Game
from meeple.errors import ConfigError, IllegalMoveError

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as fault:
    raise ConfigError("this needs PettingZoo: pip install 'meeple[adapters]'") from fault

ILLEGAL_REWARD = -1.0


def env(game: Game | str, *, features: str = "default", render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual wrappers, which end the game at an illegal action."""
    wrapped = wrappers.TerminateIllegalWrapper(
        raw_env(game, features=features, render_mode=render_mode), illegal_reward=ILLEGAL_REWARD
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801, PettingZoo's own name for it
    """The environment without wrappers; an illegal action raises."""

    metadata: dict[str, Any] = {  # noqa: RUF012, PettingZoo reads it from class and instance
        "render_modes": ["ansi"],
        "name": "meeple",
        "is_parallelizable": False,
    }

    def __init__(self, game: Game | str, *, features: str = "default", render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._play, self._seeds = Play(game, features=features), Seeds()
        self.game = self._play.game
        self.metadata = type(self).metadata | {"name": self.game.spec}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        least, most = bounds_of(self.game, features)
        self._observed = {"low": least, "high": most, "shape": self._play.observer.shape, "dtype": np.float32}

    @cache  # noqa: B019, a space is asked for by its agent and must be the same object every time
    def observation_space(self, agent: str) -> Any:
        """What an agent is handed."""
        mask = spaces.Box(0, 1, (self._play.n_choices,), np.int8)
        return spaces.Dict({"observation": spaces.Box(**self._observed), "action_mask": mask})

    @cache  # noqa: B019, as above
    def action_space(self, agent: str) -> Any:
        """What an agent answers."""
        return spaces.Discrete(self._play.n_choices)

    @property
    def seed(self) -> int:
        """The seed of the game: `meeple.Match(game, seed=seed)` is the same."""
        return self._play.seed

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of this seed, or of the one after the last."""
        self._play.begin(self._seeds.take(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[max(0, self._play.mover)]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        seat = self._seat_of[agent]
        mask = self._play.mask(is_mover=seat == self._play.mover)
        return {"observation": self._play.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the selected agent's action, and all chance up to the next decision.

        Raises:
            IllegalMoveError: it is not legal; nothing was played.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        code = None if action is None else self._play.code_of(int(action))
        if code is None:
            raise IllegalMoveError(f"action {action} of {self.agent_selection} is not legal here: see the action mask")
        mover = self.agent_selection
        self._play.play(code)
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        if self._play.mover == NOBODY:
            self.rewards = dict(zip(self.possible_agents, self._play.state.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self._play.mover]
        self._accumulate_rewards()
        if self._play.mover == NOBODY:
            self._deads_step_first()

    def render(self) -> str | None:
        """The board as text, as its mover sees it, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        mover = self._play.mover
        return self._play.state.board(mover if mover >= 0 else NOBODY)

    def close(self) -> None:
        """Nothing is held."""

    def __str__(self) -> str:
        return self.game.spec
