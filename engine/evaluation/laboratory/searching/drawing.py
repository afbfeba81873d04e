"""What changes of answers are drawn from: entries, numbers near and far, and what is known of the instance."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    Path,
    is_number,
    part_at,
    parts_of,
    paths_to,
    with_part,
)

Rng = np.random.Generator

_STEPS = (1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 100, 1000)
SHIFTS = (0.5, 1, 0.5, 1, 2, 0.1, 0.01, 1e-3, 1e-6, 10, 100)
_MOST_PARAMETERS = 40_000


def _none(rng: Rng) -> Any:
    """No other answer."""


@dataclass(frozen=True)
class KnownOfInstance:
    """What is known of an instance beside the answer that is changed.

    Attributes:
        choices: The sets of values of which some parts have one, as the answer's schema lists them.
        parameters: The parameters of the instance.
        other: Draws another answer to the same task, as plain data.
    """

    choices: Sequence[Sequence[Any]] = ()
    parameters: Any = None
    other: Callable[[Rng], Any] = _none

    @cached_property
    def numbers(self) -> list[float]:
        """The numbers in the parameters, each once."""
        return list(dict.fromkeys(part_at(self._small, path) for path in paths_to(self._small, is_number)))

    @cached_property
    def vectors(self) -> list[list[float]]:
        """The lists of two or more numbers in the parameters, each once."""
        lists = (part for _, part in parts_of(self._small) if isinstance(part, list) and len(part) > 1)
        found = [part for part in lists if all(is_number(entry) for entry in part)]
        return [json.loads(text) for text in dict.fromkeys(json.dumps(part) for part in found)]

    @cached_property
    def _small(self) -> Any:
        """The parameters, unless they are so large that reading them costs more than it gives."""
        return self.parameters if len(json.dumps(self.parameters)) <= _MOST_PARAMETERS else None


NOTHING_KNOWN = KnownOfInstance()


def drawn(rng: Rng, choices: Any) -> Any:
    """One of some entries."""
    return choices[int(rng.integers(len(choices)))]


def drawn_path(rng: Rng, paths: Sequence[Path]) -> Path:
    """One of some paths: of each kind equally often, so that a list of 100 lists is drawn as often as one of those."""
    kinds: dict[Path, list[Path]] = {}
    for path in paths:
        kinds.setdefault(tuple("" if isinstance(key, int) else key for key in path), []).append(path)
    chosen: Path = drawn(rng, drawn(rng, list(kinds.values())))
    return chosen


def sign(rng: Rng) -> int:
    """1 or -1."""
    return 1 if rng.integers(2) else -1


def changed_number(value: float, rng: Rng) -> Any:
    """A number near or far; whole numbers usually stay whole."""
    step = drawn(rng, _STEPS) * sign(rng)
    if isinstance(value, int) and rng.random() < 0.85:
        return value + (round(step) or (1 if step > 0 else -1))
    whole = round(value) if math.isfinite(value) else 0
    options = (value + step, value + step, value * (1 + step), -value, 0, whole, value / 2, value + step)
    return drawn(rng, options)


def like(value: float, old: float) -> float:
    """A number, written as a whole one if the one in whose place it stands is, and it can be."""
    is_whole = isinstance(old, int) and isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def elements_of(data: Any) -> list[Path]:
    """The paths of the entries of lists that hold numbers, directly or in their own parts."""
    lists = paths_to(data, lambda part: isinstance(part, list) and len(part) > 1)
    entries = [(*path, place) for path in lists for place in range(len(part_at(data, path)))]
    return [path for path in entries if isinstance(part_at(data, path), list | dict)]


def value_at(data: Any, path: Path) -> float:
    """The number at a path; minus infinity if there is none."""
    try:
        value = part_at(data, path)
    except (LookupError, TypeError):
        return -math.inf
    return float(value) if is_number(value) else -math.inf


def moved_along(data: Any, paths: list[Path], axis: Any, step: float) -> Any:
    """All numbers under some paths that end in the same key, moved by a step."""
    for path in paths:
        for inner in paths_to(part_at(data, path), is_number):
            if inner[-1] == axis:
                value = part_at(data, (*path, *inner))
                whole = isinstance(value, int) and float(step).is_integer()
                data = with_part(data, (*path, *inner), value + (int(step) if whole else step))
    return data
