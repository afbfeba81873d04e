"""Columns, rows and splitters, as editors lay out their views."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget


def column(owner: QWidget, *widgets: QWidget, margin: int = 0, spacing: int = 0) -> QVBoxLayout:
    """Lays widgets out inside another widget, from top to bottom."""
    layout = QVBoxLayout(owner)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def row(owner: QWidget, *widgets: QWidget | None, margins: tuple[int, int] = (0, 0), spacing: int = 0) -> QHBoxLayout:
    """Lays widgets out inside another widget, from left to right; None stands for the remaining space.

    margins: at the sides, and above and below.
    """
    layout = QHBoxLayout(owner)
    layout.setContentsMargins(*margins, *margins)
    layout.setSpacing(spacing)
    for widget in widgets:
        if widget is None:
            layout.addStretch(1)
        else:
            layout.addWidget(widget)
    return layout


def split(
    *widgets: QWidget, shares: Sequence[int], orientation: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """Widgets side by side, with a line between them that can be dragged; added room is divided by `shares`."""
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
    return splitter
