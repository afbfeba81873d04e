"""Sections of a dialog: a title, and a part that is scrolled where the screen is low."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QScrollArea, QWidget


def section_title(text: str) -> QLabel:
    """The title of a section."""
    label = QLabel(text)
    label.setObjectName("panelTitle")
    return label


def align_labels(*forms: QWidget) -> None:
    """Makes the labels of forms that stand one below the other equally wide, so that their fields stand in line."""
    labels = [label for form in forms for label in _labels_of(form)]
    width = max((label.sizeHint().width() for label in labels), default=0)
    for label in labels:
        label.setMinimumWidth(width)


def _labels_of(form: QWidget) -> Iterator[QWidget]:
    rows = form.layout()
    if not isinstance(rows, QFormLayout):
        return
    for row in range(rows.rowCount()):
        item = rows.itemAt(row, QFormLayout.ItemRole.LabelRole)
        label = item.widget() if item is not None else None
        if label is not None:
            yield label


def scrolled(part: QWidget) -> QScrollArea:
    """A part of a dialog that is scrolled up and down, on the dialog's own ground."""
    area = QScrollArea()
    area.setWidget(part)
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.viewport().setAutoFillBackground(False)
    part.setAutoFillBackground(False)
    return area
