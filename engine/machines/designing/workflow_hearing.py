"""How a workflow hears answers: what was read of them, and what candidates are told of the tries before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Generic, TypeVar

from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.building.edits import Edited, EditOutcome, apply_lines
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.designing.replies import (
    DesignPlan,
    Inspection,
    ReplyError,
    necessary_types,
    read_inspection,
    read_machine,
    read_plan,
    read_steps,
)
from spatial_workbench.engine.machines.results.queries import read_queries

T = TypeVar("T")


@dataclass(frozen=True)
class Heard(Generic[T]):
    """What was read of an answer; `value` is None where the answer cannot be used."""

    value: T | None
    parsed: Any = None
    error: str = ""


def _heard(read: Callable[[], tuple[T, Any]]) -> Heard[T]:
    try:
        value, parsed = read()
    except ReplyError as error:
        return Heard(None, error=str(error))
    return Heard(value, parsed)


def hear_single(text: str) -> Heard[Tree]:
    """A machine, and the types that the idea names."""
    heard = hear_machine(text)
    return Heard(heard.value, {"necessary_blocks": list(necessary_types(text))}, heard.error)


def hear_machine(text: str) -> Heard[Tree]:
    """A machine that keeps the rules of files."""
    return _heard(lambda: (read_machine(text), None))


def hear_plan(text: str) -> Heard[DesignPlan]:
    """The meta-designer's plan."""

    def read() -> tuple[DesignPlan, Any]:
        plan = read_plan(text)
        return plan, asdict(plan)

    return _heard(read)


def hear_inspection(tree: Tree) -> Callable[[str], Heard[Inspection]]:
    """Reads reports on a machine."""

    def read(text: str) -> tuple[Inspection, Any]:
        inspection = read_inspection(text, tree)
        return inspection, {
            "defects": list(inspection.defects),
            "gives_information": inspection.gives_information,
        }

    return lambda text: _heard(lambda: read(text))


def hear_queries(tree: Tree, window_s: float) -> Callable[[str], Heard[bool]]:
    """Reads queries about a machine; an answer without any will do."""
    return lambda text: Heard(True, [asdict(query) for query in read_queries(text, tree, window_s)])


def hear_steps(tree: Tree, size_limits: Vector) -> Callable[[str], Heard[Edited]]:
    """Reads commands and carries them out; all have to succeed."""

    def hear(text: str) -> Heard[Edited]:
        try:
            lines = read_steps(text)
        except ReplyError as error:
            return Heard(None, error=str(error))
        edited = apply_lines(tree, lines, size_limits)
        failed = [step for step in edited.steps if step.outcome is EditOutcome.ERROR]
        reason = f"{failed[0].text}: {failed[0].reason}" if failed else ""
        return Heard(None if failed else edited, [asdict(step) for step in edited.steps], reason)

    return hear


class Histories:
    """What candidates are told of the tries before: their own steps, and every step that failed after the same ones."""

    def __init__(self, is_told: bool) -> None:
        self._is_told = is_told
        self._tries: dict[int, list[str]] = {}
        self._failed: dict[tuple[str, ...], str] = {}

    def add(self, candidate: int, attempt: int, heard: Heard[Edited]) -> None:
        """A try that failed."""
        steps: list[dict[str, str]] = heard.parsed or []
        lines = [": ".join(filter(None, (step["text"], step["outcome"], step["reason"]))) for step in steps]
        words = "\n".join(lines) or heard.error
        self._tries.setdefault(candidate, []).append(f"Try {attempt}:\n{words}")
        done = [step["text"] for step in steps if step["outcome"] == EditOutcome.SUCCESS]
        for step in steps:
            if step["outcome"] == EditOutcome.ERROR:
                after = f"after {'; '.join(done)}" if done else "at the beginning"
                self._failed.setdefault((*done, step["text"]), f"- {after}: {step['text']}: {step['reason']}")

    def words(self, candidate: int) -> str:
        """What a candidate is told; nothing before its first failure."""
        if not self._is_told or not self._tries.get(candidate):
            return ""
        tries = "\n\n".join(self._tries[candidate])
        known = "\n".join(self._failed.values())
        failing = f"\n\nSteps that are known to fail:\n{known}" if known else ""
        return f"EARLIER TRIES, which changed nothing\n\n{tries}{failing}"
