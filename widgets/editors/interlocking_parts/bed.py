"""The printer's bed: the selected part as it is printed, with a line of figures above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QLabel, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.interlocking_parts import Cage, Part
from spatial_workbench.engine.tasks.interlocking_parts.drawing import draw_bed
from spatial_workbench.engine.tasks.interlocking_parts.making import known
from spatial_workbench.engine.tasks.interlocking_parts.rules import sizes
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.theme import SPACE

FIT_MM = 0.01
"""How much larger than the printer's bed a part may be."""


class BedPane(QWidget):
    """A view of the bed, at first from above.

    aids: what may be shown: sizes and the bed's limits (measuring), and what the rules say about them (judging).
    """

    def __init__(self, cage: Cage, aids: frozenset[Aid]) -> None:
        super().__init__()
        self.cage = cage
        self.number = -1
        self.solid: CageSolid | None = None
        self._aids = aids
        self._lying: tuple[object, ...] | None = None
        self._draw: Callable[[], Scene] = partial(draw_bed, cage, None, -1)
        self._corner: tuple[float, ...] | None = None
        self.view = Viewport3D()
        self.view.setAccessibleName(tr("The part on the printer's bed"))
        self.view.box_select = False
        self.view.toggle_projection()
        self.view.installEventFilter(self)
        self.title = QLabel()
        self.figures = QLabel()
        self.figures.setObjectName("figures")
        self.setMinimumWidth(220)
        column(self, self._header()).addWidget(self.view, 1)

    def sizeHint(self) -> QSize:
        return QSize(340, 360)

    def set_part(self, part: Part | None, number: int, details: Mapping[str, Any] | None, color: str) -> bool:
        """Sets a part with its colour, or None; returns whether the view has to be drawn again.

        details: of the current verdict.
        """
        model = known(part) if part is not None else None
        solid = model.solid if model is not None else None
        before = self._lying
        self._lying = (part and part.fileContents, number, _marks_of(number, details), color)
        is_same = before == self._lying and solid is self.solid
        self.number = number
        self.solid = solid
        self.title.setText(said("Bed" if part is None else f"Part {number}"))
        figures = (model.waiting or model.problem or self._figures()) if model is not None else "no part yet"
        self.figures.setText(said(figures))
        self.figures.setToolTip(said(self._contact(details)) if solid is not None else "")
        measures = Aid.MEASURING in self._aids
        judges = Aid.JUDGING in self._aids
        self._draw = partial(draw_bed, self.cage, part, number, details, color, measures, judges)
        return not is_same

    def draw_part(self) -> None:
        """Draws the part that was set; if it lies elsewhere than the last one, shows it from above again."""
        corner = tuple(self.solid.bounds[0].tolist()) if self.solid is not None else None
        first = corner != self._corner or not self.view.scene.items
        self._corner = corner
        self.view.set_scene(self._draw(), reset_view=first)
        if first:
            self._look_from_above()

    def close_pane(self) -> None:
        """Releases the solid."""
        self.solid = self._lying = None
        self._draw = partial(draw_bed, self.cage, None, -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self.view.frame(animate=False)
        return super().eventFilter(watched, event)

    def _look_from_above(self) -> None:
        self.view.set_camera(self.view.camera.looking("top"))
        self.view.frame(animate=False)

    def _figures(self) -> str:
        """The sizes of the part, and whether it fits the printer, as far as they may be shown."""
        if self.solid is None or Aid.MEASURING not in self._aids:
            return ""
        extent = (self.solid.bounds[1] - self.solid.bounds[0]).tolist()
        figures = " × ".join(f"{size:.4g}" for size in extent)
        if Aid.JUDGING not in self._aids:
            return figures
        fits = all(size <= room + FIT_MM for size, room in zip(extent, self.cage.printer, strict=True))
        return f"{figures} · {marked('fits') if fits else 'too large'}"

    def _contact(self, details: Mapping[str, Any] | None) -> str:
        printed = details["print"].get(str(self.number)) if details else None
        contact = f"{printed['contact_mm2'] / 100:.0f} cm² lie on the bed" if printed else ""
        room = f"Millimetres; the printer has {sizes(self.cage.printer)}."
        return " ".join(filter(None, (room, contact)))

    def _header(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("panel")
        row(bar, self.title, None, self.figures, margins=(3 * SPACE, SPACE), spacing=2 * SPACE)
        return bar


def _marks_of(number: int, details: Mapping[str, Any] | None) -> list[Any]:
    """The marks of a verdict that are drawn on a part on the bed."""
    kinds = ("overhangs", "edges")
    return [mark for kind in kinds for mark in (details or {}).get(kind, ()) if mark["part"] == number]
