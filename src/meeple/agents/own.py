"""An agent by a function of one's own that values many positions at once: `./net.py:evaluate`, or from Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from meeple.agents.base import Agent, Turn
from meeple.search import batched
from meeple.search.batched import BatchedSettings, Evaluate


@dataclass(kw_only=True)
class FunctionAgent(BatchedSettings, Agent):
    """Tree search (PUCT) by a function that is asked for the values, and if it likes the priors, of many leaves."""

    evaluate: ClassVar[Evaluate]

    def choose(self, turn: Turn) -> int:
        """The move with the most visits."""
        result = batched.search(
            turn.state,
            type(self).evaluate,
            config=self,
            rng=turn.rng,
            seconds=turn.within(0.0),
            should_stop=turn.should_stop,
            deterministic=turn.deterministic,
        )
        turn.report(result)
        return result.action


def class_of(function: Any) -> type[FunctionAgent]:
    """The agents that ask this function, for the registry."""
    name = getattr(function, "__name__", type(function).__name__)
    return type(name, (FunctionAgent,), {"evaluate": staticmethod(function), "__doc__": function.__doc__})


def function_agent(
    function: Evaluate, *, iterations: int = batched.DEFAULT_ITERATIONS, batch: int = 16, c: float = 1.5
) -> FunctionAgent:
    """An agent that searches by `function(leaves) -> values` or `-> (values, priors)`; see search/batched.py.

    `iterations`: descents a move. `batch`: leaves that the function is asked for at once. `c`: how much priors count.
    """
    agent = class_of(function)(iterations=iterations, batch=batch, c=c)
    agent.spec = f"function-{getattr(function, '__name__', 'agent')}:iterations={iterations},batch={batch},c={c:g}"
    return agent
