"""What a game's modules may declare beyond what they must, by name.

Meeple looks these names up, so a misspelt one would be ignored: it is refused instead, with the right one.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import Any

from meeple.core import contract
from meeple.core.features import FeatureSet
from meeple.core.heuristics import DEFAULT_EVALUATION, KINDS, Heuristic
from meeple.errors import did_you_mean

MUST_HAVE: dict[str, tuple[str, ...]] = {
    "rules": (*contract.REQUIRED, *contract.CHANCE_PAIR, *contract.CONSTANTS),
    "notation": ("move_text", "write", "read", "MOVE_PATTERN", "MOVE_EXAMPLE"),
    "picture": ("draw", "paths"),
    "speech": ("spoken",),
}
MAY_HAVE: dict[str, tuple[str, ...]] = {
    "rules": (*contract.OPTIONAL, "STRATA", "ROLE_NAMES", "CHECKS", "BELIEFS", "OPEN_MOVES"),
    "notation": (
        *("outcome_text", "tidy", "show_hand", "is_log", "read_logs", "write_log"),
        *("TRAYS", "placed", "sites", "draft"),
    ),
    "picture": ("preview", "tally", "total", "icon", "remembered", "cover", "SETTINGS", "SHOWS", "HELD"),
    "speech": ("spoken_outcome", "unseen", "heading", "ending", "rounds", "sight"),
    "lessons": ("LESSONS",),
    "heuristics": (*KINDS, DEFAULT_EVALUATION),
    "terms": ("TERMS", "MOVE_TERMS"),
    "features": ("FEATURES", "ACTION_FEATURES"),
}
ROSTERS = "agents stand in roster.py, as Roster(...)"
ELSEWHERE = {  # names that heuristics.py had once, and where they stand now
    **dict.fromkeys(("PRESETS", "LEVELS", "STEPS", "OPPONENT", "STRONGEST", "spelling"), ROSTERS),
    "weighted": "a heuristic says which weights it takes by Heuristic(..., parameters=...)",
}
NEAR = 0.8  # of 1: how alike two names are where one is taken for a slip


def misspelt_names(part: str, module: ModuleType) -> tuple[str, ...]:
    """Return, in words, the names of a game's module that look like misspellings of names that Meeple looks up.

    A helper that resembles a name which the module has too is not taken for a misspelling of it.
    """
    return _looked_over(part, module) if isinstance(module, ModuleType) else _look_over(part, module)


def _look_over(part: str, module: ModuleType) -> tuple[str, ...]:
    own = {name: value for name, value in vars(module).items() if not name.startswith("_") and _is_own(value, module)}
    known = MAY_HAVE.get(part, ())
    faults = [
        f"{part}.{name} is read by nothing: {ELSEWHERE[name]}"
        for name in own
        if part == "heuristics" and name in ELSEWHERE
    ]
    for name in [name for name, value in own.items() if name not in known and _holds_heuristics(value)]:
        faults.append(f"{part}.{name} is no kind of heuristic; {did_you_mean(name, KINDS)}")
        del own[name]
    if part == "features":
        faults += [
            f"{part}.{name} is no table of features; {did_you_mean(name, known)}"
            for name, value in own.items()
            if name not in known and _holds_features(value)
        ]
    for wanted in (name for name in known if name not in own):
        others = {
            name.lower(): name
            for name, value in own.items()
            if name not in known and name not in MUST_HAVE.get(part, ()) and callable(value) == wanted.islower()
        }
        for near in get_close_matches(wanted.lower(), others, n=1, cutoff=NEAR):
            faults.append(f"{part}.{others[near]} is read by nothing; did you mean '{wanted}'?")
    return tuple(faults)


_looked_over = cache(_look_over)  # a module is looked over once; what a test puts in its place each time


def _is_own(value: Any, module: ModuleType) -> bool:
    """Whether a value may be a declaration of this module: its own function, or a constant."""
    if isinstance(value, (ModuleType, type)):
        return False
    if callable(value):
        return getattr(getattr(value, "py_func", value), "__module__", None) == getattr(module, "__name__", "")
    return True


def _holds_features(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(each, FeatureSet) for each in value.values())


def _holds_heuristics(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(each, Heuristic) for each in value.values())
