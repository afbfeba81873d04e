"""The formula being written: its values on the grid, its coefficients, and what was painted for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit import Function, quick_values_of, target_of, values_of
from spatial_workbench.engine.tasks.polynomial_fit.algebra import TooLong
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask, TooSlow, Values, scaled_coefficients
from spatial_workbench.engine.tasks.polynomial_fit.editing import Strokes, values_at
from spatial_workbench.engine.tasks.polynomial_fit.fitting import MAX_DEGREE, formula_text
from spatial_workbench.engine.tasks.polynomial_fit.formula import FormulaError, formula_of
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.runner import Job, Runner


class FormulaSheet:
    """The formula of a document, and the cells that it should be positive in.

    changed: called when the values are known.
    """

    def __init__(self, document: AnswerDocument[Function], runner: Runner, changed: Callable[[], None]) -> None:
        self.target = target_of(document.instance)
        self.size = len(self.target)
        """The number of cells along each side."""
        self.preview: Floats | None = None
        """The coefficients that a gesture has led to so far; None while the answer itself is shown."""
        self._document = document
        self.runner = runner
        self._changed = changed
        self._values: dict[str, Values | None] = {}
        self._evaluation: Job | None = None
        self._strokes_by_formula: dict[str, Strokes] = {}

    def keep_strokes(self, function: str, strokes: Strokes) -> None:
        """Keeps the painted cells that belong to a formula."""
        self._strokes_by_formula[function] = strokes

    def forget_strokes(self) -> None:
        """Discards what was painted."""
        self._strokes_by_formula.clear()

    @property
    def function(self) -> str:
        """The text of the answer."""
        return self._document.answer.function

    @property
    def values(self) -> Values | None:
        """The answer's values on the grid; None if it has none, or if they are not known yet."""
        if self.function not in self._values:
            self._values = {self.function: None}
            self._evaluate()
        return self._values[self.function]

    def _evaluate(self) -> None:
        """Computes the values now if that is quick, and otherwise in the background."""
        if self._evaluation is not None:
            self._evaluation.cancel()
            self._evaluation = None
        try:
            self._values[self.function] = quick_values_of(self.function, self.size) if self.function else None
        except FormulaError:
            return
        except TooSlow:
            done = partial(self._store_values, self.function)
            arguments = (self.function, self.size)
            self._evaluation = self.runner.run(
                "Evaluating the formula", values_of, *arguments, done=done, failed=lambda _: None
            )

    def _store_values(self, function: str, values: Values) -> None:
        self._evaluation = None
        if function in self._values:
            self._values[function] = values
            self._changed()

    @property
    def coefficients(self) -> Floats | None:
        """The answer's coefficients in u and v, zeros if it is empty; None if it cannot be multiplied out."""
        return _coefficients(self.function, self.size) if self.function else np.zeros((1, 1))

    @property
    def strokes(self) -> Strokes:
        """The painted cells that belong to the present formula."""
        return self._strokes_by_formula.get(self.function, {})

    def replace_function(self, label: str, function: str, merge: str = "") -> None:
        """Replaces the function; what was painted is kept."""
        self._strokes_by_formula.setdefault(function, self.strokes)
        self._document.edit(label, Function(reasoning=self._document.answer.reasoning, function=function), merge)

    def replace_coefficients(self, label: str, coefficients: Floats, merge: str = "") -> None:
        """Replaces the function by the polynomial with these coefficients."""
        self.replace_function(label, formula_text(coefficients, self.size), merge)

    @property
    def shown_values(self) -> Values | None:
        """The answer's values; None during a preview."""
        return self.values if self.preview is None else None

    def marked(self) -> Mask | None:
        """Where f is positive, or where its preview is; None while there are no values."""
        if self.preview is not None:
            return values_at(self.preview, np.arange(float(self.size)), self.size) > 0
        return self.values.marked if self.values is not None else None

    @property
    def degree(self) -> int:
        """The degree of the answer; one more than the highest if it cannot be multiplied out."""
        coefficients = self.coefficients
        if coefficients is None:
            return MAX_DEGREE + 1
        return max((int(i + j) for i, j in np.argwhere(coefficients)), default=0)


@lru_cache(maxsize=64)
def _coefficients(function: str, size: int) -> Floats | None:
    try:
        return scaled_coefficients(formula_of(function), size)
    except (FormulaError, TooLong):
        return None
