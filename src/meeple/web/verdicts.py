"""What an analysis says, as HTML text: the graph, the sums of each seat, its mistakes, the move at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from meeple.analysis.calibration import trust_words
from meeple.analysis.graph import graph
from meeple.analysis.result import Analysis, ChanceEvent, Decision, Summary
from meeple.analysis.tables import points, signed
from meeple.analysis.why import why
from meeple.analysis.words import proof_words
from meeple.core.game import State
from meeple.core.svg import Markup, joined, tag
from meeple.web.panels import seat_mark
from meeple.web.solving import line_words
from meeple.web.voice import Voice, words_html

GRAPH = (720, 240)
NARROW_GRAPH = (420, 200)
LEAST_SHARE = 0.005  # of a search that a candidate is shown with
MOST_CANDIDATES = 6


class Row(NamedTuple):
    """A candidate as it is shown."""

    action: int
    chance: float
    error: float
    found: str  # the share of the search, or the searches that named it
    points: float | None = None
    proof: int = 0


class Shown(NamedTuple):
    """All panels beside the board."""

    graph: Markup | str = ""
    verdict: Markup | str = ""
    candidates: Markup | str = ""
    mistakes: Markup | str = ""
    bars: Markup | str = ""


def graph_panel(found: Analysis | None, at: int, *, is_narrow: bool) -> Markup | str:
    """The win chance along the match; a click in it leads there."""
    if found is None or not found.decisions:
        return ""
    width, height = NARROW_GRAPH if is_narrow else GRAPH
    name = f" of {found.names[0]}" if found.seats == 2 else ""
    key = tag("div", f"Win chance{name} with best play; dotted: luck; dots: mistakes", class_="m-quiet")
    drawn = graph(found, width=width, height=height, at=at, is_linked=False)
    return joined([tag("div", drawn, class_="m-graph", role="img", aria_label=f"Win chance{name} at each move"), key])


# --- the move at hand


def verdict_panel(
    decision: Decision | None, event: ChanceEvent | None, state: State, voice: Voice, *, sees_all: bool
) -> Markup | str:
    """What the move made at this position lost, and what chance had brought before it."""
    parts = [] if event is None else _luck(event, voice)
    if decision is None:
        return joined(parts)
    return joined([*parts, *_lost(decision, state, voice), _chances(decision, state, voice, sees_all=sees_all)])


def _luck(event: ChanceEvent, voice: Voice) -> list[Markup]:
    seat = max(range(len(event.luck)), key=lambda place: event.luck[place])
    word = event.word(seat)
    if not word:
        return []
    brought = f"{signed(event.luck[seat])} ± {points(event.error)}"
    return [tag("p", f"Chance was {word} for {voice.name(seat)} before this move: {brought}", class_="m-quiet")]


def _lost(decision: Decision, state: State, voice: Voice) -> list[Markup]:
    name = voice.name(decision.seat)
    made = tag("b", words_html(voice.order(state, decision.action), state.game.definition.picture))
    head = tag("p", seat_mark(decision.seat), " ", f"{name}: ", made)
    if not decision.is_judged:
        return [head, tag("p", "This move is not judged yet.", class_="m-quiet")]
    if decision.is_forced:
        return [head, tag("p", "There was no other move.", class_="m-quiet")]
    lost = f"lost {points(decision.loss)} ± {points(decision.error)} points of win chance"
    if decision.points_lost is not None and decision.loss:
        lost += f" and {decision.points_lost:.1f} points of the game"
    if not decision.loss:
        lost = "the best move that was found"
    word = [tag("span", f"{decision.word} {decision.mark}", class_=f"m-word-{decision.word}"), ": "]
    verdict = tag("p", *(word if decision.word else ()), lost, class_="m-lost-line")
    notes = [decision.proof] if decision.proof else []
    if decision.is_decided:
        notes.append("the game was decided")
    parts = [head, verdict]
    if decision.best_action != decision.action:
        best = words_html(voice.order(state, decision.best_action), state.game.definition.picture)
        parts.append(tag("p", "Best: ", tag("b", best)))
        reason = why(state, decision.best_action, decision.action)
        parts += [tag("p", reason.sentence)] if reason is not None and reason.sentence else []
    line = line_words(state, decision.line, voice)
    parts += [tag("p", f"After the best move it may go on so: {line}.", class_="m-quiet")] if line else []
    return [*parts, *([tag("p", "; ".join(notes), class_="m-quiet")] if notes else [])]


def _chances(decision: Decision, state: State, voice: Voice, *, sees_all: bool) -> Markup | str:
    """The mover's chance with the best move and with the one made: as it was, or as the mover could know it."""
    if not decision.is_judged:
        return ""
    seat = decision.seat
    if sees_all or not state.game.facts.hidden:
        before, after, how = decision.before[seat], decision.after[seat], ""
    else:
        known = {each.action: each.chance for each in decision.candidates}
        if decision.action not in known or decision.best_action not in known:
            return ""
        before, after, how = known[decision.best_action], known[decision.action], ", by what could be known"
    words = f"{voice.name(seat)}: {before:.0%} with the best move, {after:.0%} with the one made{how}"
    if sees_all and state.game.facts.hidden and decision.blind and abs(decision.blind[seat]) >= 0.005:
        words += f"; {signed(decision.blind[seat])} of it nobody could know"
    return tag("p", words, class_="m-quiet")


def candidates_panel(rows: Sequence[Row], state: State, voice: Voice, *, made: int, title: str) -> Markup | str:
    """The moves that were looked at, the best first."""
    if not rows:
        return ""
    has_points = any(row.points is not None for row in rows)
    heads = ["move", "chance", "±", *(["lead"] if has_points else []), "searched"]
    lines = [tag("tr", *(tag("th", head, scope="col") for head in heads))]
    for place, row in enumerate(rows):
        sign = "★ " if place == 0 else "▸ " if row.action == made else ""
        words = words_html(voice.order(state, row.action), state.game.definition.picture)
        proof = f" ({proof_words(row.proof)})" if row.proof else ""
        cells = [
            tag("td", sign, words, proof),
            tag("td", f"{row.chance:.1%}"),
            tag("td", points(row.error) if row.error else "–"),
        ]
        cells += [tag("td", "" if row.points is None else f"{row.points:+.1f}")] if has_points else []
        lines.append(tag("tr", *cells, tag("td", row.found), class_="m-made" if row.action == made else None))
    caption = tag("caption", title, class_="m-quiet")
    return tag("table", caption, *lines, class_="m-candidates")


# --- the whole match


def mistakes_panel(found: Analysis | None, states: Sequence[State], voice: Voice, here: int) -> Markup | str:
    """A button a mistake, the largest first; `states` are those before each of them."""
    if found is None or not found.decisions:
        return ""
    mistakes = found.mistakes
    if not mistakes:
        words = "No move lost 5 points of win chance for certain."
        return tag("p", words if found.is_complete else "None so far.", class_="m-quiet")
    rows = [_mistake(each, state, voice, here) for each, state in zip(mistakes, states, strict=True)]
    return tag("ol", *rows, class_="m-mistakes")


def _mistake(each: Decision, state: State, voice: Voice, here: int) -> Markup:
    made = words_html(voice.order(state, each.action), state.game.definition.picture)
    row = tag(
        "button",
        seat_mark(each.seat),
        tag("span", tag("span", f"{each.mark} {each.word}", class_=f"m-word-{each.word}"),
            f" at move {each.ply + 1}, lost {points(each.loss)} ± {points(each.error)}: ", made),
        type="button",
        data_step=each.step,
        aria_current="true" if each.step == here else None,
    )  # fmt: skip
    return tag("li", row)


def bars_panel(found: Analysis | None, voice: Voice) -> Markup | str:
    """Each seat's sum from the start to the result, as bars."""
    if found is None or not found.decisions:
        return ""
    trust = [] if found.is_calibrated else [tag("p", f"Judged by {found.judge}: {trust_words(False)}.")]
    return joined([*trust, *(_seat(found, each, voice) for each in found.summaries)])


def _seat(found: Analysis, each: Summary, voice: Voice) -> Markup:
    parts = [("play", each.play), ("given", each.given), ("luck", each.luck)]
    parts += [("blind", each.blind)] if found.is_hidden else []
    parts.append(("unexplained", each.unexplained))
    rows = [_bar(name, value) for name, value in parts]
    words = f"accuracy {each.accuracy:.0f}; {each.blunders} ??, {each.mistakes} ?, {each.inaccuracies} ?!"
    head = tag(
        "div", seat_mark(each.seat), " ", tag("b", voice.name(each.seat)), " ", tag("span", words, class_="m-quiet")
    )
    ends = f"from {points(each.start)} to {points(each.result)}; with even luck {points(each.even_luck)}"
    return tag("div", head, *rows, tag("div", ends, class_="m-quiet"), class_="m-sum")


def _bar(name: str, value: float) -> Markup:
    """A part of the sum: to the right of the middle what it brought, to the left what it cost."""
    share = min(1.0, abs(value)) * 50.0
    left = 50.0 - share if value < 0 else 50.0
    kind = "m-minus" if value < 0 else "m-plus"
    filled = tag("span", class_=f"m-fill {kind}", style=f"left:{left:.1f}%;width:{share:.1f}%")
    return tag(
        "div",
        tag("span", name),
        tag("span", filled, class_="m-rail", aria_hidden="true"),
        tag("span", signed(value), class_="m-value"),
        class_="m-part",
    )


def comment_lines(words: str) -> Markup | str:
    """What somebody wrote, escaped, a line a line."""
    return tag("p", words) if words else ""


def quiet_line(words: str) -> Markup:
    """A line in small print."""
    return tag("div", words, class_="m-quiet")


def fault_line(words: str) -> Markup:
    """What went wrong."""
    return tag("div", words, class_="m-bad", role="alert")
