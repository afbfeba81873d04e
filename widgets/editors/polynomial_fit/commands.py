"""Commands of buttons and gestures on the formula: fits, rounding, and blocks that are added to it."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.editing import (
    Combination,
    Strokes,
    combined,
    expression_in,
    fit,
    rounded_while_right,
)
from spatial_workbench.engine.tasks.polynomial_fit.fitting import MAX_DEGREE, formula_text, plain, separated
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet

COMBINATIONS: tuple[Combination, ...] = ("replace", "multiply", "add")
COMBINATION_NAMES = ("Replace", "Multiply", "Add")


class FormulaCommands:
    """The commands; each is one step of the history, or says why it is not done.

    changed: called when a preview or what was painted has changed.
    refresh: called when a setting has changed that is not drawn.
    use_aid: reports that an aid was used.
    """

    def __init__(
        self,
        sheet: FormulaSheet,
        runner: Runner,
        say: Callable[[str], object],
        changed: Callable[[], None],
        refresh: Callable[[], None],
        use_aid: Callable[[str, Aid], None],
    ) -> None:
        self.degree = Setting(2, changed)
        """The degree of fits."""
        self.how = Setting(0, refresh)
        """What a block does to the formula, as an index of `COMBINATIONS`."""
        self.with_target = Setting(True, refresh)
        """Whether the target counts in fits."""
        self._sheet = sheet
        self._runner = runner
        self._say = say
        self._changed = changed
        self._use_aid = use_aid

    def follow_degree(self) -> None:
        """Raises the chosen degree to that of the formula."""
        degree = self._sheet.degree
        if self._sheet.preview is None and self.degree.value < degree <= MAX_DEGREE:
            self.degree.value = degree

    def fit(self) -> None:
        """Fits a polynomial of the chosen degree by least squares."""
        self._sheet.replace_coefficients("Least squares", self._fitted(self._sheet.strokes))

    def separate(self) -> None:
        """Separates the cells by a linear programme of the chosen degree, in the background."""
        degree = self.degree.value
        self._runner.run(
            "Separating exactly",
            separated,
            self._sheet.target,
            degree,
            done=lambda coefficients: self._separated(coefficients, degree),
        )

    def _separated(self, coefficients: Floats | None, degree: int) -> None:
        if coefficients is None:
            self._say(f"No polynomial of degree {degree} separates these cells; try a higher one.")
        else:
            self._sheet.replace_coefficients("Separate exactly", plain(coefficients))

    def round_off(self) -> None:
        """Shortens the coefficients."""
        coefficients = self._sheet.coefficients
        if coefficients is None or not self._sheet.function:
            self._say("There are no coefficients to round.")
        else:
            self._sheet.replace_coefficients(
                "Round coefficients", rounded_while_right(coefficients, self._sheet.target)
            )

    def preview_stroke(self, stroke: Strokes | None) -> None:
        """Shows the fit to a stroke; None: shows the answer again."""
        self._sheet.preview = None if stroke is None else self._fitted({**self._sheet.strokes, **stroke})
        self._changed()

    def paint(self, stroke: Strokes) -> None:
        """Adds a stroke, and fits the chosen degree to it."""
        self._use_aid("Fit to strokes", Aid.SOLVING)
        strokes = {**self._sheet.strokes, **stroke}
        text = formula_text(self._fitted(strokes), self._sheet.size)
        self._sheet.keep_strokes(text, strokes)
        self._sheet.replace_function("Paint", text)
        self._changed()

    def _fitted(self, strokes: Strokes) -> Floats:
        return fit(self._sheet.target, self.degree.value, strokes, self.with_target.value)

    def add_block(self, label: str, expression: str | None) -> None:
        """Adds a block to the formula, in the chosen way; None is a block without a size, which is refused."""
        if expression is None:
            self._say(f"Drag to give the {label.lower()} a size.")
            return
        how = COMBINATIONS[self.how.value]
        self._sheet.replace_function(
            label, f"def f(x,y): return {combined(expression_in(self._sheet.function), expression, how)}"
        )

    def set_degree(self, degree: float) -> None:
        """Sets the degree of fits."""
        self.degree.put(round(degree))
