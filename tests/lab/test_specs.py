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
            if entry.is_trained:  # tests/learn trains by every method
                continue
            plan = plan_entry(paper, single, replace(entry, line=None), "quick")
            if plan.agents in seen:
                continue
            seen.add(plan.agents)
            played = play_entry(single, entry, plan, on_games=lambda name, done, wanted: None)
            assert played.n == 1, f"{name} {item.id} {entry.name}"
    assert seen


def test_an_entry_of_every_paper_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game of the entry that is quickest by its file; all others are played in the long part `papers`."""
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    for paper in load_papers():
        matches = [(item, entry) for item in paper.items if item.does == "matches" for entry in item.entries]
        item, entry = min((pair for pair in matches if pair[1].ms), key=lambda pair: pair[1].ms)
        single = replace(item, kind="match", quick=1, both=False)
        plan = plan_entry(paper, single, entry, "quick")
        assert play_entry(single, entry, plan, on_games=lambda name, done, wanted: None).n == 1
