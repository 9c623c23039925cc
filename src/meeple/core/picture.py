"""What a game's drawing is handed and what it returns; the page and a notebook show the same.

A game's `picture` module has

    draw(state, seat, look) -> Markup      the whole board as `seat` sees it (None: the whole world)
    paths(state, action) -> list[Path]     the ways to click an action: each a row of target ids

and may have

    preview(state, action, seat) -> str    what a move would bring, in a few words; `state` is a redealt world
    tally(state, owner, seat) -> dict      the parts of a seat's score, as far as `seat` may know them
    total(state, owner, seat) -> int       its score as far as `seat` may know it, where that is more than lies open
    remembered(steps) -> tuple[str, ...]   what lies open though the state does not keep it, from the steps before, the
                                           last first: read from `look.memory`, which is empty where there is no match.
                                           Only games without hidden information are asked, since steps hold all of it
    cover() -> Markup                      a picture for the game's name, drawn for the purpose (`cover_of`): a few
                                           pieces, large, without words
    SHOWS                                  what is in the drawing, so that the page need not write it a second time:
                                           "parts" of the scores, or the "seats" with all that belongs to them
    HELD                                   how the ids of targets in hands and pools begin, a tuple: those are gone once
                                           the move is made. What else is in a path must be open to who saw the move
    icon(key) -> Markup                    a small picture that the game's `speech` names: a tile, a die, a card
    SETTINGS                               choices of how to draw, as `Option`s, read by `look.setting(name)`

Whatever may be clicked is a `target` with an id. No path of one action is the beginning of a path of
another, and once a path's first targets are chosen, the drawing shows all that may come next: a target that
only exists then (a button for a value) is drawn where it is in `look.lit`. What is chosen is drawn as it will be: a
worker that has stepped and is about to build stands on its new cell. What the last move touched (`look.last`) has a
ring until the next one; the page joins such places by arrows, in the order of the move's path. A drawing shows no more
than the seat may know, in its texts and labels too: it is held to the view law.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from meeple.core.colours import SHAPES, lighter
from meeple.core.paint import COLOURS, MARKS
from meeple.core.speech import conjugated
from meeple.core.svg import Markup, Point, joined, number, points, tag

Path = tuple[str, ...]

RED, GREEN, BLUE, YELLOW, PURPLE, ORANGE = (
    COLOURS[name] for name in ("red", "green", "blue", "yellow", "purple", "orange")
)
INK, PAPER = COLOURS["ink"], COLOURS["paper"]
SEATS = (  # a seat's mark is white on them: they are dark enough for words
    *(COLOURS[f"seat{seat}"] for seat in range(1, 5)), "#4f7f30", "#8c5a2b", "#b84a83", "#5f6b7a", "#1f6f5c", "#a3472e",
)  # fmt: skip
# A ring is a light line on a wider dark one. Whatever lies under it, one of the two stands apart from it by SHAPES or
# more, since they stand apart from each other by its square.
RIM, GLOW = "#15171c", "#ffd166"
TINTS = tuple(lighter(colour, RIM, SHAPES**2) for colour in SEATS)  # of the ring round what a seat moved last
EDGE = "rgba(0,0,0,.25)"  # every stroke round a piece
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
SMALL, MEDIUM, LARGE = 13, 16, 22  # sizes of type
FEW = 5  # targets that are lit: more of them are marked quietly


@dataclass(frozen=True)
class Look:
    """How to draw: for which ground and room, and what is marked."""

    dark: bool = False
    narrow: bool = False  # for a phone: taller than wide
    lit: frozenset[str] = frozenset()  # targets that may be clicked next
    chosen: Path = ()  # targets clicked so far
    last: frozenset[str] = frozenset()  # targets of the last move
    mover: int = 0  # who made the last move
    names: tuple[str, ...] = ()  # of the seats
    memory: tuple[str, ...] = ()  # what the game's `remembered` told of the match so far
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def ink(self) -> str:
        """Words on the ground."""
        return PAPER if self.dark else INK

    def name(self, seat: int) -> str:
        """A seat's name, or its number where nobody gave one."""
        return self.names[seat] if seat < len(self.names) else f"Seat {seat + 1}"

    def does(self, seat: int, verb: str) -> str:
        """`Ada takes`, or `You take` where the page calls the seat so."""
        name = self.name(seat)
        return f"{name} {conjugated(verb, 1 if name == 'You' else 2)}"

    def setting(self, name: str, default: str) -> str:
        """A choice of how to draw."""
        return self.settings.get(name, default)

    def target(self, key: str, label: str, *content: Markup, ring: Markup | None = None) -> Markup:
        """Something that may be clicked: its drawing, then a ring that shows while it is lit, chosen or moved last.

        `ring` is a shape of class `ring` without fill and stroke (`ring_round`, `ring_box`, `ring_shape`): style and
        colour come from here. Content of class `ghost` shows while the target is hovered over.
        `label` is read aloud and must not tell more than the drawing.
        """
        states = {"lit": key in self.lit, "chosen": key in self.chosen, "last": key in self.last}
        shown = [name for name, holds in states.items() if holds]
        is_lit = "lit" in shown
        return tag(
            "g",
            *content,
            rimmed(ring) if ring is not None and shown else None,
            class_=" ".join(["target", *shown]),
            data_t=key,
            role="button" if is_lit else "img",
            tabindex=0 if is_lit else None,
            aria_label=label,
        )

    def spot(self, key: str, label: str, ring: Markup) -> Markup:
        """A free place that may be clicked only where it is lit: something is put there while a position is set up."""
        return self.target(key, label, ring=ring) if key in self.lit else Markup("")

    def trace(self, key: str, ring: Markup) -> Markup:
        """The ring of a target of the last move that is not there any more: a plate that tiles were taken from."""
        if key not in self.last or key in self.lit:
            return Markup("")
        return tag("g", rimmed(ring), class_="last", data_l=key, style="pointer-events: none")

    def field(
        self,
        box: tuple[float, float, float, float],
        *content: Markup,
        measure: tuple[float, float, float] = (0, 0, 1),
        middle: tuple[float, float] | None = None,
    ) -> Markup:
        """The part of a picture that may be panned and zoomed: x, y, width, height, and what lies in it.

        Without one the whole picture is. Where a drawing shows more as a match goes on, `measure` says where its
        own coordinates begin and how long their unit is, so that a view stays with what it shows. `middle` is
        where a key or a button goes near at first.
        """
        x, y, width, height = box
        return tag(
            "svg",
            *content,
            x=x,
            y=y,
            width=width,
            height=height,
            viewBox=" ".join(map(number, box)),
            class_="field",
            data_measure=" ".join(map(number, measure)) if measure != (0, 0, 1) else None,
            data_middle=" ".join(map(number, middle)) if middle else None,
        )

    def svg(
        self, width: float, height: float, *content: Markup, title: str, grounds: tuple[str, str] | None = None
    ) -> Markup:
        """The whole picture, with the styles that every board shares, on one of two grounds: for light and for dark."""
        return tag(
            "svg",
            tag("title", title),
            tag("style", Markup(self._style())),
            tag("rect", width=width, height=height, fill=grounds[self.dark]) if grounds else None,
            *content,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:g} {height:g}",
            class_=f"board {'dark' if self.dark else 'light'}",
            font_family=FONT,
            style=f"font-variant-numeric: tabular-nums; user-select: none; --ratio: {width / height:.3f}",
        )

    def _style(self) -> str:
        """Rings by what a target is: `--w` is the width of the light line, `--d` its dashes."""
        is_many = len(self.lit) > FEW  # where much is lit, each of it is marked more quietly
        lit = "--w:2px;--d:5 4" if is_many else "--w:3.5px;--d:7 5"
        tint = "#ffd166" if self.dark else "#e09f00"  # over what may be clicked
        return (
            f".ring{{fill:none;stroke:{GLOW};stroke-width:var(--w);stroke-dasharray:var(--d,none)}} "
            f".rim>.ring{{stroke:{RIM};stroke-width:calc(var(--w) + 2.5px)}} "
            f".last{{--w:2.5px}} .last>.ring{{stroke:{TINTS[self.mover % len(TINTS)]}}} "
            f".lit{{cursor:pointer;{lit}}} .chosen{{--w:5px;--d:none}} "
            f".lit>.ring{{stroke:{GLOW};fill:{tint};fill-opacity:{'.09' if is_many else '.16'}}} "
            ".lit>.clear{fill-opacity:0} .lit:hover{--w:3.5px;--d:7 5} .lit:hover>.ring{fill-opacity:.38} "
            ".ghost{opacity:0;pointer-events:none} .lit:hover>.ghost,.lit:focus-visible>.ghost{opacity:.75} "
            ".target:focus{outline:none} .target:focus-visible{--w:6px} .target:focus-visible>.ring{fill-opacity:.38}"
            # A phone's window is narrower than the drawing: the smallest type is drawn larger, to be 12 pixels there.
            + (f' text[font-size="{SMALL}"]{{font-size:{SMALL + 1}px}}' if self.narrow else "")
        )


PLAIN_LOOK = Look()
COVER = (640.0, 400.0)  # the size of a cover


def rimmed(ring: Markup) -> Markup:
    """A ring with the dark rim that lets it stand out from any ground."""
    return joined([tag("g", ring, class_="rim"), ring])


def ring_round(x: float, y: float, radius: float, *, is_clear: bool = False) -> Markup:
    """A ring as a circle; a clear one leaves the colours inside it as they are until it is hovered over."""
    return tag("circle", class_=_ring_class(is_clear), cx=x, cy=y, r=radius)


def ring_box(
    x: float, y: float, width: float, height: float, rx: float | None = None, *, is_clear: bool = False
) -> Markup:
    """A ring as a box with round corners; `is_clear` as in `ring_round`."""
    rx = min(width, height) / 7 if rx is None else rx
    return tag("rect", class_=_ring_class(is_clear), x=x, y=y, width=width, height=height, rx=rx)


def ring_shape(corners: Iterable[Point], *, is_clear: bool = False) -> Markup:
    """A ring as a polygon; `is_clear` as in `ring_round`."""
    return tag("polygon", class_=_ring_class(is_clear), points=points(corners), stroke_linejoin="round")


def _ring_class(is_clear: bool) -> str:
    return "ring clear" if is_clear else "ring"


def text(x: float, y: float, *content: object, size: float = MEDIUM, **attributes: object) -> Markup:
    """Words; `y` is the base line."""
    return tag("text", *content, x=x, y=y, font_size=size, **attributes)


def piece(key: str, *content: Markup) -> Markup:
    """Something that glides to its new place when a picture with the same key follows."""
    return tag("g", *content, data_p=key)


def rolled(key: str, *content: Markup) -> Markup:
    """A die that tumbles when it comes with a key that the picture before did not have.

    The key must name the roll as far as the viewer knows it: the round, say, and the face.
    """
    return tag("g", *content, data_r=key)


def seat_mark(seat: int, x: float, y: float, radius: float) -> Markup:
    """A seat's colour and its mark, for lists and boards."""
    return joined(
        [
            tag("circle", cx=x, cy=y, r=radius, fill=SEATS[seat], stroke=EDGE),
            text(x, y + radius * 0.5, MARKS[seat], size=radius * 1.42, fill="#fff", text_anchor="middle",
                 font_weight=700),
        ]
    )  # fmt: skip


def small(side: float, *content: Markup) -> Markup:
    """A small picture amid words, of a square with this side; it stands alone, with no names defined elsewhere."""
    return tag("svg", *content, viewBox=f"0 0 {side:g} {side:g}", class_="icon", aria_hidden="true")


def cover_of(*content: Markup) -> Markup:
    """A game's cover: what is drawn on a ground of size COVER."""
    width, height = COVER
    return tag("svg", *content, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}",
               font_family=FONT)  # fmt: skip


def glow(name: str, middle: str, rim: str, cx: str = "50%", cy: str = "45%", radius: str = "75%") -> Markup:
    """A cover's ground: one colour in the middle that turns into another at the rim."""
    width, height = COVER
    stops = tag("stop", offset="0", stop_color=middle), tag("stop", offset="1", stop_color=rim)
    shade = tag("radialGradient", *stops, id=name, cx=cx, cy=cy, r=radius)
    return joined([tag("defs", shade), tag("rect", width=width, height=height, fill=f"url(#{name})")])


def fitted(words: str, width: float, size: float = SMALL) -> str:
    """`words`, shortened with an ellipsis so that they stay inside `width`.

    By a cautious mean width of letters: no fonts are measured here.
    """
    room = max(1, int(width / (size * 0.56)))
    return words if len(words) <= room else words[: room - 1].rstrip() + "…"


def wrapped(words: str, width: float, size: float = SMALL) -> list[str]:
    """`words` in lines that stay inside `width`."""
    room = max(1, int(width / (size * 0.56)))
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
