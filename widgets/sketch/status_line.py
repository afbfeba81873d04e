"""The line below a page: what the tool does, the point under the pointer, and how the page is seen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.puzzles.annotation.layers import Point
from spatial_workbench.widgets.sketch.view import PageView
from spatial_workbench.widgets.theme import SPACE


class StatusLine(QWidget):
    """A hint at the left, and at the right the point under the pointer with the scale.

    Signals:
        changed(): what `status` returns has changed.
    """

    changed = Signal()

    def __init__(self, view: PageView) -> None:
        super().__init__()
        self._view = view
        self._point: Point | None = None
        self.hint = QLabel()
        self.hint.setMinimumWidth(40)
        self._place = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        row.addWidget(self.hint, 1)
        row.addWidget(self._place)
        for label in (self.hint, self._place):
            label.setObjectName("secondary")
        view.view_changed.connect(self._refresh)
        view.pointer.pointed.connect(self._show_point)

    def status(self) -> str:
        """The point under the pointer, and the scale."""
        parts = [] if self._point is None else [f"{self._point[0]:.0f}, {self._point[1]:.0f} px"]
        camera = self._view.camera
        parts += [f"{camera.scale:.0%}"] if self._view.tiles is not None else []
        parts += [f"turned {90 * camera.quarters}°"] if camera.quarters else []
        parts += [marked("mirrored")] if camera.mirrored else []
        return " · ".join(parts)

    def _show_point(self, point: Point | None) -> None:
        self._point = point
        self._refresh()

    def _refresh(self) -> None:
        self._place.setText(said(self.status()))
        self.changed.emit()
