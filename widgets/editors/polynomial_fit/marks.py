"""Words for the formula and for single cells."""

from __future__ import annotations

from collections.abc import Iterable

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.polynomial_fit import degree_and_terms, score_of
from spatial_workbench.engine.tasks.polynomial_fit.cells import python_value
from spatial_workbench.engine.tasks.polynomial_fit.formula import formula_of
from spatial_workbench.widgets.editors.polynomial_fit.pointing import CellPointer
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet
from spatial_workbench.widgets.scene_views.view import Pick

_MISSED = marked("missed")
_EXTRA = marked("extra")


class FormulaWords:
    """What the status bar and the label beside the pointer say, as far as the aids of the person allow it."""

    def __init__(self, sheet: FormulaSheet, pointer: CellPointer, is_judged: bool, measures: bool) -> None:
        self._sheet = sheet
        self._pointer = pointer
        self._is_judged = is_judged
        self._measures = measures

    def status(self) -> str:
        """The text of the status bar."""
        parts = (
            *(self._measured() if self._measures else ()),
            *(self._judged() if self._is_judged else ()),
            *(self._measured_of_formula() if self._measures else ()),
            *(self._judged_of_formula() if self._is_judged else ()),
        )
        return " · ".join(parts)

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a cell."""
        x, y = (int(part) for part in pick.id.split(" ")[-1].split(",")[:2])
        demand = "needs f > 0" if self._sheet.target[y, x] else "needs f ≤ 0"
        return f"({x}, {y}) · {demand}", f"{self._value_words(x, y)}{self._fault(x, y)}"

    def _fault(self, x: int, y: int) -> str:
        marked = self._sheet.marked() if self._is_judged else None
        if marked is None or marked[y, x] == self._sheet.target[y, x]:
            return ""
        return f" · {_MISSED}" if self._sheet.target[y, x] else f" · {_EXTRA}"

    def _value_words(self, x: int, y: int) -> str:
        if self._sheet.values is None:
            return "no formula yet" if not self._sheet.function else "no value"
        value = python_value(formula_of(self._sheet.function), x, y)
        return f"f = {said(value)}" if isinstance(value, str) else f"f = {float(value):.5g}"

    def _measured(self) -> Iterable[str]:
        if self._pointer.pointed:
            x, y = self._pointer.pointed
            yield f"({x}, {y}): {self._value_words(x, y)}"
        if self._sheet.marked() is None:
            size = self._sheet.size
            yield f"{size} × {size} cells, {int(self._sheet.target.sum())} need f > 0"

    def _judged(self) -> Iterable[str]:
        marked = self._sheet.marked()
        if marked is None:
            return
        right = int((marked == self._sheet.target).sum())
        alike = marked.all() or not marked.any()
        score = 0.0 if alike else score_of(right / self._sheet.target.size)
        yield f"{right} of {self._sheet.target.size:,} cells right"
        yield f"score {score_words(score, 3)}"

    def _measured_of_formula(self) -> Iterable[str]:
        shape = degree_and_terms(self._sheet.function) if self._sheet.shown_values is not None else None
        if shape:
            yield f"degree {shape[0]}"
            yield counted(shape[1], "term")

    def _judged_of_formula(self) -> Iterable[str]:
        if (values := self._sheet.shown_values) is not None:
            yield f"smallest relative margin {values.margin:.1e}"
