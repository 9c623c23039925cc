"""Santorini drawn: towers hide nothing that matters, and the island fills its picture."""

from __future__ import annotations

import re

import pytest

from meeple import load_game
from meeple.core.picture import Look
from meeple.games.santorini.island import ASLANT, FRONT, Camera
from meeple.games.santorini.notation import CELLS

# A5 has a dome; workers stand on levels 0 to 3, one of them behind the dome's tower as the island is seen.
POSITION = "4120033210000000000000000/1/mortal:B4,D4/mortal:B5,E1"
LOOKS = [Look(), Look(narrow=True), Look(settings={"seen": "above"}), Look(dark=True, settings={"turn": "3"})]


@pytest.mark.parametrize("look", LOOKS)
def test_every_cell_may_be_clicked_once_and_says_what_is_there(look: Look) -> None:
    drawing = load_game("santorini").read(POSITION).picture(0, look)
    assert all(drawing.count(f'data-t="{cell}"') == 1 for cell in CELLS)
    assert 'aria-label="A5: dome"' in drawing
    assert 'aria-label="B4: level 3, worker of Seat 1"' in drawing
    assert 'aria-label="B5: level 1, worker of Seat 2"' in drawing


@pytest.mark.parametrize("look", [Look(lit=frozenset(CELLS)), Look(narrow=True, lit=frozenset(CELLS))])
def test_no_tower_hides_a_ring_or_whoever_stands_in_it(look: Look) -> None:
    drawing = load_game("santorini").read(POSITION).picture(0, look)
    towers = max(drawing.rindex('href="#isle-block'), drawing.rindex('href="#isle-dome'))
    rings = [found.start() for found in re.finditer('class="ring"', drawing.partition("</defs>")[2])]
    assert len(rings) == len(CELLS)
    assert towers < drawing.index("data-t=") < drawing.rindex("data-t=") < drawing.index("data-p=")


def test_the_level_under_a_worker_stands_before_its_feet() -> None:
    drawing = load_game("santorini").read(POSITION).picture(0, Look())
    figures = re.findall(r'data-p="worker-\d-\d">.*?</g></g>(.*?)</g>', drawing)
    assert sorted(re.findall(r">(\d)</text>", "".join(figures))) == ["1", "1", "3"]


def test_a_move_is_shown_as_far_as_it_is_clicked() -> None:
    state = load_game("santorini").read(POSITION)
    for look in (Look(chosen=("B4", "C4")), Look(chosen=("B4", "C4"), settings={"seen": "above"})):
        drawing = state.picture(0, look)
        assert 'aria-label="B4: level 3"' in drawing
        assert 'aria-label="C4: level 2, worker of Seat 1"' in drawing
    first = load_game("santorini").new(seed=1).picture(0, Look(chosen=("C3",)))
    assert 'aria-label="C3: level 0, worker of Seat 1"' in first


@pytest.mark.parametrize("camera", [ASLANT, FRONT])
def test_the_island_fills_its_picture(camera: Camera) -> None:
    low, high = -camera.rim, 5 + camera.rim
    xs, ys = zip(*(camera.spot(a, b) for a in (low, high) for b in (low, high)), strict=True)
    assert min(xs) > 0
    assert (max(xs) - min(xs)) / camera.width > 0.95
    assert max(ys) + camera.depth < camera.height
    # What is left above is taken by a worker on the highest tower in the far cell.
    _, y = camera.spot(0.5, 0.5, camera.top(3))
    assert 0 < y - 61 * camera.scale < 15
