"""Keeps the field with the cursor where it is on the screen while things above it come and go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QScrollArea


@contextmanager
def held_in_place(area: QScrollArea) -> Iterator[None]:
    """Scrolls so that the field with the cursor stays in its place, whatever the block shows or hides."""
    body = area.widget()
    field = area.window().focusWidget()
    if field is None or body is None or not body.isAncestorOf(field):
        yield
        return
    before = field.mapTo(area.viewport(), QPoint()).y()
    yield
    # The layout follows now rather than with the next event, so that nothing flickers.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    bar = area.verticalScrollBar()
    bar.setValue(bar.value() + field.mapTo(area.viewport(), QPoint()).y() - before)
