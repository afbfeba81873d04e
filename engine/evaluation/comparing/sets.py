"""Sets of attempts: a run, or what a filter or a list of numbers selects, and by which verifier they are judged.

A set is written as the name of a run, or as fields:

    batch=3 task=shikaku,maze_3d tools=yes
    run="gpt-5.2 (tools)" verifier=published
    model=gpt-5.2 verifier=default@2
    attempts=1-40,55
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from spatial_workbench.engine.store import RunFilter

VERSION_SIGN = "@"
_LISTS = {"task": "tasks", "model": "who", "label": "labels", "read": "how_read"}
_SWITCHES = {
    **{name: name for name in ("tools", "passed", "disagrees", "differs")},
    "helped": "is_helped",
    "overridden": "is_overridden",
}
_BOUNDS = tuple(f"{what}_{end}" for what in ("score", "measured", "seconds", "tokens") for end in ("min", "max"))
_SINGLE = ("address", "actor", "batch", "study", "since", "until", "text", *_BOUNDS)
FIELDS = ("run", "attempts", "verifier", *_LISTS, *_SWITCHES, *(name.replace("_", "-") for name in _SINGLE))
"""The names of the fields, as people write them."""
_YES_OR_NO = {"yes": True, "no": False}
_NUMBERS = re.compile(r"(\d+)(?:-(\d+))?")
_MOST_NUMBERS = 1_000_000


class UnknownSet(ValueError):
    """A text names no set of attempts; says why."""


@dataclass(frozen=True)
class AttemptSet:
    """Attempts that are compared with others.

    Attributes:
        title: For a person.
        run: The title of a run; empty: attempts of all runs.
        chosen: What a filter selects; None: no filter.
        attempts: Their numbers; None: not selected by number.
        verifier: Whose scores count, as they are stored, without what people set; empty: those of Results.
        version: Of the verifier; empty: the newest verdict of each attempt.
    """

    title: str
    run: str = ""
    chosen: RunFilter | None = None
    attempts: tuple[int, ...] | None = None
    verifier: str = ""
    version: str = ""

    @property
    def judge(self) -> str:
        """The verifier with its version, as people write it: "default@2"; empty: that of Results."""
        return f"{self.verifier}{VERSION_SIGN}{self.version}" if self.version else self.verifier

    def judged_by(self, judge: str) -> AttemptSet:
        """The same attempts under a verifier, such as "default@2"; empty: that of Results."""
        plain = self.title.removesuffix(_suffix(self.judge))
        verifier, _, version = judge.partition(VERSION_SIGN)
        return replace(self, title=f"{plain}{_suffix(judge)}", verifier=verifier, version=version)

    def has_the_attempts_of(self, other: AttemptSet) -> bool:
        """Whether the same attempts are selected, whoever judges them."""
        return (self.run, self.chosen, self.attempts) == (other.run, other.chosen, other.attempts)


def set_of_run(run: str) -> AttemptSet:
    """The attempts of a run."""
    return AttemptSet(run, run=run)


def written_set(text: str) -> AttemptSet:
    """A set that is written as fields, or as the name of a run.

    Raises:
        UnknownSet: A field is unknown, or its value cannot be one.
    """
    text = text.strip()
    fields = _fields(text)
    if fields is None:
        return set_of_run(text)
    given: dict[str, Any] = {}
    filters: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "run":
            given["run"] = value
        elif name == "attempts":
            given["attempts"] = _numbers(value)
        elif name == "verifier":
            given["verifier"], _, given["version"] = value.partition(VERSION_SIGN)
        else:
            filters |= _filter(name, value)
    if given.get("run") and (filters or "attempts" in given):
        raise UnknownSet("A run is a set of its own; only a verifier may stand beside it.")
    return AttemptSet(text, chosen=_run_filter(filters) if filters else None, **given)


def _fields(text: str) -> Mapping[str, str] | None:
    """The fields of a text by name; None if it is no list of fields, but the name of a run."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    parts = [word.partition("=") for word in words]
    if not parts or any(not sign or not name.replace("-", "").isalpha() for name, sign, _ in parts):
        return None
    for name, _, _ in parts:
        if name not in FIELDS:
            raise UnknownSet(f"There is no field “{name}”; there are {', '.join(FIELDS)}.")
    return {name: value for name, _, value in parts}


def _filter(name: str, value: str) -> dict[str, Any]:
    if name in _LISTS:
        return {_LISTS[name]: tuple(part.strip() for part in value.split(","))}
    if name in _SWITCHES:
        if value not in _YES_OR_NO:
            raise UnknownSet(f"“{name}” is yes or no, not “{value}”.")
        return {_SWITCHES[name]: _YES_OR_NO[value]}
    if name == "until" and len(value) == len("2026-01-31"):
        value = f"{value}T24"  # The day itself is included.
    return {name.replace("-", "_"): value}


def _run_filter(filters: Mapping[str, Any]) -> RunFilter:
    try:
        return RunFilter.model_validate(filters)
    except ValidationError as error:
        wrong = error.errors()[0]
        name = str(wrong["loc"][0]) if wrong["loc"] else "field"
        raise UnknownSet(f"“{wrong['input']}” cannot be a value of {name.replace('_', '-')}: {wrong['msg']}.") from None


def _numbers(text: str) -> tuple[int, ...]:
    """Numbers such as 1-40,55."""
    numbers: set[int] = set()
    for part in text.split(","):
        found = _NUMBERS.fullmatch(part.strip())
        if found is None or int(found[2] or 0) > _MOST_NUMBERS:
            raise UnknownSet(f"“{part}” is no number of an attempt and no range such as 1-40.")
        numbers |= set(range(int(found[1]), int(found[2] or found[1]) + 1))
    return tuple(sorted(numbers))


def _suffix(judge: str) -> str:
    return f" · {judge}" if judge else ""
