"""The options of Sagrada: rule sets, how many cards lie on the table, which may be dealt, and what scores how much."""

from __future__ import annotations

from meeple.core.options import Amounts, Option, Subset
from meeple.games.sagrada.cards import OBJECTIVES, TOOLS, WINDOWS, WORTH_NAMES, WORTHS, word_of

USUAL = "usual"
WINDOW_WORDS = tuple(word_of(window.name) for window in WINDOWS)
TOOL_DECK = Subset(
    "toolbox",
    tuple(tool.word for tool in TOOLS),
    "tool cards to deal from",
    sample="grozing+lathekin+brush+hammer+remover",
    is_for_laboratory=True,
)
GOAL_DECK = Subset(
    "objectives",
    tuple(objective.word for objective in OBJECTIVES),
    "public objectives to deal from",
    sample="row-colours+column-shades+light+diagonals",
    is_for_laboratory=True,
)
WINDOW_DECK = Subset(
    "windows",
    WINDOW_WORDS,
    "windows to deal from, both sides of a card (thesis: any)",
    sample="+".join(WINDOW_WORDS[8:]),
    is_for_laboratory=True,
)
OPTIONS = (  # in the order of the places that the rules know
    Option("rules", ("standard", "thesis"), "as published, or as the thesis of Vermes plays", is_for_laboratory=True),
    Option(
        "faults",
        ("no", "yes"),
        "add the faults of the thesis's program, to compare with its tables",
        is_for_laboratory=True,
    ),
    Option("returned", ("chosen", "rolled"), "value of a die that the Flux Remover returns (standard rules)"),
    Option("tools", ("3", "0", "1", "2", "4", "5"), "tool cards on the table; the solo game is hardest with 1"),
    Option("goals", (USUAL, "0", "1", "2", "3"), "public objectives on the table: usually 3, in the solo game 2"),
    TOOL_DECK,
    GOAL_DECK,
    WINDOW_DECK,
    Amounts(
        "points",
        WORTH_NAMES,
        "points of each objective, a pip of one's colour, a token; lost for an empty cell (solo: three times)",
        usual=WORTHS,
        sample="light.5+diagonals.0+private.2+token.0+empty.3",
        is_for_laboratory=True,
    ),
)


def misfit(seats: int, words: dict[str, str]) -> str:
    """Why so many seats cannot be dealt these cards; empty where they can."""
    goals = words["goals"] if words["goals"] != USUAL else "2" if seats == 1 else "3"
    for option, count, deck in (("tools", words["tools"], TOOL_DECK), ("goals", goals, GOAL_DECK)):
        n = len(deck.chosen(words[deck.name]))
        if int(count) > n:
            return f"{option}={count} cannot be dealt from {deck.name}={words[deck.name]}: say {option}={n}"
    return _windows_misfit(seats, WINDOW_DECK.chosen(words[WINDOW_DECK.name]), words["rules"] == "thesis")


def _windows_misfit(seats: int, chosen: tuple[str, ...], is_thesis: bool) -> str:
    wanted = 4 * seats
    if not is_thesis:
        for one, other in zip(WINDOW_WORDS[::2], WINDOW_WORDS[1::2], strict=True):
            if (one in chosen) != (other in chosen):
                here, missing = (one, other) if one in chosen else (other, one)
                return f"windows names {here}, and on the back of its card is {missing}: name both, or say rules=thesis"
    if len(chosen) < wanted:
        return f"windows names {len(chosen)}, and {seats} players are dealt {wanted}"
    return ""
