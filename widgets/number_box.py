"""Spin boxes whose text stands as far from the border as in other fields."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox

B = TypeVar("B", bound=QAbstractSpinBox)

_INSET_PX = 5


def inset(box: B) -> B:
    """Sets a box's text off its border. Qt passes over the padding that a style sheet gives to spin boxes."""
    box.lineEdit().setTextMargins(_INSET_PX, 0, 0, 0)
    return box


def number_field(
    label: str, bounds: tuple[float, float], step: float = 1.0, decimals: int = 0, unit: str = "", tip: str = ""
) -> QDoubleSpinBox:
    """A spin box that tells of a typed number only when it is finished."""
    field = inset(QDoubleSpinBox())
    field.setRange(*bounds)
    field.setDecimals(decimals)
    field.setSingleStep(step)
    field.setSuffix(f" {unit}" if unit else "")
    field.setKeyboardTracking(False)
    field.setAccelerated(True)
    field.setAccessibleName(label)
    field.setToolTip(tip or label)
    field.setMinimumWidth(76)
    return field
