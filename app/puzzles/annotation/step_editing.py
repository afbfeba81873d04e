"""Steps made, moved, split and merged, as plain data; the texts of steps begin with their actions."""

from __future__ import annotations

from dataclasses import replace

from spatial_workbench.engine.puzzles.annotation.annotating import new_step_key
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction, action_of
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep

Steps = tuple[PuzzleStep, ...]


def parts_of(explanation: str) -> tuple[str, str]:
    """The action with its colon as it is written, and the rest of an explanation."""
    head, colon, _ = explanation.partition(":")
    if not colon or action_of(f"{head}:") is None:
        return "", explanation
    rest = explanation[len(head) + 1 :]
    blanks = len(rest) - len(rest.lstrip(" "))
    return explanation[: len(head) + 1 + blanks], rest[blanks:]


def head_of(action: PuzzleAction | None) -> str:
    """How an explanation with that action begins."""
    return f"{action.label}: " if action is not None else ""


def with_empty(steps: Steps, index: int) -> Steps:
    """Steps with an empty one at a place."""
    return (*steps[:index], PuzzleStep("", key=new_step_key()), *steps[index:])


def split(steps: Steps, index: int, place: int) -> Steps:
    """Steps with one of them in two, at a place of its text behind the action; the figure stays with the first part."""
    step = steps[index]
    head, body = parts_of(step.explanation)
    first = replace(step, explanation=head + body[:place].rstrip())
    rest = body[place:].strip()
    second = PuzzleStep(rest if action_of(rest) is not None else head + rest, key=new_step_key())
    return (*steps[:index], first, second, *steps[index + 1 :])


def merged(steps: Steps, index: int) -> Steps:
    """Steps with one of them joined with the next; it keeps its own figure if it has one."""
    step = steps[index]
    other = steps[index + 1]
    text = f"{step.explanation.rstrip()} {parts_of(other.explanation)[1].strip()}".strip()
    extra = {**other.extra, **step.extra}
    whole = replace(step, explanation=text, figure=step.figure or other.figure, extra=extra)
    return (*steps[:index], whole, *steps[index + 2 :])


def moved(steps: Steps, index: int, to: int) -> Steps:
    """Steps with one of them at another place."""
    rest = without(steps, index)
    return (*rest[:to], steps[index], *rest[to:])


def without(steps: Steps, index: int) -> Steps:
    """Steps with one of them left out."""
    return (*steps[:index], *steps[index + 1 :])


def with_figure(steps: Steps, index: int, figure: str | None) -> Steps:
    """Steps with another figure at one of them, or none."""
    extra = {name: value for name, value in steps[index].extra.items() if name != "figure"}
    return _changed(steps, index, replace(steps[index], figure=figure, extra=extra))


def with_text(steps: Steps, index: int, explanation: str) -> Steps:
    """Steps with another explanation at one of them."""
    return _changed(steps, index, replace(steps[index], explanation=explanation))


def place_of(steps: Steps, key: str) -> int | None:
    """Where the step with a key is now; None if it is gone."""
    return next((i for i, step in enumerate(steps) if step.key == key), None)


def _changed(steps: Steps, index: int, step: PuzzleStep) -> Steps:
    return (*steps[:index], step, *steps[index + 1 :])
