"""Every entry of every paper is played for one game: the specs are agents that play, not only names that are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from meeple.lab.reading import load_papers, paper_names
from meeple.lab.running import plan_entry, play_entry


@pytest.mark.long
@pytest.mark.parametrize("name", paper_names())
def test_every_spec_plays(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    (paper,) = load_papers(name)
    seen: set[tuple[str, ...]] = set()
    for item in paper.items:
        single = replace(item, kind="match", quick=1, both=False)
        for entry in [] if item.blocked else item.entries:
            plan = plan_entry(paper, single, entry, "quick")
            if plan.agents in seen:
                continue
            seen.add(plan.agents)
            played = play_entry(single, entry, plan, on_games=lambda name, done, wanted: None)
            assert played.tally.games == 1, f"{name} {item.id} {entry.name}"
    assert seen
