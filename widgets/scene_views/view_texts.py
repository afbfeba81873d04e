"""The texts over a view: the hint, the note beside the pointer, the status, and the words for an empty scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import Describe, Pick
from spatial_workbench.widgets.scene_views.view_gestures import ViewDrag

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.interactive_view import InteractiveView


class ViewTexts:
    """The texts over a view.

    hint: a first-time hint at the bottom. empty: the text in the middle while the scene has no items.
    describe: says what stands beside the pointer.
    """

    def __init__(self, view: InteractiveView) -> None:
        self.hint = ""
        self.empty = ""
        self.describe: Describe = lambda pick: (pick.id, "")
        self._view = view

    def paint(self, painter: QPainter) -> None:
        """Paints the texts."""
        view = self._view
        self._paint_note(painter)
        if self._described is not None:
            overlays.paint_status(painter, view.rect(), self._status(self._described), view.theme)
        if not view.scene.items and self.empty:
            overlays.paint_empty(painter, view.rect(), said(self.empty), view.theme)
        if self.hint:
            overlays.paint_hint(painter, view.rect(), said(self.hint), view.theme)

    def _paint_note(self, painter: QPainter) -> None:
        """Paints why the ghost may not be placed, or what is under the pointer."""
        view = self._view
        pointer = view.gestures.pointer
        if pointer is None:
            return
        if view.ghost_reason:
            overlays.paint_note(painter, view.rect(), pointer, (view.ghost_reason, ""), view.theme, "failed")
        elif self._described is not None and view.gestures.drag is ViewDrag.NONE:
            overlays.paint_note(painter, view.rect(), pointer, self.describe(self._described), view.theme)

    @property
    def _described(self) -> Pick | None:
        """The element under the pointer, if the view names elements."""
        return self._view.hover if self._view.names_hovered else None

    def _status(self, pick: Pick) -> str:
        scene = self._view.scene
        axes = scene.axes[:2] if self._view.flat else scene.axes
        place = "  ".join(f"{said(axis)} {value:.4g}" for axis, value in zip(axes, pick.position, strict=False))
        return f"{said(pick.id)}   {place} {said(scene.unit)}".rstrip()
