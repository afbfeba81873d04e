"""The steps in which a draft came about, as the history of its editor has them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from spatial_workbench.engine.core.formats.patch import Patch, apply


@dataclass(frozen=True)
class DraftEdit:
    """An edit of a draft as it is stored.

    Attributes:
        step: Where the history stood after it; None if the edit was made without a history, or by an earlier version.
    """

    patch: Patch
    label: str = ""
    step: int | None = None


@dataclass(frozen=True)
class HistoryStep:
    """A step that can be undone: the draft before and after it, as plain data.

    Attributes:
        number: Where the history stood after it.
    """

    label: str
    before: Any
    after: Any
    number: int


@dataclass(frozen=True)
class DraftHistory:
    """The draft with which somebody began, and the steps since then: the first `index` are done, the others undone."""

    begun: Any
    steps: tuple[HistoryStep, ...]
    index: int

    @property
    def draft(self) -> Any:
        """The draft to which the steps lead."""
        return self.steps[self.index - 1].after if self.index else self.begun


def history_of(begun: Any, edits: Iterable[DraftEdit]) -> DraftHistory:
    """The history that edits of a draft left, from the draft with which it began.

    Raises:
        ValueError: An edit does not fit.
    """
    steps: list[HistoryStep] = []
    numbers: list[int] = []
    index = 0
    data = begun
    for edit in edits:
        before = data
        data = apply(data, edit.patch)
        at = numbers[index - 1] if index else 0
        step = at + 1 if edit.step is None else edit.step
        place = bisect_right(numbers, step)
        is_known = step == 0 or (place > 0 and numbers[place - 1] == step)
        if is_known and _goes_through_history(edit.label):
            index = place
        elif step == at and index:
            # Dragging makes one step of many edits.
            steps[index - 1] = replace(steps[index - 1], after=data)
        else:
            del steps[index:], numbers[index:]
            steps.append(HistoryStep(edit.label, before, data, step))
            numbers.append(step)
            index = len(steps)
    return DraftHistory(begun, tuple(steps), index)


def _goes_through_history(label: str) -> bool:
    return label.startswith(("Undo ", "Redo "))
