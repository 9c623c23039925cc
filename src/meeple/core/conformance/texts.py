"""Laws of what people read and click: moves and positions as text, views, paths of clicks."""

from __future__ import annotations

import re
from html import escape

from meeple.core.conformance.law import NOT_HERE, law
from meeple.core.conformance.probe import Probe, differing_fields
from meeple.core.picture import Look
from meeple.core.speech import Icon, ordered, plain


@law("move-text", "close", "the texts of the codes on offer differ and are read back")
def move_texts_differ(probe: Probe) -> str:
    if probe.code < 0:
        return NOT_HERE
    texts: dict[str, int] = {}
    for code in probe.offer():
        text = probe.state.move_text(code)
        twin = texts.setdefault("".join(text.split()).casefold(), code)
        if twin != code:
            return f"codes {twin} and {code} are both written '{text}'"
        pattern = probe.game.definition.notation.MOVE_PATTERN
        if probe.mover >= 0 and not re.fullmatch(pattern, text, re.IGNORECASE):
            return f"'{text}' does not fit the notation's own MOVE_PATTERN"
    text = probe.state.move_text(probe.code)
    read = probe.state.read_move(text)
    return "" if read == probe.code else f"code {probe.code} is written '{text}', which is read as {read}"


@law("speech", "close", "every code on offer has a sentence, no two of them sound the same, and its pictures are drawn")
def sentences_differ(probe: Probe) -> str:
    definition = probe.game.definition
    if probe.code < 0 or definition.speech is None:
        return NOT_HERE
    heard: dict[str, int] = {}
    for code in probe.offer():
        pieces = ordered(probe.state.spoken(code))
        words = plain(pieces)
        if not words:
            return f"nothing is said of '{probe.state.move_text(code)}'"
        twin = heard.setdefault(words.casefold(), code)
        if twin != code:
            texts = [probe.state.move_text(each) for each in (twin, code)]
            return f"'{texts[0]}' and '{texts[1]}' both sound like '{words}'"
    draw = getattr(definition.picture, "icon", None)
    for piece in ordered(probe.state.spoken(probe.code)):
        if isinstance(piece, Icon) and (draw is None or not draw(piece.key)):
            return f"'{probe.state.spoken(probe.code).text}' has a small picture '{piece.key}' that nobody draws"
    return ""


@law("position-text", "close", "a position written as text is read back byte for byte")
def position_text_round_trip(probe: Probe) -> str:
    text = probe.state.text()
    read = probe.game.read(text)
    return (
        ""
        if read == probe.state
        else f"'{text}' is read back with another {differing_fields(read.array, probe.state.array)}"
    )


@law("view-text", "close", "a seat's view written as text is read back to a world with the same view")
def view_text_round_trip(probe: Probe) -> str:
    for seat in probe.seats:
        text = probe.state.text(seat)
        again = probe.game.read(text, probe.stream("view-text")).text(seat)
        if again != text:
            return f"'{text}' is read back as '{again}'"
    return ""


@law("paths", "close", "every legal action can be clicked on the mover's picture, and no click can mean two of them")
def paths_lead_to_actions(probe: Probe) -> str:
    if probe.game.definition.picture is None or probe.mover < 0:
        return NOT_HERE
    offer = {path: int(action) for action in probe.legal for path in probe.state.paths(int(action))}
    for action in probe.legal:
        for path in probe.state.paths(int(action)) or [()]:
            if not path:
                return f"'{probe.state.move_text(action)}' has no path of clicks"
            if offer[path] != action:
                return f"the path {path} means '{probe.state.move_text(action)}' and another move"
    for path in offer:
        if any(path[:n] in offer for n in range(1, len(path))):
            return f"the path {path} goes on where another is complete"
    path = tuple(probe.state.paths(probe.code)[0])
    for n in range(len(path)):
        lit = frozenset(longer[n] for longer in offer if longer[:n] == path[:n])
        shown = probe.state.picture(probe.mover, Look(lit=lit, chosen=path[:n]))
        for target in lit:
            if shown.count(f'data-t="{escape(target)}"') != 1:
                return f"the target '{target}' after {path[:n]} is not on the picture once"
    return ""
