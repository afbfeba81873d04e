"""Spin boxes whose text stands as far from the border as in other fields."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtCore import QLocale
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QToolTip

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.wheel_fields import AmountBox, CountBox

B = TypeVar("B", bound=QAbstractSpinBox)

_INSET_PX = 5
_NO_ARROWS = (
    "QAbstractSpinBox { padding: 4px 2px; } QAbstractSpinBox::up-button, QAbstractSpinBox::down-button,"
    "QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { width: 0px; image: none; }"
    "QLineEdit { padding: 0px 2px; border: none; }"
)


def inset(box: B) -> B:
    """Moves a box's text away from its border; Qt ignores the padding that style sheets give to spin boxes."""
    box.lineEdit().setTextMargins(_INSET_PX, 0, 0, 0)
    return box


def number_field(
    label: str, bounds: tuple[float, float], step: float = 1.0, decimals: int = 0, unit: str = "", tip: str = ""
) -> QDoubleSpinBox:
    """A spin box that reports a typed number only when typing has ended."""
    field = inset(BoundedBox())
    field.setRange(*bounds)
    field.setDecimals(decimals)
    field.setSingleStep(step)
    field.setSuffix(f" {said(unit)}" if unit else "")
    field.setKeyboardTracking(False)
    field.setAccelerated(True)
    field.setAccessibleName(said(label))
    field.setToolTip(said(tip or label))
    field.setMinimumWidth(76)
    return field


class BoundedBox(AmountBox):
    """A spin box in which a number outside its bounds can be typed, and becomes the nearest bound.

    Without this, Qt refuses the digit that leaves the bounds: 60 in a box up to 24 would be 6.
    """

    def validate(self, text: str, pos: int) -> tuple[QValidator.State, str, int]:
        state, text, pos = super().validate(text, pos)
        return _tolerated(state, self._typed(text)), text, pos

    def fixup(self, text: str) -> str:
        value = self._typed(text)
        return text if value is None else _bounded(self, value)

    def _typed(self, text: str) -> float | None:
        value, is_number = self.locale().toDouble(_bare(self, text))
        return value if is_number else None


class BoundedIntBox(CountBox):
    """A spin box for whole numbers with the same behaviour as `BoundedBox`."""

    def validate(self, text: str, pos: int) -> tuple[QValidator.State, str, int]:
        state, text, pos = super().validate(text, pos)
        return _tolerated(state, self._typed(text)), text, pos

    def fixup(self, text: str) -> str:
        value = self._typed(text)
        return text if value is None else _bounded(self, value)

    def _typed(self, text: str) -> int | None:
        value, is_number = self.locale().toLongLong(_bare(self, text))
        return value if is_number else None


def _tolerated(state: QValidator.State, value: float | None) -> QValidator.State:
    """The state of a text while it is typed: a number may leave the bounds."""
    is_number_outside = state is QValidator.State.Invalid and value is not None
    return QValidator.State.Intermediate if is_number_outside else state


def _bare(box: QSpinBox | QDoubleSpinBox, text: str) -> str:
    """A text without prefix and suffix."""
    return text.removeprefix(box.prefix()).removesuffix(box.suffix()).strip()


def _bounded(box: Any, value: float) -> str:
    """The text of the number within the bounds that is nearest to a value; says so if it is another one."""
    bound = min(max(value, box.minimum()), box.maximum())
    if bound != value:
        show_bounds(box, box.textFromValue(box.minimum()), box.textFromValue(box.maximum()))
    return f"{box.prefix()}{box.textFromValue(bound)}{box.suffix()}"


def show_bounds(box: QAbstractSpinBox, least: str, most: str) -> None:
    """Says below a box why the number that was typed has become another one."""
    place = box.mapToGlobal(box.rect().bottomLeft())
    QToolTip.showText(place, tr("From {least} to {most}", least=least, most=most), box)


class PlainDoubleBox(AmountBox):
    """A spin box that shows no trailing zeros."""

    def textFromValue(self, value: float) -> str:
        if not self.isGroupSeparatorShown():
            return f"{value:.10g}"
        grouping = self.locale()
        grouping.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
        return grouping.toString(value, "g", 10)


class ShortField(PlainDoubleBox):
    """A field without arrows and trailing zeros, so narrow that three fit in a row of a panel."""

    def __init__(self, label: str, bounds: tuple[float, float], step: float = 1.0, decimals: int = 0) -> None:
        super().__init__()
        self.setRange(*bounds)
        self.setDecimals(decimals)
        self.setSingleStep(step)
        self.setKeyboardTracking(False)
        self.setStyleSheet(_NO_ARROWS)
        self.setAccessibleName(said(label))
