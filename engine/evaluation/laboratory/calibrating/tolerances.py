"""The tolerances that can be calibrated, each with an answer and the numbers in it that are moved.

A task's file says which of its tolerances these are, and which are left out and why, so that a calibration never looks
more complete than it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.evaluation.laboratory.answer_parts import Path, as_answer, part_at, with_part

FOLDER = files("spatial_workbench.resources") / "laboratory" / "tolerances"
NONE_DECLARED = "No tolerances are declared for this task."


class GaugedTolerance(BaseModel):
    """A tolerance of the rules, with answers on both sides of it.

    Attributes:
        id: Unique within the task, such as "overlap".
        check: The check of the default verifier that it belongs to.
        says: The rule, in a sentence.
        verb: What a verifier does up to the switch, before the figure: "accepts overlaps up to".
        rule: Where the rules switch, in `unit`.
        unit: Such as "mm"; empty for a ratio or a number without one.
        near: A switch that is no farther from `rule` agrees with it: rounding, and what the figure leaves out.
        address: Address of the instance.
        answer: The answer as plain data, in which `moved` numbers grow by their factors times an amount; without one,
            the reference solution.
        moved: Factors by path, such as {"bricks.1.Centroid.0": -1.0}.
        passing, failing: An amount on each side of the switch.
        figure: The coefficients of the figure as a polynomial of the amount, the constant first.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    check: str
    says: str
    verb: str
    rule: float
    unit: str = ""
    near: float = 1e-9
    address: str
    answer: dict[str, Any] | None = None
    moved: dict[str, float] = Field(min_length=1)
    passing: float = 0.0
    failing: float
    figure: tuple[float, ...] = (0.0, 1.0)

    @property
    def task(self) -> str:
        """The id of the task."""
        return task_of_address(self.address)

    def made(self, amount: float) -> str:
        """The text of the answer in which the numbers have moved by an amount."""
        unmoved: Any = _reference(self.address) if self.answer is None else self.answer
        data = unmoved
        for words, factor in self.moved.items():
            path = _path(words)
            data = with_part(data, path, part_at(unmoved, path) + factor * amount)
        return as_answer(data)

    def figure_at(self, amount: float) -> float:
        """What the rule is about, at an amount."""
        return sum(coefficient * amount**power for power, coefficient in enumerate(self.figure))


class NotGauged(BaseModel):
    """A tolerance, or all of a task, that is not calibrated, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    says: str
    why: str


def gauged_tolerances(task: str) -> tuple[GaugedTolerance, ...]:
    """The tolerances of a task that can be calibrated, in the order of its checks."""
    return _read(task)[0]


def not_gauged(task: str) -> tuple[NotGauged, ...]:
    """What of a task is not calibrated; never empty where there is nothing to calibrate."""
    gauged, others = _read(task)
    return others or (() if gauged else (NotGauged(says="everything", why=NONE_DECLARED),))


@cache
def _read(task: str) -> tuple[tuple[GaugedTolerance, ...], tuple[NotGauged, ...]]:
    path = FOLDER / f"{task}.json"
    if path.is_file():
        data: Mapping[str, Sequence[Any]] = json.loads(path.read_text("utf-8"))
    else:
        whole = json.loads((FOLDER / "without.json").read_text("utf-8"))
        data = {"others": [{"says": "everything", "why": whole[task]}]} if task in whole else {}
    gauged = tuple(GaugedTolerance.model_validate(row) for row in data.get("tolerances", ()))
    return gauged, tuple(NotGauged.model_validate(row) for row in data.get("others", ()))


@cache
def _reference(address: str) -> Any:
    """The reference solution of an instance as plain data."""
    task, instance = resolve(address)
    return json.loads(task.format(task.solve(instance)))


def _path(words: str) -> Path:
    return tuple(int(step) if step.isdigit() else step for step in words.split("."))
