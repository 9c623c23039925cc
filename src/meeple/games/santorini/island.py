"""Santorini's island, seen from a corner; on a phone from the front, where a square fills the screen.

All blocks of a storey look alike wherever they stand, so each is drawn once and used by name. What may be clicked lies
above everything: no tower hides a ring, and a worker on a marked cell is drawn over the towers before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from meeple.core.paint import MARKS
from meeple.core.picture import EDGE, INK, SEATS, Look, piece, text
from meeple.core.svg import Markup, Point, joined, points, tag
from meeple.games.santorini.notation import CELLS
from meeple.games.santorini.rules import DOME, level_of
from meeple.games.santorini.standing import Worker, label_of, names_of, turned, workers_by_cell

REACHES = (0.97, 0.86, 0.7, 0.56)  # how much of the cell the ground and the levels cover


@dataclass(frozen=True)
class Camera:
    """From where the island is seen: the size of the picture and how far a column and a row lead on it."""

    name: str
    width: float
    height: float
    corner: Point  # the far corner of the board
    column: Point
    row: Point
    rises: tuple[float, float, float]  # of the three levels
    rim: float  # in cells
    depth: float  # of the cliff
    scale: float  # of workers and domes

    def spot(self, column: float, row: float, height: float = 0.0) -> Point:
        """A place on the picture, so high above the board."""
        x = self.corner[0] + column * self.column[0] + row * self.row[0]
        return x, self.corner[1] + column * self.column[1] + row * self.row[1] - height

    def top(self, level: int) -> float:
        """How high one stands on a level."""
        return sum(self.rises[:level])

    def square(self, reach: float, height: float = 0.0) -> list[Point]:
        """The corners of a square round the middle of the far cell: far, right, near, left."""
        ways = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return [self.spot(0.5 + a * reach, 0.5 + b * reach, height) for a, b in ways]

    @property
    def is_frontal(self) -> bool:
        """Whether only the near face of a block is seen."""
        return self.row[0] == 0


ASLANT = Camera("a", 940, 690, (470, 106), (80, 50), (-80, 50), (28, 26, 24), 0.34, 34, 1.2)
FRONT = Camera("f", 420, 506, (25, 80), (74, 0), (0, 74), (20, 18, 16), 0.3, 26, 1.0)


def draw_island(state: Any, look: Look) -> Markup:
    """The island; the same for every seat."""
    camera = FRONT if look.narrow else ASLANT
    turn = int(look.setting("turn", "0"))
    standing = workers_by_cell(state, look)
    cells = sorted(range(25), key=lambda cell: sum(turned(cell, turn)))
    marked = look.lit | look.last | set(look.chosen)
    layers = [_shapes(camera, look.dark), _sea(camera, look.dark), _coordinates(camera, turn, look)]
    above: list[Markup] = []
    for cell in cells:
        layers.append(_tower(state, cell, turn, camera, look, is_free=cell not in standing))
        if cell in standing:
            figure = _worker(state, cell, turn, standing[cell], camera)
            (above if CELLS[cell] in marked else layers).append(figure)
    layers += [_target(state, cell, turn, standing.get(cell), camera, look) for cell in cells]
    return look.svg(camera.width, camera.height, *layers, *above, title="Santorini")


# --- what is drawn once --------------------------------------------------------------------------------


def _use(shape: str, camera: Camera, at: Point, **attributes: object) -> Markup:
    """A shape of the far cell, drawn in another cell."""
    x, y = at[0] - camera.corner[0], at[1] - camera.corner[1]
    return tag("use", href=f"#isle-{shape}", x=round(x, 1), y=round(y, 1), **attributes)


@lru_cache(maxsize=8)
def _shapes(camera: Camera, is_dark: bool) -> Markup:
    """Blocks, dome, rings and places to click, all in the far cell."""
    form = f"{camera.name}{'d' if is_dark else ''}"
    shapes = []
    for level in range(4):
        if level:
            shapes.append(tag("g", *draw_block(camera, level, is_dark), id=f"isle-block{level}-{form}"))
        corners = points(camera.square(REACHES[level] * 0.93, camera.top(level)))
        rim = tag("g", tag("polygon", class_="ring", points=corners, stroke_linejoin="round"), class_="rim")
        line = tag("polygon", points=corners, stroke_linejoin="round")
        shapes.append(tag("g", rim, line, id=f"isle-ring{level}-{camera.name}"))
        place = points(_outline(camera, level))
        shapes.append(tag("polygon", id=f"isle-place{level}-{camera.name}", points=place, fill_opacity=0))
    shapes.append(tag("g", *draw_dome(camera), id=f"isle-dome-{camera.name}"))
    return tag("defs", *shapes)


def _outline(camera: Camera, level: int) -> list[Point]:
    """Round a tower: its top, and its foot on the ground."""
    far, right, near, left = camera.square(REACHES[0])
    top_far, top_right, _, top_left = camera.square(REACHES[level], camera.top(level))
    if level == 0:
        return [far, right, near, left]
    return [top_left, top_far, top_right, right, near, left]


def draw_block(camera: Camera, level: int, is_dark: bool) -> list[Markup]:
    """A storey in the far cell."""
    tops = ("#e3e6ea", "#eef0f2", "#fbfbfa") if is_dark else ("#f6f4ef", "#fbfaf7", "#ffffff")
    rise = camera.rises[level - 1]
    far, right, near, left = camera.square(REACHES[level], camera.top(level))
    sides = [(left, near, "#d5dae3")] if camera.is_frontal else [(left, near, "#d5dae3"), (near, right, "#b4bfd0")]
    faces = []
    for start, end, fill in sides:
        faces.append(tag("polygon", points=points([start, end, _down(end, rise), _down(start, rise)]), fill=fill))
        faces.append(_windows(start, end, rise))
    roof = tag("polygon", points=points([far, right, near, left]), fill=tops[level - 1], stroke="rgba(0,0,0,.2)")
    return [*faces, roof]


def _windows(start: Point, end: Point, rise: float) -> Markup:
    """Two small arches on a face, so that a block reads as a house."""
    slope = (end[1] - start[1]) / (end[0] - start[0])
    size = rise / 26
    arches = []
    for part in (0.28, 0.72):
        x, y = start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
        lean = f"matrix({size:.2f} {slope * size:.3f} 0 {size:.2f} {x:.1f} {y + rise * 0.28:.1f})"
        arches.append(tag("path", d="M-4.5 12V4a4.5 4.5 0 0 1 9 0V12z", transform=lean))
    return tag("g", *arches, fill="#3f5b7d", fill_opacity=".5")


def draw_dome(camera: Camera) -> list[Markup]:
    """A dome in the far cell."""
    x, y = camera.spot(0.5, 0.5, camera.top(3))
    r = 25 * camera.scale
    return [
        tag("path", d=f"M{x - r:.1f} {y:.1f}a{r} {r * 1.06:.1f} 0 0 1 {2 * r} 0a{r} {r * 0.42:.1f} 0 0 1 {-2 * r} 0z",
            fill="#2b6cb0", stroke=EDGE),
        tag("path", d=f"M{x - r * 0.62:.1f} {y - r * 0.26:.1f}q2 {-r * 0.5:.1f} {r * 0.5:.1f} {-r * 0.62:.1f}",
            fill="none", stroke="#fff", stroke_opacity=".75", stroke_width=3.5, stroke_linecap="round"),
    ]  # fmt: skip


@lru_cache(maxsize=8)
def _sea(camera: Camera, is_dark: bool) -> Markup:
    """The sea, the foam round the island, its cliff, its rim and its meadows."""
    deep, light = ("#14283a", "#24506e") if is_dark else ("#7cb5d2", "#b4dbe8")
    sand, left, right = ("#a8987a", "#7d6f56", "#665a46") if is_dark else ("#ead9b5", "#cbb084", "#b4986d")
    name = f"isle-sea-{camera.name}{'d' if is_dark else ''}"
    stops = tag("stop", offset="0", stop_color=light), tag("stop", offset="1", stop_color=deep)
    glow = tag("radialGradient", *stops, id=name, r="62%")
    low, high, depth = -camera.rim, 5 + camera.rim, camera.depth
    top = [camera.spot(*corner) for corner in ((low, low), (high, low), (high, high), (low, high))]
    sides = [(3, 2, left)] if camera.is_frontal else [(3, 2, left), (2, 1, right)]
    foam = tag("polygon", points=points([_down(corner, depth) for corner in top]), fill="#fff", fill_opacity=".3",
               stroke="#fff", stroke_opacity=".35", stroke_width=14, stroke_linejoin="round")  # fmt: skip
    cliff = [
        tag("polygon", points=points([top[a], top[b], _down(top[b], depth), _down(top[a], depth)]), fill=fill)
        for a, b, fill in sides
    ]
    waves = "M46 62q14-8 28 0t28 0M842 70q14-8 28 0t28 0M60 590q14-8 28 0t28 0M820 600q14-8 28 0t28 0"
    if camera.is_frontal:
        waves = "M30 30q14-8 28 0t28 0M320 44q14-8 28 0t28 0M180 24q14-8 28 0t28 0"
    return joined([
        tag("defs", glow),
        tag("rect", width=camera.width, height=camera.height, fill=f"url(#{name})"),
        tag("path", d=waves, fill="none", stroke="#fff", stroke_opacity=".3", stroke_width=2),
        foam, *cliff, tag("polygon", points=points(top), fill=sand, stroke=EDGE), *_meadows(camera, is_dark),
    ])  # fmt: skip


def _meadows(camera: Camera, is_dark: bool) -> list[Markup]:
    """The ground of all cells in two greens."""
    greens = ("#4f7a48", "#456d40") if is_dark else ("#9fce7c", "#90c26c")
    paths = ["", ""]
    for cell in range(25):
        at = camera.spot(cell % 5, cell // 5)
        shift = at[0] - camera.corner[0], at[1] - camera.corner[1]
        corners = [(x + shift[0], y + shift[1]) for x, y in camera.square(REACHES[0])]
        paths[cell % 2] += "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "z"
    return [tag("path", d=d, fill=green, stroke=EDGE, stroke_width=0.6) for d, green in zip(paths, greens, strict=True)]


# --- what stands there ---------------------------------------------------------------------------------


def _coordinates(camera: Camera, turn: int, look: Look) -> Markup:
    """Letters and numbers on the cliff, where no tower hides them; from the front, numbers on the rim at the left."""
    labels = []
    for cell in range(25):
        column, row = turned(cell, turn)
        along, across = names_of(cell, turn)
        if row == 4:
            labels.append(_label(camera, camera.spot(column + 0.5, 5 + camera.rim), camera.column, along))
        if column == 4 and not camera.is_frontal:
            labels.append(_label(camera, camera.spot(5 + camera.rim, row + 0.5), camera.row, across))
        if column == 0 and camera.is_frontal:
            x, y = camera.spot(-camera.rim / 2, row + 0.5)
            labels.append(text(x, y + 6, across, size=17, fill=INK))
    return tag("g", *labels, text_anchor="middle", font_weight=600, fill="#fff" if look.dark else INK)


def _label(camera: Camera, at: Point, way: Point, word: str) -> Markup:
    """A word on a face of the cliff, leaning as the face does."""
    lean = f"matrix(1 {way[1] / way[0]:.3f} 0 1 {at[0]:.1f} {at[1] + camera.depth * 0.5 + 7:.1f})"
    return tag("text", word, transform=lean, font_size=20)


def _middle(state: Any, cell: int, turn: int, camera: Camera) -> Point:
    """Where one stands on a cell."""
    column, row = turned(cell, turn)
    return camera.spot(column + 0.5, row + 0.5, camera.top(min(3, int(level_of(state, cell)))))


def _tower(state: Any, cell: int, turn: int, camera: Camera, look: Look, *, is_free: bool) -> Markup:
    """Levels and dome of a cell from the ground up, and its level where nobody stands on it."""
    column, row = turned(cell, turn)
    level = int(level_of(state, cell))
    form = f"{camera.name}{'d' if look.dark else ''}"
    at = camera.spot(column, row)
    parts = [_use(f"block{storey}-{form}", camera, at) for storey in range(1, min(level, 3) + 1)]
    if level == DOME:
        parts.append(_use(f"dome-{camera.name}", camera, at))
    elif level and is_free:
        x, y = _middle(state, cell, turn, camera)
        parts.append(text(x, y + 8, level, size=22, text_anchor="middle", font_weight=700, fill=INK))
    return joined(parts)


def _target(state: Any, cell: int, turn: int, worker: Worker | None, camera: Camera, look: Look) -> Markup:
    """The place to click, as large as the tower and whoever stands on it, with its ring."""
    column, row = turned(cell, turn)
    level, key, at = min(3, int(level_of(state, cell))), CELLS[cell], camera.spot(column, row)
    parts = [_use(f"place{level}-{camera.name}", camera, at)]
    if worker is not None:
        (x, y), scale = _middle(state, cell, turn, camera), camera.scale
        box = {"x": x - 16 * scale, "y": y - 56 * scale, "width": 32 * scale, "height": 56 * scale}
        parts.append(tag("rect", **box, fill_opacity=0))
    if key in look.lit or key in look.chosen or key in look.last:
        parts.append(_use(f"ring{level}-{camera.name}", camera, at, class_="ring"))
    return look.target(key, label_of(state, cell, worker, look), *parts)


def _worker(state: Any, cell: int, turn: int, worker: Worker, camera: Camera) -> Markup:
    """A figure in its seat's colour with the seat's mark, the second seat's with a hat; before its feet the level."""
    x, y = _middle(state, cell, turn, camera)
    figure = piece(worker.key, draw_figure(worker.owner, x, y, camera.scale))
    level = int(level_of(state, cell))
    plate = _plate(x, y + 9 * camera.scale, level) if level else None
    return tag("g", figure, plate, style="pointer-events: none")


def draw_figure(owner: int, x: float, y: float, scale: float) -> Markup:
    """A worker that stands at a point."""
    colour = SEATS[owner]
    parts = [
        tag("ellipse", cy=2, rx=23, ry=9, fill="#000", fill_opacity=".22"),
        tag("path", d="M-17 0q2-24 10-34h14q8 10 10 34q-17 9-34 0z", fill=colour, stroke=EDGE),
        tag("circle", cy=-43, r=12.5, fill=colour, stroke=EDGE),
        tag("circle", cx=-4, cy=-47, r=3.5, fill="#fff", fill_opacity=".55"),
        text(0, -9, MARKS[owner], size=17, font_weight=700, fill="#fff", text_anchor="middle"),
    ]
    if owner == 1:
        hat = "M-16-48h32l-9-5v-8h-14v8z"
        parts.append(tag("path", d=hat, fill=colour, stroke="#fff", stroke_opacity=".6"))
    return tag("g", *parts, transform=f"translate({x:.1f} {y:.1f}) scale({scale:g})")


def _plate(x: float, y: float, level: int) -> Markup:
    """The level under a worker, on a small plate before its feet."""
    return joined([
        tag("rect", x=x - 10, y=y - 8, width=20, height=18, rx=6, fill="#fff", stroke=EDGE),
        text(x, y + 6.5, level, size=16, text_anchor="middle", font_weight=700, fill=INK),
    ])  # fmt: skip


def _down(corner: Point, by: float) -> Point:
    return corner[0], corner[1] + by
