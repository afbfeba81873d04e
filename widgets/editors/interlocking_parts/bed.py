"""The printer's bed: the selected part as it is printed, with a line of figures above it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.tasks.interlocking_parts import Cage, Part
from engine.tasks.interlocking_parts.drawing import draw_bed
from engine.tasks.interlocking_parts.making import known
from engine.tasks.interlocking_parts.rules import sizes
from engine.tasks.interlocking_parts.solid import Solid
from widgets.theme import SPACE
from widgets.viewport3d import Viewport3D


class BedPane(QWidget):
    """A view of the bed, from above at first."""

    def __init__(self, cage: Cage) -> None:
        super().__init__()
        self.cage = cage
        self.part: Part | None = None
        self.number = -1
        self.solid: Solid | None = None
        self._size: tuple[float, ...] | None = None
        self.view = Viewport3D()
        self.view.setAccessibleName(self.tr("The part on the printer's bed"))
        self.view.box_select = False
        self.view.toggle_projection()
        self.view.installEventFilter(self)
        self.title, self.figures = QLabel(), QLabel()
        self.figures.setObjectName("figures")
        self.setMinimumWidth(220)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._header())
        layout.addWidget(self.view, 1)

    def sizeHint(self) -> QSize:
        return QSize(340, 360)

    def show_part(self, part: Part | None, number: int, found: Mapping[str, Any] | None, color: str) -> None:
        """Shows a part in a colour, or the empty bed; `found` holds the details of a verdict that is current."""
        made = known(part) if part is not None else None
        self.part, self.number = part, number
        self.solid = made.solid if made is not None else None
        scene = draw_bed(self.cage, part, number, found, color)
        size = tuple(self.solid.bounds[0].tolist()) if self.solid is not None else None
        first, self._size = size != self._size or not self.view.scene.items, size
        self.view.set_scene(scene, reset_view=first)
        if first:
            self._look_from_above()
        self._tell(made.waiting or made.problem if made is not None else "", found)

    def close_pane(self) -> None:
        """Gives the drawing and the solid back."""
        self.part = self.solid = None
        self.view.close_view()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self.view.frame(animate=False)
        return super().eventFilter(watched, event)

    def _look_from_above(self) -> None:
        self.view.set_camera(self.view.camera.looking("top"))
        self.view.frame(animate=False)

    def _tell(self, trouble: str, found: Mapping[str, Any] | None) -> None:
        if self.part is None:
            self.title.setText("Bed")
            self.figures.setText("no part yet")
            return
        self.title.setText(f"Part {self.number}")
        if self.solid is None:
            self.figures.setText(trouble)
            return
        x, y, z = (self.solid.bounds[1] - self.solid.bounds[0]).tolist()
        fits = all(size <= room + 0.01 for size, room in zip((x, y, z), self.cage.printer, strict=True))
        self.figures.setText(f"{x:.4g} × {y:.4g} × {z:.4g} · {'fits' if fits else 'too large'}")
        printed = found["print"].get(str(self.number)) if found else None
        contact = f"{printed['contact_mm2'] / 100:.0f} cm² lie on the bed" if printed else ""
        self.figures.setToolTip(f"Millimetres; the printer has {sizes(self.cage.printer)}. {contact}".strip())

    def _header(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("panel")
        row = QHBoxLayout(bar)
        row.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.figures)
        return bar
