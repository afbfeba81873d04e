"""Sections of a dialog: a title, and a part that is scrolled where the screen is low."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget


def section_title(text: str) -> QLabel:
    """The title of a section."""
    label = QLabel(text)
    label.setObjectName("panelTitle")
    return label


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
