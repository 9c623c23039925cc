"""What `meeple bench` measures of adapters and batches is play: so many steps are made as are counted."""

from __future__ import annotations

import pytest

from conftest import TICTACTOE
from meeple import load_game
from meeple.adapters import benchmark
from meeple.arena import batch_speed


@pytest.mark.parametrize("work", benchmark.WORKS)
def test_an_adapters_loop_plays_a_game(work: str) -> None:
    once = benchmark.WORKS[work](load_game(TICTACTOE))
    steps = [once(seed) for seed in range(5)]
    least, most = (5, 9) if work != "gym-steps" else (3, 5)  # decisions of both seats, or of the first alone
    assert all(least <= n <= most for n in steps)
    assert len(set(steps)) > 1


def test_batches_count_what_they_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_speed, "PLACES", 32)
    game = load_game(TICTACTOE)
    counts = {work: run(game)() for work, (_, run) in batch_speed.WORKS.items()}
    assert counts["batch-random"] == 32 * batch_speed.STEPS
    assert counts["batch-given"] == 32
    assert 2_000 * 5 <= counts["collect-rows"] <= 2_000 * 9
