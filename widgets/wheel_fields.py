"""Fields that the wheel changes only while they have the focus: whoever scrolls a page past them changes nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QWidget


def takes_wheel(field: QWidget, event: QWheelEvent) -> bool:
    """Whether the wheel is for a field; if it is not, the page around it scrolls."""
    if not field.hasFocus():
        event.ignore()
    return field.hasFocus()


class ChoiceBox(QComboBox):
    """A list of choices."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if takes_wheel(self, event):
            super().wheelEvent(event)


class CountBox(QSpinBox):
    """A whole number with arrows."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if takes_wheel(self, event):
            super().wheelEvent(event)


class AmountBox(QDoubleSpinBox):
    """A number with arrows."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if takes_wheel(self, event):
            super().wheelEvent(event)
