"""What is drawn on boards can be told from what it is drawn on: rings by their two tones, words by real pixels."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from meeple.core.chance import Stream
from meeple.core.colours import SHAPES, WORDS, contrast
from meeple.core.match import Match
from meeple.core.picture import GLOW, RIM, SEATS, TINTS, Look
from meeple.core.registry import find_definition, game_names, load_game
from meeple.web.clicks import offer_of

DRAWN = [name for name in game_names() if find_definition(name).picture is not None]
LOOKS = [(is_dark, is_narrow) for is_dark in (False, True) for is_narrow in (False, True)]
# Every word with its colour, its box and the halo round its letters; rings and what shows on hovering are hidden.
READ = """() => [...document.querySelectorAll('svg.board')].flatMap((board, number) => {
  board.querySelectorAll('.ring').forEach(one => one.style.visibility = 'hidden');
  return [...board.querySelectorAll('text')].map(word => {
    const style = getComputedStyle(word), box = word.getBoundingClientRect();
    let opacity = +style.fillOpacity;
    for (let at = word; at !== board; at = at.parentNode) opacity *= +getComputedStyle(at).opacity;
    const halo = style.stroke === 'none' ? null : style.stroke;
    const place = [box.x + scrollX, box.y + scrollY, box.width, box.height];
    return [number, word.textContent, style.fill, opacity, halo, ...place];
  });
})"""
HIDE = "() => document.querySelectorAll('svg.board text').forEach(one => one.style.visibility = 'hidden')"


def moments(name: str) -> Iterator[tuple[Match, frozenset[str], tuple[str, ...]]]:
    """A match in its middle, with a first target clicked where a move takes several; and its end."""
    match, rng = Match(load_game(name), seed=31), Stream(31)
    while not match.is_over:
        if match.ply == 13:
            offer = offer_of(match.state)
            begun = sorted(target for target in offer.after(()) if offer.action((target,)) is None)
            chosen = tuple(begun[:1])
            yield match, frozenset(offer.after(chosen)), chosen
        actions = match.state.legal_actions()
        match.play(int(actions[rng.below(len(actions))]))
    yield match, frozenset(), ()


def drawings(name: str) -> list[str]:
    """The moments of a match, light and dark, wide and narrow, as a seat sees them."""
    found = []
    for match, lit, chosen in moments(name):
        seat = max(0, match.to_move)
        for is_dark, is_narrow in LOOKS:
            look = Look(dark=is_dark, narrow=is_narrow, lit=lit, chosen=chosen)
            found.append(match.state.picture(seat, look))
    return found


# --- rings ---------------------------------------------------------------------------------------------


def grounds(drawing: str) -> set[str]:
    """Every colour that a drawing names, its rings' apart."""
    drawing = re.sub(r"<style>.*?</style>", "", drawing, flags=re.DOTALL)
    return set(re.findall(r'"(#(?:[0-9a-f]{6}|[0-9a-f]{3}))"', drawing))


def test_the_two_tones_of_a_ring_stand_out_from_any_ground() -> None:
    # A ground of luminance L lies at (L + 0.05) between the two tones. Where both contrasts were below 3, their
    # product, which is that of the tones with each other, would be below 9.
    for tone in (GLOW, *TINTS):
        assert contrast(tone, RIM) >= SHAPES**2
        for grey in range(256):
            ground = f"#{grey:02x}{grey:02x}{grey:02x}"
            assert max(contrast(tone, ground), contrast(RIM, ground)) >= SHAPES


@pytest.mark.parametrize("name", DRAWN)
def test_rings_stand_out_from_all_colours_of_a_board(name: str) -> None:
    for drawing in drawings(name):
        tones = set(re.findall(r"stroke:(#[0-9a-f]{6})", drawing.partition("</style>")[0]))
        assert RIM in tones
        assert tones <= {GLOW, RIM, *TINTS}
        colours = grounds(drawing)
        assert len(colours) > 5
        for colour in colours:
            assert all(max(contrast(tone, colour), contrast(RIM, colour)) >= SHAPES for tone in tones - {RIM}), colour


@pytest.mark.parametrize("name", DRAWN)
def test_every_ring_has_its_rim(name: str) -> None:
    for drawing in drawings(name):
        table = re.sub(r"<defs>.*?</defs>", "", drawing)
        outside = re.sub(r'<g class="rim">.*?</g>', "", table)
        rings = re.findall(r'<(\w+)[^<>]* class="ring|<(\w+) class="ring', outside)
        assert rings or 'class="target lit' not in drawing
        # A ring that is used by name has its rim in its definition.
        named = re.findall(r'<use href="#([^"]+)"[^<>]* class="ring', outside)
        assert all(f'id="{shape}"><g class="rim">' in drawing for shape in named)
        assert table.count('<g class="rim">') == len(rings) - len(named)


def test_a_seats_mark_can_be_read_on_its_colour() -> None:
    assert len(set(SEATS)) == 10
    assert min(contrast("#ffffff", colour) for colour in SEATS) >= WORDS


# --- words ---------------------------------------------------------------------------------------------


def channels(colour: str) -> np.ndarray:
    return np.array([float(part) for part in re.findall(r"[\d.]+", colour)[:3]])


def luminances(colours: np.ndarray) -> np.ndarray:
    parts = colours / 255
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(light @ np.array([0.2126, 0.7152, 0.0722]))


def shot(page: Page) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB"), dtype=float)


def share_readable(ground: np.ndarray, fill: str, opacity: float) -> float:
    """Of the ground under a word's letters, the share from which its colour stands apart enough."""
    ink = channels(fill) * opacity + ground * (1 - opacity)
    low, high = np.sort([luminances(ink), luminances(ground)], axis=0)
    return float(((high + 0.05) / (low + 0.05) >= WORDS).mean())


def faults(page: Page, pictures: list[str]) -> list[str]:
    """The words of boards that cannot be read well: their letters are where the picture differs without them."""
    boards = "".join(f"<div style='width:{430 if '--ratio: 0' in one else 1000}px'>{one}</div>" for one in pictures)
    page.set_content(f"<body style='margin:0'>{boards}</body>")
    words = page.evaluate(READ)
    written = shot(page)
    page.evaluate(HIDE)
    blank = shot(page)
    found = []
    for number, word, fill, opacity, halo, x, y, width, height in words:
        box = slice(int(y), int(y + height) + 1), slice(int(x), int(x + width) + 1)
        ground = blank[box][np.abs(written[box] - blank[box]).sum(axis=2) > 12]
        if halo:
            ground = channels(halo)[None, :]
        if len(ground) and share_readable(ground, fill, opacity) < 0.75:
            middle = np.median(ground, axis=0).astype(int)
            found.append(f"picture {number}: '{word}' in {fill} at {opacity:.2f} on {middle}")
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_words_can_be_read_on_their_ground(name: str, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1000, "height": 700})
    assert faults(context.new_page(), drawings(name)) == []
    context.close()


def test_the_reader_of_words_sees_what_cannot_be_read(browser: Browser) -> None:
    def board(fill: str, opacity: float) -> str:
        word = f'<text x="20" y="40" font-size="16" fill="{fill}" fill-opacity="{opacity}">word</text>'
        ground = '<rect width="200" height="100" fill="#fff"/>'
        return f'<svg class="board" style="--ratio: 2" viewBox="0 0 200 100">{ground}{word}</svg>'

    page = browser.new_page()
    good, pale, faint = board("#22262e", 1), board("#8a8f98", 1), board("#22262e", 0.4)
    assert [words[:9] for words in faults(page, [good, pale, faint])] == ["picture 1", "picture 2"]
    page.close()
