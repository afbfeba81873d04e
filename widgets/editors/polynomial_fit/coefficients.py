"""The table of coefficients: what is dragged and typed in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.editing import to_degree
from spatial_workbench.engine.tasks.polynomial_fit.fitting import MAX_DEGREE
from spatial_workbench.widgets.editors.polynomial_fit.commands import FormulaCommands
from spatial_workbench.widgets.editors.polynomial_fit.controls import CoefficientTable
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet


class CoefficientEditing:
    """Receives the edits of the table; `changed` is called when a preview has changed."""

    def __init__(self, sheet: FormulaSheet, commands: FormulaCommands, changed: Callable[[], None]) -> None:
        self._sheet = sheet
        self._commands = commands
        self._changed = changed

    def make_table(self) -> CoefficientTable:
        """Makes the table."""
        table = CoefficientTable()
        table.dragged.connect(self._preview_coefficient)
        table.changed.connect(self._set_coefficient)
        return table

    def show_coefficients(self, table: CoefficientTable) -> None:
        """Shows the coefficients of the answer."""
        if self._sheet.preview is not None:
            return
        coefficients = self._sheet.coefficients
        degree = self._sheet.degree
        fits = coefficients if degree <= MAX_DEGREE else None
        table.show_coefficients(fits, max(self._commands.degree.value, degree if fits is not None else 0))

    def _set_coefficient(self, i: int, j: int, value: float) -> None:
        self._sheet.preview = None
        changed = self._with_coefficient(i, j, value)
        if changed is not None:
            self._sheet.replace_coefficients(
                "Change coefficient", changed, "" if self._is_mouse_down() else f"coefficient {i} {j}"
            )

    def _preview_coefficient(self, i: int, j: int, value: float) -> None:
        self._sheet.preview = self._with_coefficient(i, j, value)
        self._changed()

    def _with_coefficient(self, i: int, j: int, value: float) -> Floats | None:
        coefficients = self._sheet.coefficients
        if coefficients is None:
            return None
        changed = to_degree(coefficients, max(len(coefficients) - 1, i + j))
        changed[i, j] = value
        return changed

    @staticmethod
    def _is_mouse_down() -> bool:
        return bool(QGuiApplication.mouseButtons())
