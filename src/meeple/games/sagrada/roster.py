"""Sagrada: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

_KINDS = {"rules-based": "rules", "minimax": "minimax", "mcts": "mcts"}
_KEYS = {"it": "iterations", "expl": "c", "config_file": "config"}
_PLAYOUT = {"rules-based-strategy=only_dtfm": "rules-dtfm", "rules-based-strategy=all_moves": "rules-all"}


def spelling(text: str) -> str:
    """The spec that the thesis's way to write an agent means: `mcts-it=80,expl=2.4,worlds=10,playout=first`.

    Settings that are not given are those of the thesis's best. Other texts come back as they are.
    """
    name = next((name for name in _KINDS if text.startswith(f"{name}-")), "")
    if not name:
        return text
    settings = {}
    for part in text.removeprefix(f"{name}-").split(","):
        key, _, value = part.partition("=")
        settings[_KEYS.get(key, key)] = _PLAYOUT.get(value, value)
    # What is asked of a playout comes in one part: the thesis writes its settings with a minus too.
    if settings.get("playout", "").startswith("minimax-"):
        settings["playout"] = "minimax"
    base = _KINDS[name] if name == "rules-based" else f"paper-{name}"
    return base + ":" + ",".join(f"{key}={value}" for key, value in settings.items())


ROSTER = Roster(
    strongest="strong",
    presets={
        "strong": (
            "ismcts:iterations=3800,c=0.25,playout=rules-dtfm,filter=strong,reward=margin",
            "information-set tree search with the thesis's rules in its playouts, some 50 ms a move",
        ),
        "paper-minimax": (
            "minimax:depth=3,worlds=20,evaluation=thesis,ordering=thesis,filter=thesis,exact=no,table=no",
            "the thesis's minimax (section 8.3): depth 3, 20 worlds",
        ),
        "brief-minimax": (
            "minimax:depth=3,worlds=20,evaluation=thesis,ordering=thesis,filter=brief,exact=no,table=no",
            "the same with a filter of ours, which keeps moves short",
        ),
        "paper-mcts": (
            "mcts:iterations=80,worlds=10,c=2.4,playout=rules-dtfm,filter=thesis,ordering=thesis,reward=margin,strata=no",
            "the thesis's MCTS (section 8.3): 80 iterations in each of 10 worlds",
        ),
        "paper-first": ("policy:name=first,reading=program", "the thesis's First (table 7.1), by its program's list"),
        "paper-random": ("policy:name=random-program", "the thesis's Random, by its program's list"),
        "rules-dtfm": ("policy:name=rules-dtfm", "the thesis's rule-based player, placements only (section 6.1)"),
        "rules-keen": ("policy:name=rules-keen", "a stronger rule-based player, placements only"),
        "rules-all": ("policy:name=rules-all", "the thesis's rule-based player, all moves (section 6.2)"),
    },
    rungs=(
        Rung("overlooking:agent=[greedy:evaluation=thesis],sees={},filter=brief", 1.5, 40.0),
        Rung("greedy:evaluation=thesis"),
        Rung("strong:iterations={}", 200, 30_000),
    ),
    selfplay={
        "teacher": "ismcts:iterations=200,c=0.25,playout=rules-dtfm,filter=strong,cutoff=8,evaluation=thesis",
        "first": "strong:iterations=200",
    },
    measured=levels_beside(__file__),
    strategies={"only_dtfm": "dtfm", "all_moves": "all"},
    spelling=spelling,
)
