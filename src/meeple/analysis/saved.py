"""An analysis as JSON, and as a file beside its record that grows line by line: killed at any moment, it goes on.

    {"meeple_analysis": 1, "match": "...", "judge": ..., "slope": ..., "work": ..., "seed": ...}
    {"decision": {...}}           a decision that was judged, at the effort that it names; the last of a step holds
    {"chance": {...}}

`match` is a fingerprint of what was played, so that a file is never read for another match.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any, TypeVar

from meeple.analysis.calibration import Calibration
from meeple.analysis.effort import EFFORTS
from meeple.analysis.result import Analysis, Candidate, ChanceEvent, Decision
from meeple.core.match import Match
from meeple.errors import RecordError, SaveError

FORMAT = 1
SUFFIX = ".analysis.jsonl"
T = TypeVar("T", Decision, ChanceEvent, Candidate)


def beside(path: Path) -> Path:
    """Where the analysis of a record lies."""
    return path.with_name(path.name.removesuffix(".jsonl") + SUFFIX)


def in_store(store: Path, number: str) -> Path:
    """Where the analysis of a stored game lies: in a folder beside the store."""
    return store.with_name(store.name + ".analysis") / (number.replace("/", "-") + SUFFIX)


def fingerprint(match: Match) -> str:
    """What names a match: its game, its start and all that happened."""
    told = [match.game.spec, match.start_text or "", match.seed, [step.code for step in match.steps]]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=16).hexdigest()


class Saved:
    """The judgements of one match, in memory and, where there is a path, in a file."""

    def __init__(self, path: Path | None, match: Match, judge: str, calibration: Calibration, seed: int) -> None:
        self.path = path
        self.head: dict[str, Any] = {
            "meeple_analysis": FORMAT,
            "match": fingerprint(match),
            "judge": judge,
            "slope": calibration.slope,
            "work": calibration.work,
            "seed": seed,
        }
        self.decisions: dict[int, Decision] = {}  # by step
        self.chances: dict[int, ChanceEvent] = {}
        self._file: IO[str] | None = None
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        """Read what an earlier run has left, and go on behind it.

        A file of another analysis, or one with a damaged line, is written anew beside itself and put in its place when
        it is whole: killed at any moment, nothing is lost.
        """
        try:
            whole, is_sound = _whole_lines(path)
            is_ours = bool(whole) and whole[0] == self.head
            for line in whole[1:] if is_ours else ():
                self._take(line)
            if not (is_ours and is_sound):
                self._write_anew(path)
            self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115
        except OSError as fault:
            raise SaveError(f"'{path}' cannot be written: {fault.strerror}; analyse without saving it") from fault

    def _write_anew(self, path: Path) -> None:
        draft = path.with_name(path.name + ".new")
        lines: list[dict[str, Any]] = [self.head]
        lines += [{"decision": asdict(each)} for each in self.decisions.values()]
        lines += [{"chance": asdict(each)} for each in self.chances.values()]
        draft.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        os.replace(draft, path)

    def _take(self, line: dict[str, Any]) -> None:
        try:
            if "decision" in line:
                decision = decision_from(line["decision"])
                self.decisions[decision.step] = decision
            elif "chance" in line:
                event = chance_from(line["chance"])
                self.chances[event.step] = event
        except (TypeError, KeyError, AttributeError):
            return  # of another version, or damaged: it is judged again

    def add(self, found: Decision | ChanceEvent) -> None:
        """Keep a judgement."""
        if isinstance(found, Decision):
            self.decisions[found.step] = found
            self._write({"decision": asdict(found)})
        else:
            self.chances[found.step] = found
            self._write({"chance": asdict(found)})

    def has(self, found: Decision | ChanceEvent | None, effort: str) -> bool:
        """Whether a judgement is there that was made with this effort or a greater one."""
        order = list(EFFORTS)
        return found is not None and found.effort in order and order.index(found.effort) >= order.index(effort)

    def close(self) -> None:
        """Done with the file."""
        if self._file is not None:
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            try:
                self._file.write(json.dumps(line) + "\n")
                self._file.flush()
            except OSError as fault:
                raise SaveError(f"'{self.path}' can no longer be written: {fault.strerror}") from fault


def _whole_lines(path: Path) -> tuple[list[dict[str, Any]], bool]:
    """The lines of a file up to the first that is damaged, and whether that is all of it; none without a file."""
    if not path.is_file():
        return [], False
    text = path.read_text(encoding="utf-8", errors="replace")
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        try:
            parsed = json.loads(line)
        except ValueError:
            return found, False
        if not isinstance(parsed, dict):
            return found, False
        found.append(parsed)
    return found, text.endswith("\n")


def kept_decision(path: Path, step: int) -> Decision | None:
    """The last judgement of a decision in a file of judgements; None where it holds none."""
    found = None
    for line in _whole_lines(path)[0]:
        told = line.get("decision")
        if isinstance(told, dict) and told.get("step") == step:
            try:
                found = decision_from(told)
            except (TypeError, KeyError, AttributeError):  # of another version
                continue
    return found


def as_json(analysis: Analysis) -> dict[str, Any]:
    """All of an analysis; words and sums stand beside the numbers that they follow from."""
    found = asdict(analysis)
    for each, told in zip(analysis.decisions, found["decisions"], strict=True):
        told |= {"word": each.word, "proof": each.proof, "is_decided": each.is_decided}
    for event, told in zip(analysis.chances, found["chances"], strict=True):
        told |= {"luck": event.luck, "words": [event.word(seat) for seat in range(analysis.seats)]}
    sums = {"play": analysis.play, "luck": analysis.luck, "blind": analysis.blind}
    sums["unexplained"] = analysis.unexplained
    summaries = [asdict(each) for each in analysis.summaries]
    return {"meeple_analysis": FORMAT, **found, "sums": sums, "summaries": summaries}


def from_json(found: dict[str, Any]) -> Analysis:
    """The analysis that `as_json` gave.

    Raises:
        RecordError: it holds none.
    """
    try:
        kept = _own(Analysis, found)
        kept |= {name: tuple(kept[name]) for name in ("names", "start", "result")}
        kept["decisions"] = tuple(decision_from(each) for each in kept["decisions"])
        kept["chances"] = tuple(chance_from(each) for each in kept["chances"])
        return Analysis(**kept)
    except (TypeError, KeyError, AttributeError) as fault:
        raise RecordError(f"this is no analysis of a match: {fault}") from fault


def decision_from(found: dict[str, Any]) -> Decision:
    """A decision as `asdict` wrote it."""
    kept = _own(Decision, found)
    kept |= {name: tuple(kept[name]) for name in ("before", "after", "play", "blind", "line")}
    kept["candidates"] = tuple(Candidate(**_own(Candidate, each)) for each in kept["candidates"])
    return Decision(**kept)


def chance_from(found: dict[str, Any]) -> ChanceEvent:
    """A chance event as `asdict` wrote it."""
    kept = _own(ChanceEvent, found)
    kept |= {name: tuple(kept[name]) for name in ("texts", "before", "after")}
    return ChanceEvent(**kept)


def _own(kind: type[Any], found: dict[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in found.items() if name in names}
