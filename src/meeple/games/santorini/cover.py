"""Santorini's cover: towers by the sea, a worker on its way up."""

from __future__ import annotations

from meeple.core.picture import EDGE, cover_of, glow
from meeple.core.svg import Markup, joined, points, tag
from meeple.games.santorini.island import Camera, draw_block, draw_dome, draw_figure

CAMERA = Camera("c", 640, 400, (330, 118), (112, 60), (-112, 60), (46, 42, 38), 0.2, 0, 1.9)
TOWERS = {(0, 0): 2, (1, 0): 4, (2, 0): 1, (0, 1): 1, (1, 1): 3, (0, 2): 0, (2, 1): 0, (1, 2): 1}  # by column and row
WORKERS = {(0, 1): 0, (2, 1): 1}


def cover() -> Markup:
    """A few cells of the island, seen from near."""
    shore = [CAMERA.spot(*corner) for corner in ((-0.3, -0.3), (3.4, -0.3), (3.4, 3.4), (-0.3, 3.4))]
    land = tag("polygon", points=points(shore), fill="#ead9b5", stroke="#fff", stroke_opacity=".5", stroke_width=16,
               stroke_linejoin="round")  # fmt: skip
    greens = ("#9fce7c", "#90c26c")
    meadows = [
        tag("polygon", points=points(_moved(CAMERA.square(0.97), column, row)), fill=greens[(column + row) % 2],
            stroke=EDGE)
        for column in range(3)
        for row in range(3)
    ]  # fmt: skip
    towers = [_tower(column, row) for column, row in sorted(TOWERS, key=sum)]
    sun = tag("circle", cx=96, cy=84, r=38, fill="#fff4cf", fill_opacity=".9")
    waves = tag("path", d="M40 190q16-9 32 0t32 0M24 250q16-9 32 0t32 0M540 96q16-9 32 0t32 0M566 150q16-9 32 0t32 0",
                fill="none", stroke="#fff", stroke_opacity=".5", stroke_width=3)  # fmt: skip
    return cover_of(glow("santorini-sea", "#c9e8f1", "#5fa3c8"), sun, waves, land, *meadows, *towers)


def _moved(corners: list[tuple[float, float]], column: int, row: int) -> list[tuple[float, float]]:
    x, y = CAMERA.spot(column, row)
    return [(a + x - CAMERA.corner[0], b + y - CAMERA.corner[1]) for a, b in corners]


def _tower(column: int, row: int) -> Markup:
    level = TOWERS[column, row]
    blocks = [joined(draw_block(CAMERA, storey, is_dark=False)) for storey in range(1, min(level, 3) + 1)]
    if level == 4:
        blocks.append(joined(draw_dome(CAMERA)))
    x, y = CAMERA.spot(column, row)
    parts = [tag("g", *blocks, transform=f"translate({x - CAMERA.corner[0]:g} {y - CAMERA.corner[1]:g})")]
    if (column, row) in WORKERS:
        at = CAMERA.spot(column + 0.5, row + 0.5, CAMERA.top(level))
        parts.append(draw_figure(WORKERS[column, row], *at, CAMERA.scale))
    return joined(parts)
